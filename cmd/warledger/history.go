package main

import (
	"fmt"
	"os"
	"time"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// when is the position that a command looks at.
type when struct {
	Version uint64 `help:"After this record; the current position if nothing is given." placeholder:"N" xor:"when"`
	Turn    int32  `help:"At the beginning of this game turn." placeholder:"N" xor:"when"`
	Time    string `help:"At this time, as in 2026-03-04T20:15:00Z." placeholder:"TIME" xor:"when"`
}

// version finds the version; 0 for the current position.
func (w when) version(a *app, game *warledger.Game) (uint64, error) {
	switch {
	case w.Turn != 0:
		return game.VersionOfTurn(a.ctx, w.Turn)
	case w.Time != "":
		at, err := time.Parse(time.RFC3339Nano, w.Time)
		if err != nil {
			return 0, usageError{fmt.Sprintf("%q is no time, expected one as in 2026-03-04T20:15:00Z", w.Time)}
		}
		return game.VersionAt(a.ctx, at)
	}
	return w.Version, nil
}

type compareCmd struct {
	Left     string `arg:"" help:"Game."`
	Right    string `arg:"" optional:"" help:"The other game; the same one, to compare versions of it, if not given."`
	LeftEnd  when   `embed:"" prefix:"left-"`
	RightEnd when   `embed:"" prefix:"right-"`
}

// Run compares two lines.
func (c compareCmd) Run(a *app) error {
	if c.Right == "" {
		c.Right = c.Left
	}
	var ends [2]warledger.Line
	for i, side := range []struct {
		game string
		end  when
	}{{c.Left, c.LeftEnd}, {c.Right, c.RightEnd}} {
		game, err := a.game(side.game)
		if err != nil {
			return err
		}
		version, err := side.end.version(a, game)
		if err != nil {
			return err
		}
		ends[i] = warledger.Line{Game: game, Version: version}
	}
	resp, err := a.client.Compare(a.ctx, ends[0], ends[1])
	if err != nil {
		return err
	}
	return a.message(resp, func() { a.compared(resp) })
}

// compared tells where two lines part, and in what their ends differ.
func (a *app) compared(resp *v1.CompareGamesResponse) {
	a.say("%d records in common.\n", resp.Common)
	for _, side := range []struct {
		name string
		line *v1.ComparedLine
	}{{"left", resp.Left}, {"right", resp.Right}} {
		if side.line.Parting == nil {
			a.say("%s: ends there, at version %d.\n", side.name, side.line.Version)
			continue
		}
		a.say("%s: goes on to version %d with\n", side.name, side.line.Version)
		a.record(side.line.Parting)
	}
	for _, d := range resp.Differences {
		a.say("%s: %s | %s\n", d.Path, orDash(d.Left), orDash(d.Right))
	}
	switch n := len(resp.Differences); {
	case n == 0:
		a.say("The positions are the same.\n")
	case resp.OmittedDifferences > 0:
		a.say("and %d more\n", resp.OmittedDifferences)
	}
}

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
	Game string `arg:"" help:"Game to leave from."`
	when
	Title   string `help:"Title of the new game; that of the old one if not given."`
	Dice    string `help:"Kind of its dice: committed, mutual, manual, or the same as in the old game." enum:"same,committed,mutual,manual" default:"same"`
	Join    string `help:"Who may take a free seat: open, first or invited as create has it, or as in the old one." enum:"same,open,first,invited" default:"same"`
	Private bool   `help:"A line of your own: you hold all seats, nobody else sees it, and you may undo what came before."`
}

// Run leaves a game and keeps the tokens of the new one.
func (c forkCmd) Run(a *app) error {
	origin, err := a.game(c.Game)
	if err != nil {
		return err
	}
	version, err := c.version(a, origin)
	if err != nil {
		return err
	}
	resp, err := origin.Fork(a.ctx,
		warledger.Fork{Version: version, Title: c.Title, Dice: diceKinds[c.Dice], Join: joinPolicies[c.Join],
			Private: c.Private})
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
