//go:build linux

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/postgres"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// log is all records of a game, as a server lists them.
func (c *client) log(g *game, at *warledger.Client) (all []*v1.Record, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	for r, err := range at.Game(g.name, "").Records(ctx, warledger.LogQuery{WholeTree: true}) {
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// check holds all that was answered against the log as it is in the end.
func (w *world) check() {
	c := w.client(99)
	for _, g := range slices.Concat(w.games, w.idle) {
		log := c.sameEverywhere(g)
		if log == nil {
			if len(g.acked) > 0 {
				c.fault("%s: %d commands were acknowledged, and the game cannot be read", g.name, len(g.acked))
			}
			continue
		}
		c.checkLog(g, log)
		c.checkAudit(g)
		for _, token := range g.void {
			c.void(g, token)
		}
	}
	for _, g := range w.games {
		if missing := w.receiver.missing(g, g.begin, g.last.Load()); len(missing) > 0 {
			w.fault("%s: the records %d were not posted", g.name, missing)
		}
	}
	w.fromReceiver()
	for _, g := range w.idle {
		c.checkLapses(g)
	}
	c.checkHeads()
}

func (w *world) fromReceiver() {
	w.receiver.mu.Lock()
	defer w.receiver.mu.Unlock()
	for _, bad := range w.receiver.bad {
		w.fault("the receiver got %s", bad)
	}
}

// sameEverywhere lists a game's log at each server, which must be the same.
func (c *client) sameEverywhere(g *game) (log []*v1.Record) {
	for i, at := range c.at {
		got, err := c.log(g, at)
		if err != nil {
			c.fault("%s: server %d lists no records: %v", g.name, i+1, err)
			return nil
		}
		if i == 0 {
			log = got
			continue
		}
		if !slices.EqualFunc(log,
			got, func(a, b *v1.Record) bool { return a.Version == b.Version && a.Hash == b.Hash }) {
			c.fault("%s: the servers 1 and %d list different records, %d and %d", g.name, i+1, len(log), len(got))
		}
	}
	return log
}

// checkLog looks for each answer in the log, and whether one order explains all of them.
func (c *client) checkLog(g *game, log []*v1.Record) {
	hashes, ids := make(map[uint64]string), make(map[string]uint64)
	for i, r := range log {
		if r.Version != uint64(i+1) {
			c.fault("%s: record %d is at place %d", g.name, r.Version, i+1)
		}
		if at, known := ids[r.CommandId]; known && r.CommandId != "" {
			c.fault("%s: the id %s is at the versions %d and %d", g.name, r.CommandId, at, r.Version)
		}
		hashes[r.Version], ids[r.CommandId] = r.Hash, r.Version
	}
	known := make(map[uint64]bool)
	for id, at := range g.acked {
		if ids[id] != at.version || hashes[at.version] != at.hash {
			c.fault("%s: a command was acknowledged at version %d with hash %.8s; the log "+
				"has its id at %d, and hash %.8s "+
				"at that version", g.name, at.version, at.hash, ids[id], hashes[at.version])
		}
		known[at.version] = true
	}
	for version, hash := range g.shown {
		if hashes[version] != hash {
			c.fault("%s: version %d was shown with hash %.8s, and the log has %.8s",
				g.name, version, hash, hashes[version])
		}
	}
	ops := slices.Clone(g.ops)
	for _, r := range log {
		// What nobody was told of: commands without an answer, and the servers' own records.
		if r.Version > g.begin && !known[r.Version] {
			ops = append(ops, porcupine.Operation{ClientId: -int(r.Version), Input: request{append: true},
				Output: place{r.Version, r.Hash}, Call: g.asked[r.CommandId], Return: math.MaxInt64})
		}
	}
	if len(log) == 0 {
		return // which acknowledged records show
	}
	model := porcupine.Model{
		Init: func() any { return place{g.begin, hashes[g.begin]} },
		Step: func(state, input, output any) (bool, any) {
			last, at := state.(place), output.(place)
			if !input.(request).append {
				return last == at, state
			}
			return last.version+1 == at.version, at
		},
	}
	if result := porcupine.CheckOperationsTimeout(model, ops, time.Minute); result != porcupine.Ok {
		c.fault("%s: the history of %d operations is %s", g.name, len(ops), result)
	}
	c.mu.Lock()
	c.counts["operations checked"] += len(ops)
	c.mu.Unlock()
}

// checkAudit has a server decide and count everything in a game again.
func (c *client) checkAudit(g *game) {
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	stream, err := c.at[0].Games().AuditGame(ctx, &v1.AuditGameRequest{Name: g.name})
	for err == nil {
		var m *v1.AuditGameResponse
		if m, err = stream.Recv(); err == nil && m.GetFinding() != nil {
			c.fault("%s: the audit finds: %s %s", g.name, m.GetFinding().Check, m.GetFinding().Message)
		}
	}
	if !errors.Is(err, io.EOF) {
		c.fault("%s: the audit: %v", g.name, err)
	}
}

// lapses counts how often the time of each seat was up.
func (c *client) lapses(g *game) map[string]int {
	log, err := c.log(g, c.at[0])
	if err != nil {
		return nil
	}
	lapses := make(map[string]int)
	for _, r := range log {
		for _, e := range r.Events {
			at := new(logv1.TableEvent)
			if e.Event.MessageIs(at) && e.Event.UnmarshalTo(at) == nil && at.GetTimeExpired() != nil {
				lapses[at.GetTimeExpired().Seat]++
			}
		}
	}
	return lapses
}

// checkLapses looks whether the time of each seat that never moved was up, and once.
func (c *client) checkLapses(g *game) {
	lapses := c.lapses(g)
	c.mu.Lock()
	c.counts["deadlines lapsed"] += len(lapses)
	c.mu.Unlock()
	for _, seat := range g.idle {
		if lapses[seat] != 1 {
			c.fault("%s: the time of %s, who never moved, was up %d times", g.name, seat, lapses[seat])
		}
	}
}

// checkHeads proves that the newest checkpoint of each server holds every game as it is now, or as it was.
func (c *client) checkHeads() {
	c.signOnce()
	for i, at := range c.at {
		ctx, cancel := context.WithTimeout(context.Background(), c.limit)
		head, err := at.Checkpoint(ctx, c.checkpoint)
		if err != nil {
			c.fault("server %d: %v", i+1, err)
			cancel()
			continue
		}
		for _, g := range c.games {
			version, hash, err := at.Game(g.name, "").Head(ctx, head)
			if err != nil || g.shown[version] != "" && g.shown[version] != fmt.Sprintf("%x", hash) {
				c.fault("%s: server %d proves version %d with hash %x, shown was %s: %v", g.name, i+1, version, hash,
					g.shown[version], err)
			}
		}
		cancel()
	}
}

// checkStore examines the database itself: every chain and every index.
func (w *world) checkStore(d *databases) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	store, err := postgres.Open(ctx, "postgres:///warledger?user=warledger&host="+d.primary.folder,
		postgres.Options{AcceptLoss: true})
	if err != nil {
		w.fault("the database: %v", err)
		return
	}
	_, err = store.Check(ctx, nil, func(f eventstore.Fault) { w.fault("the database: %v", f) })
	if err = errors.Join(err, store.Close()); err != nil {
		w.fault("the database: %v", err)
	}
}
