package ledger

import (
	"fmt"
	"unicode/utf8"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Sealed is a record ready to be stored.
type Sealed struct {
	// Data is the encoded logv1.Record.
	Data []byte
	// Hash of the record: prev of the next.
	Hash Hash
	// Record is what [Parse] makes of Data, with the digests of its leaves. It keeps the header and the payloads of the
	// leaves that it was made of.
	Record *Record
}

// Seal makes a record of a header and its leaves. prev is the hash of the record before, zeros for the first. The
// header is encoded here, once; the salts of the leaves are made here. leaves is left as it is.
//
// It fails if header or leaves could not be read back: no game, no version, an unknown kind, a leaf without a type or
// schema, more than [MaxLeaves] leaves or more than [MaxRecord] bytes.
func Seal(prev Hash, header *logv1.RecordHeader, leaves []Leaf, salts *Salter) (Sealed, error) {
	if what := inspectHeader(header); what != "" {
		return Sealed{}, fmt.Errorf("seal record: %s", what)
	}
	if len(leaves) > MaxLeaves {
		return Sealed{}, fmt.Errorf("seal record %d: %d leaves, more than %d", header.Version, len(leaves), MaxLeaves)
	}
	headerBytes, err := marshal(header)
	if err != nil {
		return Sealed{}, fmt.Errorf("seal record %d: %w", header.Version, err)
	}
	h := newHasher()
	sealed := make([]Leaf, len(leaves))
	saltBytes := make([]byte, 0, SaltSize*len(leaves))
	for i, l := range leaves {
		if !knownKind(l.Kind) || l.Type == "" || !utf8.ValidString(l.Type) || l.Schema == 0 || l.Redacted {
			return Sealed{},
				fmt.Errorf("seal record %d: leaf %d (%s %q) cannot be stored", header.Version, i, l.Kind, l.Type)
		}
		salt := salts.Salt(header.Version, i)
		saltBytes = append(saltBytes, salt[:]...)
		l.Salt = saltBytes[len(saltBytes)-SaltSize:]
		l.Digest = h.leaf(&l)
		sealed[i] = l
	}
	s := Sealed{Hash: h.record(prev, headerBytes, sealed)}
	s.Data = encodeRecord(prev, headerBytes, sealed, s.Hash)
	if len(s.Data) > MaxRecord {
		return Sealed{}, fmt.Errorf("seal record %d: %d bytes, more than %d", header.Version, len(s.Data), MaxRecord)
	}
	s.Record = &Record{data: s.Data, headerBytes: headerBytes, header: header, leaves: sealed, prev: prev, hash: s.Hash}
	return s, nil
}
