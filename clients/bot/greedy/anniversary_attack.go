package greedy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// campaign is the combat moves of a turn in the making.
type campaign struct {
	*field
	g *general
	// onto are the options by where they strike or land.
	onto map[int][]*option
	// free counts the units of each stack that have no order yet.
	free map[string]int
	// cleared are sea zones that are to be won.
	cleared map[int]bool
	orders  []order
}

// strike is an attack on one space.
type strike struct {
	at     int
	force  stack
	orders []order
	spent  map[string]int
	verdict
	gain float64
}

// attack plans Combat Move: the most profitable attacks first, until none is worth its price; then, on a second pass,
// ships that go along with landings.
func (g *general) attack(f *field, list []*option) []order {
	c := &campaign{field: f, g: g, onto: map[int][]*option{}, free: map[string]int{}, cleared: map[int]bool{}}
	for _, o := range list {
		if g.tried[o.command] {
			continue
		}
		switch {
		case o.kind == "move" && !o.pairs && o.to != o.from, o.kind == "drop":
			c.onto[o.to] = append(c.onto[o.to], o)
		case o.kind == "ship" && o.target >= 0:
			c.onto[o.target] = append(c.onto[o.target], o)
		case o.kind == "join":
			c.onto[o.to] = append(c.onto[o.to], o)
		}
	}
	switch {
	case g.passes > 1 && only(list, "end") == nil:
		return g.takeBack(list)
	case g.passes > 2:
		return nil
	}
	c.count()
	for range 40 {
		best := c.best()
		if best == nil {
			break
		}
		c.commit(best)
	}
	c.escape()
	c.escort()
	c.raid(list)
	return c.orders
}

// takeBack recalls the last move when the phase can't end as it stands, and remembers not to make it again.
func (g *general) takeBack(list []*option) []order {
	back := only(list, "recall")
	if len(back) == 0 {
		return nil
	}
	for i := len(g.given) - 1; i >= 0; i-- {
		if c := g.given[i]; !strings.HasPrefix(c, "recall") && !g.tried[c] {
			g.tried[c] = true
			break
		}
	}
	g.passes = 1
	return []order{one(back[len(back)-1])}
}

// count finds the units that are free to attack: all that are ready but the garrisons.
func (c *campaign) count() {
	for id, p := range c.pieces {
		if c.own(scenario.PowerByID(p.Formation)) && !marked(p, "moved", "done", "raid", "aboard") {
			c.free[id] = int(p.Count)
		}
	}
	for s, n := range c.g.garrisons(c.field) {
		for _, u := range [...]anniversary.Unit{anniversary.Infantry, anniversary.Artillery, anniversary.Tank} {
			id := c.ids[s] + "/" + c.seat.ID() + "/" + u.ID()
			k := min(n, c.free[id])
			c.free[id] -= k
			n -= k
		}
	}
}

// best is the most profitable attack; nil if none pays.
func (c *campaign) best() *strike {
	var best *strike
	targets := make([]int, 0, len(c.onto))
	for s := range c.onto {
		targets = append(targets, s)
	}
	slices.Sort(targets)
	for _, s := range targets {
		if armed(&c.sent[s]) > 0 || c.onto[s] == nil {
			continue
		}
		var x *strike
		switch {
		case c.sea[s]:
			x = c.sinking(s)
		case c.hostile(s):
			x = c.invasion(s)
		}
		if x == nil {
			c.onto[s] = nil // units only get fewer
			continue
		}
		if best == nil || x.gain > best.gain {
			best = x
		}
	}
	return best
}

// commit gives the orders of an attack.
func (c *campaign) commit(x *strike) {
	c.orders = append(c.orders, merge(x.orders)...)
	for id, n := range x.spent {
		c.free[id] -= n
	}
	c.sent[x.at] = x.force
	if c.sea[x.at] {
		c.cleared[x.at] = true
	}
	for _, o := range c.onto[x.at] {
		if o.kind == "ship" {
			c.landing[o.to] = c.landing[o.to] ||
				slices.ContainsFunc(x.orders, func(r order) bool { return r.index == o.index })
		}
	}
}

// merge joins orders that are the same but for their number. Transports and bombers with freight go one by one.
func merge(list []order) (joined []order) {
	for _, o := range list {
		i := slices.IndexFunc(joined, func(k order) bool { return k.index == o.index })
		if i < 0 || o.command[0] != 'm' || strings.Contains(o.command, "#") {
			joined = append(joined, o)
			continue
		}
		joined[i].n = min(joined[i].n+o.n, mostUnits)
	}
	return joined
}

// prize is what a territory is worth to its captor, in IPC.
func (f *field) prize(s int) float64 {
	v := 2.5 * float64(f.value[s])
	if f.city[s] {
		v += 14
	}
	switch w := f.capital[s]; {
	case w >= anniversary.NumSeats:
	case w.Side() == f.side:
		v += 40
	default:
		v += 12 + float64(f.rich[w])
	}
	if f.held[s] {
		v += 5
	}
	if f.taste != nil {
		return (v + 1) * f.taste[s]
	}
	return v + 1
}

// invasion plans an attack on a territory.
func (c *campaign) invasion(s int) *strike {
	x := &strike{at: s, spent: map[string]int{}}
	b := battle{def: *c.enemies(s), guns: c.enemies(s)[anniversary.AAGun] > 0, techs: c.techs[c.seat]}
	goal := c.g.surer
	if c.city[s] {
		goal = c.g.sure
	}
	defended := armed(&b.def) > 0
	for _, o := range c.willing(s) {
		for c.enlist(x, o) {
			b.att = x.force
			switch {
			case !defended && foot(&x.force) > 0:
				x.verdict = verdict{win: 1, taken: 1}
			case !defended:
				continue
			default:
				if x.verdict = c.g.odds.rough(b); x.win > 0.6 {
					x.verdict = c.g.odds.weigh(b)
				}
			}
			if x.taken >= goal {
				return c.profit(x)
			}
		}
	}
	if x.taken < 0.7 {
		return nil
	}
	return c.profit(x)
}

// profit is what an attack should bring; nil for one that does not pay.
func (c *campaign) profit(x *strike) *strike {
	if c.sea[x.at] {
		x.gain = x.win*c.relief(x.at) + x.defLost - x.attLost
	} else {
		x.gain = x.taken*c.prize(x.at) + x.defLost - x.attLost - c.exposure(x)
	}
	if x.gain <= c.g.gain {
		return nil
	}
	return x
}

// exposure is what may be lost of the captors to an attack on them.
func (c *campaign) exposure(x *strike) float64 {
	left := x.force
	left[anniversary.Fighter], left[anniversary.Bomber] = 0, 0
	c.g.odds.lose(&left, x.attLost/4, nil)
	threat := c.menace(x.at)
	if foot(&threat) == 0 || foot(&left) == 0 {
		return 0
	}
	v := c.g.odds.rough(battle{att: threat, def: left})
	return c.g.fear * max(0, v.win*v.defLost-v.attLost)
}

// willing are the options of attacking a territory, those that cost least to use first.
func (c *campaign) willing(s int) []*option {
	var list []*option
	for _, o := range c.onto[s] {
		if o.kind != "join" && (o.kind != "ship" || c.safe(o.to)) {
			list = append(list, o)
		}
	}
	rank := func(o *option) int {
		switch {
		case o.kind == "drop":
			return 9
		case o.kind == "ship":
			f := o.force()
			return 3*10 - 2*foot(&f) - f[anniversary.Tank] - f[anniversary.Artillery]
		}
		switch o.unit {
		case anniversary.Infantry:
			return 0
		case anniversary.Artillery:
			return 1
		case anniversary.Tank:
			if o.via >= 0 && !c.hostile(o.via) {
				return 3
			}
			return 2
		case anniversary.Fighter:
			return 50
		}
		return 51
	}
	slices.SortStableFunc(list, func(a, b *option) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// safe reports whether transports can land from a zone: no enemy warships are there, or they are to be sunk.
func (c *campaign) safe(z int) bool { return surface(c.enemies(z)) == 0 || c.cleared[z] }

// enlist adds one unit, or one transport with its freight, to an attack; false if none is left.
func (c *campaign) enlist(x *strike, o *option) bool {
	need := map[string]int{o.piece: 1}
	switch o.kind {
	case "ship":
		for _, l := range o.loads {
			if l.at >= 0 {
				need[c.ids[l.at]+"/"+o.power.ID()+"/"+l.unit.ID()]++
			}
		}
	case "drop":
		need[c.ids[o.from]+"/"+o.power.ID()+"/"+anniversary.Infantry.ID()]++
	}
	for id, n := range need {
		if c.free[id]-x.spent[id] < n {
			return false
		}
	}
	for id, n := range need {
		x.spent[id] += n
	}
	switch o.kind {
	case "ship":
		f := o.force()
		x.force = sum(&x.force, &f)
	case "drop":
		x.force[anniversary.Infantry]++
		x.force[anniversary.Bomber]++
	case "join":
		x.force[anniversary.Fighter]++
	default:
		x.force[o.unit]++
	}
	x.orders = append(x.orders, one(o))
	return true
}
