package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// The seats: the two sides of a scenario.
const (
	Blue rules.Seat = iota
	Red
	numSeats
)

// enemy is the other seat.
func enemy(seat rules.Seat) rules.Seat { return 1 - seat }

// Hex is a hex of the map, an index.
type Hex = hex.Index

// NoHex is no hex.
const NoHex = hex.None

// Place is where a piece is: a hex below boxes, a box from boxes on, or one of the places off the map.
type Place uint16

// Places that are no hexes.
const (
	// boxes is the first box; box n of the scenario is boxes+n.
	boxes Place = 0xE000
	// Waiting is a piece that has not arrived yet.
	Waiting Place = 0xFF00
	// Dead is the dead pile (OCS Intro-IV-K).
	Dead Place = 0xFF01
	// Gone is out of the game for good, or merged into another piece.
	Gone Place = 0xFF02
	// Returning is off the map after a breakout (OCS 12.8e-ii).
	Returning Place = 0xFF03
	// Aboard is on an air unit, carrier, ship or landing craft: the piece's aboard says which.
	Aboard Place = 0xFF04
	// Nowhere is no place.
	Nowhere Place = 0xFFFF
)

// Hex is the hex of a place, NoHex for any other place.
func (p Place) Hex() Hex {
	if p >= boxes {
		return NoHex
	}
	return Hex(p)
}

// inBox reports whether the place is a box off the map.
func (p Place) inBox() bool { return p >= boxes && p < Waiting }

// onMap reports whether the place is a hex or a box.
func (p Place) onMap() bool { return p < Waiting }

// Unit is a piece of a game: combat unit, transport unit, replacement unit, air unit or ship. The first ones are the
// unique counters of the scenario in its order; the others were made in play.
type Unit uint16

// NoUnit is no unit.
const NoUnit Unit = 0xFFFF

// maxUnits bounds the pieces of a game.
const maxUnits = 4096

// Amounts. Movement points are counted in twelfths (halves, quarters and thirds are exact, OCS 4.2), regimental
// equivalents in quarters (a company is one, OCS 4.6), supply in tokens (OCS 12.1a), transport capacity in eighths of a
// token (half a company on double track is two, OCS 13.3a).
const (
	oneMP    = 12
	oneRE    = 4
	oneSP    = 4
	oneToken = 8
)

// Cost is movement points in twelfths.
type Cost int32

// Costs that are no number.
const (
	// costAll is the whole allowance of a unit.
	costAll Cost = 0x7FFE
	// costNever is prohibited.
	costNever Cost = 0x7FFF
)

// MoveType is the type of movement points (OCS 3.1a).
type MoveType uint8

// The types. Immobile is a face that never moves.
const (
	Leg MoveType = iota
	Track
	Truck
	numMoveTypes
	Immobile = numMoveTypes
)

// Class of a unit (OCS 3.2a).
type Class uint8

// The classes.
const (
	Armor Class = iota
	Mech
	Other
	numClasses
)

// Category is a row of the CRT (OCS 9.3).
type Category uint8

// The categories.
const (
	Open Category = iota
	Close
	VeryClose
	ExtremeClose
	numCategories
	noCategory = numCategories
)

// Face is the side of a counter that is up, by the numbers of the contract.
type Face uint8

// The faces.
const (
	NoFace     = Face(ocsv1.Face_FACE_UNSPECIFIED)
	CombatFace = Face(ocsv1.Face_FACE_COMBAT)
	MoveFace   = Face(ocsv1.Face_FACE_MOVE)
)

// Marker is the mode marker on a unit, by the numbers of the contract.
type Marker uint8

// The markers.
const (
	AnyMarker    = Marker(ocsv1.Marker_MARKER_UNSPECIFIED)
	NoMarker     = Marker(ocsv1.Marker_MARKER_NONE)
	Reserve      = Marker(ocsv1.Marker_MARKER_RESERVE)
	Strat        = Marker(ocsv1.Marker_MARKER_STRAT)
	DG           = Marker(ocsv1.Marker_MARKER_DG)
	Exploitation = Marker(ocsv1.Marker_MARKER_EXPLOITATION)
)

// Mode is what a unit is in: its marker, or without one its face (OCS 5.2).
type Mode uint8

// The modes.
const (
	CombatMode Mode = iota
	MoveMode
	ReserveMode
	StratMode
	DGMode
	ExploitationMode
)

// Levels of internal stocks, by the numbers of the contract (OCS 12.10).
const (
	stocksFull      = uint8(ocsv1.Stocks_STOCKS_FULL)
	stocksLow       = uint8(ocsv1.Stocks_STOCKS_LOW)
	stocksExhausted = uint8(ocsv1.Stocks_STOCKS_EXHAUSTED)
)

// Fuel, by the numbers of the contract (OCS 12.5).
const (
	noFuel      = uint8(ocsv1.Fuel_FUEL_NONE)
	phaseFuel   = uint8(ocsv1.Fuel_FUEL_PHASE)
	lastingFuel = uint8(ocsv1.Fuel_FUEL_LASTING)
)

// airstrip is the level of an air base that is an airstrip (OCS 15.2).
const airstrip = 9

// unitMarks are marks of a unit: bit n is mark n of the contract.
type unitMarks uint64

// numUnitMarks bounds the marks of units.
const numUnitMarks = 64

// has reports whether a mark is set.
func (m unitMarks) has(mark ocsv1.UnitMark) bool { return m&(1<<mark) != 0 }

// hexMarks are marks of a hex: bit n is mark n of the contract.
type hexMarks uint16

func (m hexMarks) has(mark ocsv1.HexMark) bool { return m&(1<<mark) != 0 }
