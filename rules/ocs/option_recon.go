package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Reconnaissance (OCS 21.1): a unit that could move in the phase spends a quarter of its printed allowance and a token,
// and the owner of an adjacent hex says what is in it. Scouting is no move: it neither begins nor ends one.

// scoutSymbols are the branches of reconnaissance units.
var scoutSymbols = [...]string{"reconnaissance", "cavalry", "commando", "motorcycle", "armored_car"}

// scoutSizes are the sizes up to the regiment.
var scoutSizes = [...]string{"company", "battalion", "battle_group", "regiment"}

// scoutPrice is what scouting a hex costs in tokens.
const scoutPrice = 1

// scouts reports whether pieces of a counter are reconnaissance units.
func (c *Counter) scouts() bool {
	return c.Kind.Combat() && slices.Contains(scoutSizes[:], c.Size) &&
		slices.ContainsFunc(c.Symbols, func(s string) bool { return slices.Contains(scoutSymbols[:], s) })
}

// scoutCost is the MP that scouting costs a unit: a quarter of what is printed on the face that is up, whatever
// its mode leaves of it.
func (p *Position) scoutCost(u Unit) Cost { return p.shown(u).Movement / 4 }

// checkScout says why a unit may not scout a hex.
func (p *Position) checkScout(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkScout(c)
}

func (s *survey) checkScout(c *Command) *rules.Refusal {
	p, u := s.p, c.Unit
	if r := offered(p.opt.reconnaissance, "OCS 21.1", optReconnaissance); r != nil {
		return r
	}
	if r := p.checkOwn(s.seat, u); r != nil {
		return r
	}
	if !p.counter(u).scouts() {
		return rules.Refuse("OCS 21.1", "refuse.no-scout", "unit", p.unitName(u)).About(p.id(u))
	}
	if _, adjacent := p.dirOf(p.units[u].place, c.At); !adjacent {
		return rules.Refuse("OCS 21.1", "refuse.not-adjacent", "from", p.sc.PlaceID(p.units[u].place),
			"to", p.sc.PlaceID(c.At)).About(p.id(u))
	}
	if r := p.mayMove(u); r != nil {
		return r
	}
	if cost, left := p.scoutCost(u), p.allowance(u)-p.units[u].spent; cost > left {
		return rules.Refuse("OCS 21.1", "refuse.scout-mp", "unit", p.unitName(u), "need", formatCost(cost),
			"left", formatCost(left)).About(p.id(u))
	}
	return s.checkPayment(c.Lines, []Unit{u}, scoutPrice, "OCS 21.1")
}

// playScout pays and tells what is in the hex: steps, and kinds of unit, not which ones.
func (p *Position) playScout(x *exec, seat rules.Seat, cmd *Command) {
	u := cmd.Unit
	fact := &ocsv1.Scouted{Seat: seatIDs[seat], At: p.sc.PlaceID(cmd.At)}
	for v := range p.of(enemy(seat), cmd.At) {
		if !p.isCombat(v) {
			continue
		}
		k := p.counter(v)
		fact.Steps += uint32(p.stepsLeft(v))
		fact.Armor = fact.Armor || k.Class == Armor
		fact.Mechanized = fact.Mechanized || k.Class == Mech
		fact.AntiTank = fact.AntiTank || k.antiTankOf() != noAntiTank // OCS 9.4e: of units; a hedgehog does not count
	}
	c := p.changed()
	p.fuelUp(c, u) // OCS 12.5a: it spends MP
	c.spend(u, p.units[u].spent+p.scoutCost(u))
	p.survey(seat).pay(c, cmd.Lines, []Unit{u})
	x.Reveal()
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Scouted{Scouted: fact}})
}

// listScout lists for each unit every adjacent hex, with one payment.
func listScout(l *lister) {
	p := l.p
	if !p.opt.reconnaissance {
		return
	}
	s := p.survey(l.seat)
	for u := range p.all(l.seat) {
		if l.done || !l.acts(u) || !p.counter(u).scouts() || p.units[u].place.Hex() == NoHex {
			continue
		}
		lines := s.afford([]Unit{u}, scoutPrice)
		if lines == nil {
			continue
		}
		for _, h := range p.around(p.units[u].place.Hex()) {
			c := only(KindScout)
			c.Unit, c.At, c.Lines = u, Place(h), lines
			if l.aims(Place(h)) || l.space != Nowhere && c.touches(l.space) {
				if s.checkScout(&c) == nil {
					l.give(c)
				}
			}
		}
	}
}
