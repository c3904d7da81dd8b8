package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// march is a move that is worked out: what each unit will have spent, and whether its move is over.
type march struct {
	spent []Cost
	over  []bool
}

// checkMove says why units may not move along a path (OCS 6.0).
func (p *Position) checkMove(seat rules.Seat, c *Command) *rules.Refusal {
	var m march
	return p.planMove(seat, c, &m)
}

// planMove works out a move: who may move, then hex by hex what it costs each unit and whether it may enter.
func (p *Position) planMove(seat rules.Seat, c *Command, m *march) *rules.Refusal {
	if r := p.checkStack(seat, c.Units); r != nil {
		return r
	}
	for _, u := range c.Units {
		if r := p.mayMove(u); r != nil {
			return r
		}
	}
	if len(c.Path) == 0 {
		return rules.Malformed("the path has no hex")
	}
	m.spent, m.over = make([]Cost, len(c.Units)), make([]bool, len(c.Units))
	for i, u := range c.Units {
		m.spent[i] = p.units[u].spent
	}
	from := p.units[c.Units[0]].place
	for _, to := range c.Path {
		if r := p.planStep(seat, c.Units, from, to, m); r != nil {
			return r
		}
		from = to
	}
	return nil
}

// checkStack checks that units are given, are the seat's, each once, and stand in one hex (OCS 6.1).
func (p *Position) checkStack(seat rules.Seat, list []Unit) *rules.Refusal {
	if len(list) == 0 {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	for i, u := range list {
		s := &p.units[u]
		switch {
		case s.seat != seat || !s.place.onMap():
			return rules.Refuse("OCS 6.3a", "refuse.not-yours", "unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		case slices.Contains(list[:i], u):
			return rules.Malformed("unit %s is named twice", p.id(u))
		case s.place != p.units[list[0]].place:
			return rules.Refuse("OCS 6.1", "refuse.not-stacked", "unit", p.unitName(u), "other", p.unitName(list[0])).About(p.id(u), p.id(list[0]))
		}
	}
	return nil
}

// mayMove says why a unit may not move at all in the segment.
func (p *Position) mayMove(u Unit) *rules.Refusal {
	s := &p.units[u]
	switch {
	case p.allowance(u) == 0:
		return rules.Refuse("OCS 6.1b", "refuse.immobile", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE),
		s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED) && !slices.Contains(p.motion, u):
		return rules.Refuse("OCS 6.1f", "refuse.move-over", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// allowance is the MP that a unit has in the phase (OCS 6.1b, OCS 6.1h): that of its face as its mode changes it.
func (p *Position) allowance(u Unit) Cost {
	ma := p.shown(u).Movement
	switch p.mode(u) {
	case DGMode:
		return ma / 2 // OCS 5.10b-A
	case ReserveMode:
		return ma / 4 // OCS 5.7a
	case StratMode:
		return ma * 2 // OCS 5.8
	case ExploitationMode:
		return ma / 2 // OCS 5.9
	}
	if p.segment == SegReactionMove {
		return ma / 2 // OCS 5.7b-B
	}
	return ma
}

// planStep works out one hex of a move.
func (p *Position) planStep(seat rules.Seat, list []Unit, from, to Place, m *march) *rules.Refusal {
	a, b := from.Hex(), to.Hex()
	d, adjacent := hex.Dir(0), false
	if a != NoHex && b != NoHex {
		d, adjacent = p.sc.Map.DirTo(a, b)
	}
	if !adjacent {
		return rules.Refuse("OCS 6.1", "refuse.not-adjacent", "from", p.sc.PlaceID(from), "to", p.sc.PlaceID(to)).At(p.sc.PlaceID(from), p.sc.PlaceID(to))
	}
	if p.combatIn(enemy(seat), to) {
		return rules.Refuse("OCS 4.8c", "refuse.enemy-there", "hex", p.sc.PlaceID(to)).At(p.sc.PlaceID(to))
	}
	for i, u := range list {
		if r := p.stepOf(u, i, a, b, d, m); r != nil {
			return r
		}
	}
	return nil
}

// stepOf pays one hex of a move for one unit.
func (p *Position) stepOf(u Unit, i int, a, b Hex, d hex.Dir, m *march) *rules.Refusal {
	if m.over[i] {
		return rules.Refuse("OCS 4.5a-A", "refuse.halted", "unit", p.unitName(u), "hex", p.sc.Map.ID(a)).About(p.id(u)).At(p.sc.Map.ID(a))
	}
	mp, ma := p.shown(u).MP, p.allowance(u)
	cost := p.way(byRoad, mp, a, d)
	if cost == costNever {
		return rules.Refuse("OCS 6.2c", "refuse.prohibited", "unit", p.unitName(u), "hex", p.sc.Map.ID(b)).About(p.id(u)).At(p.sc.Map.ID(b))
	}
	if cost == costAll {
		cost = max(ma, oneMP)
	}
	switch left := ma - m.spent[i]; {
	case cost <= left:
		m.spent[i] += cost
	case m.spent[i] == 0: // OCS 6.1c: the first hex of the phase, for the whole allowance
		m.spent[i] = ma
	default:
		return rules.Refuse("OCS 6.1b", "refuse.mp", "unit", p.unitName(u), "hex", p.sc.Map.ID(b), "need", formatCost(cost), "left", formatCost(left)).
			About(p.id(u)).At(p.sc.Map.ID(b))
	}
	m.over[i] = mp == Truck && p.inZOC(enemy(p.units[u].seat), b) && !p.combatIn(p.units[u].seat, Place(b))
	return nil
}

// playMove carries a move out. Units in motion that are left out of it stay where they are and may not move again (OCS 6.1f); a move of other units ends
// that of those in motion (OCS 6.1g).
func (p *Position) playMove(x *exec, seat rules.Seat, cmd *Command) {
	var m march
	_ = p.planMove(seat, cmd, &m) // it passed the check
	c := p.changed()
	for _, u := range p.motion {
		if !slices.Contains(cmd.Units, u) {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
	}
	to := cmd.Path[len(cmd.Path)-1]
	var going []Unit
	for i, u := range cmd.Units {
		c.move(u, to)
		c.spend(u, m.spent[i])
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_MOVED)
		if m.over[i] {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE) // OCS 4.5a-A
		} else {
			going = append(going, u)
		}
	}
	c.motion(going)
	path := append([]Place{p.units[cmd.Units[0]].place}, cmd.Path...)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsMoved{UnitsMoved: &ocsv1.UnitsMoved{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), Path: p.placeIDs(path),
	}}})
}

// listMoves lists the moves of one unit at a time, or of the units in motion: the cheapest path to each hex.
func listMoves(l *lister) {
	p := l.p
	if len(p.motion) > 1 {
		l.movesOf(p.motion)
	}
	for u := range p.all(l.seat) {
		if p.units[u].place.Hex() != NoHex && l.acts(u) && p.mayMove(u) == nil {
			l.movesOf([]Unit{u})
		}
	}
}

// movesOf lists the moves of a stack: the hexes that a flood of the slowest way reaches, each if its path passes the check.
func (l *lister) movesOf(list []Unit) {
	p := l.p
	from, left := p.units[list[0]].place, costNever
	fresh := true
	for _, u := range list {
		left = min(left, p.allowance(u)-p.units[u].spent)
		fresh = fresh && p.units[u].spent == 0
	}
	foe := enemy(l.seat)
	l.flood.Run(p.sc.Map, from.Hex(), int(left), func(a, b Hex, d hex.Dir) (int, hex.Verdict) {
		if p.combatIn(foe, Place(b)) {
			return 0, hex.Blocked
		}
		worst, verdict := Cost(0), hex.Pass
		for _, u := range list {
			mp := p.shown(u).MP
			worst = max(worst, p.way(byRoad, mp, a, d))
			if mp == Truck && p.inZOC(foe, b) && !p.combatIn(l.seat, Place(b)) {
				verdict = hex.Stop
			}
		}
		if worst >= costAll && !fresh || worst == costNever {
			return 0, hex.Blocked
		}
		if a == from.Hex() && fresh {
			worst = min(worst, left) // OCS 6.1c
		}
		return int(worst), verdict
	})
	for _, to := range slices.Clone(l.flood.Reached()) {
		if Place(to) == from || l.done || !l.aims(Place(to)) {
			continue
		}
		c := only(KindMove)
		c.Units = list
		for _, h := range l.flood.AppendPath(nil, to)[1:] {
			c.Path = append(c.Path, Place(h))
		}
		l.give(c) // the flood steps as planStep does; the battery holds them against each other
	}
}
