// Package elements bounds how many elements a request has before anybody decodes it. An empty message takes two bytes
// of a request and a hundred of memory once it is decoded, so that the size of a request alone bounds little.
package elements

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/service/fault"
)

const (
	// Most is how many fields, list elements and map entries a request may have.
	Most = 10_000
	// small is how many bytes a request may have without being counted.
	small = 8 << 10
	// deepest is how far messages may lie in messages.
	deepest = 100
	// marked is the number of a field that no contract may have. It stands in a request that was not decoded.
	marked = protowire.FirstReservedNumber
)

// errTooMany tells the caller what is wrong.
func errTooMany() error {
	var v fault.Violations
	v.Add("request", "has more than %d fields and list elements", Most)
	return v.Err(fault.ValidationFailed)
}

// Check returns an error if a message in protobuf's binary form has too many elements. Malformed bytes pass: the
// decoder refuses them.
func Check(data []byte, d protoreflect.MessageDescriptor) error {
	if len(data) > small && count(data, d, 0) > Most {
		return errTooMany()
	}
	return nil
}

// count counts the elements of a message. It stops when there are too many.
func count(data []byte, d protoreflect.MessageDescriptor, depth int) (n int) {
	if depth > deepest {
		return Most + 1
	}
	for len(data) > 0 && n <= Most {
		number, kind, size := protowire.ConsumeTag(data)
		if size < 0 {
			return n
		}
		data = data[size:]
		if size = protowire.ConsumeFieldValue(number, kind, data); size < 0 {
			return n
		}
		n++
		var f protoreflect.FieldDescriptor
		if d != nil {
			f = d.Fields().ByNumber(number)
		}
		if value, _ := protowire.ConsumeBytes(data); kind == protowire.BytesType && f != nil {
			switch {
			case f.Message() != nil: // of a map too: its entries are messages
				n += count(value, f.Message(), depth+1)
			case f.IsPacked():
				n += len(value) // each has a byte at least
			}
		}
		data = data[size:]
	}
	return n
}

// CheckJSON returns an error if a message in JSON has too many elements.
func CheckJSON(data []byte) error {
	if len(data) <= small {
		return nil
	}
	n, text := 0, false
	for i := 0; i < len(data) && n <= Most; i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case !text && (c == ',' || c == '{' || c == '['):
			n++
		}
	}
	if n > Most {
		return errTooMany()
	}
	return nil
}

// Codec decodes messages with another codec, unless they have too many elements. In place of those it makes a message
// for which [Err] returns an error, because gRPC reports every error of a codec as an internal one.
func Codec(inner encoding.CodecV2) encoding.CodecV2 { return codec{inner} }

type codec struct{ encoding.CodecV2 }

// Unmarshal decodes a message.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(proto.Message)
	if !ok || data.Len() <= small {
		return c.CodecV2.Unmarshal(data, v)
	}
	buffer := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buffer.Free()
	if Check(buffer.ReadOnlyData(), m.ProtoReflect().Descriptor()) != nil {
		proto.Reset(m)
		m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, marked, protowire.VarintType), 0))
		return nil
	}
	return c.CodecV2.Unmarshal(data, v)
}

// Err is the error of a message that was not decoded because it has too many elements; nil for any other.
func Err(m protoreflect.Message) error {
	if number, _, n := protowire.ConsumeTag(m.GetUnknown()); n > 0 && number == marked {
		return errTooMany()
	}
	return nil
}
