package main

import (
	"fmt"
	"os"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/ledger"
)

type verifyCmd struct {
	Files  []string `arg:"" name:"file" help:"Game file, as export writes it."`
	Origin string   `help:"File of the game that the files were forked from: their copies are compared with it." type:"existingfile" placeholder:"FILE"`
	Log    bool     `help:"Have the server prove that its log of heads only grew since you last asked, and holds those of the files."`
}

// verified is what verify prints of a file as JSON.
type verified struct {
	File      string       `json:"file"`
	Game      string       `json:"game"`
	Records   uint64       `json:"records"`
	Rolls     uint64       `json:"rolls"`
	Commands  uint64       `json:"commands"`
	Hidden    uint64       `json:"hidden"`
	Errors    uint64       `json:"errors"`
	Notices   uint64       `json:"notices"`
	Hash      string       `json:"hash"`
	Copied    uint64       `json:"copied,omitempty"`
	Unchecked []string     `json:"unchecked,omitempty"`
	Findings  []foundThing `json:"findings,omitempty"`
}

type foundThing struct {
	Version  uint64 `json:"version"`
	Severity string `json:"severity"`
	Check    string `json:"check"`
	Message  string `json:"message"`
	Detail   string `json:"detail,omitempty"`
}

// Run checks game files without a server.
func (c verifyCmd) Run(a *app) error {
	wrong := false
	var at *warledger.Checkpoint
	var kept *keptLogs
	if c.Log {
		var err error
		if at, kept, err = a.checkpoint(); err != nil {
			return err
		}
	}
	for _, name := range c.Files {
		v, err := a.verify(name)
		if err == nil && c.Origin != "" {
			err = a.compareWithOrigin(v, c.Origin)
		}
		if err == nil && at != nil {
			err = a.heldAgainstLog(v, at, kept)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		wrong = wrong || v.Errors > 0
		if a.line.Output == "json" {
			if err := a.plainJSON(v, false); err != nil {
				return err
			}
			continue
		}
		a.say("%s: game %s, hash %s\n", name, v.Game, v.Hash)
		a.audited(&v1.AuditSummary{Records: v.Records, Rolls: v.Rolls, Commands: v.Commands, Errors: v.Errors, Unchecked: v.Unchecked})
	}
	if wrong {
		return quietError{exitFound}
	}
	return nil
}

// verify checks one file. Findings are told as they come.
func (a *app) verify(name string) (*verified, error) {
	registry, err := rulesets.Registry(true)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	game, err := ledger.ReadExport(file)
	if err != nil {
		return nil, err
	}
	v := &verified{File: name, Game: game.Header().Game}
	sum, err := ledger.AuditExport(a.ctx, game, registry, ledger.AuditOptions{}, func(f ledger.Finding) { a.note(v, f) })
	if err != nil {
		return nil, err
	}
	v.Records, v.Rolls, v.Commands, v.Hidden = sum.Records, sum.Rolls, sum.Commands, sum.Hidden
	v.Errors, v.Notices, v.Unchecked = sum.Errors, sum.Notices, sum.Unchecked
	v.Hash = fmt.Sprintf("%x", sum.Hash)
	return v, nil
}

// note keeps a finding and tells it.
func (a *app) note(v *verified, f ledger.Finding) {
	v.Findings = append(v.Findings, foundThing{f.Version, f.Severity.String(), string(f.Check), f.Message, f.Detail})
	if a.line.Output != "json" {
		a.say("%s: %s\n", v.File, f)
		if f.Detail != "" {
			a.say("  %s\n", f.Detail)
		}
	}
}

// compareWithOrigin compares what a fork copied with the file of its origin.
func (a *app) compareWithOrigin(v *verified, origin string) error {
	var logs [2]ledger.Source
	for i, name := range []string{v.File, origin} {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		game, err := ledger.ReadExport(file)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		logs[i] = game.Records
	}
	var err error
	v.Copied, err = ledger.AuditFork(a.ctx, logs[0], logs[1], func(f ledger.Finding) {
		v.Errors++
		a.note(v, f)
	})
	if a.line.Output != "json" {
		a.say("%s: %d records are copies of those of %s\n", v.File, v.Copied, origin)
	}
	return err
}
