package service_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

func limited(l service.Limits) func(*setting) { return func(s *setting) { s.limits = l } }

func newGame() *v1.CreateGameRequest {
	return &v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}}
}

// TestQuotaOfGames counts those that are stored already, and lets a retry have the answer that it is owed.
func TestQuotaOfGames(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.create()
	h.stop()
	again := open(t, limited(service.Limits{Games: 2}), func(s *setting) { s.store = h.store })
	last := newGame()
	must(t, second(again.games.CreateGame(as(), last)))
	refused := newGame()
	refused.Source = &v1.CreateGameRequest_Scenario{Scenario: "nowhere"}
	wantError(t, second(again.games.CreateGame(as(), newGame())), codes.ResourceExhausted, fault.TooManyGames)
	wantError(t, second(again.games.CreateGame(as(), refused)), codes.NotFound, fault.ScenarioNotFound)
	must(t, second(again.games.CreateGame(as(), last)))
}

// TestQuotaOfBytes has a game grow to its bound: then nothing but leaving, resigning and closing is stored.
func TestQuotaOfBytes(t *testing.T) {
	t.Parallel()
	g := open(t, limited(service.Limits{GameBytes: 3000})).seated()
	var err error
	for i := 0; err == nil && i < 100; i++ {
		list := g.legal(g.tokenOf(g.game().WaitingFor))
		_, err = g.games.SubmitCommand(as(g.tokenOf(g.game().WaitingFor)), g.command(list.Actions[0].Command))
	}
	wantError(t, err, codes.ResourceExhausted, fault.GameTooLarge)
	version := g.game().Version
	for _, err := range []error{
		second(g.games.Undo(as(g.red, g.blue), &v1.UndoRequest{Name: g.name, Seat: "red", RequestId: id()})),
		second(g.games.SubmitCommand(as(g.tokenOf(g.game().WaitingFor)),
			g.command(g.legal(g.tokenOf(g.game().WaitingFor)).Actions[0].Command))),
	} {
		wantError(t, err, codes.ResourceExhausted, fault.GameTooLarge)
	}
	check := g.command(g.legal(g.tokenOf(g.game().WaitingFor)).Actions[0].Command)
	check.ValidateOnly = true
	must(t, second(g.games.SubmitCommand(as(g.tokenOf(g.game().WaitingFor)), check)))
	if got := g.game().Version; got != version {
		t.Errorf("the game grew from %d to %d", version, got)
	}
	must(t, second(g.games.LeaveSeat(as(g.red), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})))
	wantError(t,
		second(g.games.TakeSeat(as(), &v1.TakeSeatRequest{Name: g.name, Seat: "red", Holder: "x", RequestId: id()})),
		codes.ResourceExhausted, fault.GameTooLarge)
	must(t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
}

// TestUndoAndRedoFillNoGame: a player of a game could fill its log for all by undoing and redoing a free move, and by
// making moves and taking them back. What was taken back takes the seat's share at most, and the game goes on.
func TestUndoAndRedoFillNoGame(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]func(g *table) error{
		"undo and redo": func(g *table) error {
			return second(g.games.Redo(as(g.red), &v1.RedoRequest{Name: g.name, RequestId: id()}))
		},
		"undo and a move": func(g *table) error {
			return second(g.games.SubmitCommand(as(g.red), g.command("move r2 0304")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const limit = 60_000
			g := redBegins(open(t, limited(service.Limits{GameBytes: limit})))
			g.do(g.red, "move r2 0304")
			var err error
			for i := 0; err == nil && i < limit; i++ {
				if i%2 == 0 {
					err = second(g.undo(g.red, 0, false))
				} else {
					err = again(g)
				}
			}
			meta := wantError(t, err, codes.ResourceExhausted, fault.GameTooLarge)
			if meta["limit"] != "15000" {
				t.Errorf("the limit is %s", meta["limit"])
			}
			if name == "undo and redo" && g.game().Head != 5 {
				g.do(g.red, "move r2 0304")
			}
			g.do(g.red, "end")
			g.do(g.blue, g.legal(g.blue).Actions[0].Command)
		})
	}
}

func TestQuotaOfWatches(t *testing.T) {
	t.Parallel()
	h := open(t, limited(service.Limits{GameWatchers: 1}))
	one, two := h.create(), h.create()
	w := one.watch(after(0))
	w.next()
	stream, err := h.games.WatchGame(as(), &v1.WatchGameRequest{Name: one.name})
	must(t, err)
	_, err = stream.Recv()
	wantError(t, err, codes.ResourceExhausted, fault.TooManyWatchers)
	two.watch(after(0)).next()
	for g, want := range map[*table]int32{one: 1, two: 1, h.create(): 0} {
		got, err := h.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})
		must(t, err)
		if got.GetWatches() != want {
			t.Errorf("%s has %d watches, want %d", g.name, got.GetWatches(), want)
		}
	}
	w.stop()
	for { // the place is free once the server has seen the watcher go
		stream, err := h.games.WatchGame(as(), &v1.WatchGameRequest{Name: one.name})
		must(t, err)
		if _, err = stream.Recv(); err == nil {
			return
		}
		wantError(t, err, codes.ResourceExhausted, fault.TooManyWatchers)
	}
}

// gate admits while it is open and counts those inside.
type gate struct {
	shut   bool
	inside chan string
}

func (g *gate) Admit(_ context.Context, method string) (func(), error) {
	if g.shut {
		return nil, fault.New(fault.RateLimited, "too much")
	}
	g.inside <- method
	return func() { <-g.inside }, nil
}

func (*gate) Checked(context.Context, string, bool) {}
func (*gate) Charge(context.Context, int)           {}
func (*gate) Game(context.Context) (func(), error)  { return func() {}, nil }
func (*gate) Store(context.Context, int) error      { return nil }

// Caller is who the test says that it is.
func (g *gate) Caller(ctx context.Context) string {
	md, _ := metadata.FromIncomingContext(ctx)
	return strings.Join(md.Get("caller"), " ")
}

// TestSittingsOfOneCaller: whoever takes a free seat and leaves it again and again is stopped until somebody plays.
// Others, and the owner, still sit down, and a retry still gets its answer.
func TestSittingsOfOneCaller(t *testing.T) {
	t.Parallel()
	g := open(t, func(s *setting) { s.admission = &gate{inside: make(chan string, 1)} }).create()
	red := g.sit("red")
	take := func(caller, request string, tokens ...string) (*v1.TakeSeatResponse, error) {
		return g.games.TakeSeat(metadata.AppendToOutgoingContext(as(tokens...), "caller", caller),
			&v1.TakeSeatRequest{Name: g.name, Seat: "blue", Holder: "X", RequestId: request})
	}
	for range 15 {
		out, err := take("mallory", id())
		must(t, err)
		g.leave(out.SeatToken, "blue")
	}
	last := id()
	out, err := take("mallory", last)
	must(t, err)
	must(t, second(take("mallory", last)))
	g.leave(out.SeatToken, "blue")
	meta := wantError(t, second(take("mallory", id())), codes.ResourceExhausted, fault.TooManyAsides)
	if meta["limit"] != "16" {
		t.Errorf("metadata %v", meta)
	}
	for _, who := range []struct{ caller, token string }{{"bob", ""}, {"mallory", g.owner}} {
		var tokens []string
		if who.token != "" {
			tokens = append(tokens, who.token)
		}
		out, err := take(who.caller, id(), tokens...)
		must(t, err)
		g.leave(out.SeatToken, "blue")
	}
	g.do(red, "plan 0303")
	must(t, second(take("mallory", id())))
}

// TestAdmission asks for every call, and is told when it has ended.
func TestAdmission(t *testing.T) {
	t.Parallel()
	g := &gate{inside: make(chan string, 1)}
	h := open(t, func(s *setting) { s.admission = g })
	name := h.create().name
	must(t, second(h.games.GetGame(as(), &v1.GetGameRequest{Name: name})))
	stream, err := h.games.AuditGame(as(), &v1.AuditGameRequest{Name: name})
	must(t, err)
	for err == nil {
		_, err = stream.Recv()
	}
	if len(g.inside) != 0 {
		t.Errorf("%d calls have not ended", len(g.inside))
	}
	g.shut = true
	wantError(t, second(h.games.GetGame(as(), &v1.GetGameRequest{Name: name})), codes.ResourceExhausted,
		fault.RateLimited)
	stream, err = h.games.AuditGame(as(), &v1.AuditGameRequest{Name: name})
	must(t, err)
	_, err = stream.Recv()
	wantError(t, err, codes.ResourceExhausted, fault.RateLimited)
}

// people knows tokens of identity providers by heart.
type people map[string]service.Identity

func (p people) Identify(_ context.Context, token string) (service.Identity, error) {
	who, ok := p[token]
	if !ok {
		return who, errors.New("never seen")
	}
	return who, nil
}
