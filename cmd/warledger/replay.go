package main

import (
	"bufio"
	"fmt"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/picture"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type replayCmd struct {
	Game string `arg:"" help:"Game."`
	when
	All bool `help:"Every record in the order of the log, those that were undone included."`
}

// Run steps through a game: with keys at a terminal, otherwise it prints one position.
func (c replayCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	at, err := c.version(a, game)
	if err != nil {
		return err
	}
	r := &replay{app: a, game: game}
	for record, err := range game.Records(a.ctx, warledger.LogQuery{Viewer: a.line.As, WholeTree: c.All || at > 0}) {
		if err != nil {
			return err
		}
		r.records = append(r.records, record)
	}
	if at > 0 || !a.tty || !a.inTTY || a.line.Output == "json" {
		return r.single(at)
	}
	return r.interactive()
}

// replay is a game being stepped through.
type replay struct {
	*app
	game    *warledger.Game
	records []*v1.Record
	world   *boardv1.Map
}

// single prints the position after one record, the last if none is given.
func (r *replay) single(version uint64) error {
	resp, err := r.position(version)
	if err != nil {
		return err
	}
	return r.message(resp, func() {
		for _, record := range r.records {
			if record.Version == resp.Version {
				r.record(record)
			}
		}
		r.draw(resp, r.options())
	})
}

// position asks for a position; the map, which stays the same, only once.
func (r *replay) position(version uint64) (*v1.GetBoardResponse, error) {
	resp, err := r.game.Board(r.ctx, warledger.Look{Version: version, Viewer: r.line.As, WithMap: r.world == nil})
	if err != nil {
		return nil, err
	}
	if r.world == nil {
		r.world = resp.Board.Map
	}
	resp.Board.Map = r.world
	return resp, nil
}

const (
	enterScreen = "\x1b[?1049h\x1b[?25l"
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	clearScreen = "\x1b[H\x1b[2J"
)

// interactive steps with keys, on a screen of its own.
func (r *replay) interactive() error {
	restore, err := r.raw()
	if err != nil {
		return err
	}
	defer restore()
	r.show(enterScreen)
	defer r.show(leaveScreen)
	keys := bufio.NewReader(r.in)
	for at := 0; ; {
		if err := r.frame(at); err != nil {
			return err
		}
		key, err := readKey(keys)
		if err != nil || key == keyQuit {
			return nil // no more keys, no more steps
		}
		at = step(key, at, len(r.records)-1)
	}
}

// frame draws the position after a record and tells the record.
func (r *replay) frame(at int) error {
	record := r.records[at]
	resp, err := r.position(record.Version)
	if err != nil {
		return err
	}
	var text strings.Builder
	page := *r.app
	page.out = &text
	page.record(record)
	text.WriteString(picture.Board(resp.Board, r.world, r.options()))
	fmt.Fprintf(&text, "Record %d of %d.  → next  ← back  ↑ ↓ ten  g first  G last  q quit\n", at+1, len(r.records))
	r.show(clearScreen + strings.ReplaceAll(text.String(), "\n", "\r\n"))
	return nil
}
