package downfall

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/hex"
)

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
	// zoc are the units that exert ZOC (DF 11.1, DF 11.2). Beachheads are no units: they have no strength, movement,
	// ZOC and steps, and never stack (DF 8.5-a, DF 8.5-S1, DF 8.5-S3); 6/ASCO is one without strength, movement and
	// ZOC (DF 8.8-S3).
	zoc UnitSet
	// divisions are US divisions: two steps (DF 2.11).
	divisions UnitSet
	// formation are the units of each.
	formation [scenario.OtherJapan + 1]UnitSet
	// floaters belong to any corps (DF 10.6).
	floaters UnitSet
	// landing are the divisions of the IX Corps landing.
	landing UnitSet
	// number is the printed number of each hex, in rising order.
	number []uint32
	// words of a set of hexes, at least 2.
	words int
	// around are the hexes that ground units can go to from each hex, a step each; ways the same by what a US unit
	// pays, bombed by what it pays where a bomb exploded.
	around, ways, bombed stencils
	// land are all hexes.
	land hex.Set
	// beaches are the hexes in which IX Corps may land before any bomb (DF 8.6-b).
	beaches []Hex
	// unit finds a unit by id, corps a beachhead; only ever looked up.
	unit  map[string]Unit
	corps map[string]scenario.Formation
}

// mark is a part of the hexes around a hex: bits of two words of a set, from word on, and what each of them costs.
type mark struct {
	bits  [2]uint64
	word  uint16
	price uint8
}

// stencils are the hexes around each hex, as marks to be laid on sets. Each hex has as many, empty ones at the end, so
// that a loop over them is the same for all.
type stencils struct {
	marks []mark
	each  int
}

// of are the marks of a hex.
func (s *stencils) of(h Hex) []mark { return s.marks[int(h)*s.each : (int(h)+1)*s.each] }

// newTables sorts the units of a scenario. It costs as much as a look at each unit and hex.
func newTables(sc *Scenario) *tables {
	t := &tables{
		unit:   make(map[string]Unit, len(sc.Units)),
		corps:  make(map[string]scenario.Formation, scenario.NumCorps),
		number: make([]uint32, sc.Map.Len()),
		words:  max(len(sc.Map.NewSet()), 2),
		asco:   bit(sc.Service), landing: setOf(sc.Landing...),
	}
	for i := range sc.Units {
		t.sort(Unit(i), &sc.Units[i])
	}
	t.floaters = t.formation[scenario.Reserve] | t.formation[scenario.NoCorps]
	t.zoc = (t.us | t.japan) &^ t.asco
	for f := range sc.Beachheads {
		t.corps[sc.Beachheads[f].ID] = scenario.Formation(f)
	}
	t.land = make(hex.Set, t.words)
	for h := range t.number {
		t.number[h] = printed(sc.Map.ID(Hex(h)))
		t.land.Add(Hex(h))
	}
	t.around = t.stencils(sc, func(Hex, hex.Dir, Hex) int { return 1 })
	t.ways = t.stencils(sc, func(from Hex, d hex.Dir, to Hex) int { return sc.entry(from, d, sc.Terrain[to]) })
	t.bombed = t.stencils(sc, func(from Hex, d hex.Dir, _ Hex) int { return sc.entry(from, d, sc.Bombed) })
	for h := range Hex(len(t.number)) {
		if sc.LandingHex(h, sc.Terrain[h]) {
			t.beaches = append(t.beaches, h)
		}
	}
	return t
}

// entry is what a US unit pays to leave a hex in a direction for terrain (DF 12.4).
func (s *Scenario) entry(from Hex, d hex.Dir, to scenario.Terrain) int {
	cost := s.Terrains[to].USMove
	if s.Rivers[from].Has(d) {
		cost += s.River.USMove
	}
	return cost
}

// stencils sorts the ways out of each hex by price.
func (t *tables) stencils(sc *Scenario, price func(from Hex, d hex.Dir, to Hex) int) stencils {
	all, each := make([][]mark, len(t.number)), 1
	for h := range all {
		prices := map[Hex]int{}
		for d, n := range sc.Ground[h] {
			if n != NoHex {
				prices[n] = price(Hex(h), hex.Dir(d), n)
			}
		}
		near := slices.Sorted(maps.Keys(prices)) // in order, so that two words hold most of them
		for _, n := range near {
			all[h] = t.addMark(all[h], n, uint8(prices[n]))
		}
		each = max(each, len(all[h]))
	}
	s := stencils{each: each, marks: make([]mark, each*len(all))}
	for h := range all {
		copy(s.of(Hex(h)), all[h])
	}
	return s
}

// addMark adds a hex to the mark that has room for it.
func (t *tables) addMark(marks []mark, h Hex, price uint8) []mark {
	word := uint16(h >> 6)
	for i := range marks {
		if m := &marks[i]; m.price == price && (word == m.word || word == m.word+1) {
			m.bits[word-m.word] |= 1 << (h & 63)
			return marks
		}
	}
	first := min(word, uint16(t.words-2))
	m := mark{word: first, price: price}
	m.bits[word-first] = 1 << (h & 63)
	return append(marks, m)
}

func (t *tables) sort(u Unit, info *scenario.UnitInfo) {
	t.unit[info.ID] = u
	t.formation[info.Formation] |= bit(u)
	if info.Owner == US {
		t.us |= bit(u)
	} else {
		t.japan |= bit(u)
	}
	switch {
	case info.Role == scenario.CorpsArtillery:
		t.art |= bit(u)
	case info.IsLine():
		t.line |= bit(u)
		if info.Owner == US && info.Steps == 2 {
			t.divisions |= bit(u)
		}
	}
	if info.Role == scenario.CoastalUnit {
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

// hexOf finds a hex by its printed number; NoHex if none exists.
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
