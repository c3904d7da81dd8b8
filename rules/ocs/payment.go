package ocs

import (
	"strings"

	"github.com/warledger/warledger/rules"
)

// payers returns the units for which tokens are paid; nil for commands whose price is split by other rules.
func (c *Command) payers() []Unit {
	switch c.Kind {
	case KindPay, KindBarrage:
		return c.Units
	case KindFuel, KindFuelHQ, KindScout:
		return []Unit{c.Unit}
	}
	return nil
}

// Payment returns the dumps and transports that can supply the units of a command (OCS 12.3), with all that each holds.
// The listed command takes the first source that suffices. Only the owner of supply sees its amounts (OCS 12.1c).
func (p *Position) Payment(seat rules.Seat, c Command) *rules.Payment {
	users := c.payers()
	if len(users) == 0 || len(c.Lines) == 0 || p.check(seat, &c) != nil {
		return nil
	}
	bill := &rules.Payment{Due: paid(c.Lines), Unit: rules.Say("unit.token"), Between: ",",
		OneSource: c.Kind == KindBarrage} // OCS 10.1b-A
	var seen []Line
	for _, l := range p.survey(seat).options(users, false) {
		if taken(seen, l) || bill.OneSource && l.Count < bill.Due {
			continue
		}
		seen = append(seen, l)
		bill.Sources = append(bill.Sources, p.source(c, l))
	}
	if len(bill.Sources) == 0 {
		return nil
	}
	c.Lines = nil
	bill.Pattern = p.formatCommand(c) + " lines={parts}"
	return bill
}

// source returns a dump, or the cargo of a transport, as a source of payment.
func (p *Position) source(c Command, l Line) rules.Source {
	key := "source.ground"
	if l.Unit != NoUnit {
		key = "source.unit"
	}
	if l.By != NoUnit {
		key += "-by"
	}
	s := rules.Source{Space: p.sc.PlaceID(l.At), Have: l.Count, Endless: l.Count == boundless,
		Name: rules.Say(key, "at", p.spoken(l.At), "unit", p.unitName(l.Unit), "by", p.unitName(l.By))}
	if l.Unit != NoUnit {
		s.Piece = p.id(l.Unit)
	}
	l.Count = 1
	one := only(c.Kind)
	one.Lines = []Line{l}
	_, text, _ := strings.Cut(p.formatCommand(one), "lines=")
	text, _, _ = strings.Cut(text, " ")
	s.Part = strings.Replace(text, "count=1", "count={n}", 1)
	return s
}
