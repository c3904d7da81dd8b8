package hub

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryWaiterWakesAndNothingIsLeft(t *testing.T) {
	t.Parallel()
	h := New()
	var version atomic.Uint64
	read := func() (eventstore.Mark, error) { return eventstore.Mark{Version: version.Load()}, nil }
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			m, err := h.Wait(context.Background(), "s", eventstore.Mark{Version: uint64(i)}, read)
			if err != nil || m.Version <= uint64(i) {
				t.Errorf("wait after %d = %d, %v", i, m.Version, err)
			}
		})
	}
	for range 50 {
		version.Add(1)
		h.Notify("s")
		h.Notify("nobody waits for this")
	}
	wg.Wait()
	if len(h.topics) != 0 || h.Waiting() != 0 {
		t.Errorf("left behind: %d topics, %d waiting", len(h.topics), h.Waiting())
	}
}

func TestGivingUpLeavesNothing(t *testing.T) {
	t.Parallel()
	h := New()
	ctx, cancel := context.WithCancel(context.Background())
	none := func() (eventstore.Mark, error) { cancel(); return eventstore.Mark{}, nil }
	if _, err := h.Wait(ctx, "s", eventstore.Mark{}, none); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled wait: %v", err)
	}
	broken := errors.New("broken")
	fails := func() (eventstore.Mark, error) { return eventstore.Mark{}, broken }
	if _, err := h.Wait(context.Background(), "s", eventstore.Mark{}, fails); !errors.Is(err, broken) {
		t.Errorf("failing version: %v", err)
	}
	if len(h.topics) != 0 || h.Waiting() != 0 {
		t.Errorf("left behind: %d topics, %d waiting", len(h.topics), h.Waiting())
	}
}

func TestCloseWakesForGood(t *testing.T) {
	t.Parallel()
	h := New()
	read := func() (eventstore.Mark, error) { h.Close(); return eventstore.Mark{}, nil }
	if _, err := h.Wait(context.Background(), "s", eventstore.Mark{}, read); !errors.Is(err, eventstore.ErrClosed) {
		t.Errorf("wait at close: %v", err)
	}
}

// TestReached wants those who wait woken by what is further than what one of them has, and by nothing less.
func TestReached(t *testing.T) {
	t.Parallel()
	h := New()
	asked := make(chan bool)
	read := func() (eventstore.Mark, error) { asked <- true; return eventstore.Mark{Version: 3, Meta: 1}, nil }
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = h.Wait(ctx, "s", eventstore.Mark{Version: 3, Meta: 1}, read) })
	<-asked
	if streams := h.Streams(); len(streams) != 1 || streams[0] != "s" {
		t.Errorf("waited for: %v", streams)
	}
	h.Reached("s", eventstore.Mark{Version: 3, Meta: 1})
	h.Reached("other", eventstore.Mark{Version: 9})
	select {
	case <-asked:
		t.Error("woken by what it has")
	default:
	}
	for _, m := range []eventstore.Mark{{Version: 4, Meta: 1}, {Version: 3, Meta: 2}} {
		h.Reached("s", m)
		<-asked
	}
	cancel()
	wg.Wait()
	if streams := h.Streams(); len(streams) != 0 {
		t.Errorf("still waited for: %v", streams)
	}
}
