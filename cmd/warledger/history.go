package main

import (
	"fmt"
	"os"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

type importCmd struct {
	File string `arg:"" type:"existingfile" help:"Game file, as export writes it."`
}

// Run takes a game file into the server and keeps the owner's token.
func (c importCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	resp, err := client.Import(a.ctx, file, info.Size())
	if err != nil {
		return err
	}
	game := resp.Game
	if err := a.keep(game.Name, true, func(g *credentials.Game) { g.Owner = resp.OwnerToken }); err != nil {
		return fmt.Errorf("%s was imported, but its token cannot be kept: %w", game.Name, err)
	}
	return a.message(game, func() {
		a.say("Imported %s.\n", game.Name)
		if game.ReadOnly {
			a.say("It was not over: it can be looked at and forked, and nobody can play on in it.\n")
		}
		a.summary(game)
	})
}

type forkCmd struct {
	Game    string `arg:"" help:"Game to leave from."`
	Version uint64 `help:"Record after which to leave; the current position if not given." placeholder:"N"`
	Title   string `help:"Title of the new game; that of the old one if not given."`
	Dice    string `help:"Where its dice come from: committed, manual, or as in the old one." enum:"same,committed,manual" default:"same"`
	Private bool   `help:"A line of your own: you hold all seats, nobody else sees it, and you may undo what came before."`
}

// Run leaves a game and keeps the tokens of the new one.
func (c forkCmd) Run(a *app) error {
	origin, err := a.game(c.Game)
	if err != nil {
		return err
	}
	kinds := map[string]logv1.DiceKind{"committed": logv1.DiceKind_DICE_KIND_COMMITTED, "manual": logv1.DiceKind_DICE_KIND_MANUAL}
	resp, err := origin.Fork(a.ctx, warledger.Fork{Version: c.Version, Title: c.Title, Dice: kinds[c.Dice], Private: c.Private})
	if err != nil {
		return err
	}
	game := resp.Game
	if err := a.keep(game.Name, true, func(g *credentials.Game) {
		g.Owner = resp.OwnerToken
		for seat, token := range resp.SeatTokens {
			g.Seats[seat] = token
		}
	}); err != nil {
		return fmt.Errorf("%s was forked, but its tokens cannot be kept: %w", game.Name, err)
	}
	return a.message(game, func() {
		a.say("Forked %s from version %d of %s.\n", game.Name, game.ForkedFrom.Version, origin.Name())
		a.summary(game)
	})
}
