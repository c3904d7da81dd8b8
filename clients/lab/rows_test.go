package lab

import (
	"fmt"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall"
	"github.com/warledger/warledger/rules/ocs"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// played are a scenario of each ruleset, and how many decisions of it a test looks at.
var played = []struct {
	set       rules.Ruleset
	scenario  string
	decisions int
}{
	{toy.Ruleset(), "ridge", 400}, {downfall.New(), "olympic", 400}, {anniversary.New(), "1941", 1500},
	{ocs.New(), "crimea-ishun", 250},
}

// configured is what a test plays.
func configured(tb testing.TB, set rules.Ruleset, scenario string, games int) Config {
	tb.Helper()
	for _, d := range set.ScenarioDocuments() {
		if d.ID != scenario {
			continue
		}
		sc, faults := set.LoadScenario(d.Data)
		if faults.Refused() {
			tb.Fatal(faults)
		}
		options, err := set.About().NewOptions(nil)
		if err != nil {
			tb.Fatal(err)
		}
		return Config{Ruleset: set, Scenario: sc, Options: options, Games: games, Seed: 7, Workers: 2}
	}
	tb.Fatalf("%s has no scenario %s", set.About().Name, scenario)
	return Config{}
}

// anyActions chooses an action in each game at random, -1 in a game without actions.
func anyActions(t *Table, pick *dice.Seeded) []int32 {
	actions := make([]int32, t.Games())
	for i := range actions {
		if actions[i] = -1; t.Len(i) > 0 {
			actions[i] = int32(pick.Below(uint32(t.Len(i))))
		}
	}
	return actions
}

// TestRowsTellActionsApart: two actions of a list have different rows, so that a policy can prefer either.
func TestRowsTellActionsApart(t *testing.T) {
	t.Parallel()
	for _, p := range played {
		t.Run(p.set.About().Name, func(t *testing.T) {
			t.Parallel()
			cfg := configured(t, p.set, p.scenario, 1)
			table, pick := NewTable(cfg), dice.NewSeeded(1)
			if err := table.Reset(nil, nil); err != nil {
				t.Fatal(err)
			}
			width := len(cfg.Ruleset.Tensors(cfg.Scenario).Row)
			alike, rows := 0, 0
			for range p.decisions {
				m := &table.games[0]
				if m.end == Running {
					alike += m.alike(t, width)
					rows += m.len()
				}
				if err := table.Step(anyActions(table, pick), true); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d of %d rows are like another one of their list", alike, rows)
			if alike > 0 {
				t.Errorf("%d of %d rows are like another one of their list", alike, rows)
			}
		})
	}
}

// alike counts the actions whose row is that of an earlier one, and reports the first pair.
func (m *match) alike(t *testing.T, width int) (n int) {
	seen := map[string]int{}
	rows := m.game.Rows(m.seat, m.list, nil)
	for i := range m.len() {
		key := fmt.Sprint(rows[i*width : (i+1)*width])
		if j, ok := seen[key]; ok {
			if n++; n == 1 {
				t.Logf("%s and %s have the row %s", m.game.FormatCommand(m.list.At(j)),
					m.game.FormatCommand(m.list.At(i)), key)
			}
			continue
		}
		seen[key] = i
	}
	return n
}
