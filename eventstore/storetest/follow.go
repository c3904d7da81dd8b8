package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

func testWait(t *testing.T, open Factory) {
	s := start(t, open)
	fill(t, s, "s", 3)
	for after := range uint64(3) {
		if v, err := s.Wait(ctx, "s", after); v != 3 || err != nil {
			t.Errorf("wait after %d = %d, %v, want 3 at once", after, v, err)
		}
	}
	type result struct {
		v   uint64
		err error
	}
	woken := make(chan result)
	for range 10 {
		go func() { v, err := s.Wait(ctx, "new", 1); woken <- result{v, err} }()
	}
	waitFor(t, s, 10)
	c := &Chain{Stream: "new"}
	mustAppend(t, s, c.Next("", "1"))
	waitFor(t, s, 10) // version 1 is not greater than 1
	mustAppend(t, s, c.Next("", "2", "3"))
	for range 10 {
		if r := <-woken; r.v != 3 || r.err != nil {
			t.Errorf("woken with %d, %v, want 3", r.v, r.err)
		}
	}
}

// waitFor returns when so many calls of Wait are waiting.
func waitFor(t testing.TB, s eventstore.Store, n uint64) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for s.Stats().Waiting != n {
		if time.Now().After(deadline) {
			t.Fatalf("%d are waiting, want %d", s.Stats().Waiting, n)
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// testFollow has watchers start at different versions of the past and read on while entries come: none lost, none
// twice.
func testFollow(t *testing.T, open Factory) {
	s := start(t, open)
	c, all := fill(t, s, "s", 10)
	const last = 60
	got := make([][]eventstore.Entry, 8)
	var wg sync.WaitGroup
	for w := range got {
		wg.Go(func() {
			for have := uint64(w); have < last; {
				if _, err := s.Wait(ctx, "s", have); err != nil {
					t.Errorf("wait: %v", err)
					return
				}
				page, err := s.Read(ctx, "s", have+1, 3, 0)
				if err != nil || len(page) == 0 {
					t.Errorf("woken after %d to read %d entries, %v", have, len(page), err)
					return
				}
				got[w] = append(got[w], page...)
				have += uint64(len(page))
			}
		})
	}
	for i := 11; i <= last; i++ {
		all = append(all, mustAppend(t, s, c.Next("", fmt.Sprint(i))).Entries...)
	}
	wg.Wait()
	for w := range got {
		if diff := cmp.Diff(all[w:], got[w]); diff != "" {
			t.Errorf("watcher from %d (-appended +seen):\n%s", w, diff)
		}
	}
}

func testWaitEnds(t *testing.T, open Factory) {
	s := open(t).Store
	fill(t, s, "s", 1)
	ended := make(chan error)
	cancelled, cancel := context.WithCancel(ctx)
	for range 5 {
		go func() { ended <- second(s.Wait(cancelled, "s", 1)) }()
		go func() { ended <- second(s.Wait(cancelled, "none", 0)) }()
	}
	waitFor(t, s, 10)
	cancel()
	for range 10 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled wait: %v", err)
		}
	}
	waitFor(t, s, 0)
	for range 5 {
		go func() { ended <- second(s.Wait(ctx, "s", 1)) }()
	}
	waitFor(t, s, 5)
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	for range 5 {
		if err := <-ended; !errors.Is(err, eventstore.ErrClosed) {
			t.Errorf("wait at close: %v", err)
		}
	}
}
