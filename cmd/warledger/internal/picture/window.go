package picture

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Part is what of a map is drawn, and what stands out in it.
type Part struct {
	// Width and Height of the part in cells.
	Width, Height int
	// Zoom is the size of hexes, from 0, the smallest.
	Zoom int
	// Cursor is a space or box; it is always in the part.
	Cursor string
	// Lit spaces and boxes are those that something could be done with.
	Lit map[string]bool
}

// Zooms is how many sizes there are.
const Zooms = 3

// Window draws the part of a map around the cursor in exactly the height of the part: hexes, or for a map that is not
// made of hexes a list of its spaces. Without colours a border of # is the cursor and one of * is lit.
func Window(b *boardv1.Board, m *boardv1.Map, o Options, part Part) string {
	s := newScene(b, m, o)
	var text string
	if g, ok := gridOf(m); ok {
		text = s.hexWindow(g, part)
	} else {
		text = s.areaWindow(part)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for len(lines) < part.Height {
		lines = append(lines, "")
	}
	return strings.Join(lines[:part.Height], "\n")
}

func (s *scene) hexWindow(g grid, part Part) string {
	sizes := shapes(g.pointy)
	h := sizes[len(sizes)-1-min(max(part.Zoom, 0), len(sizes)-1)]
	centre, ok := g.at[part.Cursor]
	if !ok {
		centre = place{g.maxU / 2, g.maxV / 2}
	}
	w := h.windowOf(g, part.Width, centre.u)
	rows := max((part.Height-h.height)/h.stepY, 0)
	top := min(max(centre.v-rows/2, 0), max(g.maxV-rows, 0))
	c := newCanvas(min(h.across(w.to-w.from), part.Width), part.Height)
	corner := func(p place) (left, up int) { return (p.u - w.from) * h.stepX, (p.v - top) * h.stepY }
	for _, x := range s.world.Spaces {
		if p := g.at[x.Id]; p.u >= w.from && p.u <= w.to && p.v >= top {
			left, up := corner(p)
			s.hex(c, h, x, left, up)
		}
	}
	s.edgesFrom(c, h, g, w, top)
	mark := func(id string, look style, plain rune) {
		p, ok := g.at[id]
		if !ok || p.u < w.from || p.u > w.to || p.v < top {
			return
		}
		left, up := corner(p)
		for _, cells := range h.sides {
			for _, e := range cells {
				at := c.at(left+e.dx, up+e.dy)
				if at == nil || at.skip || e.r == '_' && at.r != '_' && at.r != '*' {
					continue // text stands there
				}
				at.s.fg, at.s.bold = look.fg, true
				if s.paint.plain {
					at.r = plain
				}
			}
		}
	}
	for _, x := range s.world.Spaces {
		if part.Lit[x.Id] {
			mark(x.Id, style{fg: litColour}, '*')
		}
	}
	mark(part.Cursor, style{fg: cursorColour}, '#')
	if !s.paint.plain {
		s.invert(c, h, g, w, top, part.Cursor)
	}
	return c.render(s.paint)
}

// invert fills the name line of the cursor's hex.
func (s *scene) invert(c *canvas, h shape, g grid, w window, top int, id string) {
	p, ok := g.at[id]
	if !ok {
		return
	}
	at := h.slots[0]
	for k := range at.w {
		if one := c.at((p.u-w.from)*h.stepX+at.dx+k, (p.v-top)*h.stepY+at.dy); one != nil {
			one.s = fill(cursorColour)
		}
	}
}

// Colours of what stands out, told apart by brightness too.
const (
	litColour    = "#ffb000"
	cursorColour = "#ffffff"
)

// areaWindow lists spaces and what is in them, a line each, around the cursor.
func (s *scene) areaWindow(part Part) string {
	spaces := s.world.GetSpaces()
	at := 0
	for i, x := range spaces {
		if x.Id == part.Cursor {
			at = i
		}
	}
	first := min(max(at-part.Height/2, 0), max(len(spaces)-part.Height, 0))
	var out strings.Builder
	for _, x := range spaces[first:min(first+part.Height, len(spaces))] {
		mark := "  "
		switch {
		case x.Id == part.Cursor:
			mark = "# "
		case part.Lit[x.Id]:
			mark = "* "
		}
		text := s.areaName(x)
		if stack := s.stacks[x.Id]; len(stack) > 0 {
			text = strings.TrimSuffix(s.line(text, stack, 0), "\n")
		}
		look := style{bold: x.Id == part.Cursor}
		if x.Id == part.Cursor || part.Lit[x.Id] {
			look.fg = litColour
		}
		out.WriteString(s.paint.paint(look, mark) + ansi.Truncate(text, part.Width-2, "…") + "\n")
	}
	return out.String()
}

// Places are the ids of the map's spaces, then of boxes that hold something, in the order of the map.
func Places(b *boardv1.Board, m *boardv1.Map) (ids []string) {
	for _, x := range m.GetSpaces() {
		ids = append(ids, x.Id)
	}
	held := make(map[string]bool)
	for _, p := range b.GetPieces() {
		held[p.Place] = true
	}
	for _, x := range m.GetBoxes() {
		if held[x.Id] {
			ids = append(ids, x.Id)
		}
	}
	return ids
}

// Toward is the space that lies next in a direction, dx and dy of -1, 0 or 1, from another; the same if none exists.
// On a map that is not made of hexes, which is shown as a list, up and down are the lines of the list.
func Toward(m *boardv1.Map, from string, dx, dy int) string {
	var here *boardv1.Space
	at := 0
	for i, x := range m.GetSpaces() {
		if x.Id == from {
			here, at = x, i
		}
	}
	if here == nil {
		if len(m.GetSpaces()) == 0 {
			return from
		}
		return m.Spaces[0].Id
	}
	if _, ok := gridOf(m); !ok {
		return m.Spaces[min(max(at+dx*10+dy, 0), len(m.Spaces)-1)].Id
	}
	best, least := from, 0.0
	for _, x := range m.Spaces {
		alongX, alongY := x.Centre.GetX()-here.Centre.GetX(), x.Centre.GetY()-here.Centre.GetY()
		along := alongX*float64(dx) + alongY*float64(dy)
		across := alongX*float64(dy) - alongY*float64(dx)
		if x.Id == from || along <= 0 || along*along*3.1 < across*across {
			continue // behind, or more than 60 degrees aside
		}
		if far := along*along + 2*across*across; best == from || far < least {
			best, least = x.Id, far
		}
	}
	return best
}

// Name is what a space or box is called.
func Name(m *boardv1.Map, id string) string {
	for _, x := range m.GetSpaces() {
		if x.Id == id {
			return cmp.Or(x.Name, x.Id)
		}
	}
	for _, x := range m.GetBoxes() {
		if x.Id == id {
			return cmp.Or(x.Name, x.Id)
		}
	}
	return id
}
