package boltstore

import (
	"bytes"
	"errors"
	"fmt"
)

// defaultUnindexed is how many of a stream's last entries may have keys that are not in the index yet. Entries carry
// their keys anyway; looking through a few of them costs less than a page of the index written for each append.
const defaultUnindexed = 16

var errIndexed = errors.New("the head says that more is indexed than there is")

// keyVersion returns the version of the entry that has the key, 0 when none has.
func (b buckets) keyVersion(stream string, id uint64, h head, key string) (version uint64, err error) {
	if key == "" {
		return 0, nil
	}
	if version, err = b.indexed(stream, id, key); version != 0 || err != nil {
		return version, err
	}
	err = b.eachUnindexed(stream, id, h, func(v uint64, k string) {
		if k == key {
			version = v
		}
	})
	return version, err
}

// indexed looks the key up in the index alone.
func (b buckets) indexed(stream string, id uint64, key string) (version uint64, err error) {
	raw := b.inIndex(id, key)
	if raw == nil {
		return 0, nil
	}
	if version, err = decodeNumber(kindKey, stream, key, raw); err != nil {
		return 0, corrupt(stream, 0, fmt.Errorf("index of key %q: %w", key, err))
	}
	return version, nil
}

// inIndex is what the index holds of a key, nil for nothing.
func (b buckets) inIndex(id uint64, key string) []byte {
	if b.keys.exists() {
		if raw := b.keys.Get(indexKey(id, key)); raw != nil {
			return raw
		}
	}
	if b.textKeys.exists() {
		return b.textKeys.Get(textKey(id, key))
	}
	return nil
}

// eachUnindexed calls f with the key of each entry that is not in the index yet, in the order of versions; "" for none.
func (b buckets) eachUnindexed(stream string, id uint64, h head, f func(version uint64, key string)) error {
	if h.indexed >= h.version {
		return nil
	}
	c := b.log.Cursor()
	k, raw := c.Seek(logKey(id, h.indexed+1))
	for version := h.indexed + 1; version <= h.version; version++ {
		if !bytes.Equal(k, logKey(id, version)) {
			return corrupt(stream, version, errMissing)
		}
		p, err := splitEntry(stream, version, raw)
		if err != nil {
			return corrupt(stream, version, err)
		}
		f(version, p.keyText())
		k, raw = c.Next()
	}
	return nil
}
