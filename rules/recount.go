package rules

import "google.golang.org/protobuf/proto"

// Recounter is an optional interface of referees that tell an event together with the position in which it happened.
// An event alone does not say everything, such as who fights a combat with what.
type Recounter[P any, E proto.Message] interface {
	// Recount tells an event with the position just before it, which must not be changed. It adds to the words of
	// Narrate only what everyone who sees the event also sees of that position.
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
