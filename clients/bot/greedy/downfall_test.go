package greedy_test

import (
	"cmp"
	"os"
	"strconv"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall"
)

// playDownfall plays a game of greedy bots and bots that leave it to chance.
func playDownfall(t *testing.T, seed uint64, us, japan bool) bot.Result {
	t.Helper()
	set := downfall.New()
	scenario, bad := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	if bad != nil {
		t.Fatal(bad)
	}
	options, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	bots := make([]bot.Bot, 2)
	for seat, isGreedy := range []bool{us, japan} {
		bots[seat] = bot.NewRandom(2*seed + uint64(seat))
		if isGreedy {
			b, err := greedy.New("downfall", 2*seed+uint64(seat))
			if err != nil {
				t.Fatal(err)
			}
			bots[seat] = b
		}
	}
	m := bot.Match{Ruleset: set, Scenario: scenario, Options: options, Bots: bots, Dice: dice.NewSeeded(seed),
		MaxDecisions: 5000}
	r, err := m.Play(t.Context())
	if err != nil {
		t.Fatalf("game %d: %v", seed, err)
	}
	return r
}

// games is how many games to play a side: a few, or as many as WARLEDGER_GAMES says for the full claim.
func games(t *testing.T, few int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("WARLEDGER_GAMES"), strconv.Itoa(few)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// firstSeed is the seed of the first game: 0, or what WARLEDGER_SEED says, to show that the claim does not
// hang on the first seeds.
func firstSeed(t *testing.T) uint64 {
	t.Helper()
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("WARLEDGER_SEED"), "0"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return seed
}

func TestGreedyBeatsRandomAtDownfall(t *testing.T) {
	t.Parallel()
	// The least percentage of games: 90 for either side. The US, which needs eight of nine points for a win, loses one
	// game in twenty, so that a few games say less.
	few := []int{75, 90}
	for seat, name := range []string{"us", "japan"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, ends := games(t, 12), map[string]int{}
			for i := range uint64(n) {
				r := playDownfall(t, i+firstSeed(t), seat == 0, seat == 1)
				ends[ending(r)]++
			}
			won, least := ends["final "+name]+ends["sudden "+name], 90
			if n < 100 {
				least = few[seat]
			}
			t.Logf("%d games: %v", n, ends)
			if won*100 < n*least {
				t.Errorf("the greedy bot won %d of %d games as %s against chance", won, n, name)
			}
		})
	}
}

// ending is how a game ended and for whom.
func ending(r bot.Result) string {
	for seat := range r.Ending.Winners.Each {
		return r.Ending.Level + " " + downfall.New().About().SeatID(seat)
	}
	return r.Ending.Level + " draw"
}

func TestGreedyAgainstItselfIsAContest(t *testing.T) {
	t.Parallel()
	ends, n := map[string]int{}, games(t, 8)
	for seed := range uint64(n) {
		ends[ending(playDownfall(t, seed, true, true))]++
	}
	t.Logf("%d games: %v", n, ends)
	if most := max(ends["final us"], ends["final japan"]+ends["sudden japan"]); most == n {
		t.Errorf("one side won all of %d games against itself: %v", n, ends)
	}
}

func TestGreedyDownfallDependsOnTheSeedAlone(t *testing.T) {
	t.Parallel()
	a, b, c := playDownfall(t, 3, true, true), playDownfall(t, 3, true, true), playDownfall(t, 4, true, true)
	if a.Game.Notation() != b.Game.Notation() || a.Decisions != b.Decisions {
		t.Error("two games of one seed differ")
	}
	if a.Game.Notation() == c.Game.Notation() {
		t.Error("the games of two seeds are the same")
	}
}
