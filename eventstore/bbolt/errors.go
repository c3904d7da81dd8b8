package boltstore

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// classify wraps an error of the file in the kind that callers can act on.
func classify(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return eventstore.ErrClosed
	case errors.Is(err, bolterrors.ErrDatabaseReadOnly), is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", eventstore.ErrReadOnly, err)
	case errors.Is(err, bolterrors.ErrMaxSizeReached), is(err, syscall.ENOSPC), is(err, syscall.EFBIG),
		is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: %w", eventstore.ErrFull, err)
	default:
		return fmt.Errorf("%w: %w", eventstore.ErrIO, err)
	}
}

// is also looks at the text, since bbolt passes some system errors on as text only.
func is(err error, number syscall.Errno) bool {
	return errors.Is(err, number) || strings.Contains(err.Error(), number.Error())
}

// recovered turns a panic of bbolt on a damaged page into an error. A caller passes recover() itself.
func recovered(p any, stream string, err error) error {
	if p == nil {
		return err
	}
	said := fmt.Sprint(p)
	if _, fault := p.(interface{ Addr() uintptr }); fault {
		said = "one that is needed lies beyond the end of the file, or the device does not give it"
	}
	return &eventstore.CorruptError{Stream: stream, What: "the file's pages are damaged: " + said}
}

// view runs a short read transaction. Damage to the pages themselves comes back as an error. So does a page that
// cannot be read from the device, which the memory map answers with a fault.
func (s *Store) view(stream string, f func(*bolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err = recovered(recover(), stream, err) }()
	err = s.db.View(f)
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return eventstore.ErrClosed
	}
	return err
}

func corrupt(stream string, version uint64, what error) error {
	return &eventstore.CorruptError{Stream: stream, Version: version, What: what.Error()}
}
