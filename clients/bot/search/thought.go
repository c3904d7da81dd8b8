package search

import (
	"context"
	"slices"

	"github.com/warledger/warledger/clients/bot"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// thought is a view of a game in the mind. It spells out what bots read and leaves out what people read, which is most
// of the work: actions have no labels.
type thought struct {
	game    rules.Game
	seat    rules.Seat
	list    rules.Listing
	actions []*boardv1.Action
	// spelt are the commands of the actions that were spelt out so far.
	spelt []string
	board *boardv1.Board
	chart *boardv1.Map
	// touch finds the pieces and spaces of a command by its notation alone; nil, or false, if that says too little.
	touch func(seat, kind, command string) (pieces, spaces []string, ok bool)
}

// begin turns the view to the first seat that must decide, and returns it.
func (t *thought) begin(g rules.Game) rules.Seat {
	t.game, t.seat, t.board = g, rules.NoSeat, nil
	for seat := range g.Waiting().Each {
		t.seat = seat
		break
	}
	if t.seat == rules.NoSeat {
		return t.seat
	}
	t.list = g.Answers(t.seat, t.list)
	if n := t.list.Len(); cap(t.actions) < n {
		t.actions = make([]*boardv1.Action, n, 2*n)
	} else {
		t.actions = t.actions[:n]
		clear(t.actions)
	}
	t.spelt = slices.Grow(t.spelt[:0], t.list.Len())[:t.list.Len()]
	clear(t.spelt)
	return t.seat
}

// Ruleset is the name of the ruleset.
func (t *thought) Ruleset() string { return t.game.Ruleset().About().Name }

// Seat that decides.
func (t *thought) Seat() string { return t.game.Ruleset().About().SeatID(t.seat) }

// Len is the number of actions; offers are not among them.
func (t *thought) Len() int { return t.list.Len() }

// Offer is false: offers are not listed.
func (t *thought) Offer(int) bool { return false }

// Command is the notation of an action.
func (t *thought) Command(i int) string {
	if t.spelt[i] == "" {
		t.spelt[i] = t.game.FormatCommand(t.list.At(i))
	}
	return t.spelt[i]
}

// Action is an action, without the words that are for people.
func (t *thought) Action(i int) *boardv1.Action {
	if t.actions[i] != nil {
		return t.actions[i]
	}
	c := t.list.At(i)
	a := &boardv1.Action{Kind: t.game.KindOf(c), Command: t.Command(i)}
	t.actions[i] = a
	if t.touch != nil {
		var ok bool
		if a.Pieces, a.Spaces, ok = t.touch(t.Seat(), a.Kind, a.Command); ok {
			return a
		}
	}
	d := t.game.Describe(t.seat, c)
	a.Pieces, a.Spaces = d.Pieces, d.Spaces
	if d.Cost.Key != "" {
		a.Cost = t.game.Ruleset().About().Catalogue.Format(rules.English, d.Cost)
	}
	return a
}

// Board is the position as the seat sees it.
func (t *thought) Board(context.Context) (*boardv1.Board, error) {
	if t.board == nil {
		t.board = t.game.Board(rules.SeatViewer(t.seat), rules.Wordless)
	}
	return t.board, nil
}

// Map is that of the game.
func (t *thought) Map(context.Context) (*boardv1.Map, error) {
	if t.chart == nil {
		t.chart = t.game.Ruleset().Map(t.game.Scenario(), rules.English)
	}
	return t.chart, nil
}

// command is what a choice means.
func (t *thought) command(c bot.Choice) (rules.Command, error) {
	if c.Notation != "" {
		return t.game.ParseCommand(c.Notation)
	}
	return t.list.At(c.Action), nil
}
