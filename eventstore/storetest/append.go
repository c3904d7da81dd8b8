package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

var ctx = context.Background()

func testAppend(t *testing.T, open Factory) {
	s := start(t, open)
	c := &Chain{Stream: "games/1"}
	var want []eventstore.Entry
	want = append(want, mustAppend(t, s, c.Next("first", "a", "", "c")).Entries...)
	want = append(want, mustAppend(t, s, c.Next("second", "d")).Entries...)
	unnumbered := c.Next("", "e")
	want = append(want, unnumbered.Entries...)
	bare := unnumbered.Entries[0]
	bare.Version = 0
	unnumbered.Entries = []eventstore.Entry{bare}
	mustAppend(t, s, unnumbered)
	if diff := cmp.Diff(want, ReadAll(t, s, "games/1", 0)); diff != "" {
		t.Errorf("entries (-appended +read):\n%s", diff)
	}
	head, err := s.Head(ctx, "games/1")
	if diff := cmp.Diff(eventstore.StreamInfo{Name: "games/1", Version: 5, Hash: c.Hash}, head); diff != "" ||
		err != nil {
		t.Errorf("head: %v\n%s", err, diff)
	}
}

func testInvalid(t *testing.T, open Factory) {
	s := start(t, open)
	c := &Chain{Stream: "s"}
	mustAppend(t, s, c.Next("", "x"))
	valid := func(change func(*eventstore.Append)) eventstore.Append {
		next := *c
		a := next.Next("key", "one", "two")
		change(&a)
		return a
	}
	for name, a := range map[string]eventstore.Append{
		"empty name":        valid(func(a *eventstore.Append) { a.Stream = "" }),
		"long name":         valid(func(a *eventstore.Append) { a.Stream = strings.Repeat("n", eventstore.MaxName+1) }),
		"name not UTF-8":    valid(func(a *eventstore.Append) { a.Stream = "\xff" }),
		"name with control": valid(func(a *eventstore.Append) { a.Stream = "a\nb" }),
		"no entries":        valid(func(a *eventstore.Append) { a.Entries = nil }),
		"too many entries": valid(func(a *eventstore.Append) {
			a.Entries = make([]eventstore.Entry, eventstore.MaxEntries+1)
		}),
		"long key": valid(func(a *eventstore.Append) {
			a.Entries[0].Key = strings.Repeat("k", eventstore.MaxKey+1)
		}),
		"key not UTF-8":  valid(func(a *eventstore.Append) { a.Entries[0].Key = "\xff" }),
		"one key twice":  valid(func(a *eventstore.Append) { a.Entries[1].Key = "key" }),
		"other version":  valid(func(a *eventstore.Append) { a.Entries[1].Version = 7 }),
		"last version":   valid(func(a *eventstore.Append) { a.Expected = math.MaxUint64 - 1 }),
		"large data":     valid(func(a *eventstore.Append) { a.Entries[0].Data = make([]byte, eventstore.MaxData+1) }),
		"large metadata": valid(func(a *eventstore.Append) { a.Meta = make([]byte, eventstore.MaxMeta+1) }),
	} {
		if err := s.Append(ctx, a); !isInvalid(err) {
			t.Errorf("%s: %v, want an InvalidError", name, err)
		}
	}
	for name, err := range map[string]error{
		"head":           second(s.Head(ctx, "")),
		"read":           second(s.Read(ctx, "\x00", 1, 1, 1)),
		"read at":        second(s.ReadAt(ctx, "", 1, 1, 1)),
		"wait":           second(s.Wait(ctx, "", eventstore.Mark{})),
		"set meta":       s.SetMeta(ctx, "", nil, 0),
		"set large meta": s.SetMeta(ctx, "s", make([]byte, eventstore.MaxMeta+1), 0),
		"lookup name":    third(s.Lookup(ctx, "", "k")),
		"lookup key":     third(s.Lookup(ctx, "s", "\xff")),
	} {
		if !isInvalid(err) {
			t.Errorf("%s: %v, want an InvalidError", name, err)
		}
	}
	if got := ReadAll(t, s, "s", 0); len(got) != 1 {
		t.Errorf("%d entries after invalid appends, want 1", len(got))
	}
}

func second[T any](_ T, err error) error        { return err }
func third[T, U any](_ T, _ U, err error) error { return err }

func isInvalid(err error) bool {
	var invalid *eventstore.InvalidError
	return errors.As(err, &invalid)
}

func testConflict(t *testing.T, open Factory) {
	s := start(t, open)
	c, want := fill(t, s, "s", 3)
	for _, expected := range []uint64{0, 1, 2, 4, 100} {
		stale := Chain{"s", expected, c.Hash}
		if expected == 0 {
			stale.Hash = eventstore.Hash{}
		}
		a := stale.Next("other", "x", "y")
		a.Meta = []byte("never")
		var conflict *eventstore.ConflictError
		if err := s.Append(ctx, a); !errors.As(err, &conflict) {
			t.Errorf("expected %d: %v, want a ConflictError", expected, err)
		} else if diff := cmp.Diff(&eventstore.ConflictError{Stream: "s", Expected: expected, Current: 3},
			conflict); diff != "" {
			t.Errorf("expected %d: %s", expected, diff)
		}
	}
	unborn := Chain{"unborn", 2, c.Hash}
	var conflict *eventstore.ConflictError
	if err := s.Append(ctx, unborn.Next("", "x")); !errors.As(err, &conflict) || conflict.Current != 0 {
		t.Errorf("append to no stream at 2: %v, want a ConflictError with 0", err)
	}
	mustHold(t, s, "s", want, nil)
	if _, found, _ := s.Lookup(ctx, "s", "other"); found {
		t.Error("key of a refused append is in the index")
	}
	if _, err := s.Head(ctx, "unborn"); !errors.Is(err, eventstore.ErrNotFound) {
		t.Errorf("head of a stream never made: %v", err)
	}
}

func mustHold(t testing.TB, s eventstore.Store, stream string, want []eventstore.Entry, meta []byte) {
	t.Helper()
	if diff := diffEntries(want, ReadAll(t, s, stream, 0)); diff != "" {
		t.Errorf("entries of %q (-want +got):\n%s", stream, diff)
	}
	if got, err := s.Head(ctx, stream); err != nil || string(got.Meta) != string(meta) {
		t.Errorf("metadata of %q = %q, %v, want %q", stream, got.Meta, err, meta)
	}
}

func testLink(t *testing.T, open Factory) {
	s := start(t, open)
	_, want := fill(t, s, "s", 3)
	wrong := Chain{"s", 3, eventstore.Hash{1}}
	var link *eventstore.LinkError
	if err := s.Append(ctx, wrong.Next("k", "x")); !errors.As(err, &link) {
		t.Errorf("link to nothing: %v, want a LinkError", err)
	} else if link.Version != 4 || link.Want != want[2].Hash || link.Prev != (eventstore.Hash{1}) {
		t.Errorf("link to nothing: %+v", link)
	}
	first := Chain{"new", 0, eventstore.Hash{1}}
	if err := s.Append(ctx, first.Next("k", "x")); !errors.As(err, &link) || link.Version != 1 {
		t.Errorf("version 1 that links to something: %v, want a LinkError", err)
	}
	broken := Chain{"s", 3, want[2].Hash}
	a := broken.Next("k", "x", "y")
	a.Entries[1].Prev[0]++
	if err := s.Append(ctx, a); !errors.As(err, &link) || link.Version != 5 {
		t.Errorf("append broken in itself: %v, want a LinkError at 5", err)
	}
	mustHold(t, s, "s", want, nil)
}

func testLarge(t *testing.T, open Factory) {
	s := start(t, open)
	c := &Chain{Stream: "s"}
	var want []eventstore.Entry
	for i, size := range []int{0, 1, 4000, 4096, 100_000, 3 << 20, 10} {
		want = append(want,
			mustAppend(t, s, c.Next(fmt.Sprint(i), strings.Repeat("x", size), strings.Repeat("y", size/2))).Entries...)
	}
	mustHold(t, s, "s", want, nil)
}
