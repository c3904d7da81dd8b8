package server_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/server"
	"github.com/warledger/warledger/service/throttle"
)

// recorder is a gate that remembers the contexts of calls that were refused, and of those that began.
type recorder struct {
	*throttle.Throttle
	mu             sync.Mutex
	refused, begun []context.Context
}

func (r *recorder) Enter(ctx context.Context, method string) (func(), error) {
	leave, err := r.Throttle.Enter(ctx, method)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.refused = append(r.refused, ctx)
	} else {
		r.begun = append(r.begun, ctx)
	}
	return leave, err
}

// TestRefusedCallsLeaveNothing has calls refused whose callers gave them hours. The server held each one's context
// for these hours, so that a stranger who was refused all the time filled its memory.
func TestRefusedCallsLeaveNothing(t *testing.T) {
	t.Parallel()
	th := throttle.New(throttle.Options{Calls: 1, Cost: func(string) throttle.Cost { return throttle.Cost{Units: 1} }})
	seen := &recorder{Throttle: th}
	r := start(t, func(o *server.Options) {
		o.Gate, o.Traces = seen, trace.NewTracerProvider()
		o.Extra = []grpc.ServerOption{grpc.StatsHandler(th.Answers())}
	})
	list := func(ctx context.Context) error {
		return second(v1.NewGameServiceClient(r.conn).ListGames(ctx, new(v1.ListGamesRequest)))
	}
	hours, stop := context.WithTimeout(t.Context(), 100*time.Hour)
	defer stop()
	open, leave := context.WithCancel(hours)
	r.open(open, v1.GameService_WatchGame_FullMethodName)
	until(th, 1)
	const calls = 20
	for n := range calls {
		ctx := hours
		if n%2 == 1 {
			ctx = t.Context()
		}
		if err := list(ctx); status.Code(err) != codes.ResourceExhausted || reasonOf(err) != "TOO_MANY_CALLS" {
			t.Fatal(err)
		}
	}
	seen.mu.Lock()
	if len(seen.refused) != calls || len(seen.begun) != 1 {
		t.Fatalf("%d calls were refused and %d began", len(seen.refused), len(seen.begun))
	}
	for n, ctx := range seen.refused {
		if ctx.Err() != context.Canceled {
			t.Errorf("call %d was refused, and its context says %v", n, ctx.Err())
		}
	}
	if err := seen.begun[0].Err(); err != nil {
		t.Errorf("the call that stays open has ended with the refused ones: %v", err)
	}
	seen.mu.Unlock()
	leave()
	until(th, 0)
	if err := list(hours); err != nil {
		t.Error(err)
	}
}

// BenchmarkRefused refuses calls by gRPC at the door, each of which may take an hour, and says how many bytes of each
// stay in memory.
func BenchmarkRefused(b *testing.B) {
	th := throttle.New(throttle.Options{Calls: 1, Cost: func(string) throttle.Cost { return throttle.Cost{Units: 1} }})
	r := start(b, func(o *server.Options) { o.Gate = th })
	ctx, stop := context.WithTimeout(b.Context(), time.Hour)
	defer stop()
	r.open(ctx, v1.GameService_WatchGame_FullMethodName)
	until(th, 1)
	games := v1.NewGameServiceClient(r.conn)
	b.ReportAllocs()
	before := inUse()
	for b.Loop() {
		if _, err := games.ListGames(ctx, new(v1.ListGamesRequest)); status.Code(err) != codes.ResourceExhausted {
			b.Fatal(err)
		}
	}
	b.ReportMetric(max(0, inUse()-before)/float64(b.N), "left-B/op")
}

// inUse is how many bytes of memory are in use after a collection.
func inUse() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
