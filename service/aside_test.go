package service_test

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// TestAsideLeavesUndoFree has a seat that is not on turn make an offer after another's free move. The move is still
// taken back without consent, and the offer stands as before.
func TestAsideLeavesUndoFree(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	begun := g.board(0, g.red)
	g.do(g.red, "move r2 0304")
	if r := g.do(g.blue, "draw").Record; !r.Aside || r.Carries != 0 {
		t.Fatalf("the offer is %v", r)
	}
	out, err := g.undo(g.red, 0, false)
	must(t, err)
	last := g.newest()
	if !out.Done || out.Game.Head != 9 || last.Version != 9 || last.Seat != "blue" || last.Carries != 7 ||
		!last.Aside || last.Parent != 5 {
		t.Fatalf("%v, with the newest record %v", out, last)
	}
	if f := g.audited(); f != "" {
		t.Error(f)
	}
	accept := false
	for _, a := range g.legal(g.red).Offers {
		accept = accept || a.Kind == "accept"
	}
	if !accept {
		t.Error("the offer is gone")
	}
	equal(t, "pieces", g.board(0, g.red).Pieces, begun.Pieces)
	// Red has nothing more to take back but the plan, which blue has answered.
	wantError(t, second(g.undo(g.red, 0, false)), codes.FailedPrecondition, fault.UndoBarrier)
	// Blue takes its own offer back for good.
	out, err = g.undo(g.blue, 0, false)
	must(t, err)
	if out.Game.Head != 5 || out.Game.Version != 10 {
		t.Errorf("got %v", out)
	}
}

// TestAsideBetweenMoves has a move made on top of an offer: both moves are taken back at once, and one by one.
func TestAsideBetweenMoves(t *testing.T) {
	t.Parallel()
	for _, targets := range [][]uint64{{5}, {0, 0}, {7, 5}} {
		g := redBegins(open(t))
		g.do(g.red, "move r2 0304") // 6
		g.do(g.blue, "draw")        // 7
		g.do(g.red, "move r1 0202") // 8
		for _, target := range targets {
			out, err := g.undo(g.red, target, false)
			must(t, err)
			if !out.Done {
				t.Errorf("to %d: %v", target, out)
			}
		}
		last, line := g.newest(), g.records(false)
		if last.Carries != 7 || last.Parent != 5 || len(line) != 4 && len(line) != 6 || g.audited() != "" {
			t.Errorf("%v: %v on a line of %d, audit %q", targets, last, len(line), g.audited())
		}
		wantError(t, second(g.undo(g.red, last.Parent, false)), codes.FailedPrecondition, fault.NothingToUndo)
	}
}

// TestAsideKeepsQuestion has a seat that is not on turn make an aside while an undo waits for consent. The undo still
// waits, and the aside is repeated after it.
func TestAsideKeepsQuestion(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	g.do(g.red, "move r2 0304")
	g.do(g.red, "attack r2 b2", 6)
	out, err := g.undo(g.red, 5, true)
	must(t, err)
	asked := out.Game.PendingUndo.GetAsked()
	token, other := g.blue, g.red
	if waiting := g.game().WaitingFor[0]; waiting == "blue" {
		token, other = g.red, g.blue
	}
	if r := g.do(token, "draw").Record; !r.Aside {
		t.Fatalf("%v", r)
	}
	_ = other
	if p := g.game().PendingUndo; p.GetAsked() != asked {
		t.Fatalf("the question is gone: %v", p)
	}
	done, err := g.answer(g.blue, asked, true)
	must(t, err)
	if !done.Done {
		t.Errorf("%v", done)
	}
	if token == g.blue && g.newest().Carries == 0 {
		t.Errorf("the words are gone: %v", g.newest())
	}
	if f := g.audited(); f != "" {
		t.Error(f)
	}
}

// TestAsideLeavesVersions has commands and previews with an expected version pass if only asides of others and changes
// of the table came since.
func TestAsideLeavesVersions(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	listed := g.legal(g.red).Version
	g.do(g.blue, "draw")
	_, err := g.games.LeaveSeat(as(g.blue), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})
	must(t, err)
	req := g.command("move r2 0304")
	req.ExpectedVersion = &listed
	_, err = g.games.PreviewCommand(as(g.red),
		&v1.PreviewCommandRequest{Name: g.name, Form: &v1.PreviewCommandRequest_Notation{Notation: "move r2 0304"},
			ExpectedVersion: &listed})
	must(t, err)
	must(t, second(g.games.SubmitCommand(as(g.red), req)))
	req = g.command("move r1 0202")
	req.ExpectedVersion = &listed
	// it has moved itself
	wantError(t, second(g.games.SubmitCommand(as(g.red), req)), codes.Aborted, fault.VersionConflict)
	req.ExpectedVersion = proto.Uint64(99)
	wantError(t, second(g.games.SubmitCommand(as(g.red), req)), codes.Aborted, fault.VersionConflict)
}

// TestOfferOnTurnIsNoAside has the seat on turn make an offer: that is a command like its others, and a seat that is
// not on turn cannot take it back.
func TestOfferOnTurnIsNoAside(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	if r := g.do(g.red, "draw").Record; r.Aside {
		t.Errorf("%v", r)
	}
	if r := g.do(g.blue, "draw").Record; !r.Aside {
		t.Errorf("%v", r)
	}
	out, err := g.undo(g.red, 0, false)
	must(t, err)
	if last := g.newest(); !out.Done || last.Carries != 7 {
		t.Errorf("%v, %v", out, last)
	}
}

// TestQuestionsAreBounded has a seat ask for an undo and withdraw again and again: the log cannot be filled with that.
func TestQuestionsAreBounded(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	g.do(g.red, "move r2 0304")
	var err error
	asked := 0
	for ; err == nil && asked < 100; asked++ {
		var out *v1.UndoResponse
		if out, err = g.undo(g.blue, 5, true); err == nil {
			must(t, second(g.answer(g.blue, out.Game.PendingUndo.Asked, false)))
		}
	}
	wantError(t, err, codes.ResourceExhausted, fault.TooManyAsides)
	g.do(g.red, "move r1 0202")
	must(t, second(g.undo(g.blue, 5, true)))
}

// TestForkKeepsAsides has a fork copy an aside as one.
func TestForkKeepsAsides(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	g.do(g.blue, "draw")
	must(t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
	out, err := v1.NewHistoryServiceClient(g.conn).ForkGame(as(),
		&v1.ForkGameRequest{Name: g.name, RequestId: id(), Dice: logv1.DiceKind_DICE_KIND_COMMITTED})
	must(t, err)
	f := &table{host: g.host, name: out.Game.Name, owner: out.OwnerToken}
	if r := f.newest(); !r.Aside || r.Seat != "blue" {
		t.Errorf("%v", r)
	}
	if what := f.findings(); len(what) > 0 {
		t.Error(what)
	}
}

// audited lists the errors of an audit; empty for none.
func (g *table) audited() (wrong string) {
	g.t.Helper()
	for _, f := range g.findings(g.red, g.blue) {
		wrong += f + "\n"
	}
	return wrong
}
