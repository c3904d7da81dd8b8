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

	scale, x, y float64
}

// NewCanvas draws hexes of a width, with a free edge of a quarter of it. All points are whole numbers, so that every
// machine draws the same.
func NewCanvas(m *hex.Map, width float64) *Canvas {
	c := &Canvas{Map: m, scale: width}
	margin := width / 4
	lo, hi := m.Bounds()
	c.x, c.y = lo.X*width-margin, lo.Y*width-margin
	c.Width, c.Height = math.Ceil(hi.X*width-c.x+margin), math.Ceil(hi.Y*width-c.y+margin)
	return c
}

// Point is a point of the drawing.
func (c *Canvas) Point(p hex.Point) *boardv1.Point {
	return &boardv1.Point{X: math.Round(p.X*c.scale - c.x), Y: math.Round(p.Y*c.scale - c.y)}
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
