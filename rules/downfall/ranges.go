package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// moveColor is the suggested colour of where units get.
const moveColor = "#1f5fa8"

// ranges are where units could move with their present MF (DF 12.2, DF 12.4) and what they could attack from there
// (DF 13.1-c); what beachheads supply (DF 9.3-a); and where the units are that could attack a hex. Units on the map
// hide nothing, so everyone is told the same.
func (p *Position) ranges(v rules.Viewer, of rules.Ranged, lang rules.Lang) []*boardv1.Layer {
	r := &ranger{d: picture{p, v, lang}}
	for _, id := range of.Pieces {
		if u, ok := p.sc.UnitByID(id); ok && p.place[u].Hex() != NoHex {
			r.unit(u)
		} else if f, ok := p.sc.BeachheadByID(id); ok {
			if reached := p.suppliedBy(f); reached != nil {
				r.add("supply", traceColor, rules.Say("range.supply"), reached)
			}
		}
	}
	if at, ok := p.sc.HexByID(of.Space); ok {
		r.threats(at)
	}
	return r.finish()
}

// ranger collects ranges by key. The range of several units is what any of them reaches.
type ranger struct {
	d      picture
	layers []*boardv1.Layer
	sets   []hex.Set
}

// add adds hexes to a range. The first call for a key adds a layer of that name.
func (r *ranger) add(key, color string, name rules.Text, set hex.Set) {
	for i, l := range r.layers {
		if l.GetKey() == key {
			for j := range set {
				r.sets[i][j] |= set[j]
			}
			return
		}
	}
	r.layers = append(r.layers, &boardv1.Layer{Key: key, Color: color, Name: catalogue.Format(r.d.lang, name)})
	r.sets = append(r.sets, set)
}

// finish writes the sets into the layers.
func (r *ranger) finish() []*boardv1.Layer {
	for i, l := range r.layers {
		l.Spaces = r.d.layer("", "", "", r.sets[i]).Spaces
	}
	return r.layers
}

// unit adds the ranges of a unit on the map.
func (r *ranger) unit(u Unit) {
	p := r.d.Position
	move, attack := make(hex.Set, p.tab.words), make(hex.Set, p.tab.words)
	seat := p.sc.Units[u].Owner
	p.strikes(seat, u, move, attack)
	r.add("move", moveColor, rules.Say("range.move"), move)
	if p.attackers(seat).Has(u) {
		r.add("attack", threatColor, rules.Say("range.attack"), attack)
	}
}

// threats adds where the units of each side are that could attack a hex.
func (r *ranger) threats(at Hex) {
	p := r.d.Position
	for seat := range seatIDs {
		seat := rules.Seat(seat)
		from := make(hex.Set, p.tab.words)
		move, attack := make(hex.Set, p.tab.words), make(hex.Set, p.tab.words)
		for u := range p.attackers(seat).Each {
			clear(attack)
			if p.strikes(seat, u, move, attack); attack.Has(at) {
				from.Add(p.place[u].Hex())
			}
		}
		r.add("attackers-"+seatIDs[seat], threatColor,
			rules.Say("range.attackers", "seat", seatText(seat), "hex", p.sc.HexID(at)), from)
	}
}
