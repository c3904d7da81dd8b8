package anniversary_test

import (
	"testing"

	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/rulestest"
)

// TestPerft counts the sequences of commands from positions of both scenarios: the first turns, the order of combats
// and the middle of one, mobilization.
func TestPerft(t *testing.T) {
	t.Parallel()
	rulestest.RunCases(t, anniversary.New(), "testdata/perft")
}

// TestCases holds what the rules answer against what was read and found right.
func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.RunCases(t, anniversary.New(), "testdata/cases")
}

// TestGoldenLogs folds games that were stored when the ruleset had its version 1.
func TestGoldenLogs(t *testing.T) {
	t.Parallel()
	rulestest.GoldenLogs(t, anniversary.New(), "testdata/golden", rulestest.Config{Commands: 5000, Pick: pickKind})
}

// TestGoldenSights compares views and numbers for bots along the same games.
func TestGoldenSights(t *testing.T) {
	t.Parallel()
	rulestest.GoldenSights(t, anniversary.New(), "testdata/golden", "testdata/sights")
}
