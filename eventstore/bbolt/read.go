package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

var (
	errMissing = errors.New("the entry is missing")
	errLink    = errors.New("it does not follow the entry before")
)

// locate is find for readers: held back by the gate, and with an error where there is nothing to see.
func (s *Store) locate(b buckets, stream string) (id uint64, h head, err error) {
	id, h, err = b.find(stream)
	if err != nil {
		return 0, head{}, err
	}
	limit := s.gate.limit(stream, h.version)
	if id == 0 || limit == 0 {
		return 0, head{}, notFound(stream)
	}
	if limit < h.version {
		p, err := b.parts(stream, id, limit)
		if err != nil {
			return 0, head{}, err
		}
		h = head{version: limit, hash: eventstore.Hash(p.hash), indexed: min(limit, h.indexed)}
	}
	return id, h, nil
}

// parts returns those of one entry, which lie in the file.
func (b buckets) parts(stream string, id, version uint64) (parts, error) {
	raw := b.log.Get(logKey(id, version))
	if raw == nil {
		return parts{}, corrupt(stream, version, errMissing)
	}
	p, err := splitEntry(stream, version, raw)
	if err != nil {
		return p, corrupt(stream, version, err)
	}
	return p, nil
}

// inStream runs f in a read transaction with the stream found.
func (s *Store) inStream(ctx context.Context, stream string, f func(b buckets, id uint64, h head) error) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := eventstore.CheckName(stream); err != nil {
		return err
	}
	return s.view(stream, func(tx *bolt.Tx) error {
		b := bucketsOf(tx)
		id, h, err := s.locate(b, stream)
		if err != nil {
			return err
		}
		return f(b, id, h)
	})
}

// Head implements [eventstore.Store].
func (s *Store) Head(ctx context.Context, stream string) (info eventstore.StreamInfo, err error) {
	err = s.inStream(ctx, stream, func(b buckets, id uint64, h head) error {
		info, err = b.info(stream, id, h)
		return err
	})
	return info, err
}

func (b buckets) info(stream string, id uint64, h head) (eventstore.StreamInfo, error) {
	meta, err := decodeMeta(stream, b.metaOf(id))
	if err != nil {
		return eventstore.StreamInfo{}, corrupt(stream, 0, fmt.Errorf("metadata: %w", err))
	}
	return eventstore.StreamInfo{Name: stream, Version: h.version, Hash: h.hash, Meta: meta}, nil
}

// Meta implements [eventstore.Store].
func (s *Store) Meta(ctx context.Context, stream string) ([]byte, error) {
	info, err := s.Head(ctx, stream)
	return info.Meta, err
}

// Lookup implements [eventstore.Store].
func (s *Store) Lookup(ctx context.Context, stream, key string) (version uint64, found bool, err error) {
	if err := eventstore.CheckKey(key); err != nil {
		return 0, false, err
	}
	err = s.inStream(ctx, stream, func(b buckets, id uint64, h head) error {
		version, err = b.keyVersion(stream, id, h, key)
		found = 0 < version && version <= h.version // beyond, it is not durable yet
		return err
	})
	switch {
	case errors.Is(err, eventstore.ErrNotFound):
		return 0, false, nil
	case err != nil || !found:
		return 0, false, err
	}
	return version, true, nil
}

// Read implements [eventstore.Store].
func (s *Store) Read(ctx context.Context, stream string, from uint64, limit, maxBytes int) (page []eventstore.Entry, err error) {
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	if maxBytes <= 0 {
		maxBytes = eventstore.DefaultPageBytes
	}
	from = max(from, 1)
	err = s.inStream(ctx, stream, func(b buckets, id uint64, h head) error {
		if from > h.version {
			return nil
		}
		page, err = b.page(stream, id, from, min(h.version, from+uint64(limit)-1), maxBytes)
		return err
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// page copies the entries from one version to another, or as many as fit. Entries point into the file until their
// sum is known, and then share one copy. It begins with the entry before the first, whose hash is the first one's Prev.
func (b buckets) page(stream string, id, from, to uint64, maxBytes int) ([]eventstore.Entry, error) {
	var page []eventstore.Entry
	var prev eventstore.Hash
	size, c := 0, b.log.Cursor()
	k, v := c.Seek(logKey(id, max(from-1, 1)))
	for version := max(from-1, 1); version <= to; version++ {
		if !bytes.Equal(k, logKey(id, version)) {
			return nil, corrupt(stream, version, errMissing)
		}
		p, err := splitEntry(stream, version, v)
		switch {
		case err != nil:
			return nil, corrupt(stream, version, err)
		case version >= from && !p.follows(prev):
			return nil, corrupt(stream, version, errLink)
		}
		if len(page) > 0 && size+len(p.data) > maxBytes {
			break
		}
		if version >= from {
			size += len(p.data)
			page = append(page, p.entry(version, prev))
		}
		prev = eventstore.Hash(p.hash)
		k, v = c.Next()
	}
	copied := make([]byte, 0, size)
	for i := range page {
		page[i].Data = copyInto(&copied, page[i].Data)
	}
	return page, nil
}

// copyInto appends to the shared copy, and returns the part with no room behind it to grow into the next.
func copyInto(copied *[]byte, data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	start := len(*copied)
	*copied = append(*copied, data...)
	return (*copied)[start:len(*copied):len(*copied)]
}

// Wait implements [eventstore.Store].
func (s *Store) Wait(ctx context.Context, stream string, after uint64) (uint64, error) {
	return s.hub.Wait(ctx, stream, after, func() (uint64, error) {
		var version uint64
		err := s.inStream(ctx, stream, func(_ buckets, _ uint64, h head) error {
			version = h.version
			return nil
		})
		if errors.Is(err, eventstore.ErrNotFound) {
			return 0, nil
		}
		return version, err
	})
}
