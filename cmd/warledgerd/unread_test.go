package main

import (
	"context"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestUnreadByGRPC has a stranger ask for large answers by gRPC and read none. The calls had ended for the server, and
// all their answers lay in its memory, without a bound.
func TestUnreadByGRPC(t *testing.T) {
	t.Parallel()
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "off", "--ops", "off",
		"--db", filepath.Join(t.TempDir(), "x.db"),
		"--free-addresses", "192.0.2.0/24", "--caller-rate", "0", "--address-rate", "0", "--address-calls", "1000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	conn, err := grpc.NewClient(p.grpcAddress(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithStaticStreamWindowSize(64<<10))
	if err != nil {
		t.Fatal(err)
	}
	asked, reason := 0, "served"
	for ; reason == "served" && asked < 1000; asked++ {
		stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true},
			v1.CatalogService_GetScenario_FullMethodName)
		if err == nil {
			err = stream.SendMsg(&v1.GetScenarioRequest{
				Name: "rulesets/ocs/scenarios/crimea-campaign", IncludeMap: true,
			})
		}
		if err == nil {
			err = stream.CloseSend()
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = stream.Header() // it comes with the answer, which is not read
		if err != nil || len(stream.Trailer()) > 0 {
			err = stream.RecvMsg(new(v1.GetScenarioResponse))
		}
		reason = outcome(err)
		if reason == "served" {
			_, err = v1.NewGameServiceClient(conn).ListGames(ctx, new(v1.ListGamesRequest))
			reason = outcome(err)
		}
	}
	if reason != "TOO_MANY_CALLS" || asked < 64 || asked > 300 { // half a megabyte each
		t.Errorf("after %d answers that were not read: %s", asked, reason)
	}
	cancel()
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	p.interrupt()
}
