package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Ships of the schedules (OCS 2.3-D, OCS 13.6). Those that arrive come into ports one by one; what finds
// no port waits for a later turn. Landing craft that arrive were made with the other pieces of the arrival.

// shipArrivals takes ships away that leave, and begins the placing of those that come.
func (p *Position) shipArrivals(x *exec) {
	for seat := numSeats; seat > 0; seat-- {
		if s := rules.Seat(seat - 1); p.acts(s) || p.phasing == s {
			p.shipsLeave(x, s)
			p.shipsCome(x, s)
		}
	}
}

// shipsLeave takes ships away that leave in this turn, with all that is aboard.
func (p *Position) shipsLeave(x *exec, seat rules.Seat) {
	for _, w := range p.sc.Seats[seat].Doc.GetWithdrawals() {
		for _, id := range w.GetShips() {
			u := Unit(p.sc.kinds[id])
			if w.GetTurn() != uint32(p.turn) || !p.units[u].place.onMap() {
				continue
			}
			c := p.changed()
			list := append([]Unit{u}, p.complement(u)...)
			for _, v := range list {
				c.eliminate(v)
				c.move(v, Gone)
				c.unit(v).Aboard = proto.String("")
			}
			tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsWithdrawn{UnitsWithdrawn: &ocsv1.UnitsWithdrawn{
				Seat: seatIDs[seat], Units: p.ids(list),
			}}})
		}
	}
}

// complement is all that is aboard a ship: air units, land units.
func (p *Position) complement(ship Unit) (list []Unit) {
	for u := range p.units {
		if s := &p.units[u]; s.place == Aboard && s.aboard == ship {
			list = append(list, Unit(u))
		}
	}
	return list
}

// shipArrival is a procedure of the owner of ships that arrive.
type shipArrival struct {
	head
	units []Unit
}

func (*shipArrival) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_SHIP_ARRIVAL }

func (f *shipArrival) wire(w *framing) { w.units(&f.units) }

// shipsCome begins the placing of what arrives in this turn or could not before. A ship that left may come again; one
// that was sunk does not.
func (p *Position) shipsCome(x *exec, seat rules.Seat) {
	f := newFrame[shipArrival](seat, Nowhere)
	for _, a := range p.sc.Seats[seat].Doc.GetArrivals() {
		for _, id := range a.GetShips() {
			u := Unit(p.sc.kinds[id])
			at := p.units[u].place
			if a.GetTurn() == uint32(p.turn) && (at == Waiting || at == Gone) ||
				a.GetTurn() < uint32(p.turn) && at == Waiting {
				f.units = append(f.units, u)
			}
		}
	}
	for u := p.sc.Fixed; u < len(p.units); u++ {
		if s := &p.units[u]; s.seat == seat && s.place == Waiting && p.isShip(Unit(u)) {
			f.units = append(f.units, Unit(u))
		}
	}
	if len(f.units) > 0 {
		c := p.changed()
		c.push(f)
		tell(x, &event{Changes: c.list})
	}
}

// harbours are the places into which a ship that arrives may be put: its entry, if that is a port or a box; any
// friendly port otherwise (OCS 13.6a). Assault boats of a scenario come to the coast.
func (p *Position) harbours(u Unit) (list []Place) {
	seat := p.units[u].seat
	if p.isCraft(u) && p.assaultBoats(seat) {
		return p.slipways(seat)
	}
	if e := p.shipEntry(u); e != nil && (e.Port || e.At.inBox()) {
		if p.isPort(seat, e.At) {
			list = append(list, e.At)
		}
		return list
	}
	for i := range p.cells {
		if at := p.placeOf(i); p.isPort(seat, at) {
			list = append(list, at)
		}
	}
	return list
}

// shipEntry is the entry of the arrival of a ship, the latest one that is due; nil if none exists.
func (p *Position) shipEntry(u Unit) (entry *EntryInfo) {
	side := &p.sc.Seats[p.units[u].seat]
	for i, a := range side.Doc.GetArrivals() {
		comes := slices.Contains(a.GetShips(), p.counter(u).ID) && a.GetTurn() <= uint32(p.turn)
		if comes || p.isCraft(u) && int(p.units[u].returns) == i+1 {
			if n := side.entry(a.GetAt()); n >= 0 {
				entry = &side.Entries[n]
			}
		}
	}
	return entry
}

// nextShip is the first ship of an arrival that is not placed and can be, NoUnit if none exists.
func (p *Position) nextShip(f *shipArrival) Unit {
	for _, u := range f.units {
		if !p.units[u].place.onMap() && len(p.harbours(u)) > 0 {
			return u
		}
	}
	return NoUnit
}

// asks asks where there is a choice.
func (f *shipArrival) asks(p *Position) (Ask, rules.Seats) {
	if u := p.nextShip(f); u != NoUnit && len(p.harbours(u)) > 1 {
		return AskPlaceShip, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

// proceed puts a ship into the only port that there is for it, and ends when none can be placed.
func (f *shipArrival) proceed(p *Position, x *exec) {
	if u := p.nextShip(f); u != NoUnit {
		p.launch(x, u, p.harbours(u)[0])
		return
	}
	p.endFrame(x)
}

// checkPlaceShip says why a ship may not be put into a place.
func (p *Position) checkPlaceShip(_ rules.Seat, c *Command) *rules.Refusal {
	u := p.nextShip(inner[*shipArrival](p)) // there is one, or nothing would be asked
	if c.Unit != u {
		return rules.Refuse("OCS 2.3-D", "refuse.returns-first", "unit", p.unitName(u)).About(p.id(u))
	}
	if !slices.Contains(p.harbours(u), c.At) {
		at := p.sc.PlaceID(c.At)
		return rules.Refuse("OCS 13.6a", "refuse.no-harbour", "unit", p.unitName(u), "hex", at).About(p.id(u)).At(at)
	}
	return nil
}

func (p *Position) playPlaceShip(x *exec, _ rules.Seat, cmd *Command) { p.launch(x, cmd.Unit, cmd.At) }

// launch puts a ship that arrives into a place.
func (p *Position) launch(x *exec, u Unit, at Place) {
	c := p.changed()
	c.move(u, at)
	m := c.unit(u)
	m.Origin, m.Lost, m.Returns, m.Marker = m.Place, proto.Uint32(0), proto.Uint32(0), ocsv1.Marker_MARKER_NONE
	m.Unset, m.Set = everyUnitMark(), []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_ARRIVED}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ShipsArrived{ShipsArrived: &ocsv1.ShipsArrived{
		Seat: seatIDs[p.units[u].seat], Units: []string{p.id(u)}, At: p.sc.PlaceID(at),
	}}})
}

func listPlaceShip(l *lister) {
	u := l.p.nextShip(inner[*shipArrival](l.p))
	for _, at := range l.p.harbours(u) {
		if l.aims(at) {
			c := only(KindPlaceShip)
			c.Unit, c.At = u, at
			l.checked(c)
		}
	}
}

// sunkOf counts the ships of a side that were sunk, of the kinds that a condition of victory names.
func (p *Position) sunkOf(t *ocsv1.VictoryTest) (n int) {
	for _, u := range p.sc.tab.fleet[p.seatOf(t.GetSeat())] {
		if p.units[u].place == Dead && slices.Contains(t.GetShips(), p.counter(u).Ship.Kind) {
			n++
		}
	}
	return n
}
