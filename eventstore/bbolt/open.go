package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/internal/hub"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Open opens the event store in the file, or makes a new one where there is none. It returns after a moment with
// [eventstore.ErrLocked] when another process has it open and keeps it, with an [eventstore.FormatError] when the file
// is not an event store or from a newer program, with an [eventstore.CorruptError] when it was cut off, and with a
// [JournalError] when a journal of format 4 lies beside it that is not to be had; nothing is touched then. Where
// appends that are not merged yet are damaged the store opens, and cannot be written: see [Store.Stopped].
func Open(path string, o Options) (*Store, error) {
	o = o.withDefaults()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !o.ReadOnly {
		if there(journalPath(path)) && !there(path) { // asked in this order: another process may be making both
			return nil, &JournalError{Path: path, Cause: errNoFile}
		}
		if err := create(path, o); err != nil {
			return nil, fmt.Errorf("create event store %s: %w", path, classify(err))
		}
	}
	db, err := openBolt(path, o)
	if err != nil {
		return nil, fmt.Errorf("open event store: %w", err)
	}
	s := newStore(db, path, o)
	if err := s.load(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	go s.run()
	return s, nil
}

// load reads what is not merged yet.
func (s *Store) load() error {
	if err := s.loadRecent(); err != nil {
		return err
	}
	return s.settleJournal()
}

// newStore is a store that does not run yet and has not read what is not merged.
func newStore(db *bolt.DB, path string, o Options) *Store {
	s := &Store{
		db: db, path: path, o: o, hub: hub.New(), known: make(map[string]*known),
		queue: make(chan *request, o.BatchAppends), kick: make(chan struct{}, 1), stopping: make(chan struct{}), done: make(chan struct{}),
	}
	s.pending.Store(newPending())
	return s
}

// openBolt opens the file that is at the path once it is locked, makes durable what is in it, and brings it up to date.
func openBolt(path string, o Options) (db *bolt.DB, err error) {
	db, f, err := lockBolt(path, o)
	if err != nil {
		return nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = recovered(p, "", nil)
		}
		if err != nil {
			err = errors.Join(shorter(path, err), db.Close())
			db = nil
		}
	}()
	if err := db.View(func(tx *bolt.Tx) error { return checkFormat(tx, path) }); err != nil {
		return db, err
	}
	if o.ReadOnly {
		return db, nil
	}
	// A process that died may have written what is here and not synced it. Were a page written before that is durable,
	// it could be one that the last durable state needs.
	err = o.hooks.at(beforeOpenSync)
	if err == nil && !o.NoSync {
		err = settle(db, f, path)
	}
	if err == nil {
		err = o.hooks.at(afterOpenSync)
	}
	if err != nil {
		return db, classify(err)
	}
	return db, upgrade(db, path, o)
}

// shorter says of a file whose pages are damaged that it was cut off, if it was.
func shorter(path string, err error) error {
	var damaged *eventstore.CorruptError
	if !errors.As(err, &damaged) {
		return err
	}
	f, bad := os.Open(path)
	if bad != nil {
		return err
	}
	defer f.Close()
	info, bad := f.Stat()
	if bad != nil {
		return err
	}
	if bad := checkSize(f, info.Size()); bad != nil {
		return bad
	}
	return err
}

// checkSize refuses to write a file that was cut off: what is missing would be taken for free room. It may be read, as
// far as it goes. bbolt has the number of its pages in two places, of which one is whole, and never writes there before
// the file is as long.
func checkSize(f io.ReaderAt, size int64) error {
	const (
		metaSize  = pageHeader + 64
		maxPage   = 64 << 10
		bboltMark = 0xED0CDAED
	)
	newest, want := uint64(0), int64(0)
	for at := int64(0); at <= maxPage; at = max(2*at, 1<<10) {
		meta := make([]byte, metaSize)
		if _, err := f.ReadAt(meta, at); err != nil {
			break
		}
		meta = meta[pageHeader:]
		sum := fnv.New64a()
		_, _ = sum.Write(meta[:56])
		whole := binary.NativeEndian.Uint32(meta) == bboltMark && binary.NativeEndian.Uint64(meta[56:]) == sum.Sum64()
		if id := binary.NativeEndian.Uint64(meta[48:]); whole && id >= newest {
			newest, want = id, int64(binary.NativeEndian.Uint64(meta[40:]))*int64(binary.NativeEndian.Uint32(meta[8:]))
		}
	}
	if size >= want {
		return nil
	}
	return &eventstore.CorruptError{What: cut(size, want)}
}

// cut says that a file is too short.
func cut(size, want int64) string {
	return fmt.Sprintf("the file was cut off: it has %d bytes, and its pages need %d", size, want)
}

// lockTries is how often a file is opened anew that was replaced while its lock was waited for.
const lockTries = 10

// lockBolt opens a bbolt file. Whoever waits for the lock may get that of a file which was replaced meanwhile, as by
// [Compact]: what is then written to it would be lost, so the file that was locked must be the one at the path.
func lockBolt(path string, o Options) (db *bolt.DB, f *os.File, err error) {
	for range lockTries {
		if db, f, err = tryBolt(path, o); err != nil {
			return nil, nil, err
		}
		locked, err1 := f.Stat()
		now, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(locked, now) {
			return db, f, nil
		}
		if err := db.Close(); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, fmt.Errorf("%w: %s is replaced again and again", eventstore.ErrLocked, path)
}

// tryBolt opens a bbolt file that is there. The file itself is the one that bbolt has open, and goes with it.
func tryBolt(path string, o Options) (db *bolt.DB, f *os.File, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a file that was cut short faults where it ends
	defer func() { err = recovered(recover(), "", err) }()
	bo := o.bolt()
	bo.OpenFile = func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
		if f, err = o.OpenFile(name, flag&^os.O_CREATE, mode); err != nil || o.ReadOnly {
			return f, err
		}
		info, err := f.Stat()
		if err == nil {
			err = checkSize(f, info.Size())
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	}
	db, err = bolt.Open(path, 0o600, bo)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, nil, fmt.Errorf("%w: %s", eventstore.ErrLocked, path)
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return nil, nil, &eventstore.FormatError{Path: path, Known: formatVersion, Cause: err}
	}
	return db, f, err
}

// create makes the whole file under another name first: a crash on the way leaves no half of a store at the path. Of
// two processes that create at once, both then open the same file.
func create(path string, o Options) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return err
	}
	db, err := bolt.Open(f.Name(), 0o600, &bolt.Options{Timeout: 1, OpenFile: o.OpenFile, PageSize: pageSize})
	if err != nil {
		return err
	}
	err = o.hooks.at(beforeFormat)
	if err == nil {
		err = db.Update(writeFormat)
	}
	if err := errors.Join(err, db.Close(), o.hooks.at(afterFormat), o.hooks.at(beforeName)); err != nil {
		return err
	}
	switch err := os.Link(f.Name(), path); {
	case errors.Is(err, fs.ErrExist):
	case err != nil: // a file system without links
		if err := os.Rename(f.Name(), path); err != nil {
			return err
		}
	}
	return errors.Join(o.hooks.at(afterName), syncDir(dir), o.hooks.at(afterNameSync))
}

// syncDir makes the new name durable; without it a power failure could take the file with all that was acknowledged.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // directories cannot be synced there
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
