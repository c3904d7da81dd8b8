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

// Compact writes a file anew without the room that a store has left free, and puts it in the old one's place, with its
// owner and mode: whole or not at all. It returns the sizes before and after. Where the new file would be no smaller
// the old one stays, and both sizes are the same. Nobody may have the file open: it returns [eventstore.ErrLocked]
// then. A symbolic link stays and leads to the new file; a file with several names is refused.
func Compact(path string) (before, after int64, err error) {
	real, err := placeOf(path)
	if err != nil {
		return 0, 0, err
	}
	o := Options{}.withDefaults()
	// Opened to be written, though it is not: the lock keeps servers out until the new file is in place.
	old, err := openBolt(path, o)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	s := newStore(old, path, o)
	if err := errors.Join(s.load(), s.Stopped()); err != nil {
		return 0, 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	before = info.Size()
	name, after, err := compactTo(old, real)
	if err != nil {
		return before, 0, fmt.Errorf("compact %s: %w", path, classify(err))
	}
	defer os.Remove(name) // there only if it did not take the place of the old one
	if after >= before {
		return before, before, nil
	}
	if err := liken(name, info); err != nil {
		return before, 0, fmt.Errorf("compact %s: the new file cannot have the old one's owner and mode: %w", path, err)
	}
	if err := os.Rename(name, real); err != nil {
		return before, 0, err
	}
	return before, after, syncDir(filepath.Dir(real))
}

// placeOf is where a file is that another shall take the place of: what a symbolic link leads to. One with several
// names would keep its contents under the others, and whoever opens those would have another store.
func placeOf(path string) (real string, err error) {
	if real, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if n := names(info); n > 1 {
		return "", fmt.Errorf("%s has %d names (hard links), and the others would keep the old file: remove them first",
			real, n)
	}
	return real, nil
}

// compactTo writes the store into a file beside a path and gives its name and size.
func compactTo(old *bolt.DB, path string) (name string, size int64, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err = recovered(recover(), "", err) }()
	if err := mustBeWhole(old, path); err != nil {
		return "", 0, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".compact-*")
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err := f.Close(); err != nil {
		return "", 0, err
	}
	// It is synced once, at its end: until then the old file is the store.
	fresh, err := bolt.Open(f.Name(), 0o600,
		&bolt.Options{Timeout: 1, PageSize: pageSize, NoSync: true, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return "", 0, err
	}
	err = old.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, from *bolt.Bucket) error { return copyBucket(fresh, name, from) })
	})
	_ = fresh.View(func(tx *bolt.Tx) error { size = tx.Size(); return nil })
	if err = errors.Join(err, fresh.Close()); err != nil {
		return "", 0, err
	}
	return f.Name(), size, cutTo(f.Name(), size)
}

// cutTo takes from a file the room to grow that bbolt has given it, and makes all that is left durable.
func cutTo(name string, size int64) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Sync(), f.Close())
}

// copyBucket puts what a bucket holds into a new one of another file, in pages that are full.
func copyBucket(to *bolt.DB, name []byte, from *bolt.Bucket) error {
	c := from.Cursor()
	k, v := c.First()
	for first := true; first || k != nil; first = false {
		err := to.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(name)
			if err != nil {
				return err
			}
			b.FillPercent = 1
			for size := 0; k != nil && size < compactBytes; k, v = c.Next() {
				if err := b.Put(k, v); err != nil {
					return err
				}
				size += len(k) + len(v)
			}
			return b.SetSequence(from.Sequence())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Install puts a copy of a store, such as a backup, where a server will look for it. The copy is opened and examined
// first. An existing file is replaced only if replace says so, and never while somebody has it open; links are treated
// as by [Compact]. The copy itself stays.
func Install(from, to string, replace bool, check func(*Store) error) (err error) {
	unlock, err := free(to, replace)
	if err != nil {
		return err
	}
	unlock()
	real := to
	if there(to) {
		if real, err = placeOf(to); err != nil {
			return err
		}
	}
	if there(to) && there(journalPath(to)) {
		// A store of format 4 takes its journal in. Else whoever dies between the new file's name and the journal's end
		// leaves both, and a store beside the journal of another one is not opened.
		if s, err := Open(to, Options{}); err == nil {
			_ = s.Close()
		}
	}
	name, err := copyBeside(from, real)
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
	return put(name, to, real, replace)
}

// put gives a file its place, which is that of the path, or of what a link at the path leads to. Whoever opens that
// place meanwhile waits for a lock and then finds the new file.
func put(name, to, real string, replace bool) error {
	unlock, err := free(to, replace)
	if err != nil {
		return err
	}
	defer unlock()
	if !there(to) { // a link takes the place of nothing that another process may have made since
		if err := os.Link(name, to); err == nil || errors.Is(err, fs.ErrExist) {
			return errors.Join(err, removeJournal(to), syncDir(filepath.Dir(to)))
		}
	}
	// Whoever runs the server must be able to open what takes the place of its file.
	if old, err := os.Stat(to); err == nil {
		if err := liken(name, old); err != nil {
			return err
		}
	}
	if err := os.Rename(name, real); err != nil {
		return err
	}
	err = errors.Join(removeJournal(to), syncDir(filepath.Dir(real)))
	if dir := filepath.Dir(to); dir != filepath.Dir(real) { // where the journal was
		err = errors.Join(err, syncDir(dir))
	}
	return err
}

// removeJournal removes the journal of a store of format 4 that was replaced.
func removeJournal(to string) error {
	if err := os.Remove(journalPath(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// free says why a store may not be put at a path, and keeps everybody out of what is there until unlock is called.
func free(path string, replace bool) (unlock func(), err error) {
	for _, p := range []string{path, journalPath(path)} { // a journal alone may be all that is left of a store
		if there(p) && !replace {
			return nil, fmt.Errorf("%w: %s", fs.ErrExist, p)
		}
	}
	if !there(path) {
		return func() {}, nil
	}
	db, _, err := lockBolt(path, Options{}.withDefaults())
	var format *eventstore.FormatError
	var damaged *eventstore.CorruptError
	switch {
	case err == nil:
		return func() { _ = db.Close() }, nil
	case errors.As(err, &format), errors.As(err, &damaged):
		// What is no store, or a damaged one, may be replaced: that is what backups are for. Nobody writes it, since
		// this was found out under its lock, and nobody can open it to write it.
		return func() {}, nil
	}
	return nil, err
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
