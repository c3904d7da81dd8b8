package ocs

import (
	"slices"

	"github.com/warledger/warledger/rules/hex"
)

// listMoves lists the moves of one unit at a time, of all combat units of a hex that have not moved, and of the units
// in motion: all, and all but one. Each has the cheapest path to each hex.
func listMoves(l *lister) {
	p, w := l.p, l.p.walk(l.seat)
	var going []Unit // who left a mode goes no further with the others (OCS 5.4)
	for _, u := range p.motion {
		if p.units[u].seat == l.seat && p.mayMove(u) == nil {
			going = append(going, u)
		}
	}
	if n := len(going); n > 1 {
		l.movesOf(w, going)
		for i := range going {
			if n > 2 {
				l.movesOf(w, append(slices.Clone(going[:i]), going[i+1:]...))
			}
		}
	}
	for u := range p.all(l.seat) {
		if l.done {
			return
		}
		if l.acts(u) && p.mayMove(u) == nil {
			l.movesOf(w, []Unit{u})
			if stack := l.starting(u); len(stack) > 1 {
				l.movesOf(w, stack)
			}
			if group := l.marked(u); len(group) > 1 {
				l.movesOf(w, group)
			}
		}
	}
}

// starting are the combat units that could begin a move with a unit, if it is the first of them.
func (l *lister) starting(u Unit) []Unit {
	p := l.p
	if !p.isCombat(u) || p.inMotion(u) || p.cell(p.units[u].place).combat[l.seat] < 2 {
		return nil
	}
	var list []Unit
	for v := range p.of(l.seat, p.units[u].place) {
		if !p.isCombat(v) || p.inMotion(v) || v != u && p.mayMove(v) != nil {
			continue
		}
		if v < u {
			return nil
		}
		list = append(list, v)
	}
	return list
}

// marked are the units under the formation marker of a unit that could begin a move as the marker (OCS 13.7), if it is
// the first of them and they are not all combat units of the hex, which starting gives.
func (l *lister) marked(u Unit) []Unit {
	p := l.p
	if !p.has(u, grouped) || p.inMotion(u) {
		return nil
	}
	var list []Unit
	for v := range p.under(p.counter(u).Formation, p.units[u].place) {
		if p.inMotion(v) || v != u && p.mayMove(v) != nil {
			continue
		}
		if v < u {
			return nil
		}
		list = append(list, v)
	}
	if slices.Equal(list, l.starting(u)) {
		return nil
	}
	return list
}

// movesOf lists the moves of a stack.
func (l *lister) movesOf(w *walker, list []Unit) {
	p := l.p
	from := p.units[list[0]].place
	for _, u := range list {
		if p.held(u, list) {
			return
		}
	}
	l.movesByBox(list, from)
	if from.Hex() == NoHex {
		return
	}
	l.floodOf(w, list, from.Hex())
	strat := slices.ContainsFunc(list, func(u Unit) bool { return p.units[u].marker == Strat })
	m := march{w: w, units: list}
	for _, to := range slices.Clone(l.flood.Reached()) {
		if Place(to) == from || l.done || !l.aims(Place(to)) || strat && m.endsWell(Place(to)) != nil {
			continue
		}
		c := only(KindMove)
		c.Units = list
		for _, h := range l.flood.AppendPath(nil, to)[1:] {
			c.Path = append(c.Path, Place(h))
		}
		l.give(c) // the flood steps as the check does; a test holds them against each other
	}
}

// floodOf floods the hexes that a stack reaches, by the unit that has the fewest MP left and at each step
// the one that pays most.
func (l *lister) floodOf(w *walker, list []Unit, from Hex) {
	p, left, fresh := l.p, costNever, true
	for _, u := range list {
		left = min(left, p.allowance(u)-p.units[u].spent)
		fresh = fresh && p.units[u].spent == 0
	}
	foe := enemy(l.seat)
	l.flood.Run(p.sc.Map, from, int(left), func(a, b Hex, d hex.Dir) (int, hex.Verdict) {
		if p.combatIn(foe, Place(b)) {
			return 0, hex.Blocked
		}
		worst, verdict := Cost(0), hex.Pass
		for _, u := range list {
			worst = max(worst, w.cost(u, a, d))
			if w.entry(u, b) != noObstacle {
				return 0, hex.Blocked
			}
			if w.halts(u, b) {
				verdict = hex.Stop
			}
		}
		first := a == from && fresh
		switch {
		case worst == costNever || worst == costAll && !first:
			return 0, hex.Blocked
		case first:
			worst = min(worst, left) // OCS 6.1c
		}
		if p.anything(foe, Place(b)) {
			verdict = hex.Stop // OCS 9.14
		}
		return int(worst), verdict
	})
}

// movesByBox lists steps into a box and out of it.
func (l *lister) movesByBox(list []Unit, from Place) {
	var ends []Place
	for i := range l.p.sc.Boxes {
		box := boxes + Place(i)
		for _, k := range l.p.sc.Boxes[i].Links {
			to := k.To
			if to == from {
				to = box
			}
			if (box == from || k.To == from) && k.Road && !slices.Contains(ends, to) {
				ends = append(ends, to)
			}
		}
	}
	for _, to := range ends {
		c := only(KindMove)
		c.Units, c.Path = list, []Place{to}
		l.checked(c)
	}
}
