package downfall

import (
	"math/bits"

	"github.com/warledger/warledger/rules/hex"
)

// MaxUnits is the largest number of units that a scenario may have, so that a set of units is one word.
const MaxUnits = 64

// UnitSet is a set of units: bit n stands for unit n.
type UnitSet uint64

// setOf is the set of the units given.
func setOf(units ...Unit) UnitSet {
	var s UnitSet
	for _, u := range units {
		s |= bit(u)
	}
	return s
}

// bit is the set of one unit, the empty set for NoUnit.
func bit(u Unit) UnitSet { return 1 << u }

// Has reports whether u is in the set.
func (s UnitSet) Has(u Unit) bool { return s&bit(u) != 0 }

// Len is the number of units in the set.
func (s UnitSet) Len() int { return bits.OnesCount64(uint64(s)) }

// First is the lowest unit of the set, NoUnit if it is empty.
func (s UnitSet) First() Unit {
	if s == 0 {
		return NoUnit
	}
	return Unit(bits.TrailingZeros64(uint64(s)))
}

// Each yields the units of the set in order.
func (s UnitSet) Each(yield func(Unit) bool) {
	for rest := s; rest != 0; rest &= rest - 1 {
		if !yield(rest.First()) {
			return
		}
	}
}

// next is the subset of all that follows sub when the non-empty subsets are counted up; 0 after the last.
func (s UnitSet) next(sub UnitSet) UnitSet { return (sub - s) & s }

// tables are what a scenario's units and hexes come to, in the form that play asks for. They never change.
type tables struct {
	// us and japan are the ground units of the sides, 6/ASCO included.
	us, japan UnitSet
	// line, art and coastal units; asco is 6/ASCO alone, or empty.
	line, art, coastal, asco UnitSet
	// zoc are the units that exert ZOC (DF 11.1, DF 11.2).
	zoc UnitSet
	// divisions are US divisions: two steps (DF 2.11).
	divisions UnitSet
	// formation are the units of each.
	formation [OtherJapan + 1]UnitSet
	// floaters belong to any corps (DF 10.6).
	floaters UnitSet
	// landing are the divisions of the IX Corps landing.
	landing UnitSet
	// number is the printed number of each hex, in rising order.
	number []uint32
	// steps are the ways out of each hex for ground units, with what a US unit pays before any bomb.
	steps [][hex.NumDirs]step
	// beaches are the hexes in which IX Corps may land before any bomb (DF 8.6-b).
	beaches []Hex
	// unit finds a unit by id, corps a beachhead; only ever looked up.
	unit  map[string]Unit
	corps map[string]Formation
}

// step leads to a hex, NoHex where ground units can't go.
type step struct {
	to Hex
	us uint8
}

// newTables sorts the units of a scenario. It costs as much as a look at each unit and hex.
func newTables(sc *Scenario) *tables {
	t := &tables{
		unit:   make(map[string]Unit, len(sc.Units)),
		corps:  make(map[string]Formation, NumCorps),
		number: make([]uint32, sc.Map.Len()),
		asco:   bit(sc.Service), landing: setOf(sc.Landing...),
	}
	for i := range sc.Units {
		t.sort(Unit(i), &sc.Units[i])
	}
	t.floaters = t.formation[Reserve] | t.formation[NoCorps]
	t.zoc = (t.us | t.japan) &^ t.asco
	for f := range sc.Beachheads {
		t.corps[sc.Beachheads[f].ID] = Formation(f)
	}
	for h := range t.number {
		t.number[h] = printed(sc.Map.ID(Hex(h)))
	}
	t.findSteps(sc)
	for h := range Hex(len(t.number)) {
		if sc.LandingHex(h, sc.Terrain[h]) {
			t.beaches = append(t.beaches, h)
		}
	}
	return t
}

func (t *tables) findSteps(sc *Scenario) {
	t.steps = make([][hex.NumDirs]step, len(t.number))
	for h := range t.steps {
		for d, n := range sc.Ground[h] {
			s := step{to: n}
			if n != NoHex {
				s.us = uint8(sc.Terrains[sc.Terrain[n]].USMove)
				if sc.Rivers[h].Has(hex.Dir(d)) {
					s.us += uint8(sc.River.USMove)
				}
			}
			t.steps[h][d] = s
		}
	}
}

func (t *tables) sort(u Unit, info *UnitInfo) {
	t.unit[info.ID] = u
	t.formation[info.Formation] |= bit(u)
	if info.Owner == US {
		t.us |= bit(u)
	} else {
		t.japan |= bit(u)
	}
	switch {
	case info.Role == CorpsArtillery:
		t.art |= bit(u)
	case info.IsLine():
		t.line |= bit(u)
		if info.Owner == US && info.Steps == 2 {
			t.divisions |= bit(u)
		}
	}
	if info.Role == CoastalUnit {
		t.coastal |= bit(u)
	}
}

// printed is the number of a hex id: its digits, whatever separates them.
func printed(id string) uint32 {
	n := uint32(0)
	for _, c := range []byte(id) {
		if c >= '0' && c <= '9' {
			n = n*10 + uint32(c-'0')
		}
	}
	return n
}

// hexOf finds a hex by its printed number; NoHex if there is none.
func (t *tables) hexOf(number uint32) Hex {
	lo, hi := 0, len(t.number)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.number[mid] < number {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(t.number) && t.number[lo] == number {
		return Hex(lo)
	}
	return NoHex
}
