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
	if c.Marker != NoMarker && c.Marker != Reserve && c.Marker != Strat {
		return rules.Refuse("OCS 5.3", "refuse.compulsory-mode")
	}
	for _, u := range c.Units {
		if r := p.mayTake(u, c.Marker, p.faceFor(u, c)); r != nil {
			return r
		}
	}
	return nil
}

// faceFor is the face that a unit takes: the one said, that of Strat mode, or the one that is up.
func (p *Position) faceFor(u Unit, c *Command) Face {
	switch {
	case c.Marker == Strat:
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
	case s.marker == DG || s.marker == Exploitation:
		return rules.Refuse("OCS 5.4", "refuse.compulsory-mode").About(p.id(u))
	case s.spent > 0 || s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED) || s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE):
		return rules.Refuse("OCS 5.4", "refuse.has-moved", "unit", p.unitName(u)).About(p.id(u))
	case !p.counter(u).Faces[f].Exists:
		return rules.Refuse("OCS 5.5c", "refuse.no-combat-face", "unit", p.unitName(u)).About(p.id(u))
	case m == s.marker && f == s.face:
		return rules.Refuse("OCS 5.4", "refuse.same-mode", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// playMode gives units a mode.
func (p *Position) playMode(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	fact := &ocsv1.ModeChosen{Seat: seatIDs[seat], Units: p.ids(cmd.Units), Marker: ocsv1.Marker(cmd.Marker)}
	for _, u := range cmd.Units {
		m := c.unit(u)
		m.Marker, m.Face = ocsv1.Marker(cmd.Marker), ocsv1.Face(p.faceFor(u, cmd))
		m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_CHANGED_MODE)
		fact.Face = m.Face
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ModeChosen{ModeChosen: fact}})
}

// listModes lists the modes of one unit at a time.
func listModes(l *lister) {
	for u := range l.p.all(l.seat) {
		if !l.acts(u) {
			continue
		}
		for _, m := range [...]Marker{NoMarker, Reserve, Strat} {
			for _, f := range [...]Face{CombatFace, MoveFace} {
				if m == Strat && f == CombatFace {
					continue
				}
				c := only(KindMode)
				c.Units, c.Marker, c.Face = []Unit{u}, m, f
				l.checked(c)
			}
		}
	}
}
