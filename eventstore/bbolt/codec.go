package boltstore

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
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
	kindName kind = iota + 1
	kindEntry
	kindHead
	kindKey
	kindMeta
)

const (
	crcSize  = 4
	hashSize = 32
	// headVersion and metaVersion are the versions in the log under which a stream's head and metadata are kept, so that they lie beside the last
	// entry: an append writes one page of the log. bbolt leaves three records at least to the right of where it splits a page, so
	// that with the two of them no more than one entry goes there that would have found room on the left.
	headVersion = math.MaxUint64
	metaVersion = math.MaxUint64 - 1
)

// checksum covers the kind, the stream and the place of a record besides its bytes: a CRC-32C of the bytes that begins
// with an FNV-1a of the rest. A CRC keeps apart what it began with, and this way nothing is put together in memory first.
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

func encodeEntry(stream string, version uint64, e *eventstore.Entry) []byte {
	v := make([]byte, crcSize, crcSize+2*hashSize+1+len(e.Key)+len(e.Data))
	v = append(v, e.Prev[:]...)
	v = append(v, e.Hash[:]...)
	v = append(v, byte(len(e.Key)))
	v = append(v, e.Key...)
	v = append(v, e.Data...)
	return seal(v, kindEntry, stream, version, "")
}

// splitEntry returns the parts of an entry's value: the two hashes, the key and the data.
func splitEntry(stream string, version uint64, value []byte) (hashes, key, data []byte, err error) {
	body, err := unseal(value, kindEntry, stream, version, "")
	if err != nil {
		return nil, nil, nil, err
	}
	if len(body) < 2*hashSize+1 {
		return nil, nil, nil, errShort
	}
	keyLen, rest := int(body[2*hashSize]), body[2*hashSize+1:]
	if keyLen > len(rest) {
		return nil, nil, nil, errShort
	}
	return body[:2*hashSize], rest[:keyLen], rest[keyLen:], nil
}

// decodeEntry returns an entry whose Data lies in the value.
func decodeEntry(stream string, version uint64, value []byte) (eventstore.Entry, error) {
	hashes, key, data, err := splitEntry(stream, version, value)
	if err != nil {
		return eventstore.Entry{}, err
	}
	return eventstore.Entry{
		Version: version, Key: string(key),
		Prev: eventstore.Hash(hashes[:hashSize]), Hash: eventstore.Hash(hashes[hashSize:]),
		Data: data,
	}, nil
}

// head is what the log holds under headVersion.
type head struct {
	version uint64
	hash    eventstore.Hash
	indexed uint64 // the keys of the versions up to this one are in the index; see tail.go
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
	h := head{version: binary.BigEndian.Uint64(body), indexed: binary.BigEndian.Uint64(body[8:]), hash: eventstore.Hash(body[16:])}
	if h.indexed > h.version {
		return head{}, errIndexed
	}
	return h, nil
}

// encodeNumber is the value of a name (a stream id) and of a key (a version).
func encodeNumber(k kind, stream, key string, n uint64) []byte {
	v := binary.BigEndian.AppendUint64(make([]byte, crcSize, crcSize+8), n)
	return seal(v, k, stream, 0, key)
}

func decodeNumber(k kind, stream, key string, value []byte) (uint64, error) {
	body, err := unseal(value, k, stream, 0, key)
	if err != nil {
		return 0, err
	}
	if len(body) != 8 {
		return 0, errLength
	}
	return binary.BigEndian.Uint64(body), nil
}

func encodeMeta(stream string, meta []byte) []byte {
	v := append(make([]byte, crcSize, crcSize+len(meta)), meta...)
	return seal(v, kindMeta, stream, 0, "")
}

// decodeMeta returns a copy; a missing value is no metadata.
func decodeMeta(stream string, value []byte) ([]byte, error) {
	if value == nil {
		return nil, nil
	}
	body, err := unseal(value, kindMeta, stream, 0, "")
	if err != nil || len(body) == 0 {
		return nil, err
	}
	return append([]byte(nil), body...), nil
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

// indexKey is the place of a key, or with "" of metadata.
func indexKey(id uint64, key string) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(key)), id), key...)
}

func parseIndexKey(k []byte) (id uint64, key string, err error) {
	if len(k) < 8 {
		return 0, "", errShort
	}
	return binary.BigEndian.Uint64(k), strings.Clone(string(k[8:])), nil
}
