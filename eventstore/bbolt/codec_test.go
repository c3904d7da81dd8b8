package boltstore

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"pgregory.net/rapid"
)

func TestEntryRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		want := eventstore.Entry{
			Version: rapid.Uint64().Draw(r, "version"),
			Key:     rapid.StringN(0, -1, eventstore.MaxKey).Draw(r, "key"),
			Data:    rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(r, "data"),
		}
		copy(want.Prev[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "prev"))
		copy(want.Hash[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "hash"))
		stream := rapid.StringN(1, -1, eventstore.MaxName).Draw(r, "stream")
		value := encodeEntry(stream, want.Version, &want)
		got, err := decodeEntry(stream, want.Version, value)
		if diff := cmp.Diff(want, got, cmp.Comparer(bytes.Equal)); diff != "" || err != nil {
			r.Fatalf("round trip: %v\n%s", err, diff)
		}
		value[rapid.IntRange(0, len(value)-1).Draw(r, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(r, "bit")
		if _, err := decodeEntry(stream, want.Version, value); err == nil {
			r.Fatal("a flipped bit went unnoticed")
		}
	})
}

// TestValuesBelongToTheirPlace decodes a sound value as if it lay elsewhere or were something else.
func TestValuesBelongToTheirPlace(t *testing.T) {
	t.Parallel()
	e := &eventstore.Entry{Data: []byte("data")}
	number := encodeNumber(kindKey, "s", "k", 7)
	for name, err := range map[string]error{
		"other stream":  errOf(decodeEntry("t", 1, encodeEntry("s", 1, e))),
		"other version": errOf(decodeEntry("s", 2, encodeEntry("s", 1, e))),
		"other head":    errOf(decodeHead("t", encodeHead("s", head{version: 1}))),
		"other key":     errOf(decodeNumber(kindKey, "s", "l", number)),
		"other split":   errOf(decodeNumber(kindKey, "sk", "", number)),
		"other kind":    errOf(decodeNumber(kindName, "s", "k", number)),
		"other meta":    errOf(decodeMeta("t", encodeMeta("s", []byte("m")))),
		"meta as head":  errOf(decodeHead("s", encodeMeta("s", make([]byte, 40)))),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func errOf[T any](_ T, err error) error { return err }

// FuzzDecode gives every decoder the bytes as they are, and once more under a right checksum, so that what lies behind the
// checksum is reached too.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{}, "s", "k")
	f.Add(encodeEntry("s", 1, &eventstore.Entry{Key: "k", Data: []byte("data")}), "s", "k")
	f.Add(encodeHead("s", head{version: 3}), "s", "")
	f.Add(encodeNumber(kindKey, "s", "k", 7), "s", "k")
	f.Add(encodeMeta("s", []byte("meta")), "s", "")
	f.Add(logKey(1, headVersion), "s", "")
	f.Fuzz(func(t *testing.T, value []byte, stream, key string) {
		if len(stream) > eventstore.MaxName || len(key) > eventstore.MaxKey {
			return
		}
		decodeAll(t, value, stream, key)
		if len(value) < crcSize {
			return
		}
		for k := kindName; k <= kindMeta; k++ {
			place, of := uint64(0), ""
			switch k {
			case kindEntry:
				place = 1
			case kindHead:
				place = headVersion
			case kindKey:
				of = key
			}
			decodeAll(t, seal(bytes.Clone(value), k, stream, place, of), stream, key)
		}
	})
}

// decodeAll wants that what decodes encodes to the same bytes.
func decodeAll(t *testing.T, value []byte, stream, key string) {
	same := func(what string, err error, again func() []byte) {
		if err == nil && !bytes.Equal(again(), value) {
			t.Errorf("%s %x encodes to %x", what, value, again())
		}
	}
	e, err := decodeEntry(stream, 1, value)
	same("entry", err, func() []byte { return encodeEntry(stream, 1, &e) })
	h, err := decodeHead(stream, value)
	same("head", err, func() []byte { return encodeHead(stream, h) })
	n, err := decodeNumber(kindKey, stream, key, value)
	same("key", err, func() []byte { return encodeNumber(kindKey, stream, key, n) })
	n, err = decodeNumber(kindName, stream, "", value)
	same("name", err, func() []byte { return encodeNumber(kindName, stream, "", n) })
	m, err := decodeMeta(stream, value)
	same("meta", err, func() []byte {
		if value == nil {
			return nil
		}
		return encodeMeta(stream, m)
	})
	id, version, err := parseLogKey(value)
	same("place", err, func() []byte { return logKey(id, version) })
	id, k, err := parseIndexKey(value)
	same("index", err, func() []byte { return indexKey(id, k) })
}

func TestLongestNameAndKeyFit(t *testing.T) {
	t.Parallel()
	name, key := strings.Repeat("n", eventstore.MaxName), strings.Repeat("k", eventstore.MaxKey)
	if n, err := decodeNumber(kindKey, name, key, encodeNumber(kindKey, name, key, 9)); n != 9 || err != nil {
		t.Errorf("round trip = %d, %v", n, err)
	}
}
