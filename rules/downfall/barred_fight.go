package downfall

import (
	"github.com/warledger/warledger/rules"
)

// What is barred in a combat. The engine passes over a question that is barred, so the combat may be over before anyone
// can say anything: what was barred then is still named to those who were in it, in the same player turn.

// barredInFight: see notNow.
func (p *Position) barredInFight(_ Ask, seat rules.Seat, c Command) *rules.Refusal {
	if !p.fight.on {
		return p.barredAfterFight(seat, c)
	}
	switch c.Kind {
	case KindRetreat, KindAbort:
		return p.barredBreak(seat, c)
	case KindWithdraw:
		return p.barredWithdrawal(seat)
	case KindBombard:
		return p.barredBombardment(seat)
	case KindShot, KindHold:
		return p.barredFire(seat, c)
	case KindSupport:
		return p.barredSupport(seat, c)
	case KindAdvance:
		return p.barredAdvance(seat, c)
	}
	only := kinds[c.Kind].Only
	action := c.Kind != KindEnd && c.Kind.answers(AskActions) && (only == 0 || only.Has(seat))
	if action && seat == p.attacker() && !p.decl.on {
		if p.fight.landing && c.Kind == KindConsecutive {
			return p.refuse("DF 8.7-d", "refuse.landing-alone")
		}
		return p.refuse("DF 7.7", "refuse.one-at-a-time")
	}
	return nil
}

// barredAfterFight: a unit held by a bomb that was attacked in this player turn, and a coastal division that attacked.
func (p *Position) barredAfterFight(seat rules.Seat, c Command) *rules.Refusal {
	if p.phase != JapanActions {
		return nil
	}
	switch c.Kind {
	case KindRetreat:
		if seat != US || !(p.tab.us & p.bombed & p.onMap).Has(c.Unit) {
			return nil
		}
		if h := p.place[c.Unit].Hex(); h != NoHex && p.attacked.Has(h) {
			return p.refuse("DF 6.10-b", "refuse.bombed", "unit", c.Unit)
		}
	case KindAdvance:
		if coastal := c.Units & p.tab.coastal & p.acted; seat == Japan && coastal != 0 {
			return p.refuse("DF 13.8", "refuse.no-advance", "unit", coastal.First())
		}
	}
	return nil
}

// barredBreak: who may not retreat or abort.
func (p *Position) barredBreak(seat rules.Seat, c Command) *rules.Refusal {
	f := &p.fight
	rule := "DF 13.3-4"
	if f.byJapan {
		rule = "DF 13.2-4"
	}
	switch {
	case seat == Japan, p.tab.japan.Has(c.Unit):
		return p.refuse("DF 13.11", "refuse.never-retreats")
	case (c.Kind == KindRetreat) != f.byJapan:
		return p.refuse(rule, "refuse.other-break")
	case f.landing: // D-29
		return p.refuse("DF 8.7-a", "refuse.landing-stays")
	case f.bonusHit:
		return p.refuse("DF 13.12", "refuse.bonus-hit")
	case f.byJapan && p.bombed&f.defenders != 0:
		return p.refuse("DF 6.10-b", "refuse.bombed", "unit", (p.bombed & f.defenders).First())
	case f.hurt == 0:
		return p.refuse(rule, "refuse.no-loss")
	}
	return nil
}

// barredWithdrawal: who has no hex to name.
func (p *Position) barredWithdrawal(seat rules.Seat) *rules.Refusal {
	switch f := &p.fight; {
	case seat == Japan:
		return p.refuse("DF 13.11", "refuse.never-retreats")
	case !f.byJapan:
		return p.refuse("DF 13.10", "refuse.attacker-stops")
	case !f.retreat:
		return p.refuse("DF 13.2-6", "refuse.no-retreat")
	}
	return nil
}

// barredBombardment: it takes corps artillery that attacks and may fire, and is one shot.
func (p *Position) barredBombardment(seat rules.Seat) *rules.Refusal {
	f := &p.fight
	guns := f.attackers & p.tab.art
	switch {
	case seat != US:
	case guns == 0:
		return p.refuse("DF 13.3-2", "refuse.no-guns")
	case f.mixed:
		return p.refuse("DF 10.5-b", "refuse.silent", "unit", guns.First())
	case p.supply[guns.First()] == OOS:
		return p.refuse("DF 9.5-a", "refuse.silent", "unit", guns.First())
	case f.stage > StageBombard:
		return p.refuse("DF 13.3-2", "refuse.fired")
	}
	return nil
}

// barredFire: silent artillery, and a side that has fired (DF 13.5). The US fires first at Japanese attackers and last
// at Japanese defenders.
func (p *Position) barredFire(seat rules.Seat, c Command) *rules.Refusal {
	f := &p.fight
	over := f.stage > StageJapanFire || !f.byJapan && f.stage == StageUSFire
	if seat == US {
		over = f.stage >= StageWithdraw || f.byJapan && f.stage > StageUSFire
	}
	guns := bit(c.Unit) & f.usUnits() & p.tab.art
	switch {
	case seat == US && c.Kind == KindShot && guns != 0 && f.mixed:
		return p.refuse("DF 10.5-b", "refuse.silent", "unit", c.Unit)
	case seat == US && c.Kind == KindShot && guns != 0 && p.supply[c.Unit] == OOS:
		return p.refuse("DF 9.5-a", "refuse.silent", "unit", c.Unit)
	case over:
		return p.refuse("DF 13.5", "refuse.fired")
	}
	return nil
}

// barredSupport: markers that are spent, out of reach, or named at another time.
func (p *Position) barredSupport(seat rules.Seat, c Command) *rules.Refusal {
	f := &p.fight
	switch {
	case seat != US:
		return nil
	case !f.byJapan && p.decl.declared:
		return p.refuse("DF 7.9-c", "refuse.support-before")
	case !f.byJapan:
		return p.refuse("DF 13.3-1", "refuse.support-before")
	case f.defenders&p.tab.line == 0:
		return p.refuse("DF 14.5-a", "refuse.no-line")
	case f.supported:
		return p.refuse("DF 13.2-1", "refuse.support-before")
	}
	return p.checkSupport(c)
}

// barredAdvance: only attackers advance, into an emptied hex, and not all of them.
func (p *Position) barredAdvance(seat rules.Seat, c Command) *rules.Refusal {
	f := &p.fight
	coastal, held := c.Units&f.attackers&p.tab.coastal, c.Units&f.attackers&p.bombed
	switch {
	case seat != p.attacker():
		return p.refuse("DF 13.9", "refuse.attackers-advance")
	case coastal != 0:
		return p.refuse("DF 13.8", "refuse.no-advance", "unit", coastal.First())
	case held != 0:
		return p.refuse("DF 6.10-a", "refuse.bombed", "unit", held.First())
	case p.groundOf(enemy(seat), f.target)&^p.tab.asco != 0:
		return p.refuse("DF 13.9", "refuse.not-emptied", "hex", f.target)
	}
	return nil
}
