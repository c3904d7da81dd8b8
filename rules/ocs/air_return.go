package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// returnStep is a step of the return of air units.
type returnStep uint8

// The steps, by the numbers of the notation.
const (
	returnFlies returnStep = iota
	returnRolls            // rolls for losses at a captured air base first (OCS 9.14f)
)

// airReturn are air units that return from where they are (OCS 14.1c). Their owner chooses an air base in range for
// each; without one it is eliminated. Inactive units have no stacking limit, so that any base takes them.
type airReturn struct {
	head
	step    returnStep
	units   []Unit
	flights []ocsv1.Flight // how each flies, or flightEscape
	advance bool           // the air base fell to an advance after combat (OCS 9.14f)
}

func (*airReturn) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_AIR_RETURN }

func (f *airReturn) wire(w *framing) {
	wireStep(w, &f.step)
	w.units(&f.units)
	wireList(w, &f.flights, len(f.units))
	w.flag(&f.advance)
}

// flightEscape is the flight of a unit that escapes from a captured air base: within twice its range (OCS 9.14f).
const flightEscape ocsv1.Flight = 3

// flight is how unit i flies.
func (f *airReturn) flight(i int) ocsv1.Flight {
	if i < len(f.flights) {
		return f.flights[i]
	}
	return ocsv1.Flight_FLIGHT_UNSPECIFIED
}

// sendBack begins the return of units from a place.
func (p *Position) sendBack(x *exec, seat rules.Seat, at Place, list []Unit, flight func(Unit) ocsv1.Flight) {
	f := newFrame[airReturn](seat, at)
	f.units = slices.Clone(list)
	for _, u := range list {
		f.flights = append(f.flights, flight(u))
	}
	c := p.changed()
	c.push(f)
	tell(x, &event{Changes: c.list})
}

// bases walks the hexes and boxes with an air base of a seat, hexes first.
func (p *Position) bases(seat rules.Seat) (list []Place) {
	for i := range p.cells {
		if at := p.placeOf(i); p.ownBase(seat, at) {
			list = append(list, at)
		}
	}
	return list
}

// homesOf are the air bases to which unit i of a return may fly: in range, also after a normal transport flight (OCS
// 14.9e-B); half of it after a short one, only the base that it is at after one way (OCS 14.9e-A), twice the range for
// one that escapes (OCS 14.1c, OCS 14.9e, OCS 9.14f).
func (p *Position) homesOf(f *airReturn, i int) (list []Place) {
	u := f.units[i]
	if p.sc.homeOf(u) != NoUnit { // OCS 18.2a
		if n, ok := p.airDistance(f.at, p.deckOf(u)); ok && p.flies(u, n, 1, 1) {
			list = append(list, p.deckOf(u))
		}
		return list
	}
	for _, at := range p.bases(f.seat) {
		n, ok := p.airDistance(f.at, at)
		if !ok {
			continue
		}
		fits := false
		switch f.flight(i) {
		case ocsv1.Flight_FLIGHT_ONE_WAY:
			fits = at == f.at
		case ocsv1.Flight_FLIGHT_SHORT:
			fits = p.flies(u, n, 1, 2)
		case flightEscape:
			fits = at != f.at && n <= 2*p.plane(u).Range // whatever the weather
		default:
			fits = p.flies(u, n, 1, 1)
		}
		if fits {
			list = append(list, at)
		}
	}
	return list
}

// returning is the first unit of a return that has not landed, its place in the list; -1 if all have.
func (p *Position) returning(f *airReturn) int {
	for i, u := range f.units {
		if p.spot(u) == f.at && (p.active(u) || f.flight(i) == flightEscape) {
			return i
		}
	}
	return -1
}

// asks asks for the base of a unit that has several in range.
func (f *airReturn) asks(p *Position) (Ask, rules.Seats) {
	if i := p.returning(f); f.step == returnFlies && i >= 0 && len(p.homesOf(f, i)) > 1 {
		return AskFlyBack, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

// proceed lands a unit that has one base in range, eliminates one that has none, and ends when all have landed.
func (f *airReturn) proceed(p *Position, x *exec) {
	if f.step == returnRolls {
		p.rollEscapes(x, f)
		return
	}
	i := p.returning(f)
	if i < 0 {
		p.endFrame(x)
		return
	}
	u := f.units[i]
	if homes := p.homesOf(f, i); len(homes) > 0 {
		p.land(x, u, homes[0], false)
		return
	}
	p.sink(x, u)
	c := p.changed()
	c.eliminate(u)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitReturned{AirUnitReturned: &ocsv1.AirUnitReturned{
		Seat: seatIDs[f.seat], Unit: p.id(u),
	}}})
}

// checkFlyBack says why a unit may not return to a base.
func (p *Position) checkFlyBack(_ rules.Seat, c *Command) *rules.Refusal {
	f := inner[*airReturn](p)
	i := p.returning(f) // there is one, or nothing would be asked
	switch {
	case c.Unit != f.units[i]:
		return rules.Refuse("OCS 14.1c", "refuse.returns-first", "unit", p.unitName(f.units[i])).About(p.id(f.units[i]))
	case !c.At.onMap() || !slices.Contains(p.homesOf(f, i), c.At):
		at := p.sc.PlaceID(c.At)
		return rules.Refuse("OCS 14.1c", "refuse.no-base", "unit", p.unitName(c.Unit),
			"hex", at).About(p.id(c.Unit)).At(at)
	}
	return nil
}

// playFlyBack lands a unit; it is inactive then (OCS 14.1c).
func (p *Position) playFlyBack(x *exec, _ rules.Seat, cmd *Command) {
	p.land(x, cmd.Unit, cmd.At, false)
}

func listFlyBack(l *lister) {
	f := inner[*airReturn](l.p)
	i := l.p.returning(f)
	for _, at := range l.p.homesOf(f, i) {
		if l.aims(at) {
			c := only(KindFlyBack)
			c.Unit, c.At = f.units[i], at
			l.checked(c)
		}
	}
}
