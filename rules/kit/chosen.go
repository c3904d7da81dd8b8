package kit

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// kinds is the oneof that holds the kind of a command or event: such a message has no other.
func kinds(m protoreflect.Message) protoreflect.OneofDescriptor {
	return m.Descriptor().Oneofs().Get(0)
}

// Chosen is the name of the field that holds the kind of a message; empty if none is set. It uses reflection, so it is
// for the edge.
func Chosen(m proto.Message) string {
	r := m.ProtoReflect()
	f := r.WhichOneof(kinds(r))
	if f == nil {
		return ""
	}
	return string(f.Name())
}

// Choose sets the kind of a message by the name of its field, and returns the message in that field to be filled in.
// It panics if there is no such field: names come from a ruleset's table, never from outside.
func Choose(m proto.Message, name string) protoreflect.Message {
	r := m.ProtoReflect()
	return r.Mutable(kinds(r).Fields().ByName(protoreflect.Name(name))).Message()
}
