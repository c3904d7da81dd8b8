package edge

import (
	"errors"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/warledger/warledger/service/elements"
	"github.com/warledger/warledger/service/unknown"
)

// payload holds a message of any type, since handlers are made of descriptors and connect's are made of types.
type payload struct {
	m proto.Message
	// json is true for a request that came as JSON, and for its answer.
	json bool
	// answer is an encoded answer; m is nil then.
	answer *[]byte
	// wrong is the fault of a request that could be read all the same; nil for none.
	wrong error
}

// payloads tells connect how to begin a message of a call.
func payloads(t protoreflect.MessageType) connect.HandlerOption {
	return connect.WithRequestInitializer(func(_ connect.Spec, message any) error {
		p, ok := message.(*payload)
		if !ok {
			return errNoPayload
		}
		p.m = t.New().Interface()
		return nil
	})
}

var errNoPayload = errors.New("edge: expected a payload")

func messageOf(v any) (proto.Message, error) {
	if p, ok := v.(*payload); ok && p.m != nil {
		return p.m, nil
	}
	if m, ok := v.(proto.Message); ok { // connect's own, such as the status of gRPC's errors
		return m, nil
	}
	return nil, errNoPayload
}

// take returns an answer that is encoded already, in the same language, and lets go of it; ok is false for another
// message.
func take(v any, json bool) (data []byte, ok bool, err error) {
	p, is := v.(*payload)
	if !is || p.answer == nil {
		return nil, false, nil
	}
	if p.json != json {
		return nil, false, errNoPayload
	}
	data, p.answer = *p.answer, nil
	return data, true, nil
}

// refused keeps the fault of a request that is not decoded, so that its call answers with all its details.
func refused(v any, err error) error {
	if p, ok := v.(*payload); ok {
		p.wrong = err
		return nil
	}
	return err
}

// protoCodec and jsonCodec are connect's own codecs, for payloads.
type (
	protoCodec struct{}
	jsonCodec  struct{ name string }
)

// Name is what Content-Type calls it.
func (protoCodec) Name() string { return "proto" }

// Marshal encodes a payload.
func (c protoCodec) Marshal(v any) ([]byte, error) { return c.MarshalAppend(nil, v) }

// MarshalAppend encodes a payload after some bytes.
func (protoCodec) MarshalAppend(dst []byte, v any) ([]byte, error) {
	if data, ok, err := take(v, false); ok || err != nil {
		if len(dst) == 0 && len(data) > cap(dst) {
			return data, err
		}
		return append(dst, data...), err
	}
	m, err := messageOf(v)
	if err != nil {
		return nil, err
	}
	return proto.MarshalOptions{}.MarshalAppend(dst, m)
}

// Unmarshal decodes a payload that begins with its type.
func (protoCodec) Unmarshal(data []byte, v any) error {
	m, err := messageOf(v)
	if err != nil {
		return err
	}
	if err := elements.Check(data, m.ProtoReflect().Descriptor()); err != nil {
		return refused(v, err)
	}
	return proto.Unmarshal(data, m)
}

// Name is what Content-Type calls it.
func (c jsonCodec) Name() string { return c.name }

// Marshal encodes a payload.
func (jsonCodec) Marshal(v any) ([]byte, error) {
	if data, ok, err := take(v, true); ok || err != nil {
		return data, err
	}
	m, err := messageOf(v)
	if err != nil {
		return nil, err
	}
	return protojson.Marshal(m)
}

// Unmarshal decodes a payload that begins with its type. The call refuses unknown fields: without them the request asks
// for something else than the page meant.
func (jsonCodec) Unmarshal(data []byte, v any) error {
	m, err := messageOf(v)
	if err != nil {
		return err
	}
	p, ok := v.(*payload)
	if ok {
		p.json = true
	}
	if len(data) == 0 {
		return errors.New("an empty body is not JSON; send {} for a request without fields")
	}
	if err := elements.CheckJSON(data); err != nil {
		return refused(v, err)
	}
	err = protojson.Unmarshal(data, m)
	if err == nil || !ok {
		return err
	}
	again := m.ProtoReflect().New().Interface()
	if (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, again) != nil {
		return err // something else is wrong
	}
	if p.wrong = unknown.Err(unknown.InJSON(data, m.ProtoReflect().Descriptor())); p.wrong == nil {
		return err // a value of an enum
	}
	return nil
}

func codecs() connect.HandlerOption {
	return connect.WithHandlerOptions(
		connect.WithCodec(protoCodec{}), connect.WithCodec(jsonCodec{"json"}),
		connect.WithCodec(jsonCodec{"json; charset=utf-8"}))
}

// messageType finds the Go type of a message that the program was built with.
func messageType(d protoreflect.MessageDescriptor) (protoreflect.MessageType, error) {
	return protoregistry.GlobalTypes.FindMessageByName(d.FullName())
}
