package raster

import (
	"cmp"
	"strconv"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

func itoa[T int | int32 | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// control shows terrain that has changed, who holds a space, and marks of spaces.
func (s *scene) control() {
	var owners layers[*boardv1.Space]
	s.dc.SetFillRuleEvenOdd()
	for _, state := range s.board.GetSpaces() {
		x := s.spaces[state.GetId()]
		if x == nil || !s.seenSpace(x) {
			continue
		}
		if state.GetTerrain() != "" {
			s.rings(x.GetOutline())
			s.fill(hex(s.color(state.GetTerrain(), "#999999"), 0.8))
		}
		if state.GetOwner() != "" {
			owners.add(state.GetOwner(), x)
		}
	}
	alpha := 0.62
	if s.grid {
		alpha = 0.13
	}
	for _, seat := range owners.kinds {
		for _, x := range owners.of[seat] {
			s.rings(x.GetOutline())
		}
		s.fill(hex(s.seatColor(seat), alpha))
	}
}

// closeUp is how many pixels a hex has at least in a picture that shows its zones.
const closeUp = 48

// spaceMarks are the small signs on spaces.
func (s *scene) spaceMarks() {
	r := s.px(s.counter) * 0.19
	for _, state := range s.board.GetSpaces() {
		x := s.spaces[state.GetId()]
		if x == nil || !s.seenSpace(x) {
			continue
		}
		px, py := s.point(centre(x))
		if s.grid {
			px, py = px+s.px(s.pitch)*0.3, py+s.px(s.pitch)*0.24
		}
		y := py + r*2.1
		for _, m := range state.GetMarks() {
			// A mark with a colour of its own is an area, such as a zone of control, which would cover a whole map.
			if s.marks[m].GetColor() != "" && s.px(s.pitch) < closeUp {
				continue
			}
			y -= r * 2.1
			s.rect(px-r*1.5, y-r, r*3, r*2, r*0.5, "#ffffff", 1)
			s.rect(px-r*1.4, y-r*0.9, r*2.8, r*1.8, r*0.4, "#5b1f16", 1)
			s.text.write(s.glyph(m), px, y+r*0.5, 0.5, bold, r*1.4, hex("#ffffff", 1))
		}
	}
}

// glyph is what a mark has room for.
func (s *scene) glyph(mark string) string {
	return cmp.Or(s.marks[mark].GetGlyph(), string([]rune(mark)[:min(2, len([]rune(mark)))]))
}

// reach marks the spaces that were asked for.
func (s *scene) reach(o Options) {
	w := s.px(s.pitch) * 0.05
	if !s.grid {
		w = s.px(s.world.GetWidth()) / 700
	}
	for _, id := range o.Spaces {
		if x := s.spaces[id]; x != nil {
			s.rings(x.GetOutline())
			s.dc.SetFillRuleEvenOdd()
			s.dc.SetColor(hex("#ffe45e", 0.42))
			s.dc.FillPreserve()
			s.stroke(hex("#14213d", 1), max(w, 1.5))
		}
	}
}
