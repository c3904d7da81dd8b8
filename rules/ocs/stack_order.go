package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// rank is how far up in its stack a unit lies by the rules: a Combat-mode attack-capable unit over others, so that a
// ZOC is visible (OCS 4.8b-C), combat units over other pieces (OCS 4.9a).
func (p *Position) rank(u Unit) int {
	switch {
	case p.attackCapable(u) && p.mode(u) == CombatMode:
		return 3
	case p.isCombat(u):
		return 2
	}
	return 1
}

// topOf is the unit of a seat that its enemy sees in a hex; NoUnit if the seat has nothing there. Within what the rules
// demand its owner chooses; an HQ that was chosen lies over all while no enemy land unit is adjacent; every board shows
// which hexes are in a ZOC, so that the opponent knows before it comes there (OCS 4.8b-D).
func (p *Position) topOf(seat rules.Seat, at Place) Unit {
	best, height := NoUnit, 0
	for u := range p.of(seat, at) {
		h := 2 * p.rank(u)
		if p.has(u, ocsv1.UnitMark_UNIT_MARK_TOP) {
			h++
			if p.counter(u).HQ && !p.enemyNear(seat, at) {
				h = 8
			}
		}
		if h > height {
			best, height = u, h
		}
	}
	return best
}

// enemyNear reports whether land units of the other side are adjacent to a hex.
func (p *Position) enemyNear(seat rules.Seat, at Place) bool {
	h := at.Hex()
	if h == NoHex {
		return false
	}
	for _, n := range p.around(h) {
		if p.cells[n].pieces[enemy(seat)] > 0 {
			return true
		}
	}
	return false
}

// checkTop says why a unit may not lie on top of its stack.
func (p *Position) checkTop(seat rules.Seat, c *Command) *rules.Refusal {
	u := c.Unit
	if u == NoUnit {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	s := &p.units[u]
	if s.seat != seat || !s.place.onMap() {
		return rules.Refuse("OCS 4.8b", "refuse.not-yours",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
	}
	if p.has(u, ocsv1.UnitMark_UNIT_MARK_TOP) && p.topOf(seat, s.place) == u {
		return rules.Refuse("OCS 4.8b", "refuse.on-top", "unit", p.unitName(u)).About(p.id(u))
	}
	if p.counter(u).HQ {
		if p.enemyNear(seat, s.place) && p.underZOC(u) {
			return rules.Refuse("OCS 4.8b-D", "refuse.hq-on-top", "unit", p.unitName(u)).About(p.id(u))
		}
		return nil
	}
	above, height := NoUnit, p.rank(u)
	for v := range p.of(seat, s.place) {
		if p.rank(v) > height {
			above, height = v, p.rank(v)
		}
	}
	switch {
	case above == NoUnit:
		return nil
	case height == 3:
		return rules.Refuse("OCS 4.8b-C", "refuse.combat-on-top", "unit", p.unitName(above)).About(p.id(above))
	}
	return rules.Refuse("OCS 4.9a", "refuse.combat-on-top", "unit", p.unitName(above)).About(p.id(above))
}

// underZOC reports whether a Combat-mode attack-capable unit is in the stack of a unit.
func (p *Position) underZOC(u Unit) bool {
	for v := range p.of(p.units[u].seat, p.units[u].place) {
		if p.rank(v) == 3 {
			return true
		}
	}
	return false
}

// playTop puts a unit on top.
func (p *Position) playTop(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	for v := range p.of(seat, p.units[cmd.Unit].place) {
		if v != cmd.Unit && p.has(v, ocsv1.UnitMark_UNIT_MARK_TOP) {
			c.unit(v).Unset = []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_TOP}
		}
	}
	c.mark(cmd.Unit, ocsv1.UnitMark_UNIT_MARK_TOP)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_StackArranged{
		StackArranged: &ocsv1.StackArranged{Seat: seatIDs[seat], Unit: p.id(cmd.Unit)},
	}})
}
