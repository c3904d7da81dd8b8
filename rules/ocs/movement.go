package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// march is a move that is worked out: what each unit will have spent.
type march struct {
	w     *walker
	units []Unit
	spent []Cost
}

// checkMove says why units may not move along a path (OCS 6.0).
func (p *Position) checkMove(seat rules.Seat, c *Command) *rules.Refusal {
	_, r := p.planMove(p.walk(seat), c)
	return r
}

// planMove works out a move: who may move, then hex by hex what it costs each unit and whether it may enter.
func (p *Position) planMove(w *walker, c *Command) (*march, *rules.Refusal) {
	if r := p.checkMovers(w.seat, c.Units); r != nil {
		return nil, r
	}
	if len(c.Path) == 0 {
		return nil, rules.Malformed("the path has no hex")
	}
	m := &march{w: w, units: c.Units, spent: make([]Cost, len(c.Units))}
	from := p.units[c.Units[0]].place
	for i, u := range c.Units {
		m.spent[i] = p.units[u].spent
		if p.held(u, c.Units) {
			return nil, p.halted(u, from)
		}
	}
	for i, to := range c.Path {
		if i > 0 {
			if r := m.goesOn(from); r != nil {
				return nil, r
			}
		}
		if r := m.step(from, to); r != nil {
			return nil, r
		}
		from = to
	}
	return m, m.endsWell(from)
}

// marchCost returns the MP that a move costs; for several units it is the highest cost of any of them. Illegal commands
// are passed too, and cost nothing.
func (p *Position) marchCost(seat rules.Seat, c *Command) (cost Cost, ok bool) {
	if c.Kind != KindMove || slices.ContainsFunc(c.Units, func(u Unit) bool { return int(u) >= len(p.units) }) ||
		p.checkStack(seat, c.Units) != nil {
		return 0, false
	}
	m := &march{w: p.walk(seat), units: c.Units, spent: make([]Cost, len(c.Units))}
	for i, u := range c.Units {
		m.spent[i] = p.units[u].spent
	}
	from := p.units[c.Units[0]].place
	for _, to := range c.Path {
		if m.step(from, to) != nil {
			return 0, false
		}
		from = to
	}
	for i, u := range c.Units {
		cost = max(cost, m.spent[i]-p.units[u].spent)
	}
	return cost, len(c.Path) > 0
}

// checkMovers checks that units may begin or continue a move together (OCS 6.1): all in one hex, each able to, and none
// picked up on the way (OCS 6.1f).
func (p *Position) checkMovers(seat rules.Seat, list []Unit) *rules.Refusal {
	if r := p.checkStack(seat, list); r != nil {
		return r
	}
	moving := p.inMotion(list[0])
	for _, u := range list {
		if r := p.mayMove(u); r != nil {
			return r
		}
		if p.inMotion(u) != moving {
			return rules.Refuse("OCS 6.1g", "refuse.picked-up", "unit", p.unitName(u),
				"other", p.unitName(list[0])).About(p.id(u), p.id(list[0]))
		}
	}
	return nil
}

// checkStack checks that units are given, are the seat's, which alone moves land units (OCS 6.3), each once, and stand
// in one hex (OCS 6.1).
func (p *Position) checkStack(seat rules.Seat, list []Unit) *rules.Refusal {
	if len(list) == 0 {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	for i, u := range list {
		s := &p.units[u]
		switch {
		case s.seat != seat || !s.place.onMap():
			return rules.Refuse("OCS 6.3a", "refuse.not-yours",
				"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		case slices.Contains(list[:i], u):
			return rules.Malformed("unit %s is named twice", p.id(u))
		case s.place != p.units[list[0]].place:
			return rules.Refuse("OCS 6.1", "refuse.not-stacked", "unit", p.unitName(u),
				"other", p.unitName(list[0])).About(p.id(u), p.id(list[0]))
		}
	}
	return nil
}

// mayMove says why a unit may not move at all in the segment.
func (p *Position) mayMove(u Unit) *rules.Refusal {
	if r := p.mayAct(u); r != nil {
		return r
	}
	s := &p.units[u]
	switch {
	case p.allowance(u) == 0: // ports, air bases and hedgehogs are no units of the program; they never move
		return rules.Refuse("OCS 6.1b", "refuse.immobile", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_COMMITTED):
		return rules.Refuse("OCS 4.5b", "refuse.committed", "unit", p.unitName(u),
			"hex", p.sc.placeName(p.sc.PlaceID(s.place))).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_BUILDING):
		return rules.Refuse("OCS 13.8d", "refuse.committed", "unit", p.unitName(u),
			"hex", p.sc.placeName(p.sc.PlaceID(s.place))).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_EXTENDER):
		return rules.Refuse("OCS 12.7", "refuse.is-extender", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE), s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED) && !p.inMotion(u):
		return rules.Refuse("OCS 6.1f", "refuse.move-over", "unit", p.unitName(u)).About(p.id(u))
	}
	return p.needsFuel(u)
}

// mayAct says why a unit has no part in the segment: in the Reaction Phase only what was released from Reserve acts
// (OCS 7.0a), in the Exploitation Phase also what is in Exploitation mode (OCS 11.0a). What is carried by air in these
// phases moves by the same rule (OCS 14.9d-i).
func (p *Position) mayAct(u Unit) *rules.Refusal {
	s := &p.units[u]
	released := s.marks.has(ocsv1.UnitMark_UNIT_MARK_RELEASED)
	switch p.segment {
	case SegReactionMove, SegReactionBarrage:
		if !released {
			return rules.Refuse("OCS 7.0a", "refuse.not-released", "unit", p.unitName(u)).About(p.id(u))
		}
	case SegExploitMove, SegExploitBarrage, SegExploitCombat:
		if !released && s.marker != Exploitation {
			return rules.Refuse("OCS 11.0a", "refuse.not-exploiting", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return nil
}

// allowance is the MP that a unit has in the phase (OCS 6.1b): those of the face that is up, as its mode changes them.
// Fractions are kept (OCS 6.1h), and what is not spent is lost with the phase (OCS 6.1e). A unit that is carried by
// air has half of it for the whole phase (OCS 14.9d), and half of that in the Reaction Phase or with an Exploitation
// marker (OCS 14.9d-ii).
func (p *Position) allowance(u Unit) Cost {
	if m := p.mode(u); p.segment == SegReactionMove && (m == CombatMode || m == MoveMode) {
		return p.fullAllowance(u) / 2 // OCS 5.7b-B
	}
	return p.fullAllowance(u)
}

// fullAllowance is the MP that a unit has in a Movement Phase.
func (p *Position) fullAllowance(u Unit) Cost {
	ma := p.shown(u).Movement
	if p.has(u, ocsv1.UnitMark_UNIT_MARK_AIRLIFTED) || p.has(u, ocsv1.UnitMark_UNIT_MARK_LANDED) { // OCS 18.5h
		ma /= 2
	}
	switch p.mode(u) {
	case DGMode:
		return ma / 2 // OCS 5.10b, OCS 5.10b-A
	case ReserveMode:
		return ma / 4 // OCS 5.7a
	case StratMode:
		return ma * 2 // OCS 5.8
	case ExploitationMode:
		return ma / 2 // OCS 5.9, OCS 11.0b
	}
	return ma // OCS 5.7b-A
}

// step works out one hex of a move.
func (m *march) step(from, to Place) *rules.Refusal {
	p := m.w.p
	a, b := from.Hex(), to.Hex()
	if a == NoHex || b == NoHex {
		return m.stepByBox(from, to)
	}
	d, adjacent := p.sc.Map.DirTo(a, b)
	if !adjacent {
		return notAdjacent(p, from, to)
	}
	for i, u := range m.units {
		if o := m.w.entry(u, b); o != noObstacle {
			return p.blocked(u, to, o)
		}
		cost := m.w.cost(u, a, d)
		if cost == costNever {
			return p.prohibited(u, a, b, d)
		}
		if r := m.pay(i, cost, to); r != nil {
			return r
		}
	}
	return nil
}

// prohibited is the refusal of a step that terrain prohibits (OCS 6.2c), or would prohibit on the way back (OCS 6.1d).
func (p *Position) prohibited(u Unit, a, b Hex, d hex.Dir) *rules.Refusal {
	rule, mp := "OCS 6.2c", p.shown(u).MP
	if overland(p.sc, byRoad, int(p.ground), mp, a, b, d) != costNever {
		rule = "OCS 6.1d"
	}
	return rules.Refuse(rule, "refuse.prohibited", "unit", p.unitName(u),
		"hex", p.sc.Map.ID(b)).About(p.id(u)).At(p.sc.Map.ID(b))
}

func notAdjacent(p *Position, from, to Place) *rules.Refusal {
	return rules.Refuse("OCS 6.1", "refuse.not-adjacent", "from", p.sc.PlaceID(from),
		"to", p.sc.PlaceID(to)).At(p.sc.PlaceID(from), p.sc.PlaceID(to))
}

// pay has one unit pay for a step. All of it is paid before the hex is entered (OCS 6.2), but the first hex of the
// phase may always be entered, for the whole allowance (OCS 6.1c).
func (m *march) pay(i int, cost Cost, to Place) *rules.Refusal {
	p, u := m.w.p, m.units[i]
	ma := p.allowance(u)
	left := ma - m.spent[i]
	switch {
	case cost != costAll && cost <= left:
		m.spent[i] += cost
	case m.spent[i] == 0:
		m.spent[i] = ma
	default:
		if cost == costAll {
			cost = ma
		}
		return rules.Refuse("OCS 6.1b", "refuse.mp", "unit", p.unitName(u), "hex", p.sc.PlaceID(to),
			"need", formatCost(cost), "left", formatCost(left)).
			About(p.id(u)).At(p.sc.PlaceID(to))
	}
	return nil
}

// goesOn says why the stack may not move on from a hex of its path: Truck MP end in an enemy ZOC (OCS 4.5a-A), and what
// is captured is captured before anything else is done (OCS 9.14).
func (m *march) goesOn(at Place) *rules.Refusal {
	p, h := m.w.p, at.Hex()
	if h == NoHex {
		return nil
	}
	for _, u := range m.units {
		if m.w.halts(u, h) {
			return p.halted(u, at)
		}
	}
	if p.anything(enemy(m.w.seat), at) {
		return rules.Refuse("OCS 9.14", "refuse.captures-first", "hex", p.sc.PlaceID(at)).At(p.sc.PlaceID(at))
	}
	return nil
}

// halted is the refusal of a further step out of an enemy ZOC.
func (p *Position) halted(u Unit, at Place) *rules.Refusal {
	r := rules.Refuse("OCS 4.5a-A", "refuse.halted", "unit", p.unitName(u),
		"hex", p.sc.PlaceID(at)).About(p.id(u)).At(p.sc.PlaceID(at))
	for v := range p.of(p.units[u].seat, at) {
		if p.isCombat(v) && v != u && !p.inMotion(v) {
			r = r.About(p.id(v)) // one that could be committed (OCS 4.5b)
		}
	}
	return r
}

// endsWell says why a move may not end in a hex: a Strat-mode unit must be able to trace from there
// (OCS 5.8b, OCS 21.12d).
func (m *march) endsWell(at Place) *rules.Refusal {
	p := m.w.p
	for _, u := range m.units {
		if p.units[u].marker == Strat && !m.w.tracesFrom(u, at, m.units) {
			return rules.Refuse(p.stratTrace(), "refuse.strat-trace", "unit", p.unitName(u),
				"hex", p.sc.PlaceID(at)).About(p.id(u)).At(p.sc.PlaceID(at))
		}
	}
	return nil
}

// playMove carries a move out. Units in motion that are left out of it stay where they are and may not move
// again (OCS 6.1f); a move of other units ends that of those in motion (OCS 6.1g): whatever has moved and is not
// in motion has finished.
func (p *Position) playMove(x *exec, seat rules.Seat, cmd *Command) {
	m, _ := p.planMove(p.walk(seat), cmd) // it passed the check
	m.carryOut(x, p.changed(), cmd.Path)
}

// carryOut emits a move along a path with other changes that come of it.
func (m *march) carryOut(x *exec, c *changes, along []Place) {
	p, seat := m.w.p, m.w.seat
	to := along[len(along)-1]
	for i, u := range m.units {
		p.fuelUp(c, u)
		c.move(u, to)
		c.spend(u, m.spent[i])
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_MOVED)
		p.markHalt(c, u, to)
	}
	p.noteLanded(c, seat, m.units)
	c.motion(m.units)
	path := append([]Place{p.units[m.units[0]].place}, along...)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsMoved{UnitsMoved: &ocsv1.UnitsMoved{
		Seat: seatIDs[seat], Units: p.ids(m.units), Path: p.placeIDs(path),
	}}})
	p.occupy(x, seat, m.units, along)
}

// occupy is called when units have entered hexes: those that an attack-capable unit entered are their side's
// (OCS 4.4c), and what the enemy has in the last one is captured (OCS 9.14). Only the last one can have
// anything, see goesOn.
func (p *Position) occupy(x *exec, seat rules.Seat, units []Unit, path []Place) {
	if !slices.ContainsFunc(units, p.attackCapable) {
		return
	}
	c := p.changed()
	for _, at := range path {
		if at.Hex() != NoHex && p.cell(at).owner != seat {
			c.own(at, seat)
		}
	}
	if len(c.list) > 0 {
		tell(x, &event{Changes: c.list})
	}
	p.capture(x, seat, path[len(path)-1])
}

// stepByBox works out a step into a box off the map or out of it (OCS Intro-I-F): along a link of the scenario that a
// road follows, for a part of the allowance. Only the side of a box enters it; leaving the map in any other way is
// refused (OCS Intro-I-C).
func (m *march) stepByBox(from, to Place) *rules.Refusal {
	p := m.w.p
	l, ok := p.boxLink(from, to)
	switch {
	case !ok:
		return notAdjacent(p, from, to)
	case !l.Road:
		return rules.Refuse("OCS Intro-I-C", "refuse.no-road-link", "from", p.sc.PlaceID(from),
			"to", p.sc.PlaceID(to)).At(p.sc.PlaceID(to))
	case to.inBox() && p.sc.Boxes[to-boxes].Seat != m.w.seat:
		return rules.Refuse("OCS Intro-I-F", "refuse.box-of-enemy", "hex", p.sc.PlaceID(to)).At(p.sc.PlaceID(to))
	}
	for i, u := range m.units {
		if h := to.Hex(); h != NoHex {
			if o := m.w.entry(u, h); o != noObstacle {
				return p.blocked(u, to, o)
			}
		}
		if r := m.pay(i, p.allowance(u)*l.Allowance/oneMP, to); r != nil {
			return r
		}
	}
	return nil
}

// boxLink finds the way between two places of which at least one is a box.
func (p *Position) boxLink(from, to Place) (LinkInfo, bool) {
	for _, way := range [...][2]Place{{from, to}, {to, from}} {
		if !way[0].inBox() {
			continue
		}
		for _, l := range p.sc.Boxes[way[0]-boxes].Links {
			if l.To == way[1] {
				return l, true
			}
		}
	}
	return LinkInfo{}, false
}

// dirOf is the direction of a step between adjacent hexes.
func (p *Position) dirOf(a, b Place) (hex.Dir, bool) {
	if a.Hex() == NoHex || b.Hex() == NoHex {
		return 0, false
	}
	return p.sc.Map.DirTo(a.Hex(), b.Hex())
}
