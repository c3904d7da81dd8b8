package picture

import (
	"cmp"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// areas lists the spaces of a map that is not made of hexes: first those with something in them, then
// the rest in a few lines.
func (s *scene) areas(width int) string {
	var out strings.Builder
	var empty []string
	for _, x := range s.world.GetSpaces() {
		if len(s.stacks[x.Id]) == 0 {
			empty = append(empty, s.areaName(x))
			continue
		}
		out.WriteString(s.line(s.areaName(x), s.stacks[x.Id], width))
	}
	if len(empty) > 0 {
		out.WriteString(wrap(s.words("empty: ")+strings.Join(empty, ", "), width))
	}
	return out.String()
}

// areaName is a space with its terrain and who controls it.
func (s *scene) areaName(x *boardv1.Space) string {
	name := cmp.Or(x.Name, x.Id)
	if glyphs := s.glyphs(x); glyphs != "" {
		name += " " + glyphs
	}
	if owner := s.state[x.Id].GetOwner(); owner != "" {
		name += " (" + s.seatName(owner) + ")"
	}
	return name
}

// wrap breaks a text into lines at its blanks.
func wrap(text string, width int) string {
	var out strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		switch {
		case used == 0:
		case width > 0 && used+1+wide(word) > width:
			out.WriteString("\n   ")
			used = 3
		default:
			out.WriteByte(' ')
			used++
		}
		out.WriteString(word)
		used += wide(word)
	}
	return out.String() + "\n"
}
