package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
	"github.com/warledger/warledger/eventstore/memory"
)

func testCount(t *testing.T, open Factory) {
	first, second := handles(t, open)
	want := map[string]uint64{"": 0, "g": 0, "games/": 0, "games/1": 0, "h": 0, "x": 0}
	for _, name := range []string{"h", "games/1", "games/10", "a", "games", "games/2", "games/11", "games0"} {
		fill(t, first, name, 2)
		for prefix := range want {
			if len(name) >= len(prefix) && name[:len(prefix)] == prefix {
				want[prefix]++
			}
		}
		for prefix, n := range want {
			if got, err := second.Count(ctx, prefix); got != n || err != nil {
				t.Errorf("count of %q = %d, %v, want %d", prefix, got, err, n)
			}
		}
	}
}

// testNow wants a clock at each handle.
func testNow(t *testing.T, open Factory) {
	first, second := handles(t, open)
	for _, s := range []eventstore.Store{first, second} {
		if now, err := s.Now(ctx); now.IsZero() || err != nil {
			t.Errorf("now = %v, %v", now, err)
		}
	}
}

// testReadAt wants the pages of Read, each with the head.
func testReadAt(t *testing.T, open Factory) {
	s := start(t, open)
	fill(t, s, "s", 12)
	if err := s.SetMeta(ctx, "s", []byte("meta"), 0); err != nil {
		t.Fatal(err)
	}
	head, err := s.Head(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	for from := range uint64(15) {
		for _, limit := range []int{-1, 0, 1, 5, 100} {
			for _, size := range []int{0, 3} {
				want := eventstore.Page{Head: head}
				if want.Entries, err = s.Read(ctx, "s", from, limit, size); err != nil {
					t.Fatal(err)
				}
				got, err := s.ReadAt(ctx, "s", from, limit, size)
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("from %d, limit %d, %d bytes: %v (-want +got):\n%s", from, limit, size, err, diff)
				}
			}
		}
	}
}

// contents is all that a snapshot holds, or a store now: each stream's entries with its head.
func contents(t testing.TB, v eventstore.Snapshot) (all []eventstore.Page) {
	t.Helper()
	for after := ""; ; {
		list, err := v.List(ctx, "", after, 3)
		if err != nil {
			t.Fatalf("list after %q: %v", after, err)
		}
		if len(list) == 0 {
			return all
		}
		for _, info := range list {
			whole := eventstore.Page{Head: info}
			for at := uint64(0); at < info.Version; at = uint64(len(whole.Entries)) {
				page, err := v.ReadAt(ctx, info.Name, at+1, 4, 0)
				if err != nil || len(page.Entries) == 0 {
					t.Fatalf("%d entries of %q from %d, %v", len(page.Entries), info.Name, at+1, err)
				}
				if diff := cmp.Diff(info, page.Head); diff != "" {
					t.Errorf("head (-listed +read):\n%s", diff)
				}
				whole.Entries = append(whole.Entries, page.Entries...)
			}
			all, after = append(all, whole), info.Name
		}
	}
}

// various fills a store with streams of several sizes and metadata.
func various(t testing.TB, s eventstore.Store) {
	t.Helper()
	for i, name := range []string{"b", "a", "games/1", "games/10", "é"} {
		fill(t, s, name, 3*i+1)
		for version := range uint64(i) {
			if err := s.SetMeta(ctx, name, []byte(fmt.Sprint("meta ", i, " ", version)), version); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.SetMeta(ctx, "a", nil, 1); err != nil {
		t.Fatal(err)
	}
}

// testSnapshot wants of a snapshot what the store held when it was opened, whatever is written since.
func testSnapshot(t *testing.T, open Factory) {
	e := open(t)
	s := e.Store
	finish(t, s)
	various(t, s)
	want := contents(t, s)
	v, err := s.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !e.Narrow {
		for range 3 {
			for _, name := range []string{"a", "games/1", "new", "games/0"} {
				c := &Chain{Stream: name}
				if head, err := s.Head(ctx, name); err == nil {
					c.Version, c.Hash = head.Version, head.Hash
				}
				mustAppend(t, s, withMeta(c.Next("", "later"), "later", eventstore.AnyMeta))
			}
		}
	}
	if diff := cmp.Diff(want, contents(t, v)); diff != "" {
		t.Errorf("the snapshot (-when it was opened +now):\n%s", diff)
	}
	if _, err := v.ReadAt(ctx, "new", 1, 0, 0); !errors.Is(err, eventstore.ErrNotFound) {
		t.Errorf("a stream made since: %v", err)
	}
	if _, err := v.ReadAt(ctx, "", 1, 0, 0); !isInvalid(err) {
		t.Errorf("a stream of no name: %v, want an InvalidError", err)
	}
	if !e.Narrow {
		if now := contents(t, s); len(now) != len(want)+2 {
			t.Errorf("the store has %d streams, want %d", len(now), len(want)+2)
		}
	}
	for range 2 {
		if err := v.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	mustBeClosed(t, v)
}

func mustBeClosed(t testing.TB, v eventstore.Snapshot) {
	t.Helper()
	for name, err := range map[string]error{
		"list":    second(v.List(ctx, "", "", 0)),
		"read at": second(v.ReadAt(ctx, "a", 1, 0, 0)),
	} {
		if !errors.Is(err, eventstore.ErrClosed) {
			t.Errorf("%s of a closed snapshot: %v, want ErrClosed", name, err)
		}
	}
}

// testSnapshotEnds closes the store while snapshots are open, and being read.
func testSnapshotEnds(t *testing.T, open Factory) {
	s := open(t).Store
	various(t, s)
	var all []eventstore.Snapshot
	var wg sync.WaitGroup
	for range 3 {
		v, err := s.Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
		wg.Go(func() {
			for {
				switch _, err := v.ReadAt(ctx, "games/10", 1, 0, 0); {
				case errors.Is(err, eventstore.ErrClosed):
					return
				case err != nil:
					t.Errorf("read at: %v", err)
					return
				}
			}
		})
	}
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	wg.Wait()
	for _, v := range all {
		mustBeClosed(t, v)
		if err := v.Close(); err != nil {
			t.Errorf("close of a snapshot: %v", err)
		}
	}
}

// testDump restores a dump in another engine, and a dump of that in an empty store: all is as it was, but for what
// package dump says about metadata versions.
func testDump(t *testing.T, open Factory) {
	s := start(t, open)
	various(t, s)
	var out bytes.Buffer
	wrote, err := dump.Write(ctx, s, &out)
	if want := (dump.Report{Streams: 5, Entries: 35, Bytes: 40}); wrote != want || err != nil {
		t.Fatalf("wrote %+v, %v, want %+v", wrote, err, want)
	}
	other := memory.New()
	defer other.Close()
	back := start(t, open)
	for _, step := range []struct{ from, to eventstore.Store }{{s, other}, {other, back}} {
		var copied bytes.Buffer
		if _, err := dump.Write(ctx, step.from, &copied); err != nil {
			t.Fatal(err)
		}
		wrote.Stored = wrote.Entries
		if read, err := dump.Read(ctx, &copied, step.to); read != wrote || err != nil {
			t.Fatalf("read %+v, %v, want %+v", read, err, wrote)
		}
	}
	want, got := contents(t, s), contents(t, back)
	for i := range want {
		want[i].Head.MetaVersion = min(want[i].Head.MetaVersion, 1)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dumped and restored twice (-before +after):\n%s", diff)
	}
	MustBeSound(t, back)
	mustAppend(t, back, withMeta(Continue(t, back, "a").Next("new", "goes on"), "goes on", 1))
	mustRefuseKey(t, back, Continue(t, back, "b").Next("k1", "again"), "k1", 1)
}

// testDumpWhileServing wants of a dump that is made while entries come what the store held at one moment.
func testDumpWhileServing(t *testing.T, open Factory) {
	e := open(t)
	s := e.Store
	finish(t, s)
	various(t, s)
	chains := []*Chain{{Stream: "0 busy"}, {Stream: "z busy"}}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ { // the second stream is never behind the first by more than one
			for _, c := range slices.Backward(chains) {
				select {
				case <-stop:
					return
				default:
					mustAppend(t, s, c.Next("", fmt.Sprint(i)))
				}
			}
		}
	})
	for range 3 {
		var out bytes.Buffer
		if _, err := dump.Write(ctx, s, &out); err != nil {
			t.Error(err)
			break
		}
		copied, err := memory.Restore(&out)
		if err != nil {
			t.Error(err)
			break
		}
		var versions [2]uint64
		for i, c := range chains {
			if head, err := copied.Head(ctx, c.Stream); err == nil {
				versions[i] = head.Version
			}
		}
		if ahead := versions[1] - versions[0]; ahead > 1 {
			t.Errorf("the dump has versions %v, and they were never so far apart", versions)
		}
		MustBeSound(t, copied)
		_ = copied.Close()
	}
	close(stop)
	wg.Wait()
}
