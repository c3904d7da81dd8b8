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
	// headVersion is the version in the log under which a stream's head is kept, so that it lies beside the last entry.
	headVersion = math.MaxUint64
)

// checksum covers the kind, the stream and the place of a record besides its bytes.
func checksum(k kind, stream string, place uint64, key string, body []byte) uint32 {
	var b [eventstore.MaxName + eventstore.MaxKey + 16]byte
	p := append(b[:0], byte(k))
	p = append(p, stream...)
	p = append(p, 0)
	p = binary.BigEndian.AppendUint64(p, place)
	p = append(p, key...)
	return crc32.Update(crc32.Checksum(p, castagnoli), castagnoli, body)
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

// decodeEntry returns an entry whose Data lies in the value.
func decodeEntry(stream string, version uint64, value []byte) (eventstore.Entry, error) {
	e := eventstore.Entry{Version: version}
	body, err := unseal(value, kindEntry, stream, version, "")
	if err != nil {
		return e, err
	}
	if len(body) < 2*hashSize+1 {
		return e, errShort
	}
	copy(e.Prev[:], body)
	copy(e.Hash[:], body[hashSize:])
	keyLen, rest := int(body[2*hashSize]), body[2*hashSize+1:]
	if keyLen > len(rest) {
		return e, errShort
	}
	e.Key, e.Data = string(rest[:keyLen]), rest[keyLen:]
	return e, nil
}

// head is what the log holds under headVersion.
type head struct {
	version uint64
	hash    eventstore.Hash
}

func encodeHead(stream string, h head) []byte {
	v := make([]byte, crcSize, crcSize+8+hashSize)
	v = binary.BigEndian.AppendUint64(v, h.version)
	v = append(v, h.hash[:]...)
	return seal(v, kindHead, stream, headVersion, "")
}

func decodeHead(stream string, value []byte) (head, error) {
	body, err := unseal(value, kindHead, stream, headVersion, "")
	if err != nil {
		return head{}, err
	}
	if len(body) != 8+hashSize {
		return head{}, errLength
	}
	return head{binary.BigEndian.Uint64(body), eventstore.Hash(body[8:])}, nil
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
