package picture

import (
	"fmt"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// window is the part of the grid that is drawn: columns from and to, inclusive.
type window struct{ from, to int }

// hexes draws a map of hexes. Without a width it is of middle size; otherwise as large as fits, and of one too wide for
// any size the part around the centre.
func (s *scene) hexes(g grid, o Options) string {
	sizes := shapes(g.pointy)
	chosen, w := sizes[1], window{0, g.maxU}
	if o.Width > 0 {
		chosen = sizes[len(sizes)-1]
		for _, size := range sizes {
			if size.across(g.maxU) <= o.Width {
				chosen = size
				break
			}
		}
		w = chosen.windowOf(g, o.Width, s.focus(g, o.Centre))
	}
	c := newCanvas(chosen.across(w.to-w.from), g.maxV*chosen.stepY+chosen.height)
	for _, x := range s.world.Spaces {
		if p := g.at[x.Id]; p.u >= w.from && p.u <= w.to {
			s.hex(c, chosen, x, (p.u-w.from)*chosen.stepX, p.v*chosen.stepY)
		}
	}
	s.edges(c, chosen, g, w)
	out := c.render(s.paint)
	if w.from > 0 || w.to < g.maxU {
		out += fmt.Sprintf("(part of the map, around %s: --at SPACE for another, --width for more)\n", s.nearest(g, w))
	}
	return out
}

// across is how many cells a number of steps takes.
func (h shape) across(steps int) int { return steps*h.stepX + h.width }

// windowOf is what fits into a width around a column.
func (h shape) windowOf(g grid, width, centre int) window {
	fits := (width - h.width) / h.stepX
	if fits >= g.maxU {
		return window{0, g.maxU}
	}
	fits = max(fits, 0)
	from := min(max(centre-fits/2, 0), g.maxU-fits)
	return window{from, from + fits}
}

// focus is the column to draw around: that of the space asked for, or of what the game asks about, or the middle.
func (s *scene) focus(g grid, centre string) int {
	if p, ok := g.at[centre]; ok {
		return p.u
	}
	for _, q := range s.board.GetPrompts() {
		for _, id := range q.Spaces {
			if p, ok := g.at[id]; ok {
				return p.u
			}
		}
		for _, id := range q.Pieces {
			for _, piece := range s.board.GetPieces() {
				if p, ok := g.at[piece.Place]; ok && piece.Id == id {
					return p.u
				}
			}
		}
	}
	return g.maxU / 2
}

// nearest is a space in the middle of a window.
func (s *scene) nearest(g grid, w window) string {
	best, found := "", place{}
	off := func(p place) int { return abs(p.u-(w.from+w.to)/2) + abs(p.v-g.maxV/2) }
	for _, x := range s.world.Spaces {
		if p := g.at[x.Id]; best == "" || off(p) < off(found) {
			best, found = x.Id, p
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// hex draws one hex with its corner at x, y.
func (s *scene) hex(c *canvas, h shape, x *boardv1.Space, left, top int) {
	line := style{fg: dim}
	for _, cells := range h.sides {
		for _, e := range cells {
			if p := c.at(left+e.dx, top+e.dy); p != nil && p.s.bg == "" {
				*p = cell{r: e.r, s: line}
			}
		}
	}
	ground := fill(s.legend[s.terrain(x)].GetColor())
	texts := s.texts(x, h)
	for i, at := range h.slots {
		if at.border { // the border shows behind the text
			for k := range at.w {
				if p := c.at(left+at.dx+k, top+at.dy); p != nil {
					*p = cell{r: '_', s: style{fg: dim, bg: ground.bg}}
				}
			}
		} else {
			c.put(left+at.dx, top+at.dy, at.w, pad("", at.w), ground)
		}
		if i < len(texts) {
			used := 0
			for _, t := range texts[i] {
				used += c.put(left+at.dx+used, top+at.dy, at.w-used, t.text, over(ground, t.s))
			}
		}
	}
}

// over is a style on some ground.
func over(ground, s style) style {
	if s.bg != "" {
		return s
	}
	s.bg = ground.bg
	if s.fg == "" || ground.bg != "" {
		s.fg = ground.fg
	}
	return s
}

// words is a piece of text in one style.
type words struct {
	text string
	s    style
}

// texts says what stands in a hex, by line: where it is, what is in it, and what else there is room for.
func (s *scene) texts(x *boardv1.Space, h shape) [][]words {
	first := []words{{x.Id, style{}}, {s.glyphs(x), style{bold: true}}}
	if owner := s.state[x.Id].GetOwner(); owner != "" {
		if room := h.slots[0].w - wide(x.Id) - wide(s.glyphs(x)); room > 0 {
			first = append(first, words{s.letter[owner],
				style{fg: on(s.seats[owner].GetColor()), bg: s.seats[owner].GetColor(), bold: true}})
		}
	}
	out := [][]words{first}
	stack := s.stacks[x.Id]
	if len(stack) == 0 {
		if len(h.slots) > 2 {
			out = append(out, nil, []words{{x.Name, style{}}})
		}
		return out
	}
	look := fill(s.color(stack[0]))
	look.bold = true
	out = append(out, []words{{s.stackText(stack, h.slots[1].w), look}})
	if len(h.slots) > 2 && len(stack) > 1 {
		var rest []words
		for _, p := range stack[1:] {
			rest = append(rest, words{short(p), fill(s.color(p))}, words{" ", style{}})
		}
		out = append(out, rest)
	}
	return out
}

// edges draws what runs along hexsides: in colour, or in their glyph if they have no colour.
func (s *scene) edges(c *canvas, h shape, g grid, w window) { s.edgesFrom(c, h, g, w, 0) }

// edgesFrom draws them with row top at the top of the canvas.
func (s *scene) edgesFrom(c *canvas, h shape, g grid, w window, top int) {
	for _, e := range s.world.Edges {
		a, okA := g.at[e.A]
		b, okB := g.at[e.B]
		if !okA || a.u < w.from || a.u > w.to { // drawn from the other side
			a, b, okA, okB = b, a, okB, okA
		}
		if !okA || !okB || a.u < w.from || a.u > w.to {
			continue
		}
		which := g.between(a, b)
		if which == noSide {
			continue
		}
		kind := s.legend[e.Kind]
		for _, at := range h.sides[which] {
			p := c.at((a.u-w.from)*h.stepX+at.dx, (a.v-top)*h.stepY+at.dy)
			if p == nil || p.skip || p.r != at.r {
				continue // text stands there
			}
			p.s.fg, p.s.bold = kind.GetColor(), true
			if glyph := []rune(kind.GetGlyph()); s.paint.plain && len(glyph) > 0 {
				p.r = glyph[0]
			}
		}
	}
}
