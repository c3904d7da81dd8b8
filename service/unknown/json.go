package unknown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// InJSON finds the names in a document that are not fields of a message type: the first 20 of them, in order. The
// document must be valid protobuf JSON but for such names; InJSON finds no other faults.
func InJSON(data []byte, d protoreflect.MessageDescriptor) []Field {
	r := &reader{dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	r.message("", d)
	return r.walk.found
}

// reader walks through a document and its descriptor together.
type reader struct {
	walk walk
	dec  *json.Decoder
	// broken is true if the document ended early or is not JSON.
	broken bool
}

func (r *reader) token() json.Token {
	t, err := r.dec.Token()
	if err != nil {
		r.broken = true
	}
	return t
}

// more reports whether the object or list that is open has more.
func (r *reader) more() bool { return !r.broken && r.dec.More() }

// skip passes over the next value.
func (r *reader) skip() {
	for depth := 0; ; {
		switch r.token() {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 || r.broken {
			return
		}
	}
}

// ownJSON are the messages whose JSON is not made of their fields.
func ownJSON(d protoreflect.MessageDescriptor) bool {
	switch name := string(d.FullName()); strings.TrimPrefix(name, "google.protobuf.") {
	case "Timestamp", "Duration", "FieldMask", "Struct", "Value", "ListValue", "BoolValue", "BytesValue", "DoubleValue",
		"FloatValue", "Int32Value",
		"Int64Value", "StringValue", "UInt32Value", "UInt64Value":
		return name != strings.TrimPrefix(name, "google.protobuf.")
	}
	return false
}

// message reads the next value, which describes a message.
func (r *reader) message(path string, d protoreflect.MessageDescriptor) {
	switch {
	case ownJSON(d):
		r.skip()
		return
	case d.FullName() == "google.protobuf.Any":
		r.any(path)
		return
	}
	if r.token() != json.Delim('{') { // null, or not an object
		return
	}
	r.fields(path, d)
}

// fields reads what is left of an object.
func (r *reader) fields(path string, d protoreflect.MessageDescriptor) {
	for r.more() {
		name, _ := r.token().(string)
		f := d.Fields().ByJSONName(name)
		if f == nil {
			f = d.Fields().ByTextName(name)
		}
		switch at := join(path, clip(name)); {
		case f == nil:
			r.walk.add(at, d)
			r.skip()
		default:
			r.value(at, f)
		}
	}
	r.token()
}

// value reads the value of a field.
func (r *reader) value(at string, f protoreflect.FieldDescriptor) {
	element := f.Message()
	if f.IsMap() {
		element = f.MapValue().Message()
	}
	switch {
	case element == nil:
		r.skip()
	case f.IsMap():
		if r.token() != json.Delim('{') {
			return
		}
		for r.more() {
			key, _ := r.token().(string)
			r.message(fmt.Sprintf("%s[%q]", at, clip(key)), element)
		}
		r.token()
	case f.IsList():
		if r.token() != json.Delim('[') {
			return
		}
		for i := 0; r.more(); i++ {
			r.message(fmt.Sprintf("%s[%d]", at, i), element)
		}
		r.token()
	default:
		r.message(at, element)
	}
}

// any reads a message whose type the document names, anywhere in it.
func (r *reader) any(path string) {
	var raw map[string]json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		r.broken = true
		return
	}
	var kind string
	if json.Unmarshal(raw["@type"], &kind) != nil {
		return
	}
	t, err := protoregistry.GlobalTypes.FindMessageByURL(kind)
	if err != nil {
		return
	}
	delete(raw, "@type")
	d := t.Descriptor()
	if ownJSON(d) || d.FullName() == "google.protobuf.Any" { // their JSON stands in "value"
		for name := range raw {
			if name != "value" {
				r.walk.add(join(path, clip(name)), d)
			}
		}
		return
	}
	inner, err := json.Marshal(raw)
	if err != nil {
		return
	}
	sub := &reader{dec: json.NewDecoder(bytes.NewReader(inner)), walk: r.walk}
	sub.dec.UseNumber()
	sub.message(path, d)
	r.walk = sub.walk
}

func clip(name string) string {
	if len(name) <= 100 {
		return name
	}
	return strings.ToValidUTF8(name[:100], "") + "…"
}
