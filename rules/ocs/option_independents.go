package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Independents (OCS 21.3): dear to attack with when they are alone, led by divisions when they are not, and fuelled by
// RE and not by HQ.

// independentsPrice is the factor of combat supply for an attack of independent units only (OCS 21.3).
const independentsPrice = 2

// alone reports whether an attack is, as far as it has combat supply, one of independent units only, if some units get
// it now (OCS 21.3). What is not supplied takes no part, so a division counts from the moment on at which it is paid
// for, or together with the units that it is paid for with.
func (p *Position) alone(f *combat, units []Unit) bool {
	if !p.opt.independents {
		return false
	}
	for _, u := range p.fighters(f, f.seat) {
		if !p.independent(u) && (p.has(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED) || slices.Contains(units, u)) {
			return false
		}
	}
	return true
}

// mixedLead says why a unit may not lead an attack: it is independent and divisional units take part (OCS 21.3-i).
func (p *Position) mixedLead(f *combat, u Unit) *rules.Refusal {
	if !p.opt.independents || !p.independent(u) {
		return nil
	}
	for _, v := range p.fighters(f, f.seat) {
		if !p.independent(v) {
			return rules.Refuse("OCS 21.3-i", "refuse.division-leads", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return nil
}

// groupPrice is what fuel of independent units costs in tokens: 1 for each RE of all together, rounded up; an HQ counts
// 1 RE (OCS 21.3-ii).
func (p *Position) groupPrice(units []Unit) int {
	sum := 0
	for _, u := range units {
		if p.counter(u).HQ {
			sum += oneRE
		} else {
			sum += p.re(u)
		}
	}
	return (sum + oneRE - 1) / oneRE
}

// mayShareFuel says why a unit may not be fuelled in this way (OCS 21.3-ii).
func (p *Position) mayShareFuel(u Unit) *rules.Refusal {
	switch {
	case !p.independent(u) && !p.counter(u).HQ:
		return rules.Refuse("OCS 21.3-ii", "refuse.not-independent", "unit", p.unitName(u)).About(p.id(u))
	case !p.mayBurn(u):
		return rules.Refuse("OCS 12.5a", "refuse.burns-nothing", "unit", p.unitName(u)).About(p.id(u))
	case p.units[u].fuel == lastingFuel:
		return rules.Refuse("OCS 21.3-ii", "refuse.is-fuelled", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// checkFuelIndependents says why independent units may not be fuelled together (OCS 21.3-ii): the supply comes out of
// one dump, or through one HQ, to all.
func (p *Position) checkFuelIndependents(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkFuelIndependents(c)
}

func (s *survey) checkFuelIndependents(c *Command) *rules.Refusal {
	p := s.p
	if r := offered(p.opt.independents, "OCS 21.3-ii", optIndependents); r != nil {
		return r
	}
	if len(c.Units) == 0 {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	for i, u := range c.Units {
		if r := p.checkOwn(s.seat, u); r != nil {
			return r
		}
		if slices.Contains(c.Units[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
		if r := p.mayShareFuel(u); r != nil {
			return r
		}
	}
	for _, l := range c.Lines {
		if first := c.Lines[0]; l.By != first.By || l.By == NoUnit && s.sourceOf(l) != s.sourceOf(first) {
			return rules.Refuse("OCS 21.3-ii", "refuse.not-shared")
		}
	}
	return s.checkPayment(c.Lines, c.Units, p.groupPrice(c.Units), "OCS 21.3-ii")
}

// playFuelIndependents fuels them until the Clean-Up Phase.
func (p *Position) playFuelIndependents(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	for _, u := range cmd.Units {
		c.unit(u).Fuel = ocsv1.Fuel_FUEL_LASTING
	}
	p.survey(seat).pay(c, cmd.Lines, cmd.Units)
	tell(x,
		&event{Changes: c.list, Fact: &ocsv1.Event_IndependentsFuelled{IndependentsFuelled: &ocsv1.IndependentsFuelled{
			Seat: seatIDs[seat], Units: p.ids(cmd.Units), Tokens: uint32(paid(cmd.Lines)),
		}}})
}

// listFuelIndependents lists each unit alone, and for every dump and every HQ that throws all units that can be fuelled
// from it together.
func listFuelIndependents(l *lister) {
	p := l.p
	if !p.opt.independents {
		return
	}
	s := p.survey(l.seat)
	var dry []Unit
	var sources []Line
	for u := range p.all(l.seat) {
		if !p.isCombat(u) || p.mayShareFuel(u) != nil {
			continue
		}
		dry = append(dry, u)
		l.fuelGroup(s, []Unit{u}, s.options([]Unit{u}, false))
		for _, o := range s.options([]Unit{u}, false) {
			if !sharedBefore(sources, o) {
				sources = append(sources, o)
			}
		}
	}
	for _, o := range sources {
		var group []Unit
		for _, u := range dry {
			if s.fetches(o.At, o.By, []Unit{u}) {
				group = append(group, u)
			}
		}
		if len(group) > 1 {
			var same []Line
			for _, b := range s.options(group, false) {
				if sameSupply(b, o) {
					same = append(same, b)
				}
			}
			l.fuelGroup(s, group, same)
		}
	}
}

// fuelGroup gives the fuelling of units with the first of some options that pays for it.
func (l *lister) fuelGroup(s *survey, units []Unit, options []Line) {
	c := only(KindFuelIndependents)
	c.Units = units
	for i, o := range options {
		if sharedBefore(options[:i], o) {
			continue
		}
		var same []Line
		for _, b := range options {
			if sameSupply(b, o) {
				same = append(same, b)
			}
		}
		if c.Lines = gather(same, l.p.groupPrice(units)); c.Lines != nil && s.checkFuelIndependents(&c) == nil {
			l.give(c)
			return
		}
	}
}
