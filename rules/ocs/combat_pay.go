package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Combat supply (OCS 9.5b, OCS 12.4): the attacker pays first, each side as often as it likes, then says that it is
// ready.

// combatPrice is what combat supply of units costs: the attacker 1 token for each step (OCS 12.4-i), or more if
// independent units attack alone (OCS 21.3); the defender 2 tokens for all that share them, or 1 if they total 1 RE or
// less (OCS 12.4-ii).
func (p *Position) combatPrice(f *combat, seat rules.Seat, units []Unit) int {
	steps, res := 0, 0
	for _, u := range units {
		steps, res = steps+p.stepsLeft(u), res+p.re(u)
	}
	switch {
	case seat == f.seat && p.alone(f, units):
		return independentsPrice * steps
	case seat == f.seat:
		return steps
	case res <= oneRE:
		return 1
	}
	return 2
}

// checkTakers checks that units are in the combat, each once, and have no combat supply yet.
func (p *Position) checkTakers(seat rules.Seat, units []Unit) *rules.Refusal {
	if len(units) == 0 {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	in := p.fighters(inner[*combat](p), seat)
	for i, u := range units {
		switch {
		case !slices.Contains(in, u):
			return rules.Refuse("OCS 9.2-2", "refuse.not-fighting", "unit", p.unitName(u)).About(p.id(u))
		case slices.Contains(units[:i], u):
			return rules.Malformed("unit %s is named twice", p.id(u))
		case p.has(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED): // OCS 12.10g: supply or stocks, never both
			return rules.Refuse("OCS 9.5b", "refuse.is-supplied", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return nil
}

// checkPay says why units may not be given combat supply.
func (p *Position) checkPay(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkPay(c)
}

func (s *survey) checkPay(c *Command) *rules.Refusal {
	if r := s.p.checkTakers(s.seat, c.Units); r != nil {
		return r
	}
	return s.checkPayment(c.Lines, c.Units, s.p.combatPrice(inner[*combat](s.p), s.seat, c.Units), "OCS 9.5b")
}

// playPay gives it.
func (p *Position) playPay(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	for _, u := range cmd.Units {
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED)
	}
	p.survey(seat).pay(c, cmd.Lines, cmd.Units)
	p.tellPaid(x, c, seat, cmd.Units, paid(cmd.Lines), false)
}

func (p *Position) tellPaid(x *exec, c *changes, seat rules.Seat, units []Unit, tokens int, stocks bool) {
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_CombatPaid{CombatPaid: &ocsv1.CombatPaid{
		Seat: seatIDs[seat], Units: p.ids(units), Tokens: uint32(tokens), Stocks: stocks,
	}}})
}

// listPay lists a payment for all units without combat supply together, and for each alone.
func listPay(l *lister) {
	p, s := l.p, l.p.survey(l.seat)
	var want []Unit
	for _, u := range p.fighters(inner[*combat](p), l.seat) {
		if !p.has(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED) {
			want = append(want, u)
			l.pay(s, []Unit{u})
		}
	}
	if len(want) > 1 {
		l.pay(s, want)
	}
}

func (l *lister) pay(s *survey, units []Unit) {
	c := only(KindPay)
	c.Units = units
	c.Lines = s.afford(units, l.p.combatPrice(inner[*combat](l.p), l.seat, units))
	if c.Lines != nil && s.checkPay(&c) == nil {
		l.give(c)
	}
}

// checkUseStocks says why units may not use their internal stocks (OCS 9.5b-C): only what can't be given SP may.
func (p *Position) checkUseStocks(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkUseStocks(c)
}

func (s *survey) checkUseStocks(c *Command) *rules.Refusal {
	p := s.p
	if r := p.checkTakers(s.seat, c.Units); r != nil {
		return r
	}
	f := inner[*combat](p)
	if s.seat == f.seat && p.alone(f, c.Units) {
		return rules.Refuse("OCS 21.3", "refuse.alone-stocks", "unit", p.unitName(c.Units[0])).About(p.ids(c.Units)...)
	}
	for _, u := range c.Units {
		if r := s.mayUseStocks(u, p.combatPrice(f, s.seat, []Unit{u})); r != nil {
			return r
		}
	}
	return nil
}

// playUseStocks takes a use of each unit's stocks. SP in reach that are too few for a unit are wasted (OCS 12.10h).
func (p *Position) playUseStocks(x *exec, seat rules.Seat, cmd *Command) {
	c, s := p.changed(), p.survey(seat)
	var lost []Line
	for _, u := range cmd.Units {
		c.useStocks(u)
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED)
		for _, w := range s.wasted(u) {
			if !taken(lost, w) {
				lost = append(lost, w)
			}
		}
	}
	if len(lost) > 0 {
		s.pay(c, lost, cmd.Units)
	}
	p.tellPaid(x, c, seat, cmd.Units, paid(lost), true)
}

func listUseStocks(l *lister) {
	p, s := l.p, l.p.survey(l.seat)
	for _, u := range p.fighters(inner[*combat](p), l.seat) {
		c := only(KindStocks)
		c.Units = []Unit{u}
		if s.checkUseStocks(&c) == nil {
			l.give(c)
		}
	}
}

// playReady ends the payment of a side. Attackers without combat supply do not attack (OCS 9.5b-A); an attack that has
// none left is cancelled and counts for nothing, and the defender pays nothing (OCS 9.0).
func (p *Position) playReady(x *exec, seat rules.Seat, _ *Command) {
	f := inner[*combat](p)
	if seat != f.seat {
		p.goOn(x, f.stepped(combatLeadAttack))
		return
	}
	var join []Unit
	for _, u := range p.fighters(f, seat) {
		if p.has(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED) {
			join = append(join, u)
		}
	}
	next := f.stepped(f.paidStep())
	next.attackers, next.hexes = join, p.hexesOf(join)
	if c := p.changed(); len(join) > 0 && !f.isOverrun() { // OCS 9.1c; overruns are not limited
		for _, u := range append(slices.Clone(join), p.craftOf(join)...) { // of a beach assault, the landing craft too
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_ATTACKED)
		}
		tell(x, &event{Changes: c.list})
	}
	c := p.changed()
	if len(join) == 0 {
		c.pop()
	} else {
		c.frame(next)
		if !f.isOverrun() {
			m := c.hex(f.at)
			m.Set = append(m.Set, ocsv1.HexMark_HEX_MARK_ATTACKED)
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AttackJoined{AttackJoined: &ocsv1.AttackJoined{
		Seat: seatIDs[seat], From: p.placeIDs(next.hexes), At: p.sc.PlaceID(f.at),
	}}})
}

func listReady(l *lister) { l.checked(only(KindReady)) }

// checkLead says why a unit may not lead (OCS 9.6): any of the side's units in the combat may, but for attackers that
// OCS 21.3-i excludes.
func (p *Position) checkLead(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Unit == NoUnit {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	f := inner[*combat](p)
	if !slices.Contains(p.fighters(f, seat), c.Unit) {
		return rules.Refuse("OCS 9.6", "refuse.not-fighting", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	}
	if seat == f.seat {
		return p.mixedLead(f, c.Unit)
	}
	return nil
}

// playLead names it. Its rating becomes known, the unit does not (OCS 4.9b).
func (p *Position) playLead(x *exec, seat rules.Seat, cmd *Command) {
	f := inner[*combat](p).stepped(combatLeadDefence)
	if seat == f.seat {
		f.attack = cmd.Unit
	} else {
		f.step, f.defence = combatTerrain, cmd.Unit
		p.chooseOnly(f)
	}
	c := p.changed()
	c.frame(f)
	x.Reveal()
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_LeaderNamed{LeaderNamed: &ocsv1.LeaderNamed{
		Seat: seatIDs[seat], Rating: int32(p.rating(cmd.Unit)),
	}}})
}

func listLead(l *lister) {
	for _, u := range l.p.fighters(inner[*combat](l.p), l.seat) {
		c := only(KindLead)
		c.Unit = u
		l.checked(c)
	}
}

// checkAdvance says why attackers may not advance (OCS 9.12g). Only those that attacked may (OCS 9.12g-A); after an
// overrun all that can enter and fit must (OCS 9.12g-C, OCS 8.0).
func (p *Position) checkAdvance(seat rules.Seat, c *Command) *rules.Refusal {
	f, left := inner[*combat](p), []Unit(nil)
	in := p.fighters(f, seat)
	res, at := p.stacked(seat, f.at), p.sc.PlaceID(f.at)
	for i, u := range c.Units {
		switch {
		case !slices.Contains(in, u):
			return rules.Refuse("OCS 9.12g-A", "refuse.did-not-attack", "unit", p.unitName(u)).About(p.id(u))
		case slices.Contains(c.Units[:i], u):
			return rules.Malformed("unit %s is named twice", p.id(u))
		case !p.enters(u, p.units[u].place.Hex(), f.at.Hex()):
			return rules.Refuse("OCS 9.12g", "refuse.prohibited", "unit", p.unitName(u),
				"hex", at).About(p.id(u)).At(at)
		}
		res += p.re(u)
	}
	if res > p.limit() {
		return rules.Refuse("OCS 4.8a", "refuse.advance-overstacks", "hex", at, "limit", formatRE(p.limit())).At(at)
	}
	for _, u := range in {
		if f.isOverrun() && !slices.Contains(c.Units, u) && p.enters(u, p.units[u].place.Hex(), f.at.Hex()) &&
			res+p.re(u) <= p.limit() {
			left = append(left, u)
		}
	}
	if len(left) > 0 {
		return rules.Refuse("OCS 9.12g-C", "refuse.must-advance", "unit", p.unitName(left[0]),
			"hex", at).About(p.ids(left)...).At(at)
	}
	return nil
}

// vacated reports whether attackers may advance: no defending combat unit is left in the hex (OCS 9.12g), and the
// attacker did not retreat (OCS 9.12g-B).
func (p *Position) vacated(f *combat) bool {
	return !p.combatIn(enemy(f.seat), f.at) && !f.retreated && p.anyLeft(f, f.seat)
}

// playAdvance advances. It costs no MP and no fuel. What it finds there is captured (OCS 9.12g-D).
func (p *Position) playAdvance(x *exec, seat rules.Seat, cmd *Command) {
	f := inner[*combat](p).stepped(combatEnd)
	p.goOn(x, f)
	if len(cmd.Units) == 0 {
		return
	}
	c := p.changed()
	for _, u := range cmd.Units {
		c.move(u, f.at)
	}
	p.seize(c, cmd.Units, f.at)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsAdvanced{UnitsAdvanced: &ocsv1.UnitsAdvanced{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), At: p.sc.PlaceID(f.at),
	}}})
	p.capture(x, seat, f.at)
}

// seize gives a hex to units that enter it, if one is attack-capable: its hedgehog (OCS 9.14e) and its port (OCS 9.14h)
// with it, as they are.
func (p *Position) seize(c *changes, units []Unit, at Place) {
	for _, u := range units {
		if seat := p.units[u].seat; p.attackCapable(u) && at.Hex() != NoHex && p.cell(at).owner != seat {
			c.hex(at).Owner = proto.String(seatIDs[seat])
			return
		}
	}
}

// listAdvance lists the advance of all that fit, in order, of each alone, and of none.
func listAdvance(l *lister) {
	p, f := l.p, inner[*combat](l.p)
	var all []Unit
	res := p.stacked(l.seat, f.at)
	for _, u := range p.fighters(f, l.seat) {
		if p.enters(u, p.units[u].place.Hex(), f.at.Hex()) && res+p.re(u) <= p.limit() {
			all, res = append(all, u), res+p.re(u)
		}
	}
	c := only(KindAdvance)
	l.checked(c)
	if len(all) > 1 {
		c.Units = all
		l.checked(c)
	}
	for _, u := range p.fighters(f, l.seat) {
		c.Units = []Unit{u}
		l.checked(c)
	}
}
