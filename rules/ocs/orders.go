package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Standing orders: what a seat says in advance, so that it is not asked. Nobody else sees them. Those for the whole
// game are registers of their seat; those for a part of it are in orders_limited.go.

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
	orderLoses         = int(ocsv1.StandingOrder_STANDING_ORDER_LOSES)
	orderStore         = int(ocsv1.StandingOrder_STANDING_ORDER_STORE)
	orderKeep          = int(ocsv1.StandingOrder_STANDING_ORDER_KEEP)
	orderGrounded      = int(ocsv1.StandingOrder_STANDING_ORDER_GROUNDED)
	orderAirCombat     = int(ocsv1.StandingOrder_STANDING_ORDER_AIR_COMBAT)
	orderBeach         = int(ocsv1.StandingOrder_STANDING_ORDER_BEACH)
	orderDisplace      = int(ocsv1.StandingOrder_STANDING_ORDER_DISPLACE)
	orderRefuge        = int(ocsv1.StandingOrder_STANDING_ORDER_REFUGE)
	orderYield         = int(ocsv1.StandingOrder_STANDING_ORDER_YIELD)
	orderRestock       = int(ocsv1.StandingOrder_STANDING_ORDER_RESTOCK)
	orderFeed          = int(ocsv1.StandingOrder_STANDING_ORDER_FEED)
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
	losesFirst    = 1
	losesLast     = 2
	storeNever    = 1
	storeFirst    = 2
	storeLast     = 3
	beachLands    = 1
	beachFights   = 2
	displaceNear  = 1
	displaceFar   = 2
	yieldOrdinary = 1
	yieldOrganic  = 2
	feedNever     = 1
	feedAlways    = 2
	usualFirst    = 1 // those that the first games with orders had
	usualAll      = 2
)

// orderInfo is what a standing order is called, its largest value, what most players would say, and how it may be
// limited. Orders that were added later are usual by the value 2 alone, so that the value 1 keeps its meaning.
type orderInfo struct {
	id          string
	most, usual int
	limits      limits
}

var orders = [...]orderInfo{
	orderAttackSupply:  {"attack-supply", 1000, attackPays, ofCombat},
	orderDefenceSupply: {"defence-supply", 1000, defencePays, ofCombat},
	orderLead:          {"lead", 1, 1, ofCombat}, orderTerrain: {"terrain", 1, 1, ofCombat},
	orderAttackLosses:  {"attack-losses", 2, lossesSteps, ofCombat},
	orderDefenceLosses: {"defence-losses", 2, lossesRetreat, ofCombat},
	orderRetreat:       {"retreat", 1, 1, ofCombat}, orderAdvance: {"advance", 2, advanceAll, ofCombat},
	orderReact: {"react", 1, 0, ofStands}, orderIntercept: {"intercept", 2, 0, ofFlight},
	orderPass: {"pass", 1, 0, limits{}}, orderUsual: {"usual", usualAll, 0, limits{}},
	orderLoses: {"loses", losesLast, 0, ofUnits}, orderStore: {"store", storeLast, 0, ofStore},
	orderKeep: {"keep", 1000, 0, ofStore}, orderGrounded: {"grounded", 1, 0, ofPlanes},
	orderAirCombat: {"air-combat", 1, 0, ofFlight}, orderBeach: {"beach", 2, beachFights, ofCombat},
	orderDisplace: {"displace", 2, displaceFar, ofStands}, orderRefuge: {"refuge", 1, 0, ofRefuge},
	orderYield: {"yield", 2, yieldOrdinary, ofStands}, orderRestock: {"restock", 1, 1, limits{}},
	orderFeed: {"feed", 2, 0, ofStands},
}

// orderRegister is the register of a standing order. The usual orders have none.
func orderRegister(order int) ocsv1.Register {
	if order > orderUsual {
		order--
	}
	return ocsv1.Register(firstOrder + order - 1)
}

// orderIn is the standing order of a register.
func orderIn(r ocsv1.Register) int {
	order := int(r) - firstOrder + 1
	if order >= orderUsual {
		order++
	}
	return order
}

// ordered is the value of a seat's standing order for what is asked now; 0 asks.
func (p *Position) ordered(seat rules.Seat, order int) int {
	if len(p.limited[seat]) == 0 {
		return p.register(seat, orderRegister(order))
	}
	return p.orderedIn(seat, order, p.subjectOf(seat))
}

// ordersAny reports whether a seat has any standing order.
func (p *Position) ordersAny(seat rules.Seat) bool {
	for _, n := range p.registers[seat][firstOrder:] {
		if n != 0 {
			return true
		}
	}
	return len(p.limited[seat]) > 0
}

// checkOrders says why a standing order can't be given.
func (p *Position) checkOrders(seat rules.Seat, c *Command) *rules.Refusal {
	switch {
	case c.Choice < 1 || c.Choice >= len(orders):
		return rules.Malformed("there is no standing order %d", c.Choice)
	case c.N > orders[c.Choice].most:
		return rules.Malformed("the value of the order %s is %d, expected 0 to %d", orders[c.Choice].id, c.N,
			orders[c.Choice].most)
	case c.Drop && c.N != 0:
		return rules.Malformed("an order that is taken back has no value, and %d is given", c.N)
	}
	o := c.limitedOf()
	if need := orders[c.Choice].limits.need; need != "" && (need == needHex && o.at == Nowhere ||
		need == needUnits && len(o.units) == 0) {
		return rules.Malformed("the order %s is for %s, and none is named", orders[c.Choice].id, need)
	}
	if o.whole() {
		return nil
	}
	if r := p.checkLimited(seat, o); r != nil {
		return r
	}
	return p.checkList(seat, o, c.Drop)
}

// playOrders notes it.
func (p *Position) playOrders(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	o := cmd.limitedOf()
	switch {
	case !o.whole():
		c.limits(seat, p.limitedAfter(seat, o, cmd.Drop))
	case cmd.Choice != orderUsual:
		c.register(seat, orderRegister(cmd.Choice), cmd.N)
	default:
		for order := 1; order < len(orders); order++ {
			if n, has := p.usually(seat, order, cmd.N); has {
				c.register(seat, orderRegister(order), n)
			}
		}
		if cmd.N == 0 && len(p.limited[seat]) > 0 {
			c.limits(seat, nil)
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_OrderGiven{OrderGiven: &ocsv1.OrderGiven{
		Seat: seatIDs[seat], Order: ocsv1.StandingOrder(cmd.Choice), Value: uint32(cmd.N),
		At: p.sc.PlaceID(o.at), Units: p.ids(o.units), Once: o.once, Drop: cmd.Drop,
	}}})
}

// usually is the value that the usual orders, or none of them, give an order; false if they leave it alone.
func (p *Position) usually(seat rules.Seat, order, which int) (int, bool) {
	usual, later := orders[order].usual, order > orderUsual
	switch {
	case order == orderUsual:
		return 0, false
	case which == 0:
		return 0, !later || p.register(seat, orderRegister(order)) != 0
	}
	return usual, usual > 0 && (!later || which == usualAll)
}

// listOrders lists each standing order with its values, those that keep supply back with none kept: for the whole game,
// for what the filter names and for the combat under way. Limited orders can be taken back.
func listOrders(l *lister) {
	if l.f.Kind == "" {
		return
	}
	for _, o := range l.p.limited[l.seat] {
		c := only(KindOrders)
		c.Choice, c.At, c.Units, c.Once, c.Drop = o.order, o.at, o.units, o.once, true
		l.checked(c)
	}
	for _, c := range l.scopes() {
		listValues(l, c)
	}
}

// scopes are what orders are listed for.
func (l *lister) scopes() []Command {
	list := []Command{only(KindOrders)}
	if l.space.onMap() {
		c := only(KindOrders)
		c.At = l.space
		list = append(list, c)
	}
	if l.piece != NoUnit {
		c := only(KindOrders)
		c.Units = []Unit{l.piece}
		list = append(list, c)
	}
	if s := l.p.subjectOf(l.seat); s.once {
		here, once := only(KindOrders), only(KindOrders)
		here.At, once.Once = s.at, true
		if s.at != l.space {
			list = append(list, here)
		}
		list = append(list, once)
	}
	return list
}

// listValues lists the orders for one part of the game.
func listValues(l *lister, c Command) {
	for order := 1; order < len(orders); order++ {
		most := min(orders[order].most, defencePays)
		if order == orderStore {
			most = storeLast
		}
		for n := 0; n <= most; n++ {
			c.Choice, c.N = order, n
			l.checked(c)
		}
	}
}

// dropText says that a standing order is taken back.
func dropText(order int) rules.Words {
	if order < 1 || order >= len(orders) {
		return orderText(order, 0)
	}
	return said(rules.Say("order.drop", "order", "@order."+orders[order].id))
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
	case order == orderKeep:
		return said(rules.Say("order.keep-n", "n", value))
	case order == orderDefenceSupply && value >= defencePays:
		return said(rules.Say("order.defence-supply-pay", "n", value-defencePays))
	}
	return said(rules.Say("order." + orders[order].id + "-" + whole(value).format()))
}
