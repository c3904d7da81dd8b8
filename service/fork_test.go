package service_test

import (
	"bytes"
	"iter"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// fork leaves a game.
func (g *table) fork(change func(*v1.ForkGameRequest), tokens ...string) (*table, *v1.ForkGameResponse, error) {
	g.t.Helper()
	req := &v1.ForkGameRequest{Name: g.name, RequestId: id()}
	change(req)
	out, err := g.history().ForkGame(as(tokens...), req)
	if err != nil {
		return nil, nil, err
	}
	return &table{host: g.host, name: out.Game.Name, owner: out.OwnerToken, red: out.SeatTokens["red"],
		blue: out.SeatTokens["blue"]}, out, nil
}

// source reads what is stored of a game.
func (g *table) source() ledger.Source {
	records := g.auditable(g.host)
	return func() iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			for _, r := range records {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

func TestForkFromEveryVersion(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.finished()
	for version := uint64(1); version <= g.game().Version; version++ {
		f, out, err := g.fork(func(r *v1.ForkGameRequest) { r.Version, r.Title = version, "What if" })
		must(t, err)
		from := out.Game.ForkedFrom
		if from.Game != strings.TrimPrefix(g.name, "games/") || from.Version > version || out.Game.Title != "What if" ||
			out.Game.DiceCommitment == g.game().DiceCommitment {
			t.Fatalf("forked as %v", out.Game)
		}
		same, err := ledger.AuditFork(t.Context(), f.source(), g.source(), func(f ledger.Finding) { t.Error(f) })
		if err != nil || same != from.Records {
			t.Fatalf("%d copies are the same, %v", same, err)
		}
		f.red, f.blue = f.sit("red"), f.sit("blue")
		equal(t, "what red sees", f.board(0, f.red, f.blue).Pieces, g.board(from.Version).Pieces)
		f.play(5, version)
		must(t, second(f.games.CloseGame(as(f.owner), &v1.CloseGameRequest{Name: f.name, RequestId: id()})))
		sum := f.audit()
		if sum.Errors != 0 {
			t.Errorf("audit of the fork from %d: %v", version, sum)
		}
		wantSoundFork(t, f, sum)
	}
}

// wantSoundFork: an import of a fork stands on its own.
func wantSoundFork(t *testing.T, f *table, sum *v1.AuditSummary) {
	t.Helper()
	there := open(t)
	file := f.host.export(f.name)
	must(t, second(there.load(file, id(), 1<<20)))
	if !bytes.Equal(there.export(f.name), file) {
		t.Error("the import of the fork is another")
	}
	for _, what := range sum.Unchecked {
		if !strings.Contains(what, "copied from version") {
			t.Errorf("unchecked: %s", what)
		}
	}
}

func TestForkOfWhatIsHidden(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.seated()
	first := g.game().Version
	g.do(g.red, "plan 0303")
	g.do(g.blue, "plan 0303")
	here := func(*v1.ForkGameRequest) {}
	for name, tokens := range map[string][]string{"a stranger": nil, "the owner": {g.owner}, "red": {g.red}} {
		if _, _, err := g.fork(here, tokens...); err == nil {
			t.Errorf("%s forked what is hidden from them", name)
		} else {
			wantError(t, err, codes.PermissionDenied, fault.ForkHidden)
		}
	}
	// Before anything was hidden, everybody may.
	_, _, err := g.fork(func(r *v1.ForkGameRequest) { r.Version = first })
	must(t, err)
	f, _, err := g.fork(here, g.red, g.blue)
	must(t, err)
	wantError(t, second(f.games.GetBoard(as(g.red), &v1.GetBoardRequest{Name: f.name})), codes.Unauthenticated,
		fault.TokenUnknown)
	// The dice of the origin stay its own: the same commands roll by other secrets.
	if f.game().DiceCommitment == g.game().DiceCommitment {
		t.Error("the fork has the dice of its origin")
	}
	_, _, err = g.fork(func(r *v1.ForkGameRequest) { r.Version = 999 }, g.red, g.blue)
	wantError(t, err, codes.OutOfRange, fault.VersionNotFound)
	_, _, err = g.fork(func(r *v1.ForkGameRequest) { r.Title, r.RequestId, r.Dice = "a\nb", "7", 9 })
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
}

func TestForkIsIdempotent(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.finished()
	request := id()
	same := func(r *v1.ForkGameRequest) { r.RequestId, r.Version, r.Private = request, 4, true }
	_, first, err := g.fork(same)
	must(t, err)
	_, again, err := g.fork(same)
	must(t, err)
	equal(t, "the answer to a retry", again, first)
	_, _, err = g.fork(func(r *v1.ForkGameRequest) { same(r); r.Private = false })
	wantError(t, err, codes.AlreadyExists, fault.RequestIDReused)
}

func TestForkIsAsFarBackAsUndoGoes(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.finished()
	f, out, err := g.fork(func(r *v1.ForkGameRequest) { r.Dice = logv1.DiceKind_DICE_KIND_MANUAL })
	must(t, err)
	if out.Game.Dice != logv1.DiceKind_DICE_KIND_MANUAL || out.Game.DiceCommitment != "" {
		t.Errorf("dice: %v", out.Game)
	}
	f.red, f.blue = f.sit("red"), f.sit("blue")
	undo := func(f *table, target uint64) error {
		return second(f.games.Undo(as(f.red, f.blue),
			&v1.UndoRequest{Name: f.name, Seat: "red", Target: target, RequestId: id()}))
	}
	wantError(t, undo(f, 0), codes.FailedPrecondition, fault.NothingToUndo)
	wantError(t, undo(f, 1), codes.FailedPrecondition, fault.NothingToUndo)
	token := f.tokenOf(f.game().WaitingFor)
	f.do(token, f.legal(token).Actions[0].Command)
	wantError(t, undo(f, 1), codes.FailedPrecondition, fault.UndoTarget)
	must(t, undo(f, 0))
	wantError(t, undo(f, 0), codes.FailedPrecondition, fault.NothingToUndo)

	line, _, err := g.fork(func(r *v1.ForkGameRequest) { r.Private = true })
	must(t, err)
	must(t, undo(line, 1))
	if head := line.game(line.owner).Head; head != 1 {
		t.Errorf("the head of the private line is %d", head)
	}
}

func TestPrivateLine(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.finished()
	before, err := h.games.ListGames(as(), &v1.ListGamesRequest{})
	must(t, err)
	line, out, err := g.fork(func(r *v1.ForkGameRequest) { r.Private, r.Version = true, 5 })
	must(t, err)
	if len(out.SeatTokens) != 2 || !out.Game.ForkedFrom.Private {
		t.Fatalf("gave %v", out)
	}
	token := line.tokenOf(line.game(line.owner).WaitingFor)
	line.do(token, line.legal(token).Actions[0].Command)
	after, err := h.games.ListGames(as(), &v1.ListGamesRequest{})
	must(t, err)
	equal(t, "the list", after.Games, before.Games)
	for name, err := range map[string]error{
		"board":   second(h.games.GetBoard(as(), &v1.GetBoardRequest{Name: line.name})),
		"game":    second(h.games.GetGame(as(), &v1.GetGameRequest{Name: line.name})),
		"records": second(h.games.ListRecords(as(), &v1.ListRecordsRequest{Name: line.name})),
		"seat":    second(h.games.TakeSeat(as(), &v1.TakeSeatRequest{Name: line.name, Seat: "red", RequestId: id()})),
		"fork":    second(h.history().ForkGame(as(), &v1.ForkGameRequest{Name: line.name, RequestId: id()})),
	} {
		t.Run(name, func(t *testing.T) { wantError(t, err, codes.NotFound, fault.GameNotFound) })
	}
	must(t, second(h.games.CloseGame(as(line.owner), &v1.CloseGameRequest{Name: line.name, RequestId: id()})))
	wantError(t, second(h.games.GetGame(as(), &v1.GetGameRequest{Name: line.name})), codes.NotFound, fault.GameNotFound)
	if sum := line.audit(line.owner); sum.Errors != 0 {
		t.Errorf("audit: %v", sum)
	}
}
