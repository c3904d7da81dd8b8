package anniversary

import (
	"errors"
	"math"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/dice"
)

// firstRounds are battles few enough dice are thrown in for all their ways to fall to be played through the engine.
var firstRounds = []struct {
	name   string
	b      odds.Battle
	allied bool // a defender of each type is another power's
}{
	{"artillery", odds.Battle{
		Attacker: odds.Side{Units: units(2, Infantry, 1, Artillery)}, Defender: odds.Side{Units: units(1, Infantry)},
	}, false},
	{"advanced artillery", odds.Battle{
		Attacker: odds.Side{Units: units(2, Infantry, 1, Artillery), Techs: 1 << scenario.AdvancedArtillery},
		Defender: odds.Side{Units: units(1, Tank)},
	}, false},
	{"guns", odds.Battle{Attacker: odds.Side{Units: units(1, Fighter, 1, Bomber)},
		Defender: odds.Side{Units: units(1, Infantry)}, Guns: 1}, false},
	{"paratroopers", odds.Battle{Attacker: odds.Side{Units: units(1, Infantry, 2, Bomber)}, Dropped: 1,
		Defender: odds.Side{Units: units(1, Infantry)}, Guns: 1}, false},
	{"paratroopers and others", odds.Battle{Attacker: odds.Side{Units: units(2, Infantry, 1, Bomber)}, Dropped: 1,
		Defender: odds.Side{Units: units(1, Infantry)}, Guns: 2}, false},
	{"heavy bombers", odds.Battle{Attacker: odds.Side{Units: units(1, Bomber), Techs: 1 << scenario.HeavyBombers},
		Defender: odds.Side{Units: units(1, Infantry, 1, Fighter)}}, false},
	{"bombardment", odds.Battle{Attacker: odds.Side{Units: units(1, Infantry, 1, Fighter)},
		Defender: odds.Side{Units: units(1, Infantry, 1, Fighter), Losses: []Unit{Fighter}},
		Ships:    []int{4}, Ashore: units(1, Infantry)}, false},
	{"several powers", odds.Battle{Attacker: odds.Side{Units: units(2, Tank)},
		Defender: odds.Side{Units: units(2, Infantry, 1, Fighter), Losses: []Unit{Fighter}}}, true},
	{"surprise", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(1, Submarine, 1, Cruiser)},
		Defender: odds.Side{Units: units(1, Submarine, 1, Cruiser)}}, false},
	{"one destroyer",
		odds.Battle{Sea: true, Attacker: odds.Side{Units: units(2, Submarine)},
			Defender: odds.Side{Units: units(1, Destroyer, 1, Submarine)}}, false},
	{"defenders submerge", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(1, Submarine, 1, Cruiser)},
		Defender: odds.Side{Units: units(2, Submarine, 1, Carrier), Submerge: true}}, false},
	{"attackers submerge", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(2, Submarine, 1,
		Cruiser), Submerge: true}, Defender: odds.Side{Units: units(1, Cruiser)}}, false},
	{"aircraft over submarines",
		odds.Battle{Sea: true, Attacker: odds.Side{Units: units(2, Fighter)},
			Defender: odds.Side{Units: units(1, Submarine, 1, Cruiser)}}, false},
	{"submarines under aircraft", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(2, Submarine, 1, Destroyer)},
		Defender: odds.Side{Units: units(1, Fighter, 1, Carrier)}}, false},
	{"battleships", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(1, Battleship, 1,
		Destroyer), Losses: []Unit{Battleship}}, Defender: odds.Side{Units: units(2, Cruiser)}}, false},
	{"battleship before submarine before hull", odds.Battle{Sea: true,
		Attacker: odds.Side{Units: units(1, Fighter, 1, Battleship, 1, Submarine),
			Losses: []Unit{Battleship, Submarine}},
		Defender: odds.Side{Units: units(1, Fighter, 1, Battleship)}}, false},
	{"battleship before fighter before hull",
		odds.Battle{Sea: true, Attacker: odds.Side{Units: units(1, Submarine, 1, Destroyer)},
			Defender: odds.Side{Units: units(1, Destroyer, 1, Fighter, 1, Battleship),
				Losses: []Unit{Battleship, Fighter}}}, false},
	{"transports", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(2, Bomber, 1, Transport)},
		Defender: odds.Side{Units: units(1, Destroyer, 1, Submarine, 1, Transport)}}, false},
}

// TestFirstRoundIsTheEngines: one round played through the engine with every way that its dice can fall leaves what one
// round of the odds leaves.
func TestFirstRoundIsTheEngines(t *testing.T) {
	t.Parallel()
	for _, c := range firstRounds {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := shippedScenario(t, "1941")
			c.b.Rounds = 1
			all := c.b
			all.Ashore = [NumUnits]int{} // who breaks off after the round is in it as well
			o, ok := sc.Odds(all)
			if !ok {
				t.Fatal("refused")
			}
			start := stage(t, sc, &c.b, c.allied)
			want := map[[2][NumUnits]int]float64{}
			var after *Position
			out := new(rules.Outcome)
			err := dice.Enumerate(50000, func(src dice.Source) error {
				after = start.Clone()
				out.Reset()
				if err := rules.Play(referee{}, after, Germany.Seat(), only(KindEnd), src, out); err != nil {
					return err
				}
				if after.phase == PhaseCombat && after.battle.stage != StagePress && after.battle.on() {
					return errors.New("stopped in the round")
				}
				return nil
			}, func(chance dice.Chance, _ []dice.Roll) error {
				want[remaining(after, c.b.Sea)] += chance.Float()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(want) < 2 {
				t.Errorf("%d ends", len(want))
			}
			got := map[[2][NumUnits]int]float64{}
			for _, e := range o.Ends {
				got[[2][NumUnits]int{e.Attacker, e.Defender}] += e.Chance
			}
			for k, p := range want {
				if math.Abs(p-got[k]) > 1e-9 {
					t.Errorf("%v: played %v, computed %v", k, p, got[k])
				}
				delete(got, k)
			}
			for k, p := range got {
				t.Errorf("%v: never played, computed %v", k, p)
			}
		})
	}
}

// stage sets a battle up, with standing orders for all but retreat.
func stage(t *testing.T, sc *Scenario, b *odds.Battle, allied bool) *Position {
	f := fieldOf(t, sc)
	f.put(Germany, "germany", 1, Infantry) // somewhere to land
	f.own(Germany, "poland")
	f.own(SovietUnion, "baltic-states")
	at, from := f.space("baltic-states"), f.space("poland")
	if b.Sea {
		at, from = f.space("sz5"), f.space("sz6")
	}
	for u, n := range b.Defender.Units {
		w := SovietUnion
		for ; n > 0; n-- {
			f.p.put(keyOf(at, w, Unit(u)), 1)
			if allied {
				w = UnitedKingdom
			}
		}
	}
	if b.Guns > 0 {
		f.p.put(keyOf(at, SovietUnion, AAGun), 1)
		if b.Guns == sc.AAHit(1<<scenario.Radar) {
			f.p.tech[SovietUnion] = 1 << scenario.Radar
		}
	}
	f.begin(Germany)
	f.p.tech[Germany] = b.Attacker.Techs
	for u, n := range b.Attacker.Units {
		k := keyOf(at, Germany, Unit(u)).mark(Moved | Attack)
		if !Unit(u).In(scenario.AirUnits) {
			k = k.cameFrom(from)
		}
		switch Unit(u) {
		case Infantry:
			n -= b.Dropped
		case Bomber:
			if n -= b.Dropped; b.Dropped > 0 {
				f.p.put(k.carrying([2]Cargo{cargoOf(Infantry, Germany)}), uint16(b.Dropped))
			}
		}
		if n -= b.Ashore[u]; n > 0 {
			f.p.put(k, uint16(n))
		}
		if n := b.Ashore[u]; n > 0 {
			k := keyOf(f.space("sz5"), Germany, Transport).carrying([2]Cargo{cargoOf(Unit(u), Germany) | lands}).
				aimedAt(at).mark(Moved)
			f.p.put(k, uint16(n))
		}
	}
	for _, v := range b.Ships {
		u := Cruiser
		if v == sc.Units[Battleship].Attack {
			u = Battleship
		}
		f.p.put(keyOf(f.space("sz5"), Germany, u).mark(Moved), 1)
	}
	for w := range f.p.orders {
		o, force := &f.p.orders[w], &b.Attacker
		if Power(w).Side() == Allies {
			force = &b.Defender
		}
		o.n = uint8(copy(o.losses[:], append(append([]Unit(nil), force.Losses...), named(force.Losses)...)))
		o.subs, o.bombard, o.divert, o.agree = subsStrike, true, true, true
		if force.Submerge {
			o.subs = subsSubmerge
		}
	}
	return f.p
}

// named is the default order without what a list names.
func named(losses []Unit) (rest []Unit) {
next:
	for _, u := range odds.DefaultLosses {
		for _, x := range losses {
			if x == u {
				continue next
			}
		}
		rest = append(rest, u)
	}
	return rest
}

// remaining counts what is left of Germany's attack and of its enemies, casualties that still fire not among them.
func remaining(p *Position, sea bool) (left [2][NumUnits]int) {
	for _, g := range p.groups {
		switch {
		case g.Unit() == AAGun || p.sc.SpaceID(g.At()) == "germany":
		case g.Power() != Germany:
			left[1][g.Unit()] += int(g.N)
		case !sea && g.Unit().In(scenario.SeaUnits):
		default:
			left[0][g.Unit()] += int(g.N)
		}
	}
	return left
}
