//go:build unix

package boltstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// linked makes a link of some kind to a file, in a folder of its own.
func linked(t *testing.T, path string, link func(string, string) error) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "games.db")
	if err := link(path, name); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestReplacingThroughASymbolicLink compacts a store, and restores one, at a path that is a symbolic link: the link
// stays, and the file that it leads to is replaced. The link became a file, and the store that others knew stayed as it
// was.
func TestReplacingThroughASymbolicLink(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(link string) error{
		"compact": func(link string) error {
			before, after, err := Compact(link)
			if err == nil && after >= before {
				err = errors.New("it is no smaller")
			}
			return err
		},
		"restore": func(link string) error {
			backup, _ := bulky(t)
			return Install(backup, link, true, func(*Store) error { return nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, version := bulky(t)
			was, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			link := linked(t, path, os.Symlink)
			if err := replace(link); err != nil {
				t.Fatal(err)
			}
			info, err := os.Lstat(link)
			if err != nil || info.Mode().Type() != fs.ModeSymlink {
				t.Errorf("the link is now %v, %v", info.Mode(), err)
			}
			if now, err := os.Stat(path); err != nil || os.SameFile(was, now) {
				t.Errorf("the file was not replaced, %v", err)
			}
			alone(t, path)
			alone(t, link)
			s := mustOpen(t, path, Options{})
			defer s.Close()
			storetest.MustBeSound(t, s)
			if info, err := s.Head(context.Background(), "s"); err != nil || info.Version != version {
				t.Errorf("head %+v, %v", info, err)
			}
		})
	}
}

// TestReplacingAFileOfSeveralNames refuses to compact or replace a file that has another name: that would keep the old
// one.
func TestReplacingAFileOfSeveralNames(t *testing.T) {
	t.Parallel()
	path, _ := bulky(t)
	other := linked(t, path, os.Link)
	backup, _ := bulky(t)
	_, _, compact := Compact(other)
	restore := Install(backup, other, true, func(*Store) error { return nil })
	for what, err := range map[string]error{"compact": compact, "restore": restore} {
		if err == nil || !strings.Contains(err.Error(), "2 names (hard links)") {
			t.Errorf("%s: %v", what, err)
		}
	}
	first, err1 := os.Stat(path)
	second, err2 := os.Stat(other)
	if err := errors.Join(err1, err2); err != nil || !os.SameFile(first, second) {
		t.Errorf("the names lead to different files, %v", err)
	}
	alone(t, path)
	alone(t, other)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(other); err != nil {
		t.Errorf("with one name left: %v", err)
	}
}

// TestInstallOverALinkToNothing says what is wrong and makes nothing.
func TestInstallOverALinkToNothing(t *testing.T) {
	t.Parallel()
	backup, _ := bulky(t)
	link := linked(t, filepath.Join(t.TempDir(), "missing.db"), os.Symlink)
	if err := Install(backup, link, true, func(*Store) error { return nil }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("restore: %v", err)
	}
	alone(t, link)
}

// TestInstallOverACutFileInUse cuts the file of a store that is open: it is damaged, and it is in use. It was replaced
// under the server, which went on writing to a file without a name.
func TestInstallOverACutFileInUse(t *testing.T) {
	t.Parallel()
	backup, _ := bulky(t)
	for _, size := range []int64{0, 100, pageSize + 100, 3 * pageSize, 20 * pageSize} {
		path, _ := bulky(t)
		s := mustOpen(t, path, Options{ReadOnly: false})
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		was, _ := os.Stat(path)
		if err := Install(backup, path, true, func(*Store) error { return nil }); !errors.Is(err,
			eventstore.ErrLocked) {
			t.Errorf("cut to %d bytes: %v, want ErrLocked", size, err)
		}
		if now, err := os.Stat(path); err != nil || !os.SameFile(was, now) {
			t.Errorf("cut to %d bytes: the file was replaced, %v", size, err)
		}
		_ = s.Close()
		if err := Install(backup, path, true, func(*Store) error { return nil }); err != nil {
			t.Errorf("cut to %d bytes, not in use: %v", size, err)
		}
		s = mustOpen(t, path, Options{})
		storetest.MustBeSound(t, s)
		mustClose(t, s)
		alone(t, path)
	}
}

// TestInstallOverWhatCannotBeOpened keeps what it cannot tell anything of.
func TestInstallOverWhatCannotBeOpened(t *testing.T) {
	t.Parallel()
	backup, _ := bulky(t)
	dir := filepath.Join(t.TempDir(), "games.db")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Install(backup, dir, true, func(*Store) error { return nil }); err == nil {
		t.Error("a folder was replaced")
	}
	alone(t, dir)
}

// TestAStoreWhoseFileIsCutTellsIt cuts the file of a store that is open, to the two pages at its start: what is read
// says so, and ends nothing else.
func TestAStoreWhoseFileIsCutTellsIt(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, read := range map[string]func(s *Store) error{
		"head": func(s *Store) error { _, err := s.Head(ctx, "a"); return err },
		"list": func(s *Store) error { _, err := s.List(ctx, "", "", 0); return err },
		"key":  func(s *Store) error { _, _, err := s.Lookup(ctx, "a", "k1"); return err },
	} {
		path := sound(t)
		s := mustOpen(t, path, Options{ReadOnly: true})
		if err := os.Truncate(path, 2*pageSize); err != nil {
			t.Fatal(err)
		}
		var corrupt *eventstore.CorruptError
		if err := read(s); !errors.As(err, &corrupt) {
			t.Errorf("%s: %v, want a CorruptError", name, err)
		}
		_ = s.Close()
	}
}
