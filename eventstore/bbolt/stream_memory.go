package boltstore

import (
	"fmt"

	"github.com/warledger/warledger/eventstore"
)

// rememberedStreams is how many streams the writer remembers; beyond it begins anew with the next batch.
const rememberedStreams = 4096

// streamMemory is what the writer remembers of a stream, so that an append to it reads nothing but the index of keys.
// It is what the file says, and the writer alone changes the file: a merge that fails empties the memory.
type streamMemory struct {
	id        uint64 // 0 while the file has no such stream
	head      head
	unindexed []string // keys of the entries after head.indexed; see key_lookup.go

	// metaVersion is the version of the metadata in the file, if metaKnown: it is read when it is asked for.
	metaVersion uint64
	metaKnown   bool

	unmerged *unmerged  // what is not merged of it; nil for nothing
	staged   []*request // of the batch that is being written
}

// exists reports whether there is such a stream, merged, waiting to be merged or in the batch.
func (k *streamMemory) exists() bool { return k.id != 0 || k.unmerged != nil || len(k.staged) > 0 }

// last is the version that the next append must build on, and its hash.
func (k *streamMemory) last() (version uint64, hash eventstore.Hash) {
	for i := len(k.staged) - 1; i >= 0; i-- {
		if r := k.staged[i]; len(r.entries) > 0 {
			return r.head.version, r.head.hash
		}
	}
	if k.unmerged != nil && len(k.unmerged.entries) > 0 {
		return k.unmerged.version(), k.unmerged.hash
	}
	return k.head.version, k.head.hash
}

// recall gives what is known of a stream, reading it where it is not.
func (b buckets) recall(stream string) (*streamMemory, error) {
	if k := b.memory[stream]; k != nil {
		return k, nil
	}
	id, h, err := b.find(stream)
	if err != nil {
		return nil, err
	}
	k := &streamMemory{id: id, head: h}
	if b.pending != nil {
		k.unmerged = b.pending.streams[stream] // who writes needs no lock to read
	}
	if id != 0 {
		err = b.eachUnindexed(stream, id, h, func(_ uint64, key string) { k.unindexed = append(k.unindexed, key) })
		if err != nil {
			return nil, err
		}
	}
	if k.unmerged != nil && k.unmerged.broken != nil {
		return nil, k.unmerged.broken
	}
	b.memory[stream] = k
	return k, nil
}

// accepts says why a request cannot be appended; nil if it can.
func (b buckets) accepts(r *request, k *streamMemory) error {
	if err := b.used(r, k); err != nil {
		return err
	}
	version, hash := k.last()
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
func (b buckets) acceptsMeta(r *request, k *streamMemory) error {
	version, err := b.lastMeta(r.stream, k)
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

// lastMeta is the version of the metadata that the next ones replace.
func (b buckets) lastMeta(stream string, k *streamMemory) (version uint64, err error) {
	for i := len(k.staged) - 1; i >= 0; i-- {
		if r := k.staged[i]; r.meta != nil {
			return r.metaVersion, nil
		}
	}
	if k.unmerged != nil && k.unmerged.meta != nil {
		return k.unmerged.metaVersion, nil
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
func (b buckets) used(r *request, k *streamMemory) error {
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
func (b buckets) usedAt(stream string, k *streamMemory, key string) (version uint64, err error) {
	for _, r := range k.staged {
		for i, e := range r.entries {
			if e.key == key {
				return r.expected + uint64(i) + 1, nil
			}
		}
	}
	if k.unmerged != nil {
		if at := k.unmerged.keys[key]; at != 0 {
			return at, nil
		}
	}
	for i, waiting := range k.unindexed {
		if waiting == key {
			return k.head.indexed + uint64(i) + 1, nil
		}
	}
	if k.id == 0 {
		return 0, nil
	}
	return b.indexed(stream, k.id, key)
}

// extend puts the entries of a request into the log of the file, and brings the head and the keys that wait for
// the index up to them.
func (b buckets) extend(r *request, k *streamMemory) error {
	b.log.mustBeSound(logKey(k.id, r.expected+1)) // the others come after it, and before the head
	for i, e := range r.entries {
		if err := b.log.Bucket.Put(logKey(k.id, r.expected+uint64(i)+1), e.value); err != nil {
			return err
		}
		k.unindexed = append(k.unindexed, e.key)
	}
	k.head.version, k.head.hash = r.head.version, r.head.hash
	if err := b.index(r.stream, k); err != nil {
		return err
	}
	return b.log.Put(logKey(k.id, headVersion), encodeHead(r.stream, k.head))
}

// index puts the keys that wait for it into the index when they are too many.
func (b buckets) index(stream string, k *streamMemory) error {
	if len(k.unindexed) <= b.maxUnindexed {
		return nil
	}
	for i, key := range k.unindexed {
		if key == "" {
			continue
		}
		value := encodeNumber(kindKey, stream, key, k.head.indexed+uint64(i)+1)
		if err := b.keys.Put(indexKey(k.id, key), value); err != nil {
			return fmt.Errorf("index: %w", err)
		}
	}
	k.head.indexed, k.unindexed = k.head.version, k.unindexed[:0]
	return nil
}
