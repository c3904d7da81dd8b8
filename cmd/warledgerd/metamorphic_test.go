package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/memory"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service"
)

// circumstance is a way to keep a game that must make no difference to it.
type circumstance struct {
	name string
	// scenario is the id of one; empty for the ruleset's first.
	scenario string
	limits   service.Limits
	// open gives the store at the beginning.
	open func(t testing.TB, path string) eventstore.Store
	// between is what happens after each command; nil for nothing.
	between func(w *world)
}

func inMemory(testing.TB, string) eventstore.Store { return memory.New() }

func inFile(t testing.TB, path string) eventstore.Store {
	s, err := boltstore.Open(path, boltstore.Options{MapSize: 16 << 20, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// circumstances has a line for each. The first is what the others are compared with.
var circumstances = []circumstance{
	{name: "in memory", open: inMemory},
	{name: "in a file", open: inFile},
	{name: "started anew after each command", open: inMemory, between: (*world).restart},
	{name: "file opened anew after each command", open: inFile, between: (*world).reopen},
	{name: "let go after each command, no positions kept", open: inMemory,
		limits: service.Limits{LiveGames: 1, Checkpoints: 1}, between: (*world).lookElsewhere},
	{name: "no lists kept", open: inMemory, limits: service.Limits{Listings: -1}},
	{name: "restored from a backup after each command", open: inMemory, between: (*world).restore},
}

// steps is how many commands are made of each ruleset; fewer with the race detector, which makes each of them dear.
func steps() int {
	if testing.Short() {
		return 5
	}
	return 16
}

// TestCircumstancesMakeNoDifference plays one sequence of random commands, undos and redos of every ruleset
// in each circumstance. After each step every viewer sees the same board, each seat may do the same, and
// the hashes are the same.
func TestCircumstancesMakeNoDifference(t *testing.T) {
	eachRuleset(t, func(t *testing.T, set rules.Ruleset) {
		var plan []step
		var want []picture
		for i, c := range circumstances {
			t.Run(c.name, func(t *testing.T) {
				w := begin(t, c, set)
				defer w.end()
				if i == 0 {
					plan, want = w.improvise()
					return
				}
				for n, s := range plan {
					w.take(s)
					if c.between != nil {
						c.between(w)
					}
					// much quicker than a difference
					if got := w.look(); !cmp.Equal(want[n], got, cmp.Comparer(proto.Equal)) {
						t.Fatalf("after step %d, %+v (-%s +%s):\n%s",
							n+1, s, circumstances[0].name, c.name, cmp.Diff(want[n], got, protocmp.Transform()))
					}
				}
			})
		}
	})
}

// step is what a seat does.
type step struct {
	kind          stepKind
	seat, command string
}

type stepKind string

const (
	play stepKind = "play"
	undo stepKind = "undo"
	redo stepKind = "redo"
)

// picture is all that anyone sees of a game.
type picture struct {
	Hash          string
	Version, Head uint64
	Waiting       []string
	Boards        map[string]*boardv1.Board
	Legal         map[string][]*boardv1.Action
}

// improvise plays at random, and tells what it did and what was seen after each step.
func (w *world) improvise() (plan []step, seen []picture) {
	rnd := rand.New(rand.NewPCG(3, 1))
	now := w.look()
	for len(plan) < steps() && len(now.Waiting) > 0 {
		s := think(rnd, now)
		if !w.try(s) {
			continue // nothing to undo or redo, or not without consent
		}
		now = w.look()
		plan, seen = append(plan, s), append(seen, now)
	}
	return plan, seen
}

// think chooses what to try.
func think(rnd *rand.Rand, now picture) step {
	seat := now.Waiting[rnd.IntN(len(now.Waiting))]
	switch rnd.IntN(6) {
	case 0:
		return step{kind: undo, seat: seat}
	case 1:
		return step{kind: redo, seat: seat}
	}
	return step{play, seat, choose(rnd, now.Legal[seat])}
}

// choose takes a command other than an offer, which could end the game at once.
func choose(rnd *rand.Rand, legal []*boardv1.Action) string {
	var choices []string
	for _, a := range legal {
		choices = append(choices, a.Command)
	}
	return choices[rnd.IntN(len(choices))]
}

// look asks for everything.
func (w *world) look() picture {
	w.t.Helper()
	ctx := w.anyone()
	got, err := w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.name})
	w.must(err)
	p := picture{
		Hash: got.Game.LastHash, Version: got.Game.Version, Head: got.Game.Head, Waiting: got.Game.WaitingFor,
		Boards: map[string]*boardv1.Board{}, Legal: map[string][]*boardv1.Action{},
	}
	board := func(viewer string, ctx context.Context, version uint64) {
		out, err := w.games.GetBoard(ctx, &v1.GetBoardRequest{Name: w.name, Version: version})
		w.must(err)
		p.Boards[fmt.Sprint(viewer, " ", version)] = out.Board
	}
	board("spectator", ctx, 0)
	board("spectator", ctx, 1+p.Version/2)
	for _, seat := range w.set.About().Seats {
		ctx := bearer(context.Background(), w.tokens[seat.ID])
		board(seat.ID, ctx, 0)
		out, err := w.games.ListLegalActions(ctx,
			&v1.ListLegalActionsRequest{Name: w.name, Seat: seat.ID, PageSize: 100})
		w.must(err)
		p.Legal[seat.ID] = out.Actions
	}
	return p
}

// fixed gives the same bytes in every world, so that the secrets of its game are the same.
type fixed struct{ n uint64 }

// Read fills b.
func (f *fixed) Read(b []byte) (int, error) {
	for i := range b {
		f.n++
		b[i] = byte(binary.BigEndian.Uint64(binary.LittleEndian.AppendUint64(nil, f.n*0x9e3779b97f4a7c15)) >> 7)
	}
	return len(b), nil
}

func (w *world) path() string { return filepath.Join(w.dir, "games.db") }
