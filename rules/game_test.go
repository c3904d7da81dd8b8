package rules_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// facing is a position of Outpost in which red may attack: r1 is next to b1.
const facing = `outpost ridge length=scenario pursuit=false
turn 1 act first red active red begun
seat red supply 2 score 0 plan 0103
seat blue supply 2 score 0 plan 0503
unit r1 0203 2
unit r2 0204 1
unit r3 0102 3
unit b1 0303 2
unit b2 0404 1
unit b3 0502 3
holds 0103 red
holds 0303 blue
`

type adapted = rules.Referee[*toy.State, toy.Command, *toyv1.Event]

// position reads a position of Outpost, refereed by a variant of it.
func position(t testing.TB, ref adapted, text string) rules.Game {
	t.Helper()
	set := rules.Adapt(ref)
	sc, faults := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	if faults != nil {
		t.Fatal(faults)
	}
	g, err := set.ParsePosition(sc, text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func command(t testing.TB, g rules.Game, text string) rules.Command {
	t.Helper()
	c, err := g.ParseCommand(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func reason(err error) rules.Reason {
	var r *rules.Refusal
	if !errors.As(err, &r) {
		return ""
	}
	return r.Reason
}

// Without the dice that it needs a command is given up as a whole, and the game that was asked stays as it was.
func TestPlayOutOfDice(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	next, out, err := g.Play(toy.Red, command(t, g, "attack r1 b1"), dice.NewManual(nil))
	var need *dice.NeedError
	if !errors.As(err, &need) || need.Sides != 6 || next != nil || out != nil {
		t.Errorf("got %v, %v, %v", next, out, err)
	}
	if g.Notation() != facing {
		t.Errorf("the game changed:\n%s", cmp.Diff(facing, g.Notation()))
	}
	spoiled := g.Clone()
	if err := spoiled.Apply(toy.Red, command(t, g, "attack r1 b1"), dice.NewManual(nil),
		new(rules.Outcome)); !errors.As(err, &need) {
		t.Errorf("Apply: %v", err)
	}
	if spoiled.Notation() == facing {
		t.Error("Apply did not get as far as the die, so that this test proves nothing")
	}
	set := g.Ruleset()
	if out, err := set.New(g.Scenario(), rules.Options{}).Start(dice.NewManual(nil)); !errors.As(err, &need) ||
		out != nil {
		t.Errorf("Start: %v, %v", out, err)
	}
}

func TestPlayLeavesTheReceiver(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	hash := g.Hash()
	next, out, err := g.Play(toy.Red, command(t, g, "attack r1 b1"), dice.NewManual([]uint32{1}))
	if err != nil {
		t.Fatal(err)
	}
	if g.Hash() != hash || next.Hash() == hash {
		t.Error("Play changed the receiver, or nothing")
	}
	if want := []rules.Rolled{{Sides: 6, Value: 1, Reason: "attack"}}; !slices.Equal(out.Rolls, want) {
		t.Errorf("rolled %v", out.Rolls)
	}
	var before []int
	for _, e := range out.Events {
		before = append(before, e.RollsBefore)
	}
	if want := []int{0, 1, 1, 1}; !slices.Equal(before, want) {
		t.Errorf("rolls before each event: %v, want %v", before, want)
	}
}

// Outcomes add up until they are emptied, and keep no event then.
func TestOutcomeReset(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	var out rules.Outcome
	for i, text := range []string{"attack r1 b1", "scout"} {
		if err := g.Apply(toy.Red, command(t, g, text), dice.NewManual([]uint32{1}), &out); err != nil {
			t.Fatal(err)
		}
		if len(out.Rolls) != i+1 {
			t.Errorf("%d rolls after %s", len(out.Rolls), text)
		}
	}
	if last := out.Events[len(out.Events)-1]; last.RollsBefore != 2 || last.Audience != rules.OnlySeats(toy.Red) ||
		!out.Revealed {
		t.Errorf("the last event is %+v", last)
	}
	if want := []rules.Rolled{{Sides: 6, Value: 1, Reason: "attack"},
		{Audience: rules.OnlySeats(toy.Red), Sides: 6, Value: 1, Reason: "scouting"}}; !slices.Equal(out.Rolls, want) {
		t.Errorf("rolled %+v", out.Rolls)
	}
	kept := out.Events[:1]
	out.Reset()
	if len(out.Events) != 0 || len(out.Rolls) != 0 || out.Revealed || kept[0].Event != nil {
		t.Errorf("something is left: %+v", out)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	over, _, err := g.Play(toy.Blue, command(t, g, "concede"), dice.NewManual(nil))
	if err != nil {
		t.Fatal(err)
	}
	move := command(t, g, "move r1 0204")
	for name, c := range map[string]struct {
		game    rules.Game
		seat    rules.Seat
		command rules.Command
		reason  rules.Reason
		says    string
	}{
		"a rule": {g, toy.Red, move, rules.ReasonIllegal,
			"0204 holds Red 2; a hex holds one unit. (TY 4.2)"},
		"another seat": {g, toy.Blue, move, rules.ReasonNotYourDecision,
			"The game does not ask Blue for this now."},
		"no seat":         {g, rules.NoSeat, move, rules.ReasonNotYourDecision, "commands come from a seat"},
		"a seat too many": {g, 2, move, rules.ReasonNotYourDecision, "commands come from a seat"},
		"no command": {g, toy.Red, rules.Command{}, rules.ReasonMalformed,
			"the command is not one of this ruleset"},
		"after the end":      {over, toy.Red, move, rules.ReasonGameOver, "the game is over"},
		"nothing, at an end": {over, toy.Red, rules.Command{}, rules.ReasonMalformed, "not one of this ruleset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := c.game.Notation()
			checked := c.game.Check(c.seat, c.command)
			_, _, played := c.game.Play(c.seat, c.command, dice.NewManual(nil))
			applied := c.game.Clone().Apply(c.seat, c.command, dice.NewManual(nil), new(rules.Outcome))
			for _, err := range []error{checked, played, applied} {
				if reason(err) != c.reason || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %s: %v", reason(err), err)
				}
			}
			if c.game.Notation() != before {
				t.Error("the position changed")
			}
		})
	}
	if n := over.List(toy.Red, rules.Filter{}, nil).Len(); n != 0 || over.Waiting() != 0 || len(over.Decisions()) != 0 {
		t.Errorf("%d commands after the end", n)
	}
	if b := over.Board(rules.Spectator, rules.Japanese).Ending; b.GetText() != "敵の投了により赤軍の勝利です。" ||
		!slices.Equal(b.Winners, []string{"red"}) || b.Scores["red"] != 0 {
		t.Errorf("the board's ending is %v", b)
	}
	if g.Board(rules.Spectator, rules.English).Ending != nil {
		t.Error("the board shows an ending before the end")
	}
}

// What belongs to no ruleset is handled everywhere, and panics nowhere.
func TestForeignCommand(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	var none rules.Command
	if g.EncodeCommand(none) != nil || g.FormatCommand(none) != "" ||
		g.CommandAudience(toy.Red, none) != rules.AuditorOnly {
		t.Error("no command has a message, a notation or an audience")
	}
	if none, own := g.KindOf(none), g.KindOf(command(t, g, "attack r1 b1")); none != "" || own != "attack" {
		t.Errorf("no command is of the kind %q, an attack of %q", none, own)
	}
	attack := g.Describe(toy.Red, command(t, g, "attack r1 b1"))
	if none := g.Describe(toy.Red, none); none.Label.Key != "" || attack.Label.Key != "do.attack" {
		t.Errorf("no command is described as %+v, an attack as %+v", none, attack)
	}
	if _, err := g.DecodeCommand(&toyv1.Event{}); reason(err) != rules.ReasonMalformed || err.Error() == "" {
		t.Errorf("an event read as a command: %v", err)
	}
	if _, err := g.ParseCommand("dance"); reason(err) != rules.ReasonMalformed ||
		!strings.Contains(err.Error(), "dance") {
		t.Errorf("got %v", err)
	}
}

// sullen refuses with one refusal that it keeps, as a ruleset may that has nothing to add.
type sullen struct{ toy.Referee }

var no = rules.Refuse("TY 4.1", "refuse.no_offer")

func (sullen) Check(*toy.State, rules.Seat, toy.Command) *rules.Refusal { return no }

func TestRefusalIsACopy(t *testing.T) {
	t.Parallel()
	g := position(t, sullen{}, facing)
	err := g.Check(toy.Red, command(t, g, "end"))
	if err == nil || err.Error() != "The other seat offers no draw. (TY 4.1)" {
		t.Errorf("got %v", err)
	}
	if no.Words != "" {
		t.Error("the refusal that the ruleset keeps was written to")
	}
}

// restless takes automatic steps for ever.
type restless struct{ toy.Referee }

func (restless) Step(*rules.Exec[*toy.State, *toyv1.Event]) bool { return true }

// lavish emits an event that it cannot fold.
type lavish struct{ toy.Referee }

func (lavish) Play(x *rules.Exec[*toy.State, *toyv1.Event], _ rules.Seat, _ toy.Command) {
	x.Emit(&toyv1.Event{})
}

// reckless panics with something of its own.
type reckless struct{ toy.Referee }

func (reckless) Play(*rules.Exec[*toy.State, *toyv1.Event], rules.Seat, toy.Command) { panic("ouch") }

func TestDefectsPanic(t *testing.T) {
	t.Parallel()
	for want, ref := range map[string]adapted{
		"toy does not come to rest":   restless{},
		"emitted what it cannot fold": lavish{},
		"ouch":                        reckless{},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("got a panic with %q", got)
				}
			}()
			g := position(t, ref, facing)
			_, _, err := g.Play(toy.Red, command(t, g, "end"), dice.NewManual(nil))
			t.Errorf("played, %v", err)
		})
	}
}

func TestListing(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	texts := func(g rules.Game, l rules.Listing) (all []string) {
		for i := range l.Len() {
			all = append(all, g.FormatCommand(l.At(i)))
		}
		return all
	}
	fresh := g.List(toy.Red, rules.Filter{}, nil)
	want := texts(g, fresh)
	var yielded []string
	for c := range g.Legal(toy.Red, rules.Filter{}) {
		yielded = append(yielded, g.FormatCommand(c))
	}
	if diff := cmp.Diff(want, yielded); diff != "" {
		t.Errorf("List and Legal differ: %s", diff)
	}
	used := g.List(toy.Blue, rules.Filter{}, g.Clone().List(toy.Red, rules.Filter{}, nil))
	if got := texts(g, used); !slices.Equal(got, []string{"draw", "concede"}) {
		t.Errorf("in used memory: %v", got)
	}
	used = g.List(toy.Red, rules.Filter{}, used)
	if diff := cmp.Diff(want, texts(g, used)); diff != "" {
		t.Errorf("in used memory: %s", diff)
	}
	if got := texts(g, g.List(toy.Red, rules.Filter{Kind: "attack", Piece: "r1"}, used)); !slices.Equal(got,
		[]string{"attack r1 b1"}) {
		t.Errorf("filtered: %v", got)
	}
	if n := g.List(rules.NoSeat, rules.Filter{}, nil).Len(); n != 0 {
		t.Errorf("%d commands for no seat", n)
	}
}

// garrulous lists a command whatever happens.
type garrulous struct{ toy.Referee }

func (garrulous) Legal(_ *toy.State, _ rules.Seat, _ rules.Filter, yield func(toy.Command) bool) {
	yield(toy.Command{Kind: toy.KindConcede})
}

// Where everything is refused nothing is listed, whatever the ruleset says.
func TestNothingListedAfterTheEnd(t *testing.T) {
	t.Parallel()
	g := position(t, garrulous{}, facing)
	over, _, err := g.Play(toy.Red, command(t, g, "concede"), dice.NewManual(nil))
	if err != nil {
		t.Fatal(err)
	}
	for want, g := range map[int]rules.Game{1: g, 0: over} {
		if n := g.List(toy.Red, rules.Filter{}, nil).Len(); n != want {
			t.Errorf("%d commands, want %d", n, want)
		}
		for range g.Legal(toy.Red, rules.Filter{}) {
			want--
		}
		if want != 0 {
			t.Errorf("Legal yields %d commands less", want)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	event, err := proto.Marshal(
		&toyv1.Event{Event: &toyv1.Event_Moved{Moved: &toyv1.Moved{Unit: "r1", From: "0203", To: "0202"}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Fold(event); err != nil || !strings.Contains(g.Notation(), "unit r1 0202 2 moved\n") {
		t.Errorf("%v\n%s", err, g.Notation())
	}
	for _, damaged := range [][]byte{nil, {0xff}, event[:len(event)-1]} {
		if err := g.Clone().Fold(damaged); err == nil {
			t.Errorf("%x was folded", damaged)
		}
	}
}

func TestBoardIsCompleted(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	b := g.Board(rules.SeatViewer(toy.Red), rules.Japanese)
	if b.Ruleset != "toy" || b.Scenario != "ridge" || len(b.Seats) != 2 || b.Seats[0].Name != "赤軍" ||
		b.Seats[1].Id != "blue" {
		t.Errorf("got %v", b)
	}
	if len(b.Prompts) != 3 || b.Prompts[0].Seat != "red" || b.Prompts[0].Optional || !b.Prompts[2].Optional ||
		b.Prompts[0].Text == "" {
		t.Errorf("prompts: %v", b.Prompts)
	}
}

// secretive asks where only the seat that is asked may hear it.
type secretive struct{ toy.Referee }

func (r secretive) Decisions(p *toy.State) []rules.Decision {
	list := r.Referee.Decisions(p)
	for i := range list {
		list[i].Audience = rules.OnlySeats(list[i].Seat)
	}
	return list
}

func TestPromptsHaveAnAudience(t *testing.T) {
	t.Parallel()
	g := position(t, secretive{}, facing)
	for viewer, want := range map[rules.Viewer]int{
		rules.SeatViewer(toy.Red): 2, rules.SeatViewer(toy.Blue): 1, rules.Spectator: 0, rules.Auditor: 3,
	} {
		if got := len(g.Board(viewer, rules.English).Prompts); got != want {
			t.Errorf("%+v: %d prompts, want %d", viewer, got, want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	results := map[string]dice.Chance{}
	err := rules.Outcomes(g, toy.Red, command(t, g, "attack r1 b1"),
		6, func(chance dice.Chance, next rules.Game, out *rules.Outcome) error {
			if len(out.Rolls) != 1 || next.Notation() == facing {
				t.Errorf("an outcome without a roll, or that changed nothing: %v", out)
			}
			result := out.Events[1].Event.(*toyv1.Event).GetAttackRolled().GetResult().String()
			sum, known := results[result]
			if !known {
				sum = dice.Chance{Num: 0, Den: 1}
			}
			sum, err := sum.Add(chance)
			results[result] = sum
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	// Strength 2 against 2 in rough: one is taken from the die.
	want := map[string]dice.Chance{
		"ATTACK_RESULT_REPULSED":  {Num: 1, Den: 3},
		"ATTACK_RESULT_NO_EFFECT": {Num: 1, Den: 3},
		"ATTACK_RESULT_HIT":       {Num: 1, Den: 3},
	}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Error(diff)
	}
	if g.Notation() != facing {
		t.Error("the game changed")
	}
}

func TestOutcomesErrors(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	visits := 0
	count := func(dice.Chance, rules.Game, *rules.Outcome) error { visits++; return nil }
	err := rules.Outcomes(g, toy.Red, command(t, g, "move r1 0204"), 10, count)
	if r, ok := err.(*rules.Refusal); !ok || r.Reason != rules.ReasonIllegal || visits != 0 {
		t.Errorf("an illegal command: %v, %d visits", err, visits)
	}
	var limit *dice.LimitError
	if err := rules.Outcomes(g, toy.Red, command(t, g, "attack r1 b1"), 5, count); !errors.As(err, &limit) {
		t.Errorf("over the limit: %v", err)
	}
	visits = 0
	if err := rules.Outcomes(g, toy.Red, command(t, g, "end"), 1, count); err != nil || visits != 1 {
		t.Errorf("without dice: %v, %d visits", err, visits)
	}
	stop := errors.New("enough")
	err = rules.Outcomes(g, toy.Red, command(t, g, "scout"), 6,
		func(dice.Chance, rules.Game, *rules.Outcome) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

func TestMapDigest(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	m := g.Ruleset().Map(g.Scenario(), rules.English)
	digest := m.Digest
	if len(digest) != 64 || rules.MapDigest(m) != digest || m.Digest != digest {
		t.Errorf("the digest %q depends on itself, or MapDigest changes the map", digest)
	}
	m.Spaces[0].Terrain = "rough"
	if rules.MapDigest(m) == digest {
		t.Error("another map has the same digest")
	}
	if g.Ruleset().Map(g.Scenario(), rules.English).Spaces[0].Terrain == "rough" {
		t.Error("the map that a caller changed is the scenario's own")
	}
}

// Offers are what may be said outside the game's questions: they are no answers to them.
func TestOffersAreNoAnswers(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	for text, want := range map[string]bool{"end": false, "attack r1 b1": false, "draw": true, "concede": true} {
		c := command(t, g, text)
		if got, asked := rules.IsOffer(g, c), rules.NeedsConfirmation(g, c); got != want || asked != want {
			t.Errorf("%s: an offer %v, to be confirmed %v", text, got, asked)
		}
	}
	notations := func(l rules.Listing) (list []string) {
		for i := range l.Len() {
			list = append(list, g.FormatCommand(l.At(i)))
		}
		return list
	}
	all := g.List(toy.Red, rules.Filter{}, nil)
	var want []string
	for i, text := range notations(all) {
		if !rules.IsOffer(g, all.At(i)) {
			want = append(want, text)
		}
	}
	if diff := cmp.Diff(want, notations(g.Answers(toy.Red, nil))); diff != "" || len(want) == all.Len() {
		t.Errorf("%d commands, of which %d are answers (-want +got):\n%s", all.Len(), len(want), diff)
	}
}
