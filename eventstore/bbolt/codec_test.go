package boltstore

import (
	"bytes"
	"encoding/binary"
	"math"
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
			Key: rapid.OneOf(rapid.StringN(0, -1, eventstore.MaxKey), rapid.StringMatching(uuidPattern)).
				Draw(r, "key"),
			Data: rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(r, "data"),
		}
		copy(want.Prev[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "prev"))
		copy(want.Hash[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "hash"))
		stream := rapid.StringN(1, -1, eventstore.MaxName).Draw(r, "stream")
		encode := rapid.SampledFrom([]func(string, uint64, *eventstore.Entry) []byte{encodeEntry, encodeLongEntry}).
			Draw(r, "layout")
		value := encode(stream, want.Version, &want)
		p, err := splitEntry(stream, want.Version, value)
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(want, p.entry(want.Version, want.Prev), cmp.Comparer(bytes.Equal)); diff != "" ||
			!p.follows(want.Prev) {
			r.Fatalf("round trip:\n%s", diff)
		}
		other := want.Prev
		other[rapid.IntRange(0, linkSize-1).Draw(r, "in the link")] ^= 1
		if p.follows(other) {
			r.Fatal("the entry follows any other")
		}
		value[rapid.IntRange(0, len(value)-1).Draw(r, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(r, "bit")
		if _, err := splitEntry(stream, want.Version, value); err == nil {
			r.Fatal("a flipped bit went unnoticed")
		}
	})
}

const uuidPattern = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

// encodeLongEntry lays an entry out as formats 1 and 2 did.
func encodeLongEntry(stream string, version uint64, e *eventstore.Entry) []byte {
	v := append(make([]byte, crcSize), e.Prev[:]...)
	v = append(append(v, e.Hash[:]...), byte(len(e.Key)))
	return seal(append(append(v, e.Key...), e.Data...), kindLongEntry, stream, version, "")
}

// TestKeysArePacked wants UUIDs in few bytes, each key at a place of its own, and every key back as it was given.
func TestKeysArePacked(t *testing.T) {
	t.Parallel()
	const id = "0b8f5c1e-7d6a-4f0e-9a52-00000000abcd"
	places := map[string]string{}
	for _, key := range []string{
		id, strings.ToUpper(id), id[:35], id + "0", strings.ReplaceAll(id, "-", "x"), strings.Replace(id, "-", "0", 1),
		"g" + id[1:], id[:8] + id[9:] + "-",
		"\x0b\x8f\x5c", "k", "", strings.Repeat("0", 36), "00000000-0000-0000-0000-000000000000", strings.Repeat("k",
			eventstore.MaxKey),
	} {
		place := indexKey(7, key)
		if other, taken := places[string(place)]; taken {
			t.Errorf("%q and %q have one place", key, other)
		}
		places[string(place)] = key
		if n, back, err := parseIndexKey(place); n != 7 || back != key || err != nil {
			t.Errorf("%q comes back as %q of %d, %v", key, back, n, err)
		}
		p, err := splitEntry("s", 1, encodeEntry("s", 1, &eventstore.Entry{Key: key}))
		if got := p.keyText(); got != key || err != nil {
			t.Errorf("%q comes back as %q, %v", key, got, err)
		}
	}
	if got := len(indexKey(7, id)); got != 8+1+16 {
		t.Errorf("the place of a UUID takes %d bytes", got)
	}
	if got, was := len(encodeEntry("s", 1, &eventstore.Entry{Key: id})),
		len(encodeLongEntry("s", 1, &eventstore.Entry{Key: id})); was-got != 20+28 {
		t.Errorf("an entry takes %d bytes, before %d", got, was)
	}
}

// TestValuesBelongToTheirPlace decodes a sound value as if it lay elsewhere or were something else.
func TestValuesBelongToTheirPlace(t *testing.T) {
	t.Parallel()
	e := &eventstore.Entry{Data: []byte("data")}
	number := encodeNumber(kindKey, "s", "k", 7)
	for name, err := range map[string]error{
		"other stream":  errOf(splitEntry("t", 1, encodeEntry("s", 1, e))),
		"other version": errOf(splitEntry("s", 2, encodeEntry("s", 1, e))),
		"other head":    errOf(decodeHead("t", encodeHead("s", head{version: 1}))),
		"other key":     errOf(decodeNumber(kindKey, "s", "l", number)),
		"other split":   errOf(decodeNumber(kindKey, "sk", "", number)),
		"other kind":    errOf(decodeNumber(kindName, "s", "k", number)),
		"other meta":    metaErr("t", encodeMeta("s", 1, []byte("m"))),
		"other old":     metaErr("t", encodeOldMeta("s", []byte("m"))),
		"meta as head":  errOf(decodeHead("s", encodeMeta("s", 1, make([]byte, 40)))),
		"old as meta":   errOf(unseal(encodeOldMeta("s", []byte("\x01m")), kindMeta, "s", 0, "")),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func errOf[T any](_ T, err error) error { return err }

func metaErr(stream string, value []byte) error {
	_, _, err := splitMeta(stream, value)
	return err
}

// encodeOldMeta encodes metadata as formats before 6 did.
func encodeOldMeta(stream string, meta []byte) []byte {
	return seal(append(make([]byte, crcSize), meta...), kindOldMeta, stream, 0, "")
}

// TestMetaRoundTrip tries metadata versions around each change of their length, and metadata of older formats.
func TestMetaRoundTrip(t *testing.T) {
	t.Parallel()
	for _, meta := range []string{"", "\x00", "\x01m", "meta"} {
		for shift := range 64 {
			for _, want := range []uint64{1 << shift, 1<<shift + 1, math.MaxUint64 >> shift} {
				version, got, err := splitMeta("s", encodeMeta("s", want, []byte(meta)))
				if version != want || string(got) != meta || err != nil {
					t.Errorf("%q of version %d comes back as %q of version %d, %v", meta, want, got, version, err)
				}
			}
		}
		if version, got, err := splitMeta("s", encodeOldMeta("s", []byte(meta))); version != 1 || string(got) != meta ||
			err != nil {
			t.Errorf("old %q comes back as %q of version %d, %v", meta, got, version, err)
		}
	}
	for _, body := range []string{"", "\x00m", "\x80", "\x80\x00m", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"} {
		value := seal(append(make([]byte, crcSize), body...), kindMeta, "s", 0, "")
		if version, _, err := splitMeta("s", value); err == nil {
			t.Errorf("%q is version %d", body, version)
		}
	}
}

// FuzzDecode gives every decoder the bytes as they are, and once more under a right checksum, so that what lies behind
// the checksum is reached too.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{}, "s", "k")
	f.Add(encodeEntry("s", 1, &eventstore.Entry{Key: "k", Data: []byte("data")}), "s", "k")
	f.Add(encodeEntry("s", 1, &eventstore.Entry{Key: "0b8f5c1e-7d6a-4f0e-9a52-00000000abcd"}), "s", "k")
	f.Add(encodeLongEntry("s", 1, &eventstore.Entry{Key: "k", Data: []byte("data")}), "s", "k")
	f.Add(indexKey(7, "0b8f5c1e-7d6a-4f0e-9a52-00000000abcd"), "s", "k")
	f.Add(encodeHead("s", head{version: 3}), "s", "")
	f.Add(encodeNumber(kindKey, "s", "k", 7), "s", "k")
	f.Add(encodeMeta("s", 300, []byte("meta")), "s", "")
	f.Add(encodeOldMeta("s", []byte("meta")), "s", "")
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
			case kindEntry, kindLongEntry:
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
	same := func(what string, err error, repeated func() []byte) {
		if err == nil && !bytes.Equal(repeated(), value) {
			t.Errorf("%s %x encodes to %x", what, value, repeated())
		}
	}
	p, err := splitEntry(stream, 1, value)
	same("entry", err, func() []byte {
		var prev eventstore.Hash
		copy(prev[:], p.link)
		e := p.entry(1, prev)
		if len(p.link) == hashSize {
			return encodeLongEntry(stream, 1, &e)
		}
		return encodeEntry(stream, 1, &e)
	})
	h, err := decodeHead(stream, value)
	same("head", err, func() []byte { return encodeHead(stream, h) })
	n, err := decodeNumber(kindKey, stream, key, value)
	same("key", err, func() []byte { return encodeNumberAs(kindKey, stream, key, n, len(value)) })
	n, err = decodeNumber(kindName, stream, "", value)
	same("name", err, func() []byte { return encodeNumberAs(kindName, stream, "", n, len(value)) })
	metaVersion, m, err := splitMeta(stream, value)
	same("meta", err, func() []byte {
		if value == nil {
			return nil
		}
		if old := encodeOldMeta(stream, m); metaVersion == 1 && len(old) == len(value) {
			return old
		}
		return encodeMeta(stream, metaVersion, m)
	})
	id, version, err := parseLogKey(value)
	same("place", err, func() []byte { return logKey(id, version) })
	id, k, err := parseIndexKey(value)
	same("index", err, func() []byte { return indexKey(id, k) })
}

// encodeNumberAs encodes a number as formats 1 and 2 did if it is so long.
func encodeNumberAs(k kind, stream, key string, n uint64, size int) []byte {
	if size == crcSize+numberSize {
		return seal(binary.BigEndian.AppendUint64(make([]byte, crcSize), n), k, stream, 0, key)
	}
	return encodeNumber(k, stream, key, n)
}

// TestNumbersRoundTrip tries numbers around each change of their length, as they are written now and as they were.
func TestNumbersRoundTrip(t *testing.T) {
	t.Parallel()
	for shift := range 64 {
		for _, n := range []uint64{1<<shift - 1, 1 << shift, 1<<shift + 1, math.MaxUint64} {
			for _, value := range [][]byte{encodeNumber(kindKey, "s", "k", n),
				encodeNumberAs(kindKey, "s", "k", n, crcSize+numberSize)} {
				if got, err := decodeNumber(kindKey, "s", "k", value); got != n || err != nil {
					t.Errorf("%d in %x: %d, %v", n, value, got, err)
				}
			}
		}
	}
	if got := len(encodeNumber(kindKey, "s", "k", 300)); got != crcSize+2 {
		t.Errorf("300 takes %d bytes", got)
	}
}

func TestLongestNameAndKeyFit(t *testing.T) {
	t.Parallel()
	name, key := strings.Repeat("n", eventstore.MaxName), strings.Repeat("k", eventstore.MaxKey)
	if n, err := decodeNumber(kindKey, name, key, encodeNumber(kindKey, name, key, 9)); n != 9 || err != nil {
		t.Errorf("round trip = %d, %v", n, err)
	}
}
