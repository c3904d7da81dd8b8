package rules

import (
	"encoding/binary"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// decoder decodes stored events into messages that it uses again, since Evolve keeps none. An event is one field as a rule, whose message says what happened. A
// message of each kind is kept with that field set, and the field's bytes are decoded straight into it: a decoder of whole messages would make the field
// anew, and look up what it is by reflection, for each event.
type decoder[E proto.Message] struct {
	fresh func() E
	// read is what the ruleset reads by itself; nil if it reads nothing.
	read func([]byte) (E, bool)
	// whole is for events that are not one field.
	whole E
	// kept are the messages by the field's number.
	kept []kept[E]
}

// kept is an event of a kind, and the message in its field.
type kept[E proto.Message] struct {
	event E
	fact  resettable // nil if not made yet
}

// resettable is what generated messages are.
type resettable interface {
	proto.Message
	Reset()
}

// keptNumbers bounds the field numbers for which messages are kept.
const keptNumbers = 1 << 10

// wireBytes is the wire type of messages, in the low bits of a field's tag.
const wireBytes, wireBits = 2, 3

// factLimit is how deep the message in a field may nest, where the whole event may nest one deeper.
const factLimit = 10_000 - 1

func newDecoder[E proto.Message](fresh func() E) *decoder[E] {
	return &decoder[E]{fresh: fresh, whole: fresh()}
}

// decode gives an event that is equal to what proto.Unmarshal makes of the bytes, with its error. It is good until the next.
func (d *decoder[E]) decode(data []byte) (E, error) {
	if d.read != nil {
		if e, ok := d.read(data); ok {
			return e, nil
		}
	}
	if number, fact := oneField(data); number > 0 {
		if k := d.keep(number); k != nil {
			k.fact.Reset()
			if (proto.UnmarshalOptions{Merge: true, RecursionLimit: factLimit}).Unmarshal(fact, k.fact) == nil {
				return k.event, nil
			}
		}
	}
	err := proto.Unmarshal(data, d.whole)
	return d.whole, err
}

// keep gives the message kept for a field; nil if the field is none that holds a message.
func (d *decoder[E]) keep(number int) *kept[E] {
	if number >= len(d.kept) {
		d.kept = append(d.kept, make([]kept[E], number+1-len(d.kept))...)
	}
	k := &d.kept[number]
	if k.fact == nil {
		e := d.fresh()
		m := e.ProtoReflect()
		field := m.Descriptor().Fields().ByNumber(protoreflect.FieldNumber(number))
		if field == nil || field.Kind() != protoreflect.MessageKind || field.Cardinality() == protoreflect.Repeated {
			return nil
		}
		fact, ok := m.Mutable(field).Message().Interface().(resettable)
		if !ok {
			return nil
		}
		*k = kept[E]{event: e, fact: fact}
	}
	return k
}

// oneField takes bytes apart that are one field of bytes and nothing else; 0 if they are not.
func oneField(data []byte) (number int, content []byte) {
	tag, n := binary.Uvarint(data)
	if n <= 0 || tag&(1<<wireBits-1) != wireBytes || tag>>wireBits >= keptNumbers {
		return 0, nil
	}
	size, m := binary.Uvarint(data[n:])
	if m <= 0 || size != uint64(len(data)-n-m) {
		return 0, nil
	}
	return int(tag >> wireBits), data[n+m:]
}
