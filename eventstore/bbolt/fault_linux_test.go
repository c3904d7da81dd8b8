package boltstore

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// devices are what stands in for the device of a file, and what appends then fail with; "" is a descriptor of the store's file that cannot be written.
var devices = map[string]struct {
	stand string
	want  error
}{
	"full device":            {"/dev/full", eventstore.ErrFull},
	"descriptor for reading": {"", eventstore.ErrIO},
}

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

// TestDeviceFails replaces the journal's descriptor under its feet: by a full device, and by one of the same file that
// cannot be written. Everything is real but the device.
func TestDeviceFails(t *testing.T) {
	t.Parallel()
	for name, tt := range devices {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			path := newPath(t)
			var file *os.File
			s := mustOpen(t, path, Options{OpenFile: keeping(&file, JournalPath(path))})
			defer s.Close()
			c := &storetest.Chain{Stream: "s"}
			for range 20 { // so that there are free pages: a full device is asked to grow otherwise
				if err := s.Append(ctx, c.Next("", "before")); err != nil {
					t.Fatal(err)
				}
			}
			if tt.stand == "" {
				tt.stand = path
			}
			restore := storetest.StandIn(t, file, tt.stand)
			for range 3 {
				next := *c
				if err := s.Append(ctx, next.Next("", "lost")); !errors.Is(err, tt.want) {
					t.Errorf("append: %v, want %v", err, tt.want)
				}
				if got := storetest.MustBeSound(t, s); got.Entries != 20 {
					t.Errorf("%d entries can be read, want 20", got.Entries)
				}
			}
			restore()
			for range 20 {
				if err := s.Append(ctx, c.Next("", "after")); err != nil {
					t.Fatalf("append when the cause is gone: %v", err)
				}
			}
			if got := storetest.MustBeSound(t, s); got.Entries != 40 {
				t.Errorf("%d entries, want 40", got.Entries)
			}
		})
	}
}

// TestDeviceOfTheFileFails replaces the descriptor of the store's file alone: appends go on in the journal until that is full, are then refused, and go on when the cause
// is gone. Nothing that was acknowledged is lost, wherever the store is killed or closed.
func TestDeviceOfTheFileFails(t *testing.T) {
	t.Parallel()
	for name, tt := range devices {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			path := newPath(t)
			var file *os.File
			s := mustOpen(t, path, Options{MapSize: 1, journal: 8 * block, OpenFile: keeping(&file, path)})
			c := &storetest.Chain{Stream: "s"}
			for range 20 {
				mustPut(t, s, c.Next("", "before"), "")
			}
			mustMerge(t, s, false)
			if tt.stand == "" {
				tt.stand = path
			}
			restore := storetest.StandIn(t, file, tt.stand)
			for range 8 {
				mustPut(t, s, c.Next("", "to the journal"), "")
			}
			for range 3 {
				next := *c
				if err := s.Append(ctx, next.Next("", "lost")); !errors.Is(err, tt.want) || errors.Is(err, eventstore.ErrUncertain) {
					t.Errorf("append: %v, want a certain %v", err, tt.want)
				}
				mustHold(t, s, "s 28 ")
				killed := mustOpen(t, left(t, s), Options{MapSize: 1})
				mustHold(t, killed, "s 28 ")
				mustClose(t, killed)
			}
			restore()
			for range 20 {
				mustPut(t, s, c.Next("", "after"), "")
			}
			mustHold(t, s, "s 48 ")
			mustClose(t, s)
			alone(t, path)
		})
	}
}
