package boltstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/internal/hub"
	bolt "go.etcd.io/bbolt"
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
		db: db, path: path, o: o, hub: hub.New(), memory: make(map[string]*streamMemory),
		queue: make(chan *request, o.BatchAppends), kick: make(chan struct{}, 1), stopping: make(chan struct{}),
		done: make(chan struct{}),
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
	if o.ReadOnly {
		err = inspect(db, f, false)
	}
	if err == nil {
		err = db.View(func(tx *bolt.Tx) error { return checkFormat(tx, path) })
	}
	if err != nil || o.ReadOnly {
		return db, err
	}
	// A process that died may have written what is here and not synced it. Were a page written before that is durable,
	// it could be one that the last durable state needs.
	err = o.hooks.at(beforeOpenSync)
	if err == nil && !o.NoSync {
		err = makeDurable(db, f, path)
	}
	if err == nil {
		err = o.hooks.at(afterOpenSync)
	}
	if err != nil {
		return db, classify(err)
	}
	return db, upgrade(db, path, o)
}

// shorter reports that a file whose pages are damaged was cut off.
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
