package ocs

import (
	"github.com/warledger/warledger/rules"
)

// stepLeftovers has the owner place what was not captured, one transport after the other. One that has nowhere to go is
// lost.
func (p *Position) stepLeftovers(x *exec, f *capture) {
	for u := range p.of(f.seat, f.at) {
		if p.isCombat(u) {
			continue
		}
		if p.anyRefuge(u) {
			next := f.stepped(capturePlace)
			next.unit = u
			p.goOn(x, next)
			return
		}
		c := p.changed()
		c.eliminate(u)
		p.displaced(x, c, f.seat, u, Dead)
		return
	}
	p.endFrame(x)
}

// refuge reports whether a transport may be placed in a hex: one that its side controls, within the distance of the
// table, without enemies; what lies between does not matter (OCS 9.14c).
func (p *Position) refuge(u Unit, h Hex) bool {
	s, c := &p.units[u], &p.cells[h]
	return p.sc.Hexes[h].Land && c.owner == s.seat && c.pieces[enemy(s.seat)] == 0 && Place(h) != s.place &&
		p.distance(s.place.Hex(), h) <= p.displacement(u)
}

func (p *Position) anyRefuge(u Unit) bool {
	for h := range p.sc.Hexes {
		if p.refuge(u, Hex(h)) {
			return true
		}
	}
	return false
}

// checkDisplace says why a transport may not be placed in a hex (OCS 9.14c), or an extender not collapse to it (OCS
// 12.7h).
func (p *Position) checkDisplace(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*capture](p)
	switch {
	case c.Unit != f.unit || c.At.Hex() == NoHex:
		return rules.Refuse("OCS 9.14c", "refuse.place-other", "unit", p.unitName(f.unit)).About(p.id(f.unit))
	case f.step == capturePlaceExtender:
		return p.survey(seat).checkHaven(c)
	case !p.refuge(c.Unit, c.At.Hex()):
		return rules.Refuse("OCS 9.14c", "refuse.no-refuge", "unit", p.unitName(c.Unit), "hex", p.sc.PlaceID(c.At),
			"n", p.displacement(c.Unit)).
			About(p.id(c.Unit)).At(p.sc.PlaceID(c.At))
	}
	return nil
}

// playDisplace places it.
func (p *Position) playDisplace(x *exec, seat rules.Seat, cmd *Command) {
	f := inner[*capture](p)
	c := p.changed()
	next := f.stepped(captureLeftovers)
	if f.step == capturePlaceExtender {
		p.collapse(c, cmd.Unit, cmd.At)
		next.step = captureExtenders
	} else {
		c.move(cmd.Unit, cmd.At)
	}
	next.unit = NoUnit
	c.frame(next)
	p.displaced(x, c, seat, cmd.Unit, cmd.At)
}

// listDisplace lists every hex for the unit that is placed.
func listDisplace(l *lister) {
	p, f := l.p, inner[*capture](l.p)
	c := only(KindDisplace)
	c.Unit = f.unit
	if f.step == capturePlaceExtender {
		for _, h := range p.survey(l.seat).havens(f.unit) {
			c.At = Place(h)
			l.give(c)
		}
		return
	}
	for h := range p.sc.Hexes {
		if c.At = Place(h); p.refuge(f.unit, Hex(h)) {
			l.give(c)
		}
	}
}
