package rules

import boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"

// Ranged says which ranges are asked for.
type Ranged struct {
	// Pieces are ids of pieces on the board, whoever owns them. A range has every space that any of them reaches.
	Pieces []string
	// Space is the id of the space whose possible attackers are asked for; empty for none.
	Space string
}

// Any reports whether anything is asked.
func (r Ranged) Any() bool { return len(r.Pieces) > 0 || r.Space != "" }

// Ranger is an optional interface of referees that say how far pieces reach.
type Ranger[P Position[P]] interface {
	// Ranges returns how far pieces reach from where they are, and where the pieces are that could attack a space. It
	// sees only the position as the viewer knows it, so it cannot reveal more. Unknown ids are ignored.
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
