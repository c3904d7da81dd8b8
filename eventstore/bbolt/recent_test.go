package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// waiting makes the file of a store that was killed: "a" and "b" have two entries and metadata that are merged, and one
// commit each waits with an entry and metadata for "a", two entries for "b", an entry for "a", and the first of "c".
func waiting(t testing.TB) (path string) {
	t.Helper()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	a, b := &storetest.Chain{Stream: "a"}, &storetest.Chain{Stream: "b"}
	for _, c := range []*storetest.Chain{a, b} {
		mustPut(t, s, c.Next("k1", "1", "2"), "old "+c.Stream)
	}
	mustMerge(t, s)
	mustPut(t, s, a.Next("k3", "3"), "new a")
	mustPut(t, s, b.Next("k3", "3", "4"), "")
	mustPut(t, s, a.Next("k4", "4"), "")
	mustPut(t, s, (&storetest.Chain{Stream: "c"}).Next("k1", "1"), "new c")
	path = left(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// waitingHeld is what the store of waiting shows.
var waitingHeld = []string{"a 4 new a", "b 4 old b", "c 1 new c"}

func mustPut(t testing.TB, s *Store, a eventstore.Append, meta string) {
	t.Helper()
	if meta != "" {
		a.Meta, a.MetaExpected = []byte(meta), eventstore.AnyMeta
	}
	if err := s.Append(context.Background(), a); err != nil {
		t.Fatalf("append to %s: %v", a.Stream, err)
	}
}

func mustMerge(t testing.TB, s *Store) {
	t.Helper()
	if err := s.lockedMerge(); err != nil {
		t.Fatalf("merge: %v", err)
	}
}

func (s *Store) lockedMerge() error {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.merge()
}

// held is what a store shows of its streams: name, version, metadata.
func held(t testing.TB, s *Store) (all []string) {
	t.Helper()
	list, err := s.List(context.Background(), "", "", 0)
	if err != nil {
		t.Errorf("list: %v", err)
	}
	for _, i := range list {
		all = append(all, fmt.Sprint(i.Name, " ", i.Version, " ", string(i.Meta)))
		if n := len(storetest.ReadAll(t, s, i.Name, 0)); n != int(i.Version) {
			t.Errorf("%s: %d entries, the head says %d", i.Name, n, i.Version)
		}
	}
	return all
}

func mustHold(t testing.TB, s *Store, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, held(t, s)); diff != "" {
		t.Errorf("streams (-want +held):\n%s", diff)
	}
	storetest.MustBeSound(t, s)
}

func mustClose(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestReplayTwice opens what a kill left, and what a second kill leaves right after: the same, until it is merged, and
// then once.
func TestReplayTwice(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	for range 3 {
		s := mustOpen(t, path, Options{MapSize: 1})
		mustHold(t, s, waitingHeld...)
		path = left(t, s)
		mustClose(t, s)
		alone(t, s.path)
	}
	s := mustOpen(t, path, Options{recent: 1})
	mustPut(t, s, storetest.Continue(t, s, "b").Next("k4", "5"), "")
	mustHold(t, s, "a 4 new a", "b 5 old b", "c 1 new c")
	path = left(t, s)
	mustClose(t, s)
	s = mustOpen(t, path, Options{MapSize: 1})
	mustHold(t, s, "a 4 new a", "b 5 old b", "c 1 new c")
	mustClose(t, s)
}

// TestReplayOfOneCommit has a commit with several requests for one stream.
func TestReplayOfOneCommit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := newPaused(t, false, Options{NoSync: true})
	first := p.appendLater(ctx, (&storetest.Chain{Stream: "first"}).Next("", "x"), 0)
	<-p.reached
	c := &storetest.Chain{Stream: "s"}
	one, two := p.appendLater(ctx, c.Next("k1", "1"), 1), p.appendLater(ctx, c.Next("k2", "2", "3"), 2)
	p.result <- nil
	p.pass(nil)
	if err := errors.Join(<-first, <-one, <-two); err != nil {
		t.Fatal(err)
	}
	if p.number != 2 {
		t.Fatalf("%d commits, want 2", p.number)
	}
	s := mustOpen(t, left(t, p.Store), Options{MapSize: 1})
	mustHold(t, s, "first 1 ", "s 3 ")
	mustClose(t, s)
	mustClose(t, p.Store)
}

// TestNothingIsBuiltOnRecentAppendsThatDoNotFit opens a file in which an append that waits builds on another version
// than there is. Such a store is read, and not written.
func TestNothingIsBuiltOnRecentAppendsThatDoNotFit(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	tamper(t, path, func(tx *bolt.Tx) error {
		st, err := readState(tx)
		a := (&storetest.Chain{Stream: "a", Version: 1}).Next("k9", "x")
		value := appendRecent(nil, st.merged+1, []*request{newAppend(&a)})
		return errors.Join(err, tx.Bucket(bucketRecent).Put(recentKey(st.merged+1), value))
	})
	s := mustOpen(t, path, Options{MapSize: 1})
	defer s.Close()
	const want = "an append builds on version 1, and version 2 is there"
	err := s.Append(context.Background(), (&storetest.Chain{Stream: "new"}).Next("", "x"))
	if !errors.Is(err, eventstore.ErrStopped) || !strings.Contains(err.Error(), want) {
		t.Errorf("append: %v, want ErrStopped with %q", err, want)
	}
	if page, err := s.Read(context.Background(), "b", 1, 2, 0); err != nil || len(page) != 2 {
		t.Errorf("read: %d entries, %v", len(page), err)
	}
}

// TestAFileWithoutItsBucketOfRecentAppendsIsTold names the first commit that may be missing.
func TestAFileWithoutItsBucketOfRecentAppendsIsTold(t *testing.T) {
	t.Parallel()
	tamper(t, waiting(t), func(tx *bolt.Tx) error {
		if err := tx.DeleteBucket(bucketRecent); err != nil {
			return err
		}
		told := 0
		eachRecent(tx, 6, func(number uint64, _ []byte, list []*request, err error) {
			if told++; number != 7 || list != nil || !errors.Is(err, errNoRecent) {
				t.Errorf("commit %d: %d requests, %v", number, len(list), err)
			}
		})
		if told != 1 {
			t.Errorf("told %d times", told)
		}
		return nil
	})
}

// TestReadOnlyWhileAppendsWait reads what waits without a change to the file, and takes a backup of it.
func TestReadOnlyWhileAppendsWait(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	before := mustReadFile(t, path)
	first, second := mustOpen(t, path, Options{ReadOnly: true}), mustOpen(t, path, Options{ReadOnly: true})
	for _, s := range []*Store{first, second} {
		mustHold(t, s, waitingHeld...)
		var copied bytes.Buffer
		if _, err := s.Backup(context.Background(), &copied); err != nil {
			t.Errorf("backup: %v", err)
		}
		b := mustOpen(t, file(t, copied.Bytes()), Options{MapSize: 1})
		mustHold(t, b, waitingHeld...)
		mustClose(t, b)
		if _, found, err := s.Lookup(context.Background(), "b", "k3"); !found || err != nil {
			t.Errorf("lookup: %v, %v", found, err)
		}
	}
	mustClose(t, first)
	mustClose(t, second)
	if !bytes.Equal(before, mustReadFile(t, path)) {
		t.Error("reading changed the file")
	}
}

// TestBackupWhileAppendsWait opens a backup alone: it has all that was acknowledged before, and none of what came
// after.
func TestBackupWhileAppendsWait(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, waiting(t), Options{MapSize: 1})
	for i := range 3 {
		want := held(t, s)
		var copied bytes.Buffer
		if _, err := s.Backup(context.Background(), &copied); err != nil {
			t.Fatal(err)
		}
		mustPut(t, s, storetest.Continue(t, s, "c").Next("", fmt.Sprint(i)), fmt.Sprint("meta ", i))
		path := file(t, copied.Bytes())
		b := mustOpen(t, path, Options{MapSize: 1})
		mustHold(t, b, want...)
		mustClose(t, b)
		alone(t, path)
		repeated := mustOpen(t, left(t, s), Options{MapSize: 1})
		mustHold(t, repeated, held(t, s)...)
		mustClose(t, repeated)
	}
	mustClose(t, s)
}

// TestCompactAndInstallWhileAppendsWait compacts what was killed, and puts a backup in its place.
func TestCompactAndInstallWhileAppendsWait(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	if _, _, err := Compact(path); err != nil {
		t.Fatal(err)
	}
	alone(t, path)
	s := mustOpen(t, path, Options{MapSize: 1})
	mustHold(t, s, waitingHeld...)
	mustClose(t, s)
	killed := waiting(t)
	backup, version := bulky(t)
	if err := Install(backup, killed, true, func(*Store) error { return nil }); err != nil {
		t.Fatal(err)
	}
	alone(t, killed)
	s = mustOpen(t, killed, Options{MapSize: 1})
	defer s.Close()
	if info, err := s.Head(context.Background(), "s"); err != nil || info.Version != version {
		t.Errorf("head %+v, %v", info, err)
	}
	if _, err := s.Head(context.Background(), "k"); !errors.Is(err, eventstore.ErrNotFound) {
		t.Error(err)
	}
}

// mustReadFile returns what a file holds; nil if none exists.
func mustReadFile(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return content
}
