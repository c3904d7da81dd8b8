package rules

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

// sameAsUnmarshal checks that what is decoded into kept messages is what proto.Unmarshal makes of the same bytes, error or not, whatever was decoded before.
func sameAsUnmarshal(t rapid.TB, d *decoder[*downfallv1.Event], data []byte) {
	t.Helper()
	want := &downfallv1.Event{}
	wantErr := proto.Unmarshal(data, want)
	got, err := d.decode(data)
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("%x: error %v, expected %v", data, err, wantErr)
	}
	if err == nil && !proto.Equal(got, want) {
		t.Fatalf("%x: %v, expected %v", data, got, want)
	}
}

// anyFact draws an event of any kind with its fields filled, as it is stored.
func anyFact(t *rapid.T) []byte {
	e := (&downfallv1.Event{}).ProtoReflect()
	fields := e.Descriptor().Fields()
	fill(t, e.Mutable(fields.Get(rapid.IntRange(0, fields.Len()-1).Draw(t, "kind"))).Message(), 3)
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(e.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fill sets some fields of a message.
func fill(t *rapid.T, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if rapid.IntRange(0, 2).Draw(t, "skip") == 0 || depth == 0 {
			continue
		}
		switch {
		case f.IsList():
			list := m.Mutable(f).List()
			for range rapid.IntRange(0, 3).Draw(t, "items") {
				if f.Message() != nil {
					fill(t, list.AppendMutable().Message(), depth-1)
				} else {
					list.Append(scalar(t, f))
				}
			}
		case f.IsMap():
		case f.Message() != nil:
			fill(t, m.Mutable(f).Message(), depth-1)
		default:
			m.Set(f, scalar(t, f))
		}
	}
}

func scalar(t *rapid.T, f protoreflect.FieldDescriptor) protoreflect.Value {
	n := rapid.IntRange(0, 200).Draw(t, "n")
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(rapid.SampledFrom([]string{"", "I/25", "第五七軍"}).Draw(t, "text"))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte{byte(n)})
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n > 100)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(int32(n) - 100)
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind:
		return protoreflect.ValueOfInt64(int64(n) - 100)
	}
	t.Fatalf("no value for %v", f.FullName())
	return protoreflect.Value{}
}

func TestDecoderIsUnmarshal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := newDecoder(func() *downfallv1.Event { return &downfallv1.Event{} })
		for range 20 {
			data := anyFact(t)
			switch rapid.IntRange(0, 5).Draw(t, "damage") {
			case 0: // cut short
				data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
			case 1: // another byte
				data = bytes.Clone(data)
				data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			case 2: // two facts, of which the last counts, merged if they are of one kind
				data = append(bytes.Clone(data), anyFact(t)...)
			case 3: // a field that nobody knows, of bytes
				data = protowire.AppendTag(data, protowire.Number(rapid.IntRange(60, 2000).Draw(t, "number")), protowire.BytesType)
				data = protowire.AppendString(data, "later")
			}
			sameAsUnmarshal(t, d, data)
		}
	})
}

func FuzzDecoder(f *testing.F) {
	for _, e := range []*downfallv1.Event{
		{Kind: &downfallv1.Event_UnitMoved{UnitMoved: &downfallv1.UnitMoved{Unit: "I/25", Path: []uint32{1205, 1206}}}},
		{Kind: &downfallv1.Event_PhaseEnded{PhaseEnded: &downfallv1.PhaseEnded{}}},
	} {
		data, err := proto.Marshal(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, data)
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		d := newDecoder(func() *downfallv1.Event { return &downfallv1.Event{} })
		for _, data := range [][]byte{first, second, first} {
			sameAsUnmarshal(t, d, data)
		}
	})
}
