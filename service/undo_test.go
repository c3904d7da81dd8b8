package service_test

import (
	"fmt"
	"testing"

	"google.golang.org/grpc/codes"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

func (g *table) undo(token string, target uint64, ask bool) (*v1.UndoResponse, error) {
	return g.games.Undo(as(token), &v1.UndoRequest{Name: g.name, Target: target, Ask: ask, RequestId: id()})
}

func (g *table) redo(token string) (*v1.RedoResponse, error) {
	return g.games.Redo(as(token), &v1.RedoRequest{Name: g.name, RequestId: id()})
}

func (g *table) answer(token string, asked uint64, agree bool) (*v1.AnswerUndoResponse, error) {
	return g.games.AnswerUndo(as(token),
		&v1.AnswerUndoRequest{Name: g.name, Asked: asked, Agree: agree, RequestId: id()})
}

func TestUndoOneself(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	before := g.board(0, g.red)
	g.do(g.red, "move r2 0304")
	g.do(g.red, "move r1 0202")
	moved := g.board(0, g.red)

	out, err := g.undo(g.red, 5, false)
	must(t, err)
	if !out.Done || out.Game.Head != 5 || out.Game.Version != 8 {
		t.Fatalf("got %v", out)
	}
	equal(t, "board after undo", g.board(0, g.red), before)
	back, err := g.redo(g.red)
	must(t, err)
	if back.Game.Head != 7 || back.Game.Version != 9 {
		t.Fatalf("got %v", back)
	}
	equal(t, "board after redo", g.board(0, g.red), moved)

	// One at a time, without a target.
	for _, want := range []uint64{6, 5} {
		out, err = g.undo(g.red, 0, false)
		must(t, err)
		if out.Game.Head != want {
			t.Fatalf("head %d, want %d", out.Game.Head, want)
		}
	}
	for _, want := range []uint64{6, 7} {
		back, err = g.redo(g.red)
		must(t, err)
		if back.Game.Head != want {
			t.Fatalf("head %d, want %d", back.Game.Head, want)
		}
	}
	wantError(t, second(g.redo(g.red)), codes.FailedPrecondition, fault.NothingToRedo)
}

func TestNoRedoAfterACommand(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	g.do(g.red, "move r2 0304")
	must(t, second(g.undo(g.red, 0, false)))
	out := g.do(g.red, "move r1 0202")
	if out.Record.Parent != 5 || out.Record.Version != 8 {
		t.Errorf("the new branch: %v", out.Record)
	}
	wantError(t, second(g.redo(g.red)), codes.FailedPrecondition, fault.NothingToRedo)
	// Both branches are in the tree, one on the line.
	var line, tree []uint64
	for _, r := range g.records(false) {
		line = append(line, r.Version)
	}
	for _, r := range g.records(true) {
		tree = append(tree, r.Version)
	}
	equal(t, "line", fmt.Sprint(line), "[1 4 5 8]")
	equal(t, "tree", fmt.Sprint(tree), "[1 2 3 4 5 6 7 8]")
	wantError(t, second(g.undo(g.red, 6, false)), codes.FailedPrecondition, fault.UndoTarget)
}

func TestUndoBarriers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play    func(*table) string // gives the token of the seat that wants to undo
		target  uint64
		barrier uint64
		cause   string
	}{
		"dice": {func(g *table) string {
			g.do(g.red, "move r2 0304")
			g.do(g.red, "attack r2 b2", 1)
			g.do(g.red, "move r1 0202")
			return g.red
		}, 5, 7, "dice"},
		"answered": {func(g *table) string {
			g.do(g.red, "end")
			g.do(g.blue, "move b2 0304")
			return g.red
		}, 5, 7, "answered"},
		"the other's own": {func(g *table) string {
			g.do(g.red, "move r2 0304")
			return g.blue
		}, 5, 6, "answered"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := redBegins(open(t))
			token := c.play(g)
			version := g.game().Version
			meta := wantError(t, second(g.undo(token, c.target, false)), codes.FailedPrecondition, fault.UndoBarrier)
			if meta["barrier"] != fmt.Sprint(c.barrier) || meta["cause"] != c.cause || meta["needed"] == "" {
				t.Errorf("metadata %v", meta)
			}
			if g.game().Version != version {
				t.Error("a refused undo made a record")
			}
		})
	}
}

func TestUndoByConsent(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	before := g.board(0, g.blue)
	g.do(g.red, "move r2 0304")
	g.do(g.red, "attack r2 b2", 1)
	asked, err := g.undo(g.red, 5, true)
	must(t, err)
	if p := asked.Game.PendingUndo; asked.Done || p == nil || p.Asked != 8 || p.Seat != "red" || p.Target != 5 ||
		fmt.Sprint(p.Missing) != "[blue]" {
		t.Fatalf("got %v", asked)
	}
	wantError(t, second(g.undo(g.red, 6, true)), codes.FailedPrecondition, fault.UndoPending)
	wantError(t, second(g.answer(g.red, 8, true)), codes.FailedPrecondition, fault.UndoNotAsked)
	wantError(t, second(g.answer(g.blue, 7, true)), codes.FailedPrecondition, fault.UndoNotAsked)

	req := &v1.AnswerUndoRequest{Name: g.name, Asked: 8, Agree: true, RequestId: id()}
	for range 2 { // the second is a retry
		out, err := g.games.AnswerUndo(as(g.blue), req)
		must(t, err)
		if !out.Done || out.Game.Head != 5 || out.Game.Version != 10 || out.Game.PendingUndo != nil {
			t.Fatalf("got %v", out)
		}
	}
	equal(t, "board", g.board(0, g.blue), before)
	var kinds []logv1.RecordKind
	for _, r := range g.records(true)[7:] {
		kinds = append(kinds, r.Kind)
	}
	equal(t, "kinds", kinds, []logv1.RecordKind{logv1.RecordKind_RECORD_KIND_TABLE, logv1.RecordKind_RECORD_KIND_TABLE,
		logv1.RecordKind_RECORD_KIND_UNDO})
	wantError(t, second(g.answer(g.blue, 8, true)), codes.FailedPrecondition, fault.UndoNotAsked)
	// The dice of a new attempt are new ones.
	g.do(g.red, "move r2 0304")
	if out := g.do(g.red, "attack r2 b2", 6); out.Record.Rolls[0].Value != 6 {
		t.Errorf("got %v", out.Record)
	}
}

func TestPendingUndoEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*table) error{
		"refused":   func(g *table) error { return second(g.answer(g.blue, 8, false)) },
		"withdrawn": func(g *table) error { return second(g.answer(g.red, 8, false)) },
		"played on": func(g *table) error {
			return second(g.games.SubmitCommand(as(g.red), g.command("move r1 0202")))
		},
		"left": func(g *table) error {
			return second(g.games.LeaveSeat(as(g.blue), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()}))
		},
		"gave it up": func(g *table) error {
			return second(g.games.Resign(as(g.blue), &v1.ResignRequest{Name: g.name, RequestId: id()}))
		},
		"ended early": func(g *table) error {
			return second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := redBegins(open(t))
			g.do(g.red, "move r2 0304")
			g.do(g.red, "attack r2 b2", 1)
			must(t, second(g.undo(g.red, 5, true)))
			must(t, end(g))
			game := g.game()
			if game.PendingUndo != nil || game.Head < 7 {
				t.Errorf("got %v", game)
			}
		})
	}
}

func TestSolitaireNeedsNoConsent(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	g.do(g.red, "move r2 0304")
	g.do(g.red, "attack r2 b2", 1)
	out, err := g.games.Undo(as(g.red, g.blue), &v1.UndoRequest{Name: g.name, Seat: "red", Target: 1, RequestId: id()})
	must(t, err)
	if !out.Done || out.Game.Head != 1 {
		t.Errorf("got %v", out)
	}
	wantError(t, second(g.undo(g.red, 0, false)), codes.FailedPrecondition, fault.NothingToUndo)
}

func TestRedoIsForWhoUndid(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	g.do(g.red, "move r2 0304")
	must(t, second(g.undo(g.red, 0, false)))
	wantError(t, second(g.redo(g.blue)), codes.PermissionDenied, fault.NotYourSeat)
	must(t, second(g.redo(g.red)))
}

func TestRetriedUndo(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	g.do(g.red, "move r2 0304")
	req := &v1.UndoRequest{Name: g.name, RequestId: id()}
	for range 2 {
		out, err := g.games.Undo(as(g.red), req)
		must(t, err)
		if !out.Done || out.Game.Version != 7 {
			t.Errorf("got %v", out)
		}
	}
	req.Target = 4
	wantError(t, second(g.games.Undo(as(g.red), req)), codes.AlreadyExists, fault.RequestIDReused)
	again := &v1.RedoRequest{Name: g.name, RequestId: id()}
	for range 2 {
		out, err := g.games.Redo(as(g.red), again)
		must(t, err)
		if out.Game.Version != 8 {
			t.Errorf("got %v", out)
		}
	}
}

func TestUndoSurvivesARestart(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := redBegins(h)
	for range 25 { // far more than fits between two kept positions
		g.do(g.red, "move r2 0304")
		must(t, second(g.undo(g.red, 0, false)))
	}
	g.do(g.red, "move r2 0304")
	g.do(g.red, "end")
	must(t, second(g.undo(g.red, 0, false)))
	before := picture(g)
	g.host = open(t, func(s *setting) { s.store = h.store })
	equal(t, "after a restart", picture(g), before)
	back, err := g.redo(g.red)
	must(t, err)
	if back.Game.Head != 57 {
		t.Errorf("redo after a restart: head %d", back.Game.Head)
	}
}
