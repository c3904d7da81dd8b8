package tournament

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// ridge is a tournament of the toy ruleset.
func ridge(t *testing.T) *Tournament {
	t.Helper()
	set := toy.Ruleset()
	docs := set.ScenarioDocuments()
	sc, faults := set.LoadScenario(docs[slices.IndexFunc(docs, func(d rules.Document) bool {
		return d.ID == "ridge"
	})].Data)
	if faults.Refused() {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Tournament{Ruleset: set, Scenario: sc, Options: o, Games: 6, Seed: 5, Jobs: 1, MaxDecisions: 5_000,
		Entries: []Entry{
			{"random", func(seed uint64) (bot.Bot, error) { return bot.NewRandom(seed), nil }},
			{"greedy", func(seed uint64) (bot.Bot, error) { return greedy.New("toy", seed) }},
		}}
}

// text is a table with everything in it.
func text(t *testing.T, table *Table) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(table); err != nil {
		t.Fatal(err)
	}
	for _, write := range []func() error{
		func() error { return table.WriteRatings(&b) }, func() error { return table.WritePairings(&b) },
		func() error { return table.WriteSides(&b) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestTheSeedAloneDecides(t *testing.T) {
	t.Parallel()
	play := func(jobs int, seed uint64) string {
		r := ridge(t)
		done := 0
		r.Jobs, r.Seed, r.Mirror, r.Done = jobs, seed, true, func() { done++ }
		table, err := r.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if done != r.Total() || table.Games != 24 {
			t.Errorf("%d of %d games were told of, %d counted", done, r.Total(), table.Games)
		}
		return text(t, table)
	}
	alone := play(1, 5)
	if d := cmp.Diff(alone, play(3, 5)); d != "" {
		t.Errorf("three at a time play otherwise: %s", d)
	}
	if alone == play(1, 6) {
		t.Error("another seed plays the same")
	}
}

func TestTheBetterBotIsRatedHigher(t *testing.T) {
	t.Parallel()
	table, err := ridge(t).Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if table.Ratings[0].Bot != "greedy" || table.Ratings[0].Elo.Elo <= 0 ||
		math.Abs(table.Ratings[0].Elo.Elo+table.Ratings[1].Elo.Elo) > 1e-6 {
		t.Errorf("%+v", table.Ratings)
	}
	for _, r := range table.Ratings {
		if r.Games != 12 || r.Won+r.Drawn+r.Lost != 12 {
			t.Errorf("%+v", r)
		}
	}
	if len(table.Pairings) != 2 || table.Sides[0].Won != table.Sides[1].Lost {
		t.Errorf("%+v", table)
	}
}

func TestGamesThatAreCutOff(t *testing.T) {
	t.Parallel()
	r := ridge(t)
	r.MaxDecisions = 3
	table, err := r.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if table.CutOff != 12 || table.Sides[0].Drawn != 12 {
		t.Errorf("%d were cut off and %d drawn", table.CutOff, table.Sides[0].Drawn)
	}
	r.Judge = func(begin, now rules.Game) rules.Seats {
		if begin.Turn() != 0 || begin.Notation() == now.Notation() {
			t.Error("the game did not begin where it is said to")
		}
		return rules.SeatsOf(1)
	}
	if table, err = r.Play(t.Context()); err != nil || table.Sides[1].Won != 12 {
		t.Errorf("%+v, %v", table, err)
	}
}

func TestWhatCannotBePlayed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Tournament)
		says   string
	}{
		"no games": {func(r *Tournament) { r.Games = 0 }, "no games"},
		"one bot":  {func(r *Tournament) { r.Entries = r.Entries[:1] }, "two bots"},
		"twice":    {func(r *Tournament) { r.Entries[1].Name = "random" }, "twice"},
		"no bot": {func(r *Tournament) {
			r.Entries[1].Make = func(seed uint64) (bot.Bot, error) { return greedy.New("chess", seed) }
		}, "no greedy bot"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := ridge(t)
			c.change(r)
			if _, err := r.Play(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ridge(t).Play(ctx); err == nil {
		t.Error("it was not stopped")
	}
}

func TestSidesOfSixSeats(t *testing.T) {
	t.Parallel()
	first, second, err := Sides(anniversary.New().About())
	if err != nil || first != rules.SeatsOf(0, 1, 2) || second != rules.SeatsOf(3, 4, 5) {
		t.Errorf("%v and %v, %v", first, second, err)
	}
}

func TestWilson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		won, games int
		low, high  float64
	}{ // by the formula, to four digits: 70 of 100 is in every table
		{70, 100, 0.6042, 0.7811}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {0, 0, 0, 1},
	} {
		if _, low, high := wilson(c.won, c.games); math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f", c.won, c.games, low, high)
		}
	}
}

func TestEloOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	// Of 4,000 games on each side one wins three in four: 10^(d/400) = 3, and no side is better than the other.
	var games []game
	for n := range 4_000 {
		s := 1.0
		if n%4 == 0 {
			s = 0
		}
		games = append(games, game{0, 1, s}, game{1, 0, 1 - s})
	}
	points, side := rate(2, games)
	want := 400 * math.Log10(3)
	if d := points[0].Elo - points[1].Elo; math.Abs(d-want) > 1 {
		t.Errorf("%.1f apart, not %.1f", d, want)
	}
	// The error of a difference of 8,000 games is 1.96·s/√(n·p·(1-p)), and that of a bot from the mean half of it.
	if want := 400 / math.Ln10 * 1.96 / math.Sqrt(8_000*3./16) / 2; math.Abs(points[0].Error-want) > 0.1 {
		t.Errorf("an error of %.2f, not %.2f", points[0].Error, want)
	}
	if math.Abs(side.Elo) > 0.1 || side.Error > 10 {
		t.Errorf("the side is worth %+v", side)
	}
	// And if the first side wins three in four of equal bots, the side has it all.
	games = games[:0]
	for n := range 4_000 {
		s := 1.0
		if n%4 == 0 {
			s = 0
		}
		games = append(games, game{0, 1, s}, game{1, 0, s})
	}
	if points, side = rate(2, games); math.Abs(side.Elo-want) > 1 || math.Abs(points[0].Elo) > 1 {
		t.Errorf("%+v, %+v", points, side)
	}
	if all, _ := rate(2, []game{{0, 1, 1}, {1, 0, 0}}); math.IsInf(all[0].Elo, 0) || all[0].Elo < 20 {
		t.Errorf("one that won all has %+v", all[0])
	}
}
