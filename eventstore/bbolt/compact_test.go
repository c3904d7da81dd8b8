package boltstore

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// bulky makes a store of which most was written over, and gives what a backup of it holds.
func bulky(t *testing.T) (path string, version uint64) {
	t.Helper()
	path = newPath(t)
	s := mustOpen(t, path, Options{NoSync: true})
	chain := &storetest.Chain{Stream: "s"}
	for range 200 {
		if err := s.Append(context.Background(), chain.Next("", "x")); err != nil {
			t.Fatal(err)
		}
	}
	large := bytes.Repeat([]byte("m"), 30<<10)
	for range 20 {
		for _, stream := range []string{"a", "b", "c", "d"} {
			_ = s.Append(context.Background(), (&storetest.Chain{Stream: stream}).Next("", "x"))
			if err := s.SetMeta(context.Background(), stream, large, eventstore.AnyMeta); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, stream := range []string{"a", "b", "c", "d"} {
		if err := s.SetMeta(context.Background(), stream, nil, eventstore.AnyMeta); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path, 200
}

// alone asserts that nothing but the store is left in its folder.
func alone(t *testing.T, path string) {
	t.Helper()
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("the directory holds %v, %v", left, err)
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	path, version := bulky(t)
	before, after, err := Compact(path)
	if err != nil || after >= before {
		t.Errorf("from %d to %d bytes, %v", before, after, err)
	}
	alone(t, path)
	s := mustOpen(t, path, Options{})
	storetest.MustBeSound(t, s)
	if info, err := s.Head(context.Background(), "s"); err != nil || info.Version != version {
		t.Errorf("head %+v, %v", info, err)
	}
	if _, _, err := Compact(path); !errors.Is(err, eventstore.ErrLocked) {
		t.Errorf("a file that is in use: %v, want ErrLocked", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	alone(t, path)
	notes := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notes, bytes.Repeat([]byte("a shopping list\n"), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	var format *eventstore.FormatError
	if _, _, err := Compact(notes); !errors.As(err, &format) {
		t.Errorf("what is no store: %v", err)
	}
	if _, _, err := Compact(notes + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}

func TestInstall(t *testing.T) {
	t.Parallel()
	backup, version := bulky(t)
	to := filepath.Join(t.TempDir(), "games.db")
	sound := func(s *Store) error {
		report, err := s.Check(context.Background(), nil, nil)
		if report.Faults > 0 {
			return errors.New("faulty")
		}
		return err
	}
	if err := Install(backup, to, false, sound); err != nil {
		t.Fatal(err)
	}
	alone(t, to)
	if err := Install(backup, to, false, sound); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over an existing file: %v", err)
	}
	s := mustOpen(t, to, Options{})
	if info, err := s.Head(context.Background(), "s"); err != nil || info.Version != version {
		t.Errorf("head %+v, %v", info, err)
	}
	if err := Install(backup, to, true, sound); !errors.Is(err, eventstore.ErrLocked) {
		t.Errorf("over a file in use: %v, want ErrLocked", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(backup); err != nil { // so that every page of it is needed
		t.Fatal(err)
	}
	whole, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(t.TempDir(), "half.db")
	if err := os.WriteFile(half, whole[:len(whole)/3], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Install(half, to, true, sound); err == nil {
		t.Error("half a backup is installed")
	}
	if err := Install(backup, to, true, func(*Store) error { return errors.New("no") }); err == nil {
		t.Error("what the check refuses is installed")
	}
	alone(t, to)
	if err := Install(backup, to, true, sound); err != nil {
		t.Error(err)
	}
	s = mustOpen(t, to, Options{})
	defer s.Close()
	storetest.MustBeSound(t, s)
}
