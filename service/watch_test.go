package service_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// watcher is a client that watches. Its context ends with the test.
type watcher struct {
	t      testing.TB
	stream grpc.ServerStreamingClient[v1.WatchGameResponse]
	stop   context.CancelFunc
	// token is that of the last message.
	token string
}

func (g *table) watch(req *v1.WatchGameRequest, tokens ...string) *watcher {
	g.t.Helper()
	req.Name = g.name
	ctx, stop := context.WithCancel(as(tokens...))
	g.t.Cleanup(stop)
	stream, err := g.games.WatchGame(ctx, req)
	must(g.t, err)
	return &watcher{t: g.t, stream: stream, stop: stop}
}

func after(version uint64) *v1.WatchGameRequest {
	return &v1.WatchGameRequest{Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: version}, IncludeProofs: true}
}

func resume(token string) *v1.WatchGameRequest {
	return &v1.WatchGameRequest{Start: &v1.WatchGameRequest_ResumeToken{ResumeToken: token}, IncludeProofs: true}
}

// next gives the next message that is no heartbeat.
func (w *watcher) next() *v1.WatchGameResponse {
	w.t.Helper()
	for {
		m, err := w.stream.Recv()
		must(w.t, err)
		w.token = m.ResumeToken
		if m.GetHeartbeat() == nil {
			return m
		}
	}
}

// record gives the next record and passes over "caught up".
func (w *watcher) record() *v1.Record {
	w.t.Helper()
	for {
		if m := w.next(); m.GetRecord() != nil {
			if m.Version != m.GetRecord().Version {
				w.t.Errorf("the message says version %d, its record %d", m.Version, m.GetRecord().Version)
			}
			return m.GetRecord()
		}
	}
}

func TestWatchFromAnyPoint(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	g.play(20, 3)
	must(t, second(g.undo(g.red, 1, true))) // at least asked for
	version := g.game().Version
	all := g.records(true, g.red)
	for from := uint64(0); from <= version; from++ {
		w := g.watch(after(from), g.red)
		for v := from + 1; v <= version; v++ {
			equal(t, fmt.Sprintf("record %d from %d", v, from), w.record(), all[v-1])
		}
		if m := w.next(); m.GetCaughtUp() == nil || m.Version != version || m.GetCaughtUp().Game.Version != version {
			t.Errorf("from %d: got %v, want caught up at %d", from, m, version)
		}
		w.stop()
	}
	first := g.watch(&v1.WatchGameRequest{Start: &v1.WatchGameRequest_BoardFirst{BoardFirst: true}}, g.red)
	if m := first.next(); m.Version != version {
		t.Errorf("got %v, want the board of version %d", m, version)
	} else {
		equal(t, "board", m.GetBoard(), g.board(0, g.red))
	}
	if m := first.next(); m.GetCaughtUp() == nil {
		t.Errorf("got %v, want caught up", m)
	}
}

// TestWatchUnderLoad has watchers of every kind follow games that are played meanwhile, dropping and resuming their
// streams. Each must see every record once, in order, as the log has it.
func TestWatchUnderLoad(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"memory", "bbolt"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			h := open(t, func(s *setting) {
				s.network = true
				if engine == "bbolt" {
					bolt := openBolt(t, filepath.Join(t.TempDir(), "games.db"))
					t.Cleanup(func() { must(t, bolt.Close()) })
					s.store = bolt
				}
			})
			g := h.seated()
			var wg sync.WaitGroup
			kinds := map[string][]string{"spectator": nil, "red": {g.red}, "both": {g.red, g.blue}}
			seen := make(map[string][]*v1.Record)
			var mu sync.Mutex
			for name, tokens := range kinds {
				for patience := 1; patience <= 40; patience += 13 {
					wg.Go(func() {
						records := g.followToEnd(patience, tokens)
						mu.Lock()
						defer mu.Unlock()
						seen[fmt.Sprint(name, " ", patience)] = records
					})
				}
			}
			g.play(12, 9)
			must(t, second(g.undo(g.tokenOf(g.game().WaitingFor), 0, true)))
			if !g.play(25, 10) {
				must(t, second(g.games.Resign(as(g.red), &v1.ResignRequest{Name: g.name, RequestId: id()})))
			}
			wg.Wait()
			for who, records := range seen {
				wantWholeLog(t, who, records, g)
			}
		})
	}
}

// followToEnd watches until the secrets are released; after patience messages it hangs up and resumes.
func (g *table) followToEnd(patience int, tokens []string) (records []*v1.Record) {
	g.t.Helper()
	w := g.watch(after(0), tokens...)
	for n := 1; ; n++ {
		m := w.next()
		if r := m.GetRecord(); r != nil {
			records = append(records, r)
		}
		if c := m.GetCaughtUp(); c != nil && c.Game.Over {
			return records
		}
		if r := m.GetRecord(); r != nil && len(r.Events) == 1 && r.Events[0].Narration == "The secrets are released." {
			w.stop()
			return records
		}
		if n%patience == 0 {
			w.stop()
			w = g.watch(resume(w.token), tokens...)
		}
	}
}

// wantWholeLog asserts that the records are the whole log, and that their proofs form one chain.
func wantWholeLog(t *testing.T, who string, records []*v1.Record, g *table) {
	t.Helper()
	full := g.records(true)
	if len(records) != len(full) {
		t.Errorf("%s saw %d records of %d", who, len(records), len(full))
		return
	}
	var chain ledger.Chain
	for i, r := range records {
		proof, err := ledger.OpenMessage(r.Proof)
		must(t, err)
		if err := chain.Add(proof); err != nil || r.Hash != full[i].Hash {
			t.Errorf("%s, record %d: hash %s, want %s: %v", who, i+1, r.Hash, full[i].Hash, err)
		}
	}
}

func TestWatchFromTheFuture(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	w := g.watch(after(4))
	_, err := w.stream.Recv()
	if meta := wantError(t, err, codes.OutOfRange, fault.CursorAhead); meta["current"] != "3" ||
		meta["version"] != "4" {
		t.Errorf("metadata %v", meta)
	}
	w = g.watch(after(3))
	if m := w.next(); m.GetCaughtUp() == nil {
		t.Errorf("got %v", m)
	}
}

func TestHeartbeats(t *testing.T) {
	t.Parallel()
	g := open(t, func(s *setting) { s.limits = service.Limits{MinHeartbeat: time.Millisecond} }).seated()
	req := after(3)
	req.Heartbeat = durationpb.New(time.Millisecond)
	w := g.watch(req)
	if m := w.next(); m.GetCaughtUp() == nil {
		t.Fatalf("got %v", m)
	}
	for range 3 {
		m, err := w.stream.Recv()
		must(t, err)
		if m.GetHeartbeat() == nil || m.Version != 3 || m.ResumeToken == "" {
			t.Errorf("got %v", m)
		}
	}
	g.do(g.tokenOf(g.game().WaitingFor), "plan 0303")
	if r := w.record(); r.Version != 4 {
		t.Errorf("got %v", r)
	}
	for _, d := range []time.Duration{time.Microsecond, time.Hour, -time.Second} {
		req.Heartbeat = durationpb.New(d)
		_, err := g.watch(req).stream.Recv()
		wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	}
}

func TestResumeTokensAreBound(t *testing.T) {
	t.Parallel()
	h := open(t)
	g, other := h.seated(), h.seated()
	w := g.watch(after(0), g.red)
	w.record()
	w.record()
	token := w.token
	if r := g.watch(resume(token), g.red).record(); r.Version != 3 {
		t.Errorf("resumed at %d, want 3", r.Version)
	}
	narrowed := resume(token)
	narrowed.Viewer = "red"
	forged := "A" + token[1:]
	if forged == token {
		forged = "B" + token[1:]
	}
	for name, w := range map[string]*watcher{
		"another viewer":  g.watch(resume(token), g.blue),
		"no viewer":       g.watch(resume(token)),
		"more seats":      g.watch(resume(token), g.red, g.blue),
		"narrowed":        g.watch(narrowed, g.red),
		"another game":    other.watch(resume(token), other.red),
		"forged":          g.watch(resume(forged), g.red),
		"no token at all": g.watch(resume("x"), g.red),
		"empty":           g.watch(resume(""), g.red),
	} {
		_, err := w.stream.Recv()
		if err == nil {
			t.Errorf("%s: the stream began", name)
			continue
		}
		wantError(t, err, codes.InvalidArgument, fault.ResumeTokenInvalid)
	}
}

func TestRevokedWhileWatching(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	red, spectator := g.watch(after(3), g.red), g.watch(after(3))
	for _, w := range []*watcher{red, spectator} {
		if m := w.next(); m.GetCaughtUp() == nil {
			t.Fatalf("got %v", m)
		}
	}
	must(t, second(g.games.LeaveSeat(as(g.owner), &v1.LeaveSeatRequest{Name: g.name, Seat: "red", RequestId: id()})))
	_, err := red.stream.Recv()
	wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
	if r := spectator.record(); r.Version != 4 {
		t.Errorf("got %v", r)
	}
}

func TestStopSaysGoodbye(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.seated()
	w := g.watch(after(0))
	for range 3 {
		w.record()
	}
	if m := w.next(); m.GetCaughtUp() == nil {
		t.Fatalf("got %v", m)
	}
	h.service.Leave()
	m := w.next()
	if m.GetGoingAway() == nil || m.Version != 3 {
		t.Errorf("got %v", m)
	}
	if _, err := w.stream.Recv(); err != io.EOF {
		t.Errorf("after the last message: %v", err)
	}
	_, err := h.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})
	wantError(t, err, codes.Unavailable, fault.ShuttingDown)

	g.host = open(t, func(s *setting) { s.store = h.store })
	if m := g.watch(resume(w.token)).next(); m.GetCaughtUp() == nil || m.Version != 3 {
		t.Errorf("resumed elsewhere: %v", m)
	}
}

func TestTooManyWatchers(t *testing.T) {
	t.Parallel()
	g := open(t, func(s *setting) { s.limits = service.Limits{Watchers: 1} }).seated()
	w := g.watch(after(3))
	w.next()
	_, err := g.watch(after(3)).stream.Recv()
	wantError(t, err, codes.ResourceExhausted, fault.TooManyWatchers)
}
