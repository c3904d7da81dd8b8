package rules_test

import (
	"testing"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// gambler throws one die, whatever the command.
type gambler struct {
	toy.Referee
	sides uint8
}

func (g gambler) Play(x *rules.Exec[*toy.State, *toyv1.Event], _ rules.Seat, _ toy.Command) {
	x.Roll(g.sides, "attack")
}

// TestUnfoldCountsTenWaysForEachState: a course is walked exactly up to as many states as the study allows, with ten
// ways of the dice in each. Beyond that it is sampled.
func TestUnfoldCountsTenWaysForEachState(t *testing.T) {
	t.Parallel()
	sc, faults := toy.Referee{}.LoadScenario(toy.Referee{}.ScenarioDocuments()[0].Data)
	if faults != nil {
		t.Fatal(faults)
	}
	start, err := toy.Referee{}.ParsePosition(sc, facing)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		sides  uint8
		rolls  int // each is a state
		states int
		method rules.Method
		trials int
	}{
		"ten ways in one state":       {10, 1, 1, rules.MethodExact, 1},
		"eleven ways in one state":    {11, 1, 1, rules.MethodSampled, 7},
		"twenty ways in two states":   {10, 2, 2, rules.MethodExact, 2},
		"two states of one":           {2, 2, 1, rules.MethodSampled, 7},
		"fewer states than there may": {6, 3, 9, rules.MethodExact, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := 0 // Over is asked once after each roll: all its values count as one
			ends, err := rules.Unfold(gambler{sides: c.sides}, start, toy.Red, toy.Command{},
				rules.Course[*toy.State, toy.Command, int]{
					Choose: func(*toy.State) (rules.Seat, toy.Command) { return toy.Red, toy.Command{} },
					Key:    func(*toy.State) int { return 0 },
					Over:   func(*toy.State) bool { steps++; return steps%c.rolls == 0 },
				}, rules.Study{States: c.states, Samples: 7})
			if err != nil {
				t.Fatal(err)
			}
			if ends.Method != c.method || ends.Trials != c.trials {
				t.Errorf("method %d after %d trials, want %d after %d", ends.Method, ends.Trials, c.method, c.trials)
			}
			shares := ends.Shares(func(*toy.State) (rules.Text, []rules.Count) { return rules.Text{}, nil })
			if len(shares) != 1 || shares[0].Chance.Value != 1 {
				t.Errorf("shares %+v, want a single one of 1", shares)
			}
		})
	}
}
