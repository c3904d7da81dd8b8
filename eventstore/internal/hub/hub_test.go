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
	read := func() (uint64, error) { return version.Load(), nil }
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			if v, err := h.Wait(context.Background(), "s", uint64(i), read); err != nil || v <= uint64(i) {
				t.Errorf("wait after %d = %d, %v", i, v, err)
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
	none := func() (uint64, error) { cancel(); return 0, nil }
	if _, err := h.Wait(ctx, "s", 0, none); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled wait: %v", err)
	}
	broken := errors.New("broken")
	if _, err := h.Wait(context.Background(), "s", 0, func() (uint64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("failing version: %v", err)
	}
	if len(h.topics) != 0 || h.Waiting() != 0 {
		t.Errorf("left behind: %d topics, %d waiting", len(h.topics), h.Waiting())
	}
}

func TestCloseWakesForGood(t *testing.T) {
	t.Parallel()
	h := New()
	read := func() (uint64, error) { h.Close(); return 0, nil }
	if _, err := h.Wait(context.Background(), "s", 0, read); !errors.Is(err, eventstore.ErrClosed) {
		t.Errorf("wait at close: %v", err)
	}
}
