package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// combat tells declarations of attacks and the exchange of fire (DF 7.8, DF 13, DF 14).
func (t teller) combat(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_AttackBegan:
		return t.attack(k.AttackBegan), true
	case *downfallv1.Event_SupportGiven:
		return t.support(k.SupportGiven), true
	case *downfallv1.Event_ChemicalRolled:
		return rules.Say("told.chemical", "die", k.ChemicalRolled.GetDie(), "modifier", signed(int(k.ChemicalRolled.GetModifier()))), true
	case *downfallv1.Event_CombatStage:
		return t.stage(k.CombatStage), true
	case *downfallv1.Event_ShotFired:
		return t.shot(k.ShotFired), true
	case *downfallv1.Event_FireHeld:
		return rules.Say("told.held", "unit", t.unit(k.FireHeld.GetUnit())), true
	case *downfallv1.Event_CombatEnded:
		return rules.Text{}, true // what came of it was told
	}
	return t.consecutive(e)
}

func (t teller) consecutive(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_ConsecutiveBegun:
		c := k.ConsecutiveBegun
		return rules.Say("told.consecutive", "seat", t.seat(c.GetSeat()), "target", t.hex(c.GetTarget()), "from", t.hex(c.GetFrom()),
			"units", t.units(c.GetUnits())), true
	case *downfallv1.Event_AttackAdded:
		return rules.Say("told.also", "from", t.hex(k.AttackAdded.GetFrom()), "units", t.units(k.AttackAdded.GetUnits())), true
	case *downfallv1.Event_ConsecutiveDeclared:
		c := k.ConsecutiveDeclared
		return rules.Say("told.declared", "n", c.GetAttacks(), "cp", c.GetCp(), "support", part(c.GetAir() > 0 || len(c.GetNaval()) > 0, "told.committed"),
			"air", c.GetAir(), "naval", numbers(c.GetNaval())), true
	case *downfallv1.Event_ConsecutiveEnded:
		n := k.ConsecutiveEnded.GetSkipped()
		return rules.Say("told.consecutive-over", "skipped", part(n > 0, "told.skipped"), "n", n), true
	}
	return rules.Text{}, false
}

func (t teller) attack(e *downfallv1.AttackBegan) rules.Text {
	units, target := t.units(e.GetUnits()), t.hex(e.GetTarget())
	mixed := part(e.GetMixed(), "told.mixed")
	switch {
	case e.GetLanding():
		return rules.Say("told.attack-landing", "units", units, "target", target, "defenders", t.units(e.GetDefenders()), "mixed", mixed)
	case len(e.GetDefenders()) == 0:
		return rules.Say("told.attack-alone", "units", units, "target", target, "from", t.hex(e.GetFrom()), "n", len(e.GetUnits()))
	}
	return rules.Say("told.attack", "units", units, "target", target, "from", t.hex(e.GetFrom()), "defenders", t.units(e.GetDefenders()),
		"n", len(e.GetUnits()), "mixed", mixed)
}

func (t teller) support(e *downfallv1.SupportGiven) rules.Text {
	switch {
	case e.GetAir() && e.GetNaval() > 0:
		return rules.Say("told.support-both", "naval", e.GetNaval())
	case e.GetNaval() > 0:
		return rules.Say("told.support-naval", "naval", e.GetNaval())
	case e.GetAir():
		return rules.Say("told.support-air")
	}
	return rules.Say("told.support-none")
}

// stage tells the steps in which units fire; the others show in what happens in them.
func (t teller) stage(e *downfallv1.CombatStage) rules.Text {
	if len(e.GetFiring()) == 0 {
		return rules.Text{}
	}
	units := t.units(e.GetFiring())
	switch Stage(e.GetStage()) {
	case StageBombard:
		return rules.Say("told.stage-bombard", "units", units)
	case StageUSFire:
		return rules.Say("told.stage-us", "units", units)
	case StageJapanFire:
		return rules.Say("told.stage-japan", "units", units)
	}
	return rules.Text{}
}

// shot says who shot at whom, what was rolled against which strength, and what came of it (DF 13.4).
func (t teller) shot(e *downfallv1.ShotFired) rules.Text {
	shooter, target, die, strength := t.unit(e.GetShooter()), t.unit(e.GetTarget()), e.GetDie(), e.GetStrength()
	switch {
	case e.GetBonus() && e.GetHit():
		return rules.Say("told.bonus-hit", "shooter", shooter, "die", die, "strength", strength)
	case e.GetBonus():
		return rules.Say("told.bonus-miss", "shooter", shooter, "die", die, "strength", strength)
	case !e.GetHit():
		return rules.Say("told.miss", "shooter", shooter, "target", target, "die", die, "strength", strength)
	case e.GetSteps() == 0:
		return rules.Say("told.kill", "shooter", shooter, "target", target, "die", die, "strength", strength)
	}
	return rules.Say("told.hit", "shooter", shooter, "target", target, "die", die, "strength", strength, "steps", e.GetSteps())
}

// losses tells what came of a combat (DF 13.2-4 on, DF 13.9, DF 13.10).
func (t teller) losses(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_RetreatDeclared:
		key := "told.retreat"
		if k.RetreatDeclared.GetAbort() {
			key = "told.abort"
		}
		return rules.Say(key, "unit", t.unit(k.RetreatDeclared.GetUnit())), true
	case *downfallv1.Event_RetreatDeclined:
		return rules.Say("told.stands"), true
	case *downfallv1.Event_LossesSettled:
		return t.casualties(k.LossesSettled), true
	case *downfallv1.Event_Withdrew:
		return t.withdrew(k.Withdrew), true
	case *downfallv1.Event_Advanced:
		if len(k.Advanced.GetUnits()) == 0 {
			return rules.Say("told.advanced-not", "hex", t.hex(k.Advanced.GetHex())), true
		}
		return rules.Say("told.advanced", "units", t.units(k.Advanced.GetUnits()), "hex", t.hex(k.Advanced.GetHex()), "n", len(k.Advanced.GetUnits())), true
	case *downfallv1.Event_BeachheadLost:
		return rules.Say("told.beachhead-lost", "beachhead", t.beachhead(k.BeachheadLost.GetBeachhead()), "hex", t.hex(k.BeachheadLost.GetHex())), true
	case *downfallv1.Event_UnitEliminated:
		key := "told.eliminated"
		if k.UnitEliminated.GetFinal() {
			key = "told.removed"
		}
		return rules.Say(key, "unit", t.unit(k.UnitEliminated.GetUnit()), "rule", plain(k.UnitEliminated.GetRule())), true
	}
	return rules.Text{}, false
}

// casualties names those that can be rebuilt and those that can't (DF 8.10).
func (t teller) casualties(e *downfallv1.LossesSettled) rules.Text {
	var back, gone []rules.Words
	for _, c := range e.GetEliminated() {
		if c.GetFinal() {
			gone = append(gone, t.unit(c.GetUnit()))
		} else {
			back = append(back, t.unit(c.GetUnit()))
		}
	}
	switch {
	case len(back) > 0 && len(gone) > 0:
		return rules.Say("told.casualties-both", "back", enumerate(back), "gone", enumerate(gone))
	case len(back) > 0:
		return rules.Say("told.casualties", "back", enumerate(back))
	case len(gone) > 0:
		return rules.Say("told.casualties-gone", "gone", enumerate(gone))
	}
	return rules.Text{}
}

func (t teller) withdrew(e *downfallv1.Withdrew) rules.Text {
	var moves []rules.Words
	for _, u := range e.GetUnits() {
		moves = append(moves, going(t.unit(u.GetUnit()), t.hex(u.GetHex())))
	}
	if moves == nil {
		return rules.Text{}
	}
	return rules.Say("told.withdrew", "moves", enumerate(moves))
}

// outcome tells victory points, offers and the end (DF 4).
func (t teller) outcome(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_PointsLost:
		l := k.PointsLost
		return rules.Say("told.vp-lost", "points", l.GetPoints(), "total", l.GetTotal(), "rule", plain(l.GetRule())), true
	case *downfallv1.Event_AwardEarned:
		a := k.AwardEarned
		return rules.Say("told.award", "award", t.award(a.GetAward()), "points", a.GetPoints(), "total", a.GetTotal()), true
	case *downfallv1.Event_AwardLost:
		return rules.Say("told.award-lost", "award", t.award(k.AwardLost.GetAward())), true
	case *downfallv1.Event_ConcessionOffered:
		return rules.Say("told.offer", "seat", t.seat(k.ConcessionOffered.GetSeat())), true
	case *downfallv1.Event_ConcessionAnswered:
		if k.ConcessionAnswered.GetAccepted() {
			return rules.Say("told.offer-accepted"), true
		}
		return rules.Say("told.offer-declined"), true
	case *downfallv1.Event_GameEnded:
		return endText(k.GameEnded.GetWinner(), k.GameEnded.GetLevel(), int(k.GameEnded.GetPoints())), true
	}
	return rules.Text{}, false
}

// endText says how the game ended.
func endText(winner string, level downfallv1.EndLevel, points int) rules.Text {
	seat := teller{}.seat(winner)
	switch {
	case winner == "":
		return rules.Say("end.draw", "points", points)
	case level == downfallv1.EndLevel_END_LEVEL_SUDDEN:
		return rules.Say("end.sudden", "seat", seat, "points", points)
	case level == downfallv1.EndLevel_END_LEVEL_CONCEDED:
		return rules.Say("end.conceded", "seat", seat)
	}
	return rules.Say("end.final", "seat", seat, "points", points)
}
