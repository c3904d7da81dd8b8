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
		if m, err := s.Wait(ctx, "s", eventstore.Mark{Version: after}); m.Version != 3 || err != nil {
			t.Errorf("wait after %d = %v, %v, want version 3 at once", after, m, err)
		}
	}
	woken := make(chan wakening)
	for range 10 {
		go waitAt(s, "new", eventstore.Mark{Version: 1}, woken)
	}
	waitFor(t, s, 10)
	c := &Chain{Stream: "new"}
	mustAppend(t, s, c.Next("", "1"))
	waitFor(t, s, 10) // version 1 is not greater than 1
	mustAppend(t, s, c.Next("", "2", "3"))
	for range 10 {
		if w := <-woken; w.mark != (eventstore.Mark{Version: 3}) || w.err != nil {
			t.Errorf("woken with %v, %v, want version 3", w.mark, w.err)
		}
	}
}

// wakening is what a call of Wait returned.
type wakening struct {
	mark eventstore.Mark
	err  error
}

func waitAt(s eventstore.Store, stream string, after eventstore.Mark, woken chan<- wakening) {
	m, err := s.Wait(ctx, stream, after)
	woken <- wakening{m, err}
}

// testWaitForMeta wants those who wait woken by new metadata too, and not twice by the same.
func testWaitForMeta(t *testing.T, open Factory) {
	s := start(t, open)
	c, _ := fill(t, s, "s", 2)
	woken := make(chan wakening)
	at := eventstore.Mark{Version: 2}
	next := func(want eventstore.Mark, write func() error) {
		t.Helper()
		for range 3 {
			go waitAt(s, "s", at, woken)
		}
		waitFor(t, s, 3)
		if err := write(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if w := <-woken; w.mark != want || w.err != nil {
				t.Errorf("woken with %v, %v, want %v", w.mark, w.err, want)
			}
		}
		at = want
	}
	next(eventstore.Mark{Version: 2, Meta: 1}, func() error { return s.SetMeta(ctx, "s", []byte("one"), 0) })
	next(eventstore.Mark{Version: 2, Meta: 2}, func() error { return s.SetMeta(ctx, "s", []byte("one"), 1) })
	next(eventstore.Mark{Version: 3, Meta: 2}, func() error { return s.Append(ctx, c.Next("", "x")) })
	next(eventstore.Mark{Version: 4, Meta: 3}, func() error {
		a := c.Next("", "y")
		a.Meta, a.MetaExpected = []byte("two"), 2
		return s.Append(ctx, a)
	})
	for _, behind := range []eventstore.Mark{
		{}, {Version: 3, Meta: 3}, {Version: 4, Meta: 2}, {Version: 9, Meta: 2}, {Version: 3, Meta: 9},
	} {
		if m, err := s.Wait(ctx, "s", behind); m != at || err != nil {
			t.Errorf("wait after %v = %v, %v, want %v at once", behind, m, err, at)
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
				if _, err := s.Wait(ctx, "s", eventstore.Mark{Version: have}); err != nil {
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
		go func() { ended <- second(s.Wait(cancelled, "s", eventstore.Mark{Version: 1})) }()
		go func() { ended <- second(s.Wait(cancelled, "none", eventstore.Mark{})) }()
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
		go func() { ended <- second(s.Wait(ctx, "s", eventstore.Mark{Version: 1})) }()
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
