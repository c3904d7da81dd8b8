package rules

import "iter"

func (g *game[P, C, E]) Legal(seat Seat, f Filter) iter.Seq[Command] {
	return func(yield func(Command) bool) {
		g.legal(seat, f, func(c C) bool { return yield(Command{c}) })
	}
}

// legal lists nothing where check refuses everything.
func (g *game[P, C, E]) legal(seat Seat, f Filter, yield func(C) bool) {
	if g.listable(seat) {
		g.set.ref.Legal(g.pos, seat, f, yield)
	}
}

func (g *game[P, C, E]) listable(seat Seat) bool {
	return int(seat) < len(g.set.ref.About().Seats) && g.set.ref.Ending(g.pos) == nil
}

// listing keeps commands in their own type, so that listing thousands makes no garbage.
type listing[C any] struct {
	commands []C
	memo     any // of a Lister
}

func (l *listing[C]) Len() int { return len(l.commands) }

func (l *listing[C]) At(i int) Command { return Command{l.commands[i]} }

func (g *game[P, C, E]) List(seat Seat, f Filter, reuse Listing) Listing {
	l, ok := reuse.(*listing[C])
	if !ok {
		l = new(listing[C])
	}
	l.commands = l.commands[:0]
	if lister, ok := g.set.ref.(Lister[P, C]); ok {
		if g.listable(seat) {
			l.commands, l.memo = lister.List(g.pos, seat, f, l.commands, l.memo)
		}
		return l
	}
	g.legal(seat, f, func(c C) bool {
		l.commands = append(l.commands, c)
		return true
	})
	return l
}

func (g *game[P, C, E]) Answers(seat Seat, reuse Listing) Listing {
	l := g.List(seat, Filter{}, reuse).(*listing[C])
	kept, last, offer := l.commands[:0], "", false
	for _, c := range l.commands {
		if kind := g.set.ref.KindOf(c); kind != last { // commands of a kind mostly stand together
			info, _ := g.set.ref.About().Command(kind)
			last, offer = kind, info.Offer
		}
		if !offer {
			kept = append(kept, c)
		}
	}
	l.commands = kept
	return l
}
