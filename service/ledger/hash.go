package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Labels keep hashes of different purpose apart. They are part of the public format and never change.
const (
	labelRecord         = "warledger/log/1/record"
	labelLeaf           = "warledger/log/1/leaf"
	labelSalt           = "warledger/log/1/salt"
	labelSaltCommitment = "warledger/log/1/salt-commitment"
)

// Hash is SHA-256 of something.
type Hash = [sha256.Size]byte

// hasher computes the hashes of records, reusing its memory.
type hasher struct {
	sha hash.Hash
	out [sha256.Size]byte
	buf []byte
}

func newHasher() *hasher { return &hasher{sha: sha256.New()} }

// leaf is the digest of a leaf's contents. Kind and audience are in the hash of the record itself, so that they are
// proved also where the contents are hidden.
func (h *hasher) leaf(l *Leaf) Hash {
	h.buf = appendField(h.buf[:0], labelLeaf)
	h.buf = appendField(h.buf, l.Salt)
	h.buf = appendField(h.buf, l.Type)
	h.buf = binary.BigEndian.AppendUint32(h.buf, l.Schema)
	h.buf = binary.BigEndian.AppendUint32(h.buf, uint32(len(l.Data)))
	h.sha.Reset()
	h.sha.Write(h.buf)
	h.sha.Write(l.Data)
	return h.sum()
}

// record is the hash of a record whose leaves have their digests.
func (h *hasher) record(prev Hash, header []byte, leaves []Leaf) Hash {
	headerHash := sha256.Sum256(header)
	h.buf = appendField(h.buf[:0], labelRecord)
	h.buf = append(h.buf, prev[:]...)
	h.buf = append(h.buf, headerHash[:]...)
	h.buf = binary.BigEndian.AppendUint32(h.buf, uint32(len(leaves)))
	for i := range leaves {
		l := &leaves[i]
		h.buf = binary.BigEndian.AppendUint32(h.buf, uint32(l.Kind))
		h.buf = binary.BigEndian.AppendUint32(h.buf, uint32(l.Audience))
		h.buf = append(h.buf, l.Digest[:]...)
	}
	return sha256.Sum256(h.buf)
}

func (h *hasher) sum() Hash {
	h.sha.Sum(h.out[:0])
	return h.out
}

// ScenarioDigest is the name of a scenario document: SHA-256 of its bytes.
func ScenarioDigest(doc []byte) Hash { return sha256.Sum256(doc) }

// appendField appends the length of s in 4 bytes, big-endian, and s.
func appendField[S string | []byte](dst []byte, s S) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(s))), s...)
}

// knownKind reports whether a leaf of the kind may be stored.
func knownKind(k logv1.LeafKind) bool {
	return k >= logv1.LeafKind_LEAF_KIND_COMMAND && k <= logv1.LeafKind_LEAF_KIND_EVENT
}
