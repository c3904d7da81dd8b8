package ocs

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// event is one fact with the changes that follow from it.
type event = ocsv1.Event

// exec carries out a command of this ruleset. Its Roll throws dice in the open, each for a stated reason (OCS 4.9e).
// RollTo is for the two whose number of sides would tell the enemy what is aboard a ship.
type exec = rules.Exec[*Position, *event]

// seatID is the id of a seat, empty for none.
func seatID(seat rules.Seat) string {
	if seat >= numSeats {
		return ""
	}
	return seatIDs[seat]
}

// id is the id of a unit, empty for NoUnit. Pieces that there may be several of are numbered from 1 in the order of
// their making.
func (p *Position) id(u Unit) string {
	if u == NoUnit {
		return ""
	}
	if int(u) < p.sc.Fixed {
		return p.sc.Counters[u].ID
	}
	counter, n := p.units[u].counter, 1
	for v := p.sc.Fixed; v < int(u); v++ {
		if p.units[v].counter == counter {
			n++
		}
	}
	return numbered(p.sc.Counters[counter].ID, n)
}

func numbered(counter string, n int) string { return counter + "." + strconv.Itoa(n) }

// spareID is the id that a new piece of a counter would have, see spare.
func (p *Position) spareID(counter uint16) string {
	u, n := p.spare(counter), 1
	for v := p.sc.Fixed; v < int(u) && v < len(p.units); v++ {
		if p.units[v].counter == counter {
			n++
		}
	}
	return numbered(p.sc.Counters[counter].ID, n)
}

// unitByID finds a unit; fresh is true for the next piece of its counter that does not exist yet.
func (p *Position) unitByID(id string) (u Unit, fresh, ok bool) {
	name, number, several := strings.Cut(id, ".")
	counter, known := p.sc.kinds[name]
	if !known || several == (int(counter) < p.sc.Fixed) {
		return NoUnit, false, false
	}
	if !several {
		return Unit(counter), false, true
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return NoUnit, false, false
	}
	for v := p.sc.Fixed; v < len(p.units); v++ {
		if p.units[v].counter == counter {
			if n--; n == 0 {
				return Unit(v), false, true
			}
		}
	}
	return Unit(len(p.units)), true, n == 1 && len(p.units) < maxUnits
}

// ids are the ids of units, in order.
func (p *Position) ids(list []Unit) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, len(list))
	for i, u := range list {
		out[i] = p.id(u)
	}
	return out
}

// placeIDs are the ids of places, in order.
func (p *Position) placeIDs(list []Place) []string {
	out := make([]string, len(list))
	for i, at := range list {
		out[i] = p.sc.PlaceID(at)
	}
	return out
}

// changes collects what an event changes. Every value is the new one, worked out of the position before the event.
type changes struct {
	p    *Position
	list []*ocsv1.Change
}

// changed begins a list of changes.
func (p *Position) changed() *changes { return &changes{p: p} }

// unit adds a change of a unit, to be filled in; several changes of the same unit are one.
func (c *changes) unit(u Unit) *ocsv1.UnitChange { return c.named(c.p.id(u)) }

func (c *changes) named(id string) *ocsv1.UnitChange {
	for _, x := range c.list {
		if k, ok := x.Kind.(*ocsv1.Change_Unit); ok && k.Unit.Unit == id {
			return k.Unit
		}
	}
	m := &ocsv1.UnitChange{Unit: id}
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Unit{Unit: m}})
	return m
}

// create adds a piece of a counter that there may be several of. Only one piece of a counter can be made by one event.
func (c *changes) create(counter uint16, at Place) *ocsv1.UnitChange {
	m := c.named(c.p.spareID(counter))
	m.Place = proto.String(c.p.sc.PlaceID(at))
	m.Unset = everyUnitMark()
	fresh := freshUnit(c.p.sc, counter)
	m.Face, m.Marker, m.Stocks, m.Fuel = ocsv1.Face(fresh.face), ocsv1.Marker(fresh.marker), ocsv1.Stocks(fresh.stocks),
		ocsv1.Fuel(fresh.fuel)
	m.Lost, m.SpentTwelfths, m.PointsT, m.LoadT = proto.Uint32(0), proto.Uint32(0), proto.Uint32(0), proto.Uint32(0)
	m.Origin = proto.String(c.p.sc.PlaceID(at))
	return m
}

func everyUnitMark() []ocsv1.UnitMark {
	var all []ocsv1.UnitMark
	for m := ocsv1.UnitMark(1); m < numUnitMarks; m++ {
		if _, known := ocsv1.UnitMark_name[int32(m)]; known {
			all = append(all, m)
		}
	}
	return all
}

// move puts a unit into a place.
func (c *changes) move(u Unit, to Place) { c.unit(u).Place = proto.String(c.p.sc.PlaceID(to)) }

// spend says how many MP a unit has spent in this phase.
func (c *changes) spend(u Unit, spent Cost) { c.unit(u).SpentTwelfths = proto.Uint32(uint32(spent)) }

// mark sets marks of a unit.
func (c *changes) mark(u Unit, marks ...ocsv1.UnitMark) {
	m := c.unit(u)
	m.Set = append(m.Set, marks...)
}

// lose takes a step of a unit; the last one puts it into the dead pile, or out of the game if it is a piece of which
// there may be several (OCS 9.11).
func (c *changes) lose(u Unit, steps int) {
	lost := int(c.p.units[u].lost) + steps
	m := c.unit(u)
	if lost < int(c.p.counter(u).Steps) {
		m.Lost = proto.Uint32(uint32(lost))
		return
	}
	c.eliminate(u)
}

// eliminate removes a unit: into the dead pile, or out of the game if it is a piece of which there may be several (OCS
// 13.5b).
func (c *changes) eliminate(u Unit) {
	m, to := c.unit(u), Dead
	if int(u) >= c.p.sc.Fixed {
		to = Gone
	}
	m.Place = proto.String(c.p.sc.PlaceID(to))
	m.Lost, m.SpentTwelfths, m.LoadT = proto.Uint32(0), proto.Uint32(0), proto.Uint32(0)
	if c.p.units[u].aboard != NoUnit {
		m.Aboard = proto.String("")
	}
	if c.p.units[u].plan != Nowhere { // the dead pile is open, and a plan is not
		m.Plan, m.PlanTurn = proto.String(""), proto.Uint32(0)
	}
	m.Marker, m.Stocks, m.Fuel, m.Unset = ocsv1.Marker_MARKER_NONE, ocsv1.Stocks_STOCKS_FULL, ocsv1.Fuel_FUEL_NONE,
		everyUnitMark()
}

// hex adds a change of a hex or box, to be filled in; several changes of the same hex are one.
func (c *changes) hex(at Place) *ocsv1.HexChange {
	id := c.p.sc.PlaceID(at)
	for _, x := range c.list {
		if k, ok := x.Kind.(*ocsv1.Change_Hex); ok && k.Hex.Hex == id {
			return k.Hex
		}
	}
	m := &ocsv1.HexChange{Hex: id}
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Hex{Hex: m}})
	return m
}

// ground says how many tokens of a side lie on the ground.
func (c *changes) ground(at Place, seat rules.Seat, tokens int) {
	if m := c.hex(at); seat == Blue {
		m.BlueT = proto.Uint32(uint32(tokens))
	} else {
		m.RedT = proto.Uint32(uint32(tokens))
	}
}

// own gives a hex to a seat.
func (c *changes) own(at Place, seat rules.Seat) { c.hex(at).Owner = proto.String(seatID(seat)) }

// push begins a procedure inside the innermost one.
func (c *changes) push(f frame) {
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Frame{
		Frame: &ocsv1.FrameChange{Frame: c.p.frameMessage(f), Push: true},
	}})
}

// frame replaces the innermost procedure: its next step.
func (c *changes) frame(f frame) {
	c.list = append(c.list,
		&ocsv1.Change{Kind: &ocsv1.Change_Frame{Frame: &ocsv1.FrameChange{Frame: c.p.frameMessage(f)}}})
}

// pop ends the innermost procedure.
func (c *changes) pop() {
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Frame{Frame: &ocsv1.FrameChange{}}})
}

// clock says where the game is in the sequence of play.
func (c *changes) clock(m *ocsv1.ClockChange) {
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Clock{Clock: m}})
}

// register sets a number kept for a side.
func (c *changes) register(seat rules.Seat, r ocsv1.Register, n int) {
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Register{Register: &ocsv1.RegisterChange{
		Register: r, Seat: seatIDs[seat], Value: int32(n),
	}}})
}

// forget takes marks away from all units and hexes.
func (c *changes) forget(m *ocsv1.Forgetting) {
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Forget{Forget: m}})
}

// markAll gives a mark to many units; nothing if none exist.
func (c *changes) markAll(m ocsv1.UnitMark, list []Unit) {
	if len(list) > 0 {
		c.list = append(c.list,
			&ocsv1.Change{Kind: &ocsv1.Change_Mark{Mark: &ocsv1.Marking{Mark: m, Units: c.p.ids(list)}}})
	}
}

// motion says which units are in motion.
func (c *changes) motion(list []Unit) {
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Motion{Motion: &ocsv1.Motion{Units: c.p.ids(list)}}})
}

// taint says how much supply on the ground was carried in this phase.
func (c *changes) taint(at Place, seat rules.Seat, by ocsv1.Carriage, tokens int) {
	c.list = append(c.list, &ocsv1.Change{Kind: &ocsv1.Change_Taint{Taint: &ocsv1.TaintChange{
		Hex: c.p.sc.PlaceID(at), Seat: seatIDs[seat], Carriage: by, Tokens: uint32(tokens),
	}}})
}
