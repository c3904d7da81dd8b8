package anniversary

import (
	_ "embed"

	"github.com/warledger/warledger/rules"
)

//go:embed messages.tsv
var messagesTSV string

// catalogue has the messages of the ruleset in every language.
var catalogue = rules.MustCatalogue(messagesTSV)
