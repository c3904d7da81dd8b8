package raster

import (
	"strings"
)

// glyphs of a military symbol, in a frame of 150 by 100: lines to draw, areas to fill, letters to write.
type insignia struct{ lines, areas, letters string }

const (
	cross = "M0 0 150 100M0 100 150 0"
	slash = "M0 100 150 0"
	track = "M45 26H105A24 24 0 0 1 105 74H45A24 24 0 0 1 45 26Z"
	dot   = "M75 35A15 15 0 0 1 75 65A15 15 0 0 1 75 35Z"
)

// branches are the insignia by function id of MIL-STD-2525C; what is not here has those of the longest
// beginning of its id that is.
var branches = map[string]insignia{
	"UCI": {lines: cross}, "UCIM": {lines: cross + "M75 0V100"}, "UCIZ": {lines: cross + track},
	"UCIO": {lines: cross, areas: "M75 60 96 100H54Z"},
	"UCIN": {lines: cross + "M75 12V88M61 22H89M50 66A25 24 0 0 0 100 66"},
	"UCIA": {lines: cross + "M51 92A12 12 0 0 1 75 92A12 12 0 0 1 99 92"},
	"UCIC": {lines: cross}, "UCR": {lines: slash}, "UCRC": {lines: slash}, "UCRV": {lines: slash + track},
	"UCRVA": {lines: slash + track},
	"UCA":   {lines: track}, "UCAA": {lines: "M0 100 75 0 150 100"}, "UCAAA": {lines: "M0 100 75 0 150 100" + track},
	"UCF": {areas: dot}, "UCFR": {areas: dot, lines: "M55 30 75 12 95 30M55 18 75 0 95 18"},
	"UCFM": {lines: "M75 58A13 13 0 0 1 75 84A13 13 0 0 1 75 58ZM75 58V18M62 32 75 16 88 32"},
	"UCFH": {areas: dot}, "UCD": {lines: "M0 100A75 62 0 0 1 150 100"}, "UCE": {lines: "M42 72V34H108V72M75 34V66"},
	"UCEC": {lines: "M42 72V34H108V72M75 34V66"},
	"UCS":  {letters: "SEC"}, "UULM": {letters: "MP"}, "UH": {letters: "HQ"}, "USS": {lines: "M0 75H150"},
	"US": {lines: "M0 75H150"},
}

// echelons are the signs of sizes above the frame, by the letter at place 12: so many of a letter beside one another.
var echelons = map[byte]struct {
	sign  string
	times int
}{
	'A': {"o", 1}, 'B': {"•", 1}, 'C': {"•", 2}, 'D': {"•", 3}, 'E': {"I", 1}, 'F': {"I", 2}, 'G': {"I", 3},
	'H': {"X", 1}, 'I': {"X", 2}, 'J': {"X", 3}, 'K': {"X", 4}, 'L': {"X", 5}, 'M': {"X", 6},
}

// insigniaOf finds what a symbol identification shows; nothing for what is unknown.
func insigniaOf(sidc string) (insignia, string) {
	if len(sidc) < 10 {
		return insignia{}, ""
	}
	size := ""
	if len(sidc) > 11 {
		e := echelons[sidc[11]]
		size = strings.Repeat(e.sign, e.times)
	}
	function := strings.TrimRight(sidc[4:10], "-*")
	for ; function != ""; function = function[:len(function)-1] {
		if i, known := branches[function]; known {
			return i, size
		}
	}
	return insignia{}, size
}

// symbol draws a military symbol into a box. Every unit has the frame of a friend: the colour of a
// counter says whose it is.
func (s *scene) symbol(sidc string, x, y, width, height float64, ink string) {
	what, size := insigniaOf(sidc)
	above := height * 0.2
	frameHeight := min(height-above, width*2/3)
	frameWidth := min(frameHeight*1.5, width)
	frameHeight = frameWidth * 2 / 3
	left, top := x+(width-frameWidth)/2, y+above+(height-above-frameHeight)/2
	k := frameWidth / 150
	at := func(px, py float64) (float64, float64) { return left + px*k, top + py*k }
	line := max(6*k, 0.9)
	s.rect(left, top, frameWidth, frameHeight, 0, "#f6efdb", 1)
	if what.areas != "" {
		s.dc.SetFillRuleWinding()
		trace(s.dc, what.areas, at)
		s.fill(hex(night, 1))
	}
	if what.lines != "" {
		trace(s.dc, what.lines, at)
		s.stroke(hex(night, 1), line)
	}
	s.text.write(what.letters, left+75*k, top+72*k, 0.5, bold, 62*k, hex(night, 1))
	s.dc.DrawRectangle(left, top, frameWidth, frameHeight)
	s.stroke(hex(night, 1), line)
	s.echelon(size, left+frameWidth/2, top-line, above, k, ink)
}

// echelon draws the sign of a size: strokes, since letters so small could not be read.
func (s *scene) echelon(size string, x, y, height, k float64, ink string) {
	h := min(height*0.8, 26*k)
	step := h * 0.95
	at := x - step*float64(len([]rune(size))-1)/2
	for _, r := range size {
		switch r {
		case 'X':
			s.dc.DrawLine(at-h*0.38, y-h, at+h*0.38, y)
			s.dc.DrawLine(at-h*0.38, y, at+h*0.38, y-h)
		case 'I':
			s.dc.DrawLine(at, y-h, at, y)
		default:
			s.dc.DrawCircle(at, y-h/2, h*0.25)
		}
		s.stroke(hex(ink, 1), max(5*k, 0.9))
		at += step
	}
}
