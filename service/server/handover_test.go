package server

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestNothingCountsAfterTheEnd has a handler return its answer after its caller has gone: nobody would take it off the
// count again.
func TestNothingCountsAfterTheEnd(t *testing.T) {
	t.Parallel()
	held := 0
	of := &tally{waits: func(bytes int) error { held = bytes; return nil }}
	if err := of.count(5); err != nil || held != 5 {
		t.Errorf("%d bytes are counted, want 5 (%v)", held, err)
	}
	of.end()
	if err := of.count(7); err != nil || held != 0 {
		t.Errorf("%d bytes are counted after the end (%v)", held, err)
	}
}

// TestHandOver passes answers by hand, but for those that nobody waits for and those that are too large to send.
func TestHandOver(t *testing.T) {
	t.Parallel()
	h := newHandOver()
	answer := func(title int) (got []byte, sent proto.Message) {
		made := &v1.GetGameResponse{Game: &v1.Game{Title: string(make([]byte, title))}}
		inside := func(ctx context.Context, _ string, _, _ any, _ *grpc.ClientConn, _ ...grpc.CallOption) error {
			md, _ := metadata.FromOutgoingContext(ctx)
			out, err := h.unary(metadata.NewIncomingContext(ctx, md), nil, nil,
				func(context.Context, any) (any, error) { return made, nil })
			sent, _ = out.(proto.Message)
			return err
		}
		if err := h.invoke(t.Context(), "x", nil, &got, nil, inside); err != nil {
			t.Fatal(err)
		}
		return got, sent
	}
	if got, sent := answer(100); len(got) < 100 || proto.Size(sent) != 0 {
		t.Errorf("%d bytes are handed over, %d are sent", len(got), proto.Size(sent))
	}
	if got, sent := answer(MaxSend); len(got) != 0 || proto.Size(sent) <= MaxSend {
		t.Errorf("%d bytes are handed over of what is too large, %d are sent", len(got), proto.Size(sent))
	}
	gone := metadata.NewIncomingContext(t.Context(), metadata.Pairs(handOverKey, "1"))
	made := &v1.GetGameResponse{Game: &v1.Game{Title: "x"}}
	out, err := h.unary(gone, nil, nil, func(context.Context, any) (any, error) { return made, nil })
	if out != made || err != nil || len(h.calls) != 0 {
		t.Errorf("nobody waits: %v, %v; %d calls are open", out, err, len(h.calls))
	}
}
