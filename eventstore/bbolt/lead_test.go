package boltstore

import (
	"context"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/warledger/warledger/eventstore/storetest"
)

// TestWhoCommits has a lone caller commit by itself, unless its context may end, and several who append at once leave
// it to the writer.
func TestWhoCommits(t *testing.T) {
	t.Parallel()
	var led []bool
	s := mustOpen(t, newPath(t), Options{NoSync: true, hooks: hooks{beforeCommit: func() error {
		led = append(led, strings.Contains(string(debug.Stack()), "(*Store).lead"))
		return nil
	}}})
	add := func(ctx context.Context, c *storetest.Chain) {
		if err := s.Append(ctx, c.Next("", "x")); err != nil {
			t.Error(err)
		}
	}
	ctx := context.Background()
	bound, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &storetest.Chain{Stream: "s"}
	// The writer answers before it lets go of the turn.
	alone := func(ctx context.Context) {
		for !s.turn.TryLock() {
			runtime.Gosched()
		}
		s.turn.Unlock()
		add(ctx, c)
	}
	alone(ctx)
	alone(bound)
	alone(ctx)
	if len(led) != 3 || !led[0] || led[1] || !led[2] {
		t.Errorf("committed by the caller: %v, want all but the second", led)
	}
	s.crowd.Store(crowdLasts)
	for range crowdLasts + 1 {
		alone(ctx)
	}
	for i, by := range led[3:] {
		if by != (i == crowdLasts) {
			t.Errorf("append %d after a crowd: committed by the caller: %v", i, by)
		}
	}
	var crowd sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		crowd.Go(func() {
			c := &storetest.Chain{Stream: name}
			for range 50 {
				add(ctx, c)
			}
		})
	}
	crowd.Wait()
	storetest.MustBeSound(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
