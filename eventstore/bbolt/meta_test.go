package boltstore

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// metaVersions are those of all streams, in the order of their names.
func metaVersions(t testing.TB, s *Store) (all []uint64) {
	t.Helper()
	list, err := s.List(context.Background(), "", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range list {
		all = append(all, info.MetaVersion)
	}
	return all
}

// TestMetaOfOlderFormats opens files of each older format, among them what a killed program left, whose metadata have
// no versions: they are version 1, however often they were set, and are counted from there.
func TestMetaOfOlderFormats(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	two, three := []string{"a 20 meta of a", "b 20 meta of b"},
		[]string{"a 25 meta of a", "b 20 meta of b", "c 5 meta of c"}
	for name, tt := range map[string]struct {
		path string
		want []string
	}{
		"format 1":         {file(t, made(t, "format1.db")), two},
		"format 4":         {file(t, made(t, "format4.db")), two},
		"format 4, killed": {killed4(t), three},
		"format 5":         {file(t, made(t, "format5.db")), two},
		"format 5, killed": {file(t, made(t, "format5-killed.db")), three},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ones := []uint64{1, 1, 1}[:len(tt.want)]
			for _, o := range []Options{{ReadOnly: true, MapSize: 1}, {NoSync: true, MapSize: 1}} {
				s := mustOpen(t, tt.path, o)
				mustHoldMade(t, s, tt.want...)
				if diff := cmp.Diff(ones, metaVersions(t, s)); diff != "" {
					t.Errorf("metadata versions (-want +got):\n%s", diff)
				}
				mustClose(t, s)
			}
			s := mustOpen(t, tt.path, Options{NoSync: true, MapSize: 1})
			for i, expected := range []uint64{0, 2, 1, 2} {
				var conflict *eventstore.MetaConflictError
				err := s.SetMeta(ctx, "b", []byte("new"), expected)
				if refused := i < 2; errors.As(err, &conflict) != refused || !refused && err != nil {
					t.Errorf("metadata after version %d: %v", expected, err)
				}
			}
			killed := mustOpen(t, left(t, s), Options{NoSync: true, MapSize: 1})
			mustClose(t, s)
			for _, s := range []*Store{killed, mustOpen(t, tt.path, Options{NoSync: true, MapSize: 1})} {
				ones[1] = 3
				if diff := cmp.Diff(ones, metaVersions(t, s)); diff != "" {
					t.Errorf("metadata versions when they were set twice (-want +got):\n%s", diff)
				}
				mustClose(t, s)
			}
		})
	}
}

// TestMetaVersionsAreKept wants the versions of metadata in copies of the file.
func TestMetaVersionsAreKept(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := newPath(t)
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	for i, name := range []string{"a", "b", "c"} {
		mustPut(t, s, (&storetest.Chain{Stream: name}).Next("", "x"), "")
		for v := range uint64(i) {
			if err := s.SetMeta(ctx, name, []byte("m"), v); err != nil {
				t.Fatal(err)
			}
		}
		if i == 1 { // what the writer knows of the stream is from before the merge
			mustMerge(t, s)
			if err := s.SetMeta(ctx, name, []byte("m"), 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []uint64{0, 2, 2}
	keeps := func(what string, s *Store) {
		t.Helper()
		if diff := cmp.Diff(want, metaVersions(t, s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		mustClose(t, s)
	}
	var backup bytes.Buffer
	if _, err := s.Backup(ctx, &backup); err != nil {
		t.Fatal(err)
	}
	keeps("store", s)
	keeps("backup", mustOpen(t, file(t, backup.Bytes()), Options{NoSync: true, MapSize: 1}))
	if _, _, err := Compact(path); err != nil {
		t.Fatal(err)
	}
	keeps("compacted", mustOpen(t, path, Options{NoSync: true, MapSize: 1}))
}

// TestDamagedMetaAreNotReplaced wants metadata refused whose version cannot be told to go on from, and entries taken.
func TestDamagedMetaAreNotReplaced(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := sound(t)
	tamper(t, path, func(tx *bolt.Tx) error { return flip(bucketsOf(tx).log, logKey(1, metaVersion), 6) })
	s := mustOpen(t, path, Options{NoSync: true})
	defer func() { mustClose(t, s) }()
	for _, expected := range []uint64{5, eventstore.AnyMeta} {
		mustBeCorrupt(t, "set meta", s.SetMeta(ctx, "a", nil, expected), "a")
	}
	_, err := s.Wait(ctx, "a", eventstore.Mark{})
	mustBeCorrupt(t, "wait", err, "a")
	_, err = s.ReadAt(ctx, "a", 1, 0, 0)
	mustBeCorrupt(t, "read at", err, "a")
	entries := storetest.ReadAll(t, s, "a", 0)
	c := &storetest.Chain{Stream: "a", Version: 5, Hash: entries[4].Hash}
	mustPut(t, s, c.Next("", "x"), "")
	mustPut(t, s, storetest.Continue(t, s, "b").Next("", "x"), "new")
}

// TestClock wants the time by the clock of the options.
func TestClock(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	s := mustOpen(t, newPath(t), Options{NoSync: true, Clock: func() time.Time { return at }})
	defer func() { mustClose(t, s) }()
	if now, err := s.Now(context.Background()); !now.Equal(at) || err != nil || s.Shared() {
		t.Errorf("now = %v, %v, shared %t", now, err, s.Shared())
	}
}
