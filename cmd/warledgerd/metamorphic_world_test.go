package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/warledger/warledger/cmd/internal/rulesets"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

// world is a server with one game in a circumstance.
type world struct {
	t     testing.TB
	c     circumstance
	set   rules.Ruleset
	dir   string
	store eventstore.Store

	games   v1.GameServiceClient
	history v1.HistoryServiceClient
	stop    func()

	name   string
	owner  string // the token of whoever created the game
	other  string // another game, to be looked at
	tokens map[string]string
	calls  uint64
	// private is true for a line that only the holders of its seats see.
	private bool
}

// anyone is who holds no seat; of a private line, who holds all.
func (w *world) anyone() context.Context {
	if w.private {
		return w.all()
	}
	return context.Background()
}

// all is who holds every seat.
func (w *world) all() context.Context {
	ctx := context.Background()
	for _, token := range w.tokens {
		ctx = bearer(ctx, token)
	}
	return ctx
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// id is that of the next request: the same in every world.
func (w *world) id() string {
	w.calls++
	return fmt.Sprintf("0b8f5c1e-7d6a-4f0e-9a52-%012x", w.calls)
}

// eachRuleset runs f for every ruleset, all at the same time. Rules start no goroutines: with the race detector the
// toy's server shows what runs side by side.
func eachRuleset(t *testing.T, f func(t *testing.T, set rules.Ruleset)) {
	t.Helper()
	t.Parallel()
	reg, err := rulesets.Registry(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range reg.All() {
		if testing.Short() && set.About().Name != toy.Ruleset().About().Name {
			continue
		}
		t.Run(set.About().Name, func(t *testing.T) {
			t.Parallel()
			f(t, set)
		})
	}
}

// rulesetOf is the ruleset of a name.
func rulesetOf(t testing.TB, name string) rules.Ruleset {
	t.Helper()
	reg, err := rulesets.Registry(true)
	if err != nil {
		t.Fatal(err)
	}
	set, ok := reg.Find(name)
	if !ok {
		t.Fatalf("no ruleset is named %q", name)
	}
	return set
}

// begin opens a store and begins a game whose seats are all held.
func begin(t testing.TB, c circumstance, set rules.Ruleset) *world {
	t.Helper()
	w := &world{t: t, c: c, set: set, dir: t.TempDir(), tokens: map[string]string{}}
	w.store = c.open(t, w.path())
	w.serve(new(fixed))
	ctx := context.Background()
	scenario := cmp.Or(c.scenario, set.ScenarioDocuments()[0].ID)
	for _, name := range []*string{&w.name, &w.other} {
		out, err := w.games.CreateGame(ctx, &v1.CreateGameRequest{
			RequestId: w.id(), Ruleset: "rulesets/" + set.About().Name,
			Source: &v1.CreateGameRequest_Scenario{Scenario: scenario},
		})
		w.must(err)
		*name = out.Game.Name
		w.owner = cmp.Or(w.owner, out.OwnerToken)
	}
	for _, seat := range set.About().Seats {
		out, err := w.games.TakeSeat(ctx,
			&v1.TakeSeatRequest{Name: w.name, Seat: seat.ID, Holder: seat.ID, RequestId: w.id(),
				Entropy: []byte(seat.ID)})
		w.must(err)
		w.tokens[seat.ID] = out.SeatToken
	}
	return w
}

// serve starts a server on the store.
func (w *world) serve(entropy *fixed) {
	w.t.Helper()
	reg, err := rulesets.Registry(true)
	w.must(err)
	svc, err := service.New(service.Config{
		Registry: reg, Store: w.store, Limits: w.c.limits, Entropy: entropy,
		Clock: func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC) },
	})
	w.must(err)
	srv, err := server.New(svc, server.Options{})
	w.must(err)
	listener := bufconn.Listen(1 << 20)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:///pipe", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return listener.DialContext(ctx)
		}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(server.MaxSend)))
	w.must(err)
	w.games, w.history = v1.NewGameServiceClient(conn), v1.NewHistoryServiceClient(conn)
	w.stop = func() {
		w.must(conn.Close())
		srv.Stop(context.Background(), 0, time.Minute)
		w.must(<-served)
	}
}

func (w *world) end() {
	w.stop()
	w.must(w.store.Close())
}

// restart starts the server anew on the same store.
func (w *world) restart() {
	w.stop()
	w.serve(new(fixed))
}

// reopen starts the server anew on the file opened anew.
func (w *world) reopen() {
	w.end()
	w.store = w.c.open(w.t, w.path())
	w.serve(new(fixed))
}

// restore starts the server anew on what a backup holds.
func (w *world) restore() {
	var backup bytes.Buffer
	_, err := w.store.Backup(context.Background(), &backup)
	w.must(err)
	w.end()
	store, err := memory.Restore(&backup)
	w.must(err)
	w.store = store
	w.serve(new(fixed))
}

// lookElsewhere takes another game into memory, where there is room for one.
func (w *world) lookElsewhere() {
	_, err := w.games.GetGame(context.Background(), &v1.GetGameRequest{Name: w.other})
	w.must(err)
}

// take makes a step that must be possible.
func (w *world) take(s step) {
	w.t.Helper()
	if !w.try(s) {
		w.t.Fatalf("%+v is not possible", s)
	}
}

// try makes a step, or says that it is not possible; then it is as if nobody had asked.
func (w *world) try(s step) bool {
	w.t.Helper()
	ctx := bearer(context.Background(), w.tokens[s.seat])
	var err error
	switch id := w.id(); s.kind {
	case undo:
		_, err = w.games.Undo(ctx, &v1.UndoRequest{Name: w.name, RequestId: id})
	case redo:
		_, err = w.games.Redo(ctx, &v1.RedoRequest{Name: w.name, RequestId: id})
	default:
		_, err = w.games.SubmitCommand(ctx, &v1.SubmitCommandRequest{
			Name: w.name, Seat: s.seat, CommandId: id, Form: &v1.SubmitCommandRequest_Notation{Notation: s.command},
		})
	}
	if status.Code(err) == codes.FailedPrecondition {
		w.calls--
		return false
	}
	w.must(err)
	return true
}
