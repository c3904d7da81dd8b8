package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// mapWord is what the map calls something. What a scenario names has its words in the document.
func mapWord(key string, lang rules.Lang) string {
	return catalogue.Format(lang, rules.Say("map."+key))
}

// looks are colours and glyphs of what a scenario doesn't colour itself: paper tones for land, so
// that counters stand out.
var looks = [...]struct{ key, color, glyph string }{
	{"clear", "#e9e3c3", "."},
	{"broken", "#d9c99a", ":"},
	{"forest", "#a9c08d", "f"},
	{"rough", "#b59a78", "^"},
	{"town", "#e6b98a", "t"},
	{"city", "#cf7f6b", "C"},
	{"fortification", "#a8a3ad", "#"},
	{scenario.SeaKind, "#9cc4d9", "~"},
	{riverKind, "#3f7fb0", "="},
	{lineKind, "#c0392b", "-"},
	{"coastal", "#7fb0c9", "c"},
	{"airbase", "#4a4a4a", "+"},
	{"entry", "#7a4b8c", "v"},
	{"objective", "#c0392b", "*"},
	{"mountain", "#6b4f35", "A"},
	{"beach", "#e3cf6a", "b"},
}

func look(key string) (color, glyph string) {
	for _, l := range looks {
		if l.key == key {
			return l.color, l.glyph
		}
	}
	return "#d8d2bd", "?"
}

// mapKeys are what the map shows beside terrains.
var mapKeys = [...]string{scenario.SeaKind, riverKind, lineKind, "coastal", "airbase", "entry", "objective",
	"mountain", "beach"}

// legend lists the terrains of the scenario and everything else that the map shows.
func (d *drawing) legend() []*boardv1.Legend {
	var all []*boardv1.Legend
	for _, t := range d.sc.Doc.GetTerrains() {
		color, glyph := look(t.GetId())
		if t.GetColor() != "" {
			color = t.GetColor()
		}
		all = append(all,
			&boardv1.Legend{Key: t.GetId(), Name: scenario.InLang(t.GetName(), d.lang), Color: color, Glyph: glyph})
	}
	for _, key := range mapKeys {
		color, glyph := look(key)
		all = append(all,
			&boardv1.Legend{Key: key, Name: mapWord(key, d.lang), Color: color, Glyph: glyph,
				Shape: featureShapes[key]})
	}
	return all
}
