package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Player plays a seat of a game at a server until the game ends.
type Player struct {
	// Game is the handle with the seat to play.
	Game *warledger.Game
	// Bot decides.
	Bot Bot
	// AgreeToUndo says what to answer to others who want to take something back.
	AgreeToUndo bool
	// AgreeToRest makes the player agree to other deadlines and to offers of seats. Without it those wait for whoever
	// else has a token of the seat.
	AgreeToRest bool
	// GivesUp makes the player resign when its bot, if it is a [Judge], has seen hardly a chance in three turns in a
	// row.
	GivesUp bool
	// Turn is waited for before each decision, and done is called after it; may be nil.
	Turn func(context.Context) (done func(), err error)
	// Played is told of every command that was accepted; may be nil.
	Played func(*v1.Record)

	// seen is the version up to which the player has acted.
	seen uint64
	// done is the answer to the last command, with what the seat may do next; nil once something else was answered.
	done *v1.SubmitCommandResponse
	// hope is what the bot thought of its seat's chances.
	hope hope
	// chart is the map, once a bot asked for it.
	chart *boardv1.Map
}

// Stats is the outcome of playing.
type Stats struct {
	// Game as it ended, or as it was last seen.
	Game *v1.Game
	// Decisions is how many commands were accepted.
	Decisions int
	// Refusals is how many actions the server listed and then refused: 0, or there is a defect.
	Refusals int
}

// Play plays until the game is over. It outlives lost connections and servers that come back. The error is that of the
// watch, of the bot, or of a command that was refused though it was listed.
func (p *Player) Play(ctx context.Context) (Stats, error) {
	var st Stats
	for u, err := range p.Game.Watch(ctx, warledger.WatchOptions{BoardFirst: true, Viewer: p.Game.Seat()}) {
		if err != nil {
			return st, err
		}
		if u.Board != nil || u.Record != nil && u.Version <= p.seen {
			continue
		}
		st.Game = u.CaughtUp
		if u.Record != nil {
			if st.Game, err = p.Game.Get(ctx); err != nil {
				return st, err
			}
		}
		if err := p.act(ctx, &st); err != nil {
			return st, err
		}
		if st.Game.GetOver() {
			return st, nil
		}
	}
	return st, ctx.Err()
}

// act decides for as long as the game waits for the seat.
func (p *Player) act(ctx context.Context, st *Stats) error {
	for {
		p.seen = max(p.seen, st.Game.GetVersion())
		if st.Game.GetOver() {
			return nil
		}
		if err := p.answer(ctx, st); err != nil {
			return err
		}
		if err := p.agree(ctx, st); err != nil {
			return err
		}
		if st.Game.GetPendingDice() != nil || !slices.Contains(st.Game.GetWaitingFor(), p.Game.Seat()) {
			return nil // the watch answers for dice
		}
		if err := p.takeTurn(ctx, st); err != nil {
			return err
		}
	}
}

// takeTurn makes one command when it is the player's turn to think.
func (p *Player) takeTurn(ctx context.Context, st *Stats) error {
	if p.Turn != nil {
		done, err := p.Turn(ctx)
		if err != nil {
			return err
		}
		defer done()
	}
	return p.decide(ctx, st)
}

// agree agrees to deadlines and to the offer of a seat that wait for the player's consent.
func (p *Player) agree(ctx context.Context, st *Stats) error {
	if !p.AgreeToRest {
		return nil
	}
	if d := st.Game.GetPendingDeadlines(); d != nil && slices.Contains(d.Missing, p.Game.Seat()) {
		game, _, err := p.Game.AnswerDeadlines(ctx, d.Proposed, true)
		if err := p.answered(ctx, st, game, err, warledger.ErrDeadlinesNotAsked); err != nil {
			return err
		}
	}
	if o := st.Game.GetPendingSeat(); o != nil && slices.Contains(o.Missing, p.Game.Seat()) {
		game, _, err := p.Game.AnswerSeat(ctx, o, true)
		return p.answered(ctx, st, game, err, warledger.ErrSeatNotOffered)
	}
	return nil
}

// answered takes the game from an answer. If the question was withdrawn meanwhile it looks at the game anew.
func (p *Player) answered(ctx context.Context, st *Stats, game *v1.Game, err error, withdrawn warledger.Reason) error {
	if errors.Is(err, withdrawn) {
		game, err = p.Game.Get(ctx)
	}
	if err == nil {
		st.Game = game
	}
	return err
}

// answer says what the player thinks of an undo that waits for its consent.
func (p *Player) answer(ctx context.Context, st *Stats) error {
	pending := st.Game.GetPendingUndo()
	if pending == nil || !slices.Contains(pending.Missing, p.Game.Seat()) {
		return nil
	}
	game, _, err := p.Game.Answer(ctx, pending, p.AgreeToUndo)
	return p.answered(ctx, st, game, err, warledger.ErrUndoNotAsked)
}

// next asks for what the seat may do after each command, so that a decision takes one call.
var next = new(v1.NextQuery)

// legal is what the seat may do at the version that was seen last. The answer to the last command has it, unless
// somebody else has made a record since.
func (p *Player) legal(ctx context.Context, st *Stats) ([]warledger.LegalAction, error) {
	done := p.done
	p.done = nil
	if done == nil || done.GetGame().GetVersion() != st.Game.GetVersion() {
		return p.Game.ListLegal(ctx, warledger.LegalQuery{})
	}
	return p.Game.NextLegal(ctx, done, next)
}

// decide makes one command.
func (p *Player) decide(ctx context.Context, st *Stats) error {
	actions, err := p.legal(ctx, st)
	if err != nil {
		return err
	}
	v := &remoteView{player: p, ruleset: rulesetID(st.Game.GetRuleset()), actions: actions, game: st.Game}
	if !pending(v) {
		return p.again(ctx, st, ErrNoAction)
	}
	if up, err := p.givesUp(ctx, v); err != nil {
		return fmt.Errorf("the bot: %w", err)
	} else if up {
		st.Game, err = p.Game.Resign(ctx)
		return err
	}
	choice, err := p.Bot.Choose(ctx, v)
	if err != nil {
		return fmt.Errorf("the bot: %w", err)
	}
	move := warledger.Move{Notation: choice.Notation, Expected: actions[0].Version, Next: next}
	if move.Notation == "" {
		if choice.Action < 0 || choice.Action >= len(actions) {
			return fmt.Errorf("the bot chose action %d of %d", choice.Action, len(actions))
		}
		move.Notation = actions[choice.Action].Command
	}
	done, err := p.Game.Submit(ctx, move)
	var refused *warledger.Refused
	switch {
	case errors.Is(err, warledger.ErrVersionConflict), errors.Is(err, warledger.ErrGameOver):
		return p.again(ctx, st, nil)
	case errors.As(err, &refused):
		st.Refusals++
		return fmt.Errorf("the bot: %q: %w", move.Notation, err)
	case err != nil:
		return err
	}
	st.Decisions++
	st.Game, p.done = done.Game, done
	if p.Played != nil {
		p.Played(done.Record)
	}
	return nil
}

// rulesetID is the id in the name of a ruleset.
func rulesetID(name string) string { return strings.TrimPrefix(name, "rulesets/") }

// again looks at the game anew. If it has not moved on since, the complaint holds.
func (p *Player) again(ctx context.Context, st *Stats, complaint error) error {
	game, err := p.Game.Get(ctx)
	if err != nil {
		return err
	}
	if game.Version == st.Game.GetVersion() && complaint != nil {
		return complaint
	}
	st.Game = game
	return nil
}

// remoteView is a position at a server.
type remoteView struct {
	player  *Player
	ruleset string
	actions []warledger.LegalAction
	game    *v1.Game
	board   *boardv1.Board
}

// Position is the position as the seat knows it.
func (v *remoteView) Position(ctx context.Context) (Position, error) {
	look := warledger.Look{Viewer: v.player.Game.Seat(), Version: v.actions[0].Version, WithKnown: true}
	resp, err := v.player.Game.Position(ctx, look)
	if err != nil {
		return Position{}, err
	}
	return Position{v.game.GetScenario(), v.game.GetScenarioDigest(), resp.Known}, nil
}

func (v *remoteView) Ruleset() string              { return v.ruleset }
func (v *remoteView) Seat() string                 { return v.player.Game.Seat() }
func (v *remoteView) Len() int                     { return len(v.actions) }
func (v *remoteView) Action(i int) *boardv1.Action { return v.actions[i].Action }
func (v *remoteView) Offer(i int) bool             { return v.actions[i].Offer }

func (v *remoteView) Board(ctx context.Context) (*boardv1.Board, error) {
	if v.board == nil {
		resp, err := v.player.Game.Board(ctx, warledger.Look{Viewer: v.player.Game.Seat()})
		if err != nil {
			return nil, err
		}
		v.board = resp.Board
	}
	return v.board, nil
}

func (v *remoteView) Map(ctx context.Context) (*boardv1.Map, error) {
	if v.player.chart == nil {
		resp, err := v.player.Game.Board(ctx, warledger.Look{Viewer: v.player.Game.Seat(), WithMap: true})
		if err != nil {
			return nil, err
		}
		v.board, v.player.chart = resp.Board, resp.Board.GetMap()
	}
	return v.player.chart, nil
}
