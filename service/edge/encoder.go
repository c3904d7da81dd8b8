package edge

import (
	"context"

	"golang.org/x/sync/semaphore"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Sizes of answers in protobuf that become JSON. An answer of up to encodeFreely does so at once. Of larger ones
// encodeAtOnce bytes do so at a time, or one that is larger still: the message and its JSON take several times as much
// memory, and many callers could otherwise have all their answers half made.
const (
	encodeFreely = 32 << 10
	encodeAtOnce = 4 << 20
)

// encoder makes JSON of answers.
type encoder struct{ room *semaphore.Weighted }

func newEncoder() *encoder { return &encoder{semaphore.NewWeighted(encodeAtOnce)} }

// answer is an answer as it is sent. It came as protobuf, and stays as it came unless its caller wants JSON.
func (e *encoder) answer(ctx context.Context, data []byte, t protoreflect.MessageType, json bool) (*payload, error) {
	if !json {
		return &payload{answer: &data}, nil
	}
	if len(data) > encodeFreely {
		room := min(int64(len(data)), encodeAtOnce)
		if err := e.room.Acquire(ctx, room); err != nil {
			return nil, status.FromContextError(err).Err()
		}
		defer e.room.Release(room)
	}
	m := t.New().Interface()
	err := proto.Unmarshal(data, m)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	text, err := protojson.Marshal(m)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &payload{answer: &text, json: true}, nil
}

// asBytes has a call return the bytes of its answers.
var asBytes = grpc.ForceCodecV2(bytesCodec{encoding.GetCodecV2(grpcproto.Name)})

// bytesCodec is gRPC's own codec, but for answers that shall stay bytes.
type bytesCodec struct{ encoding.CodecV2 }

// Unmarshal decodes a message, or keeps its bytes.
func (c bytesCodec) Unmarshal(data mem.BufferSlice, v any) error {
	if out, ok := v.(*[]byte); ok {
		*out = data.Materialize()
		return nil
	}
	return c.CodecV2.Unmarshal(data, v)
}
