package postgres

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/warledger/warledger/eventstore"
)

// prevSize is how much of the hash before an entry is repeated with it, so that a check finds an entry that follows
// another one.
const prevSize = 4

// packed stands before the 16 bytes of a key that is a UUID, which as text has 36. No text begins with it.
const packed = 0xff

// encodeKey returns a key as it is stored; nil for none. A UUID is packed if it is spelt as usual, so that what is
// unpacked is what was given.
func encodeKey(key string) []byte {
	if key == "" {
		return nil
	}
	if id, ok := asUUID(key); ok {
		return append([]byte{packed}, id[:]...)
	}
	return []byte(key)
}

func asUUID(key string) (id uuid.UUID, ok bool) {
	id, err := uuid.Parse(key)
	return id, err == nil && id.String() == key
}

// decodeKey returns the key that was stored; "" for nil.
func decodeKey(b []byte) (string, error) {
	switch {
	case b == nil:
		return "", nil
	case len(b) > 0 && b[0] == packed:
		id, err := uuid.FromBytes(b[1:])
		if err != nil {
			return "", fmt.Errorf("key %x: %w", b, err)
		}
		return id.String(), nil
	}
	key := string(b)
	if _, ok := asUUID(key); ok || key == "" || eventstore.CheckKey(key) != nil {
		return "", fmt.Errorf("key %q is not one that the store writes", key)
	}
	return key, nil
}

// row is an entry as the database has it.
type row struct {
	version          int64
	key, prev4, hash []byte
	data             []byte
}

// entry decodes a row that follows a version with a hash.
func (r row) entry(stream string, before int64, prev eventstore.Hash) (e eventstore.Entry, err error) {
	bad := func(format string, args ...any) (eventstore.Entry, error) {
		return e,
			&eventstore.CorruptError{Stream: stream, Version: uint64(before) + 1, What: fmt.Sprintf(format, args...)}
	}
	if r.version != before+1 {
		return bad("version %d follows %d", r.version, before)
	}
	if len(r.hash) != len(e.Hash) {
		return bad("its hash has %d bytes", len(r.hash))
	}
	if !bytes.Equal(r.prev4, prev[:prevSize]) {
		return bad("it follows a hash that begins with %x, and the hash before it begins with %x",
			r.prev4, prev[:prevSize])
	}
	key, err := decodeKey(r.key)
	if err != nil {
		return bad("%v", err)
	}
	e = eventstore.Entry{Version: uint64(r.version), Key: key, Prev: prev, Hash: eventstore.Hash(r.hash)}
	if len(r.data) > 0 {
		e.Data = r.data
	}
	return e, nil
}

// head is what the database has of a stream besides its entries.
type head struct {
	version, metaVersion int64
	hash, meta           []byte
}

// info decodes a head.
func (h head) info(stream string) (eventstore.StreamInfo, error) {
	info := eventstore.StreamInfo{Name: stream, Version: uint64(h.version), MetaVersion: uint64(h.metaVersion)}
	var fault error
	switch {
	case h.version < 1:
		fault = fmt.Errorf("its head says version %d", h.version)
	case len(h.hash) != len(info.Hash):
		fault = fmt.Errorf("the hash in its head has %d bytes", len(h.hash))
	case h.metaVersion < 0:
		fault = fmt.Errorf("its metadata have the version %d", h.metaVersion)
	case h.metaVersion == 0 && len(h.meta) > 0:
		fault = errors.New("it has metadata that were never set")
	case len(h.meta) > eventstore.MaxMeta:
		fault = fmt.Errorf("its metadata have %d bytes", len(h.meta))
	}
	if fault != nil {
		return eventstore.StreamInfo{Name: stream}, &eventstore.CorruptError{Stream: stream, What: fault.Error()}
	}
	info.Hash = eventstore.Hash(h.hash)
	if len(h.meta) > 0 {
		info.Meta = h.meta
	}
	return info, nil
}
