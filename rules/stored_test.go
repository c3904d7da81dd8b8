package rules

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
)

// sameAsUnmarshal checks that what is decoded into kept messages is what proto.Unmarshal makes of the same bytes, error
// or not, whatever was decoded before.
func sameAsUnmarshal(t rapid.TB, d *decoder[proto.Message], data []byte) {
	t.Helper()
	want := d.event.ProtoReflect().New().Interface()
	wantErr := proto.Unmarshal(data, want)
	got, err := d.decode(data)
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("%x: error %v, expected %v", data, err, wantErr)
	}
	if err == nil && !proto.Equal(got, want) {
		t.Fatalf("%x: %v, expected %v", data, got, want)
	}
}

// stored are the events of the rulesets.
var stored = []proto.Message{&anniversaryv1.Event{}, &downfallv1.Event{}, &ocsv1.Event{}}

func decoderOf(event proto.Message) *decoder[proto.Message] {
	return newDecoder(func() proto.Message { return event.ProtoReflect().New().Interface() }, newLayouts(event))
}

// anyFact draws an event of any kind with its fields filled, as it is stored.
func anyFact(t *rapid.T, event proto.Message) []byte {
	e := event.ProtoReflect().New()
	fields := e.Descriptor().Fields()
	if f := fields.Get(rapid.IntRange(0, fields.Len()-1).Draw(t, "kind")); !f.IsList() {
		fill(t, e.Mutable(f).Message(), 3)
	}
	if f := fields.ByNumber(1); f.IsList() {
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			fill(t, e.Mutable(f).List().AppendMutable().Message(), 3)
		}
	}
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
		event := rapid.SampledFrom(stored).Draw(t, "event")
		d := decoderOf(event)
		for range 20 {
			data := anyFact(t, event)
			switch rapid.IntRange(0, 6).Draw(t, "damage") {
			case 0: // cut short
				data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
			case 1: // another byte
				if data = bytes.Clone(data); len(data) > 0 {
					data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
				}
			case 2: // two facts, of which the last counts, merged if they are of one kind
				data = append(bytes.Clone(data), anyFact(t, event)...)
			case 3: // a field that nobody knows, of bytes
				data = protowire.AppendTag(data, protowire.Number(rapid.IntRange(60, 2000).Draw(t, "number")),
					protowire.BytesType)
				data = protowire.AppendString(data, "later")
			case 4: // a fact twice in one, merged, its lists one after the other
				if number, _, n := protowire.ConsumeTag(data); n > 0 {
					fact, _ := protowire.ConsumeBytes(data[n:])
					data = protowire.AppendTag(nil, number, protowire.BytesType)
					data = protowire.AppendBytes(data, append(bytes.Clone(fact), fact...))
				}
			}
			sameAsUnmarshal(t, d, data)
		}
	})
}

// TestDecoderTakesWhatNobodyWrites decodes facts that our own program never writes so.
func TestDecoderTakesWhatNobodyWrites(t *testing.T) {
	t.Parallel()
	d := decoderOf(&anniversaryv1.Event{})
	const number = 13 // units_moved: 1 power, 2 combat, 3 path, 4 changes, 5 blitzed
	for _, fact := range [][]byte{
		{},
		{1 << 3, 0},             // a default
		{1 << 3, 1, 1 << 3, 2},  // twice
		{1<<3 | 0x80, 0, 1},     // a long tag
		{1 << 3, 0x81, 0x80, 0}, // a long number
		{1 << 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, // -1
		{1 << 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2}, // more than 64 bits
		{2 << 3, 2},                             // a bool that is 2
		{3<<3 | 2, 0},                           // a text that is empty
		{3<<3 | 2, 1, 0xff},                     // no UTF-8
		{3<<3 | 2, 2, 'a'},                      // too short
		{3 << 3, 1},                             // a number for a text
		{1<<3 | 2, 1, 1},                        // bytes for a number
		{4<<3 | 2, 4, 2<<3 | 2, 2, 1<<3 | 2, 0}, // a stack in a place without a name
		{4<<3 | 2, 8, 2<<3 | 2, 2, 4 << 3, 3, 2<<3 | 2, 2, 3 << 3, 3}, // two halves of a stack
		{4<<3 | 2, 6, 2<<3 | 2, 4, 5 << 3, 1, 5 << 3, 2},              // marks that are not packed
		{4<<3 | 2, 6, 2<<3 | 2, 4, 5<<3 | 2, 2, 1, 2},                 // and packed
		{4<<3 | 2, 6, 2<<3 | 2, 4, 5<<3 | 2, 2, 1, 0x82},              // and cut
		{7 << 3, 1},            // a later field
		{1<<3 | 3, 1<<3 | 4},   // a group
		{1<<3 | 5, 1, 2, 3, 4}, // four bytes
		{0},
	} {
		data := protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), fact)
		sameAsUnmarshal(t, d, data)
		sameAsUnmarshal(t, d, data)
	}
}

// TestAFactGivenTwiceIsMerged: a second value of an event's own field goes on with the first.
func TestAFactGivenTwiceIsMerged(t *testing.T) {
	t.Parallel()
	first := &downfallv1.Event{Kind: &downfallv1.Event_UnitMoved{UnitMoved: &downfallv1.UnitMoved{Unit: "I/25"}}}
	second := &downfallv1.Event{
		Kind: &downfallv1.Event_UnitMoved{UnitMoved: &downfallv1.UnitMoved{Path: []uint32{1205}}},
	}
	var data []byte
	for _, e := range []proto.Message{first, second} {
		one, err := proto.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, one...)
	}
	sameAsUnmarshal(t, decoderOf(&downfallv1.Event{}), data)
}

// TestKindsOfFieldThatNoEventHas: maps, required fields and closed enums are decoded as proto.Unmarshal does it.
func TestKindsOfFieldThatNoEventHas(t *testing.T) {
	t.Parallel()
	fields, err := structpb.NewStruct(map[string]any{"a": 1, "b": []any{"c", true, nil}})
	if err != nil {
		t.Fatal(err)
	}
	kind := descriptorpb.FieldDescriptorProto_TYPE_BOOL
	whole := &descriptorpb.UninterpretedOption_NamePart{NamePart: proto.String("a"), IsExtension: proto.Bool(true)}
	for _, m := range []proto.Message{
		fields, whole, &descriptorpb.FieldDescriptorProto{Name: proto.String("a"), Type: &kind},
	} {
		data, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			sameAsUnmarshal(t, decoderOf(m), data)
			sameAsUnmarshal(t, decoderOf(m), data[:len(data)-2]) // the last field is missing, or cut
		}
	}
	unknown := protowire.AppendVarint(protowire.AppendTag(nil, 5, protowire.VarintType), 99) // no value of the enum
	sameAsUnmarshal(t, decoderOf(&descriptorpb.FieldDescriptorProto{}), unknown)
}

// TestNumbersOfBothSigns: a sint64 is written with its sign in the lowest bit.
func TestNumbersOfBothSigns(t *testing.T) {
	t.Parallel()
	for _, want := range []int64{0, 1, -1, 6, -7, math.MaxInt64, math.MinInt64} {
		got := int64(99)
		if put(formSint64, reflect.ValueOf(&got).Elem(), protowire.EncodeZigZag(want)); got != want {
			t.Errorf("%d, expected %d", got, want)
		}
	}
}

// TestAnEventWithoutALayoutIsUnmarshaled: what is no generated struct is left to proto.Unmarshal.
func TestAnEventWithoutALayoutIsUnmarshaled(t *testing.T) {
	t.Parallel()
	d := newDecoder(func() proto.Message { return &toyv1.Event{} }, &layouts{})
	data, err := proto.Marshal(&toyv1.Event{Event: &toyv1.Event_StepLost{StepLost: &toyv1.StepLost{Unit: "r1"}}})
	if err != nil {
		t.Fatal(err)
	}
	sameAsUnmarshal(t, d, data)
}

// TestEventsAreRefilled: each kind of event, with all its fields, is decoded without proto.Unmarshal.
func TestEventsAreRefilled(t *testing.T) {
	t.Parallel()
	for _, event := range stored {
		d := decoderOf(event)
		fields := event.ProtoReflect().Descriptor().Fields()
		for i := range fields.Len() {
			f := fields.Get(i)
			e := event.ProtoReflect().New()
			if f.IsList() {
				for turn := range 20 { // each kind
					all(e.Mutable(f).List().AppendMutable().Message(), 3, turn)
				}
			} else {
				all(e.Mutable(f).Message(), 3, i)
			}
			data, err := proto.Marshal(e.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if !d.refills(data) || !proto.Equal(d.event, e.Interface()) {
				t.Errorf("%s: %v, expected %v", f.FullName(), d.event, e.Interface())
			}
		}
	}
}

// all sets each field of a message, of a oneof one by turns, lists to two items.
func all(m protoreflect.Message, depth, turn int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if o := f.ContainingOneof(); o != nil && !o.IsSynthetic() && o.Fields().Get(turn%o.Fields().Len()) != f {
			continue
		}
		switch {
		case f.IsList():
			list := m.Mutable(f).List()
			for range 2 {
				switch {
				case f.Message() == nil:
					list.Append(one(f))
				case depth > 0:
					all(list.AppendMutable().Message(), depth-1, turn)
				}
			}
		case f.IsMap():
		case f.Message() == nil:
			m.Set(f, one(f))
		case depth > 0:
			all(m.Mutable(f).Message(), depth-1, turn)
		}
	}
}

// one is a value of a field that is not its default.
func one(f protoreflect.FieldDescriptor) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(string(f.Name()))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(1)
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(300)
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(1 << 40)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind:
		return protoreflect.ValueOfInt64(-1 << 40)
	}
	return protoreflect.ValueOfInt32(-300)
}

// TestRefillingTakesNoMemory: an event like one before it needs none.
func TestRefillingTakesNoMemory(t *testing.T) {
	d := decoderOf(&anniversaryv1.Event{})
	e := &anniversaryv1.UnitsMoved{}
	all(e.ProtoReflect(), 3, 0)
	data, err := proto.Marshal(&anniversaryv1.Event{Kind: &anniversaryv1.Event_UnitsMoved{UnitsMoved: e}})
	if err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(10, func() {
		if _, err := d.decode(data); err != nil {
			t.Error(err)
		}
	})
	if n > 0 {
		t.Errorf("%v pieces of memory", n)
	}
}

func FuzzDecoder(f *testing.F) {
	for _, e := range []proto.Message{
		&downfallv1.Event{Kind: &downfallv1.Event_UnitMoved{
			UnitMoved: &downfallv1.UnitMoved{Unit: "I/25", Path: []uint32{1205, 1206}},
		}},
		&downfallv1.Event{Kind: &downfallv1.Event_PhaseEnded{PhaseEnded: &downfallv1.PhaseEnded{}}},
		&anniversaryv1.Event{Kind: &anniversaryv1.Event_UnitsMoved{UnitsMoved: &anniversaryv1.UnitsMoved{
			Path: []string{"a", "b"}, Changes: []*anniversaryv1.Change{
				{Count: 1, Before: &anniversaryv1.Stack{Space: "a", Marks: []anniversaryv1.Mark{1, 2}}},
			},
		}}},
	} {
		data, err := proto.Marshal(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, data)
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		for _, event := range stored {
			d := decoderOf(event)
			for _, data := range [][]byte{first, second, first} {
				sameAsUnmarshal(t, d, data)
			}
		}
	})
}
