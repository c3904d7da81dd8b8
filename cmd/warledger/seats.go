package main

import (
	"errors"
	"fmt"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type joinCmd struct {
	Game string `arg:"" help:"Game."`
	Seat string `arg:"" help:"Seat."`
	Name string `help:"Name to be known by." env:"USER" default:"player"`
	// An invitation is a secret, which others on this machine could read from the command line.
	Invited bool `help:"Read an invitation of the owner from standard input."`
}

// Run takes a seat.
func (c joinCmd) Run(a *app) error {
	name, err := a.gameName(c.Game)
	if err != nil {
		return err
	}
	invitation := ""
	if c.Invited {
		if invitation, err = a.secretLine("which invitation?"); err != nil {
			return err
		}
		if err := warledger.CheckInvitation(invitation); err != nil {
			return fmt.Errorf("%w\n  warledger token use GAME keeps a token that opens something else", err)
		}
	}
	held, err := a.held(name)
	if err != nil {
		return err
	}
	again := held.Former[c.Seat] != ""
	g, err := a.takeInvited(name, c.Seat, c.Name, invitation)
	if err != nil {
		return err
	}
	return a.message(g, func() {
		a.say("You hold %s of %s.\n", c.Seat, name)
		a.summary(g)
		a.offerOrders(g, c.Seat, again)
	})
}

type leaveCmd struct {
	Game string `arg:"" help:"Game."`
	Seat string `arg:"" help:"Seat."`
}

// Run leaves a seat and keeps its token apart, which may take the seat again.
func (c leaveCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	g, err := game.Leave(a.ctx, c.Seat)
	if err != nil && !errors.Is(err, warledger.ErrTokenRevoked) {
		return err
	}
	if keep := a.keep(game.Name(), false, func(held *credentials.Game) { held.PutAside(c.Seat) }); err == nil {
		err = keep
	}
	if err != nil {
		return err
	}
	return a.message(g, func() { a.say("%s of %s is free.\n", c.Seat, game.Name()) })
}

type chainCmd struct {
	Game       string `arg:"" help:"Game."`
	Forget     bool   `help:"Forget the seat's chain, and what was seen of the log: another program of yours answers, or you know why the server's log changed."`
	AcceptUndo uint64 `help:"Go on after the undo of this record, which took back dice: you agreed to it with another program of yours, or put up with it." placeholder:"N"`
}

// Run commits a seat to a new chain for mutual dice, which is kept here. It is for a token that came from another
// machine.
func (c chainCmd) Run(a *app) error {
	a.alarmed = true // what would be warned of is what this mends
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	if c.Forget {
		return c.forget(a, game)
	}
	if c.AcceptUndo != 0 {
		return c.accept(a, game)
	}
	g, err := game.RenewChain(a.ctx)
	if errors.Is(err, warledger.ErrLogInconsistent) {
		return fmt.Errorf(
			"%w\n  only if you know why, as after a restored backup: warledger chain %s --as %s --forget begins anew",
			err, short(game.Name()), game.Seat(),
		)
	}
	if taken := new(warledger.ThrowTakenBackError); errors.As(err, &taken) {
		return fmt.Errorf(
			"%w\n  only if it was you, or you know why: warledger chain %s --as %s --accept-undo %d goes on",
			err, short(game.Name()), game.Seat(), taken.Undo,
		)
	}
	if err != nil {
		return err
	}
	return a.message(g, func() { a.say("This machine answers for the dice of %s from now on.\n", game.Seat()) })
}

func (c chainCmd) accept(a *app, game *warledger.Game) error {
	if game.Seat() == "" {
		return usageError{"say which seat with --as"}
	}
	if err := game.AcceptUndo(a.ctx, c.AcceptUndo); err != nil {
		return err
	}
	a.alarmed = false
	a.answerDice(game)
	a.say("This machine goes on answering for the dice of %s after the undo of record %d.\n", game.Seat(), c.AcceptUndo)
	return nil
}

func (chainCmd) forget(a *app, game *warledger.Game) error {
	if game.Seat() == "" {
		return usageError{"say which seat with --as"}
	}
	if err := game.ForgetChain(a.ctx); err != nil {
		return err
	}
	a.say("This machine has forgotten the chain of %s. warledger chain %s --as %s makes a new one.\n",
		game.Seat(), short(game.Name()), game.Seat())
	return nil
}

type resignCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run gives the game up.
func (c resignCmd) Run(a *app) error {
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	g, err := game.Resign(a.ctx)
	if err == nil && !g.Over {
		err = a.keep(game.Name(), false, func(held *credentials.Game) { held.PutAside(game.Seat()) })
	}
	return a.ended(g, err)
}

type closeCmd struct {
	Game   string `arg:"" help:"Game."`
	Reason string `help:"Why."`
}

// Run ends a game without a result.
func (c closeCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	g, err := game.Close(a.ctx, c.Reason)
	return a.ended(g, err)
}

func (a *app) ended(g *v1.Game, err error) error {
	if err != nil {
		return err
	}
	return a.message(g, func() {
		if !g.Over {
			a.say("You have given your seat up, or have left it if you had not played. %s goes on: %s.\n",
				g.Name, a.state(g))
			return
		}
		a.say("%s is over. %s\n", g.Name, g.Ending.GetText())
	})
}
