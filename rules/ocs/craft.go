package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Landing craft carry units and supply as transports carry supply (OCS 18.4): points are their capacity (OCS
// 18.4a), load the supply aboard, and units aboard have the place Aboard, so that they move with them and count
// nowhere else (OCS 18.4b).

// craftKind is the kind of landing craft that a unit is, noCraft for anything else.
func (p *Position) craftKind(u Unit) Craft { return p.counter(u).Craft }

// afloat reports whether supply is on a ship, or on something that a ship carries.
func (p *Position) afloat(on Unit) bool {
	if on == NoUnit {
		return false
	}
	s := &p.units[on]
	return p.isShip(on) || s.place == Aboard && s.aboard != NoUnit && p.isShip(s.aboard)
}

// capacityOf is what a ship carries, in eighths of a token: the points of landing craft (OCS 18.4a), the lift of a
// warship where the game lets it carry troops.
func (p *Position) capacityOf(u Unit) int {
	if p.isCraft(u) {
		return int(p.units[u].points) * oneToken
	}
	if p.liftsTroops() {
		return int(p.counter(u).Ship.Lift) * oneToken
	}
	return 0
}

// holdLeft is the room aboard a ship, in eighths of a token.
func (p *Position) holdLeft(u Unit) int { return p.capacityOf(u) - p.burden(u) }

// checkShip says why a unit is no ship of the seat on the map that carries cargo.
func (p *Position) checkShip(seat rules.Seat, u Unit) *rules.Refusal {
	switch {
	case u == NoUnit || !p.isShip(u):
		return rules.Malformed("the command names no landing craft").For(rules.ReasonUnknownPiece)
	case p.units[u].seat != seat || !p.units[u].place.onMap():
		return rules.Refuse("OCS 18.4", "refuse.not-yours",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
	case p.capacityOf(u) == 0:
		return rules.Refuse("OCS 18.4a", "refuse.no-hold", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// checkEmbark says why cargo may not go aboard (OCS 18.4c): in a port that works, up to its capacity and that of the
// craft, in modes that may land (Decision D67).
func (p *Position) checkEmbark(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkShip(seat, c.Unit); r != nil {
		return r
	}
	if len(c.Units) == 0 && c.N == 0 {
		return rules.Malformed("the command names no cargo")
	}
	at := p.units[c.Unit].place
	if r := p.loadsAt(seat, c, at); r != nil {
		return r
	}
	for i, u := range c.Units {
		if slices.Contains(c.Units[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
		if r := p.mayEmbark(seat, u, c.Unit); r != nil {
			return r
		}
	}
	if need, left := p.heft(c.Units, c.N), p.holdLeft(c.Unit); need > left {
		return rules.Refuse("OCS 18.4a", "refuse.hold", "unit", p.unitName(c.Unit), "need", formatEighths(need),
			"left", formatEighths(max(left, 0))).About(p.id(c.Unit))
	}
	return p.checkStowed(seat, c, at)
}

// loadsAt says why craft may not load where they are: on the map only in ports that work and have room (OCS 18.4c, OCS
// 19.0a), but where the scenario has boats loaded on the beach.
func (p *Position) loadsAt(seat rules.Seat, c *Command, at Place) *rules.Refusal {
	if p.beached(seat, c, at) {
		return nil
	}
	if r := p.checkPort(seat, at, "OCS 18.4c"); r != nil {
		return r
	}
	return p.checkHandles(at, c.Units, c.N)
}

// checkStowed says why supply may not go aboard: what lies there and was not unloaded in this phase (OCS 12.2a),
// and never on warships.
func (p *Position) checkStowed(seat rules.Seat, c *Command, at Place) *rules.Refusal {
	id, lies := p.sc.PlaceID(at), int(p.cell(at).ground[seat])
	switch fresh := lies - p.carriedHere(seat, at); {
	case c.N > 0 && !p.isCraft(c.Unit):
		return rules.Refuse("OCS 18.4", "refuse.troops-only", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case c.N > lies:
		return rules.Refuse("OCS 18.4c", "refuse.tokens", "hex", id, "need", c.N, "left", lies).At(id)
	case c.N > fresh:
		return rules.Refuse("OCS 12.2a", "refuse.leapfrog", "hex", id, "left", fresh).At(id)
	}
	return nil
}

// mayEmbark says why a unit may not go aboard: it must be a land unit in the same place that has not ended its move, in
// Combat or Move mode (Decision D67), not DG (OCS 5.10d); on a DUKW only what could be carried by air (OCS 18.4e-B), on
// a warship only leg units.
func (p *Position) mayEmbark(seat rules.Seat, u, on Unit) *rules.Refusal {
	s, k := &p.units[u], p.counter(u)
	id := p.id(u)
	switch mode := p.mode(u); {
	case s.seat != seat || !k.Kind.Land() || s.place != p.units[on].place || k.RailOnly:
		return rules.Refuse("OCS 18.4c", "refuse.not-in-port",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(id)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_EXTENDER):
		return rules.Refuse("OCS 12.7", "refuse.is-extender", "unit", p.unitName(u)).About(id)
	case mode == DGMode:
		return rules.Refuse("OCS 5.10d", "refuse.embark-mode", "unit", p.unitName(u)).About(id)
	case mode != CombatMode && mode != MoveMode && !(mode == ExploitationMode && p.segment == SegExploitMove):
		return rules.Refuse("OCS 18.4c", "refuse.embark-mode", "unit", p.unitName(u)).About(id)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_COMMITTED), s.marks.has(ocsv1.UnitMark_UNIT_MARK_BUILDING):
		return rules.Refuse("OCS 4.5b", "refuse.committed", "unit", p.unitName(u),
			"hex", p.sc.placeName(p.sc.PlaceID(s.place))).About(id)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE), s.marks.has(ocsv1.UnitMark_UNIT_MARK_SHIPPED):
		return rules.Refuse("OCS 6.1f", "refuse.move-over", "unit", p.unitName(u)).About(id)
	case p.craftKind(on) == dukw && !p.airborne(u):
		return rules.Refuse("OCS 18.4e-B", "refuse.not-by-air", "unit", p.unitName(u)).About(id)
	case !p.isCraft(on) && (!p.isCombat(u) || k.Faces[MoveFace].MP != Leg):
		return rules.Refuse("OCS 18.4", "refuse.troops-only", "unit", p.unitName(on)).About(id)
	}
	return nil
}

// airborne reports whether a unit is of a kind that may be carried by air (OCS 14.9c).
func (p *Position) airborne(u Unit) bool {
	c := p.counter(u)
	f := &c.Faces[MoveFace]
	return c.Kind != Eq && (!p.isTransport(u) || p.byAir(u)) && f.MP == Leg && f.Movement > 0 &&
		f.Movement <= maxAirborne
}

// playEmbark loads. It costs nobody MP; units can't move further in this phase (Decision D67).
func (p *Position) playEmbark(x *exec, seat rules.Seat, cmd *Command) {
	at := p.units[cmd.Unit].place
	c := p.changed()
	if !p.beached(seat, cmd, at) {
		p.portLoads(c, at, cmd.Units, cmd.N)
	}
	for _, u := range cmd.Units {
		c.move(u, Aboard)
		m := c.unit(u)
		m.Aboard, m.Set = proto.String(p.id(cmd.Unit)), []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_SHIPPED}
		m.Unset = []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_HALTED}
	}
	if cmd.N > 0 {
		c.ground(at, seat, int(p.cell(at).ground[seat])-cmd.N)
		c.unit(cmd.Unit).LoadT = proto.Uint32(uint32(int(p.units[cmd.Unit].load) + cmd.N))
	}
	if slices.ContainsFunc(cmd.Units, p.inMotion) {
		c.motion(slices.DeleteFunc(slices.Clone(p.motion), func(u Unit) bool { return slices.Contains(cmd.Units, u) }))
	}
	p.tellCargo(x, c, seat, cmd, at, false)
}

func (p *Position) tellCargo(x *exec, c *changes, seat rules.Seat, cmd *Command, at Place, unloaded bool) {
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_CargoHandled{CargoHandled: &ocsv1.CargoHandled{
		Seat: seatIDs[seat], Unit: p.id(cmd.Unit), Units: p.ids(cmd.Units), Tokens: uint32(cmd.N), At: p.sc.PlaceID(at),
		Unloaded: unloaded,
	}}})
}

// bearers are the ships of a seat on the map that carry something, or could, in ascending order.
func (p *Position) bearers(seat rules.Seat) []Unit {
	return slices.DeleteFunc(p.navy(seat), func(u Unit) bool { return p.capacityOf(u) == 0 })
}

// listEmbark lists for each ship in a port each unit alone, and as much supply as fits or one token.
func listEmbark(l *lister) {
	p := l.p
	for _, on := range p.bearers(l.seat) {
		at := p.units[on].place
		if p.holdLeft(on) <= 0 || !p.isPort(l.seat, at) && !p.assaultBoats(l.seat) {
			continue
		}
		for u := range p.of(l.seat, at) {
			c := only(KindEmbark)
			c.Unit, c.Units = on, []Unit{u}
			l.checked(c)
		}
		l.amounts(KindEmbark, on, min(p.holdLeft(on)/oneToken, p.portRoom(at)/oneToken,
			int(p.cell(at).ground[l.seat])-p.carriedHere(l.seat, at)))
	}
}

// checkDisembark says why cargo may not go ashore without a roll: in a port that works, up to its capacity, in any
// friendly movement segment (OCS 18.5d, OCS 18.5g).
func (p *Position) checkDisembark(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkShip(seat, c.Unit); r != nil {
		return r
	}
	if len(c.Units) == 0 && c.N == 0 {
		return rules.Malformed("the command names no cargo")
	}
	at := p.units[c.Unit].place
	if r := p.checkPort(seat, at, "OCS 18.5g"); r != nil {
		return r
	}
	if r := p.checkAboard(c.Units, []Unit{c.Unit}); r != nil {
		return r
	}
	if load := int(p.units[c.Unit].load); c.N > load {
		return rules.Refuse("OCS 18.5g", "refuse.load", "unit", p.unitName(c.Unit), "n", load).About(p.id(c.Unit))
	}
	return p.checkHandles(at, c.Units, c.N)
}

// checkAboard checks that units are aboard some ships, each once, and went aboard in an earlier phase or sailed since.
func (p *Position) checkAboard(units, ships []Unit) *rules.Refusal {
	for i, u := range units {
		s := &p.units[u]
		if s.place != Aboard || !slices.Contains(ships, s.aboard) {
			return rules.Refuse("OCS 18.5", "refuse.not-aboard", "unit", p.unitName(u)).About(p.id(u))
		}
		if slices.Contains(units[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
	}
	return nil
}

// playDisembark unloads. The craft has ended its move (OCS 18.5a), units may not move in this phase (OCS 18.5h-i), and
// supply not be carried on (OCS 12.2a).
func (p *Position) playDisembark(x *exec, seat rules.Seat, cmd *Command) {
	at := p.units[cmd.Unit].place
	c := p.changed()
	p.portLoads(c, at, cmd.Units, cmd.N)
	p.debark(c, cmd.Units, at)
	for _, u := range cmd.Units {
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE)
	}
	if cmd.N > 0 {
		c.unit(cmd.Unit).LoadT = proto.Uint32(uint32(int(p.units[cmd.Unit].load) - cmd.N))
		p.putAshore(c, seat, at, cmd.N)
	}
	c.mark(cmd.Unit, ocsv1.UnitMark_UNIT_MARK_DONE)
	p.tellCargo(x, c, seat, cmd, at, true)
}

// debark puts units that were aboard on land.
func (p *Position) debark(c *changes, units []Unit, at Place) {
	for _, u := range units {
		c.move(u, at)
		m := c.unit(u)
		m.Aboard, m.Origin = proto.String(""), proto.String(p.sc.PlaceID(at))
		m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_SHIPPED)
		if p.units[u].load > 0 {
			m.Carried = ocsv1.Carriage_CARRIAGE_SEA.Enum()
		}
	}
}

// listDisembark lists for each ship in a port each unit alone, and all supply that the port can handle or one token.
func listDisembark(l *lister) {
	p := l.p
	for _, on := range p.bearers(l.seat) {
		at := p.units[on].place
		if !p.isPort(l.seat, at) {
			continue
		}
		for _, u := range p.passengers(on) {
			c := only(KindDisembark)
			c.Unit, c.Units = on, []Unit{u}
			l.checked(c)
		}
		l.amounts(KindDisembark, on, min(int(p.units[on].load), p.portRoom(at)/oneToken))
	}
}
