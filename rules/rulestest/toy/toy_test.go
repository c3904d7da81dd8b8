package toy_test

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

func TestBattery(t *testing.T) {
	t.Parallel()
	rulestest.Battery(t, toy.Ruleset(), rulestest.Config{Secrets: true})
}

func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.RunCases(t, toy.Ruleset(), "testdata/cases")
}

func TestGoldenLogs(t *testing.T) {
	t.Parallel()
	rulestest.GoldenLogs(t, toy.Ruleset(), "testdata/golden", rulestest.Config{})
}

func TestCoverage(t *testing.T) {
	rulestest.Coverage(t, toy.Ruleset(), ".", "../../../docs/reference/rulesets/toy-coverage.md")
}

// TestGoldenSights compares views and numbers for bots along the same games.
func TestGoldenSights(t *testing.T) {
	t.Parallel()
	rulestest.GoldenSights(t, toy.Ruleset(), "testdata/golden", "testdata/sights")
}
