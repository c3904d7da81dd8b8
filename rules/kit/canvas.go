package kit

import (
	"math"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules/hex"
)

// labelAt is how far below the centre of a hex its label stands, in hexes.
const labelAt = 0.36

// Canvas is a drawing of a map of hexes.
type Canvas struct {
	// Map that is drawn.
	Map *hex.Map
	// Width and Height of the drawing.
	Width, Height float64

	corner      hex.Point // north-west, in hexes
	scale, edge float64
	round       func(float64) float64
}

// NewCanvas draws hexes of a width, with a free edge of a quarter of it. All points are whole numbers, so that every
// machine draws the same.
func NewCanvas(m *hex.Map, width float64) *Canvas {
	c := NewTightCanvas(m, width)
	c.edge, c.round = width/4, math.Round
	c.Width, c.Height = math.Ceil(c.Width+2*c.edge), math.Ceil(c.Height+2*c.edge)
	return c
}

// NewTightCanvas draws hexes of a width without an edge, to fractions of a point.
func NewTightCanvas(m *hex.Map, width float64) *Canvas {
	lo, hi := m.Bounds()
	return &Canvas{
		Map: m, Width: (hi.X - lo.X) * width, Height: (hi.Y - lo.Y) * width, corner: lo, scale: width,
		round: func(x float64) float64 { return x },
	}
}

// Point is a point of the drawing.
func (c *Canvas) Point(p hex.Point) *boardv1.Point {
	return &boardv1.Point{X: c.round((p.X-c.corner.X)*c.scale + c.edge), Y: c.round((p.Y-c.corner.Y)*c.scale + c.edge)}
}

// Side is the hexside in a direction, from corner to corner.
func (c *Canvas) Side(i hex.Index, d hex.Dir) []*boardv1.Point {
	corners := c.Map.Corners(i)
	return []*boardv1.Point{c.Point(corners[d]), c.Point(corners[d.Turn(1)])}
}

// Space is a hex with its id, its outline, its neighbors and the place of its label.
func (c *Canvas) Space(i hex.Index) *boardv1.Space {
	at := c.Map.Center(i)
	s := &boardv1.Space{Id: c.Map.ID(i), Centre: c.Point(at), Label: c.Point(hex.Point{X: at.X, Y: at.Y + labelAt})}
	ring := &boardv1.Ring{}
	for _, p := range c.Map.Corners(i) {
		ring.Points = append(ring.Points, c.Point(p))
	}
	s.Outline = []*boardv1.Ring{ring}
	for _, n := range c.Map.Neighbors(i) {
		if n != hex.None {
			s.Neighbors = append(s.Neighbors, c.Map.ID(n))
		}
	}
	return s
}
