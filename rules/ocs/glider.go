package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Gliders (OCS 14.10e). Each glider point is a piece of its own, so that points are split and merged freely; it is an
// air unit of one step that is always active, counts for no stacking and flies no mission. A line of cargo whose unit
// is a glider says which air unit tows it; what it carries are lines by the glider. In the air it is aboard its tug,
// and its cargo is aboard the glider.

// What gliders carry, in eighths of a token: a glider (OCS 14.10e-C), and a tug that lost a step with all its gliders
// (OCS 14.10e-F).
const (
	gliderLift  = 2 * oneToken
	crippledTow = oneToken
)

// towsMost is the most gliders that an air unit tows, within half its range (OCS 14.10e-C).
const towsMost = 2

// isGlider reports whether a unit is a glider point.
func (p *Position) isGlider(u Unit) bool { return p.isPlane(u) && p.is(u, glider) }

// tugOf is the air unit of a command that tows a glider, NoUnit if none does.
func (p *Position) tugOf(c *Command, u Unit) Unit {
	for _, l := range c.Lines {
		if l.Unit == u && l.Unit != NoUnit {
			return l.By
		}
	}
	return NoUnit
}

// tows counts the gliders that an air unit tows by a command.
func (p *Position) tows(c *Command, u Unit) (n int) {
	for _, l := range c.Lines {
		if l.By == u && l.Unit != NoUnit && p.isGlider(l.Unit) {
			n++
		}
	}
	return n
}

// towed are the gliders aboard an air unit in the air, in ascending order.
func (p *Position) towed(on Unit) (list []Unit) {
	for _, u := range p.sc.tab.planes[p.units[on].seat] {
		if s := &p.units[u]; s.place == Aboard && s.aboard == on && p.is(u, glider) {
			list = append(list, u)
		}
	}
	return list
}

// bays are what cargo of an air unit is in: the unit, then its gliders.
func (p *Position) bays(on Unit) []Unit { return append([]Unit{on}, p.towed(on)...) }

// ownLift is what an air unit carries itself on a flight with so many gliders, in eighths of a token: with a glider
// everything is in it; within half its range one that tows one glider carries its printed capacity (OCS 14.10e-C).
func (p *Position) ownLift(u Unit, flight ocsv1.Flight, gliders int) int {
	switch {
	case !p.is(u, hauler) || gliders > 1 || gliders == 1 && flight != ocsv1.Flight_FLIGHT_SHORT:
		return 0
	case gliders == 1:
		return p.plane(u).Capacity
	}
	return p.lift(u, flight)
}

// checkTow says why an air unit may not tow a glider: with both steps (OCS 14.10e-C), out of the hex where the glider
// is (OCS 14.10e-B), one, or two within half its range.
func (p *Position) checkTow(seat rules.Seat, c *Command, l Line) *rules.Refusal {
	tug, id := l.By, p.id(l.By)
	switch {
	case p.units[l.Unit].seat != seat || !p.units[l.Unit].place.onMap() || p.units[l.Unit].place != p.spot(tug):
		return rules.Refuse("OCS 14.10e-B", "refuse.not-at-base", "unit", p.unitName(l.Unit),
			"hex", p.sc.PlaceID(p.spot(tug))).About(p.id(l.Unit))
	case p.units[tug].lost > 0:
		return rules.Refuse("OCS 14.10e-C", "refuse.weak-tug", "unit", p.unitName(tug)).About(id)
	case p.counter(tug).Plane.GliderTow:
		return rules.Refuse("OCS 14.10f", "refuse.tows", "unit", p.unitName(tug), "n", 1, "max", 0).About(id)
	}
	most := 1
	if l.Flight == uint8(ocsv1.Flight_FLIGHT_SHORT) {
		most = towsMost
	}
	if n := p.tows(c, tug); n > most {
		return rules.Refuse("OCS 14.10e-C", "refuse.tows", "unit", p.unitName(tug), "n", n, "max", most).About(id)
	}
	return nil
}

// checkGliderLoads says why the gliders of a command carry too much (OCS 14.10e-C).
func (p *Position) checkGliderLoads(c *Command) *rules.Refusal {
	for _, t := range c.Lines {
		if t.Unit == NoUnit || !p.isGlider(t.Unit) {
			continue
		}
		sum := 0
		for _, l := range c.Lines {
			if l.By == t.Unit {
				sum += p.weight(l)
			}
		}
		if sum > gliderLift {
			return rules.Refuse("OCS 14.10e-C", "refuse.glider-load", "unit", p.unitName(t.Unit),
				"n", formatEighths(sum), "left", formatEighths(gliderLift)).About(p.id(t.Unit))
		}
	}
	return nil
}

// useGliders puts the gliders of an air unit that has delivered its cargo into the dead pile: they are used once (OCS
// 14.10e-A, OCS 14.10e-D).
func (p *Position) useGliders(x *exec, tug Unit) {
	list := p.towed(tug)
	if len(list) == 0 {
		return
	}
	c := p.changed()
	for _, u := range list {
		c.eliminate(u)
		c.unit(u).Aboard = proto.String("")
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_GlidersUsed{GlidersUsed: &ocsv1.GlidersUsed{
		Seat: seatIDs[p.units[tug].seat], Units: p.ids(list),
	}}})
}

// landGliders brings what gliders carry to a place: by a mission that was carried out the gliders are used up with it,
// by one that was not they stay with their cargo.
func (p *Position) landGliders(x *exec, tug Unit, at Place, delivered bool) {
	for _, u := range p.towed(tug) {
		p.putOut(x, u, at, delivered)
	}
	if delivered {
		p.useGliders(x, tug)
		return
	}
	c := p.changed()
	for _, u := range p.towed(tug) {
		c.move(u, at)
		c.unit(u).Aboard = proto.String("")
	}
	tell(x, &event{Changes: c.list})
}

// crippled is a tug of a mission that lost a step and carries with its gliders more than 1 T, NoUnit if none exists
// (OCS 14.10e-F).
func (p *Position) crippled(f *mission) Unit {
	for _, u := range p.missionUnits(f) {
		if p.units[u].lost == 0 || len(p.towed(u)) == 0 {
			continue
		}
		sum := 0
		for _, on := range p.bays(u) {
			sum += p.burden(on)
		}
		if sum > crippledTow {
			return u
		}
	}
	return NoUnit
}

// towLift is what an air unit of a mission carries itself after losses: of a tug that lost a step, what its gliders
// leave of 1 T (OCS 14.10e-F).
func (p *Position) towLift(f *mission, u Unit) int {
	list := p.towed(u)
	if len(list) == 0 || p.units[u].lost == 0 {
		return p.ownLift(u, f.flight(u), len(list))
	}
	left := crippledTow
	for _, on := range list {
		left -= p.burden(on)
	}
	return max(0, left)
}

// loseGliders destroys the gliders of an air base that is captured (OCS 14.10e-B).
func (p *Position) loseGliders(x *exec, seat rules.Seat, at Place) {
	var list []Unit
	for u := range p.planes(seat, at) {
		if p.is(u, glider) {
			list = append(list, u)
		}
	}
	for _, u := range list {
		p.stepLost(x, u, 0)
	}
}

// mayDrop reports whether a unit may be dropped by anything that its side has: with parachutes of its own, or by glider
// if it may be carried by air (OCS 14.10a).
func (p *Position) mayDrop(u Unit) bool {
	c := p.counter(u)
	f := &c.Faces[MoveFace]
	return c.Parachute ||
		p.hasGliders(c.Seat) && c.Kind.Combat() && f.MP == Leg && f.Movement > 0 && f.Movement <= maxAirborne
}

// hasGliders reports whether the game has gliders for a seat (OCS 14.10e-A).
func (p *Position) hasGliders(seat rules.Seat) bool {
	return slices.ContainsFunc(p.sc.tab.planes[seat], func(u Unit) bool { return p.is(u, glider) })
}

// glidersIn reports whether a seat has gliders in a place.
func (p *Position) glidersIn(seat rules.Seat, at Place) bool {
	for u := range p.planes(seat, at) {
		if p.is(u, glider) {
			return true
		}
	}
	return false
}

// tow offers for each air unit that may tow the gliders where it is: one with a token, two or a unit, and two of them
// full of supply.
func (l *lister) tow(kind Kind, at Place, flights []ocsv1.Flight) {
	p := l.p
	if !p.hasGliders(l.seat) {
		return
	}
	for _, u := range l.flyers(func(u Unit) bool { return p.units[u].lost == 0 && p.spot(u) != at }) {
		from := p.spot(u)
		var free []Unit
		for g := range p.planes(l.seat, from) {
			if p.is(g, glider) {
				free = append(free, g)
			}
		}
		for _, flight := range flights {
			l.towBy(kind, u, at, free, flight)
		}
	}
}

// towBy offers what one air unit tows on one flight.
func (l *lister) towBy(kind Kind, u Unit, at Place, free []Unit, flight ocsv1.Flight) {
	p, from := l.p, l.p.spot(u)
	if len(free) == 0 {
		return
	}
	offer := func(lines ...Line) {
		c := only(kind)
		for _, line := range lines {
			line.At, line.Flight, line.Terrain = Nowhere, uint8(flight), -1
			c.Lines = append(c.Lines, line)
		}
		c.Units, c.At = []Unit{u}, at
		l.checked(c)
	}
	first := Line{Unit: free[0], By: u}
	for n := 1; n <= gliderLift/oneToken; n++ {
		offer(first, Line{Unit: NoUnit, By: free[0], Count: n})
	}
	for v := range p.of(l.seat, from) {
		if p.freight(v) <= gliderLift && p.checkPassenger(l.seat, v, from) == nil {
			offer(first, Line{Unit: v, By: free[0]})
		}
	}
	if len(free) > 1 && flight == ocsv1.Flight_FLIGHT_SHORT {
		most := gliderLift / oneToken
		offer(first, Line{Unit: free[1], By: u}, Line{Unit: NoUnit, By: free[0], Count: most},
			Line{Unit: NoUnit, By: free[1], Count: most})
	}
}
