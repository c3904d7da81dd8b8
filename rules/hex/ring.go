package hex

// Distance is the number of steps from a to b, counted over the grid: gaps in the map don't lengthen it.
func (m *Map) Distance(a, b Index) int { return m.places[a].distance(m.places[b]) }

// AppendRing appends the hexes at distance n from i, clockwise from the one in direction 0, and returns the longer
// slice. Ring 0 is i itself; a negative n has none. Gaps are left out.
func (m *Map) AppendRing(dst []Index, i Index, n int) []Index {
	switch {
	case n == 0:
		return append(dst, i)
	case n < 0 || n > m.span():
		return dst
	}
	o := m.geometry.Orientation
	p := m.places[i].step(o, 0, int32(n))
	for side := range NumDirs {
		d := Dir(0).Turn(side + 2)
		for range n {
			if j := m.grid.at(p); j != None {
				dst = append(dst, j)
			}
			p = p.step(o, d, 1)
		}
	}
	return dst
}

// AppendWithin appends the hexes at distance 0 to n from i, ring by ring as AppendRing orders them.
func (m *Map) AppendWithin(dst []Index, i Index, n int) []Index {
	for r := range min(n, m.span()) + 1 {
		dst = m.AppendRing(dst, i, r)
	}
	return dst
}

// span is no less than any distance on the map.
func (m *Map) span() int { return m.grid.lines + m.grid.width }
