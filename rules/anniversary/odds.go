package anniversary

import "sort"

// Odds of a battle, computed exactly: no dice are simulated. A battle is a walk over what both sides have lost; with an order of loss for each side that
// is a few numbers, so the chance of every end follows from the chances of a round (see odds_round.go). The figures are floating point, good to about
// twelve digits.
//
// Assumed are: submarines strike and never submerge, nobody retreats, defenders take casualties by one order, and battles end as AA 9.9 and AA 9.10 say.

// OddsForce is one side of a battle.
type OddsForce struct {
	// Units of each type; guns and complexes don't count.
	Units [NumUnits]int
	// Techs of the attacker; those of the defender change nothing.
	Techs Techs
	// Losses is the order of loss, first lost first, Hull included; types that it does not name follow in the order of their price.
	Losses []Unit
}

// OddsBattle is a battle to be weighed.
type OddsBattle struct {
	// Sea is true for a battle at sea.
	Sea bool
	// Attacker and Defender.
	Attacker, Defender OddsForce
	// Guns is what antiaircraft guns hit with, 0 without guns (AA 9.6.3).
	Guns int
	// Ships that bombard, by the value that they hit with (AA 9.3.8).
	Ships []int
}

// OddsEnd is a way in which a battle can end.
type OddsEnd struct {
	// Attacker and Defender are the survivors by type. Battleships that survive are whole again.
	Attacker, Defender [NumUnits]int
	// Chance of it.
	Chance float64
}

// Odds is the answer.
type Odds struct {
	// Win: only the attacker has combat units left; Loss: only the defender has; Draw: neither, or neither can hit the other.
	Win, Draw, Loss float64
	// Taken: the attacker wins with a unit that can take the territory (AA 9.11.1).
	Taken float64
	// AttackerLost and DefenderLost are the expected value lost, in IPC at the prices of the scenario.
	AttackerLost, DefenderLost float64
	// Ends are all ends with their chances, the likeliest first; ends with fewer survivors come first among equals.
	Ends []OddsEnd
}

// MaxOddsUnits is how many units a side may have.
const MaxOddsUnits = 120

// Odds weighs a battle with the values of the scenario. It reports false if a side has more than MaxOddsUnits units or less than none of a type.
func (s *Scenario) Odds(b OddsBattle) (Odds, bool) {
	for _, f := range [2]*OddsForce{&b.Attacker, &b.Defender} {
		total := 0
		f.Units[AAGun], f.Units[Complex] = 0, 0
		for _, n := range f.Units {
			if n < 0 {
				return Odds{}, false
			}
			total += n
		}
		if total > MaxOddsUnits {
			return Odds{}, false
		}
	}
	w := &weigher{sc: s, b: b, ends: map[[2]int]float64{}, known: map[[2][NumUnits]int]int{}}
	var odds Odds
	for _, start := range w.afterGuns() {
		w.weigh(start, &odds)
	}
	sort.Slice(odds.Ends, func(i, j int) bool {
		x, y := &odds.Ends[i], &odds.Ends[j]
		if x.Chance != y.Chance {
			return x.Chance > y.Chance
		}
		return less(&x.Attacker, &y.Attacker) || x.Attacker == y.Attacker && less(&x.Defender, &y.Defender)
	})
	return odds, true
}

func less(a, b *[NumUnits]int) bool {
	for u := range a {
		if a[u] != b[u] {
			return a[u] < b[u]
		}
	}
	return false
}

// start is what attacks after antiaircraft fire, with its chance.
type start struct {
	units  [NumUnits]int
	chance float64
}

// afterGuns is the attacker after antiaircraft fire: each aircraft falls by itself (AA 9.6.4).
func (w *weigher) afterGuns() []start {
	units := w.b.Attacker.Units
	if w.b.Guns == 0 || w.b.Sea {
		return []start{{units, 1}}
	}
	fighters := binomial(units[Fighter], w.b.Guns)
	bombers := binomial(units[Bomber], w.b.Guns)
	var list []start
	for f, pf := range fighters {
		for b, pb := range bombers {
			u := units
			u[Fighter] -= f
			u[Bomber] -= b
			list = append(list, start{u, pf * pb})
		}
	}
	return list
}

// binomial is the distribution of hits of n dice that hit with a value or less.
func binomial(n, value int) []float64 {
	d := []float64{1}
	for range n {
		d = die(d, value)
	}
	return d
}

// die adds a die to a distribution of hits.
func die(d []float64, value int) []float64 {
	p := float64(min(max(value, 0), 6)) / 6
	if p == 0 {
		return d
	}
	out := make([]float64, len(d)+1)
	for k, q := range d {
		out[k] += q * (1 - p)
		out[k+1] += q * p
	}
	return out
}

// weigh adds up the ends from one start.
func (w *weigher) weigh(s start, odds *Odds) {
	w.begin(s.units)
	w.run()
	keys := make([][2]int, 0, len(w.ends))
	for k := range w.ends { // order-free: sorted below
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return keys[i][0] < keys[j][0] || keys[i][0] == keys[j][0] && keys[i][1] < keys[j][1]
	})
	for _, k := range keys {
		w.addEnd(k, w.ends[k]*s.chance, odds)
	}
}

// addEnd counts an end.
func (w *weigher) addEnd(k [2]int, chance float64, odds *Odds) {
	att, def := w.att.states[k[0]].units, w.def.states[k[1]].units
	fightA, fightD := fighting(&att), fighting(&def)
	switch {
	case fightA > 0 && fightD == 0:
		odds.Win += chance
		if att[Infantry]+att[Artillery]+att[Tank] > 0 {
			odds.Taken += chance
		}
	case fightA == 0 && fightD > 0:
		odds.Loss += chance
	default:
		odds.Draw += chance
	}
	odds.AttackerLost += chance * float64(w.value(&w.b.Attacker.Units)-w.value(&att))
	odds.DefenderLost += chance * float64(w.value(&w.b.Defender.Units)-w.value(&def))
	both := [2][NumUnits]int{att, def}
	if i, ok := w.known[both]; ok {
		odds.Ends[i].Chance += chance
		return
	}
	w.known[both] = len(odds.Ends)
	odds.Ends = append(odds.Ends, OddsEnd{att, def, chance})
}

func fighting(units *[NumUnits]int) int {
	n := 0
	for u, k := range units {
		if Unit(u) != Transport {
			n += k
		}
	}
	return n
}

func (w *weigher) value(units *[NumUnits]int) int {
	n := 0
	for u, k := range units {
		n += k * w.sc.Units[u].Cost
	}
	return n
}
