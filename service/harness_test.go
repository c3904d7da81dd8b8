package service_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/postgres"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(database.Removing(m)) }

// database is the PostgreSQL server of all tests that need one and leave it running.
var database pgtest.Shared

// storeVariable names the environment variable that has tests run on PostgreSQL which need no particular store. Those
// with a clock of their own stay on memory: the database has another.
const storeVariable = "WARLEDGER_TEST_STORE"

// usualStore is the store of a test that needs no particular one.
func usualStore(t testing.TB, s *setting) eventstore.Store {
	t.Helper()
	if os.Getenv(storeVariable) == "postgres" && s.clock == nil {
		return onPostgreSQL(t)()
	}
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	return store
}

// inMemory keeps a test on memory whose clock is not the database's.
func inMemory(t testing.TB) func(*setting) {
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	return func(s *setting) { s.store = store }
}

// onPostgreSQL makes a database and opens handles on it.
func onPostgreSQL(t testing.TB) func() eventstore.Store {
	t.Helper()
	dsn, _ := database.Cluster(t).Empty(t)
	return func() eventstore.Store {
		s, err := postgres.Open(context.Background(), dsn, postgres.Options{})
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	}
}

// host is a server with a client, over a pipe that behaves like a network.
type host struct {
	t       testing.TB
	store   eventstore.Store
	service *service.Service
	games   v1.GameServiceClient
	catalog v1.CatalogServiceClient
	conn    *grpc.ClientConn
	dial    func(...grpc.DialOption) (*grpc.ClientConn, error)
	stop    func()
	address string
}

// setting is what a test may want otherwise than usual.
type setting struct {
	store   eventstore.Store
	ruleset rules.Ruleset
	limits  service.Limits
	log     io.Writer
	entropy io.Reader
	clock   func() time.Time
	network bool

	admission   service.Admission
	room        func() bool
	identities  service.Identities
	ownersLogIn bool
	signIn      service.SignIn
	keyrings    service.Keyrings
	signing     *service.Signing
	notices     service.Notices
	talk        service.Talk
	house       []service.House
	level       slog.Level
	metrics     *prometheus.Registry
	traces      trace.TracerProvider
}

// open starts a server; it stops with the test.
func open(t testing.TB, set ...func(*setting)) *host {
	t.Helper()
	s := setting{log: io.Discard, ruleset: toy.Ruleset()}
	for _, f := range set {
		f(&s)
	}
	if s.store == nil {
		s.store = usualStore(t, &s)
	}
	reg, err := rules.NewRegistry(s.ruleset)
	must(t, err)
	if s.metrics == nil {
		s.metrics = prometheus.NewRegistry()
	}
	svc, err := service.New(service.Config{
		Metrics:  s.metrics,
		Registry: reg, Store: s.store, Limits: s.limits,
		Logger: slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: s.level})), Entropy: s.entropy,
		Clock:     s.clock,
		Admission: s.admission, Room: s.room, Identities: s.identities, OwnersLogIn: s.ownersLogIn, Signing: s.signing,
		Notices: s.notices, House: s.house, Talk: s.talk, SignIn: s.signIn, Keyrings: s.keyrings,
	})
	must(t, err)
	srv, err := server.New(svc, server.Options{Metrics: s.metrics, Traces: s.traces})
	must(t, err)
	listener, dial := network(t, s.network)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(listener) }()
	connect := func(more ...grpc.DialOption) (*grpc.ClientConn, error) {
		return grpc.NewClient("passthrough:///"+listener.Addr().String(), append(more,
			grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(dial),
			grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(server.MaxSend),
				grpc.MaxCallRecvMsgSize(server.MaxSend)))...)
	}
	conn, err := connect()
	must(t, err)
	h := &host{address: listener.Addr().String(), t: t, dial: connect, store: s.store, service: svc, conn: conn,
		games: v1.NewGameServiceClient(conn), catalog: v1.NewCatalogServiceClient(conn)}
	stopped := false
	h.stop = func() {
		if stopped {
			return
		}
		stopped = true
		must(t, conn.Close())
		srv.Stop(context.Background(), 0, time.Minute)
		must(t, <-served)
	}
	t.Cleanup(h.stop)
	return h
}

func network(t testing.TB, loopback bool) (net.Listener, func(context.Context, string) (net.Conn, error)) {
	if !loopback {
		l := bufconn.Listen(1 << 20)
		return l, func(ctx context.Context, _ string) (net.Conn, error) { return l.DialContext(ctx) }
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	return l, func(ctx context.Context, addr string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", addr)
	}
}

func openBolt(t testing.TB, path string) *boltstore.Store {
	t.Helper()
	s, err := boltstore.Open(path, boltstore.Options{MapSize: 64 << 20})
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func id() string { return uuid.NewString() }

// as is a context that carries tokens.
func as(tokens ...string) context.Context {
	ctx := context.Background()
	for _, token := range tokens {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	return ctx
}

// table is a game with its tokens.
type table struct {
	*host
	name             string
	owner, red, blue string
}

// create begins a game; both seats are free.
func (h *host) create(set ...func(*v1.CreateGameRequest)) *table {
	h.t.Helper()
	req := &v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}, Title: "A game"}
	for _, f := range set {
		f(req)
	}
	out, err := h.games.CreateGame(as(), req)
	must(h.t, err)
	return &table{host: h, name: out.Game.Name, owner: out.OwnerToken}
}

// seated begins a game with two players.
func (h *host) seated(set ...func(*v1.CreateGameRequest)) *table {
	h.t.Helper()
	g := h.create(set...)
	g.red, g.blue = g.sit("red"), g.sit("blue")
	return g
}

func (g *table) sit(seat string) string {
	g.t.Helper()
	out, err := g.games.TakeSeat(as(),
		&v1.TakeSeatRequest{Name: g.name, Seat: seat, Holder: "player " + seat, RequestId: id(), Entropy: []byte(seat)})
	must(g.t, err)
	return out.SeatToken
}

func manual(dice ...uint32) func(*v1.CreateGameRequest) {
	return func(r *v1.CreateGameRequest) {
		r.Dice, r.ManualDice = logv1.DiceKind_DICE_KIND_MANUAL, dice
	}
}

func (g *table) command(text string, dice ...uint32) *v1.SubmitCommandRequest {
	return &v1.SubmitCommandRequest{Name: g.name, CommandId: id(),
		Form: &v1.SubmitCommandRequest_Notation{Notation: text}, ManualDice: dice}
}

// do makes a command that must be accepted.
func (g *table) do(token, text string, dice ...uint32) *v1.SubmitCommandResponse {
	g.t.Helper()
	out, err := g.games.SubmitCommand(as(token), g.command(text, dice...))
	if err != nil {
		g.t.Fatalf("%s: %v", text, err)
	}
	return out
}

func (g *table) legal(token string) *v1.ListLegalActionsResponse {
	g.t.Helper()
	out, err := g.games.ListLegalActions(as(token), &v1.ListLegalActionsRequest{Name: g.name})
	must(g.t, err)
	return out
}

func (g *table) game(tokens ...string) *v1.Game {
	g.t.Helper()
	out, err := g.games.GetGame(as(tokens...), &v1.GetGameRequest{Name: g.name})
	must(g.t, err)
	return out.Game
}

func (g *table) board(version uint64, tokens ...string) *boardv1.Board {
	g.t.Helper()
	out, err := g.games.GetBoard(as(tokens...), &v1.GetBoardRequest{Name: g.name, Version: version})
	must(g.t, err)
	return out.Board
}

func (g *table) records(whole bool, tokens ...string) []*v1.Record {
	g.t.Helper()
	var all []*v1.Record
	for token := ""; ; {
		out, err := g.games.ListRecords(as(tokens...), &v1.ListRecordsRequest{
			Name: g.name, WholeTree: whole, PageSize: 7, PageToken: token, IncludeProofs: true,
		})
		must(g.t, err)
		all = append(all, out.Records...)
		if token = out.NextPageToken; token == "" {
			return all
		}
	}
}

// tokenOf is the token of whom the game waits for; empty when it is over.
func (g *table) tokenOf(waiting []string) string {
	switch {
	case len(waiting) == 0:
		return ""
	case waiting[0] == "red":
		return g.red
	}
	return g.blue
}

// play makes up to n legal commands, chosen by a little generator, and says whether the game is over.
func (g *table) play(n int, seed uint64) bool {
	g.t.Helper()
	for range n {
		token := g.tokenOf(g.game().WaitingFor)
		if token == "" {
			return true
		}
		choices := g.legal(token).Actions
		if len(choices) == 0 {
			g.t.Fatalf("%s is waited for and has nothing to do", g.game().WaitingFor)
		}
		seed = seed*6364136223846793005 + 1442695040888963407
		g.do(token, choices[int(seed>>33)%len(choices)].Command)
	}
	return g.game().Over
}

// wantError asserts code and reason of an error and gives its metadata.
func wantError(t testing.TB, err error, code codes.Code, reason fault.Reason) map[string]string {
	t.Helper()
	st := status.Convert(err)
	if err == nil || st.Code() != code {
		t.Fatalf("got %v, want %s %s", err, code, reason)
	}
	info := detail[*errdetails.ErrorInfo](st)
	if info == nil || info.Reason != string(reason) || info.Domain != fault.Domain {
		t.Fatalf("got %v with %v, want %s", err, info, reason)
	}
	return info.Metadata
}

// detail finds a detail of a status by its type.
func detail[T any](st *status.Status) (none T) {
	for _, d := range st.Details() {
		if found, ok := d.(T); ok {
			return found
		}
	}
	return none
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
