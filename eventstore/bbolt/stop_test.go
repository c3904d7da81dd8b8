package boltstore

import (
	"context"
	"errors"
	"syscall"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// mustBeStopped wants that nothing is written any more, for this cause, and that nobody tries.
func mustBeStopped(t *testing.T, s *Store, cause error) {
	t.Helper()
	ctx := context.Background()
	before := mustReadFile(t, s.path)
	for range 3 {
		err := s.Append(ctx, (&storetest.Chain{Stream: "other"}).Next("k", "x"))
		if !errors.Is(err, eventstore.ErrStopped) || !errors.Is(err, cause) || errors.Is(err, eventstore.ErrUncertain) {
			t.Errorf("append after the failure: %v, want a certain ErrStopped with %v", err, cause)
		}
	}
	for what, err := range map[string]error{"set meta": s.SetMeta(ctx, "s", nil, eventstore.AnyMeta),
		"merge": s.lockedMerge(), "stopped": s.Stopped()} {
		if !errors.Is(err, eventstore.ErrStopped) || !errors.Is(err, cause) {
			t.Errorf("%s after the failure: %v, want ErrStopped with %v", what, err, cause)
		}
	}
	if string(before) != string(mustReadFile(t, s.path)) {
		t.Error("the file was written after the failure")
	}
}

// TestCommitInDoubt fails a commit after the file shows it, as when the very last sync fails. The append is in doubt,
// nobody sees it, and nothing is written before the store is opened anew: a page that was to be synced may be lost, and
// the system may say at the next sync that all is well. Opened anew, the append is there once or not at all.
func TestCommitInDoubt(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, cause := range []error{syscall.EIO, syscall.ENOSPC} {
		var sync failing
		var told []error
		s := mustOpen(t, newPath(t),
			Options{hooks: hooks{afterCommit: sync.hook}, ObserveStop: func(err error) { told = append(told, err) }})
		c := &storetest.Chain{Stream: "s"}
		mustPut(t, s, c.Next("k1", "1"), "m")
		if s.Stopped() != nil {
			t.Errorf("stopped: %v", s.Stopped())
		}
		sync.with(cause)
		a := c.Next("k2", "2")
		if err := s.Append(ctx, a); !errors.Is(err, eventstore.ErrUncertain) ||
			!errors.Is(err, eventstore.ErrStopped) || !errors.Is(err, cause) {
			t.Errorf("append in doubt: %v", err)
		}
		sync.with(nil) // a device that is well again helps nobody
		mustBeStopped(t, s, cause)
		mustHold(t, s, "s 1 m")
		if len(told) != 1 || !errors.Is(told[0], cause) {
			t.Errorf("told of %v", told)
		}
		path := s.path
		mustClose(t, s)
		s = mustOpen(t, path, Options{})
		var used *eventstore.KeyUsedError
		if err := s.Append(ctx, a); !errors.As(err, &used) || used.Version != 2 {
			t.Errorf("retry after opening anew: %v, want a KeyUsedError at 2", err)
		}
		mustHold(t, s, "s 2 m")
		mustClose(t, s)
	}
}

// TestMergeInDoubt fails a merge after the file shows it. What was acknowledged is there in both states that a device
// may hold then, and nothing is written before the store is opened anew.
func TestMergeInDoubt(t *testing.T) {
	t.Parallel()
	var sync failing
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1, hooks: hooks{afterMerge: sync.hook}})
	c := &storetest.Chain{Stream: "s"}
	mustPut(t, s, c.Next("k1", "1", "2"), "m")
	was := mustReadFile(t, s.path)
	sync.with(syscall.EIO)
	if err := s.lockedMerge(); !errors.Is(err, eventstore.ErrUncertain) || !errors.Is(err, eventstore.ErrIO) {
		t.Errorf("merge: %v, want an ErrUncertain and ErrIO", err)
	}
	sync.with(nil)
	mustBeStopped(t, s, syscall.EIO)
	mustHold(t, s, "s 2 m")
	for _, disk := range [][]byte{was, mustReadFile(t, s.path)} {
		killed := mustOpen(t, file(t, disk), Options{MapSize: 1})
		mustHold(t, killed, "s 2 m")
		mustPut(t, killed, storetest.Continue(t, killed, "s").Next("k2", "3"), "")
		mustHold(t, killed, "s 3 m")
		mustClose(t, killed)
	}
	mustClose(t, s)
}

// TestOpenSyncs has what a process left that died be made durable before anything is written: the pages that the last
// durable state needs could be written over otherwise. Where that fails the store does not open to be written.
func TestOpenSyncs(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	before := mustReadFile(t, path)
	if s, err := Open(path, Options{hooks: hooks{beforeOpenSync: func() error { return syscall.EIO }}}); !errors.Is(err,
		eventstore.ErrIO) {
		t.Fatalf("open: %v, %v, want ErrIO", s, err)
	}
	synced := false
	s := mustOpen(t, path, Options{MapSize: 1, hooks: hooks{afterOpenSync: func() error {
		synced = true
		if string(before) != string(mustReadFile(t, path)) {
			t.Error("the file was written before it was synced")
		}
		return nil
	}}})
	if !synced {
		t.Error("the file was not synced")
	}
	mustHold(t, s, waitingHeld...)
	mustClose(t, s)
}
