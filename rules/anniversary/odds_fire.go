package anniversary

// state is a state of a side.
func (w *weigher) state(i int, attacker bool) *oddsState {
	if attacker {
		return &w.att.states[i]
	}
	return &w.def.states[i]
}

// dice is the distribution of hits of the units that pass.
func (w *weigher) dice(units *[NumUnits]int, attacker bool, pass func(Unit) bool) []float64 {
	d := []float64{1}
	supported := 0
	if attacker {
		supported = min(units[Infantry], units[Artillery]*w.sc.Supports(w.b.Attacker.Techs))
	}
	for u, n := range units {
		u := Unit(u)
		if n == 0 || pass != nil && !pass(u) {
			continue
		}
		value, per := w.sc.Units[u].Defence, 1
		if attacker {
			value, per = w.sc.Attack(u, w.b.Attacker.Techs), w.sc.Dice(u, w.b.Attacker.Techs)
		}
		for k := range n * per {
			v := value
			if attacker && u == Infantry && k < supported {
				v = w.sc.Numbers.SupportedAttack
			}
			d = die(d, v)
		}
	}
	return d
}

// ofClass makes outcomes of hits of one class.
func ofClass(class int, d []float64) []outcome {
	out := make([]outcome, len(d))
	for k, p := range d {
		out[k].hits[class], out[k].chance = k, p
	}
	return out
}

// strike is the surprise strike of a state's submarines; no hit at all if a destroyer is there (AA 9.7.1).
func (w *weigher) strike(i int, attacker, destroyer bool) []outcome {
	st := w.state(i, attacker)
	if destroyer || st.units[Submarine] == 0 {
		return []outcome{{chance: 1}}
	}
	return ofClass(bySubmarine, w.dice(&st.units, attacker, func(u Unit) bool { return u == Submarine }))
}

// rest is the fire of what did not strike: own is whether a destroyer of the side is there, enemy one of the other side.
func (w *weigher) rest(i int, attacker, own, enemy bool) []outcome {
	st := w.state(i, attacker)
	if k := b2i(own) | b2i(enemy)<<1; k == 3 || k == 0 { // by far the most frequent
		if !st.known[k>>1] {
			st.fire[k>>1], st.known[k>>1] = w.classes(st, attacker, own, enemy), true
		}
		return st.fire[k>>1]
	}
	return w.classes(st, attacker, own, enemy)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// classes multiplies the hits of the three classes out.
func (w *weigher) classes(st *oddsState, attacker, own, enemy bool) []outcome {
	var d [numClasses][]float64
	for c := range d {
		d[c] = w.dice(&st.units, attacker, func(u Unit) bool {
			if u == Submarine && !enemy {
				return false // it struck by surprise
			}
			return class(u, own, true) == c
		})
	}
	out := make([]outcome, 0, len(d[0])*len(d[1])*len(d[2]))
	for a, pa := range d[0] {
		for b, pb := range d[1] {
			for c, pc := range d[2] {
				if p := pa * pb * pc; p > 0 {
					out = append(out, outcome{[numClasses]int{a, b, c}, p})
				}
			}
		}
	}
	return out
}

// bombarded is the distribution of hits of a bombardment; nil without one.
func (w *weigher) bombarded() []float64 {
	if w.b.Sea || len(w.b.Ships) == 0 {
		return nil
	}
	d := []float64{1}
	for _, v := range w.b.Ships {
		d = die(d, v)
	}
	return d
}
