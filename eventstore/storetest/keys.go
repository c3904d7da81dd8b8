package storetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

func testKeys(t *testing.T, open Factory) {
	s := start(t, open)
	c, want := fill(t, s, "s", 20)
	fill(t, s, "sibling", 2)
	for i := range want {
		v, found, err := s.Lookup(ctx, "s", want[i].Key)
		if v != want[i].Version || !found || err != nil {
			t.Errorf("lookup of %q = %d, %v, %v", want[i].Key, v, found, err)
		}
	}
	for _, key := range []string{"", "k", "k21", "K1"} {
		if v, found, err := s.Lookup(ctx, "s", key); v != 0 || found || err != nil {
			t.Errorf("lookup of unused %q = %d, %v, %v", key, v, found, err)
		}
	}
	for i := range want {
		next := *c
		a := next.Next("", "x", "y")
		a.Entries[1].Key = want[i].Key
		a.Meta = []byte("never")
		mustRefuseKey(t, s, a, want[i].Key, want[i].Version)
	}
	mustHold(t, s, "s", want, nil)
}

func mustRefuseKey(t testing.TB, s eventstore.Store, a eventstore.Append, key string, version uint64) {
	t.Helper()
	var used *eventstore.KeyUsedError
	if err := s.Append(ctx, a); !errors.As(err, &used) {
		t.Errorf("used key %q: %v, want a KeyUsedError", key, err)
	} else if diff := cmp.Diff(&eventstore.KeyUsedError{Stream: a.Stream, Key: key, Version: version},
		used); diff != "" {
		t.Errorf("used key %q: %s", key, diff)
	}
}

func testRetry(t *testing.T, open Factory) {
	s := start(t, open)
	c := &Chain{Stream: "s"}
	var sent []eventstore.Append
	for i := range 5 {
		sent = append(sent, mustAppend(t, s, c.Next(fmt.Sprint("command-", i), fmt.Sprint(i))))
	}
	for i, a := range sent {
		mustRefuseKey(t, s, a, fmt.Sprint("command-", i), uint64(i)+1)
	}
	if got := ReadAll(t, s, "s", 0); len(got) != 5 {
		t.Errorf("%d entries after retries, want 5", len(got))
	}
}

func testReopen(t *testing.T, open Factory) {
	e := open(t)
	if e.Reopen == nil {
		_ = e.Store.Close()
		t.Skip("the engine keeps nothing")
	}
	s := e.Store
	var chains []*Chain
	want := make(map[string][]eventstore.Entry)
	for i := range 10 {
		c, entries := fill(t, s, fmt.Sprint("stream-", i), i+1)
		chains, want[c.Stream] = append(chains, c), entries
	}
	if err := s.SetMeta(ctx, "stream-3", []byte("kept"), 0); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s = e.Reopen(t)
		for i, c := range chains {
			mustRefuseKey(t, s, (&Chain{c.Stream, c.Version, c.Hash}).Next("k1", "again"), "k1", 1)
			want[c.Stream] = append(want[c.Stream], mustAppend(t, s, c.Next("", fmt.Sprint("more ", i))).Entries...)
			var meta []byte
			if i == 3 {
				meta = []byte("kept")
			}
			mustHold(t, s, c.Stream, want[c.Stream], meta)
			if head, err := s.Head(ctx, c.Stream); err != nil || head.MetaVersion != uint64(len(meta)/len("kept")) {
				t.Errorf("metadata of %q are of version %d, %v", c.Stream, head.MetaVersion, err)
			}
		}
	}
	finish(t, e.Reopen(t))
}
