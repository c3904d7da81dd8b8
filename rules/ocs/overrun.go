package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// overrun is an overrun (OCS 8.0), at the hex that is overrun: declared and paid for here, fought as a combat inside
// this procedure, and ended here.
type overrun struct {
	head
	from  Place // the hex in which the units stand
	units []Unit
}

func (*overrun) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_OVERRUN }

func (f *overrun) wire(w *framing) {
	w.from(&f.from)
	w.units(&f.units)
}

// overrunCost is what an overrun costs every unit (OCS 8.1a), and the most that entering the hex may cost (OCS 8.1b).
const overrunCost = 3 * oneMP

// checkOverrun says why units may not overrun a hex.
func (p *Position) checkOverrun(seat rules.Seat, c *Command) *rules.Refusal {
	return p.planOverrun(p.walk(seat), c)
}

func (p *Position) planOverrun(w *walker, c *Command) *rules.Refusal {
	if p.together {
		return rules.Refuse("OCS 2.4-2", "refuse.no-offence-now")
	}
	if r := p.checkStack(w.seat, c.Units); r != nil {
		return r
	}
	from := p.units[c.Units[0]].place
	at := p.sc.PlaceID(c.At)
	d, adjacent := p.dirOf(from, c.At)
	switch {
	case !adjacent:
		return rules.Refuse("OCS 8.1d", "refuse.not-adjacent", "from", p.sc.PlaceID(from), "to", at).At(at)
	case !p.combatIn(enemy(w.seat), c.At):
		return rules.Refuse("OCS 8.0", "refuse.nobody-there", "hex", at).At(at)
	}
	for _, u := range c.Units {
		if r := p.mayOverrun(u); r != nil {
			return r
		}
		if p.units[u].origin != p.units[c.Units[0]].origin {
			return rules.Refuse("OCS 8.1", "refuse.began-apart", "unit", p.unitName(u),
				"other", p.unitName(c.Units[0])).About(p.id(u), p.id(c.Units[0]))
		}
	}
	if r := p.checkMovers(w.seat, c.Units); r != nil {
		return r
	}
	for _, u := range c.Units {
		if r := w.paysOverrun(u, from.Hex(), d); r != nil {
			return r
		}
	}
	if n := p.stacked(w.seat, from); n > p.limit() { // OCS 8.1h
		return rules.Refuse("OCS 4.8a", "refuse.too-many", "hex", p.sc.PlaceID(from), "n", formatRE(n),
			"limit", formatRE(p.limit())).At(p.sc.PlaceID(from))
	}
	return nil
}

// mayOverrun says why a unit can't overrun as it is (OCS 8.1): it must be attack-capable, in Combat, Move or
// Exploitation mode.
func (p *Position) mayOverrun(u Unit) *rules.Refusal {
	rule, key := "", "refuse.mode-overruns"
	switch p.mode(u) {
	case DGMode:
		rule = "OCS 5.10b-C"
	case ReserveMode:
		rule = "OCS 5.7"
	case StratMode:
		rule = "OCS 5.8"
	default:
		if p.attackCapable(u) {
			return nil
		}
		rule, key = "OCS 4.4a", "refuse.not-attack-capable"
	}
	return rules.Refuse(rule, key, "unit", p.unitName(u)).About(p.id(u))
}

// paysOverrun says why a unit has not the MP for an overrun across a hexside (OCS 8.1a), or the hex costs too much (OCS
// 8.1b) without roads and bridges, an engineer's too (OCS 8.1c).
func (w *walker) paysOverrun(u Unit, from Hex, d hex.Dir) *rules.Refusal {
	p, to := w.p, w.p.sc.Map.Neighbor(from, d)
	mp := p.shown(u).MP
	cost := p.way(bare, mp, from, d)
	if w.busted != nil && cost < costAll && p.trainbusted(w.busted, mp, to) {
		cost += oneMP
	}
	at := p.sc.Map.ID(to)
	if cost > overrunCost {
		need := "-"
		if cost < costAll {
			need = formatCost(cost)
		}
		return rules.Refuse("OCS 8.1b", "refuse.overrun-terrain", "unit", p.unitName(u), "hex", at,
			"need", need).About(p.id(u)).At(at)
	}
	if left := p.allowance(u) - p.units[u].spent; left < overrunCost {
		return rules.Refuse("OCS 8.1a", "refuse.overrun-mp", "unit", p.unitName(u),
			"left", formatCost(left)).About(p.id(u)).At(at)
	}
	return nil
}

// playOverrun declares an overrun: every unit pays (OCS 8.1a), and the fight begins. Only those that take part are the
// moving stack (OCS 8.1g).
func (p *Position) playOverrun(x *exec, seat rules.Seat, cmd *Command) {
	f := newFrame[overrun](seat, cmd.At)
	f.units, f.from = cmd.Units, p.units[cmd.Units[0]].place
	c := p.changed()
	for _, u := range cmd.Units {
		p.fuelUp(c, u) // OCS 12.5b
		c.spend(u, p.units[u].spent+overrunCost)
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_MOVED)
	}
	p.noteLanded(c, seat, cmd.Units)
	c.motion(cmd.Units)
	c.push(f)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_OverrunDeclared{OverrunDeclared: &ocsv1.OverrunDeclared{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), At: p.sc.PlaceID(cmd.At),
	}}})
	p.beginCombat(x, cmd.Units, cmd.At, true)
}

// asks asks nothing: the fight is a procedure of its own.
func (*overrun) asks(*Position) (Ask, rules.Seats) { return AskNothing, 0 }

// proceed ends an overrun when the fight is over. If no defender was left, the units that fought have entered the hex,
// at no cost (OCS 8.0, OCS 8.1a). Otherwise they may go on, or overrun again, with the MP that they have left (OCS
// 8.0); so may units that got no combat supply. Those that retreated have finished (OCS 8.1f).
func (f *overrun) proceed(p *Position, x *exec) {
	c := p.changed()
	fact := &ocsv1.OverrunEnded{Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at)}
	if entered := p.standing(p.motion, f.at); len(entered) > 0 {
		for _, u := range entered {
			p.markHalt(c, u, f.at)
		}
		fact.Units = p.ids(entered)
		c.motion(entered)
	} else {
		c.motion(p.standing(f.units, f.from))
	}
	c.pop()
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_OverrunEnded{OverrunEnded: fact}})
}

// standing are those of some units that are still in a hex and may go on.
func (p *Position) standing(units []Unit, at Place) (list []Unit) {
	for _, u := range units {
		if p.units[u].place == at && !p.has(u, ocsv1.UnitMark_UNIT_MARK_DONE) {
			list = append(list, u)
		}
	}
	return list
}

// listOverrun lists for each hex next to the units in motion, or to units that have not moved, the overrun of all that
// may together and of each alone.
func listOverrun(l *lister) {
	p, w := l.p, l.p.walk(l.seat)
	for h := range p.sc.Hexes {
		if l.done || !p.combatIn(enemy(l.seat), Place(h)) || !l.aims(Place(h)) {
			continue
		}
		for _, from := range p.around(Hex(h)) {
			if !p.combatIn(l.seat, Place(from)) {
				continue
			}
			for _, stack := range p.stacksIn(l.seat, Place(from)) {
				l.overruns(w, stack, Place(h))
			}
		}
	}
}

// stacksIn are the combat units of a hex that could move together: those in motion, and those that have not moved by
// the hex in which they began the phase.
func (p *Position) stacksIn(seat rules.Seat, at Place) (list [][]Unit) {
	for u := range p.of(seat, at) {
		if !p.isCombat(u) || p.mayMove(u) != nil {
			continue
		}
		i := 0
		for i < len(list) &&
			(p.inMotion(list[i][0]) != p.inMotion(u) || p.units[list[i][0]].origin != p.units[u].origin) {
			i++
		}
		if i == len(list) {
			list = append(list, nil)
		}
		list[i] = append(list[i], u)
	}
	return list
}

func (l *lister) overruns(w *walker, stack []Unit, target Place) {
	var able []Unit
	for _, u := range stack {
		c := only(KindOverrun)
		c.Units, c.At = []Unit{u}, target
		if l.p.planOverrun(w, &c) == nil {
			able = append(able, u)
			l.give(c)
		}
	}
	if c := only(KindOverrun); len(able) > 1 {
		c.Units, c.At = able, target
		if l.p.planOverrun(w, &c) == nil {
			l.give(c)
		}
	}
}
