package boltstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// waiting makes the files of a store that was killed: "a" and "b" have two entries and metadata in the file, and one frame each in the journal with an entry and
// metadata for "a", two entries for "b", an entry for "a", and the first of "c".
func waiting(t testing.TB) (path string) {
	t.Helper()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	a, b := &storetest.Chain{Stream: "a"}, &storetest.Chain{Stream: "b"}
	for _, c := range []*storetest.Chain{a, b} {
		mustPut(t, s, c.Next("k1", "1", "2"), "old "+c.Stream)
	}
	mustMerge(t, s, false)
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

// frameSize is that of each frame in the journal of waiting.
const frameSize = block

// waitingHeld is what the store of waiting shows.
var waitingHeld = []string{"a 4 new a", "b 4 old b", "c 1 new c"}

func mustPut(t testing.TB, s *Store, a eventstore.Append, meta string) {
	t.Helper()
	if meta != "" {
		a.Meta = []byte(meta)
	}
	if err := s.Append(context.Background(), a); err != nil {
		t.Fatalf("append to %s: %v", a.Stream, err)
	}
}

func mustMerge(t testing.TB, s *Store, idle bool) {
	t.Helper()
	if err := s.lockedMerge(idle); err != nil {
		t.Fatalf("merge: %v", err)
	}
}

func (s *Store) lockedMerge(idle bool) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.merge(idle)
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

// TestReplayTwice opens what a kill left, and what a second kill leaves right after: the same, until it is merged, and then once.
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
	s := mustOpen(t, path, Options{journal: 1})
	mustPut(t, s, storetest.Continue(t, s, "b").Next("k4", "5"), "")
	mustHold(t, s, "a 4 new a", "b 5 old b", "c 1 new c")
	path = left(t, s)
	mustClose(t, s)
	s = mustOpen(t, path, Options{MapSize: 1})
	mustHold(t, s, "a 4 new a", "b 5 old b", "c 1 new c")
	mustClose(t, s)
}

// TestReplayOfOneFrame has a frame with several requests for one stream.
func TestReplayOfOneFrame(t *testing.T) {
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
	if p.journal.last != 2 {
		t.Fatalf("%d frames, want 2", p.journal.last)
	}
	s := mustOpen(t, left(t, p.Store), Options{MapSize: 1})
	mustHold(t, s, "first 1 ", "s 3 ")
	mustClose(t, s)
	mustClose(t, p.Store)
}

// TestTornLastFrame cuts and garbles the last frame, which is then none, and appends a shorter or a longer one in its place, with what was left of it behind.
func TestTornLastFrame(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	whole := waiting(t)
	at := journalHeader + 4*frameSize
	s := mustOpen(t, whole, Options{MapSize: 1})
	long := storetest.Continue(t, s, "a").Next("k5", strings.Repeat("y", 4*block))
	mustPut(t, s, long, "")
	d := disk{mustReadFile(t, whole), mustReadFile(t, JournalPath(whole))}
	mustClose(t, s)
	for name, tear := range map[string]func(j []byte) []byte{
		"first block lost":    func(j []byte) []byte { clear(j[at : at+block]); return j },
		"block in the middle": func(j []byte) []byte { clear(j[at+2*block : at+3*block]); return j },
		"cut in the header":   func(j []byte) []byte { return j[:at+7] },
		"cut in the middle":   func(j []byte) []byte { return j[:at+3*block+100] },
		"length beyond all":   func(j []byte) []byte { binary.BigEndian.PutUint32(j[at+4:], 1<<32-1); return j },
		"flipped bit":         func(j []byte) []byte { j[at+block] ^= 4; return j },
	} {
		for _, size := range []int{1, 6 * block} {
			t.Run(fmt.Sprint(name, ", then ", size), func(t *testing.T) {
				t.Parallel()
				path := disk{d.db, tear(bytes.Clone(d.journal))}.files(t)
				s := mustOpen(t, path, Options{MapSize: 1})
				mustHold(t, s, waitingHeld...)
				c := storetest.Continue(t, s, "a")
				for i := range 3 { // right behind it the rest of the torn one
					if err := s.Append(ctx, c.Next(fmt.Sprint("again ", i), strings.Repeat("z", size))); err != nil {
						t.Fatal(err)
					}
					again := mustOpen(t, left(t, s), Options{MapSize: 1})
					mustHold(t, again, fmt.Sprintf("a %d new a", 5+i), "b 4 old b", "c 1 new c")
					mustClose(t, again)
				}
				mustClose(t, s)
			})
		}
	}
	t.Run("only zeros cut", func(t *testing.T) { // what was acknowledged is whole, and the next frame goes where it would have gone
		t.Parallel()
		f, ok := readFrame(d.journal[at:], journalID(d.journal[len(journalMagic)+4:]), 2)
		if !ok {
			t.Fatal("no last frame")
		}
		path := disk{d.db, d.journal[:at+frameHeader+len(f.requests)]}.files(t)
		for version := 5; version < 8; version++ {
			s := mustOpen(t, path, Options{MapSize: 1})
			mustHold(t, s, fmt.Sprintf("a %d new a", version), "b 4 old b", "c 1 new c")
			mustPut(t, s, storetest.Continue(t, s, "a").Next("", "x"), "")
			path = left(t, s)
			mustClose(t, s)
		}
	})
}

// TestStaleFrames has frames of an older epoch lie behind those of the current one, block by block as if they went on from them.
func TestStaleFrames(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, waiting(t), Options{MapSize: 1})
	for round := range 4 {
		for i := range 3 - round%2 {
			mustPut(t, s, storetest.Continue(t, s, "a").Next("", fmt.Sprint(round, " ", i)), "")
			again := mustOpen(t, left(t, s), Options{MapSize: 1})
			if diff := cmp.Diff(held(t, s), held(t, again)); diff != "" {
				t.Errorf("round %d, %d (-before the kill +after):\n%s", round, i, diff)
			}
			mustClose(t, again)
		}
		mustMerge(t, s, round%2 == 0)
		again := mustOpen(t, left(t, s), Options{MapSize: 1})
		if diff := cmp.Diff(held(t, s), held(t, again)); diff != "" {
			t.Errorf("round %d, merged (-before the kill +after):\n%s", round, diff)
		}
		mustClose(t, again)
	}
	mustClose(t, s)
}

// TestJournalIsRefused opens files with a journal that is not to be had. Nothing is changed then, and the error says what to do; nor is such a file compacted,
// read or copied by itself.
func TestJournalIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		spoil func(t *testing.T, path string, journal []byte) []byte
		want  string
	}{
		"missing": {func(*testing.T, string, []byte) []byte { return nil }, "is missing"},
		"of another store": {func(t *testing.T, _ string, _ []byte) []byte {
			return mustReadFile(t, JournalPath(waiting(t)))
		}, "another store"},
		"empty":          {func(*testing.T, string, []byte) []byte { return []byte{} }, "another store"},
		"notes":          {func(*testing.T, string, []byte) []byte { return bytes.Repeat([]byte("buy milk\n"), 500) }, "another store"},
		"newer layout":   {func(_ *testing.T, _ string, j []byte) []byte { j[len(journalMagic)+3] = 9; return j }, "layout 9, this program knows 1"},
		"header damaged": {func(_ *testing.T, _ string, j []byte) []byte { j[len(journalMagic)+20] ^= 1; return j }, "another store"},
		"first frame":    {func(_ *testing.T, _ string, j []byte) []byte { j[journalHeader+50] ^= 1; return j }, "frame 1 is damaged, and frame 2 after it is whole"},
		"middle frame":   {func(_ *testing.T, _ string, j []byte) []byte { j[journalHeader+frameSize+99] ^= 1; return j }, "frame 2 is damaged, and frame 3 after it is whole"},
		"number":         {func(_ *testing.T, _ string, j []byte) []byte { j[journalHeader+frameSize+27] ^= 1; return j }, "frame 2 is damaged, and frame 3 after it is whole"},
		"two frames": {func(_ *testing.T, _ string, j []byte) []byte {
			clear(j[journalHeader+frameSize : journalHeader+3*frameSize])
			return j
		}, "frame 2 is damaged, and frame 4 after it is whole"},
		"frame moved": {func(_ *testing.T, _ string, j []byte) []byte {
			return append(j[:journalHeader:journalHeader], j[journalHeader+frameSize:]...)
		}, "frame 1 is damaged, and frame 2 after it is whole"},
		"state unreadable": {func(t *testing.T, path string, j []byte) []byte {
			tamper(t, path, func(tx *bolt.Tx) error { return tx.Bucket(bucketFormat).Put(formatJournal, []byte("?")) })
			return j
		}, "length"},
		"another base": {func(t *testing.T, path string, j []byte) []byte {
			tamper(t, path, func(tx *bolt.Tx) error {
				return bucketsOf(tx).log.Put(logKey(1, headVersion), encodeHead("a", head{version: 7}))
			})
			return j
		}, `an append to "a" builds on version 2, and version 7 is there`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := waiting(t)
			journal := tt.spoil(t, path, mustReadFile(t, JournalPath(path)))
			_ = os.Remove(JournalPath(path))
			if journal != nil {
				if err := os.WriteFile(JournalPath(path), journal, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before := mustReadFile(t, path)
			open := func(o Options) error {
				s, err := Open(path, o)
				if err == nil {
					_ = s.Close()
				}
				return err
			}
			_, _, compacted := Compact(path)
			for what, err := range map[string]error{"open": open(Options{}), "read": open(Options{ReadOnly: true}), "compact": compacted} {
				var refused *JournalError
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "admin salvage --db "+path) {
					t.Errorf("%s: %v, want a JournalError with %q", what, err, tt.want)
				}
			}
			if err := Install(path, newPath(t), false, func(*Store) error { return nil }); err == nil {
				t.Error("the file is installed without its journal")
			}
			if !bytes.Equal(before, mustReadFile(t, path)) || !bytes.Equal(journal, mustReadFile(t, JournalPath(path))) {
				t.Error("something was changed")
			}
		})
	}
}

// TestLastFrameDamaged shows what cannot be told from a frame that was torn while it was written: that the last one was whole once.
func TestLastFrameDamaged(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	j := mustReadFile(t, JournalPath(path))
	j[journalHeader+3*frameSize+60] ^= 1
	s := mustOpen(t, disk{mustReadFile(t, path), j}.files(t), Options{MapSize: 1})
	mustHold(t, s, "a 4 new a", "b 4 old b")
	mustClose(t, s)
}

// TestJournalWithoutFile never writes over a journal that may be all that is left of a store.
func TestJournalWithoutFile(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	journal := mustReadFile(t, JournalPath(path))
	backup, _ := bulky(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	var refused *JournalError
	if _, err := Open(path, Options{}); !errors.As(err, &refused) || there(path) {
		t.Errorf("open: %v, want a JournalError", err)
	}
	if err := Install(backup, path, false, func(*Store) error { return nil }); !errors.Is(err, os.ErrExist) {
		t.Errorf("install beside it: %v", err)
	}
	// A file that was copied to its place does not know of the journal, which is set aside.
	if err := os.WriteFile(path, mustReadFile(t, backup), 0o600); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path, Options{MapSize: 1})
	mustPut(t, s, (&storetest.Chain{Stream: "new"}).Next("", "x"), "")
	mustClose(t, s)
	aside, err := filepath.Glob(JournalPath(path) + ".aside-*")
	if err != nil || len(aside) != 1 || !bytes.Equal(journal, mustReadFile(t, aside[0])) {
		t.Errorf("set aside: %v, %v", aside, err)
	}
	if err := Install(backup, path, true, func(*Store) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestReadOnlyWithJournal reads what waits without a change to either file. There is no backup then.
func TestReadOnlyWithJournal(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	before := disk{mustReadFile(t, path), mustReadFile(t, JournalPath(path))}
	first, second := mustOpen(t, path, Options{ReadOnly: true}), mustOpen(t, path, Options{ReadOnly: true})
	for _, s := range []*Store{first, second} {
		mustHold(t, s, waitingHeld...)
		if n, err := s.Backup(context.Background(), io.Discard); n != 0 || !errors.Is(err, eventstore.ErrReadOnly) {
			t.Errorf("backup: %d, %v, want ErrReadOnly", n, err)
		}
		if _, found, err := s.Lookup(context.Background(), "b", "k3"); !found || err != nil {
			t.Errorf("lookup: %v, %v", found, err)
		}
	}
	mustClose(t, first)
	mustClose(t, second)
	if !bytes.Equal(before.db, mustReadFile(t, path)) || !bytes.Equal(before.journal, mustReadFile(t, JournalPath(path))) {
		t.Error("reading changed the files")
	}
}

// TestBackupWhileAppendsWait opens a backup alone: it has all that was acknowledged before, and none of what came after.
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
		again := mustOpen(t, left(t, s), Options{MapSize: 1}) // the first append after a backup says again that there is a journal
		mustHold(t, again, held(t, s)...)
		mustClose(t, again)
	}
	mustClose(t, s)
}

// TestCompactAndInstallWithJournal compacts what was killed, and puts a backup in its place, whose journal that is not.
func TestCompactAndInstallWithJournal(t *testing.T) {
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
	if _, err := s.Head(context.Background(), "a"); err != nil { // bulky has one
		t.Error(err)
	}
	if _, err := s.Head(context.Background(), "k"); !errors.Is(err, eventstore.ErrNotFound) {
		t.Error(err)
	}
}

// TestMarkInDoubt fails while the journal is made known, and then closes, backs up, or goes on: the file is never left with a journal that is not there.
func TestMarkInDoubt(t *testing.T) {
	t.Parallel()
	for _, at := range []point{beforeMark, afterMark} {
		for name, then := range map[string]func(t *testing.T, s *Store){
			"close": func(*testing.T, *Store) {},
			"backup": func(t *testing.T, s *Store) {
				var copied bytes.Buffer
				if _, err := s.Backup(context.Background(), &copied); err != nil {
					t.Fatal(err)
				}
				b := mustOpen(t, file(t, copied.Bytes()), Options{MapSize: 1})
				mustHold(t, b, "old 1 ")
				mustClose(t, b)
			},
			"go on": func(t *testing.T, s *Store) {
				s.o.hooks[at] = nil
				mustPut(t, s, (&storetest.Chain{Stream: "s"}).Next("k", "x"), "")
				mustHold(t, s, "old 1 ", "s 1 ")
			},
		} {
			t.Run(fmt.Sprint(at, ", ", name), func(t *testing.T) {
				t.Parallel()
				s := mustOpen(t, newPath(t), Options{MapSize: 1})
				mustPut(t, s, (&storetest.Chain{Stream: "old"}).Next("k", "x"), "")
				path := s.path
				mustClose(t, s)
				s = mustOpen(t, path, Options{hooks: hooks{at: func() error { return syscall.EIO }}})
				err := s.Append(context.Background(), (&storetest.Chain{Stream: "s"}).Next("k", "x"))
				if !errors.Is(err, eventstore.ErrIO) || errors.Is(err, eventstore.ErrUncertain) {
					t.Errorf("append: %v, want a certain ErrIO", err)
				}
				mustHold(t, s, "old 1 ")
				killed := mustOpen(t, left(t, s), Options{MapSize: 1})
				mustHold(t, killed, "old 1 ")
				mustClose(t, killed)
				then(t, s)
				want := held(t, s)
				mustClose(t, s)
				s = mustOpen(t, path, Options{MapSize: 1})
				mustHold(t, s, want...)
				mustClose(t, s)
			})
		}
	}
}

// TestPartOfAFrame writes a frame but for the zeros at its end, which reach into its requests: it comes back after a kill. So no append whose frame was written in part may be
// answered with certainty.
func TestPartOfAFrame(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	c := &storetest.Chain{Stream: "s"}
	mustPut(t, s, c.Next("", "before"), "")
	a := c.Next("", "cut")
	s.turn.Lock()
	part := appendFrame(nil, s.journal.id, s.journal.epoch, s.journal.last+1, []*request{newAppend(&a)})
	end := len(part)
	for part[end-1] == 0 {
		end--
	}
	_, err := s.journal.f.WriteAt(part[:end], s.journal.at)
	s.turn.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	killed := mustOpen(t, left(t, s), Options{MapSize: 1})
	mustHold(t, killed, "s 2 ")
	mustClose(t, killed)
	mustClose(t, s)
}
