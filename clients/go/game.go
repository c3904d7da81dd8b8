package warledger

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/anypb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Game is a game as one who holds a seat of it, or none, sees and plays it. It is a handle: making one asks
// nothing of the server.
type Game struct {
	client *Client
	name   string
	seat   string
	lang   string
	tokens TokenSource
	// seats are those whose chains the handle uses; nil for all.
	seats []string
}

// Game returns a handle. name is "games/{game}" or the id alone. seat is the seat to act for; empty for whoever
// holds just one, or none.
func (c *Client) Game(name, seat string) *Game {
	if !strings.HasPrefix(name, "games/") {
		name = "games/" + name
	}
	return &Game{client: c, name: name, seat: seat, tokens: c.tokens}
}

// InLanguage is the game with narrations, boards and labels in a language: a BCP 47 tag such as "en", "ja" or "de".
func (g *Game) InLanguage(code string) *Game {
	c := *g
	c.lang = code
	return &c
}

// WithTokens is the game with tokens of its own instead of the client's.
func (g *Game) WithTokens(t TokenSource) *Game {
	c := *g
	c.tokens = t
	return &c
}

// ForSeats is the game with the chains of some seats only: those of the caller. A program that keeps the chains of
// several players in one store must name them. Otherwise the client asks the server which seats are the caller's, and
// a dishonest server could have one player agree to an undo for another.
func (g *Game) ForSeats(seats ...string) *Game {
	c := *g
	c.seats = append([]string{}, seats...)
	return &c
}

// uses reports whether the handle uses the chain of a seat.
func (g *Game) uses(seat string) bool { return g.seats == nil || slices.Contains(g.seats, seat) }

// Name is "games/{game}".
func (g *Game) Name() string { return g.name }

// Seat is the seat that the handle acts for; may be empty.
func (g *Game) Seat() string { return g.seat }

// Create begins a game. A request without an id gets one. Tokens of the client are not sent.
func (c *Client) Create(ctx context.Context, req *v1.CreateGameRequest) (*v1.CreateGameResponse, error) {
	if req.RequestId == "" {
		req.RequestId = newID()
	}
	return call(ctx, c, nil, "", req, c.games.CreateGame)
}

// newID draws the id of a request, which for some is a secret: it must not be guessed.
func newID() string { return uuid.NewString() }

// Get returns the game's summary.
func (g *Game) Get(ctx context.Context) (*v1.Game, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.GetGameRequest{Name: g.name, LanguageCode: g.lang},
		g.client.games.GetGame)
	return resp.GetGame(), err
}

// Move is a command to submit: in notation or as the ruleset's message.
type Move struct {
	// Notation of the command, as an action of a legal list has it. Used if Command is nil.
	Notation string
	// Command as the ruleset's message.
	Command *anypb.Any
	// Expected is the version of the last record that the caller knows; the command is refused with
	// [ErrVersionConflict] if there is a later one. 0 for not looking.
	Expected uint64
	// Dice are the values of manual dice, in order.
	Dice []uint32
	// CheckOnly asks what the answer would be; nothing happens.
	CheckOnly bool
	// ID of the command; one is drawn if it is empty. Whoever wants to go on after a crash of their own keeps it.
	ID string
	// Pending returns at once for a command that waits for mutual dice, with the record that asks for them; otherwise
	// Submit waits.
	Pending bool
	// Next also asks what the seat may do after the command: [Game.NextLegal] reads it from the answer. Nil for not
	// asking.
	Next *v1.NextQuery
}

// Submit asks for a command and gives the record that it made. It is safe to repeat: the id stays the same. A command
// that the rules refuse gives a [*Refused]. One that needs mutual dice is waited for, and what the caller's own seats
// owe is answered; if the game ends before, the answer says that it is pending still.
func (g *Game) Submit(ctx context.Context, m Move) (*v1.SubmitCommandResponse, error) {
	req := &v1.SubmitCommandRequest{
		Name: g.name, Seat: g.seat, CommandId: m.ID, ManualDice: m.Dice, ValidateOnly: m.CheckOnly,
		LanguageCode: g.lang, Next: m.Next,
	}
	if req.CommandId == "" {
		req.CommandId = newID()
	}
	if m.Expected != 0 {
		req.ExpectedVersion = &m.Expected
	}
	if m.Command != nil {
		req.Form = &v1.SubmitCommandRequest_Command{Command: m.Command}
	} else {
		req.Form = &v1.SubmitCommandRequest_Notation{Notation: m.Notation}
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.games.SubmitCommand)
	if err != nil || !resp.GetPending() || m.Pending {
		return resp, err
	}
	return g.thrown(ctx, req, resp)
}

// thrown waits until a command that needs mutual dice is carried out.
func (g *Game) thrown(
	ctx context.Context, req *v1.SubmitCommandRequest, pending *v1.SubmitCommandResponse,
) (*v1.SubmitCommandResponse, error) {
	for u, err := range g.Watch(ctx, WatchOptions{After: pending.GetRecord().GetVersion()}) {
		if err != nil {
			return nil, err
		}
		if over := u.CaughtUp.GetOver(); over || EndsGame(u.Record) {
			pending.Game, err = g.Get(ctx)
			if over { // the command itself may have ended the game
				break
			}
			return pending, err
		}
		if u.Record.GetAsked() == pending.GetRecord().GetVersion() && u.Record.GetCommandId() == req.CommandId {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.games.SubmitCommand)
	if errors.Is(err, ErrGameOver) {
		return pending, nil
	}
	return resp, err
}
