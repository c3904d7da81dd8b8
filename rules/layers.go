package rules

import boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"

// Layerer is a referee that says where supply reaches, what is threatened, and the like.
type Layerer[P Position[P]] interface {
	// Layers are what follows for spaces from a position as a viewer knows it. It is given nothing else, so it can't
	// tell more.
	Layers(known P, v Viewer, lang Lang) []*boardv1.Layer
}

func (g *game[P, C, E]) Layers(v Viewer, lang Lang) []*boardv1.Layer {
	l, ok := g.set.ref.(Layerer[P])
	if !ok || g.set.ref.Ending(g.pos) != nil {
		return nil
	}
	pos, _ := known(g.set.ref, g.pos, v)
	return l.Layers(pos, v, lang)
}
