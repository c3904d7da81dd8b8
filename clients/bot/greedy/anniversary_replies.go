package greedy

import (
	"slices"

	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// reply answers a question that is not about a plan.
func (g *general) reply(f *field, list []*option) []order {
	switch list[0].kind {
	case "lose":
		return []order{one(g.casualty(f, list))}
	case "submerge":
		return []order{one(g.dive(f, list))}
	case "press", "retreat":
		return []order{one(g.press(f, list))}
	case "divert":
		return []order{one(f.refuge(list))}
	case "research":
		return []order{one(g.research(f, list))}
	case "chart":
		return []order{one(g.breakthrough(f, list))}
	}
	return []order{one(list[0])} // bombard with all, agree, China first
}

// engaged is the combat under way: where it is, and who fights.
type engaged struct {
	at       int
	att, def stack
	attacks  bool // the seat attacks
}

// fight finds the combat under way.
func (f *field) fight() (e engaged) {
	e.at = f.battleAt
	for i, ids := range [2][]string{f.attackers, f.defenders} {
		for _, id := range ids {
			p := f.pieces[id]
			if p == nil {
				continue
			}
			u, w := scenario.UnitByID(p.Kind), scenario.PowerByID(p.Formation)
			switch {
			case u >= anniversary.NumUnits || marked(p, "submerged", "struck"):
			case i == 0:
				e.att[u] += int(p.Count)
				e.attacks = e.attacks || f.own(w)
			default:
				e.def[u] += int(p.Count)
			}
		}
	}
	return e
}

func (f *field) battle(e *engaged) battle {
	b := battle{sea: e.at >= 0 && f.sea[e.at], att: e.att, def: e.def}
	if e.attacks {
		b.techs = f.techs[f.seat]
	}
	return b
}

// casualty is the cheapest unit to lose. The last unit that can take a rich territory outlives aircraft.
func (g *general) casualty(f *field, list []*option) *option {
	e := f.fight()
	precious := e.attacks && e.at >= 0 && !f.sea[e.at] && foot(&e.att) <= 1 && f.prize(e.at) > 10
	rank := func(o *option) int {
		i := cheapness(o.unit)
		if precious && o.unit <= anniversary.Tank {
			i += len(fodder)
		}
		return i
	}
	return slices.MinFunc(list, func(a, b *option) int { return rank(a) - rank(b) })
}

// cheapness is a unit's place in the order of loss. The first hit of a battleship, which is no type of
// its own, costs nothing.
func cheapness(u anniversary.Unit) int { return slices.Index(fodder[:], u) }

// dive submerges all submarines of a battle that is being lost, and none of one that is not.
func (g *general) dive(f *field, list []*option) *option {
	e := f.fight()
	v := g.odds.rough(f.battle(&e))
	lost := v.win > 0.6
	if e.attacks {
		lost = v.win < 0.4
	}
	least := slices.MinFunc(list, func(a, b *option) int { return a.n - b.n })
	if most := slices.MaxFunc(list, func(a, b *option) int { return a.n - b.n }); lost {
		return most
	}
	return least
}

// press goes on with an attack while it is worth it, or else leaves for where most friends are.
func (g *general) press(f *field, list []*option) *option {
	e := f.fight()
	v := g.odds.weigh(f.battle(&e))
	gain := v.defLost - v.attLost
	if e.at >= 0 && !f.sea[e.at] {
		gain += v.taken * f.prize(e.at)
	}
	var on, out *option
	for _, o := range list {
		switch {
		case o.kind == "press":
			on = o
		case out == nil || o.to >= 0 && out.to >= 0 && armed(f.friends(o.to)) > armed(f.friends(out.to)):
			out = o
		}
	}
	if out == nil || on != nil && gain >= 0 {
		return on
	}
	return out
}

// refuge is where fighters without a carrier are safest.
func (f *field) refuge(list []*option) *option {
	return slices.MaxFunc(list, func(a, b *option) int { return f.shelter(a.to) - f.shelter(b.to) })
}

func (f *field) shelter(s int) int {
	if s < 0 {
		return -1
	}
	return armed(f.friends(s))
}

// rich powers buy one researcher a turn.
const riches = 55

func (g *general) research(f *field, list []*option) *option {
	want := 0
	if f.rich[f.seat] >= riches {
		want = 1
	}
	for _, o := range list {
		if o.n == want {
			return o
		}
	}
	return list[0]
}

// breakthrough picks the chart of land warfare for powers that can march on an enemy, and the other
// for those that can't.
func (g *general) breakthrough(f *field, list []*option) *option {
	chart := 2
	if home := f.home(f.seat); home >= 0 && g.pulls(f)[home] > 0 {
		chart = 1
	}
	for _, o := range list {
		if o.n == chart {
			return o
		}
	}
	return list[0]
}

// conduct picks the next combat, and fights those that may be left alone only if they can be won.
func (g *general) conduct(f *field, list []*option) []order {
	for _, o := range list {
		if o.kind == "fight" && !f.due[o.to] {
			att := f.by[f.seat][o.to]
			att[anniversary.Fighter], att[anniversary.Transport] = 0, 0
			v := g.odds.weigh(battle{sea: true, att: att, def: *f.enemies(o.to), techs: f.techs[f.seat]})
			if v.win < 0.75 || v.defLost < v.attLost {
				continue
			}
		}
		if o.kind != "end" {
			return []order{one(o)}
		}
	}
	return nil
}
