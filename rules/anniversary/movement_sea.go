package anniversary

import "github.com/warledger/warledger/rules"

// Sea units: two steps, stopping at enemy surface warships (AA 8.1.7); submarines stop at destroyers only (AA 8.6).

// planSea plans a move of sea units.
func (p *Position) planSea(c *Command, w Power, o *plan) *rules.Refusal {
	if !p.sc.IsSea(c.From) || !p.sc.IsSea(c.To) || c.Via != NoSpace && !p.sc.IsSea(c.Via) {
		return p.no(o, "AA 15.9.2", "refuse.ship-on-land", c.To) // AA 9.11.4
	}
	if c.From == c.To && c.Via == NoSpace {
		return p.no(o, "AA 8.1.3", "refuse.no-move", c.To)
	}
	subs := true
	for _, it := range c.items() {
		subs = subs && it.Unit == Submarine
	}
	if r := p.seaPath(c.From, c.Via, c.To, subs, o); r != nil {
		return r
	}
	var mark Mark
	if p.phase == PhaseMove {
		var r *rules.Refusal
		if mark, r = p.seaEnd(c, o); r != nil {
			return r
		}
	} else if !subs && p.hostileSea(c.To) {
		return p.no(o, "AA 12.4.1", "refuse.hostile-zone", c.To)
	}
	return p.sail(c, w, o, mark)
}

// sail finds the ships of a move.
func (p *Position) sail(c *Command, w Power, o *plan, mark Mark) *rules.Refusal {
	for _, it := range c.items() {
		left := p.pickUnits(c.From, w, it, func(k Key, n uint16) bool {
			used := int(k.Used()) + o.steps // a transport sails step by step if it likes
			if o.full() || k.Target() != NoSpace || used > p.moves(w, it.Unit) {
				return false
			}
			after := k.moveTo(c.To)
			switch {
			case p.phase == PhaseMove:
				after = after.mark(Moved | mark).cameFrom(o.last())
			case it.Unit == Transport: // may load and land afterwards (AA 15.13.8)
				after = after.use(uint8(used))
			default:
				after = after.use(0).mark(Done)
			}
			o.add(k, after, n)
			return true
		})
		if left > 0 {
			return p.shortage(o, c.From, w, it)
		}
	}
	if p.phase == PhaseNoncombat {
		return p.checkCarriers(c, w, o)
	}
	return nil
}

// seaPath finds the way over the space given or, if none is and two steps are needed, over the first that will
// do, friendly ones first.
func (p *Position) seaPath(from, via, to Space, subs bool, o *plan) *rules.Refusal {
	o.path[0], o.steps = from, 0
	switch {
	case via != NoSpace:
		o.path[1], o.path[2], o.steps = via, to, 2
		if r := p.lane(from, via, o); r != nil {
			return r
		}
		if r := p.lane(via, to, o); r != nil {
			return r
		}
		return p.passes(via, subs, o)
	case from == to:
		return nil
	case p.sc.SeaDistance(from, to) == 1:
		o.path[1], o.steps = to, 1
		return p.lane(from, to, o)
	}
	return p.findVia(from, to, subs, o)
}

func (p *Position) findVia(from, to Space, subs bool, o *plan) *rules.Refusal {
	quiet := o.quiet
	var refusal *rules.Refusal
	for _, friendly := range [2]bool{true, false} {
		for _, l := range p.sc.Lanes[from] {
			if p.startHostile.Has(l.To) == friendly || p.sc.SeaDistance(l.To, to) != 1 {
				continue
			}
			o.path[1], o.path[2], o.steps = l.To, to, 2
			r := p.lane(from, l.To, o)
			if r == nil {
				r = p.lane(l.To, to, o)
			}
			if r == nil {
				r = p.passes(l.To, subs, o)
			}
			if r == nil {
				return nil
			}
			refusal = r
		}
	}
	o.quiet = quiet
	if refusal == nil {
		return p.no(o, "AA 8.1.6", "refuse.too-far", to, "from", p.name(from), "steps", 2)
	}
	return refusal
}

// lane: sea zones must touch (AA 2.2.1), and a canal between them must have been the side's since the turn began (AA
// 2.4.3). A canal is no space of its own, costs nothing and bars no land unit (AA 2.4.2).
func (p *Position) lane(from, to Space, o *plan) *rules.Refusal {
	for _, l := range p.sc.Lanes[from] {
		if l.To != to {
			continue
		}
		if p.open(l) {
			return nil
		}
		rule := "AA 2.4.3"
		if len(p.sc.Canals[l.Canal].Control) > 1 && p.canalsOf(&p.owner, p.side())&(1<<l.Canal) == 0 {
			rule = "AA 2.4.5"
		}
		return p.no(o, rule, "refuse.canal", to, "canal", wordsOf(p.sc.Canals[l.Canal].Name))
	}
	return p.no(o, "AA 2.2.1", "refuse.not-adjacent", to, "from", p.name(from))
}

// passes: ships stop in hostile zones (AA 8.1.7, AA 12.1.2), transports among them (AA 8.8.1); submarines
// only where a destroyer is (AA 8.6.1, AA 8.6.2, AA 12.4.2). Submarines and transports of the enemy stop
// nobody (AA 8.1.13, AA 8.8.5).
func (p *Position) passes(z Space, subs bool, o *plan) *rules.Refusal {
	switch {
	case subs && p.tallies[z][p.side().Enemy()].destroyers > 0:
		return p.no(o, "AA 8.6.2", "refuse.stopped-by-destroyer", z)
	case !subs && p.hostileSea(z) && p.phase == PhaseNoncombat:
		return p.no(o, "AA 12.4.1", "refuse.hostile-zone", z)
	case !subs && p.hostileSea(z):
		return p.no(o, "AA 8.1.7", "refuse.stopped-by-warship", z)
	}
	return nil
}

// seaEnd says why a combat move may not end in a zone, and whether it is an attack on what is there: a hostile zone (AA
// 8.1.3); any zone for units that leave a hostile one (AA 8.1.4 c, AA 8.2.2); a zone that an assault is declared from
// (b); or one with submarines and transports, to attack them (d), which then must be done.
func (p *Position) seaEnd(c *Command, o *plan) (Mark, *rules.Refusal) {
	switch {
	case p.hostileSea(c.To), p.startHostile.Has(c.From), p.assaultFrom(c.To):
		return 0, nil
	case p.enemies(c.To):
		return Attack, nil
	}
	return 0, p.no(o, "AA 8.1.4", "refuse.no-combat-move", c.To)
}

// assaultFrom reports whether an assault is declared from a sea zone.
func (p *Position) assaultFrom(z Space) bool {
	for _, g := range p.at(z) {
		if g.Target() != NoSpace {
			return true
		}
	}
	return false
}
