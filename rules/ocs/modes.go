package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// checkMode says why units may not take a mode now (OCS 5.4).
func (p *Position) checkMode(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkStack(seat, c.Units); r != nil {
		return r
	}
	for _, u := range c.Units {
		if c.Face == CombatFace && p.markerFor(u, c) == Strat { // OCS 5.8: Strat mode shows the Move face
			return rules.Refuse("OCS 5.8", "refuse.strat-face", "unit", p.unitName(u)).About(p.id(u))
		}
		if r := p.mayTake(u, p.markerFor(u, c), p.faceFor(u, c)); r != nil {
			return r
		}
	}
	return nil
}

// markerFor is the marker that a unit takes: the one said, or the one that it has.
func (p *Position) markerFor(u Unit, c *Command) Marker {
	if c.Marker == AnyMarker {
		return p.units[u].marker
	}
	return c.Marker
}

// faceFor is the face that a unit takes: the one said, that of Strat mode, or the one that is up.
func (p *Position) faceFor(u Unit, c *Command) Face {
	switch {
	case p.markerFor(u, c) == Strat:
		return MoveFace // OCS 5.8
	case c.Face != NoFace:
		return c.Face
	}
	return p.units[u].face
}

// mayTake says why one unit may not take a mode.
func (p *Position) mayTake(u Unit, m Marker, f Face) *rules.Refusal {
	s := &p.units[u]
	switch {
	case m == s.marker && f == s.face:
		return rules.Refuse("OCS 5.4", "refuse.same-mode", "unit", p.unitName(u)).About(p.id(u))
	case m != s.marker && (compulsory(m) || compulsory(s.marker)), s.marker == Exploitation:
		// OCS 5.9: no face is flipped either
		return rules.Refuse("OCS 5.3", "refuse.compulsory-mode").About(p.id(u))
	case !p.counter(u).Faces[f].Exists:
		return rules.Refuse("OCS 5.5c", "refuse.no-combat-face", "unit", p.unitName(u)).About(p.id(u))
	}
	if r := p.suits(u, m); r != nil {
		return r
	}
	if p.segment == SegSetupFirst || p.segment == SegSetupSecond {
		return nil // OCS Intro-IV-B
	}
	return p.mayChange(u, m)
}

// compulsory reports whether a marker is never chosen (OCS 5.3).
func compulsory(m Marker) bool { return m == DG || m == Exploitation }

// suits says why a kind of unit can't be in a mode at all (OCS 5.1): transports are in Move mode, organic trucks also
// in Reserve (OCS 13.2d, OCS 13.2g-D).
func (p *Position) suits(u Unit, m Marker) *rules.Refusal {
	k := p.counter(u).Kind
	switch {
	case m == Reserve && k == TransportPoints:
		return rules.Refuse("OCS 5.7f", "refuse.transport-mode", "unit", p.unitName(u)).About(p.id(u))
	case m == Strat && !k.Combat():
		return rules.Refuse("OCS 5.8c", "refuse.transport-mode", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// mayChange says why a unit may not declare a mode now (OCS 5.4): once in a Movement Phase, before it does anything
// else; Reserve and Strat not in an enemy ZOC, negated or not.
func (p *Position) mayChange(u Unit, m Marker) *rules.Refusal {
	s := &p.units[u]
	const began = 1<<ocsv1.UnitMark_UNIT_MARK_MOVED | 1<<ocsv1.UnitMark_UNIT_MARK_DONE |
		1<<ocsv1.UnitMark_UNIT_MARK_COMMITTED |
		1<<ocsv1.UnitMark_UNIT_MARK_RAILED | 1<<ocsv1.UnitMark_UNIT_MARK_BUILDING
	h := s.place.Hex()
	near := h != NoHex && p.inZOC(enemy(s.seat), h) && m != s.marker
	switch {
	case s.spent > 0 || s.marks&began != 0:
		return rules.Refuse("OCS 5.4", "refuse.has-moved", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_CHANGED_MODE):
		return rules.Refuse("OCS 5.4", "refuse.has-declared", "unit", p.unitName(u)).About(p.id(u))
	case near && m == Reserve: // OCS 4.5a-I
		return rules.Refuse("OCS 5.7c", "refuse.mode-in-zoc", "unit", p.unitName(u)).About(p.id(u))
	case near && m == Strat: // OCS 4.5a-J
		return rules.Refuse("OCS 5.8a", "refuse.mode-in-zoc", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// playMode gives units a mode.
func (p *Position) playMode(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	fact := &ocsv1.ModeChosen{Seat: seatIDs[seat], Units: p.ids(cmd.Units)}
	for _, u := range cmd.Units {
		m := c.unit(u)
		m.Marker, m.Face = ocsv1.Marker(p.markerFor(u, cmd)), ocsv1.Face(p.faceFor(u, cmd))
		m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_CHANGED_MODE)
		fact.Marker, fact.Face = m.Marker, m.Face
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ModeChosen{ModeChosen: fact}})
}

// listModes lists the modes of one unit at a time; of a unit in DG mode its faces.
func listModes(l *lister) {
	for u := range l.p.all(l.seat) {
		if !l.acts(u) || l.p.segment != SegSetupFirst && l.p.segment != SegSetupSecond &&
			l.p.mayChange(u, l.p.units[u].marker) != nil {
			continue
		}
		units := []Unit{u}
		for _, m := range [...]Marker{NoMarker, Reserve, Strat, DG} {
			for _, f := range [...]Face{CombatFace, MoveFace} {
				if m == Strat && f == CombatFace || m == DG && l.p.units[u].marker != DG {
					continue
				}
				c := only(KindMode)
				c.Units, c.Marker, c.Face = units, m, f
				l.checked(c)
			}
		}
	}
}
