package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// contactRange is how near a friendly combat unit in supply must be, in hexes (OCS 12.8e-B).
const contactRange = 15

// checkBreakout says why a unit may not break out (OCS 12.8e).
func (p *Position) checkBreakout(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkBreakout(c)
}

func (s *survey) checkBreakout(c *Command) *rules.Refusal {
	p, u := s.p, c.Unit
	if r := p.checkOwn(s.seat, u); r != nil {
		return r
	}
	switch {
	case p.counter(u).Faces[MoveFace].Movement == 0 || p.units[u].place.Hex() == NoHex ||
		p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER):
		return rules.Refuse("OCS 12.8e", "refuse.immobile", "unit", p.unitName(u)).About(p.id(u))
	case s.traces(u):
		return rules.Refuse("OCS 12.8e", "refuse.traces", "unit", p.unitName(u)).About(p.id(u))
	case p.immediate(u):
		return nil
	case !p.isCombat(u):
		return rules.Refuse("OCS 12.8e-C", "refuse.too-late", "unit", p.unitName(u)).About(p.id(u))
	case !s.inContact(u):
		return rules.Refuse("OCS 12.8e-A", "refuse.no-contact", "unit", p.unitName(u)).About(p.id(u))
	case !s.near(u):
		return rules.Refuse("OCS 12.8e-B", "refuse.too-far", "unit", p.unitName(u), "n", contactRange).About(p.id(u))
	}
	return nil
}

// immediate reports whether this is the first turn in which a unit that can't trace is found so: its latest Supply
// Phase found a trace, or it was never checked (OCS 12.8e-C). One that was fed since has had its chance.
func (p *Position) immediate(u Unit) bool {
	was := ocsv1.Supplied(p.units[u].checked)
	return was == ocsv1.Supplied_SUPPLIED_TRACED || was == ocsv1.Supplied_SUPPLIED_UNSPECIFIED
}

// inContact reports whether a path of any length, by the MP of the Move face, leads to a friendly unit that
// can trace (OCS 12.8e-A).
func (s *survey) inContact(u Unit) bool {
	p := s.p
	from, mp, found := p.units[u].place.Hex(), p.counter(u).Faces[MoveFace].MP, false
	if s.friendIn(from, u) {
		return true
	}
	var flood hex.Flood // tracing asks the survey's own while this one runs
	flood.Run(p.sc.Map, from, hex.MaxCost, func(a, to Hex, d hex.Dir) (int, hex.Verdict) {
		if found || p.combatIn(enemy(s.seat), Place(to)) || mp == Truck && p.cut(s.seat, to) ||
			p.way(byRoad, mp, a, d) == costNever {
			return 0, hex.Blocked
		}
		found = s.friendIn(to, u)
		return 1, hex.Pass
	})
	return found
}

// friendIn reports whether another unit of the side in a hex can trace.
func (s *survey) friendIn(h Hex, but Unit) bool {
	for v := range s.p.of(s.seat, Place(h)) {
		if v != but && s.traces(v) {
			return true
		}
	}
	return false
}

// near reports whether a friendly combat unit that can trace is near enough, counted straight (OCS 12.8e-B).
func (s *survey) near(u Unit) bool {
	from := s.p.units[u].place.Hex()
	for v := range s.p.all(s.seat) {
		h := s.p.units[v].place.Hex()
		if v != u && h != NoHex && s.p.isCombat(v) && s.p.distance(from, h) <= contactRange && s.traces(v) {
			return true
		}
	}
	return false
}

// playBreakout rolls for a unit, or for each point of a transport (OCS 12.8e-i).
func (p *Position) playBreakout(x *exec, seat rules.Seat, cmd *Command) {
	u := cmd.Unit
	now := p.immediate(u)
	if p.isCombat(u) {
		die, delay := p.rollBreakout(x, now)
		returns := p.comesBack(delay)
		c := p.changed()
		if returns == 0 {
			c.eliminate(u)
		} else {
			c.breakOut(u, returns)
		}
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BreakoutTried{BreakoutTried: &ocsv1.BreakoutTried{
			Seat: seatIDs[seat], Unit: p.id(u), Die: uint32(die), Immediate: now, Returns: uint32(returns),
			Delay: uint32(delay),
		}}})
		return
	}
	for p.units[u].points > 0 && p.units[u].place.onMap() {
		p.breakOutPoint(x, seat, u)
	}
}

// immediateBonus is added to the die of an immediate breakout (OCS 12.8e-C).
const immediateBonus = 1

// rollBreakout rolls, and again for the turns until the unit comes back (OCS 12.8e-ii); delay is 0 if it fails.
func (p *Position) rollBreakout(x *exec, now bool) (die, delay int) {
	die = x.Roll(6, "breakout")
	bonus := 0
	if now {
		bonus = immediateBonus
	}
	if die+bonus < int(p.sc.Charts.GetBreakoutMin()) {
		return die, 0
	}
	return die, x.Roll(6, "breakout")
}

// comesBack is the turn in which a unit comes back after a delay; 0 if it does not.
func (p *Position) comesBack(delay int) int {
	if delay == 0 {
		return 0
	}
	return int(p.turn) + delay
}

// breakOut takes a unit off the map. It keeps its step losses and loses all markers (OCS 12.8e-ii).
func (c *changes) breakOut(u Unit, returns int) {
	m := c.unit(u)
	m.Place, m.Returns = proto.String(c.p.sc.PlaceID(Returning)), proto.Uint32(uint32(returns))
	m.Marker, m.Stocks, m.Fuel = ocsv1.Marker_MARKER_NONE, ocsv1.Stocks_STOCKS_FULL, ocsv1.Fuel_FUEL_NONE
	m.Supplied, m.Unset = ocsv1.Supplied_SUPPLIED_TRACED, everyUnitMark()
	m.SpentTwelfths, m.LoadT = proto.Uint32(0), proto.Uint32(0)
}

// breakOutPoint rolls for one point of a transport, and takes it off the unit. What it carries stays as a dump if it
// succeeds, and is lost with it if it fails; an organic truck can't unload (OCS 13.2g-A), so that its load is lost
// either way. The last point is the unit itself.
func (p *Position) breakOutPoint(x *exec, seat rules.Seat, u Unit) {
	s := &p.units[u]
	at, points := s.place, min(int(s.points), oneSP)
	load := int(s.load) * points / int(s.points)
	die, delay := p.rollBreakout(x, true)
	returns := p.comesBack(delay)
	c := p.changed()
	last := points == int(s.points)
	switch {
	case last && returns == 0:
		c.eliminate(u)
	case last:
		c.breakOut(u, returns)
	default:
		m := c.unit(u)
		m.PointsT, m.LoadT = proto.Uint32(uint32(int(s.points)-points)), proto.Uint32(uint32(int(s.load)-load))
	}
	if returns > 0 && load > 0 && !p.organic(u) {
		c.ground(at, seat, int(p.cell(at).ground[seat])+load)
	}
	if returns > 0 && !last {
		p.splitOff(c, u, points, returns)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BreakoutTried{BreakoutTried: &ocsv1.BreakoutTried{
		Seat: seatIDs[seat], Unit: p.id(u), Die: uint32(die), Immediate: true, Returns: uint32(returns),
		Delay:  uint32(delay),
		Points: uint32(points),
	}}})
}

// splitOff makes a transport of points that broke out.
func (p *Position) splitOff(c *changes, u Unit, points, returns int) {
	counter := p.units[u].counter
	if p.organic(u) {
		counter = p.truckOf(p.units[u].seat) // one counter can't be in two places
	}
	if counter == noCounter {
		return
	}
	m := c.create(counter, Returning)
	m.PointsT, m.Returns = proto.Uint32(uint32(points)), proto.Uint32(uint32(returns))
}

// noCounter is no counter.
const noCounter = 0xFFFF

// truckOf is the counter of a side's ordinary trucks: the kind of transport that is captured as organic trucks are;
// noCounter if it has none.
func (p *Position) truckOf(seat rules.Seat) uint16 {
	for i := range p.sc.Counters {
		c := &p.sc.Counters[i]
		if c.Seat == seat && c.Transport >= 0 && p.kindOfTransport(c).GetCapture() == organicColumn {
			return uint16(i)
		}
	}
	return noCounter
}

// listBreakout lists every unit that may try.
func listBreakout(l *lister) {
	s := l.p.survey(l.seat)
	for u := range l.p.all(l.seat) {
		if !l.acts(u) {
			continue
		}
		c := only(KindBreakout)
		c.Unit = u
		if s.checkBreakout(&c) == nil {
			l.give(c)
		}
	}
}
