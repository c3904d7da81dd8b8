package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// restockPrice is what one level of internal stocks (OCS 12.10) of a unit costs: 2 tokens for the unit, or for each of
// its REs if that is more (OCS 12.10e).
func (p *Position) restockPrice(u Unit) int {
	return fraction(int64(2*max(oneRE, p.re(u))), oneRE).Round()
}

// depleted reports whether a unit's stocks are not full.
func (p *Position) depleted(u Unit) bool { return p.isCombat(u) && p.units[u].stocks > stocksFull }

// liftable finds a unit that can be lifted by a level with supply that is liable for it: all in its reach but what
// organic trucks carry (OCS 12.10e-B).
func (s *survey) liftable() Unit {
	for u := range s.p.all(s.seat) {
		if s.p.depleted(u) && s.inReach([]Unit{u}, true) >= s.p.restockPrice(u) {
			return u
		}
	}
	return NoUnit
}

// checkRestock says why a unit may not be restocked (OCS 12.10e). The owner chooses the order; each level is paid by
// itself (OCS 12.10e-C).
func (p *Position) checkRestock(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkRestock(c)
}

func (s *survey) checkRestock(c *Command) *rules.Refusal {
	p, u := s.p, c.Unit
	if r := p.checkOwn(s.seat, u); r != nil {
		return r
	}
	if !p.depleted(u) {
		return rules.Refuse("OCS 12.10e", "refuse.stocks-full", "unit", p.unitName(u)).About(p.id(u))
	}
	return s.checkPayment(c.Lines, []Unit{u}, p.restockPrice(u), "OCS 12.10e")
}

// playRestock lifts the stocks of a unit by a level.
func (p *Position) playRestock(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	level := ocsv1.Stocks(p.units[cmd.Unit].stocks - 1)
	c.unit(cmd.Unit).Stocks = level
	p.survey(seat).pay(c, cmd.Lines, []Unit{cmd.Unit})
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Restocked{Restocked: &ocsv1.Restocked{
		Seat: seatIDs[seat], Unit: p.id(cmd.Unit), Stocks: level, Tokens: uint32(paid(cmd.Lines)),
	}}})
}

func listRestock(l *lister) {
	s := l.p.survey(l.seat)
	for u := range l.p.all(l.seat) {
		if l.p.depleted(u) && l.acts(u) {
			l.paid(s, KindRestock, u, l.p.restockPrice(u), (*survey).checkRestock)
		}
	}
}

// checkRestocked says why restocking may not end: it is compulsory, and comes first (OCS 12.10e-A).
func (s *survey) checkRestocked() *rules.Refusal {
	if u := s.liftable(); u != NoUnit {
		return rules.Refuse("OCS 12.10e-A", "refuse.must-restock", "unit", s.p.unitName(u),
			"tokens", s.p.restockPrice(u)).About(s.p.id(u))
	}
	return nil
}

// endRestock ends restocking: what is left in reach of a unit that is not full must be spent, and is wasted (OCS
// 12.10e-C).
func (p *Position) endRestock(x *exec, seat rules.Seat) {
	s := p.survey(seat)
	var waste []means
	sum := 0
	for _, m := range s.dumps() {
		if !p.organic(m.on) && !p.supplied(m.at) && s.liable(m) {
			waste, sum = append(waste, m), sum+m.tokens
		}
	}
	c := p.changed()
	p.spendSupply(c, seat, waste)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_RestockingEnded{RestockingEnded: &ocsv1.RestockingEnded{
		Seat: seatIDs[seat], Wasted: uint32(sum),
	}}})
	p.endFrame(x)
}

// liable reports whether supply is in reach of a unit that is not full.
func (s *survey) liable(m means) bool {
	for u := range s.p.all(s.seat) {
		if !s.p.depleted(u) {
			continue
		}
		if s.fetches(m.at, NoUnit, []Unit{u}) {
			return true
		}
		for _, hq := range s.p.sc.tab.hqs[s.seat] {
			if s.p.units[hq].place.onMap() && s.fetches(m.at, hq, []Unit{u}) {
				return true
			}
		}
	}
	return false
}

// mayUseStocks says why a unit, of either side, may not take combat supply of a price from its internal stocks (OCS
// 12.4-iii): it has none left (OCS 12.10c), or can be given SP (OCS 12.10a), what organic trucks carry left aside (OCS
// 13.2g-G).
func (s *survey) mayUseStocks(u Unit, price int) *rules.Refusal {
	p := s.p
	switch {
	case p.units[u].stocks == stocksExhausted:
		return rules.Refuse("OCS 12.10c", "refuse.exhausted", "unit", p.unitName(u)).About(p.id(u))
	case s.inReach([]Unit{u}, true) >= price:
		return rules.Refuse("OCS 12.10a", "refuse.has-supply", "unit", p.unitName(u), "tokens", price).About(p.id(u))
	}
	return nil
}

// useStocks takes one use of a unit's stocks: for one combat, whatever its steps (OCS 12.10b). It can't use another's
// (OCS 12.10d).
func (c *changes) useStocks(u Unit) { c.unit(u).Stocks = ocsv1.Stocks(c.p.units[u].stocks + 1) }

// wasted are the tokens that a unit must spend as well when it uses its stocks because they are too few (OCS 12.10h).
func (s *survey) wasted(u Unit) []Line {
	var list []Line
	for _, o := range s.options([]Unit{u}, true) {
		if !s.p.supplied(o.At) && !taken(list, o) {
			list = append(list, o)
		}
	}
	return list
}
