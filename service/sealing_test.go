package service_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// logged is a log that can be read while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) has(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), what)
}

// headsLogged is how many entries the log of heads has.
func headsLogged(t *testing.T, store eventstore.Store) uint64 {
	t.Helper()
	info, err := store.Head(t.Context(), "checkpoints/heads")
	if err != nil {
		return 0
	}
	return info.Version
}

// TestHeadsAreTakenInUnasked: from time to time, and when the server stops.
func TestHeadsAreTakenInUnasked(t *testing.T) {
	t.Parallel()
	store, log := memory.New(), new(logged)
	t.Cleanup(func() { must(t, store.Close()) })
	sign := newSigning(t)
	start := func(every time.Duration) *host {
		signing := *sign
		signing.Every = every
		return open(t, func(s *setting) { s.store, s.signing, s.log = store, &signing, log })
	}
	h := start(5 * time.Millisecond)
	h.seated()
	soon(t, "there is a checkpoint",
		func() bool { return headsLogged(t, store) > 0 && log.has(`"msg":"checkpoint","size":1`) > 0 })
	h.stop()

	h = start(time.Hour)
	before := headsLogged(t, store)
	h.seated()
	if headsLogged(t, store) != before {
		t.Error("heads were taken in before the time")
	}
	h.stop()
	if headsLogged(t, store) != before+1 {
		t.Error("the server stopped without taking the last head in")
	}
	h = start(0)
	h.seated()
	h.stop()
	if headsLogged(t, store) != before+1 {
		t.Error("heads are taken in that nobody asked for")
	}
}

// rewritten is a store in which one game's entries from a version on are gone.
func rewritten(t *testing.T, store eventstore.Store, game string, keep uint64) eventstore.Store {
	t.Helper()
	out := memory.New()
	t.Cleanup(func() { must(t, out.Close()) })
	list, err := store.List(t.Context(), "", "", 0)
	must(t, err)
	for _, info := range list {
		entries, err := store.Read(t.Context(), info.Name, 1, 0, 0)
		must(t, err)
		if info.Name == game {
			entries = entries[:keep]
		}
		must(t, out.Append(t.Context(), eventstore.Append{Stream: info.Name, Entries: entries, Meta: info.Meta}))
	}
	return out
}

// counted is the value of a counter, or how many values a histogram has, over all labels.
func counted(t *testing.T, metrics *prometheus.Registry, name string) (sum float64) {
	t.Helper()
	families, err := metrics.Gather()
	must(t, err)
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.Metric {
			sum += m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return sum
}

// TestAReplacedHeadIsNotSigned has the store changed behind the server's back: the server says so, keeps the old head
// in its log, and serves the others.
func TestAReplacedHeadIsNotSigned(t *testing.T) {
	t.Parallel()
	store, sign := memory.New(), newSigning(t)
	t.Cleanup(func() { must(t, store.Close()) })
	h := open(t, func(s *setting) { s.store, s.signing, s.network = store, sign, true })
	g, other := h.seated(), h.seated()
	g.play(3, 1)
	last, err := h.sdk().Checkpoint(t.Context(), nil)
	must(t, err)
	was := g.game()
	h.stop()

	log, metrics := new(logged), prometheus.NewRegistry()
	h = open(t, func(s *setting) {
		s.store, s.signing, s.network, s.log, s.metrics = rewritten(t, store, g.name, 3), sign, true, log, metrics
	})
	g.host, other.host = h, h
	for _, seat := range []string{"red", "blue"} { // the game goes on as another
		_ = second(g.games.SubmitCommand(as(map[string]string{"red": g.red, "blue": g.blue}[seat]),
			g.command("plan 0303")))
	}
	other.play(1, 1)
	next, err := h.sdk().Checkpoint(t.Context(), last)
	must(t, err)
	version, hash, err := h.sdk().Game(g.name, "").Head(t.Context(), next)
	if err != nil || version != was.Version || hexOf(hash) != was.LastHash {
		t.Errorf("the log has version %d, %v; signed was %d", version, err, was.Version)
	}
	if version, _, err := h.sdk().Game(other.name, "").Head(t.Context(), next); err != nil ||
		version != other.game().Version {
		t.Errorf("another game: version %d, %v", version, err)
	}
	if log.has("the game is not what was signed") == 0 {
		t.Error("nobody is told")
	}
	if n := counted(t, metrics, "warledger_replaced_heads_total"); n == 0 {
		t.Error("nothing is counted")
	}
	must(t, second(h.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})))
}
