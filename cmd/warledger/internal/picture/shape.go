package picture

// slot is a line of text inside a hex. On the lowest line of a hex in columns the border runs behind the text.
type slot struct {
	dx, dy, w int
	border    bool
}

// edge is a character of a hex's border.
type edge struct {
	dx, dy int
	r      rune
}

// shape is how large a hex is drawn: the distance of its corner from that of the hex a step further,
// and what it is made of.
type shape struct {
	stepX, stepY  int
	width, height int
	slots         []slot
	sides         [noSide][]edge
}

// shapes lists the sizes of hexes from large to small.
func shapes(pointy bool) []shape {
	if pointy {
		return []shape{rowShape(12, 3), rowShape(8, 2), rowShape(6, 2)}
	}
	return []shape{columnShape(9, 2), columnShape(7, 1), columnShape(5, 1)}
}

// rowShape is a hex with a corner on top: w cells from side to side, an even number, and a number of lines of text.
//
//	 .-'-.
//	|2621^|
//	|r1+2 |
//	 '-.-'
func rowShape(w, lines int) shape {
	s := shape{stepX: w / 2, stepY: lines + 1, width: w + 1, height: lines + 2}
	for i := 0; i <= w; i++ {
		top, bottom := northWest, southWest
		if i > w/2 {
			top, bottom = northEast, southEast
		}
		s.sides[top] = append(s.sides[top], edge{i, 0, slope((i+w/2)%w, w)})
		s.sides[bottom] = append(s.sides[bottom], edge{i, lines + 1, slope(i%w, w)})
	}
	for y := 1; y <= lines; y++ {
		s.slots = append(s.slots, slot{dx: 1, dy: y, w: w - 1})
		s.sides[west] = append(s.sides[west], edge{0, y, '|'})
		s.sides[east] = append(s.sides[east], edge{w, y, '|'})
	}
	return s
}

// slope is the character of a zigzag that is high at 0 and w and low between.
func slope(i, w int) rune {
	switch d := 2 * float64(min(i, w-i)) / float64(w); {
	case d < 0.15:
		return '\''
	case d < 0.5:
		return '-'
	case d < 0.8:
		return '.'
	}
	return '_'
}

// columnShape is a hex with a flat top: n cells inside where it is widest, and half as many lines as it is high.
//
//	 _____
//	/0203.\
//	\r1+2_/
func columnShape(n, half int) shape {
	s := shape{stepX: n + 2 - half, stepY: half, width: n + 2, height: 2*half + 1}
	for i := half; i <= n+1-half; i++ {
		s.sides[north] = append(s.sides[north], edge{i, 0, '_'})
		s.sides[south] = append(s.sides[south], edge{i, 2 * half, '_'})
	}
	for k := range half {
		in := half - 1 - k
		s.slots = append(s.slots, slot{dx: in + 1, dy: 1 + k, w: n - 2*in})
		s.sides[northWest] = append(s.sides[northWest], edge{in, 1 + k, '/'})
		s.sides[northEast] = append(s.sides[northEast], edge{n + 1 - in, 1 + k, '\\'})
	}
	for k := range half {
		s.slots = append(s.slots, slot{dx: k + 1, dy: half + 1 + k, w: n - 2*k, border: k == half-1})
		s.sides[southWest] = append(s.sides[southWest], edge{k, half + 1 + k, '\\'})
		s.sides[southEast] = append(s.sides[southEast], edge{n + 1 - k, half + 1 + k, '/'})
	}
	return s
}
