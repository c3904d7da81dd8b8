package ocs

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/rules/kit"
)

// The notation writes messages as words: "name=value", in the order of the fields, those that are not set left out.
// Lists are joined by commas, enumerations are written by the last part of their names in lower case, messages in a
// list in brackets with semicolons. Ids hold none of these signs.

// writeFields writes the set fields of a message, separated by sep.
func writeFields(b *strings.Builder, m protoreflect.Message, sep string) {
	fields := m.Descriptor().Fields()
	first := true
	for i := range fields.Len() {
		f := fields.Get(i)
		if !m.Has(f) {
			continue
		}
		if !first {
			b.WriteString(sep)
		}
		first = false
		b.WriteString(string(f.Name()))
		b.WriteByte('=')
		v := m.Get(f)
		if !f.IsList() {
			b.WriteString(writeValue(f, v))
			continue
		}
		for j := range v.List().Len() {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(writeValue(f, v.List().Get(j)))
		}
	}
}

func writeValue(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	switch f.Kind() {
	case protoreflect.EnumKind:
		return kit.EnumWord(f.Enum(), v.Enum())
	case protoreflect.MessageKind:
		var b strings.Builder
		b.WriteByte('[')
		writeFields(&b, v.Message(), ";")
		b.WriteByte(']')
		return b.String()
	case protoreflect.BoolKind:
		return strconv.FormatBool(v.Bool())
	}
	return v.String()
}

// enumPrefix is what the values of an enumeration begin with: FrameKind's with FRAME_KIND_.
func enumPrefix(e protoreflect.EnumDescriptor) string {
	return strings.TrimSuffix(string(e.Values().ByNumber(0).Name()), "UNSPECIFIED")
}

// readFields reads words into a message.
func readFields(m protoreflect.Message, words []string) error {
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		f := m.Descriptor().Fields().ByName(protoreflect.Name(name))
		if !ok || f == nil {
			return fmt.Errorf("%.60q: expected one of %s", w, fieldNames(m.Descriptor()))
		}
		if err := readField(m, f, value); err != nil {
			return fmt.Errorf("%.60q: %w", w, err)
		}
	}
	return nil
}

func fieldNames(d protoreflect.MessageDescriptor) string {
	var names []string
	for i := range d.Fields().Len() {
		names = append(names, string(d.Fields().Get(i).Name()))
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

func readField(m protoreflect.Message, f protoreflect.FieldDescriptor, value string) error {
	if !f.IsList() {
		v, err := readValue(f, value)
		if err == nil {
			m.Set(f, v)
		}
		return err
	}
	for _, part := range parts(value) {
		if f.Kind() == protoreflect.MessageKind {
			v := m.Mutable(f).List().NewElement()
			inner, ok := strings.CutPrefix(part, "[")
			inner, closed := strings.CutSuffix(inner, "]")
			if !ok || !closed {
				return fmt.Errorf("expected [name=value;…]")
			}
			if err := readFields(v.Message(),
				strings.FieldsFunc(inner, func(r rune) bool { return r == ';' })); err != nil {
				return err
			}
			m.Mutable(f).List().Append(v)
			continue
		}
		v, err := readValue(f, part)
		if err != nil {
			return err
		}
		m.Mutable(f).List().Append(v)
	}
	return nil
}

// parts splits a list at its commas, but not inside brackets.
func parts(list string) (out []string) {
	begin, depth := 0, 0
	for i := range len(list) {
		switch {
		case list[i] == '[':
			depth++
		case list[i] == ']':
			depth--
		case list[i] == ',' && depth <= 0:
			out, begin = append(out, list[begin:i]), i+1
		}
	}
	return append(out, list[begin:])
}

func readValue(f protoreflect.FieldDescriptor, s string) (protoreflect.Value, error) {
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(s), nil
	case protoreflect.BoolKind:
		v, err := strconv.ParseBool(s)
		return protoreflect.ValueOfBool(v), err
	case protoreflect.Uint32Kind:
		v, err := strconv.ParseUint(s, 10, 32)
		return protoreflect.ValueOfUint32(uint32(v)), err
	case protoreflect.Sint32Kind:
		v, err := strconv.ParseInt(s, 10, 32)
		return protoreflect.ValueOfInt32(int32(v)), err
	case protoreflect.EnumKind:
		name := enumPrefix(f.Enum()) + strings.ToUpper(strings.ReplaceAll(s, "-", "_"))
		if v := f.Enum().Values().ByName(protoreflect.Name(name)); v != nil {
			return protoreflect.ValueOfEnum(v.Number()), nil
		}
	}
	return protoreflect.Value{}, fmt.Errorf("not readable as %s", f.Kind())
}

// formatCost writes movement points: "3", "1/2", "2 1/4".
func formatCost(c Cost) string {
	return formatParts(fraction(int64(c), oneMP).num, fraction(int64(c), oneMP).den)
}

// formatRE writes REs of quarters.
func formatRE(quarters int) string {
	f := fraction(int64(quarters), oneRE)
	return formatParts(f.num, f.den)
}

// formatParts writes a fraction in lowest terms.
func formatParts(num, den int64) string {
	switch {
	case den == 1:
		return strconv.FormatInt(num, 10)
	case num > den:
		return fmt.Sprintf("%d %d/%d", num/den, num%den, den)
	}
	return fmt.Sprintf("%d/%d", num, den)
}
