package raster

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// scene is one picture in the making.
type scene struct {
	*atlas
	board *boardv1.Board
	view  view
	// seats by id, their emblems, and the colours of pieces.
	seats   map[string]*boardv1.SeatView
	emblems map[string]string
	// stacks are the pieces by place, each from the bottom.
	stacks map[string][]*boardv1.Piece
	marked map[string]bool

	margins margins
	// width and height of the picture, left and top of the map in it, in pixels.
	width, height, left, top int

	image *image.RGBA
	dc    *gg.Context
	text  *writer
}

func newScene(b *boardv1.Board, a *atlas, v view) *scene {
	s := &scene{
		atlas: a, board: b, view: v, seats: make(map[string]*boardv1.SeatView), emblems: emblems(b.GetSeats()),
		stacks: make(map[string][]*boardv1.Piece), marked: make(map[string]bool),
		text: &writer{faces: make(map[faceKey]font.Face)},
	}
	s.width, s.height = max(1, int(math.Ceil(v.width*v.scale))), max(1, int(math.Ceil(v.height*v.scale)))
	for _, seat := range b.GetSeats() {
		s.seats[seat.GetId()] = seat
	}
	for _, p := range b.GetPieces() {
		s.stacks[p.GetPlace()] = append(s.stacks[p.GetPlace()], p)
	}
	for _, stack := range s.stacks {
		slices.SortStableFunc(stack, func(a, b *boardv1.Piece) int {
			// Where the ruleset has no order, units lie on what they stand in.
			return cmp.Or(cmp.Compare(a.GetOrder(), b.GetOrder()), cmp.Compare(len(a.GetSymbol()), len(b.GetSymbol())))
		})
	}
	return s
}

// begin lays the sheet out.
func (s *scene) begin() {
	s.image = image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	s.dc = gg.NewContextForRGBA(s.image)
	s.text.image = s.image
	s.dc.SetColor(hex(paper, 1))
	s.dc.Clear()
}

// drawMap draws the map with everything on it, and nothing beside it.
func (s *scene) drawMap(o Options) {
	whole := s.image
	right, bottom := s.left+int(math.Ceil(s.view.width*s.view.scale)), s.top+int(math.Ceil(s.view.height*s.view.scale))
	// What is drawn over the map's edge lands on a sheet of its own.
	s.image = image.NewRGBA(image.Rect(0, 0, right-s.left, bottom-s.top))
	s.dc, s.text.image = gg.NewContextForRGBA(s.image), s.image
	s.rect(0, 0, float64(right-s.left), float64(bottom-s.top), 0, tableTop, 1)
	s.ground()
	s.control()
	s.reach(o)
	s.print()
	for _, p := range o.Pieces {
		s.marked[p] = true
	}
	s.pieces()
	paste(whole, s.image, s.left, s.top)
	s.image = whole
	s.dc, s.text.image = gg.NewContextForRGBA(whole), whole
}

// paste copies an opaque picture into another.
func paste(into, from *image.RGBA, left, top int) {
	b := from.Bounds()
	for y := range min(b.Dy(), into.Bounds().Dy()-top) {
		n := 4 * min(b.Dx(), into.Bounds().Dx()-left)
		copy(into.Pix[into.PixOffset(left, top+y):][:n], from.Pix[from.PixOffset(0, y):][:n])
	}
}

// reachable is how far beyond the picture a point may lie, in pixels: the rasterizer counts in small integers.
const reachable = 60_000

// pixel is a point of the map on the sheet.
func (s *scene) pixel(x, y float64) (float64, float64) {
	return clamp((x-s.view.x)*s.view.scale, -reachable, reachable),
		clamp((y-s.view.y)*s.view.scale, -reachable, reachable)
}

func (s *scene) point(p *boardv1.Point) (float64, float64) { return s.pixel(p.GetX(), p.GetY()) }

// px is a length of the map in pixels.
func (s *scene) px(length float64) float64 { return length * s.view.scale }

// seen says whether a part of the map may be in the picture, with a margin of a space around it.
func (s *scene) seen(x0, y0, x1, y1 float64) bool {
	m := s.pitch
	return x1 >= s.view.x-m && y1 >= s.view.y-m && x0 <= s.view.x+s.view.width+m && y0 <= s.view.y+s.view.height+m
}

func (s *scene) seenSpace(x *boardv1.Space) bool {
	c := centre(x)
	x0, y0, x1, y1 := bounds(x)
	return s.seen(min(x0, c.GetX()), min(y0, c.GetY()), max(x1, c.GetX()), max(y1, c.GetY()))
}

func (s *scene) rings(rings []*boardv1.Ring) {
	for _, r := range rings {
		s.points(r.GetPoints())
		s.dc.ClosePath()
	}
}

func (s *scene) points(points []*boardv1.Point) {
	for i, p := range points {
		if x, y := s.point(p); i == 0 {
			s.dc.MoveTo(x, y)
		} else {
			s.dc.LineTo(x, y)
		}
	}
}

// fill fills what was traced, even-odd, in a colour.
func (s *scene) fill(c color.Color) {
	s.dc.SetColor(c)
	s.dc.Fill()
}

// stroke draws along what was traced.
func (s *scene) stroke(c color.Color, width float64) {
	s.dc.SetColor(c)
	s.dc.SetLineWidth(width)
	s.dc.Stroke()
}

// rect fills a rectangle, with round corners if it has a radius.
func (s *scene) rect(x, y, w, h, r float64, fill string, alpha float64) {
	if r > 0 {
		s.dc.DrawRoundedRectangle(x, y, w, h, min(r, w/2, h/2))
	} else {
		s.dc.DrawRectangle(x, y, w, h)
	}
	s.fill(hex(fill, alpha))
}

func (s *scene) frame(x, y, w, h, r, width float64, c string) {
	s.dc.DrawRoundedRectangle(x, y, w, h, min(r, w/2, h/2))
	s.stroke(hex(c, 1), width)
}

func (s *scene) disc(x, y, r float64, fill string) {
	s.dc.DrawCircle(x, y, r)
	s.fill(hex(fill, 1))
}

// shape fills a silhouette in a box of 100 by 100 that lies at a place and is as large as side.
func (s *scene) shape(data string, x, y, side float64, c color.Color) {
	s.dc.SetFillRuleWinding()
	trace(s.dc, data, func(px, py float64) (float64, float64) { return x + px*side/100, y + py*side/100 })
	s.fill(c)
	s.dc.ClearPath()
}

func (s *scene) seatColor(id string) string { return cmp.Or(s.seats[id].GetColor(), neutral) }

func (s *scene) pieceColor(p *boardv1.Piece) string {
	return cmp.Or(p.GetColor(), s.seatColor(p.GetOwner()))
}
