package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/clients/lab"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type labCmd struct {
	Serve  labServeCmd  `cmd:"" default:"withargs" help:"Answer requests on standard input; see docs/reference/lab.md."`
	Export labExportCmd `cmd:"" help:"Write games of the server as JSON lines, as you may see them."`
}

type labServeCmd struct{}

// Run plays many games at once for a program that holds the other ends of standard input and output.
func (labServeCmd) Run(a *app) error {
	if a.inTTY {
		return usageError{"lab speaks to a program on standard input, not to a terminal"}
	}
	registry, err := rulesets.Registry(true)
	if err != nil {
		return err
	}
	return lab.Serve(a.ctx, a.in, a.out, registry, version())
}

type labExportCmd struct {
	Games   []string `arg:"" optional:"" help:"Games; all that have ended if none is named." name:"game"`
	Ruleset string   `help:"Only games of this ruleset." placeholder:"NAME"`
	Running bool     `help:"Also games that go on, as far as you may see them."`
	Undone  bool     `help:"Also records that were undone."`
}

// Run writes a line for each game: what it is, and its records as the server shows them to the viewer of --as.
func (c labExportCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	if len(c.Games) > 0 {
		for _, given := range c.Games {
			game, err := a.game(given)
			if err != nil {
				return err
			}
			summary, err := game.Get(a.ctx)
			if err != nil {
				return err
			}
			if err := c.write(a, game, summary); err != nil {
				return err
			}
		}
		return nil
	}
	req := &v1.ListGamesRequest{PageSize: 1000}
	if c.Ruleset != "" {
		req.Ruleset = "rulesets/" + c.Ruleset
	}
	for summary, err := range client.List(a.ctx, req) {
		if err != nil {
			return err
		}
		if !summary.Over && !c.Running {
			continue
		}
		game := client.Game(summary.Name, a.line.As).InLanguage(string(a.line.Lang))
		if err := c.write(a, game, summary); err != nil {
			return err
		}
	}
	return nil
}

// write writes a game as one line of JSON.
func (c labExportCmd) write(a *app, game *warledger.Game, summary *v1.Game) error {
	line := struct {
		Game    json.RawMessage   `json:"game"`
		Records []json.RawMessage `json:"records"`
	}{Records: []json.RawMessage{}}
	var err error
	if line.Game, err = protojson.Marshal(summary); err != nil {
		return err
	}
	for record, err := range game.Records(a.ctx,
		warledger.LogQuery{WholeTree: c.Undone, Viewer: a.line.As, PageSize: 1000}) {
		if err != nil {
			return fmt.Errorf("%s: %w", summary.Name, err)
		}
		data, err := protojson.Marshal(record)
		if err != nil {
			return fmt.Errorf("%s, record %d: %w", summary.Name, record.Version, err)
		}
		line.Records = append(line.Records, data)
	}
	data, err := json.Marshal(line) // which takes out the spaces that protojson varies
	if err == nil {
		_, err = a.out.Write(append(bytes.TrimSpace(data), '\n'))
	}
	return err
}
