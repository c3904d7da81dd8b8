package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// abort sends units of one side out of an air combat (OCS 14.1c). An interceptor returns to where it came from (OCS
// 14.5-i); in a hex with an air base of their own others stay at it.
func (p *Position) abort(x *exec, f *airCombat, list []Unit) {
	var out []Unit
	for _, u := range list {
		switch {
		case p.spot(u) != f.at: // shot down
		case f.interceptor == u:
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
		p.sendBack(x, p.units[out[0]].seat, f.at, out,
			func(Unit) ocsv1.Flight { return ocsv1.Flight_FLIGHT_UNSPECIFIED })
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

// abortable are the units of a seat that may abort now, and whether they are in air combat.
func (p *Position) abortable(seat rules.Seat) (list []Unit, fighting bool) {
	if f := inner[*airCombat](p); f != nil {
		return p.side(f, seat), true
	}
	return p.missionUnits(inner[*mission](p)), false
}

// checkStandDown says why units may not abort now: before combat one of the side must stay and fight (OCS 14.2b, OCS
// 14.3d-A); after it mission units may (OCS 14.3d-C).
func (p *Position) checkStandDown(seat rules.Seat, c *Command) *rules.Refusal {
	list, fighting := p.abortable(seat)
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
	at, fight, next := p.top().base().at, inner[*airCombat](p), p.stoodDown()
	c := p.changed()
	c.frame(next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitsAborted{AirUnitsAborted: &ocsv1.AirUnitsAborted{
		Seat: seatIDs[seat], At: p.sc.PlaceID(at), Units: p.ids(cmd.Units),
	}}})
	if len(cmd.Units) == 0 {
		return
	}
	if fight != nil {
		p.abort(x, fight, cmd.Units)
		return
	}
	for _, u := range cmd.Units {
		p.returnCargo(x, u)
	}
	p.sendBack(x, seat, at, cmd.Units, func(Unit) ocsv1.Flight { return ocsv1.Flight_FLIGHT_UNSPECIFIED })
}

// stoodDown is the air combat or mission after its question who aborts.
func (p *Position) stoodDown() frame {
	if f := inner[*airCombat](p); f != nil {
		if f.step == combatStandsFirst {
			return f.stepped(combatStandsSecond)
		}
		return f.stepped(combatRound)
	}
	f := inner[*mission](p)
	if f.step == missionStands {
		return f.stepped(missionIntercepted)
	}
	return f.stepped(missionFlak)
}

// listStandDown lists none, each alone, all, and all but each.
func listStandDown(l *lister) {
	list, _ := l.p.abortable(l.seat)
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
