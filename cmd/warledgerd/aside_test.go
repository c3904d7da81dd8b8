package main

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
)

// words are commands that a seat of a ruleset may make at any time, besides listed offers. None of them ends the game.
var words = map[string][]string{
	"toy":      {"draw"},
	"downfall": {"concede", "decline"},
	"anniversary": {"concede", "fight-on", "orders losses infantry,submarine,fighter",
		"orders retreat 60 submarines submerge"},
	"ocs": nil, // listed by kind
}

// murmur has seats other than the given ones make asides, and reports how many were accepted. Not all of a side give
// up, because that would end the game.
func (w *world) murmur(rnd *rand.Rand, silent []string) (heard int) {
	w.t.Helper()
	for i, seat := range w.set.About().Seats {
		if slices.Contains(silent, seat.ID) {
			continue
		}
		said := slices.Clone(words[w.set.About().Name])
		if i > 1 {
			said = slices.DeleteFunc(said, func(command string) bool { return command == "concede" })
		}
		if w.set.About().Name == "ocs" {
			for _, kind := range []string{"top", "group", "ungroup"} {
				out, err := w.games.ListLegalActions(bearer(context.Background(), w.tokens[seat.ID]),
					&v1.ListLegalActionsRequest{Name: w.name, Kind: kind, PageSize: 20})
				w.must(err)
				for _, a := range out.Offers {
					said = append(said, a.Command)
				}
			}
		}
		for range min(2, len(said)) {
			_, err := w.games.SubmitCommand(bearer(context.Background(), w.tokens[seat.ID]), &v1.SubmitCommandRequest{
				Name: w.name, CommandId: w.id(),
				Form: &v1.SubmitCommandRequest_Notation{Notation: said[rnd.IntN(len(said))]},
			})
			if err == nil {
				heard++
			}
		}
	}
	return heard
}

// done are the answers of a seat to what it is asked.
func (w *world) done(seat string) []*boardv1.Action {
	out, err := w.games.ListLegalActions(bearer(context.Background(), w.tokens[seat]),
		&v1.ListLegalActionsRequest{Name: w.name, PageSize: 200})
	w.must(err)
	return out.Actions
}

// TestMurmurHindersNobody plays two games of each ruleset side by side, with the same secrets and the same moves. In
// one of them the seats that are not on turn make asides after each move: they concede, fight on, give orders, arrange
// their stacks. Undos are free in both games or in neither, even with an aside between a move and its undo. Seats may
// do the same in both, with the same events and dice, and audits find nothing.
func TestMurmurHindersNobody(t *testing.T) {
	eachRuleset(t, func(t *testing.T, set rules.Ruleset) {
		quiet, loud := begin(t, circumstances[0], set), begin(t, circumstances[0], set)
		defer quiet.end()
		defer loud.end()
		rnd := rand.New(rand.NewPCG(7, 11))
		heard, free := 0, 0
		for range 2 * steps() {
			now, err := quiet.games.GetGame(context.Background(), &v1.GetGameRequest{Name: quiet.name})
			quiet.must(err)
			if now.Game.Over {
				break
			}
			seat := now.Game.WaitingFor[rnd.IntN(len(now.Game.WaitingFor))]
			choices := quiet.done(seat)
			if diff := cmp.Diff(choices, loud.done(seat), protocmp.Transform()); diff != "" &&
				set.About().Name != "ocs" {
				t.Fatalf("%s may do something else (-quiet +loud):\n%s", seat, diff)
			}
			command := choices[rnd.IntN(len(choices))].Command
			if diff := cmp.Diff(quiet.played(seat, command), loud.played(seat, command),
				protocmp.Transform()); diff != "" {
				t.Fatalf("%s is another (-quiet +loud):\n%s", command, diff)
			}
			after, err := loud.games.GetGame(context.Background(), &v1.GetGameRequest{Name: loud.name})
			loud.must(err)
			if after.Game.Over {
				break
			}
			heard += loud.murmur(rnd, append(after.Game.WaitingFor, seat))
			if rnd.IntN(2) == 0 {
				a, b := quiet.takesBack(seat), loud.takesBack(seat)
				if a != b {
					t.Fatalf("%s takes %s back: %q in quiet, %q with words between", seat, command, a, b)
				}
				if a == "" {
					free++
				}
			}
		}
		if set.About().Name != "ocs" && heard == 0 || free == 0 {
			t.Errorf("%d were heard, %d undos were free: the test proves nothing", heard, free)
		}
		for _, w := range []*world{quiet, loud} {
			w.audited()
		}
	})
}

// played makes a command and returns its events and dice.
func (w *world) played(seat, command string) *v1.Record {
	w.t.Helper()
	out, err := w.games.SubmitCommand(w.all(), &v1.SubmitCommandRequest{
		Name: w.name, Seat: seat, CommandId: w.id(), Form: &v1.SubmitCommandRequest_Notation{Notation: command},
	})
	w.must(err)
	return &v1.Record{Seat: out.Record.Seat, Command: out.Record.Command, Events: out.Record.Events,
		Rolls: out.Record.Rolls}
}

// takesBack tries an undo, and returns what prevents it; empty if nothing does.
func (w *world) takesBack(seat string) string {
	w.t.Helper()
	_, err := w.games.Undo(bearer(context.Background(), w.tokens[seat]),
		&v1.UndoRequest{Name: w.name, RequestId: w.id()})
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason + " " + info.Metadata["cause"]
		}
	}
	w.must(err)
	return ""
}

// audited checks that an audit finds nothing in a game.
func (w *world) audited() {
	w.t.Helper()
	stream, err := w.games.AuditGame(w.all(), &v1.AuditGameRequest{Name: w.name})
	w.must(err)
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return
		}
		w.must(err)
		if f := m.GetFinding(); f != nil {
			w.t.Errorf("an audit finds %v", f)
		}
	}
}

// TestMurmurIsBounded has a seat that is not on turn make asides as often as it can. Identical ones make no record,
// and soon others do not either.
func TestMurmurIsBounded(t *testing.T) {
	t.Parallel()
	set := rulesetOf(t, "anniversary")
	w := begin(t, circumstances[0], set)
	defer w.end()
	got, err := w.games.GetGame(context.Background(), &v1.GetGameRequest{Name: w.name})
	w.must(err)
	var seat string
	for _, s := range set.About().Seats {
		if !slices.Contains(got.Game.WaitingFor, s.ID) {
			seat = s.ID
		}
	}
	say := func(command string) string {
		_, err := w.games.SubmitCommand(bearer(context.Background(), w.tokens[seat]), &v1.SubmitCommandRequest{
			Name: w.name, CommandId: w.id(), Form: &v1.SubmitCommandRequest_Notation{Notation: command},
		})
		for _, d := range status.Convert(err).Details() {
			if info, ok := d.(*errdetails.ErrorInfo); ok {
				return info.Reason
			}
		}
		w.must(err)
		return ""
	}
	if got := []string{say("orders losses infantry"), say("orders losses infantry")}; got[0] != "" ||
		got[1] != "NOTHING_CHANGES" {
		t.Errorf("the same orders twice: %q", got)
	}
	said := 1
	for ; said < 100; said++ {
		command := "concede"
		if said%2 == 0 {
			command = "fight-on"
		}
		if reason := say(command); reason == "TOO_MANY_ASIDES" {
			break
		} else if reason != "" {
			t.Fatalf("%s: %s", command, reason)
		}
	}
	if said == 100 {
		t.Error("a seat that is not on turn may go on and on")
	}
}
