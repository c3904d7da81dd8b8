package warledger_test

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// opensEverything is a server that lets whoever holds a seat read as any other.
func opensEverything(as string) warledger.Option {
	return warledger.WithGRPC(grpc.WithUnaryInterceptor(func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		if q, ok := req.(*v1.ListRecordsRequest); ok && q.Viewer != "" && strings.HasSuffix(method, "/ListRecords") {
			other := proto.CloneOf(q)
			other.Viewer = as
			req = other
		}
		return invoke(ctx, method, req, reply, cc, opts...)
	}))
}

// TestNobodyAgreesForAnother: a bridge keeps the chains of red and blue in one store. Red asks for an undo, and the
// server pretends that red's token opens blue's seat too. No consent of blue is kept: blue was not asked yet.
func TestNobodyAgreesForAnother(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue, _, _ := thrownTwice(t, h.addr)
	store := &warledger.Wallet{}
	for seat, p := range map[string]*partner{"red": red, "blue": blue} {
		kept, err := p.wallet.Chain(t.Context(), p.Name(), seat)
		if err != nil || kept == nil {
			t.Fatal(kept, err)
		}
		if err := store.KeepChain(t.Context(), p.Name(), seat, nil, kept); err != nil {
			t.Fatal(err)
		}
	}
	bridge := dial(t, h.addr, warledger.WithTokens(red.wallet), warledger.WithChains(store), opensEverything("red"))
	if _, _, err := bridge.Game(red.Name(), "").ForSeats("red").Undo(t.Context(), 0, true); err != nil {
		t.Fatal(err)
	}
	agreed := make(map[string]int)
	for _, seat := range []string{"red", "blue"} {
		kept, err := store.Chain(t.Context(), red.Name(), seat)
		if err != nil {
			t.Fatal(err)
		}
		agreed[seat] = len(kept.Agreed)
	}
	if agreed["red"] != 1 || agreed["blue"] != 0 {
		t.Errorf("consents kept: %v, expected red's alone", agreed)
	}
}
