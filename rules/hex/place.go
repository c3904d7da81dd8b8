package hex

// place is a hex in doubled coordinates, the one frame in which all geometries look alike. Lines are the columns of
// a flat map, the rows of a pointy one: hexes share sides along them. line counts lines to the east (flat) or north
// (pointy); along counts half hexes to the north (flat) or east (pointy), so a step along a line is 2 and a step to
// the next line is 1.
type place struct{ line, along int32 }

// steps of Dir 0 to 5.
var flatSteps = [NumDirs]place{{0, 2}, {1, 1}, {1, -1}, {0, -2}, {-1, -1}, {-1, 1}}
var pointySteps = [NumDirs]place{{1, 1}, {0, 2}, {-1, 1}, {-1, -1}, {0, -2}, {1, -1}}

func (p place) step(o Orientation, d Dir, n int32) place {
	s := flatSteps[d]
	if o == PointyTop {
		s = pointySteps[d]
	}
	return place{p.line + n*s.line, p.along + n*s.along}
}

func (p place) distance(q place) int {
	lines, along := abs(int(p.line)-int(q.line)), abs(int(p.along)-int(q.along))
	return lines + max(0, (along-lines)/2)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func (g Geometry) place(c Coord) place {
	col, row := int32(c.Col), int32(c.Row)
	if g.Orientation == PointyTop {
		return place{sign(g.Rows) * row, 2*sign(g.Columns)*col + g.shift(row)}
	}
	return place{sign(g.Columns) * col, 2*sign(g.Rows)*row + g.shift(col)}
}

func (g Geometry) coord(p place) Coord {
	if g.Orientation == PointyTop {
		row := sign(g.Rows) * p.line
		return Coord{Col: int16(sign(g.Columns) * ((p.along - g.shift(row)) / 2)), Row: int16(row)}
	}
	col := sign(g.Columns) * p.line
	return Coord{Col: int16(col), Row: int16(sign(g.Rows) * ((p.along - g.shift(col)) / 2))}
}

// shift is how many half hexes to the north or east a line lies.
func (g Geometry) shift(line int32) int32 {
	if (line&1 == 0) != (g.Shifted == Even) {
		return 0
	}
	return sign(g.Shift)
}

func sign(w Way) int32 {
	if w == North || w == East {
		return 1
	}
	return -1
}
