package rules

import boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"

// Ranged is of what ranges are asked.
type Ranged struct {
	// Pieces are ids of pieces on the board, whoever owns them: of their ranges, what any of them reaches counts.
	Pieces []string
	// Space is the id of a space of which is asked who could attack it; empty if that is not asked.
	Space string
}

// Any reports whether anything is asked.
func (r Ranged) Any() bool { return len(r.Pieces) > 0 || r.Space != "" }

// Ranger is an optional interface of referees that say how far pieces reach.
type Ranger[P Position[P]] interface {
	// Ranges returns how far pieces reach from where they are, and where those are that could attack a space, from a
	// position as a viewer knows it. It sees nothing else, so it cannot reveal more. Ids that nothing has are left out.
	Ranges(known P, v Viewer, of Ranged, lang Lang) []*boardv1.Layer
}

func (g *game[P, C, E]) Ranges(v Viewer, of Ranged, lang Lang) []*boardv1.Layer {
	r, ok := g.set.ref.(Ranger[P])
	if !ok || g.set.ref.Ending(g.pos) != nil {
		return nil
	}
	pos, _ := known(g.set.ref, g.pos, v)
	return r.Ranges(pos, v, of, lang)
}
