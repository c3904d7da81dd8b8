package boltstore

import (
	"errors"
	"fmt"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

var errNoHead = errors.New("the stream's head is missing")

// buckets are those of one transaction.
type buckets struct {
	names, log, keys, meta *bolt.Bucket
	tail                   int // how long a tail may be, for the writer
}

func bucketsOf(tx *bolt.Tx) buckets {
	return buckets{names: tx.Bucket(bucketNames), log: tx.Bucket(bucketLog), keys: tx.Bucket(bucketKeys), meta: tx.Bucket(bucketMeta)}
}

// apply puts each request into the transaction or refuses it. Every check comes before the first write, so a refused
// request leaves no trace. Requests see what those before them in the batch wrote.
// An error is the file's own and ends the batch.
func apply(tx *bolt.Tx, batch []*request, tail int) (*outcome, error) {
	b := bucketsOf(tx)
	b.tail = tail
	// Streams grow at their ends: full pages on the left of a split will not be written again. Keys come in any order.
	b.log.FillPercent = 1
	b.keys.FillPercent = 0.7
	out := &outcome{stored: make([]*request, 0, len(batch)), durable: make(map[string]uint64, len(batch))}
	for _, r := range batch {
		id, h, err := b.check(r)
		if err != nil {
			out.refusals = append(out.refusals, refusal{r, err})
			continue
		}
		if err := b.put(r, id, h); err != nil {
			return nil, err
		}
		out.stored = append(out.stored, r)
		if len(r.entries) == 0 {
			continue
		}
		if _, again := out.durable[r.stream]; !again {
			out.durable[r.stream] = h.version
		}
		out.appends++
		out.entries += len(r.entries)
		out.bytes += r.size
	}
	return out, nil
}

// check returns the stream's id, 0 for a new one, and its head, or why the request is refused.
func (b buckets) check(r *request) (id uint64, h head, err error) {
	id, h, err = b.find(r.stream)
	switch {
	case err != nil:
	case len(r.entries) > 0:
		err = b.accepts(r, id, h)
	case id == 0:
		err = notFound(r.stream)
	}
	return id, h, err
}

// find returns the id of the stream and its head, or 0 when there is no such stream.
func (b buckets) find(stream string) (id uint64, h head, err error) {
	raw := b.names.Get([]byte(stream))
	if raw == nil {
		return 0, head{}, nil
	}
	if id, err = decodeNumber(kindName, stream, "", raw); err != nil {
		return 0, head{}, corrupt(stream, 0, fmt.Errorf("id: %w", err))
	}
	raw = b.log.Get(logKey(id, headVersion))
	if raw == nil {
		return 0, head{}, corrupt(stream, 0, errNoHead)
	}
	if h, err = decodeHead(stream, raw); err != nil {
		return 0, head{}, corrupt(stream, 0, fmt.Errorf("head: %w", err))
	}
	return id, h, nil
}

func (b buckets) accepts(r *request, id uint64, h head) error {
	if id != 0 {
		if err := b.used(r, id, h); err != nil {
			return err
		}
	}
	if r.expected != h.version {
		return &eventstore.ConflictError{Stream: r.stream, Expected: r.expected, Current: h.version}
	}
	if r.prev != h.hash {
		return &eventstore.LinkError{Stream: r.stream, Version: r.expected + 1, Prev: r.prev, Want: h.hash}
	}
	return nil
}

// put writes a request that was accepted. bbolt keeps the values until the commit; they are the request's own.
func (b buckets) put(r *request, id uint64, h head) error {
	if id == 0 {
		var err error
		if id, err = b.names.NextSequence(); err != nil {
			return err
		}
		if err := b.names.Put([]byte(r.stream), encodeNumber(kindName, r.stream, "", id)); err != nil {
			return err
		}
	}
	if r.meta != nil {
		if err := b.meta.Put(indexKey(id, ""), r.meta); err != nil {
			return err
		}
	}
	if len(r.entries) == 0 {
		return nil
	}
	for i, e := range r.entries {
		if err := b.log.Put(logKey(id, r.expected+uint64(i)+1), e.value); err != nil {
			return err
		}
	}
	h, err := b.index(r.stream, id, head{version: r.head.version, hash: r.head.hash, indexed: h.indexed})
	if err != nil {
		return err
	}
	return b.log.Put(logKey(id, headVersion), encodeHead(r.stream, h))
}

func notFound(stream string) error {
	return fmt.Errorf("%w: %q", eventstore.ErrNotFound, stream)
}
