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
	err = s.withBuckets("", func(b buckets) error {
		page, err = b.list(prefix, after, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

func (b buckets) list(prefix, after string, limit int) (page []eventstore.StreamInfo, err error) {
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	names := b.namesFrom(prefix, after)
	for name, more := names(); more && len(page) < limit; name, more = names() {
		info, err := b.infoSafely(name)
		switch {
		case err == nil:
			page = append(page, info)
		case len(page) > 0:
			return page, nil
		default:
			return nil, err
		}
	}
	return page, nil
}

// Count implements [eventstore.Store].
func (s *Store) Count(ctx context.Context, prefix string) (n uint64, err error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	err = s.withBuckets("", func(b buckets) error {
		n = 0
		names := b.namesFrom(prefix, "")
		for _, more := names(); more; _, more = names() {
			if n++; n%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
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
	c, unmerged := b.names.Cursor(), b.pending.names(prefix, after)
	k, _ := c.Seek([]byte(max(prefix, after)))
	if k != nil && string(k) == after {
		k, _ = c.Next()
	}
	return func() (string, bool) {
		filed := k != nil && strings.HasPrefix(string(k), prefix)
		switch {
		case len(unmerged) > 0 && (!filed || unmerged[0] <= string(k)):
			name := unmerged[0]
			if unmerged = unmerged[1:]; filed && name == string(k) {
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
	tx, err := s.between(func() {})
	if err != nil {
		return 0, err
	}
	n, err = tx.WriteTo(untilDone{ctx, w})
	return n, errors.Join(err, tx.Rollback())
}

// between begins a read transaction between two commits, and calls then before the next of them. A commit that goes on
// is no part of it.
func (s *Store) between(then func()) (*bolt.Tx, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	then()
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
