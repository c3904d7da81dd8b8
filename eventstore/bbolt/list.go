package boltstore

import (
	"context"
	"errors"
	"io"
	"runtime/debug"
	"strings"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// List implements [eventstore.Store].
func (s *Store) List(ctx context.Context, prefix, after string, limit int) (page []eventstore.StreamInfo, err error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	err = s.look("", func(b buckets) error {
		page = nil
		names := b.namesFrom(prefix, after)
		for name, more := names(); more && len(page) < limit; name, more = names() {
			info, err := b.infoSafely(name)
			switch {
			case err == nil:
				page = append(page, info)
			case len(page) > 0:
				return nil
			default:
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// infoSafely is what is known of a stream, or an error that names it, also where its pages are damaged.
func (b buckets) infoSafely(stream string) (info eventstore.StreamInfo, err error) {
	defer func() { err = recovered(recover(), stream, err) }()
	p, err := b.locate(stream)
	if err != nil {
		return info, err
	}
	return b.info(p)
}

// namesFrom gives one after the other, in their order, the names of the streams that begin with a prefix and come after
// a name, wherever they are.
func (b buckets) namesFrom(prefix, after string) func() (name string, more bool) {
	c, late := b.names.Cursor(), b.pending.names(prefix, after)
	k, _ := c.Seek([]byte(max(prefix, after)))
	if k != nil && string(k) == after {
		k, _ = c.Next()
	}
	return func() (string, bool) {
		filed := k != nil && strings.HasPrefix(string(k), prefix)
		switch {
		case len(late) > 0 && (!filed || late[0] <= string(k)):
			name := late[0]
			if late = late[1:]; filed && name == string(k) {
				k, _ = c.Next()
			}
			return name, true
		case filed:
			name := string(k)
			k, _ = c.Next()
			return name, true
		}
		return "", false
	}
}

// Backup implements [eventstore.Store]. What it writes is a file that Open opens.
func (s *Store) Backup(ctx context.Context, w io.Writer) (n int64, err error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err = recovered(recover(), "", err) }()
	tx, err := s.snapshot()
	if err != nil {
		return 0, err
	}
	n, err = tx.WriteTo(untilDone{ctx, w})
	return n, errors.Join(err, tx.Rollback())
}

// snapshot is a read transaction that begins between two commits. One that goes on is no part of it.
func (s *Store) snapshot() (*bolt.Tx, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	tx, err := s.db.Begin(false)
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return nil, eventstore.ErrClosed
	}
	return tx, classify(err)
}

// untilDone is a writer that stops when the context ends.
type untilDone struct {
	ctx context.Context
	w   io.Writer
}

func (u untilDone) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(p)
}
