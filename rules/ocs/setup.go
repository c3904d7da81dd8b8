package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// setUp puts the pieces of the scenario down (OCS Intro-IV) and begins the set-up of the side that goes first. Units
// are at full strength unless the scenario says otherwise (OCS Intro-IV-G), unfuelled (OCS Intro-IV-J) and in Combat
// mode until their owner says otherwise (OCS Intro-IV-B).
func (p *Position) setUp(x *exec) {
	c := p.changed()
	for _, s := range p.sc.Doc.GetSetup() {
		at, _ := p.sc.PlaceByID(s.GetAt())
		for _, id := range s.GetUnits() {
			if u := p.sc.kinds[id]; int(u) < p.sc.Fixed {
				p.setUpUnit(c, Unit(u), at, s)
			}
		}
		for _, id := range slices.Concat(s.GetAir(), s.GetShips()) { // OCS Intro-IV-F: active
			u := Unit(p.sc.kinds[id])
			p.setUpUnit(c, u, at, s)
			if on := p.sc.homeOf(u); on != NoUnit { // OCS 18.2a
				m := c.unit(u)
				m.Place, m.Aboard = proto.String(p.sc.PlaceID(Aboard)), proto.String(p.id(on))
			}
		}
		for _, o := range s.GetOrganic() {
			u := Unit(p.sc.kinds[o.GetId()])
			c.move(u, at)
			c.unit(u).LoadT, c.unit(u).PointsT = proto.Uint32(o.GetLoadT()), proto.Uint32(uint32(p.organicSize(u)))
		}
		p.setUpWorks(c, at, s)
	}
	for seat := range numSeats {
		for _, d := range p.sc.Seats[seat].Doc.GetDropPlans() { // OCS 14.10b
			m := c.unit(Unit(p.sc.kinds[d.GetUnit()]))
			m.Plan, m.PlanTurn = proto.String(d.GetHex()), proto.Uint32(d.GetTurn())
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_GameSetUp{GameSetUp: &ocsv1.GameSetUp{}}})
	for _, s := range p.sc.Doc.GetSetup() {
		p.setUpPieces(x, s)
	}
	p.begin(x, 0, SegSetupFirst, rules.NoSeat)
}

func (p *Position) setUpUnit(c *changes, u Unit, at Place, s *ocsv1.Stack) {
	c.move(u, at)
	for _, st := range s.GetStates() {
		if st.GetUnit() != p.sc.Counters[u].ID {
			continue
		}
		m := c.unit(u)
		m.Face, m.Marker, m.Stocks, m.Fuel, m.Lost = st.GetFace(), st.GetMarker(), st.GetStocks(), st.GetFuel(),
			proto.Uint32(st.GetLost())
		if st.GetOutOfSupply() {
			m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY)
		}
		if st.GetHadZoc() {
			m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_HAD_ZOC)
		}
	}
}

func (p *Position) setUpWorks(c *changes, at Place, s *ocsv1.Stack) {
	m := c.hex(at)
	if s.GetHedgehog() > 0 {
		m.Hedgehog = proto.Uint32(s.GetHedgehog())
	}
	if s.GetAirBase() > 0 {
		m.AirBase = proto.Uint32(s.GetAirBase())
	}
	if s.GetPortHits() > 0 {
		m.PortHits = proto.Uint32(s.GetPortHits())
	}
	if s.GetDumpT() > 0 {
		c.ground(at, p.seatOf(s.GetSeat()), int(p.faster(s.GetDumpT())))
	}
}

// setUpCargo puts units aboard the ships and landing craft of a stack.
func (p *Position) setUpCargo(x *exec, s *ocsv1.Stack) {
	at, seat := p.sc.names[s.GetAt()], p.seatOf(s.GetSeat())
	c := p.changed()
	room := map[Unit]int{}
	for on := range p.wing(ShipUnit, seat, at) {
		room[on] = int(p.counter(on).Ship.Lift) * oneToken
		if p.counter(on).Craft != noCraft {
			room[on] = int(p.units[on].points) * oneToken
		}
	}
	for _, cargo := range s.GetCargo() {
		u := Unit(p.sc.kinds[cargo.GetUnit()])
		for on := range p.wing(ShipUnit, seat, at) {
			if p.counter(on).ID != cargo.GetOn() || room[on] < p.freight(u) {
				continue
			}
			room[on] -= p.freight(u)
			c.move(u, Aboard)
			c.unit(u).Aboard = proto.String(p.id(on))
			break
		}
	}
	if len(c.list) > 0 {
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_GameSetUp{GameSetUp: &ocsv1.GameSetUp{}}})
	}
}

// seatOf is the seat of an id that was checked.
func (p *Position) seatOf(id string) rules.Seat {
	if id == seatIDs[Red] {
		return Red
	}
	return Blue
}

// setUpPieces makes pieces that there may be several of, one event each.
func (p *Position) setUpPieces(x *exec, s *ocsv1.Stack) {
	at, seat := p.sc.names[s.GetAt()], p.seatOf(s.GetSeat())
	put := func(counter uint16, fill func(*ocsv1.UnitChange)) {
		c := p.changed()
		fill(c.create(counter, at))
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_GameSetUp{GameSetUp: &ocsv1.GameSetUp{}}})
	}
	for _, id := range s.GetUnits() {
		if n := p.sc.kinds[id]; int(n) >= p.sc.Fixed {
			put(n, func(*ocsv1.UnitChange) {})
		}
	}
	for _, t := range s.GetTransports() {
		put(p.sc.kinds[t.GetKind()+"-"+seatIDs[seat]], func(m *ocsv1.UnitChange) {
			m.PointsT, m.LoadT = proto.Uint32(p.faster(t.GetPointsT())), proto.Uint32(p.faster(t.GetLoadT()))
			if t.GetExtender() {
				m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_EXTENDER)
			}
		})
	}
	for _, t := range s.GetCraft() {
		p.setUpCraft(x, at, t)
	}
	p.setUpCargo(x, s)
	for range s.GetPax() {
		put(p.sc.tab.pax[seat], func(*ocsv1.UnitChange) {})
	}
	for range s.GetEq() {
		put(p.sc.tab.eq[seat], func(*ocsv1.UnitChange) {})
	}
}
