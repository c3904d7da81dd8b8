package anniversary

import (
	_ "embed"

	"github.com/warledger/warledger/rules"
)

var (
	//go:embed scenarios/1941.json
	doc1941 []byte
	//go:embed scenarios/1942.json
	doc1942 []byte
)

// documents are the scenarios that come with the ruleset.
func documents() []rules.Document {
	return []rules.Document{{ID: "1941", Data: doc1941}, {ID: "1942", Data: doc1942}}
}
