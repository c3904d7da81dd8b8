package anniversary

import (
	"math"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
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
	b    odds.Battle
}{
	{"one on one",
		odds.Battle{Attacker: odds.Side{Units: units(1, Infantry)}, Defender: odds.Side{Units: units(1, Infantry)}}},
	{"land", odds.Battle{Attacker: odds.Side{Units: units(4, Infantry, 2, Artillery, 3, Tank, 1, Fighter)},
		Defender: odds.Side{Units: units(5, Infantry, 1, Tank)}}},
	{"guns", odds.Battle{Attacker: odds.Side{Units: units(3, Infantry, 2, Fighter, 1, Bomber)},
		Defender: odds.Side{Units: units(3, Infantry)}, Guns: 1}},
	{"destroyers", odds.Battle{
		Sea: true, Attacker: odds.Side{Units: units(1, Battleship, 2, Destroyer, 1, Carrier, 2, Fighter)},
		Defender: odds.Side{Units: units(2, Cruiser, 1, Destroyer, 1, Transport)},
	}},
	{"submarines", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(3, Submarine, 1, Fighter)},
		Defender: odds.Side{Units: units(1, Battleship, 1, Submarine, 1, Carrier, 1, Fighter)}}},
	{"air", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(2, Bomber, 1, Cruiser)},
		Defender: odds.Side{Units: units(1, Cruiser, 2, Submarine, 2, Transport)}}},
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
func fightOut(t *testing.T, sc *Scenario, b *odds.Battle, seed uint64) (win, loss, lost int) {
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
		o.n = uint8(copy(o.losses[:], odds.DefaultLosses[:]))
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
	var attLeft, defLeft odds.Force
	for u := range Unit(NumUnits) {
		attLeft.Add(u, att[u])
		defLeft.Add(u, def[u])
	}
	a, d := attLeft.Fighting, defLeft.Fighting
	switch {
	case a > 0 && d == 0:
		win = 1
	case a == 0 && d > 0:
		loss = 1
	}
	return win, loss, value(&b.Attacker.Units) - value(&att)
}
