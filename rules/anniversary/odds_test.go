package anniversary

import (
	"math"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

func units(pairs ...any) (u [NumUnits]int) {
	for i := 0; i+1 < len(pairs); i += 2 {
		u[pairs[i+1].(Unit)] = pairs[i].(int)
	}
	return u
}

var oddsBattles = []struct {
	name string
	b    OddsBattle
}{
	{"one on one",
		OddsBattle{Attacker: OddsForce{Units: units(1, Infantry)}, Defender: OddsForce{Units: units(1, Infantry)}}},
	{"land", OddsBattle{Attacker: OddsForce{Units: units(4, Infantry, 2, Artillery, 3, Tank, 1, Fighter)},
		Defender: OddsForce{Units: units(5, Infantry, 1, Tank)}}},
	{"guns", OddsBattle{Attacker: OddsForce{Units: units(3, Infantry, 2, Fighter, 1, Bomber)},
		Defender: OddsForce{Units: units(3, Infantry)}, Guns: 1}},
	{"destroyers", OddsBattle{
		Sea: true, Attacker: OddsForce{Units: units(1, Battleship, 2, Destroyer, 1, Carrier, 2, Fighter)},
		Defender: OddsForce{Units: units(2, Cruiser, 1, Destroyer, 1, Transport)},
	}},
	{"submarines", OddsBattle{Sea: true, Attacker: OddsForce{Units: units(3, Submarine, 1, Fighter)},
		Defender: OddsForce{Units: units(1, Battleship, 1, Submarine, 1, Carrier, 1, Fighter)}}},
	{"air", OddsBattle{Sea: true, Attacker: OddsForce{Units: units(2, Bomber, 1, Cruiser)},
		Defender: OddsForce{Units: units(1, Cruiser, 2, Submarine, 2, Transport)}}},
}

// TestOddsSum: chances sum to 1.
func TestOddsSum(t *testing.T) {
	sc := shippedScenario(t, "1941")
	for _, c := range oddsBattles {
		o, ok := sc.Odds(c.b)
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
	o, _ := sc.Odds(oddsBattles[0].b) // 1 in 6 against 2 in 6: by hand
	if want := (1. / 6 * 4 / 6) / (1 - 5./6*4/6); math.Abs(o.Win-want) > 1e-12 {
		t.Errorf("win %v, expected %v", o.Win, want)
	}
}

// TestOddsAgainstTheEngine: playing the battles gives the chances that were computed, within four standard deviations.
func TestOddsAgainstTheEngine(t *testing.T) {
	for _, c := range oddsBattles {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := shippedScenario(t, "1941")
			o, _ := sc.Odds(c.b)
			const n = 1500
			wins, losses, lost := 0, 0, 0
			for seed := range uint64(n) {
				w, l, v := fightOut(t, sc, &c.b, seed)
				wins += w
				losses += l
				lost += v
			}
			for _, x := range []struct {
				name string
				got  int
				want float64
			}{{"win", wins, o.Win}, {"loss", losses, o.Loss}} {
				if d := math.Abs(float64(x.got)/n - x.want); d > 4*math.Sqrt(x.want*(1-x.want)/n)+1e-9 {
					t.Errorf("%s: played %v, computed %v", x.name, float64(x.got)/n, x.want)
				}
			}
			if d := math.Abs(float64(lost)/n - o.AttackerLost); d > 0.05*o.AttackerLost+0.3 {
				t.Errorf("lost: played %v, computed %v", float64(lost)/n, o.AttackerLost)
			}
		})
	}
}

// fightOut plays a battle with standing orders for everything.
func fightOut(t *testing.T, sc *Scenario, b *OddsBattle, seed uint64) (win, loss, lost int) {
	f := fieldOf(t, sc)
	f.put(Germany, "germany", 1, Infantry) // somewhere to land
	at := f.space("east-poland")
	if b.Sea {
		at = f.space("sz5")
	}
	for u, n := range b.Defender.Units {
		if n > 0 {
			f.p.put(keyOf(at, SovietUnion, Unit(u)), uint16(n))
		}
	}
	if b.Guns > 0 {
		f.p.put(keyOf(at, SovietUnion, AAGun), 1)
	}
	f.begin(Germany)
	for u, n := range b.Attacker.Units {
		if n > 0 {
			f.p.put(keyOf(at, Germany, Unit(u)).mark(Moved|Attack), uint16(n))
		}
	}
	for w := range f.p.orders {
		o := &f.p.orders[w]
		o.n = uint8(copy(o.losses[:], defaultLosses[:]))
		o.retreat, o.subs, o.divert, o.agree = 1, subsStrike, true, true
	}
	if err := rules.Play(referee{}, f.p, Germany.Seat(), only(KindEnd), dice.NewSeeded(seed), f.out); err != nil {
		t.Fatal(err)
	}
	for i := 0; f.p.phase == PhaseCombat && i < 10; i++ {
		a, _ := f.p.ask()
		t.Fatalf("question %d", a)
	}
	var att, def [NumUnits]int
	for _, g := range f.p.groups {
		switch {
		case g.Power() == Germany && g.At() == at:
			att[g.Unit()] += int(g.N)
		case g.Power() == SovietUnion: // fighters of a lost carrier are elsewhere by now
			def[g.Unit()] += int(g.N)
		}
	}
	att[AAGun], def[AAGun] = 0, 0
	value := func(u *[NumUnits]int) (n int) {
		for i, k := range u {
			n += k * f.p.sc.Units[i].Cost
		}
		return
	}
	attLeft, defLeft := fleetOf(&att), fleetOf(&def)
	a, d := attLeft.force().fighting, defLeft.force().fighting
	switch {
	case a > 0 && d == 0:
		win = 1
	case a == 0 && d > 0:
		loss = 1
	}
	return win, loss, value(&b.Attacker.Units) - value(&att)
}

// oddsMixes are battles to measure: of 20 and 40 units a side, among them those that take longest to compute.
var oddsMixes = []struct {
	name string
	b    OddsBattle
}{
	{"land20", OddsBattle{Attacker: OddsForce{Units: units(10, Infantry, 4, Artillery, 4, Tank, 2, Fighter)},
		Defender: OddsForce{Units: units(14, Infantry, 3, Artillery, 2, Tank, 1, Fighter)}}},
	{"land40", OddsBattle{Attacker: OddsForce{Units: units(20, Infantry, 8, Artillery, 8, Tank, 4, Fighter)},
		Defender: OddsForce{Units: units(28, Infantry, 6, Artillery, 4, Tank, 2, Fighter)}}},
	{"guns40",
		OddsBattle{Attacker: OddsForce{Units: units(10, Infantry, 15, Fighter, 15, Bomber)},
			Defender: OddsForce{Units: units(40, Infantry)}, Guns: 1}},
	{"sea20", OddsBattle{Sea: true, Attacker: OddsForce{Units: units(2, Battleship, 2, Carrier, 4, Fighter, 4,
		Destroyer, 4, Submarine, 4, Cruiser)},
		Defender: OddsForce{Units: units(2, Battleship, 2, Carrier, 4, Fighter, 4, Destroyer, 4, Submarine, 4,
			Transport)}}},
	{"sea40", OddsBattle{Sea: true, Attacker: OddsForce{Units: units(4, Battleship, 4, Carrier, 8, Fighter, 8,
		Destroyer, 8, Submarine, 8, Cruiser)},
		Defender: OddsForce{Units: units(4, Battleship, 4, Carrier, 8, Fighter, 8, Destroyer, 8, Submarine, 8,
			Transport)}}},
	{"submarines40", OddsBattle{Sea: true, Attacker: OddsForce{Units: units(13, Submarine, 13, Fighter, 14, Cruiser)},
		Defender: OddsForce{Units: units(13, Submarine, 13, Fighter, 14, Cruiser)}}},
	{"played200",
		OddsBattle{Attacker: OddsForce{Units: units(100, Infantry, 50, Tank, 50, Fighter)},
			Defender: OddsForce{Units: units(200, Infantry)}}},
}

func BenchmarkOdds(b *testing.B) {
	sc := shippedScenario(b, "1941")
	for _, c := range oddsMixes {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sc.Odds(c.b)
			}
		})
	}
}

// BenchmarkOddsPlayed20 is the baseline: the same battles of 20 units a side, played out with dice.
func BenchmarkOddsPlayed20(b *testing.B) {
	sc := shippedScenario(b, "1941")
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
	sc := shippedScenario(t, "1941")
	for _, c := range oddsBattles {
		b := c.b
		b.Attacker.Submerge, b.Retreat = true, 60
		exact, _ := sc.Odds(b)
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
	sc := shippedScenario(t, "1941")
	for _, c := range oddsMixes {
		o, ok := sc.Odds(c.b)
		if !ok || (o.Samples > 0) != (c.name == "played200") {
			t.Errorf("%s: %v, %d samples", c.name, ok, o.Samples)
		}
		if sum := o.Win + o.Draw + o.Loss + o.Retreat; math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: sums to %v", c.name, sum)
		}
	}
	for _, b := range []OddsBattle{
		{Attacker: OddsForce{Units: units(-1, Infantry)}},
		{Attacker: OddsForce{Units: units(MaxOddsUnits, Infantry, 1, Tank)}},
		{Attacker: OddsForce{Units: units(1, Infantry)}, Ashore: units(2, Infantry)},
		{Rounds: -1},
	} {
		if _, ok := sc.Odds(b); ok {
			t.Errorf("accepted %+v", b)
		}
	}
}
