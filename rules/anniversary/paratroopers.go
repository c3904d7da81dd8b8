package anniversary

import (
	"github.com/warledger/warledger/rules"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Paratroopers (AA 6.3.7): each bomber carries one infantry from where both start into the first hostile
// territory on its way.

// planDrop plans `drop`. The bomber is marked to attack there and not to raid: it may do no other thing in this turn
// (AA 6.3.9).
func (p *Position) planDrop(c *Command, o *plan) *rules.Refusal {
	w := p.acting
	n := Space(p.sc.Len())
	if c.N == 0 || c.From >= n || c.To >= n {
		return rules.Malformed("a drop needs a number of bombers and where they go")
	}
	o.path[0], o.path[1], o.steps = c.From, c.To, 1
	switch {
	case !p.has(w, scenario.Paratroopers):
		return p.no(o, "AA 6.3.7", "refuse.no-technology", NoSpace, "technology", techName(scenario.Paratroopers))
	case p.sc.IsSea(c.To) || !p.wasHostile(c.To):
		return p.no(o, "AA 6.3.8", "refuse.drop-place", c.To)
	}
	d := p.dropDistance(c.From, c.To)
	left := p.moves(w, Bomber) - d
	switch {
	case d > p.sc.AirDistance(c.From, c.To) && left < 0:
		return p.no(o, "AA 6.3.8", "refuse.drop-way", c.To)
	case left < 0:
		return p.no(o, "AA 8.1.6", "refuse.too-far", c.To, "from", p.name(c.From), "steps", p.moves(w, Bomber))
	case !p.canReturn(w, Bomber, c.To, left, &o.proof):
		return p.refuseReturn(o, Bomber, c.To, left)
	}
	for _, u := range [2]Unit{Bomber, Infantry} {
		short := p.pickUnits(c.From, w, line(u, c.N), func(k Key, m uint16) bool {
			if o.full() {
				return false
			}
			after := Key(0)
			if u == Bomber {
				after = k.moveTo(c.To).use(uint8(d)).mark(Moved).carrying([2]Cargo{cargoOf(Infantry, w)})
			}
			o.add(k, after, m)
			return true
		})
		if short > 0 {
			return p.shortage(o, c.From, w, line(u, c.N))
		}
	}
	return nil
}

// dropDistance is the length of the way to a territory over sea zones and territories that are not hostile: the bomber
// must stop in the first hostile one (AA 6.3.8), as it was when the turn began (AA 8.1.9). Far if none exists.
func (p *Position) dropDistance(from, to Space) int {
	var dist [MaxSpaces]uint8
	for i := range dist {
		dist[i] = scenario.Far
	}
	dist[from] = 0
	var queue [MaxSpaces]Space
	queue[0] = from
	for head, tail := 0, 1; head < tail; head++ {
		s := queue[head]
		if s == to {
			return int(dist[s])
		}
		if s != from && !p.sc.IsSea(s) && p.wasHostile(s) {
			continue
		}
		for _, t := range p.sc.Near[s] {
			if dist[t] == scenario.Far {
				dist[t] = dist[s] + 1
				queue[tail] = t
				tail++
			}
		}
	}
	return scenario.Far
}
