package hex

// SideIndex is a hexside of a map, from 0 to NumSides-1. Both hexes beside it know it by the same number.
type SideIndex uint32

// Side is a hexside as seen from the lower-numbered hex beside it.
type Side struct {
	Hex   Index
	Dir   Dir   // of the side, from Hex
	Other Index // across the side, above Hex; None on the edge of the map or of a gap in it
}

func (m *Map) buildSides() {
	m.sides = make([][NumDirs]SideIndex, len(m.coords))
	for i, around := range m.neighbors {
		for d, other := range around {
			if other < Index(i) {
				m.sides[i][d] = m.sides[other][Dir(d).Opposite()]
				continue
			}
			m.sides[i][d] = SideIndex(len(m.sideList))
			m.sideList = append(m.sideList, Side{Index(i), Dir(d), other})
		}
	}
}

// NumSides is the number of hexsides, each counted once, those on the edge of the map included.
func (m *Map) NumSides() int { return len(m.sideList) }

// Side is the hexside of i in direction d.
func (m *Map) Side(i Index, d Dir) SideIndex { return m.sides[i][d] }

// Sides are the hexsides of i by direction.
func (m *Map) Sides(i Index) [NumDirs]SideIndex { return m.sides[i] }

// SideAt is the hexes and direction of s. Sides are numbered in the order of (Hex, Dir).
func (m *Map) SideAt(s SideIndex) Side { return m.sideList[s] }

// SideBetween is the hexside that a and b share; false when they are not adjacent.
func (m *Map) SideBetween(a, b Index) (SideIndex, bool) {
	d, ok := m.DirTo(a, b)
	if !ok {
		return 0, false
	}
	return m.sides[a][d], true
}
