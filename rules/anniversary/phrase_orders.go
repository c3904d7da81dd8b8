package anniversary

import (
	"slices"
	"strconv"
	"strings"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// standing are standing orders; "-" in text if everything is asked and consented to.
func (x *phrase) standing(c *Command) {
	switch x.Shape {
	case kit.Encode:
		x.Put("orders", c.Orders.message())
	case kit.Decode:
		c.Orders = x.takeOrders(x.Get("orders").Message().Interface().(*anniversaryv1.StandingOrders))
	case kit.Read:
		x.readOrders(c)
	case kit.Usage:
		x.Word("[losses UNIT,...] [retreat PERCENT] [submarines strike or submerge] [bombard] [divert] [agree]")
		x.Word("[carriers never or ask] [transports never or ask] [ask] or -")
	case kit.Write:
		x.writeOrders(c.Orders)
	}
}

// message writes standing orders; none are the orders to ask for everything.
func (s *standing) message() *anniversaryv1.StandingOrders {
	if s == nil {
		return &anniversaryv1.StandingOrders{}
	}
	m := &anniversaryv1.StandingOrders{
		Retreat: uint32(s.retreat), Submarines: anniversaryv1.SubmarineOrder(s.subs), Bombard: s.bombard,
		Divert: s.divert,
		Agree:  s.agree, Carriers: anniversaryv1.Consent(s.carriers), Transports: anniversaryv1.Consent(s.transports),
		Ask: s.ask,
	}
	for _, u := range s.losses[:s.n] {
		m.Losses = append(m.Losses, protoUnit(u))
	}
	return m
}

// takeOrders reads standing orders. A type of unit is named once in an order of loss.
func (x *phrase) takeOrders(m *anniversaryv1.StandingOrders) *standing {
	s := &standing{
		retreat: x.upTo(m.GetRetreat(), 255, "the threshold of retreats"), bombard: m.GetBombard(),
		divert: m.GetDivert(),
		agree:  m.GetAgree(), ask: m.GetAsk(),
		subs:       x.oneIn(int32(m.GetSubmarines()), len(subsIDs), "what submarines do"),
		carriers:   Policy(x.oneIn(int32(m.GetCarriers()), len(policyIDs), "the consent to guests on carriers")),
		transports: Policy(x.oneIn(int32(m.GetTransports()), len(policyIDs), "the consent to guests on transports")),
	}
	if n := len(m.GetLosses()); n > len(s.losses) {
		x.Malformed("an order of loss of %d types, expected at most %d", n, len(s.losses))
	}
	for _, u := range m.GetLosses() {
		x.lose(s, x.unitType(u))
	}
	return s
}

// lose puts a type into an order of loss in which it must not be yet.
func (x *phrase) lose(s *standing, u Unit) {
	switch {
	case x.Refusal != nil:
	case slices.Contains(s.losses[:s.n], u):
		x.Malformed("%s is twice in the order of loss", u.ID())
	default:
		s.losses[s.n] = u
		s.n++
	}
}

// oneIn reads one of a number of values, from 0.
func (x *phrase) oneIn(v int32, n int, what string) uint8 {
	if v < 0 || int(v) >= n {
		x.Malformed("%s is %d, expected 0 to %d", what, v, n-1)
		return 0
	}
	return uint8(v)
}

// writeOrders writes standing orders; "-" for those that ask for everything.
func (x *phrase) writeOrders(s *standing) {
	if s == nil || *s == (standing{}) {
		x.Word("-")
		return
	}
	var losses []string
	for _, u := range s.losses[:s.n] {
		losses = append(losses, u.ID())
	}
	for _, o := range [...]struct {
		holds       bool
		name, value string
	}{
		{s.n > 0, "losses", strings.Join(losses, ",")}, {s.retreat > 0, "retreat", strconv.Itoa(int(s.retreat))},
		{s.subs > 0, "submarines", scenario.IDIn(subsIDs[:], s.subs)}, {s.bombard, "bombard", ""},
		{s.divert, "divert", ""},
		{s.agree, "agree", ""}, {s.carriers > 0, "carriers", scenario.IDIn(policyIDs[:], s.carriers)},
		{s.transports > 0, "transports", scenario.IDIn(policyIDs[:], s.transports)}, {s.ask, "ask", ""},
	} {
		if !o.holds {
			continue
		}
		if x.Word(o.name); o.value != "" {
			x.Word(o.value)
		}
	}
}

// readOrders takes standing orders; of those that are given twice the last one holds.
func (x *phrase) readOrders(c *Command) {
	s := &standing{}
	c.Orders = s
	if x.None() {
		return
	}
	if !x.More() {
		x.Expected("orders")
	}
	for x.Going() {
		switch w := x.Next("an order"); w {
		case "losses":
			s.losses, s.n = [NumUnits + 1]Unit{}, 0
			for _, w := range strings.Split(x.Next("types of unit joined by commas"), ",") {
				if x.Refusal == nil {
					x.lose(s, x.unit(w))
				}
			}
		case "retreat":
			x.number("", &s.retreat, 255, "", "a percentage")
		case "submarines":
			s.subs = x.oneOf(subsIDs[:])
		case "bombard":
			s.bombard = true
		case "divert":
			s.divert = true
		case "agree":
			s.agree = true
		case "ask":
			s.ask = true
		case "carriers":
			s.carriers = Policy(x.oneOf(policyIDs[:]))
		case "transports":
			s.transports = Policy(x.oneOf(policyIDs[:]))
		default:
			x.Words = append([]string{w}, x.Words...)
			x.Expected("an order")
		}
	}
}

func (x *phrase) oneOf(ids []string) uint8 {
	w := x.Next(strings.Join(ids, ", "))
	for i, id := range ids {
		if id == w {
			return uint8(i)
		}
	}
	x.Malformed("expected one of %s, not %.40q", strings.Join(ids, ", "), w)
	return 0
}

// ordering is a phrase of standing orders, as a position holds them too.
func (p *Position) ordering(shape kit.Phrase) *phrase {
	shape.Kind, shape.Written = int(KindStanding), func() string { return grammar.Usage(p, int(KindStanding)) }
	return grammar.Phrase(p, shape)
}

// standingOrders are the orders that stand, of the seats that the viewer holds. All orders of a seat are given by one
// command, and its words say them.
func (d *drawer) standingOrders() (list []*boardv1.StandingOrder) {
	for seat := range d.orders {
		if !d.v.Holds(rules.Seat(seat)) || d.orders[seat] == (standing{}) {
			continue
		}
		c, id := Command{Kind: KindStanding, Orders: &d.orders[seat]}, kinds.ID(int(KindStanding))
		words := grammar.Format(d.Position, c)
		list = append(list, &boardv1.StandingOrder{Seat: seatID(Power(seat)), Command: words, Cancel: id + " -",
			Text: strings.TrimPrefix(words, id+" ")})
	}
	return list
}
