package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/warledger/warledger/eventstore"
)

// refuse says why a request was not stored, in the order that the contract wants; nil if nothing stands against it any
// more. All is read in one statement, so that a version and a key are of one moment.
func (s *Store) refuse(ctx context.Context, r *request) error {
	var info eventstore.StreamInfo
	var keys [][]byte
	var at []int64
	err := s.read(ctx, func(ctx context.Context, q querier) error {
		info, keys, at = eventstore.StreamInfo{Name: r.stream}, nil, nil
		var h head
		err := q.QueryRow(ctx, `select s.version, s.hash, s.meta_version,
				array(select e.key from unnest($2::bytea[]) k join wl_entry e on e.stream = s.id and e.key = k
					order by e.version),
				array(select e.version from unnest($2::bytea[]) k join wl_entry e on e.stream = s.id and e.key = k
					order by e.version)
			from wl_stream s where s.name = $1`, r.stream, r.given()).Scan(&h.version, &h.hash, &h.metaVersion,
			&keys, &at)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			info, err = h.info(r.stream)
		}
		return err
	})
	if err == nil {
		err = r.against(info, keys, at)
	}
	if isRefusal(err) {
		s.stats.refused.Add(1)
	}
	return err
}

// given are the keys that the request brings.
func (c *change) given() [][]byte {
	given := [][]byte{}
	for _, key := range c.keys {
		if key != nil {
			given = append(given, key)
		}
	}
	return given
}

// against says what stands against a request: where its stream is, and which of its keys the stream has at which
// versions.
func (r *request) against(info eventstore.StreamInfo, used [][]byte, at []int64) error {
	for _, key := range r.keys { // the first one counts, as the append has them
		for i := range used {
			if key == nil || !bytes.Equal(key, used[i]) {
				continue
			}
			text, err := decodeKey(used[i])
			if err != nil {
				return &eventstore.CorruptError{Stream: r.stream, Version: uint64(at[i]), What: err.Error()}
			}
			return &eventstore.KeyUsedError{Stream: r.stream, Key: text, Version: uint64(at[i])}
		}
	}
	if !r.appends() && info.Version == 0 {
		return fmt.Errorf("%w: %q", eventstore.ErrNotFound, r.stream)
	}
	if r.appends() && info.Version != r.expected {
		return &eventstore.ConflictError{Stream: r.stream, Expected: r.expected, Current: info.Version}
	}
	if r.meta != nil && r.metaExpected != eventstore.AnyMeta && r.metaExpected != info.MetaVersion {
		return &eventstore.MetaConflictError{Stream: r.stream, Expected: r.metaExpected, Current: info.MetaVersion}
	}
	if r.appends() && r.prev != info.Hash {
		return &eventstore.LinkError{Stream: r.stream, Version: r.expected + 1, Prev: r.prev, Want: info.Hash}
	}
	if r.clash {
		return &eventstore.CorruptError{
			Stream: r.stream, Version: r.expected + 1, What: "there is an entry already, and the head does not know it",
		}
	}
	return nil
}

// isRefusal reports whether an error is one of those after which nothing was stored and the store is sound.
func isRefusal(err error) bool {
	var used *eventstore.KeyUsedError
	var conflict *eventstore.ConflictError
	var meta *eventstore.MetaConflictError
	var link *eventstore.LinkError
	return errors.As(err, &used) || errors.As(err, &conflict) || errors.As(err, &meta) || errors.As(err, &link) ||
		errors.Is(err, eventstore.ErrNotFound)
}
