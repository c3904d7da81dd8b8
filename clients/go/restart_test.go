package warledger_test

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/testing/protocmp"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// flaky breaks connections: each lives for a random number of bytes in each direction, and some
// writes go out in halves.
type flaky struct {
	addr   string
	broken atomic.Int64
	mu     sync.Mutex
	chance *rand.Rand
}

func (f *flaky) dial(ctx context.Context, _ string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", f.addr)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	w := &flakyConn{Conn: c, f: f}
	w.reads.Store(int64(1000 + f.chance.IntN(12_000)))
	w.writes.Store(int64(1000 + f.chance.IntN(12_000)))
	return w, nil
}

type flakyConn struct {
	net.Conn
	f             *flaky
	reads, writes atomic.Int64
}

func (c *flakyConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.reads.Add(int64(-n)) < 0 { // what came is lost with the connection
		c.f.broken.Add(1)
		c.Conn.Close()
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

func (c *flakyConn) Write(b []byte) (int, error) {
	if left := c.writes.Add(int64(-len(b))); left < 0 {
		c.f.broken.Add(1)
		n, _ := c.Conn.Write(b[:len(b)/2])
		c.Conn.Close()
		return n, io.ErrClosedPipe
	}
	return c.Conn.Write(b)
}

// shuffle makes n commands by turns of moving and passing, each once, through any trouble. It gives the
// versions that they made.
func shuffle(t *testing.T, n int, seats ...*warledger.Game) (versions []uint64) {
	t.Helper()
	for len(versions) < n {
		g, err := seats[0].Get(t.Context())
		if err != nil {
			t.Error(err)
			return versions
		}
		if g.Over {
			return versions
		}
		for _, seat := range seats {
			if len(g.WaitingFor) == 0 || g.WaitingFor[0] != seat.Seat() {
				continue
			}
			actions, err := seat.ListLegal(t.Context(), warledger.LegalQuery{})
			if err != nil {
				t.Error(err)
				return versions
			}
			done, err := seat.Submit(t.Context(),
				warledger.Move{Notation: actions[len(versions)%len(actions)].Command, Expected: g.Version})
			if err != nil {
				t.Errorf("after %v: %v", versions, err)
				return versions
			}
			versions = append(versions, done.Record.Version)
		}
	}
	return versions
}

// follow collects what a watch brings until the game is over.
func follow(t *testing.T, g *warledger.Game, o warledger.WatchOptions) (got []*v1.Record) {
	t.Helper()
	for u, err := range g.Watch(t.Context(), o) {
		if err != nil {
			t.Error(err)
			return got
		}
		if u.Record != nil {
			got = append(got, u.Record)
		}
		if warledger.EndsGame(u.Record) || u.CaughtUp.GetOver() {
			return got
		}
	}
	return got
}

// check holds what a watcher got against the log.
func check(t *testing.T, who string, g *warledger.Game, got []*v1.Record, viewer string) {
	t.Helper()
	var want []*v1.Record
	for r, err := range g.Records(t.Context(), warledger.LogQuery{WholeTree: true, Viewer: viewer, PageSize: 3}) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, r)
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("%s got another log (-want +got):\n%s", who, diff)
	}
}

// mostWork is how much a server does at most before it is stopped: enough to answer all who come back, and to
// take a command or more.
const mostWork = 10

// worn is a store that says when it has been asked something so many times: a server on it is stopped in the middle of
// work, after as much of it on a slow machine as on a quick one.
type worn struct {
	eventstore.Store
	left atomic.Int64
	out  chan struct{}
}

func (w *worn) lasts(n int) { w.left.Store(int64(n)) }

func (w *worn) wear() {
	if w.left.Add(-1) == 0 {
		w.out <- struct{}{}
	}
}

func (w *worn) Append(ctx context.Context, a eventstore.Append) error {
	defer w.wear()
	return w.Store.Append(ctx, a)
}

func (w *worn) Read(ctx context.Context, stream string, from uint64, limit, maxBytes int) ([]eventstore.Entry, error) {
	defer w.wear()
	return w.Store.Read(ctx, stream, from, limit, maxBytes)
}

func (w *worn) Head(ctx context.Context, stream string) (eventstore.StreamInfo, error) {
	defer w.wear()
	return w.Store.Head(ctx, stream)
}

// TestThroughRestarts kills and restarts the server again and again while a game is played and watched. Nothing is lost
// and nothing comes twice, for every viewer.
func TestThroughRestarts(t *testing.T) {
	t.Parallel()
	store := &worn{Store: memory.New(), out: make(chan struct{}, 1)}
	h := newHostOn(t, store)
	wallet := &warledger.Wallet{}
	c := dial(t, h.addr, warledger.WithTokens(wallet), warledger.WithPatience(time.Hour))
	red, blue := seated(t, c, wallet)
	stranger := c.Game(red.Name(), "").WithTokens(nil)

	logs := map[string][]*v1.Record{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for who, g := range map[string]*warledger.Game{"red": red, "blue": blue, "spectator": stranger} {
		all.Go(func() {
			got := follow(t, g, warledger.WatchOptions{Viewer: who})
			mu.Lock()
			logs[who] = got
			mu.Unlock()
		})
	}
	stop, rests := make(chan struct{}), sync.WaitGroup{}
	restarts := 0
	chance := rand.New(rand.NewPCG(3, 1))
	rests.Go(func() {
		for {
			store.lasts(1 + chance.IntN(mostWork))
			select {
			case <-stop:
				return
			case <-store.out:
			}
			h.stop(time.Duration(restarts%2) * time.Millisecond)
			h.start()
			restarts++
		}
	})
	versions := shuffle(t, 1000, red, blue)
	close(stop)
	rests.Wait()
	g, err := red.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if !g.Over || restarts == 0 {
		t.Errorf("over: %v after %d restarts", g.Over, restarts)
	}
	t.Logf("%d commands through %d restarts", len(versions), restarts)
	check(t, "red", red, logs["red"], "red")
	check(t, "blue", blue, logs["blue"], "blue")
	check(t, "a stranger", stranger, logs["spectator"], "spectator")
}

// TestThroughBrokenConnections plays and watches over connections that break all the time, also in
// the middle of an answer.
func TestThroughBrokenConnections(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	bad := &flaky{addr: h.addr, chance: rand.New(rand.NewPCG(seed, 1))}
	wallet := &warledger.Wallet{}
	good := dial(t, h.addr, warledger.WithTokens(wallet))
	red, blue := seated(t, good, wallet)
	shaky := dial(t, "passthrough:///localhost", warledger.WithTokens(wallet), warledger.WithPatience(time.Hour),
		warledger.WithPlaintext(),
		warledger.WithGRPC(grpc.WithContextDialer(bad.dial)))

	var got []*v1.Record
	var all sync.WaitGroup
	all.Go(func() {
		got = follow(t, shaky.Game(red.Name(), "").WithTokens(nil), warledger.WatchOptions{Heartbeat: time.Second})
	})
	versions := shuffle(t, 1000, shaky.Game(red.Name(), "red"), shaky.Game(red.Name(), "blue"))
	g, err := blue.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if bad.broken.Load() == 0 || !g.Over {
		t.Errorf("%d connections broke, the game is over: %v", bad.broken.Load(), g.Over)
	}
	t.Logf("%d commands over %d broken connections", len(versions), bad.broken.Load())
	for i := 1; i < len(versions); i++ {
		if versions[i] != versions[i-1]+1 {
			t.Errorf("a command was made twice or lost: versions %v", versions)
			break
		}
	}
	check(t, "a stranger", good.Game(red.Name(), "").WithTokens(nil), got, "spectator")
}
