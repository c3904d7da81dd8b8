package picture

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/lipgloss"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Options say how to draw.
type Options struct {
	// Width of the terminal in cells; 0 if it has no bounds.
	Width int
	// Renderer knows the colours of the terminal; without one there are none.
	Renderer *lipgloss.Renderer
	// Centre is the space around which to draw when the map is wider than the terminal.
	Centre string
	// Legend adds what the glyphs and colours mean.
	Legend bool
	// Words says an English text of the program in the language asked for; without it they stay English.
	Words func(english string) string
}

// Say is an English text of the program in the language asked for.
func (o Options) Say(english string) string {
	if o.Words == nil {
		return english
	}
	return o.Words(english)
}

func (o Options) painter() painter {
	return painter{renderer: o.Renderer, plain: o.Renderer == nil || o.Renderer.ColorProfile() == noColours}
}

// scene is a board with everything looked up.
type scene struct {
	board  *boardv1.Board
	world  *boardv1.Map
	spaces map[string]*boardv1.Space
	legend map[string]*boardv1.Legend
	state  map[string]*boardv1.SpaceState
	stacks map[string][]*boardv1.Piece
	seats  map[string]*boardv1.SeatView
	letter map[string]string
	paint  painter
	words  func(english string) string
}

func newScene(b *boardv1.Board, m *boardv1.Map, o Options) *scene {
	s := &scene{
		board: b, world: m, paint: o.painter(), words: o.Say,
		spaces: make(map[string]*boardv1.Space), legend: make(map[string]*boardv1.Legend),
		state:  make(map[string]*boardv1.SpaceState),
		stacks: make(map[string][]*boardv1.Piece), seats: make(map[string]*boardv1.SeatView),
	}
	for _, x := range m.GetSpaces() {
		s.spaces[x.Id] = x
	}
	for _, x := range m.GetLegend() {
		s.legend[x.Key] = x
	}
	for _, x := range b.GetSpaces() {
		s.state[x.Id] = x
	}
	for _, x := range b.GetSeats() {
		s.seats[x.Id] = x
	}
	for _, x := range b.GetPieces() {
		s.stacks[x.Place] = append(s.stacks[x.Place], x)
	}
	for _, stack := range s.stacks { // the top of a stack first
		slices.SortStableFunc(stack, func(a, b *boardv1.Piece) int { return cmp.Compare(b.Order, a.Order) })
	}
	s.letter = letters(b.GetSeats())
	return s
}

// letters gives every seat a letter of its own, from its id if that can be.
func letters(seats []*boardv1.SeatView) map[string]string {
	given := make(map[string]string, len(seats))
	taken := make(map[rune]bool, len(seats))
	for _, seat := range seats {
		for _, r := range strings.ToUpper(seat.Id) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" {
			if (unicode.IsLetter(r) || unicode.IsDigit(r)) && !taken[r] {
				taken[r], given[seat.Id] = true, string(r)
				break
			}
		}
	}
	return given
}

// terrain of a space now.
func (s *scene) terrain(x *boardv1.Space) string {
	if now := s.state[x.Id].GetTerrain(); now != "" {
		return now
	}
	return x.Terrain
}

// glyphs are the marks of a space: its terrain, then its features.
func (s *scene) glyphs(x *boardv1.Space) string {
	out := s.legend[s.terrain(x)].GetGlyph()
	for _, f := range x.Features {
		out += s.legend[f].GetGlyph()
	}
	return out
}

// named is what a key of the legend is called.
func (s *scene) named(key string) string {
	if name := s.legend[key].GetName(); name != "" {
		return name
	}
	return key
}

func (s *scene) seatName(id string) string {
	if name := s.seats[id].GetName(); name != "" {
		return name
	}
	return id
}

// color of a seat, or of a piece that has one of its own.
func (s *scene) color(p *boardv1.Piece) string {
	if p.Color != "" {
		return p.Color
	}
	return s.seats[p.Owner].GetColor()
}

// count is how many pieces a stack holds, identical ones each by themselves.
func count(stack []*boardv1.Piece) (n int) {
	for _, p := range stack {
		n += max(1, int(p.Count))
	}
	return n
}

func short(p *boardv1.Piece) string { return cmp.Or(p.ShortName, p.Name, p.Id) }

// stackText says in a few cells what is in a stack: who owns it (without colours), its top piece, how many more.
func (s *scene) stackText(stack []*boardv1.Piece, width int) string {
	if len(stack) == 0 {
		return ""
	}
	top, more := stack[0], ""
	if n := count(stack); n > 1 {
		more = "+" + itoa(n-1)
	}
	owner := ""
	if s.paint.plain && top.Owner != "" {
		owner = s.letter[top.Owner] + ":"
		if wide(owner)+wide(short(top))+wide(more) > width {
			owner = s.letter[top.Owner]
		}
	}
	return owner + clip(short(top), width-wide(owner)-wide(more)) + more
}
