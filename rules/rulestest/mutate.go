package rulestest

import (
	"math"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/rules/dice"
)

// invent fills every field of an empty message at random: one of the kinds of command, with words that mean something.
func invent(message proto.Message, words []string, rnd *dice.Seeded) proto.Message {
	fill(message.ProtoReflect(), words, rnd, 0)
	return message
}

// maxDepth bounds messages within messages.
const maxDepth = 5

func fill(m protoreflect.Message, words []string, rnd *dice.Seeded, depth int) {
	fields, oneofs := m.Descriptor().Fields(), m.Descriptor().Oneofs()
	chosen := map[protoreflect.Name]protoreflect.Name{}
	for i := range oneofs.Len() {
		o := oneofs.Get(i)
		chosen[o.Name()] = o.Fields().Get(int(rnd.Below(uint32(o.Fields().Len())))).Name()
	}
	for i := range fields.Len() {
		f := fields.Get(i)
		if o := f.ContainingOneof(); o != nil && chosen[o.Name()] != f.Name() || f.IsMap() {
			continue
		}
		switch isMessage := f.Message() != nil; {
		case f.IsList():
			values := m.Mutable(f).List()
			for range 1 + rnd.Below(2) {
				v := values.NewElement()
				if !isMessage {
					v = otherValue(f, v, words, rnd)
				} else if depth < maxDepth {
					fill(v.Message(), words, rnd, depth+1)
				}
				values.Append(v)
			}
		case isMessage:
			if v := m.Mutable(f).Message(); depth < maxDepth {
				fill(v, words, rnd, depth+1)
			}
		default:
			m.Set(f, otherValue(f, m.Get(f), words, rnd))
		}
	}
}

// mutate gives a copy of a message with one value changed: into one of a donor, or into something unlikely.
func mutate(message, donor proto.Message, words []string, rnd *dice.Seeded) proto.Message {
	m := proto.Clone(message)
	words = texts(donor.ProtoReflect(), texts(message.ProtoReflect(), append([]string{"", "?", "0", "zzzz"}, words...)))
	changes := changes(m.ProtoReflect(), words, rnd, nil)
	if len(changes) > 0 {
		changes[rnd.Below(uint32(len(changes)))]()
	}
	return m
}

// texts collects the strings of a message.
func texts(m protoreflect.Message, words []string) []string {
	for _, f := range setFields(m) {
		v := m.Get(f)
		switch {
		case f.IsMap():
		case f.IsList():
			for i := range v.List().Len() {
				words = textsOf(f, v.List().Get(i), words)
			}
		default:
			words = textsOf(f, v, words)
		}
	}
	return words
}

func textsOf(f protoreflect.FieldDescriptor, v protoreflect.Value, words []string) []string {
	switch f.Kind() {
	case protoreflect.StringKind:
		return append(words, v.String())
	case protoreflect.MessageKind:
		return texts(v.Message(), words)
	}
	return words
}

// changes are the ways to change a message in one place.
func changes(m protoreflect.Message, words []string, rnd *dice.Seeded, list []func()) []func() {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		inOneof := f.ContainingOneof() != nil
		switch {
		case f.IsMap():
			continue
		case inOneof && !m.Has(f):
			continue // another kind is another command, which invent makes
		case f.IsList():
			list = listChanges(m, f, words, rnd, list)
		case f.Kind() == protoreflect.MessageKind:
			if m.Has(f) {
				list = append(list, func() { m.Clear(f) })
				list = changes(m.Mutable(f).Message(), words, rnd, list)
			}
		default:
			list = append(list, func() { m.Set(f, otherValue(f, m.Get(f), words, rnd)) })
		}
	}
	return list
}

func listChanges(
	m protoreflect.Message, f protoreflect.FieldDescriptor, words []string, rnd *dice.Seeded, list []func(),
) []func() {
	if !m.Has(f) {
		if f.Kind() != protoreflect.MessageKind {
			list = append(list, func() {
				values := m.Mutable(f).List()
				values.Append(otherValue(f, values.NewElement(), words, rnd))
			})
		}
		return list
	}
	values := m.Mutable(f).List()
	n := values.Len()
	list = append(list,
		func() { values.Truncate(n - 1) },
		func() { values.Append(values.Get(int(rnd.Below(uint32(n))))) }) // there twice
	for i := range n {
		if f.Kind() == protoreflect.MessageKind {
			list = changes(values.Get(i).Message(), words, rnd, list)
		} else {
			list = append(list, func() { values.Set(i, otherValue(f, values.Get(i), words, rnd)) })
		}
	}
	return list
}

// otherValue is another value for a field that is no message.
func otherValue(
	f protoreflect.FieldDescriptor, v protoreflect.Value, words []string, rnd *dice.Seeded,
) protoreflect.Value {
	number := func(now int64) int64 {
		return [...]int64{0, 1, now + 1, now - 1, -1, math.MaxInt32, math.MinInt32, int64(rnd.Below(300))}[rnd.Below(8)]
	}
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(words[rnd.Below(uint32(len(words)))])
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(!v.Bool())
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(int32(number(int64(v.Enum())))))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte{byte(rnd.Below(256))})
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(number(v.Int())))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(number(v.Int()))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(number(int64(v.Uint()))))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(number(int64(v.Uint()))))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(number(int64(v.Float()))))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(number(int64(v.Float()))))
	}
	return v
}
