package odds

import "github.com/warledger/warledger/rules/anniversary/scenario"

// over reports whether a battle ends with these states, and what is left of the defender then: transports without
// defence are sunk (AA 9.9.1, AA 9.9.8, AA 9.10).
func (w *weigher) over(i, j int32) (bool, int32) {
	att, def := &w.att.states[i].count, &w.def.states[j].count
	if w.b.Sea && Defenceless(att, def) {
		j = w.def.sunk(j)
		def = &w.def.states[j].count
	}
	return exhausted(att, def), j
}

// exhausted reports whether there is nothing left to fight for two forces.
func exhausted(att, def *Force) bool {
	switch {
	case def.Fighting == 0 && (def.Transports == 0 || att.Fighting > 0), att.Fighting+att.Transports == 0:
		return true
	case att.Fighting == 0 && def.Fighting == 0:
		return true
	}
	return !att.CanHit(def) && !def.CanHit(att)
}

// retreats reports whether the attacker breaks off after a round that left so much of both sides.
func (w *weigher) retreats(att, def *fleet) bool {
	if w.b.Retreat <= 1 || !w.mayRetreat(att) {
		return false
	}
	return w.att.strength(att)*100 < w.def.strength(def)*w.b.Retreat
}

// mayRetreat reports whether any of the attackers can break off: all but those that came ashore (AA 9.3.14). Where
// nothing but submerged submarines is left, the battle is over before anybody asks.
func (w *weigher) mayRetreat(f *fleet) bool {
	ashore := stuck(f, w.b)
	for u, n := range f.left {
		if int(n) > ashore[u] {
			return true
		}
	}
	return false
}

// stuck are the units of an attacker that can't retreat: those that came ashore are lost before others of their type.
func stuck(f *fleet, b *Battle) (units [scenario.NumUnits]int) {
	for u, n := range b.Ashore {
		if n > 0 {
			units[u] = max(0, n-(b.Attacker.Units[u]-int(f.left[u])))
		}
	}
	return units
}

// ended counts a battle that ends with these states, by itself or by retreat.
func (w *weigher) ended(i, j int32, p float64) bool {
	switch end, left := w.over(i, j); {
	case end && left != j:
		w.add(i, left, p)
	case end:
		w.count(i, j, p)
	case w.retreats(&w.att.states[i].fleet, &w.def.states[j].fleet):
		w.breakOff(i, j, p)
	default:
		return false
	}
	return true
}

// count adds an end to the odds.
func (w *weigher) count(i, j int32, p float64) {
	w.odds.add(w.sc, w.b, &end{att: &w.att.states[i].fleet, def: &w.def.states[j].fleet}, p)
}

// breakOff takes the attacker out of the combat as far as it may retreat; units that came ashore fight on (AA 9.3.14).
func (w *weigher) breakOff(i, j int32, p float64) {
	e := end{att: &fleet{}, def: &w.def.states[j].fleet, retreated: w.mayRetreat(&w.att.states[i].fleet)}
	ashore := stuck(&w.att.states[i].fleet, w.b)
	for u, n := range w.att.states[i].left {
		e.away[u] = int(n) - ashore[u]
	}
	if ashore == [scenario.NumUnits]int{} {
		w.odds.add(w.sc, w.b, &e, p)
		return
	}
	if w.exceeds() {
		return
	}
	ends := w.fightOn(&ashore, e.def).Ends
	w.work += workOfEnd * len(ends)
	for _, x := range ends {
		att, def := fleetOf(&x.Attacker), fleetOf(&x.Defender)
		e.att, e.def = &att, &def
		w.odds.add(w.sc, w.b, &e, p*x.Chance)
	}
	if len(w.odds.Ends) > max(manyEnds, 2*w.joined) {
		w.odds.join()
		w.joined = len(w.odds.Ends)
	}
}

// manyEnds is how many ends are kept before those that are alike are joined.
const manyEnds = 1 << 12

// workOfEnd is how many steps an end counts for where some units cannot retreat: it is kept and joined with the others.
const workOfEnd = 256

// fightOn continues the combat for the units that cannot retreat. Its steps count toward those of the combat.
func (w *weigher) fightOn(units *[scenario.NumUnits]int, def *fleet) *Odds {
	b := Battle{Attacker: w.b.Attacker, Defender: w.b.Defender}
	b.Attacker.Units, b.Attacker.Hurt, b.Defender.Hurt = *units, 0, 0 // on land
	for u, n := range def.left {
		b.Defender.Units[u] = int(n)
	}
	key := [2][scenario.NumUnits]int{b.Attacker.Units, b.Defender.Units}
	o := w.later[key]
	if o == nil {
		x := newWeigher(w.sc, &b)
		if w.limit > 0 {
			x.limit = max(1, w.limit-w.work)
		}
		x.weigh()
		o = &x.odds
		if w.later == nil {
			w.later = map[[2][scenario.NumUnits]int]*Odds{}
		}
		w.later[key] = o
		w.work += x.work
	}
	return o
}
