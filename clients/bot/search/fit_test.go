package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall"
)

// sample is a position: its features, and how the game ended for the first seat.
type sample struct {
	x    []float64
	y    float64
	game int
}

// playOut plays a game in the mind from its beginning.
func playOut(t *testing.T, g rules.Game, bots []bot.Bot, chance *dice.Seeded, look func()) {
	t.Helper()
	if _, err := g.Start(chance); err != nil {
		t.Fatal(err)
	}
	var out rules.Outcome
	v := thought{touch: downfallTouch}
	for g.Ending() == nil {
		look()
		seat := v.begin(g)
		c, err := bots[seat].Choose(context.Background(), &v)
		if err != nil {
			t.Fatal(err)
		}
		command, err := v.command(c)
		if err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if err := g.Apply(seat, command, chance, &out); err != nil {
			t.Fatal(err)
		}
	}
}

// downfallSamples are positions at the beginning of the US's actions, in games of its style against the greedy bot.
func downfallSamples(t *testing.T, games int, seed uint64) (samples []sample) {
	t.Helper()
	set := downfall.New()
	sc, faults := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	if faults.Refused() {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	coast := newShore(set.Map(sc, rules.English))
	maker := styled("downfall")
	for game := range games {
		chance := dice.NewSeeded(seed + uint64(game)*0x9E3779B97F4A7C15)
		bots := []bot.Bot{maker(downfallCraft.styles("us")[0], chance.Next()), maker("", chance.Next())}
		g, begun, turn := set.New(sc, o), len(samples), 0
		playOut(t, g, bots, chance, func() {
			for _, d := range g.Decisions() {
				if d.Kind == "actions" && d.Seat == 0 && g.Turn() != turn {
					turn = g.Turn()
					x := coast.features(g.Board(rules.SeatViewer(0), rules.English))
					samples = append(samples, sample{x: x[:], game: game})
				}
			}
		})
		for i := begun; i < len(samples); i++ {
			samples[i].y = worth(g.Ending(), 0)
		}
	}
	return samples
}

// chanceOf is what weights make of features.
func chanceOf(w, x []float64) float64 {
	sum := 0.0
	for i := range w {
		sum += w[i] * x[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// logLoss is how far weights are from how games ended, on average.
func logLoss(w []float64, samples []sample) float64 {
	sum := 0.0
	for _, s := range samples {
		p := min(max(chanceOf(w, s.x), 1e-9), 1-1e-9)
		sum -= s.y*math.Log(p) + (1-s.y)*math.Log(1-p)
	}
	return sum / float64(len(samples))
}

// fit finds the weights that explain samples best, with a penalty on the squares of all but the first (logistic
// regression by Newton's method).
func fit(samples []sample, penalty float64) []float64 {
	n := len(samples[0].x)
	w := make([]float64, n)
	for range 12 {
		// a is the matrix of the second derivatives, with the gradient as its last column.
		a := make([][]float64, n)
		for i := range a {
			a[i] = make([]float64, n+1)
			if a[i][i] = 1e-6; i > 0 {
				a[i][i], a[i][n] = penalty, -penalty*w[i]
			}
		}
		for _, s := range samples {
			p := chanceOf(w, s.x)
			for i, x := range s.x {
				if x == 0 {
					continue
				}
				a[i][n] += x * (s.y - p)
				for j, z := range s.x {
					a[i][j] += p * (1 - p) * x * z
				}
			}
		}
		for i, step := range solve(a) {
			w[i] += step
		}
	}
	return w
}

// solve solves linear equations, of which the last column is the right side, by elimination.
func solve(a [][]float64) []float64 {
	n := len(a)
	for i := range n {
		best := i
		for k := i; k < n; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[best][i]) {
				best = k
			}
		}
		a[i], a[best] = a[best], a[i]
		for k := range n {
			if k == i || a[k][i] == 0 {
				continue
			}
			f := a[k][i] / a[i][i]
			for j := i; j <= n; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = a[i][n] / a[i][i]
	}
	return x
}

// TestDownfallWeights holds that the weights tell who wins. If WARLEDGER_GAMES says how many games to play, it fits
// them anew and prints them.
func TestDownfallWeights(t *testing.T) {
	t.Parallel()
	games, err := strconv.Atoi(cmp.Or(os.Getenv("WARLEDGER_GAMES"), "16"))
	if err != nil {
		t.Fatal(err)
	}
	samples := downfallSamples(t, games, 41)
	var seen, unseen []sample
	mean := 0.0
	for _, s := range samples {
		if mean += s.y / float64(len(samples)); s.game%5 == 4 {
			unseen = append(unseen, s)
		} else {
			seen = append(seen, s)
		}
	}
	var w, turned []float64
	for _, row := range downfallWeights {
		w, turned = append(w, row.weight), append(turned, -row.weight)
	}
	alone := -mean*math.Log(mean) - (1-mean)*math.Log(1-mean)
	loss, opposite := logLoss(w, samples), logLoss(turned, samples)
	t.Logf("%d positions: log loss %.3f, turned round %.3f, of the mean alone %.3f",
		len(samples), loss, opposite, alone)
	if loss > alone-0.05 || opposite < alone+0.05 {
		t.Errorf("log loss %.3f, turned round %.3f, of the mean alone %.3f", loss, opposite, alone)
	}
	if os.Getenv("WARLEDGER_GAMES") == "" {
		return
	}
	fitted := fit(seen, 5)
	t.Logf("held back: %.3f", logLoss(fitted, unseen))
	for i, x := range fitted {
		fmt.Printf("\t{%.3f, %q},\n", x, downfallWeights[i].feature)
	}
}

// A fit must find what made up samples were made with.
func TestFit(t *testing.T) {
	t.Parallel()
	chance := dice.NewSeeded(9)
	want := []float64{-0.5, 1.5, -1}
	var samples []sample
	for range 4_000 {
		x := []float64{1, float64(chance.Below(3)), float64(chance.Below(3))}
		samples = append(samples, sample{x: x, y: oneIf(float64(chance.Below(1_000))/1_000 < chanceOf(want, x))})
	}
	for i, w := range fit(samples, 1) {
		if math.Abs(w-want[i]) > 0.2 {
			t.Errorf("weight %d is %.2f, not %.2f", i, w, want[i])
		}
	}
	// A penalty beyond all reason leaves only the first, which is then what the mean alone says.
	mean := 0.0
	for _, s := range samples {
		mean += s.y / float64(len(samples))
	}
	alone := []float64{math.Log(mean / (1 - mean)), 0, 0}
	for i, w := range fit(samples, 1e6) {
		if math.Abs(w-alone[i]) > 0.02 {
			t.Errorf("with a high penalty weight %d is %.3f, not %.3f", i, w, alone[i])
		}
	}
}
