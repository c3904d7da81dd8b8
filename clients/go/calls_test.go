package warledger_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	warledger "github.com/warledger/warledger/clients/go"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	faults "github.com/warledger/warledger/service/fault"
)

// TestReasonsAreThoseOfTheServer: the client's table is the twin of the server's.
func TestReasonsAreThoseOfTheServer(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, row := range faults.Table() {
		want = append(want, string(row.Reason))
	}
	for _, r := range warledger.Reasons() {
		got = append(got, string(r))
	}
	less := func(a, b string) bool { return a < b }
	if diff := cmp.Diff(want, got, sorted(less)); diff != "" {
		t.Errorf("reasons (-server +client):\n%s", diff)
	}
}

func TestSubmitRepeatsWithTheSameID(t *testing.T) {
	t.Parallel()
	ids := map[string]int{}
	tries := 0
	s := &scripted{submit: func(_ context.Context, req *v1.SubmitCommandRequest) (*v1.SubmitCommandResponse, error) {
		ids[req.CommandId]++
		if tries++; tries < 9 { // more often than gRPC itself repeats
			return nil, status.Error(codes.Unavailable, "not yet")
		}
		return &v1.SubmitCommandResponse{Record: &v1.Record{Version: 7}}, nil
	}}
	done, err := s.play(t).Game("g", "red").Submit(t.Context(), warledger.Move{Notation: "end"})
	if err != nil || done.Record.Version != 7 {
		t.Errorf("gave %v, %v", done, err)
	}
	if len(ids) != 1 || tries != 9 {
		t.Errorf("%d tries with ids %v", tries, ids)
	}
}

func TestSubmitDoesNotRepeatWhatWasAnswered(t *testing.T) {
	t.Parallel()
	for _, code := range []codes.Code{codes.Aborted, codes.FailedPrecondition, codes.Internal, codes.DeadlineExceeded,
		codes.ResourceExhausted} {
		tries := 0
		s := &scripted{submit: func(context.Context, *v1.SubmitCommandRequest) (*v1.SubmitCommandResponse, error) {
			tries++
			return nil, status.Error(code, "no")
		}}
		if _, err := s.play(t).Game("g", "red").Submit(t.Context(),
			warledger.Move{Notation: "end"}); status.Code(err) != code {
			t.Errorf("%v gave %v", code, err)
		}
		if tries != 1 {
			t.Errorf("%v was tried %d times", code, tries)
		}
	}
}

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{submit: func(context.Context, *v1.SubmitCommandRequest) (*v1.SubmitCommandResponse, error) {
			return nil, status.Error(codes.Unavailable, "never")
		}}
		const patience = time.Minute
		c, begun := s.play(t, warledger.WithPatience(patience)), time.Now()
		if _, err := c.Game("g", "red").Submit(t.Context(),
			warledger.Move{Notation: "end"}); status.Code(err) != codes.Unavailable {
			t.Errorf("gave %v", err)
		}
		if took := time.Since(begun); took > patience || took < patience/2 {
			t.Errorf("gave up after %s", took)
		}
	})
}

// TestLegalBeginsAnewWhenTheGameMovesOn: what was listed before is dropped.
func TestLegalBeginsAnewWhenTheGameMovesOn(t *testing.T) {
	t.Parallel()
	version, moves := uint64(5), 2
	s :=
		&scripted{legal: func(
			_ context.Context, req *v1.ListLegalActionsRequest,
		) (*v1.ListLegalActionsResponse, error) {
			page := 0
			if req.PageToken != "" {
				var of uint64
				fmt.Sscanf(req.PageToken, "%d/%d", &of, &page)
				if page == 1 && moves > 0 { // somebody moves while the second page is asked for
					moves--
					version++
				}
				if of != version {
					return nil, fault(codes.Aborted, warledger.ErrVersionConflict)
				}
			}
			resp := &v1.ListLegalActionsResponse{Version: version, TotalSize: 6}
			for i := range 2 {
				resp.Actions = append(resp.Actions,
					&boardv1.Action{Command: fmt.Sprintf("v%d action %d", version, 2*page+i)})
			}
			if page < 2 {
				resp.NextPageToken = fmt.Sprintf("%d/%d", version, page+1)
			}
			return resp, nil
		}}
	all, err := s.play(t).Game("g", "red").ListLegal(t.Context(), warledger.LegalQuery{PageSize: 2})
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for i, a := range all {
		got = append(got, a.Command)
		want = append(want, fmt.Sprintf("v7 action %d", i))
		if a.Version != 7 || a.Index != i || a.Total != 6 {
			t.Errorf("action %d is %+v", i, a)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 6 {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}

func TestErrorsOfARealServer(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	wallet := &warledger.Wallet{}
	c := dial(t, h.addr, warledger.WithTokens(wallet))
	red, blue := seated(t, c, wallet)
	ctx := t.Context()
	for seat, g := range map[string]*warledger.Game{"red": red, "blue": blue} {
		if _, err := g.Submit(ctx, warledger.Move{Notation: "plan 0103"}); err != nil {
			t.Fatalf("%s: %v", seat, err)
		}
	}
	g, err := red.Get(ctx)
	if err != nil {
		t.Fatal(err)
	}
	seats := map[string]*warledger.Game{"red": red, "blue": blue}
	first := seats[g.WaitingFor[0]]
	unit := map[string]string{"red": "r1", "blue": "b1"}[first.Seat()]

	_, err = first.InLanguage("ja").Submit(ctx, warledger.Move{Notation: "move " + unit + " 0303"})
	var refused *warledger.Refused
	if !errors.As(err, &refused) {
		t.Fatalf("an illegal move gave %v", err)
	}
	if refused.Rule != "TY 4.1" || refused.Title != "移動" || refused.Ruleset != "toy" ||
		refused.Reason != warledger.ErrIllegalCommand || refused.Message == "" ||
		refused.Words == "" || refused.Words == refused.Message || refused.Metadata["rule"] != "TY 4.1" {
		t.Errorf("refused: %+v", refused)
	}
	var plain *warledger.Error
	if !errors.As(err, &plain) || !errors.Is(err, warledger.ErrIllegalCommand) ||
		status.Code(err) != codes.FailedPrecondition {
		t.Errorf("a refusal is no %T or %v", plain, warledger.ErrIllegalCommand)
	}

	for name, c := range map[string]struct {
		do   func() error
		want warledger.Reason
	}{
		"a stale version": {func() error {
			_, err := first.Submit(ctx, warledger.Move{Notation: "end", Expected: 1})
			return err
		}, warledger.ErrVersionConflict},
		"a game that is not there": {func() error {
			_, err := c.Game("aaaaaaaaaaaaaaaaaaaaaaaaaa", "").Get(ctx)
			return err
		}, warledger.ErrGameNotFound},
		"a seat that is held": {func() error {
			_, err := red.Take(ctx, "red", "me", nil)
			return err
		}, warledger.ErrSeatTaken},
		"no token": {func() error {
			_, err := red.WithTokens(nil).Submit(ctx, warledger.Move{Notation: "end"})
			return err
		}, warledger.ErrTokenRequired},
		"no such command": {func() error {
			_, err := first.Submit(ctx, warledger.Move{Notation: "fly"})
			return err
		}, warledger.ErrMalformedCommand},
		"an id used twice": {func() error {
			const id = "6b1a7e64-4a1c-4cf4-8f5b-3a6c8b0b6f11"
			if _, err := first.Submit(ctx, warledger.Move{Notation: "end", ID: id}); err != nil {
				return err
			}
			_, err := first.Submit(ctx, warledger.Move{Notation: "scout", ID: id})
			return err
		}, warledger.ErrRequestIDReused},
		"a field that is wrong": {func() error {
			for _, err := range c.List(ctx, &v1.ListGamesRequest{PageSize: -1}) {
				return err
			}
			return nil
		}, warledger.ErrValidationFailed},
	} {
		if err := c.do(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestTableAndUndo(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	wallet := &warledger.Wallet{}
	c := dial(t, h.addr, warledger.WithTokens(wallet))
	red, blue := seated(t, c, wallet)
	ctx := t.Context()
	if _, err := red.Submit(ctx, warledger.Move{Notation: "plan 0103"}); err != nil {
		t.Fatal(err)
	}
	if g, done, err := red.Undo(ctx, 0, false); err != nil || !done || g.Head != 1 {
		t.Errorf("undo: %v, %v, %v", g, done, err)
	}
	if g, err := red.Redo(ctx); err != nil || g.Head != 4 {
		t.Errorf("redo: %v, %v", g, err)
	}
	if _, err := blue.Submit(ctx, warledger.Move{Notation: "plan 0103"}); err != nil {
		t.Fatal(err)
	}
	narrow := func(g *warledger.Game) *warledger.Game { // with its own token alone
		held, _ := wallet.Tokens(ctx, g.Name())
		at := map[string]int{"red": 1, "blue": 2}[g.Seat()]
		own := &warledger.Wallet{}
		own.Add(g.Name(), held[at])
		return g.WithTokens(own)
	}
	red, blue = narrow(red), narrow(blue)
	if _, _, err := red.Undo(ctx, 1, false); !errors.Is(err, warledger.ErrUndoBarrier) {
		t.Errorf("undo of another's command: %v", err)
	}
	g, done, err := red.Undo(ctx, 1, true)
	if err != nil || done || g.PendingUndo == nil {
		t.Fatalf("asked: %v, %v, %v", g, done, err)
	}
	if g, done, err = blue.Answer(ctx, g.PendingUndo, true); err != nil || !done || g.Head != 1 {
		t.Errorf("answered: %v, %v, %v", g, done, err)
	}
	if _, err := blue.Leave(ctx, "blue"); err != nil {
		t.Error(err)
	}
	if _, err := blue.Submit(ctx, warledger.Move{Notation: "end"}); !errors.Is(err, warledger.ErrTokenRevoked) {
		t.Errorf("a seat that was left: %v", err)
	}
	if g, err := red.Resign(ctx); err != nil || !g.Over {
		t.Errorf("resigned: %v, %v", g, err)
	}
	sum := false
	for m, err := range red.Audit(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		sum = sum || m.GetSummary() != nil
	}
	if !sum {
		t.Error("the audit has no summary")
	}
}

// TestCallsNameTheirGame wants each call and watch about a game to have the header by which load balancers keep the
// calls of a game at one server.
func TestCallsNameTheirGame(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	named := map[string]string{}
	note := func(ctx context.Context, method string) {
		mu.Lock()
		defer mu.Unlock()
		out, _ := metadata.FromOutgoingContext(ctx)
		named[path.Base(method)] = strings.Join(out.Get("warledger-game"), " ")
	}
	h := newHost(t)
	w := new(warledger.Wallet)
	c := dial(t, h.addr, warledger.WithTokens(w), warledger.WithGRPC(
		grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, in, out any, conn *grpc.ClientConn,
			call grpc.UnaryInvoker, o ...grpc.CallOption) error {
			note(ctx, method)
			return call(ctx, method, in, out, conn, o...)
		}),
		grpc.WithChainStreamInterceptor(func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn,
			method string, call grpc.Streamer, o ...grpc.CallOption) (grpc.ClientStream, error) {
			note(ctx, method)
			return call(ctx, desc, conn, method, o...)
		})))
	red, _ := seated(t, c, w)
	for _, err := range red.Legal(t.Context(), warledger.LegalQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range red.Watch(t.Context(), warledger.WatchOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	for method, want := range map[string]string{
		"CreateGame": "", "TakeSeat": red.Name(), "ListLegalActions": red.Name(), "WatchGame": red.Name(),
	} {
		if got, called := named[method]; !called || got != want {
			t.Errorf("%s names the game %q, want %q (called: %v)", method, got, want, called)
		}
	}
}
