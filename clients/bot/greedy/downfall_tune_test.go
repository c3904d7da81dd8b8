package greedy

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	df "github.com/warledger/warledger/rules/downfall"
)

// invade plays the US with a caution against the greedy Japan. The result is 1 for a win and 0 for a loss. The score
// counts points and turns as well, so that losing late is better than losing at once.
func invade(t *testing.T, c caution, seed uint64) (result, score float64) {
	t.Helper()
	m := invasion(t, c, seed)
	r, err := m.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, track := range r.Game.Board(rules.Auditor, rules.English).Tracks {
		if track.Id == "vp" {
			score = 0.015 * max(0, float64(track.Value))
		}
	}
	score += 0.1 * float64(r.Game.Turn()) / 30
	switch {
	case r.Ending.Winners.Has(0):
		return 1, score + 0.8
	case r.Ending.Winners == 0:
		return 0.5, score + 0.3
	}
	return 0, score
}

// invasion is a match of a US that plays with a caution and the greedy Japan.
func invasion(t *testing.T, c caution, seed uint64) bot.Match {
	t.Helper()
	set := df.New()
	sc, faults := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	if faults.Refused() {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	seeds := dice.NewSeeded(seed)
	throw, japan, us := seeds.Next(), seeds.Next(), seeds.Next()
	return bot.Match{Ruleset: set, Scenario: sc, Options: o, Dice: dice.NewSeeded(throw), MaxDecisions: 5_000,
		Bots: []bot.Bot{judging(downfall(c))(us), judging(downfall(usual))(japan)}}
}

// TestTheCarefulUSTakesTwoTownsEarly plays the first two turns with and without hurry, with the same
// dice (DF 4.2).
func TestTheCarefulUSTakesTwoTownsEarly(t *testing.T) {
	t.Parallel()
	const n = 6
	earned := func(c caution) (games int64) {
		for seed := range uint64(n) {
			m := invasion(t, c, 500+seed)
			m.MaxTurns = 2
			r, err := m.Play(t.Context())
			if err != nil && !bot.IsCutOff(err) {
				t.Fatal(err)
			}
			for _, track := range r.Game.Board(rules.Auditor, rules.English).Tracks {
				if track.Id == "award-towns-2" {
					games += track.Value
				}
			}
		}
		return games
	}
	slow := careful
	slow.early = 0
	hurried, before := earned(careful), earned(slow)
	t.Logf("in %d games the careful US took the towns %d times, and %d times without hurry", n, hurried, before)
	if hurried < n*3/4 || before > n/2 {
		t.Errorf("in %d games the careful US took the towns %d times, and %d times without hurry", n, hurried, before)
	}
}

// On the second day one command point is not enough for two towns: then no unit leaves a beachhead for one of them.
func TestTownsAreHurriedToWhileThePointsSuffice(t *testing.T) {
	t.Parallel()
	marine := &boardv1.Piece{Id: "marine", Place: "beach", Steps: 2}
	for _, c := range []struct {
		what   string
		turn   int
		points int64
		held   []string
		to     string
		want   float64
	}{
		{"first day", 1, 1, nil, "north", careful.early},
		{"one point for two towns", 2, 1, nil, "north", 0},
		{"two points for two towns", 2, 2, nil, "north", careful.early},
		{"one point for the second town", 2, 1, []string{"south"}, "north", careful.early},
		{"the town is held", 2, 6, []string{"north"}, "north", 0},
		{"two are enough", 2, 6, []string{"south", "west"}, "north", 0},
		{"no town", 2, 6, nil, "field", 0},
		{"too late", 3, 6, nil, "north", 0},
	} {
		f := &front{ground: &ground{towns: []string{"north", "south", "west"}}, caution: careful, turn: c.turn,
			own: map[string][]*boardv1.Piece{}, tracks: map[string]int64{"cp": c.points}}
		for _, h := range c.held {
			f.own[h] = []*boardv1.Piece{{Id: h, Place: h, Steps: 2}}
		}
		if got := f.hurry(marine, c.to); got != c.want {
			t.Errorf("%s: %v, not %v", c.what, got, c.want)
		}
	}
	f := &front{ground: &ground{towns: []string{"north", "south"}}, caution: careful, turn: 1}
	if got := f.hurry(&boardv1.Piece{Place: "south", Steps: 2}, "north"); got != 0 {
		t.Errorf("from one town to the other: %v", got)
	}
}

// TestTheCarefulUSLosesLess plays both styles with the same dice.
func TestTheCarefulUSLosesLess(t *testing.T) {
	t.Parallel()
	const n = 16
	lost, before := 0, 0
	for seed := range uint64(n) {
		if result, _ := invade(t, careful, seed); result == 0 {
			lost++
		}
		if result, _ := invade(t, usual, seed); result == 0 {
			before++
		}
	}
	t.Logf("of %d games the careful US lost %d, and the greedy one %d", n, lost, before)
	if 2*lost > before {
		t.Errorf("of %d games the careful US lost %d, and the greedy one %d", n, lost, before)
	}
}

// numbers are those of a caution. The first four may be 0, or are turns and points.
func numbers(c *caution) []*float64 {
	return []*float64{
		&c.relief, &c.patience, &c.landing, &c.poor, &c.perEnemy, &c.fewGuards, &c.mostGuards, &c.rich, &c.bare,
		&c.perGuard, &c.grave, &c.perGrave, &c.back, &c.entry, &c.ashore, &c.pull, &c.goal, &c.due, &c.keep, &c.peril,
		&c.kill, &c.loss, &c.clear, &c.hunted, &c.bombEarly, &c.bombLater, &c.bombNear, &c.bombMid, &c.recover,
		&c.early, &c.reach,
	}
}

// changed is a caution with one number changed by so many standard deviations: a quarter of itself, or what suits it.
func changed(c caution, i int, by float64) caution {
	switch x := numbers(&c)[i]; i {
	case 0, 1:
		*x += 0.4 * by
	case 2, 3:
		*x += by
	default:
		*x *= math.Exp(0.25 * by)
	}
	return c
}

// TestTuneCareful looks for a better careful style, if WARLEDGER_ROUNDS says for how many rounds, and prints it after
// each.
func TestTuneCareful(t *testing.T) {
	rounds, err := strconv.Atoi(cmp.Or(os.Getenv("WARLEDGER_ROUNDS"), "0"))
	if err != nil {
		t.Fatal(err)
	}
	if rounds == 0 {
		t.Skip("WARLEDGER_ROUNDS does not say how many rounds to play")
	}
	c, chance := careful, rand.New(rand.NewPCG(3, 7))
	for round := range rounds {
		mean := 0.0
		c, mean = tuned(c, chance, func(c caution, seed uint64) float64 {
			_, score := invade(t, c, seed)
			return score
		})
		t.Logf("round %d: mean score %.3f, and now %+v", round+1, mean, c)
	}
}

// tuned is a caution after a round of 250 pairs of games with the same dice, and their mean score: all numbers are
// changed by chance in one, and by as much the other way in the other. Each number is then moved to where the better
// games were, as far as that is clear.
func tuned(c caution, chance *rand.Rand, play func(c caution, seed uint64) float64) (caution, float64) {
	const pairs = 250
	n := len(numbers(&c))
	gain, squares, sum := make([]float64, n), make([]float64, n), 0.0
	for range pairs {
		z, up, down := make([]float64, n), c, c
		for i := range z {
			z[i] = chance.NormFloat64()
			up, down = changed(up, i, z[i]), changed(down, i, -z[i])
		}
		seed := chance.Uint64()
		a, b := play(up, seed), play(down, seed)
		sum += a + b
		for i := range z {
			g := z[i] * (a - b) / 2
			gain[i], squares[i] = gain[i]+g, squares[i]+g*g
		}
	}
	for i := range n {
		c = changed(c, i, stride(gain[i]/pairs, squares[i]/pairs, pairs))
	}
	return c, sum / pairs / 2
}

// Tuning must find the numbers that a made-up game rewards, with noise, and leave alone what it does not look at.
func TestTuningFindsWhatIsRewarded(t *testing.T) {
	t.Parallel()
	far := func(c caution) float64 {
		return math.Abs(math.Log(c.pull/(2*careful.pull))) + math.Abs(math.Log(c.keep/(careful.keep/2))) +
			math.Abs(c.patience-careful.patience-1)
	}
	c, chance := careful, rand.New(rand.NewPCG(5, 9))
	for range 12 {
		c, _ = tuned(c, chance, func(c caution, seed uint64) float64 {
			return -far(c) + 0.5*rand.New(rand.NewPCG(seed, 1)).NormFloat64()
		})
	}
	if before, after := far(careful), far(c); !(after <= before/4) { // nor may it be no number
		t.Errorf("it is %.2f from what is rewarded, and was %.2f before: %+v", after, before, c)
	}
	if change := math.Abs(math.Log(c.hunted / careful.hunted)); change > 0.5 {
		t.Errorf("a number that makes no difference went from %.2f to %.2f", careful.hunted, c.hunted)
	}
}

// Every number of a caution is tuned, once.
func TestAllNumbersAreTuned(t *testing.T) {
	t.Parallel()
	var c caution
	list := numbers(&c)
	for i, x := range list {
		*x = float64(i + 1)
	}
	v := reflect.ValueOf(c)
	if len(list) != v.NumField() {
		t.Errorf("%d numbers of %d are tuned", len(list), v.NumField())
	}
	for i := range v.NumField() {
		if v.Field(i).Float() == 0 {
			t.Errorf("%s is not tuned", v.Type().Field(i).Name)
		}
	}
}

// stride is how far to go by a gain that is so much on average: one standard deviation if it is two and a half times
// its error, and little if it is less than its error.
func stride(mean, square, n float64) float64 {
	clear := mean / math.Sqrt((square-mean*mean)/n)
	return max(-1.2, min(1.2, clear/2.5)) * clear * clear / (clear*clear + 1)
}
