package rules

import (
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// layout says where in the struct of a generated message its fields lie. It is found out once for each type, so that
// bytes are decoded into the struct without asking what it is for each field, and messages are used again with their
// lists. It knows the kinds of fields that events have; bytes with any other field are left to proto.Unmarshal.
type layout struct {
	// place of the layout among those of its event.
	place int
	typ   reflect.Type
	// slots are the fields by their numbers.
	slots []slot
	// bits are the indices in the struct by the bits that say that they are set.
	bits []int
	// lists has the bits of lists.
	lists uint64
}

// slot is a field.
type slot struct {
	form  form
	index int // in the struct
	bit   uint64
	list  bool
	// once is true if a second value does not simply replace the first.
	once bool
	// of is the layout of the message that the field holds.
	of *layout
	// cell is what the struct points at where it does not hold the value itself: a number or text with presence, or
	// what stands for a field of a oneof, whose first field has the value. With its place among those of its event.
	cell  reflect.Type
	place int
	// holder is the interface that the struct holds for a oneof.
	holder reflect.Type
}

// form is how a field is written.
type form uint8

const (
	formUnknown form = iota
	formBool
	formUint32
	formUint64
	formInt32 // enums too
	formInt64
	formSint32
	formSint64
	formText
	formMessage
)

// forms are the kinds of fields that are decoded here, with what the struct holds for them.
var forms = map[protoreflect.Kind]struct {
	form form
	held reflect.Kind
}{
	protoreflect.BoolKind: {formBool, reflect.Bool}, protoreflect.EnumKind: {formInt32, reflect.Int32},
	protoreflect.Uint32Kind: {formUint32, reflect.Uint32},
	protoreflect.Uint64Kind: {formUint64, reflect.Uint64}, protoreflect.Int32Kind: {formInt32, reflect.Int32},
	protoreflect.Int64Kind:  {formInt64, reflect.Int64},
	protoreflect.Sint32Kind: {formSint32, reflect.Int32}, protoreflect.Sint64Kind: {formSint64, reflect.Int64},
	protoreflect.StringKind:  {formText, reflect.String},
	protoreflect.MessageKind: {formMessage, reflect.Pointer},
}

// Bounds of layouts: the highest number of a field, and how many can be told to be set.
const (
	layoutNumbers = 1 << 10
	layoutBits    = 64
)

// layouts are those of an event and of all that it can hold.
type layouts struct {
	event *layout // nil if it has none
	of    map[protoreflect.FullName]*layout
	count int // of layouts
	cells int
}

func newLayouts(event proto.Message) *layouts {
	ls := &layouts{of: map[protoreflect.FullName]*layout{}}
	ls.event = ls.find(event.ProtoReflect())
	return ls
}

// find returns the layout of a message, nil if it is not a generated struct.
func (ls *layouts) find(m protoreflect.Message) *layout {
	name := m.Descriptor().FullName()
	if l, ok := ls.of[name]; ok {
		return l
	}
	typ := reflect.TypeOf(m.Interface())
	if typ.Kind() != reflect.Pointer || typ.Elem().Kind() != reflect.Struct {
		return nil
	}
	l := &layout{place: ls.count, typ: typ.Elem()}
	ls.of[name] = l // before its fields: it may hold itself
	ls.count++
	for i := range l.typ.NumField() {
		if len(l.bits) == layoutBits {
			break
		}
		field, fields := l.typ.Field(i), m.Descriptor().Fields()
		if name, ok := field.Tag.Lookup("protobuf_oneof"); ok {
			if one := m.Descriptor().Oneofs().ByName(protoreflect.Name(name)); one != nil {
				fields = one.Fields()
			}
			for k := range fields.Len() {
				l.add(i, fields.Get(k), ls.member(m, fields.Get(k), i))
			}
		} else if f := fields.ByNumber(fieldNumber(field)); f != nil {
			l.add(i, f, ls.slot(m, f, field.Type))
		}
		l.bits = append(l.bits, i)
	}
	return l
}

// add adds a field, if it is known how to decode it.
func (l *layout) add(index int, f protoreflect.FieldDescriptor, s slot) {
	if s.form == formUnknown || f.Number() >= layoutNumbers {
		return
	}
	for len(l.slots) <= int(f.Number()) {
		l.slots = append(l.slots, slot{})
	}
	s.index, s.bit = index, 1<<len(l.bits)
	if s.list {
		l.lists |= s.bit
	}
	l.slots[f.Number()] = s
}

// fieldNumber reads the number of the field that a struct's field is from the tag that generated code
// gives it; 0 if it has none.
func fieldNumber(f reflect.StructField) protoreflect.FieldNumber {
	parts := strings.SplitN(f.Tag.Get("protobuf"), ",", 3)
	if len(parts) < 3 {
		return 0
	}
	n, err := strconv.ParseInt(parts[1], 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return protoreflect.FieldNumber(n)
}

// slot says how a field is decoded into a place of a type; one of a kind that is not known here has no form.
func (ls *layouts) slot(m protoreflect.Message, f protoreflect.FieldDescriptor, typ reflect.Type) slot {
	known := forms[f.Kind()]
	s := slot{form: known.form, list: f.IsList()}
	if f.IsMap() || f.Cardinality() == protoreflect.Required || f.Enum() != nil && f.Enum().IsClosed() {
		return slot{}
	}
	held := m.NewField(f)
	switch {
	case s.list:
		typ = typ.Elem()
		held = held.List().NewElement()
	case s.form == formMessage:
		s.once = true
	case f.HasPresence() && f.ContainingOneof() == nil || f.HasOptionalKeyword():
		if typ.Kind() != reflect.Pointer {
			return slot{}
		}
		typ = typ.Elem()
		s.cell, s.place = typ, ls.cells
		ls.cells++
	}
	if typ.Kind() != known.held {
		return slot{}
	}
	if s.form == formMessage {
		if s.of = ls.find(held.Message()); s.of == nil || typ != reflect.PointerTo(s.of.typ) {
			return slot{}
		}
	}
	return s
}

// member says how a field of a oneof is decoded. What stands for it is found by setting the field.
func (ls *layouts) member(m protoreflect.Message, f protoreflect.FieldDescriptor, index int) slot {
	with := m.New()
	with.Set(f, with.NewField(f))
	held := reflect.ValueOf(with.Interface()).Elem().Field(index).Elem()
	if held.Kind() != reflect.Pointer || held.Elem().Kind() != reflect.Struct || held.Elem().NumField() != 1 {
		return slot{}
	}
	s := ls.slot(m, f, held.Elem().Field(0).Type())
	s.once, s.cell, s.place = true, held.Type().Elem(), ls.cells
	s.holder = reflect.TypeOf(m.Interface()).Elem().Field(index).Type
	ls.cells++
	return s
}
