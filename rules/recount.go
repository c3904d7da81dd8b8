package rules

import "google.golang.org/protobuf/proto"

// Recounter is what a referee can do beside its contract: tell an event together with what was there when it happened.
// An event alone says too little of some things, such as who fights with what.
type Recounter[P any, E proto.Message] interface {
	// Recount tells an event with the position that it comes upon, which must not be changed. To what Narrate tells it
	// adds only what whoever sees the event sees of that position.
	Recount(p P, e E) Text
}

func (r *ruleset[P, C, E]) Recounts() bool {
	_, ok := r.ref.(Recounter[P, E])
	return ok
}

func (g *game[P, C, E]) Recount(lang Lang, event []byte) string {
	ref, ok := g.set.ref.(Recounter[P, E])
	if !ok {
		return g.set.Narrate(g.sc, lang, event)
	}
	e := g.set.ref.NewEvent()
	if proto.Unmarshal(event, e) != nil {
		return ""
	}
	return g.set.worded(lang, ref.Recount(g.pos, e))
}

// worded is a text in a language; empty if there is nothing to tell.
func (r *ruleset[P, C, E]) worded(lang Lang, t Text) string {
	if t.Key == "" {
		return ""
	}
	return r.ref.About().Catalogue.Format(lang, t)
}
