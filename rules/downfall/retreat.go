package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// Retreat and advance after combat (DF 13.9, DF 13.10). Both are free (DF 13.10-8, DF 7.T-3, DF 7.T-4). Only the
// US retreats (DF 13.11).

// retreating are the defenders that have to leave the hex: all of them (DF 13.10-11), 6/ASCO staying behind.
func (p *Position) retreating() UnitSet {
	return p.fight.defenders & p.at[p.fight.target]
}

// refuges are the hexes that a retreat may go to, one hex away (DF 13.10-6): not across the sea (DF 13.10-1), not to
// Japanese units, not into Japanese ZOC unless a US unit is there (DF 13.10-2), and not to US units while an empty hex
// is to be had (DF 13.10-4, D-56). A hex with only a beachhead is empty.
func (p *Position) refuges() (hexes [maxEntries]Hex, n int) {
	empty := false
	for _, h := range p.sc.Ground[p.fight.target] {
		if h == NoHex || p.groundOf(Japan, h) != 0 {
			continue
		}
		friends := p.groundOf(US, h) != 0
		switch {
		case !friends && p.inZOC(Japan, h), friends && empty:
		case !friends && !empty:
			empty, n = true, 0
			fallthrough
		default:
			hexes[n] = h
			n++
		}
	}
	return hexes, n
}

// together reports whether a refuge can take the whole stack: if one can, one must be chosen (DF 13.10-5).
func (p *Position) together() bool {
	hexes, n := p.refuges()
	for _, h := range hexes[:n] {
		if p.fitAll(p.retreating(), h) {
			return true
		}
	}
	return false
}

// eachWithdrawal yields the legal withdrawals: one hex for all, or if none exists every division that leaves as few
// units as possible without a place (DF 13.10-3, DF 13.10-5, DF 13.10-7).
func (p *Position) eachWithdrawal(yield func(Command) bool) bool {
	hexes, n := p.refuges()
	units := p.retreating()
	if p.together() {
		for _, h := range hexes[:n] {
			if p.fitAll(units, h) && !yield(aiming(KindWithdraw, NoUnit, h)) {
				return false
			}
		}
		return true
	}
	best := 0
	p.divide(hexes[:n], units, nil, func(_ []Route, placed int) bool { best = max(best, placed); return true })
	if best == 0 {
		return yield(only(KindWithdraw))
	}
	return p.divide(hexes[:n], units, nil, func(r []Route, placed int) bool {
		if placed < best {
			return true
		}
		c, routes := only(KindWithdraw), append([]Route(nil), r...)
		c.Routes = &routes
		return yield(c)
	})
}

// divide tries every way to put units into hexes or nowhere.
func (p *Position) divide(hexes []Hex, rest UnitSet, so []Route, visit func([]Route, int) bool) bool {
	if rest == 0 {
		placed := 0
		for _, r := range so {
			placed += len(r.Path)
		}
		return visit(so, placed)
	}
	u := rest.First()
	for _, h := range hexes {
		with := bit(u)
		for _, r := range so {
			if len(r.Path) == 1 && r.Path[0] == h {
				with |= bit(r.Unit)
			}
		}
		if p.fitAll(with, h) && !p.divide(hexes, rest&^bit(u), append(so, Route{u, []Hex{h}}), visit) {
			return false
		}
	}
	return p.divide(hexes, rest&^bit(u), append(so, Route{Unit: u}), visit)
}

// withdrawChoice reports whether the US has to say where to.
func (p *Position) withdrawChoice() bool {
	if p.retreating() == 0 {
		return false
	}
	n := 0
	p.eachWithdrawal(func(Command) bool { n++; return n < 2 })
	return n > 1
}

// onlyWithdrawal is the one that leaves no choice.
func (p *Position) onlyWithdrawal() Command {
	only := only(KindWithdraw)
	p.eachWithdrawal(func(c Command) bool { only = c; return false })
	return only
}

// checkWithdraw checks a withdrawal and says which condition it breaks.
func (p *Position) checkWithdraw(c Command) *rules.Refusal {
	if c.Routes == nil {
		if c.Hex == NoHex {
			return p.refuse("DF 13.10-11", "refuse.all-or-none")
		}
		if r := p.checkRefuge(c.Hex); r != nil {
			return r
		}
		if !p.fitAll(p.retreating(), c.Hex) {
			return p.refuseHex("DF 13.10-3", "refuse.stack", c.Hex, "max", scenario.USStack)
		}
		return nil
	}
	named, placed := UnitSet(0), 0
	for _, r := range c.routes() {
		named |= bit(r.Unit)
		placed += len(r.Path)
		for _, h := range r.Path {
			if refusal := p.checkRefuge(h); refusal != nil {
				return refusal
			}
		}
	}
	switch {
	case named != p.retreating() || len(c.routes()) != named.Len():
		return p.refuse("DF 13.10-11", "refuse.all-or-none")
	case p.together():
		return p.refuse("DF 13.10-5", "refuse.together")
	}
	return p.checkDivision(c.routes(), placed)
}

// checkDivision checks the limits of stacking and that nobody is left without a place who could have one.
func (p *Position) checkDivision(routes []Route, placed int) *rules.Refusal {
	hexes, n := p.refuges()
	for _, h := range hexes[:n] {
		var with UnitSet
		for _, r := range routes {
			if len(r.Path) > 0 && r.Path[0] == h {
				with |= bit(r.Unit)
			}
		}
		if with != 0 && !p.fitAll(with, h) {
			return p.refuseHex("DF 13.10-3", "refuse.stack", h, "max", scenario.USStack)
		}
	}
	best := 0
	p.divide(hexes[:n], p.retreating(), nil, func(_ []Route, n int) bool { best = max(best, n); return true })
	if placed < best {
		return p.refuse("DF 13.10-5", "refuse.more-room", "given", placed, "need", best)
	}
	return nil
}

// checkRefuge says by which condition a hex is no refuge.
func (p *Position) checkRefuge(h Hex) *rules.Refusal {
	hexes, n := p.refuges()
	if contains(hexes[:n], h) {
		return nil
	}
	dir, adjacent := p.sc.Map.DirTo(p.fight.target, h)
	switch {
	case !adjacent:
		return p.refuseHex("DF 13.10-6", "refuse.one-hex-retreat", h)
	case p.sc.Ground[p.fight.target][dir] == NoHex:
		return p.refuseHex("DF 13.10-1", "refuse.sea", h, "from", p.fight.target)
	case p.groundOf(Japan, h) != 0:
		return p.refuseHex("DF 13.10-2", "refuse.enemy", h)
	case p.groundOf(US, h) == 0:
		return p.refuseHex("DF 13.10-2", "refuse.retreat-zoc", h)
	}
	return p.refuseHex("DF 13.10-4", "refuse.empty-first", h)
}

// playWithdraw moves the stack, eliminates who has no place (DF 13.10-7), and settles what that means: points for every
// step left without full supply (D-09), coastal supply that ends (DF 9.6-b), and by the switch of D-25 the beachhead.
func (p *Position) playWithdraw(x *exec, c Command) {
	units, before := p.retreating(), p.vp
	e := &downfallv1.Withdrew{}
	var lost UnitSet
	for u := range units.Each {
		if h := c.refuge(u); h != NoHex {
			e.Units = append(e.Units, &downfallv1.PlacedUnit{Unit: p.id(u), Hex: p.num(h)})
		} else {
			lost |= bit(u)
		}
	}
	if len(e.Units) > 0 {
		emit(x, e)
	}
	for u := range lost.Each {
		points := 0
		if p.fight.mixed || p.unsupplied(u) {
			points = int(p.steps[u]) * p.sc.Chart.Scoring.Step
		}
		x.Emit(p.eventEliminated(u, p.finalLoss(u), "DF 13.10-7"))
		p.lose(x, points, "DF 4.11")
	}
	p.leaveCoast(x, units)
	if corps, ok := p.beachheadIn(p.fight.target); ok && p.on(FallAtRetreat) {
		p.loseBeachhead(x, corps)
	}
	p.checkDefeat(x, before)
}

// refuge is where a unit goes by a withdrawal; NoHex if it has no place.
func (c *Command) refuge(u Unit) Hex {
	if c.Routes == nil {
		return c.Hex
	}
	for _, r := range *c.Routes {
		if r.Unit == u && len(r.Path) > 0 {
			return r.Path[0]
		}
	}
	return NoHex
}

// advancers are the attackers that may advance: survivors of those that took part (DF 13.9), if no defender is
// left; not coastal divisions (DF 13.8), nor Japanese units that a bomb holds (DF 6.10-a, D-14). 6/ASCO left
// behind is no defender.
func (p *Position) advancers() UnitSet {
	f := &p.fight
	if f.landing || f.retreat && !f.byJapan || p.groundOf(enemy(p.attacker()), f.target)&^p.tab.asco != 0 {
		return 0
	}
	s := p.standing(f.attackers) &^ p.tab.coastal
	if f.byJapan {
		s &^= p.bombed
	}
	return s
}

func (p *Position) checkAdvance(c Command) *rules.Refusal {
	may := p.advancers()
	for u := range (c.Units &^ may).Each {
		switch {
		case p.tab.coastal.Has(u):
			return p.refuseUnit("DF 13.8", "refuse.no-advance", u)
		case p.bombed.Has(u):
			return p.refuseUnit("DF 6.10-a", "refuse.bombed", u)
		}
		return p.refuseUnit("DF 13.9", "refuse.no-advance", u)
	}
	if !p.fitAll(c.Units, p.fight.target) {
		return p.refuseHex("DF 13.9", "refuse.stack", p.fight.target, "max", scenario.USStack)
	}
	return nil
}

// playAdvance moves the units in; ZOC, terrain, rivers and supply don't matter (DF 11.6, DF 13.9).
func (p *Position) playAdvance(x *exec, c Command) {
	h := p.fight.target
	emit(x, &downfallv1.Advanced{Units: p.ids(c.Units), Hex: p.num(h)})
	if c.Units != 0 {
		p.enterHex(x, c.Units, h)
		p.leaveCoast(x, c.Units)
	}
}

func (p *Position) legalAdvance(yield func(Command) bool) bool {
	may, c := p.advancers(), only(KindAdvance)
	for sub := may.next(0); sub != 0; sub = may.next(sub) {
		c.Units = sub
		if p.fitAll(sub, p.fight.target) && !yield(c) {
			return false
		}
	}
	return yield(only(KindAdvance))
}
