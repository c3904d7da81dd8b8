package edge

import (
	"context"
	"errors"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// AddressKey is the metadata in which the address of the caller goes inside. Only the server inside the
// process may believe it.
const AddressKey = "warledger-caller-address"

// carried are the headers that go inside: who calls, through what, and the trace that the call belongs
// to. All else ends here.
var carried = []string{"authorization", "x-forwarded-for", "traceparent", "tracestate"}

// forward makes the context of the call inside.
func forward(ctx context.Context, headers http.Header, address string) context.Context {
	md := metadata.Pairs(AddressKey, address)
	for _, key := range carried {
		md.Append(key, headers.Values(key)...)
	}
	return metadata.NewOutgoingContext(ctx, md)
}

// Translate turns gRPC's error into connect's, which connect would otherwise call unknown and strip of its details.
func Translate(err error) error {
	st := status.Convert(err)
	out := connect.NewError(connect.Code(st.Code()), errors.New(st.Message()))
	for _, any := range st.Proto().GetDetails() {
		if d, err := connect.NewErrorDetail(any); err == nil {
			out.AddDetail(d)
		}
	}
	return out
}
