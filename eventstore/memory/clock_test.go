package memory_test

import (
	"context"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
)

// TestHandlesShareTheClock wants the clock of the test at each handle, and what is stored kept
// until the last is closed.
func TestHandlesShareTheClock(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	first := memory.New(memory.WithClock(func() time.Time { return at }))
	if first.Shared() {
		t.Error("a store with one handle says that it is shared")
	}
	second := first.Share()
	for _, s := range []*memory.Store{first, second} {
		if now, err := s.Now(ctx); !now.Equal(at) || err != nil || !s.Shared() {
			t.Errorf("now = %v, %v, shared %t", now, err, s.Shared())
		}
	}
	if err := first.Append(ctx, eventstore.Append{Stream: "s", Entries: []eventstore.Entry{{}}}); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	third := second.Share()
	for _, s := range []*memory.Store{second, third} {
		if head, err := s.Head(ctx, "s"); head.Version != 1 || err != nil {
			t.Errorf("head = %+v, %v", head, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
