package warledger

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Labels of hashed bytes. docs/reference/log-format.md has the format.
const (
	labelRecord = "warledger/log/1/record"
	labelLeaf   = "warledger/log/1/leaf"
)

// proved is a record whose hash is that of its contents.
type proved struct {
	header *logv1.RecordHeader
	leaves []*logv1.Leaf
	prev   []byte
	hash   [sha256.Size]byte
}

// prove reads the proof of a record and computes its hash.
func prove(r *logv1.Record) (*proved, error) {
	p := &proved{header: new(logv1.RecordHeader), leaves: r.GetLeaves(), prev: r.GetPrevHash()}
	if len(p.prev) != sha256.Size || len(r.GetHash()) != sha256.Size {
		return nil, errors.New("a record comes without its proof")
	}
	if err := proto.Unmarshal(r.GetHeader(), p.header); err != nil {
		return nil, fmt.Errorf("the header of a record: %w", err)
	}
	if err := p.shown(); err != nil {
		return nil, err
	}
	header := sha256.Sum256(r.GetHeader())
	in := append(append(field(nil, labelRecord), p.prev...), header[:]...)
	in = binary.BigEndian.AppendUint32(in, uint32(len(p.leaves)))
	for _, l := range p.leaves {
		in = binary.BigEndian.AppendUint32(in, uint32(l.GetKind()))
		in = binary.BigEndian.AppendUint32(in, l.GetAudience())
		digest := l.GetDigest()
		if l.GetPayload() != nil {
			sum := digestOf(l)
			digest = sum[:]
		}
		if len(digest) != sha256.Size {
			return nil, fmt.Errorf("record %d has a leaf without contents or digest", p.header.Version)
		}
		in = append(in, digest...)
	}
	if p.hash = sha256.Sum256(in); string(p.hash[:]) != string(r.GetHash()) {
		return nil, fmt.Errorf("the hash of record %d is not that of its contents", p.header.Version)
	}
	return p, nil
}

// shown refuses a proof that hides what everyone may see: a chain could be replaced behind a digest. Nor may a change
// of the table, or what a record asks for, be for some viewers only.
func (p *proved) shown() error {
	kind := p.header.Kind
	open := kind == logv1.RecordKind_RECORD_KIND_TABLE || kind == logv1.RecordKind_RECORD_KIND_ASK
	for i, l := range p.leaves {
		switch {
		case l.GetAudience() == 0 && l.GetPayload() == nil:
			return fmt.Errorf("record %d hides part %d, which everyone may see", p.header.Version, i)
		case open && l.GetKind() == logv1.LeafKind_LEAF_KIND_EVENT && l.GetAudience() != 0:
			return fmt.Errorf("record %d keeps part %d, a change of the table, from some viewers", p.header.Version, i)
		}
	}
	return nil
}

// digestOf is the digest of a leaf's contents.
func digestOf(l *logv1.Leaf) [sha256.Size]byte {
	in := field(field(field(nil, labelLeaf), string(l.GetSalt())), l.GetPayload().GetType())
	in = binary.BigEndian.AppendUint32(in, l.GetPayload().GetSchema())
	return sha256.Sum256(field(in, string(l.GetPayload().GetData())))
}

// asks returns what a record asks for dice with; nil for other records.
func (p *proved) asks() *logv1.DiceAsked {
	if p.header.Kind != logv1.RecordKind_RECORD_KIND_ASK {
		return nil
	}
	for _, e := range p.events() {
		if e.GetDiceAsked() != nil {
			return e.GetDiceAsked()
		}
	}
	return nil
}

// commits returns the anchors of the chains that a record commits a seat to.
func (p *proved) commits(seat string) (anchors [][]byte) {
	for _, e := range p.events() {
		if of, chain := committed(e); of == seat && chain != nil {
			anchors = append(anchors, chain.GetAnchor())
		}
	}
	return anchors
}

// events returns the changes of the table that a record makes, which everyone may see.
func (p *proved) events() (all []*logv1.TableEvent) {
	for _, l := range p.leaves {
		e := new(logv1.TableEvent)
		if l.GetKind() == logv1.LeafKind_LEAF_KIND_EVENT &&
			l.GetPayload().GetType() == string(e.ProtoReflect().Descriptor().FullName()) &&
			proto.Unmarshal(l.GetPayload().GetData(), e) == nil {
			all = append(all, e)
		}
	}
	return all
}
