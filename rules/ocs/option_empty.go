package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Attacks on empty hexes (OCS 21.8): combat supply is paid as for any attack, no dice are rolled, and what paid may
// advance.

// empty reports whether nobody is in a hex: no unit of either side. Supply on the ground and works are no units.
func (p *Position) empty(at Place) bool {
	c := p.cell(at)
	return c.pieces[Blue] == 0 && c.pieces[Red] == 0
}

// checkTarget says why a hex may not be attacked: the CRT is for hexes with enemy combat units (OCS 9.0); with the
// option also an empty hex may be (OCS 21.8a).
func (p *Position) checkTarget(seat rules.Seat, target Place) *rules.Refusal {
	at := p.sc.PlaceID(target)
	switch {
	case p.combatIn(enemy(seat), target):
		return nil
	case !p.opt.attackEmptyHexes:
		return rules.Refuse("OCS 9.0", "refuse.no-defender", "hex", at).At(at)
	case !p.empty(target):
		return rules.Refuse("OCS 21.8a", "refuse.not-empty", "hex", at).At(at)
	}
	return nil
}

// dropped gives combat supply for nothing to attackers of an empty hex that were dropped in this turn (OCS 21.8c).
func (p *Position) dropped(c *changes, f *combat) {
	for _, u := range f.attackers {
		if len(f.defenders) == 0 && p.has(u, ocsv1.UnitMark_UNIT_MARK_DROPPED) {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED)
		}
	}
}

// paidStep is the step of a combat after the attacker has paid: the defender pays; an empty hex is no defence of
// strength 0, so that nothing is rolled and nobody exploits, and the attackers may advance (OCS 21.8b).
func (f *combat) paidStep() combatStep {
	if len(f.defenders) == 0 {
		return combatAdvance
	}
	return combatPayDefence
}
