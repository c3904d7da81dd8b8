package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Interception (OCS 14.5): the enemy may send one fighter against a mission that meets flak, out of a patrol zone over
// the mission hex.

// interceptable reports whether a mission may be intercepted: every one that may meet flak, for an interceptor stands
// only where a patrol zone is (OCS 14.4a, OCS 14.5). In a simultaneous turn nobody intercepts (OCS 2.4-3).
func (p *Position) interceptable(f *mission) bool {
	return (f.info().flak || f.info().zoned) && !p.together
}

// interceptors are the fighters that may intercept a mission: active, with a patrol zone over its hex, without a
// mission in this phase (OCS 14.2e-i), and not in the hex itself. Neither weather nor the printed range matters.
func (p *Position) interceptors(f *mission) (list []Unit) {
	for u := range p.aloft(enemy(f.seat)) {
		if p.spot(u) != f.at && p.patrols(u, f.at) && !p.has(u, ocsv1.UnitMark_UNIT_MARK_FLOWN) {
			list = append(list, u)
		}
	}
	return list
}

// checkIntercept says why a unit may not intercept. None always may (OCS 14.5).
func (p *Position) checkIntercept(seat rules.Seat, c *Command) *rules.Refusal {
	f, u := inner[*mission](p), c.Unit
	if u == NoUnit || slices.Contains(p.interceptors(f), u) {
		return nil
	}
	refuse := func(rule, key string) *rules.Refusal {
		return rules.Refuse(rule, key, "unit", p.unitName(u),
			"hex", p.sc.PlaceID(f.at)).About(p.id(u)).At(p.sc.PlaceID(f.at))
	}
	switch {
	case p.units[u].seat != seat || !p.isPlane(u) || !p.spot(u).onMap():
		return refuse("OCS 14.5", "refuse.no-plane")
	case !p.is(u, fighter):
		return refuse("OCS 14.1-1", "refuse.no-fighter")
	case p.has(u, ocsv1.UnitMark_UNIT_MARK_FLOWN):
		return refuse("OCS 14.2e-i", "refuse.has-flown")
	}
	return refuse("OCS 14.5", "refuse.no-zone-over")
}

// playIntercept answers: with a fighter, which attacks all active air units of the other side in the hex, with a
// mission or not (OCS 14.3c, OCS 14.4d); or not.
func (p *Position) playIntercept(x *exec, seat rules.Seat, cmd *Command) {
	f, u := inner[*mission](p), cmd.Unit
	c := p.changed()
	fact := &ocsv1.Intercepted{Seat: seatIDs[seat], At: p.sc.PlaceID(f.at), Unit: p.id(u)}
	if u == NoUnit {
		c.frame(f.stepped(missionFlak))
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Intercepted{Intercepted: fact}})
		return
	}
	g := newFrame[airCombat](seat, f.at)
	g.from, g.attackers, g.defenders = p.spot(u), []Unit{u}, p.activeIn(f.seat, f.at, true)
	g.interceptor = u
	if g.carrier = p.carrierOf(u); g.carrier != NoUnit {
		c.unit(u).Aboard = proto.String("")
	}
	c.frame(f.stepped(missionStandsAgain))
	c.mark(u, ocsv1.UnitMark_UNIT_MARK_FLOWN)
	c.move(u, f.at)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Intercepted{Intercepted: fact}})
	p.fightAir(x, g)
}

// interceptorHome brings the interceptor of an air combat back to where it came from, even if the hex has an air base
// of its side (OCS 14.5-i): inactive if it was aborted, active if it won (OCS 14.5-ii).
func (p *Position) interceptorHome(x *exec, f *airCombat, won bool) {
	u := f.interceptor
	if f.carrier == NoUnit {
		p.land(x, u, f.from, won)
		return
	}
	c := p.changed()
	c.move(u, Aboard)
	c.unit(u).Aboard = proto.String(p.id(f.carrier))
	if !won {
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_INACTIVE)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitReturned{AirUnitReturned: &ocsv1.AirUnitReturned{
		Seat: seatIDs[f.seat], Unit: p.id(u), At: p.sc.PlaceID(f.from), Active: won,
	}}})
}

func listIntercept(l *lister) {
	l.checked(only(KindIntercept))
	for _, u := range l.p.interceptors(inner[*mission](l.p)) {
		c := only(KindIntercept)
		c.Unit = u
		l.checked(c)
	}
}
