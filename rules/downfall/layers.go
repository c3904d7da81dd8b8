package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// layerColors are suggested colours of layers: where supply is traced, what is threatened, and ZOC of each side.
const (
	traceColor  = "#2e7d32"
	threatColor = "#b3261e"
	zocColor    = "#5b4a8a"
)

// layers are the hexes that each beachhead supplies (DF 9.3-a), those in the ZOC of a side (DF 11.1), and those that
// its units could attack after a move (DF 13.1-c). Units on the map hide nothing, so everyone is told the same.
func (p *Position) layers(v rules.Viewer, lang rules.Lang) []*boardv1.Layer {
	d := picture{p, v, lang}
	var all []*boardv1.Layer
	for f := range p.beachhead {
		reached := p.suppliedBy(scenario.Formation(f))
		if reached == nil {
			continue
		}
		b := &p.sc.Beachheads[f]
		all = append(all, d.layer("supply-"+b.ID, d.say("layer.supply", "beachhead", kit.InLang(b.Name, lang)),
			traceColor, reached))
	}
	for seat := range seatIDs {
		seat := rules.Seat(seat)
		all = append(all,
			d.layer("zoc-"+seatIDs[seat], d.say("layer.zoc", "seat", seatText(seat)), zocColor, p.sides[seat].zone),
			d.layer("threat-"+seatIDs[seat], d.say("layer.threat", "seat", seatText(seat)), threatColor,
				p.threatened(seat)))
	}
	return all
}

// suppliedBy are the hexes that a beachhead supplies; nil if it is cut off (DF 9.3-b) or not on the map.
func (p *Position) suppliedBy(f scenario.Formation) hex.Set {
	open := make(hex.Set, p.tab.words)
	p.openHexes(open)
	source := p.beachhead[f].Hex()
	if source == NoHex || !open.Has(source) {
		return nil
	}
	reached := make(hex.Set, p.tab.words)
	reached.Add(source)
	p.spread(open, reached)
	return reached
}

func (d *picture) layer(key, name, color string, set hex.Set) *boardv1.Layer {
	l := &boardv1.Layer{Key: key, Name: name, Color: color}
	for i := range d.at {
		if h := Hex(i); set.Has(h) {
			l.Spaces = append(l.Spaces, d.sc.HexID(h))
		}
	}
	return l
}

// threatened are the hexes that the units of a side could attack from where they stand or could move to.
func (p *Position) threatened(seat rules.Seat) hex.Set {
	move, set := make(hex.Set, p.tab.words), make(hex.Set, p.tab.words)
	for u := range p.attackers(seat).Each {
		p.strikes(seat, u, move, set)
	}
	return set
}

// attackers are the units of a side on the map that could attack by themselves. Corps artillery attacks only with
// others (DF 13.6-c), 6/ASCO never (DF 8.8-d).
func (p *Position) attackers(seat rules.Seat) UnitSet {
	able := p.onMap & p.tab.side(seat)
	if seat == US {
		able &= p.tab.line
	}
	return able
}

// strikes adds where a unit could move with its present MF (DF 12.2, DF 12.4), and what it could attack from there or
// from where it stands, but not across a sea hexside (DF 13.1-c). The cost in CP is ignored. A move can't end where too
// many units stand already (DF 10.1), of which corps artillery counts only its own kind (DF 10.4).
func (p *Position) strikes(seat rules.Seat, u Unit, move, attack hex.Set) {
	var room floodRoom
	f := newFlood(p, &room, seat)
	at := p.place[u].Hex()
	f.around(at, attack)
	m := p.mover(u, p.mixed(at))
	if m.mf <= 0 {
		return
	}
	f.from(&m, at)
	full := p.sides[seat].full[0]
	if p.tab.art.Has(u) {
		full = p.sides[seat].full[1]
	}
	for i := range p.at {
		if h := Hex(i); h != at && f.found.Has(h) && !full.Has(h) {
			move.Add(h)
			f.around(h, attack)
		}
	}
}
