package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Shipping by sea capacity (OCS 19.0f): cargo goes from port to port, any distance, over no particular sea (Decision
// D80). Trainbusting does not touch it (OCS 14.8c-iii).

// seaLeft is the sea capacity that a side has left in the phase, in eighths of a token (OCS 19.0f-D); half more with
// the faster pace (OCS 21.6c).
func (p *Position) seaLeft(seat rules.Seat) int {
	n := p.more(period(p.sc.Seats[seat].Doc.GetSeaCapacityT(), int(p.turn)))
	return n*oneToken - p.register(seat, ocsv1.Register_REGISTER_SEA_USED)
}

// checkSeaTrip says why cargo may not be shipped.
func (p *Position) checkSeaTrip(seat rules.Seat, c *Command) *rules.Refusal {
	if p.segment != SegMovement {
		return rules.Refuse("OCS 19.0f-B", "refuse.sea-phase")
	}
	from, r := p.seaCargo(seat, c)
	if r != nil {
		return r
	}
	return p.checkPassage(seat, c, from)
}

// seaCargo reads what travels, and says why it may not: units of one place, or supply on the ground of one.
func (p *Position) seaCargo(seat rules.Seat, c *Command) (Place, *rules.Refusal) {
	if (len(c.Units) == 0) == (c.N == 0) {
		return Nowhere, rules.Malformed("either units travel or supply")
	}
	if c.N > 0 {
		if !c.From.onMap() {
			return Nowhere, rules.Malformed("the command does not say where the supply is")
		}
		at, lies := p.sc.PlaceID(c.From), int(p.cell(c.From).ground[seat])
		if c.N > lies {
			return Nowhere, rules.Refuse("OCS 19.0f", "refuse.tokens", "hex", at, "need", c.N, "left", lies).At(at)
		}
		if fresh := lies - p.carriedHere(seat, c.From); c.N > fresh { // also OCS 19.0f-C
			return Nowhere, rules.Refuse("OCS 12.2a", "refuse.leapfrog", "hex", at, "left", fresh).At(at)
		}
		return c.From, nil
	}
	for _, u := range c.Units { // landing craft and other ships are no cargo
		if k := p.counter(u); !k.Kind.Land() || k.RailOnly {
			return Nowhere, rules.Refuse("OCS 19.0f", "refuse.no-cargo-of-ships", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	if r := p.checkStack(seat, c.Units); r != nil {
		return Nowhere, r
	}
	for _, u := range c.Units {
		if r := p.mayShip(u); r != nil {
			return Nowhere, r
		}
	}
	return p.units[c.Units[0]].place, nil
}

// mayShip says why a unit may not be shipped: it is in Move mode (OCS 19.0f-A), has not moved in any other way (OCS
// 19.0f-C), and stays nowhere by its own promise.
func (p *Position) mayShip(u Unit) *rules.Refusal {
	s := &p.units[u]
	switch {
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_EXTENDER):
		return rules.Refuse("OCS 12.7", "refuse.is-extender", "unit", p.unitName(u)).About(p.id(u))
	case p.mode(u) != MoveMode:
		return rules.Refuse("OCS 19.0f-A", "refuse.sea-mode", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_COMMITTED), s.marks.has(ocsv1.UnitMark_UNIT_MARK_BUILDING):
		return rules.Refuse("OCS 4.5b", "refuse.committed", "unit", p.unitName(u),
			"hex", p.sc.placeName(p.sc.PlaceID(s.place))).About(p.id(u))
	case s.spent > 0, s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED), s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE),
		s.marks.has(ocsv1.UnitMark_UNIT_MARK_AIRLIFTED),
		s.marks.has(ocsv1.UnitMark_UNIT_MARK_SHIPPED):
		return rules.Refuse("OCS 19.0f-C", "refuse.sea-moved", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// checkPassage says why cargo can't go from one port to the other: both are friendly, in no enemy ZOC, negated or not
// (OCS 4.5a-G, OCS 19.0f-F), and have room (OCS 19.0f-E).
func (p *Position) checkPassage(seat rules.Seat, c *Command, from Place) *rules.Refusal {
	if from == c.At {
		return rules.Malformed("the cargo is there already")
	}
	for _, at := range [...]Place{from, c.At} {
		id := p.sc.PlaceID(at)
		switch {
		case !at.onMap() || !p.isPort(seat, at):
			return rules.Refuse("OCS 19.0f", "refuse.no-friendly-port", "hex", id).At(id)
		case p.watched(seat, at) && !p.opt.nightShipping:
			rule := "OCS 4.5a-G"
			if at == c.At {
				rule = "OCS 19.0f-F"
			}
			return rules.Refuse(rule, "refuse.port-zoc", "hex", id).At(id)
		}
		if r := p.checkHandles(at, c.Units, c.N); r != nil {
			return r
		}
	}
	if need, left := p.seaPrice(seat, c, from), p.seaLeft(seat); need > left {
		return rules.Refuse("OCS 19.0f-D", "refuse.sea-cap", "need", formatEighths(need),
			"left", formatEighths(max(left, 0)))
	}
	return nil
}

// watched reports whether a port lies in an enemy ZOC, negated or not.
func (p *Position) watched(seat rules.Seat, at Place) bool {
	return at.Hex() != NoHex && p.inZOC(enemy(seat), at.Hex())
}

// nightTimes is how many times the sea capacity a trip to or from a port in an enemy ZOC costs (OCS 21.12b).
const nightTimes = 4

// seaPrice is the sea capacity that a trip costs, in eighths of a token (OCS 19.0f-E).
func (p *Position) seaPrice(seat rules.Seat, c *Command, from Place) int {
	n := p.heft(c.Units, c.N)
	if p.watched(seat, from) || p.watched(seat, c.At) {
		return nightTimes * n
	}
	return n
}

// playSeaTrip ships cargo. It can't move any more in the phase (OCS 19.0f-C).
func (p *Position) playSeaTrip(x *exec, seat rules.Seat, cmd *Command) {
	from, _ := p.seaCargo(seat, cmd) // it passed the check
	cost := p.seaPrice(seat, cmd, from)
	c := p.changed()
	used := ocsv1.Register_REGISTER_SEA_USED
	c.register(seat, used, p.register(seat, used)+cost)
	p.portLoads(c, from, cmd.Units, cmd.N)
	p.portLoads(c, cmd.At, cmd.Units, cmd.N)
	for _, u := range cmd.Units {
		c.move(u, cmd.At)
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_MOVED, ocsv1.UnitMark_UNIT_MARK_DONE, ocsv1.UnitMark_UNIT_MARK_SHIPPED)
		if p.units[u].load > 0 {
			c.unit(u).Carried = ocsv1.Carriage_CARRIAGE_SEA.Enum()
		}
	}
	p.halt(c, cmd.Units)
	if cmd.N > 0 {
		c.ground(from, seat, int(p.cell(from).ground[seat])-cmd.N)
		p.putAshore(c, seat, cmd.At, cmd.N)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SeaShipped{SeaShipped: &ocsv1.SeaShipped{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), From: p.sc.PlaceID(from), At: p.sc.PlaceID(cmd.At),
		Tokens: uint32(cmd.N), CostEighths: uint32(cost),
	}}})
}

// halt ends the move of units in motion, since something else moves (OCS 6.1g); those that leave the map's
// hexes have no mark more.
func (p *Position) halt(c *changes, leaving []Unit) {
	for _, u := range p.motion {
		if !slices.Contains(leaving, u) {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
	}
	if len(p.motion) > 0 {
		c.motion(nil)
	}
}

// putAshore puts supply on the ground that came by sea, which can't be carried on in this phase (OCS 12.2a).
func (p *Position) putAshore(c *changes, seat rules.Seat, at Place, tokens int) {
	c.ground(at, seat, int(p.cell(at).ground[seat])+tokens)
	c.taint(at, seat, ocsv1.Carriage_CARRIAGE_SEA, p.tainted(at, seat, ocsv1.Carriage_CARRIAGE_SEA)+tokens)
}

// portsOf are the ports of a seat, in order of the map.
func (p *Position) portsOf(seat rules.Seat) (list []Place) {
	for i := range p.cells {
		if at := p.placeOf(i); p.isPort(seat, at) {
			list = append(list, at)
		}
	}
	return list
}

// listSeaTrip lists the trips of single units from port to port, and of all supply of a port that capacities
// allow and one token of it.
func listSeaTrip(l *lister) {
	p := l.p
	if p.segment != SegMovement || p.seaLeft(l.seat) <= 0 {
		return
	}
	ports := p.portsOf(l.seat)
	for _, from := range ports {
		for _, to := range ports {
			if from == to || !l.aims(to) && !l.aims(from) {
				continue
			}
			for u := range p.of(l.seat, from) {
				if l.acts(u) && p.mayShip(u) == nil {
					c := only(KindSeaTrip)
					c.Units, c.At = []Unit{u}, to
					l.checked(c)
				}
			}
			l.shipSupply(from, to)
		}
	}
}

func (l *lister) shipSupply(from, to Place) {
	p := l.p
	most := min(int(p.cell(from).ground[l.seat])-p.carriedHere(l.seat, from), p.portRoom(from)/oneToken,
		p.portRoom(to)/oneToken)
	times := 1
	if p.watched(l.seat, from) || p.watched(l.seat, to) {
		times = nightTimes
	}
	most = min(most, p.seaLeft(l.seat)/oneToken/times)
	for _, n := range [...]int{most, 1} {
		if n < 1 || n == 1 && most == 1 && n != most {
			return
		}
		c := only(KindSeaTrip)
		c.From, c.At, c.N = from, to, n
		l.checked(c)
		if most == 1 {
			return
		}
	}
}
