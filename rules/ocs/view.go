package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// sight is how much of a unit a viewer sees.
type sight uint8

// The degrees.
const (
	unseen  sight = iota
	topOnly       // the top of a hidden stack: what it is and its mode, not its steps or stocks (OCS 4.9a)
	full
)

// sees says how much of a unit a viewer sees. It is the only place where that is decided (OCS 4.9): its owner sees all,
// everyone sees the top of each stack and the dead pile.
func (p *Position) sees(v rules.Viewer, u Unit) sight {
	s := &p.units[u]
	switch {
	case s.place == Gone:
		return unseen
	case v.Holds(s.seat) || s.place == Dead:
		return full
	case !p.counter(u).Kind.Land():
		return p.seesWing(u)
	case p.isBattery(u) && p.underFire(u):
		return topOnly
	case s.place.onMap() && p.topOf(s.seat, s.place) == u:
		return topOnly
	}
	return unseen
}

// seesGround reports whether a viewer knows how much supply of a seat lies in a hex: amounts are hidden from the enemy
// (OCS 12.1c).
func (p *Position) seesGround(v rules.Viewer, seat rules.Seat) bool { return v.Holds(seat) }

// view is the typed position as the viewer may see it.
func (p *Position) view(v rules.Viewer) *ocsv1.Position {
	m := &ocsv1.Position{
		Turn: uint32(p.turn), Segment: ocsv1.Segment(p.segment), Stage: ocsv1.Stage(p.stage),
		Phasing: seatID(p.phasing), First: seatID(p.first),
	}
	if p.turn > 0 {
		m.Ground, m.Flight, m.Sea = p.sc.Grounds[p.ground], flights[p.flight], p.seaID()
	}
	for u := range p.units {
		if s := p.sees(v, Unit(u)); s != unseen {
			m.Units = append(m.Units, p.viewUnit(Unit(u), s))
		}
	}
	for i := range p.cells {
		if h := p.viewHex(v, p.placeOf(i), &p.sc.tab.blank[i]); h != nil {
			m.Hexes = append(m.Hexes, h)
		}
	}
	for seat := range numSeats {
		for r, n := range p.registers[seat] {
			if n != 0 && v.Holds(seat) {
				m.Registers = append(m.Registers,
					&ocsv1.RegisterView{Register: ocsv1.Register(r), Seat: seatIDs[seat], Value: n})
			}
		}
		if len(p.limited[seat]) > 0 && v.Holds(seat) {
			m.LimitedOrders = append(m.LimitedOrders, p.ordersMessage(seat, p.limited[seat]))
		}
	}
	for _, f := range p.frames {
		m.Frames = append(m.Frames, p.viewFrame(v, f))
	}
	m.FormationMarkers = p.viewMarkers(v)
	return m
}

// viewUnit shows a unit with its state, which markers stand for (OCS 3.6). Of the top of a hidden stack the enemy sees
// the mode (OCS 3.6b), and of the supply markers only Out of Supply (OCS 3.6a). Internal stocks and step losses (OCS
// 3.6e) lie below the unit, hidden (OCS 4.8b-B). A hedgehog hides nothing of the unit under it (OCS 4.8b-F).
func (p *Position) viewUnit(u Unit, s sight) *ocsv1.UnitView {
	x := &p.units[u]
	m := &ocsv1.UnitView{
		Id: p.id(u), Counter: p.counter(u).ID, Seat: seatID(x.seat), Place: p.sc.PlaceID(x.place),
		Face:   ocsv1.Face(x.face),
		Marker: ocsv1.Marker(x.marker), TopOnly: s == topOnly,
	}
	if s == topOnly {
		m.Place = p.sc.PlaceID(p.seenAt(u, s))
		if !p.counter(u).Kind.Land() { // the side that is up is printed on it
			m.Lost, m.PointsT = uint32(x.lost), uint32(x.points)
		}
		if x.marks.has(ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) { // OCS 4.9a
			m.Marks = append(m.Marks, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY)
		}
		return m
	}
	m.Lost, m.Stocks, m.Fuel, m.SpentTwelfths = uint32(x.lost), ocsv1.Stocks(x.stocks), ocsv1.Fuel(x.fuel),
		uint32(x.spent)
	m.PointsT, m.LoadT, m.Origin, m.Returns = uint32(x.points), uint32(x.load), p.sc.PlaceID(x.origin),
		uint32(x.returns)
	m.Supplied, m.Aboard = ocsv1.Supplied(x.checked), p.id(x.aboard)
	if x.plan != Nowhere {
		m.Plan, m.PlanTurn = p.sc.PlaceID(x.plan), uint32(x.due)
	}
	for mark := ocsv1.UnitMark(1); mark < numUnitMarks; mark++ {
		if x.marks.has(mark) {
			m.Marks = append(m.Marks, mark)
		}
	}
	return m
}

func (p *Position) viewHex(v rules.Viewer, at Place, before *cell) *ocsv1.HexView {
	c, known := p.cell(at), *before
	for seat := range numSeats {
		if !p.seesGround(v, seat) && c.pieces[seat] > 0 { // a dump under other pieces does not show (OCS 4.9a)
			known.ground[seat] = c.ground[seat]
		}
	}
	if p.hexMessage(at, &known) == nil {
		return nil
	}
	m := &ocsv1.HexView{
		Id: p.sc.PlaceID(at), Owner: seatID(c.owner), Hedgehog: uint32(c.hedgehog), AirBase: uint32(c.base),
		PortHits: uint32(c.hits),
		Gauge:    uint32(c.gauge), Trainbusting: seatID(c.bust), LstPort: seatID(c.lst),
	}
	for seat := range numSeats {
		n := uint32(0)
		if p.seesGround(v, seat) {
			n = uint32(c.ground[seat])
		}
		m.GroundT = append(m.GroundT, n)
	}
	for mark := ocsv1.HexMark(1); mark < 16; mark++ {
		if c.marks.has(mark) {
			m.Marks = append(m.Marks, mark)
		}
	}
	return m
}

// viewFrame is a procedure as the viewer may see it: its owner sees all but the units of the other side, the other side
// only what it is and where, and its own units in it.
func (p *Position) viewFrame(v rules.Viewer, f frame) *ocsv1.Frame {
	m, seat := p.frameMessage(f), f.base().seat
	if !v.Holds(enemy(seat)) {
		m.Enemy, m.Enemies = "", nil
	}
	if v.Holds(seat) {
		return m
	}
	return &ocsv1.Frame{Kind: m.Kind, Seat: m.Seat, At: m.At, Enemy: m.Enemy, Enemies: m.Enemies}
}
