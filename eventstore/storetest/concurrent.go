package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

// testRace has several writers append at the same version, again and again: exactly one wins each time.
func testRace(t *testing.T, open Factory) { race(t, start(t, open)) }

// race has eight writers append at the same version, by turns at the handles of one store. Exactly one wins each round,
// and every handle refuses its key from then on.
func race(t *testing.T, handles ...eventstore.Store) {
	t.Helper()
	head := Chain{Stream: "s"}
	for round := range 25 {
		var wg sync.WaitGroup
		var won atomic.Int32
		var winner atomic.Value
		for w := range 8 {
			s, mine := handles[w%len(handles)], head
			key := fmt.Sprint(round, "/", w)
			a := mine.Next(key, fmt.Sprint("by ", w))
			wg.Go(func() {
				var conflict *eventstore.ConflictError
				switch err := s.Append(ctx, a); {
				case err == nil:
					won.Add(1)
					winner.Store(mine)
					for _, h := range handles {
						mustRefuseKey(t, h, a, key, mine.Version)
					}
				case !errors.As(err, &conflict) || conflict.Current != uint64(round)+1:
					t.Errorf("loser got %v", err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d writers won", won.Load())
		}
		head = winner.Load().(Chain)
	}
	for _, s := range handles {
		if got := ReadAll(t, s, "s", 0); len(got) != 25 || got[24].Hash != head.Hash {
			t.Errorf("%d entries, want 25 that end in the last winner's", len(got))
		}
	}
}

// testManyWriters has writers on streams of their own, and some that meet on one, with conflicts among them.
func testManyWriters(t *testing.T, open Factory) {
	s := start(t, open)
	const writers, each = 32, 15
	want := make([][]eventstore.Entry, writers)
	var wg sync.WaitGroup
	var shared atomic.Uint64
	for w := range writers {
		wg.Go(func() {
			c := &Chain{Stream: fmt.Sprint("own-", w)}
			for i := range each {
				a := c.Next(fmt.Sprint(i), fmt.Sprint(w, " ", i), "more")
				if err := s.Append(ctx, a); err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				want[w] = append(want[w], a.Entries...)
				if i%5 == 0 {
					appendShared(t, s, fmt.Sprint(w, "/", i))
					shared.Add(1)
				}
			}
		})
	}
	wg.Wait()
	for w := range writers {
		if diff := cmp.Diff(want[w], ReadAll(t, s, fmt.Sprint("own-", w), 7)); diff != "" {
			t.Errorf("writer %d (-appended +read):\n%s", w, diff)
		}
	}
	if got := ReadAll(t, s, "shared", 0); uint64(len(got)) != shared.Load() {
		t.Errorf("%d entries on the shared stream, want %d", len(got), shared.Load())
	}
}

// appendShared does what a caller does: read the head, append, and begin again after a conflict.
func appendShared(t testing.TB, s eventstore.Store, key string) {
	for {
		c := &Chain{Stream: "shared"}
		if info, err := s.Head(ctx, "shared"); err == nil {
			c.Version, c.Hash = info.Version, info.Hash
		} else if !errors.Is(err, eventstore.ErrNotFound) {
			t.Errorf("head: %v", err)
			return
		}
		err := s.Append(ctx, c.Next(key, key))
		if err == nil {
			return
		}
		if conflict := (*eventstore.ConflictError)(nil); !errors.As(err, &conflict) {
			t.Errorf("append: %v", err)
			return
		}
	}
}

// testReaders reads while one writes: every page is a stretch of the one chain, and the head never falls.
func testReaders(t *testing.T, open Factory) {
	s := start(t, open)
	fill(t, s, "s", 1)
	var done atomic.Bool
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			last := uint64(0)
			for !done.Load() {
				info, err := s.Head(ctx, "s")
				if err != nil || info.Version < last {
					t.Errorf("head went from %d to %d, %v", last, info.Version, err)
					return
				}
				last = info.Version
				page, err := s.Read(ctx, "s", 1, 0, 0)
				if err != nil || uint64(len(page)) < last || page[last-1].Hash != info.Hash {
					t.Errorf("head says %d, %d entries read, %v", last, len(page), err)
					return
				}
				for i := range page[1:] {
					if page[i+1].Prev != page[i].Hash || page[i+1].Version != page[i].Version+1 {
						t.Errorf("version %d does not follow %d", page[i+1].Version, page[i].Version)
						return
					}
				}
			}
		})
	}
	c := Continue(t, s, "s")
	for i := range 100 {
		mustAppend(t, s, c.Next(fmt.Sprint(i), "x"))
	}
	done.Store(true)
	wg.Wait()
}
