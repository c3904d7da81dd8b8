package service

import (
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/warledger/warledger/service/unknown"
)

// changing are the methods that change something, according to the contract.
var changing = sync.OnceValue(func() map[string]bool {
	out := make(map[string]bool)
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				m := methods.Get(j)
				o, _ := m.Options().(*descriptorpb.MethodOptions)
				if o.GetIdempotencyLevel() != descriptorpb.MethodOptions_NO_SIDE_EFFECTS {
					out["/"+string(m.Parent().FullName())+"/"+string(m.Name())] = true
				}
			}
		}
		return true
	})
	return out
})

// understood refuses a request that would change something and has unknown fields. Its client is newer, and would get
// something else than it asked for. Calls that only read may have such fields, as protobuf allows.
func understood(method string, req any) error {
	m, ok := req.(proto.Message)
	if !ok || !changing()[method] {
		return nil
	}
	return unknown.Err(unknown.InMessage(m.ProtoReflect()))
}
