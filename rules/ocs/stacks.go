package ocs

import (
	"iter"
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// set replaces what is known of a unit, and keeps stacks, counts and ZOC right. It is the only way to change a unit.
func (p *Position) set(u Unit, to unit) {
	was := &p.units[u]
	moved := was.place != to.place
	if was.place.onMap() {
		p.exert(u, was, ^uint8(0))
		if moved {
			p.unlink(u, was.place)
			p.count(was, ^uint8(0))
		}
	}
	if moved {
		to.next = NoUnit
	} else {
		to.next = was.next
	}
	*was = to
	if to.place.onMap() {
		if moved {
			p.link(u, to.place)
			p.count(was, 1)
		}
		p.exert(u, was, 1)
	}
}

// link puts a unit into the list of a place, in ascending order so that the list does not tell its history.
func (p *Position) link(u Unit, at Place) {
	next := p.listOf(u, at)
	for *next != NoUnit && *next < u {
		next = &p.units[*next].next
	}
	p.units[u].next = *next
	*next = u
}

func (p *Position) unlink(u Unit, at Place) {
	next := p.listOf(u, at)
	for *next != u {
		next = &p.units[*next].next
	}
	*next = p.units[u].next
}

// listOf is the list of a place that a piece belongs to: land units, or air units and ships, which the rules of
// the land war never meet.
func (p *Position) listOf(u Unit, at Place) *Unit {
	if p.counter(u).Kind.Land() {
		return &p.cell(at).head
	}
	return &p.cell(at).wing
}

// count adds to the counts of a land unit's place.
func (p *Position) count(s *unit, by uint8) {
	if !p.sc.Counters[s.counter].Kind.Land() {
		return
	}
	c := p.cell(s.place)
	c.pieces[s.seat] += by
	if p.sc.Counters[s.counter].Kind.Combat() {
		c.combat[s.seat] += by
	}
}

// exert adds to the ZOC counts around a unit that has a ZOC. It never stops at terrain (OCS 4.5).
func (p *Position) exert(_ Unit, s *unit, by uint8) {
	h := s.place.Hex()
	if h == NoHex || !hasZOC(p.sc, s) {
		return
	}
	for _, n := range p.sc.Map.Neighbors(h) {
		if n != NoHex {
			p.cells[n].zoc[s.seat] += by
		}
	}
}

// hasZOC reports whether a unit has a ZOC (OCS 4.4b, OCS 4.5): attack-capable, in Combat mode (OCS 5.5e) or in
// Exploitation mode with a ZOC kept (OCS 5.9c), and without an Out of Supply marker (OCS 12.8d).
func hasZOC(sc *Scenario, s *unit) bool {
	if !attackCapable(sc, s) || s.marks.has(ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) {
		return false
	}
	switch s.mode() {
	case CombatMode:
		return true
	case ExploitationMode:
		return s.marks.has(ocsv1.UnitMark_UNIT_MARK_HAD_ZOC)
	}
	return false
}

// attackCapable reports whether a unit is attack-capable (OCS 4.4): a combat unit whose face that is up has a strength
// without parentheses, not in Strat or Reserve mode. A strength of 0 counts.
func attackCapable(sc *Scenario, s *unit) bool {
	c := &sc.Counters[s.counter]
	return c.Kind.Combat() && !c.Faces[s.face].DefenceOnly && s.marker != Strat && s.marker != Reserve
}

// mode is the mode of a unit (OCS 5.2).
func (s *unit) mode() Mode {
	switch s.marker {
	case Reserve:
		return ReserveMode
	case Strat:
		return StratMode
	case DG:
		return DGMode
	case Exploitation:
		return ExploitationMode
	}
	if s.face == MoveFace {
		return MoveMode
	}
	return CombatMode
}

func (p *Position) mode(u Unit) Mode          { return p.units[u].mode() }
func (p *Position) attackCapable(u Unit) bool { return attackCapable(p.sc, &p.units[u]) }
func (p *Position) hasZOC(u Unit) bool        { return hasZOC(p.sc, &p.units[u]) }

// isCombat reports whether a unit is a combat unit (OCS 3.2).
func (p *Position) isCombat(u Unit) bool { return p.counter(u).Kind.Combat() }

// isTransport reports whether a unit is a transport unit, organic trucks included (OCS 3.3-B).
func (p *Position) isTransport(u Unit) bool {
	k := p.counter(u).Kind
	return k == OrganicUnit || k == TransportPoints
}

// independent reports whether a unit is independent: a combat unit, no division, and of no formation (OCS 3.2f).
func (p *Position) independent(u Unit) bool {
	c := p.counter(u)
	return c.Kind.Combat() && !c.Division && c.Formation < 0
}

// at walks the land units in a hex or box, in ascending order. They may not be moved meanwhile.
func (p *Position) at(place Place) iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		if !place.onMap() {
			return
		}
		for u := p.cell(place).head; u != NoUnit; u = p.units[u].next {
			if !yield(u) {
				return
			}
		}
	}
}

// of walks the land units of a seat in a hex or box.
func (p *Position) of(seat rules.Seat, place Place) iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		for u := range p.at(place) {
			if p.units[u].seat == seat && !yield(u) {
				return
			}
		}
	}
}

// all walks the land units of a seat on the map and in boxes, in ascending order.
func (p *Position) all(seat rules.Seat) iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		for u := range p.units {
			s := &p.units[u]
			if s.seat == seat && s.place.onMap() && p.sc.Counters[s.counter].Kind.Land() && !yield(Unit(u)) {
				return
			}
		}
	}
}

// combatIn reports whether combat units of a seat are in a hex or box.
func (p *Position) combatIn(seat rules.Seat, at Place) bool { return p.cell(at).combat[seat] > 0 }

// inZOC reports whether a hex is in a ZOC of a seat, negated or not.
func (p *Position) inZOC(of rules.Seat, h Hex) bool { return p.cells[h].zoc[of] > 0 }

// re is the current REs of a unit in quarters: what is printed on a division (OCS 3.2d) less one for each step that it
// lost (OCS 4.6-1, OCS 9.11e).
func (p *Position) re(u Unit) int {
	c := p.counter(u)
	if c.Division {
		return max(0, int(c.RE)-int(p.units[u].lost)*oneRE)
	}
	return int(c.RE)
}

// stacked is the REs of a seat's combat units in a hex, in quarters (OCS 4.8).
func (p *Position) stacked(seat rules.Seat, at Place) int {
	n := 0
	for u := range p.of(seat, at) {
		if p.isCombat(u) {
			n += p.re(u)
		}
	}
	return n
}

// rating is the Action Rating of a unit as its mode leaves it (OCS 9.6a): one less for DG, 0 for Strat mode.
func (p *Position) rating(u Unit) int {
	switch r := p.shown(u).Rating; p.mode(u) {
	case StratMode:
		return 0
	case DGMode:
		return r - 1 // OCS 5.10b-B
	default:
		return r
	}
}

// distance is the number of hexes between two hexes.
func (p *Position) distance(a, b Hex) int {
	return p.sc.Map.Geometry().Distance(p.sc.Map.Coord(a), p.sc.Map.Coord(b))
}

// around walks the hexes around a hex that are in play.
func (p *Position) around(h Hex) iter.Seq2[hex.Dir, Hex] {
	return func(yield func(hex.Dir, Hex) bool) {
		for d, n := range p.sc.Map.Neighbors(h) {
			if n != NoHex && !yield(hex.Dir(d), n) {
				return
			}
		}
	}
}

// spare finds room for a piece of a counter that there may be several of: the first one of it that is gone, or a new
// one. The unit is not made yet.
func (p *Position) spare(counter uint16) Unit {
	for u := p.sc.Fixed; u < len(p.units); u++ {
		if p.units[u].counter == counter && p.units[u].place == Gone {
			return Unit(u)
		}
	}
	return Unit(len(p.units))
}

// stepsLeft is the steps that a unit still has.
func (p *Position) stepsLeft(u Unit) int { return int(p.counter(u).Steps) - int(p.units[u].lost) }

// combatUnits are the combat units of a seat in a place.
func (p *Position) combatUnits(seat rules.Seat, at Place) (list []Unit) {
	for u := range p.of(seat, at) {
		if p.isCombat(u) {
			list = append(list, u)
		}
	}
	return list
}

// capacity is the steps that units have.
func (p *Position) capacity(units []Unit) (n int) {
	for _, u := range units {
		n += p.stepsLeft(u)
	}
	return n
}

// without is a list without some units.
func without(list, some []Unit) (out []Unit) {
	for _, u := range list {
		if !slices.Contains(some, u) {
			out = append(out, u)
		}
	}
	return out
}

// enemyHolds reports whether a place has enemy pieces, supply or facilities in it (OCS 4.4c).
func (p *Position) enemyHolds(seat rules.Seat, at Place) bool {
	if !at.onMap() {
		return false
	}
	c, foe := p.cell(at), enemy(seat)
	port := at.Hex() != NoHex && p.sc.Hexes[at.Hex()].Port > 0
	return c.pieces[foe] > 0 || c.ground[foe] > 0 || p.anyShip(foe, at) ||
		c.owner == foe && (c.hedgehog > 0 || c.base > 0 || port)
}

// distanceTo is the distance between hexes, 0 from a box.
func (p *Position) distanceTo(from, to Hex) int {
	if from == NoHex {
		return 0
	}
	return p.distance(from, to)
}
