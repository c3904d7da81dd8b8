package rules_test

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// A paragraph waits only if it is in the index, asks something and is given a reason.
func TestWhatWaitsAsksSomething(t *testing.T) {
	t.Parallel()
	for line, good := range map[string]bool{
		"T 1\tfor fog": true, "T 2\tfor fog": false, "T 3\tfor fog": false, "T 1\t": false, "T 1": false,
	} {
		b := rules.MustRulebook("T 1\tFirst\tenforced\tDo it.\nT 2\tSecond\tinformational\tNothing.\n")
		err := b.AddWaiting(line + "\n")
		if (err == nil) != good || err != nil && !strings.Contains(err.Error(), "waiting line 1") {
			t.Errorf("%q: %v", line, err)
		}
		if p, _ := b.Find("T 1"); good && p.Waits != "for fog" {
			t.Errorf("%q: it waits for %q", line, p.Waits)
		}
	}
}

// eager lists a command for whichever seat asks.
type eager struct{ toy.Referee }

func (eager) Legal(_ *toy.State, _ rules.Seat, _ rules.Filter, yield func(toy.Command) bool) {
	yield(toy.Command{Kind: toy.KindEnd})
}

// Nothing is listed for a seat that the ruleset does not have, whatever the referee says.
func TestNothingIsListedForUnknownSeats(t *testing.T) {
	t.Parallel()
	g := position(t, eager{}, facing)
	for seat, want := range map[rules.Seat]int{toy.Blue: 1, 2: 0, 3: 0} {
		if got := g.List(seat, rules.Filter{}, nil).Len(); got != want {
			t.Errorf("%d commands of seat %d, want %d", got, seat, want)
		}
	}
}

// Of a long word a third of its letters may be spelt otherwise.
func TestAThirdOfALongWordMayDiffer(t *testing.T) {
	t.Parallel()
	kinds := []rules.CommandKind{{ID: "reinforced"}}
	for word, alike := range map[string]bool{"reinfxxxed": true, "reinxxxxed": false, "reinforxxx": true} {
		if got := strings.Contains(rules.NoCommand(word, kinds).Words, "did you mean"); got != alike {
			t.Errorf("%s: proposed %v", word, got)
		}
	}
}

// A ruleset may have as many seats as a set of seats holds.
func TestAsManySeatsAsASetHolds(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	for n, good := range map[int]bool{rules.MaxSeats: true, rules.MaxSeats + 1: false} {
		about := *set.About()
		about.Seats = make([]rules.SeatInfo, n)
		_, err := rules.NewRegistry(described{set, &about, nil})
		if got := err == nil || !strings.Contains(err.Error(), "seats, expected 1 to"); got != good {
			t.Errorf("%d seats: %v", n, err)
		}
	}
}
