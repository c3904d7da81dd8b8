package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// overload is what cargo must be given up out of, because more is carried in it than its units can after losses, the
// capacity that is left being rounded up to a token, in the owner's favour (OCS 14.4g): a tug that lost a step with its
// gliders (OCS 14.10e-F), or the mission's units that start from one place.
func (p *Position) overload(f *mission) []Unit {
	if u := p.crippled(f); u != NoUnit {
		return p.bays(u)
	}
	list := p.missionUnits(f)
	for _, u := range list {
		room, sum := 0, 0
		var from []Unit
		for _, v := range list {
			if f.origin(v) == f.origin(u) && p.is(v, hauler) {
				room, sum, from = room+p.towLift(f, v), sum+p.burden(v), append(from, v)
			}
		}
		if sum > (room+oneToken-1)/oneToken*oneToken {
			return from
		}
	}
	return nil
}

// overloaded reports whether cargo of a mission must be given up.
func (p *Position) overloaded(f *mission) bool { return len(p.overload(f)) > 0 }

// checkJettison says why cargo may not be given up: one unit or some tokens of the air units that carry too much, while
// they do (OCS 14.4g).
func (p *Position) checkJettison(_ rules.Seat, c *Command) *rules.Refusal {
	from := p.overload(inner[*mission](p))
	switch {
	case len(c.Units)+min(c.N, 1) != 1:
		return rules.Malformed("the command names neither one unit nor tokens")
	case len(c.Units) == 1:
		on := p.units[c.Units[0]].aboard
		if p.units[c.Units[0]].place != Aboard || !slices.Contains(from, on) || p.isPlane(c.Units[0]) {
			return rules.Refuse("OCS 14.4g", "refuse.not-aboard",
				"unit", p.unitName(c.Units[0])).About(p.id(c.Units[0]))
		}
	case c.N > p.loadOf(from):
		return rules.Refuse("OCS 14.4g", "refuse.no-cargo", "n", c.N, "left", p.loadOf(from))
	}
	return nil
}

// loadOf are the tokens that units carry.
func (p *Position) loadOf(list []Unit) (n int) {
	for _, u := range list {
		n += int(p.units[u].load)
	}
	return n
}

// playJettison gives cargo up. The question comes again while too much is carried.
func (p *Position) playJettison(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	left := cmd.N
	for _, u := range p.overload(inner[*mission](p)) {
		if n := min(left, int(p.units[u].load)); n > 0 {
			c.unit(u).LoadT = proto.Uint32(uint32(int(p.units[u].load) - n))
			left -= n
		}
	}
	for _, u := range cmd.Units {
		c.eliminate(u)
		c.unit(u).Aboard = proto.String("")
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_CargoLost{CargoLost: &ocsv1.CargoLost{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), Tokens: uint32(cmd.N),
	}}})
}

func listJettison(l *lister) {
	for _, u := range l.p.overload(inner[*mission](l.p)) {
		for _, v := range l.p.passengers(u) {
			c := only(KindJettison)
			c.Units = []Unit{v}
			l.checked(c)
		}
	}
	c := only(KindJettison)
	c.N = 1
	l.checked(c)
}

// sink loses all that a ship carries, or an air unit that is shot down or finds no air base. Of a ship that can carry
// it is told to its owner also if nothing was aboard. The enemy, who never sees cargo (OCS 18.3c), would read it
// from the number of records.
func (p *Position) sink(x *exec, u Unit) {
	list, bays := p.towed(u), p.bays(u)
	load := p.loadOf(bays)
	for _, on := range bays {
		list = append(list, p.passengers(on)...)
	}
	if len(list) == 0 && load == 0 && !(p.isShip(u) && p.capacityOf(u) > 0) {
		return
	}
	c := p.changed()
	for _, v := range list {
		c.eliminate(v)
		c.unit(v).Aboard = proto.String("")
	}
	for _, on := range bays {
		c.unit(on).LoadT = proto.Uint32(0)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_CargoLost{CargoLost: &ocsv1.CargoLost{
		Seat: seatIDs[p.units[u].seat], Units: p.ids(list), Tokens: uint32(load),
	}}})
}

// returnCargo brings the cargo of an air unit that aborts back to the air base that it was loaded at: it has not been
// delivered.
func (p *Position) returnCargo(x *exec, u Unit) {
	for _, f := range slices.Backward(p.frames) {
		f, ok := f.(*mission)
		if !ok || !slices.Contains(f.units, u) {
			continue
		}
		p.putOut(x, u, f.origin(u), false)
		p.landGliders(x, u, f.origin(u), false)
		return
	}
}

// putOut unloads an air unit.
func (p *Position) putOut(x *exec, u Unit, at Place, delivered bool) {
	p.unloadBut(x, u, at, delivered, nil, 0)
}

// unloadBut unloads an air unit but for what it keeps. Delivered cargo has been carried by air in this phase (OCS
// 12.2a, OCS 14.9d) and counts at the air base (OCS 14.9f).
func (p *Position) unloadBut(x *exec, u Unit, at Place, delivered bool, keep []Unit, keepT int) {
	list, load, seat := p.passengers(u), max(0, int(p.units[u].load)-keepT), p.units[u].seat
	list = slices.DeleteFunc(list, func(v Unit) bool { return slices.Contains(keep, v) })
	if len(list) == 0 && load == 0 || !at.onMap() {
		return
	}
	c := p.changed()
	for _, v := range list {
		m := c.unit(v)
		c.move(v, at)
		m.Aboard = proto.String("")
		if delivered {
			m.Set, m.Unset = append(m.Set, ocsv1.UnitMark_UNIT_MARK_AIRLIFTED),
				append(m.Unset, ocsv1.UnitMark_UNIT_MARK_MOVED)
		}
	}
	if load > 0 {
		c.unit(u).LoadT = proto.Uint32(uint32(int(p.units[u].load) - load))
		c.ground(at, seat, int(p.cell(at).ground[seat])+load)
		if delivered {
			c.taint(at, seat, ocsv1.Carriage_CARRIAGE_AIR, p.tainted(at, seat, ocsv1.Carriage_CARRIAGE_AIR)+load)
		}
	}
	e := &event{Changes: c.list}
	if delivered {
		e.Fact = &ocsv1.Event_CargoLanded{CargoLanded: &ocsv1.CargoLanded{
			Seat: seatIDs[seat], At: p.sc.PlaceID(at), Units: p.ids(list), Tokens: uint32(load),
		}}
	}
	tell(x, e)
}

// tainted is how much supply in a place a kind of carriage has unloaded in this phase.
func (p *Position) tainted(at Place, seat rules.Seat, by ocsv1.Carriage) int {
	for _, t := range p.taint {
		if t.at == at && t.seat == seat && t.carriage == uint8(by) {
			return int(t.tokens)
		}
	}
	return 0
}

// flownIn counts what was unloaded at an air base (OCS 14.9f).
func (p *Position) flownIn(x *exec, at Place, n int) {
	c := p.changed()
	c.hex(at).FlownIn = proto.Uint32(uint32(int(p.cell(at).flown) + n))
	tell(x, &event{Changes: c.list})
}

// deliver unloads the cargo of a transport mission at the air base. Where more may come than there is room for, since
// it could have flown on (OCS 21.12a), the rest goes back.
func (p *Position) deliver(x *exec, f *mission) {
	for _, u := range p.missionUnits(f) {
		if n := p.burden(u); n > 0 && f.flight(u) != ocsv1.Flight_FLIGHT_ONE_WAY && !p.counter(u).Plane.GliderTow &&
			!f.onward {
			if n > p.airRoom(f.at) && p.opt.xyzAirTransport {
				p.putOut(x, u, f.origin(u), false)
			} else {
				p.flownIn(x, f.at, n)
			}
		}
		p.putOut(x, u, f.at, true)
		p.landGliders(x, u, f.at, true)
	}
}
