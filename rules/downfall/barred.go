package downfall

import (
	"github.com/warledger/warledger/rules"
)

// Commands that answer no question that is open to the seat. Most of them simply come at another time than the
// sequence of play says (DF 5.2). Where a paragraph keeps the question from being asked, the refusal names it. It looks
// at what is open to both sides, and at the secrets of the seat that asks.

// notNow refuses such a command.
func (p *Position) notNow(ask Ask, who, seat rules.Seat, c Command) *rules.Refusal {
	for _, bar := range [...]func(Ask, rules.Seat, Command) *rules.Refusal{
		p.barredByOption, p.barredToSeat, p.barredInNuclear, p.barredInFight, p.barredInDeclaration, p.barredPlans,
		p.barredByTime,
	} {
		if r := bar(ask, seat, c); r != nil {
			return r.For(rules.ReasonNotYourDecision)
		}
	}
	return p.refuse("DF 5.2", "refuse.not-now").For(rules.ReasonNotYourDecision)
}

// barredByOption: what the options of the game leave out.
func (p *Position) barredByOption(_ Ask, _ rules.Seat, c Command) *rules.Refusal {
	switch c.Kind {
	case KindBombs, KindTarget, KindBomb, KindLosses:
		if p.on(NoAtomicBombs) {
			return p.refuse("DF 15.2", "refuse.no-bombs")
		}
	case KindOrders, KindDrop:
		if !p.airborne() {
			return p.refuse("DF 15.6-a", "refuse.no-option")
		}
	}
	return nil
}

// barredToSeat: what one side alone decides, put to it now or never.
func (p *Position) barredToSeat(ask Ask, seat rules.Seat, c Command) *rules.Refusal {
	switch c.Kind {
	case KindRecover, KindRebuild, KindStepUp:
		if seat == Japan {
			return p.refuse("DF 8.1", "refuse.no-replacements")
		}
	case KindPlace:
		if seat == US && ask == AskPlace36 {
			return p.refuse("DF 3.2-b", "refuse.japan-decides")
		}
		if seat == US && ask == AskMagic {
			return p.refuse("DF 15.4", "refuse.japan-decides")
		}
	case KindRemove:
		if seat == US && p.phase == Kamikaze {
			return p.refuse("DF 6.7-a", "refuse.japan-decides")
		}
	case KindLosses:
		if seat == Japan && ask == AskLosses {
			return p.refuse("DF 6.9-b", "refuse.us-decides")
		}
	case KindEliminate:
		if seat == Japan && ask == AskExcess { // the excess is the other side's
			return p.refuse("DF 10.8", "refuse.us-decides")
		}
		if seat == US && ask == AskExcess {
			return p.refuse("DF 10.3-b", "refuse.japan-decides")
		}
	}
	return nil
}

// barredInNuclear: bombs are declared, then all placed, then exploded one by one.
func (p *Position) barredInNuclear(ask Ask, seat rules.Seat, c Command) *rules.Refusal {
	if p.phase != Nuclear || seat != US {
		return nil
	}
	placed := p.bombsDeclared >= 0 && int(p.step) >= int(p.bombsDeclared)
	switch c.Kind {
	case KindBombs:
		if p.bombsDeclared >= 0 {
			return p.refuse("DF 6.8-b", "refuse.bombs-declared", "n", int(p.bombsDeclared))
		}
	case KindTarget:
		switch {
		case p.bombsDeclared < 0:
			return p.refuse("DF 6.8-b", "refuse.declare-bombs")
		case placed:
			return p.refuse("DF 6.8-c", "refuse.bombs-placed", "n", int(p.bombsDeclared))
		}
	case KindBomb:
		switch {
		case p.bombsDeclared < 0:
			return p.refuse("DF 6.8-b", "refuse.declare-bombs")
		case !placed:
			return p.refuse("DF 6.8-c", "refuse.place-bombs", "n", int(p.bombsDeclared)-int(p.step))
		case ask == AskLosses:
			return p.refuse("DF 6.8-d", "refuse.bomb-first")
		}
	}
	return nil
}

// barredInDeclaration: a consecutive attack is declared once, before its first attack, and nothing comes between.
func (p *Position) barredInDeclaration(ask Ask, seat rules.Seat, c Command) *rules.Refusal {
	again := c.Kind == KindAlso || c.Kind == KindDeclare
	switch {
	case again && p.fight.on && p.fight.landing && seat == US:
		return p.refuse("DF 8.7-d", "refuse.landing-alone")
	case !p.decl.on || ask == AskNothing:
		return nil
	case again && p.decl.declared && seat == rules.Seat(p.decl.seat):
		return p.refuse("DF 7.8-b", "refuse.declared")
	}
	return p.refuse("DF 7.8-d", "refuse.not-now")
}

// barredPlans: the plan of the landing changes only in the CP phase (DF 8.6-d, D-26), orders to the 11th Division not
// too late.
func (p *Position) barredPlans(_ Ask, seat rules.Seat, c Command) *rules.Refusal {
	switch c.Kind {
	case KindPlan, KindCancel:
		if p.phase != PhaseNone {
			return p.refuse("DF 8.6-d", "refuse.not-now")
		}
	case KindOrders:
		if seat != US || p.phase != USActions || p.ordersDue() {
			return nil
		}
		if p.place[p.sc.Infantry11] != Holding || p.rebuilt.Has(p.sc.Infantry11) {
			return p.refuse("DF 15.6-h", "refuse.no-drop")
		}
		if !p.onBoard(c.Hex) {
			return nil
		}
		return p.checkOrders(c) // no plan is early enough any more
	}
	return nil
}

// barredByTime: a phase of the turn that has ended is over (DF 5.1-b).
func (p *Position) barredByTime(_ Ask, seat rules.Seat, c Command) *rules.Refusal {
	if only := kinds[c.Kind].Only; only != 0 && !only.Has(seat) {
		return nil
	}
	if last := p.phaseOf(seat, c.Kind); last != PhaseNone && (p.phase > last || p.phase == last && p.ended) {
		return p.refuse("DF 5.1-b", "refuse.phase-over")
	}
	return nil
}

// phaseOf is the phase in which a seat is asked what a kind of command answers; PhaseNone for what belongs to a combat
// and for plans, which have phases of their own.
func (p *Position) phaseOf(seat rules.Seat, k Kind) Phase {
	switch k {
	case KindPlace:
		if p.on(Magic36) {
			return SetupMagic
		}
		return SetupJapan
	case KindZones:
		return Deployment
	case KindRemove:
		return Kamikaze
	case KindBombs, KindTarget, KindBomb, KindLosses:
		return Nuclear
	case KindSupply:
		return SupplyCheck
	}
	switch {
	case !k.answers(AskActions):
		return PhaseNone
	case seat == Japan:
		return JapanActions
	}
	return USActions
}
