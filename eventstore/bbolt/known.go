package boltstore

import (
	"fmt"

	"github.com/warledger/warledger/eventstore"
)

// knownStreams is how many streams the writer remembers; beyond it begins anew with the next batch.
const knownStreams = 4096

// known is what the writer remembers of a stream, so that an append to it reads nothing but the index of keys. It is
// what the file says, and the writer alone changes the file: a merge that fails empties the memory.
type known struct {
	id   uint64 // 0 while the file has no such stream
	head head
	tail []string // keys of the entries after head.indexed; see tail.go

	// metaVersion is the version of the metadata in the file, if metaKnown: it is read when it is asked for.
	metaVersion uint64
	metaKnown   bool

	late   *late      // what is not merged of it; nil for nothing
	staged []*request // of the batch that is being written
}

// exists reports whether there is such a stream, merged, waiting to be merged or in the batch.
func (k *known) exists() bool { return k.id != 0 || k.late != nil || len(k.staged) > 0 }

// tip is the version that the next append must build on, and its hash.
func (k *known) tip() (version uint64, hash eventstore.Hash) {
	for i := len(k.staged) - 1; i >= 0; i-- {
		if r := k.staged[i]; len(r.entries) > 0 {
			return r.head.version, r.head.hash
		}
	}
	if k.late != nil && len(k.late.entries) > 0 {
		return k.late.version(), k.late.hash
	}
	return k.head.version, k.head.hash
}

// recall gives what is known of a stream, reading it where it is not.
func (b buckets) recall(stream string) (*known, error) {
	if k := b.known[stream]; k != nil {
		return k, nil
	}
	id, h, err := b.find(stream)
	if err != nil {
		return nil, err
	}
	k := &known{id: id, head: h}
	if b.pending != nil {
		k.late = b.pending.streams[stream] // who writes needs no lock to read
	}
	if id != 0 {
		err = b.eachInTail(stream, id, h, func(_ uint64, key string) { k.tail = append(k.tail, key) })
		if err != nil {
			return nil, err
		}
	}
	if k.late != nil && k.late.broken != nil {
		return nil, k.late.broken
	}
	b.known[stream] = k
	return k, nil
}

// accepts says why a request cannot be appended; nil if it can.
func (b buckets) accepts(r *request, k *known) error {
	if err := b.used(r, k); err != nil {
		return err
	}
	version, hash := k.tip()
	if r.expected != version {
		return &eventstore.ConflictError{Stream: r.stream, Expected: r.expected, Current: version}
	}
	if r.meta != nil {
		if err := b.acceptsMeta(r, k); err != nil {
			return err
		}
	}
	if r.prev != hash {
		return &eventstore.LinkError{Stream: r.stream, Version: r.expected + 1, Prev: r.prev, Want: hash}
	}
	return nil
}

// acceptsMeta says why the metadata of a request cannot replace those that are there; nil if they can.
func (b buckets) acceptsMeta(r *request, k *known) error {
	version, err := b.metaTip(r.stream, k)
	switch {
	case err != nil:
		return err
	case r.metaExpected == eventstore.AnyMeta:
		return r.numberMeta(version + 1)
	case r.metaExpected != version:
		return &eventstore.MetaConflictError{Stream: r.stream, Expected: r.metaExpected, Current: version}
	}
	return nil
}

// metaTip is the version of the metadata that the next ones replace.
func (b buckets) metaTip(stream string, k *known) (version uint64, err error) {
	for i := len(k.staged) - 1; i >= 0; i-- {
		if r := k.staged[i]; r.meta != nil {
			return r.metaVersion, nil
		}
	}
	if k.late != nil && k.late.meta != nil {
		return k.late.metaVersion, nil
	}
	if !k.metaKnown && k.id != 0 {
		if k.metaVersion, _, err = splitMeta(stream, b.metaOf(k.id)); err != nil {
			return 0, corruptMeta(stream, err)
		}
	}
	k.metaKnown = true
	return k.metaVersion, nil
}

// used refuses a request for the first of its keys that the stream has.
func (b buckets) used(r *request, k *known) error {
	if !k.exists() {
		return nil
	}
	for _, e := range r.entries {
		if e.key == "" {
			continue
		}
		at, err := b.usedAt(r.stream, k, e.key)
		if err != nil {
			return err
		}
		if at != 0 {
			return &eventstore.KeyUsedError{Stream: r.stream, Key: e.key, Version: at}
		}
	}
	return nil
}

// usedAt is the version of the entry that has the key, in the batch, waiting to be merged or merged; 0 if none has.
func (b buckets) usedAt(stream string, k *known, key string) (version uint64, err error) {
	for _, r := range k.staged {
		for i, e := range r.entries {
			if e.key == key {
				return r.expected + uint64(i) + 1, nil
			}
		}
	}
	if k.late != nil {
		if at := k.late.keys[key]; at != 0 {
			return at, nil
		}
	}
	for i, tail := range k.tail {
		if tail == key {
			return k.head.indexed + uint64(i) + 1, nil
		}
	}
	if k.id == 0 {
		return 0, nil
	}
	return b.indexed(stream, k.id, key)
}

// extend puts the entries of a request into the log of the file, and brings head and tail up to them.
func (b buckets) extend(r *request, k *known) error {
	b.log.mustBeSound(logKey(k.id, r.expected+1)) // the others come after it, and before the head
	for i, e := range r.entries {
		if err := b.log.Bucket.Put(logKey(k.id, r.expected+uint64(i)+1), e.value); err != nil {
			return err
		}
		k.tail = append(k.tail, e.key)
	}
	k.head.version, k.head.hash = r.head.version, r.head.hash
	if err := b.index(r.stream, k); err != nil {
		return err
	}
	return b.log.Put(logKey(k.id, headVersion), encodeHead(r.stream, k.head))
}

// index puts the keys of the tail into the index when the tail has grown too long.
func (b buckets) index(stream string, k *known) error {
	if len(k.tail) <= b.tail {
		return nil
	}
	for i, key := range k.tail {
		if key == "" {
			continue
		}
		value := encodeNumber(kindKey, stream, key, k.head.indexed+uint64(i)+1)
		if err := b.keys.Put(indexKey(k.id, key), value); err != nil {
			return fmt.Errorf("index: %w", err)
		}
	}
	k.head.indexed, k.tail = k.head.version, k.tail[:0]
	return nil
}
