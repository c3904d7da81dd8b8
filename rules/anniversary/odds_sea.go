package anniversary

// weight is a state of a side with its chance.
type weight struct {
	state  int
	chance float64
}

// seaRound fights a round at sea, or ends the battle: surprise strikes first, whose casualties don't fire (AA 9.7). A round in which nothing is hit is fought
// again, so that it only makes the others likelier.
func (w *weigher) seaRound(i, j int, p float64) {
	if i, j, over := w.over(i, j); over {
		w.ends[[2]int{i, j}] += p
		return
	}
	a, d := w.att.states[i].units[Destroyer] > 0, w.def.states[j].units[Destroyer] > 0
	attack := collect(w.strike(i, true, d), w.strikeBuf[0][:0], func(h [numClasses]int) int { return w.def.lose(j, h) })
	defence := collect(w.strike(j, false, a), w.strikeBuf[1][:0], func(h [numClasses]int) int { return w.att.lose(i, h) })
	w.strikeBuf = [2][]weight{attack, defence}
	q := chanceOf(attack, j) * chanceOf(defence, i) // no strike hits
	hit, lost := w.mainFire(i, j, a, d)
	still := q * chanceOf(hit, j) * chanceOf(lost, i)
	if still > 1-1e-12 {
		w.ends[[2]int{i, j}] += p
		return
	}
	p /= 1 - still
	w.spread(i, j, hit, lost, p*q)
	for _, x := range attack {
		for _, y := range defence {
			if x.state != j || y.state != i {
				w.seaFire(i, j, y.state, x.state, a, d, p*x.chance*y.chance)
			}
		}
	}
}

// seaFire fires what did not strike, from the states after the strikes, unless the battle ends there.
func (w *weigher) seaFire(i, j, i1, j1 int, a, d bool, p float64) {
	if i1 != i || j1 != j {
		if ei, ej, over := w.over(i1, j1); over {
			w.reach(ei, ej, p)
			return
		}
	}
	hit, lost := w.mainFire(i1, j1, a, d)
	w.spread(i, j, hit, lost, p)
}

// spread reaches what fire leads to, but not the states that the round began with.
func (w *weigher) spread(i, j int, hit, lost []weight, p float64) {
	if p == 0 {
		return
	}
	for _, x := range hit {
		for _, y := range lost {
			if x.state != j || y.state != i {
				w.reach(y.state, x.state, p*x.chance*y.chance)
			}
		}
	}
}

func chanceOf(list []weight, state int) float64 {
	for _, x := range list {
		if x.state == state {
			return x.chance
		}
	}
	return 0
}

// mainFire is what the fire of two states does to the defender and to the attacker. The lists hold until it is called again.
func (w *weigher) mainFire(i, j int, attDestroyer, defDestroyer bool) (hit, lost []weight) {
	hit = collect(w.rest(i, true, attDestroyer, defDestroyer), w.mainBuf[0][:0], func(h [numClasses]int) int { return w.def.lose(j, h) })
	lost = collect(w.rest(j, false, defDestroyer, attDestroyer), w.mainBuf[1][:0], func(h [numClasses]int) int { return w.att.lose(i, h) })
	w.mainBuf = [2][]weight{hit, lost}
	return hit, lost
}

// collect adds up the outcomes that lead to one state.
func collect(list []outcome, out []weight, to func([numClasses]int) int) []weight {
next:
	for _, o := range list {
		s := to(o.hits)
		for k := range out {
			if out[k].state == s {
				out[k].chance += o.chance
				continue next
			}
		}
		out = append(out, weight{s, o.chance})
	}
	return out
}

// over reports whether a battle ends with these states, after defenceless transports are gone (AA 9.9.1, AA 9.9.8, AA 9.10).
func (w *weigher) over(i, j int) (int, int, bool) {
	att, def := w.force(&w.att.states[i]), w.force(&w.def.states[j])
	if w.b.Sea && (def.fighting == 0 || def.fighting == def.subs && att.fighting == att.air && att.transports == 0) && def.transports > 0 && att.fighting > 0 {
		taken := w.def.states[j].taken
		taken[targetCarrier] = w.def.size[targetCarrier] - 1
		j = w.def.at(taken)
		def = w.force(&w.def.states[j])
	}
	switch {
	case att.fighting == 0 && (att.transports == 0 || !w.b.Sea || def.fighting == 0), def.fighting == 0:
		return i, j, true
	}
	return i, j, !att.canHit(&def) && !def.canHit(&att)
}

func (w *weigher) force(s *oddsState) force {
	var f force
	for u, n := range s.units {
		if n > 0 {
			f.add(keyOf(0, 0, Unit(u)), n)
		}
	}
	return f
}
