package downfall

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"
)

// readsLikeUnmarshal checks that a reader makes of bytes what proto.Unmarshal makes of them, if it reads them at all.
func readsLikeUnmarshal(t rapid.TB, r *reader, data []byte) (read bool) {
	t.Helper()
	got, read := r.read(data)
	if !read {
		return false
	}
	want := &event{}
	if err := proto.Unmarshal(data, want); err != nil {
		t.Fatalf("%x: read as %v, but %v", data, got, err)
	}
	if !proto.Equal(got, want) {
		t.Fatalf("%x: read as %v, expected %v", data, got, want)
	}
	return true
}

// anyEvent draws an event of any kind as it is stored.
func anyEvent(t *rapid.T, ids []string) []byte {
	e := (&event{}).ProtoReflect()
	kinds := e.Descriptor().Fields()
	fillEvent(t, e.Mutable(kinds.Get(rapid.IntRange(0, kinds.Len()-1).Draw(t, "kind"))).Message(), ids)
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(e.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func fillEvent(t *rapid.T, m protoreflect.Message, ids []string) {
	for i := range m.Descriptor().Fields().Len() {
		f := m.Descriptor().Fields().Get(i)
		switch {
		case rapid.IntRange(0, 3).Draw(t, "skip") == 0:
		case f.IsList():
			list := m.Mutable(f).List()
			for range rapid.IntRange(0, 9).Draw(t, "items") {
				if f.Message() != nil {
					fillEvent(t, list.AppendMutable().Message(), ids)
				} else {
					list.Append(anyValue(t, f, ids))
				}
			}
		default:
			m.Set(f, anyValue(t, f, ids))
		}
	}
}

func anyValue(t *rapid.T, f protoreflect.FieldDescriptor, ids []string) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(rapid.SampledFrom(ids).Draw(t, "id"))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(rapid.Bool().Draw(t, "flag"))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rapid.Int32().Draw(t, "enum")))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(rapid.Uint32().Draw(t, "number"))
	case protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(rapid.Int32().Draw(t, "signed"))
	}
	t.Fatalf("no value for %v", f.FullName())
	return protoreflect.Value{}
}

// What is read from the bytes of an event is what proto.Unmarshal makes of them, whatever was read before, and however the bytes are damaged. Whole
// events are all read here.
func TestReaderIsUnmarshal(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	ids := []string{"", "x", "第五七軍", "DF 13.4-1", "us", "a name that is longer than that of any unit"}
	for i := range sc.Units {
		ids = append(ids, sc.Units[i].ID)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := newReader(sc)
		for range 20 {
			data := anyEvent(t, ids)
			if !readsLikeUnmarshal(t, r, data) {
				t.Fatalf("%x is not read", data)
			}
			switch rapid.IntRange(0, 4).Draw(t, "damage") {
			case 0: // cut short
				data = data[:rapid.IntRange(0, len(data)-1).Draw(t, "length")]
			case 1: // another byte
				data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			case 2: // two facts, of which the last counts, merged if they are of one kind
				data = append(data, anyEvent(t, ids)...)
			case 3: // a field that nobody knows
				data = protowire.AppendTag(data, protowire.Number(rapid.IntRange(60, 2000).Draw(t, "number")), protowire.BytesType)
				data = protowire.AppendString(data, "later")
			case 4: // an id that is no text
				data = bytes.ReplaceAll(data, []byte("-"), []byte{0xFF})
			}
			readsLikeUnmarshal(t, r, data)
		}
	})
}

// FuzzReader reads two events by turns, so that what one leaves behind would be seen in the other.
func FuzzReader(f *testing.F) {
	sc := olympic(f)
	p := newPosition(sc, 0)
	for _, e := range []*event{p.eventMoved(3, []Hex{4, 5, 6}, 1, 0x30, true), p.eventStage(2, 0x700), eventPointsLost(3, -7, "DF 4.11")} {
		data, err := proto.Marshal(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, data)
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		r := newReader(sc)
		for _, data := range [][]byte{first, second, first} {
			readsLikeUnmarshal(t, r, data)
		}
	})
}
