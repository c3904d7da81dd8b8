package anniversary

import "github.com/warledger/warledger/rules"

// check says why a command may not be carried out now; nil if it may.
func (p *Position) check(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Kind == KindNone || c.Kind >= numKinds || c.Len > MaxItems || c.Power > NoPower {
		return rules.Malformed("the command has a field that is out of range")
	}
	if seat >= rules.Seat(NumSeats) || p.over() {
		return notAsked(seat)
	}
	if kinds[c.Kind].Offer {
		return p.checkOffer(seat, c)
	}
	if a, seats := p.ask(); !c.Kind.answers(a) || !seats.Has(seat) {
		return notAsked(seat)
	}
	switch c.Kind {
	case KindMove, KindShip, KindDrop, KindRaid, KindJoin:
		o := newPlan()
		return p.planFor(c, &o)
	case KindEnd:
		return p.checkEnd()
	case KindLose:
		_, r := p.planLosses(c, false)
		return r
	case KindResearch:
		return p.checkResearch(c.N)
	case KindChart:
		return checkChart(c.N)
	case KindBuy:
		return p.checkBuy(c)
	case KindRepair:
		return p.checkRepair(c.To, c.N)
	case KindRecall:
		return p.checkRecall(c.N)
	case KindFight, KindBomb:
		return p.checkFight(c.To, c.Kind == KindBomb)
	case KindRocket:
		return p.checkRocket(c.From, c.To)
	case KindBombard:
		return p.checkBombard(c)
	case KindSubmerge:
		return p.checkSubmerge(c.N)
	case KindRetreat:
		return p.checkRetreat(c.To)
	case KindDivert:
		return p.checkDivert(c)
	case KindPlace:
		o := newPlan()
		return p.checkPlace(c, &o)
	}
	return nil // order, answer, press: whoever is asked may
}

// planFor works out what a movement command comes to.
func (p *Position) planFor(c *Command, o *plan) *rules.Refusal {
	switch c.Kind {
	case KindShip:
		return p.planShip(c, o)
	case KindDrop:
		return p.planDrop(c, o)
	case KindRaid:
		return p.planRaid(c, o)
	case KindJoin:
		return p.planJoin(c, o)
	}
	return p.planMove(c, o)
}

// checkEnd checks the end of a phase.
func (p *Position) checkEnd() *rules.Refusal {
	switch p.phase {
	case PhaseMove:
		return p.checkEndMove()
	case PhaseCombat:
		return p.checkEndStep()
	case PhaseNoncombat:
		return p.checkEndNoncombat()
	case PhaseMobilize:
		return p.checkEndMobilize()
	}
	return nil
}

func (p *Position) checkOffer(seat rules.Seat, c *Command) *rules.Refusal {
	switch {
	case c.Kind == KindStanding:
		return checkStanding(c.Orders)
	case p.conceded.Has(seat) == (c.Kind == KindConcede):
		return notAsked(seat)
	}
	return nil
}

func notAsked(seat rules.Seat) *rules.Refusal {
	name := "-"
	if int(seat) < len(seatInfos) {
		name = "@" + seatInfos[seat].Key
	}
	return rules.Refuse("", "refuse.not-asked", "seat", name).For(rules.ReasonNotYourDecision)
}

// play carries out a command that passed Check.
func (p *Position) play(x *exec, seat rules.Seat, c *Command) {
	switch c.Kind {
	case KindResearch:
		p.buyResearchers(x, c.N)
	case KindChart:
		p.breakthrough(x, c.N)
	case KindBuy:
		p.buy(x, c)
	case KindRepair:
		p.repair(x, c.To, c.N)
	case KindOrder:
		p.chooseOrder(x, c.Yes)
	case KindMove, KindShip, KindDrop, KindRaid, KindJoin:
		p.move(x, c)
	case KindRecall:
		p.recall(x, c.N)
	case KindEnd:
		p.endPhase(x)
	case KindFight, KindBomb:
		p.fight(x, c.To)
	case KindRocket:
		p.rocket(x, c.From, c.To)
	case KindPlace:
		p.place(x, c)
	default:
		p.reply(x, seat, c)
	}
}

// reply carries out an answer within a procedure, or an offer.
func (p *Position) reply(x *exec, seat rules.Seat, c *Command) {
	switch c.Kind {
	case KindBombard:
		p.bombard(x, c)
	case KindSubmerge:
		p.submerge(x, int(c.N))
	case KindLose:
		p.lose(x, c)
	case KindAnswer:
		if p.request.on() {
			p.answerConsent(x, c.Yes)
		} else {
			p.answer(x, c.Yes)
		}
	case KindPress:
		p.press(x)
	case KindRetreat:
		p.retreatTo(x, c.To)
	case KindDivert:
		p.divert(x, p.homelessPower(), c.From, c.To, int(c.N))
	case KindStanding:
		p.giveOrders(x, seat, c.Orders)
	case KindConcede, KindFightOn:
		p.concede(x, seat, c.Kind == KindConcede)
	}
}
