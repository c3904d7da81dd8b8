package boltstore

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

// List implements [eventstore.Store].
func (s *Store) List(ctx context.Context, prefix, after string, limit int) (page []eventstore.StreamInfo, err error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	err = s.view("", func(tx *bolt.Tx) error {
		b := bucketsOf(tx)
		c := b.names.Cursor()
		for k, _ := c.Seek([]byte(max(prefix, after))); k != nil && len(page) < limit; k, _ = c.Next() {
			name := string(k)
			if !strings.HasPrefix(name, prefix) {
				return nil
			}
			if name == after {
				continue
			}
			info, err := s.info(b, name)
			switch {
			case err == nil:
				page = append(page, info)
			case errors.Is(err, eventstore.ErrNotFound): // its first append is not durable yet
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

func (s *Store) info(b buckets, stream string) (eventstore.StreamInfo, error) {
	id, h, err := s.locate(b, stream)
	if err != nil {
		return eventstore.StreamInfo{}, err
	}
	return b.info(stream, id, h)
}

// Backup implements [eventstore.Store]. What it writes is a file that Open opens.
func (s *Store) Backup(ctx context.Context, w io.Writer) (n int64, err error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	err = s.view("", func(tx *bolt.Tx) error {
		n, err = tx.WriteTo(untilDone{ctx, w})
		return err
	})
	return n, err
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
