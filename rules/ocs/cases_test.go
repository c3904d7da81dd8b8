package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// TestPerft counts the sequences of commands from positions of the small scenario: a Movement
// Segment, a combat, a retreat.
func TestPerft(t *testing.T) {
	t.Parallel()
	rulestest.RunCases(t, ruleset, "testdata/perft")
}

// TestCases holds what the rules answer against what was read and found right.
func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.RunCases(t, ruleset, "testdata/cases")
}

// TestGoldenLogs folds games of the small scenario that were stored when the ruleset had its version 1.
func TestGoldenLogs(t *testing.T) {
	t.Parallel()
	rulestest.GoldenLogs(t, smallest{ruleset}, "testdata/golden", rulestest.Config{Commands: 20000, Pick: brisk})
}

// smallest offers the small scenario only.
type smallest struct{ rules.Ruleset }

func (s smallest) ScenarioDocuments() []rules.Document {
	for _, d := range s.Ruleset.ScenarioDocuments() {
		if d.ID == "crimea-ishun" {
			return []rules.Document{d}
		}
	}
	return nil
}

// TestGoldenSights compares views and numbers for bots along the same games.
func TestGoldenSights(t *testing.T) {
	t.Parallel()
	rulestest.GoldenSights(t, smallest{ruleset}, "testdata/golden", "testdata/sights")
}
