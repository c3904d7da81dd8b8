package rules

import boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"

// Layerer is an optional interface of referees that compute layers, such as where supply reaches.
type Layerer[P Position[P]] interface {
	// Layers returns what follows about spaces from a position as a viewer knows it. It sees nothing else, so it cannot
	// reveal more.
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
