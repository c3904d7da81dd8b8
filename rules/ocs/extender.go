package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// halfMove is half of the allowance of a transport, the price of turning an extender (OCS 12.7d).
func (p *Position) halfMove(u Unit) Cost { return p.shown(u).Movement / 2 }

// checkExtend says why transports may not become an extender (OCS 12.7, OCS 12.7d, OCS 12.7e). It needs as many
// points of one kind as an extender takes, in a hex from which it would link. All must be empty, and none may have used
// half of its allowance or more (D93).
func (p *Position) checkExtend(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkExtend(c)
}

func (s *survey) checkExtend(c *Command) *rules.Refusal {
	p := s.p
	for _, u := range c.Units {
		if p.organic(u) {
			return rules.Refuse("OCS 13.2g-C", "refuse.organic-extends", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	if r := p.checkAlike(s.seat, c.Units, "OCS 12.7d"); r != nil {
		return r
	}
	points, first := 0, c.Units[0]
	for _, u := range c.Units {
		x := &p.units[u]
		points += int(x.points)
		switch {
		case x.load > 0:
			return rules.Refuse("OCS 12.7d", "refuse.loaded", "unit", p.unitName(u)).About(p.id(u))
		case x.spent >= p.halfMove(u):
			return rules.Refuse("OCS 12.7e", "refuse.half-used", "unit", p.unitName(u),
				"used", formatCost(x.spent), "half", formatCost(p.halfMove(u))).
				About(p.id(u))
		}
	}
	need := int(p.kindOfTransport(p.counter(first)).GetExtenderT())
	if need == 0 || points != need {
		return rules.Refuse("OCS 12.7", "refuse.extender-points", "need", need, "given", points).About(p.id(first))
	}
	h := p.units[first].place
	if h.Hex() == NoHex || !s.links(s.network(), p.units[first].counter, h.Hex()) {
		return rules.Refuse("OCS 12.7d", "refuse.no-link", "hex", p.sc.PlaceID(h)).At(p.sc.PlaceID(h))
	}
	return nil
}

// playExtend makes an extender. What is left of the allowance is lost (OCS 12.7e).
func (p *Position) playExtend(x *exec, seat rules.Seat, cmd *Command) {
	c, first := p.changed(), cmd.Units[0]
	for _, u := range cmd.Units[1:] {
		c.eliminate(u)
	}
	c.unit(first).PointsT = proto.Uint32(p.kindOfTransport(p.counter(first)).GetExtenderT())
	c.spend(first, p.shown(first).Movement)
	c.mark(first, ocsv1.UnitMark_UNIT_MARK_EXTENDER, ocsv1.UnitMark_UNIT_MARK_DONE)
	p.turned(x, c, seat, first, true)
}

func (p *Position) turned(x *exec, c *changes, seat rules.Seat, u Unit, active bool) {
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ExtenderTurned{ExtenderTurned: &ocsv1.ExtenderTurned{
		Seat: seatIDs[seat], Unit: p.id(u), Active: active,
	}}})
}

// listExtend lists the transports of a hex that make an extender: a single one, or all of a kind together.
func listExtend(l *lister) {
	p, s := l.p, l.p.survey(l.seat)
	try := func(units []Unit) {
		c := only(KindExtend)
		c.Units = units
		if s.checkExtend(&c) == nil {
			l.give(c)
		}
	}
	for u := range p.all(l.seat) {
		if p.kindOfTransport(p.counter(u)) == nil || !l.acts(u) {
			continue
		}
		try([]Unit{u})
		var all []Unit
		for v := range p.of(l.seat, p.units[u].place) {
			if p.units[v].counter == p.units[u].counter {
				all = append(all, v)
			}
		}
		if len(all) > 1 && all[0] == u {
			try(all)
		}
	}
}

// checkExtender checks that a unit is an active extender of the seat in its Movement Phase (OCS 12.7d).
func (p *Position) checkExtender(seat rules.Seat, u Unit) *rules.Refusal {
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	if !p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER) {
		return rules.Refuse("OCS 12.7d", "refuse.no-extender", "unit", p.unitName(u)).About(p.id(u))
	}
	if left := p.shown(u).Movement - p.units[u].spent; left < p.halfMove(u) {
		return rules.Refuse("OCS 12.7d", "refuse.half-move", "unit", p.unitName(u), "need", formatCost(p.halfMove(u)),
			"left", formatCost(left)).
			About(p.id(u))
	}
	return nil
}

// checkDisband says why an extender may not be turned back (OCS 12.7d).
func (p *Position) checkDisband(seat rules.Seat, c *Command) *rules.Refusal {
	return p.checkExtender(seat, c.Unit)
}

// playDisband turns an extender back: its points have used half of their allowance, and need not stay together (OCS
// 12.7f), since none has moved yet.
func (p *Position) playDisband(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	c.unit(cmd.Unit).Unset = []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_EXTENDER}
	c.spend(cmd.Unit, p.units[cmd.Unit].spent+p.halfMove(cmd.Unit))
	p.turned(x, c, seat, cmd.Unit, false)
}

func listDisband(l *lister) {
	for u := range l.p.all(l.seat) {
		if l.acts(u) && l.p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER) {
			c := only(KindDisband)
			c.Unit = u
			l.checked(c)
		}
	}
}

// checkCollapse says why an extender may not be taken away: only one that has lost its link is, as part of its movement
// (OCS 12.7d, OCS 9.14c).
func (p *Position) checkCollapse(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkExtender(seat, c.Unit); r != nil {
		return r
	}
	s := p.survey(seat)
	for _, u := range s.network().extenders {
		if u == c.Unit {
			return rules.Refuse("OCS 12.7d", "refuse.linked", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return s.checkHaven(c)
}

// checkHaven says why an extender may not collapse to a place (OCS 12.7h): a hex within its range from which trace
// supply is possible; its own if none exists.
func (s *survey) checkHaven(c *Command) *rules.Refusal {
	p := s.p
	havens := s.havens(c.Unit)
	at := p.sc.PlaceID(c.At)
	switch {
	case len(havens) == 0 && c.At == p.units[c.Unit].place:
		return nil
	case c.At.Hex() == NoHex:
		return rules.Malformed("the command names no hex")
	}
	for _, h := range havens {
		if h == c.At.Hex() {
			return nil
		}
	}
	return rules.Refuse("OCS 12.7h", "refuse.no-haven", "unit", p.unitName(c.Unit),
		"hex", at).About(p.id(c.Unit)).At(at)
}

// havens are the hexes to which an extender may collapse: enemies are ignored on the way, but none is in the hex.
func (s *survey) havens(u Unit) (list []Hex) {
	p := s.p
	c, from := p.counter(u), p.units[u].place.Hex()
	if from == NoHex {
		return nil
	}
	net := s.network()
	within := s.newSet()
	s.reach(span{from, c.Faces[MoveFace].MP, p.extenderRange(c)}, true)
	for _, h := range s.flood.Reached() {
		within.add(h)
	}
	for h := range p.sc.Hexes {
		at := Hex(h)
		if !within.has(at) || p.cells[h].pieces[enemy(s.seat)] > 0 || !p.sc.Hexes[h].Land {
			continue
		}
		if s.cover(at, Truck, p.drawRange()).meets(net.ends) || s.underHQ(at) {
			list = append(list, at)
		}
	}
	return list
}

// underHQ reports whether an HQ that traces reaches a hex.
func (s *survey) underHQ(h Hex) bool {
	for _, hq := range s.p.sc.tab.hqs[s.seat] {
		x := &s.p.units[hq]
		if x.place.Hex() != NoHex && x.marker != Strat && s.thrown(hq).has(h) && s.direct(hq) {
			return true
		}
	}
	return false
}

// playCollapse places the transports of an extender. Nothing is lost, and they move no more in the phase.
func (p *Position) playCollapse(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	p.collapse(c, cmd.Unit, cmd.At)
	p.displaced(x, c, seat, cmd.Unit, cmd.At)
}

// collapse flips an extender to its transports in a place.
func (p *Position) collapse(c *changes, u Unit, at Place) {
	m := c.unit(u)
	m.Unset = []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_EXTENDER}
	c.move(u, at)
	c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE)
}

func (p *Position) displaced(x *exec, c *changes, seat rules.Seat, u Unit, at Place) {
	id := p.id(u)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Displaced{Displaced: &ocsv1.Displaced{
		Seat: seatIDs[seat], Unit: id, At: p.sc.PlaceID(at),
	}}})
}

func listCollapse(l *lister) {
	for u := range l.p.all(l.seat) {
		if !l.acts(u) || !l.p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER) {
			continue
		}
		s := l.p.survey(l.seat)
		places := []Place{l.p.units[u].place}
		for _, h := range s.havens(u) {
			places = append(places, Place(h))
		}
		for i, at := range places {
			if i > 0 && at == places[0] {
				continue
			}
			c := only(KindCollapse)
			c.Unit, c.At = u, at
			l.checked(c)
		}
	}
}
