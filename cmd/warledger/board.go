package main

import (
	"fmt"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/picture"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type boardCmd struct {
	Game string `arg:"" help:"Game."`
	when
	Space  string `help:"Close-up of a space or box with all its pieces." placeholder:"ID"`
	Centre string `name:"at" help:"Space around which to draw, if the map is wider than the terminal." placeholder:"ID"`
	Legend bool   `help:"Say what glyphs and colours mean."`

	PNG    string   `name:"png" help:"Draw a picture instead, into a file; - for the standard output." placeholder:"FILE"`
	Radius float64  `help:"With --png and --at: how many spaces to show around that one; 4 if not given." placeholder:"N"`
	Scale  float64  `help:"With --png: pixels for a unit of the map; what makes it about 1600 pixels wide or high if not given." placeholder:"N"`
	Mark   []string `help:"With --png: spaces and pieces to mark." placeholder:"ID,..."`
	Bare   bool     `help:"With --png: the map alone."`
}

// Run draws the board.
func (c boardCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	version, err := c.version(a, game)
	if err != nil {
		return err
	}
	resp, err := game.Board(a.ctx, warledger.Look{Version: version, Viewer: a.line.As, WithMap: true})
	if err != nil {
		return err
	}
	if c.PNG != "" {
		return c.picture(a, resp)
	}
	o := a.options()
	o.Centre, o.Legend = c.Centre, c.Legend
	if c.Space == "" || a.line.Output == "json" {
		return a.message(resp, func() { a.draw(resp, o) })
	}
	text, ok := picture.Space(resp.Board, resp.Board.Map, c.Space, o)
	if !ok {
		return usageError{fmt.Sprintf("the map has no space or box %q", c.Space)}
	}
	a.show(text)
	return nil
}

func (a *app) draw(resp *v1.GetBoardResponse, o picture.Options) {
	a.show(picture.Board(resp.Board, resp.Board.Map, o))
	a.say("Version %d\n", resp.Version)
}

type positionCmd struct {
	Game string `arg:"" help:"Game."`
	when
	Notation bool `help:"In the ruleset's notation; for a viewer who may see everything, as anyone may when the game is over."`
}

// Run prints the typed position.
func (c positionCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	version, err := c.version(a, game)
	if err != nil {
		return err
	}
	resp, err := game.Position(a.ctx, warledger.Look{Version: version, Viewer: a.line.As})
	if err != nil {
		return err
	}
	if c.Notation && a.line.Output != "json" {
		if resp.Notation == "" {
			return fmt.Errorf("the notation holds every secret: it is shown when the game is over")
		}
		a.say("%s", resp.Notation)
		return nil
	}
	return a.json(resp, true)
}
