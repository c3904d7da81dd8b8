package warledger_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/test/bufconn"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// host is a real server on loopback that can be killed and started again on the same address, over the same store.
type host struct {
	t     *testing.T
	store eventstore.Store
	addr  string

	mu      sync.Mutex
	running *server.Server
	served  chan struct{}
}

func newHost(t *testing.T) *host {
	t.Helper()
	return newHostOn(t, memory.New())
}

func newHostOn(t *testing.T, store eventstore.Store) *host {
	t.Helper()
	h := &host{t: t, store: store}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.addr = l.Addr().String()
	h.serve(l)
	t.Cleanup(func() {
		h.stop(0)
		if err := h.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func (h *host) serve(l net.Listener) {
	registry, err := rules.NewRegistry(toy.Ruleset())
	if err != nil {
		h.t.Fatal(err)
	}
	s, err := service.New(service.Config{
		Registry: registry, Store: h.store, Limits: service.Limits{MinHeartbeat: time.Millisecond},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	srv, err := server.New(s, server.Options{})
	if err != nil {
		h.t.Fatal(err)
	}
	h.running, h.served = srv, make(chan struct{})
	go func(done chan struct{}) {
		defer close(done)
		if err := srv.Serve(l); err != nil {
			h.t.Error(err)
		}
	}(h.served)
}

// stop ends the server; calls that run are cut off after the grace.
func (h *host) stop(grace time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.running == nil {
		return
	}
	h.running.Stop(context.Background(), 0, grace)
	<-h.served
	h.running = nil
}

// start serves again on the same address.
func (h *host) start() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		l, err := net.Listen("tcp", h.addr)
		if err == nil {
			h.serve(l)
			return
		}
		h.t.Logf("again: %v", err)
	}
}

// dial makes a client that comes back quickly.
func dial(t *testing.T, target string, opts ...warledger.Option) *warledger.Client {
	t.Helper()
	c, err := warledger.Dial(target,
		append([]warledger.Option{warledger.WithBackoff(time.Millisecond, 20*time.Millisecond)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// seated creates a game of the toy with both seats taken, and gives the handles of its seats.
func seated(t *testing.T, c *warledger.Client, w *warledger.Wallet) (red, blue *warledger.Game) {
	t.Helper()
	made, err := c.Create(t.Context(),
		&v1.CreateGameRequest{Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}})
	if err != nil {
		t.Fatal(err)
	}
	w.Add(made.Game.Name, made.OwnerToken)
	red, blue = c.Game(made.Game.Name, "red"), c.Game(made.Game.Name, "blue")
	for _, g := range []*warledger.Game{red, blue} {
		taken, err := g.Take(t.Context(), g.Seat(), "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		w.Add(g.Name(), taken.SeatToken)
	}
	return red, blue
}

// scripted is a game service that does as a test says.
type scripted struct {
	v1.UnimplementedGameServiceServer
	watch  func(*v1.WatchGameRequest, grpc.ServerStreamingServer[v1.WatchGameResponse]) error
	submit func(context.Context, *v1.SubmitCommandRequest) (*v1.SubmitCommandResponse, error)
	legal  func(context.Context, *v1.ListLegalActionsRequest) (*v1.ListLegalActionsResponse, error)
}

func (s *scripted) WatchGame(req *v1.WatchGameRequest, stream grpc.ServerStreamingServer[v1.WatchGameResponse]) error {
	return s.watch(req, stream)
}

func (s *scripted) SubmitCommand(ctx context.Context, req *v1.SubmitCommandRequest) (*v1.SubmitCommandResponse, error) {
	return s.submit(ctx, req)
}

func (s *scripted) ListLegalActions(
	ctx context.Context, req *v1.ListLegalActionsRequest,
) (*v1.ListLegalActionsResponse, error) {
	return s.legal(ctx, req)
}

// play serves a script and gives a client of it.
func (s *scripted) play(t *testing.T, opts ...warledger.Option) *warledger.Client {
	t.Helper()
	l := bufconn.Listen(1 << 16)
	srv := grpc.NewServer()
	v1.RegisterGameServiceServer(srv, s)
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	t.Cleanup(func() {
		srv.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return dial(t, "passthrough:///localhost",
		append(opts, warledger.WithPlaintext(), warledger.WithGRPC(grpc.WithContextDialer(
			func(ctx context.Context, _ string) (net.Conn, error) { return l.DialContext(ctx) })))...)
}
