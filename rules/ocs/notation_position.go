package ocs

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// A position is written as the changes that lead to it from the position before the first event, one a line, and read
// by folding them. So there is one way to change a position, and what can be played can be written.

// format writes the position.
func (p *Position) format() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ocs 1 %s\n", p.sc.ScenarioID())
	if o := p.opt.format(); o != "" {
		fmt.Fprintf(&b, "options %s\n", o)
	}
	line := func(word string, m proto.Message) {
		b.WriteString(word)
		b.WriteByte(' ')
		writeFields(&b, m.ProtoReflect(), " ")
		b.WriteByte('\n')
	}
	line("clock", p.clockMessage())
	if p.turn > 0 {
		line("weather", &ocsv1.WeatherChange{Ground: p.sc.Grounds[p.ground], Flight: flights[p.flight], Sea: p.seaID()})
	}
	for seat := range numSeats {
		for r, n := range p.registers[seat] {
			if n != 0 {
				line("register", &ocsv1.RegisterChange{Register: ocsv1.Register(r), Seat: seatIDs[seat], Value: n})
			}
		}
	}
	for i := range p.cells {
		if m := p.hexMessage(p.placeOf(i), &p.sc.tab.blank[i]); m != nil {
			line("hex", m)
		}
	}
	for u := range p.units {
		if m := p.unitMessage(Unit(u)); m != nil && !p.untold(Unit(u)) {
			line("unit", m)
		}
	}
	for _, t := range p.taint {
		line("taint",
			&ocsv1.TaintChange{Hex: p.sc.PlaceID(t.at), Seat: seatIDs[t.seat], Carriage: ocsv1.Carriage(t.carriage),
				Tokens: uint32(t.tokens)})
	}
	for seat := range numSeats {
		if len(p.limited[seat]) > 0 {
			line("orders", p.ordersMessage(seat, p.limited[seat]))
		}
	}
	for i := range p.frames {
		line("frame", p.frameMessage(p.frames[i]))
	}
	if len(p.motion) > 0 {
		line("motion", &ocsv1.Motion{Units: p.ids(p.motion)})
	}
	if p.level > 0 {
		line("outcome", &ocsv1.Outcome{Winner: seatID(p.winner), Level: uint32(p.level), Points: p.points})
	}
	return b.String()
}

// placeOf is the place of a cell.
func (p *Position) placeOf(i int) Place {
	if i < len(p.sc.Hexes) {
		return Place(i)
	}
	return boxes + Place(i-len(p.sc.Hexes))
}

// cellIndex is the index of the cell of a hex or box.
func (p *Position) cellIndex(at Place) int {
	if at < boxes {
		return int(at)
	}
	return len(p.sc.Hexes) + int(at-boxes)
}

func (p *Position) seaID() string {
	if p.rough {
		return "rough"
	}
	return "calm"
}

func (p *Position) clockMessage() *ocsv1.ClockChange {
	m := &ocsv1.ClockChange{Turn: proto.Uint32(uint32(p.turn)), Segment: ocsv1.Segment(p.segment)}
	if p.stage != opening {
		m.Stage = ocsv1.Stage(p.stage).Enum()
	}
	if p.step > 0 {
		m.Step = proto.Uint32(uint32(p.step))
	}
	for _, s := range []struct {
		seat rules.Seat
		to   **string
	}{{p.phasing, &m.Phasing}, {p.first, &m.First}, {p.chooser, &m.Chooser}} {
		if s.seat < numSeats {
			*s.to = proto.String(seatIDs[s.seat])
		}
	}
	for seat := range p.ended.Each {
		m.Ended = append(m.Ended, seatIDs[seat])
	}
	if p.together {
		m.Simultaneous = proto.Bool(true)
	}
	return m
}

// hexMessage is what is otherwise of a hex than before the first event; nil if nothing is.
func (p *Position) hexMessage(at Place, before *cell) *ocsv1.HexChange {
	c := p.cell(at)
	m := &ocsv1.HexChange{Hex: p.sc.PlaceID(at)}
	same := true
	for _, n := range []struct {
		was, is uint32
		to      **uint32
	}{
		{uint32(before.hedgehog), uint32(c.hedgehog), &m.Hedgehog}, {uint32(before.base), uint32(c.base), &m.AirBase},
		{uint32(before.hits), uint32(c.hits), &m.PortHits}, {uint32(before.gauge), uint32(c.gauge), &m.Gauge},
		{uint32(before.ground[Blue]), uint32(c.ground[Blue]), &m.BlueT},
		{uint32(before.ground[Red]), uint32(c.ground[Red]), &m.RedT},
	} {
		if n.was != n.is {
			*n.to, same = proto.Uint32(n.is), false
		}
	}
	if c.owner != before.owner {
		m.Owner, same = proto.String(seatID(c.owner)), false
	}
	if c.handled > 0 {
		m.Handled, same = proto.Uint32(uint32(c.handled)), false
	}
	if c.flown > 0 {
		m.FlownIn, same = proto.Uint32(uint32(c.flown)), false
	}
	if c.shipped > 0 {
		m.PortHandled, same = proto.Uint32(uint32(c.shipped)), false
	}
	if c.lst < numSeats {
		m.LstPort, same = proto.String(seatIDs[c.lst]), false
	}
	if c.bust < numSeats {
		m.Trainbusting, same = proto.String(seatIDs[c.bust]), false
	}
	for mark := ocsv1.HexMark(1); mark < 16; mark++ {
		if c.marks.has(mark) {
			m.Set, same = append(m.Set, mark), false
		}
	}
	if same {
		return nil
	}
	return m
}

// unitMessage is what is otherwise of a unit than before it arrived; nil if nothing is. Pieces that there may be
// several of are always written, since their order is their number.
func (p *Position) unitMessage(u Unit) *ocsv1.UnitChange {
	s := p.units[u]
	was := freshUnit(p.sc, s.counter)
	s.next = was.next
	if s == was && int(u) < p.sc.Fixed {
		return nil
	}
	m := &ocsv1.UnitChange{Unit: p.id(u), Place: proto.String(p.sc.PlaceID(s.place))}
	if s.origin != s.place && s.origin != Nowhere {
		m.Origin = proto.String(p.sc.PlaceID(s.origin))
	} else if s.origin == Nowhere {
		m.Origin = proto.String("")
	}
	if s.face != was.face {
		m.Face = ocsv1.Face(s.face)
	}
	if s.marker != was.marker {
		m.Marker = ocsv1.Marker(s.marker)
	}
	if s.stocks != was.stocks {
		m.Stocks = ocsv1.Stocks(s.stocks)
	}
	if s.fuel != was.fuel {
		m.Fuel = ocsv1.Fuel(s.fuel)
	}
	m.Supplied = ocsv1.Supplied(s.checked)
	if s.aboard != NoUnit {
		m.Aboard = proto.String(p.id(s.aboard))
	}
	if s.plan != Nowhere {
		m.Plan, m.PlanTurn = proto.String(p.sc.PlaceID(s.plan)), proto.Uint32(uint32(s.due))
	}
	if s.carried != 0 {
		m.Carried = ocsv1.Carriage(s.carried).Enum()
	}
	for _, n := range []struct {
		was, is uint32
		to      **uint32
	}{
		{uint32(was.lost), uint32(s.lost), &m.Lost}, {uint32(was.spent), uint32(s.spent), &m.SpentTwelfths},
		{uint32(was.points), uint32(s.points), &m.PointsT},
		{uint32(was.load), uint32(s.load), &m.LoadT}, {uint32(was.returns), uint32(s.returns), &m.Returns},
	} {
		if n.was != n.is {
			*n.to = proto.Uint32(n.is)
		}
	}
	for mark := ocsv1.UnitMark(1); mark < numUnitMarks; mark++ {
		if s.marks.has(mark) {
			m.Set = append(m.Set, mark)
		}
	}
	return m
}
