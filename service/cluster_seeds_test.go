package service_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// seedsVariable names the environment variable that holds how many histories are played, 2 without it.
const seedsVariable = "WARLEDGER_HISTORY_SEEDS"

func historySeeds(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv(seedsVariable)
	if text == "" {
		return 2
	}
	n, err := strconv.ParseUint(text, 10, 32)
	must(t, err)
	return n
}

// clients are how many of each kind there are in a history, and how often each does its work.
const (
	playersEach, commandsEach = 4, 12
	watchersEach              = 2
	signersEach, signsEach    = 1, 6
)

// sharing is how many clients make and revoke tokens in a history, and how often each.
type sharing struct{ clients, times int }

// usualSharing is the sharing of a history without a planted fault.
var usualSharing = sharing{clients: 2, times: 3}

// run plays the history and returns what is wrong with it.
func (h *history) run() []string {
	r := receive(h.t)
	h.game.hook(r, "/owner", h.game.owner, aRecord)
	var end atomic.Uint64
	var work, watching, passing sync.WaitGroup
	next := 0
	begin := func(wg *sync.WaitGroup, n, times int, f func(*client)) {
		for range n {
			next++
			c := h.client(next)
			wg.Go(func() {
				for range times {
					f(c)
				}
			})
		}
	}
	begin(&work, playersEach, commandsEach, (*client).play)
	begin(&work, h.sharing.clients, h.sharing.times, (*client).share)
	begin(&work, signersEach, 1, func(c *client) {
		for i, size := 0, uint64(0); i < signsEach; i++ {
			size = c.sign(size)
		}
	})
	begin(&watching, watchersEach, 1, func(c *client) { c.watch(end.Load) })
	rest := make(chan struct{})
	passing.Go(func() { // a second in some milliseconds
		for {
			select {
			case <-rest:
				return
			case <-time.After(4 * time.Millisecond):
				h.d.pass(time.Second)
			}
		}
	})
	go func() {
		work.Wait()
		close(h.over)
	}()
	h.weather()
	for _, n := range h.nodes {
		n.link.on(nil)
		n.link.onStored(nil)
		n.link.away.Store(false)
	}
	g := h.game.on(h.nodes[0].host.Load())
	if !g.game().Over {
		must(h.t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
	}
	last := g.game().Version
	end.Store(last)
	h.waited("all records are posted", func() bool { return posted(r, last) })
	watching.Wait()
	close(rest)
	passing.Wait()
	h.check(r)
	return h.wrong
}

// posted reports whether a notice of a version came.
func posted(r *receiver, version uint64) bool {
	for _, v := range r.records() {
		if v == version {
			return true
		}
	}
	return false
}

// check holds all that was answered against the log as it is in the end.
func (h *history) check(r *receiver) {
	g := h.game.on(h.nodes[0].host.Load())
	versions, last := make(map[string]uint64), uint64(0)
	for _, record := range g.records(true) {
		if known := versions[record.CommandId]; record.CommandId != "" && known > 0 {
			h.fault("the id %s is at the versions %d and %d", record.CommandId, known, record.Version)
		}
		versions[record.CommandId], last = record.Version, record.Version
		if read, ok := h.read[record.Version]; ok && read != record.Hash {
			h.fault("version %d was answered with another hash", record.Version)
		}
	}
	mine := make(map[uint64]bool)
	for id, version := range h.acked {
		if versions[id] != version {
			h.fault("a command was answered at version %d and is at %d", version, versions[id])
		}
		mine[version] = true
	}
	for v := h.begin + 1; v <= last; v++ {
		if !mine[v] { // a server's own, at some time
			h.ops = append(h.ops, porcupine.Operation{ClientId: -int(v), Input: request{"server"}, Output: v,
				Return: math.MaxInt64})
		}
	}
	if result := porcupine.CheckOperationsTimeout(h.model(), h.ops, time.Minute); result != porcupine.Ok {
		h.fault("the history of %d operations is %s", len(h.ops), result)
	}
	for _, n := range h.nodes[1:] {
		if v := h.game.on(n.host.Load()).game().Version; v != last {
			h.fault("a server shows version %d, another %d", v, last)
		}
	}
	first := make(map[uint64]bool)
	newest := h.begin
	for _, v := range r.records() {
		switch {
		case first[v]: // again, after the server that posted it was lost
		case v != newest+1:
			h.fault("record %d was posted after %d", v, newest)
		}
		first[v], newest = true, max(newest, v)
	}
	for _, finding := range g.findings() {
		h.fault("the audit finds: %s", finding)
	}
}

// model is a log: an append stores the next version, and a read returns the last.
func (h *history) model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return h.begin },
		Step: func(state, input, output any) (bool, any) {
			last, version := state.(uint64), output.(uint64)
			if input.(request).id == "" {
				return last == version, state
			}
			return last+1 == version, version
		},
	}
}

// TestHistories plays games at three servers in bad weather, and finds nothing wrong.
func TestHistories(t *testing.T) {
	t.Parallel()
	for seed := range historySeeds(t) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			store := memory.New()
			t.Cleanup(func() { must(t, store.Close()) })
			h := newHistory(t, seed, shares(t, store), func(*link) {})
			if wrong := h.run(); len(wrong) > 0 {
				t.Errorf("seed %d:\n%s", seed, strings.Join(wrong, "\n"))
			}
		})
	}
}

func shares(t testing.TB, store *memory.Store) func() eventstore.Store {
	return func() eventstore.Store {
		s := store.Share()
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	}
}

// TestHistoriesFindFaults plants faults in the servers. The histories must show each.
func TestHistoriesFindFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]struct {
		plant func(*link)
		sharing
	}{
		// Two servers must write metadata at once, which only many who share tokens are sure to do.
		"metadata are stored whatever was there": {func(l *link) { l.anyMeta = true }, sharing{clients: 8, times: 8}},
		"servers do not read on":                 {func(l *link) { l.alone = true }, usualSharing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(20) {
				store := memory.New()
				t.Cleanup(func() { must(t, store.Close()) })
				h := newHistory(t, seed, shares(t, store), fault.plant)
				h.limit, h.sharing = time.Second, fault.sharing
				if wrong := h.run(); len(wrong) > 0 {
					t.Logf("seed %d: %s", seed, wrong[0])
					return
				}
			}
			t.Error("no history shows it")
		})
	}
}

// TestHistoriesOnPostgreSQL plays games at three servers on a PostgreSQL database in bad weather.
func TestHistoriesOnPostgreSQL(t *testing.T) {
	t.Parallel()
	pgtest.Wanted(t)
	for seed := range historySeeds(t) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, seed, onPostgreSQL(t), func(*link) {})
			if wrong := h.run(); len(wrong) > 0 {
				t.Errorf("seed %d:\n%s", seed, strings.Join(wrong, "\n"))
			}
		})
	}
}
