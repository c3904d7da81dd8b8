package downfall

import (
	_ "embed"

	"github.com/warledger/warledger/rules"
)

//go:embed scenarios/olympic.json
var olympicDoc []byte

// documents are the scenarios that come with the ruleset.
func documents() []rules.Document { return []rules.Document{{ID: "olympic", Data: olympicDoc}} }
