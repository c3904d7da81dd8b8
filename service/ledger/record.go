package ledger

import (
	"errors"
	"fmt"
	"iter"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// ErrHash says that a record's hash is not that of its contents.
var ErrHash = errors.New("the record's hash is not that of its contents")

// Record is a stored record, decoded. It never changes; what it returns shares its memory and must
// not be changed either.
type Record struct {
	data, headerBytes []byte
	header            *logv1.RecordHeader
	leaves            []Leaf
	prev, hash        Hash
}

// Parse decodes a record without computing a hash: for bytes that were verified before, as those of one's own log. It
// keeps data. The error is a *[FormatError].
func Parse(data []byte) (*Record, error) {
	r := new(Record)
	if err := new(Parser).decode(data, r); err != nil {
		return nil, err
	}
	r.header = new(logv1.RecordHeader)
	if err := proto.Unmarshal(r.headerBytes, r.header); err != nil {
		return nil, &FormatError{What: fmt.Sprintf("header: %v", err)}
	}
	if what := inspectHeader(r.header); what != "" {
		return nil, &FormatError{What: "header: " + what}
	}
	return r, nil
}

// Open decodes a record and verifies that its hash is that of its contents. It keeps data. The error is a
// *[FormatError] or [ErrHash].
func Open(data []byte) (*Record, error) {
	r, err := Parse(data)
	if err != nil {
		return nil, err
	}
	h := newHasher()
	for i := range r.leaves {
		if l := &r.leaves[i]; !l.Redacted {
			l.Digest = h.leaf(l)
		}
	}
	if h.record(r.prev, r.headerBytes, r.leaves) != r.hash {
		return nil, fmt.Errorf("record %d: %w", r.Version(), ErrHash)
	}
	return r, nil
}

// OpenMessage is [Open] for a record that came as a message, as the proofs of the service do.
func OpenMessage(m *logv1.Record) (*Record, error) {
	data, err := marshal(m)
	if err != nil {
		return nil, &FormatError{What: err.Error()}
	}
	return Open(data)
}

func inspectHeader(h *logv1.RecordHeader) (fault string) {
	switch {
	case h.Game == "":
		return "no game"
	case h.Version == 0:
		return "no version"
	case h.Kind < logv1.RecordKind_RECORD_KIND_CREATED || h.Kind > logv1.RecordKind_RECORD_KIND_ASK:
		return fmt.Sprintf("kind of record %d is not known", h.Kind)
	}
	return ""
}

// Data is the record as it is stored.
func (r *Record) Data() []byte { return r.data }

// Header is what is public of the record.
func (r *Record) Header() *logv1.RecordHeader { return r.header }

// Version is the record's number in its log, from 1.
func (r *Record) Version() uint64 { return r.header.Version }

// Prev is the hash of the record before; zeros for the first.
func (r *Record) Prev() Hash { return r.prev }

// Hash is the hash of the record.
func (r *Record) Hash() Hash { return r.hash }

// Leaves are the parts of the record in order.
func (r *Record) Leaves() []Leaf { return r.leaves }

// Command is the leaf of the command; nil if none exists.
func (r *Record) Command() *Leaf {
	if len(r.leaves) == 0 || r.leaves[0].Kind != logv1.LeafKind_LEAF_KIND_COMMAND {
		return nil
	}
	return &r.leaves[0]
}

// Events yields the leaves that are events, in order.
func (r *Record) Events() iter.Seq[*Leaf] { return r.ofKind(logv1.LeafKind_LEAF_KIND_EVENT) }

// Rolls yields the leaves that are dice, in order.
func (r *Record) Rolls() iter.Seq[*Leaf] { return r.ofKind(logv1.LeafKind_LEAF_KIND_ROLL) }

func (r *Record) ofKind(k logv1.LeafKind) iter.Seq[*Leaf] {
	return func(yield func(*Leaf) bool) {
		for i := range r.leaves {
			if r.leaves[i].Kind == k && !yield(&r.leaves[i]) {
				return
			}
		}
	}
}

// Hidden is the number of leaves that are redacted.
func (r *Record) Hidden() (n int) {
	for i := range r.leaves {
		if r.leaves[i].Redacted {
			n++
		}
	}
	return n
}

// Redact is the record as a viewer may see it: leaves that are not for the viewer are digests. The hash stays the same
// and can still be verified. It is the record itself if nothing is to be hidden.
func (r *Record) Redact(v rules.Viewer) *Record {
	var h *hasher
	out := &Record{headerBytes: r.headerBytes, header: r.header, leaves: r.leaves, prev: r.prev, hash: r.hash}
	for i := range r.leaves {
		l := &r.leaves[i]
		if l.Redacted || v.MaySee(l.Audience) {
			continue
		}
		if h == nil {
			h = newHasher()
			out.leaves = append([]Leaf(nil), r.leaves...)
		}
		digest := l.Digest
		if digest == (Hash{}) {
			digest = h.leaf(l)
		}
		out.leaves[i] = Leaf{Kind: l.Kind, Audience: l.Audience, Digest: digest, Redacted: true}
	}
	if h == nil {
		return r
	}
	out.data = encodeRecord(out.prev, out.headerBytes, out.leaves, out.hash)
	return out
}

// Message is the record as a message of its own, for a proof.
func (r *Record) Message() *logv1.Record {
	m := new(logv1.Record)
	if err := proto.Unmarshal(r.data, m); err != nil {
		return nil // cannot happen: decodeRecord reads a subset
	}
	return m
}
