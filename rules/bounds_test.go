package rules_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

// Numbers for bots stop at the bounds of 16 bits.
func TestNumbersStopAtTheirBounds(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int16{
		math.MinInt16 - 1: math.MinInt16, math.MinInt16: math.MinInt16, -2: -2, 0: 0, 2: 2,
		math.MaxInt16: math.MaxInt16, math.MaxInt16 + 1: math.MaxInt16, math.MaxInt: math.MaxInt16,
	} {
		if got := rules.Short(n); got != want {
			t.Errorf("%d is written as %d", n, got)
		}
	}
}

// Of kinds that are spelt alike the likest come first, and up to forty kinds are named.
func TestUnknownCommandsNameTheLikest(t *testing.T) {
	t.Parallel()
	kinds := []rules.CommandKind{{ID: "boats"}, {ID: "moves"}, {ID: "lose"}, {ID: "move"}}
	if text := fmt.Sprint(rules.NoCommand("mave", kinds)); !strings.Contains(text, "did you mean move or moves") {
		t.Error(text)
	}
	for n, named := range map[int]bool{40: true, 41: false} {
		kinds := make([]rules.CommandKind, n)
		for i := range kinds {
			kinds[i].ID = fmt.Sprintf("kind-%d", i)
		}
		if text := fmt.Sprint(rules.NoCommand("x", kinds)); strings.Contains(text, "kind-39") != named {
			t.Errorf("of %d: %s", n, text)
		}
	}
}

// A refused seating is in words that a ruleset gave, or else in those of its catalogue.
func TestRefusedSeatingsAreInWords(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{"": "say.no", "given": "given"} {
		a := &rules.About{Catalogue: &rules.Catalogue{}, Seating: func([]rules.Seats) *rules.Refusal {
			return &rules.Refusal{Text: rules.Say("say.no"), Words: words}
		}}
		if got := a.CheckSeating(nil); got == nil || !strings.Contains(got.Words, want) {
			t.Errorf("%q: %+v", words, got)
		}
	}
}
