package postgres

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// TestWhatStandsAgainstMetadata has metadata refused that were made from another version than the stream's, alone and
// beside entries. Entries without metadata, and metadata for any version, are not.
func TestWhatStandsAgainstMetadata(t *testing.T) {
	t.Parallel()
	const current = 4
	conflict := func(expected uint64) error {
		return &eventstore.MetaConflictError{Stream: "s", Expected: expected, Current: current}
	}
	for _, c := range []struct {
		name     string
		append   bool
		meta     []byte
		expected uint64
		want     error
	}{
		{"the version that is there", false, []byte("m"), current, nil},
		{"a version before", false, []byte("m"), current - 1, conflict(current - 1)},
		{"a version that is not there yet", false, []byte("m"), current + 1, conflict(current + 1)},
		{"any version", false, []byte("m"), eventstore.AnyMeta, nil},
		{"with entries, the version that is there", true, []byte("m"), current, nil},
		{"with entries, a version before", true, []byte("m"), 0, conflict(0)},
		{"with entries, any version", true, []byte("m"), eventstore.AnyMeta, nil},
		{"entries alone", true, nil, 0, nil},
	} {
		chain := &storetest.Chain{Stream: "s"}
		r := newRequest(newMeta("s", c.meta, c.expected))
		if c.append {
			a := chain.Next("", "x")
			a.Meta, a.MetaExpected = c.meta, c.expected
			r = newRequest(newAppend(&a))
		}
		info := eventstore.StreamInfo{Name: "s", Version: r.expected, MetaVersion: current, Hash: r.prev}
		if !c.append {
			info.Version = 1
		}
		if diff := cmp.Diff(c.want, r.against(info, nil, nil)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// TestOutcomesKeepTheirConnection has a writer go on with its connection when it has learned what became of a batch, or
// that the database still works on it. A connection that failed is given up.
func TestOutcomesKeepTheirConnection(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("", "x"))
	mustSet(t, s, "one", 0)
	mustSet(t, s, "two", 1)
	next := chain.Next("", "y")
	working := &writer{s: s}
	if err := working.connect(ctx); err != nil {
		t.Fatal(err)
	}
	defer working.drop()
	w := &writer{s: s}
	defer w.drop()
	ended := backend{begun: "2026-01-01 00:00:00+00"}
	stored, open := newRequest(newMeta("s", []byte("two"), 1)), newRequest(newAppend(&next))
	for _, c := range []struct {
		name    string
		gone    backend
		request *request
		open    int
		want    error
	}{
		{"stored", ended, stored, 0, nil},
		{"not stored", ended, open, 1, nil},
		{"still running", working.link.backend, open, 0, errRunning},
		{"set again since", ended, newRequest(newMeta("s", []byte("one"), 0)), 0, errOverwritten},
	} {
		left, err := w.outcome(ctx, c.gone, []*request{c.request})
		if len(left) != c.open || !errors.Is(err, c.want) || w.link == nil {
			t.Errorf("%s: %d are open, %v, connected %t", c.name, len(left), err, w.link != nil)
		}
	}
	w.link.cut()
	if _, err := w.outcome(ctx, ended, []*request{open}); err == nil || w.link != nil {
		t.Errorf("by a connection that is cut: %v, connected %t", err, w.link != nil)
	}
}

// TestNoLockAfterALostConnection wants a handle without a lock to have none when it listens by a new connection either.
func TestNoLockAfterALostConnection(t *testing.T) {
	t.Parallel()
	s, _, schema := fresh(t, Options{Lock: Unlocked, Ask: 30 * time.Millisecond})
	c := cluster(t)
	endConnections(t, c, schema)
	woken := waitAt(t, ctx, s, "s", eventstore.Mark{})
	silently(t, s, (&storetest.Chain{Stream: "s"}).Next("", "x")) // only a handle that asks again learns of it
	if err := <-woken; err != nil {
		t.Fatal(err)
	}
	if held := c.MustSQL(t, holders(schema)); held != "" {
		t.Errorf("the lock is held by %s", held)
	}
}
