package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Standing orders: what a seat says in advance, so that it is not asked. They are registers of their seat, which nobody
// else sees.

// firstOrder is the first register that is a standing order.
const firstOrder = int(ocsv1.Register_REGISTER_ORDER_ATTACK_SUPPLY)

// Standing orders, by the numbers of the contract.
const (
	orderAttackSupply  = int(ocsv1.StandingOrder_STANDING_ORDER_ATTACK_SUPPLY)
	orderDefenceSupply = int(ocsv1.StandingOrder_STANDING_ORDER_DEFENCE_SUPPLY)
	orderLead          = int(ocsv1.StandingOrder_STANDING_ORDER_LEAD)
	orderTerrain       = int(ocsv1.StandingOrder_STANDING_ORDER_TERRAIN)
	orderAttackLosses  = int(ocsv1.StandingOrder_STANDING_ORDER_ATTACK_LOSSES)
	orderDefenceLosses = int(ocsv1.StandingOrder_STANDING_ORDER_DEFENCE_LOSSES)
	orderRetreat       = int(ocsv1.StandingOrder_STANDING_ORDER_RETREAT)
	orderAdvance       = int(ocsv1.StandingOrder_STANDING_ORDER_ADVANCE)
	orderReact         = int(ocsv1.StandingOrder_STANDING_ORDER_REACT)
	orderIntercept     = int(ocsv1.StandingOrder_STANDING_ORDER_INTERCEPT)
	orderPass          = int(ocsv1.StandingOrder_STANDING_ORDER_PASS)
	orderUsual         = int(ocsv1.StandingOrder_STANDING_ORDER_USUAL)
)

// Values of standing orders.
const (
	supplyAsk     = 0
	attackPays    = 1 // and as many more as tokens stay in each store
	defenceGives  = 1 // nothing
	defencePays   = 2 // and as many more as tokens stay in each store
	lossesRetreat = 1
	lossesSteps   = 2
	advanceNobody = 1
	advanceAll    = 2
	interceptNone = 1
	interceptBest = 2
)

// orderInfo is what a standing order is called, its largest value, and what most players would say.
type orderInfo struct {
	id          string
	most, usual int
}

var orders = [...]orderInfo{
	orderAttackSupply: {"attack-supply", 1000, attackPays}, orderDefenceSupply: {"defence-supply", 1000, defencePays},
	orderLead: {"lead", 1, 1}, orderTerrain: {"terrain", 1, 1},
	orderAttackLosses: {"attack-losses", 2, lossesSteps}, orderDefenceLosses: {"defence-losses", 2, lossesRetreat},
	orderRetreat: {"retreat", 1, 1}, orderAdvance: {"advance", 2, advanceAll},
	orderReact: {"react", 1, 0}, orderIntercept: {"intercept", 2, 0}, orderPass: {"pass", 1, 0},
	orderUsual: {"usual", 1, 0},
}

// orderRegister is the register of a standing order.
func orderRegister(order int) ocsv1.Register { return ocsv1.Register(firstOrder + order - 1) }

// ordered is the value of a seat's standing order; 0 asks.
func (p *Position) ordered(seat rules.Seat, order int) int {
	return p.register(seat, orderRegister(order))
}

// ordersAny reports whether a seat has any standing order.
func (p *Position) ordersAny(seat rules.Seat) bool {
	for _, n := range p.registers[seat][firstOrder:] {
		if n != 0 {
			return true
		}
	}
	return false
}

// checkOrders says why a standing order can't be given.
func (p *Position) checkOrders(_ rules.Seat, c *Command) *rules.Refusal {
	switch {
	case c.Choice < 1 || c.Choice >= len(orders):
		return rules.Malformed("there is no standing order %d", c.Choice)
	case c.N > orders[c.Choice].most:
		return rules.Malformed("the value of the order %s is %d, expected 0 to %d", orders[c.Choice].id, c.N,
			orders[c.Choice].most)
	}
	return nil
}

// playOrders notes it.
func (p *Position) playOrders(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	if cmd.Choice != orderUsual {
		c.register(seat, orderRegister(cmd.Choice), cmd.N)
	} else {
		for order := 1; order < orderUsual; order++ {
			if o := &orders[order]; o.usual > 0 || cmd.N == 0 {
				c.register(seat, orderRegister(order), o.usual*cmd.N)
			}
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_OrderGiven{OrderGiven: &ocsv1.OrderGiven{
		Seat: seatIDs[seat], Order: ocsv1.StandingOrder(cmd.Choice), Value: uint32(cmd.N),
	}}})
}

// listOrders lists each standing order with its values, those that keep supply back with none kept.
func listOrders(l *lister) {
	if l.f.Kind == "" {
		return
	}
	for order := 1; order < len(orders); order++ {
		for n := 0; n <= min(orders[order].most, defencePays); n++ {
			c := only(KindOrders)
			c.Choice, c.N = order, n
			l.checked(c)
		}
	}
}

// orderText says a standing order. One that is not in the contract of this program is told by its number.
func orderText(order, value int) rules.Words {
	switch {
	case order < 1 || order >= len(orders):
		return rules.Words{En: whole(order).format()}
	case value == supplyAsk:
		return said(rules.Say("order.ask", "order", "@order."+orders[order].id))
	case order == orderAttackSupply:
		return said(rules.Say("order.attack-supply-pay", "n", value-attackPays))
	case order == orderDefenceSupply && value >= defencePays:
		return said(rules.Say("order.defence-supply-pay", "n", value-defencePays))
	}
	return said(rules.Say("order." + orders[order].id + "-" + whole(value).format()))
}
