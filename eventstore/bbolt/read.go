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

// place is where a stream is: what is merged of it, and what goes on from that.
type place struct {
	stream   string
	id       uint64   // 0 while the file has no such stream
	filed    head     // what the file has
	unmerged unmerged // what goes on from it
}

// locate finds a stream for a reader.
func (b buckets) locate(stream string) (p place, err error) {
	p.stream = stream
	if p.id, p.filed, err = b.find(stream); err != nil {
		return place{}, err
	}
	found := false
	if p.unmerged, found = b.pending.of(stream); !found && p.id == 0 {
		return place{}, notFound(stream)
	}
	if p.unmerged.broken != nil {
		return place{}, p.unmerged.broken
	}
	return p, nil
}

// version is that of the last entry, wherever it is.
func (p *place) version() uint64 { return max(p.filed.version, p.unmerged.version()) }

// hash is that of the last entry.
func (p *place) hash() eventstore.Hash {
	if p.unmerged.version() > p.filed.version {
		return p.unmerged.hash
	}
	return p.filed.hash
}

// value is that of an entry which the file does not have.
func (p *place) value(version uint64) ([]byte, error) {
	if version <= p.unmerged.base || version > p.unmerged.version() {
		return nil, errMissing
	}
	return p.unmerged.entries[version-p.unmerged.base-1].value, nil
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

// withBuckets runs f in a read transaction, together with what goes on from what that shows. Where a merge came between
// the two, it looks again.
func (s *Store) withBuckets(stream string, f func(b buckets) error) error {
	for {
		p, merged := s.pending.Load(), false
		err := s.view(stream, func(tx *bolt.Tx) error {
			if merged = s.pending.Load() != p; merged {
				return nil
			}
			b := bucketsOf(tx)
			b.pending = p
			return f(b)
		})
		if !merged {
			return err
		}
	}
}

// inStream runs f in a read transaction with the stream found.
func (s *Store) inStream(ctx context.Context, stream string, f func(b buckets, p place) error) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := eventstore.CheckName(stream); err != nil {
		return err
	}
	return s.withBuckets(stream, func(b buckets) error {
		p, err := b.locate(stream)
		if err != nil {
			return err
		}
		return f(b, p)
	})
}

// Head implements [eventstore.Store].
func (s *Store) Head(ctx context.Context, stream string) (info eventstore.StreamInfo, err error) {
	err = s.inStream(ctx, stream, func(b buckets, p place) error {
		info, err = b.info(p)
		return err
	})
	return info, err
}

func (b buckets) info(p place) (eventstore.StreamInfo, error) {
	version, meta, err := b.metaIn(p)
	if err != nil {
		return eventstore.StreamInfo{}, err
	}
	info := eventstore.StreamInfo{Name: p.stream, Version: p.version(), Hash: p.hash(), MetaVersion: version}
	if len(meta) > 0 {
		info.Meta = bytes.Clone(meta)
	}
	return info, nil
}

// metaIn returns the metadata of a stream, as they lie in the file or in what waits, with their version.
func (b buckets) metaIn(p place) (version uint64, meta []byte, err error) {
	raw := p.unmerged.meta
	if raw == nil {
		raw = b.metaOf(p.id)
	}
	if version, meta, err = splitMeta(p.stream, raw); err != nil {
		return 0, nil, corruptMeta(p.stream, err)
	}
	return version, meta, nil
}

func corruptMeta(stream string, err error) error {
	return corrupt(stream, 0, fmt.Errorf("metadata: %w", err))
}

// Lookup implements [eventstore.Store].
func (s *Store) Lookup(ctx context.Context, stream, key string) (version uint64, found bool, err error) {
	if err := eventstore.CheckKey(key); err != nil {
		return 0, false, err
	}
	err = s.inStream(ctx, stream, func(b buckets, p place) error {
		if version = b.pending.keyVersion(stream, key); version == 0 {
			version, err = b.keyVersion(stream, p.id, p.filed, key)
		}
		return err
	})
	switch {
	case errors.Is(err, eventstore.ErrNotFound):
		return 0, false, nil
	case err != nil || version == 0:
		return 0, false, err
	}
	return version, true, nil
}

// Read implements [eventstore.Store].
func (s *Store) Read(
	ctx context.Context, stream string, from uint64, limit, maxBytes int,
) (page []eventstore.Entry, err error) {
	err = s.inStream(ctx, stream, func(b buckets, p place) error {
		page, err = b.entries(p, from, limit, maxBytes)
		return err
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// ReadAt implements [eventstore.Store].
func (s *Store) ReadAt(
	ctx context.Context, stream string, from uint64, limit, maxBytes int,
) (page eventstore.Page, err error) {
	err = s.inStream(ctx, stream, func(b buckets, p place) error {
		page, err = b.pageAt(p, from, limit, maxBytes)
		return err
	})
	if err != nil {
		return eventstore.Page{}, err
	}
	return page, nil
}

// pageAt is a page with the head of the same moment, which is that of the place.
func (b buckets) pageAt(p place, from uint64, limit, maxBytes int) (page eventstore.Page, err error) {
	if page.Head, err = b.info(p); err == nil {
		page.Entries, err = b.entries(p, from, limit, maxBytes)
	}
	return page, err
}

// entries is a page of entries as a caller asks for it.
func (b buckets) entries(p place, from uint64, limit, maxBytes int) ([]eventstore.Entry, error) {
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	if maxBytes <= 0 {
		maxBytes = eventstore.DefaultPageBytes
	}
	from = max(from, 1)
	if from > p.version() {
		return nil, nil
	}
	return b.page(p, from, min(p.version(), from+uint64(limit)-1), maxBytes)
}

// page copies the entries from one version to another, or as many as fit. Entries point into the file until their
// sum is known, and then share one copy. It begins with the entry before the first, whose hash is the first one's Prev.
func (b buckets) page(at place, from, to uint64, maxBytes int) ([]eventstore.Entry, error) {
	var page []eventstore.Entry
	var prev eventstore.Hash
	size, values := 0, b.valuesOf(at, max(from-1, 1))
	for version := max(from-1, 1); version <= to; version++ {
		value, err := values(version)
		if err != nil {
			return nil, corrupt(at.stream, version, err)
		}
		p, err := splitEntry(at.stream, version, value)
		switch {
		case err != nil:
			return nil, corrupt(at.stream, version, err)
		case version >= from && !p.follows(prev):
			return nil, corrupt(at.stream, version, errLink)
		}
		if len(page) > 0 && size+len(p.data) > maxBytes {
			break
		}
		if version >= from {
			size += len(p.data)
			page = append(page, p.entry(version, prev))
		}
		prev = eventstore.Hash(p.hash)
	}
	copied := make([]byte, 0, size)
	for i := range page {
		page[i].Data = copyInto(&copied, page[i].Data)
	}
	return page, nil
}

// valuesOf returns the values of a stream's entries one after the other, from a version on: first those in the file.
func (b buckets) valuesOf(p place, from uint64) func(version uint64) ([]byte, error) {
	var c *cursor
	return func(version uint64) ([]byte, error) {
		if version > p.filed.version {
			return p.value(version)
		}
		var k, v []byte
		if c == nil {
			c = b.log.Cursor()
			k, v = c.Seek(logKey(p.id, from))
		} else {
			k, v = c.Next()
		}
		if !bytes.Equal(k, logKey(p.id, version)) {
			return nil, errMissing
		}
		return v, nil
	}
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
func (s *Store) Wait(ctx context.Context, stream string, after eventstore.Mark) (eventstore.Mark, error) {
	return s.hub.Wait(ctx, stream, after, func() (m eventstore.Mark, err error) {
		err = s.inStream(ctx, stream, func(b buckets, p place) error {
			m.Version = p.version()
			m.Meta, _, err = b.metaIn(p)
			return err
		})
		if errors.Is(err, eventstore.ErrNotFound) {
			return eventstore.Mark{}, nil
		}
		return m, err
	})
}
