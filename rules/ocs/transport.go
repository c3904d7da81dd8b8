package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// transportCommand are the commands of transports, extenders, dumps and captures (OCS 13.2, OCS 12.7, OCS 12.11, OCS 9.14).
func transportCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindLoad:
		return commandRule{(*Position).checkLoad, (*Position).playLoad, listLoad}, true
	case KindUnload:
		return commandRule{(*Position).checkUnload, (*Position).playUnload, listUnload}, true
	case KindMerge:
		return commandRule{(*Position).checkMerge, (*Position).playMerge, listMerge}, true
	case KindSplit:
		return commandRule{(*Position).checkSplit, (*Position).playSplit, listSplit}, true
	case KindExtend:
		return commandRule{(*Position).checkExtend, (*Position).playExtend, listExtend}, true
	case KindDisband:
		return commandRule{(*Position).checkDisband, (*Position).playDisband, listDisband}, true
	case KindCollapse:
		return commandRule{(*Position).checkCollapse, (*Position).playCollapse, listCollapse}, true
	case KindDestroy:
		return commandRule{(*Position).checkDestroy, (*Position).playDestroy, listDestroy}, true
	case KindYield:
		return commandRule{(*Position).checkYield, (*Position).playYield, listYield}, true
	case KindDisplace:
		return commandRule{(*Position).checkDisplace, (*Position).playDisplace, listDisplace}, true
	}
	return commandRule{}, false
}

// checkTransport checks that a unit is a transport of the seat that may act in the segment: ordinary ones in the Movement Phase only (OCS 13.2c), and no
// active extender (OCS 12.7).
func (p *Position) checkTransport(seat rules.Seat, u Unit) *rules.Refusal {
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	switch {
	case p.isCombat(u):
		return rules.Refuse("OCS 13.2f", "refuse.no-transport", "unit", p.unitName(u)).About(p.id(u))
	case p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER):
		return rules.Refuse("OCS 12.7", "refuse.is-extender", "unit", p.unitName(u)).About(p.id(u))
	case p.segment != SegMovement && !p.organic(u):
		return rules.Refuse("OCS 13.2c", "refuse.transports-move", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// handling is what loading or unloading costs a transport: a tenth of its allowance, rounded to whole MP (OCS 13.2f-A).
func (p *Position) handling(u Unit) Cost {
	return Cost(fraction(int64(p.allowance(u)), 10*oneMP).Round()) * oneMP
}

// checkHandling says why a transport may not load or unload: that costs MP (OCS 13.2f).
func (p *Position) checkHandling(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkTransport(seat, c.Unit); r != nil {
		return r
	}
	if r := p.mayMove(c.Unit); r != nil {
		return r
	}
	cost, left := p.handling(c.Unit), p.allowance(c.Unit)-p.units[c.Unit].spent
	if cost > left {
		return rules.Refuse("OCS 13.2f", "refuse.handling", "unit", p.unitName(c.Unit), "need", formatCost(cost), "left", formatCost(left)).
			About(p.id(c.Unit))
	}
	if c.N == 0 {
		return rules.Malformed("no tokens")
	}
	return nil
}

// checkLoad says why a transport may not load, since supply moves only with what carries it (OCS 12.2, OCS 13.2f): the
// supply is in its hex, not brought by a line (OCS 13.2f-B), was not unloaded there in this phase (OCS 12.2a), and
// there is room (OCS 13.2c).
func (p *Position) checkLoad(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkHandling(seat, c); r != nil {
		return r
	}
	s := &p.units[c.Unit]
	at := p.sc.PlaceID(s.place)
	if room := int(s.points) - int(s.load); c.N > room {
		return rules.Refuse("OCS 13.2c", "refuse.room", "unit", p.unitName(c.Unit), "n", room).About(p.id(c.Unit))
	}
	lies := int(p.cell(s.place).ground[seat])
	if c.N > lies {
		return rules.Refuse("OCS 13.2f-B", "refuse.tokens", "hex", at, "need", c.N, "left", lies).At(at)
	}
	if fresh := lies - p.carriedHere(seat, s.place); c.N > fresh {
		return rules.Refuse("OCS 12.2a", "refuse.leapfrog", "hex", at, "left", fresh).At(at)
	}
	return nil
}

// carriedHere is how much of the supply on the ground was unloaded in this phase.
func (p *Position) carriedHere(seat rules.Seat, at Place) (n int) {
	for _, t := range p.taint {
		if t.at == at && t.seat == seat {
			n += int(t.tokens)
		}
	}
	return n
}

func (p *Position) playLoad(x *exec, seat rules.Seat, cmd *Command) {
	s := &p.units[cmd.Unit]
	c := p.changed()
	c.ground(s.place, seat, int(p.cell(s.place).ground[seat])-cmd.N)
	c.unit(cmd.Unit).LoadT = proto.Uint32(uint32(int(s.load) + cmd.N))
	p.handled(x, c, seat, cmd, false)
}

// handled emits what loading and unloading have in common.
func (p *Position) handled(x *exec, c *changes, seat rules.Seat, cmd *Command, unloaded bool) {
	c.spend(cmd.Unit, p.units[cmd.Unit].spent+p.handling(cmd.Unit))
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SupplyLoaded{SupplyLoaded: &ocsv1.SupplyLoaded{
		Seat: seatIDs[seat], Unit: p.id(cmd.Unit), Tokens: uint32(cmd.N), Unloaded: unloaded,
	}}})
}

// checkUnload says why a transport may not unload (OCS 13.2f): an organic truck never does (OCS 13.2g-A); others do with a combat unit (OCS 13.2f-i), at a
// port or air base (OCS 13.2f-ii) or onto supply that lies there (OCS 13.2f-iii).
func (p *Position) checkUnload(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkHandling(seat, c); r != nil {
		return r
	}
	s := &p.units[c.Unit]
	at := p.sc.PlaceID(s.place)
	switch {
	case p.organic(c.Unit):
		return rules.Refuse("OCS 13.2g-A", "refuse.organic-unloads", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case c.N > int(s.load):
		return rules.Refuse("OCS 13.2f", "refuse.load", "unit", p.unitName(c.Unit), "n", int(s.load)).About(p.id(c.Unit))
	case !p.depot(seat, s.place):
		return rules.Refuse("OCS 13.2f", "refuse.no-depot", "hex", at).At(at)
	}
	return nil
}

// depot reports whether transports may unload in a place.
func (p *Position) depot(seat rules.Seat, at Place) bool {
	c := p.cell(at)
	if p.combatIn(seat, at) || c.ground[seat] > 0 {
		return true
	}
	return c.owner == seat && (c.base > 0 || p.portIn(at))
}

// portIn reports whether a place has a port.
func (p *Position) portIn(at Place) bool {
	if h := at.Hex(); h != NoHex {
		return p.sc.Hexes[h].Port > 0
	}
	return at.inBox() && p.sc.Boxes[at-boxes].Port > 0
}

// playUnload unloads. What was unloaded can't be loaded again in the phase (OCS 12.2a).
func (p *Position) playUnload(x *exec, seat rules.Seat, cmd *Command) {
	s := &p.units[cmd.Unit]
	c := p.changed()
	c.ground(s.place, seat, int(p.cell(s.place).ground[seat])+cmd.N)
	c.unit(cmd.Unit).LoadT = proto.Uint32(uint32(int(s.load) - cmd.N))
	brought := cmd.N
	for _, t := range p.taint {
		if t.at == s.place && t.seat == seat && t.carriage == uint8(ocsv1.Carriage_CARRIAGE_TRUCK) {
			brought += int(t.tokens)
		}
	}
	c.taint(s.place, seat, ocsv1.Carriage_CARRIAGE_TRUCK, brought)
	p.handled(x, c, seat, cmd, true)
}

// listLoad lists loading as much as there is room for, and one token.
func listLoad(l *lister) {
	for u := range l.p.all(l.seat) {
		s := &l.p.units[u]
		if l.acts(u) && l.p.isTransport(u) {
			fresh := int(l.p.cell(s.place).ground[l.seat]) - l.p.carriedHere(l.seat, s.place)
			l.amounts(KindLoad, u, min(int(s.points)-int(s.load), fresh))
		}
	}
}

// listUnload lists unloading everything, and one token.
func listUnload(l *lister) {
	for u := range l.p.all(l.seat) {
		if l.acts(u) && l.p.isTransport(u) {
			l.amounts(KindUnload, u, int(l.p.units[u].load))
		}
	}
}

// amounts lists a command for the most tokens and for one.
func (l *lister) amounts(k Kind, u Unit, most int) {
	for _, n := range [...]int{most, 1} {
		if most < 1 {
			return
		}
		c := only(k)
		c.Unit, c.N = u, n
		l.checked(c)
		if most == 1 {
			return
		}
	}
}

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
			return rules.Refuse(rule, "refuse.other-kind", "unit", p.unitName(u), "other", p.unitName(units[0])).About(p.id(u), p.id(units[0]))
		}
	}
	return nil
}

// mergedMarks are what a merged transport has if one of its parts has it.
var mergedMarks = [...]ocsv1.UnitMark{
	ocsv1.UnitMark_UNIT_MARK_MOVED, ocsv1.UnitMark_UNIT_MARK_DONE, ocsv1.UnitMark_UNIT_MARK_ARRIVED, ocsv1.UnitMark_UNIT_MARK_HALTED,
}

// playMerge makes one transport. It has the least part of its allowance left that any of them has, and may go on only if all of them might.
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
		if p.mayMove(u) != nil && !p.has(first, ocsv1.UnitMark_UNIT_MARK_DONE) && !slices.Contains(c.unit(first).Set, ocsv1.UnitMark_UNIT_MARK_DONE) {
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
		return rules.Refuse("OCS 13.2c", "refuse.points", "unit", p.unitName(c.Unit), "n", int(s.points), "m", smallest).About(p.id(c.Unit))
	case c.N > c.M || c.N > int(s.load) || int(s.load)-c.N > int(s.points)-c.M:
		return rules.Refuse("OCS 13.2c", "refuse.split-load", "unit", p.unitName(c.Unit), "n", int(s.load)).About(p.id(c.Unit))
	case p.spare(s.counter) >= maxUnits:
		return rules.Malformed("there are too many pieces")
	}
	return nil
}

// playSplit takes points off. Both have what is left of the allowance; the part that is taken off while they move stays behind (OCS 6.1f).
func (p *Position) playSplit(x *exec, seat rules.Seat, cmd *Command) {
	s := &p.units[cmd.Unit]
	c := p.changed()
	m := c.unit(cmd.Unit)
	m.PointsT, m.LoadT = proto.Uint32(uint32(int(s.points)-cmd.M)), proto.Uint32(uint32(int(s.load)-cmd.N))
	m = c.create(s.counter, s.place)
	m.PointsT, m.LoadT, m.SpentTwelfths = proto.Uint32(uint32(cmd.M)), proto.Uint32(uint32(cmd.N)), proto.Uint32(uint32(s.spent))
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

// listSplit lists taking off one point (or the smallest piece) and half of them, with as much of the load as goes with them.
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
