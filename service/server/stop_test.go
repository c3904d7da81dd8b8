package server_test

import (
	"context"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

// TestEachStepOfStopping looks at the server from outside at each step: what it answers, and what it does not any more.
func TestEachStepOfStopping(t *testing.T) {
	t.Parallel()
	var r *running
	var steps []server.Step
	name := ""
	call := func() *status.Status {
		_, err := v1.NewGameServiceClient(r.conn).GetGame(context.Background(), &v1.GetGameRequest{Name: name})
		return status.Convert(err)
	}
	r = start(t, func(o *server.Options) {
		o.Step = func(s server.Step) {
			if len(steps) == 5 { // the test's own clean-up stops it once more
				return
			}
			steps = append(steps, s)
			switch s {
			case server.StepNotServing:
				if got := r.health(""); got != healthpb.HealthCheckResponse_SERVING {
					t.Errorf("before it stops health says %s", got)
				}
			case server.StepDrain:
				if got := r.health(""); got != healthpb.HealthCheckResponse_NOT_SERVING {
					t.Errorf("while it drains health says %s", got)
				}
				if code, _ := r.get("/readyz"); code != 503 {
					t.Errorf("while it drains /readyz says %d", code)
				}
				if st := call(); st.Code() != codes.OK {
					t.Errorf("while it drains a call gets %v", st)
				}
			case server.StepCalls:
				st := call()
				if st.Code() != codes.Unavailable || len(st.Details()) == 0 ||
					st.Details()[0].(*errdetails.ErrorInfo).Reason != "SHUTTING_DOWN" {
					t.Errorf("after it has left a call gets %v", st)
				}
				if code, _, body := r.post("/warledger.v1.GameService/ListGames", "{}"); code != 503 {
					t.Errorf("after it has left a call by HTTP gets %d %s", code, body)
				}
			case server.StepClose:
				if code, _ := r.get("/healthz"); code != 200 {
					t.Errorf("to the end who looks after the server can see it stop, but /healthz says %d", code)
				}
			}
		}
	})
	name = r.game()
	if !r.srv.Stop(context.Background(), time.Millisecond, time.Minute) {
		t.Error("calls were cut off")
	}
	want := []server.Step{server.StepNotServing, server.StepDrain, server.StepLeave, server.StepCalls, server.StepClose}
	if !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
}

// TestStoppedBeforeItServes stops a server while Serve begins in another goroutine, and before it does. Serve returns,
// and nothing probes the store afterwards; the race detector sees when one does not wait for the other.
func TestStoppedBeforeItServes(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		var stopped, late atomic.Bool
		store := memory.New()
		reg, err := rules.NewRegistry(toy.Ruleset())
		must(t, err)
		svc, err := service.New(service.Config{Registry: reg, Store: store})
		must(t, err)
		srv, err := server.New(svc, server.Options{ProbeEvery: time.Microsecond, Ready: func(context.Context) error {
			if stopped.Load() {
				late.Store(true)
			}
			return nil
		}})
		must(t, err)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		served := make(chan error, 1)
		serve := func() { served <- srv.Serve(listener) }
		if i%2 == 0 { // at once
			go serve()
		}
		srv.Stop(context.Background(), 0, time.Minute)
		stopped.Store(true)
		if i%2 == 1 { // too late
			go serve()
		}
		if err := <-served; err != nil {
			t.Errorf("Serve of a stopped server says %v", err)
		}
		must(t, store.Close())
		if late.Load() {
			t.Fatal("a stopped server probed its store")
		}
	}
}
