package main

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/screen"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type playCmd struct {
	Game  string `arg:"" help:"Game."`
	Watch bool   `help:"Only look on, also where you hold a seat."`
	askingEnd
}

// remembered is how many records of a game's past the screen has at hand.
const remembered = 500

// Run plays a game on the full screen until the player quits.
func (c playCmd) Run(a *app) error {
	if !a.tty || !a.inTTY {
		return usageError{"play needs a terminal; board, legal and do work without one"}
	}
	game, err := c.seat(a)
	if err != nil {
		return err
	}
	g, err := game.Get(a.ctx)
	if err != nil {
		return err
	}
	viewer := a.line.As
	if viewer == "" {
		viewer = game.Seat()
	}
	ctx, stop := context.WithCancel(a.ctx)
	defer stop()
	model := screen.New(ctx,
		screen.Settings{Game: game, Seat: game.Seat(), Viewer: viewer, Voice: a.voice(), Picture: a.options(),
			AskEnd: c.AskEnd,
			Asked:  func() (*screen.Question, error) { return a.askedOf(ctx, game) }})
	program := tea.NewProgram(model, tea.WithContext(ctx), tea.WithInput(a.in), tea.WithOutput(a.out),
		tea.WithAltScreen())
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		follow(ctx, game, viewer, g, program)
	}()
	_, err = program.Run()
	stop()
	<-watching
	if a.ctx.Err() != nil || errors.Is(err, tea.ErrInterrupted) {
		return context.Canceled
	}
	return err
}

// seat is the handle to play with: of the seat that is held, or of none for whoever looks on.
func (c playCmd) seat(a *app) (*warledger.Game, error) {
	if c.Watch || a.line.As == "spectator" {
		name, err := a.gameName(c.Game)
		if err != nil {
			return nil, err
		}
		client, err := a.server()
		if err != nil {
			return nil, err
		}
		return client.Game(name, "").InLanguage(string(a.line.Lang)), nil
	}
	return a.acting(c.Game)
}

// follow tells the screen what happens, until ctx ends. Lost connections are mended.
func follow(ctx context.Context, game *warledger.Game, viewer string, g *v1.Game, program *tea.Program) {
	o := warledger.WatchOptions{Viewer: viewer, Heartbeat: 5 * time.Second}
	if g.Version > remembered {
		o.After = g.Version - remembered
	}
	o.Lost = func(reason error, _ time.Duration) { program.Send(screen.Lost(reason.Error())) }
	for u, err := range game.Watch(ctx, o) {
		if err != nil {
			program.Send(screen.Lost(err.Error()))
			return
		}
		program.Send(screen.Happened{Update: u})
	}
}

// voice says things as the other commands do.
func (a *app) voice() screen.Voice {
	return screen.Voice{
		Record:  func(r *v1.Record) string { return a.inWords(func(page *app) { page.record(r) }) },
		Preview: func(p *v1.PreviewCommandResponse) string { return a.inWords(func(page *app) { page.preview(p) }) },
		Error: func(err error) string {
			if errors.Is(err, warledger.ErrVersionConflict) {
				return a.words("Somebody was quicker: look again.")
			}
			return strings.TrimPrefix(a.inWords(func(page *app) { page.complainText(err) }), "warledger: ")
		},
	}
}
