package hex

import (
	"errors"
	"fmt"
)

// MaxNumber is the largest number of a column or row that a map can have; the smallest is 0.
const MaxNumber = 9999

// Coord is a hex by the numbers of its column and its row as printed, whichever of them is printed first.
// Columns run from side to side of the map and rows from top to bottom, north up.
type Coord struct{ Col, Row int16 }

// Order says which number stands first in a printed id. Indexes of a map follow the same order.
type Order uint8

// The orders. The zero value is neither.
const (
	ColumnRow Order = 1 + iota
	RowColumn
)

// Parity says which columns or rows are meant: those with even numbers, or those with odd ones.
type Parity uint8

// The parities. The zero value is neither.
const (
	Even Parity = 1 + iota
	Odd
)

// Way is a way across the map.
type Way uint8

// The ways. The zero value means none.
const (
	North Way = 1 + iota
	East
	South
	West
)

func (w Way) String() string {
	if w >= North && w <= West {
		return [...]string{"north", "east", "south", "west"}[w-1]
	}
	return fmt.Sprintf("way %d", uint8(w))
}

// Geometry says how a map of hexes is drawn and numbered, north up. All fields must be given; see [Geometry.Validate].
type Geometry struct {
	Orientation Orientation
	Order       Order
	// Shifted names the columns (flat top) or rows (pointy top) that lie half a hex off the others ...
	Shifted Parity
	// ... and Shift the way they do: North or South for columns, East or West for rows.
	Shift   Way
	Columns Way // East or West: where the numbers of columns grow
	Rows    Way // North or South: where the numbers of rows grow
	Format  Format
}

// Validate reports everything that is wrong with the geometry, one error for each field, joined.
func (g Geometry) Validate() error {
	var faults []error
	fault := func(field string, got any, want string) {
		faults = append(faults, fmt.Errorf("hex geometry: %s is %v, want %s", field, got, want))
	}
	switch g.Orientation {
	case FlatTop:
		if g.Shift != North && g.Shift != South {
			fault("shift of columns", g.Shift, "north or south")
		}
	case PointyTop:
		if g.Shift != East && g.Shift != West {
			fault("shift of rows", g.Shift, "east or west")
		}
	default:
		fault("orientation", uint8(g.Orientation), "flat top or pointy top")
	}
	if g.Order != ColumnRow && g.Order != RowColumn {
		fault("order", uint8(g.Order), "column-row or row-column")
	}
	if g.Shifted != Even && g.Shifted != Odd {
		fault("shifted parity", uint8(g.Shifted), "even or odd")
	}
	if g.Columns != East && g.Columns != West {
		fault("growth of columns", g.Columns, "east or west")
	}
	if g.Rows != North && g.Rows != South {
		fault("growth of rows", g.Rows, "north or south")
	}
	return errors.Join(append(faults, g.Format.validate())...)
}

// Neighbor is the coordinate next to c, whether or not a map has a hex there; it may be negative.
// g must be valid and c between 0 and MaxNumber.
func (g Geometry) Neighbor(c Coord, d Dir) Coord {
	return g.coord(g.place(c).step(g.Orientation, d, 1))
}

// Distance is the number of steps between two coordinates over a map without gaps.
func (g Geometry) Distance(a, b Coord) int { return g.place(a).distance(g.place(b)) }

// parts are the two numbers in printed order.
func (g Geometry) parts(c Coord) (first, second int16) {
	if g.Order == RowColumn {
		return c.Row, c.Col
	}
	return c.Col, c.Row
}

func (g Geometry) fromParts(first, second int16) Coord {
	if g.Order == RowColumn {
		return Coord{Col: second, Row: first}
	}
	return Coord{Col: first, Row: second}
}
