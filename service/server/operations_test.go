package server_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/server"
)

func TestProfilesAndChannelz(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.game()
	for path, want := range map[string]string{
		"/debug/pprof/": "goroutine", "/debug/pprof/goroutine?debug=1": "goroutine profile",
		"/debug/pprof/cmdline": "server.test",
	} {
		if code, body := r.get(path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.100s", path, code, body)
		}
	}
	ops := &running{t: t, web: r.ops}
	if code, _, body := ops.post("/grpc.channelz.v1.Channelz/GetServers", "{}"); code != 200 ||
		!strings.Contains(body, "callsStarted") {
		t.Errorf("channelz: %d %s", code, body)
	}
	if code, _, body := ops.post("/grpc.health.v1.Health/Check", "{}"); code != 200 ||
		!strings.Contains(body, `"SERVING"`) {
		t.Errorf("health: %d %s", code, body)
	}
	for _, path := range []string{"/grpc.channelz.v1.Channelz/GetServers", "/debug/pprof/"} {
		if code, _, _ := r.post(path, "{}"); code != 404 {
			t.Errorf("%s is served to the public: %d", path, code)
		}
	}
	if code, _, _ := ops.post("/warledger.v1.GameService/ListGames", "{}"); code != 404 {
		t.Errorf("games are served on the port for operations: %d", code)
	}
}

// TestHealthFollowsProbes has the store fall ill and recover, and health say so without being asked for readiness.
func TestHealthFollowsProbes(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *server.Options) { o.ProbeEvery = time.Millisecond })
	watch, err := healthpb.NewHealthClient(r.conn).Watch(context.Background(),
		&healthpb.HealthCheckRequest{Service: "warledger.v1.GameService"})
	must(t, err)
	expect := func(want healthpb.HealthCheckResponse_ServingStatus) {
		t.Helper()
		if m, err := watch.Recv(); err != nil || m.Status != want {
			t.Fatalf("health says %v, %v, want %s", m, err, want)
		}
	}
	expect(healthpb.HealthCheckResponse_SERVING)
	r.sick.Store(true)
	expect(healthpb.HealthCheckResponse_NOT_SERVING)
	r.sick.Store(false)
	expect(healthpb.HealthCheckResponse_SERVING)
}

// TestReadyMeansIt has a closed store make the server not ready, by the probe that a server makes unless
// it is told otherwise.
func TestReadyMeansIt(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *server.Options) { o.Ready = nil })
	for range 2 { // the first probe makes its place in the store, the second finds it
		if code, _ := r.get("/readyz"); code != 200 {
			t.Fatalf("/readyz: %d", code)
		}
	}
	must(t, r.store.Close())
	if code, _ := r.get("/readyz"); code != 503 {
		t.Errorf("/readyz with a closed store: %d", code)
	}
	if got := r.health(""); got != healthpb.HealthCheckResponse_NOT_SERVING {
		t.Errorf("health with a closed store: %s", got)
	}
}

// TestTraces follows a command from the call to the append, by gRPC and by HTTP, in the trace that the caller began.
func TestTraces(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewSpanRecorder()
	r := start(t, func(o *server.Options) { o.Traces = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)) })
	name := r.game()
	const parent = "4bf92f3577b34da6a3ce929d0e0e4736"
	body := `{"name":"` + name + `","seat":"red","holder":"x","requestId":"` + uuid.NewString() + `"}`
	code, _, answer := r.post("/warledger.v1.GameService/TakeSeat", body, "Traceparent",
		"00-"+parent+"-00f067aa0ba902b7-01")
	if code != http.StatusOK {
		t.Fatalf("%d %s", code, answer)
	}
	r.srv.Stop(context.Background(), 0, time.Minute) // so that all spans have ended
	byName := map[string]sdktrace.ReadOnlySpan{}
	for _, s := range spans.Ended() {
		if s.SpanContext().TraceID().String() == parent {
			byName[s.Name()] = s
		}
	}
	call, put := byName["warledger.v1.GameService/TakeSeat"], byName["append"]
	if call == nil || put == nil || put.Parent().SpanID() != call.SpanContext().SpanID() {
		t.Fatalf("spans %v", byName)
	}
	if !slices.ContainsFunc(call.Attributes(), func(a attribute.KeyValue) bool {
		return a.Key == "warledger.game" && "games/"+a.Value.AsString() == name
	}) {
		t.Errorf("attributes %v", call.Attributes())
	}
	if !slices.ContainsFunc(spans.Ended(),
		func(s sdktrace.ReadOnlySpan) bool { return s.Name() == "warledger.v1.GameService/CreateGame" }) {
		t.Error("the call by gRPC has no span")
	}
}

// TestMetricsOfCalls finds what a call leaves in the metrics.
func TestMetricsOfCalls(t *testing.T) {
	t.Parallel()
	r := start(t)
	name := r.game()
	_, err := v1.NewGameServiceClient(r.conn).Resign(context.Background(),
		&v1.ResignRequest{Name: name, RequestId: uuid.NewString()})
	if err == nil {
		t.Fatal("nobody may resign")
	}
	_, metrics := r.get("/metrics")
	for _, want := range []string{
		`warledger_errors_total{method="Resign",reason="TOKEN_REQUIRED"} 1`,
		`warledger_game_lookups_total{from="memory"}`,
		"warledger_watchers_behind 0", "warledger_probe_seconds_count",
		"warledger_computers 0", "warledger_computer_seats 0",
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in the metrics", want)
		}
	}
}
