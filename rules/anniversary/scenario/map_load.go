package scenario

import (
	"fmt"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Picture is the drawing of a scenario as a map shows it; empty if none exists.
type Picture struct {
	// Outlines and Shapes are those of each space.
	Outlines [][]*boardv1.Ring
	Shapes   []*anniversaryv1.Shape
	// Canals are the line of each canal.
	Canals [][]*boardv1.Point
	// Decor are the rings of each entry of the drawing.
	Decor [][]*boardv1.Ring
}

// drawing checks how the map looks. A shape of a space that is not there does no harm, since one drawing
// may serve several maps.
func (l *loader) drawing() {
	s, d := l.sc, l.sc.Art
	s.Picture = Picture{
		Outlines: make([][]*boardv1.Ring, len(s.Spaces)), Shapes: make([]*anniversaryv1.Shape, len(s.Spaces)),
		Canals: make([][]*boardv1.Point, len(s.Canals)),
	}
	if d == nil {
		return
	}
	l.Number("drawing.width", d.GetWidth(), 1, maxCanvas)
	l.Number("drawing.height", d.GetHeight(), 1, maxCanvas)
	if !l.Count("drawing.shapes", len(d.GetShapes()), 0, 2*MaxSpaces) ||
		!l.Count("drawing.decor", len(d.GetDecor()), 0, maxDecor) ||
		!l.Count("drawing.links", len(d.GetLinks()), 0, maxDecor) {
		return
	}
	left := maxPoints
	for i, shape := range d.GetShapes() {
		l.shape(fmt.Sprintf("drawing.shapes[%d]", i), shape, &left)
	}
	for sp, shape := range s.Picture.Shapes {
		if shape == nil {
			l.Warn("drawing.shapes", "%s has no shape", s.Spaces[sp].ID)
		}
	}
	for i, c := range d.GetDecor() {
		path := fmt.Sprintf("drawing.decor[%d]", i)
		if c.GetKind() != anniversaryv1.DecorKind_DECOR_KIND_ICE &&
			c.GetKind() != anniversaryv1.DecorKind_DECOR_KIND_LAKE {
			l.Fault(path+".kind", "%s, expected ice or lake", c.GetKind())
		}
		l.Words(path+".name", c.GetName(), maxName)
		rings, _ := l.path(path+".path", c.GetPath(), &left)
		s.Picture.Decor = append(s.Picture.Decor, rings)
	}
	for i, link := range d.GetLinks() {
		path := fmt.Sprintf("drawing.links[%d]", i)
		line, _ := l.path(path+".path", link.GetPath(), &left)
		for c := range s.Canals {
			if s.Canals[c].ID == link.GetCanal() && len(line) > 0 {
				s.Picture.Canals[c] = line[0].GetPoints()
			}
		}
	}
}

func (l *loader) shape(path string, shape *anniversaryv1.Shape, left *int) {
	s, d := l.sc, l.sc.Art
	for _, x := range [...]struct {
		field string
		spot  *anniversaryv1.Spot
		must  bool
	}{
		{"label", shape.GetLabel(), true},
		{"stack", shape.GetStack(), true},
		{"city", shape.GetCity(), false},
		{"name", shape.GetName(), false},
	} {
		if x.spot == nil && x.must {
			l.Fault(path+"."+x.field, "no point")
		}
		if x.spot.GetX() > d.GetWidth() || x.spot.GetY() > d.GetHeight() {
			l.Fault(path+"."+x.field, "the point %d,%d is off the canvas", x.spot.GetX(), x.spot.GetY())
		}
	}
	rings, ok := l.path(path+".path", shape.GetPath(), left)
	sp, there := l.spaceBy[shape.GetSpace()]
	switch {
	case !there:
		l.Warn(path+".space", "%.40q is not a space of the map", shape.GetSpace())
		return
	case s.Picture.Shapes[sp] != nil:
		l.Fault(path+".space", "%s is given twice", shape.GetSpace())
	case len(rings) == 0 && ok:
		l.Fault(path+".path", "no outline")
	}
	s.Picture.Shapes[sp], s.Picture.Outlines[sp] = shape, rings
}

// path reads an outline or a line; ok is false if it has a fault.
func (l *loader) path(at, text string, left *int) (rings []*boardv1.Ring, ok bool) {
	p := pen{text: text, width: int(l.sc.Art.GetWidth()), height: int(l.sc.Art.GetHeight()), left: *left}
	err := p.draw()
	*left = p.left
	if err != nil {
		l.Fault(at, "%v", err)
		return nil, false
	}
	return p.rings, true
}
