package boltstore

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// keeping is an Options.OpenFile that keeps the file that is opened at a path.
func keeping(kept **os.File, path string) func(string, int, os.FileMode) (*os.File, error) {
	return func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag, mode)
		if name == path {
			*kept = f
		}
		return f, err
	}
}

// TestFullDevice replaces the store's descriptor under its feet by a full device. Everything is real but the device. No
// sync has failed then, so appends go on when there is room again.
func TestFullDevice(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := newPath(t)
	var file *os.File
	s := mustOpen(t, path, Options{OpenFile: keeping(&file, path)})
	c := &storetest.Chain{Stream: "s"}
	for range 20 { // so that there are free pages: a full device is asked to grow otherwise
		mustPut(t, s, c.Next("", "before"), "")
	}
	restore := storetest.StandIn(t, file, "/dev/full")
	for range 3 {
		next := *c
		err := s.Append(ctx, next.Next("", "lost"))
		if !errors.Is(err, eventstore.ErrFull) || errors.Is(err, eventstore.ErrUncertain) ||
			errors.Is(err, eventstore.ErrStopped) {
			t.Errorf("append: %v, want a certain ErrFull", err)
		}
		mustHold(t, s, "s 20 ")
		killed := mustOpen(t, left(t, s), Options{MapSize: 1})
		mustHold(t, killed, "s 20 ")
		mustClose(t, killed)
	}
	restore()
	for range 20 {
		mustPut(t, s, c.Next("", "after"), "")
	}
	mustHold(t, s, "s 40 ")
	mustClose(t, s)
	alone(t, path)
}

// TestDeviceCannotBeWritten replaces the store's descriptor by one that can only be read: a write that fails stops all
// writing, also when the device is well again, and reads go on. Opened anew, the store goes on.
func TestDeviceCannotBeWritten(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := newPath(t)
	var file *os.File
	s := mustOpen(t, path, Options{OpenFile: keeping(&file, path)})
	c := &storetest.Chain{Stream: "s"}
	for range 20 {
		mustPut(t, s, c.Next("", "before"), "")
	}
	restore := storetest.StandIn(t, file, path)
	next := *c
	if err := s.Append(ctx, next.Next("", "lost")); !errors.Is(err, eventstore.ErrIO) ||
		!errors.Is(err, eventstore.ErrStopped) || errors.Is(err, eventstore.ErrUncertain) {
		t.Errorf("append: %v, want a certain ErrIO and ErrStopped", err)
	}
	restore()
	mustBeStopped(t, s, syscall.EBADF)
	mustHold(t, s, "s 20 ")
	mustClose(t, s)
	s = mustOpen(t, path, Options{})
	mustPut(t, s, c.Next("", "after"), "")
	mustHold(t, s, "s 21 ")
	mustClose(t, s)
}
