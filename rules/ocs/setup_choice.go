package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// What owners choose in set-up. Until the first turn begins a piece's origin is the hex that the scenario lists it in.

// within is how far from its listed hex a piece may be set up (OCS Intro-IV-A).
func (p *Position) within(u Unit) int {
	s := &p.units[u]
	for _, x := range p.sc.Doc.GetSetup() {
		if x.GetWithin() > 0 && p.sc.names[x.GetAt()] == s.origin && p.seatOf(x.GetSeat()) == s.seat {
			return int(x.GetWithin())
		}
	}
	return 0
}

// checkPlace says why units may not be set up in a hex: it must be within reach of the one that they are listed in (OCS
// Intro-IV-A), and one that they could enter (OCS Intro-IV-I).
func (p *Position) checkPlace(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkStack(seat, c.Units); r != nil {
		return r
	}
	at := c.At.Hex()
	if at == NoHex {
		return rules.Malformed("the command names no hex").For(rules.ReasonUnknownSpace)
	}
	id := p.sc.Map.ID(at)
	if p.cells[at].pieces[enemy(seat)] > 0 || p.cells[at].ground[enemy(seat)] > 0 {
		return rules.Refuse("OCS Intro-IV-I", "refuse.set-up-enemy", "hex", id).At(id)
	}
	for _, u := range c.Units {
		most := p.within(u)
		if from := p.units[u].origin.Hex(); most == 0 || from == NoHex || p.distance(from, at) > most {
			return rules.Refuse("OCS Intro-IV-A", "refuse.set-up-far", "unit", p.unitName(u), "hex", id,
				"within", most).About(p.id(u)).At(id)
		}
		if p.units[u].place == c.At || !p.couldEnter(u, at) {
			return rules.Refuse("OCS Intro-IV-I", "refuse.set-up-closed", "unit", p.unitName(u),
				"hex", id).About(p.id(u)).At(id)
		}
	}
	return nil
}

// couldEnter reports whether a unit could enter a hex from some side with the movement type of its Move face.
func (p *Position) couldEnter(u Unit, at Hex) bool {
	mp := p.counter(u).Faces[MoveFace].MP
	for d, n := range p.around(at) {
		if p.way(byRoad, mp, n, d.Opposite()) != costNever {
			return true
		}
	}
	return mp == Immobile && p.sc.Hexes[at].Land
}

// playPlace spreads a stack.
func (p *Position) playPlace(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	for _, u := range cmd.Units {
		c.move(u, cmd.At)
	}
	c.own(cmd.At, seat)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsPlaced{UnitsPlaced: &ocsv1.UnitsPlaced{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), At: p.sc.PlaceID(cmd.At),
	}}})
}

// listPlace lists one unit at a time.
func listPlace(l *lister) {
	p := l.p
	for u := range p.all(l.seat) {
		most, from := p.within(u), p.units[u].origin.Hex()
		if most == 0 || from == NoHex || !l.acts(u) {
			continue
		}
		for h := range p.sc.Hexes {
			if p.distance(from, Hex(h)) > most || !l.aims(Place(h)) {
				continue
			}
			c := only(KindPlace)
			c.Units, c.At = []Unit{u}, Place(h)
			l.checked(c)
		}
	}
}

// checkStow says why a transport may not begin with a load: it must be one that stands with supply (OCS Intro-IV-C, OCS
// Intro-IV-D), and have room.
func (p *Position) checkStow(seat rules.Seat, c *Command) *rules.Refusal {
	u := c.Unit
	if u == NoUnit {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	s := &p.units[u]
	switch {
	case s.seat != seat || !s.place.onMap() || !p.isTransport(u):
		return rules.Refuse("OCS Intro-IV-C", "refuse.stow-unit",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
	case p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER):
		return rules.Refuse("OCS 12.7", "refuse.stow-unit", "unit", p.unitName(u)).About(p.id(u))
	case c.N > int(s.points):
		return rules.Refuse("OCS 13.2c", "refuse.stow-room", "unit", p.unitName(u),
			"points", tokens(int(s.points))).About(p.id(u))
	case c.N > int(s.load)+int(p.cell(s.place).ground[seat]):
		return rules.Refuse("OCS Intro-IV-C", "refuse.stow-supply", "unit", p.unitName(u),
			"supply", tokens(int(p.cell(s.place).ground[seat]))).About(p.id(u))
	case c.N == int(s.load) || p.counter(u).Kind == OrganicUnit && c.N < int(s.load): // OCS 13.2g-A
		return rules.Refuse("OCS Intro-IV-D", "refuse.stow-load", "unit", p.unitName(u),
			"load", tokens(int(s.load))).About(p.id(u))
	}
	return nil
}

// playStow moves supply between the ground and a transport.
func (p *Position) playStow(x *exec, seat rules.Seat, cmd *Command) {
	s := &p.units[cmd.Unit]
	c := p.changed()
	c.unit(cmd.Unit).LoadT = proto.Uint32(uint32(cmd.N))
	c.ground(s.place, seat, int(p.cell(s.place).ground[seat])+int(s.load)-cmd.N)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SupplyStowed{SupplyStowed: &ocsv1.SupplyStowed{
		Seat: seatIDs[seat], Unit: p.id(cmd.Unit), Tokens: uint32(cmd.N),
	}}})
}

// listStow lists full and empty transports.
func listStow(l *lister) {
	for u := range l.p.all(l.seat) {
		s := &l.p.units[u]
		if !l.p.isTransport(u) || !l.acts(u) {
			continue
		}
		for _, n := range [...]int{0, min(int(s.points), int(s.load)+int(l.p.cell(s.place).ground[l.seat]))} {
			c := only(KindStow)
			c.Unit, c.N = u, n
			l.checked(c)
		}
	}
}

// checkSetUp says why a side may not end its set-up: a hex is over the stacking limit (OCS Intro-IV-E), or a mode is
// still to be corrected.
func (p *Position) checkSetUp(seat rules.Seat) *rules.Refusal {
	for h := range p.sc.Hexes {
		if p.stacked(seat, Place(h)) > p.limit() {
			id := p.sc.Map.ID(Hex(h))
			return rules.Refuse("OCS Intro-IV-E", "refuse.set-up-stack", "hex", id, "limit", formatRE(p.limit())).At(id)
		}
	}
	if u := p.misplaced(seat); len(p.frames) > 0 && u != NoUnit {
		return rules.Refuse("OCS Intro-IV-B", "refuse.set-up-mode", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// misplaced is the first unit of a seat that is in Reserve or Strat mode next to an enemy attack-capable unit (OCS
// Intro-IV-B); NoUnit if none exists.
func (p *Position) misplaced(seat rules.Seat) Unit {
	for u := range p.all(seat) {
		if m := p.mode(u); (m == ReserveMode || m == StratMode) && p.facesAttack(u) {
			return u
		}
	}
	return NoUnit
}

// facesAttack reports whether a unit stands next to an attack-capable enemy.
func (p *Position) facesAttack(u Unit) bool {
	h := p.units[u].place.Hex()
	if h == NoHex {
		return false
	}
	for _, n := range p.around(h) {
		for v := range p.of(enemy(p.units[u].seat), Place(n)) {
			if p.attackCapable(v) {
				return true
			}
		}
	}
	return false
}

// checkCorrection says what may not be done when units have been returned for correction (OCS Intro-IV-B): only they
// change, out of Reserve and Strat mode. So each correction leaves one unit less in these modes, and corrections come
// to an end.
func (p *Position) checkCorrection(seat rules.Seat, c *Command) *rules.Refusal {
	switch {
	case kinds[c.Kind].Offer, c.Kind == KindEnd:
		return nil
	case c.Kind != KindMode:
		return rules.Refuse("OCS Intro-IV-B", "refuse.correct-only", "unit", p.unitName(p.misplaced(seat)))
	}
	for _, u := range c.Units {
		m := p.mode(u)
		if to := p.markerFor(u, c); m != ReserveMode && m != StratMode || !p.facesAttack(u) || to == Reserve ||
			to == Strat {
			return rules.Refuse("OCS Intro-IV-B", "refuse.correct-only",
				"unit", p.unitName(p.misplaced(seat))).About(p.id(u))
		}
	}
	return nil
}

// correctSetUp returns units to their owner for correction when both set-ups are complete (OCS Intro-IV-B).
func (p *Position) correctSetUp(x *exec) {
	for seat := range numSeats {
		if p.misplaced(seat) == NoUnit {
			continue
		}
		x.Reveal() // that there is such a unit
		c := p.changed()
		c.push(newFrame[correction](seat, Nowhere))
		tell(x,
			&event{Changes: c.list,
				Fact: &ocsv1.Event_CorrectionAsked{CorrectionAsked: &ocsv1.CorrectionAsked{Seat: seatIDs[seat]}}})
		return
	}
}

// correction is a side's correction of its set-up.
type correction struct{ head }

func (*correction) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_CORRECTION }

func (*correction) wire(*framing) {}

// asks asks a side while it has units to correct.
func (f *correction) asks(p *Position) (Ask, rules.Seats) {
	if p.misplaced(f.seat) != NoUnit {
		return AskSetup, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

// proceed ends the correction of a side, or begins that of the other: a unit that left Reserve may now stand next to
// one in Strat mode.
func (f *correction) proceed(p *Position, x *exec) {
	c, other := p.changed(), enemy(f.seat)
	if p.misplaced(other) == NoUnit {
		c.pop()
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SegmentStepped{SegmentStepped: &ocsv1.SegmentStepped{}}})
		return
	}
	c.frame(newFrame[correction](other, Nowhere))
	tell(x,
		&event{Changes: c.list,
			Fact: &ocsv1.Event_CorrectionAsked{CorrectionAsked: &ocsv1.CorrectionAsked{Seat: seatIDs[other]}}})
}
