package ocs

import (
	"cmp"
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Standing orders for a part of the game: a hex, some units, one combat. They are lists of their seat, which nobody
// else sees. Those for the whole game are registers, which hold where no narrower order does.

// limited is a standing order for a part of the game. Its units are sorted, and never written to.
type limited struct {
	order, value int
	at           Place  // Nowhere for all hexes
	units        []Unit // none for all
	once         bool
}

// maxLimited bounds the limited orders of a seat, and maxLimitedUnits the units of one.
const (
	maxLimited      = 64
	maxLimitedUnits = 64
)

// limits say how an order may be limited, and what it must name.
type limits struct {
	hex, units, once bool
	need             string
}

// What orders must name, for messages.
const (
	needHex   = "a hex"
	needUnits = "units"
)

var (
	ofCombat = limits{hex: true, units: true, once: true}
	ofFlight = limits{hex: true, once: true}  // an order names land units only
	ofStands = limits{hex: true, units: true} // for what stands somewhere: there is no combat
	ofUnits  = limits{hex: true, units: true, once: true, need: needUnits}
	ofStore  = limits{hex: true, need: needHex}
	ofRefuge = limits{hex: true, units: true, need: needHex}
	ofPlanes = limits{hex: true, units: true, need: needUnits}
)

// limitedOf is the order that a command gives or takes back.
func (c *Command) limitedOf() limited {
	units := slices.Clone(c.Units)
	slices.Sort(units)
	return limited{order: c.Choice, value: c.N, at: c.At, units: units, once: c.Once}
}

// whole reports whether an order is for the whole game.
func (o *limited) whole() bool { return o.at == Nowhere && len(o.units) == 0 && !o.once }

// ofMission reports whether an order is about missions, not combats.
func (o *limited) ofMission() bool { return o.order == orderIntercept || o.order == orderAirCombat }

// rank is how narrow an order is: for one combat, then for a hex, then for units.
func (o *limited) rank() (n int) {
	if o.once {
		n += 4
	}
	if o.at != Nowhere {
		n += 2
	}
	if len(o.units) > 0 {
		n++
	}
	return n
}

// compareLimited sorts the orders about a question from the narrowest, and finds one for the same part of the game. Of
// two for units the one for fewer is narrower.
func compareLimited(a, b limited) int {
	return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(b.rank(), a.rank()),
		cmp.Compare(len(a.units), len(b.units)), slices.Compare(a.units, b.units), cmp.Compare(a.at, b.at))
}

// checkLimited says why an order can't be limited so.
func (p *Position) checkLimited(seat rules.Seat, o limited) *rules.Refusal {
	info := &orders[o.order]
	switch {
	case o.at != Nowhere && !o.at.onMap():
		return rules.Malformed("a standing order can be for a hex, and %s is not a hex", p.sc.PlaceID(o.at))
	case o.at != Nowhere && !info.limits.hex:
		return rules.Malformed("the order %s is for the whole game, not for a hex", info.id)
	case len(o.units) > 0 && !info.limits.units:
		return rules.Malformed("the order %s can't be limited to units", info.id)
	case len(o.units) > maxLimitedUnits:
		return rules.Malformed("an order for %d units, expected at most %d", len(o.units), maxLimitedUnits)
	case o.once && !info.limits.once:
		return rules.Malformed("the order %s can't be limited to one combat", info.id)
	}
	for i, u := range o.units {
		if p.units[u].seat != seat {
			return rules.Malformed("%s is not yours", p.id(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		}
		if o.order == orderGrounded && p.counter(u).Kind != AirUnit {
			return rules.Malformed("%s is not an air unit", p.id(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		}
		if i > 0 && o.units[i-1] == u {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
	}
	return nil
}

// checkList says why an order can't be added to those of a seat, or taken out of them.
func (p *Position) checkList(seat rules.Seat, o limited, drop bool) *rules.Refusal {
	at, found := slices.BinarySearchFunc(p.limited[seat], o, compareLimited)
	switch {
	case drop && !found:
		return rules.Malformed("there is no such order %s to take back", orders[o.order].id)
	case !drop && !found && len(p.limited[seat]) >= maxLimited:
		return rules.Malformed("a seat has at most %d standing orders that are limited", maxLimited)
	case !drop && found && p.limited[seat][at].value == o.value:
		return rules.Malformed("the order %s is given already", orders[o.order].id)
	}
	return nil
}

// limitedAfter are the limited orders of a seat when one is given or taken back. The list of the position stays as it
// is.
func (p *Position) limitedAfter(seat rules.Seat, o limited, drop bool) []limited {
	list := slices.Clone(p.limited[seat])
	at, found := slices.BinarySearchFunc(list, o, compareLimited)
	switch {
	case drop:
		return slices.Delete(list, at, at+1)
	case found:
		list[at] = o
		return list
	}
	return slices.Insert(list, at, o)
}

// subject is what a question is about: a hex, the own units that take part, and whether it is in a combat or mission.
type subject struct {
	at    Place
	units []Unit
	once  bool
}

// subjectOf is what a seat is asked about now.
func (p *Position) subjectOf(seat rules.Seat) subject {
	for i := len(p.frames) - 1; i >= 0; i-- {
		switch f := p.frames[i].(type) {
		case *combat:
			return subjectIn(f, seat)
		case *mission:
			return subject{at: f.at, once: true}
		case *beachAssault:
			return p.subjectOn(f, seat)
		case *barrage:
			return subject{at: f.at, units: p.combatUnits(seat, f.at)}
		case *attrition:
			list, _ := p.unsupplied(seat, f.at)
			return subject{at: f.at, units: list}
		}
	}
	return subject{at: Nowhere}
}

// subjectIn is what a seat is asked about in a combat: its units are those that it began with.
func subjectIn(f *combat, seat rules.Seat) subject {
	s := subject{at: f.at, units: f.attackers, once: true}
	if seat != f.seat {
		s.units = f.defenders
	}
	return s
}

// subjectOn is what a seat is asked about on a beach: its units are those that defend it, before it chooses.
func (p *Position) subjectOn(f *beachAssault, seat rules.Seat) subject {
	if seat == f.seat {
		return subject{at: Nowhere}
	}
	return subject{at: f.at, units: p.combatUnits(seat, f.at), once: true}
}

// fits reports whether an order is for a subject: it is for one combat only in one, for a hex in that, and for units
// where one of them takes part.
func (o *limited) fits(s subject) bool {
	return (!o.once || s.once) && (o.at == Nowhere || o.at == s.at) &&
		(len(o.units) == 0 || slices.ContainsFunc(o.units, func(u Unit) bool { return slices.Contains(s.units, u) }))
}

// orderedIn is the value of a seat's standing order in a subject: of the narrowest that fits; 0 asks.
func (p *Position) orderedIn(seat rules.Seat, order int, s subject) int {
	for i := range p.limited[seat] { // from the narrowest
		if o := &p.limited[seat][i]; o.order == order && o.fits(s) {
			return o.value
		}
	}
	return p.register(seat, orderRegister(order))
}

// spent takes away what was ordered for one combat or mission when that ends, and for one beach when its defender has
// chosen. Nobody is told, since the other side
// must not learn that there was an order.
func (f *folder) spent(ended frame) {
	for seat := range numSeats {
		var s subject
		var of func(o *limited) bool
		switch k := ended.(type) {
		case *combat:
			s, of = subjectIn(k, seat), func(o *limited) bool { return !o.ofMission() && o.order != orderBeach }
		case *mission:
			s, of = subject{at: k.at, once: true}, func(o *limited) bool { return o.ofMission() }
		case *beachAssault:
			s, of = f.p.subjectOn(k, seat), func(o *limited) bool { return o.order == orderBeach }
		default:
			return
		}
		ends := func(o limited) bool { return o.once && of(&o) && o.fits(s) }
		if slices.ContainsFunc(f.p.limited[seat], ends) {
			f.p.limited[seat] = slices.DeleteFunc(slices.Clone(f.p.limited[seat]), ends)
		}
	}
}

// holdsBack reports whether the orders on reactions leave a seat nothing to do but to end the segment. Fuel for what
// stays where it is is nothing.
func (p *Position) holdsBack(seat rules.Seat) bool {
	all := p.ordered(seat, orderReact) > 0
	if !slices.ContainsFunc(p.limited[seat], func(o limited) bool { return o.order == orderReact }) {
		return all
	}
	held := true
	p.Legal(seat, rules.Filter{}, func(c Command) bool {
		switch c.Kind {
		case KindEnd, KindFuel, KindFuelHQ, KindFuelFormation, KindFuelIndependents:
		default:
			held = kinds[c.Kind].Offer || p.heldBack(seat, &c, all)
		}
		return held
	})
	return held
}

// heldBack reports whether all units that would act are ordered to stay. What was released by hand goes on.
func (p *Position) heldBack(seat rules.Seat, c *Command, all bool) bool {
	units := c.Units
	if c.Unit != NoUnit {
		units = append(slices.Clone(units), c.Unit)
	}
	for _, u := range units {
		s := subject{at: p.units[u].place, units: []Unit{u}}
		if p.has(u, ocsv1.UnitMark_UNIT_MARK_RELEASED) || p.orderedIn(seat, orderReact, s) == 0 {
			return false
		}
	}
	return all || len(units) > 0
}
