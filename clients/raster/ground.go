package raster

import (
	"cmp"
	"math"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// decorColors are for what is no space and has no entry in the legend.
var decorColors = map[string]string{"ice": "#eef3f5", "lake": "#a9cbdc"}

// layers are things by kind, in the order in which the kinds first come.
type layers[T any] struct {
	kinds []string
	of    map[string][]T
}

func (l *layers[T]) add(kind string, one T) {
	if l.of == nil {
		l.of = make(map[string][]T)
	}
	if _, known := l.of[kind]; !known {
		l.kinds = append(l.kinds, kind)
	}
	l.of[kind] = append(l.of[kind], one)
}

// ground is the land and the sea.
func (s *scene) ground() {
	var terrain layers[*boardv1.Space]
	for _, x := range s.world.GetSpaces() {
		if s.seenSpace(x) {
			terrain.add(x.GetTerrain(), x)
		}
	}
	for _, kind := range terrain.kinds {
		c := hex(s.color(kind, fallback), 1)
		for _, x := range terrain.of[kind] {
			s.rings(x.GetOutline())
			s.dc.SetFillRuleEvenOdd()
			s.dc.SetColor(c)
			s.dc.FillPreserve()
			s.stroke(c, 0.8) // closes the hairlines between neighbours
		}
	}
	s.decor(true)
}

func (s *scene) decor(covers bool) {
	for _, d := range s.world.GetDecor() {
		if d.GetCovers() != covers {
			continue
		}
		s.rings(d.GetOutline())
		s.dc.SetFillRuleEvenOdd()
		s.fill(hex(s.color(d.GetKind(), cmp.Or(decorColors[d.GetKind()], "#e4e0d2")), 1))
	}
}

// print is what is printed on the ground, above the colours of those who hold it.
func (s *scene) print() {
	s.decor(false)
	s.borders()
	s.lines()
	for _, x := range s.world.GetSpaces() {
		if s.seenSpace(x) {
			s.features(x)
		}
	}
	for _, x := range s.world.GetSpaces() {
		if s.seenSpace(x) {
			s.names(x)
		}
	}
}

// borders draws each side of a hex once, a few at a time: the rasterizer slows down with all that lies on a line of
// pixels. Areas share borders that are not equal point by point, so that they are drawn as one.
func (s *scene) borders() {
	if !s.grid {
		for _, x := range s.world.GetSpaces() {
			if s.seenSpace(x) {
				s.rings(x.GetOutline())
			}
		}
		s.stroke(hex("#3a3428", 0.6), max(s.px(s.world.GetWidth())/2400, 0.6))
		return
	}
	const atOnce = 48
	ink, width := hex("#3a3428", 0.34), max(s.px(s.pitch)*0.014, 0.6)
	drawn, n := make(map[[4]int32]bool), 0
	for _, x := range s.world.GetSpaces() {
		if !s.seenSpace(x) {
			continue
		}
		for _, r := range x.GetOutline() {
			for i, p := range r.GetPoints() {
				q := r.Points[(i+1)%len(r.Points)]
				if key := s.side(p, q); !drawn[key] {
					drawn[key] = true
					s.points([]*boardv1.Point{p, q})
					n++
				}
			}
		}
		if n >= atOnce {
			s.stroke(ink, width)
			n = 0
		}
	}
	s.stroke(ink, width)
}

// side names a line between two points, whichever comes first, to a quarter of a pixel.
func (s *scene) side(p, q *boardv1.Point) [4]int32 {
	x0, y0 := s.point(p)
	x1, y1 := s.point(q)
	a, b := [2]int32{int32(math.Round(x0 * 4)), int32(math.Round(y0 * 4))},
		[2]int32{int32(math.Round(x1 * 4)), int32(math.Round(y1 * 4))}
	if b[0] < a[0] || b[0] == a[0] && b[1] < a[1] {
		a, b = b, a
	}
	return [4]int32{a[0], a[1], b[0], b[1]}
}

// lines are roads and railways through spaces, and rivers between them.
func (s *scene) lines() {
	var roads layers[*boardv1.Link]
	for _, l := range s.world.GetLinks() {
		roads.add(l.GetKind(), l)
	}
	var rivers layers[*boardv1.Edge]
	for _, e := range s.world.GetEdges() {
		rivers.add(e.GetKind(), e)
	}
	w := s.px(s.pitch)
	if !s.grid {
		w = s.px(s.world.GetWidth()) / 60
	}
	for _, kind := range roads.kinds {
		for _, l := range roads.of[kind] {
			s.link(l)
		}
		s.dc.SetColor(hex("#ffffff", 0.6))
		s.dc.SetLineWidth(w * 0.075)
		s.dc.StrokePreserve()
		s.stroke(hex(s.color(kind, "#6b5b4b"), 1), max(w*0.04, 0.8))
	}
	for _, kind := range rivers.kinds {
		for _, e := range rivers.of[kind] {
			s.points(s.border(e))
		}
		width := s.legend[kind].GetWidth()
		s.stroke(hex(s.color(kind, "#444444"), 0.9), max(w*cmp.Or(width, 0.085), 1))
	}
}

// border is the line of a feature between two spaces: the one that the map gives, else the side that their outlines
// share.
func (s *scene) border(e *boardv1.Edge) []*boardv1.Point {
	a, b := s.spaces[e.GetA()], s.spaces[e.GetB()]
	if len(e.GetPoints()) > 0 || a == nil || b == nil {
		return e.GetPoints()
	}
	sides := make(map[[4]int32]bool)
	for _, ring := range b.GetOutline() {
		for i, p := range ring.GetPoints() {
			sides[s.side(p, ring.Points[(i+1)%len(ring.Points)])] = true
		}
	}
	for _, ring := range a.GetOutline() {
		for i, p := range ring.GetPoints() {
			if q := ring.Points[(i+1)%len(ring.Points)]; sides[s.side(p, q)] {
				return []*boardv1.Point{p, q}
			}
		}
	}
	return nil
}

func (s *scene) link(l *boardv1.Link) {
	drawn := false
	for _, id := range l.GetSpaces() {
		x := s.spaces[id]
		if x == nil {
			continue
		}
		if px, py := s.point(centre(x)); drawn {
			s.dc.LineTo(px, py)
		} else {
			s.dc.MoveTo(px, py)
			drawn = true
		}
	}
}

// corners are where the features of a hex go, in parts of the pitch from its middle, so that a stack
// leaves them to be seen.
var corners = [...][2]float64{{-.27, -.27}, {.27, -.27}, {-.27, .27}, {.27, .27}, {0, -.38}, {0, .38}}

func (s *scene) features(x *boardv1.Space) {
	r := s.px(s.pitch) * 0.105
	if !s.grid {
		r = s.px(s.world.GetWidth()) / 300
	}
	for i, kind := range x.GetFeatures() {
		at := centre(x)
		px, py := s.point(at)
		switch {
		case !s.grid && x.GetCity() != nil:
			px, py = s.point(x.GetCity())
		case s.grid && len(x.GetFeatures()) == 1:
			px, py = px+0.24*s.px(s.pitch), py-0.24*s.px(s.pitch)
		case s.grid:
			d := corners[i%len(corners)]
			px, py = px+d[0]*s.px(s.pitch), py+d[1]*s.px(s.pitch)
		}
		s.feature(x, kind, px, py, r)
	}
}

func (s *scene) feature(x *boardv1.Space, kind string, px, py, r float64) {
	l := s.legend[kind]
	c := hex(cmp.Or(l.GetColor(), "#555555"), 1)
	switch glyph := l.GetGlyph(); {
	case l.GetShape() != "":
		side := r * 2.4
		for _, d := range [...][2]float64{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			s.shape(l.Shape, px-side/2+d[0]*side*0.05, py-side/2+d[1]*side*0.05, side, hex("#ffffff", 0.9))
		}
		s.shape(l.Shape, px-side/2, py-side/2, side, c)
	case !s.grid && x.GetCity() == nil:
	case glyph > "\u02ff":
		s.text.write(glyph, px, py+r*0.8, 0.5, regular, r*2.2, c)
	default:
		s.disc(px, py, r*0.85, "#ffffff")
		s.dc.DrawCircle(px, py, r*0.65)
		s.fill(c)
	}
}

func (s *scene) names(x *boardv1.Space) {
	cx, cy := s.point(centre(x))
	size := s.px(s.world.GetWidth()) / 220
	if s.grid {
		s.text.write(x.GetId(), cx, cy-s.px(s.pitch)*0.37, 0.5, regular, s.px(s.pitch)*0.115, hex("#3a3428", 0.75))
		size = s.px(s.pitch) * 0.14
	}
	name := x.GetName()
	if name == "" || x.GetLabel() == nil {
		return
	}
	px, py := s.point(x.GetLabel())
	if s.grid {
		px, py = cx, cy+s.px(s.pitch)*0.46
	} else {
		if x.GetLabelSize() > 0 {
			size = s.px(x.GetLabelSize())
		}
		size = min(size, s.px(s.world.GetWidth())/165)
		py += size * 0.35
	}
	size = max(size, 7.5)
	value := ""
	if x.GetValue() > 0 {
		value = " " + itoa(x.GetValue())
	}
	width := s.text.measure(name, bold, size)
	left := px - (width+s.text.measure(value, bold, size))/2
	s.text.halo(name, left, py, 0, bold, size, hex("#221d12", 1), hex("#fffbee", 0.35))
	s.text.halo(value, left+width, py, 0, bold, size, hex("#7a1f12", 1), hex("#fffbee", 0.35))
}
