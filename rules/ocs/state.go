package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Segment is a part of the sequence of play, by the numbers of the contract (OCS 2.2).
type Segment uint8

// Stage is how far a segment has come, by the numbers of the contract.
type Stage uint8

// The stages.
const (
	opening = Stage(ocsv1.Stage_STAGE_UNSPECIFIED)
	open    = Stage(ocsv1.Stage_STAGE_OPEN)
	closing = Stage(ocsv1.Stage_STAGE_CLOSING)
)

// numRegisters is the number of registers, 0 included.
const numRegisters = 46

// Position is the whole state of a game. Only Evolve changes it. Copies share the scenario, and the lists inside
// frames, motion and limited orders, which are replaced and never written to.
type Position struct {
	sc  *Scenario
	opt options

	units []unit
	cells []cell // hexes, then boxes
	taint []taint

	turn      uint16
	segment   Segment
	stage     Stage
	step      uint8      // automatic steps of the stage that are done
	phasing   rules.Seat // whose player turn it is; NoSeat outside of player turns
	first     rules.Seat // plays first in this turn; NoSeat before it is known
	chooser   rules.Seat // may choose player turns
	ended     rules.Seats
	together  bool // the turn is played simultaneously (OCS 2.4)
	ground    uint8
	flight    uint8
	rough     bool
	registers [numSeats][numRegisters]int32
	limited   [numSeats][]limited // standing orders for parts of the game, see compareLimited

	frames []frame
	motion []Unit // units in motion (OCS 6.1g)

	level  uint8 // 1 + the victory level, from 1; 1 if a side conceded; 0 while the game goes on
	winner rules.Seat
	points int32

	veiled bool // a viewer's knowledge, see known

	found *findings // of the list that is being made on this copy; nil in a game
}

// unit is a piece. Its counter never changes; the rest is what Evolve says.
type unit struct {
	place   Place
	origin  Place // where it was when the phase began (OCS 8.1)
	counter uint16
	next    Unit // in the same place, ascending
	seat    rules.Seat
	face    Face
	marker  Marker
	lost    uint8
	stocks  uint8
	fuel    uint8
	checked uint8 // result of its latest Supply Phase
	carried uint8 // what carried its load in this phase
	spent   Cost  // MP in this phase
	points  uint16
	load    uint16
	returns uint16
	aboard  Unit   // what carries it, NoUnit for nothing
	plan    Place  // hex of the plan of its air drop, Nowhere for none (OCS 14.10b)
	due     uint16 // turn of the plan
	marks   unitMarks
}

// cell is what changes of a hex or box. The counts are worked out of the units and kept by place.
type cell struct {
	head     Unit       // first of the land units in it
	wing     Unit       // first of the air units and ships in it
	handled  uint8      // air units that came active to its air base in this turn (OCS 21.5)
	flown    uint16     // air cargo unloaded in this segment, in eighths of a token (OCS 14.9f)
	shipped  uint16     // what its port loaded and unloaded in this phase, in eighths of a token (OCS 19.0a)
	lst      rules.Seat // who has an LST port here (OCS 18.4f)
	ground   [numSeats]uint16
	marks    hexMarks
	owner    rules.Seat
	hedgehog uint8
	base     uint8
	hits     uint8
	gauge    uint8
	bust     rules.Seat // who placed a trainbusting marker
	combat   [numSeats]uint8
	pieces   [numSeats]uint8
	zoc      [numSeats]uint8 // units of the seat that exert a ZOC into it
}

// taint is supply on the ground that was carried in this phase (OCS 12.2a).
type taint struct {
	at       Place
	seat     rules.Seat
	carriage uint8
	tokens   uint16
}

// newPosition is the position before the first event.
func newPosition(sc *Scenario, opt options) *Position {
	p := &Position{
		sc: sc, opt: opt, units: make([]unit, sc.Fixed, sc.Fixed+64), cells: make([]cell, len(sc.Hexes)+len(sc.Boxes)),
		phasing: rules.NoSeat, first: rules.NoSeat, chooser: rules.NoSeat, winner: rules.NoSeat,
	}
	for u := range p.units {
		p.units[u] = freshUnit(sc, uint16(u))
	}
	copy(p.cells, sc.tab.blank)
	return p
}

// freshUnit is a piece that has not arrived.
func freshUnit(sc *Scenario, counter uint16) unit {
	c := &sc.Counters[counter]
	u := unit{
		place: Waiting, origin: Nowhere, counter: counter, next: NoUnit, seat: c.Seat, face: CombatFace,
		marker: NoMarker,
		stocks: stocksFull, fuel: noFuel, aboard: NoUnit, plan: Nowhere,
	}
	if !c.Faces[CombatFace].Exists {
		u.face = MoveFace // OCS 5.6b
	}
	if c.Kind == OrganicUnit {
		u.points = c.Capacity
	}
	return u
}

// Clone is an independent copy: one struct and four slices.
func (p *Position) Clone() *Position {
	c := new(Position)
	*c = *p
	c.found = nil
	c.units = append(make([]unit, 0, len(p.units)+16), p.units...)
	c.cells = append([]cell(nil), p.cells...)
	c.taint = append([]taint(nil), p.taint...)
	c.frames = append([]frame(nil), p.frames...)
	return c
}

// over reports whether the game has ended.
func (p *Position) over() bool { return p.level != 0 }

// cell is the changeable part of a hex or box.
func (p *Position) cell(at Place) *cell {
	if at < boxes {
		return &p.cells[at]
	}
	return &p.cells[len(p.sc.Hexes)+int(at-boxes)]
}

// counter is the counter of a unit.
func (p *Position) counter(u Unit) *Counter { return &p.sc.Counters[p.units[u].counter] }

// shown is the face of a unit that is up (OCS 5.2): the Combat face fights better (OCS 5.5), the Move face moves
// farther (OCS 5.6).
func (p *Position) shown(u Unit) *FaceInfo {
	s := &p.units[u]
	return &p.sc.Counters[s.counter].Faces[s.face]
}

// register reads a number kept for a side.
func (p *Position) register(seat rules.Seat, r ocsv1.Register) int { return int(p.registers[seat][r]) }

// has reports whether a unit has a mark.
func (p *Position) has(u Unit, m ocsv1.UnitMark) bool { return p.units[u].marks.has(m) }
