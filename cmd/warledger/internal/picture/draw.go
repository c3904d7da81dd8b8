package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Board draws a whole position: when it is, the map, what lies beside it, what is asked.
func Board(b *boardv1.Board, m *boardv1.Map, o Options) string {
	s := newScene(b, m, o)
	var out strings.Builder
	out.WriteString(s.head())
	if g, ok := gridOf(m); ok {
		out.WriteString(s.hexes(g, o))
	} else {
		out.WriteString(s.areas(o.Width))
	}
	out.WriteString(s.boxes(o.Width))
	if o.Legend {
		out.WriteString(s.legendText())
	}
	out.WriteString(s.foot(o.Width))
	return out.String()
}

// head says when it is and how things stand.
func (s *scene) head() string {
	var out strings.Builder
	out.WriteString(s.paint.paint(style{bold: true}, s.board.GetClock().GetText()))
	for _, seat := range s.board.GetSeats() {
		if s.paint.plain {
			out.WriteString("  " + s.letter[seat.Id] + "=" + seat.Name)
		} else {
			out.WriteString("  " + s.paint.paint(fill(seat.Color), " "+seat.Name+" "))
		}
	}
	out.WriteByte('\n')
	return strings.TrimLeft(out.String(), " ")
}

// boxes lists what stands in boxes off the map, and in places that the map does not have.
func (s *scene) boxes(width int) string {
	var out strings.Builder
	known := make(map[string]bool)
	for _, box := range s.world.GetBoxes() {
		known[box.Id] = true
		if stack := s.stacks[box.Id]; len(stack) > 0 {
			out.WriteString(s.line(cmp.Or(box.Name, box.Id), stack, width))
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
		out.WriteString(s.line(cmp.Or(id, s.words("off the map")), s.stacks[id], width))
	}
	return out.String()
}

// line is a place and its pieces on a line, or on as many as it takes.
func (s *scene) line(name string, stack []*boardv1.Piece, width int) string {
	var texts []string
	for _, p := range stack {
		text := short(p)
		if p.Count > 1 {
			text += "×" + itoa(int(p.Count))
		}
		if s.paint.plain && p.Owner != "" {
			text = s.letter[p.Owner] + ":" + text
		}
		texts = append(texts, text)
	}
	var out strings.Builder
	out.WriteString(name + ": ")
	used := wide(name) + 2
	for i, text := range texts {
		if i > 0 {
			if width > 0 && used+1+wide(text) > width {
				out.WriteString("\n   ")
				used = 3
			}
			out.WriteByte(' ')
			used++
		}
		out.WriteString(s.paint.paint(fill(s.color(stack[i])), text))
		used += wide(text)
	}
	return out.String() + "\n"
}

// Prompts are the questions that a board asks, a line each.
func Prompts(b *boardv1.Board, o Options) string {
	var out strings.Builder
	newScene(b, nil, o).prompts(&out)
	return out.String()
}

func (s *scene) prompts(out *strings.Builder) {
	for _, p := range s.board.GetPrompts() {
		if p.Optional {
			continue
		}
		seat := s.paint.paint(style{fg: s.seats[p.Seat].GetColor(), bold: true}, s.seatName(p.Seat))
		fmt.Fprintf(out, "? %s: %s%s\n", seat, p.Text, inBrackets(strings.Join(p.Rules, ", ")))
	}
}

// foot says how things stand: tracks, what is going on, what is asked, how it ended.
func (s *scene) foot(width int) string {
	var out strings.Builder
	out.WriteString(s.tracks(width))
	for _, p := range s.board.GetProcedures() {
		fmt.Fprintf(&out, "» %s\n", p.Text)
	}
	s.prompts(&out)
	if e := s.board.GetEnding(); e != nil {
		fmt.Fprintf(&out, "%s%s\n", s.paint.paint(style{bold: true}, s.words("The game is over. ")), e.Text)
	}
	return out.String()
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " [" + text + "]"
}

// tracks puts as many tracks on a line as fit.
func (s *scene) tracks(width int) string {
	var out strings.Builder
	used := 0
	for _, t := range s.board.GetTracks() {
		text := cmp.Or(t.Name, t.Id) + " " + cmp.Or(t.Text, fmt.Sprint(t.Value))
		if t.Text == "" && t.Max != nil {
			text += "/" + fmt.Sprint(*t.Max)
		}
		switch {
		case used == 0:
		case width > 0 && used+3+wide(text) > width, width == 0 && used > 72:
			out.WriteByte('\n')
			used = 0
		default:
			out.WriteString(" · ")
			used += 3
		}
		out.WriteString(text)
		used += wide(text)
	}
	if used > 0 {
		out.WriteByte('\n')
	}
	return out.String()
}

// legendText says what glyphs and colours mean.
func (s *scene) legendText() string {
	var parts []string
	for _, l := range s.world.GetLegend() {
		parts = append(parts, s.paint.paint(fill(l.Color), pad(l.Glyph, 2))+" "+cmp.Or(l.Name, l.Key))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "   ") + "\n"
}
