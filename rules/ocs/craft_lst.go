package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// LSTs that become ports (OCS 18.4f): at the end of a friendly phase, by a roll on the Amphibious Landing Table
// that serves for unloading too. An LST port is a mark of the hex; the piece is gone, since it never moves or
// changes back (OCS 18.4f-C).

// checkMakePort says why an LST may not become a port.
func (p *Position) checkMakePort(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkShip(seat, c.Unit); r != nil {
		return r
	}
	at := p.units[c.Unit].place
	id, h := p.sc.PlaceID(at), at.Hex()
	switch {
	case p.craftKind(c.Unit) != lst:
		return rules.Refuse("OCS 18.4f", "refuse.no-lst", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case !p.endsPhase():
		return rules.Refuse("OCS 18.4f", "refuse.phase-end")
	case h == NoHex || !p.sc.Hexes[h].Coastal || p.combatIn(enemy(seat), at):
		return rules.Refuse("OCS 18.4f", "refuse.no-beach", "hex", id).At(id)
	case p.sc.Hexes[h].Port > 0 || p.cell(at).lst < numSeats:
		return rules.Refuse("OCS 18.4f-F", "refuse.has-port", "hex", id).At(id)
	}
	if r := p.checkBeach(seat, at); r != nil {
		return r
	}
	for _, u := range p.passengers(c.Unit) {
		switch {
		case p.isCombat(u) && p.segment.afterSupply(): // Decision D70
			return rules.Refuse("OCS 18.5d", "refuse.landing-phase").About(p.id(u))
		case p.isCombat(u) && p.mode(u) != CombatMode && p.mode(u) != MoveMode:
			return rules.Refuse("OCS 18.5c", "refuse.landing-mode", "unit", p.unitName(u)).About(p.id(u))
		case p.anything(enemy(seat), at) && !p.attackCapable(u):
			return rules.Refuse("OCS 18.5h-ii", "refuse.not-capable", "unit", p.unitName(u),
				"hex", id).About(p.id(u)).At(id)
		}
	}
	return nil
}

// playMakePort rolls. All that is aboard goes ashore before (OCS 18.4f), and moves no further (Decision D71). The LST
// is a port if it comes through undamaged.
func (p *Position) playMakePort(x *exec, seat rules.Seat, cmd *Command) {
	u := cmd.Unit
	at, cargo := p.units[u].place, p.passengers(u)
	fighting := slices.DeleteFunc(slices.Clone(cargo), func(v Unit) bool { return !p.isCombat(v) })
	fact := p.rollLanding(x, seat, at, fighting)
	lost, steps := 0, 0
	if fact.GetResult() != ocsv1.LandingResult_LANDING_RESULT_SUCCESS {
		lost = half41(int(p.units[u].points))
	}
	if fact.GetResult() == ocsv1.LandingResult_LANDING_RESULT_FAILURE {
		steps = half41(p.capacity(fighting))
	}
	fact.PointsT, fact.Steps = uint32(lost), uint32(steps)
	tell(x, &event{Fact: &ocsv1.Event_LandingRolled{LandingRolled: fact}})
	p.drown(x, fighting, steps)
	p.emptyOut(x, seat, u, at)
	if lost > 0 {
		if p.wreck(x, u, lost) {
			p.degrade(x, u)
		}
	} else {
		c := p.changed()
		c.eliminate(u)
		c.hex(at).LstPort = proto.String(seatIDs[seat])
		tell(x, &event{Changes: c.list,
			Fact: &ocsv1.Event_LstPortMade{LstPortMade: &ocsv1.LstPortMade{Seat: seatIDs[seat], At: p.sc.PlaceID(at)}}})
	}
	var landed []Unit
	for _, v := range cargo {
		if p.units[v].place == at {
			landed = append(landed, v)
		}
	}
	if len(landed) > 0 {
		p.occupy(x, seat, landed, []Place{at})
	}
}

// emptyOut puts all that is aboard on land.
func (p *Position) emptyOut(x *exec, seat rules.Seat, u Unit, at Place) {
	list, load := p.passengers(u), int(p.units[u].load)
	if len(list) == 0 && load == 0 {
		return
	}
	c := p.changed()
	p.debark(c, list, at)
	for _, v := range list {
		m := c.unit(v)
		m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_DONE)
		if p.isCombat(v) { // Decision D73
			m.Fuel = ocsv1.Fuel_FUEL_LASTING
			if p.counter(v).HQ {
				m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_LANDED_FUEL)
			}
		}
	}
	if load > 0 {
		c.unit(u).LoadT = proto.Uint32(0)
		p.putAshore(c, seat, at, load)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsLanded{
		UnitsLanded: &ocsv1.UnitsLanded{Seat: seatIDs[seat], Units: p.ids(list), At: p.sc.PlaceID(at)},
	}})
}

// takeLSTPort removes an LST port whose hex an attack-capable enemy unit has entered; it is never
// captured (OCS 18.4f-B).
func (p *Position) takeLSTPort(x *exec, captor rules.Seat, at Place) {
	if owner := enemy(captor); at.Hex() != NoHex && p.cell(at).lst == owner && p.attackCapableIn(captor, at) {
		c := p.changed()
		c.hex(at).LstPort = proto.String("")
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_LstPortLost{
			LstPortLost: &ocsv1.LstPortLost{Seat: seatIDs[owner], At: p.sc.PlaceID(at)},
		}})
	}
}

func listMakePort(l *lister) {
	for _, u := range l.p.navy(l.seat) {
		if l.acts(u) && l.p.craftKind(u) == lst {
			c := only(KindMakePort)
			c.Unit = u
			l.checked(c)
		}
	}
}
