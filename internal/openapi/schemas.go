package main

import (
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func reference(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// message adds a message to the schemas, and all that it holds, and refers to it.
func (d document) message(m *protogen.Message) object {
	if ownJSON(m.Desc) {
		return wellKnown(m.Desc)
	}
	name := strings.TrimPrefix(string(m.Desc.FullName()), "warledger.")
	if d.schemas[name] != nil {
		return reference(name)
	}
	properties := object{}
	d.schemas[name] = object{"type": "object", "description": said(m.Comments), "properties": properties}
	for _, f := range m.Fields {
		properties[f.Desc.JSONName()] = d.described(f)
	}
	return reference(name)
}

// described is the schema of a field with its comment.
func (d document) described(f *protogen.Field) object {
	out := d.field(f)
	about := said(f.Comments)
	if o := f.Oneof; o != nil && !o.Desc.IsSynthetic() {
		about = strings.TrimSpace(about + " One of the " + string(o.Desc.Name()) + ", of which there is one at most.")
	}
	out["description"] = about
	return out
}

// field is the schema of a field.
func (d document) field(f *protogen.Field) object {
	switch {
	case f.Desc.IsMap():
		return object{"type": "object", "additionalProperties": d.one(f.Message.Fields[1])}
	case f.Desc.IsList():
		return object{"type": "array", "items": d.one(f)}
	}
	return d.one(f)
}

// one is the schema of one value of a field.
func (d document) one(f *protogen.Field) object {
	switch f.Desc.Kind() {
	case protoreflect.MessageKind:
		return d.message(f.Message)
	case protoreflect.EnumKind:
		var names []string
		for _, v := range f.Enum.Values {
			names = append(names, string(v.Desc.Name()))
		}
		return object{"type": "string", "enum": names}
	case protoreflect.BoolKind:
		return object{"type": "boolean"}
	case protoreflect.StringKind:
		return object{"type": "string"}
	case protoreflect.BytesKind:
		return object{"type": "string", "contentEncoding": "base64"}
	case protoreflect.DoubleKind, protoreflect.FloatKind:
		return object{"type": "number"}
	case protoreflect.Int32Kind, protoreflect.Uint32Kind, protoreflect.Sint32Kind:
		return object{"type": "integer", "format": f.Desc.Kind().String()}
	}
	return object{"type": []string{"string", "integer"}, "format": f.Desc.Kind().String()}
}

// wellKnown is the schema of a message with a JSON of its own.
func wellKnown(m protoreflect.MessageDescriptor) object {
	switch m.Name() {
	case "Timestamp":
		return object{"type": "string", "format": "date-time"}
	case "Duration":
		return object{"type": "string", "description": "Seconds, as in \"1.5s\"."}
	case "Any":
		return object{"type": "object", "required": []string{"@type"}, "additionalProperties": true,
			"properties": object{"@type": object{"type": "string"}}}
	}
	return object{"type": "object"}
}
