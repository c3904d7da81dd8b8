package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Prices of fuel (OCS 12.5) in tokens (OCS 12.5c).
const (
	unitFuel  = 1
	groupFuel = oneSP
)

// burns reports whether a face of a combat unit, HQs included (OCS 12.9b), moves on Track or Truck MP, which need fuel
// (OCS 12.5a). Transports never do (OCS 12.9a, OCS 13.2b).
func burns(c *Counter, f Face) bool {
	face := &c.Faces[f]
	return c.Kind.Combat() && face.Exists && (face.MP == Track || face.MP == Truck)
}

// mayBurn reports whether one of a unit's faces does.
func (p *Position) mayBurn(u Unit) bool {
	c := p.counter(u)
	return burns(c, CombatFace) || burns(c, MoveFace)
}

// needsFuel says why a unit may not spend MP with the face that is up: it burns fuel and has none, and no HQ gives it
// any (OCS 12.5a). Internal stocks are no fuel (OCS 12.5g); a unit that arrives has none (OCS 12.5f).
func (p *Position) needsFuel(u Unit) *rules.Refusal {
	s := &p.units[u]
	if !burns(p.counter(u), s.face) || s.fuel != noFuel || p.giver(u) != NoUnit {
		return nil
	}
	return rules.Refuse("OCS 12.5a", "refuse.no-fuel", "unit", p.unitName(u), "tokens", unitFuel).About(p.id(u))
}

// giver is the fuelled HQ that gives an independent unit free fuel now, NoUnit if none does (OCS 12.5e). One that
// cannot lose anything by it comes first.
func (p *Position) giver(u Unit) Unit {
	if !p.independent(u) || p.opt.independents { // OCS 21.3-ii
		return NoUnit
	}
	best := NoUnit
	var s *survey
	for _, hq := range p.sc.tab.hqs[p.units[u].seat] {
		h := &p.units[hq]
		if hq == u || h.fuel != lastingFuel || h.marks.has(ocsv1.UnitMark_UNIT_MARK_LANDED_FUEL) || !p.mayGive(hq) {
			continue
		}
		if s == nil {
			s = p.survey(h.seat)
		}
		if s.reaches(hq, u) && (best == NoUnit || p.settled(hq) && !p.settled(best)) {
			best = hq
		}
	}
	return best
}

// mayGive reports whether an HQ gives fuel from the hex that it is in: from the one in which it began the phase, or
// from the one in which it ended its move, if it gave none before (OCS 12.5e-i).
func (p *Position) mayGive(hq Unit) bool {
	s := &p.units[hq]
	if s.place == s.origin {
		return true
	}
	return !s.marks.has(ocsv1.UnitMark_UNIT_MARK_GAVE_FUEL) && !p.inMotion(hq)
}

// settled reports whether giving fuel costs an HQ no choice: it gave before, or its move is over.
func (p *Position) settled(hq Unit) bool {
	return p.has(hq, ocsv1.UnitMark_UNIT_MARK_GAVE_FUEL) || p.stays(hq)
}

// fuelUp is called when a unit begins to spend MP: it has what an HQ gives it for the phase (OCS 12.5e), and that HQ
// gives from no other hex in it. What is given is not paid for, and no dump need be in range.
func (p *Position) fuelUp(c *changes, u Unit) {
	s := &p.units[u]
	if !burns(p.counter(u), s.face) || s.fuel != noFuel {
		return
	}
	hq := p.giver(u)
	if hq == NoUnit {
		return
	}
	c.unit(u).Fuel = ocsv1.Fuel_FUEL_PHASE
	if p.units[hq].place == p.units[hq].origin {
		c.mark(hq, ocsv1.UnitMark_UNIT_MARK_GAVE_FUEL)
	}
}

// checkFuelUnit says why a unit may not be fuelled for the phase (OCS 12.5c-C). The supply may be aboard a transport
// that is in motion and goes on afterwards (OCS 13.2a).
func (p *Position) checkFuelUnit(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkFuelUnit(c)
}

func (s *survey) checkFuelUnit(c *Command) *rules.Refusal {
	p, u := s.p, c.Unit
	if r := p.checkOwn(s.seat, u); r != nil {
		return r
	}
	switch {
	case !p.mayBurn(u):
		return rules.Refuse("OCS 12.5a", "refuse.burns-nothing", "unit", p.unitName(u)).About(p.id(u))
	case p.units[u].fuel != noFuel:
		return rules.Refuse("OCS 12.5c-C", "refuse.is-fuelled", "unit", p.unitName(u)).About(p.id(u))
	}
	return s.checkPayment(c.Lines, []Unit{u}, unitFuel, "OCS 12.5c-C")
}

// checkOwn checks that a unit is named, is the seat's and on the map.
func (p *Position) checkOwn(seat rules.Seat, u Unit) *rules.Refusal {
	if u == NoUnit {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	if s := &p.units[u]; s.seat != seat || !s.place.onMap() {
		return rules.Refuse("OCS 6.3a", "refuse.not-yours",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
	}
	return nil
}

// playFuelUnit fuels a unit for the phase.
func (p *Position) playFuelUnit(x *exec, seat rules.Seat, cmd *Command) {
	p.fuelOne(x, seat, cmd, ocsv1.Fuel_FUEL_PHASE)
}

func (p *Position) fuelOne(x *exec, seat rules.Seat, cmd *Command, fuel ocsv1.Fuel) {
	c := p.changed()
	c.unit(cmd.Unit).Fuel = fuel
	p.survey(seat).pay(c, cmd.Lines, []Unit{cmd.Unit})
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitFuelled{UnitFuelled: &ocsv1.UnitFuelled{
		Seat: seatIDs[seat], Unit: p.id(cmd.Unit), Fuel: fuel, Tokens: uint32(paid(cmd.Lines)),
	}}})
}

// listFuelUnit lists one payment for each unit.
func listFuelUnit(l *lister) {
	s := l.p.survey(l.seat)
	for u := range l.p.all(l.seat) {
		if l.acts(u) && l.p.mayBurn(u) {
			l.paid(s, KindFuel, u, unitFuel, (*survey).checkFuelUnit)
		}
	}
}

// paid gives a command for a unit with the first payment that there is, if it passes the chapter's check.
func (l *lister) paid(s *survey, k Kind, u Unit, tokens int, check func(*survey, *Command) *rules.Refusal) {
	c := only(k)
	c.Unit = u
	if c.Lines = s.afford([]Unit{u}, tokens); c.Lines != nil && check(s, &c) == nil {
		l.give(c)
	}
}

// checkFuelHQ says why an HQ may not be fuelled (OCS 12.5c-B).
func (p *Position) checkFuelHQ(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkFuelHQ(c)
}

func (s *survey) checkFuelHQ(c *Command) *rules.Refusal {
	p, u := s.p, c.Unit
	if r := p.checkOwn(s.seat, u); r != nil {
		return r
	}
	switch {
	case p.opt.independents:
		return rules.Refuse("OCS 21.3-ii", "refuse.hq-fuels-none").About(p.id(u))
	case !p.counter(u).HQ:
		return rules.Refuse("OCS 12.5c-B", "refuse.no-hq", "unit", p.unitName(u)).About(p.id(u))
	case p.units[u].fuel == lastingFuel:
		return rules.Refuse("OCS 12.5c-B", "refuse.is-fuelled", "unit", p.unitName(u)).About(p.id(u))
	}
	return s.checkPayment(c.Lines, []Unit{u}, groupFuel, "OCS 12.5c-B")
}

// playFuelHQ fuels an HQ until its next Clean-Up Phase (OCS 12.5d).
func (p *Position) playFuelHQ(x *exec, seat rules.Seat, cmd *Command) {
	p.fuelOne(x, seat, cmd, ocsv1.Fuel_FUEL_LASTING)
}

func listFuelHQ(l *lister) {
	s := l.p.survey(l.seat)
	for _, hq := range l.p.sc.tab.hqs[l.seat] {
		if l.p.units[hq].place.onMap() && l.acts(hq) {
			l.paid(s, KindFuelHQ, hq, groupFuel, (*survey).checkFuelHQ)
		}
	}
}

// checkFuelFormation says why a formation may not be fuelled (OCS 12.5c-A): the supply comes out of one dump, or
// through one HQ (OCS 13.7a), and covers a member. Those that it does not reach pay for themselves (OCS 13.7a-ii).
func (p *Position) checkFuelFormation(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkFuelFormation(c)
}

func (s *survey) checkFuelFormation(c *Command) *rules.Refusal {
	p := s.p
	f, known := p.sc.form[c.Name]
	if !known || p.sc.Formations[f].Seat != s.seat {
		return rules.Malformed("you have no formation %.40q", c.Name)
	}
	if len(c.Lines) == 0 {
		return rules.Refuse("OCS 12.5c-A", "refuse.price", "need", groupFuel, "paid", 0)
	}
	for _, l := range c.Lines {
		if l.By != c.Lines[0].By || l.By == NoUnit && l.At != c.Lines[0].At {
			return rules.Refuse("OCS 12.5c-A", "refuse.not-shared")
		}
	}
	users := s.covered(f, c.Lines)
	if len(users) == 0 {
		return rules.Refuse("OCS 12.5c-A", "refuse.covers-none", "formation", p.sc.Formations[f].Name)
	}
	return s.checkPayment(c.Lines, users, groupFuel, "OCS 12.5c-A")
}

// covered are the members of a formation that burn fuel, have no lasting fuel and are reached by all lines: the units
// that the SP fuels, fixed when it is spent. Others pay for themselves.
func (s *survey) covered(formation int16, lines []Line) []Unit {
	var list []Unit
	for _, u := range s.p.sc.Formations[formation].Units {
		if !s.p.units[u].place.onMap() || !s.p.mayBurn(u) || s.p.units[u].fuel == lastingFuel {
			continue
		}
		in := true
		for _, l := range lines {
			in = in && l.At.onMap() && s.fetches(l.At, l.By, []Unit{u})
		}
		if in {
			list = append(list, u)
		}
	}
	return list
}

// playFuelFormation fuels the members that are covered until their next Clean-Up Phase (OCS 12.5d).
func (p *Position) playFuelFormation(x *exec, seat rules.Seat, cmd *Command) {
	s := p.survey(seat)
	users := s.covered(p.sc.form[cmd.Name], cmd.Lines)
	c := p.changed()
	for _, u := range users {
		c.unit(u).Fuel = ocsv1.Fuel_FUEL_LASTING
	}
	s.pay(c, cmd.Lines, users)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_FormationFuelled{FormationFuelled: &ocsv1.FormationFuelled{
		Seat: seatIDs[seat], Formation: cmd.Name, Units: p.ids(users), Tokens: uint32(paid(cmd.Lines)),
	}}})
}

// listFuelFormation lists for each formation every dump and every HQ that covers members, with one payment each.
func listFuelFormation(l *lister) {
	p, s := l.p, l.p.survey(l.seat)
	for f := range p.sc.Formations {
		info := &p.sc.Formations[f]
		if info.Seat != l.seat {
			continue
		}
		var options []Line
		for _, u := range info.Units {
			if p.isCombat(u) && p.units[u].place.onMap() {
				options = append(options, s.options([]Unit{u}, false)...)
			}
		}
		for i, o := range options {
			if !sharedBefore(options[:i], o) {
				l.fuelFormation(s, info.ID, options, o)
			}
		}
	}
}

// sameSupply reports whether two options are one supply in the sense of OCS 12.5c-A: one dump, or one HQ.
func sameSupply(a, b Line) bool { return a.By == b.By && (a.By != NoUnit || a.At == b.At) }

func sharedBefore(list []Line, o Line) bool {
	for _, b := range list {
		if sameSupply(b, o) {
			return true
		}
	}
	return false
}

func (l *lister) fuelFormation(s *survey, id string, options []Line, o Line) {
	var same []Line
	for _, x := range options {
		if sameSupply(x, o) {
			same = append(same, x)
		}
	}
	c := only(KindFuelFormation)
	c.Name = id
	if c.Lines = gather(same, groupFuel); c.Lines != nil && s.checkFuelFormation(&c) == nil {
		l.give(c)
	}
}
