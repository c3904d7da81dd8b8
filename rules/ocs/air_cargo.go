package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Air transport (OCS 14.9). Cargo is aboard the air unit that a line of the command names; units that start from the
// same air base add their capacities (OCS 14.9a), so that one of them may carry more than its own.

// maxAirborne is the largest allowance of the Move face of a unit that may be carried by air (OCS 14.9c).
const maxAirborne = 10 * oneMP

// checkAirlift says why air units may not carry cargo to an air base (OCS 14.9).
func (p *Position) checkAirlift(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkFlyers(seat, c.Units); r != nil {
		return r
	}
	id := p.sc.PlaceID(c.At)
	if !p.ownBase(seat, c.At) {
		return rules.Refuse("OCS 14.9e", "refuse.no-own-base", "hex", id).At(id)
	}
	if r := p.checkCargo(seat, c); r != nil {
		return r
	}
	landed := 0
	for _, l := range c.Lines {
		if l.At == c.At || p.spot(l.By) == c.At {
			return rules.Refuse("OCS 14.9e", "refuse.same-base", "unit", p.unitName(l.By),
				"hex", id).About(p.id(l.By)).At(id)
		}
		// OCS 14.10f, OCS 14.10e-D
		if l.Flight != uint8(ocsv1.Flight_FLIGHT_ONE_WAY) && !p.counter(l.By).Plane.GliderTow && !p.isGlider(l.By) {
			landed += p.weight(l)
		}
	}
	if room := p.airRoom(c.At); landed > room && !p.opt.xyzAirTransport { // some may fly on (OCS 21.12a)
		return rules.Refuse("OCS 14.9f", "refuse.unloading", "hex", id, "n", formatEighths(landed),
			"left", formatEighths(room)).At(id)
	}
	return nil
}

// weight is what a line of cargo weighs, in eighths of a token (OCS 14.9a, OCS 4.7).
func (p *Position) weight(l Line) int {
	switch {
	case l.Unit == NoUnit:
		return l.Count * oneToken
	case p.isGlider(l.Unit): // towed, not carried
		return 0
	}
	return p.freight(l.Unit)
}

// flightOf is how an air unit of a command flies: as the lines say that it carries; normally without any (OCS 14.9e).
func flightOf(c *Command, u Unit) ocsv1.Flight {
	for _, l := range c.Lines {
		if l.By == u {
			return ocsv1.Flight(l.Flight)
		}
	}
	return ocsv1.Flight_FLIGHT_UNSPECIFIED
}

// checkCargo says why the lines of a command can't be carried: by transports of the mission, out of the hexes that they
// start from (OCS 14.9e), in their range and capacity (OCS 14.9a, OCS 14.9b).
func (p *Position) checkCargo(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Lines) == 0 {
		return rules.Malformed("the command names no cargo")
	}
	for i, l := range c.Lines {
		towing, by := l.Unit != NoUnit && p.isGlider(l.Unit), l.By
		if by != NoUnit && p.isGlider(by) {
			by = p.tugOf(c, by)
		}
		switch {
		case by == NoUnit || !slices.Contains(c.Units, by) || !towing && by == l.By && !p.is(by, hauler):
			return rules.Refuse("OCS 14.1-4", "refuse.no-hauler", "unit", p.unitName(l.By)).About(p.id(l.By))
		case l.Flight != uint8(flightOf(c, by)):
			return rules.Refuse("OCS 14.9e", "refuse.two-flights", "unit", p.unitName(l.By)).About(p.id(l.By))
		case l.Unit == NoUnit && l.Count == 0:
			return rules.Malformed("a line of cargo names no unit and no tokens")
		case l.Unit != NoUnit && slices.ContainsFunc(c.Lines[:i], func(o Line) bool { return o.Unit == l.Unit }):
			return rules.Malformed("unit %s is named twice", p.id(l.Unit))
		}
		switch {
		case towing:
			if r := p.checkTow(seat, c, l); r != nil {
				return r
			}
		case l.Unit != NoUnit:
			if r := p.checkPassenger(seat, l.Unit, p.spot(l.By)); r != nil {
				return r
			}
		}
	}
	if r := p.checkGliderLoads(c); r != nil {
		return r
	}
	for _, u := range c.Units {
		times, parts := 1, 1
		switch flightOf(c, u) {
		case ocsv1.Flight_FLIGHT_ONE_WAY:
			times = 2
		case ocsv1.Flight_FLIGHT_SHORT:
			parts = 2
		}
		if r := p.checkRange(u, c.At, times, parts, "OCS 14.9e"); r != nil {
			return r
		}
	}
	return p.checkLoads(seat, c)
}

// checkLoads says why cargo is too much for the units that start from the same place, or is not there: supply must lie
// there, and not have been unloaded in this phase (OCS 12.2a).
func (p *Position) checkLoads(seat rules.Seat, c *Command) *rules.Refusal {
	for _, from := range p.startsOf(c.Units) {
		room, sum, tokens := 0, 0, 0
		for _, u := range c.Units {
			if p.spot(u) == from {
				room += p.ownLift(u, flightOf(c, u), p.tows(c, u))
			}
		}
		for _, l := range c.Lines {
			if p.spot(l.By) == from {
				if !p.isGlider(l.By) {
					sum += p.weight(l)
				}
				if l.Unit == NoUnit {
					tokens += l.Count
				}
			}
		}
		id := p.sc.PlaceID(from)
		if sum > room {
			return rules.Refuse("OCS 14.9a", "refuse.capacity", "hex", id, "n", formatEighths(sum),
				"left", formatEighths(room)).At(id)
		}
		if fresh := int(p.cell(from).ground[seat]) - p.carriedHere(seat, from); tokens > fresh {
			return rules.Refuse("OCS 12.2a", "refuse.leapfrog", "hex", id, "left", max(0, fresh)).At(id)
		}
	}
	return nil
}

// startsOf are the places that units are in, each once.
func (p *Position) startsOf(units []Unit) (list []Place) {
	for _, u := range units {
		if at := p.spot(u); !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}

// lift is what an air unit carries on a flight, in eighths of a token: twice its capacity on a short one (OCS 14.9a,
// OCS 14.9e-C).
func (p *Position) lift(u Unit, flight ocsv1.Flight) int {
	if flight == ocsv1.Flight_FLIGHT_SHORT {
		return 2 * p.plane(u).Capacity
	}
	return p.plane(u).Capacity
}

// checkPassenger says why a unit may not be carried by air from a place, as transport units may not but for the mules
// of some games (OCS 13.2e): combat units that move with Leg MP, up to 10 of them, in Move mode (OCS 14.9c, OCS
// 14.9d), which have moved at most half their allowance.
func (p *Position) checkPassenger(seat rules.Seat, u Unit, from Place) *rules.Refusal {
	s, c, id := &p.units[u], p.counter(u), p.id(u)
	f := &c.Faces[MoveFace]
	switch {
	case s.seat != seat || !c.Kind.Land() || !s.place.onMap():
		return rules.Refuse("OCS 14.9", "refuse.not-yours",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(id)
	case s.place != from:
		return rules.Refuse("OCS 14.9e", "refuse.not-at-base", "unit", p.unitName(u),
			"hex", p.sc.PlaceID(from)).About(id).At(p.sc.PlaceID(from))
	case c.Kind == Eq || p.isTransport(u) && !p.byAir(u) || f.MP != Leg || f.Movement > maxAirborne || f.Movement == 0:
		return rules.Refuse("OCS 14.9c", "refuse.not-by-air", "unit", p.unitName(u)).About(id)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_AIRLIFTED):
		return rules.Refuse("OCS 14.9d", "refuse.airlifted", "unit", p.unitName(u)).About(id)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_SHIPPED):
		return rules.Refuse("OCS 19.0f-C", "refuse.shipped", "unit", p.unitName(u)).About(id)
	case p.isTransport(u):
		return nil
	case s.marker == Reserve || s.marker == Strat || s.marker == DG || s.face != MoveFace ||
		s.marker == Exploitation && p.segment != SegExploitMove:
		return rules.Refuse("OCS 14.9d", "refuse.carried-mode", "unit", p.unitName(u)).About(id)
	case s.spent > p.allowance(u)/2, s.marks.has(ocsv1.UnitMark_UNIT_MARK_COMMITTED),
		s.marks.has(ocsv1.UnitMark_UNIT_MARK_BUILDING):
		return rules.Refuse("OCS 14.9d", "refuse.half-moved", "unit", p.unitName(u),
			"n", formatCost(p.allowance(u)/2)).About(id)
	}
	return nil
}

// byAir reports whether a transport may be carried by air, as mules in some games (OCS 14.9c).
func (p *Position) byAir(u Unit) bool {
	k := p.counter(u).Transport
	return k >= 0 && p.sc.Doc.GetCounters().GetTransports()[k].GetByAir()
}

// stow puts the cargo of a command aboard and notes how its carriers fly.
func (p *Position) stow(c *changes, f *mission, cmd *Command, seat rules.Seat) {
	for _, u := range f.units {
		f.flights = append(f.flights, flightOf(cmd, u))
	}
	loads, taken := map[Unit]int{}, map[Place]int{}
	for _, l := range cmd.Lines {
		if l.Unit != NoUnit {
			c.move(l.Unit, Aboard)
			c.unit(l.Unit).Aboard = proto.String(p.id(l.By))
			continue
		}
		from := p.spot(l.By)
		loads[l.By] += l.Count
		taken[from] += l.Count
		c.unit(l.By).LoadT = proto.Uint32(uint32(loads[l.By]))
		c.ground(from, seat, int(p.cell(from).ground[seat])-taken[from])
	}
}

func (p *Position) playAirlift(x *exec, seat rules.Seat, cmd *Command) {
	p.fly(x, seat, ocsv1.Mission_MISSION_TRANSPORT, cmd.Units, cmd.At,
		func(c *changes, f *mission) { p.stow(c, f, cmd, seat) })
}

// passengers are the land units aboard an air unit or glider, in ascending order.
func (p *Position) passengers(on Unit) (list []Unit) {
	for u := range p.units {
		if s := &p.units[u]; s.place == Aboard && s.aboard == on && !p.isPlane(Unit(u)) {
			list = append(list, Unit(u))
		}
	}
	return list
}

// burden is what an air unit carries itself, in eighths of a token.
func (p *Position) burden(u Unit) int {
	n := int(p.units[u].load) * oneToken
	for _, v := range p.passengers(u) {
		n += p.freight(v)
	}
	return n
}

// listAirlift lists for each transport and air base in range each way of flight with one token, with as many as it
// carries, and with each unit that fits.
func listAirlift(l *lister) {
	list := l.flyers(func(u Unit) bool { return l.p.is(u, hauler) && l.p.plane(u).Capacity > 0 })
	flights := []ocsv1.Flight{ocsv1.Flight_FLIGHT_UNSPECIFIED, ocsv1.Flight_FLIGHT_SHORT, ocsv1.Flight_FLIGHT_ONE_WAY}
	for _, at := range l.p.bases(l.seat) {
		if l.done {
			return
		}
		if l.aims(at) {
			l.haul(KindAirlift, list, at, flights)
			l.tow(KindAirlift, at, flights)
		}
	}
}

// haul offers what each air unit can carry to a place.
func (l *lister) haul(kind Kind, list []Unit, at Place, flights []ocsv1.Flight) {
	p := l.p
	for _, u := range list {
		from := p.spot(u)
		if from == at {
			continue
		}
		for _, flight := range flights {
			room, lies := p.lift(u, flight), int(p.cell(from).ground[l.seat])-p.carriedHere(l.seat, from)
			most := min(room/oneToken, lies)
			if kind == KindAirlift && flight != ocsv1.Flight_FLIGHT_ONE_WAY && !p.counter(u).Plane.GliderTow {
				most = min(most, p.airRoom(at)/oneToken)
			}
			offer := func(line Line) {
				c := only(kind)
				line.By, line.At, line.Flight, line.Terrain = u, Nowhere, uint8(flight), -1
				c.Units, c.At, c.Lines = []Unit{u}, at, []Line{line}
				l.checked(c)
			}
			if most > 0 {
				offer(Line{Unit: NoUnit, Count: 1})
			}
			if most > 1 {
				offer(Line{Unit: NoUnit, Count: most})
			}
			for v := range p.of(l.seat, from) {
				if p.freight(v) <= room && p.checkPassenger(l.seat, v, from) == nil {
					offer(Line{Unit: v})
				}
			}
		}
	}
}
