package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// General combat (AA 9.5). Who is in it follows from where units are and how they are marked, so that nothing has to be
// copied into the frame.

// attacks reports whether units attack in the combat under way: the acting power's that moved there, at sea also its
// ships that stayed; allies take no part (AA 9.5.2, AA 11.1.3), nor do raiders (AA 9.2.4) and fighters that stay out
// (AA 8.2.6). Nobody joins after Combat Move (AA 9.1.4). At sea all ships fight, with the air units that moved there
// (AA 9.3.4, AA 9.4.2); an air unit fights at sea or on land, where it was sent (AA 9.3.17). Cargo is no unit (AA
// 8.8.4, AA 15.13.5).
func (p *Position) attacks(k Key) bool {
	if k.Power() != p.acting || k.Has(Submerged|Raid) || k.Unit() == AAGun {
		return false
	}
	if k.Unit().In(scenario.SeaUnits) {
		return !k.Has(Done)
	}
	return k.Has(Moved) && !k.Has(Done)
}

// defends reports whether units defend: all of the enemy but guns, and submarines that submerged (AA 11.1.2, AA 9.7.7).
func (p *Position) defends(k Key) bool {
	return k.Power().Side() == p.side().Enemy() && k.Unit() != AAGun && !k.Has(Submerged)
}

// enlist counts units of a side.
func enlist(f *odds.Force, k Key, n int) {
	f.Add(k.Unit(), n)
	if k.Has(Hit) {
		f.Hurt += n
	}
}

// forces counts both sides.
func (p *Position) forces() (att, def odds.Force) {
	for _, g := range p.at(p.battle.at) {
		switch {
		case p.attacks(g.Key):
			enlist(&att, g.Key, int(g.N))
		case p.defends(g.Key):
			enlist(&def, g.Key, int(g.N))
		}
	}
	return
}

// sea reports whether the combat is at sea.
func (p *Position) seaBattle() bool { return p.sc.IsSea(p.battle.at) }

// stepBattle takes the next automatic step of a combat.
func (p *Position) stepBattle(x *exec) {
	switch p.battle.stage {
	case StageBombard:
		c := p.bombardAll()
		if p.mayBombard() > 0 {
			x.Reveal() // a standing order
		}
		p.bombard(x, &c)
	case StageAntiaircraft:
		p.fireAntiaircraft(x)
	case StageOpen:
		p.openRound(x)
	case StageAttackingSubs:
		p.attackingSubs(x)
	case StageDefendingSubs:
		p.defendingSubs(x)
	case StageBombardLosses, StageDefenderStruck, StageAttackerStruck, StageDefenderLosses, StageAttackerLosses:
		p.stepLosses(x)
	case StageStruckRemoved:
		p.removeStruck(x)
	case StageAttack:
		p.fireAttack(x)
	case StageDefence:
		p.fireDefence(x)
	case StageRemoved:
		p.removeHit(x)
	case StagePress:
		p.stepPress(x)
	default:
		p.conclude(x, p.outcome())
	}
}

// openRound ends the combat or begins a round (AA 9.5.1): transports without defence are sunk first (AA 9.10.1).
// Destroyers count that are there now (AA 9.7.1). Without one on the other side submarines choose in every round anew
// (AA 9.7.6), also those that face only air units (AA 9.7.10).
func (p *Position) openRound(x *exec) {
	if p.checkOver(x) {
		return
	}
	att, def := p.forces()
	a, d := att.Destroyers > 0, def.Destroyers > 0
	stage := StageAttack
	switch {
	case att.Subs > 0 && !d:
		stage = StageAttackingSubs
	case def.Subs > 0 && !a:
		stage = StageDefendingSubs
	}
	x.Emit(eventWentOn(stage, p.battle.round+1, a, d))
}

// checkOver sinks defenceless transports (AA 9.10), which air units and warships came for (AA 9.10.5) as a sea combat
// (AA 9.10.3). It takes the combat to its end if there is nothing left to fight (AA 9.9.1, AA 9.9.8, AA 9.5.3), as on
// an undefended coast (AA 9.3.18).
func (p *Position) checkOver(x *exec) bool {
	att, def := p.forces()
	if p.seaBattle() && odds.Defenceless(&att, &def) {
		p.sink(x)
		att, def = p.forces()
	}
	over := false
	switch {
	case def.Fighting == 0 && (def.Transports == 0 || att.Fighting > 0), att.Fighting+att.Transports == 0:
		over = true
	case att.Fighting == 0 && def.Fighting == 0:
		over = p.battle.round == 0 // nothing but transports (AA 9.9.2)
	default:
		over = !att.CanHit(&def) && !def.CanHit(&att)
	}
	if over {
		x.Emit(eventWentOn(StageConclude, p.battle.round, p.battle.attackerDestroyer, p.battle.defenderDestroyer))
	}
	return over
}

// sink destroys the defender's transports with their cargo.
func (p *Position) sink(x *exec) {
	var list []change
	for _, g := range p.at(p.battle.at) {
		if p.defends(g.Key) && g.Unit() == Transport {
			list = append(list, change{before: g.Key, n: g.N})
		}
	}
	emit(x, &anniversaryv1.TransportsSunk{Changes: p.changes(list)})
}

// outcome says who won.
func (p *Position) outcome() anniversaryv1.BattleOutcome {
	att, def := p.forces()
	switch {
	case p.battle.retreated && att.Fighting+att.Transports == 0:
		return anniversaryv1.BattleOutcome_BATTLE_OUTCOME_RETREAT
	case def.Fighting == 0 && def.Transports == 0 && att.Fighting > 0:
		return anniversaryv1.BattleOutcome_BATTLE_OUTCOME_ATTACKER
	case att.Fighting == 0 && def.Fighting > 0:
		return anniversaryv1.BattleOutcome_BATTLE_OUTCOME_DEFENDER
	}
	return anniversaryv1.BattleOutcome_BATTLE_OUTCOME_UNSPECIFIED
}

// removeHit clears the casualty zone (AA 9.5.8).
func (p *Position) removeHit(x *exec) { x.Emit(p.eventRemoved(p.marked(Hit), StagePress)) }

// removeStruck removes the casualties of surprise strikes; they don't fire (AA 9.7.4).
func (p *Position) removeStruck(x *exec) {
	if list := p.marked(Struck); len(list) > 0 {
		x.Emit(p.eventRemoved(list, StageNone))
	}
	if !p.checkOver(x) {
		x.Emit(eventWentOn(StageAttack, p.battle.round, p.battle.attackerDestroyer, p.battle.defenderDestroyer))
	}
}

// marked are the units of a combat with a mark, gone.
func (p *Position) marked(m Mark) []change {
	var list []change
	for _, g := range p.at(p.battle.at) {
		if g.Has(m) {
			list = append(list, change{before: g.Key, n: g.N})
		}
	}
	return list
}

// conclude ends a combat, or the entry of an empty hostile territory (AA 10.1.4, AA 9.11): survivors stay and are done
// (AA 9.11.5), air units land later; battleships are whole again (AA 9.8.4). A territory is taken if a capturing unit
// survived and nobody defends it (AA 9.11.1, AA 9.11.2, AA 9.11.3). A gun neither takes a territory nor holds it (AA
// 15.4.5).
func (p *Position) conclude(x *exec, outcome anniversaryv1.BattleOutcome) {
	s := p.battle.at
	att, def := p.forces()
	captured := !p.seaBattle() && def.Fighting == 0 && att.Land > 0
	if captured && att.Land > 0 {
		outcome = anniversaryv1.BattleOutcome_BATTLE_OUTCOME_ATTACKER
	}
	var list []change
	for _, g := range p.at(s) {
		if after := p.calmed(g.Key); after != g.Key {
			list = append(list, change{g.Key, after, g.N})
		}
	}
	emit(x, &anniversaryv1.BattleEnded{
		Space: p.sc.SpaceID(s), Outcome: outcome, Changes: p.changes(list),
	})
	switch {
	case captured:
		p.capture(x, s, p.acting)
	case p.sc.IsSea(s) && p.hostileSea(s):
		p.failLanding(x, s) // AA 9.3.10
	}
}

// calmed is a unit after a combat.
func (p *Position) calmed(k Key) Key {
	after := k.unmark(combatMark)
	if k.Power() != p.acting || !p.attacks(k) && !k.Has(Submerged) {
		return after
	}
	switch u := k.Unit(); {
	case u.In(scenario.AirUnits):
		return after.unmark(Attack)
	case u == Transport && k.Target() != NoSpace:
		return after
	}
	return after.unmark(Seaborne | Dropped | Attack).cameFrom(NoSpace).mark(Done)
}
