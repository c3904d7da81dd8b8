package picture

import (
	"cmp"
	"fmt"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Space is a close-up of a space or box: what it is, what lies around it, and every piece in it, the top one first. ok
// is false if the map has none of that id.
func Space(b *boardv1.Board, m *boardv1.Map, id string, o Options) (text string, ok bool) {
	s := newScene(b, m, o)
	var out strings.Builder
	if x := s.spaces[id]; x != nil {
		s.ground(&out, x)
	} else {
		box := s.box(id)
		if box == nil && len(s.stacks[id]) == 0 {
			return "", false
		}
		fmt.Fprintf(&out, "%s\n", s.paint.paint(style{bold: true}, cmp.Or(box.GetName(), id)))
	}
	for _, p := range s.stacks[id] {
		s.piece(&out, p)
	}
	if len(s.stacks[id]) == 0 {
		out.WriteString(s.words("  (empty)\n"))
	}
	return out.String(), true
}

func (s *scene) box(id string) *boardv1.Box {
	for _, box := range s.world.GetBoxes() {
		if box.Id == id {
			return box
		}
	}
	return nil
}

// ground describes the space itself.
func (s *scene) ground(out *strings.Builder, x *boardv1.Space) {
	title := x.Id
	if x.Name != "" && x.Name != x.Id {
		title += " " + x.Name
	}
	kinds := []string{s.named(s.terrain(x))}
	for _, f := range x.Features {
		kinds = append(kinds, s.named(f))
	}
	if x.Value != 0 {
		kinds = append(kinds, fmt.Sprintf(s.words("value %d"), x.Value))
	}
	state := s.state[x.Id]
	if state.GetOwner() != "" {
		kinds = append(kinds, fmt.Sprintf(s.words("held by %s"), s.seatName(state.GetOwner())))
	}
	kinds = append(kinds, state.GetMarks()...)
	fmt.Fprintf(out, "%s: %s\n", s.paint.paint(style{bold: true}, title), strings.Join(kinds, ", "))
	for _, r := range s.world.GetRegions() {
		for _, member := range r.Spaces {
			if member == x.Id {
				fmt.Fprintf(out, s.words("  in %s\n"), cmp.Or(r.Name, r.Id))
			}
		}
	}
	s.around(out, x)
}

// around lists the neighbours with what lies between.
func (s *scene) around(out *strings.Builder, x *boardv1.Space) {
	var parts []string
	for _, id := range x.Neighbors {
		part := id
		if next := s.spaces[id]; next != nil {
			part += " " + s.named(s.terrain(next))
		}
		for _, e := range s.world.Edges {
			if e.A == x.Id && e.B == id || e.B == x.Id && e.A == id {
				part += fmt.Sprintf(s.words(" across %s"), s.named(e.Kind))
			}
		}
		for _, l := range s.world.Links {
			for i := 1; i < len(l.Spaces); i++ {
				if a, b := l.Spaces[i-1], l.Spaces[i]; a == x.Id && b == id || b == x.Id && a == id {
					part += fmt.Sprintf(s.words(" by %s"), s.named(l.Kind))
				}
			}
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		fmt.Fprintf(out, s.words("  next to %s\n"), strings.Join(parts, ", "))
	}
}

// piece describes one piece.
func (s *scene) piece(out *strings.Builder, p *boardv1.Piece) {
	name := cmp.Or(p.Name, p.Id)
	if p.Count > 1 {
		name += " ×" + itoa(int(p.Count))
	}
	var parts []string
	if p.Kind != "" {
		parts = append(parts, p.Kind)
	}
	if p.Formation != "" {
		parts = append(parts, p.Formation)
	}
	if p.MaxSteps > 0 {
		parts = append(parts, fmt.Sprintf(s.words("steps %d/%d"), p.Steps, p.MaxSteps))
	}
	for _, n := range p.Numbers {
		parts = append(parts, n.Key+" "+n.Value)
	}
	parts = append(parts, p.Marks...)
	owner := ""
	if p.Owner != "" {
		owner = ", " + s.seatName(p.Owner)
	}
	label := s.paint.paint(fill(s.color(p)), " "+short(p)+" ")
	fmt.Fprintf(out, "  %s %s (%s%s)", label, name, p.Id, owner)
	if len(parts) > 0 {
		out.WriteString(": " + strings.Join(parts, ", "))
	}
	out.WriteByte('\n')
}
