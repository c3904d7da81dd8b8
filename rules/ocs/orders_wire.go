package ocs

import (
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Limited standing orders in messages, notation and words.

// limits says which standing orders of a seat are limited.
func (c *changes) limits(seat rules.Seat, list []limited) {
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Orders{Orders: c.p.ordersMessage(seat, list)}})
}

// ordersMessage writes the limited orders of a seat.
func (p *Position) ordersMessage(seat rules.Seat, list []limited) *ocsv1.OrdersChange {
	m := &ocsv1.OrdersChange{Seat: seatIDs[seat]}
	for i := range list {
		o := &list[i]
		m.Orders = append(m.Orders, &ocsv1.LimitedOrder{Register: orderRegister(o.order), Value: uint32(o.value),
			At: p.sc.PlaceID(o.at), Units: p.ids(o.units), Once: o.once})
	}
	return m
}

// orders folds the limited orders of a seat.
func (f *folder) orders(m *ocsv1.OrdersChange) {
	seat := f.owner(m.GetSeat())
	if len(m.GetOrders()) > maxLimited {
		f.fail("%d standing orders, expected at most %d", len(m.GetOrders()), maxLimited)
		return
	}
	var list []limited
	for _, k := range m.GetOrders() {
		o := limited{order: orderIn(k.GetRegister()), at: f.place(k.GetAt()), units: f.units(k.GetUnits()),
			value: int(f.amount(k.GetValue(), maxNumber, "value")), once: k.GetOnce()}
		if f.err == nil && !f.stands(seat, list, o) {
			f.fail("a standing order that can't stand")
		}
		list = append(list, o)
	}
	if f.err == nil {
		f.p.limited[seat] = list
	}
}

// stands reports whether an order can stand, and behind the others.
func (f *folder) stands(seat rules.Seat, list []limited, o limited) bool {
	return o.order >= 1 && o.order < len(orders) && o.order != orderUsual &&
		o.value <= orders[o.order].most && !o.whole() &&
		slices.IsSorted(o.units) && f.p.checkLimited(seat, o) == nil &&
		(len(list) == 0 || compareLimited(list[len(list)-1], o) < 0)
}

// scopeText says what a standing order is limited to; empty for the whole game.
func scopeText(at, units rules.Words, once bool) rules.Words {
	var parts []rules.Words
	none := rules.Words{}
	if at != none {
		parts = append(parts, said(rules.Say("order.in", "at", at)))
	}
	if units != none {
		parts = append(parts, said(rules.Say("order.of", "those", units)))
	}
	if once {
		parts = append(parts, said(rules.Say("order.once")))
	}
	return rules.Join(parts, "", "")
}

// orderLabel puts the command into words.
func (p *Position) orderLabel(c *Command) []any {
	order, none := orderText(c.Choice, c.N), rules.Words{}
	if c.Drop {
		order = dropText(c.Choice)
	}
	at, those := none, none
	if c.At != Nowhere {
		at = p.spoken(c.At)
	}
	if len(c.Units) > 0 {
		those = p.sc.namesOf(p.ids(c.Units))
	}
	return []any{"order", order, "scope", scopeText(at, those, c.Once)}
}

// orderGiven tells a standing order that was given or taken back.
func orderGiven(sc *Scenario, f *ocsv1.OrderGiven) rules.Text {
	at, those := rules.Words{}, rules.Words{}
	if f.GetAt() != "" {
		at = sc.placeName(f.GetAt())
	}
	if len(f.GetUnits()) > 0 {
		those = sc.namesOf(f.GetUnits())
	}
	scope, order := scopeText(at, those, f.GetOnce()), int(f.GetOrder())
	if f.GetDrop() && order >= 1 && order < len(orders) {
		return rules.Say("told.order-dropped", "seat", seatText(f.GetSeat()), "order", "@order."+orders[order].id,
			"scope", scope)
	}
	return rules.Say("told.order-given", "seat", seatText(f.GetSeat()), "order", orderText(order, int(f.GetValue())),
		"scope", scope)
}

// standingOrders are the orders that stand, of the seats that the viewer holds: those for the whole game, then those
// for parts of it.
func (d *picture) standingOrders() (list []*boardv1.StandingOrder) {
	for seat := range numSeats {
		if !d.v.Holds(seat) {
			continue
		}
		for order := 1; order < len(orders); order++ {
			if order == orderUsual {
				continue
			}
			if n := d.register(seat, orderRegister(order)); n != 0 {
				c := only(KindOrders)
				c.Choice, c.N = order, n
				list = append(list, d.standingOrder(seat, c))
			}
		}
		for _, o := range d.limited[seat] {
			c := only(KindOrders)
			c.Choice, c.N, c.At, c.Units, c.Once = o.order, o.value, o.at, o.units, o.once
			list = append(list, d.standingOrder(seat, c))
		}
	}
	return list
}

func (d *picture) standingOrder(seat rules.Seat, c Command) *boardv1.StandingOrder {
	m := &boardv1.StandingOrder{Seat: seatIDs[seat], Text: d.say("order", d.orderLabel(&c)...),
		Command: d.formatCommand(c)}
	c.N, c.Drop = 0, true
	m.Cancel = d.formatCommand(c)
	return m
}
