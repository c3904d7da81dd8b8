package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"google.golang.org/protobuf/proto"
)

// checkMerge says why transports may not become one (OCS 13.2c).
func (p *Position) checkMerge(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Units) < 2 {
		return rules.Malformed("merging takes two transports or more")
	}
	if r := p.checkAlike(seat, c.Units, "OCS 13.2c"); r != nil {
		return r
	}
	sum := 0
	for _, u := range c.Units {
		sum += int(p.units[u].points)
	}
	if sum > boundless {
		return rules.Malformed("%d points are too many", sum)
	}
	return nil
}

// checkAlike checks that transports stand together and are of one ordinary kind (OCS 13.2c).
func (p *Position) checkAlike(seat rules.Seat, units []Unit, rule string) *rules.Refusal {
	if r := p.checkStack(seat, units); r != nil {
		return r
	}
	for _, u := range units {
		if r := p.checkTransport(seat, u); r != nil {
			return r
		}
		if p.units[u].counter != p.units[units[0]].counter || p.organic(u) {
			return rules.Refuse(rule, "refuse.other-kind", "unit", p.unitName(u),
				"other", p.unitName(units[0])).About(p.id(u), p.id(units[0]))
		}
	}
	return nil
}

// mergedMarks are what a merged transport has if one of its parts has it.
var mergedMarks = [...]ocsv1.UnitMark{
	ocsv1.UnitMark_UNIT_MARK_MOVED, ocsv1.UnitMark_UNIT_MARK_DONE, ocsv1.UnitMark_UNIT_MARK_ARRIVED,
	ocsv1.UnitMark_UNIT_MARK_HALTED,
}

// playMerge makes one transport. It has the least part of its allowance left that any of them has, and may go on only
// if all of them might.
func (p *Position) playMerge(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	first := cmd.Units[0]
	points, load, spent := 0, 0, Cost(0)
	moving := false
	for _, u := range cmd.Units {
		s := &p.units[u]
		points, load, spent = points+int(s.points), load+int(s.load), max(spent, s.spent)
		moving = moving || p.inMotion(u)
		for _, m := range mergedMarks {
			if s.marks.has(m) && !p.has(first, m) && !slices.Contains(c.unit(first).Set, m) {
				c.mark(first, m)
			}
		}
		if p.mayMove(u) != nil && !p.has(first, ocsv1.UnitMark_UNIT_MARK_DONE) &&
			!slices.Contains(c.unit(first).Set, ocsv1.UnitMark_UNIT_MARK_DONE) {
			c.mark(first, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
		if u != first {
			c.eliminate(u)
		}
	}
	m := c.unit(first)
	m.PointsT, m.LoadT = proto.Uint32(uint32(points)), proto.Uint32(uint32(load))
	c.spend(first, spent)
	if moving {
		c.motion(p.merged(cmd.Units))
	}
	p.formed(x, c, seat, cmd.Units, false)
}

// merged is the units in motion after some became the first of them.
func (p *Position) merged(units []Unit) (list []Unit) {
	for _, u := range p.motion {
		if slices.Contains(units, u) {
			u = units[0]
		}
		if !slices.Contains(list, u) {
			list = append(list, u)
		}
	}
	return list
}

func (p *Position) formed(x *exec, c *changes, seat rules.Seat, units []Unit, split bool) {
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_TransportsFormed{TransportsFormed: &ocsv1.TransportsFormed{
		Seat: seatIDs[seat], Units: p.ids(units), Split: split,
	}}})
}

// listMerge lists each pair.
func listMerge(l *lister) {
	p := l.p
	for u := range p.all(l.seat) {
		if !p.isTransport(u) || !l.acts(u) {
			continue
		}
		for v := range p.of(l.seat, p.units[u].place) {
			if v > u && p.units[v].counter == p.units[u].counter {
				c := only(KindMerge)
				c.Units = []Unit{u, v}
				l.checked(c)
			}
		}
	}
}

// checkSplit says why points may not be taken off a transport (OCS 13.2c): each part carries no more than its points.
func (p *Position) checkSplit(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkTransport(seat, c.Unit); r != nil {
		return r
	}
	s := &p.units[c.Unit]
	smallest := int(p.kindOfTransport(p.counter(c.Unit)).GetSmallestT())
	switch {
	case p.organic(c.Unit):
		return rules.Refuse("OCS 13.2c", "refuse.organic-splits", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case c.M == 0 || c.M >= int(s.points) || c.M%smallest != 0 || (int(s.points)-c.M)%smallest != 0:
		return rules.Refuse("OCS 13.2c", "refuse.points", "unit", p.unitName(c.Unit), "n", int(s.points),
			"m", smallest).About(p.id(c.Unit))
	case c.N > c.M || c.N > int(s.load) || int(s.load)-c.N > int(s.points)-c.M:
		return rules.Refuse("OCS 13.2c", "refuse.split-load", "unit", p.unitName(c.Unit),
			"n", int(s.load)).About(p.id(c.Unit))
	case p.spare(s.counter) >= maxUnits:
		return rules.Malformed("there are too many pieces")
	}
	return nil
}

// playSplit takes points off. Both have what is left of the allowance; the part that is taken off while they move
// stays behind (OCS 6.1f).
func (p *Position) playSplit(x *exec, seat rules.Seat, cmd *Command) {
	s := &p.units[cmd.Unit]
	c := p.changed()
	m := c.unit(cmd.Unit)
	m.PointsT, m.LoadT = proto.Uint32(uint32(int(s.points)-cmd.M)), proto.Uint32(uint32(int(s.load)-cmd.N))
	m = c.create(s.counter, s.place)
	m.PointsT, m.LoadT, m.SpentTwelfths = proto.Uint32(uint32(cmd.M)), proto.Uint32(uint32(cmd.N)),
		proto.Uint32(uint32(s.spent))
	m.Origin, m.Supplied = proto.String(p.sc.PlaceID(s.origin)), ocsv1.Supplied(s.checked)
	m.Carried = ocsv1.Carriage(s.carried).Enum()
	for mark := ocsv1.UnitMark(1); mark < numUnitMarks; mark++ {
		if s.marks.has(mark) {
			m.Set = append(m.Set, mark)
		}
	}
	if p.inMotion(cmd.Unit) {
		m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_DONE)
	}
	id := p.spareID(s.counter)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_TransportsFormed{TransportsFormed: &ocsv1.TransportsFormed{
		Seat: seatIDs[seat], Units: []string{p.id(cmd.Unit), id}, Split: true,
	}}})
}

// listSplit lists taking off one point (or the smallest piece) and half of them, with as much of the
// load as goes with them.
func listSplit(l *lister) {
	for u := range l.p.all(l.seat) {
		k := l.p.kindOfTransport(l.p.counter(u))
		if k == nil || !l.acts(u) {
			continue
		}
		s, small := &l.p.units[u], int(k.GetSmallestT())
		last := 0
		for _, points := range [...]int{small, oneSP, int(s.points) / 2 / small * small} {
			if points <= last {
				continue
			}
			last = points
			for _, load := range [...]int{max(0, int(s.load)-(int(s.points)-points)), min(points, int(s.load))} {
				c := only(KindSplit)
				c.Unit, c.M, c.N = u, points, load
				l.checked(c)
				if min(points, int(s.load)) == max(0, int(s.load)-(int(s.points)-points)) {
					break
				}
			}
		}
	}
}
