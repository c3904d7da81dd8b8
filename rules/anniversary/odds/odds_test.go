package odds

import (
	"math"
	"os"
	"testing"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// scenario1941 is the scenario of 1941.
func scenario1941(tb testing.TB) *scenario.Scenario {
	tb.Helper()
	doc, err := os.ReadFile("../scenarios/1941.json")
	if err != nil {
		tb.Fatal(err)
	}
	sc, faults := scenario.Read(doc)
	if sc == nil {
		tb.Fatal(faults)
	}
	return sc
}

func units(pairs ...any) (u [scenario.NumUnits]int) {
	for i := 0; i+1 < len(pairs); i += 2 {
		u[pairs[i+1].(scenario.Unit)] = pairs[i].(int)
	}
	return u
}

var battles = []struct {
	name string
	b    Battle
}{
	{"one on one",
		Battle{Attacker: Side{Units: units(1, scenario.Infantry)}, Defender: Side{Units: units(1, scenario.Infantry)}}},
	{"land", Battle{Attacker: Side{Units: units(4, scenario.Infantry, 2, scenario.Artillery, 3, scenario.Tank, 1,
		scenario.Fighter)},
		Defender: Side{Units: units(5, scenario.Infantry, 1, scenario.Tank)}}},
	{"guns", Battle{Attacker: Side{Units: units(3, scenario.Infantry, 2, scenario.Fighter, 1, scenario.Bomber)},
		Defender: Side{Units: units(3, scenario.Infantry)}, Guns: 1}},
	{"destroyers", Battle{
		Sea: true, Attacker: Side{Units: units(1, scenario.Battleship, 2, scenario.Destroyer, 1, scenario.Carrier, 2,
			scenario.Fighter)},
		Defender: Side{Units: units(2, scenario.Cruiser, 1, scenario.Destroyer, 1, scenario.Transport)},
	}},
	{"submarines", Battle{Sea: true, Attacker: Side{Units: units(3, scenario.Submarine, 1, scenario.Fighter)},
		Defender: Side{Units: units(1, scenario.Battleship, 1, scenario.Submarine, 1, scenario.Carrier, 1,
			scenario.Fighter)}}},
	{"air", Battle{Sea: true, Attacker: Side{Units: units(2, scenario.Bomber, 1, scenario.Cruiser)},
		Defender: Side{Units: units(1, scenario.Cruiser, 2, scenario.Submarine, 2, scenario.Transport)}}},
}

// TestOddsSum: chances sum to 1.
func TestOddsSum(t *testing.T) {
	sc := scenario1941(t)
	for _, c := range battles {
		o, ok := Weigh(sc, c.b)
		if !ok {
			t.Fatal(c.name)
		}
		sum := 0.0
		for _, e := range o.Ends {
			sum += e.Chance
		}
		if math.Abs(sum-1) > 1e-9 || math.Abs(o.Win+o.Draw+o.Loss-1) > 1e-9 {
			t.Errorf("%s: ends sum to %v, win %v draw %v loss %v", c.name, sum, o.Win, o.Draw, o.Loss)
		}
	}
	o, _ := Weigh(sc, battles[0].b) // 1 in 6 against 2 in 6: by hand
	if want := (1. / 6 * 4 / 6) / (1 - 5./6*4/6); math.Abs(o.Win-want) > 1e-12 {
		t.Errorf("win %v, expected %v", o.Win, want)
	}
}

// oddsMixes are battles to measure: of 20 and 40 units a side, among them those that take longest to compute.
var oddsMixes = []struct {
	name string
	b    Battle
}{
	{"land20", Battle{Attacker: Side{Units: units(10, scenario.Infantry, 4, scenario.Artillery, 4, scenario.Tank, 2,
		scenario.Fighter)},
		Defender: Side{Units: units(14, scenario.Infantry, 3, scenario.Artillery, 2, scenario.Tank, 1,
			scenario.Fighter)}}},
	{"land40", Battle{Attacker: Side{Units: units(20, scenario.Infantry, 8, scenario.Artillery, 8, scenario.Tank, 4,
		scenario.Fighter)},
		Defender: Side{Units: units(28, scenario.Infantry, 6, scenario.Artillery, 4, scenario.Tank, 2,
			scenario.Fighter)}}},
	{"guns40",
		Battle{Attacker: Side{Units: units(10, scenario.Infantry, 15, scenario.Fighter, 15, scenario.Bomber)},
			Defender: Side{Units: units(40, scenario.Infantry)}, Guns: 1}},
	{"sea20", Battle{Sea: true,
		Attacker: Side{Units: units(2, scenario.Battleship, 2, scenario.Carrier, 4, scenario.Fighter, 4,
			scenario.Destroyer, 4, scenario.Submarine, 4, scenario.Cruiser)},
		Defender: Side{Units: units(2, scenario.Battleship, 2, scenario.Carrier, 4, scenario.Fighter, 4,
			scenario.Destroyer, 4, scenario.Submarine, 4,
			scenario.Transport)}}},
	{"sea40", Battle{Sea: true,
		Attacker: Side{Units: units(4, scenario.Battleship, 4, scenario.Carrier, 8, scenario.Fighter, 8,
			scenario.Destroyer, 8, scenario.Submarine, 8, scenario.Cruiser)},
		Defender: Side{Units: units(4, scenario.Battleship, 4, scenario.Carrier, 8, scenario.Fighter, 8,
			scenario.Destroyer, 8, scenario.Submarine, 8,
			scenario.Transport)}}},
	{"submarines40", Battle{Sea: true,
		Attacker: Side{Units: units(13, scenario.Submarine, 13, scenario.Fighter, 14, scenario.Cruiser)},
		Defender: Side{Units: units(13, scenario.Submarine, 13, scenario.Fighter, 14, scenario.Cruiser)}}},
	{"played200",
		Battle{Attacker: Side{Units: units(100, scenario.Infantry, 50, scenario.Tank, 50, scenario.Fighter)},
			Defender: Side{Units: units(200, scenario.Infantry)}}},
}

func BenchmarkOdds(b *testing.B) {
	sc := scenario1941(b)
	for _, c := range oddsMixes {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Weigh(sc, c.b)
			}
		})
	}
}

// BenchmarkOddsPlayed20 is the baseline: the same battles of 20 units a side, played out with dice.
func BenchmarkOddsPlayed20(b *testing.B) {
	sc := scenario1941(b)
	for _, i := range []int{0, 3} {
		b.Run(oddsMixes[i].name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				playOut(sc, &oddsMixes[i].b)
			}
		})
	}
}

// TestOddsPlayedOut: what is played out with dice agrees with what is computed, and its error is as stated.
func TestOddsPlayedOut(t *testing.T) {
	t.Parallel()
	sc := scenario1941(t)
	for _, c := range battles {
		b := c.b
		b.Attacker.Submerge, b.Retreat = true, 60
		exact, _ := Weigh(sc, b)
		dice := playOut(sc, &b)
		if dice.Samples == 0 || dice.Error <= 0 || exact.Error != 0 {
			t.Fatalf("%s: %d samples, errors %v, %v", c.name, dice.Samples, dice.Error, exact.Error)
		}
		for _, x := range [][2]float64{
			{dice.Win, exact.Win}, {dice.Draw, exact.Draw}, {dice.Loss, exact.Loss}, {dice.Retreat, exact.Retreat},
		} {
			if math.Abs(x[0]-x[1]) > 4*dice.Error {
				t.Errorf("%s: played %v, computed %v, error %v", c.name, x[0], x[1], dice.Error)
			}
		}
	}
}

// TestOddsLimits: battles up to the limit are computed whatever their mix, larger ones played out, and what is
// no battle is refused.
func TestOddsLimits(t *testing.T) {
	t.Parallel()
	sc := scenario1941(t)
	for _, c := range oddsMixes {
		o, ok := Weigh(sc, c.b)
		if !ok || (o.Samples > 0) != (c.name == "played200") {
			t.Errorf("%s: %v, %d samples", c.name, ok, o.Samples)
		}
		if sum := o.Win + o.Draw + o.Loss + o.Retreat; math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: sums to %v", c.name, sum)
		}
	}
	for _, b := range []Battle{
		{Attacker: Side{Units: units(-1, scenario.Infantry)}},
		{Attacker: Side{Units: units(MaxUnits, scenario.Infantry, 1, scenario.Tank)}},
		{Attacker: Side{Units: units(1, scenario.Infantry)}, Ashore: units(2, scenario.Infantry)},
		{Rounds: -1},
	} {
		if _, ok := Weigh(sc, b); ok {
			t.Errorf("accepted %+v", b)
		}
	}
}

// TestOddsAreBounded: combats in which those who came ashore fight on after the rest broke off are a battle of their
// own for each state. Without a bound 60 units a side took 20 s and 120 several minutes, and 40 took a gigabyte.
func TestOddsAreBounded(t *testing.T) {
	t.Parallel()
	sc := scenario1941(t)
	for _, n := range []int{8, 12, 24, 200} {
		side := units(n, scenario.Infantry, n, scenario.Artillery, n, scenario.Tank, n, scenario.Fighter, n,
			scenario.Bomber)
		b := Battle{Attacker: Side{Units: side}, Defender: Side{Units: side}, Guns: 1, Rounds: 1,
			Ashore: units(n/2, scenario.Infantry, n/2, scenario.Artillery, n/2, scenario.Tank)}
		o, ok := Weigh(sc, b)
		if !ok || o.Samples == 0 {
			t.Errorf("%d units a side: %v, %d samples", 5*n, ok, o.Samples)
		}
		if sum := o.Win + o.Draw + o.Loss + o.Retreat; math.Abs(sum-1) > 1e-9 {
			t.Errorf("%d units a side: the chances sum to %v", 5*n, sum)
		}
	}
	few := units(3, scenario.Infantry, 1, scenario.Artillery, 1, scenario.Tank, 1, scenario.Fighter)
	o, _ := Weigh(sc, Battle{Attacker: Side{Units: few}, Defender: Side{Units: few}, Rounds: 1,
		Ashore: units(1, scenario.Infantry)})
	if o.Samples != 0 {
		t.Errorf("6 units a side are played out %d times", o.Samples)
	}
}

// TestEndsAreJoinedOnTheWay: there are fewer ends than ways to them, and joining some of them early changes no chance.
func TestEndsAreJoinedOnTheWay(t *testing.T) {
	t.Parallel()
	sc := scenario1941(t)
	b := Battle{Guns: 1, Rounds: 1, Ashore: units(4, scenario.Infantry, 3, scenario.Tank),
		Attacker: Side{Units: units(8, scenario.Infantry, 6, scenario.Artillery, 6, scenario.Tank, 5, scenario.Fighter,
			3, scenario.Bomber)},
		Defender: Side{Units: units(8, scenario.Infantry, 6, scenario.Tank, 6, scenario.Fighter)}}
	w := newWeigher(sc, &b)
	if !w.weigh() || w.joined == 0 {
		t.Fatalf("nothing was joined on the way of %d ends", len(w.odds.Ends))
	}
	w.odds.join()
	sum := 0.
	for i, e := range w.odds.Ends {
		if sum += e.Chance; i > 0 && alike(&w.odds.Ends[i-1], &e) >= 0 {
			t.Fatal("two ends are alike")
		}
	}
	if all := w.odds.Win + w.odds.Draw + w.odds.Loss + w.odds.Retreat; math.Abs(sum-all) > 1e-9 || all < 1-1e-9 {
		t.Errorf("ends sum to %v, outcomes to %v", sum, all)
	}
}

// TestToothless: scenarios may have units that hit nothing. Many of them draw, without ten thousand rounds for each
// sample.
func TestToothless(t *testing.T) {
	t.Parallel()
	sc := *scenario1941(t)
	for i := range sc.Units {
		sc.Units[i].Attack, sc.Units[i].Defence = 0, 0
	}
	for _, n := range []int{3, 500} {
		b := Battle{Attacker: Side{Units: units(n, scenario.Tank)}, Defender: Side{Units: units(n, scenario.Infantry)}}
		if o, ok := Weigh(&sc, b); !ok || o.Draw != 1 || (o.Samples > 0) != (n > mostExact) {
			t.Errorf("%d a side: %+v", n, o)
		}
	}
}
