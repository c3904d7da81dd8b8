package toy

import (
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// checkAttack: once, an adjacent enemy (TY 5.1).
func (p *State) checkAttack(seat rules.Seat, u, target Unit) *rules.Refusal {
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	name, targetName := p.name(u), p.name(target)
	if !p.owns(rival(seat), target) {
		return rules.Refuse("", "refuse.no_enemy",
			"target", targetName).For(rules.ReasonUnknownPiece).About(p.id(target))
	}
	if p.units[u].fought {
		return rules.Refuse("TY 5.1", "refuse.fought", "unit", name).About(p.id(u))
	}
	if d := p.sc.board.Distance(p.units[u].at, p.units[target].at); d != 1 {
		return rules.Refuse("TY 5.1", "refuse.not_adjacent", "unit", name, "target", targetName, "distance", d).
			About(p.id(u), p.id(target))
	}
	return nil
}

// attack declares an attack and rolls for it; the outcome comes by steps of the frame that it opens.
func attack(x *exec, u, target Unit) {
	emit(x, &toyv1.AttackBegan{Unit: x.Pos.id(u), Target: x.Pos.id(target)})
	roll, modifier := x.Roll(6, "attack"), x.Pos.modifier(u, target)
	emit(x, &toyv1.AttackRolled{Roll: uint32(roll), Modifier: int32(modifier), Result: combatResult(roll + modifier)})
}

// modifier is what is added to the die (TY 5.2).
func (p *State) modifier(u, target Unit) int {
	m := int(p.sc.units[u].Strength) - int(p.sc.units[target].Strength)
	if p.sc.terrain[p.units[target].at] == rough {
		m--
	}
	return m
}

// combatResult is the combat results table (TY 5.2).
func combatResult(n int) toyv1.AttackResult {
	switch {
	case n <= 1:
		return toyv1.AttackResult_ATTACK_RESULT_REPULSED
	case n <= 3:
		return toyv1.AttackResult_ATTACK_RESULT_NO_EFFECT
	default:
		return toyv1.AttackResult_ATTACK_RESULT_HIT
	}
}

// stepAttack takes an automatic step of an attack: whatever nobody is asked about.
func stepAttack(x *exec, f frame) {
	switch f.step {
	case stepRepulsed:
		loseStep(x, f.unit)
	case stepHit: // without a retreat (TY 5.4)
		loseStep(x, f.target)
	default:
		emit(x, &toyv1.AttackEnded{})
	}
}

// loseStep takes a step from a unit (TY 5.6).
func loseStep(x *exec, u Unit) {
	emit(x, &toyv1.StepLost{Unit: x.Pos.id(u), Left: uint32(x.Pos.units[u].steps) - 1})
}

// mayRetreat: to an empty hex of land next to the unit and not next to the attacker (TY 5.4).
func (p *State) mayRetreat(f *frame, to hex.Index) bool {
	from, enemy := p.units[f.target].at, p.units[f.unit].at
	return p.sc.board.Adjacent(from, to) && !p.sc.board.Adjacent(enemy, to) && p.checkEnter(to) == nil
}

// canRetreat reports whether the unit that was hit has a retreat.
func (p *State) canRetreat(f *frame) bool {
	for _, to := range p.sc.board.Neighbors(p.units[f.target].at) {
		if to != hex.None && p.mayRetreat(f, to) {
			return true
		}
	}
	return false
}

// checkRetreat says why the unit that was hit may not retreat to a hex (TY 5.4).
func (p *State) checkRetreat(to hex.Index) *rules.Refusal {
	f := p.attack()
	if p.mayRetreat(f, to) {
		return nil
	}
	id := p.hexID(to)
	return rules.Refuse("TY 5.4", "refuse.no_retreat", "to", id, "unit", p.name(f.target),
		"attacker", p.name(f.unit)).At(id)
}

// retreat takes the hit as a retreat (TY 5.3).
func retreat(x *exec, to hex.Index) {
	u := x.Pos.attack().target
	emit(x, &toyv1.Retreated{
		Unit: x.Pos.id(u), From: x.Pos.hexID(x.Pos.units[u].at), To: x.Pos.hexID(to),
	})
	take(x, u)
}

// pursue follows a retreat, or does not (TY 5.5).
func pursue(x *exec, follow bool) {
	f := x.Pos.attack()
	u, to := f.unit, f.vacated
	if !follow {
		emit(x, &toyv1.Pursued{Unit: x.Pos.id(u)})
		return
	}
	emit(x, &toyv1.Pursued{Unit: x.Pos.id(u), To: x.Pos.hexID(to)})
	take(x, u)
}
