package server_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	"github.com/google/uuid"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a server on loopback with both of its ports.
type running struct {
	t      testing.TB
	srv    *server.Server
	store  eventstore.Store
	conn   *grpc.ClientConn
	ops    string
	web    string
	served chan error
	// sick makes the store not ready.
	sick atomic.Bool
}

func start(t testing.TB, set ...func(*server.Options)) *running {
	t.Helper()
	store := memory.New()
	reg, err := rules.NewRegistry(toy.Ruleset())
	must(t, err)
	figures := prometheus.NewRegistry()
	svc, err := service.New(service.Config{Registry: reg, Store: store, Metrics: figures})
	must(t, err)
	r := &running{t: t, store: store, served: make(chan error, 3)}
	options := server.Options{Reflection: true, Metrics: figures, Ready: func(context.Context) error {
		if r.sick.Load() {
			return errors.New("sick")
		}
		return nil
	}}
	for _, f := range set {
		f(&options)
	}
	r.srv, err = server.New(svc, options)
	must(t, err)
	main, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ops, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	web, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	go func() { r.served <- r.srv.Serve(main) }()
	go func() { r.served <- r.srv.ServeWeb(web) }()
	r.web = "http://" + web.Addr().String()
	go func() { r.served <- r.srv.ServeOperations(ops) }()
	r.ops = "http://" + ops.Addr().String()
	r.conn, err = grpc.NewClient(main.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(t, err)
	t.Cleanup(func() {
		r.srv.Stop(context.Background(), 0, 0)
		must(t, r.conn.Close())
		for range 3 {
			must(t, <-r.served)
		}
		must(t, store.Close())
		http.DefaultClient.CloseIdleConnections()
	})
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func withToken(token string) context.Context {
	return metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+token)
}

// selfSigned is a certificate for tests.
func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"},
		NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (r *running) get(path string) (int, string) {
	r.t.Helper()
	answer, err := http.Get(r.ops + path)
	must(r.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(bufio.NewReader(answer.Body))
	must(r.t, err)
	return answer.StatusCode, string(body)
}

func (r *running) health(name string) healthpb.HealthCheckResponse_ServingStatus {
	r.t.Helper()
	out, err := healthpb.NewHealthClient(r.conn).Check(context.Background(),
		&healthpb.HealthCheckRequest{Service: name}, grpc.WaitForReady(true))
	must(r.t, err)
	return out.Status
}

func (r *running) game() string {
	r.t.Helper()
	out, err := v1.NewGameServiceClient(r.conn).CreateGame(context.Background(), &v1.CreateGameRequest{
		RequestId: uuid.NewString(), Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
	}, grpc.WaitForReady(true))
	must(r.t, err)
	return out.Game.Name
}

func TestHealthAndOperations(t *testing.T) {
	t.Parallel()
	r := start(t)
	for _, name := range []string{"", "warledger.v1.GameService", "warledger.v1.CatalogService"} {
		if got := r.health(name); got != healthpb.HealthCheckResponse_SERVING {
			t.Errorf("%q is %s", name, got)
		}
	}
	r.game()
	if code, body := r.get("/healthz"); code != 200 || body != "ok\n" {
		t.Errorf("/healthz: %d %q", code, body)
	}
	if code, _ := r.get("/readyz"); code != 200 {
		t.Errorf("/readyz: %d", code)
	}
	_, metrics := r.get("/metrics")
	want := `grpc_server_handled_total{grpc_code="OK",grpc_method="CreateGame",` +
		`grpc_service="warledger.v1.GameService",grpc_type="unary"} 1`
	if !strings.Contains(metrics, want) {
		t.Errorf("no %s in the metrics", want)
	}
	r.sick.Store(true)
	if code, _ := r.get("/readyz"); code != 503 {
		t.Errorf("/readyz with a sick store: %d", code)
	}
	if code, _ := r.get("/healthz"); code != 200 {
		t.Errorf("/healthz with a sick store: %d", code)
	}
}

func TestReflection(t *testing.T) {
	t.Parallel()
	r := start(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stream, err := reflectionpb.NewServerReflectionClient(r.conn).ServerReflectionInfo(ctx, grpc.WaitForReady(true))
	must(t, err)
	must(t, stream.Send(
		&reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{}},
	))
	answer, err := stream.Recv()
	must(t, err)
	if n := len(answer.GetListServicesResponse().GetService()); n < 3 {
		t.Errorf("%d services", n)
	}
}

// TestStopInGoodOrder has health say it first, a watch end with its last message, and the stop be clean.
func TestStopInGoodOrder(t *testing.T) {
	t.Parallel()
	r := start(t)
	name := r.game()
	health, err := healthpb.NewHealthClient(r.conn).Watch(context.Background(), &healthpb.HealthCheckRequest{})
	must(t, err)
	if m, err := health.Recv(); err != nil || m.Status != healthpb.HealthCheckResponse_SERVING {
		t.Fatalf("got %v, %v", m, err)
	}
	watch, err := v1.NewGameServiceClient(r.conn).WatchGame(context.Background(), &v1.WatchGameRequest{Name: name})
	must(t, err)
	_, err = watch.Recv()
	must(t, err)
	stopped := make(chan bool, 1)
	go func() { stopped <- r.srv.Stop(context.Background(), 0, time.Minute) }()
	if m, err := health.Recv(); err != nil || m.Status != healthpb.HealthCheckResponse_NOT_SERVING {
		t.Errorf("got %v, %v", m, err)
	}
	for {
		m, err := watch.Recv()
		if err != nil {
			t.Errorf("the watch ended with %v and no last message", err)
			break
		}
		if m.GetGoingAway() != nil {
			break
		}
	}
	if !<-stopped {
		t.Error("calls were cut off")
	}
}

// TestStopCutsOff has a client that does not read hold the server up: after the grace it is cut off.
func TestStopCutsOff(t *testing.T) {
	t.Parallel()
	r := start(t)
	stream, err := reflectionpb.NewServerReflectionClient(r.conn).ServerReflectionInfo(context.Background(),
		grpc.WaitForReady(true))
	must(t, err)
	must(t, stream.Send(
		&reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{}},
	))
	_, err = stream.Recv() // the handler runs, and waits for more
	must(t, err)
	if r.srv.Stop(context.Background(), 0, time.Millisecond) {
		t.Error("the stop was clean although a call did not end")
	}
	if _, err := stream.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("the call ended with %v", err)
	}
}
