package raster

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// margins are what stands around the map, in pixels.
type margins struct {
	foot  int
	title string
	// split says that the seats have a line of their own, because they leave no room for the title.
	split bool
	facts []string
	trays []tray
	words []string
}

// tray is a box beside the map with what lies in it.
type tray struct {
	name, owner        string
	pieces             []*boardv1.Piece
	x, y, width, depth float64
	columns            int
}

const (
	pad       = 12.0
	letters   = 15.0
	lineSkip  = 21.0
	trayPiece = 42.0
	// mostInTray is how many counters of a box are drawn; the number of those left out stands behind them.
	mostInTray = 120
	leastWidth = 480
)

// plan measures the margins and so the picture. Boxes are left out around a region.
func (s *scene) plan(boxes bool) {
	mapWidth := s.width
	s.width = max(s.width, leastWidth)
	s.left = (s.width - mapWidth) / 2
	m := &s.margins
	inner := float64(s.width) - 2*pad
	m.title = s.board.GetClock().GetText()
	m.facts = s.tracks(inner)
	lines := 1 + len(s.flow(m.facts, inner))
	if m.split = s.text.measure(m.title, bold, letters+2)+pad+s.seatsWidth() > inner; m.split {
		lines++
	}
	s.top = int(2*pad + lineSkip*float64(lines))
	y := float64(s.top+s.height) + pad
	if boxes {
		y = s.planTrays(y, inner)
	}
	for _, text := range s.questions() {
		m.words = append(m.words, s.text.wrap(text, inner, bold, letters)...)
	}
	m.foot = int(y)
	s.height = int(y + lineSkip*float64(len(m.words)) + pad*0.5)
}

// longFact is the longest text of a track that is shown, in letters, and mostFactLines how many lines of
// them there are at most.
const (
	longFact      = 60
	mostFactLines = 4
)

// tracks are the tracks that can be said shortly, as many as there is room for; how many are left
// out stands behind them.
func (s *scene) tracks(width float64) []string {
	var facts []string
	for _, t := range s.board.GetTracks() {
		if text := trackText(t); utf8.RuneCountInString(text) <= longFact {
			facts = append(facts, text)
		}
	}
	for {
		shown := facts
		if left := len(s.board.GetTracks()) - len(facts); left > 0 {
			shown = append(slices.Clip(facts), "+"+itoa(left))
		}
		if len(facts) == 0 || len(s.flow(shown, width)) <= mostFactLines {
			return shown
		}
		facts = facts[:len(facts)-1]
	}
}

// seatsWidth is how much room the names of the seats take beside one another.
func (s *scene) seatsWidth() float64 {
	sum := 0.0
	for _, seat := range s.board.GetSeats() {
		sum += s.text.measure(seat.GetName(), bold, letters) + 1.5*pad
	}
	return sum
}

func trackText(t *boardv1.Track) string {
	text := t.GetText()
	if text == "" {
		text = itoa(t.GetValue())
		if t.Max != nil {
			text += "/" + itoa(t.GetMax())
		}
	}
	return cmp.Or(t.GetName(), t.GetId()) + ": " + text
}

// questions are what the game waits for, or how it ended.
func (s *scene) questions() []string {
	if e := s.board.GetEnding(); e != nil {
		return []string{e.GetText()}
	}
	var all []string
	for _, p := range s.board.GetPrompts() {
		if !p.GetOptional() {
			name := cmp.Or(s.seats[p.GetSeat()].GetName(), p.GetSeat()) + ": "
			all = append(all, name+strings.TrimPrefix(p.GetText(), name))
		}
	}
	return all
}

// flow puts short texts beside one another, as many on a line as fit.
func (s *scene) flow(texts []string, width float64) [][]string {
	var lines [][]string
	used := 0.0
	for _, t := range texts {
		w := s.text.measure(t, regular, letters) + 2*pad
		if len(lines) == 0 || used+w > width {
			lines, used = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], s.text.clip(t, width, regular, letters))
		used += w
	}
	return lines
}

// planTrays places the boxes that hold something, and gives where they end.
func (s *scene) planTrays(y, inner float64) float64 {
	x, row := pad, 0.0
	for _, t := range s.boxes() {
		n := min(len(t.pieces), mostInTray)
		most := max(1, int((inner-pad)/trayPiece))
		name := s.text.measure(t.name, bold, letters)
		t.columns = min(most, max(n, 1))
		if rows := math.Sqrt(float64(n) / 3); n > 12 {
			t.columns = min(most, max(12, int(math.Ceil(float64(n)/math.Ceil(rows)))))
		}
		t.width = min(max(float64(t.columns)*trayPiece+pad, name+pad), inner)
		t.depth = lineSkip + trayPiece*math.Ceil(float64(n)/float64(t.columns)) + pad/2
		if x > pad && x+t.width > pad+inner {
			x, y, row = pad, y+row+pad*0.7, 0
		}
		t.x, t.y = x, y
		x, row = x+t.width+pad*0.7, max(row, t.depth)
		s.margins.trays = append(s.margins.trays, t)
	}
	if row > 0 {
		y += row + pad
	}
	return y
}

// boxes lists the boxes that hold something, in the map's order, then places that the map does not know.
func (s *scene) boxes() []tray {
	var all []tray
	known := make(map[string]bool)
	for _, b := range s.world.GetBoxes() {
		known[b.GetId()] = true
		if stack := s.stacks[b.GetId()]; len(stack) > 0 {
			all = append(all, tray{name: cmp.Or(b.GetName(), b.GetId()), owner: b.GetOwner(), pieces: stack})
		}
	}
	var rest []string
	for id := range s.stacks {
		if !known[id] && s.spaces[id] == nil {
			rest = append(rest, id)
		}
	}
	slices.Sort(rest)
	for _, id := range rest {
		all = append(all, tray{name: cmp.Or(id, "—"), pieces: s.stacks[id]})
	}
	return all
}

// drawMargins draws what stands around the map.
func (s *scene) drawMargins() {
	m := &s.margins
	y := pad + letters
	s.text.write(s.text.clip(m.title, float64(s.width)-2*pad, bold, letters+2), pad, y, 0, bold, letters+2,
		hex(darkInk, 1))
	x := float64(s.width) - pad
	if m.split {
		y += lineSkip
		x = min(x, pad+s.seatsWidth())
	}
	for _, seat := range slices.Backward(s.board.GetSeats()) {
		w := s.text.measure(seat.GetName(), bold, letters) + pad
		if x-w < pad {
			break // more seats than a line has room for; their names stand in the questions too
		}
		c := cmp.Or(seat.GetColor(), neutral)
		s.rect(x-w, y-letters-1, w, lineSkip, 4, c, 1)
		s.text.write(seat.GetName(), x-w+pad/2, y, 0, bold, letters, hex(inkOn(c), 1))
		x -= w + pad/2
	}
	for _, line := range s.flow(m.facts, float64(s.width)-2*pad) {
		y += lineSkip
		at := pad
		for _, t := range line {
			s.text.write(t, at, y, 0, regular, letters, hex("#4a4436", 1))
			at += s.text.measure(t, regular, letters) + 2*pad
		}
	}
	for _, t := range m.trays {
		s.drawTray(t)
	}
	for i, line := range m.words {
		s.text.write(line, pad, float64(m.foot)+letters+float64(i)*lineSkip, 0, bold, letters, hex(darkInk, 1))
	}
}

func (s *scene) drawTray(t tray) {
	c := cmp.Or(s.seats[t.owner].GetColor(), "#9a927c")
	s.rect(t.x, t.y, t.width, t.depth, 5, c, 0.22)
	s.frame(t.x, t.y, t.width, t.depth, 5, 1, c)
	name := s.text.clip(t.name, t.width-pad, bold, letters)
	if n := len(t.pieces); n > mostInTray {
		name = s.text.clip(t.name+" (+"+itoa(n-mostInTray)+")", t.width-pad, bold, letters)
	}
	s.text.write(name, t.x+pad/2, t.y+letters+2, 0, bold, letters, hex(darkInk, 1))
	for i, p := range t.pieces[:min(len(t.pieces), mostInTray)] {
		s.counterAt(p, t.x+pad/2+float64(i%t.columns)*trayPiece, t.y+lineSkip+float64(i/t.columns)*trayPiece,
			trayPiece-3)
	}
}
