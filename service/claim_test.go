package service_test

import (
	"fmt"
	"testing"

	"google.golang.org/grpc/codes"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// thrown is a game in which red has thrown dice, and the version before; out says when the owner puts blue out.
func thrown(h *host, out string) (*table, uint64) {
	g := redBegins(h)
	if out == "before" {
		g.leave(g.owner, "blue")
	}
	g.do(g.red, "move r2 0304")
	g.do(g.red, "attack r2 b2", 1)
	if out == "after" {
		g.leave(g.owner, "blue")
	}
	return g, 5
}

// TestOwnersFreeNoUndo: an owner who plays frees the opponent's seat and would take back a throw without anybody's
// consent, to throw again. Whether the seat was freed before the throw or after it, whoever was put out is asked, as
// for the offer of a seat.
func TestOwnersFreeNoUndo(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			g, before := thrown(h, when)
			meta := wantError(t, second(g.undo(g.red, before, false)), codes.FailedPrecondition, fault.UndoBarrier)
			if meta["needed"] != "blue" {
				t.Errorf("metadata %v", meta)
			}
			asked, err := g.undo(g.red, before, true)
			must(t, err)
			if p := asked.Game.PendingUndo; asked.Done || fmt.Sprint(p.GetMissing()) != "[blue]" {
				t.Fatalf("asked %v", asked)
			}
			wantError(t, second(g.answer(g.owner, asked.Game.Version, true)), codes.PermissionDenied, fault.NotYourSeat)
			wantError(t, second(g.games.GetBoard(as(g.blue), &v1.GetBoardRequest{Name: g.name})), codes.Unauthenticated,
				fault.TokenRevoked)
			h.stop() // the question is in the log, and whom it is for
			g.host = open(t, func(s *setting) { s.store = h.store })
			if out, err := g.answer(g.blue, asked.Game.Version, false); err != nil || out.Done ||
				out.Game.PendingUndo != nil {
				t.Fatalf("a refusal: %v, %v", out, err)
			}
			asked, err = g.undo(g.red, before, true)
			must(t, err)
			out, err := g.answer(g.blue, asked.Game.Version, true)
			if err != nil || !out.Done || out.Game.Head != before {
				t.Fatalf("consent: %v, %v", out, err)
			}
			g.do(g.red, "move r2 0304") // and the game goes on
			if sum := g.audit(); sum.Errors != 0 {
				t.Errorf("the audit: %v", sum)
			}
		})
	}
}

// TestWhoeverComesBackIsAsked: a player who was put out and came back is asked as before. The one who holds the seat
// now never agrees alone to take back what is older: it need not be the same player.
func TestWhoeverComesBackIsAsked(t *testing.T) {
	t.Parallel()
	g, before := thrown(open(t), "after")
	back, err := g.take("blue", id(), g.blue)
	must(t, err)
	g.blue = back.SeatToken
	wantError(t, second(g.undo(g.red, before, false)), codes.FailedPrecondition, fault.UndoBarrier)
	both := &v1.UndoRequest{Name: g.name, Seat: "red", Target: before, Ask: true, RequestId: id()}
	wantError(t, second(g.games.Undo(as(g.red, g.blue), both)), codes.FailedPrecondition, fault.UndoBarrier)
	asked, err := g.undo(g.red, before, true)
	must(t, err)
	if fmt.Sprint(asked.Game.PendingUndo.GetMissing()) != "[blue]" {
		t.Fatalf("asked %v", asked)
	}
	g.leave(g.blue, "blue")
	wantError(t, second(g.undo(g.red, before, true)), codes.FailedPrecondition, fault.UndoBarrier)
	g.do(g.red, "move r1 0202")
	must(t, second(g.undo(g.red, 0, false))) // what is red's alone
}

// TestWhoeverRetookHasNoSayOverBefore: somebody who took a freed seat and was freed as well need not be the player who
// held it at the throw. So nobody can agree to take that throw back; what came after the seat was taken is asked about.
func TestWhoeverRetookHasNoSayOverBefore(t *testing.T) {
	t.Parallel()
	g, before := thrown(open(t), "after")
	must(t, second(g.take("blue", id(), g.blue)))
	g.leave(g.owner, "blue")
	for _, ask := range []bool{false, true} {
		meta := wantError(t, second(g.undo(g.red, before, ask)), codes.FailedPrecondition, fault.UndoBarrier)
		if meta["needed"] != "blue" {
			t.Errorf("metadata %v", meta)
		}
	}

	g = redBegins(open(t)) // and a throw from after the seat was taken again
	g.leave(g.owner, "blue")
	back, err := g.take("blue", id(), g.blue)
	must(t, err)
	g.do(g.red, "move r2 0304")
	later := g.game().Head
	g.do(g.red, "attack r2 b2", 1)
	g.leave(g.owner, "blue")
	asked, err := g.undo(g.red, later, true)
	must(t, err)
	out, err := g.answer(back.SeatToken, asked.Game.Version, true)
	if err != nil || !out.Done || out.Game.Head != later {
		t.Errorf("what came after: %v, %v", out, err)
	}
}

// TestWhoeverLeftHasNoSay: a player who left has given the seat up with its say. The audit notes it.
func TestWhoeverLeftHasNoSay(t *testing.T) {
	t.Parallel()
	g, before := thrown(open(t), "")
	g.leave(g.blue, "blue")
	out, err := g.undo(g.red, before, false)
	if err != nil || !out.Done {
		t.Fatalf("got %v, %v", out, err)
	}
	wantError(t, second(g.answer(g.blue, before, true)), codes.FailedPrecondition, fault.UndoNotAsked)
	sum, found := g.examined(g.red)
	if sum.Errors != 0 || len(found) != 1 || found[0].Check != "consent" ||
		found[0].Severity != v1.Severity_SEVERITY_NOTICE {
		t.Errorf("the audit: %v, %v", sum, found)
	}
}

// TestOwnersFreeNoDeadlines: whoever the owner put out is asked about deadlines too, so nobody finds
// other ones on coming back.
func TestOwnersFreeNoDeadlines(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.seated()
	g.leave(g.owner, "blue")
	req := &v1.CreateGameRequest{}
	within(logv1.Lapse_LAPSE_FORFEIT)(req)
	propose := &v1.ProposeDeadlinesRequest{Name: g.name, Deadlines: req.Deadlines, RequestId: id()}
	out, err := h.deadlines().ProposeDeadlines(as(g.owner, g.red), propose)
	must(t, err)
	if out.Done || out.Game.Deadlines != nil || fmt.Sprint(out.Game.PendingDeadlines.GetMissing()) != "[blue]" {
		t.Fatalf("proposed %v", out)
	}
	answer := &v1.AnswerDeadlinesRequest{Name: g.name, Proposed: out.Game.Version, Agree: true, RequestId: id()}
	agreed, err := h.deadlines().AnswerDeadlines(as(g.blue), answer)
	must(t, err)
	if !agreed.Done || agreed.Game.Deadlines == nil {
		t.Errorf("agreed: %v", agreed)
	}
	g.sound()
}
