package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

func (w *world) resign(seat string, tokens ...string) (*v1.Game, error) {
	ctx := context.Background()
	for _, s := range append(tokens, seat) {
		ctx = bearer(ctx, w.tokens[s])
	}
	out, err := w.games.Resign(ctx, &v1.ResignRequest{Name: w.name, Seat: seat, RequestId: w.id()})
	if err == nil && !out.Game.Over {
		delete(w.tokens, seat)
	}
	return out.GetGame(), err
}

// sit sits down by the token of another seat; none for a stranger.
func (w *world) sit(seat, ally string) error {
	ctx := context.Background()
	if ally != "" {
		ctx = bearer(ctx, w.tokens[ally])
	}
	out, err := w.games.TakeSeat(ctx, &v1.TakeSeatRequest{Name: w.name, Seat: seat, RequestId: w.id()})
	if err == nil {
		w.tokens[seat] = out.SeatToken
	}
	return err
}

// playsUntil has all seats play until some have made a command. Commands that end something come first.
func (w *world) playsUntil(seats ...string) {
	w.t.Helper()
	rnd := rand.New(rand.NewPCG(9, 1))
	for moved := map[string]bool{}; slices.ContainsFunc(seats, func(seat string) bool { return !moved[seat] }); {
		waiting := w.look().Waiting
		if len(waiting) == 0 {
			w.t.Fatalf("the game ended before all of %v had played", seats)
		}
		var actions []*boardv1.Action
		for _, a := range w.done(waiting[0]) {
			if !a.Offer {
				actions = append(actions, a)
			}
		}
		chosen := actions[rnd.IntN(len(actions))]
		if i := slices.IndexFunc(actions, func(a *boardv1.Action) bool {
			return strings.HasPrefix(a.Command, "end")
		}); i >= 0 {
			chosen = actions[i]
		}
		w.played(waiting[0], chosen.Command)
		moved[waiting[0]] = true
	}
}

// TestResigningUnplayed has strangers take the free side of a game of six and resign at once, one seat after the other:
// that leaves the seats to others and ends nothing. With commands of others in the log it is the same.
func TestResigningUnplayed(t *testing.T) {
	t.Parallel()
	w := begin(t, circumstances[0], rulesetOf(t, "anniversary"))
	defer w.end()
	axis := []string{"germany", "italy", "japan"}
	leave := func(why string, seats []string) {
		for _, seat := range seats {
			if g, err := w.resign(seat); err != nil || g.Over {
				t.Fatalf("%s, %s resigns: %v, %v", why, seat, g, err)
			}
		}
		w.audited()
		for _, seat := range seats {
			if err := w.sit(seat, ""); err != nil {
				t.Errorf("%s, a player takes %s: %v", why, seat, err)
			}
		}
	}
	leave("before anybody played", axis)
	if g, err := w.resign("germany", axis...); err != nil || g.Over {
		t.Errorf("a stranger with the whole side resigns: %v, %v", g, err)
	}
	w.must(w.sit("germany", ""))
	w.playsUntil(axis...)
	for _, seat := range axis {
		_, err := w.games.LeaveSeat(bearer(context.Background(), w.tokens[seat]),
			&v1.LeaveSeatRequest{Name: w.name, Seat: seat, RequestId: w.id()})
		w.must(err)
		w.must(w.sit(seat, ""))
	}
	leave("after others had played the seats", axis)
}

// TestResigningLeavesAGameOfSix has a stranger who holds one of six seats resign: the game goes on without them, the
// seat falls to its side, and the side has lost only when all of it has given up.
func TestResigningLeavesAGameOfSix(t *testing.T) {
	t.Parallel()
	w := begin(t, circumstances[0], rulesetOf(t, "anniversary"))
	defer w.end()
	w.playsUntil("germany", "italy", "japan")
	w.calls++
	id := fmt.Sprintf("0b8f5c1e-7d6a-4f0e-9a52-%012x", w.calls)
	var first uint64
	for range 2 { // once more with the token that is void by then
		out, err := w.games.Resign(bearer(context.Background(), w.tokens["italy"]),
			&v1.ResignRequest{Name: w.name, RequestId: id})
		w.must(err)
		if g := out.Game; g.Over || first != 0 && g.Version != first {
			t.Fatalf("the game is over: %v", g)
		}
		first = out.Game.Version
	}
	if err := w.sit("italy", ""); status.Code(err) != codes.PermissionDenied {
		t.Errorf("a stranger takes what was given up: %v", err)
	}
	if err := w.sit("italy", "soviet-union"); status.Code(err) != codes.PermissionDenied {
		t.Errorf("an enemy takes what was given up: %v", err)
	}
	w.must(w.sit("italy", "germany"))
	w.playsUntil("italy")
	for _, seat := range []string{"japan", "germany"} {
		if g, err := w.resign(seat); err != nil || g.Over {
			t.Fatalf("%s resigns: %v, %v", seat, g, err)
		}
	}
	w.audited()
	g, err := w.resign("italy")
	w.must(err)
	winners := g.GetEnding().GetWinners()
	slices.Sort(winners)
	if !g.Over || g.Ending.Level != "resigned" ||
		!slices.Equal(winners, []string{"soviet-union", "united-kingdom", "united-states"}) {
		t.Errorf("the side has given up: %v", g.Ending)
	}
	w.audited()
}

// TestResigningForASide has a player of a whole side resign for all of it at once, which ends the game. In a game of
// two seats one resignation ends it, as before.
func TestResigningForASide(t *testing.T) {
	t.Parallel()
	for name, own := range map[string][]string{
		"anniversary": {"germany", "italy", "japan"},
		"toy":         {"red"},
		"downfall":    {"japan"},
	} {
		set := rulesetOf(t, name)
		w := begin(t, circumstances[0], set)
		w.playsUntil(own[len(own)-1]) // one of the side is enough
		g, err := w.resign(own[0], own...)
		w.must(err)
		if want := len(set.About().Seats) - len(own); !g.Over || len(g.Ending.GetWinners()) != want {
			t.Errorf("%s: %v", name, g.Ending)
		}
		w.audited()
		w.end()
	}
}
