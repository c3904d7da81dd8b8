package ocs

import (
	"iter"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Air units and ships are units of the position like any other, but in lists of their own, so that the rules of the
// land war never meet them (OCS 3.4, OCS 3.5). An air unit stands at an air base; it is in its mission hex while it
// flies a mission, and aboard a carrier while that is its base.

// airType is a set of types of air unit (OCS 14.1): a combination type has several (OCS 14.1-5).
type airType uint8

// The types, by the numbers of the contract.
const (
	fighter   airType = 1 << ocsv1.AirType_AIR_TYPE_FIGHTER
	tactical  airType = 1 << ocsv1.AirType_AIR_TYPE_TACTICAL
	strategic airType = 1 << ocsv1.AirType_AIR_TYPE_STRATEGIC
	hauler    airType = 1 << ocsv1.AirType_AIR_TYPE_TRANSPORT
	glider    airType = 1 << ocsv1.AirType_AIR_TYPE_GLIDER // a glider point (OCS 14.10e)
)

// PlaneInfo is what an air unit has of its own.
type PlaneInfo struct {
	// Types of it.
	Types airType
	// Aircraft that it flies.
	Aircraft rules.Words
	// Sides: full strength, then reduced (OCS 14.1b).
	Sides [2]AirSide
	// Carrier is the id of the carrier whose group it is part of, empty for none (OCS 18.2a).
	Carrier string
	// GliderTow is true if a glider is printed on it (OCS 14.10f).
	GliderTow bool
}

// AirSide is the numbers of one side of an air unit.
type AirSide struct {
	// Rating in air combat; Bracketed ones never attack (OCS 14.3a).
	Rating    int
	Bracketed bool
	// Barrage strength; ShipsOnly if it is in brackets (OCS 18.3e).
	Barrage   int
	ShipsOnly bool
	// Range in hexes.
	Range int
	// Capacity in eighths of a token.
	Capacity int
}

// ShipInfo is what a ship has of its own.
type ShipInfo struct {
	// Kind in the words of the document.
	Kind string
	// Single and Slow ships (OCS 18.1f).
	Single, Slow bool
	// Lift is the troops that it may carry, in tokens.
	Lift uint16
	// Sides: undamaged, then damaged.
	Sides [2]ShipSide
	// Planes is how many air units a carrier has room for (OCS 18.2a).
	Planes int
}

// ShipSide is the numbers of one side of a ship.
type ShipSide struct {
	// Barrage strength, and Range of the guns in hexes.
	Barrage, Range int
	// Flak and Defence.
	Flak, Defence int
	// Movement allowance.
	Movement Cost
}

// maxMission is the most air units that fly a mission together (OCS 14.2a).
const maxMission = 4

// plane is the side of an air unit that is up; it must be an air unit.
func (p *Position) plane(u Unit) *AirSide {
	return &p.counter(u).Plane.Sides[min(p.units[u].lost, 1)]
}

// ship is the side of a ship that is up; it must be a ship.
func (p *Position) ship(u Unit) *ShipSide { return &p.counter(u).Ship.Sides[min(p.units[u].lost, 1)] }

// isPlane reports whether a unit is an air unit.
func (p *Position) isPlane(u Unit) bool { return p.counter(u).Kind == AirUnit }

// is reports whether an air unit has one of several types (OCS 14.1-5).
func (p *Position) is(u Unit, types airType) bool { return p.counter(u).Plane.Types&types != 0 }

// active reports whether an air unit is active (OCS 14.1a).
func (p *Position) active(u Unit) bool { return !p.has(u, ocsv1.UnitMark_UNIT_MARK_INACTIVE) }

// wing walks the pieces of a kind that a seat has in a hex or box, in ascending order: air units, or ships. They may
// not be moved meanwhile.
func (p *Position) wing(kind CounterKind, seat rules.Seat, place Place) iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		if !place.onMap() {
			return
		}
		for u := p.cell(place).wing; u != NoUnit; u = p.units[u].next {
			if p.counter(u).Kind == kind && p.units[u].seat == seat && !yield(u) {
				return
			}
		}
	}
}

// planes walks the air units that a seat has in a hex or box; those aboard a carrier are not among them.
func (p *Position) planes(seat rules.Seat, place Place) iter.Seq[Unit] {
	return p.wing(AirUnit, seat, place)
}

// aloft walks the air units of a seat that are in a hex or box or aboard a carrier, in ascending order.
func (p *Position) aloft(seat rules.Seat) iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		for _, u := range p.sc.tab.planes[seat] {
			if p.spot(u).onMap() && !yield(u) {
				return
			}
		}
	}
}

// spot is where a piece is: its place, or that of what carries it.
func (p *Position) spot(u Unit) Place {
	for range 4 { // cargo on an air unit on a carrier is the longest chain
		s := &p.units[u]
		if s.place != Aboard || s.aboard == NoUnit {
			return s.place
		}
		u = s.aboard
	}
	return Nowhere
}

// carrierOf is the carrier that an air unit is aboard, NoUnit if it is aboard none.
func (p *Position) carrierOf(u Unit) Unit {
	if s := &p.units[u]; s.place == Aboard {
		return s.aboard
	}
	return NoUnit
}

// activeIn are the active air units of a seat in a hex or box, in ascending order, without gliders, which neither fight
// nor count for stacking (OCS 14.10e). With carriers those aboard are among them.
func (p *Position) activeIn(seat rules.Seat, at Place, carriers bool) (list []Unit) {
	for _, u := range p.sc.tab.planes[seat] {
		if s := &p.units[u]; p.active(u) && !p.is(u, glider) &&
			(s.place == at || carriers && s.place == Aboard && p.spot(u) == at) {
			list = append(list, u)
		}
	}
	return list
}

// topPlane is the air unit of a seat that its enemy sees in a hex or box: an active fighter, or without one another
// active air unit, a glider last; inactive ones lie below the land units (OCS 4.8b-E, OCS 4.9a).
func (p *Position) topPlane(seat rules.Seat, at Place) Unit {
	best := NoUnit
	for u := range p.planes(seat, at) {
		switch {
		case !p.active(u):
		case p.is(u, fighter):
			return u
		case best == NoUnit || p.is(best, glider):
			best = u
		}
	}
	if !p.sc.Sails {
		return best
	}
	for _, u := range p.sc.tab.planes[seat] { // those of carriers (OCS 18.2d)
		switch {
		case p.carrierOf(u) == NoUnit || p.spot(u) != at || !p.active(u):
		case p.is(u, fighter):
			return u
		case best == NoUnit:
			best = u
		}
	}
	return best
}

// airDistance is the distance in the air between two hexes or boxes, in hexes; false if air units never fly between
// them. A box lies beyond a hex of the map by a number of hexes that the game gives.
func (p *Position) airDistance(a, b Place) (n int, ok bool) {
	if a == b {
		return 0, true
	}
	from, more, ok := p.airspace(a)
	to, beyond, okay := p.airspace(b)
	if !ok || !okay {
		return 0, false
	}
	return p.sc.Map.Geometry().Distance(from, to) + more + beyond, true
}

// airspace is where a place counts as lying in the air, and the hexes added.
func (p *Position) airspace(at Place) (from hex.Coord, add int, ok bool) {
	switch {
	case at.Hex() != NoHex:
		return p.sc.Map.Coord(at.Hex()), 0, true
	case at.inBox():
		b := &p.sc.Boxes[at-boxes]
		return b.AirFrom, b.AirAdd, b.Flown
	}
	return hex.Coord{}, 0, false
}
