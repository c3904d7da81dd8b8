package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Formation markers (OCS 13.7) stand on the map for units of one formation that are kept off to the side. Here the
// units stay where they are and have a mark, so a marker moves, fights and counts for stacking as its units do, and
// each place with marked units of a formation has one. It is never a dummy: without units it is not there.

const grouped = ocsv1.UnitMark_UNIT_MARK_GROUPED

// formationMarker is what is seen of a formation marker in a place. Which units are under it, and how many, is not.
type formationMarker struct {
	seat      rules.Seat
	formation int16
	at        Place
	stands    bool
	face      Face   // of all its units; NoFace if they have not all one mode
	marker    Marker // of all its units; AnyMarker if they have not all one mode
	fuelled   bool
}

// markerIn is the marker of a formation in a place. It shows the mode that all its units share, and its fuelled side
// when the formation was fuelled: an HQ under it that was fuelled for itself has a marker of its own (OCS 12.5c-B).
func (p *Position) markerIn(formation int16, at Place) formationMarker {
	m := formationMarker{seat: p.sc.Formations[formation].Seat, formation: formation, at: at}
	for u := range p.under(formation, at) {
		s := &p.units[u]
		switch {
		case !m.stands:
			m.stands, m.face, m.marker = true, s.face, s.marker
		case m.face != s.face || m.marker != s.marker:
			m.face, m.marker = NoFace, AnyMarker
		}
		m.fuelled = m.fuelled || s.fuel == lastingFuel && !p.counter(u).HQ
	}
	return m
}

// under walks the units under the marker of a formation in a place.
func (p *Position) under(formation int16, at Place) func(func(Unit) bool) {
	return func(yield func(Unit) bool) {
		for u := range p.at(at) {
			if p.has(u, grouped) && p.counter(u).Formation == formation && !yield(u) {
				return
			}
		}
	}
}

// formationMarkers are all markers on the map and in boxes, formation by formation.
func (p *Position) formationMarkers() []formationMarker {
	var list []formationMarker
	for f := range p.sc.Formations {
		for _, u := range p.sc.Formations[f].Units {
			at := p.units[u].place
			same := func(m formationMarker) bool { return m.formation == int16(f) && m.at == at }
			if p.has(u, grouped) && at.onMap() && !slices.ContainsFunc(list, same) {
				list = append(list, p.markerIn(int16(f), at))
			}
		}
	}
	return list
}

// checkGrouping says why units may not join or leave a marker together: they are the seat's, stand in one place and
// belong to one formation (OCS 13.7).
func (p *Position) checkGrouping(seat rules.Seat, list []Unit) *rules.Refusal {
	if len(list) == 0 {
		return rules.Malformed("the command names no unit").For(rules.ReasonUnknownPiece)
	}
	first := p.counter(list[0]).Formation
	for i, u := range list {
		s := &p.units[u]
		switch {
		case s.seat != seat || !s.place.onMap():
			return rules.Refuse("OCS 13.7", "refuse.not-yours",
				"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		case slices.Contains(list[:i], u):
			return rules.Malformed("unit %s is named twice", p.id(u))
		case p.counter(u).Formation < 0:
			return rules.Refuse("OCS 13.7", "refuse.no-formation", "unit", p.unitName(u)).About(p.id(u))
		case p.counter(u).Formation != first:
			return rules.Refuse("OCS 13.7", "refuse.two-formations", "unit", p.unitName(u),
				"other", p.unitName(list[0])).About(p.id(u), p.id(list[0]))
		case s.place != p.units[list[0]].place:
			return rules.Refuse("OCS 13.7", "refuse.not-stacked", "unit", p.unitName(u),
				"other", p.unitName(list[0])).About(p.id(u), p.id(list[0]))
		}
	}
	return nil
}

// checkGroup says why units may not go under their formation's marker. Joining it is free whatever their modes are, and
// costs no MP (OCS 13.7).
func (p *Position) checkGroup(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkGrouping(seat, c.Units); r != nil {
		return r
	}
	for _, u := range c.Units {
		if p.has(u, grouped) {
			return rules.Refuse("OCS 13.7", "refuse.is-grouped", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return nil
}

// checkUngroup says why units may not leave their formation's marker.
func (p *Position) checkUngroup(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkGrouping(seat, c.Units); r != nil {
		return r
	}
	for _, u := range c.Units {
		if !p.has(u, grouped) {
			return rules.Refuse("OCS 13.7", "refuse.not-grouped", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return nil
}

// playGroup puts units under their formation's marker (OCS 3.6f).
func (p *Position) playGroup(x *exec, seat rules.Seat, cmd *Command) { p.group(x, seat, cmd, false) }

// playUngroup takes units from under it.
func (p *Position) playUngroup(x *exec, seat rules.Seat, cmd *Command) { p.group(x, seat, cmd, true) }

func (p *Position) group(x *exec, seat rules.Seat, cmd *Command, left bool) {
	c := p.changed()
	for _, u := range cmd.Units {
		if left {
			c.unit(u).Unset = []ocsv1.UnitMark{grouped}
		} else {
			c.mark(u, grouped)
		}
	}
	u := cmd.Units[0]
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsGrouped{UnitsGrouped: &ocsv1.UnitsGrouped{
		Seat: seatIDs[seat], Formation: p.sc.Formations[p.counter(u).Formation].ID, At: p.sc.PlaceID(p.units[u].place),
		Units: p.ids(cmd.Units), Left: left,
	}}})
}

// listGroup lists all units of a formation in a place that are not under its marker, and each alone.
func listGroup(l *lister) { l.groups(KindGroup, false) }

// listUngroup lists all units under a marker, and each alone.
func listUngroup(l *lister) { l.groups(KindUngroup, true) }

func (l *lister) groups(k Kind, marked bool) {
	if !l.closely() {
		return
	}
	p := l.p
	for f := range p.sc.Formations {
		var places []Place
		for _, u := range p.sc.Formations[f].Units {
			at := p.units[u].place
			if p.sc.Formations[f].Seat != l.seat || !at.onMap() || slices.Contains(places, at) {
				continue
			}
			places = append(places, at)
			var all []Unit
			for v := range p.at(at) {
				if p.counter(v).Formation == int16(f) && p.has(v, grouped) == marked {
					all = append(all, v)
					l.grouping(k, []Unit{v})
				}
			}
			if len(all) > 1 {
				l.grouping(k, all)
			}
		}
	}
}

func (l *lister) grouping(k Kind, units []Unit) {
	c := only(k)
	c.Units = units
	l.checked(c)
}

// closely reports whether the list is asked for by kind or by unit. What may be said at any time and only changes what
// a stack shows is listed then.
func (l *lister) closely() bool { return l.f.Kind != "" || l.f.Piece != "" }

// listTop lists the units that may lie on top of their stacks.
func listTop(l *lister) {
	if !l.closely() {
		return
	}
	for u := range l.p.all(l.seat) {
		if l.p.cell(l.p.units[u].place).pieces[l.seat] > 1 {
			c := only(KindTop)
			c.Unit = u
			l.checked(c)
		}
	}
}

// markersOf are the markers in the places that an event touches. Set-up is no news.
func (p *Position) markersOf(e *event) []formationMarker {
	if p.segment == SegNone {
		return nil
	}
	var list []formationMarker
	for _, c := range e.Changes {
		k, ok := c.Kind.(*ocsv1.Change_Unit)
		if !ok {
			continue
		}
		f := p.sc.Counters[p.kindOf(k.Unit.GetUnit())].Formation
		if f < 0 {
			continue
		}
		places := [2]Place{Nowhere, Nowhere}
		if u, fresh, ok := p.unitByID(k.Unit.GetUnit()); ok && !fresh {
			places[0] = p.units[u].place
		}
		if at, ok := p.sc.names[k.Unit.GetPlace()]; ok {
			places[1] = at
		}
		for _, at := range places {
			same := func(m formationMarker) bool { return m.formation == f && m.at == at }
			if at.onMap() && !slices.ContainsFunc(list, same) {
				list = append(list, p.markerSeen(f, at))
			}
		}
	}
	return p.markersUnder(e, list)
}

// markerSightings tells everyone what is seen of markers otherwise than before: a marker lies on its stack, with the
// mode on it and the side that is up (OCS 13.7). One that was seen nowhere before makes its formation known, so that
// taking the record back needs consent.
func (p *Position) markerSightings(x *exec, before []formationMarker) {
	for _, was := range before {
		is := p.markerSeen(was.formation, was.at)
		if is == was {
			continue
		}
		fact := &ocsv1.MarkerSighted{Seat: seatIDs[is.seat], Formation: p.sc.Formations[is.formation].ID,
			At: p.sc.PlaceID(is.at), Gone: !is.stands}
		if is.stands {
			fact.Face, fact.Marker, fact.Fuelled = ocsv1.Face(is.face), ocsv1.Marker(is.marker), is.fuelled
			stood := func(m formationMarker) bool { return m.formation == is.formation && m.stands }
			if !slices.ContainsFunc(before, stood) {
				x.Reveal()
			}
		}
		x.Emit(&event{Fact: &ocsv1.Event_MarkerSighted{MarkerSighted: fact}})
	}
}

// viewMarkers are the formation markers as a viewer sees them: their owner knows which units are under them.
func (p *Position) viewMarkers(v rules.Viewer) []*ocsv1.FormationMarkerView {
	var list []*ocsv1.FormationMarkerView
	for _, m := range p.formationMarkers() {
		if !v.Holds(m.seat) && !p.markerShows(m) {
			continue
		}
		x := &ocsv1.FormationMarkerView{
			Formation: p.sc.Formations[m.formation].ID, Seat: seatIDs[m.seat], At: p.sc.PlaceID(m.at),
			Face:   ocsv1.Face(m.face),
			Marker: ocsv1.Marker(m.marker), Fuelled: m.fuelled,
		}
		if v.Holds(m.seat) {
			for u := range p.under(m.formation, m.at) {
				x.Units = append(x.Units, p.id(u))
			}
		}
		list = append(list, x)
	}
	return list
}
