package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Losses are said in one command: which units lose how many steps, and how many hexes the rest of the side retreats
// (OCS 9.10). In a barrage there is no retreat and the owner distributes freely (OCS 10.0a).

// loss is what a side has to answer for: what is due, who suffers it, who must be the first, and whether the side may
// ignore its options.
type loss struct {
	due    outcome
	units  []Unit
	leader Unit
	free   bool // no rotation: a barrage
	ignore bool // OCS 9.10a
}

// lossOf is what the side that is asked has to answer for.
func (p *Position) lossOf(f frame) loss {
	switch f := f.(type) {
	case *barrage:
		return loss{due: outcome{losses: f.steps}, units: p.combatUnits(f.seat, f.at), leader: NoUnit, free: true}
	case *combat:
		return p.lossIn(f)
	}
	return loss{}
}

// lossIn is what a side of a combat has to answer for.
func (p *Position) lossIn(f *combat) loss {
	r := p.result(f)
	if f.step == combatAttackerLosses {
		if f.isBeach() { // OCS 18.6a-C: options are step losses
			r.attacker = outcome{losses: r.attacker.due(), dg: r.attacker.dg}
		}
		return loss{due: r.attacker, units: p.fighters(f, f.seat), leader: f.attack}
	}
	// OCS 9.10a: the defender may ignore its options if the attacker retreated or could not meet its own.
	ignore := r.defender.options > 0 && (f.retreated || f.unmet)
	return loss{due: r.defender, units: p.fighters(f, enemy(f.seat)), leader: f.defence, ignore: ignore}
}

// steps are the steps that lines take of a unit.
func steps(lines []Line, u Unit) (n int) {
	for _, l := range lines {
		if l.Unit == u {
			n += l.Count
		}
	}
	return n
}

// checkLosses says why losses may not be taken so.
func (p *Position) checkLosses(_ rules.Seat, c *Command) *rules.Refusal {
	w := p.lossOf(p.top())
	total, r := p.checkLines(c.Lines, w.units)
	if r != nil {
		return r
	}
	if !w.free {
		if r := p.checkRotation(c.Lines, w); r != nil {
			return r
		}
	}
	// What the units cannot absorb is dropped (OCS 9.11c).
	all := p.capacity(w.units)
	least, most := min(w.due.losses, all), min(w.due.due(), all)
	if w.ignore {
		most = least // OCS 9.10a: all of the options by retreat, or none
	}
	hexes := w.due.due() - total
	switch {
	case total < least && w.free:
		return rules.Refuse("OCS 10.0a", "refuse.combat-losses", "least", least, "most", most, "n", total)
	case total < least:
		return rules.Refuse("OCS 9.11b", "refuse.combat-losses", "least", least, "most", most, "n", total)
	case total > most && w.ignore:
		return rules.Refuse("OCS 9.10a", "refuse.combat-losses", "least", least, "most", most, "n", total)
	case total > most:
		return rules.Refuse("OCS 9.10", "refuse.combat-losses", "least", least, "most", most, "n", total)
	case total == all:
		hexes = 0 // nobody is left to retreat
	case w.ignore && c.N == 0:
		return nil
	case w.ignore:
		hexes = w.due.options
	}
	if c.N != hexes {
		rule := "OCS 9.10"
		if w.ignore {
			rule = "OCS 9.10a"
		}
		return rules.Refuse(rule, "refuse.hexes", "hexes", hexes, "n", c.N)
	}
	return nil
}

// checkLines checks that each line takes steps that a unit has, of one of some units, and counts them.
func (p *Position) checkLines(lines []Line, units []Unit) (total int, r *rules.Refusal) {
	for i, l := range lines {
		switch {
		case l.Unit == NoUnit || l.Count == 0:
			return 0, rules.Malformed("a line of losses names no unit or no steps")
		case !slices.Contains(units, l.Unit):
			return 0, rules.Refuse("OCS 9.11a", "refuse.not-fighting", "unit", p.unitName(l.Unit)).About(p.id(l.Unit))
		case slices.ContainsFunc(lines[:i], func(o Line) bool { return o.Unit == l.Unit }):
			return 0, rules.Malformed("unit %s is named twice", p.id(l.Unit))
		case l.Count > p.stepsLeft(l.Unit):
			return 0,
				rules.Refuse("OCS 9.11", "refuse.unit-steps", "unit", p.unitName(l.Unit), "left", p.stepsLeft(l.Unit),
					"n", l.Count).About(p.id(l.Unit))
		}
		total += l.Count
	}
	return total, nil
}

// checkRotation checks that the unit whose rating was used loses first, and that no unit loses another step before all
// have lost one more (OCS 9.11c).
func (p *Position) checkRotation(lines []Line, w loss) *rules.Refusal {
	if len(lines) > 0 && slices.Contains(w.units, w.leader) && steps(lines, w.leader) == 0 {
		return rules.Refuse("OCS 9.11c", "refuse.leader-first", "unit", p.unitName(w.leader)).About(p.id(w.leader))
	}
	for _, l := range lines {
		for _, u := range w.units {
			if n := steps(lines, u); n < l.Count-1 && n < p.stepsLeft(u) {
				return rules.Refuse("OCS 9.11c", "refuse.rotation", "unit", p.unitName(l.Unit),
					"other", p.unitName(u)).About(p.id(l.Unit), p.id(u))
			}
		}
	}
	return nil
}

// playLosses takes the losses, and begins the retreat of what is left.
func (p *Position) playLosses(x *exec, seat rules.Seat, cmd *Command) {
	w, at := p.lossOf(p.top()), p.top().base().at
	total := 0
	c := p.changed()
	var gone []Unit
	for _, l := range cmd.Lines {
		if l.Count >= p.stepsLeft(l.Unit) {
			gone = append(gone, l.Unit)
		}
		c.lose(l.Unit, l.Count)
		total += l.Count
	}
	ignored := w.ignore && cmd.N == 0
	x.Reveal() // the dead pile is open
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_LossesTaken{LossesTaken: &ocsv1.LossesTaken{
		Seat: seatIDs[seat], At: p.sc.PlaceID(at), Steps: uint32(total), Hexes: uint32(cmd.N), Ignored: ignored,
		Eliminated: p.ids(gone),
	}}})
	if f := inner[*barrage](p); f != nil {
		p.goOn(x, f.stepped(barrageEnd))
		return
	}
	f := inner[*combat](p)
	next := f.stepped(combatAftermath)
	if f.step == combatAttackerLosses {
		next.step = combatDefenderLosses
		next.retreated = f.retreated || cmd.N > 0
		next.unmet = f.unmet || cmd.N == 0 && w.due.options > 0 && total < w.due.due()
	}
	p.goOn(x, next)
	if cmd.N > 0 {
		p.beginRetreat(x, next, seat, cmd.N)
	}
}

// listLosses lists for each number of steps that may be lost the ways that differ in the units: each unit in turn is
// the first after the leader.
func listLosses(l *lister) {
	p, w := l.p, l.p.lossOf(l.p.top())
	all := p.capacity(w.units)
	for n := min(w.due.losses, all); n <= min(w.due.due(), all); n++ {
		var listed [][]Line
		for first := range w.units {
			c := only(KindLosses)
			c.Lines = p.spread(w, first, n)
			if slices.ContainsFunc(listed, func(lines []Line) bool { return slices.Equal(lines, c.Lines) }) {
				continue
			}
			listed = append(listed, c.Lines)
			for _, hexes := range [...]int{w.due.due() - n, w.due.options, 0} {
				if l.losses(&c, hexes) && !w.ignore {
					break
				}
			}
		}
	}
}

// losses gives a command with a number of hexes, if it is legal.
func (l *lister) losses(c *Command, hexes int) bool {
	if hexes < 0 || hexes == c.N && hexes > 0 {
		return false
	}
	c.N = hexes
	if l.p.checkLosses(l.seat, c) != nil {
		return false
	}
	l.give(*c)
	return true
}

// spread distributes steps: the leader first, then the units from one on, round and round (OCS 9.11c). Lines are in
// order of the units.
func (p *Position) spread(w loss, first, n int) []Line {
	order := make([]Unit, 0, len(w.units)+1)
	if slices.Contains(w.units, w.leader) {
		order = append(order, w.leader)
	}
	for i := range w.units {
		if u := w.units[(first+i)%len(w.units)]; u != w.leader {
			order = append(order, u)
		}
	}
	taken := make([]int, len(order))
	for n > 0 {
		before := n
		for i, u := range order {
			if n > 0 && taken[i] < p.stepsLeft(u) {
				taken[i]++
				n--
			}
		}
		if n == before {
			break
		}
	}
	var lines []Line
	for _, u := range w.units {
		if i := slices.Index(order, u); taken[i] > 0 {
			lines = append(lines, Line{Unit: u, At: Nowhere, Count: taken[i], By: NoUnit, Terrain: -1})
		}
	}
	return lines
}
