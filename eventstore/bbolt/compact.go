package boltstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

// compactBytes is how much one transaction of a compaction writes.
const compactBytes = 16 << 20

// Compact writes a file anew without the room that a store has left free, and puts it in the old one's place: whole or not at all. It
// returns the sizes before and after. Nobody may have the file open: it returns [eventstore.ErrLocked] then.
func Compact(path string) (before, after int64, err error) {
	if _, err := os.Stat(path); err != nil {
		return 0, 0, err
	}
	o := Options{}.withDefaults()
	// Opened to be written, though it is not: the lock keeps servers out until the new file is in place.
	old, err := openBolt(path, o)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	if err := mergeJournal(old, path, o); err != nil {
		return 0, 0, err
	}
	if before, err = sizeOf(path); err != nil {
		return 0, 0, err
	}
	name, err := compactTo(old, path)
	if err != nil {
		return before, 0, fmt.Errorf("compact %s: %w", path, classify(err))
	}
	defer os.Remove(name) // there only if it did not take the place of the old one
	if after, err = sizeOf(name); err != nil {
		return before, 0, err
	}
	if err := os.Rename(name, path); err != nil {
		return before, 0, err
	}
	return before, after, syncDir(filepath.Dir(path))
}

// mergeJournal merges what is left of a journal, and removes that.
func mergeJournal(db *bolt.DB, path string, o Options) error {
	s := newStore(db, path, o)
	if err := s.loadJournal(path); err != nil {
		return err
	}
	return errors.Join(s.merge(true), s.endJournal())
}

// compactTo writes the store into a file beside it and gives its name.
func compactTo(old *bolt.DB, path string) (name string, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err = recovered(recover(), "", err) }()
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".compact-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err := f.Close(); err != nil {
		return "", err
	}
	// It is synced once, at its end: until then the old file is the store.
	fresh, err := bolt.Open(f.Name(), 0o600, &bolt.Options{Timeout: 1, PageSize: pageSize, NoSync: true, NoFreelistSync: true})
	if err != nil {
		return "", err
	}
	err = bolt.Compact(fresh, old, compactBytes)
	return f.Name(), errors.Join(err, fresh.Sync(), fresh.Close())
}

// Install puts a copy of a store, such as a backup, where a server will look for it. The copy is opened and examined first; verify may be
// nil. An existing file is replaced only if replace says so, and never while somebody has it open. The copy itself stays.
func Install(from, to string, replace bool, check func(*Store) error) (err error) {
	if err := free(to, replace); err != nil {
		return err
	}
	name, err := copyBeside(from, to)
	if err != nil {
		return err
	}
	defer os.Remove(name) // there only if it did not take its place
	s, err := Open(name, Options{ReadOnly: true})
	if err != nil {
		return err
	}
	if err := errors.Join(check(s), s.Close()); err != nil {
		return err
	}
	if err := free(to, replace); err != nil {
		return err
	}
	if err := os.Rename(name, to); err != nil {
		return err
	}
	// A journal of the store that was there is none of this one, which says that it has none.
	if err := os.Remove(JournalPath(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncDir(filepath.Dir(to))
}

// free says why a store may not be put at a path.
func free(path string, replace bool) error {
	for _, p := range []string{path, JournalPath(path)} { // a journal alone may be all that is left of a store
		if there(p) && !replace {
			return fmt.Errorf("%w: %s", fs.ErrExist, p)
		}
	}
	if !there(path) {
		return nil
	}
	db, err := openBolt(path, Options{}.withDefaults())
	if errors.Is(err, eventstore.ErrLocked) {
		return err
	}
	if err != nil { // what cannot be opened may be replaced: that is what backups are for
		return nil
	}
	return db.Close()
}

// copyBeside copies a file to a name in another's folder, and syncs it.
func copyBeside(from, to string) (name string, err error) {
	src, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer src.Close()
	f, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".restore-*")
	if err != nil {
		return "", err
	}
	_, err = f.ReadFrom(src)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

func sizeOf(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
