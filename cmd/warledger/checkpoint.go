package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/service/ledger"
)

// keptCheckpoint is the last checkpoint of a server that was proved.
type keptCheckpoint struct {
	Key  string `json:"key"`
	Note string `json:"note"`
}

// checkpoint gets the server's newest checkpoint, proves that its log only grew since the one that was kept, and keeps it in that one's place.
func (a *app) checkpoint() (*warledger.Checkpoint, error) {
	client, err := a.server()
	if err != nil {
		return nil, err
	}
	file, err := a.credentials()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(filepath.Dir(file.Path), "checkpoints.json")
	kept := make(map[string]keptCheckpoint)
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var last *warledger.Checkpoint
	if k, known := kept[a.line.Server]; known {
		if last, err = warledger.ReadCheckpoint(k.Note, k.Key); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	next, err := client.Checkpoint(a.ctx, last)
	if err != nil {
		return nil, err
	}
	if a.line.Output != "json" {
		if last == nil {
			a.say("First checkpoint of %s: %d heads, key %s\n", a.line.Server, next.Size(), next.VerifierKey)
		} else {
			a.say("The server's log of heads grew from %d to %d and lost nothing.\n", last.Size(), next.Size())
		}
	}
	kept[a.line.Server] = keptCheckpoint{next.VerifierKey, next.Note}
	if data, err = json.MarshalIndent(kept, "", "  "); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	temp := path + ".new"
	if err := os.WriteFile(temp, append(data, '\n'), 0o600); err != nil {
		return nil, err
	}
	return next, os.Rename(temp, path)
}

// heldAgainstLog compares a file with the head that the server's log has of its game.
func (a *app) heldAgainstLog(v *verified, at *warledger.Checkpoint) error {
	game, err := a.game("games/" + v.Game)
	if err != nil {
		return err
	}
	version, hash, err := game.Head(a.ctx, at)
	if err != nil {
		return err
	}
	if version > v.Records {
		a.note(v, ledger.Finding{Severity: ledger.Notice, Check: ledger.CheckFile,
			Message: fmt.Sprintf("ends with record %d, and the server's log has a head of version %d", v.Records, version)})
		v.Notices++
		return nil
	}
	file, err := os.Open(v.File)
	if err != nil {
		return err
	}
	defer file.Close()
	export, err := ledger.ReadExport(file)
	if err != nil {
		return err
	}
	n := uint64(0)
	for data, err := range export.Records() {
		if err != nil {
			return err
		}
		if n++; n != version {
			continue
		}
		r, err := ledger.Parse(data)
		if err != nil {
			return err
		}
		if got := r.Hash(); string(got[:]) != string(hash) {
			v.Errors++
			a.note(v, ledger.Finding{Version: version, Severity: ledger.Error, Check: ledger.CheckFile,
				Message: fmt.Sprintf("has hash %x, and the server's log has %x for it", got, hash)})
		} else if a.line.Output != "json" {
			a.say("%s: record %d is in the server's log of heads\n", v.File, version)
		}
	}
	return nil
}
