package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

func testMeta(t *testing.T, open Factory) {
	s := start(t, open)
	c := &Chain{Stream: "s"}
	mustAppend(t, s, c.Next("", "x"))
	mustMeta(t, s, "", 0)
	mustAppend(t, s, withMeta(c.Next("", "x"), "first", 0))
	mustMeta(t, s, "first", 1)
	mustAppend(t, s, c.Next("", "x"))
	mustMeta(t, s, "first", 1)
	for i, meta := range []string{"set", "set", "", "", strings.Repeat("m", 10_000)} {
		if err := s.SetMeta(ctx, "s", []byte(meta), uint64(i)+1); err != nil {
			t.Fatal(err)
		}
		mustMeta(t, s, meta, uint64(i)+2)
	}
	mustAppend(t, s, withMeta(c.Next("", "x"), "", 6))
	mustMeta(t, s, "", 7)
	if err := s.SetMeta(ctx, "s", nil, eventstore.AnyMeta); err != nil {
		t.Fatal(err)
	}
	mustMeta(t, s, "", 8)
	mustAppend(t, s, withMeta(c.Next("", "x"), "any", eventstore.AnyMeta))
	mustMeta(t, s, "any", 9)
	stale := c.Next("", "x")
	stale.MetaExpected = 3 // ignored, since no metadata come with it
	mustAppend(t, s, stale)
	mustMeta(t, s, "any", 9)
	for _, expected := range []uint64{0, 1, eventstore.AnyMeta} {
		if err := s.SetMeta(ctx, "none", []byte("x"), expected); !errors.Is(err, eventstore.ErrNotFound) {
			t.Errorf("metadata of no stream: %v", err)
		}
	}
	if _, err := s.Head(ctx, "none"); !errors.Is(err, eventstore.ErrNotFound) {
		t.Errorf("metadata made a stream: %v", err)
	}
	born := &Chain{Stream: "t"}
	mustAppend(t, s, withMeta(born.Next("", "x"), "born with", eventstore.AnyMeta))
	if head, err := s.Head(ctx, "t"); head.MetaVersion != 1 || string(head.Meta) != "born with" || err != nil {
		t.Errorf("head of a new stream with metadata = %+v, %v", head, err)
	}
}

func withMeta(a eventstore.Append, meta string, expected uint64) eventstore.Append {
	a.Meta, a.MetaExpected = []byte(meta), expected
	return a
}

func mustMeta(t testing.TB, s eventstore.Store, want string, version uint64) {
	t.Helper()
	head, err := s.Head(ctx, "s")
	if err != nil || string(head.Meta) != want || head.MetaVersion != version {
		t.Errorf("metadata = %q of version %d, %v, want %q of version %d",
			head.Meta, head.MetaVersion, err, want, version)
	}
	list, err := s.List(ctx, "s", "", 0)
	if diff := cmp.Diff([]eventstore.StreamInfo{head}, list); diff != "" || err != nil {
		t.Errorf("list: %v (-head +listed):\n%s", err, diff)
	}
}

// testMetaConflict wants nothing changed by metadata that were made from another version, nor by the entries with them.
func testMetaConflict(t *testing.T, open Factory) {
	s := start(t, open)
	c, want := fill(t, s, "s", 2)
	refused := func(what string, expected, current uint64, err error) {
		t.Helper()
		var conflict *eventstore.MetaConflictError
		if !errors.As(err, &conflict) {
			t.Errorf("%s that expects %d: %v, want a MetaConflictError", what, expected, err)
			return
		}
		wants := &eventstore.MetaConflictError{Stream: "s", Expected: expected, Current: current}
		if diff := cmp.Diff(wants, conflict); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	meta := ""
	for current := range uint64(3) {
		for _, expected := range []uint64{0, 1, 2, 3, eventstore.AnyMeta - 1} {
			if expected == current {
				continue
			}
			refused("metadata", expected, current, s.SetMeta(ctx, "s", []byte("never"), expected))
			next := *c
			refused("append", expected, current, s.Append(ctx, withMeta(next.Next("other", "x"), "never", expected)))
			mustMeta(t, s, meta, current)
		}
		meta = fmt.Sprint("meta ", current)
		if err := s.SetMeta(ctx, "s", []byte(meta), current); err != nil {
			t.Fatal(err)
		}
	}
	mustHold(t, s, "s", want, []byte(meta))
	if _, found, _ := s.Lookup(ctx, "s", "other"); found {
		t.Error("key of a refused append is in the index")
	}
	unborn := (&Chain{Stream: "unborn"}).Next("", "x")
	var conflict *eventstore.MetaConflictError
	if err := s.Append(ctx, withMeta(unborn, "x", 1)); !errors.As(err, &conflict) || conflict.Current != 0 {
		t.Errorf("append to no stream with metadata after version 1: %v, want a MetaConflictError with 0", err)
	}
	if _, err := s.Head(ctx, "unborn"); !errors.Is(err, eventstore.ErrNotFound) {
		t.Errorf("head of a stream never made: %v", err)
	}
}

// testOrder has an append be wrong in several ways: it is told of its key before its version, of that before its
// metadata, and of those before its link.
func testOrder(t *testing.T, open Factory) {
	s := start(t, open)
	fill(t, s, "s", 3)
	kind := func(err error) string { return fmt.Sprintf("%T", err) }
	for wrong := range 16 {
		key, version, meta, link := wrong&8 != 0, wrong&4 != 0, wrong&2 != 0, wrong&1 != 0
		c := Continue(t, s, "s")
		if version {
			c.Version--
		}
		if link {
			c.Hash[0]++
		}
		name, want := fmt.Sprint("new ", wrong), error(nil)
		expected := eventstore.AnyMeta - uint64(1)
		if !meta {
			head, err := s.Head(ctx, "s")
			if err != nil {
				t.Fatal(err)
			}
			expected = head.MetaVersion
		}
		switch {
		case key:
			name, want = "k1", &eventstore.KeyUsedError{}
		case version:
			want = &eventstore.ConflictError{}
		case meta:
			want = &eventstore.MetaConflictError{}
		case link:
			want = &eventstore.LinkError{}
		}
		if err := s.Append(ctx, withMeta(c.Next(name, "x"), "m", expected)); kind(err) != kind(want) {
			t.Errorf("key %t, version %t, metadata %t, link %t wrong: %v, want a %s",
				key, version, meta, link, err, kind(want))
		}
	}
}

// testMetaRace has several writers at two handles replace the same metadata, again and again, some with an append:
// exactly one wins each time, and no change is made from what it did not see.
func testMetaRace(t *testing.T, open Factory) {
	first, second := handles(t, open)
	fill(t, first, "s", 1)
	const rounds, writers = 25, 8
	for round := range uint64(rounds) {
		var wg sync.WaitGroup
		var won atomic.Int32
		var winner atomic.Value
		head := *Continue(t, first, "s")
		for w := range writers {
			s, meta := []eventstore.Store{first, second}[w%2], fmt.Sprint(round, "/", w)
			wg.Go(func() {
				var err error
				if mine := head; w < writers/2 {
					err = s.SetMeta(ctx, "s", []byte(meta), round)
				} else {
					err = s.Append(ctx, withMeta(mine.Next("", meta), meta, round))
				}
				var conflict *eventstore.ConflictError
				var metaConflict *eventstore.MetaConflictError
				switch {
				case err == nil:
					won.Add(1)
					winner.Store(meta)
				case !errors.As(err, &conflict) && (!errors.As(err, &metaConflict) || metaConflict.Current != round+1):
					t.Errorf("loser got %v", err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d writers won", won.Load())
		}
		for _, s := range []eventstore.Store{first, second} {
			mustMeta(t, s, winner.Load().(string), round+1)
		}
	}
}
