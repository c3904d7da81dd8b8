package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// Chapter 8: reinforcements and replacements. Japan has no replacements (DF 8.1). IX Corps is in landing.go, the 11th
// Division in airborne.go.

// rollArmy is the 56th Army Check Phase (DF 5.2-IIA): it rolls while the army is in the NA Box; false if there is no
// roll (DF 8.2-a). All move or none, for no CP.
func (p *Position) rollArmy(x *exec) bool {
	waiting := false
	for _, u := range p.sc.Setup56 {
		waiting = waiting || p.place[u] == NotAvailable
	}
	needed := p.army56Needed()
	if !waiting || needed == 0 {
		return false
	}
	die := p.d10(x, "56th-army")
	emit(x, &downfallv1.ArmyRolled{
		Die: uint32(die), Needed: uint32(needed), Available: die <= needed,
	})
	return true
}

// checkEnter checks an entry from a box: of the 56th Army, of a US reinforcement, or of 6/ASCO. Each unit pays
// for itself (DF 7.4-c).
func (p *Position) checkEnter(seat rules.Seat, c Command) *rules.Refusal {
	c = c.entering()
	switch u := c.Unit; {
	case u == NoUnit || !p.tab.side(seat).Has(u):
		return p.notYours(u)
	case seat == Japan:
		return p.checkEnter56(c)
	case c.Hex == NoHex: // a way, and not just a hex
		return p.refuseUnit("DF 8.4-d", "refuse.arrived", u)
	case u == p.sc.Service:
		return p.checkEnterService(c)
	}
	return p.checkEnterUS(c)
}

// entering names the unit also if the command gives its way.
func (c Command) entering() Command {
	if rs := c.routes(); len(rs) == 1 {
		c.Unit = rs[0].Unit
	}
	return c
}

// checkEnter56 checks the entry of a 56th Army unit: from the AV Box (DF 8.2-b), not if a bomb holds it (DF 6.10-a).
func (p *Position) checkEnter56(c Command) *rules.Refusal {
	u := c.Unit
	switch {
	case p.place[u] != Available:
		return p.refuseUnit("DF 8.2-b", "refuse.not-available", u)
	case p.bombed.Has(u):
		return p.refuseUnit("DF 6.10-a", "refuse.bombed", u)
	}
	if r := p.afford(p.sc.Chart.CP.Enter56); r != nil {
		return r
	}
	path, r := p.entryWay(c)
	if r != nil {
		return r
	}
	return p.checkStack(u, path[len(path)-1])
}

// entryWay is the way of an entering unit, which no way leads back (DF 8.2-d): its first hex is an entry hex and costs
// like any other (DF 8.2-c), must be free of US units, and stops it if it lies in US ZOC (DF 8.2-e).
func (p *Position) entryWay(c Command) ([]Hex, *rules.Refusal) {
	m := p.mover(c.Unit, false)
	if rs := c.routes(); len(rs) == 1 && len(rs[0].Path) > 0 {
		path := rs[0].Path
		switch {
		case !p.sc.Is(path[0], scenario.Entry):
			return nil, p.refuseHex("DF 8.2-c", "refuse.no-entry", path[0])
		case m.closed(p, path[0]):
			return nil, p.refuseHex("DF 8.2-e", "refuse.enemy", path[0])
		}
		return path, p.walk(m, path, 1, true)
	}
	if c.Hex == NoHex {
		return nil, p.refuse("DF 8.2-c", "refuse.no-path")
	}
	if p.sc.Is(c.Hex, scenario.Entry) && m.closed(p, c.Hex) {
		return nil, p.refuseHex("DF 8.2-e", "refuse.enemy", c.Hex)
	}
	var room floodRoom
	f := newFlood(p, &room, m.seat)
	f.fromEntries(&m)
	if !f.found.Has(c.Hex) {
		return nil, p.refuseHex("DF 8.2-c", "refuse.reach", c.Hex, "max", m.mf)
	}
	return f.trail(&m, 1, c.Hex), nil
}

// checkEnterUS checks the entry of a reinforcement or rebuilt unit: from turn 2 (DF 8.4-a), not before its number,
// which is looked at by itself and needs no roll in the Reinforcement Check Phase (DF 5.2-IIIA, DF 8.3), unless it was
// rebuilt (DF 8.9-d), not under the ban (DF 6.5-6), not in the turn of its rebuilding (DF 8.9-c, DF 8.9-f).
func (p *Position) checkEnterUS(c Command) *rules.Refusal {
	u := c.Unit
	info := &p.sc.Units[u]
	switch {
	case p.place[u] != Holding:
		return p.refuseUnit("DF 8.3", "refuse.not-in-box", u)
	case int(p.turn) < p.sc.Chart.USEntry:
		return p.refuse("DF 8.4-a", "refuse.too-early", "turn", p.sc.Chart.USEntry)
	case p.ban:
		return p.refuse("DF 6.5-6", "refuse.ban")
	case p.boxed.Has(u):
		return p.refuseUnit(p.boxedRule(u), "refuse.boxed", u)
	case !p.rebuilt.Has(u) && int(p.turn) < info.Turn:
		return p.refuse("DF 8.3", "refuse.too-early", "turn", info.Turn).About(p.id(u))
	case p.onlyByAir(u): // known to the US alone
		return p.refuseUnit("DF 15.6-a", "refuse.airborne", u)
	}
	return p.checkBeach(u, c.Hex)
}

func (p *Position) boxedRule(u Unit) string {
	if int(p.steps[u]) == p.sc.Units[u].Steps && p.steps[u] == 2 {
		return "DF 8.9-f"
	}
	return "DF 8.9-c"
}

// checkBeach checks the beachhead: that of the unit's corps (DF 8.4-b), any for a reserve division (DF 8.4-c). Japanese
// ZOC is no obstacle (DF 8.4-d).
func (p *Position) checkBeach(u Unit, h Hex) *rules.Refusal {
	f := p.sc.Units[u].Formation
	corps, ok := p.beachheadIn(h)
	switch {
	case f.IsCorps() && (!ok || corps != f):
		return p.refuseHex("DF 8.4-b", "refuse.no-beachhead", h, "unit", u)
	case !ok:
		return p.refuseHex("DF 8.4-c", "refuse.no-beachhead", h, "unit", u)
	}
	if r := p.afford(p.sc.Chart.CP.Enter); r != nil {
		return r
	}
	return p.checkStack(u, h)
}

// mayEnterUS is checkEnterUS without hex and words.
func (p *Position) mayEnterUS(u Unit) bool {
	return p.place[u] == Holding && int(p.turn) >= p.sc.Chart.USEntry && !p.ban && !p.boxed.Has(u) &&
		(p.rebuilt.Has(u) || int(p.turn) >= p.sc.Units[u].Turn) && !p.onlyByAir(u) && int(p.cp) >= p.sc.Chart.CP.Enter
}

// checkEnterService checks the placing of 6/ASCO: from turn 20 (DF 8.8-S1), for 4 CP (DF 8.8-a, DF 8.8-S2), not under
// the ban, in a Clear hex under US control, not next to a Japanese unit, without beachhead (DF 8.8-b), within the
// stacking limits (DF 8.8-f).
func (p *Position) checkEnterService(c Command) *rules.Refusal {
	switch {
	case p.place[c.Unit] != Holding:
		return p.refuseUnit("DF 8.8-S7", "refuse.not-in-box", c.Unit)
	case int(p.turn) < p.sc.Chart.ServiceTurn:
		return p.refuse("DF 8.8-a", "refuse.too-early", "turn", p.sc.Chart.ServiceTurn)
	case p.ban:
		return p.refuse("DF 6.5-6", "refuse.ban")
	case p.sc.Chart.CP.Service > int(p.cp):
		return p.afford(p.sc.Chart.CP.Service)
	case !p.sc.Terrains[p.terrain(c.Hex)].Service:
		return p.refuseHex("DF 8.8-b", "refuse.terrain", c.Hex)
	case p.groundOf(Japan, c.Hex) != 0 || !p.controls(US, c.Hex):
		return p.refuseHex("DF 8.8-b", "refuse.control", c.Hex)
	case p.japanNear(c.Hex):
		return p.refuseHex("DF 8.8-b", "refuse.japan-near", c.Hex)
	}
	if _, beachhead := p.beachheadIn(c.Hex); beachhead {
		return p.refuseHex("DF 8.8-b", "refuse.beachhead-in-hex", c.Hex)
	}
	if !p.fits(c.Unit, c.Hex) {
		return p.refuseHex("DF 8.8-f", "refuse.stack", c.Hex, "max", scenario.USStack)
	}
	return nil
}

// playEnter brings a unit in.
func (p *Position) playEnter(x *exec, seat rules.Seat, c Command) {
	c = c.entering()
	u, path, cost := c.Unit, []Hex{c.Hex}, p.sc.Chart.CP.Enter
	switch {
	case seat == Japan:
		path, _ = p.entryWay(c)
		cost = p.sc.Chart.CP.Enter56
	case u == p.sc.Service:
		cost = p.sc.Chart.CP.Service
	case u == p.sc.Infantry11 && p.on(Airborne11) && !p.rebuilt.Has(u):
		x.RevealOf(US) // its mode is seen now (DF 15.6-a)
	}
	entered := false
	p.carry(x, u, path, func(part []Hex) *event {
		if entered {
			return p.eventMoved(u, part, 0, 0, false)
		}
		entered = true
		return fact(&downfallv1.UnitEntered{Unit: p.id(u), Path: p.nums(part), Cp: uint32(cost)})
	})
}

// legalEnter lists entries.
func (p *Position) legalEnter(seat rules.Seat, out *lister) bool {
	if seat == Japan {
		return p.legalEnter56(out)
	}
	yield := out.yield
	for u := range p.tab.us.Each {
		if u == p.sc.Service || !p.mayEnterUS(u) {
			continue
		}
		f := p.sc.Units[u].Formation
		for corps, place := range p.beachhead {
			h := place.Hex()
			if h == NoHex || f.IsCorps() && int(f) != corps || !p.fits(u, h) {
				continue
			}
			if !yield(aiming(KindEnter, u, h)) {
				return false
			}
		}
	}
	return p.legalEnterService(yield)
}

func (p *Position) legalEnterService(yield func(Command) bool) bool {
	u := p.sc.Service
	if u == NoUnit || p.place[u] != Holding || int(p.turn) < p.sc.Chart.ServiceTurn || p.ban ||
		int(p.cp) < p.sc.Chart.CP.Service {
		return true
	}
	for h := range Hex(len(p.at)) {
		if !p.sc.Terrains[p.terrain(h)].Service || !p.controls(US, h) || p.japanNear(h) {
			continue // most hexes, without the words of a refusal
		}
		if c := aiming(KindEnter, u, h); p.checkEnterService(c) == nil && !yield(c) {
			return false
		}
	}
	return true
}

func (p *Position) legalEnter56(out *lister) bool {
	if p.sc.Chart.CP.Enter56 > int(p.cp) {
		return true
	}
	var room floodRoom
	var f flood
	for _, u := range p.sc.Setup56 {
		if p.place[u] != Available || p.bombed.Has(u) {
			continue
		}
		if f.p == nil { // all have the same MF (DF 12.2)
			m := p.mover(u, false)
			f = newFlood(p, &room, m.seat)
			if out.reach != nil {
				out.reach.look(p)
				out.reach.search(&f, &m, NoHex)
			} else {
				f.fromEntries(&m)
			}
		}
		if !f.eachFit(KindEnter, u, out) {
			return false
		}
	}
	return true
}
