package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Scheduled reinforcements (OCS 13.6). At the beginning of a side's Reinforcement Phase each arrival of the turn
// becomes a procedure, so that the phase can't end while something could be placed: its units wait, and their owner
// puts them down in modes of choice or gives them up. Then come the tables of supply and replacements, see
// reinforcement_tables.go.

// arrival is a procedure of the owner of units that arrive.
type arrival struct {
	head
	index int // of the scenario's arrivals of the seat, or afterBreakout
	units []Unit
}

// afterBreakout is in the place of an arrival's index for units that come back after a breakout.
const afterBreakout = 0x7FFF

func (*arrival) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_ARRIVAL }

func (f *arrival) wire(w *framing) {
	w.units(&f.units)
	w.index(&f.index, func() int {
		if f.index == afterBreakout {
			return afterBreakout + 1
		}
		return len(w.p.sc.Seats[f.seat].Doc.GetArrivals())
	})
}

// beginArrivals begins what arrives in the Reinforcement Phase, what is asked first last: scheduled units, then supply,
// then replacements (OCS 2.3-D).
func (p *Position) beginArrivals(x *exec) {
	for seat := range numSeats {
		if !p.acts(seat) {
			continue
		}
		p.withdraw(x, seat)
		p.beginTables(x, seat)
		p.muster(x, seat)
		p.beginUnits(x, seat)
	}
}

// due are the arrivals of the turn, and earlier ones: their units may have had to wait for a port (OCS 13.6a).
func (p *Position) due(seat rules.Seat) (list []int) {
	for i, a := range p.sc.Seats[seat].Doc.GetArrivals() {
		if int(a.GetTurn()) <= int(p.turn) && p.comesWhile(seat, a.GetWhileHeld()) {
			list = append(list, i)
		}
	}
	return list
}

// comesWhile reports whether the hex that an arrival depends on is controlled; without it the units never come.
func (p *Position) comesWhile(seat rules.Seat, hex string) bool {
	return hex == "" || p.cell(p.sc.names[hex]).owner == seat
}

// muster makes the pieces that arrive in this turn and that there may be several of. They wait like the others, with
// the number of their arrival.
func (p *Position) muster(x *exec, seat rules.Seat) {
	for _, i := range p.due(seat) {
		a := p.sc.Seats[seat].Doc.GetArrivals()[i]
		if int(a.GetTurn()) != int(p.turn) {
			continue
		}
		for _, t := range a.GetTransports() {
			p.call(x, p.sc.kinds[t.GetKind()+"-"+seatIDs[seat]], i, func(m *ocsv1.UnitChange) {
				m.PointsT, m.LoadT = proto.Uint32(p.faster(t.GetPointsT())),
					proto.Uint32(uint32(p.more(int(t.GetLoadT()))))
				if t.GetExtender() {
					m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_EXTENDER)
				}
			})
		}
		for _, t := range a.GetCraft() {
			p.call(x, p.sc.kinds[t.GetCraft()], i, func(m *ocsv1.UnitChange) {
				m.PointsT, m.LoadT = proto.Uint32(t.GetPointsT()), proto.Uint32(t.GetLoadT())
			})
		}
		for range a.GetPax() {
			p.call(x, p.sc.tab.pax[seat], i, nil)
		}
		for range a.GetEq() {
			p.call(x, p.sc.tab.eq[seat], i, nil)
		}
		for _, id := range a.GetUnits() {
			if n := p.sc.kinds[id]; int(n) >= p.sc.Fixed {
				p.call(x, n, i, nil)
			}
		}
	}
}

// call makes a piece that waits.
func (p *Position) call(x *exec, counter uint16, arrival int, fill func(*ocsv1.UnitChange)) {
	c := p.changed()
	m := c.create(counter, Waiting)
	m.Returns = proto.Uint32(uint32(arrival) + 1)
	if fill != nil {
		fill(m)
	}
	tell(x, &event{Changes: c.list})
}

// arriving are the units of an arrival that wait.
func (p *Position) arriving(seat rules.Seat, arrival int) (list []Unit) {
	a := p.sc.Seats[seat].Doc.GetArrivals()[arrival]
	for u := range p.units {
		s := &p.units[u]
		switch {
		case s.seat != seat || s.place != Waiting || p.isShip(Unit(u)):
		case u >= p.sc.Fixed && int(s.returns) == arrival+1,
			u < p.sc.Fixed && (slices.Contains(a.GetUnits(), p.sc.Counters[u].ID) ||
				slices.Contains(a.GetOrganic(), p.sc.Counters[u].ID)):
			list = append(list, Unit(u))
		}
	}
	return list
}

// comingBack are the units that broke out and return now, or could not before (OCS 12.8e-iii).
func (p *Position) comingBack(seat rules.Seat) (list []Unit) {
	for u := range p.units {
		if s := &p.units[u]; s.seat == seat && s.place == Returning && int(s.returns) <= int(p.turn) {
			list = append(list, Unit(u))
		}
	}
	return list
}

// beginUnits begins a procedure for each arrival, and one for units that come back.
func (p *Position) beginUnits(x *exec, seat rules.Seat) {
	if list := p.comingBack(seat); len(list) > 0 {
		p.beginArrival(x, seat, afterBreakout, list)
	}
	arrivals := p.due(seat)
	for _, i := range slices.Backward(arrivals) {
		if list := p.arriving(seat, i); len(list) > 0 {
			p.beginArrival(x, seat, i, list)
		}
	}
}

func (p *Position) beginArrival(x *exec, seat rules.Seat, index int, list []Unit) {
	f := newFrame[arrival](seat, Nowhere)
	f.index, f.units = index, list
	c := p.changed()
	c.push(f)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ReinforcementsDue{ReinforcementsDue: &ocsv1.ReinforcementsDue{
		Seat: seatIDs[seat], Units: p.ids(list),
	}}})
}

// stillComing are the units of the procedure that are not placed.
func (p *Position) stillComing(f *arrival) (list []Unit) {
	for _, u := range f.units {
		if at := p.units[u].place; at == Waiting || at == Returning {
			list = append(list, u)
		}
	}
	return list
}

// entriesOf are the entries at which units of the procedure arrive.
func (p *Position) entriesOf(f *arrival) (list []*EntryInfo) {
	side := &p.sc.Seats[f.seat]
	ids := side.Doc.GetBreakoutReturn()
	if f.index != afterBreakout {
		ids = []string{side.Doc.GetArrivals()[f.index].GetAt()}
	}
	for _, id := range ids {
		list = append(list, &side.Entries[side.entry(id)])
	}
	return list
}

// asks asks the owner while units could be placed. What can't enter goes on waiting (OCS 13.6a).
func (f *arrival) asks(p *Position) (Ask, rules.Seats) {
	for _, u := range p.stillComing(f) {
		for _, e := range p.entriesOf(f) {
			for _, at := range p.doors(f.seat, e) {
				if p.roomFor(f.seat, e, at, []Unit{u}) {
					return AskArrive, rules.SeatsOf(f.seat)
				}
			}
		}
	}
	return AskNothing, 0
}

// proceed ends the procedure.
func (f *arrival) proceed(p *Position, x *exec) {
	left := p.stillComing(f)
	c := p.changed()
	c.pop()
	tell(x, &event{Changes: c.list})
	if len(left) > 0 {
		tell(x, &event{Fact: &ocsv1.Event_ReinforcementsDue{ReinforcementsDue: &ocsv1.ReinforcementsDue{
			Seat: seatIDs[f.seat], Units: p.ids(left), Waits: true,
		}}})
	}
}

// checkArrive says why units may not arrive at a place in a mode (OCS 13.6b).
func (p *Position) checkArrive(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*arrival](p)
	if len(c.Units) == 0 || !c.At.onMap() {
		return rules.Malformed("the command names no units, or no hex or box")
	}
	coming := p.stillComing(f)
	for i, u := range c.Units {
		if !slices.Contains(coming, u) || slices.Contains(c.Units[:i], u) {
			return rules.Refuse("OCS 13.6", "refuse.not-arriving",
				"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		}
		if r := p.arrivesIn(u, c.At, c.Marker, c.Face); r != nil {
			return r
		}
	}
	at := p.sc.PlaceID(c.At)
	for _, e := range p.entriesOf(f) {
		if !slices.Contains(p.doors(seat, e), c.At) {
			continue
		}
		if !p.roomFor(seat, e, c.At, c.Units) {
			return rules.Refuse("OCS 13.6a", "refuse.port-full", "hex", at, "n", p.portLeft(c.At)).At(at)
		}
		return nil
	}
	return rules.Refuse("OCS 13.6", "refuse.no-entry", "hex", at).At(at)
}

// putDown puts a unit that comes from off the map into a place in a mode that passed the check.
func (p *Position) putDown(c *changes, u Unit, at Place, m Marker, f Face) *ocsv1.UnitChange {
	k := c.unit(u)
	if m == AnyMarker {
		m = NoMarker
	}
	if f == NoFace {
		f = CombatFace
	}
	if m == Strat || !p.counter(u).Faces[CombatFace].Exists {
		f = MoveFace
	}
	k.Place, k.Origin = proto.String(p.sc.PlaceID(at)), proto.String(p.sc.PlaceID(at))
	k.Marker, k.Face, k.Returns = ocsv1.Marker(m), ocsv1.Face(f), proto.Uint32(0)
	k.Set = append(k.Set, ocsv1.UnitMark_UNIT_MARK_ARRIVED)
	return k
}

// playArrive puts reinforcements down. Organic trucks arrive loaded (OCS 13.6c). Those at an entry on a railway may
// entrain there in this turn (OCS 13.6b).
func (p *Position) playArrive(x *exec, seat rules.Seat, cmd *Command) {
	f := inner[*arrival](p)
	rail := false
	for _, e := range p.entriesOf(f) {
		rail = rail || e.Rail && e.At == cmd.At
	}
	c := p.changed()
	for _, u := range cmd.Units {
		k := p.putDown(c, u, cmd.At, cmd.Marker, cmd.Face)
		if p.organic(u) && p.units[u].place == Waiting {
			k.LoadT, k.PointsT = proto.Uint32(uint32(p.counter(u).Capacity)), proto.Uint32(uint32(p.organicSize(u)))
		}
		if rail {
			k.Set = append(k.Set, ocsv1.UnitMark_UNIT_MARK_OFF_MAP_RAIL)
		}
	}
	p.claim(c, cmd.At, seat)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsArrived{UnitsArrived: &ocsv1.UnitsArrived{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), At: p.sc.PlaceID(cmd.At),
	}}})
}

// listArrive lists all units that come together, and each alone, in each mode.
func listArrive(l *lister) {
	p := l.p
	f := inner[*arrival](p)
	coming := p.stillComing(f)
	groups := [][]Unit{coming}
	if len(coming) > 1 {
		for _, u := range coming {
			groups = append(groups, []Unit{u})
		}
	}
	for _, e := range p.entriesOf(f) {
		for _, at := range p.doors(l.seat, e) {
			for _, g := range groups {
				l.inModes(KindArrive, func(c *Command) { c.Units, c.At = g, at })
			}
		}
	}
}

// inModes lists a command in each mode that a unit may be put down in.
func (l *lister) inModes(k Kind, fill func(*Command)) {
	for _, mode := range [...]struct {
		marker Marker
		face   Face
	}{{NoMarker, CombatFace}, {NoMarker, MoveFace}, {Reserve, CombatFace}, {Reserve, MoveFace}, {Strat, MoveFace}} {
		c := only(k)
		c.Marker, c.Face = mode.marker, mode.face
		fill(&c)
		l.checked(c)
	}
}

// checkForfeit says why units may not be given up (OCS 13.6).
func (p *Position) checkForfeit(_ rules.Seat, c *Command) *rules.Refusal {
	if len(c.Units) == 0 {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	for i, u := range c.Units {
		if !slices.Contains(p.stillComing(inner[*arrival](p)), u) || slices.Contains(c.Units[:i], u) {
			return rules.Refuse("OCS 13.6", "refuse.not-arriving",
				"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		}
	}
	return nil
}

// playForfeit takes reinforcements out of the game.
func (p *Position) playForfeit(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	for _, u := range cmd.Units {
		c.move(u, Gone)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsForfeited{UnitsForfeited: &ocsv1.UnitsForfeited{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units),
	}}})
}

func listForfeit(l *lister) {
	for _, u := range l.p.stillComing(inner[*arrival](l.p)) {
		c := only(KindForfeit)
		c.Units = []Unit{u}
		l.checked(c)
	}
}
