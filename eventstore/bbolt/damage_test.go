package boltstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// mustBeCorrupt wants a CorruptError that names a stream.
func mustBeCorrupt(t testing.TB, what string, err error, stream string) {
	t.Helper()
	var corrupt *eventstore.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Stream != stream {
		t.Errorf("%s: %v, want a CorruptError that names %q", what, err, stream)
	}
}

// spread opens a store with the streams "s0" to "s9", each of them on log pages of its own, and their chains.
func spread(t testing.TB, o Options) (*Store, []*storetest.Chain) {
	t.Helper()
	o.NoSync, o.MapSize = true, 1
	s := mustOpen(t, newPath(t), o)
	chains := make([]*storetest.Chain, 10)
	for i := range chains {
		chains[i] = &storetest.Chain{Stream: fmt.Sprint("s", i)}
		for range 5 {
			mustPut(t, s, chains[i].Next(fmt.Sprint("k", chains[i].Version), strings.Repeat("x", 3000)), "")
		}
	}
	mustMerge(t, s)
	return s, chains
}

// forget has the writer remember no stream.
func (s *Store) forget() {
	s.turn.Lock()
	defer s.turn.Unlock()
	clear(s.memory)
}

// lastPage is the page with the head of a stream.
func lastPage(t testing.TB, s *Store, stream string) uint64 {
	t.Helper()
	var key []byte
	_ = s.db.View(func(tx *bolt.Tx) error {
		id, _, err := bucketsOf(tx).find(stream)
		if err != nil {
			t.Fatal(err)
		}
		key = logKey(id, headVersion)
		return nil
	})
	pages := pathIn(t, s, bucketLog, key)
	return pages[len(pages)-1]
}

// TestPagesUnreadableDuringAMerge has a page of a stream be unreadable while appends are merged, and readable again
// later. The merge stranded the stream and answered nil: later an acknowledged append was gone, and its version and
// idempotency key were free again. Now the store stops writing, and nothing is lost when it is opened anew.
func TestPagesUnreadableDuringAMerge(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, remembered := range []bool{false, true} {
		t.Run(fmt.Sprint("remembered ", remembered), func(t *testing.T) {
			t.Parallel()
			var told []error
			s, chains := spread(t, Options{ObserveStop: func(err error) { told = append(told, err) }})
			c := chains[3]
			mustPut(t, s, c.Next("late", "acknowledged"), "")
			if !remembered {
				s.forget()
			}
			restore := spoil(t, s.path, lastPage(t, s, "s3"))
			err := s.lockedMerge()
			restore()
			var corrupt *eventstore.CorruptError
			if !errors.Is(err, eventstore.ErrStopped) || !errors.As(err, &corrupt) {
				t.Errorf("merge: %v, want ErrStopped with a CorruptError", err)
			}
			if stopped := s.Stopped(); !errors.Is(stopped, eventstore.ErrStopped) || len(told) != 1 {
				t.Errorf("stopped: %v, told of %v", stopped, told)
			}
			if err := s.Append(ctx, (&storetest.Chain{Stream: "new"}).Next("", "x")); !errors.Is(err,
				eventstore.ErrStopped) {
				t.Errorf("append to another stream: %v, want ErrStopped", err)
			}
			if info, err := s.Head(ctx, "s3"); err != nil || info.Version != 6 {
				t.Errorf("head: %+v, %v, want version 6", info, err)
			}
			path := s.path
			mustClose(t, s)
			s = mustOpen(t, path, Options{MapSize: 1})
			defer s.Close()
			if info, err := s.Head(ctx, "s3"); err != nil || info.Version != 6 {
				t.Errorf("head after opening anew: %+v, %v, want version 6", info, err)
			}
			var used *eventstore.KeyUsedError
			if err := s.Append(ctx, c.Next("late", "again")); !errors.As(err, &used) || used.Version != 6 {
				t.Errorf("the key once more: %v, want a KeyUsedError at 6", err)
			}
			mustMerge(t, s)
			storetest.MustBeSound(t, s)
		})
	}
}

// TestStrandedStreamIsRefused keeps appends apart, since the head of their stream is damaged, and then mends the head
// behind the store's back: the stream would be shown without what was acknowledged, and would take its versions and
// keys again. It is refused, until somebody has put back what was kept apart.
func TestStrandedStreamIsRefused(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := waiting(t)
	tamper(t, path, func(tx *bolt.Tx) error { return flip(bucketsOf(tx).log, logKey(1, headVersion), 9) })
	s := mustOpen(t, path, Options{MapSize: 1})
	mustMerge(t, s)
	mustClose(t, s)
	tamper(t, path, func(tx *bolt.Tx) error { return flip(bucketsOf(tx).log, logKey(1, headVersion), 9) })
	for _, o := range []Options{{MapSize: 1}, {MapSize: 1, ReadOnly: true}} {
		s := mustOpen(t, path, o)
		_, err := s.Head(ctx, "a")
		mustBeCorrupt(t, "head", err, "a")
		_, err = s.Read(ctx, "a", 1, 0, 0)
		mustBeCorrupt(t, "read", err, "a")
		_, _, err = s.Lookup(ctx, "a", "k3")
		mustBeCorrupt(t, "lookup", err, "a")
		_, err = s.List(ctx, "", "", 0)
		mustBeCorrupt(t, "list", err, "a")
		if !o.ReadOnly {
			mustBeCorrupt(t, "append", s.Append(ctx, (&storetest.Chain{Stream: "a", Version: 2}).Next("k3", "x")), "a")
			mustBeCorrupt(t, "set meta", s.SetMeta(ctx, "a", nil, eventstore.AnyMeta), "a")
			mustPut(t, s, storetest.Continue(t, s, "b").Next("", "x"), "")
		}
		if page, err := s.List(ctx, "", "a", 0); err != nil || len(page) != 2 {
			t.Errorf("list after it: %v, %v", page, err)
		}
		mustClose(t, s)
	}
}

// TestOnlyWhatWasKeptApartIsHeld asks for an append that was kept apart, and for another to the same stream.
func TestOnlyWhatWasKeptApartIsHeld(t *testing.T) {
	t.Parallel()
	one, two := (&storetest.Chain{Stream: "new"}).Next("k", "kept"),
		(&storetest.Chain{Stream: "new"}).Next("k", "other")
	kept, other := newAppend(&one), newAppend(&two)
	tamper(t, sound(t), func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucketStranded)
		if err := errors.Join(err, b.Put([]byte("new"), kept.appendTo(nil))); err != nil {
			return err
		}
		if bs := bucketsOf(tx); !bs.holds(kept) || bs.holds(other) {
			t.Errorf("the append that was kept apart: %v, another: %v", bs.holds(kept), bs.holds(other))
		}
		return nil
	})
}

// TestDamagedStreamInABatch appends to a stream whose page is damaged and to a sound one in one batch. The sound one
// was refused too, and the error named no stream.
func TestDamagedStreamInABatch(t *testing.T) {
	t.Parallel()
	s, chains := spread(t, Options{})
	restore := spoil(t, s.path, lastPage(t, s, "s3"))
	s.forget()
	var batch []*request
	for _, i := range []int{2, 3, 4} {
		a := chains[i].Next("late", "x")
		batch = append(batch, newAppend(&a))
	}
	s.turn.Lock()
	s.write(batch)
	s.turn.Unlock()
	if err := errors.Join(batch[0].err, batch[2].err); err != nil {
		t.Errorf("appends to sound streams: %v", err)
	}
	mustBeCorrupt(t, "append to the damaged stream", batch[1].err, "s3")
	restore()
	mustClose(t, s)
}

// TestListNamesTheDamagedStream lists streams of which one has a damaged page: the page ends before it, and the next
// begins with an error that names it. The error named none, so nobody could go on after it.
func TestListNamesTheDamagedStream(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, _ := spread(t, Options{})
	restore := spoil(t, s.path, lastPage(t, s, "s3"))
	if page, err := s.List(ctx, "", "", 0); err != nil || len(page) != 3 {
		t.Errorf("list: %d streams, %v, want the 3 before the damaged one", len(page), err)
	}
	_, err := s.List(ctx, "", "s2", 0)
	mustBeCorrupt(t, "list from the damaged stream", err, "s3")
	if page, err := s.List(ctx, "", "s3", 0); err != nil || len(page) != 6 {
		t.Errorf("list after the damaged stream: %d streams, %v, want 6", len(page), err)
	}
	restore()
	mustClose(t, s)
}

// TestHeadFarAhead has a head with a right checksum say versions that no file can hold. The first append took all
// memory.
func TestHeadFarAhead(t *testing.T) {
	t.Parallel()
	path := sound(t)
	tamper(t, path, func(tx *bolt.Tx) error {
		return bucketsOf(tx).log.Put(logKey(2, headVersion), encodeHead("b", head{version: 1 << 42, indexed: 4}))
	})
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	defer s.Close()
	ctx := context.Background()
	mustBeCorrupt(t, "append", s.Append(ctx, (&storetest.Chain{Stream: "b", Version: 5}).Next("", "x")), "b")
	_, err := s.Read(ctx, "b", 6, 0, 0)
	mustBeCorrupt(t, "read", err, "b")
	mustPut(t, s, storetest.Continue(t, s, "a").Next("", "x"), "")
}
