package greedy

import (
	"cmp"
	"slices"

	"github.com/warledger/warledger/rules/anniversary"
)

// sinking plans an attack on a sea zone.
func (c *campaign) sinking(z int) *strike {
	b := battle{sea: true, def: *c.enemies(z), techs: c.techs[c.seat]}
	if ships(&b.def) == 0 {
		return nil
	}
	x := &strike{at: z, spent: map[string]int{}}
	if surface(c.enemies(z)) > 0 { // own warships that are there fight in any case
		x.force = c.by[c.seat][z]
		x.force[anniversary.Transport], x.force[anniversary.Fighter] = 0, 0
		for u := range x.force {
			if anniversary.Unit(u) < anniversary.Battleship {
				x.force[u] = 0
			}
		}
	}
	easy := armed(&b.def) == 0
	for _, o := range c.hunters(z) {
		if o.unit == anniversary.Transport || o.unit == anniversary.Carrier || o.kind == "ship" {
			continue
		}
		for c.enlist(x, o) {
			b.att = x.force
			if easy {
				x.verdict = verdict{win: 1, defLost: c.g.odds.price(&b.def)}
			} else if x.verdict = c.g.odds.rough(b); x.win > 0.6 {
				x.verdict = c.g.odds.weigh(b)
			}
			if x.win >= 0.88 {
				return c.profit(x)
			}
		}
	}
	if x.win < 0.72 {
		return nil
	}
	return c.profit(x)
}

// hunters are the options of attacking a sea zone. Against submarines a destroyer comes first, against transports alone
// what flies home again.
func (c *campaign) hunters(z int) []*option {
	def := c.enemies(z)
	rank := func(o *option) int {
		wing := o.unit == anniversary.Fighter || o.unit == anniversary.Bomber || o.kind == "join"
		switch {
		case armed(def) == 0 && wing:
			return 0
		case o.unit == anniversary.Destroyer && def[anniversary.Submarine] > 0:
			return 1
		case o.unit == anniversary.Submarine:
			return 2
		case o.unit == anniversary.Destroyer:
			return 3
		case wing:
			return 4
		}
		return 5
	}
	list := slices.Clone(c.onto[z])
	slices.SortStableFunc(list, func(a, b *option) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// relief is what it is worth beside the ships to have a zone cleared: own transports near it, or the own coast.
func (c *campaign) relief(z int) float64 {
	v := 0.0
	for at := range c.ids {
		if c.sea[at] && c.sail[at][z] <= 2 {
			v += 1.5 * float64(c.by[c.seat][at][anniversary.Transport])
		}
	}
	for _, s := range c.coasts[z] {
		if c.capital[s] == c.seat {
			v += 4
		}
	}
	return min(v, 8)
}

// escape moves ships away that would have to fight where they are and would lose.
func (c *campaign) escape() {
	for z := range c.ids {
		own := c.by[c.seat][z]
		if !c.sea[z] || ships(&own) == 0 || surface(c.enemies(z)) == 0 || armed(&c.sent[z]) > 0 {
			continue
		}
		own[anniversary.Fighter] = 0
		if v := c.g.odds.rough(battle{sea: true, att: own, def: *c.enemies(z)}); v.win >= 0.5 && armed(&own) > 0 {
			continue
		}
		for s := range c.ids {
			if !c.sea[s] || armed(c.enemies(s)) > 0 || ships(c.enemies(s)) > 0 {
				continue
			}
			for _, o := range c.onto[s] {
				if o.from == z && o.kind == "move" && c.free[o.piece] > 0 {
					c.orders = append(c.orders, many(o, c.free[o.piece]))
					c.free[o.piece] = 0
				}
			}
		}
	}
}

// escort sends free warships along with landings, big guns first.
func (c *campaign) escort() {
	for z := range c.ids {
		if !c.landing[z] {
			continue
		}
		have := surface(&c.by[c.seat][z])
		for _, u := range [...]anniversary.Unit{anniversary.Battleship, anniversary.Cruiser, anniversary.Destroyer} {
			for _, o := range c.onto[z] {
				if o.kind != "move" || o.unit != u || c.free[o.piece] == 0 || have >= 4 ||
					ships(c.enemies(z)) > 0 && !c.cleared[z] {
					continue
				}
				n := min(c.free[o.piece], 4-have)
				c.orders = append(c.orders, many(o, n))
				c.free[o.piece] -= n
				have += n
			}
		}
	}
}

// raid sends bombers that have nothing better to do against the most capable complexes.
func (c *campaign) raid(list []*option) {
	raids := only(list, "raid")
	slices.SortStableFunc(raids, func(a, b *option) int { return cmp.Compare(c.capacity[b.to], c.capacity[a.to]) })
	for _, o := range raids {
		id := c.ids[o.from] + "/" + o.power.ID() + "/" + anniversary.Bomber.ID()
		if c.capacity[o.to] < 3 || c.g.tried[o.command] {
			continue
		}
		for range c.free[id] {
			c.orders = append(c.orders, one(o))
		}
		c.free[id] = 0
	}
}
