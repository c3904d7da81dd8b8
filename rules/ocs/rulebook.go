package ocs

import (
	_ "embed"

	"github.com/warledger/warledger/rules"
)

var (
	//go:embed rulebook.tsv
	rulebookIndex string
	//go:embed waiting.tsv
	waitingIndex string
)

// rulebook is the index of the paragraphs. Those that need air units, ships or ports wait: nothing of the land war asks for them. It panics if the two files
// that come with the package disagree, which a test would have found.
func rulebook() *rules.Rulebook {
	b := rules.MustRulebook(rulebookIndex)
	if err := b.AddWaiting(waitingIndex); err != nil {
		panic(err)
	}
	return b
}
