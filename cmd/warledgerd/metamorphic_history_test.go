package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/warledger/warledger/cmd/internal/rulesets"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// TestForkAndImportMakeNoDifference plays every ruleset at random. A fork shows and allows each seat what the game did
// where it left, as far as the game would have let a line go on. The game, moved to another server in a file, shows
// everyone the same at every version.
func TestForkAndImportMakeNoDifference(t *testing.T) {
	eachRuleset(t, func(t *testing.T, set rules.Ruleset) {
		w := begin(t, circumstances[0], set)
		defer w.end()
		w.improvise()
		w.redactedIsTheSame()
		w.forkIsTheSame()
		if _, err := w.games.CloseGame(bearer(context.Background(), w.owner),
			&v1.CloseGameRequest{Name: w.name, RequestId: w.id()}); err != nil {
			t.Fatal(err)
		}
		far := begin(t, circumstances[0], set)
		defer far.end()
		far.importIsTheSame(w)
		further := begin(t, circumstances[0], set)
		defer further.end()
		further.importIsTheSame(&world{t: t, set: set, name: w.name, games: far.games, history: far.history})
	})
}

// forkIsTheSame leaves for a private line as one who holds all seats.
func (w *world) forkIsTheSame() {
	w.t.Helper()
	out, err := w.history.ForkGame(w.all(), &v1.ForkGameRequest{Name: w.name, RequestId: w.id(), Private: true})
	w.must(err)
	fork := *w
	fork.name, fork.tokens, fork.private = out.Game.Name, out.SeatTokens, true
	for _, seat := range w.set.About().Seats {
		want, wantLegal := w.sight(seat.ID)
		got, gotLegal := fork.sight(seat.ID)
		if diff := cmp.Diff(want.Pieces, got.Pieces, protocmp.Transform()); diff != "" {
			w.t.Errorf("%s sees in the fork (-game +fork):\n%s", seat.ID, diff)
		}
		if diff := cmp.Diff(wantLegal, gotLegal, protocmp.Transform()); diff != "" {
			w.t.Errorf("%s may do in the fork (-game +fork):\n%s", seat.ID, diff)
		}
	}
	w.playsOn(&fork)
}

// playsOn goes on in a fork, with dice of its own: the game that it left stays as it was, a server that is started anew
// shows the same of both, and an audit finds nothing wrong with the fork.
func (w *world) playsOn(fork *world) {
	w.t.Helper()
	origin := w.look()
	rnd := rand.New(rand.NewPCG(8, 1))
	for now := fork.look(); len(now.Waiting) > 0 && now.Version < origin.Version+uint64(steps()); now = fork.look() {
		seat := now.Waiting[rnd.IntN(len(now.Waiting))]
		fork.take(step{play, seat, choose(rnd, now.Legal[seat])})
	}
	played := fork.look()
	if played.Version <= origin.Version && len(origin.Waiting) > 0 {
		w.t.Errorf("the fork is at version %d, the game at %d", played.Version, origin.Version)
	}
	w.calls = fork.calls
	w.restart()
	fork.games, fork.history = w.games, w.history
	if got := w.look(); !cmp.Equal(origin, got, cmp.Comparer(proto.Equal)) {
		w.t.Errorf("the game was changed by its fork (-before +after):\n%s",
			cmp.Diff(origin, got, protocmp.Transform()))
	}
	if got := fork.look(); !cmp.Equal(played, got, cmp.Comparer(proto.Equal)) {
		w.t.Errorf("the fork started anew (-before +after):\n%s", cmp.Diff(played, got, protocmp.Transform()))
	}
	stream, err := w.games.AuditGame(fork.all(), &v1.AuditGameRequest{Name: fork.name})
	w.must(err)
	for {
		found, err := stream.Recv()
		w.must(err)
		if f := found.GetFinding(); f.GetSeverity() == v1.Severity_SEVERITY_ERROR {
			w.t.Errorf("audit of the fork: %v", f)
		}
		if found.GetSummary() != nil {
			return
		}
	}
}

// redactedIsTheSame exports the running game for a seat and for strangers: the files are sound as far as they show, are
// the same from a server that was started anew, and a game can be made of them only if nothing is hidden.
func (w *world) redactedIsTheSame() {
	w.t.Helper()
	reg, err := rulesets.Registry(true)
	w.must(err)
	seat := bearer(context.Background(), w.tokens[w.set.About().Seats[0].ID])
	before := [][]byte{w.exported(seat, w.name), w.exported(context.Background(), w.name)}
	w.restart()
	for i, ctx := range []context.Context{seat, context.Background()} {
		if !bytes.Equal(w.exported(ctx, w.name), before[i]) {
			w.t.Error("a server that was started anew gives another file")
		}
		file, err := ledger.ReadExport(bytes.NewReader(before[i]))
		w.must(err)
		sum, err := ledger.AuditExport(context.Background(), file, reg, ledger.AuditOptions{}, nil)
		w.must(err)
		if sum.Errors > 0 || !file.Header().Redacted {
			w.t.Errorf("the redacted file: %+v", sum)
		}
		far := begin(w.t, circumstances[0], w.set)
		far.forget()
		_, err = far.load(before[i])
		if (err == nil) != (sum.Hidden == 0) {
			w.t.Errorf("a file with %d hidden parts is imported: %v", sum.Hidden, err)
		}
		far.end()
	}
}

func (w *world) sight(seat string) (*boardv1.Board, []*boardv1.Action) {
	w.t.Helper()
	ctx := bearer(context.Background(), w.tokens[seat])
	board, err := w.games.GetBoard(ctx, &v1.GetBoardRequest{Name: w.name})
	w.must(err)
	legal, err := w.games.ListLegalActions(ctx, &v1.ListLegalActionsRequest{Name: w.name, Seat: seat, PageSize: 100})
	w.must(err)
	return board.Board, legal.Actions
}

func (w *world) export(name string) (file []byte) { return w.exported(context.Background(), name) }

func (w *world) exported(ctx context.Context, name string) (file []byte) {
	w.t.Helper()
	stream, err := w.games.ExportGame(ctx, &v1.ExportGameRequest{Name: name})
	w.must(err)
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return file
		}
		w.must(err)
		file = append(file, part.Data...)
	}
}

// forget leaves for a server without games. Worlds draw the same ids, so that a game of another world has the
// name of one that is here.
func (w *world) forget() {
	w.end()
	w.store = w.c.open(w.t, w.path())
	w.serve(new(fixed))
}

// load imports a file, by a request of its own.
func (w *world) load(file []byte) (out *v1.ImportGameResponse, err error) {
	request := w.id()
	for at := 0; at < len(file) && err == nil; at += 1 << 20 {
		end := min(at+1<<20, len(file))
		out, err = w.history.ImportGame(context.Background(), &v1.ImportGameRequest{
			RequestId: request, Offset: uint64(at), Data: file[at:end], Last: end == len(file),
		})
	}
	return out, err
}

// importIsTheSame takes in a game of another world, in which it is over.
func (w *world) importIsTheSame(home *world) {
	w.t.Helper()
	ctx := context.Background()
	w.forget()
	file := home.export(home.name)
	first, err := w.load(file)
	w.must(err)
	w.calls--
	again, err := w.load(file)
	if err != nil || !proto.Equal(first, again) {
		w.t.Errorf("imported a second time: %v, %v", again, err)
	}
	if _, err := w.load(file); status.Code(err) != codes.AlreadyExists {
		w.t.Errorf("imported by somebody else: %v", err)
	}
	w.restart()
	if !bytes.Equal(w.export(home.name), file) {
		w.t.Error("the file comes back as another")
	}
	got, err := w.games.GetGame(ctx, &v1.GetGameRequest{Name: home.name})
	w.must(err)
	for version := uint64(1); version <= got.Game.Version; version++ {
		req := &v1.GetBoardRequest{Name: home.name, Version: version}
		there, err := home.games.GetBoard(ctx, req)
		w.must(err)
		here, err := w.games.GetBoard(ctx, req)
		w.must(err)
		if !proto.Equal(there, here) {
			w.t.Fatalf("version %d (-home +here):\n%s", version, cmp.Diff(there, here, protocmp.Transform()))
		}
	}
}
