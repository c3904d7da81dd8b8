package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Supply lines are counted as if a non-combat unit moved along them (OCS 12.3d). All of them, draw, throw, trace and
// extender, are a number of MP and one hex more, whatever lies between (OCS 12.3c): the hexes covered.

// hexSet is a set of hexes.
type hexSet []uint64

func (b hexSet) has(h Hex) bool { return h != NoHex && b[h>>6]&(1<<(h&63)) != 0 }
func (b hexSet) add(h Hex)      { b[h>>6] |= 1 << (h & 63) }

func (b hexSet) meets(o hexSet) bool {
	for i := range b {
		if b[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// survey answers what the supply lines of a side reach in a position as it is. It keeps what it has worked out, so it
// is made for one question or one list and dropped before anything changes.
type survey struct {
	p      *Position
	seat   rules.Seat
	flood  hex.Flood
	covers map[span]hexSet
	net    *network
	means  []means
	// bridges are the hexes in which units of the side bridge, for supply lines too (OCS 13.8b); nil if none exist.
	bridges hexSet
	stops   barriers
}

// span is a supply line's origin, type of MP and length.
type span struct {
	from   Hex
	mp     MoveType
	within Cost
}

// survey makes a survey of a side, or gives the one of the list that is being made.
func (p *Position) survey(seat rules.Seat) *survey {
	if p.found != nil && p.found.surveys[seat] != nil {
		return p.found.surveys[seat]
	}
	s := &survey{p: p, seat: seat, covers: map[span]hexSet{}, bridges: p.bridgers(seat), stops: p.barriers(seat)}
	if p.found != nil {
		p.found.surveys[seat] = s
		p.found.keep(s)
	}
	return s
}

// newSet is an empty set of the hexes of the map.
func (s *survey) newSet() hexSet { return make(hexSet, (s.p.sc.Map.Len()+63)/64) }

// cover is the hexes that a supply line from a hex covers: those within its MP, and all that are adjacent to
// one of them (OCS 12.3c).
func (s *survey) cover(from Hex, mp MoveType, within Cost) hexSet {
	key := span{from, mp, within}
	if b, ok := s.covers[key]; ok {
		return b
	}
	b := s.newSet()
	s.reach(key, false)
	for _, h := range s.flood.Reached() {
		b.add(h)
		for _, n := range s.p.sc.Map.Neighbors(h) {
			if n != NoHex {
				b.add(n)
			}
		}
	}
	s.covers[key] = b
	return b
}

// reach floods the hexes within the MP of a line. Enemy combat units stop it, and so do un-negated enemy ZOCs if it is
// counted in Truck MP; lines of Leg and Track MP ignore them (OCS 4.5a-B, OCS 12.3d-i). through is true for a line
// that ignores enemies.
func (s *survey) reach(k span, through bool) {
	s.flood.Run(s.p.sc.Map, k.from, int(k.within), func(a, to Hex, d hex.Dir) (int, hex.Verdict) {
		if !through && (s.stops.enemies.has(to) || k.mp == Truck && s.stops.cut.has(to)) {
			return 0, hex.Blocked
		}
		switch c := s.step(k.mp, a, to, d); {
		case c == costNever, c == costAll && a != k.from:
			return 0, hex.Blocked
		case c == costAll: // a range has no minimum move (OCS 6.1c), and is all that the line may spend
			return int(k.within), hex.Pass
		default:
			return int(c), hex.Pass
		}
	})
}

// step is the cost of a step of a supply line, as the chart says: trainbusting does not affect it (OCS 14.8c-v),
// unless the game wants 1 MP more in a zone (Decision D06).
func (s *survey) step(mp MoveType, a, to Hex, d hex.Dir) Cost {
	c := s.plainStep(mp, a, to, d)
	if s.stops.busted != nil && c < costAll && s.p.trainbusted(s.stops.busted, mp, to) {
		c += oneMP
	}
	return c
}

// plainStep is the cost of a step of a supply line, less what an engineer at one end of it bridges, in
// normal or present weather.
func (s *survey) plainStep(mp MoveType, a, to Hex, d hex.Dir) Cost {
	c := s.p.lineCost(mp, a, d)
	if s.bridges == nil || !s.bridges.has(a) && !s.bridges.has(to) {
		return c
	}
	dry := Position{sc: s.p.sc} // bridges depend on nothing but the ground
	return min(c, s.p.bridged(mp, a, d), dry.bridged(mp, a, d))
}

// lineCost is the cost of a step of a supply line: the cheaper of the normal and the present cost of every hex and
// hexside (OCS 12.3d-ii), so that weather which raises costs does not affect it (OCS 17.0c).
func (p *Position) lineCost(mp MoveType, from Hex, d hex.Dir) Cost { return p.way(lines, mp, from, d) }

// cut reports whether a hex is in an enemy ZOC that no unit of the seat negates (OCS 4.5b).
func (p *Position) cut(seat rules.Seat, h Hex) bool {
	return p.inZOC(enemy(seat), h) && !p.holds(seat, h)
}

// holds reports whether a combat unit of the seat negates an enemy ZOC in a hex (OCS 4.5b): one that will not leave it
// in this phase. While the seat does not move, that is any one.
func (p *Position) holds(seat rules.Seat, h Hex) bool {
	if !p.combatIn(seat, Place(h)) {
		return false
	}
	if !p.mayStillMove(seat) {
		return true
	}
	for u := range p.of(seat, Place(h)) {
		if p.isCombat(u) && p.stays(u) {
			return true
		}
	}
	return false
}

// mayStillMove reports whether a seat moves units in the segment and has not ended it.
func (p *Position) mayStillMove(seat rules.Seat) bool {
	switch p.segment {
	case SegMovement, SegReactionMove, SegExploitMove:
		return p.acts(seat) && !p.ended.Has(seat) && p.stage != closing
	}
	return false
}

// stays reports whether a unit has finished its move in the phase, is committed to its hex, or can't move in the
// phase at all (OCS 4.5b).
func (p *Position) stays(u Unit) bool {
	s := &p.units[u]
	switch {
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE), s.marks.has(ocsv1.UnitMark_UNIT_MARK_COMMITTED),
		p.shown(u).Movement == 0:
		return true
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED):
		return !p.inMotion(u)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_RELEASED):
		return false
	case p.segment == SegReactionMove:
		return s.marker != Reserve
	case p.segment == SegExploitMove:
		return s.marker != Reserve && s.marker != Exploitation
	}
	return false
}

func (p *Position) inMotion(u Unit) bool {
	for _, v := range p.motion {
		if v == u {
			return true
		}
	}
	return false
}

// drawType is the type of MP of a unit's direct draw: Truck, or that of an HQ's throw range (OCS 12.3a).
func (p *Position) drawType(u Unit) MoveType {
	if f := p.shown(u); p.counter(u).HQ && f.ThrowMP < numMoveTypes {
		return f.ThrowMP
	}
	return Truck
}

// drawRange is the MP of a direct draw, never those of a throw (OCS 12.3a).
func (p *Position) drawRange() Cost { return Cost(p.sc.Constants.GetDrawMp()) * oneMP }

// drawn is the hexes that a unit on the map draws and traces from (OCS 12.3a).
func (s *survey) drawn(u Unit) hexSet {
	return s.cover(s.p.units[u].place.Hex(), s.p.drawType(u), s.p.drawRange())
}

// thrown is the hexes that an HQ on the map throws to: the range of the face that is up (OCS 12.3b, OCS 13.1a).
func (s *survey) thrown(hq Unit) hexSet {
	f := s.p.shown(hq)
	return s.cover(s.p.units[hq].place.Hex(), f.ThrowMP, f.Throw)
}

// draws reports whether a unit may draw directly from a place (OCS 12.3a). A line may not end where enemy pieces are
// (OCS 4.8c-E); one between the map and a box does not exist (OCS 12.3e).
func (s *survey) draws(u Unit, at Place) bool {
	from := s.p.units[u].place
	switch {
	case from == at:
		return true
	case from.Hex() == NoHex || at.Hex() == NoHex || s.p.cell(at).pieces[enemy(s.seat)] > 0:
		return false
	}
	return s.drawn(u).has(at.Hex())
}

// serves reports whether an HQ may serve a unit (OCS 13.1d): a division HQ only its own units and independent ones of
// its nationality, others those of the nations that the game says.
func (p *Position) serves(hq, u Unit) bool {
	h, c := p.counter(hq), p.counter(u)
	switch {
	case !h.HQ || h.Seat != c.Seat:
		return false
	case h.Size == "division":
		return h.Formation >= 0 && h.Formation == c.Formation || p.independent(u) && h.Nation == c.Nation
	case h.Nation < 0 || c.Nation < 0:
		return true
	}
	nations := p.sc.Nations[h.Nation].Serves
	return nations == 0 || nations&(1<<c.Nation) != 0
}

// reaches reports whether an HQ may throw to a unit, or give it a trace (OCS 12.3b, OCS 13.1b-i): it is not in Strat
// mode (OCS 12.3b-A), may serve it and has it in its range.
func (s *survey) reaches(hq, u Unit) bool {
	p := s.p
	h, c := &p.units[hq], &p.units[u]
	switch {
	case hq == u || !h.place.onMap() || h.marker == Strat || !p.serves(hq, u):
		return false
	case h.place == c.place:
		return true
	case h.place.Hex() == NoHex || c.place.Hex() == NoHex:
		return false
	}
	return s.thrown(hq).has(c.place.Hex())
}
