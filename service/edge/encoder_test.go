package edge

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// TestLargeAnswersTakeTurns has callers take all the room in which large answers become JSON. Another large answer
// waits, one that is small or stays as it came does not, and none waits for ever.
func TestLargeAnswersTakeTurns(t *testing.T) {
	t.Parallel()
	gone, leave := context.WithCancel(t.Context())
	leave()
	e, request := newEncoder(), new(healthv1.HealthCheckRequest)
	encode := func(ctx context.Context, size int, json bool) error {
		data, err := proto.Marshal(&healthv1.HealthCheckRequest{Service: strings.Repeat("x", size)})
		if err != nil {
			t.Fatal(err)
		}
		out, err := e.answer(ctx, data, request.ProtoReflect().Type(), json)
		if err == nil && len(*out.answer) < size {
			t.Errorf("an answer of %d bytes is %d bytes", size, len(*out.answer))
		}
		return err
	}
	if !e.room.TryAcquire(encodeAtOnce) {
		t.Fatal("there is no room at first")
	}
	if err := encode(gone, 2*encodeFreely, true); status.Code(err) != codes.Canceled {
		t.Errorf("a large answer without room: %v", err)
	}
	for json, size := range map[bool]int{true: encodeFreely / 2, false: 2 * encodeFreely} {
		if err := encode(gone, size, json); err != nil {
			t.Errorf("%d bytes, JSON %v: %v", size, json, err)
		}
	}
	e.room.Release(encodeAtOnce)
	for range 2 { // the room is given back, also by an answer that takes more than there is
		if err := encode(t.Context(), encodeAtOnce+1, true); err != nil {
			t.Errorf("a large answer with room: %v", err)
		}
	}
}
