package greedy

import "github.com/warledger/warledger/rules/anniversary"

// How far fighters and bombers fly to strike and to land again.
const (
	fighterRange, bomberRange = 4, 6
)

// raiders are what each enemy power could send against ships in a zone next: warships that are near, and aircraft that
// have somewhere to land afterwards.
func (f *field) raiders(z int) (list []stack) {
	back := tooFar
	for t := range f.ids {
		if !f.sea[t] && f.hostile(t) {
			back = min(back, int(f.flight[z][t]))
		}
	}
	for w := range f.by {
		if anniversary.Power(w).Side() == f.side {
			continue
		}
		var x stack
		for at := range f.by[w] {
			f.strikers(&x, &f.by[w][at], at, z, back)
		}
		if armed(&x) > 0 {
			list = append(list, x)
		}
	}
	return list
}

// strikers adds the units of a space that can attack ships in a zone from there; back is how far it is from the zone to
// a place to land.
func (f *field) strikers(x, units *stack, at, z, back int) {
	if f.sea[at] && f.sail[at][z] <= 2 {
		for u := anniversary.Battleship; u <= anniversary.Submarine; u++ {
			x[u] += units[u]
		}
	}
	d := int(f.flight[at][z])
	if d+back <= fighterRange || f.sea[at] && 2*d <= fighterRange {
		x[anniversary.Fighter] += units[anniversary.Fighter]
	}
	if d+back <= bomberRange {
		x[anniversary.Bomber] += units[anniversary.Bomber]
	}
}

// peril is what a fleet may lose in a zone to the worst attack of one power, net of what that costs, in IPCs.
func (g *general) peril(f *field, z int, fleet stack) (worst float64) {
	freighters := float64(fleet[anniversary.Transport] * g.odds.sc.Units[anniversary.Transport].Cost)
	for _, x := range f.raiders(z) {
		v := verdict{win: 1}
		if armed(&fleet) > 0 {
			v = g.odds.rough(battle{sea: true, att: x, def: fleet})
		}
		worst = max(worst, v.win*(v.defLost+v.win*freighters-v.attLost))
	}
	return worst
}

// escorted is the fleet in a zone with the own warships that can join it.
func (f *field) escorted(z int) stack {
	fleet := *f.friends(z)
	for at := range f.ids {
		if at == z || !f.sea[at] || f.sail[at][z] > 2 {
			continue
		}
		for u := anniversary.Battleship; u <= anniversary.Destroyer; u++ {
			fleet[u] += f.by[f.seat][at][u]
		}
	}
	return fleet
}
