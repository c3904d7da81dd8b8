package toy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// attacking is the ridge while red's r1 attacks b1.
func attacking(t *testing.T, state string) (rules.Game, error) {
	t.Helper()
	return toy.Ruleset().ParsePosition(ridge(t).Scenario(), facing+"attack r1 b1 "+state+"\n")
}

// A position may hold one attack, between units on the map, from which somebody has gone only after a retreat.
func TestPositionsWithAttacks(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{
		"declared -": "", "hit -": "", "no-effect -": "", "retreated 0402": "", "done -": "", "done 0402": "",
		"hit 0402": "a retreat leaves a hex", "retreated -": "a retreat leaves a hex",
		"hit -\nattack r2 b1 hit -": "expected one attack",
	} {
		if _, err := attacking(t, state); want == "" && err != nil ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", state, err, want)
		}
	}
	gone := strings.Replace(facing, "unit r1 0203 1", "unit r1 - 0", 1) + "attack r1 b1 hit -\n"
	if _, err := toy.Ruleset().ParsePosition(ridge(t).Scenario(), gone); err == nil ||
		!strings.Contains(err.Error(), "expected one attack between units on the map") {
		t.Errorf("a unit off the map attacks: %v", err)
	}
}

// A result that the rules do not have does not fold.
func TestUnknownResultsDoNotFold(t *testing.T) {
	t.Parallel()
	for _, result := range []toyv1.AttackResult{0, 1, 3, 4, -1} {
		g, err := attacking(t, "declared -")
		if err != nil {
			t.Fatal(err)
		}
		event, err := proto.Marshal(&toyv1.Event{Event: &toyv1.Event_AttackRolled{
			AttackRolled: &toyv1.AttackRolled{Roll: 3, Result: result},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Fold(event); (err == nil) != (result == 1 || result == 3) {
			t.Errorf("result %d: %v", result, err)
		}
	}
}

// Answers within an attack name the unit and where it goes; without an attack they name none.
func TestAnswersAreDescribed(t *testing.T) {
	t.Parallel()
	hit, err := attacking(t, "hit -")
	if err != nil {
		t.Fatal(err)
	}
	left, err := attacking(t, "retreated 0402")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		g             rules.Game
		command, want string
	}{
		{hit, "lose", "Blue 1 loses a step; b1; "},
		{hit, "retreat 0402", "Blue 1 retreats to 0402; b1; 0402"},
		{left, "advance", "Red 1 advances to 0402; r1; 0402"},
		{left, "hold", "Red 1 stays where it is; r1; "},
		{ridge(t), "hold", "- stays where it is; ; "},
		{ridge(t), "advance", "- advances to -; ; "},
		{ridge(t), "move r1 0202", "Move Red 1 to 0202; r1; 0202"},
	} {
		parsed, err := c.g.ParseCommand(c.command)
		if err != nil {
			t.Fatal(err)
		}
		d := c.g.Describe(0, parsed)
		got := c.g.Ruleset().About().Catalogue.Format(rules.English, d.Label) + "; " + strings.Join(d.Pieces, " ") +
			"; " + strings.Join(d.Spaces, " ")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
}

// The message of a rally has its steps, and reads back as the same command.
func TestRalliesKeepTheirSteps(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	for _, command := range []string{"rally r1 1", "rally r1 2"} {
		c, err := g.ParseCommand(command)
		if err != nil {
			t.Fatal(err)
		}
		back, err := g.DecodeCommand(g.EncodeCommand(c))
		if err != nil || g.FormatCommand(back) != command {
			t.Errorf("%s comes back as %q, %v", command, g.FormatCommand(back), err)
		}
	}
}

// The end of a game is told with the winner's name, also where a ruleset has no such seat.
func TestTheEndIsTold(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	var got []string
	for _, winners := range [][]string{{"red"}, {"blue"}, nil, {"green"}} {
		event, err := proto.Marshal(&toyv1.Event{Event: &toyv1.Event_GameEnded{
			GameEnded: &toyv1.GameEnded{Winners: winners, Level: "points"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, g.Ruleset().Narrate(g.Scenario(), rules.English, event))
	}
	want := []string{"Red wins on points.", "Blue wins on points.", "- wins on points.", "- wins on points."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The map has its names in the language that was asked for, and in English where it has none of it; scores and supply
// stand in two rows.
func TestBoardsInLanguages(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	sc, set := g.Scenario(), g.Ruleset()
	en, ja, none := set.Map(sc, rules.English), set.Map(sc, rules.Japanese), set.Map(sc, "zxx")
	if proto.Equal(en, ja) || !proto.Equal(en, none) {
		t.Error("the map in Japanese is that in English, or that in French is not")
	}
	var got []string
	for _, track := range g.Board(rules.Spectator, rules.English).GetTracks() {
		got = append(got, fmt.Sprint(track.GetRank(), " ", track.GetId()))
	}
	want := []string{"1 score-red", "2 supply-red", "1 score-blue", "2 supply-blue"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A unit that is hit retreats or stands in a forecast as the policy says.
func TestForecastsFollowThePolicy(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	c, err := g.ParseCommand("attack r1 b1")
	if err != nil {
		t.Fatal(err)
	}
	for policy, want := range map[string][]string{"retreat": {"retreat"}, "stand": {"hit"}} {
		policies, faults := rules.NewPolicies(toy.Referee{}.Policies(), map[string]string{"hit": policy})
		if faults != nil {
			t.Fatal(faults)
		}
		preview, err := g.Preview(toy.Red, c, rules.Study{Policies: policies})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, outcome := range preview.Forecasts[len(preview.Forecasts)-1].Outcomes {
			if outcome.ID == "retreat" || outcome.ID == "hit" {
				got = append(got, outcome.ID)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", policy, diff)
		}
	}
}

// A forecast counts the steps that each unit has left, and nothing of a unit that is gone.
func TestForecastsCountTheStepsLeft(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	c, err := g.ParseCommand("attack r1 b1")
	if err != nil {
		t.Fatal(err)
	}
	policies, faults := rules.NewPolicies(toy.Referee{}.Policies(), map[string]string{"hit": "stand"})
	if faults != nil {
		t.Fatal(faults)
	}
	preview, err := g.Preview(toy.Red, c, rules.Study{Policies: policies})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range preview.Forecasts[len(preview.Forecasts)-1].Distributions {
		for _, s := range d.Shares {
			got = append(got, fmt.Sprint(d.Seat, s.Counts))
		}
	}
	if diff := cmp.Diff([]string{"0 [{r1 1}]", "0 []", "1 [{b1 2}]", "1 [{b1 1}]"}, got); diff != "" {
		t.Errorf("steps left (-want +got):\n%s", diff)
	}
}

// Steps are read as decimal digits, and a refusal says how many were named.
func TestStepsAreDecimal(t *testing.T) {
	t.Parallel()
	for _, steps := range []string{"10", "0"} {
		_, err := ridge(t).ParseCommand("rally r1 " + steps)
		if err == nil || !strings.Contains(err.Error(), "steps must be 1 to 4, not "+steps) {
			t.Errorf("%s: %v", steps, err)
		}
	}
}

// Nobody is waited for once both plans are made, as long as the first turn has not begun.
func TestNobodyPlansTwice(t *testing.T) {
	t.Parallel()
	for plan, want := range map[string]rules.Seats{" plan 0103": 0, "": rules.SeatsOf(toy.Red)} {
		text := strings.NewReplacer("turn 1 act first red active red begun", "turn 0 plan first red",
			"score 0 plan 0103", "score 0"+plan).Replace(facing)
		g, err := toy.Ruleset().ParsePosition(ridge(t).Scenario(), text)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Waiting(); got != want {
			t.Errorf("with the plan %q, %b are waited for, want %b", plan, got, want)
		}
	}
}
