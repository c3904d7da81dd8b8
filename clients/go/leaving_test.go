package warledger_test

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestForgedLeavingWaivesNothing: the operator leaves the seat in blue's name, so red may take the throw back alone.
// Blue's client says so before blue sits down again, and gives no link until blue accepts the undo.
func TestForgedLeavingWaivesNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue, _, two := thrownTwice(t, h.addr)
	if _, err := forger(t, h.addr, "blue", blue).Leave(t.Context(), "blue"); err != nil {
		t.Fatal(err)
	}
	undo := back(t, red.Game, nil, two.Parent)
	var alarm *warledger.ThrowTakenBackError
	_, err := blue.Take(t.Context(), "blue", "blue", nil)
	if !errors.As(err, &alarm) ||
		*alarm != (warledger.ThrowTakenBackError{Seat: "blue", Undo: undo, Throw: two.Version}) {
		t.Fatalf("sitting down again: %v", err)
	}
	if err := blue.AcceptUndo(t.Context(), undo); err != nil {
		t.Fatal(err)
	}
	sitsAgain(t, blue)
	throw(t, of(two, red, blue), red, blue, two.Notation)
}

// TestLeavingIsKept: a leaving that the server refuses is forgotten, and one that is done stays until the next link.
func TestLeavingIsKept(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue := partners(t, h.addr)
	kept := func() []string {
		c, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
		if err != nil {
			t.Fatal(err)
		}
		return c.Leaves
	}
	rolling(t, red, blue)
	if _, err := blue.Leave(t.Context(), "blue"); !errors.Is(err, warledger.ErrDiceAwaited) || len(kept()) != 0 {
		t.Errorf("leaving while a link is owed: %v, kept %v", err, kept())
	}
	answered(t, red, blue)
	if _, err := blue.Leave(t.Context(), ""); err != nil || len(kept()) != 1 {
		t.Errorf("leaving: %v, kept %v", err, kept())
	}
	sitsAgain(t, blue)
	if len(kept()) != 1 {
		t.Errorf("sitting down again forgets it: %v", kept())
	}
	rolling(t, red, blue)
	answered(t, red, blue)
	if len(kept()) != 0 {
		t.Errorf("after the next link: %v", kept())
	}
}

// TestWhoeverAgreesToASuccessorHasNoSay: the owner puts blue out, and blue agrees that another sits down, who agrees to
// take a throw back. Blue comes back without an alarm. If somebody agreed in blue's name, there is one.
func TestWhoeverAgreesToASuccessorHasNoSay(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, forged := range map[string]bool{"blue agrees": false, "somebody agrees in blue's name": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner, red, blue := hosted(t, h.addr)
			thrown := throws(t, red, blue)
			for thrown == nil { // a game may end before
				owner, red, blue = hosted(t, h.addr)
				thrown = throws(t, red, blue)
			}
			if _, err := owner.Leave(t.Context(), "blue"); err != nil {
				t.Fatal(err)
			}
			g, err := owner.OfferSeat(t.Context(), "blue")
			if err != nil {
				t.Fatal(err)
			}
			agrees := blue.Game
			if forged {
				agrees = forger(t, h.addr, "blue", blue)
			}
			for _, one := range []*warledger.Game{red.Game, agrees} {
				if _, _, err := one.AnswerSeat(t.Context(), g.PendingSeat, true); err != nil {
					t.Fatal(err)
				}
			}
			succeeded(t, h.addr, red, thrown.Parent)
			_, err = blue.WithTokens(nil).Take(t.Context(), "blue", "blue", nil)
			if forged != errors.Is(err, warledger.ErrThrowTakenBack) || !forged && err != nil {
				t.Errorf("blue comes back: %v", err)
			}
		})
	}
}

// seatLog is a log of a throw that blue had a part in, and of what follows it: who leaves and sits down, and questions.
func seatLog(t *testing.T, kept *warledger.Chain, after ...any) error {
	t.Helper()
	u := warledger.NewUndos("games/g", "blue", kept)
	add := func(h *logv1.RecordHeader, events ...*logv1.TableEvent) error {
		return u.Add(h, []byte{byte(h.Version)}, events)
	}
	ask := &logv1.TableEvent{Event: &logv1.TableEvent_DiceAsked{DiceAsked: &logv1.DiceAsked{
		Owed: []*logv1.OwedLink{{Seat: "blue", Link: 1}},
	}}}
	if err := errors.Join(
		add(&logv1.RecordHeader{Version: 1, Kind: logv1.RecordKind_RECORD_KIND_CREATED, Head: 1}),
		add(&logv1.RecordHeader{Version: 2, Kind: logv1.RecordKind_RECORD_KIND_ASK, Parent: 1, Head: 1}, ask),
		add(&logv1.RecordHeader{
			Version: 3, Kind: logv1.RecordKind_RECORD_KIND_COMMAND, Parent: 1, Head: 3, Asked: 2,
		}),
	); err != nil {
		t.Fatal(err)
	}
	for i, what := range after {
		h := &logv1.RecordHeader{Version: uint64(i + 4), Kind: logv1.RecordKind_RECORD_KIND_TABLE, Parent: 3, Head: 3}
		var err error
		switch what := what.(type) {
		case *logv1.SeatLeft:
			h.CommandId = "mine"
			err = add(h, &logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: what}})
		case *logv1.SeatTaken:
			err = add(h, &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: what}})
		case *logv1.UndoAsked:
			err = add(h, &logv1.TableEvent{Event: &logv1.TableEvent_UndoAsked{UndoAsked: what}})
		case string: // an undo, with the id of a request
			h.Kind, h.Head, h.CommandId = logv1.RecordKind_RECORD_KIND_UNDO, 1, what
			err = add(h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// TestQuestionsThatDidNotAskThePlayer: blue leaves, red asks for an undo, and blue sits down again before the others
// have agreed. The question did not ask blue, so the undo needs no consent of blue, unless the leaving is a forgery.
func TestQuestionsThatDidNotAskThePlayer(t *testing.T) {
	t.Parallel()
	chain := func(leaves ...string) *warledger.Chain {
		coming := &warledger.Chain{Last: []byte{1}, Length: 1, Next: 1, Left: true}
		return &warledger.Chain{Last: []byte{2}, Length: 1, Next: 1, Leaves: leaves, Coming: coming}
	}
	anchor := func(c *warledger.Chain) *logv1.HashChain {
		all := c.Anchors("games/g", "blue")
		return &logv1.HashChain{Anchor: must(hex.DecodeString(all[len(all)-1])), Length: 1}
	}
	back := &logv1.SeatTaken{Seat: "blue", Chain: anchor(chain())}
	left := &logv1.SeatLeft{Seat: "blue"}
	question := func(target uint64, needed ...string) *logv1.UndoAsked {
		return &logv1.UndoAsked{Seat: "red", Target: target, Needed: needed}
	}
	for name, c := range map[string]struct {
		kept  *warledger.Chain
		log   []any
		alarm bool
	}{
		"asked while away":            {chain("mine"), []any{left, question(1, "green"), back, ""}, false},
		"asked while away, by name":   {chain("mine"), []any{left, question(1, "blue"), back, ""}, true},
		"asked for another version":   {chain("mine"), []any{left, question(2, "green"), back, ""}, true},
		"asked afterwards":            {chain("mine"), []any{left, back, question(1, "green"), ""}, true},
		"done alone afterwards":       {chain("mine"), []any{left, question(1, "green"), back, "r"}, true},
		"away, and the leaving false": {chain("other"), []any{left, question(1, "green"), back, ""}, true},
		"done while away":             {chain("mine"), []any{left, question(1, "green"), "", back}, false},
		"done, and the leaving false": {chain(), []any{left, question(1, "green"), "", back}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := seatLog(t, c.kept, c.log...); errors.Is(err, warledger.ErrThrowTakenBack) != c.alarm {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestOneFalseRefusalSilencesNothing: the operator replaces blue's chain, and answers the one call by which blue's
// client asks whether the seat is still its own that it is not. The log says that it is.
func TestOneFalseRefusalSilencesNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	var lies atomic.Bool
	opt := warledger.WithGRPC(grpc.WithUnaryInterceptor(func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		if q, ok := req.(*v1.ListRecordsRequest); ok && lies.Load() && q.Viewer != "" &&
			strings.HasSuffix(method, "/ListRecords") {
			other := proto.CloneOf(q)
			other.Viewer = "red" // the server refuses with NOT_YOUR_SEAT
			req = other
		}
		return invoke(ctx, method, req, reply, cc, opts...)
	}))
	red, blue := partners(t, h.addr, opt)
	rolling(t, red, blue)
	answered(t, red, blue)
	thief := &partner{wallet: &warledger.Wallet{}}
	thief.client = dial(t, h.addr, warledger.WithTokens(thief.wallet))
	thief.Game = thief.client.Game(blue.Name(), "blue")
	shares(t, blue, thief)
	if _, err := thief.RenewChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	lies.Store(true)
	if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrChainReplaced) {
		t.Errorf("nothing is asked: %v", err)
	}
	rolling(t, red, blue)
	if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrChainReplaced) {
		t.Errorf("a link is asked for: %v", err)
	}
}

// succeeded has a stranger take blue's free seat, agree with red to go back to a version, and leave again.
func succeeded(t *testing.T, addr string, red *partner, target uint64) {
	t.Helper()
	green := &partner{wallet: &warledger.Wallet{}}
	green.client = dial(t, addr, warledger.WithTokens(green.wallet))
	green.Game = green.client.Game(red.Name(), "blue")
	taken, err := green.Take(t.Context(), "blue", "green", nil)
	if err != nil {
		t.Fatal(err)
	}
	green.wallet.Add(green.Name(), taken.SeatToken)
	back(t, red.Game, green.Game, target)
	if _, err := green.Leave(t.Context(), "blue"); err != nil {
		t.Fatal(err)
	}
}

// TestAgreeingToAnotherSeatIsNoSuccessor: the log offers blue's own seat, and the server shows blue, whom the owner put
// out, the offer of another one. Blue agrees to that. A stranger takes blue's seat and agrees that blue's throw is
// taken back. Blue is warned when blue sits down again.
func TestAgreeingToAnotherSeatIsNoSuccessor(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	l := &liar{change: func(reply any) {
		if r, ok := reply.(*v1.GetGameResponse); ok && r.Game.PendingSeat != nil {
			r.Game.PendingSeat.Seat = "green"
		}
	}}
	owner, red, blue := hosted(t, h.addr, l.option())
	thrown := throws(t, red, blue)
	for thrown == nil { // a game may end before
		owner, red, blue = hosted(t, h.addr, l.option())
		thrown = throws(t, red, blue)
	}
	if _, err := owner.Leave(t.Context(), "blue"); err != nil {
		t.Fatal(err)
	}
	offered, err := owner.OfferSeat(t.Context(), "blue")
	if err != nil {
		t.Fatal(err)
	}
	l.lies.Store(true)
	g, err := blue.WithTokens(nil).Get(t.Context())
	l.lies.Store(false)
	if err != nil {
		t.Fatal(err)
	}
	for one, shown := range map[*warledger.Game]*v1.PendingSeat{
		blue.Game: g.PendingSeat, red.Game: offered.PendingSeat,
	} {
		if _, _, err := one.AnswerSeat(t.Context(), shown, true); err != nil {
			t.Fatal(err)
		}
	}
	succeeded(t, h.addr, red, thrown.Parent)
	_, err = blue.WithTokens(nil).Take(t.Context(), "blue", "blue", nil)
	if !errors.Is(err, warledger.ErrThrowTakenBack) {
		t.Errorf("blue comes back: %v", err)
	}
}
