package hex

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Index is a hex of a map, from 0 to Len-1 in the order of the printed ids.
type Index uint16

// None is no hex: beyond the edge of the map, or in a gap of it.
const None Index = 0xFFFF

// maxGrid bounds the memory of a map (2 bytes a cell), whatever coordinates a scenario names.
const maxGrid = 1 << 22

// Map is a set of hexes with their neighbours and sides. It is immutable.
type Map struct {
	geometry  Geometry
	coords    []Coord
	ids       []string
	places    []place
	neighbors [][NumDirs]Index
	sides     [][NumDirs]SideIndex
	sideList  []Side
	grid      grid
}

// NewMap builds the map of the hexes at coords, in any order. It takes time and memory linear in the rectangle
// around them. All faults are reported at once, joined: a geometry that is not valid, coordinates twice or not
// printable in the format, no hexes, or too many (65,535, or a rectangle of more than 4 million).
func NewMap(g Geometry, coords []Coord) (*Map, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if len(coords) == 0 || len(coords) > int(None) {
		return nil, fmt.Errorf("hex map: %d hexes, want 1 to %d", len(coords), None)
	}
	m := &Map{geometry: g, coords: slices.Clone(coords)}
	slices.SortFunc(m.coords, g.compare)
	if err := m.checkCoords(); err != nil {
		return nil, err
	}
	for _, c := range m.coords {
		m.ids = append(m.ids, g.ID(c))
		m.places = append(m.places, g.place(c))
	}
	var err error
	if m.grid, err = newGrid(m.places); err != nil {
		return nil, err
	}
	for _, p := range m.places {
		var around [NumDirs]Index
		for d := range Dir(NumDirs) {
			around[d] = m.grid.at(p.step(g.Orientation, d, 1))
		}
		m.neighbors = append(m.neighbors, around)
	}
	m.buildSides()
	return m, nil
}

func (g Geometry) compare(a, b Coord) int {
	a1, a2 := g.parts(a)
	b1, b2 := g.parts(b)
	return cmp.Or(cmp.Compare(a1, b1), cmp.Compare(a2, b2))
}

func (m *Map) checkCoords() error {
	var faults []error
	for i, c := range m.coords {
		first, second := m.geometry.parts(c)
		if !fits(first, m.geometry.Format.First) || !fits(second, m.geometry.Format.Second) {
			faults = append(faults, fmt.Errorf("hex map: column %d row %d cannot be printed as an id like %q",
				c.Col, c.Row, m.geometry.sample()))
		} else if i > 0 && c == m.coords[i-1] {
			faults = append(faults, fmt.Errorf("hex map: hex %s is there twice", m.geometry.ID(c)))
		}
	}
	return errors.Join(faults...)
}

// Geometry is what the map was built from.
func (m *Map) Geometry() Geometry { return m.geometry }

// Len is the number of hexes; indexes are below it.
func (m *Map) Len() int { return len(m.coords) }

// Coord is the coordinate of i.
func (m *Map) Coord(i Index) Coord { return m.coords[i] }

// ID is the printed id of i. It allocates nothing.
func (m *Map) ID(i Index) string { return m.ids[i] }

// At is the hex at c, or None.
func (m *Map) At(c Coord) Index {
	if c.Col < 0 || c.Row < 0 || c.Col > MaxNumber || c.Row > MaxNumber {
		return None
	}
	return m.grid.at(m.geometry.place(c))
}

// ByID is the hex with the printed id. The error is an [*IDError]: not an id in this format, or no such hex.
func (m *Map) ByID(id string) (Index, error) {
	c, err := m.geometry.Parse(id)
	if err != nil {
		return None, err
	}
	if i := m.At(c); i != None {
		return i, nil
	}
	return None, &IDError{id, "no such hex on the map"}
}

// Neighbor is the hex next to i in direction d, or None.
func (m *Map) Neighbor(i Index, d Dir) Index { return m.neighbors[i][d] }

// Neighbors are the hexes around i by direction; None at an edge of the map.
func (m *Map) Neighbors(i Index) [NumDirs]Index { return m.neighbors[i] }

// DirTo is the direction from a to its neighbour b; false when they are not adjacent.
func (m *Map) DirTo(a, b Index) (Dir, bool) {
	if b == None {
		return 0, false
	}
	for d, n := range m.neighbors[a] {
		if n == b {
			return Dir(d), true
		}
	}
	return 0, false
}

// Adjacent says whether a and b share a side. A hex is not adjacent to itself.
func (m *Map) Adjacent(a, b Index) bool {
	_, ok := m.DirTo(a, b)
	return ok
}

// DirName is the compass name of d on this map.
func (m *Map) DirName(d Dir) string { return m.geometry.Orientation.DirName(d) }
