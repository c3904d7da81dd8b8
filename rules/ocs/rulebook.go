package ocs

import (
	_ "embed"

	"github.com/warledger/warledger/rules"
)

var (
	//go:embed rulebook.tsv
	rulebookIndex string
	//go:embed rulebook.txt
	rulebookTexts string
	//go:embed rulebook.ja.tsv
	rulebookJapanese string
	//go:embed rulebook.ja.txt
	rulebookJapaneseTexts string
)

// rulebook is the index of the paragraphs with their texts, in English and Japanese. It panics if the files that come
// with the package are invalid or disagree, which a test would have found.
func rulebook() *rules.Rulebook {
	return rules.MustRulebook(rulebookIndex, rulebookTexts).MustJapanese(rulebookJapanese, rulebookJapaneseTexts)
}
