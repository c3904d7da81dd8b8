package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Who has a ZOC is in stacks.go, kept by set; what an enemy ZOC does to movement is here (OCS 4.5a). It has no other
// effect than those listed there.

// held reports whether a unit stands in an enemy ZOC that it entered with Truck MP and that nothing negates if a stack
// goes on (OCS 4.5a-A). Leg and Track never are; a unit that began the phase there has not entered it. Units of the
// moving stack that stay behind count at once (OCS 4.5b, OCS 6.1f).
func (p *Position) held(u Unit, going []Unit) bool {
	s := &p.units[u]
	h := s.place.Hex()
	return h != NoHex && s.marks.has(ocsv1.UnitMark_UNIT_MARK_HALTED) && p.shown(u).MP == Truck &&
		p.inZOC(enemy(s.seat), h) &&
		!p.negated(s.seat, h, going)
}

// negated reports whether an enemy ZOC in a hex is negated for a stack that goes on (OCS 4.5b): a combat unit of the
// side is there that does not go with it, and has finished its move or will not move: one that is left behind, that
// can't move, or is committed.
func (p *Position) negated(seat rules.Seat, h Hex, going []Unit) bool {
	if !p.combatIn(seat, Place(h)) {
		return false
	}
	for u := range p.of(seat, Place(h)) {
		if p.isCombat(u) && !slices.Contains(going, u) && (p.stays(u) || p.inMotion(u)) {
			return true
		}
	}
	return false
}

// markHalt notes whether a unit that enters a hex does so with Truck MP into an enemy ZOC (OCS 4.5a-A). Whether that
// stops it is asked when it would go on.
func (p *Position) markHalt(c *changes, u Unit, at Place) {
	const halted = ocsv1.UnitMark_UNIT_MARK_HALTED
	h := at.Hex()
	switch now := h != NoHex && p.shown(u).MP == Truck && p.inZOC(enemy(p.units[u].seat), h); {
	case now:
		c.mark(u, halted)
	case p.has(u, halted):
		m := c.unit(u)
		m.Unset = append(m.Unset, halted)
	}
}

// checkCommit says why a unit may not be committed to its hex for the phase (OCS 4.5b): it must be a combat unit that
// could still move, in an enemy ZOC.
func (p *Position) checkCommit(seat rules.Seat, c *Command) *rules.Refusal {
	u := c.Unit
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	s := &p.units[u]
	switch h := s.place.Hex(); {
	case !p.isCombat(u):
		return rules.Refuse("OCS 4.5b", "refuse.no-combat-unit", "unit", p.unitName(u)).About(p.id(u))
	case h == NoHex || !p.inZOC(enemy(seat), h):
		return rules.Refuse("OCS 4.5b", "refuse.no-zoc",
			"hex", p.sc.PlaceID(s.place)).About(p.id(u)).At(p.sc.PlaceID(s.place))
	case p.stays(u) || p.inMotion(u):
		return rules.Refuse("OCS 4.5b", "refuse.stays-anyway", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// playCommit commits a unit: it may not move, overrun or be transported for the rest of the phase.
func (p *Position) playCommit(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	c.mark(cmd.Unit, ocsv1.UnitMark_UNIT_MARK_COMMITTED)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitCommitted{UnitCommitted: &ocsv1.UnitCommitted{
		Seat: seatIDs[seat], Unit: p.id(cmd.Unit), Hex: p.sc.PlaceID(p.units[cmd.Unit].place),
	}}})
}

func listCommit(l *lister) {
	for u := range l.p.all(l.seat) {
		if l.acts(u) {
			c := only(KindCommit)
			c.Unit = u
			l.checked(c)
		}
	}
}
