package rules

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules/dice"
)

// Emitted is an event with its audience.
type Emitted struct {
	// Audience may see it.
	Audience Audience
	// Event is the ruleset's event message.
	Event proto.Message
	// RollsBefore is how many dice of the outcome were thrown before it.
	RollsBefore int
}

// Rolled is one die of an outcome; its place in [Outcome.Rolls] is its index in the record.
type Rolled struct {
	// Audience may see it.
	Audience Audience
	// Sides of the die.
	Sides uint8
	// Value that came up, 1 to Sides.
	Value uint8
	// Reason is a key of the ruleset.
	Reason string
}

// Outcome is what a command caused. It can be reused for the next one.
type Outcome struct {
	// Events in order.
	Events []Emitted
	// Rolls in order.
	Rolls []Rolled
	// Revealed is true if something hidden became known to a seat.
	Revealed bool
	// exec is the memory of the command that is carried out, for the next one.
	exec any
}

// Reset empties the outcome and keeps its memory.
func (o *Outcome) Reset() {
	clear(o.Events)
	o.Events, o.Rolls, o.Revealed = o.Events[:0], o.Rolls[:0], false
}

// Exec carries out one command: the position as it is after the events so far, and the ways to add to them.
type Exec[P any, E proto.Message] struct {
	// Pos is the position, changed by every event as it is emitted. Only Emit changes it.
	Pos P

	evolve func(P, E) error
	src    dice.Source
	out    *Outcome
	veiled bool // a preview: what is revealed here is not known
	viewer Seat // whose preview it is, if veiled
}

// Emit records a fact that everyone may see, and folds it at once.
func (x *Exec[P, E]) Emit(e E) { x.EmitTo(Everyone, e) }

// EmitTo records a fact for an audience, and folds it at once.
func (x *Exec[P, E]) EmitTo(a Audience, e E) {
	x.out.Events = append(x.out.Events, Emitted{Audience: a, Event: e, RollsBefore: len(x.out.Rolls)})
	if err := x.evolve(x.Pos, e); err != nil {
		panic(fmt.Sprintf("rules: the engine emitted what it cannot fold: %v", err))
	}
}

// Reveal notes that something hidden becomes known to a seat by this record, so that undoing it needs consent. It comes
// before the events that tell it: a preview for somebody who does not know it ends here.
func (x *Exec[P, E]) Reveal() {
	if x.veiled {
		panic(outOfDice{errHidden})
	}
	x.out.Revealed = true
}

// RevealOf is Reveal of what one seat hides: a preview for that seat goes on.
func (x *Exec[P, E]) RevealOf(owner Seat) {
	if x.veiled && x.viewer == owner {
		x.out.Revealed = true
		return
	}
	x.Reveal()
}

// Roll throws a die in the open and gives what came up, 1 to sides. The reason is a key of the ruleset.
func (x *Exec[P, E]) Roll(sides uint8, reason string) int { return x.RollTo(Everyone, sides, reason) }

// RollTo throws a die that only the audience may see.
func (x *Exec[P, E]) RollTo(a Audience, sides uint8, reason string) int {
	v, err := x.src.Roll(sides, reason)
	if err != nil {
		panic(outOfDice{err})
	}
	x.out.Rolls = append(x.out.Rolls, Rolled{Audience: a, Sides: sides, Value: v, Reason: reason})
	return int(v)
}

// outOfDice carries a failing source's error from the depth of a procedure to the kernel, which gives
// up the whole command.
type outOfDice struct{ err error }

// maxSteps bounds the automatic steps after one command. No rulebook comes near it; an engine that does not come to
// rest is a defect, better found than waited for.
const maxSteps = 1 << 20

// Play checks a command and carries it out on p, with every automatic step that follows, adding to out.
//
// It returns a *[Refusal] if the command is not legal: then p is unchanged. It returns the source's error if dice were
// missing: then p is spoiled and must be dropped, so clone before if the source can fail.
func Play[P Position[P], C any, E proto.Message](
	ref Referee[P, C, E], p P, seat Seat, c C, src dice.Source, out *Outcome,
) error {
	if r := check(ref, p, seat, c); r != nil {
		return r
	}
	return run(ref, p, src, out, func(x *Exec[P, E]) { ref.Play(x, seat, c) })
}

// check is what every ruleset refuses, and then what this one does.
func check[P Position[P], C any, E proto.Message](ref Referee[P, C, E], p P, seat Seat, c C) *Refusal {
	if ref.Ending(p) != nil {
		return &Refusal{Reason: ReasonGameOver, Words: "the game is over"}
	}
	if int(seat) >= len(ref.About().Seats) {
		return &Refusal{Reason: ReasonNotYourDecision, Words: "commands come from a seat"}
	}
	return ref.Check(p, seat, c)
}

// Start takes the automatic steps of a new position up to its first decision, adding to out. Errors are as with [Play].
func Start[P Position[P], C any, E proto.Message](ref Referee[P, C, E], p P, src dice.Source, out *Outcome) error {
	return run(ref, p, src, out, func(*Exec[P, E]) {})
}

func run[P Position[P], C any, E proto.Message](
	ref Referee[P, C, E], p P, src dice.Source, out *Outcome, first func(*Exec[P, E]),
) error {
	x, ok := out.exec.(*Exec[P, E])
	if !ok {
		x = new(Exec[P, E])
	}
	out.exec = nil // taken
	x.Pos, x.evolve, x.src, x.out = p, ref.Evolve, src, out
	err := x.carry(ref.About().Name, func() { first(x) }, stepper(ref, x))
	*x = Exec[P, E]{} // an outcome that is kept keeps no position
	out.exec = x
	return err
}

// carry does the first thing and then steps until there are no more, or the dice run out.
func (x *Exec[P, E]) carry(name string, first func(), step func() bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			short, ok := r.(outOfDice)
			if !ok {
				panic(r)
			}
			err = short.err
		}
	}()
	first()
	for n := 0; step(); n++ {
		if n > maxSteps {
			panic("rules: " + name + " does not come to rest")
		}
	}
	return nil
}
