package anniversary

import (
	_ "embed"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

var (
	//go:embed scenarios/1941.json
	doc1941 []byte
	//go:embed scenarios/1942.json
	doc1942 []byte
	//go:embed scenarios/map.json
	mapDoc []byte
	//go:embed scenarios/tables.json
	tablesDoc []byte
	//go:embed scenarios/drawing.json
	drawingDoc []byte
)

// documents are the scenarios that come with the ruleset.
func documents() []rules.Document {
	return []rules.Document{{ID: "1941", Data: doc1941}, {ID: "1942", Data: doc1942}}
}

// What scenarios may name instead of bringing their own. Nobody may change them.
var (
	shippedMap     = shipped(mapDoc, &anniversaryv1.Map{})
	shippedTables  = shipped(tablesDoc, &anniversaryv1.Tables{})
	shippedDrawing = shipped(drawingDoc, &anniversaryv1.Drawing{})
)

// shipped decodes a document that comes with the package. It panics if it can't be decoded, which a
// test would have found.
func shipped[M proto.Message](doc []byte, m M) M {
	if err := protojson.Unmarshal(doc, m); err != nil {
		panic(err)
	}
	return m
}
