package kit

import (
	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// Shown is a position that says itself what is to be seen in it.
type Shown[P, C any] interface {
	// Decisions, Ending, Legal, Describe and Board are as in [rules.Referee].
	Decisions() []rules.Decision
	// Ending is nil while the game goes on.
	Ending() *rules.Ending
	// Legal stops when yield returns false.
	Legal(seat rules.Seat, f rules.Filter, yield func(C) bool)
	// Describe makes sense of any command, legal or not.
	Describe(seat rules.Seat, c C) rules.Description
	// Board leaves out what the viewer may not see.
	Board(v rules.Viewer, lang rules.Lang) *boardv1.Board
	// Known is as in [rules.Hider].
	Known(v rules.Viewer) (P, []rules.Text)
	// Question, Observe and Row are as in [rules.Observer].
	Question() (number, about int)
	// Observe writes into planes and scalars that are 0.
	Observe(seat rules.Seat, planes, scalars []int16)
	// Row writes into a row that is 0.
	Row(seat rules.Seat, c C, row []int16)
	// Forecast is as in [rules.Forecaster].
	Forecast(seat rules.Seat, c C, s rules.Study) ([]rules.Forecast, error)
}

// Charted is a scenario with its map and its numbers; one that embeds [Drawn] is.
type Charted interface {
	rules.Scenario
	// BoardMap is the map in a language. Nobody may change it.
	BoardMap(lang rules.Lang) *boardv1.Map
	// Tensors says what the numbers mean. Nobody may change it.
	Tensors() *rules.Tensors
}

// Shows implements the methods of a referee that only call the same method of the position or the scenario. Referees
// embed it. P is the position, S the scenario and C the command.
type Shows[P Shown[P, C], S Charted, C any] struct{}

// Decisions says what the game waits for, and what may be offered meanwhile.
func (Shows[P, S, C]) Decisions(p P) []rules.Decision { return p.Decisions() }

// Ending says how the game ended; nil while it goes on.
func (Shows[P, S, C]) Ending(p P) *rules.Ending { return p.Ending() }

// Legal yields the legal commands of a seat that pass a filter.
func (Shows[P, S, C]) Legal(p P, seat rules.Seat, f rules.Filter, yield func(C) bool) {
	p.Legal(seat, f, yield)
}

// Describe says what a command does and touches.
func (Shows[P, S, C]) Describe(p P, seat rules.Seat, c C) rules.Description {
	return p.Describe(seat, c)
}

// Board draws the position for a viewer.
func (Shows[P, S, C]) Board(p P, v rules.Viewer, lang rules.Lang) *boardv1.Board {
	return p.Board(v, lang)
}

// Known is the position as far as a viewer knows it.
func (Shows[P, S, C]) Known(p P, v rules.Viewer) (P, []rules.Text) { return p.Known(v) }

// Question is what is asked, and the space that it is about.
func (Shows[P, S, C]) Question(p P) (number, about int) { return p.Question() }

// Observe writes what a seat knows in numbers.
func (Shows[P, S, C]) Observe(known P, seat rules.Seat, planes, scalars []int16) {
	known.Observe(seat, planes, scalars)
}

// Row writes a command in numbers.
func (Shows[P, S, C]) Row(p P, seat rules.Seat, c C, row []int16) { p.Row(seat, c, row) }

// Forecast says what follows from a command beyond its own dice.
func (Shows[P, S, C]) Forecast(p P, seat rules.Seat, c C, s rules.Study) ([]rules.Forecast, error) {
	return p.Forecast(seat, c, s)
}

// Map is what does not change of the board. Nobody may change it.
func (Shows[P, S, C]) Map(sc rules.Scenario, lang rules.Lang) *boardv1.Map {
	return sc.(S).BoardMap(lang)
}

// Tensors says what the numbers of a scenario mean.
func (Shows[P, S, C]) Tensors(sc rules.Scenario) *rules.Tensors { return sc.(S).Tensors() }

// Spoken is a position whose commands have a grammar, the same in all positions.
type Spoken[P any, X interface{ Base() *Phrase }, C any] interface {
	// Grammar does not depend on the position, which may be nil.
	Grammar() *Grammar[P, X, C]
}

// Speaks is the part of a referee that takes commands into messages and words, and out of them. A referee embeds it.
type Speaks[P Spoken[P, X, C], X interface{ Base() *Phrase }, C any] struct{}

// KindOf is the kind of a command by id; empty if it is of none.
func (Speaks[P, X, C]) KindOf(c C) string {
	var p P
	g := p.Grammar()
	return g.Kinds.ID(g.Kind(&c))
}

// EncodeCommand makes the message of a command.
func (Speaks[P, X, C]) EncodeCommand(p P, c C) proto.Message {
	g := p.Grammar()
	m := g.About.CommandType.ProtoReflect().New().Interface()
	g.Encode(p, c, m)
	return m
}

// DecodeCommand reads the message of a command.
func (Speaks[P, X, C]) DecodeCommand(p P, m proto.Message) (C, *rules.Refusal) {
	g := p.Grammar()
	if m.ProtoReflect().Type() != g.About.CommandType.ProtoReflect().Type() {
		return *new(C), rules.Malformed("a %T is not a command of %s", m, g.About.Name)
	}
	return g.Decode(p, m)
}

// FormatCommand writes a command in the notation.
func (Speaks[P, X, C]) FormatCommand(p P, c C) string { return p.Grammar().Format(p, c) }
