package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/ledger"
)

type verifyCmd struct {
	Files  []string `arg:"" name:"file" help:"Game file, as export writes it."`
	Origin string   `help:"File of the game that the files were forked from: their copies are compared with it." type:"existingfile" placeholder:"FILE"`
	Ended  bool     `help:"Fail if a file has no end, and so may have been cut off."`
	Known  string   `help:"Compare the files with the hash of a record that you kept: a file with another hash, or that ends before that record, fails." placeholder:"VERSION:HASH"`
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
	Ended     bool         `json:"ended"`
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
	known, err := readKnown(c.Known)
	if err != nil {
		return err
	}
	var at *warledger.Checkpoint
	var kept *keptLogs
	if c.Log {
		if at, kept, err = a.checkpoint(); err != nil {
			return err
		}
	}
	for _, name := range c.Files {
		v, err := a.verify(name)
		if err == nil && c.Origin != "" {
			err = a.compareWithOrigin(v, c.Origin)
		}
		if err == nil {
			err = a.heldAgainstChains(v)
		}
		if err == nil && known.Version > 0 {
			err = a.heldAgainstKnown(v, known)
		}
		if err == nil && at != nil {
			err = a.heldAgainstLog(v, at, kept)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		wrong = wrong || v.Errors > 0 || c.Ended && !v.Ended
		if a.line.Output == "json" {
			if err := a.plainJSON(v, false); err != nil {
				return err
			}
			continue
		}
		a.say("%s: game %s, hash %s\n", name, v.Game, v.Hash)
		a.audited(&v1.AuditSummary{
			Records: v.Records, Rolls: v.Rolls, Commands: v.Commands, Errors: v.Errors, Unchecked: v.Unchecked,
		})
		if !v.Ended {
			a.say(noEnd, name, v.Records, v.Records, v.Hash)
		}
	}
	if wrong {
		return quietError{exitFound}
	}
	return nil
}

// noEnd says what cannot be known from a file of a game that goes on.
const noEnd = `%s: the log has no end: its secrets are not in it, so no die that the server threw was checked, and nothing shows whether it was cut off after record %d.
  To prove the head: verify --log asks the server for its signed log of heads, and verify --known compares with a hash that you kept.
  The hash to keep of this file is %d:%s
`

// readKnown reads the hash of a record that somebody kept.
func readKnown(text string) (head keptHead, err error) {
	if text == "" {
		return head, nil
	}
	version, hash, _ := strings.Cut(text, ":")
	head.Version, err = strconv.ParseUint(version, 10, 64)
	head.Hash = strings.ToLower(hash)
	if sum, bad := hex.DecodeString(hash); err != nil || bad != nil || len(sum) != sha256.Size || head.Version == 0 {
		return head, usageError{fmt.Sprintf("--known %q: expected the version of a record, a colon, and its "+
			"hash of 64 hexadecimal digits", text)}
	}
	return head, nil
}

// heldAgainstKnown compares a file with the hash of a record that was kept.
func (a *app) heldAgainstKnown(v *verified, known keptHead) error {
	found, err := hashesAt(v.File)
	if err != nil {
		return err
	}
	if known.Version > uint64(len(found)) {
		v.Errors++
		a.note(v, ledger.Finding{
			Version: uint64(len(found)), Severity: ledger.Error, Check: ledger.CheckChain,
			Message: fmt.Sprintf("is the last, and you kept the hash of record %d: the file was cut off",
				known.Version),
		})
		return nil
	}
	if a.headFits(v, found, known, "you kept %s of it") && a.line.Output != "json" {
		a.say("%s: record %d has the hash that you kept\n", v.File, known.Version)
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
	sum, err := ledger.AuditExport(a.ctx, game, registry, ledger.AuditOptions{},
		func(f ledger.Finding) { a.note(v, f) })
	if err != nil {
		return nil, err
	}
	v.Records, v.Rolls, v.Commands, v.Hidden = sum.Records, sum.Rolls, sum.Commands, sum.Hidden
	v.Errors, v.Notices, v.Unchecked = sum.Errors, sum.Notices, sum.Unchecked
	v.Ended = sum.Ended
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
