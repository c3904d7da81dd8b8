package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/warledger/warledger/cmd/internal/rulesets"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestForkAndImportMakeNoDifference plays every ruleset at random. A fork shows and allows each seat what the game did where it left, as far as
// the game would have let a line go on. The game, moved to another server in a file, shows everyone the same at every version.
func TestForkAndImportMakeNoDifference(t *testing.T) {
	t.Parallel()
	reg, err := rulesets.Registry(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range reg.All() {
		t.Run(set.About().Name, func(t *testing.T) {
			t.Parallel()
			w := begin(t, circumstances[0], set)
			defer w.end()
			w.improvise()
			w.forkIsTheSame()
			if _, err := w.games.Resign(bearer(context.Background(), w.tokens[set.About().Seats[0].ID]), &v1.ResignRequest{Name: w.name, RequestId: w.id()}); err != nil {
				t.Fatal(err)
			}
			far := begin(t, circumstances[0], set)
			defer far.end()
			far.importIsTheSame(w)
		})
	}
}

// forkIsTheSame leaves for a private line as one who holds all seats.
func (w *world) forkIsTheSame() {
	w.t.Helper()
	ctx := context.Background()
	for _, token := range w.tokens {
		ctx = bearer(ctx, token)
	}
	out, err := w.history.ForkGame(ctx, &v1.ForkGameRequest{Name: w.name, RequestId: w.id(), Private: true})
	w.must(err)
	fork := *w
	fork.name, fork.tokens = out.Game.Name, out.SeatTokens
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

func (w *world) export(name string) (file []byte) {
	w.t.Helper()
	stream, err := w.games.ExportGame(context.Background(), &v1.ExportGameRequest{Name: name})
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

// importIsTheSame takes in a game of another world, in which it is over.
func (w *world) importIsTheSame(home *world) {
	w.t.Helper()
	ctx := context.Background()
	// Worlds draw the same ids: the game here that has this one's name belongs to somebody else, so a third world takes the file.
	w.end()
	w.store = w.c.open(w.t, w.path())
	w.serve(new(fixed))
	file := home.export(home.name)
	request := w.id()
	for at := 0; at < len(file); at += 1 << 20 {
		end := min(at+1<<20, len(file))
		_, err := w.history.ImportGame(ctx, &v1.ImportGameRequest{RequestId: request, Offset: uint64(at), Data: file[at:end], Last: end == len(file)})
		w.must(err)
	}
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
