package rules

import (
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules/dice"
)

// Forcer is what a referee can do beside its contract: answer for a seat that has no choice.
type Forcer[P Position[P], C any, E proto.Message] interface {
	// Forces is the seat that is spared the question that the position asks, if it has one answer only; NoSeat if the
	// question is always asked: the game is played without this, the seat wants to be asked, or how many answers there
	// are is not open to everyone.
	Forces(p P) Seat
	// Forced emits the event that says that a seat's only answer is given for it.
	Forced(x *Exec[P, E], seat Seat, c C)
}

// force gives the only answer to what a position asks, and reports whether it did. An answer that would throw the
// first die of a record, or be the first to reveal something, is left to its seat: until then undo is free.
func force[P Position[P], C any, E proto.Message](ref Referee[P, C, E], x *Exec[P, E]) bool {
	f, ok := ref.(Forcer[P, C, E])
	if !ok || ref.Ending(x.Pos) != nil {
		return false
	}
	seat := f.Forces(x.Pos)
	if seat == NoSeat {
		return false
	}
	c, ok := soleAnswer(ref, x.Pos, seat)
	if !ok || !harmless(ref, x, seat, c) {
		return false
	}
	f.Forced(x, seat, c)
	ref.Play(x, seat, c)
	return true
}

// soleAnswer is the only command of a seat that is no offer; false if there are several or none.
func soleAnswer[P Position[P], C any, E proto.Message](ref Referee[P, C, E], p P, seat Seat) (sole C, ok bool) {
	about, n := ref.About(), 0
	ref.Legal(p, seat, Filter{}, func(c C) bool {
		if kind, _ := about.Command(ref.KindOf(c)); kind.Offer {
			return true
		}
		sole = c
		n++
		return n < 2
	})
	return sole, n == 1
}

// harmless reports whether an answer, with the automatic steps that follow it, leaves undo as free as it is.
func harmless[P Position[P], C any, E proto.Message](ref Referee[P, C, E], x *Exec[P, E], seat Seat, c C) bool {
	if len(x.out.Rolls) > 0 {
		return true
	}
	out := new(Outcome)
	try := Exec[P, E]{Pos: x.Pos.Clone(), evolve: ref.Evolve, src: dice.NewScript(nil), out: out, veiled: x.veiled,
		viewer: x.viewer}
	err := try.carry(ref.About().Name, func() { ref.Play(&try, seat, c) }, func() bool { return ref.Step(&try) })
	return err == nil && (!out.Revealed || x.out.Revealed)
}

// stepper takes what happens by itself after a command: automatic steps, and answers of seats without a choice.
func stepper[P Position[P], C any, E proto.Message](ref Referee[P, C, E], x *Exec[P, E]) func() bool {
	return func() bool { return ref.Step(x) || force(ref, x) }
}
