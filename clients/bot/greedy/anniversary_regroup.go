package greedy

import (
	"slices"

	"github.com/warledger/warledger/rules/anniversary"
)

// regrouping is the noncombat moves of a turn in the making.
type regrouping struct {
	*field
	g      *general
	pull   []float64
	aim    objective
	keep   map[int]int
	orders []order
}

// regroup plans Noncombat Move: aircraft land, armies march, transports load, sail and land step by step,
// then warships follow.
func (g *general) regroup(f *field, list []*option) []order {
	r := &regrouping{field: f, g: g, pull: g.pulls(f), aim: g.aimAt(f), keep: g.garrisons(f)}
	stages := [...]struct {
		plan func([]*option)
		most int
	}{{r.fly, 40}, {r.march, 1}, {r.ferry, 8}, {r.follow, 8}, {r.fly, 40}}
	for ; g.stage < len(stages); g.stage, g.passes = g.stage+1, 0 {
		if s := stages[g.stage]; g.passes <= s.most {
			if s.plan(list); len(r.orders) > 0 {
				return r.orders
			}
		}
	}
	return nil
}

// byPiece groups moves by the stack that moves.
func byPiece(list []*option) (ids []string, of map[string][]*option) {
	of = map[string][]*option{}
	for _, o := range list {
		if o.kind != "move" || o.pairs {
			continue
		}
		if of[o.piece] == nil {
			ids = append(ids, o.piece)
		}
		of[o.piece] = append(of[o.piece], o)
	}
	return ids, of
}

// fly lands aircraft: near the front, where they are not alone.
func (r *regrouping) fly(list []*option) {
	ids, of := byPiece(list)
	for _, id := range ids {
		p := r.pieces[id]
		if p == nil || of[id][0].unit != anniversary.Fighter && of[id][0].unit != anniversary.Bomber {
			continue
		}
		at := r.at(p.Place)
		most, must := -1000.0, !r.rests(at) || marked(p, "moved")
		if !must {
			most = r.perch(at) + 4
		}
		var best *option
		for _, o := range of[id] {
			if v := r.perch(o.to); v > most {
				best, most = o, v
			}
		}
		switch {
		case best == nil:
		case r.sea[best.to]: // decks are few
			r.orders = append(r.orders, one(best))
		default:
			r.orders = append(r.orders, many(best, int(p.Count)))
		}
	}
}

// rests reports whether aircraft may stay where they are.
func (r *regrouping) rests(s int) bool {
	if r.sea[s] {
		return r.by[r.seat][s][anniversary.Carrier]*2 >= r.by[r.seat][s][anniversary.Fighter]
	}
	return r.friendly(s) && armed(&r.sent[s]) == 0
}

// perch is how good a place is for aircraft.
func (r *regrouping) perch(s int) float64 {
	if r.sea[s] {
		return -20 + float64(surface(r.friends(s)))
	}
	v := 3 * float64(min(4, foot(r.friends(s))))
	if threat := r.menace(s); foot(&threat) > 0 && r.g.odds.rough(battle{att: threat, def: *r.friends(s)}).win > 0.5 {
		v -= 15
	}
	best := 0.0
	for t := range r.ids {
		if !r.sea[t] && r.hostile(t) && r.flight[s][t] <= 6 {
			w := r.prize(t)
			for range r.flight[s][t] {
				w *= 0.85
			}
			best = max(best, w)
		}
	}
	return v + best
}

// march moves armies to where more can be won, together, and not into what they could not stand against.
func (r *regrouping) march(list []*option) {
	ids, of := byPiece(list)
	going := map[int]stack{}
	goes := map[int][]order{}
	ports := r.ports()
	for _, id := range ids {
		p, u := r.pieces[id], of[id][0].unit
		if p == nil || u > anniversary.Tank {
			continue
		}
		at := r.at(p.Place)
		n := int(p.Count)
		k := min(n, r.keep[at])
		n -= k
		r.keep[at] -= k
		best, most := (*option)(nil), r.worth(at, ports)+0.01
		for _, o := range of[id] {
			if w := r.worth(o.to, ports); w > most {
				best, most = o, w
			}
		}
		if best == nil || n == 0 {
			continue
		}
		x := going[best.to]
		x[u] += n
		going[best.to] = x
		goes[best.to] = append(goes[best.to], many(best, n))
	}
	for s := range r.ids {
		if len(goes[s]) > 0 && (r.capital[s] == r.seat || r.stands(s, going[s])) {
			r.orders = append(r.orders, goes[s]...)
		}
	}
}

// stands reports whether an army can be left in a territory.
func (r *regrouping) stands(s int, army stack) bool {
	threat := r.menace(s)
	return foot(&threat) == 0 || r.g.odds.rough(battle{att: threat, def: sum(r.friends(s), &army)}).win < 0.75
}

// worth is what a territory is worth to land units: what they can march on from there or, where that is nothing, how
// near they are to a port.
func (r *regrouping) worth(s int, ports []int) float64 {
	if r.pull[s] > 0 {
		return 1 + r.pull[s]
	}
	near := tooFar
	for _, p := range ports {
		near = min(near, int(r.field.march[s][p]))
	}
	return 1 / (2 + float64(near))
}

// ports are the territories from which transports fetch armies: where own transports lie or, if none exist, with
// a complex by the sea.
func (r *regrouping) ports() (list []int) {
	if r.g.crosses(r.field) {
		return []int{r.home(r.seat)}
	}
	for s := range r.ids {
		if r.sea[s] || !r.friendly(s) {
			continue
		}
		if slices.ContainsFunc(r.shores[s], func(z int) bool { return r.by[r.seat][z][anniversary.Transport] > 0 }) {
			list = append(list, s)
		}
	}
	if len(list) > 0 {
		return list
	}
	for s := range r.ids {
		if r.held[s] && r.owner[s] == r.seat && len(r.shores[s]) > 0 {
			list = append(list, s)
		}
	}
	return list
}
