package rules

import (
	"fmt"
	"slices"
)

// Observer is what a referee can do beside its contract: say in numbers what a seat knows and what its commands are.
// Programs that learn read them. All numbers fit 16 bits; larger ones are written as the bound.
type Observer[P, C any] interface {
	// Tensors says what the numbers of a scenario mean. It gives the same at every call.
	Tensors(sc Scenario) *Tensors
	// Question is what the game asks now, by a number of the ruleset, 0 for nothing. With it comes the space that it is
	// about, -1 for none. Everyone may know both.
	Question(p P) (number, about int)
	// Observe writes a position into the planes, plane by plane with a number for each space, and into the scalars
	// after the common ones. All are 0 before. The position is what the seat knows, so nothing else can be told.
	Observe(known P, seat Seat, planes, scalars []int16)
	// Row writes a command of a seat's list into a row, which is 0 before. It tells no more than Describe.
	Row(p P, seat Seat, c C, row []int16)
}

// Tensors says what the numbers that an [Observer] writes for a scenario mean, in their order.
type Tensors struct {
	// Spaces are the ids of the places that a plane has numbers for.
	Spaces []string
	// Pieces are the ids that numbers of pieces in rows stand for.
	Pieces []string
	// Ground are the planes that never change, and GroundValues their numbers.
	Ground       []Column
	GroundValues []int16
	// Planes change as the game goes on, and so do Scalars, which begin with [CommonScalars].
	Planes, Scalars []Column
	// Row has a column for each number of a command. It begins with [CommonColumns].
	Row []Column
}

// Column names a plane, a scalar or a number of a command.
type Column struct {
	// ID is snake_case.
	ID string
	// Note says what the number is, in English.
	Note string
}

// CommonScalars begin the scalars of every ruleset. The kernel writes them.
func CommonScalars() []Column {
	return []Column{
		{"seat", "the seat that observes, by its place in the ruleset's list"},
		{"asked", "1 if the game waits for the seat"},
		{"question", "what the game asks now, by the order of the questions in the rules: 0 for nothing"},
		{"about", "space that the question is about, -1 for none"},
	}
}

// commonScalars is how many they are.
const commonScalars = 4

// CommonColumns begin the row of a command in every ruleset. What a command does not name is -1, except that what it
// does not count is 0.
func CommonColumns() []Column {
	return []Column{
		{"kind", "kind of the command, by its place in the ruleset's list"},
		{"piece", "first piece that acts"},
		{"target", "first piece that something is done to"},
		{"from", "space that it is done from"},
		{"to", "space that it aims at, or where it leads"},
		{"count", "how many of what the kind counts"},
		{"cost", "what it costs, in the ruleset's unit"},
	}
}

// Places of the common columns in a row, and where the ruleset's own columns begin.
const (
	RowKind = iota
	RowPiece
	RowTarget
	RowFrom
	RowTo
	RowCount
	RowCost
	RowOwn
)

// Short is a number in 16 bits, or the bound that it passes.
func Short[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32](n T) int16 {
	const least, most = -1 << 15, 1<<15 - 1
	switch {
	case int64(n) < least:
		return least
	case int64(n) > most:
		return most
	}
	return int16(n)
}

// OneIf is 1 for true.
func OneIf(b bool) int16 {
	if b {
		return 1
	}
	return 0
}

func (r *ruleset[P, C, E]) Tensors(sc Scenario) *Tensors {
	if o, ok := r.ref.(Observer[P, C]); ok {
		return o.Tensors(sc)
	}
	return nil
}

// watched is what a seat sees of the position: the position itself if the rules hide nothing.
func (g *game[P, C, E]) watched(seat Seat) P {
	if h, ok := g.set.ref.(Hider[P]); ok {
		k, _ := h.Known(g.pos, SeatViewer(seat))
		return k
	}
	return g.pos
}

func (g *game[P, C, E]) Observe(seat Seat, planes, scalars []int16) {
	o, ok := g.set.ref.(Observer[P, C])
	if !ok {
		return
	}
	t := o.Tensors(g.sc)
	if len(planes) != len(t.Planes)*len(t.Spaces) || len(scalars) != len(t.Scalars) {
		panic(fmt.Sprintf("rules: %d numbers of planes and %d scalars do not fit %s",
			len(planes), len(scalars), g.set.ref.About().Name))
	}
	clear(planes)
	clear(scalars)
	number, about := o.Question(g.pos)
	scalars[0], scalars[1] = int16(seat), OneIf(g.Waiting().Has(seat))
	scalars[2], scalars[3] = Short(number), Short(about)
	o.Observe(g.watched(seat), seat, planes, scalars[commonScalars:])
}

func (g *game[P, C, E]) Rows(seat Seat, list Listing, rows []int16) []int16 {
	o, ok := g.set.ref.(Observer[P, C])
	own, fits := list.(*listing[C])
	if !ok || !fits {
		return rows
	}
	width := len(o.Tensors(g.sc).Row)
	for _, c := range own.commands {
		n := len(rows)
		rows = slices.Grow(rows, width)[:n+width]
		clear(rows[n:])
		o.Row(g.pos, seat, c, rows[n:])
	}
	return rows
}
