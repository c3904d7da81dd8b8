package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/bits"
	"strings"

	"github.com/warledger/warledger/eventstore"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var (
	errShort    = errors.New("stored value is too short")
	errChecksum = errors.New("stored value does not match its checksum")
	errLength   = errors.New("stored value has a length that it cannot have")
)

// kind is the first byte under each checksum, so that no value passes for one of another kind.
type kind byte

const (
	kindName      kind = iota + 1
	kindLongEntry      // of formats 1 and 2, in which files that are older than format 3 have most of their entries
	kindHead
	kindKey
	kindOldMeta // of formats before 6, without a version
	kindEntry
	kindRecent
	kindState
	kindMeta
)

const (
	crcSize  = 4
	hashSize = 32
	// headVersion and metaVersion are the versions in the log under which a stream's head and metadata are kept, so
	// that they lie beside the last entry: an append writes one page of the log. bbolt leaves three records at least to
	// the right of where it splits a page, so that with the two of them no more than one entry goes there that would
	// have found room on the left.
	headVersion = math.MaxUint64
	metaVersion = math.MaxUint64 - 1
)

// checksum covers the kind, the stream and the place of a record besides its bytes: a CRC-32C of the bytes that begins
// with an FNV-1a of the rest. A CRC keeps apart what it began with, and this way nothing is put together in memory
// first.
func checksum(k kind, stream string, place uint64, key string, body []byte) uint32 {
	const offset, prime = 2166136261, 16777619
	h := (uint32(offset) ^ uint32(k)) * prime
	for i := range len(stream) {
		h = (h ^ uint32(stream[i])) * prime
	}
	h *= prime // a zero byte, which no name holds
	for shift := 0; shift < 64; shift += 8 {
		h = (h ^ uint32(place>>shift&0xff)) * prime
	}
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * prime
	}
	return crc32.Update(h, castagnoli, body)
}

// seal writes the checksum of what follows it into the first bytes of the value.
func seal(value []byte, k kind, stream string, place uint64, key string) []byte {
	binary.BigEndian.PutUint32(value, checksum(k, stream, place, key, value[crcSize:]))
	return value
}

// unseal returns what follows the checksum.
func unseal(value []byte, k kind, stream string, place uint64, key string) ([]byte, error) {
	if len(value) < crcSize {
		return nil, errShort
	}
	body := value[crcSize:]
	if binary.BigEndian.Uint32(value) != checksum(k, stream, place, key, body) {
		return nil, errChecksum
	}
	return body, nil
}

// linkSize is how much of the hash of the entry before an entry repeats: enough to tell that it follows another one.
// The rest is read from there.
const linkSize = 4

func encodeEntry(stream string, version uint64, e *eventstore.Entry) []byte {
	v := make([]byte, crcSize, crcSize+linkSize+hashSize+1+len(e.Key)+len(e.Data))
	v = append(v, e.Prev[:linkSize]...)
	v = append(v, e.Hash[:]...)
	if id, ok := packUUID(e.Key); ok {
		v = append(append(v, packedKey), id[:]...)
	} else {
		v = append(append(v, byte(len(e.Key))), e.Key...)
	}
	v = append(v, e.Data...)
	return seal(v, kindEntry, stream, version, "")
}

// parts are those of an entry's value. They lie in it.
type parts struct {
	link []byte // what the hash of the entry before begins with, or all of it
	hash []byte
	key  []byte
	data []byte
	// packed says that the key is a UUID in 16 bytes.
	packed bool
}

// splitEntry finds the parts of an entry's value.
func splitEntry(stream string, version uint64, value []byte) (p parts, err error) {
	link := linkSize
	body, err := unseal(value, kindEntry, stream, version, "")
	if err == errChecksum {
		link = hashSize
		body, err = unseal(value, kindLongEntry, stream, version, "")
	}
	if err != nil {
		return p, err
	}
	if len(body) < link+hashSize+1 {
		return p, errShort
	}
	p.link, p.hash = body[:link], body[link:link+hashSize]
	n, rest := int(body[link+hashSize]), body[link+hashSize+1:]
	if n == packedKey && link == linkSize {
		p.packed, n = true, uuidSize
	}
	if n > len(rest) {
		return p, errShort
	}
	p.key, p.data = rest[:n], rest[n:]
	if link == linkSize && !p.packed && isUUID(p.key) { // or two values would be one entry
		return p, errLength
	}
	return p, nil
}

// keyText is the key as it was given.
func (p *parts) keyText() string {
	if p.packed {
		return unpackUUID(p.key)
	}
	return string(p.key)
}

// follows reports whether the entry says that the one before has the hash.
func (p *parts) follows(prev eventstore.Hash) bool { return bytes.HasPrefix(prev[:], p.link) }

// entry is the whole of it, its Data still in the value, if the one before has the hash.
func (p *parts) entry(version uint64, prev eventstore.Hash) eventstore.Entry {
	return eventstore.Entry{Version: version, Key: p.keyText(), Prev: prev, Hash: eventstore.Hash(p.hash), Data: p.data}
}

// head is what the log holds under headVersion.
type head struct {
	version uint64
	hash    eventstore.Hash
	indexed uint64 // the keys of the versions up to this one are in the index; see key_lookup.go
}

func encodeHead(stream string, h head) []byte {
	v := make([]byte, crcSize, crcSize+16+hashSize)
	v = binary.BigEndian.AppendUint64(v, h.version)
	v = binary.BigEndian.AppendUint64(v, h.indexed)
	v = append(v, h.hash[:]...)
	return seal(v, kindHead, stream, headVersion, "")
}

func decodeHead(stream string, value []byte) (head, error) {
	body, err := unseal(value, kindHead, stream, headVersion, "")
	if err != nil {
		return head{}, err
	}
	if len(body) != 16+hashSize {
		return head{}, errLength
	}
	h := head{version: binary.BigEndian.Uint64(body), indexed: binary.BigEndian.Uint64(body[8:]),
		hash: eventstore.Hash(body[16:])}
	if h.indexed > h.version {
		return head{}, errIndexed
	}
	return h, nil
}

// encodeNumber is the value of a name (a stream id) and of a key (a version), without leading zeros.
func encodeNumber(k kind, stream, key string, n uint64) []byte {
	v := make([]byte, crcSize, crcSize+numberSize)
	for shift := (bits.Len64(n|1) - 1) &^ 7; shift >= 0; shift -= 8 {
		v = append(v, byte(n>>shift))
	}
	return seal(v, k, stream, 0, key)
}

// numberSize is the most bytes that a number has; formats 1 and 2 always took as many.
const numberSize = 8

func decodeNumber(k kind, stream, key string, value []byte) (uint64, error) {
	body, err := unseal(value, k, stream, 0, key)
	if err != nil {
		return 0, err
	}
	if len(body) == 0 || len(body) > numberSize || len(body) > 1 && len(body) < numberSize && body[0] == 0 {
		return 0, errLength
	}
	var n uint64
	for _, b := range body {
		n = n<<8 | uint64(b)
	}
	return n, nil
}

func encodeMeta(stream string, version uint64, meta []byte) []byte {
	v := make([]byte, crcSize, crcSize+binary.MaxVarintLen64+len(meta))
	v = append(binary.AppendUvarint(v, version), meta...)
	return seal(v, kindMeta, stream, 0, "")
}

// splitMeta returns the version of metadata, and the metadata where they lie in the value. A missing value is version
// 0. Formats before 6 had no versions: what they have is version 1.
func splitMeta(stream string, value []byte) (version uint64, meta []byte, err error) {
	if value == nil {
		return 0, nil, nil
	}
	body, err := unseal(value, kindMeta, stream, 0, "")
	if err == errChecksum {
		if meta, err = unseal(value, kindOldMeta, stream, 0, ""); err != nil {
			return 0, nil, err
		}
		return 1, meta, nil
	}
	if err != nil {
		return 0, nil, err
	}
	version, n := binary.Uvarint(body)
	if n <= 0 || version == 0 || n > 1 && body[n-1] == 0 { // or two values would be one version
		return 0, nil, errLength
	}
	return version, body[n:], nil
}

// logKey is the place of an entry, or with headVersion of a head.
func logKey(id, version uint64) []byte {
	k := make([]byte, 16)
	binary.BigEndian.PutUint64(k, id)
	binary.BigEndian.PutUint64(k[8:], version)
	return k
}

func parseLogKey(k []byte) (id, version uint64, err error) {
	if len(k) != 16 {
		return 0, 0, errLength
	}
	return binary.BigEndian.Uint64(k), binary.BigEndian.Uint64(k[8:]), nil
}

// indexKey is the place of a key. A UUID is packed after a zero byte, which no key begins with.
func indexKey(id uint64, key string) []byte {
	if u, ok := packUUID(key); ok {
		k := append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+1+uuidSize), id), 0)
		return append(k, u[:]...)
	}
	return textKey(id, key)
}

func parseIndexKey(k []byte) (id uint64, key string, err error) {
	id, key, err = parseTextKey(k)
	switch {
	case err == nil && len(key) == 1+uuidSize && key[0] == 0:
		key = unpackUUID([]byte(key[1:]))
	case err == nil && isUUID([]byte(key)):
		err = errLength
	}
	return id, key, err
}

// textKey is the place of a key in formats 1 and 2, or with "" of metadata in format 1.
func textKey(id uint64, key string) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(key)), id), key...)
}

func parseTextKey(k []byte) (id uint64, key string, err error) {
	if len(k) < 8 {
		return 0, "", errShort
	}
	return binary.BigEndian.Uint64(k), strings.Clone(string(k[8:])), nil
}
