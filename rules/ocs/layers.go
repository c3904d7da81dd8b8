package ocs

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// layerColors are suggested colours of layers: where supply is traced, where dumps reach, what is threatened.
const (
	traceColor  = "#2e7d32"
	drawColor   = "#c77700"
	threatColor = "#b3261e"
)

// layers returns the hexes where the viewer's units could trace general supply, those that its dumps supply, and those
// that visible units of other sides threaten. It uses nothing but what the viewer knows (OCS 4.9a).
func (p *Position) layers(v rules.Viewer, lang rules.Lang) []*boardv1.Layer {
	d := picture{p, v, lang}
	var all []*boardv1.Layer
	for seat := range numSeats {
		if v.Holds(seat) {
			trace, draw := p.survey(seat).supplied()
			all = append(all, d.layer("trace", seat, traceColor, trace), d.layer("draw", seat, drawColor, draw))
		}
	}
	for seat := range numSeats {
		if !v.Holds(seat) || v.Holds(enemy(seat)) {
			all = append(all, d.layer("threat", seat, threatColor, p.threatened(seat)))
		}
	}
	return all
}

func (d *picture) layer(kind string, seat rules.Seat, color string, set hexSet) *boardv1.Layer {
	l := &boardv1.Layer{Key: kind + "-" + seatIDs[seat], Color: color,
		Name: d.say("layer."+kind, "seat", "@seat."+seatIDs[seat])}
	for h := range d.sc.Hexes {
		if set.has(Hex(h)) && d.walkable(Hex(h)) {
			l.Spaces = append(l.Spaces, d.sc.PlaceID(Place(h)))
		}
	}
	return l
}

// walkable reports whether units on foot could enter a hex. Sea hexes are in no layer.
func (p *Position) walkable(h Hex) bool {
	for d, n := range p.sc.Map.Neighbors(h) {
		if n != NoHex && p.way(byRoad, Leg, n, hex.Dir(d).Opposite()) != costNever {
			return true
		}
	}
	return false
}

// supplied returns the hexes where a unit of the side could trace (OCS 12.6a), and those where it could draw from a
// dump (OCS 12.3a). Distances are in Truck MP, as for most units. A unit draws directly, or through an HQ in throw
// range that can draw (OCS 12.3b). Limits on which units an HQ serves are ignored.
func (s *survey) supplied() (trace, draw hexSet) {
	p, ends, dumps := s.p, s.network().ends, s.newSet()
	for _, m := range s.dumps() {
		if h := m.at.Hex(); h != NoHex && p.cell(m.at).pieces[enemy(s.seat)] == 0 && !p.afloat(m.on) {
			dumps.add(h)
		}
	}
	trace, draw = s.newSet(), s.newSet()
	for i := range p.sc.Hexes {
		h := Hex(i)
		if p.combatIn(enemy(s.seat), Place(h)) {
			continue
		}
		covered := s.cover(h, Truck, p.drawRange())
		if ends.has(h) || covered.meets(ends) {
			trace.add(h)
		}
		if dumps.has(h) || covered.meets(dumps) {
			draw.add(h)
		}
	}
	for _, hq := range p.sc.tab.hqs[s.seat] {
		if !p.units[hq].place.onMap() || p.units[hq].place.Hex() == NoHex || p.units[hq].marker == Strat {
			continue
		}
		own := s.drawn(hq)
		for i, word := range s.thrown(hq) {
			if own.meets(ends) {
				trace[i] |= word
			}
			if own.meets(dumps) {
				draw[i] |= word
			}
		}
	}
	return trace, draw
}

// threatened returns the hexes that known combat units of a side could attack from a hex within reach (OCS 9.1,
// OCS 6.0). They move with the MP of the side that is face up, and are assumed to have fuel.
func (p *Position) threatened(seat rules.Seat) hexSet {
	set, w, foe := make(hexSet, (len(p.sc.Hexes)+63)/64), p.walk(seat), enemy(seat)
	var flood hex.Flood
	for u := range p.all(seat) {
		from := p.units[u].place.Hex()
		if from == NoHex || !p.attackCapable(u) {
			continue
		}
		flood.Run(p.sc.Map, from, int(p.shown(u).Movement), func(a, b Hex, d hex.Dir) (int, hex.Verdict) {
			c := w.cost(u, a, d)
			if c == costNever || c == costAll && a != from || p.combatIn(foe, Place(b)) {
				return 0, hex.Blocked
			}
			return int(min(c, p.shown(u).Movement)), hex.Pass
		})
		for _, h := range flood.Reached() {
			for _, n := range p.sc.Map.Neighbors(h) {
				if n != NoHex {
					set.add(n)
				}
			}
		}
	}
	return set
}
