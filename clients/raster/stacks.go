package raster

import (
	"math"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// shown is how many counters of a stack in a hex are drawn; the number of all stands beside it.
const shown = 4

// pieces draws what stands on the map.
func (s *scene) pieces() {
	s.spaceMarks()
	for _, x := range s.world.GetSpaces() {
		stack := s.stacks[x.GetId()]
		if len(stack) == 0 || !s.seenSpace(x) {
			continue
		}
		if s.grid {
			s.pile(x, stack)
		} else {
			s.spread(x, stack)
		}
	}
}

// pile draws counters that lie on one another, the top one to the upper right.
func (s *scene) pile(x *boardv1.Space, stack []*boardv1.Piece) {
	top := stack[max(0, len(stack)-shown):]
	size := s.px(s.counter)
	if len(top) > 1 {
		size *= 0.94
	}
	step := size * 0.1
	span := size + step*float64(len(top)-1)
	cx, cy := s.point(centre(x))
	left, upper := cx-span/2, cy-span/2+s.px(s.pitch)*0.03
	for i, p := range top {
		s.counterAt(p, left+float64(i)*step, upper+float64(len(top)-1-i)*step, size)
	}
	if len(stack) > len(top) {
		r := size * 0.21
		s.disc(left, upper+span, r*1.15, "#ffffff")
		s.disc(left, upper+span, r, night)
		s.text.write(itoa(len(stack)), left, upper+span+r*0.5, 0.5, bold, r*1.35, hex("#ffffff", 1))
	}
}

// spread draws counters side by side in an area, smaller where there are many.
func (s *scene) spread(x *boardv1.Space, stack []*boardv1.Piece) {
	full := s.px(s.counter)
	room := s.px(x.GetRoom())
	if room <= 0 {
		room = full * 1.2
	}
	size, columns := full, 1
	for ; size > full*0.62; size *= 0.94 {
		columns = max(1, int(room*2.3/size))
		if math.Ceil(float64(len(stack))/float64(columns))*size <= room*2.2 {
			break
		}
	}
	columns = min(columns, int(math.Ceil(math.Sqrt(float64(len(stack))*1.6))))
	rows := (len(stack) + columns - 1) / columns
	cx, cy := s.point(centre(x))
	left, upper := cx-float64(columns)*size/2, cy-float64(rows)*size/2
	for i, p := range stack {
		s.counterAt(p, left+float64(i%columns)*size, upper+float64(i/columns)*size, size*0.94)
	}
}
