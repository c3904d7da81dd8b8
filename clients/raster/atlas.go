package raster

import (
	"cmp"
	"math"
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// atlas is a map made ready for drawing.
type atlas struct {
	world  *boardv1.Map
	spaces map[string]*boardv1.Space
	// legend, kinds and marks by key.
	legend, kinds, marks map[string]*boardv1.Legend
	// grid says that the map is made of hexes or the like: outlines of one ring with few corners.
	grid bool
	// pitch is the typical distance between the middles of neighbours, counter the side of a counter,
	// both in the map's unit.
	pitch, counter float64
}

func newAtlas(m *boardv1.Map) *atlas {
	a := &atlas{world: m, spaces: make(map[string]*boardv1.Space), legend: byKey(m.GetLegend()),
		kinds: byKey(m.GetKinds()), marks: byKey(m.GetMarks())}
	plain := 0
	for _, s := range m.GetSpaces() {
		a.spaces[s.GetId()] = s
		if len(s.GetOutline()) == 1 && len(s.Outline[0].GetPoints()) <= 8 {
			plain++
		}
	}
	a.grid = plain*10 > len(m.GetSpaces())*9
	a.pitch = a.measure()
	a.counter = a.pitch * 0.56
	if !a.grid {
		a.counter = max(m.GetWidth()/92, 18)
	}
	return a
}

func byKey(all []*boardv1.Legend) map[string]*boardv1.Legend {
	m := make(map[string]*boardv1.Legend, len(all))
	for _, l := range all {
		m[l.GetKey()] = l
	}
	return m
}

// measure returns the median distance between the middles of neighbours.
func (a *atlas) measure() float64 {
	var all []float64
	for _, s := range a.world.GetSpaces() {
		for _, id := range s.GetNeighbors() {
			n := a.spaces[id]
			if n.GetCentre() == nil || s.GetCentre() == nil {
				continue
			}
			if d := math.Hypot(n.Centre.X-s.Centre.X, n.Centre.Y-s.Centre.Y); d > 0 && !math.IsInf(d, 0) {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return max(math.Sqrt(a.world.GetWidth()*a.world.GetHeight()/float64(max(len(a.spaces), 1))), 1)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// color is the colour of a terrain, a line or a feature.
func (a *atlas) color(key, otherwise string) string {
	return cmp.Or(a.legend[key].GetColor(), otherwise)
}

// centre is the middle of a space, also where the map gives none.
func centre(s *boardv1.Space) *boardv1.Point {
	if s.GetCentre() != nil {
		return s.Centre
	}
	if s.GetLabel() != nil {
		return s.Label
	}
	x0, y0, x1, y1 := bounds(s)
	return &boardv1.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}
}

// bounds is the extent of a space's outline; that of a point at 0 for one without.
func bounds(s *boardv1.Space) (x0, y0, x1, y1 float64) {
	first := true
	for _, r := range s.GetOutline() {
		for _, p := range r.GetPoints() {
			if first {
				x0, y0, x1, y1, first = p.GetX(), p.GetY(), p.GetX(), p.GetY(), false
			}
			x0, y0, x1, y1 = min(x0, p.GetX()), min(y0, p.GetY()), max(x1, p.GetX()), max(y1, p.GetY())
		}
	}
	return x0, y0, x1, y1
}
