package anniversary

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// mapWord is what the map calls something. What a scenario names has its words in the document.
func mapWord(key string, lang rules.Lang) string {
	return catalogue.Format(lang, rules.Say("map."+key))
}

// looks are colours and glyphs of what a scenario doesn't colour itself.
var looks = [...]struct{ key, color, glyph string }{
	{terrainLand, "#d8d2bd", "."},
	{terrainSea, "#9cc4d9", "~"},
	{terrainNeutral, "#b9b4a5", "#"},
	{featureCapital, "#c0392b", "*"},
	{featureCity, "#b8860b", "o"},
	{featureIsland, "#7fb0c9", "i"},
	{edgeCanal, "#3f7fb0", "="},
}

// legend lists what the map shows, and the powers by id with their colours.
func legend(s *Scenario, lang rules.Lang) []*boardv1.Legend {
	var all []*boardv1.Legend
	for _, l := range looks {
		all = append(all,
			&boardv1.Legend{Key: l.key, Name: mapWord(l.key, lang), Color: l.color, Glyph: l.glyph,
				Shape: featureShapes[l.key]})
	}
	for w := range NumPowers {
		p := &s.Powers[w]
		all = append(all,
			&boardv1.Legend{Key: w.ID(), Name: scenario.InLang(p.Name, lang), Color: p.Color,
				Glyph: string("GJIRUAC"[w])})
	}
	return all
}
