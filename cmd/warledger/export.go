package main

import (
	"errors"
	"os"
	"path/filepath"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type exportCmd struct {
	Game string `arg:"" help:"Game."`
	File string `short:"f" required:"" help:"File to write; - for standard output." placeholder:"FILE"`
}

// Run writes a game to a file, whole or not at all.
func (c exportCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	if c.File == "-" {
		return game.Export(a.ctx, a.out)
	}
	temp, err := os.CreateTemp(filepath.Dir(c.File), "."+filepath.Base(c.File)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	err = game.Export(a.ctx, temp)
	info, statErr := temp.Stat()
	if err = errors.Join(err, statErr, temp.Chmod(0o644), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), c.File); err != nil {
		return err
	}
	if a.line.Output == "json" {
		return a.plainJSON(written{c.File, info.Size()}, true)
	}
	a.say("%s: %d bytes. warledger verify %s checks it.\n", c.File, info.Size(), c.File)
	return nil
}

// written is what export prints as JSON.
type written struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

type auditCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run has the server check a game.
func (c auditCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	var sum *v1.AuditSummary
	for m, err := range game.Audit(a.ctx) {
		if err != nil {
			return err
		}
		switch {
		case a.line.Output == "json":
			err = a.json(m, false)
		case m.GetFinding() != nil:
			a.finding(m.GetFinding())
		}
		if err != nil {
			return err
		}
		if m.GetSummary() != nil {
			sum = m.GetSummary()
		}
	}
	if sum == nil {
		return errors.New("the audit ended without a summary")
	}
	if a.line.Output != "json" {
		a.audited(sum)
	}
	if sum.Errors > 0 {
		return quietError{exitFound}
	}
	return nil
}

func (a *app) finding(f *v1.Finding) {
	kind := "notice"
	if f.Severity == v1.Severity_SEVERITY_ERROR {
		kind = "ERROR"
	}
	a.say("%s: record %d: %s: %s\n", kind, f.Version, f.Check, f.Message)
}

func (a *app) audited(s *v1.AuditSummary) {
	a.say("%d records, %d dice recomputed, %d commands decided again, %d errors.\n",
		s.Records, s.Rolls, s.Commands, s.Errors)
	for _, what := range s.Unchecked {
		a.say("  not checked: %s\n", what)
	}
}
