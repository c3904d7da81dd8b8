package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// DUKWs (OCS 18.4e): landing craft that become transport units on land, of a kind of their own, and back. What is left
// of their MP is three times as much on land.

// dukwTimes is how many times its MP at sea a DUKW has on land (OCS 18.4e).
const dukwTimes = 3

// checkGoAshore says why a DUKW may not come ashore: in the Movement Phase, from a hex where one may land, and all
// rolls on the table come before landed units move.
func (p *Position) checkGoAshore(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkShip(seat, c.Unit); r != nil {
		return r
	}
	at := p.units[c.Unit].place
	id := p.sc.PlaceID(at)
	switch {
	case p.craftKind(c.Unit) != dukw || p.counter(c.Unit).Ashore == noCounter:
		return rules.Refuse("OCS 18.4e", "refuse.no-dukw", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case p.segment != SegMovement:
		return rules.Refuse("OCS 18.5d", "refuse.landing-phase")
	case p.has(c.Unit, ocsv1.UnitMark_UNIT_MARK_DONE):
		return rules.Refuse("OCS 18.5a", "refuse.craft-done", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case at.Hex() == NoHex || !p.sc.Hexes[at].Land:
		return rules.Refuse("OCS 18.4e", "refuse.no-beach", "hex", id).At(id)
	case p.register(seat, ocsv1.Register_REGISTER_LANDING) >= landingMoved:
		return rules.Refuse("OCS 18.5f-D", "refuse.landed-moved")
	case p.anything(enemy(seat), at) || p.combatIn(enemy(seat), at): // a transport can't be there (OCS 4.8c-A)
		return rules.Refuse("OCS 18.5h-ii", "refuse.not-capable", "unit", p.unitName(c.Unit),
			"hex", id).About(p.id(c.Unit)).At(id)
	}
	if r := p.checkBeach(seat, at); r != nil {
		return r
	}
	for _, u := range p.passengers(c.Unit) {
		if r := p.mayLand(seat, u, at); r != nil && p.isCombat(u) {
			return r
		}
	}
	return nil
}

// playGoAshore rolls; the roll serves for the units aboard too (OCS 18.4e-A), which have to go ashore since a transport
// carries only supply (OCS 18.4e-C).
func (p *Position) playGoAshore(x *exec, seat rules.Seat, cmd *Command) {
	u := cmd.Unit
	at, cargo := p.units[u].place, p.passengers(u)
	c := p.changed()
	c.register(seat, ocsv1.Register_REGISTER_LANDING, landingRolled)
	p.halt(c, nil)
	tell(x, &event{Changes: c.list})
	fact := p.rollLanding(x, seat, at, cargo)
	lost, steps := 0, 0
	if fact.GetResult() != ocsv1.LandingResult_LANDING_RESULT_SUCCESS {
		lost = half41(int(p.units[u].points))
	}
	if fact.GetResult() == ocsv1.LandingResult_LANDING_RESULT_FAILURE {
		steps = half41(p.capacity(cargo))
	}
	fact.PointsT, fact.Steps = uint32(lost), uint32(steps)
	tell(x, &event{Fact: &ocsv1.Event_LandingRolled{LandingRolled: fact}})
	left := p.drown(x, cargo, steps)
	p.landUnits(x, seat, at, left, true)
	if lost > 0 {
		p.wreck(x, u, lost)
	}
	if p.units[u].place.onMap() {
		p.switchDUKW(x, u, p.counter(u).Ashore, true)
	}
	if len(left) > 0 {
		p.occupy(x, seat, left, []Place{at})
	}
}

// checkGoAfloat says why a DUKW may not go to sea: in the Movement Phase, from the coast, while it can move.
func (p *Position) checkGoAfloat(seat rules.Seat, c *Command) *rules.Refusal {
	u := c.Unit
	if u == NoUnit {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	at := p.units[u].place
	id := p.sc.PlaceID(at)
	switch {
	case p.dukwOf(u) == noCounter:
		return rules.Refuse("OCS 18.4e", "refuse.no-dukw", "unit", p.unitName(u)).About(p.id(u))
	case p.segment != SegMovement:
		return rules.Refuse("OCS 18.4e", "refuse.dukw-phase")
	case at.Hex() == NoHex || !p.sc.Hexes[at].Coastal:
		return rules.Refuse("OCS 18.4e", "refuse.no-coast", "hex", id).At(id)
	case p.register(seat, ocsv1.Register_REGISTER_LANDING) > 0:
		return rules.Refuse("OCS 18.5f", "refuse.after-rolls", "unit", p.unitName(u)).About(p.id(u))
	}
	return p.mayMove(u)
}

// dukwOf is the counter of the DUKW that a transport is on land, noCounter for any other.
func (p *Position) dukwOf(u Unit) uint16 {
	if p.counter(u).Transport < 0 {
		return noCounter
	}
	for i := p.sc.Fixed; i < len(p.sc.Counters); i++ {
		if k := &p.sc.Counters[i]; k.Craft == dukw && k.Ashore == p.units[u].counter {
			return uint16(i)
		}
	}
	return noCounter
}

func (p *Position) playGoAfloat(x *exec, _ rules.Seat, cmd *Command) {
	p.switchDUKW(x, cmd.Unit, p.dukwOf(cmd.Unit), false)
}

// switchDUKW makes a DUKW what it is on land or at sea. What is left of its MP is tripled, or divided by three (OCS
// 18.4e, Decision D69).
func (p *Position) switchDUKW(x *exec, u Unit, into uint16, ashore bool) {
	s := p.units[u]
	was, id := p.id(u), p.spareID(into)
	c := p.changed()
	c.eliminate(u)
	m := c.create(into, s.place)
	k := &p.sc.Counters[into]
	var ma, left Cost
	if ashore {
		ma, left = k.Faces[MoveFace].Movement, dukwTimes*(p.sailingMA(u)-s.spent)
	} else {
		ma, left = k.Ship.Sides[0].Movement/p.roughTimes(), (p.allowance(u)-s.spent)/dukwTimes
	}
	m.PointsT, m.LoadT, m.SpentTwelfths = proto.Uint32(uint32(s.points)), proto.Uint32(uint32(s.load)),
		proto.Uint32(uint32(max(0, ma-left)))
	m.Supplied = ocsv1.Supplied(s.checked)
	if s.load > 0 && ashore {
		m.Carried = ocsv1.Carriage_CARRIAGE_SEA.Enum()
	}
	if p.inMotion(u) {
		c.motion(slices.DeleteFunc(slices.Clone(p.motion), func(v Unit) bool { return v == u }))
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_DukwSwitched{DukwSwitched: &ocsv1.DukwSwitched{
		Seat: seatIDs[s.seat], Unit: was, Other: id, Ashore: ashore,
	}}})
}

func listGoAshore(l *lister) {
	for _, u := range l.p.navy(l.seat) {
		if l.acts(u) && l.p.craftKind(u) == dukw {
			c := only(KindGoAshore)
			c.Unit = u
			l.checked(c)
		}
	}
}

func listGoAfloat(l *lister) {
	if !l.p.sc.Sails {
		return
	}
	for u := range l.p.all(l.seat) {
		if l.acts(u) && l.p.dukwOf(u) != noCounter {
			c := only(KindGoAfloat)
			c.Unit = u
			l.checked(c)
		}
	}
}
