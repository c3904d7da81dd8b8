package unknown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/service/fault"
)

// most is how many fields are named at most; a request may have thousands.
const most = 20

// Field is a field that a message does not have.
type Field struct {
	// Path is its place, as in "options[2].valeu". In protobuf's binary form the number of a field stands for its
	// name.
	Path string
	// In is the message that does not have it.
	In protoreflect.MessageDescriptor
}

// Err names the unknown fields of a request; nil if none exist.
func Err(fields []Field) error {
	var v fault.Violations
	for _, f := range fields {
		v.Add(f.Path, "%s has no such field, it has %s", f.In.Name(), names(f.In))
	}
	return v.Err(fault.ValidationFailed)
}

// names lists the fields of a message as JSON spells them.
func names(d protoreflect.MessageDescriptor) string {
	fields := d.Fields()
	if fields.Len() == 0 {
		return "none"
	}
	var out []string
	for i := range fields.Len() {
		out = append(out, fields.Get(i).JSONName())
	}
	return strings.Join(out, ", ")
}

// InMessage finds unknown fields of a message, and of the messages in it, that came in protobuf's binary form: the
// first 20 of them, in the order of paths. The contents of an Any are bytes and stay unread.
func InMessage(m protoreflect.Message) []Field {
	w := new(walk)
	w.message("", m)
	slices.SortFunc(w.found, func(a, b Field) int { return cmp.Compare(a.Path, b.Path) })
	return w.found
}

type walk struct{ found []Field }

func (w *walk) add(path string, in protoreflect.MessageDescriptor) {
	if len(w.found) < most {
		w.found = append(w.found, Field{path, in})
	}
}

func (w *walk) message(path string, m protoreflect.Message) {
	for rest := m.GetUnknown(); len(rest) > 0; {
		number, _, n := protowire.ConsumeField(rest)
		if n < 0 { // cannot happen in bytes that were decoded
			break
		}
		w.add(join(path, fmt.Sprint(number)), m.Descriptor())
		rest = rest[n:]
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		at := join(path, f.JSONName())
		switch {
		case f.IsMap():
			if f.MapValue().Message() != nil {
				v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
					w.message(fmt.Sprintf("%s[%q]", at, k.String()), v.Message())
					return len(w.found) < most
				})
			}
		case f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				w.message(fmt.Sprintf("%s[%d]", at, i), v.List().Get(i).Message())
			}
		default:
			w.message(at, v.Message())
		}
		return len(w.found) < most
	})
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
