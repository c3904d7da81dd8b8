package ocs

import (
	"fmt"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Ice on a strait (OCS Crimea-8.5): on turns that the scenario names, while the ground is frozen, leg units of a side
// cross between two coastal hexes for their whole move, so many REs in each direction in a turn. Only they do: no
// supply goes over the ice, no ZOC reaches over it and nobody fights across it.

// ruleIce is the special rule of scenarios: its side, its two hexes, and as its number the REs of each direction.
const ruleIce = "strait-ice"

// iceRule checks a special rule for ice: it must have a side, two coastal hexes and a number of REs.
func (l *loader) iceRule(path string, r *ocsv1.SpecialRule) {
	l.seat(path+".seat", r.GetSeat())
	if n := len(r.GetHexes()); n != 2 || r.GetHexes()[0] == r.GetHexes()[1] {
		l.Fault(path+".hexes", "%d hexes, expected 2 different ones", n)
	}
	for i, id := range r.GetHexes() {
		at := fmt.Sprintf("%s.hexes[%d]", path, i)
		l.hex(at, id)
		if end, ok := l.sc.names[id]; ok && end.Hex() != NoHex && !l.sc.Hexes[end].Coastal {
			l.Fault(at, "%s is no coastal hex", id)
		}
	}
	if len(r.GetNumbers()) != 1 || r.GetNumbers()[0] < 1 {
		l.Fault(path+".numbers", "%v, expected one number of REs", r.GetNumbers())
	}
}

// strait is a strait that may be crossed: from one end to the other, and how many quarters of an RE still may.
type strait struct {
	from, to Place
	used     ocsv1.Register
	left     int
}

// straitFrom finds the way over the ice from a place; ok is false if none begins there.
func (p *Position) straitFrom(r *ocsv1.SpecialRule, seat rules.Seat, from Place) (s strait, ok bool) {
	for i, used := range [...]ocsv1.Register{ocsv1.Register_REGISTER_CROSSED_OUT,
		ocsv1.Register_REGISTER_CROSSED_BACK} {
		a, _ := p.sc.PlaceByID(r.GetHexes()[i])
		b, _ := p.sc.PlaceByID(r.GetHexes()[1-i])
		if a == from {
			return strait{a, b, used, int(r.GetNumbers()[0])*oneRE - p.register(seat, used)}, true
		}
	}
	return strait{}, false
}

// iceHolds says why nobody of a side crosses a strait now: without the option, in another season or for the other side,
// or while the ground is not frozen.
func (p *Position) iceHolds(seat rules.Seat) (*ocsv1.SpecialRule, *rules.Refusal) {
	if r := offered(p.opt.straitIce, "OCS Crimea-8.5", optStraitIce); r != nil {
		return nil, r
	}
	r := p.sc.special(ruleIce, int(p.turn))
	switch {
	case r == nil || p.seatOf(r.GetSeat()) != seat:
		return nil, rules.Refuse("OCS Crimea-8.5", "refuse.no-ice")
	case int(p.ground) != p.sc.Frozen:
		return nil, rules.Refuse("OCS Crimea-8.5", "refuse.thin-ice", "ground", "@ground."+p.sc.Grounds[p.ground])
	}
	return r, nil
}

// checkCross says why units may not cross a strait.
func (p *Position) checkCross(seat rules.Seat, c *Command) *rules.Refusal {
	_, _, r := p.planCross(seat, c)
	return r
}

// planCross works out a crossing: a move of one step, for all of the allowance, which must not be begun.
func (p *Position) planCross(seat rules.Seat, c *Command) (*march, strait, *rules.Refusal) {
	rule, r := p.iceHolds(seat)
	if r == nil {
		r = p.checkStack(seat, c.Units)
	}
	if r != nil {
		return nil, strait{}, r
	}
	from := p.units[c.Units[0]].place
	s, ok := p.straitFrom(rule, seat, from)
	if !ok || c.At != s.to {
		a, b := p.sc.PlaceID(from), p.sc.PlaceID(c.At)
		return nil, s, rules.Refuse("OCS Crimea-8.5", "refuse.no-strait", "from", a, "to", b).At(a, b)
	}
	m := &march{w: p.walk(seat), units: c.Units, spent: make([]Cost, len(c.Units))}
	for i, u := range c.Units {
		if !p.onFoot(u) {
			return nil, s, rules.Refuse("OCS Crimea-8.5", "refuse.not-on-foot", "unit", p.unitName(u)).About(p.id(u))
		}
		m.spent[i] = p.allowance(u)
	}
	if r := p.checkMovers(seat, c.Units); r != nil {
		return nil, s, r
	}
	for _, u := range c.Units {
		if p.units[u].spent > 0 {
			return nil, s, rules.Refuse("OCS Crimea-8.5", "refuse.whole-move", "unit", p.unitName(u)).About(p.id(u))
		}
		if o := m.w.entry(u, s.to.Hex()); o != noObstacle {
			return nil, s, p.blocked(u, s.to, o)
		}
	}
	if n := p.reOf(c.Units); n > s.left {
		return nil, s, rules.Refuse("OCS Crimea-8.5", "refuse.ice-re", "n", formatRE(n), "left", formatRE(s.left)).
			About(p.ids(c.Units)...).At(p.sc.PlaceID(s.to))
	}
	return m, s, m.endsWell(s.to)
}

// onFoot reports whether a unit is a leg unit: a combat unit with Leg MP in Move mode, as where ships carry leg units,
// which also walks as it stands.
func (p *Position) onFoot(u Unit) bool {
	return p.isCombat(u) && p.counter(u).Faces[MoveFace].MP == Leg && p.shown(u).MP == Leg
}

// playCross carries a crossing out. It is a move in all but its cost.
func (p *Position) playCross(x *exec, seat rules.Seat, cmd *Command) {
	m, s, _ := p.planCross(seat, cmd) // it passed the check
	c := p.changed()
	c.register(seat, s.used, p.register(seat, s.used)+p.reOf(cmd.Units))
	m.carryOut(x, c, []Place{s.to})
}

// listCross lists the crossing of each unit, and of all units of an end that may cross alone, if they may together.
func listCross(l *lister) {
	p := l.p
	rule, r := p.iceHolds(l.seat)
	if r != nil {
		return
	}
	for _, id := range rule.GetHexes() {
		from, _ := p.sc.PlaceByID(id)
		s, _ := p.straitFrom(rule, l.seat, from)
		c, all := only(KindCross), []Unit(nil)
		c.At = s.to
		for u := range p.of(l.seat, from) {
			c.Units = []Unit{u}
			if p.check(l.seat, &c) == nil {
				all = append(all, u)
				l.give(c)
			}
		}
		if len(all) > 1 {
			c.Units = all
			l.checked(c)
		}
	}
}

// ice says whether a strait is frozen, in games in which it may be crossed in the turn.
func (d *picture) ice() string {
	r := d.sc.special(ruleIce, int(d.turn))
	switch {
	case r == nil || !d.opt.straitIce:
		return ""
	case int(d.ground) != d.sc.Frozen:
		return d.say("track.ice.water")
	}
	return d.say("track.ice.frozen", "from", r.GetHexes()[0], "to", r.GetHexes()[1])
}
