package rulestest

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// MessageText writes a message in one line that stays the same between runs and releases: fields in the order of their
// numbers, those that are not set left out, a message that holds nothing but one of several kinds as that kind.
//
//	moved unit:r1 from:0102 to:0203
func MessageText(message proto.Message) string {
	if message == nil {
		return "nothing"
	}
	m := message.ProtoReflect()
	fields := setFields(m)
	if len(fields) == 1 && fields[0].ContainingOneof() != nil && fields[0].Message() != nil {
		return strings.TrimRight(string(fields[0].Name())+" "+fieldText(m.Get(fields[0]).Message()), " ")
	}
	return fieldText(m)
}

// setFields are the fields that are set, by number.
func setFields(m protoreflect.Message) []protoreflect.FieldDescriptor {
	var set []protoreflect.FieldDescriptor
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); m.Has(f) {
			set = append(set, f)
		}
	}
	return set
}

func fieldText(m protoreflect.Message) string {
	var parts []string
	for _, f := range setFields(m) {
		parts = append(parts, string(f.Name())+":"+valueText(f, m.Get(f)))
	}
	return strings.Join(parts, " ")
}

func valueText(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	switch {
	case f.IsList():
		var parts []string
		for i := range v.List().Len() {
			parts = append(parts, scalarText(f, v.List().Get(i)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case f.IsMap():
		var parts []string
		v.Map().Range(func(k protoreflect.MapKey, x protoreflect.Value) bool {
			parts = append(parts, k.String()+":"+scalarText(f.MapValue(), x))
			return true
		})
		sortStrings(parts)
		return "{" + strings.Join(parts, " ") + "}"
	}
	return scalarText(f, v)
}

func scalarText(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return "{" + fieldText(v.Message()) + "}"
	case protoreflect.EnumKind:
		if e := f.Enum().Values().ByNumber(v.Enum()); e != nil {
			return string(e.Name())
		}
		return strconv.Itoa(int(v.Enum()))
	case protoreflect.StringKind:
		if s := v.String(); s != "" && !strings.ContainsAny(s, " \t\r\n\"{}[]:") {
			return s
		}
		return strconv.Quote(v.String())
	case protoreflect.BytesKind:
		return fmt.Sprintf("%x", v.Bytes())
	}
	return fmt.Sprint(v.Interface())
}

// lineDiff says which lines two texts have and the other has not, in the order of the texts.
func lineDiff(a, b string) string {
	in := func(text string) map[string]int {
		lines := map[string]int{}
		for _, line := range strings.Split(text, "\n") {
			lines[line]++
		}
		return lines
	}
	var out strings.Builder
	for _, side := range []struct{ sign, text, other string }{{"-", a, b}, {"+", b, a}} {
		others := in(side.other)
		for _, line := range strings.Split(side.text, "\n") {
			if others[line] > 0 {
				others[line]--
				continue
			}
			out.WriteString(side.sign + line + "\n")
		}
	}
	if out.Len() == 0 && a != b {
		return "the same lines in another order\n"
	}
	return out.String()
}
