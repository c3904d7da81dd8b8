package hex

// sqrt3 is the square root of 3.
const sqrt3 = 1.7320508075688772

// Point is a place on a drawing of the map. X grows to the east and Y to the south, as on a screen. The unit is the
// distance between opposite sides of a hex, so the centres of neighbours are 1 apart and the corners of a hex lie
// 1/√3 from its centre. For drawing only: no rule may depend on it.
type Point struct{ X, Y float64 }

// Center is the centre of the hex at c.
func (g Geometry) Center(c Coord) Point {
	p := g.place(c)
	if g.Orientation == PointyTop {
		return Point{float64(p.along) / 2, -float64(p.line) * (sqrt3 / 2)}
	}
	return Point{float64(p.line) * (sqrt3 / 2), -float64(p.along) / 2}
}

// Corners are the corners of the hex at c, clockwise. The side in direction d runs from corner d to corner d+1 (mod 6).
func (g Geometry) Corners(c Coord) [NumDirs]Point {
	const h = 1 / (2 * sqrt3)
	corners := [NumDirs]Point{{-h, -.5}, {h, -.5}, {2 * h, 0}, {h, .5}, {-h, .5}, {-2 * h, 0}}
	if g.Orientation == PointyTop {
		corners = [NumDirs]Point{{0, -2 * h}, {.5, -h}, {.5, h}, {0, 2 * h}, {-.5, h}, {-.5, -h}}
	}
	center := g.Center(c)
	for i := range corners {
		corners[i].X += center.X
		corners[i].Y += center.Y
	}
	return corners
}

// Center is the centre of i.
func (m *Map) Center(i Index) Point { return m.geometry.Center(m.coords[i]) }

// Corners are the corners of i; see [Geometry.Corners].
func (m *Map) Corners(i Index) [NumDirs]Point { return m.geometry.Corners(m.coords[i]) }

// Bounds is the smallest rectangle, by its north-west and south-east corner, that holds every hex.
func (m *Map) Bounds() (lo, hi Point) {
	lo = m.Center(0)
	hi = lo
	for i := range m.coords {
		for _, p := range m.Corners(Index(i)) {
			lo = Point{min(lo.X, p.X), min(lo.Y, p.Y)}
			hi = Point{max(hi.X, p.X), max(hi.Y, p.Y)}
		}
	}
	return lo, hi
}
