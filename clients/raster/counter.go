package raster

import (
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Below these sides, in pixels, a counter leaves out what could not be read: names and steps, and then its numbers.
const (
	roomForNames   = 40
	roomForNumbers = 22
)

// counterAt draws a piece as a counter: a symbol of its kind with its numbers, or a silhouette, or its short name.
func (s *scene) counterAt(p *boardv1.Piece, x, y, size float64) {
	k := size / 100
	ground := s.pieceColor(p)
	ink := inkOn(ground)
	s.rect(x+4*k, y+6*k, 98*k, 98*k, 9*k, "#000000", 0.28)
	s.rect(x, y, size, size, 9*k, ground, 1)
	if p.GetMaxSteps() > 0 && p.GetSteps() < p.GetMaxSteps() {
		s.dc.SetFillRuleWinding()
		trace(s.dc, "M0 30 30 0H58L0 58Z", func(px, py float64) (float64, float64) { return x + px*k, y + py*k })
		s.fill(hex(ink, 0.2))
	}
	s.frame(x, y, size, size, 9*k, max(2.5*k, 0.8), night)
	shape := s.kinds[p.GetKind()].GetShape()
	switch {
	case p.GetSymbol() != "":
		s.symbolCounter(p, x, y, k, ink)
	case shape != "":
		s.shape(shape, x+11*k, y+15*k, 78*k, hex(ink, 1))
		if size >= roomForNames && len([]rune(p.GetShortName())) <= 4 {
			s.text.write(p.GetShortName(), x+95*k, y+18*k, 1, bold, 15*k, hex(ink, 1))
		}
	default:
		s.plainCounter(p, x, y, k, ink)
	}
	if size >= roomForNames {
		s.text.write(s.emblems[p.GetOwner()], x+7*k, y+19*k, 0, regular, 15*k, hex(ink, 1))
		s.steps(p, x, y, k, ink)
	}
	s.pieceMarks(p, x, y, k)
	if p.GetCount() > 1 {
		s.count(p, x, y, k)
	}
	if s.marked[p.GetId()] {
		s.frame(x-4*k, y-4*k, 108*k, 108*k, 12*k, max(8*k, 1.5), "#ffd21f")
	}
}

// numbersOf are the figures that a counter has room for.
func numbersOf(p *boardv1.Piece) string {
	var all []string
	for i, n := range p.GetNumbers() {
		if i < 4 && len(n.GetValue()) <= 4 && len(all) < 3 {
			all = append(all, n.GetValue())
		}
	}
	return strings.Join(all, "-")
}

func (s *scene) symbolCounter(p *boardv1.Piece, x, y, k float64, ink string) {
	numbers := numbersOf(p)
	if 100*k < roomForNumbers {
		numbers = ""
	}
	height := 54.0
	if numbers == "" {
		height = 72
	}
	s.symbol(p.GetSymbol(), x+16*k, y+12*k, 68*k, height*k, ink)
	if 100*k >= roomForNames {
		size := 18.0
		if len([]rune(p.GetShortName())) > 4 {
			size = 14
		}
		s.text.write(p.GetShortName(), x+95*k, y+18*k, 1, bold, size*k, hex(ink, 1))
	}
	size := 30.0
	if len(numbers) > 5 {
		size = 24
	}
	s.text.write(numbers, x+50*k, y+93*k, 0.5, bold, size*k, hex(ink, 1))
}

func (s *scene) plainCounter(p *boardv1.Piece, x, y, k float64, ink string) {
	numbers := numbersOf(p)
	n := len([]rune(p.GetShortName()))
	size, base := 42.0, 64.0
	if n > 4 {
		size = 25
	} else if n > 2 {
		size = 34
	}
	if numbers != "" {
		base = 54
	}
	s.text.write(p.GetShortName(), x+50*k, y+base*k, 0.5, bold, size*k, hex(ink, 1))
	s.text.write(numbers, x+50*k, y+90*k, 0.5, bold, 26*k, hex(ink, 1))
}

// mostSteps is how many dots a counter has room for.
const mostSteps = 8

func (s *scene) steps(p *boardv1.Piece, x, y, k float64, ink string) {
	if p.GetMaxSteps() < 2 {
		return
	}
	for i := range min(p.MaxSteps, mostSteps) {
		s.dc.DrawCircle(x+92*k, y+(32+float64(i)*9)*k, 3.3*k)
		if i < p.GetSteps() {
			s.fill(hex(ink, 1))
		} else {
			s.stroke(hex(ink, 1), max(1.5*k, 0.5))
		}
	}
}

// mostMarks is how many marks a counter has room for.
const mostMarks = 4

func (s *scene) pieceMarks(p *boardv1.Piece, x, y, k float64) {
	if 100*k < roomForNumbers {
		return
	}
	for i, m := range p.GetMarks()[:min(len(p.GetMarks()), mostMarks)] {
		top := y + (26+float64(i)*18)*k
		s.rect(x-7*k, top-k, 28*k, 18*k, 5*k, "#ffffff", 1)
		s.rect(x-6*k, top, 26*k, 16*k, 4*k, night, 1)
		s.text.write(s.glyph(m), x+7*k, top+12.5*k, 0.5, bold, 12*k, hex("#ffffff", 1))
	}
}

// count says how many pieces a counter stands for.
func (s *scene) count(p *boardv1.Piece, x, y, k float64) {
	s.disc(x+84*k, y+84*k, 23*k, night)
	s.disc(x+84*k, y+84*k, 20*k, "#fffdf5")
	s.text.write(itoa(p.GetCount()), x+84*k, y+94*k, 0.5, bold, 29*k, hex(night, 1))
}
