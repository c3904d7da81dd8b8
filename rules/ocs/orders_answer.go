package ocs

import (
	"cmp"
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// followOrders gives the answer that a standing order has for what is asked, and reports whether there was one.
func (p *Position) followOrders(x *exec, ask Ask, seats rules.Seats) bool {
	for seat := range seats.Each {
		if !p.ordersAny(seat) {
			continue
		}
		c, ok := p.byOrder(ask, seat)
		if !ok || p.check(seat, &c) != nil {
			continue
		}
		tell(x, &event{Fact: &ocsv1.Event_OrderFollowed{OrderFollowed: &ocsv1.OrderFollowed{
			Seat: seatIDs[seat], Decision: questions[ask].id,
		}}})
		rule, _ := ruleOf(c.Kind)
		rule.play(x.Pos, x, seat, &c)
		return true
	}
	return false
}

// byOrder is what the standing orders of a seat answer; false if they leave the question to it.
func (p *Position) byOrder(ask Ask, seat rules.Seat) (Command, bool) {
	has := func(order int) bool { return p.ordered(seat, order) > 0 }
	switch ask {
	case AskCombatSupply:
		return p.supplyByOrder(seat)
	case AskLead:
		return p.bestLead(seat), has(orderLead)
	case AskTerrain:
		if has(orderTerrain) {
			return p.bestTerrain(), true
		}
	case AskLosses:
		return p.lossesByOrder(seat)
	case AskAttrition:
		return p.sufferByOrder(seat)
	case AskRetreat:
		if has(orderRetreat) {
			return p.firstAnswer(seat)
		}
	case AskAdvance:
		return p.advanceByOrder(seat)
	case AskReact, AskReactBarrage:
		return only(KindEnd), p.holdsBack(seat)
	case AskIntercept:
		c := only(KindIntercept)
		best := p.bestInterceptor()
		if p.ordered(seat, orderIntercept) == interceptBest {
			c.Unit = best
		}
		return c, has(orderIntercept) || best == NoUnit && len(p.interceptors(inner[*mission](p))) > 0
	case AskStandDown:
		return only(KindStandDown), has(orderAirCombat)
	case AskEngage, AskTakeHit, AskJettison, AskFlyBack:
		if has(orderAirCombat) {
			return p.firstAnswer(seat)
		}
	case AskBeach, AskDisplace, AskYield, AskRestock, AskFeed:
		return p.byRarerOrder(ask, seat)
	}
	if has(orderPass) && len(p.frames) == 0 && segmentAsks&(1<<ask) != 0 && ask != AskSetup && p.nothingToDo(seat) {
		return only(KindEnd), true
	}
	return Command{}, false
}

// nothingToDo reports whether a seat can only end the segment.
func (p *Position) nothingToDo(seat rules.Seat) bool {
	free := true
	p.Legal(seat, rules.Filter{}, func(c Command) bool {
		free = kinds[c.Kind].Offer || c.Kind == KindEnd || p.idle(c.Kind)
		return free
	})
	return free
}

// supplyByOrder pays for all who fight and have no combat supply, together, and says ready. It is left to the seat
// where supply is short: which units attack without the others, and whether internal stocks are used.
func (p *Position) supplyByOrder(seat rules.Seat) (Command, bool) {
	f := inner[*combat](p)
	value, keep := p.ordered(seat, orderAttackSupply), attackPays
	if seat != f.seat {
		value, keep = p.ordered(seat, orderDefenceSupply), defencePays
	}
	if value == supplyAsk {
		return Command{}, false
	}
	var want []Unit
	for _, u := range p.fighters(f, seat) {
		if !p.has(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED) {
			want = append(want, u)
		}
	}
	if len(want) == 0 || seat != f.seat && value == defenceGives {
		return only(KindReady), true
	}
	c := only(KindPay)
	c.Units = want
	c.Lines = p.affordKeeping(seat, want, p.combatPrice(f, seat, want), value-keep)
	if c.Lines != nil {
		return c, true
	}
	return only(KindReady), seat != f.seat && !p.canSupply(seat)
}

// affordKeeping pays tokens of combat supply so that some stay in each store that pays; nil if they can't be paid so.
// Orders for the hex of a store say which pays first, last or never, and what stays there.
func (p *Position) affordKeeping(seat rules.Seat, users []Unit, tokens, keep int) []Line {
	options := slices.DeleteFunc(p.unkept(seat, users, keep), func(l Line) bool {
		return p.storeTurn(seat, l.At) == storeNever
	})
	slices.SortStableFunc(options, func(a, b Line) int {
		return cmp.Compare(storeTurns[p.storeTurn(seat, a.At)], storeTurns[p.storeTurn(seat, b.At)])
	})
	return gather(options, tokens)
}

// unkept are the options of users, each without the tokens that stay in its store: as many as an order for its hex
// says, or keep if there is no such order.
func (p *Position) unkept(seat rules.Seat, users []Unit, keep int) []Line {
	options := p.survey(seat).options(users, false)
	for i := range options {
		o, stays := &options[i], keep
		if n := p.orderedIn(seat, orderKeep, subject{at: o.At}); n > 0 {
			stays = n
		}
		o.Count = max(0, o.Count-stays)
	}
	return slices.DeleteFunc(options, func(l Line) bool { return l.Count == 0 })
}

// storeTurns are the turns of stores to pay, by the values of the order.
var storeTurns = [...]int{storeFirst: -1, storeLast: 1}

func (p *Position) storeTurn(seat rules.Seat, at Place) int {
	return p.orderedIn(seat, orderStore, subject{at: at})
}

// losers are the units of a loss in the order in which they lose by order: those ordered to lose first, then from the
// weakest on, then those ordered to lose last.
func (p *Position) losers(seat rules.Seat, units []Unit) []Unit {
	first := p.weakest(units)
	list := append(slices.Clone(units[first:]), units[:first]...)
	turn := func(u Unit) int {
		s := p.subjectOf(seat)
		s.units = []Unit{u}
		return [...]int{losesFirst: -1, losesLast: 1}[p.orderedIn(seat, orderLoses, s)]
	}
	slices.SortStableFunc(list, func(a, b Unit) int { return cmp.Compare(turn(a), turn(b)) })
	return list
}

// canSupply reports whether a seat can give any unit of its combat supply, or use internal stocks.
func (p *Position) canSupply(seat rules.Seat) (can bool) {
	p.Legal(seat, rules.Filter{}, func(c Command) bool {
		can = c.Kind == KindPay || c.Kind == KindStocks
		return !can
	})
	return can
}

// weakest is the place in a list of the unit with the least printed strength, the first of equals.
func (p *Position) weakest(list []Unit) int {
	best := 0
	for i, u := range list {
		if p.printed(u).Less(p.printed(list[best])) {
			best = i
		}
	}
	return best
}

// lossesByOrder loses what must be lost: first the unit that led, then the others in the order of losers. Optional
// losses are taken as ordered, and left out if they may be ignored.
func (p *Position) lossesByOrder(seat rules.Seat) (Command, bool) {
	order := orderDefenceLosses
	if f := inner[*combat](p); f != nil && seat == f.seat {
		order = orderAttackLosses
	}
	value := p.ordered(seat, order)
	if value == supplyAsk {
		return Command{}, false
	}
	c, w := only(KindLosses), p.lossOf(p.top())
	all := p.capacity(w.units)
	n := min(w.due.losses, all)
	if value == lossesSteps && !w.ignore {
		n = min(w.due.due(), all)
	}
	listed := w.units
	if w.units = p.losers(seat, listed); len(listed) > 0 {
		c.Lines = p.spread(w, 0, n)
		slices.SortFunc(c.Lines, func(a, b Line) int {
			return cmp.Compare(slices.Index(listed, a.Unit), slices.Index(listed, b.Unit))
		})
	}
	if n < all && !w.ignore {
		c.N = w.due.due() - n
	}
	return c, true
}

// sufferByOrder loses a step of the first of losers among the units that starve; the question comes again.
func (p *Position) sufferByOrder(seat rules.Seat) (Command, bool) {
	list, _ := p.unsupplied(seat, p.top().base().at)
	if p.ordered(seat, orderDefenceLosses) == supplyAsk || len(list) == 0 {
		return Command{}, false
	}
	c := only(KindSuffer)
	c.Lines = []Line{{Unit: p.losers(seat, list)[0], At: Nowhere, Count: 1, By: NoUnit, Terrain: noTerrain}}
	return c, true
}

// advanceByOrder advances all that fit, or nobody who need not.
func (p *Position) advanceByOrder(seat rules.Seat) (Command, bool) {
	f, c := inner[*combat](p), only(KindAdvance)
	value := p.ordered(seat, orderAdvance)
	if value == supplyAsk {
		return c, false
	}
	if value == advanceNobody && p.check(seat, &c) == nil {
		return c, true
	}
	res := p.stacked(seat, f.at)
	for _, u := range p.fighters(f, seat) {
		if p.enters(u, p.units[u].place.Hex(), f.at.Hex()) && res+p.re(u) <= p.limit() {
			c.Units, res = append(c.Units, u), res+p.re(u)
		}
	}
	return c, true
}
