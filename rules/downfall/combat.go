package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Chapter 13: the steps of a combat. One round only (DF 13.5): each side fires once.

// askFight is what a combat waits for.
func (p *Position) askFight() (Ask, rules.Seat) {
	f := &p.fight
	switch f.stage {
	case StageSupport:
		if !f.supported {
			return AskSupport, US
		}
	case StageBombard:
		if f.toFire != 0 {
			return AskBombard, US
		}
	case StageUSFire:
		if p.firing() && p.targets() != 0 {
			return AskFire, US
		}
	case StageJapanFire:
		if p.firing() && p.targets() != 0 {
			return AskFire, Japan
		}
	case StageBreak:
		return AskBreak, US
	case StageWithdraw:
		if p.withdrawChoice() {
			return AskWithdraw, US
		}
	case StageAdvance:
		if p.advancers() != 0 {
			return AskAdvance, p.attacker()
		}
	}
	return AskNothing, rules.NoSeat
}

// attacker is the seat that attacks.
func (p *Position) attacker() rules.Seat {
	if p.fight.byJapan {
		return Japan
	}
	return US
}

// stepFight goes on with a combat: DF 13.2 for a Japanese attack, DF 13.3 for a US one.
func (p *Position) stepFight(x *exec) {
	f := &p.fight
	switch {
	case f.stage == StageDone:
		x.Emit(p.eventCombatEnded())
	case f.stage == StageAdvance:
		x.Emit(p.eventStage(StageDone, 0))
	case f.stage == StageJapanFire && p.firing():
		p.bonusShot(x)
	case f.byJapan:
		p.stepJapanAttack(x)
	default:
		p.stepUSAttack(x)
	}
}

// settle makes the US losses final once a retreat or abort could give a step back (D-10): who is eliminated, for good
// or not (DF 8.10), what it costs (DF 4.11), and in a Japanese attack whether beachhead and 6/ASCO fall with their
// guard (DF 13.7). Then DF 4.13 is looked at.
func (p *Position) settle(x *exec) {
	f, before, points := &p.fight, p.vp, 0
	e := &downfallv1.LossesSettled{}
	for u := range f.hurt.Each {
		if f.mixed || p.unsupplied(u) { // D-08
			points += p.sc.Chart.Scoring.Step
			if f.hurtTwice.Has(u) {
				points += p.sc.Chart.Scoring.Step
			}
		}
		if p.steps[u] == 0 {
			e.Eliminated = append(e.Eliminated, &downfallv1.Casualty{Unit: p.id(u), Final: p.finalLoss(u)})
		}
	}
	if f.hurt != 0 {
		emit(x, e)
		p.lose(x, points, "DF 4.11")
	}
	if f.byJapan {
		p.loseGuarded(x)
	}
	p.checkDefeat(x, before)
}

// finalLoss reports whether a unit that loses its last step now is out for good: OOS, treated as OOS, or in air
// supply (DF 8.10, D-33).
func (p *Position) finalLoss(u Unit) bool {
	return p.fight.mixed || p.supply[u] == OOS || p.supply[u] == Air
}

// loseGuarded removes beachhead and 6/ASCO of the defender hex when all line units that defended are destroyed, or the
// artillery if it alone defended (DF 13.7, D-53, DF 8.5-f).
func (p *Position) loseGuarded(x *exec) {
	f := &p.fight
	guard := f.defenders & p.tab.line
	if guard == 0 {
		guard = f.defenders
	}
	if guard == 0 || p.standing(guard) != 0 {
		return
	}
	p.loseMarkers(x, f.target, "DF 13.7")
}

// loseMarkers removes 6/ASCO and a beachhead from a hex.
func (p *Position) loseMarkers(x *exec, h Hex, rule string) {
	if p.at[h]&p.tab.asco != 0 {
		p.loseService(x, rule)
	}
	if corps, ok := p.beachheadIn(h); ok {
		p.loseBeachhead(x, corps)
	}
}

// goOn begins a stage.
func (p *Position) goOn(x *exec, s Stage, firing UnitSet) {
	if !p.over() {
		x.Emit(p.eventStage(s, firing))
	}
}

// mayBreak reports whether the US may retreat or abort: it lost a step, no bonus hit bars it (DF 13.12), no bomb holds
// a defender (DF 6.10-b), and it is no landing (D-29).
func (p *Position) mayBreak() bool {
	f := &p.fight
	return f.hurt != 0 && !f.bonusHit && !f.landing && !(f.byJapan && p.bombed&f.defenders != 0)
}

// checkBreak checks a retreat or an abort, which gives back one step of a unit that lost one in this combat
// (DF 13.2-4, DF 13.3-4).
func (p *Position) checkBreak(c Command) *rules.Refusal {
	f := &p.fight
	rule := "DF 13.3-4"
	if f.byJapan {
		rule = "DF 13.2-4"
	}
	switch retreat := c.Kind == KindRetreat || c.Kind == KindStay; {
	case retreat != f.byJapan:
		return p.refuse(rule, "refuse.other-break")
	case c.Kind == KindStay || c.Kind == KindPress:
		return nil
	case !f.hurt.Has(c.Unit):
		return p.refuseUnit(rule, "refuse.not-hurt", c.Unit)
	}
	return nil
}

func (p *Position) playBreak(x *exec, c Command) {
	if c.Kind == KindStay || c.Kind == KindPress {
		emit(x, &downfallv1.RetreatDeclined{})
		return
	}
	emit(x, &downfallv1.RetreatDeclared{
		Unit: p.id(c.Unit), Steps: uint32(p.steps[c.Unit]) + 1, Abort: !p.fight.byJapan,
	})
}

func (p *Position) legalBreak(yield func(Command) bool) bool {
	leave, remain := KindAbort, KindPress
	if p.fight.byJapan {
		leave, remain = KindRetreat, KindStay
	}
	for u := range p.fight.hurt.Each {
		if !yield(naming(leave, u)) {
			return false
		}
	}
	return yield(only(remain))
}
