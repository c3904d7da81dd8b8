package downfall

import (
	"cmp"
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// mapWord is what the map calls something. What a scenario names has its words in the document.
func mapWord(key string, lang rules.Lang) string {
	return catalogue.Format(lang, rules.Say("map."+key))
}

// terrainLooks are colours and glyphs of terrains that a scenario doesn't colour itself: paper tones, so that counters
// stand out.
var terrainLooks = kit.Looks(`
	clear #e9e3c3 .
	broken #d9c99a :
	forest #a9c08d f
	rough #b59a78 ^
	town #e6b98a t
	city #cf7f6b C
	fortification #a8a3ad #
`)

// mapLooks are those of what the map shows beside terrains.
var mapLooks = kit.Looks(`
	sea #9cc4d9 ~
	river #3f7fb0 =
	line #c0392b -
	coastal #7fb0c9 c
	airbase #4a4a4a +
	entry #7a4b8c v
	objective #c0392b *
	mountain #6b4f35 A
	beach #e3cf6a b
`)

// legend lists the terrains of the scenario and everything else that the map shows.
func (d *drawing) legend() []*boardv1.Legend {
	var all []*boardv1.Legend
	for _, t := range d.sc.Doc.GetTerrains() {
		look := kit.Look{Color: "#d8d2bd", Glyph: "?"}
		for _, l := range slices.Concat(terrainLooks, mapLooks) {
			if l.Key == t.GetId() {
				look = l
			}
		}
		all = append(all, &boardv1.Legend{Key: t.GetId(), Name: kit.InLang(t.GetName(), d.lang),
			Color: cmp.Or(t.GetColor(), look.Color), Glyph: look.Glyph})
	}
	return append(all, kit.Legend(catalogue, d.lang, "map", mapLooks, featureShapes)...)
}
