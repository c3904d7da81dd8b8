package anniversary

import (
	"strconv"
	"strings"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
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
		x.Word("[carriers never or ask] [transports never or ask] or -")
	case kit.Write:
		x.writeOrders(c.Orders)
	}
}

// message writes standing orders; none are the orders to ask for everything.
func (s *Standing) message() *anniversaryv1.StandingOrders {
	m := &anniversaryv1.StandingOrders{}
	if s == nil {
		return m
	}
	for _, u := range s.Losses {
		m.Losses = append(m.Losses, protoUnit(u))
	}
	m.Retreat, m.Submarines = uint32(s.Retreat), anniversaryv1.SubmarineOrder(s.Submarines)
	m.Bombard, m.Divert, m.Agree = s.Bombard, s.Divert, s.Agree
	m.Carriers, m.Transports = anniversaryv1.Consent(s.Carriers), anniversaryv1.Consent(s.Transports)
	return m
}

// takeOrders reads standing orders. A type of unit is named once in an order of loss.
func (x *phrase) takeOrders(m *anniversaryv1.StandingOrders) *Standing {
	s := &Standing{
		Retreat: x.upTo(m.GetRetreat(), 255, "the threshold of retreats"), Bombard: m.GetBombard(), Divert: m.GetDivert(), Agree: m.GetAgree(),
		Submarines: x.oneIn(int32(m.GetSubmarines()), len(subsIDs), "what submarines do"),
		Carriers:   Policy(x.oneIn(int32(m.GetCarriers()), len(policyIDs), "the consent to guests on carriers")),
		Transports: Policy(x.oneIn(int32(m.GetTransports()), len(policyIDs), "the consent to guests on transports")),
	}
	if len(m.GetLosses()) > int(NumUnits)+1 {
		x.Malformed("an order of loss of %d types, expected at most %d", len(m.GetLosses()), NumUnits+1)
		return s
	}
	var seen uint32
	for _, u := range m.GetLosses() {
		s.Losses = append(s.Losses, x.loss(x.unitType(u), &seen))
	}
	return s
}

// loss puts a type into an order of loss in which it must not be yet.
func (x *phrase) loss(u Unit, seen *uint32) Unit {
	if u.in(*seen) {
		x.Malformed("%s is twice in the order of loss", u.ID())
	}
	*seen |= 1 << u
	return u
}

// oneIn reads one of a number of values, from 0.
func (x *phrase) oneIn(v int32, n int, what string) uint8 {
	if v < 0 || int(v) >= n {
		x.Malformed("%s is %d, expected 0 to %d", what, v, n-1)
		return 0
	}
	return uint8(v)
}

func (x *phrase) writeOrders(s *Standing) {
	if s == nil {
		s = &Standing{}
	}
	var losses []string
	for _, u := range s.Losses {
		losses = append(losses, u.ID())
	}
	from := len(x.Text)
	for _, o := range [...]struct {
		holds       bool
		name, value string
	}{
		{losses != nil, "losses", strings.Join(losses, ",")}, {s.Retreat > 0, "retreat", strconv.Itoa(int(s.Retreat))},
		{s.Submarines > 0, "submarines", subsIDs[s.Submarines%3]}, {s.Bombard, "bombard", ""}, {s.Divert, "divert", ""},
		{s.Agree, "agree", ""}, {s.Carriers > 0, "carriers", policyIDs[s.Carriers%3]},
		{s.Transports > 0, "transports", policyIDs[s.Transports%3]},
	} {
		if !o.holds {
			continue
		}
		if x.Word(o.name); o.value != "" {
			x.Word(o.value)
		}
	}
	if len(x.Text) == from {
		x.Word("-")
	}
}

// readOrders takes standing orders; of those that are given twice the last one holds.
func (x *phrase) readOrders(c *Command) {
	o := &Standing{}
	c.Orders = o
	if x.None() {
		return
	}
	if !x.More() {
		x.Expected("orders")
	}
	for x.Going() {
		switch w := x.Next("an order"); w {
		case "losses":
			x.losses(o)
		case "retreat":
			x.number("", &o.Retreat, 255, "", "a percentage")
		case "submarines":
			o.Submarines = x.oneOf(subsIDs[:])
		case "bombard":
			o.Bombard = true
		case "divert":
			o.Divert = true
		case "agree":
			o.Agree = true
		case "carriers":
			o.Carriers = Policy(x.oneOf(policyIDs[:]))
		case "transports":
			o.Transports = Policy(x.oneOf(policyIDs[:]))
		default:
			x.Words = append([]string{w}, x.Words...)
			x.Expected("an order")
		}
	}
}

// losses takes an order of loss: types joined by commas.
func (x *phrase) losses(o *Standing) {
	o.Losses = nil
	var seen uint32
	for _, w := range strings.Split(x.Next("types of unit joined by commas"), ",") {
		if x.Refusal != nil {
			return
		}
		o.Losses = append(o.Losses, x.loss(x.unit(w), &seen))
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
