package toy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// The clock tells before the first turn that plans are made, and then the turn and whose it is.
func TestClockTellsTheTurn(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	options, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := set.New(sc, options)
	if _, err := g.Start(dice.NewSeeded(1)); err != nil {
		t.Fatal(err)
	}
	clock := func() string { return g.Board(rules.Spectator, rules.English).Clock.Text }
	if got := clock(); got != "Before the first turn: plans" {
		t.Errorf("at the start it says %q", got)
	}
	for g.Turn() == 0 {
		for seat := range g.Waiting().Each {
			c := g.List(seat, rules.Filter{}, nil).At(0)
			if g, _, err = g.Play(seat, c, dice.NewSeeded(1)); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if got := clock(); got != "Turn 1 of 4: Red's turn" && got != "Turn 1 of 4: Blue's turn" {
		t.Errorf("in the first turn it says %q", got)
	}
	c := g.Board(rules.Spectator, rules.English).Clock
	other := map[string]string{"red": "blue", "blue": "red"}[c.Active]
	want := &boardv1.TurnOrder{Seats: []string{c.Active, other}, Lasts: true}
	if diff := cmp.Diff(want, c.Order, protocmp.Transform()); diff != "" {
		t.Errorf("the order of play (-want +got)\n%s", diff)
	}
}

// The map marks the outposts, each worth a point, and the board says who holds which.
func TestOutpostsAreDrawn(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	owners := map[string]string{}
	for _, s := range g.Board(rules.Spectator, rules.English).Spaces {
		if s.Owner != "" {
			owners[s.Id] = s.Owner
		}
	}
	if diff := cmp.Diff(map[string]string{"0103": "red", "0303": "blue"}, owners); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
	outposts := 0
	for _, s := range toy.Ruleset().Map(g.Scenario(), rules.English).Spaces {
		if strings.Join(s.Features, " ") == "outpost" {
			outposts++
		}
		if want := len(s.Features); int(s.Value) != want {
			t.Errorf("%s is worth %d, want %d", s.Id, s.Value, want)
		}
	}
	if outposts == 0 {
		t.Error("the map has no outpost")
	}
}
