package service_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

func TestTokensAreNeeded(t *testing.T) {
	t.Parallel()
	h := open(t)
	g, other := h.seated(), h.seated()
	stranger := "wl_s_" + strings.Repeat("a", 52)
	calls := map[string]func(tokens ...string) error{
		"submit": func(tokens ...string) error {
			return second(g.games.SubmitCommand(as(tokens...), g.command("plan 0303")))
		},
		"undo": func(tokens ...string) error {
			return second(g.games.Undo(as(tokens...), &v1.UndoRequest{Name: g.name, RequestId: id()}))
		},
		"redo": func(tokens ...string) error {
			return second(g.games.Redo(as(tokens...), &v1.RedoRequest{Name: g.name, RequestId: id()}))
		},
		"answer": func(tokens ...string) error {
			return second(g.games.AnswerUndo(as(tokens...),
				&v1.AnswerUndoRequest{Name: g.name, Asked: 1, RequestId: id()}))
		},
		"resign": func(tokens ...string) error {
			return second(g.games.Resign(as(tokens...), &v1.ResignRequest{Name: g.name, RequestId: id()}))
		},
		"legal": func(tokens ...string) error {
			return second(g.games.ListLegalActions(as(tokens...), &v1.ListLegalActionsRequest{Name: g.name}))
		},
	}
	for name, call := range calls {
		wantError(t, call(), codes.Unauthenticated, fault.TokenRequired)
		wantError(t, call(stranger), codes.Unauthenticated, fault.TokenUnknown)
		wantError(t, call(other.red), codes.Unauthenticated, fault.TokenUnknown)
		wantError(t, call(g.red, other.blue), codes.Unauthenticated, fault.TokenUnknown)
		wantError(t, call("sesame"), codes.Unauthenticated, fault.TokenMalformed)
		wantError(t, call(g.owner), codes.PermissionDenied, fault.NotYourSeat)
		wantError(t, call(g.red, g.blue), codes.InvalidArgument, fault.SeatRequired)
		if t.Failed() {
			t.Fatalf("in %s", name)
		}
	}
	close := func(tokens ...string) error {
		return second(g.games.CloseGame(as(tokens...), &v1.CloseGameRequest{Name: g.name, RequestId: id()}))
	}
	wantError(t, close(), codes.Unauthenticated, fault.TokenRequired)
	wantError(t, close(g.red), codes.PermissionDenied, fault.NotOwner)
	leave := func(seat string, tokens ...string) error {
		return second(g.games.LeaveSeat(as(tokens...), &v1.LeaveSeatRequest{Name: g.name, Seat: seat, RequestId: id()}))
	}
	wantError(t, leave("red"), codes.Unauthenticated, fault.TokenRequired)
	wantError(t, leave("red", g.blue), codes.PermissionDenied, fault.NotYourSeat)
	wantError(t, leave("green", g.owner), codes.NotFound, fault.SeatNotFound)
	if v := g.game().Version; v != 3 {
		t.Errorf("version %d, want 3", v)
	}
}

func TestOtherSeatsAreClosed(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	list := &v1.ListLegalActionsRequest{Name: g.name, Seat: "blue"}
	meta := wantError(t, second(g.games.ListLegalActions(as(g.red), list)), codes.PermissionDenied, fault.NotYourSeat)
	if meta["seat"] != "blue" || meta["holds"] != "red" {
		t.Errorf("metadata %v", meta)
	}
	list.Seat = "green"
	wantError(t, second(g.games.ListLegalActions(as(g.red), list)), codes.NotFound, fault.SeatNotFound)
	req := g.command("plan 0303")
	req.Seat = "blue"
	wantError(t, second(g.games.SubmitCommand(as(g.red), req)), codes.PermissionDenied, fault.NotYourSeat)
	for _, viewer := range []string{"blue", "green"} {
		code, reason := codes.PermissionDenied, fault.NotYourSeat
		if viewer == "green" {
			code, reason = codes.NotFound, fault.SeatNotFound
		}
		wantError(t, second(g.games.GetBoard(as(g.red), &v1.GetBoardRequest{Name: g.name, Viewer: viewer})),
			code, reason)
		wantError(t, second(g.games.GetPosition(as(g.red), &v1.GetPositionRequest{Name: g.name, Viewer: viewer})),
			code, reason)
		wantError(t, second(g.games.ListRecords(as(g.red), &v1.ListRecordsRequest{Name: g.name, Viewer: viewer})),
			code, reason)
		watch := after(0)
		watch.Viewer = viewer
		_, err := g.watch(watch, g.red).stream.Recv()
		wantError(t, err, code, reason)
	}
}

func TestJoinedHeader(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	ctx := metadata.AppendToOutgoingContext(as(), "authorization", "Bearer "+g.red+", bearer "+g.blue)
	req := g.command("plan 0303")
	req.Seat = "blue"
	must(t, second(g.games.SubmitCommand(ctx, req)))
	for _, bad := range []string{"", "Bearer", "Basic " + g.red, g.red, "Bearer " + g.red + "a",
		"Bearer " + strings.ToUpper(g.red)} {
		ctx := metadata.AppendToOutgoingContext(as(), "authorization", bad)
		wantError(t, second(g.games.GetGame(ctx, &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
			fault.TokenMalformed)
	}
}

func TestCreateIsIdempotent(t *testing.T) {
	t.Parallel()
	h := open(t)
	req := &v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}, Title: "Once"}
	first, err := h.games.CreateGame(as(), req)
	must(t, err)
	again, err := h.games.CreateGame(as(), req)
	must(t, err)
	equal(t, "the answer to a retry", again, first)
	if strings.Contains(first.Game.Name, req.RequestId) || !strings.HasPrefix(first.OwnerToken, "wl_o_") {
		t.Errorf("got %v", first)
	}
	for name, change := range map[string]func(*v1.CreateGameRequest){
		"title":    func(r *v1.CreateGameRequest) { r.Title = "Twice" },
		"scenario": func(r *v1.CreateGameRequest) { r.Source = &v1.CreateGameRequest_Scenario{Scenario: "ford"} },
		"options":  func(r *v1.CreateGameRequest) { r.Options = map[string]string{"pursuit": "true"} },
		"dice":     manual(3),
	} {
		other := proto.CloneOf(req)
		change(other)
		if _, err := h.games.CreateGame(as(), other); err == nil {
			t.Errorf("another %s got an answer", name)
		} else {
			wantError(t, err, codes.AlreadyExists, fault.RequestIDReused)
		}
	}
	thrown := &v1.CreateGameRequest{RequestId: id(), Ruleset: req.Ruleset, Source: req.Source, Dice: 2,
		ManualDice: []uint32{4}}
	for range 2 {
		must(t, second(h.games.CreateGame(as(), thrown)))
	}
	thrown.ManualDice[0] = 5
	wantError(t, second(h.games.CreateGame(as(), thrown)), codes.AlreadyExists, fault.RequestIDReused)
	// Defaults that are spelt out are the same request.
	spelt := proto.CloneOf(req)
	spelt.Options, spelt.Dice = map[string]string{"pursuit": "false"}, 1
	same, err := h.games.CreateGame(as(), spelt)
	must(t, err)
	equal(t, "token", same.OwnerToken, first.OwnerToken)
}

func TestTakeSeatIsIdempotent(t *testing.T) {
	t.Parallel()
	g := open(t).create()
	req := &v1.TakeSeatRequest{Name: g.name, Seat: "red", Holder: "Anna", RequestId: id(), Entropy: []byte{1}}
	first, err := g.games.TakeSeat(as(), req)
	must(t, err)
	again, err := g.games.TakeSeat(as(), req)
	must(t, err)
	equal(t, "the answer to a retry", again, first)
	taken := proto.CloneOf(req)
	taken.RequestId = id()
	if meta := wantError(t, second(g.games.TakeSeat(as(), taken)), codes.FailedPrecondition,
		fault.SeatTaken); meta["holder"] != "Anna" {
		t.Errorf("metadata %v", meta)
	}
	other := proto.CloneOf(req)
	other.Holder = "Berta"
	wantError(t, second(g.games.TakeSeat(as(), other)), codes.AlreadyExists, fault.RequestIDReused)

	// The log is public. What it shows of the request does not get the token.
	record := g.records(true)[1]
	if record.CommandId == req.RequestId || record.CommandId == "" {
		t.Errorf("the log shows the id of the request: %q", record.CommandId)
	}
	thief := proto.CloneOf(req)
	thief.RequestId = record.CommandId
	if out, err := g.games.TakeSeat(as(), thief); err == nil {
		t.Errorf("the log's id got %v", out)
	}
}

func TestLeavingRevokes(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	req := &v1.LeaveSeatRequest{Name: g.name, RequestId: id()}
	for range 2 { // the second is a retry, with a token that is void by then
		out, err := g.games.LeaveSeat(as(g.red), req)
		must(t, err)
		if out.Game.Seats[0].Taken || out.Game.Version != 4 {
			t.Errorf("got %v", out)
		}
	}
	wantError(t, second(g.games.SubmitCommand(as(g.red), g.command("plan 0303"))), codes.Unauthenticated,
		fault.TokenRevoked)
	wantError(t, second(g.games.GetBoard(as(g.red), &v1.GetBoardRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenRevoked)
	wantError(t,
		second(g.games.LeaveSeat(as(g.owner), &v1.LeaveSeatRequest{Name: g.name, Seat: "red", RequestId: id()})),
		codes.FailedPrecondition, fault.SeatFree)
	old := g.red
	g.red = g.sit("red")
	if old == g.red {
		t.Error("the seat has the same token again")
	}
	must(t, second(g.games.SubmitCommand(as(g.red), g.command("plan 0303"))))
}

func TestTokensSurviveARestart(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.seated()
	must(t, second(g.games.LeaveSeat(as(g.blue), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})))
	g.host = open(t, func(s *setting) { s.store = h.store })
	must(t, second(g.games.SubmitCommand(as(g.red), g.command("plan 0303"))))
	wantError(t, second(g.games.GetGame(as(g.blue), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenRevoked)
}

func TestEverythingEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*table) error{
		"resigned": func(g *table) error {
			return second(g.games.Resign(as(g.blue), &v1.ResignRequest{Name: g.name, RequestId: id()}))
		},
		"closed": func(g *table) error {
			return second(g.games.CloseGame(as(g.owner),
				&v1.CloseGameRequest{Name: g.name, Reason: "rain", RequestId: id()}))
		},
		"conceded": func(g *table) error { return second(g.games.SubmitCommand(as(g.red), g.command("concede"))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := redBegins(open(t))
			must(t, end(g))
			game := g.game()
			if !game.Over || game.Ending == nil || game.Ending.Text == "" || len(game.WaitingFor) != 0 {
				t.Fatalf("got %v", game)
			}
			if want := map[string]string{"resigned": "[red]", "closed": "[]",
				"conceded": "[blue]"}[name]; fmt.Sprint(game.Ending.Winners) != want {
				t.Errorf("winners %v, want %s", game.Ending.Winners, want)
			}
			equal(t, "ending of the board", g.board(0).Ending.GetWinners(), game.Ending.GetWinners())
			for _, err := range []error{
				second(g.games.SubmitCommand(as(g.red), g.command("end"))),
				second(g.undo(g.red, 0, true)),
				second(g.redo(g.red)),
				second(g.games.Resign(as(g.red), &v1.ResignRequest{Name: g.name, RequestId: id()})),
				second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})),
				second(g.games.LeaveSeat(as(g.red), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})),
			} {
				wantError(t, err, codes.FailedPrecondition, fault.GameOver)
			}
			if list := g.legal(g.red); len(list.Actions) != 0 {
				t.Errorf("after the end one may %v", list.Actions)
			}
			wantSoundLog(t, g)
		})
	}
}
