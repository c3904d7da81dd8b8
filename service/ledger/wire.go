package ledger

import (
	"encoding/binary"
	"fmt"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// Limits of a record.
const (
	// MaxRecord is the size of a stored record in bytes.
	MaxRecord = 16 << 20
	// MaxLeaves is the number of leaves of a record.
	MaxLeaves = 1 << 16
)

// FormatError says that bytes are no record.
type FormatError struct {
	// Offset is where reading stopped, in bytes.
	Offset int
	// What was found and what was expected.
	What string
}

func (e *FormatError) Error() string { return fmt.Sprintf("no record: byte %d: %s", e.Offset, e.What) }

// Tags of the fields of Record, Leaf and Payload: field number and wire type (0 a varint, 2 bytes) in a byte.
const (
	tagPrev, tagHeader, tagLeaf, tagHash                 = 1<<3 | 2, 2<<3 | 2, 3<<3 | 2, 4<<3 | 2
	tagKind, tagAudience, tagSalt, tagPayload, tagDigest = 1 << 3, 2 << 3, 3<<3 | 2, 4<<3 | 2, 5<<3 | 2
	tagType, tagSchema, tagData                          = 1<<3 | 2, 2 << 3, 3<<3 | 2
)

// encodeRecord writes a logv1.Record. A leaf that is redacted is written as its digest.
func encodeRecord(prev Hash, header []byte, leaves []Leaf, hash Hash) []byte {
	size := 2*(2+len(hash)) + 1 + sizeBytes(len(header))
	for i := range leaves {
		size += 1 + sizeBytes(leafSize(&leaves[i]))
	}
	b := make([]byte, 0, size)
	b = appendBytes(b, tagPrev, prev[:])
	b = appendBytes(b, tagHeader, header)
	for i := range leaves {
		b = append(b, tagLeaf)
		b = binary.AppendUvarint(b, uint64(leafSize(&leaves[i])))
		b = appendLeaf(b, &leaves[i])
	}
	return appendBytes(b, tagHash, hash[:])
}

func appendLeaf(b []byte, l *Leaf) []byte {
	b = appendVarint(b, tagKind, uint64(l.Kind))
	if l.Audience != rules.Everyone {
		b = appendVarint(b, tagAudience, uint64(l.Audience))
	}
	if l.Redacted {
		return appendBytes(b, tagDigest, l.Digest[:])
	}
	b = appendBytes(b, tagSalt, l.Salt)
	b = append(b, tagPayload)
	b = binary.AppendUvarint(b, uint64(payloadSize(l)))
	b = appendBytes(b, tagType, l.Type)
	b = appendVarint(b, tagSchema, uint64(l.Schema))
	if len(l.Data) > 0 {
		b = appendBytes(b, tagData, l.Data)
	}
	return b
}

func leafSize(l *Leaf) int {
	n := 1 + sizeVarint(uint64(l.Kind))
	if l.Audience != rules.Everyone {
		n += 1 + sizeVarint(uint64(l.Audience))
	}
	if l.Redacted {
		return n + 1 + sizeBytes(len(l.Digest))
	}
	return n + 1 + sizeBytes(len(l.Salt)) + 1 + sizeBytes(payloadSize(l))
}

func payloadSize(l *Leaf) int {
	n := 1 + sizeBytes(len(l.Type)) + 1 + sizeVarint(uint64(l.Schema))
	if len(l.Data) > 0 {
		n += 1 + sizeBytes(len(l.Data))
	}
	return n
}

func appendVarint(b []byte, tag byte, v uint64) []byte {
	return binary.AppendUvarint(append(b, tag), v)
}

func appendBytes[S string | []byte](b []byte, tag byte, s S) []byte {
	return append(binary.AppendUvarint(append(b, tag), uint64(len(s))), s...)
}

func sizeBytes(n int) int { return sizeVarint(uint64(n)) + n }

func sizeVarint(v uint64) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}

// decode reads what encodeRecord wrote into an empty record, but for the header, and nothing else: fields in order,
// each once, no defaults, shortest varints. So every bit of a record is either covered by its hash or refused here. The
// record shares the memory of data.
func (p *Parser) decode(data []byte, r *Record) error {
	if len(data) > MaxRecord {
		return &FormatError{What: fmt.Sprintf("%d bytes, more than %d", len(data), MaxRecord)}
	}
	r.data = data
	c := cursor{buf: data, end: len(data)}
	prev := c.bytes(tagPrev, "the hash of the record before")
	r.headerBytes = c.bytes(tagHeader, "a header")
	if count := countLeaves(c); count > MaxLeaves {
		return &FormatError{c.at, fmt.Sprintf("more than %d leaves", MaxLeaves)}
	} else if count > 0 {
		r.leaves = p.room(count)
	}
	for i := range r.leaves {
		inner := c.sub(tagLeaf, "a leaf")
		if c.err == nil {
			c.err = p.decodeLeaf(inner, &r.leaves[i])
		}
		if c.err != nil {
			return c.err
		}
	}
	hash := c.bytes(tagHash, "the hash of the record")
	c.finish("record")
	c.fixed(prev, len(r.prev), "the hash of the record before")
	c.fixed(hash, len(r.hash), "the hash of the record")
	if c.err != nil {
		return c.err
	}
	copy(r.prev[:], prev)
	copy(r.hash[:], hash)
	return nil
}

// countLeaves looks ahead, so that the leaves take one piece of memory. One that cannot be read is counted too.
func countLeaves(c cursor) (n int) {
	for c.has(tagLeaf) {
		c.sub(tagLeaf, "a leaf")
		n++
	}
	return n
}

// decodeLeaf reads a leaf into l, whatever that held.
func (p *Parser) decodeLeaf(c cursor, l *Leaf) error {
	*l = Leaf{}
	kind := c.varint(tagKind, "a kind of leaf")
	l.Kind = logv1.LeafKind(kind)
	if kind > 1<<16 || !knownKind(l.Kind) {
		c.fail("kind of leaf %d is not known", kind)
	}
	if c.has(tagAudience) {
		l.Audience = rules.Audience(c.small(tagAudience, "an audience"))
	}
	if c.has(tagDigest) {
		digest := c.bytes(tagDigest, "a digest")
		c.fixed(digest, len(l.Digest), "a digest")
		copy(l.Digest[:], digest)
		l.Redacted = true
		c.finish("leaf")
		return c.err
	}
	l.Salt = c.bytes(tagSalt, "a salt or a digest")
	c.fixed(l.Salt, SaltSize, "a salt")
	load := c.sub(tagPayload, "a payload")
	c.finish("leaf")
	if c.err != nil {
		return c.err
	}
	var valid bool
	if l.Type, valid = p.name(load.bytes(tagType, "the type of a payload")); !valid {
		load.fail("the type of a payload is not UTF-8")
	}
	l.Schema = load.small(tagSchema, "the schema of a payload")
	if load.has(tagData) {
		l.Data = load.bytes(tagData, "the data of a payload")
	}
	load.finish("payload")
	return load.err
}
