package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/silhouette"
)

// featureShapes are the silhouettes of what is printed on the map.
var featureShapes = map[string]string{
	"coastal": silhouette.Waves, "airbase": silhouette.Fighter, "entry": silhouette.Arrow, "objective": silhouette.Star,
	"mountain": silhouette.Mountain, "beach": silhouette.Flag,
}

// said is a kind, a mark or a number of a counter; sign is a glyph that a counter has room for, or a kind's silhouette.
// The catalogue has its words.
type said struct{ key, sign string }

var kindWords = [...]said{
	{"infantry", ""}, {"marine", ""}, {"cavalry", ""}, {"armor", ""},
	{"airborne", ""}, {"artillery", ""}, {"coastal", ""},
	{"service", ""}, {"division", ""}, {"beachhead", silhouette.Flag},
	{"naval", silhouette.Battleship}, {"air", silhouette.Bomber},
	{"air-supply", silhouette.Parachute}, {"bomb", silhouette.Bomb}, {"plan", silhouette.Letter},
}

var markWords = [...]said{
	{"reduced", "½"}, {"air", "✈"}, {"coast", "≈"},
	{"oos", "!"}, {"mixed", "±"}, {"acted", "✓"},
	{"arrived", "↓"}, {"refitted", "+"}, {"bombed", "✹"}, {"follows", "↷"},
	{"attacks", "⚔"}, {"defends", "⛨"}, {"fires", "✸"}, {"placed", "•"},
	{"plan-infantry", "P"}, {"plan-airborne", "P"}, {"committed", "→"}, {"supports", "✸"},
	{"used", "✓"},
}

var numberWords = [...]said{{"strength", ""}, {"movement", ""}}

// saying puts words into the legend: kinds, marks or numbers.
func saying(of string, all []said, lang rules.Lang) []*boardv1.Legend {
	out := make([]*boardv1.Legend, len(all))
	for i, w := range all {
		out[i] = &boardv1.Legend{Key: w.key, Name: catalogue.Format(lang, rules.Say(of+"."+w.key))}
		if of == "kind" {
			out[i].Shape = w.sign
		} else {
			out[i].Glyph = w.sign
		}
	}
	return out
}
