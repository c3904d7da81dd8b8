package boltstore

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// stopped is why nothing is written any more.
type stopped struct{ err error }

// stop ends all writing until the store is opened again. After a failed sync nobody knows which pages are on the
// device: the system may have dropped them and still report success at the next sync. Further writes could then
// overwrite what the last durable state needs. Reads go on; they show what was durable before.
func (s *Store) stop(cause error) {
	err := fmt.Errorf("%w: %w", eventstore.ErrStopped, cause)
	if s.stopped.CompareAndSwap(nil, &stopped{err}) && s.o.ObserveStop != nil {
		s.o.ObserveStop(err)
	}
}

// Stopped returns why the store writes nothing more until it is opened again, as an [eventstore.ErrStopped]. It
// returns nil while the store can be written, or if it was opened only for reading.
func (s *Store) Stopped() error {
	if at := s.stopped.Load(); at != nil && !s.o.ReadOnly {
		return at.err
	}
	return nil
}

// failed handles a transaction that could not be committed: it returns what becomes of it, and may stop the store. If
// the file shows nothing of the transaction, nothing of it can come back, because its last page was not written.
func (s *Store) failed(id int, err error) error {
	seen := s.visible(id)
	room := err
	err = classify(err)
	if !seen && isRoom(room) {
		return err
	}
	s.stop(err)
	if err = s.Stopped(); seen {
		return fmt.Errorf("%w: %w", eventstore.ErrUncertain, err)
	}
	return err
}

// visible reports whether the file shows a transaction whose commit failed.
func (s *Store) visible(id int) bool {
	seen := id
	_ = s.view("", func(tx *bolt.Tx) error { seen = tx.ID(); return nil })
	return seen >= id
}

// isRoom reports whether a commit failed for lack of room before any sync. Then its pages are not needed by anything,
// and may be written again when there is room. If a sync reports the lack of room, pages may be lost.
func isRoom(err error) bool {
	if errors.Is(err, bolterrors.ErrMaxSizeReached) {
		return true
	}
	var path *fs.PathError
	wrote := errors.As(err, &path) && path.Op == "write" || strings.HasPrefix(err.Error(), "file resize error")
	return wrote && (is(err, syscall.ENOSPC) || is(err, syscall.EDQUOT) || is(err, syscall.EFBIG))
}
