package kit

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// kinds is the oneof that says of what kind a command or an event is: such a message has no other.
func kinds(m protoreflect.Message) protoreflect.OneofDescriptor {
	return m.Descriptor().Oneofs().Get(0)
}

// Chosen is the name of the field that says of what kind a message is; empty if it is of none. It costs a look-up by
// reflection, so it is for the edge.
func Chosen(m proto.Message) string {
	r := m.ProtoReflect()
	f := r.WhichOneof(kinds(r))
	if f == nil {
		return ""
	}
	return string(f.Name())
}

// Choose makes a message one of a kind, by the name of the kind's field, and gives the message in that field to be filled
// in. It panics if there is no such field: names come from a ruleset's table, never from outside.
func Choose(m proto.Message, name string) protoreflect.Message {
	r := m.ProtoReflect()
	return r.Mutable(kinds(r).Fields().ByName(protoreflect.Name(name))).Message()
}
