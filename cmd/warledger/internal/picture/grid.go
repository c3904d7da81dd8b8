package picture

import (
	"math"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// place is where a hex stands, in steps of the grid: half a hex along its rows or columns, so that neighbours
// differ by whole steps.
type place struct{ u, v int }

// grid is a map of hexes.
type grid struct {
	// pointy hexes have a corner on top and stand in rows; the others stand in columns.
	pointy bool
	at     map[string]place
	// maxU and maxV are the largest steps; the smallest are 0.
	maxU, maxV int
}

// gridOf finds the grid of a map by the centres of its spaces; ok is false if it is not made of hexes.
func gridOf(m *boardv1.Map) (g grid, ok bool) {
	if len(m.GetSpaces()) == 0 {
		return g, false
	}
	lowX, lowY := math.Inf(1), math.Inf(1)
	for _, s := range m.Spaces {
		if len(s.Outline) != 1 || len(s.Outline[0].Points) != 6 || s.Centre == nil {
			return g, false
		}
		lowX, lowY = min(lowX, s.Centre.X), min(lowY, s.Centre.Y)
	}
	w, h, pointy := box(m.Spaces[0].Outline[0])
	if w <= 0 || h <= 0 {
		return g, false
	}
	g = grid{pointy: pointy, at: make(map[string]place, len(m.Spaces))}
	stepU, stepV := w*3/4, h/2
	if pointy {
		stepU, stepV = w/2, h*3/4
	}
	taken := make(map[place]bool, len(m.Spaces))
	for _, s := range m.Spaces {
		p := place{int(math.Round((s.Centre.X - lowX) / stepU)), int(math.Round((s.Centre.Y - lowY) / stepV))}
		if taken[p] || p.u > 10_000 || p.v > 10_000 {
			return g, false
		}
		taken[p], g.at[s.Id] = true, p
		g.maxU, g.maxV = max(g.maxU, p.u), max(g.maxV, p.v)
	}
	return g, true
}

// box measures a hex. One with two corners at its left edge has a corner on top.
func box(r *boardv1.Ring) (w, h float64, pointy bool) {
	left, right, top, bottom := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range r.Points {
		left, right, top, bottom = min(left, p.GetX()), max(right, p.GetX()), min(top, p.GetY()), max(bottom, p.GetY())
	}
	w, h = right-left, bottom-top
	atLeft := 0
	for _, p := range r.Points {
		if p.GetX()-left < w/10 {
			atLeft++
		}
	}
	return w, h, atLeft == 2
}

// side is one of the six sides of a hex.
type side int

// The sides of hexes in rows, then those of hexes in columns.
const (
	east side = iota
	west
	northEast
	northWest
	southEast
	southWest
	north
	south
	noSide
)

// between is the side of a that looks at b.
func (g grid) between(a, b place) side {
	du, dv := b.u-a.u, b.v-a.v
	far := place{2, 0} // to the next hex of the same row
	if !g.pointy {
		far = place{0, 2}
	}
	switch {
	case g.pointy && dv == 0 && du == far.u:
		return east
	case g.pointy && dv == 0 && du == -far.u:
		return west
	case !g.pointy && du == 0 && dv == far.v:
		return south
	case !g.pointy && du == 0 && dv == -far.v:
		return north
	case du == 1 && dv == -1:
		return northEast
	case du == -1 && dv == -1:
		return northWest
	case du == 1 && dv == 1:
		return southEast
	case du == -1 && dv == 1:
		return southWest
	}
	return noSide
}
