package greedy_test

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/dice"
)

// sides of Anniversary, by seat.
const axis, allies = "GJI", "SUA"

// anniversaryMatch sets up a game in which the seats named by a letter each (Germany, Japan, Italy, Soviet Union,
// United Kingdom, America) are played by greedy bots and the others by chance. Even seeds play 1941, odd ones 1942.
func anniversaryMatch(t *testing.T, seed uint64, seats string, options map[string]string) *bot.Match {
	t.Helper()
	set := anniversary.New()
	scenario, faults := set.LoadScenario(set.ScenarioDocuments()[seed%2].Data)
	if faults.Fatal() {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	m := &bot.Match{Ruleset: set, Scenario: scenario, Options: o, Dice: dice.NewSeeded(seed), MaxDecisions: 20000}
	for i, letter := range axis + allies {
		b := bot.NewRandom(6*seed + uint64(i))
		if strings.ContainsRune(seats, letter) {
			if b, err = greedy.New("anniversary", 6*seed+uint64(i)); err != nil {
				t.Fatal(err)
			}
		}
		m.Bots = append(m.Bots, b)
	}
	return m
}

// playAnniversary plays a game to its end, or until it is cut off.
func playAnniversary(t *testing.T, m *bot.Match) bot.Result {
	t.Helper()
	r, err := m.Play(t.Context())
	if err != nil && !bot.IsCutOff(err) {
		t.Fatal(err)
	}
	return r
}

// winner names the side that won; a game that was cut off has none.
func winner(r bot.Result) string {
	switch {
	case r.Ending == nil:
		return "nobody"
	case r.Ending.Winners.Has(rules.Seat(anniversary.Germany)):
		return "axis"
	}
	return "allies"
}

func TestGreedyBeatsRandomAtAnniversary(t *testing.T) {
	t.Parallel()
	for name, seats := range map[string]string{"axis": axis, "allies": allies} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, won, turns := games(t, 4), 0, 0
			for seed := range uint64(n) {
				r := playAnniversary(t, anniversaryMatch(t, seed, seats, nil))
				turns += r.Turns
				if winner(r) == name {
					won++
				}
			}
			t.Logf("won %d of %d games in %d turns", won, n, turns)
			if won*100 < n*90 {
				t.Errorf("the greedy bot won %d of %d games as the %s against chance", won, n, name)
			}
		})
	}
}

// TestGreedyPlaysEverySeatOfAnniversary: any seat alone or beside others, with other options than usual; no command is
// refused, and the turns go on.
func TestGreedyPlaysEverySeatOfAnniversary(t *testing.T) {
	t.Parallel()
	some := []map[string]string{
		{"victory_cities": "18"}, {"research": "false", "victory_cities": "18"},
		{"objectives": "false", "victory_cities": "18"},
		{"official_2009": "true", "victory_cities": "18"},
	}
	for i, seats := range []string{"G", "J", "I", "S", "U", "A", "GSA", "JU"} {
		t.Run(seats, func(t *testing.T) {
			t.Parallel()
			m := anniversaryMatch(t, uint64(i), seats, some[i%len(some)])
			m.MaxDecisions = 600
			r, err := m.Play(t.Context())
			if !bot.IsCutOff(err) || r.Refusals != 0 {
				t.Fatalf("%d refused: %v", r.Refusals, err)
			}
			if r.Turns < 2 {
				t.Errorf("%d decisions were made in %d turns", r.Decisions, r.Turns)
			}
		})
	}
}

// TestGreedyAgainstItselfDecidesAnniversary: most games come to an end, and with enough of them both sides win some.
func TestGreedyAgainstItselfDecidesAnniversary(t *testing.T) {
	t.Parallel()
	n, turns, won := games(t, 1), 0, map[string]int{}
	for seed := range uint64(n) {
		r := playAnniversary(t, anniversaryMatch(t, seed, axis+allies, nil))
		won[winner(r)]++
		turns += r.Turns
	}
	t.Logf("%d games in %d turns: %v", n, turns, won)
	if won["nobody"]*5 > n {
		t.Errorf("%d of %d games came to no end", won["nobody"], n)
	}
	if n >= 20 && (won["axis"] == 0 || won["allies"] == 0) {
		t.Errorf("one side won all of %d games: %v", n, won)
	}
}

func TestGreedyAnniversaryDependsOnTheSeedAlone(t *testing.T) {
	t.Parallel()
	play := func(seed uint64) bot.Result {
		m := anniversaryMatch(t, seed, axis+allies, nil)
		m.MaxDecisions = 400
		return playAnniversary(t, m)
	}
	a, b, c := play(4), play(4), play(6)
	if a.Game.Notation() != b.Game.Notation() || a.Decisions != b.Decisions {
		t.Error("two games of one seed differ")
	}
	if a.Game.Notation() == c.Game.Notation() {
		t.Error("the games of two seeds are the same")
	}
}
