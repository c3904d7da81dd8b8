package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Air combat (OCS 14.3), with the steps of OCS 14.3e, is an AIR_COMBAT frame of the attacker: its air units, those of
// the other side as enemies, and while a round is fought the two that fight it. Whoever has aborted or was shot down
// stays in the lists and does not count any more.
const (
	combatStandsFirst  uint8 = iota // asks the attacker who aborts (OCS 14.3d-A)
	combatStandsSecond              // asks the defender
	combatRound                     // asks the attacker who fights (OCS 14.3e-B)
	combatAnswers                   // asks the defender
	combatRolls                     // OCS 14.3e-C
)

// Numbers of an air combat.
const (
	combatInterceptor = iota // 1 more than the number of the interceptor; 0 for none. From is where it came from then
	combatAboard             // 1 more than the number of the carrier that it came from
)

// joinCombat begins air combat if active air units of both sides are in the mission hex, one of them is a fighter and one could attack (OCS 14.3,
// OCS 14.3a). All that are there take part, with a mission or not.
func (p *Position) joinCombat(x *exec, f *frame) bool {
	own, foes := p.activeIn(f.seat, f.at, true), p.activeIn(enemy(f.seat), f.at, true)
	if len(own) == 0 || len(foes) == 0 {
		return false
	}
	all := slices.Concat(own, foes)
	if !slices.ContainsFunc(all, func(u Unit) bool { return p.is(u, fighter) }) || !slices.ContainsFunc(all, p.aggressive) {
		return false // when all are bracketed they ignore each other
	}
	p.goOn(x, f.stepped(missionStands))
	g := newFrame(ocsv1.FrameKind_FRAME_KIND_AIR_COMBAT, f.seat)
	g.at, g.units, g.enemies = f.at, own, foes
	p.fightAir(x, g)
	return true
}

// aggressive reports whether an air unit has a rating without brackets: only such a unit attacks (OCS 14.3a).
func (p *Position) aggressive(u Unit) bool { return !p.plane(u).Bracketed }

// fightAir begins an air combat. Both sides show what they have there (OCS 4.9d, OCS 14.3e-A).
func (p *Position) fightAir(x *exec, g frame) {
	x.Reveal()
	c := p.changed()
	c.push(g)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirCombatJoined{AirCombatJoined: &ocsv1.AirCombatJoined{
		Seat: seatIDs[g.seat], At: p.sc.PlaceID(g.at), Units: p.ids(g.units), Enemies: p.ids(g.enemies),
	}}})
}

// inFight are the units of a list that still fight in an air combat.
func (p *Position) inFight(f *frame, list []Unit) (left []Unit) {
	for _, u := range list {
		if p.spot(u) == f.at && p.active(u) {
			left = append(left, u)
		}
	}
	return left
}

// side are the units of a seat that still fight in an air combat.
func (p *Position) side(f *frame, seat rules.Seat) []Unit {
	if seat == f.seat {
		return p.inFight(f, f.units)
	}
	return p.inFight(f, f.enemies)
}

// attackers are those of the attacker's units that may attack.
func (p *Position) attackers(f *frame) (list []Unit) {
	for _, u := range p.inFight(f, f.units) {
		if p.aggressive(u) {
			list = append(list, u)
		}
	}
	return list
}

// askAirCombat asks where there is something to choose. Who aborts is asked before combat alone: once it has begun
// nobody may (OCS 14.3d-B).
func (p *Position) askAirCombat(f *frame) (Ask, rules.Seats) {
	switch f.step {
	case combatStandsFirst, combatStandsSecond:
		seat := f.seat
		if f.step == combatStandsSecond {
			seat = enemy(f.seat)
		}
		if len(p.side(f, seat)) > 1 {
			return AskStandDown, rules.SeatsOf(seat)
		}
	case combatRound:
		if len(p.attackers(f)) > 1 && len(p.inFight(f, f.enemies)) > 0 {
			return AskEngage, rules.SeatsOf(f.seat)
		}
	case combatAnswers:
		if len(p.inFight(f, f.enemies)) > 1 {
			return AskEngage, rules.SeatsOf(enemy(f.seat))
		}
	}
	return AskNothing, 0
}

// stepAirCombat goes on with an air combat: it is over when a side has nobody left, or only bracketed units are there (OCS 14.3e-D). An attacker without
// a unit that may attack changes places with the other side (OCS 14.3c).
func (p *Position) stepAirCombat(x *exec, f *frame) {
	copied := *f // what is emitted replaces the frame
	f = &copied
	own, foes := p.inFight(f, f.units), p.inFight(f, f.enemies)
	switch f.step {
	case combatStandsFirst, combatStandsSecond:
		p.goOn(x, f.stepped(f.step+1))
		return
	case combatAnswers:
		next := f.stepped(combatRolls)
		next.enemy = foes[0]
		p.chosen(x, next, enemy(f.seat), foes[0])
		return
	case combatRolls:
		p.airRound(x, f)
		return
	}
	switch {
	case len(own) == 0 || len(foes) == 0 || !slices.ContainsFunc(slices.Concat(own, foes), p.aggressive):
		p.endAirCombat(x, f)
	case len(p.attackers(f)) == 0:
		next := *f
		next.seat, next.units, next.enemies = enemy(f.seat), f.enemies, f.units
		p.goOn(x, next)
	default:
		next := f.stepped(combatAnswers)
		next.unit = p.attackers(f)[0]
		p.chosen(x, next, f.seat, next.unit)
	}
}

// chosen tells who fights the round.
func (p *Position) chosen(x *exec, next frame, seat rules.Seat, u Unit) {
	c := p.changed()
	c.frame(next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitChosen{AirUnitChosen: &ocsv1.AirUnitChosen{
		Seat: seatIDs[seat], At: p.sc.PlaceID(next.at), Unit: p.id(u),
	}}})
}

// checkEngage says why a unit may not fight the next round: the attacker's must have a rating without brackets (OCS 14.3e-B).
func (p *Position) checkEngage(seat rules.Seat, c *Command) *rules.Refusal {
	f := p.top()
	switch {
	case c.Unit == NoUnit || !slices.Contains(p.side(f, seat), c.Unit):
		return rules.Refuse("OCS 14.3e-B", "refuse.not-fighting", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case f.step == combatRound && !p.aggressive(c.Unit):
		return rules.Refuse("OCS 14.3a", "refuse.bracketed", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	}
	return nil
}

// playEngage chooses the unit of the round.
func (p *Position) playEngage(x *exec, seat rules.Seat, cmd *Command) {
	next := p.top().stepped(p.top().step + 1)
	if seat == next.seat {
		next.unit = cmd.Unit
	} else {
		next.enemy = cmd.Unit
	}
	p.chosen(x, next, seat, cmd.Unit)
}

func listEngage(l *lister) {
	for _, u := range l.p.side(l.p.top(), l.seat) {
		c := only(KindEngage)
		c.Unit = u
		l.checked(c)
	}
}

// airRound rolls a round: 2d6, the attacker's rating added, the defender's taken away (OCS 14.3e-C). There are no other modifiers (OCS 14.3b). The third
// die says whether what aborts loses a step too.
func (p *Position) airRound(x *exec, f *frame) {
	chart := p.sc.Charts.GetAir().GetCombat()
	roll := x.Roll(6, "air-combat") + x.Roll(6, "air-combat")
	die := x.Roll(6, "air-loss")
	total := int32(roll + p.airRating(f, f.unit) - p.airRating(f, f.enemy))
	first, second := total < chart.GetDefenderMin(), total > chart.GetAttackerMax()
	loss := die >= int(chart.GetLossMin())
	next := f.stepped(combatRound)
	next.unit, next.enemy = NoUnit, NoUnit
	c := p.changed()
	c.frame(next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirRound{AirRound: &ocsv1.AirRound{
		At: p.sc.PlaceID(f.at), Unit: p.id(f.unit), Enemy: p.id(f.enemy), Roll: uint32(roll), Total: total, AttackerAborts: first,
		DefenderAborts: second, Die: uint32(die), Loss: loss,
	}}})
	for _, o := range [...]struct {
		u      Unit
		aborts bool
	}{{f.unit, first}, {f.enemy, second}} {
		if o.aborts && loss {
			p.stepLost(x, o.u, 0)
		}
	}
	if second {
		p.abort(x, f, []Unit{f.enemy})
	}
	if first {
		p.abort(x, f, []Unit{f.unit})
	}
}

// airRating is the rating of an air unit in an air combat: what is printed (OCS 14.3b), one less for one that came from far (OCS 21.4-B).
func (p *Position) airRating(f *frame, u Unit) int {
	n := p.plane(u).Rating
	if !p.opt.longFlights {
		return n
	}
	if f.number(combatInterceptor) == int(u)+1 {
		if d, ok := p.airDistance(f.from, f.at); ok && p.farFrom(u, d) {
			n--
		}
	}
	for i := range p.frames {
		if m := &p.frames[i]; ocsv1.FrameKind(m.kind) == ocsv1.FrameKind_FRAME_KIND_MISSION && p.far(m, u) {
			n--
		}
	}
	return n
}

// stepLost takes a step of an air unit: the first turns it to its reduced side, the second puts it into the dead pile (OCS 14.1b), with all that it carries.
func (p *Position) stepLost(x *exec, u Unit, die int) {
	c := p.changed()
	destroyed := int(p.units[u].lost)+1 >= int(p.counter(u).Steps)
	if destroyed {
		p.sink(x, u)
	}
	c.lose(u, 1)
	if destroyed {
		c.unit(u).Aboard = new(string)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirStepLost{AirStepLost: &ocsv1.AirStepLost{
		Seat: seatIDs[p.units[u].seat], Unit: p.id(u), Destroyed: destroyed, Die: uint32(die),
	}}})
}

// abort sends units of one side out of an air combat (OCS 14.1c). An interceptor returns to where it came from (OCS 14.5-i); in a hex with an air base of
// their own others stay at it.
func (p *Position) abort(x *exec, f *frame, list []Unit) {
	var out []Unit
	for _, u := range list {
		switch {
		case p.spot(u) != f.at: // shot down
		case f.number(combatInterceptor) == int(u)+1:
			p.interceptorHome(x, f, false)
		case p.carrierOf(u) != NoUnit || p.ownBase(p.units[u].seat, f.at):
			p.returnCargo(x, u)
			p.stayInactive(x, u)
		default:
			out = append(out, u)
		}
	}
	if len(out) > 0 {
		for _, u := range out {
			p.returnCargo(x, u)
		}
		p.sendBack(x, p.units[out[0]].seat, f.at, out, func(Unit) ocsv1.Flight { return ocsv1.Flight_FLIGHT_UNSPECIFIED })
	}
}

// stayInactive makes a unit inactive where it is.
func (p *Position) stayInactive(x *exec, u Unit) {
	c := p.changed()
	c.mark(u, ocsv1.UnitMark_UNIT_MARK_INACTIVE)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitReturned{AirUnitReturned: &ocsv1.AirUnitReturned{
		Seat: seatIDs[p.units[u].seat], Unit: p.id(u), At: p.sc.PlaceID(p.spot(u)),
	}}})
}

// endAirCombat ends an air combat. An interceptor that is still there has won: it goes back to where it came from and stays active (OCS 14.5-ii).
func (p *Position) endAirCombat(x *exec, f *frame) {
	if n := f.number(combatInterceptor); n > 0 {
		if u := Unit(n - 1); int(u) < len(p.units) && p.spot(u) == f.at && p.active(u) {
			p.interceptorHome(x, f, true)
		}
	}
	c := p.changed()
	c.pop()
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirCombatEnded{AirCombatEnded: &ocsv1.AirCombatEnded{At: p.sc.PlaceID(f.at)}}})
}

// checkStandDown says why units may not abort now: before combat one of the side must stay and fight (OCS 14.2b, OCS 14.3d-A); after it mission units may
// (OCS 14.3d-C).
func (p *Position) checkStandDown(seat rules.Seat, c *Command) *rules.Refusal {
	f := p.top()
	fighting := ocsv1.FrameKind(f.kind) == ocsv1.FrameKind_FRAME_KIND_AIR_COMBAT
	list := p.missionUnits(f)
	if fighting {
		list = p.side(f, seat)
	}
	for i, u := range c.Units {
		if slices.Contains(c.Units[:i], u) || !slices.Contains(list, u) {
			return rules.Refuse("OCS 14.3d", "refuse.not-fighting", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	if fighting && len(c.Units) == len(list) {
		return rules.Refuse("OCS 14.3d-A", "refuse.one-stays").About(p.ids(c.Units)...)
	}
	return nil
}

// playStandDown aborts units, or none.
func (p *Position) playStandDown(x *exec, seat rules.Seat, cmd *Command) {
	f := *p.top()
	c := p.changed()
	c.frame(f.stepped(f.step + 1))
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitsAborted{AirUnitsAborted: &ocsv1.AirUnitsAborted{
		Seat: seatIDs[seat], At: p.sc.PlaceID(f.at), Units: p.ids(cmd.Units),
	}}})
	if len(cmd.Units) == 0 {
		return
	}
	if ocsv1.FrameKind(f.kind) == ocsv1.FrameKind_FRAME_KIND_AIR_COMBAT {
		p.abort(x, &f, cmd.Units)
		return
	}
	for _, u := range cmd.Units {
		p.returnCargo(x, u)
	}
	p.sendBack(x, seat, f.at, cmd.Units, func(Unit) ocsv1.Flight { return ocsv1.Flight_FLIGHT_UNSPECIFIED })
}

// listStandDown lists none, each alone, all, and all but each.
func listStandDown(l *lister) {
	f := l.p.top()
	list := l.p.missionUnits(f)
	if ocsv1.FrameKind(f.kind) == ocsv1.FrameKind_FRAME_KIND_AIR_COMBAT {
		list = l.p.side(f, l.seat)
	}
	offer := func(units []Unit) {
		c := only(KindStandDown)
		c.Units = units
		l.checked(c)
	}
	offer(nil)
	for i, u := range list {
		offer([]Unit{u})
		if len(list) > 2 {
			offer(append(slices.Clone(list[:i]), list[i+1:]...))
		}
	}
	if len(list) > 1 {
		offer(list)
	}
}
