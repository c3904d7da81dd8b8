package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// waitingFor is an Options.OpenFile that says when a file was opened, which is then locked by another.
func waitingFor(opened chan<- struct{}) func(string, int, os.FileMode) (*os.File, error) {
	return func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag, mode)
		select {
		case opened <- struct{}{}:
		default:
		}
		return f, err
	}
}

// TestOpenWhileItIsReplaced has a file be replaced while somebody waits for its lock: who then has the lock of the old
// one must open the new one. What it appends would go to a file that nobody can open any more.
func TestOpenWhileItIsReplaced(t *testing.T) {
	t.Parallel()
	path := sound(t)
	old, _, err := lockBolt(path, Options{}.withDefaults()) // as Compact holds it
	if err != nil {
		t.Fatal(err)
	}
	opened, result := make(chan struct{}, 1), make(chan *Store)
	go func() {
		s, err := Open(path, Options{OpenFile: waitingFor(opened), lockWait: time.Minute})
		if err != nil {
			t.Error(err)
		}
		result <- s
	}()
	<-opened
	fresh := path + ".new"
	mustWriteFile(t, fresh, mustReadFile(t, path))
	if err := errors.Join(os.Rename(fresh, path), old.Close()); err != nil {
		t.Fatal(err)
	}
	s := <-result
	mustPut(t, s, storetest.Continue(t, s, "a").Next("k6", "x"), "")
	mustClose(t, s)
	s = mustOpen(t, path, Options{})
	mustHold(t, s, "a 6 meta of a", "b 5 meta of b")
	mustClose(t, s)
}

// TestCompactAgainstOpen compacts a file again and again while others open it, append, and close it: nothing that was
// acknowledged is lost.
func TestCompactAgainstOpen(t *testing.T) {
	t.Parallel()
	path := sound(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 15 {
			if _, _, err := Compact(path); err != nil && !errors.Is(err, eventstore.ErrLocked) {
				t.Error(err)
			}
		}
	}()
	acknowledged := uint64(5)
	for compacting := true; compacting; {
		select {
		case <-done:
			compacting = false
		default:
		}
		s, err := Open(path, Options{NoSync: true})
		if errors.Is(err, eventstore.ErrLocked) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		c := storetest.Continue(t, s, "a")
		if c.Version != acknowledged {
			t.Fatalf("version %d is there, %d was acknowledged", c.Version, acknowledged)
		}
		mustPut(t, s, c.Next(fmt.Sprint("n", acknowledged), string(bytes.Repeat([]byte("x"), 3000))), "")
		acknowledged++
		mustClose(t, s)
	}
}

// TestCompactKeepsOwnerAndMode compacts a file as root that belongs to the server's user, who must be able to open it
// afterwards.
func TestCompactKeepsOwnerAndMode(t *testing.T) {
	t.Parallel()
	path, _ := bulky(t)
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 12345, 23456
	}
	if err := errors.Join(os.Chown(path, uid, gid), os.Chmod(path, 0o640)); err != nil {
		t.Fatal(err)
	}
	before, after, err := Compact(path)
	if err != nil || after >= before {
		t.Fatalf("from %d to %d, %v", before, after, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	st := info.Sys().(*syscall.Stat_t)
	if int(st.Uid) != uid || int(st.Gid) != gid || info.Mode().Perm() != 0o640 || info.Size() != after {
		t.Errorf("owner %d:%d, mode %v, %d bytes; want %d:%d, 0640, %d",
			st.Uid, st.Gid, info.Mode(), info.Size(), uid, gid, after)
	}
}

// TestInstallKeepsOwnerAndMode has a backup take the place of a file whose owner and mode are the server's.
func TestInstallKeepsOwnerAndMode(t *testing.T) {
	t.Parallel()
	from, _ := bulky(t)
	to, _ := bulky(t)
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 12345, 23456
	}
	if err := errors.Join(os.Chown(to, uid, gid), os.Chmod(to, 0o640)); err != nil {
		t.Fatal(err)
	}
	if err := Install(from, to, true, func(*Store) error { return nil }); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(to)
	if err != nil {
		t.Fatal(err)
	}
	st := info.Sys().(*syscall.Stat_t)
	if int(st.Uid) != uid || int(st.Gid) != gid || info.Mode().Perm() != 0o640 {
		t.Errorf("owner %d:%d, mode %v; want %d:%d, 0640", st.Uid, st.Gid, info.Mode(), uid, gid)
	}
}

// TestCompactNeverGrows compacts a file of full pages, and what a compaction has made: neither is larger afterwards,
// and a file that cannot be smaller stays what it is.
func TestCompactNeverGrows(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	for i := range 40 {
		c := &storetest.Chain{Stream: fmt.Sprint("s", i)}
		for range 30 {
			mustPut(t, s, c.Next("", string(bytes.Repeat([]byte("x"), 2500))), "")
		}
	}
	mustClose(t, s)
	for i := range 3 {
		was := int64(len(mustReadFile(t, path)))
		before, after, err := Compact(path)
		now := int64(len(mustReadFile(t, path)))
		if err != nil || before != was || after != now || now > was || i > 0 && now != was {
			t.Errorf("compaction %d: from %d to %d bytes, said to be from %d to %d, %v",
				i, was, now, before, after, err)
		}
		alone(t, path)
	}
	s = mustOpen(t, path, Options{})
	if got := storetest.MustBeSound(t, s); got.Entries != 1200 {
		t.Errorf("%d entries", got.Entries)
	}
	if _, err := s.Head(context.Background(), "s7"); err != nil {
		t.Error(err)
	}
	mustClose(t, s)
}
