package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Landing craft split and merge as freely as transports (OCS 18.4d), in any friendly movement segment, since they move
// in all of them (OCS 18.4b).

// checkMergeCraft says why landing craft may not become one: of one kind, in one place.
func (p *Position) checkMergeCraft(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Units) < 2 {
		return rules.Malformed("merging takes two landing craft or more")
	}
	sum := 0
	for i, u := range c.Units {
		if r := p.checkShip(seat, u); r != nil {
			return r
		}
		if slices.Contains(c.Units[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
		if first := c.Units[0]; p.units[u].counter != p.units[first].counter ||
			p.units[u].place != p.units[first].place || !p.isCraft(u) {
			return rules.Refuse("OCS 18.4d", "refuse.other-kind", "unit", p.unitName(u),
				"other", p.unitName(first)).About(p.id(u), p.id(first))
		}
		sum += int(p.units[u].points)
	}
	if sum > boundless {
		return rules.Malformed("%d points are too many", sum)
	}
	return nil
}

// craftMarks are what landing craft that merge have if one of them has it.
var craftMarks = [...]ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_MOVED, ocsv1.UnitMark_UNIT_MARK_DONE,
	ocsv1.UnitMark_UNIT_MARK_SHELLED}

// playMergeCraft makes one piece. It has the least left of its allowance that any of them has, and is DG if one is, all
// being one ship (OCS 18.4d).
func (p *Position) playMergeCraft(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	first := cmd.Units[0]
	points, load, spent, marker := 0, 0, Cost(0), p.units[first].marker
	for _, u := range cmd.Units {
		s := &p.units[u]
		points, load, spent = points+int(s.points), load+int(s.load), max(spent, s.spent)
		if s.marker == DG {
			marker = DG
		}
		for _, m := range craftMarks {
			if s.marks.has(m) && !slices.Contains(c.unit(first).Set, m) {
				c.mark(first, m)
			}
		}
		if u == first {
			continue
		}
		for _, v := range p.passengers(u) {
			c.unit(v).Aboard = proto.String(p.id(first))
		}
		c.eliminate(u)
	}
	m := c.unit(first)
	m.PointsT, m.LoadT, m.Marker = proto.Uint32(uint32(points)), proto.Uint32(uint32(load)), ocsv1.Marker(marker)
	c.spend(first, spent)
	p.tellFormed(x, c, seat, p.ids(cmd.Units), false)
}

func (p *Position) tellFormed(x *exec, c *changes, seat rules.Seat, units []string, split bool) {
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_CraftFormed{
		CraftFormed: &ocsv1.CraftFormed{Seat: seatIDs[seat], Units: units, Split: split},
	}})
}

// listMergeCraft lists each pair.
func listMergeCraft(l *lister) {
	for _, u := range l.p.navy(l.seat) {
		if !l.p.isCraft(u) || !l.acts(u) {
			continue
		}
		for _, v := range l.p.ships(l.seat, l.p.units[u].place) {
			if v > u {
				c := only(KindMergeCraft)
				c.Units = []Unit{u, v}
				l.checked(c)
			}
		}
	}
}

// checkSplitCraft says why points may not be taken off landing craft: each part carries no more than its points.
func (p *Position) checkSplitCraft(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkShip(seat, c.Unit); r != nil {
		return r
	}
	s := &p.units[c.Unit]
	if !p.isCraft(c.Unit) || c.M == 0 || c.M >= int(s.points) {
		return rules.Refuse("OCS 18.4d", "refuse.craft-points", "unit", p.unitName(c.Unit),
			"n", int(s.points)).About(p.id(c.Unit))
	}
	if r := p.checkAboard(c.Units, []Unit{c.Unit}); r != nil {
		return r
	}
	goes := p.heft(c.Units, c.N)
	if c.N > int(s.load) || goes > c.M*oneToken || p.burden(c.Unit)-goes > (int(s.points)-c.M)*oneToken {
		return rules.Refuse("OCS 18.4d", "refuse.split-cargo", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	}
	if p.spare(s.counter) >= maxUnits {
		return rules.Malformed("there are too many pieces")
	}
	return nil
}

// playSplitCraft takes points off, with the cargo that is named. Both have what is left of the allowance.
func (p *Position) playSplitCraft(x *exec, seat rules.Seat, cmd *Command) {
	s := &p.units[cmd.Unit]
	id := p.spareID(s.counter)
	c := p.changed()
	m := c.unit(cmd.Unit)
	m.PointsT, m.LoadT = proto.Uint32(uint32(int(s.points)-cmd.M)), proto.Uint32(uint32(int(s.load)-cmd.N))
	m = c.create(s.counter, s.place)
	m.PointsT, m.LoadT, m.SpentTwelfths = proto.Uint32(uint32(cmd.M)), proto.Uint32(uint32(cmd.N)),
		proto.Uint32(uint32(s.spent))
	m.Origin, m.Marker = proto.String(p.sc.PlaceID(s.origin)), ocsv1.Marker(s.marker)
	for mark := ocsv1.UnitMark(1); mark < numUnitMarks; mark++ {
		if s.marks.has(mark) {
			m.Set = append(m.Set, mark)
		}
	}
	for _, u := range cmd.Units {
		c.unit(u).Aboard = proto.String(id)
	}
	p.tellFormed(x, c, seat, []string{p.id(cmd.Unit), id}, true)
}

// listSplitCraft lists taking off a point and half of them, with as little of the supply as may be, and each unit
// aboard with the points that carry it.
func listSplitCraft(l *lister) {
	p := l.p
	for _, u := range p.navy(l.seat) {
		if !p.isCraft(u) || !l.acts(u) {
			continue
		}
		s := &p.units[u]
		split := func(points int, units ...Unit) {
			c := only(KindSplitCraft)
			c.Unit, c.M, c.Units = u, points, units
			over := p.burden(u) - p.heft(units, 0) - (int(s.points)-points)*oneToken
			c.N = min(int(s.load), max(0, (over+oneToken-1)/oneToken))
			l.checked(c)
		}
		split(oneSP)
		if half := int(s.points) / 2; half != oneSP {
			split(half)
		}
		for _, v := range p.passengers(u) {
			split((p.freight(v)+oneToken-1)/oneToken, v)
		}
	}
}
