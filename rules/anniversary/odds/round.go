package odds

import "github.com/warledger/warledger/rules/anniversary/scenario"

// A round of a battle that is weighed.

// opening is a state of the defender after surprise strikes with its chance, and the states of the
// attacker that go with it.
type opening struct {
	weight
	attackers []weight
}

// destroyers reports whether destroyers are there at the beginning of a round (AA 9.7.1), and as a number.
func (w *weigher) destroyers(i, j int32) (att, def bool, f int) {
	att, def = w.att.states[i].left[scenario.Destroyer] > 0, w.def.states[j].left[scenario.Destroyer] > 0
	if att {
		f = 1
	}
	if def {
		f |= 2
	}
	return
}

// opens reports whether submarines strike or submerge at the beginning of a round.
func (w *weigher) opens(i, j int32) bool {
	a, d, _ := w.destroyers(i, j)
	return !d && w.att.states[i].subs() > 0 || !a && w.def.states[j].subs() > 0
}

// fight fights one round from a pair of states. Bombs are what a bombardment hits before it: land units, which fire
// once more (AA 9.3.9).
func (w *weigher) fight(i, j int32, p float64, bombs []float64) {
	a, d, f := w.destroyers(i, j)
	if !w.opens(i, j) {
		w.fire(i, j, a, d)
		if len(bombs) > 1 {
			hits := w.att.broadside(i, a, d).hits
			hits[BySubmarine] = bombs
			w.def.collect(j, &hits, &w.scratch)
			w.hit = w.scratch.list
		}
		w.spread(p)
		return
	}
	w.strikes(i, j, a, d)
	w.enter(f, -1, -1, p)
}

// enter adds what surprise strikes lead to, but for one pair.
func (w *weigher) enter(f int, i, j int32, p float64) {
	g := &w.mids[f]
	for _, o := range w.openings {
		q := p * o.chance
		for _, x := range o.attackers {
			if x.state != i || o.state != j {
				g.row(x.state, len(w.def.states))[o.state] += q * x.chance
			}
		}
	}
}

// joint reports whether a pair in the middle of a round is one from which the same pair can begin the next round, so
// that both are walked together.
func (w *weigher) joint(f int, i, j int32) bool {
	if _, _, now := w.destroyers(i, j); now != f || !w.opens(i, j) {
		return false
	}
	end, _ := w.over(i, j)
	return !end && !w.retreats(&w.att.states[i].fleet, &w.def.states[j].fleet)
}

// round walks all rounds that begin with a pair of states, which are those that lead to others.
func (w *weigher) round(i, j int32) {
	a, d, f := w.destroyers(i, j)
	p, mid := w.starts.at(i, j), 0.
	if f < len(w.mids) {
		mid = w.mids[f].at(i, j)
	}
	if p+mid <= negligible {
		return
	}
	opens := w.opens(i, j)
	if !opens {
		mid = 0
	}
	if w.ended(i, j, p) {
		return
	}
	q := 1.
	if opens {
		w.strikes(i, j, a, d)
		q = w.unchanged(i, j)
	}
	var still float64 // chance that fire hits nothing
	if q > 0 || mid > 0 {
		w.fire(i, j, a, d)
		still = chanceOf(w.hit, j) * chanceOf(w.lost, i)
	}
	if q*still > 1-1e-12 {
		w.count(i, j, p+mid)
		return
	}
	p = (p + still*mid) / (1 - q*still)
	if opens {
		w.enter(f, i, j, p)
	}
	if mid += p * q; mid > 0 {
		old := w.starts.at(i, j)
		w.spread(mid)
		w.starts.row(i, int(j)+1)[j] = old // what led here again is counted in p
	}
}

// unchanged is the chance that strikes hit nothing.
func (w *weigher) unchanged(i, j int32) float64 {
	for _, o := range w.openings {
		if o.state == j {
			return o.chance * chanceOf(o.attackers, i)
		}
	}
	return 0
}

// strikes works out what surprise strikes lead to (AA 9.7.2, AA 9.7.3): the defender's submarines that were hit strike
// too, but may not submerge; casualties are removed after both (AA 9.7.4).
func (w *weigher) strikes(i, j int32, attDestroyer, defDestroyer bool) {
	w.openings = w.openings[:0]
	shots, first := 0, i
	if n := w.att.states[i].subs(); n > 0 && !defDestroyer {
		if w.b.Attacker.Submerge {
			first = w.att.dive(i)
		} else {
			shots = n
		}
	}
	subs := w.def.states[j].subs()
	if attDestroyer {
		subs = 0
	}
	for _, x := range w.def.struck(j, shots, &w.att) {
		n := subs
		if n > 0 && w.b.Defender.Submerge {
			n -= w.def.states[x.state].subs()
			x.state = w.def.dive(x.state)
		}
		w.openings = append(w.openings, opening{x, w.att.struck(first, n, &w.def)})
	}
}

// fire works out what fire that is no surprise strike does to both sides, with or without destroyers.
func (w *weigher) fire(i, j int32, attDestroyer, defDestroyer bool) {
	w.hit = w.def.under(j, w.att.broadside(i, attDestroyer, defDestroyer))
	w.lost = w.att.under(i, w.def.broadside(j, defDestroyer, attDestroyer))
}

// spread adds what fire leads to.
func (w *weigher) spread(p float64) {
	w.work += len(w.hit) * len(w.lost)
	for _, x := range w.lost {
		q := p * x.chance
		if q < negligible {
			continue
		}
		row := w.starts.row(x.state, len(w.def.states))
		for _, y := range w.hit {
			row[y.state] += q * y.chance
		}
	}
}

// collect adds up the states that hits of three classes lead to.
func (s *side) collect(i int32, hits *[NumClasses][]float64, out *weights) {
	out.list = out.list[:0]
	subs, air := hits[BySubmarine], hits[ByAir]
	struck := i // by submarines alone
	for n, p := range subs {
		if n > 0 {
			struck = s.after(struck, BySubmarine)
		}
		for m, q := range air {
			if q *= p; q == 0 {
				continue
			}
			s.chain(s.paths(i, struck, n, m, hits), q, hits[ByAny], out)
		}
	}
	for _, x := range out.met {
		out.list = append(out.list, weight{x, out.sum[x]})
		out.sum[x] = 0
	}
	out.met = out.met[:0]
}

// paths is the states after n hits of submarines, m of aircraft and each number of hits of any kind, with the state
// after those of submarines alone.
func (s *side) paths(i, struck int32, n, m int, hits *[NumClasses][]float64) []int32 {
	switch {
	case s.entangled && n+m > 0:
		return s.joint(i, [NumClasses]int{BySubmarine: n, ByAir: m}, len(hits[ByAny]))
	case m > 0:
		struck = s.base(i, n, m, len(hits[BySubmarine])-1, len(hits[ByAir])-1)
	}
	return s.path(struck, len(hits[ByAny]))
}

// chain adds the states of a path by the number of hits of any kind; hits beyond its end find nothing.
func (s *side) chain(path []int32, p float64, hits []float64, out *weights) {
	if len(out.sum) < len(s.states) {
		out.sum = append(out.sum, make([]float64, len(s.states)+64)...)
	}
	sum, last := out.sum, len(path)-1
	for k, x := range path {
		q := p * hits[k]
		if k == last {
			for _, r := range hits[k+1:] {
				q += p * r
			}
		}
		if sum[x] == 0 && q > 0 {
			out.met = append(out.met, x)
		}
		sum[x] += q
	}
}
