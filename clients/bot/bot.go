package bot

import (
	"context"
	"errors"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// View is what a bot sees when it must decide. Everything is spelt out only when asked for, since many
// bots need little of it.
type View interface {
	// Ruleset is the name of the ruleset.
	Ruleset() string
	// Seat that decides.
	Seat() string
	// Len is the number of actions open to the seat. In process offers are among them; at a server they are not.
	Len() int
	// Action is an action, from 0. It is the bot's to read, not to change.
	Action(i int) *boardv1.Action
	// Offer reports whether an action is an offer, without spelling it out.
	Offer(i int) bool
	// Board is the position as the seat may see it, without the map.
	Board(ctx context.Context) (*boardv1.Board, error)
	// Map is what does not change of the board, for bots that measure distances. It is the same all game long.
	Map(ctx context.Context) (*boardv1.Map, error)
}

// Spelling is a view that can write the command of an action without working out the rest of it. The views of bots that
// look ahead implement it.
type Spelling interface {
	View
	// Command is the notation of an action.
	Command(i int) string
}

// Position is a position at a server as a seat knows it. The views that a [Player] gives have a method Position.
type Position struct {
	// Scenario is its id, and Digest the SHA-256 of its document, hexadecimal.
	Scenario, Digest string
	// Known is the canonical notation; what is hidden from the seat is replaced by an assumption.
	Known string
}

// Choice is what a bot decides.
type Choice struct {
	// Action is an index into the actions of the view.
	Action int
	// Notation is sent instead if it is not empty, by bots that compose commands of their own.
	Notation string
}

// Judge may be implemented by a [Bot] that can tell how its seat stands.
type Judge interface {
	// Chance is how likely the seat's side is to win as the position stands, 0 to 1, by the bot's own measure.
	Chance(ctx context.Context, v View) (float64, error)
}

// Bot decides for a seat. One that plays in several games must be told apart by the caller: a bot
// serves one game at a time.
type Bot interface {
	// Choose decides. It is asked only when the seat has an action that is no offer; offers are best left alone, since
	// they end games or ask others.
	Choose(ctx context.Context, v View) (Choice, error)
}

// ErrNoAction says that a seat that must decide has nothing but offers: a defect of the ruleset.
var ErrNoAction = errors.New("bot: nothing to choose from but offers")

// pending reports whether the seat has something to decide, not only to offer.
func pending(v View) bool {
	for i := range v.Len() {
		if !v.Offer(i) {
			return true
		}
	}
	return false
}
