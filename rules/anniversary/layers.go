package anniversary

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// layers are the spaces that each power could attack in combat moves of its own (AA 6.3), each unit for itself, with
// its transports. In its own combat moves that is what it could still attack, otherwise what it could if its turn began
// now. All units are open, so everyone is told the same.
func (p *Position) layers(v rules.Viewer, lang rules.Lang) []*boardv1.Layer {
	d := drawer{p, v, lang}
	var all []*boardv1.Layer
	for w := range NumPowers {
		set := p.moving(w).targets()
		l := &boardv1.Layer{Key: "threat-" + scenario.PowerIDs[w], Color: p.sc.Powers[w].Color,
			Name: d.say("layer.threat", "power", powerName(w))}
		for s := range set.Each {
			l.Spaces = append(l.Spaces, p.sc.SpaceID(s))
		}
		all = append(all, l)
	}
	return all
}

// targets are the spaces with something to fight for to which the combat moves of the acting power lead.
func (p *Position) targets() SpaceSet {
	var set SpaceSet
	l := &lister{p: p, seat: p.acting.Seat(), yield: func(c Command) bool {
		if s := c.aim(); p.against(p.acting, s) {
			set.Add(s)
		}
		return true
	}}
	l.combatMoves()
	return set
}
