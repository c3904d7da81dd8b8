package anniversary

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// mapWord is what the map calls something. What a scenario names has its words in the document.
func mapWord(key string, lang rules.Lang) string {
	return catalogue.Format(lang, rules.Say("map."+key))
}

// mapLooks are colours and glyphs of what a scenario doesn't colour itself.
var mapLooks = kit.Looks(`
	land #d8d2bd .
	sea #9cc4d9 ~
	neutral #b9b4a5 #
	capital #c0392b *
	victory-city #b8860b o
	island #7fb0c9 i
	canal #3f7fb0 =
`)

// legend lists what the map shows, and the powers by id with their colours.
func legend(s *Scenario, lang rules.Lang) []*boardv1.Legend {
	all := kit.Legend(catalogue, lang, "map", mapLooks, featureShapes)
	for w := range NumPowers {
		p := &s.Powers[w]
		all = append(all,
			&boardv1.Legend{Key: w.ID(), Name: kit.InLang(p.Name, lang), Color: p.Color,
				Glyph: string("GJIRUAC"[w])})
	}
	return all
}
