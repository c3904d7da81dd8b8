package toy_test

import (
	"testing"

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
}
