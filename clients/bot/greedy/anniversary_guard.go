package greedy

import (
	"github.com/warledger/warledger/rules/anniversary"
)

// menace is the strongest attack that one enemy power might make on a territory soon: over land, by air, and by the
// transports that are near.
func (f *field) menace(s int) (worst stack) {
	most := 0
	for w := range f.by {
		if anniversary.Power(w).Side() == f.side {
			continue
		}
		var x stack
		for at := range f.by[w] {
			f.reach(&x, &f.by[w][at], at, s)
		}
		if n := armed(&x); foot(&x) > 0 && n > most {
			worst, most = x, n
		}
	}
	return worst
}

// reach adds the units of a space that can attack a territory from there. A transport counts as full, since who knows
// what it picks up on the way.
func (f *field) reach(x, units *stack, at, s int) {
	if f.sea[at] {
		if n := units[anniversary.Transport]; n > 0 && f.fromShore(at, s) <= 2 {
			x[anniversary.Infantry] += n
			x[anniversary.Tank] += n
		}
	} else {
		switch f.march[at][s] {
		case 1:
			x[anniversary.Infantry] += units[anniversary.Infantry]
			x[anniversary.Artillery] += units[anniversary.Artillery]
			x[anniversary.Tank] += units[anniversary.Tank]
		case 2:
			x[anniversary.Tank] += units[anniversary.Tank]
		}
	}
	if d := f.flight[at][s]; d <= 2 {
		x[anniversary.Fighter] += units[anniversary.Fighter]
		x[anniversary.Bomber] += units[anniversary.Bomber]
	} else if d <= 4 {
		x[anniversary.Bomber] += units[anniversary.Bomber]
	}
}

// Chance of an attack that a guarded territory may face, and the most infantry that is thought of.
const (
	riskTaken, mostGuards = 0.35, 20
)

// lacking is how many more infantry a territory needs against what menaces it, if its defenders were these.
func (g *general) lacking(f *field, s int, defenders stack) int {
	threat := f.menace(s)
	if foot(&threat) == 0 {
		return 0
	}
	for n := range mostGuards {
		if v := g.odds.rough(battle{att: threat, def: defenders}); v.win < riskTaken {
			return n
		}
		defenders[anniversary.Infantry]++
	}
	return mostGuards
}

// garrisons are how many land units must stay in the capital, and in other places that are worth it.
func (g *general) garrisons(f *field) map[int]int {
	keep := map[int]int{}
	for s := range f.ids {
		if f.sea[s] || f.owner[s] != f.seat || !f.held[s] && !f.city[s] {
			continue
		}
		others := *f.friends(s)
		for u := anniversary.Infantry; u <= anniversary.Tank; u++ {
			others[u] -= f.by[f.seat][s][u]
		}
		n := g.lacking(f, s, others)
		switch {
		case f.capital[s] == f.seat:
			keep[s] = max(n, 1)
		case n > 0:
			keep[s] = min(n, 3)
		}
	}
	return keep
}

// fade is what a step of distance takes from the pull of a prize.
const fade = 0.74

// pulls says how much each territory is worth to an army that stands there: the prizes that it can march on, the nearer
// the better; and the own capital if it lacks defenders. It is 0 where no way over land leads to an enemy.
func (g *general) pulls(f *field) []float64 {
	pull := make([]float64, len(f.ids))
	for t := range f.ids {
		if f.sea[t] || !f.hostile(t) {
			continue
		}
		f.spread(pull, t, f.prize(t)+2)
	}
	if home := f.home(f.seat); home >= 0 && f.owner[home] == f.seat {
		if n := g.lacking(f, home, *f.friends(home)); n > 0 {
			f.spread(pull, home, 25+5*float64(n))
		}
	}
	return pull
}

// spread adds the pull of a place to those around it.
func (f *field) spread(pull []float64, to int, worth float64) {
	for s := range pull {
		if d := int(f.march[s][to]); d < tooFar {
			w := worth
			for range d {
				w *= fade
			}
			pull[s] = max(pull[s], w)
		}
	}
}

// objective is where a power's transports are to land next, and what that is worth; -1 if nowhere.
type objective struct {
	to    int
	worth float64
}

// aimAt picks the coast to land on: the richest that the transports, or a few new ones, can hope to take,
// the nearer the better.
func (g *general) aimAt(f *field) objective {
	if g.crosses(f) {
		return g.crossing(f)
	}
	best := objective{to: -1}
	lift, zones := 0, []int(nil)
	for z := range f.ids {
		if n := f.by[f.seat][z][anniversary.Transport]; n > 0 {
			lift += n
			zones = append(zones, z)
		}
		if !f.sea[z] && f.held[z] && f.owner[z] == f.seat {
			zones = append(zones, f.shores[z]...)
		}
	}
	lift = max(lift, 3, f.rich[f.seat]/12) // as many as could be bought soon
	for t := range f.ids {
		if f.sea[t] || !f.hostile(t) || len(f.shores[t]) == 0 {
			continue
		}
		near := tooFar
		for _, z := range zones {
			near = min(near, f.fromShore(z, t))
		}
		if near == tooFar {
			continue
		}
		if w := g.landingWorth(f, t, lift, near); w > best.worth {
			best = objective{t, w}
		}
	}
	return best
}

// near are own aircraft that could help in a landing.
func (f *field) near(t int) (s stack) {
	for at := range f.ids {
		if f.flight[at][t] <= 4 {
			s[anniversary.Fighter] += f.by[f.seat][at][anniversary.Fighter]
			s[anniversary.Bomber] += f.by[f.seat][at][anniversary.Bomber]
		}
	}
	return s
}
