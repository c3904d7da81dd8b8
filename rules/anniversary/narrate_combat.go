package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// combat tells combats up to their casualties (AA 9.3, AA 9.5, AA 9.7).
func (t teller) combat(e *anniversaryv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *anniversaryv1.Event_ZoneIgnored:
		return rules.Say("told.ignored", "space", t.space(k.ZoneIgnored.GetZone())), true
	case *anniversaryv1.Event_BattleBegan:
		b := k.BattleBegan
		return rules.Say("told.battle", "space", t.space(b.GetSpace()), "landed", part(b.GetLanded() > 0, "told.battle-landed"), "n", b.GetLanded()), true
	case *anniversaryv1.Event_Bombarded:
		return t.bombarded(k.Bombarded), true
	case *anniversaryv1.Event_SubmarinesChose:
		s := k.SubmarinesChose
		if s.GetSubmerged() == 0 {
			return rules.Say("told.submarines-strike", "power", toldPower(s.GetPower())), true
		}
		return rules.Say("told.submarines-dive", "power", toldPower(s.GetPower()), "n", s.GetSubmerged()), true
	case *anniversaryv1.Event_Fired:
		return t.fired(k.Fired), true
	case *anniversaryv1.Event_BattleWentOn:
		return t.wentOn(k.BattleWentOn), true
	}
	return rules.Text{}, false
}

func (t teller) bombarded(e *anniversaryv1.Bombarded) rules.Text {
	if len(e.GetVolleys()) == 0 {
		return rules.Say("told.bombard-none", "space", t.space(e.GetTerritory()))
	}
	return rules.Say("told.bombard", "space", t.space(e.GetTerritory()), "dice", volleyText(e.GetVolleys()), "n", e.GetHits())
}

func (t teller) fired(e *anniversaryv1.Fired) rules.Text {
	key := "told.defender-fires"
	switch {
	case e.GetAttacker() && e.GetSurprise():
		key = "told.attacker-strikes"
	case e.GetAttacker():
		key = "told.attacker-fires"
	case e.GetSurprise():
		key = "told.defender-strikes"
	}
	hits := uint32(0)
	for _, n := range e.GetHits() {
		hits += n
	}
	if len(e.GetVolleys()) == 0 && hits == 0 {
		return rules.Text{}
	}
	return rules.Say(key, "dice", volleyText(e.GetVolleys()), "n", hits, "lost", part(e.GetLost() > 0, "told.fired-lost"), "wasted", e.GetLost())
}

// wentOn tells that a round begins: its first step follows the check whether there is a fight.
func (t teller) wentOn(e *anniversaryv1.BattleWentOn) rules.Text {
	if e.GetStage() == anniversaryv1.Stage_STAGE_OPEN {
		return rules.Say("told.presses")
	}
	return rules.Text{}
}

// losses tells casualties (AA 9.8, AA 9.10).
func (t teller) losses(e *anniversaryv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *anniversaryv1.Event_CasualtiesChosen:
		if k.CasualtiesChosen.GetPower() == 0 { // there was no choice
			return rules.Say("told.casualties", picked(k.CasualtiesChosen.GetLosses()).with()...), true
		}
		return rules.Say("told.chosen", picked(k.CasualtiesChosen.GetLosses()).with("power", toldPower(k.CasualtiesChosen.GetPower()))...), true
	case *anniversaryv1.Event_CasualtiesAnswered:
		a := k.CasualtiesAnswered
		if a.GetAgreed() {
			return rules.Say("told.list-agreed", "power", toldPower(a.GetPower())), true
		}
		return rules.Say("told.list-refused", "power", toldPower(a.GetPower()), "chooser", toldPower(a.GetChooser())), true
	case *anniversaryv1.Event_CasualtiesTaken:
		return t.some("told.hit", suffered(k.CasualtiesTaken.GetChanges())), true
	case *anniversaryv1.Event_CasualtiesRemoved:
		return t.some("told.removed", gone(k.CasualtiesRemoved.GetChanges())), true
	case *anniversaryv1.Event_TransportsSunk:
		return t.some("told.sunk", gone(k.TransportsSunk.GetChanges())), true
	}
	return rules.Text{}, false
}

// some tells of units, if there are any.
func (t teller) some(key string, r *rows) rules.Text {
	if !r.any() {
		return rules.Text{}
	}
	return rules.Say(key, r.with()...)
}

func picked(list []*anniversaryv1.Loss) *rows {
	r := &rows{}
	for _, l := range list {
		if l.GetDamage() {
			r.put(Hull, int(l.GetCount()))
		} else {
			r.add(l.GetStack().GetUnit(), l.GetCount())
		}
	}
	return r
}

// suffered counts casualties by what became of them: a battleship that is only damaged is a hit.
func suffered(list []*anniversaryv1.Change) *rows {
	r := &rows{}
	for _, c := range list {
		b, a := c.GetBefore(), c.GetAfter()
		if b == nil {
			continue
		}
		if a != nil && has(a, anniversaryv1.Mark_MARK_DAMAGED) && !has(b, anniversaryv1.Mark_MARK_DAMAGED) {
			r.put(Hull, int(c.GetCount()))
		}
		if a == nil || has(a, anniversaryv1.Mark_MARK_HIT) || has(a, anniversaryv1.Mark_MARK_STRUCK) {
			r.add(b.GetUnit(), c.GetCount())
		}
	}
	return r
}

func has(s *anniversaryv1.Stack, m anniversaryv1.Mark) bool {
	for _, x := range s.GetMarks() {
		if x == m {
			return true
		}
	}
	return false
}

// outcome tells how combats and the game end (AA 9.9, AA 9.11, AA 3.2).
func (t teller) outcome(e *anniversaryv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *anniversaryv1.Event_Retreated:
		if k.Retreated.GetTo() == "" {
			return rules.Say("told.air-retreat"), true
		}
		return rules.Say("told.retreat", before(k.Retreated.GetChanges()).with("space", t.space(k.Retreated.GetTo()))...), true
	case *anniversaryv1.Event_BattleEnded:
		return t.ended(k.BattleEnded), true
	case *anniversaryv1.Event_LandingFailed:
		return rules.Say("told.landing-failed", "space", t.space(k.LandingFailed.GetZone())), true
	case *anniversaryv1.Event_ConcessionChanged:
		key := "told.fights-on"
		if k.ConcessionChanged.GetConceded() {
			key = "told.concedes"
		}
		return rules.Say(key, "power", toldPower(k.ConcessionChanged.GetPower())), true
	case *anniversaryv1.Event_GameEnded:
		return gameOver(k.GameEnded), true
	}
	return rules.Text{}, false
}

func (t teller) ended(e *anniversaryv1.BattleEnded) rules.Text {
	key := "told.battle-over"
	switch e.GetOutcome() {
	case anniversaryv1.BattleOutcome_BATTLE_OUTCOME_ATTACKER:
		key = "told.battle-won"
	case anniversaryv1.BattleOutcome_BATTLE_OUTCOME_DEFENDER:
		key = "told.battle-lost"
	case anniversaryv1.BattleOutcome_BATTLE_OUTCOME_RETREAT:
		key = "told.battle-left"
	}
	return rules.Say(key, "space", t.space(e.GetSpace()))
}

// gameOver says how the game ended.
func gameOver(e *anniversaryv1.GameEnded) rules.Text {
	side := Allies
	if e.GetAxis() {
		side = Axis
	}
	return endText(side, e.GetEnd(), int(e.GetCities()))
}

// endText says how a game ended.
func endText(winner Side, end anniversaryv1.GameEnd, cities int) rules.Text {
	if end == anniversaryv1.GameEnd_GAME_END_CONCESSION {
		return rules.Say("end.concession", "side", sideName(winner), "enemy", sideName(winner.Enemy()))
	}
	return rules.Say("end.cities", "side", sideName(winner), "n", cities)
}
