package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Match plays a game in process, without a server: the same bots, the same board and actions.
type Match struct {
	// Ruleset, Scenario and Options say what is played.
	Ruleset  rules.Ruleset
	Scenario rules.Scenario
	Options  rules.Options
	// Bots play the seats, by seat.
	Bots []Bot
	// Dice are thrown from here.
	Dice dice.Source
	// MaxDecisions ends a game that does not come to an end; 0 for no limit.
	MaxDecisions int
	// MaxTurns ends it after so many turns; 0 for no limit.
	MaxTurns int
}

// Result is the outcome of a match.
type Result struct {
	// Game is the last position.
	Game rules.Game
	// Ending is nil if the match was cut off.
	Ending *rules.Ending
	// Decisions, Rolls and Turns count what happened.
	Decisions, Rolls, Turns int
	// Refusals is how many listed commands were refused: 0, or there is a defect.
	Refusals int
}

// errCutOff says that a match reached its limit.
var errCutOff = errors.New("bot: the match does not come to an end")

// IsCutOff reports whether a match was ended by its limit.
func IsCutOff(err error) bool { return errors.Is(err, errCutOff) }

// Play plays to the end. When several seats must decide at once the first of them goes first, as any order is as good.
// The result is good as far as it goes also with an error: of the bot, of ctx, of a listed command that was refused,
// or of a match cut off.
func (m *Match) Play(ctx context.Context) (r Result, err error) {
	if len(m.Bots) != len(m.Ruleset.About().Seats) {
		return r, fmt.Errorf("bot: %d bots for %d seats", len(m.Bots), len(m.Ruleset.About().Seats))
	}
	r.Game = m.Ruleset.New(m.Scenario, m.Options)
	out, err := r.Game.Start(m.Dice)
	if err != nil {
		return r, err
	}
	r.Rolls = len(out.Rolls)
	v := &localView{game: r.Game}
	for r.Ending = r.Game.Ending(); r.Ending == nil; r.Ending = r.Game.Ending() {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if m.MaxDecisions > 0 && r.Decisions >= m.MaxDecisions || m.MaxTurns > 0 && r.Game.Turn() > m.MaxTurns {
			return r, errCutOff
		}
		out.Reset()
		if err := m.decide(ctx, v, &r, out); err != nil {
			return r, err
		}
		r.Decisions++
		r.Rolls += len(out.Rolls)
		r.Turns = r.Game.Turn()
	}
	return r, nil
}

// decide has the first seat that must decide make one command.
func (m *Match) decide(ctx context.Context, v *localView, r *Result, out *rules.Outcome) error {
	v.begin(r.Game)
	if v.seat == rules.NoSeat {
		return errors.New("bot: the game waits for nobody and is not over")
	}
	choice, err := m.Bots[v.seat].Choose(ctx, v)
	if err != nil {
		return fmt.Errorf("the bot of %s: %w", v.Seat(), err)
	}
	c, err := v.command(choice)
	if err != nil {
		return err
	}
	if err := r.Game.Apply(v.seat, c, m.Dice, out); err != nil {
		var refused *rules.Refusal
		if errors.As(err, &refused) {
			r.Refusals++
		}
		return fmt.Errorf("%s: %s: %w", v.Seat(), r.Game.FormatCommand(c), err)
	}
	return nil
}

// localView is a position in process.
type localView struct {
	game    rules.Game
	seat    rules.Seat
	list    rules.Listing
	actions []*boardv1.Action
	board   *boardv1.Board
	chart   *boardv1.Map
}

// begin turns the view to the first seat that must decide.
func (v *localView) begin(game rules.Game) {
	v.game, v.seat, v.board = game, rules.NoSeat, nil
	for seat := range game.Waiting().Each {
		v.seat = seat
		break
	}
	if v.seat == rules.NoSeat {
		return
	}
	v.list = game.List(v.seat, rules.Filter{}, v.list)
	clear(v.actions)
	v.actions = slices.Grow(v.actions[:0], v.list.Len())[:v.list.Len()]
}

func (v *localView) command(c Choice) (rules.Command, error) {
	if c.Notation != "" {
		return v.game.ParseCommand(c.Notation)
	}
	if c.Action < 0 || c.Action >= v.list.Len() {
		return rules.Command{}, fmt.Errorf("the bot of %s chose action %d of %d", v.Seat(), c.Action, v.list.Len())
	}
	return v.list.At(c.Action), nil
}

func (v *localView) Ruleset() string { return v.game.Ruleset().About().Name }
func (v *localView) Seat() string    { return v.game.Ruleset().About().SeatID(v.seat) }
func (v *localView) Len() int        { return v.list.Len() }

func (v *localView) Action(i int) *boardv1.Action {
	if v.actions[i] == nil {
		v.actions[i] = action(v.game, v.seat, v.list.At(i))
	}
	return v.actions[i]
}

// Known is a copy of the position as the seat knows it, for bots that search with the rules.
func (v *localView) Known() (rules.Game, rules.Seat) {
	known, _ := v.game.Known(rules.SeatViewer(v.seat))
	return known, v.seat
}

func (v *localView) Offer(i int) bool {
	return rules.IsOffer(v.game, v.list.At(i))
}

// action is a command as a server would list it, in English.
func action(g rules.Game, seat rules.Seat, c rules.Command) *boardv1.Action {
	about := g.Ruleset().About()
	d := g.Describe(seat, c)
	a := &boardv1.Action{
		Kind: d.Kind, Label: about.Catalogue.Format(rules.English, d.Label), Command: g.FormatCommand(c),
		Pieces: d.Pieces, Spaces: d.Spaces,
	}
	if d.Cost.Key != "" {
		a.Cost = about.Catalogue.Format(rules.English, d.Cost)
	}
	a.Forgoes, a.Idle = d.Forgoes, d.Idle
	a.Offer, a.Confirm = rules.IsOffer(g, c), rules.NeedsConfirmation(g, c)
	return a
}

func (v *localView) Board(context.Context) (*boardv1.Board, error) {
	if v.board == nil {
		v.board = v.game.Board(rules.SeatViewer(v.seat), rules.English)
	}
	return v.board, nil
}

func (v *localView) Map(context.Context) (*boardv1.Map, error) {
	if v.chart == nil {
		v.chart = v.game.Ruleset().Map(v.game.Scenario(), rules.English)
	}
	return v.chart, nil
}
