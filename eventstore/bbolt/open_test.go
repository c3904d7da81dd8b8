package boltstore

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

func TestOpenIsExclusive(t *testing.T) {
	t.Parallel()
	path := sound(t)
	s := mustOpen(t, path, Options{})
	if _, err := Open(path, Options{}); !errors.Is(err, eventstore.ErrLocked) {
		t.Errorf("second open: %v, want ErrLocked", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path, Options{})
	defer s.Close()
	storetest.MustBeSound(t, s)
}

// TestManyCreateOneFile has several open a file that does not exist: one gets it, the others find it locked or, when
// they come after it was closed, find it made. Nothing else is left in the directory.
func TestManyCreateOneFile(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(path, Options{})
			if errors.Is(err, eventstore.ErrLocked) {
				return
			}
			if err != nil {
				t.Errorf("open: %v", err)
				return
			}
			defer s.Close()
			var used *eventstore.KeyUsedError
			err = s.Append(context.Background(), (&storetest.Chain{Stream: "s"}).Next("k", "x"))
			if err != nil && !errors.As(err, &used) {
				t.Errorf("append: %v", err)
			}
		})
	}
	wg.Wait()
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("the directory holds %v, %v", left, err)
	}
	s := mustOpen(t, path, Options{})
	defer s.Close()
	if got := storetest.MustBeSound(t, s); got.Entries != 1 {
		t.Errorf("%d entries", got.Entries)
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := sound(t)
	before, _ := os.ReadFile(path)
	first, second := mustOpen(t, path, Options{ReadOnly: true}), mustOpen(t, path, Options{ReadOnly: true})
	for _, s := range []*Store{first, second} {
		storetest.MustBeSound(t, s)
		c := storetest.Continue(t, s, "a")
		if err := s.Append(ctx, c.Next("", "x")); !errors.Is(err, eventstore.ErrReadOnly) {
			t.Errorf("append: %v, want ErrReadOnly", err)
		}
		if err := s.SetMeta(ctx, "a", nil, eventstore.AnyMeta); !errors.Is(err, eventstore.ErrReadOnly) {
			t.Errorf("set meta: %v, want ErrReadOnly", err)
		}
		if _, err := s.Backup(ctx, io.Discard); err != nil {
			t.Errorf("backup: %v", err)
		}
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil {
		t.Errorf("close: %v", err)
	}
	if after, _ := os.ReadFile(path); string(before) != string(after) {
		t.Error("reading changed the file")
	}
	if _, err := Open(newPath(t), Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("read what does not exist: %v", err)
	}
}

func TestOpenWhereNothingCanBe(t *testing.T) {
	t.Parallel()
	if _, err := Open(filepath.Join(t.TempDir(), "no", "such", "directory"), Options{}); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("open: %v", err)
	}
}
