package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// TestPerft counts the sequences of commands from positions of the set-up, of a turn's actions and of a combat.
func TestPerft(t *testing.T) {
	t.Parallel()
	rulestest.RunCases(t, New(), "testdata/perft")
}

// TestCases holds what the rules answer against what was read and found right.
func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.RunCases(t, New(), "testdata/cases")
}

// TestGoldenLogs folds whole games that were stored when the ruleset had its version 1.
func TestGoldenLogs(t *testing.T) {
	t.Parallel()
	rulestest.GoldenLogs(t, New(), "testdata/golden", rulestest.Config{Pick: pickKind})
}

// TestGoldenSights compares views and numbers for bots along the same games.
func TestGoldenSights(t *testing.T) {
	t.Parallel()
	rulestest.GoldenSights(t, New(), "testdata/golden", "testdata/sights")
}
