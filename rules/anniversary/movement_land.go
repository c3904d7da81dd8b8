package anniversary

import (
	"github.com/warledger/warledger/rules"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Land units: one step, tanks two; over friendly territory, or blitzing over empty hostile territory (AA 8.7).

// planLand plans a move of land units.
func (p *Position) planLand(c *Command, w Power, o *plan) *rules.Refusal {
	if p.sc.IsSea(c.From) || p.sc.IsSea(c.To) || c.Via != NoSpace && p.sc.IsSea(c.Via) {
		return p.no(o, "AA 2.1.2", "refuse.land-at-sea", c.To)
	}
	if r := p.gunsFree(c, w, o); r != nil {
		return r
	}
	if r := p.landPath(c, w, o); r != nil {
		return r
	}
	if r := p.landAllowance(c, w, o); r != nil {
		return r
	}
	if r := p.landEnd(c, w, o); r != nil {
		return r
	}
	for _, it := range c.items() {
		left := p.pickUnits(c.From, w, it, func(k Key, n uint16) bool {
			if o.full() || k.Has(Captured) {
				return false
			}
			after := k.moveTo(c.To).mark(Done)
			if p.phase == PhaseMove {
				after = k.moveTo(c.To).mark(Moved).cameFrom(o.last())
			}
			o.add(k, after, n)
			return true
		})
		if left > 0 {
			return p.shortage(o, c.From, w, it)
		}
	}
	return nil
}

// gunsFree: guns captured this turn stay where they are (AA 10.1.6).
func (p *Position) gunsFree(c *Command, w Power, o *plan) *rules.Refusal {
	if p.phase != PhaseNoncombat {
		return nil
	}
	for _, it := range c.items() {
		if it.Unit != AAGun {
			continue
		}
		captured, free := false, 0
		for _, g := range p.at(c.From) {
			if g.Power() == w && g.Unit() == AAGun {
				if captured = captured || g.Has(Captured); p.ready(g.Key) && !g.Has(Captured) {
					free += int(g.N)
				}
			}
		}
		if captured && free < int(it.N) {
			return p.no(o, "AA 10.1.6", "refuse.captured-gun", c.From)
		}
	}
	return nil
}

// landPath finds the way: one step, or two over the space given or, if none is, over a friendly territory
// or else one to blitz.
func (p *Position) landPath(c *Command, w Power, o *plan) *rules.Refusal {
	o.path[0] = c.From
	switch {
	case c.Via != NoSpace:
		if !p.sc.Around[c.From].Has(c.Via) || !p.sc.Around[c.Via].Has(c.To) {
			return p.no(o, "AA 2.2.1", "refuse.not-adjacent", c.To, "from", p.name(c.From))
		}
		o.path[1], o.path[2], o.steps = c.Via, c.To, 2
		return p.checkVia(c, w, o)
	case p.sc.Around[c.From].Has(c.To):
		o.path[1], o.steps = c.To, 1
		return nil
	}
	for _, friendly := range [2]bool{true, false} {
		for _, via := range p.sc.LandNear[c.From] {
			o.path[1], o.path[2], o.steps = via, c.To, 2
			if p.sc.Around[via].Has(c.To) && p.friendly(via) == friendly && (w != China ||
				p.sc.ChinaRules.Range.Has(via)) && p.checkVia(c, w, o) == nil {
				return nil
			}
		}
	}
	if c.From == c.To || p.sc.LandDistance(c.From, c.To) > 2 {
		return p.no(o, "AA 8.1.6", "refuse.too-far", c.To, "from", p.name(c.From), "steps", 2)
	}
	return p.no(o, "AA 8.1.7", "refuse.no-way", c.To, "from", p.name(c.From))
}

// checkVia: friendly territory is passed; hostile territory only by tanks in Combat Move, and only if no enemy unit and
// no complex is in it (AA 8.1.7, AA 8.1.8, AA 8.7.1, AA 8.7.3), also if another tank took it in this phase (AA 8.1.9).
func (p *Position) checkVia(c *Command, w Power, o *plan) *rules.Refusal {
	via := o.path[1]
	o.blitzed = NoSpace
	if p.phase == PhaseNoncombat {
		if !p.friendly(via) {
			return p.no(o, "AA 12.2.1", "refuse.hostile-way", via) // AA 15.3.2
		}
		return nil
	}
	if p.wasFriendly(via) {
		return nil
	}
	if p.enemies(via) || p.startComplex.Has(via) {
		return p.no(o, "AA 8.1.8", "refuse.blocked", via)
	}
	for _, it := range c.items() {
		if it.Unit != Tank && it.Unit != Infantry { // infantry goes along with a tank (AA 6.3.16)
			return p.no(o, "AA 8.7.1", "refuse.no-blitz", via, "unit", unitName(it.Unit))
		}
	}
	o.blitzed = via
	return nil
}

// landAllowance: paths are no longer than movement (AA 8.1.6); with Mechanized Infantry each tank takes an infantry
// along (AA 6.3.16). Guns move in Noncombat Move only (AA 8.1.14, AA 12.2.2, AA 15.4.3).
func (p *Position) landAllowance(c *Command, w Power, o *plan) *rules.Refusal {
	tanks, infantry := 0, 0
	for _, it := range c.items() {
		switch {
		case it.Unit == AAGun && p.phase == PhaseMove:
			return p.no(o, "AA 8.1.14", "refuse.gun-move", NoSpace)
		case it.Unit == Tank:
			tanks += int(it.N)
		case it.Unit == Infantry:
			infantry += int(it.N)
		}
		if moves := p.moves(w, it.Unit); o.steps > moves &&
			!(it.Unit == Infantry && p.has(w, scenario.MechanizedInfantry)) {
			return p.no(o, "AA 8.1.6", "refuse.too-far", c.To, "from", p.name(c.From), "steps", moves)
		}
	}
	if o.steps == 2 && infantry > tanks {
		return p.no(o, "AA 6.3.16", "refuse.unpaired", NoSpace, "infantry", infantry, "tanks", tanks)
	}
	return nil
}

// moves is the movement of a unit of a power (AA 6.4.6).
func (p *Position) moves(w Power, u Unit) int {
	return p.sc.Moves(u, p.techs(w))
}

// landEnd: a combat move ends in territory that was hostile, or after a blitz anywhere (AA 8.1.2, AA 8.1.3, AA 8.1.4);
// other moves in friendly territory (AA 12.2.1).
func (p *Position) landEnd(c *Command, w Power, o *plan) *rules.Refusal {
	switch {
	case p.phase == PhaseNoncombat:
		if !p.friendly(c.To) {
			return p.no(o, "AA 12.2.1", "refuse.hostile-end", c.To) // AA 8.1.2
		}
		if c.From == c.To {
			return p.no(o, "AA 12.1.1", "refuse.no-move", c.To)
		}
	case p.wasHostile(c.To):
	case o.blitzed == NoSpace:
		return p.no(o, "AA 8.1.3", "refuse.friendly-end", c.To) // AA 1.1.7
	}
	return nil
}
