package scenario

import (
	_ "embed"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

var (
	//go:embed map.json
	mapDoc []byte
	//go:embed tables.json
	tablesDoc []byte
	//go:embed drawing.json
	drawingDoc []byte
)

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
