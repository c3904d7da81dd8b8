package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/service/ledger"
)

// keptLogs is what was proved of servers' logs of heads, by server.
type keptLogs struct {
	path    string
	servers map[string]*keptLog
}

// keptLog is the last checkpoint of a server that was proved, and the last heads of games that were
// proved to be in its log.
type keptLog struct {
	Key   string              `json:"key"`
	Note  string              `json:"note"`
	Heads map[string]keptHead `json:"heads,omitempty"`
}

// keptHead is a head of a game.
type keptHead struct {
	Version uint64 `json:"version"`
	Hash    string `json:"hash"`
}

func (a *app) keptLogs() (*keptLogs, error) {
	file, err := a.credentials()
	if err != nil {
		return nil, err
	}
	k := &keptLogs{filepath.Join(filepath.Dir(file.Path), "checkpoints.json"), make(map[string]*keptLog)}
	data, err := os.ReadFile(k.path)
	if err == nil {
		err = json.Unmarshal(data, &k.servers)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", k.path, err)
	}
	return k, nil
}

func (k *keptLogs) save() error {
	data, err := json.MarshalIndent(k.servers, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(k.path), 0o700); err != nil {
		return err
	}
	temp := k.path + ".new"
	if err := os.WriteFile(temp, append(data, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, k.path)
}

// checkpoint gets the server's newest checkpoint, proves that its log only grew since the one that was kept, and keeps
// it in that one's place.
func (a *app) checkpoint() (*warledger.Checkpoint, *keptLogs, error) {
	client, err := a.server()
	if err != nil {
		return nil, nil, err
	}
	all, err := a.keptLogs()
	if err != nil {
		return nil, nil, err
	}
	kept := all.servers[a.line.Server]
	var last *warledger.Checkpoint
	if kept != nil {
		if last, err = warledger.ReadCheckpoint(kept.Note, kept.Key); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", all.path, err)
		}
	} else {
		kept = new(keptLog)
		all.servers[a.line.Server] = kept
	}
	next, err := client.Checkpoint(a.ctx, last)
	if err != nil {
		return nil, nil, err
	}
	if a.line.Output != "json" {
		if last == nil {
			a.say("First checkpoint of %s: %d heads, key %s\n", a.line.Server, next.Size(), next.VerifierKey)
		} else {
			a.say("The server's log of heads grew from %d to %d and lost nothing.\n", last.Size(), next.Size())
		}
	}
	kept.Key, kept.Note = next.VerifierKey, next.Note
	return next, all, all.save()
}

// heldAgainstLog compares a file with the head that the server's log has of its game, and with the one that it was
// proved to have the last time. A server that replaced the game in between has proved both, and the file can
// follow only one of them.
func (a *app) heldAgainstLog(v *verified, at *warledger.Checkpoint, all *keptLogs) error {
	game, err := a.game("games/" + v.Game)
	if err != nil {
		return err
	}
	version, hash, err := game.Head(a.ctx, at)
	if err != nil {
		return err
	}
	now := keptHead{version, hex.EncodeToString(hash)}
	found, err := hashesAt(v.File)
	if err != nil {
		return err
	}
	kept := all.servers[a.line.Server]
	good := true
	if before, known := kept.Heads[v.Game]; known {
		good = a.headFits(v, found, before, "the log of heads had %s for it when you last asked")
	}
	if !a.headFits(v, found, now, "the server's log has %s for it") || !good {
		return nil // what was proved first stays kept
	}
	if version > v.Records {
		return a.aheadOfFile(v, game, now)
	}
	if a.line.Output != "json" {
		a.say("%s: record %d is in the server's log of heads\n", v.File, version)
	}
	if kept.Heads == nil {
		kept.Heads = make(map[string]keptHead)
	}
	kept.Heads[v.Game] = now
	return all.save()
}

// headFits notes an error if the file has another hash for a head. A file that ends before it fits.
func (a *app) headFits(v *verified, found []string, head keptHead, says string) bool {
	if head.Version == 0 || head.Version > uint64(len(found)) || found[head.Version-1] == head.Hash {
		return true
	}
	v.Errors++
	a.note(v, ledger.Finding{Version: head.Version, Severity: ledger.Error, Check: ledger.CheckFile,
		Message: fmt.Sprintf("has hash %s, and "+says, found[head.Version-1], head.Hash)})
	return false
}

// aheadOfFile looks at a head that is behind the end of the file: either the file is older than the head, or the
// server has lost records.
func (a *app) aheadOfFile(v *verified, game *warledger.Game, head keptHead) error {
	now, err := game.Get(a.ctx)
	if err != nil {
		return err
	}
	if now.Version < head.Version {
		v.Errors++
		a.note(v, ledger.Finding{Version: head.Version, Severity: ledger.Error, Check: ledger.CheckFile,
			Message: fmt.Sprintf(
				"is missing: the server's log has a head of that version, and its game ends with record %d",
				now.Version,
			)})
		return nil
	}
	v.Notices++
	a.note(v, ledger.Finding{Severity: ledger.Notice, Check: ledger.CheckFile,
		Message: fmt.Sprintf("ends with record %d, and the server's log has a head of version %d",
			v.Records, head.Version)})
	return nil
}

// hashesAt are the hashes of a file's records, hexadecimal.
func hashesAt(name string) (all []string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	export, err := ledger.ReadExport(file)
	if err != nil {
		return nil, err
	}
	for data, err := range export.Records() {
		if err != nil {
			return nil, err
		}
		r, err := ledger.Parse(data)
		if err != nil {
			return nil, err
		}
		hash := r.Hash()
		all = append(all, hex.EncodeToString(hash[:]))
	}
	return all, nil
}
