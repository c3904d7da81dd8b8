package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/protobuf/encoding/protojson"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/picture"
	"github.com/warledger/warledger/cmd/warledger/internal/screen"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type doCmd struct {
	Game    string   `arg:"" help:"Game."`
	Command []string `arg:"" optional:"" help:"Command, or its number in the list of legal; \"move UNIT to PLACE\" finds the way."`
	JSON    string   `name:"json" help:"Command as the ruleset's message, JSON with @type." placeholder:"MESSAGE"`
	Dice    []uint32 `help:"Manual dice: what was rolled, in order." placeholder:"N,..."`
	Check   bool     `help:"Only ask whether it may be done."`
	Expect  uint64   `help:"Refuse if somebody has played since this version." placeholder:"N"`
	Board   bool     `help:"Draw the board afterwards."`
	Wait    bool     `help:"With mutual dice: wait until all seats have answered."`
	Yes     bool     `short:"y" help:"Do not ask again before sending an offer, such as conceding, or ending a phase early."`
	Through bool     `help:"Afterwards play on while the seat has only one legal action." env:"WARLEDGER_THROUGH"`
	askingEnd
}

// askingEnd is the setting that asks again before the player ends something in which units could still act.
type askingEnd struct {
	AskEnd bool `negatable:"" default:"true" env:"WARLEDGER_ASK_END" help:"At a terminal, ask again before ending a phase in which units could still act."`
}

// Run makes a command.
func (c doCmd) Run(a *app) error {
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	move, err := c.move(a, game)
	if err != nil {
		return err
	}
	if !c.Check && !c.Yes {
		if err := a.confirm(game, move, c.AskEnd); err != nil {
			return err
		}
	}
	resp, err := a.submit(game, move, c.Wait)
	if err != nil {
		return err
	}
	var more []*v1.Record
	if c.Through && !c.Check && !resp.Pending {
		more, resp.Game = a.through(game, resp.Game)
	}
	err = a.message(resp, func() {
		if c.Check {
			a.say("It may be done.\n")
			return
		}
		a.record(resp.Record)
		if resp.Pending {
			a.say("The command is carried out as soon as the dice are there: the programs of %s must answer, "+
				"which they do by themselves.\n",
				join(resp.Game.GetPendingDice().GetMissing()))
			return
		}
		for _, r := range more {
			a.record(r)
		}
		a.say("%s\n", a.next(resp.Game))
		a.whatIsAsked(game, resp.Game)
		a.brief(game, resp.Game)
	})
	if err == nil && c.Board && a.line.Output != "json" {
		return boardCmd{Game: c.Game}.Run(a)
	}
	return err
}

// confirm asks again before it sends an offer that concerns the whole game. With ends it also asks before the player
// ends something in which units could still act. An illegal command passes: sending it gets the refusal.
func (a *app) confirm(game *warledger.Game, move warledger.Move, ends bool) error {
	move.CheckOnly = true
	checked, err := game.Submit(a.ctx, move)
	if err != nil {
		return nil
	}
	action := checked.GetAction()
	person := a.inTTY && a.line.Output != "json"
	switch {
	case action.GetConfirm() && !person:
		return usageError{fmt.Sprintf("%q may end the game and can't always be undone: add --yes to send it",
			action.Label)}
	case action.GetConfirm():
		return a.typedYes(fmt.Sprintf("%s: this may end the game. Type yes to go on: ", action.Label))
	case action.GetForgoes() && ends && person:
		if n := a.couldAct(game); n > 0 {
			return a.typedYes(fmt.Sprintf(a.words("%s: %d of your units or markers could still act. "+
				"Type yes to end anyway: "), action.Label, n))
		}
	}
	return nil
}

// couldAct counts the pieces that could still act; none if the server does not say.
func (a *app) couldAct(game *warledger.Game) int {
	list, err := game.ListLegal(a.ctx, warledger.LegalQuery{})
	if err != nil {
		return 0
	}
	return screen.CouldAct(list)
}

// typedYes asks at the terminal, and returns an error unless yes is typed.
func (a *app) typedYes(question string) error {
	fmt.Fprint(a.err, warledger.Printable(question))
	answer, err := bufio.NewReader(io.LimitReader(a.in, longestToken)).ReadString('\n')
	if err != nil && err != io.EOF || strings.TrimSpace(answer) != "yes" {
		return usageError{"nothing was sent"}
	}
	return nil
}

// submit sends a command. If it needs mutual dice, the seats held here answer; it waits for the others only if told
// to.
func (a *app) submit(game *warledger.Game, move warledger.Move, wait bool) (*v1.SubmitCommandResponse, error) {
	move.Pending, move.ID = !wait, uuid.NewString()
	resp, err := game.Submit(a.ctx, move)
	if err != nil || !resp.Pending {
		return resp, err
	}
	after, err := game.AnswerDice(a.ctx)
	switch {
	case isAlarm(err) || err == nil && after.PendingDice != nil:
		if after != nil {
			resp.Game = after
		}
		return resp, err
	case err != nil && !errors.Is(err, warledger.ErrNoChain):
		return nil, err
	}
	return game.Submit(a.ctx, move) // the same id returns the outcome
}

func (c doCmd) move(a *app, game *warledger.Game) (warledger.Move, error) {
	o, err := a.order(game, c.Command, c.JSON, c.Expect)
	return warledger.Move{Notation: o.notation, Command: o.command, Expected: o.expected, Dice: c.Dice,
		CheckOnly: c.Check}, err
}

// whatIsAsked says what is asked of whom, as far as the seat may know. A failure is silent: what was done stands.
func (a *app) whatIsAsked(game *warledger.Game, g *v1.Game) {
	if g.Over || g.PendingDice != nil {
		return
	}
	resp, err := game.Board(a.ctx, warledger.Look{Viewer: game.Seat()})
	if err != nil || resp.Version != g.Version {
		return // somebody has played since
	}
	a.say("%s", picture.Prompts(resp.Board, a.options()))
}

// next says what comes next.
func (a *app) next(g *v1.Game) string {
	if g.Over {
		return a.words("The game is over. ") + g.Ending.GetText()
	}
	return fmt.Sprintf(a.words("Version %d, turn %d: %s."), g.Version, g.Turn, a.state(g))
}

type undoCmd struct {
	Game string `arg:"" help:"Game."`
	To   uint64 `help:"Version to go back to; that before the last command if not given." placeholder:"N"`
	Ask  bool   `help:"Ask the others, if it needs their consent."`
}

// Run takes something back.
func (c undoCmd) Run(a *app) error {
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	g, done, err := game.Undo(a.ctx, c.To, c.Ask)
	return a.taken(g, done, err)
}

type redoCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run takes an undo back.
func (c redoCmd) Run(a *app) error {
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	g, err := game.Redo(a.ctx)
	return a.taken(g, true, err)
}

type consentCmd struct {
	Game   string `arg:"" help:"Game."`
	Answer string `arg:"" enum:"yes,no" help:"yes or no."`
	asking
}

// asking is the flag that says which question is answered.
type asking struct {
	Record uint64 `help:"Record that asks, as show tells it; without a terminal a yes needs it." placeholder:"N"`
}

// Run answers the undo that waits, for the first seat held, now or last, whose answer is missing.
func (c consentCmd) Run(a *app) error {
	game, g, err := a.voter(c.Game, func(g *v1.Game) []string { return g.PendingUndo.GetMissing() })
	if err != nil {
		return err
	}
	if g.PendingUndo == nil || game == nil {
		return usageError{"no undo waits for your consent"}
	}
	q, err := a.undoQuestion(g)
	if err == nil {
		err = a.sure(q, c.Answer == "yes", c.Record)
	}
	if err != nil {
		return err
	}
	g, done, err := game.Answer(a.ctx, g.PendingUndo, c.Answer == "yes")
	return a.taken(g, done, err)
}

// answered is what undo, redo and consent print as JSON.
type answered struct {
	Done bool            `json:"done"`
	Game json.RawMessage `json:"game"`
}

func (a *app) taken(g *v1.Game, done bool, err error) error {
	if err != nil {
		return err
	}
	if a.line.Output == "json" {
		data, err := protojson.Marshal(g)
		if err != nil {
			return err
		}
		return a.plainJSON(answered{done, data}, true)
	}
	switch {
	case done:
		a.say("The head is at version %d.\n", g.Head)
	case g.PendingUndo != nil:
		a.say("Asked: %s must agree (record %d).\n", join(g.PendingUndo.Missing), g.PendingUndo.Asked)
	default:
		a.say("The head stays at version %d.\n", g.Head)
	}
	return nil
}
