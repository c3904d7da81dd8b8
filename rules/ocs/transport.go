package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"google.golang.org/protobuf/proto"
)

// transportCommand are the commands of transports, extenders, dumps and captures (OCS 13.2, OCS 12.7,
// OCS 12.11, OCS 9.14).
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

// checkTransport checks that a unit is a transport of the seat that may act in the segment: ordinary ones in the
// Movement Phase only (OCS 13.2c), and no active extender (OCS 12.7).
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
		return rules.Refuse("OCS 13.2f", "refuse.handling", "unit", p.unitName(c.Unit), "need", formatCost(cost),
			"left", formatCost(left)).
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

// checkUnload says why a transport may not unload (OCS 13.2f): an organic truck never does (OCS 13.2g-A);
// others do with a combat unit (OCS 13.2f-i), at a port or air base (OCS 13.2f-ii) or onto supply that lies
// there (OCS 13.2f-iii).
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
		return rules.Refuse("OCS 13.2f", "refuse.load", "unit", p.unitName(c.Unit),
			"n", int(s.load)).About(p.id(c.Unit))
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
