package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// checkRelease says why units may not be released from Reserve (OCS 5.7b): a subset of a stack, in Reserve mode, where
// the game does not bar it.
func (p *Position) checkRelease(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkStack(seat, c.Units); r != nil {
		return r
	}
	at := p.units[c.Units[0]].place
	for _, u := range c.Units {
		if p.units[u].marker != Reserve {
			return rules.Refuse("OCS 5.7b", "refuse.not-in-reserve", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	if p.cell(at).marks.has(ocsv1.HexMark_HEX_MARK_RELEASE_BARRED) {
		return rules.Refuse("OCS 5.7b", "refuse.release-barred", "hex", p.sc.PlaceID(at)).At(p.sc.PlaceID(at))
	}
	return nil
}

// playRelease releases units: the marker comes off, and they are in the mode of their face (OCS 5.7b). What is in
// motion has finished then: each is played out before the next (OCS 5.7b).
func (p *Position) playRelease(x *exec, seat rules.Seat, cmd *Command) {
	if p.rollRelease(x, seat, p.units[cmd.Units[0]].place) {
		return // a special rule
	}
	c := p.changed()
	for _, u := range cmd.Units {
		c.unit(u).Marker = ocsv1.Marker_MARKER_NONE
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_RELEASED)
	}
	c.motion(nil)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsReleased{UnitsReleased: &ocsv1.UnitsReleased{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), At: p.sc.PlaceID(p.units[cmd.Units[0]].place),
	}}})
}

// listRelease lists one unit at a time.
func listRelease(l *lister) { l.each(KindRelease) }

// each lists a kind that takes units, one unit at a time.
func (l *lister) each(k Kind) {
	for u := range l.p.all(l.seat) {
		if l.acts(u) {
			c := only(k)
			c.Units = []Unit{u}
			l.checked(c)
		}
	}
}

// reserves are the Reserve markers that a side has in use: one for each hex or box with units in
// Reserve mode (OCS 5.4a).
func (p *Position) reserves(seat rules.Seat) int {
	n, seen := 0, map[Place]bool{}
	for u := range p.all(seat) {
		if s := &p.units[u]; s.marker == Reserve && !seen[s.place] {
			seen[s.place] = true
			n++
		}
	}
	return n
}

// reserveLimit is how many Reserve markers a side has (OCS 5.4a).
func (p *Position) reserveLimit(seat rules.Seat) int {
	return period(p.sc.Seats[seat].Doc.GetReserveMarkers(), max(int(p.turn), 1))
}

// mayEndMovement says why a side may not end its Movement Segment yet: it uses more Reserve markers than it has
// (OCS 5.4a), has a unit in Reserve mode in a hedgehog (OCS 5.7g), or one that took Strat mode where it can't trace
// and stayed (OCS 5.8b).
func (p *Position) mayEndMovement(seat rules.Seat) *rules.Refusal {
	if p.segment != SegMovement {
		return nil
	}
	if n, most := p.reserves(seat), p.reserveLimit(seat); n > most {
		return rules.Refuse("OCS 5.4a", "refuse.reserve-markers", "n", n, "limit", most)
	}
	for u := range p.all(seat) {
		if r := p.stuck(u); r != nil {
			return r
		}
	}
	return nil
}

// stuck says why a unit may not keep its marker at the end of the Movement Segment.
func (p *Position) stuck(u Unit) *rules.Refusal {
	s := &p.units[u]
	at := p.sc.PlaceID(s.place)
	switch {
	case s.marker == Reserve && p.cell(s.place).hedgehog > 0:
		return rules.Refuse("OCS 5.7g", "refuse.reserve-hedgehog", "unit", p.unitName(u),
			"hex", at).About(p.id(u)).At(at)
	case s.marker == Strat && s.marks.has(ocsv1.UnitMark_UNIT_MARK_CHANGED_MODE) &&
		!s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED) && !p.stratTraces(u):
		return rules.Refuse(p.stratTrace(), "refuse.strat-trace", "unit", p.unitName(u),
			"hex", at).About(p.id(u)).At(at)
	}
	return nil
}

// checkLeave says why units may not leave Reserve or Strat mode although they have declared their mode: they may where
// the end of the segment demands it (OCS 5.4a, OCS 5.7g, OCS 5.8b).
func (p *Position) checkLeave(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkStack(seat, c.Units); r != nil {
		return r
	}
	over := p.reserves(seat) > p.reserveLimit(seat)
	for _, u := range c.Units {
		if !(over && p.units[u].marker == Reserve) && p.stuck(u) == nil {
			return rules.Refuse("OCS 5.4", "refuse.need-not-leave", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return nil
}

// playLeave takes the markers away: the units are in the mode of their face.
func (p *Position) playLeave(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	fact := &ocsv1.ModeChosen{Seat: seatIDs[seat], Units: p.ids(cmd.Units), Marker: ocsv1.Marker_MARKER_NONE,
		Face: ocsv1.Face(p.units[cmd.Units[0]].face)}
	for _, u := range cmd.Units {
		c.unit(u).Marker = ocsv1.Marker_MARKER_NONE
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_CHANGED_MODE, ocsv1.UnitMark_UNIT_MARK_DONE)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ModeChosen{ModeChosen: fact}})
}

func listLeave(l *lister) { l.each(KindLeave) }
