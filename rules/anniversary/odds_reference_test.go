package anniversary

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// The reference weighs battles without cleverness: every die is thrown apart, casualties are picked one by one with the
// menus of the engine, and rounds are fought until next to nothing is undecided.

// muster is what is left of both sides.
type muster struct {
	att, def           [NumUnits]int
	attHurt, defHurt   int
	attDived, defDived bool
}

type reference struct {
	sc   *Scenario
	b    *odds.Battle
	ends map[string]float64
}

func thrownApart(sc *Scenario, b *odds.Battle) map[string]float64 {
	r := &reference{sc, b, map[string]float64{}}
	now := map[muster]float64{}
	r.guns(muster{att: b.Attacker.Units, def: b.Defender.Units}, 1, b.Attacker.Units, now)
	for round := 1; len(now) > 0 && round < 2000; round++ {
		next := map[muster]float64{}
		for m, p := range now {
			if p < 1e-17 {
				continue
			}
			r.round(m, p, round == 1, func(m muster, p float64) {
				if !r.over(m, p) && !r.leaves(m, p, round) {
					next[m] += p
				}
			})
		}
		now = next
	}
	return r.ends
}

func endKey(att, def [NumUnits]int, retreated bool) string { return fmt.Sprint(att, def, retreated) }

// guns shoots at each aircraft by itself.
func (r *reference) guns(m muster, p float64, left [NumUnits]int, now map[muster]float64) {
	for _, u := range []Unit{Fighter, Bomber} {
		if left[u] > 0 && r.b.Guns > 0 && !r.b.Sea {
			left[u]--
			q := float64(r.b.Guns) / 6
			r.guns(m, p*(1-q), left, now)
			m.att[u]--
			r.guns(m, p*q, left, now)
			return
		}
	}
	if !r.over(m, p) {
		now[m] += p
	}
}

func forceOf(units [NumUnits]int, dived bool) (f odds.Force) {
	for u, n := range units {
		if n > 0 && !(dived && Unit(u) == Submarine) {
			f.Add(Unit(u), n)
		}
	}
	return f
}

// over counts a battle that has ended.
func (r *reference) over(m muster, p float64) bool {
	att, def := forceOf(m.att, m.attDived), forceOf(m.def, m.defDived)
	if r.b.Sea && def.Transports > 0 && att.Fighting > 0 &&
		(def.Fighting == 0 || def.Fighting == def.Subs && att.Air == att.Fighting && att.Transports == 0) {
		m.def[Transport] = 0
		def = forceOf(m.def, m.defDived)
	}
	switch {
	case att.Fighting == 0 && (att.Transports == 0 || def.Fighting == 0):
	case def.Fighting == 0 && (def.Transports == 0 || att.Fighting > 0):
	case !att.CanHit(&def) && !def.CanHit(&att):
	default:
		return false
	}
	r.ends[endKey(m.att, m.def, false)] += p
	return true
}

// leaves counts a battle that the attacker breaks off.
func (r *reference) leaves(m muster, p float64, round int) bool {
	stays, some := [NumUnits]int{}, false
	a, d := 0, 0
	for u := range m.att {
		if n := r.b.Ashore[u]; n > 0 {
			stays[u] = max(0, n-(r.b.Attacker.Units[u]-m.att[u]))
		}
		some = some || m.att[u] > stays[u] && (Unit(u) != Submarine || !m.attDived)
		if Unit(u) != Submarine || !m.attDived {
			a += m.att[u] * r.sc.Attack(Unit(u), r.b.Attacker.Techs)
		}
		if Unit(u) != Submarine || !m.defDived {
			d += m.def[u] * r.sc.Units[u].Defence
		}
	}
	if !some || round != r.b.Rounds && (r.b.Retreat < 2 || a*100 >= d*r.b.Retreat) {
		return false
	}
	if stays == [NumUnits]int{} {
		r.ends[endKey(m.att, m.def, true)] += p
		return true
	}
	b := odds.Battle{Attacker: r.b.Attacker, Defender: r.b.Defender}
	b.Attacker.Units, b.Defender.Units = stays, m.def
	rest := &reference{r.sc, &b, map[string]float64{}}
	now := map[muster]float64{}
	start := muster{att: stays, def: m.def}
	if !rest.over(start, p) {
		now[start] = p
	}
	away := m.att
	for u := range away {
		away[u] -= stays[u]
	}
	for range 400 {
		next := map[muster]float64{}
		for x, q := range now {
			rest.round(x, q, false, func(x muster, q float64) {
				y := x
				for u := range away {
					y.att[u] += away[u]
				}
				att, def := forceOf(x.att, false), forceOf(x.def, false)
				if att.Fighting == 0 || def.Fighting == 0 || !att.CanHit(&def) && !def.CanHit(&att) {
					r.ends[endKey(y.att, y.def, true)] += q
				} else {
					next[x] += q
				}
			})
		}
		now = next
	}
	return true
}

// throwAll throws each die apart and visits the hits by class.
func throwAll(
	values [odds.NumClasses][]int, p float64, hits [odds.NumClasses]int, visit func([odds.NumClasses]int, float64),
) {
	for c, list := range values {
		if len(list) > 0 {
			q := float64(min(max(list[0], 0), 6)) / 6
			values[c] = list[1:]
			if q < 1 {
				throwAll(values, p*(1-q), hits, visit)
			}
			if q > 0 {
				hits[c]++
				throwAll(values, p*q, hits, visit)
			}
			return
		}
	}
	visit(hits, p)
}

// values lists the dice of a side; of submarines alone, or of the others.
func (r *reference) values(
	units [NumUnits]int, attacker, destroyer bool, pass func(Unit) bool,
) (list [odds.NumClasses][]int) {
	artillery := units[Artillery] * r.sc.Supports(r.b.Attacker.Techs)
	for u, n := range units {
		u := Unit(u)
		for range n {
			c, v, dice := odds.ByAny, r.sc.Units[u].Defence, 1
			if attacker {
				v, dice = r.sc.Attack(u, r.b.Attacker.Techs), r.sc.Dice(u, r.b.Attacker.Techs)
				if u == Infantry && artillery > 0 {
					v, artillery = 2, artillery-1
				}
			}
			switch {
			case u == Submarine:
				c = odds.BySubmarine
			case u.In(scenario.AirUnits) && r.b.Sea && !destroyer:
				c = odds.ByAir
			}
			for range dice {
				if pass(u) {
					list[c] = append(list[c], v)
				}
			}
		}
	}
	return list
}

// lose picks casualties one by one: the first type in the order to which a hit can still be assigned.
func (r *reference) lose(
	units *[NumUnits]int, hurt *int, dived bool, losses []Unit, hits [odds.NumClasses]int, landOnly bool,
) {
	m := menu{hits: hits}
	slots := func(u Unit) int {
		switch {
		case u == Hull:
			return units[Battleship] - *hurt
		case u == Battleship:
			return *hurt
		case u == Submarine && dived, landOnly && !u.In(scenario.Capturing), u == AAGun, u == Complex:
			return 0
		}
		return units[u]
	}
	for u := Infantry; u <= Hull; u++ {
		t := targetOther
		if u != Hull && r.b.Sea {
			t = targetOf(u)
		}
		m.slots[t] += slots(u)
	}
	m.slots[targetOther] += slots(Hull) // the second hits of whole battleships
	m.most = reach(&m.hits, &m.slots)
	dry := m.slots
	dry[targetCarrier] = 0
	m.ships = m.most - reach(&m.hits, &dry)
	order := append(slices.Clone(losses), odds.DefaultLosses[:]...)
again:
	for m.left() > 0 {
		for _, u := range order {
			t := targetOther
			if u != Hull && r.b.Sea {
				t = targetOf(u)
			}
			if slots(u) == 0 || !m.allows(t, 1) {
				continue
			}
			m.taken[t]++
			switch u {
			case Hull:
				*hurt++
				continue again
			case Battleship:
				*hurt--
			}
			units[u]--
			continue again
		}
		break
	}
}

// round fights a round.
func (r *reference) round(m muster, p float64, first bool, visit func(muster, float64)) {
	a, d := m.att[Destroyer] > 0, m.def[Destroyer] > 0
	subs := func(u Unit) bool { return u == Submarine }
	none := func(Unit) bool { return false }
	pass := none
	switch {
	case d || m.att[Submarine] == 0 || m.attDived:
	case r.b.Attacker.Submerge:
		m.attDived = true
	default:
		pass = subs
	}
	throwAll(r.values(m.att, true, a, pass), p, [odds.NumClasses]int{}, func(hits [odds.NumClasses]int, p float64) {
		x := m
		r.lose(&x.def, &x.defHurt, x.defDived, r.b.Defender.Losses, hits, false)
		strike := [NumUnits]int{}
		if !a && !m.defDived {
			strike[Submarine] = m.def[Submarine]
			if r.b.Defender.Submerge {
				strike[Submarine] -= x.def[Submarine]
				x.defDived = x.def[Submarine] > 0
			}
		}
		throwAll(r.values(strike, false, d, subs), p,
			[odds.NumClasses]int{}, func(hits [odds.NumClasses]int, p float64) {
				y := x
				r.lose(&y.att, &y.attHurt, y.attDived, r.b.Attacker.Losses, hits, false)
				if y != m && r.over(y, p) {
					return
				}
				r.volleys(y, a, d, p, first, visit)
			})
	})
}

// volleys fires what did not strike.
func (r *reference) volleys(m muster, a, d bool, p float64, first bool, visit func(muster, float64)) {
	var bombs [odds.NumClasses][]int
	if first && !r.b.Sea {
		bombs[odds.ByAny] = r.b.Ships
	}
	attack := r.values(m.att, true, a, func(u Unit) bool { return u != Submarine || d && !m.attDived })
	defence := r.values(m.def, false, d, func(u Unit) bool { return u != Submarine || a && !m.defDived })
	throwAll(bombs, p, [odds.NumClasses]int{}, func(bombed [odds.NumClasses]int, p float64) {
		throwAll(attack, p, [odds.NumClasses]int{}, func(hit [odds.NumClasses]int, p float64) {
			throwAll(defence, p, [odds.NumClasses]int{}, func(lost [odds.NumClasses]int, p float64) {
				x := m
				r.lose(&x.def, &x.defHurt, x.defDived, r.b.Defender.Losses, bombed, true)
				r.lose(&x.def, &x.defHurt, x.defDived, r.b.Defender.Losses, hit, false)
				r.lose(&x.att, &x.attHurt, x.attDived, r.b.Attacker.Losses, lost, false)
				visit(x, p)
			})
		})
	})
}

// drawBattle draws a small battle under any policy.
func drawBattle(t *rapid.T, most int) odds.Battle {
	b := odds.Battle{Sea: rapid.Bool().Draw(t, "sea")}
	types := []Unit{Infantry, Artillery, Tank, Fighter, Bomber}
	if b.Sea {
		types = []Unit{Fighter, Bomber, Battleship, Carrier, Cruiser, Destroyer, Submarine, Submarine, Transport}
	}
	for _, f := range []*odds.Side{&b.Attacker, &b.Defender} {
		for range rapid.IntRange(1, most).Draw(t, "units") {
			f.Units[rapid.SampledFrom(types).Draw(t, "unit")]++
		}
		f.Submerge = rapid.Bool().Draw(t, "submerge")
		f.Losses = rapid.SliceOfNDistinct(rapid.SampledFrom(append(slices.Clone(types), Hull)), 0, 4,
			func(u Unit) Unit { return u }).Draw(t, "losses")
	}
	b.Retreat = rapid.SampledFrom([]int{0, 1, 60, 100, 200}).Draw(t, "retreat")
	b.Rounds = rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "rounds")
	b.Attacker.Techs = scenario.Techs(rapid.SampledFrom([]int{0, 0, 1 << scenario.AdvancedArtillery,
		1 << scenario.HeavyBombers,
		1<<scenario.SuperSubmarines | 1<<scenario.JetFighters}).Draw(t, "techs"))
	if !b.Sea {
		b.Guns = rapid.IntRange(0, 2).Draw(t, "guns")
		b.Ships = rapid.SliceOfN(rapid.SampledFrom([]int{3, 4}), 0, 2).Draw(t, "ships")
		for _, u := range []Unit{Infantry, Artillery, Tank} {
			b.Ashore[u] = rapid.IntRange(0, b.Attacker.Units[u]).Draw(t, "ashore")
		}
	}
	return b
}

// failer is the part of rapid.T and testing.T that a comparison needs.
type failer interface {
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
}

// compareWithReference: every end of a battle has the chance that throwing each die apart gives.
func compareWithReference(t failer, sc *Scenario, b odds.Battle) {
	o, ok := sc.Odds(b)
	if !ok || o.Error != 0 {
		t.Fatalf("%+v: %v %v", b, ok, o.Error)
	}
	want := thrownApart(sc, &b)
	sum := 0.
	for _, e := range o.Ends {
		k := endKey(e.Attacker, e.Defender, e.Retreated)
		if math.Abs(e.Chance-want[k]) > 1e-9 {
			t.Errorf("%s: computed %v, thrown %v", k, e.Chance, want[k])
		}
		delete(want, k)
		sum += e.Chance
	}
	for k, p := range want {
		if p > 1e-9 {
			t.Errorf("%s: not computed, thrown %v", k, p)
		}
	}
	if math.Abs(sum-1) > 1e-9 || math.Abs(o.Win+o.Draw+o.Loss+o.Retreat-1) > 1e-9 {
		t.Errorf("sums %v, %v", sum, o.Win+o.Draw+o.Loss+o.Retreat)
	}
	if t.Failed() {
		t.Fatalf("battle %+v", b)
	}
}

// TestOddsAgainstTheReference: the odds of small battles are those of the reference.
func TestOddsAgainstTheReference(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	rapid.Check(t, func(t *rapid.T) { compareWithReference(t, sc, drawBattle(t, 3)) })
}

// entangledBattles have orders that name battleships before units that only some hits find, and those before hulls.
var entangledBattles = []struct {
	name string
	b    odds.Battle
}{
	{"battleship, submarine: seed 9591456742784341883", odds.Battle{Sea: true,
		Attacker: odds.Side{Units: units(1, Fighter, 1, Battleship, 1, Submarine),
			Losses: []Unit{Battleship, Submarine}},
		Defender: odds.Side{Units: units(1, Fighter, 1, Battleship)}}},
	{"battleship, fighter", odds.Battle{Sea: true, Attacker: odds.Side{Units: units(2, Submarine, 1, Destroyer)},
		Defender: odds.Side{Units: units(1, Fighter, 1, Battleship, 1, Destroyer),
			Losses: []Unit{Battleship, Fighter}}}},
	{"two battleships, bomber, submarine", odds.Battle{Sea: true,
		Attacker: odds.Side{Units: units(2, Battleship, 1, Bomber, 1, Submarine),
			Losses: []Unit{Battleship, Bomber, Submarine, Hull}},
		Defender: odds.Side{Units: units(1, Fighter, 1, Submarine, 1, Cruiser)}}},
}

// TestOddsOfEntangledOrders: hits of a step are assigned together also with such an order (AA 9.8.3).
func TestOddsOfEntangledOrders(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	for _, c := range entangledBattles {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			compareWithReference(t, sc, c.b)
		})
	}
}
