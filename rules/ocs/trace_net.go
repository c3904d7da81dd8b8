package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// network is what a side can trace to at a moment (OCS 12.6a).
type network struct {
	// linked are the rail hexes connected to a source, over extenders too.
	linked hexSet
	// ends are the hexes at which a trace may end: sources, linked detrainable hexes, linked extenders.
	ends hexSet
	// extenders that are linked, in order.
	extenders []Unit
}

// minimumPort is the capacity under which a port is no source, in tokens (OCS 19.0e).
const minimumPort = oneSP

// network works out what a side can trace to.
func (s *survey) network() *network {
	if s.net != nil {
		return s.net
	}
	n := &network{linked: s.newSet(), ends: s.newSet()}
	var sources []Hex
	for _, src := range s.p.sc.Seats[s.seat].Sources {
		if s.works(src.At, src.Port) {
			sources = append(sources, src.At)
		}
	}
	for _, e := range s.p.sc.Seats[s.seat].Entries {
		if h := e.At.Hex(); e.Rail && h != NoHex && s.works(h, false) { // OCS 12.6a-1
			sources = append(sources, h)
		}
	}
	if s.p.sc.Sails {
		for h := range s.p.sc.Hexes { // OCS 18.4f-D
			if s.p.cells[h].lst == s.seat && s.works(Hex(h), true) {
				sources = append(sources, Hex(h))
			}
		}
	}
	for _, h := range sources {
		n.ends.add(h)
	}
	s.connect(n, sources)
	s.extend(n)
	s.net = n
	return n
}

// works reports whether a source functions: not in an un-negated enemy ZOC (OCS 12.6b), nothing of the enemy on it; a
// port must be friendly, have a capacity, and in some games may be in no enemy ZOC at all (OCS 4.5a-F).
func (s *survey) works(h Hex, port bool) bool {
	p := s.p
	if p.cell(Place(h)).pieces[enemy(s.seat)] > 0 || s.stops.cut.has(h) {
		return false
	}
	if !port {
		return true
	}
	if p.sc.Constants.GetPortTraceNotNegatable() && p.inZOC(enemy(s.seat), h) {
		return false
	}
	return p.isPort(s.seat, Place(h)) && p.portLeft(Place(h)) >= minimumPort
}

// railOpen reports whether a rail hex is part of the side's rail net for tracing: its gauge (OCS 13.3f), no enemy
// combat unit, no un-negated enemy ZOC (OCS 4.5a-D).
func (s *survey) railOpen(h Hex) bool {
	p := s.p
	if !p.sc.Hexes[h].Rail || p.combatIn(enemy(s.seat), Place(h)) || s.stops.cut.has(h) {
		return false
	}
	gauge := p.sc.Seats[s.seat].Gauge
	return gauge == 0 || p.cells[h].gauge == gauge
}

// connect adds the part of the rail net that hangs together with some hexes, and its detrainable hexes (OCS 12.6a-2).
func (s *survey) connect(n *network, from []Hex) {
	var todo []Hex
	add := func(h Hex) {
		if !n.linked.has(h) && s.railOpen(h) {
			n.linked.add(h)
			todo = append(todo, h)
		}
	}
	for _, h := range from {
		add(h)
	}
	for len(todo) > 0 {
		h := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.p.detrains(s.seat, h) {
			n.ends.add(h)
		}
		for d, to := range s.p.sc.Map.Neighbors(h) {
			if to != NoHex && s.p.sc.Hexes[h].Tracks[hex.Dir(d)] != 0 {
				add(to)
			}
		}
	}
}

// detrains reports whether a rail hex has a place to leave a train: a village, city or port, or an HQ that is able
// to use its engineering ability: with its Combat face up, in Combat or DG mode (OCS 12.6a-2, OCS 13.8a). Nothing of
// the enemy may be in it.
func (p *Position) detrains(seat rules.Seat, h Hex) bool {
	if p.cell(Place(h)).pieces[enemy(seat)] > 0 {
		return false
	}
	if p.sc.Hexes[h].Detrainable {
		return true
	}
	for u := range p.of(seat, Place(h)) {
		if m := p.mode(u); p.counter(u).HQ && p.units[u].face == CombatFace && (m == CombatMode || m == DGMode) {
			return true
		}
	}
	return false
}

// extend links extenders until nothing changes (OCS 12.7c). A linked one is a place to trace to, and a source itself
// (OCS 12.6a-3, OCS 12.7a, OCS 12.7a-A), and joins the rail net that it stands in (OCS 12.7a-B, OCS 12.7a-C).
func (s *survey) extend(n *network) {
	var waiting []Unit
	for u := range s.p.all(s.seat) {
		if s.p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER) && s.p.units[u].place.Hex() != NoHex {
			waiting = append(waiting, u)
		}
	}
	for again := true; again; {
		again = false
		for i, u := range waiting {
			if u == NoUnit || !s.links(n, s.p.units[u].counter, s.p.units[u].place.Hex()) {
				continue
			}
			h := s.p.units[u].place.Hex()
			n.extenders = append(n.extenders, u)
			n.ends.add(h)
			if s.railOpen(h) && s.p.detrains(s.seat, h) {
				s.connect(n, []Hex{h})
			}
			waiting[i], again = NoUnit, true
		}
	}
}

// links reports whether an extender of a counter in a hex would reach back to a source, a linked detrainable hex or a
// linked extender: always from its own hex to the rear, never over an HQ (OCS 12.7b), and one hex more (OCS 12.7g). One
// in an un-negated enemy ZOC does not function (OCS 12.6b).
func (s *survey) links(n *network, counter uint16, h Hex) bool {
	if s.stops.cut.has(h) || s.stops.enemies.has(h) {
		return false
	}
	c := &s.p.sc.Counters[counter]
	return s.cover(h, c.Faces[MoveFace].MP, s.p.extenderRange(c)).meets(n.ends)
}

// extenderRange is how far an extender of a kind of transport reaches back, 0 if it can't become one.
func (p *Position) extenderRange(c *Counter) Cost {
	k := p.kindOfTransport(c)
	if c.Seat == Blue {
		return Cost(k.GetBlueExtender()) * oneMP
	}
	return Cost(k.GetRedExtender()) * oneMP
}

// kindOfTransport is the kind of an ordinary transport; nil for anything else, organic trucks too.
func (p *Position) kindOfTransport(c *Counter) *ocsv1.TransportKind {
	if c.Transport < 0 {
		return nil
	}
	return p.sc.Doc.GetCounters().GetTransports()[c.Transport]
}

// direct reports whether a unit reaches a place to trace to by itself (OCS 12.6).
func (s *survey) direct(u Unit) bool {
	h := s.p.units[u].place.Hex()
	return h != NoHex && s.drawn(u).meets(s.network().ends)
}

// through reports whether a unit traces through an HQ (OCS 12.6).
func (s *survey) through(hq, u Unit) bool { return s.reaches(hq, u) && s.direct(hq) }

// excused reports whether a unit needs no line: it was dropped in this turn (OCS 12.6h), or is in a box that
// supplies it (OCS 12.3e).
func (s *survey) excused(u Unit) bool {
	return s.p.has(u, ocsv1.UnitMark_UNIT_MARK_DROPPED) || s.p.supplied(s.p.units[u].place)
}

// supplied reports whether a place is a box in which units draw what they need (OCS 12.3e).
func (p *Position) supplied(at Place) bool { return at.inBox() && p.sc.Boxes[at-boxes].Supplies }

// traces reports whether a unit can trace general supply, taken for itself (OCS 12.6).
func (s *survey) traces(u Unit) bool {
	if s.excused(u) || s.direct(u) {
		return true
	}
	for _, hq := range s.p.sc.tab.hqs[s.seat] {
		if s.through(hq, u) {
			return true
		}
	}
	return false
}

// canTrace reports whether a unit can trace general supply now, taken for itself (OCS 12.6). Whoever asks for many
// units makes a survey.
func (p *Position) canTrace(u Unit) bool { return p.survey(p.units[u].seat).traces(u) }
