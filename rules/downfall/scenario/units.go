package scenario

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// MaxUnits is the largest number of units that a scenario may have, so that a set of units is one word.
const MaxUnits = 64

// Unit is a ground unit of a scenario, 6/ASCO included: an index into Units. Beachheads do not count: a corps has one.
type Unit uint8

// NoUnit is no unit.
const NoUnit Unit = 0xFF

// Formation is the corps or army that a unit belongs to (DF 2.7).
type Formation uint8

// The formations. The four corps come first, so that they index Beachheads.
const (
	CorpsI Formation = iota
	CorpsV
	CorpsIX
	CorpsXI
	Reserve    // US reserve divisions, of any corps (DF 10.6)
	NoCorps    // 6/ASCO
	Army36     // around Mount Kirishima (DF 3.2-b)
	Army56     // comes later (DF 8.2)
	OtherJapan // printed set-up hexes (DF 3.2-a)
)

// NumCorps is the number of US corps.
const NumCorps = 4

// IsCorps reports whether f is one of the four US corps.
func (f Formation) IsCorps() bool { return f < NumCorps }

// String is the formation's key: "us-I" to "us-none", "jp-36" to "jp-other".
func (f Formation) String() string {
	if int(f) < len(formationKeys) {
		return formationKeys[f]
	}
	return "none"
}

var formationKeys = [...]string{"us-I", "us-V", "us-IX", "us-XI", "us-reserve", "us-none", "jp-36", "jp-56", "jp-other"}

// Role is what a unit is to the rules (DF 2.6).
type Role uint8

// The roles.
const (
	LineUnit       Role = iota // any division or brigade without a rule of its own
	CorpsArtillery             // DF 13.6
	CoastalUnit                // a line unit that never moves (DF 12.3, DF 13.8)
	AirborneUnit               // a line unit that may drop (DF 15.6)
	ServiceCommand             // 6/ASCO (DF 8.8)
)

// UnitInfo is what is printed on a unit.
type UnitInfo struct {
	// ID in the document.
	ID string `doc:"id"`
	// Name and Short text of the counter.
	Name  *downfallv1.Words `doc:"name,100"`
	Short string            `doc:"short,1,6"`
	// Owner is US or Japan.
	Owner rules.Seat
	// Formation it belongs to.
	Formation Formation
	// Role in the rules.
	Role Role
	// Type and Size as printed.
	Size downfallv1.UnitSize `doc:"size,one of the sizes"`
	Type downfallv1.UnitType `doc:"type,one of the types"`
	// Steps at full strength, 1 or 2.
	Steps int `doc:"steps,1,2"`
	// Strength by steps left: [0] is 0, [1] the last step, [2] the full face of a two-step unit (DF 2.10, DF 2.11).
	Strength [3]int
	// Hex that it starts in; NoHex if it starts in a box or is set up by the player.
	Hex Hex
	// Turn is the earliest turn of entry; 0 if it has none (DF 8.3).
	Turn int
	// Lands with the IX Corps beachhead (DF 8.6-c).
	Lands bool `doc:"lands"`
	// Replaces is the unit whose place it takes with option 15.6; it is out of play without. NoUnit for all others.
	Replaces Unit
}

// IsLine reports whether it is a line unit: neither corps artillery nor 6/ASCO.
func (u *UnitInfo) IsLine() bool { return u.Role != CorpsArtillery && u.Role != ServiceCommand }

// BeachheadInfo is the beachhead of a corps.
type BeachheadInfo struct {
	// ID in the document.
	ID string `doc:"id"`
	// Name of it.
	Name *downfallv1.Words `doc:"name,100"`
	// Hex that it starts in; NoHex for the one that lands.
	Hex Hex
	// Turn is the earliest turn of its landing; 0 if it starts on the map.
	Turn int
}

// UnitByID is the unit with an id; false if none exists. It looks at all of them: for the edge, not for play.
func (s *Scenario) UnitByID(id string) (Unit, bool) {
	for i := range s.Units {
		if s.Units[i].ID == id {
			return Unit(i), true
		}
	}
	return NoUnit, false
}

// BeachheadByID is the corps whose beachhead has an id; false if none exists.
func (s *Scenario) BeachheadByID(id string) (Formation, bool) {
	for i := range s.Beachheads {
		if s.Beachheads[i].ID == id {
			return Formation(i), true
		}
	}
	return 0, false
}

// UnitID is the id of u, "" for NoUnit.
func (s *Scenario) UnitID(u Unit) string {
	if u == NoUnit {
		return ""
	}
	return s.Units[u].ID
}
