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
	bolterrors "go.etcd.io/bbolt/errors"
)

// Open opens the event store in the file, or makes a new one where there is none. It returns after a moment with
// [eventstore.ErrLocked] when another process has it open and keeps it, with an [eventstore.FormatError] when the file is not
// an event store or from a newer program, and with a [JournalError] when its journal is not to be had; nothing is touched then.
func Open(path string, o Options) (*Store, error) {
	o = o.withDefaults()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !o.ReadOnly {
		if there(JournalPath(path)) && !there(path) { // asked in this order: another process may be making both
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
	if err := s.loadJournal(path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if !o.ReadOnly {
		// What a process left that died is made durable before anybody sees it. If that fails, as on a full device, the next append does it, before all else.
		s.settle()
	}
	go s.run()
	return s, nil
}

func (s *Store) settle() {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	_ = s.sure()
}

// newStore is a store that does not run yet and has not read its journal.
func newStore(db *bolt.DB, path string, o Options) *Store {
	s := &Store{
		db: db, path: path, o: o, hub: hub.New(), known: make(map[string]*known),
		queue: make(chan *request, o.BatchAppends), kick: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	s.pending.Store(newPending())
	return s
}

func openBolt(path string, o Options) (db *bolt.DB, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a file that was cut short faults where it ends
	defer func() { err = recovered(recover(), "", err) }()
	db, err = bolt.Open(path, 0o600, o.bolt())
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%w: %s", eventstore.ErrLocked, path)
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return nil, &eventstore.FormatError{Path: path, Known: formatVersion, Cause: err}
	case err != nil:
		return nil, err
	}
	if err := db.View(func(tx *bolt.Tx) error { return checkFormat(tx, path) }); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if old, err := outdated(db); err != nil || old && !o.ReadOnly {
		if err == nil {
			err = classify(upgrade(db))
		}
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
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
