package ocs

import (
	_ "embed"

	"github.com/warledger/warledger/rules"
)

//go:embed rulebook.tsv
var rulebookIndex string

// rulebook is the index of the paragraphs. Those that need air units, ships or ports are listed in waiting.tsv with the reason: nothing of the land war asks
// for them.
func rulebook() *rules.Rulebook { return rules.MustRulebook(rulebookIndex) }
