package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// feedPrice is what general supply of units costs: 1 token for 2 REs, rounded up (OCS 12.6c).
func (p *Position) feedPrice(units []Unit) int {
	sum := 0
	for _, u := range units {
		sum += p.re(u)
	}
	return (sum + 2*oneRE - 1) / (2 * oneRE)
}

// checkFeed says why units may not live off SP (OCS 12.6c).
func (p *Position) checkFeed(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkFeed(c)
}

func (s *survey) checkFeed(c *Command) *rules.Refusal {
	p := s.p
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
		if r := s.mayEat(u); r != nil {
			return r
		}
	}
	return s.checkPayment(c.Lines, c.Units, p.feedPrice(c.Units), "OCS 12.6c")
}

// mayEat says why one unit may not: supply points replace a trace only where there is none, and only for combat units
// (OCS 12.0).
func (s *survey) mayEat(u Unit) *rules.Refusal {
	p := s.p
	switch f := p.counter(u).Formation; {
	case !p.isCombat(u):
		return rules.Refuse("OCS 12.9a", "refuse.eats-nothing", "unit", p.unitName(u)).About(p.id(u))
	case p.units[u].marker == Strat:
		return rules.Refuse("OCS 12.6e", "refuse.strat-eats", "unit", p.unitName(u)).About(p.id(u))
	case slices.Contains(inner[*feeding](p).fed, u):
		return rules.Refuse("OCS 12.6c", "refuse.is-fed", "unit", p.unitName(u)).About(p.id(u))
	case f >= 0 && s.undecided(f):
		return rules.Refuse("OCS 12.6f", "refuse.choose-provider", "formation", p.sc.Formations[f].Name).About(p.id(u))
	case s.inSupply(u):
		return rules.Refuse("OCS 12.6c", "refuse.traces", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// playFeed feeds units.
func (p *Position) playFeed(x *exec, seat rules.Seat, cmd *Command) {
	next := *inner[*feeding](p)
	next.fed = append(slices.Clone(next.fed), cmd.Units...)
	c := p.changed()
	c.frame(&next)
	p.survey(seat).pay(c, cmd.Lines, cmd.Units)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsFed{UnitsFed: &ocsv1.UnitsFed{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), Tokens: uint32(paid(cmd.Lines)),
	}}})
}

// listFeed lists each unit alone, and all units of a hex that may eat together.
func listFeed(l *lister) {
	p, s := l.p, l.p.survey(l.seat)
	var stack []Unit
	at := Nowhere
	flush := func() {
		if len(stack) > 1 {
			l.feed(s, stack)
		}
		stack = nil
	}
	for i := range p.cells {
		at = p.placeOf(i)
		if !p.combatIn(l.seat, at) {
			continue
		}
		for u := range p.of(l.seat, at) {
			if s.mayEat(u) == nil {
				stack = append(stack, u)
				l.feed(s, []Unit{u})
			}
		}
		flush()
	}
}

func (l *lister) feed(s *survey, units []Unit) {
	c := only(KindFeed)
	c.Units = units
	if c.Lines = s.afford(units, s.p.feedPrice(units)); c.Lines != nil && s.checkFeed(&c) == nil {
		l.give(c)
	}
}
