package anniversary

import (
	"github.com/warledger/warledger/rules"
)

// loadAndLand works out what the transports carry and land.
func (p *Position) loadAndLand(c *Command, w Power, o *plan, old Key) *rules.Refusal {
	n := uint16(c.N)
	cargo := old.Cargo()
	if r := p.landAboard(c, w, o, &cargo); r != nil {
		return r
	}
	loads := 0
	for _, it := range c.items() {
		if it.At == NoSpace {
			continue
		}
		if r := p.load(c, w, o, it, n, &cargo); r != nil {
			return r
		}
		loads++
	}
	if r := p.capacity(c, o, cargo); r != nil {
		return r
	}
	landing := 0
	for _, k := range cargo {
		if k&lands != 0 {
			landing++
		}
	}
	switch {
	case c.Target != NoSpace && landing == 0:
		return p.no(o, "AA 8.4.2", "refuse.nothing-lands", c.Target)
	case c.Power != w && loads > 0 && (c.Target != NoSpace || p.phase == PhaseMove):
		return p.no(o, "AA 11.2.3", "refuse.ally-now", c.From, "power", powerName(c.Power))
	case c.Power != w && loads > 0 && (p.ordersOf(c.Power).transports == Never || p.denied.Has(c.Power.Seat())):
		return p.no(o, "AA 8.1.12", "refuse.no-consent", c.From, "power", powerName(c.Power))
	case c.Power != w && loads > 0 && p.ordersOf(c.Power).transports == AskFirst && (n > 1 || loads > 1):
		return p.no(o, "AA 8.1.12", "refuse.one-at-a-time", c.From, "power", powerName(c.Power))
	case loads == 0 && landing == 0 && o.steps == 0:
		return p.no(o, "AA 12.4.3", "refuse.no-move", c.From)
	}
	if p.phase == PhaseMove {
		after := old.moveTo(c.To).mark(Moved).aimedAt(c.Target).carrying(cargo)
		if o.steps > 0 {
			after = after.cameFrom(o.last())
		}
		if c.Power != w {
			after = old.aimedAt(c.Target).carrying(cargo) // the ally's ship takes no part (AA 11.2.4)
		}
		o.add(old, after, n)
		return nil
	}
	p.landNow(c, w, o, old, cargo, n, loads)
	return nil
}

// landAboard marks what is aboard and lands: the acting power's units (AA 11.2.5), in an assault no guns (AA 8.8.6),
// from an ally's ship only what was aboard when the turn began (AA 11.2.3).
func (p *Position) landAboard(c *Command, w Power, o *plan, cargo *[2]Cargo) *rules.Refusal {
	for _, it := range c.items() {
		if it.At != NoSpace || it.Stays || c.Target == NoSpace {
			continue
		}
		switch {
		case it.Power != w:
			return p.no(o, "AA 11.2.5", "refuse.ally-lands", c.Target, "power", powerName(it.Power))
		case it.Unit == AAGun && p.phase == PhaseMove:
			return p.no(o, "AA 8.8.6", "refuse.gun-assault", c.Target)
		}
		found := false
		for i, have := range cargo {
			if have.Unit() == it.Unit && have != 0 && have.Power() == w && have&lands == 0 &&
				!(c.Power != w && have&loaded != 0) {
				cargo[i] |= lands
				found = true
				break
			}
		}
		if !found {
			return p.no(o, "AA 11.2.3", "refuse.ally-now", c.From, "power", powerName(c.Power))
		}
	}
	return nil
}

// load takes a unit aboard: from friendly territory next to a zone of the way that is not hostile (AA 8.8.2, AA 8.2.3,
// AA 15.13.8, AA 15.13.13), if it has done nothing else this turn (AA 15.13.7). In Combat Move it must land (AA
// 8.8.3); in Noncombat Move it may stay aboard (AA 15.13.9).
func (p *Position) load(c *Command, w Power, o *plan, it Item, n uint16, cargo *[2]Cargo) *rules.Refusal {
	switch {
	case it.Unit == AAGun && p.phase == PhaseMove:
		return p.no(o, "AA 8.1.14", "refuse.gun-move", it.At)
	case p.phase == PhaseMove && it.Stays:
		return p.no(o, "AA 8.8.3", "refuse.loaded-lands", it.At, "unit", unitName(it.Unit))
	case p.phase == PhaseNoncombat && !p.friendly(it.At), p.phase == PhaseMove && !p.wasFriendly(it.At):
		return p.no(o, "AA 15.13.8", "refuse.hostile-port", it.At)
	}
	if r := p.port(o, it.At); r != nil {
		return r
	}
	for _, prior := range o.changes() { // both from one stack
		if prior.before.At() == it.At && prior.before.Unit() == it.Unit {
			it.N = uint8(n)
			return p.loadTwo(c, w, o, it, n, cargo)
		}
	}
	it.N, it.Variant = uint8(n), 0
	if left := p.pickUnits(it.At, w, it, func(k Key, m uint16) bool {
		if o.full() || k.Has(Captured) {
			return false
		}
		o.add(k, 0, m)
		return true
	}); left > 0 {
		return p.shortage(o, it.At, w, it)
	}
	return p.stow(c, o, it, w, cargo)
}

// loadTwo loads a second unit of the same stack.
func (p *Position) loadTwo(c *Command, w Power, o *plan, it Item, n uint16, cargo *[2]Cargo) *rules.Refusal {
	k := keyOf(it.At, w, it.Unit)
	for i := range o.list[:o.n] {
		if o.list[i].before == k {
			if p.count(k) < int(o.list[i].n+n) {
				return p.shortage(o, it.At, w, it)
			}
			o.list[i].n += n
			return p.stow(c, o, it, w, cargo)
		}
	}
	return p.shortage(o, it.At, w, it)
}

// stow puts a unit into a free place.
func (p *Position) stow(c *Command, o *plan, it Item, w Power, cargo *[2]Cargo) *rules.Refusal {
	load := cargoOf(it.Unit, w) | loaded
	if c.Target != NoSpace && !it.Stays {
		load |= lands
	}
	for i := range cargo {
		if cargo[i] == 0 {
			cargo[i] = load
			return nil
		}
	}
	return p.no(o, "AA 15.13.4", "refuse.no-room", c.From)
}

// port: a zone of the way must be next to the territory and free of enemy surface warships.
func (p *Position) port(o *plan, s Space) *rules.Refusal {
	touches := false
	for _, z := range o.way() {
		if p.sc.Around[z].Has(s) {
			touches = true
			if !p.hostileSea(z) && !(p.phase == PhaseMove && p.startHostile.Has(z)) {
				return nil
			}
		}
	}
	if touches {
		return p.no(o, "AA 15.13.13", "refuse.hostile-loading", s) // AA 8.2.3
	}
	return p.no(o, "AA 15.13.8", "refuse.no-port", s)
}

// capacity: one unit of any kind and one infantry (AA 15.13.4).
func (p *Position) capacity(c *Command, o *plan, cargo [2]Cargo) *rules.Refusal {
	if cargo[0] != 0 && cargo[1] != 0 && cargo[0].Unit() != Infantry && cargo[1].Unit() != Infantry {
		return p.no(o, "AA 15.13.4", "refuse.no-room", c.From)
	}
	return nil
}

// landNow is the end of a plan in Noncombat Move, in which any units aboard go ashore together (AA 15.13.16). A
// transport that landed something is done (AA 15.13.10), and what landed too (AA 15.13.7); one that sailed may sail on
// while it has movement.
func (p *Position) landNow(c *Command, w Power, o *plan, old Key, cargo [2]Cargo, n uint16, loads int) {
	landed := false
	var kept [2]Cargo
	for i, k := range cargo {
		if k&lands == 0 {
			kept[i] = k
			continue
		}
		landed = true
		o.add(0, keyOf(c.Target, w, k.Unit()).mark(Done|Seaborne), n)
	}
	after := old.moveTo(c.To).carrying(kept)
	if c.Power == w {
		if after = after.use(old.Used() + uint8(o.steps)); landed {
			after = after.use(0).mark(Done | Seaborne)
		}
	}
	if c.Power != w && loads > 0 && p.ordersOf(c.Power).transports == AskFirst {
		o.ask, o.asked = c.Power, change{old, after, n}
		return
	}
	o.add(old, after, n)
}
