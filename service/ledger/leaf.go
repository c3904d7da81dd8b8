package ledger

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// logSchema is the schema version of the messages of warledger.log.v1.
const logSchema = 1

// ErrHidden says that a leaf is redacted, so that its contents cannot be read.
var ErrHidden = errors.New("the contents are hidden")

// Leaf is one part of a record with its own digest: a command, a roll or an event.
type Leaf struct {
	// Kind says what it holds.
	Kind logv1.LeafKind
	// Audience may see it.
	Audience rules.Audience
	// Type is the full name of the payload's message; empty if redacted.
	Type string
	// Schema is the version of the message's schema, from 1; 0 if redacted.
	Schema uint32
	// Data is the message as it was encoded. It belongs to the record: do not change it.
	Data []byte

	// Salt keeps a hidden payload from being guessed; nil if redacted. [Seal] makes it.
	Salt []byte
	// Digest of the contents. [Seal] makes it, [Open] computes it; after [Parse] only a redacted leaf has it.
	Digest Hash
	// Redacted is true if only the digest of the contents is here.
	Redacted bool
}

// NewLeaf encodes a message once, as the payload of a leaf.
func NewLeaf(kind logv1.LeafKind, a rules.Audience, schema uint32, m proto.Message) (Leaf, error) {
	data, err := marshal(m)
	if err != nil {
		return Leaf{}, fmt.Errorf("encode %s: %w", typeOf(m), err)
	}
	return Leaf{Kind: kind, Audience: a, Type: typeOf(m), Schema: schema, Data: data}, nil
}

// Is reports whether the leaf holds a message of the type of m.
func (l *Leaf) Is(m proto.Message) bool { return !l.Redacted && l.Type == typeOf(m) }

// Decode reads the payload into m. It fails if the leaf is redacted, holds another type, or cannot be read.
func (l *Leaf) Decode(m proto.Message) error {
	switch {
	case l.Redacted:
		return fmt.Errorf("%s: %w", typeOf(m), ErrHidden)
	case l.Type != typeOf(m):
		return fmt.Errorf("the leaf holds a %s, expected a %s", l.Type, typeOf(m))
	}
	if err := proto.Unmarshal(l.Data, m); err != nil {
		return fmt.Errorf("%s: %w", l.Type, err)
	}
	return nil
}

// marshal encodes a message. Maps are sorted so that one program writes the same bytes each time; nothing relies on it,
// for bytes are never made a second time.
func marshal(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

func typeOf(m proto.Message) string { return string(m.ProtoReflect().Descriptor().FullName()) }
