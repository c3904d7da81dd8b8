package elements_test

import (
	"runtime"
	"strings"
	"testing"

	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/elements"
)

// requests are the messages that calls of the contract take.
func requests() map[protoreflect.FullName]protoreflect.MessageType {
	out := make(map[protoreflect.FullName]protoreflect.MessageType)
	protoregistry.GlobalFiles.RangeFilesByPackage("warledger.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				name := methods.Get(j).Input().FullName()
				if t, err := protoregistry.GlobalTypes.FindMessageByName(name); err == nil {
					out[name] = t
				}
			}
		}
		return true
	})
	return out
}

// lists calls do with each field of a message that may come many times, and of the messages in it. wrap makes the
// message of such a field's bytes.
func lists(d protoreflect.MessageDescriptor, depth int, wrap func([]byte) []byte,
	do func(protoreflect.FieldDescriptor, func([]byte) []byte)) {
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if f.IsList() || f.IsMap() {
			do(f, wrap)
		}
		if f.Message() != nil && depth > 0 {
			lists(f.Message(), depth-1, func(b []byte) []byte {
				return wrap(protowire.AppendBytes(protowire.AppendTag(nil, f.Number(), protowire.BytesType), b))
			}, do)
		}
	}
}

// many are n of the smallest elements of a field.
func many(f protoreflect.FieldDescriptor, n int) (out []byte) {
	if f.IsPacked() {
		return protowire.AppendBytes(protowire.AppendTag(nil, f.Number(), protowire.BytesType), make([]byte, n))
	}
	for range n {
		out = protowire.AppendBytes(protowire.AppendTag(out, f.Number(), protowire.BytesType), nil)
	}
	return out
}

// TestManySmallElements: a stranger's request of some megabytes held millions of empty messages, which took a hundred
// times as much once they were decoded. No list of any request may have so many that it matters, and the request is
// refused before it is decoded.
func TestManySmallElements(t *testing.T) {
	codec := elements.Codec(encoding.GetCodecV2(grpcproto.Name))
	decode := func(kind protoreflect.MessageType, data []byte) (proto.Message, uint64) {
		m := kind.New().Interface()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := codec.Unmarshal(mem.BufferSlice{mem.SliceBuffer(data)}, m); err != nil {
			t.Errorf("%s: %v", kind.Descriptor().Name(), err)
		}
		runtime.ReadMemStats(&after)
		return m, after.TotalAlloc - before.TotalAlloc
	}
	fields := 0
	for name, kind := range requests() {
		lists(kind.Descriptor(), 3, func(b []byte) []byte { return b },
			func(f protoreflect.FieldDescriptor, wrap func([]byte) []byte) {
				fields++
				m, took := decode(kind, wrap(many(f, 1<<18)))
				err := elements.Err(m.ProtoReflect())
				if err == nil || proto.Size(m) > 100 {
					t.Errorf("%s, %s: decoded to %d bytes", name, f.FullName(), proto.Size(m))
				}
				if took > 2<<20 {
					t.Errorf("%s, %s: took %d bytes", name, f.FullName(), took)
				}
				// entries of a map without keys are one
				if m, _ := decode(kind, wrap(many(f, elements.Most/2))); elements.Err(m.ProtoReflect()) != nil ||
					!f.IsMap() && proto.Size(m) < elements.Most/2 {
					t.Errorf("%s, %s: half as many as allowed are refused", name, f.FullName())
				}
			})
	}
	if fields < 10 {
		t.Errorf("only %d fields are lists", fields)
	}
	t.Logf("%d fields of %d requests", fields, len(requests()))
}

// TestManyInJSON: the same by JSON, in which commas and brackets in a text are no elements.
func TestManyInJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		refused    bool
	}{
		{"messages", "[" + strings.Repeat("{},", 20_000) + "{}]", true},
		{"deep", strings.Repeat("[", 20_000), true},
		{"numbers", "[" + strings.Repeat("1,", 20_000) + "1]", true},
		{"few", "[" + strings.Repeat("{},", 4_000) + "{}]", false},
		{"a text", `{"a": "` + strings.Repeat(`,{[\"`, 20_000) + `"}`, false},
		{"blanks", `{"a": 1` + strings.Repeat(" ", 1<<20) + "}", false},
	} {
		if err := elements.CheckJSON([]byte(c.body)); (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestBytesAreNoElements: a document of megabytes, and bytes that are no message, are not counted.
func TestBytesAreNoElements(t *testing.T) {
	t.Parallel()
	large := &v1.CreateGameRequest{Source: &v1.CreateGameRequest_ScenarioDocument{
		ScenarioDocument: make([]byte, 4<<20)}, Deadlines: &logv1.Deadlines{
		Reminders: []*durationpb.Duration{durationpb.New(1)}}}
	data, err := proto.Marshal(large)
	if err != nil {
		t.Fatal(err)
	}
	d := large.ProtoReflect().Descriptor()
	if err := elements.Check(data, d); err != nil {
		t.Error(err)
	}
	if err := elements.Check(make([]byte, 1<<20), d); err != nil {
		t.Errorf("bytes that are no message: %v", err)
	}
}
