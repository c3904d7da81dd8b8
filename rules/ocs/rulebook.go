package ocs

import (
	_ "embed"

	"github.com/warledger/warledger/rules"
)

//go:embed rulebook.tsv
var rulebookIndex string

// rulebook is the index of the paragraphs. It panics if the file that comes with the package is none, which a
// test would have found.
func rulebook() *rules.Rulebook { return rules.MustRulebook(rulebookIndex) }
