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

// stop ends all writing until the store is opened anew. After a sync that failed nobody knows which pages are on the
// device: the system may have dropped them and say at the next sync that all is well. What the last durable state
// needs could be written over then. Reads go on; they show what was durable before.
func (s *Store) stop(cause error) {
	err := fmt.Errorf("%w: %w", eventstore.ErrStopped, cause)
	if s.stopped.CompareAndSwap(nil, &stopped{err}) && s.o.ObserveStop != nil {
		s.o.ObserveStop(err)
	}
}

// Stopped returns why nothing is written any more until the store is opened anew, an [eventstore.ErrStopped]; nil
// while the store can be written, or was opened to be read.
func (s *Store) Stopped() error {
	if at := s.stopped.Load(); at != nil && !s.o.ReadOnly {
		return at.err
	}
	return nil
}

// failed is after a transaction that could not be committed: it says what becomes of it and of the store. Where the
// file shows nothing of it nothing of it can come back, since its last page was not written.
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

// visible reports whether a transaction whose commit failed can be seen.
func (s *Store) visible(id int) bool {
	seen := id
	_ = s.view("", func(tx *bolt.Tx) error { seen = tx.ID(); return nil })
	return seen >= id
}

// isRoom reports whether a commit failed for want of room before any sync: what it wrote lies on pages that nothing
// needs, and may be written again when there is room. Where a sync says that there is no room, pages may be lost.
func isRoom(err error) bool {
	if errors.Is(err, bolterrors.ErrMaxSizeReached) {
		return true
	}
	var path *fs.PathError
	wrote := errors.As(err, &path) && path.Op == "write" || strings.HasPrefix(err.Error(), "file resize error")
	return wrote && (is(err, syscall.ENOSPC) || is(err, syscall.EDQUOT) || is(err, syscall.EFBIG))
}
