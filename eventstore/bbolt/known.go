package boltstore

import (
	"fmt"

	"github.com/warledger/warledger/eventstore"
)

// knownStreams is how many streams the writer remembers; beyond it begins anew.
const knownStreams = 4096

// known is what the writer remembers of a stream, so that an append to it reads nothing but the index of keys. It is what the
// file says, and the writer alone changes the file: a commit that fails empties the memory.
type known struct {
	id   uint64 // 0 while there is no such stream
	head head
	tail []string // keys of the entries after head.indexed; see tail.go
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
	if id == 0 {
		return k, nil
	}
	k.tail = make([]string, h.version-h.indexed)
	err = b.eachInTail(stream, id, h, func(version uint64, key string) { k.tail[version-h.indexed-1] = key })
	if err != nil {
		return nil, err
	}
	b.keep(stream, k)
	return k, nil
}

func (b buckets) keep(stream string, k *known) {
	if len(b.known) >= knownStreams {
		clear(b.known)
	}
	b.known[stream] = k
}

// accepts says why a request cannot be appended; nil if it can.
func (b buckets) accepts(r *request, k *known) error {
	if err := b.used(r, k); err != nil {
		return err
	}
	if r.expected != k.head.version {
		return &eventstore.ConflictError{Stream: r.stream, Expected: r.expected, Current: k.head.version}
	}
	if r.prev != k.head.hash {
		return &eventstore.LinkError{Stream: r.stream, Version: r.expected + 1, Prev: r.prev, Want: k.head.hash}
	}
	return nil
}

// used refuses a request for the first of its keys that the stream has.
func (b buckets) used(r *request, k *known) error {
	if k.id == 0 {
		return nil
	}
	for _, e := range r.entries {
		if e.key == "" {
			continue
		}
		at, err := b.indexed(r.stream, k.id, e.key)
		if err != nil {
			return err
		}
		for i, key := range k.tail {
			if key == e.key {
				at = k.head.indexed + uint64(i) + 1
			}
		}
		if at != 0 {
			return &eventstore.KeyUsedError{Stream: r.stream, Key: e.key, Version: at}
		}
	}
	return nil
}

// extend puts the entries of a request into the log, and brings head and tail up to them.
func (b buckets) extend(r *request, k *known) error {
	for i, e := range r.entries {
		if err := b.log.Put(logKey(k.id, r.expected+uint64(i)+1), e.value); err != nil {
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
