package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// airCombatStep is a step of air combat (OCS 14.3e).
type airCombatStep uint8

// The steps, by the numbers of the notation.
const (
	combatStandsFirst  airCombatStep = iota // asks the attacker who aborts (OCS 14.3d-A)
	combatStandsSecond                      // asks the defender
	combatRound                             // asks the attacker who fights (OCS 14.3e-B)
	combatAnswers                           // asks the defender
	combatRolls                             // OCS 14.3e-C
)

// airCombat is an air combat (OCS 14.3) of the attacker. Whoever has aborted or was shot down stays in the lists and
// does not count any more.
type airCombat struct {
	head
	step        airCombatStep
	attackers   []Unit
	defenders   []Unit
	attacker    Unit // that fights the round
	defender    Unit // that fights the round
	interceptor Unit // NoUnit if it is no interception
	from        Place
	carrier     Unit // that the interceptor came from, NoUnit for an air base
}

func (*airCombat) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_AIR_COMBAT }

func (f *airCombat) wire(w *framing) {
	wireStep(w, &f.step)
	w.from(&f.from)
	w.unit(&f.attacker)
	w.enemy(&f.defender)
	w.units(&f.attackers)
	w.enemies(&f.defenders)
	w.counted(&f.interceptor)
	w.counted(&f.carrier)
}

func (f *airCombat) stepped(to airCombatStep) *airCombat {
	next := *f
	next.step = to
	return &next
}

// joinCombat begins air combat if active air units of both sides are in the mission hex, one of them is a fighter and
// one could attack (OCS 14.3, OCS 14.3a). All that are there take part, with a mission or not.
func (p *Position) joinCombat(x *exec, f *mission) bool {
	own, foes := p.activeIn(f.seat, f.at, true), p.activeIn(enemy(f.seat), f.at, true)
	if len(own) == 0 || len(foes) == 0 {
		return false
	}
	all := slices.Concat(own, foes)
	if !slices.ContainsFunc(all, func(u Unit) bool { return p.is(u, fighter) }) ||
		!slices.ContainsFunc(all, p.aggressive) {
		return false // when all are bracketed they ignore each other
	}
	p.goOn(x, f.stepped(missionStands))
	g := newFrame[airCombat](f.seat, f.at)
	g.attackers, g.defenders = own, foes
	p.fightAir(x, g)
	return true
}

// aggressive reports whether an air unit has a rating without brackets: only such a unit attacks (OCS 14.3a).
func (p *Position) aggressive(u Unit) bool { return !p.plane(u).Bracketed }

// fightAir begins an air combat. Both sides show what they have there (OCS 4.9d, OCS 14.3e-A).
func (p *Position) fightAir(x *exec, g *airCombat) {
	x.Reveal()
	c := p.changed()
	c.push(g)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirCombatJoined{AirCombatJoined: &ocsv1.AirCombatJoined{
		Seat: seatIDs[g.seat], At: p.sc.PlaceID(g.at), Units: p.ids(g.attackers), Enemies: p.ids(g.defenders),
	}}})
}

// inFight are the units of a list that still fight in an air combat.
func (p *Position) inFight(f *airCombat, list []Unit) (left []Unit) {
	for _, u := range list {
		if p.spot(u) == f.at && p.active(u) {
			left = append(left, u)
		}
	}
	return left
}

// side are the units of a seat that still fight in an air combat.
func (p *Position) side(f *airCombat, seat rules.Seat) []Unit {
	if seat == f.seat {
		return p.inFight(f, f.attackers)
	}
	return p.inFight(f, f.defenders)
}

// attackers are those of the attacker's units that may attack.
func (p *Position) attackers(f *airCombat) (list []Unit) {
	for _, u := range p.inFight(f, f.attackers) {
		if p.aggressive(u) {
			list = append(list, u)
		}
	}
	return list
}

// asks asks where there is something to choose. Whoever aborts is asked before combat alone: once it has begun
// nobody may (OCS 14.3d-B).
func (f *airCombat) asks(p *Position) (Ask, rules.Seats) {
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
		if len(p.attackers(f)) > 1 && len(p.inFight(f, f.defenders)) > 0 {
			return AskEngage, rules.SeatsOf(f.seat)
		}
	case combatAnswers:
		if len(p.inFight(f, f.defenders)) > 1 {
			return AskEngage, rules.SeatsOf(enemy(f.seat))
		}
	}
	return AskNothing, 0
}

// proceed goes on with an air combat: it is over when a side has nobody left, or only bracketed units are there (OCS
// 14.3e-D). An attacker without a unit that may attack changes places with the other side (OCS 14.3c).
func (f *airCombat) proceed(p *Position, x *exec) {
	own, foes := p.inFight(f, f.attackers), p.inFight(f, f.defenders)
	switch f.step {
	case combatStandsFirst:
		p.goOn(x, f.stepped(combatStandsSecond))
		return
	case combatStandsSecond:
		p.goOn(x, f.stepped(combatRound))
		return
	case combatAnswers:
		next := f.stepped(combatRolls)
		next.defender = foes[0]
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
		next.seat, next.attackers, next.defenders = enemy(f.seat), f.defenders, f.attackers
		p.goOn(x, &next)
	default:
		next := f.stepped(combatAnswers)
		next.attacker = p.attackers(f)[0]
		p.chosen(x, next, f.seat, next.attacker)
	}
}

// chosen tells who fights the round.
func (p *Position) chosen(x *exec, next *airCombat, seat rules.Seat, u Unit) {
	c := p.changed()
	c.frame(next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitChosen{AirUnitChosen: &ocsv1.AirUnitChosen{
		Seat: seatIDs[seat], At: p.sc.PlaceID(next.at), Unit: p.id(u),
	}}})
}

// checkEngage says why a unit may not fight the next round: the attacker's must have a rating without brackets (OCS
// 14.3e-B).
func (p *Position) checkEngage(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*airCombat](p)
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
	next := inner[*airCombat](p).stepped(combatAnswers)
	if seat == next.seat {
		next.attacker = cmd.Unit
	} else {
		next.step, next.defender = combatRolls, cmd.Unit
	}
	p.chosen(x, next, seat, cmd.Unit)
}

func listEngage(l *lister) {
	for _, u := range l.p.side(inner[*airCombat](l.p), l.seat) {
		c := only(KindEngage)
		c.Unit = u
		l.checked(c)
	}
}

// airRound rolls a round: 2d6, the attacker's rating added, the defender's taken away (OCS 14.3e-C). There are no other
// modifiers (OCS 14.3b). The third die says whether what aborts loses a step too.
func (p *Position) airRound(x *exec, f *airCombat) {
	chart := p.sc.Charts.GetAir().GetCombat()
	roll := x.Roll(6, "air-combat") + x.Roll(6, "air-combat")
	die := x.Roll(6, "air-loss")
	total := int32(roll + p.airRating(f, f.attacker) - p.airRating(f, f.defender))
	first, second := total < chart.GetDefenderMin(), total > chart.GetAttackerMax()
	loss := die >= int(chart.GetLossMin())
	next := f.stepped(combatRound)
	next.attacker, next.defender = NoUnit, NoUnit
	c := p.changed()
	c.frame(next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirRound{AirRound: &ocsv1.AirRound{
		At: p.sc.PlaceID(f.at), Unit: p.id(f.attacker), Enemy: p.id(f.defender), Roll: uint32(roll), Total: total,
		AttackerAborts: first,
		DefenderAborts: second, Die: uint32(die), Loss: loss,
	}}})
	for _, o := range [...]struct {
		u      Unit
		aborts bool
	}{{f.attacker, first}, {f.defender, second}} {
		if o.aborts && loss {
			p.stepLost(x, o.u, 0)
		}
	}
	if second {
		p.abort(x, f, []Unit{f.defender})
	}
	if first {
		p.abort(x, f, []Unit{f.attacker})
	}
}

// airRating is the rating of an air unit in an air combat: what is printed (OCS 14.3b), one less for one that came from
// far (OCS 21.4-B).
func (p *Position) airRating(f *airCombat, u Unit) int {
	n := p.plane(u).Rating
	if !p.opt.longFlights {
		return n
	}
	if f.interceptor == u {
		if d, ok := p.airDistance(f.from, f.at); ok && p.farFrom(u, d) {
			n--
		}
	}
	for _, m := range p.frames {
		if m, ok := m.(*mission); ok && p.far(m, u) {
			n--
		}
	}
	return n
}

// stepLost takes a step of an air unit: the first turns it to its reduced side, the second puts it into the dead pile
// (OCS 14.1b), with all that it carries.
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

// endAirCombat ends an air combat. An interceptor that is still there has won: it goes back to where it came from and
// stays active (OCS 14.5-ii).
func (p *Position) endAirCombat(x *exec, f *airCombat) {
	if u := f.interceptor; u != NoUnit && p.spot(u) == f.at && p.active(u) {
		p.interceptorHome(x, f, true)
	}
	c := p.changed()
	c.pop()
	tell(x,
		&event{Changes: c.list,
			Fact: &ocsv1.Event_AirCombatEnded{AirCombatEnded: &ocsv1.AirCombatEnded{At: p.sc.PlaceID(f.at)}}})
}
