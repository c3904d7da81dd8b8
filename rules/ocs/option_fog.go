package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// With the fog of war option formation markers lie anywhere in their stacks (OCS 13.7b). What must lie on top
// does so all the same (OCS 4.8b, OCS 4.9a): where it is a unit of the formation, the marker lies there with it
// and that unit is shown.

// markerShows reports whether the other side sees a formation marker: always, or with the option if what lies on top of
// the stack is under it.
func (p *Position) markerShows(m formationMarker) bool {
	if !p.opt.formationFog {
		return true
	}
	top := p.topOf(m.seat, m.at)
	return top != NoUnit && p.has(top, grouped) && p.counter(top).Formation == m.formation
}

// markerSeen is a formation marker as everyone sees it: one that does not show is not there.
func (p *Position) markerSeen(formation int16, at Place) formationMarker {
	m := p.markerIn(formation, at)
	if m.stands && !p.markerShows(m) {
		return formationMarker{seat: m.seat, formation: formation, at: at}
	}
	return m
}

// markersUnder adds the markers that an event may bring to the top of a stack, or cover: all that lie where
// it changes something.
func (p *Position) markersUnder(e *event, list []formationMarker) []formationMarker {
	if !p.opt.formationFog {
		return list
	}
	add := func(at Place) {
		for v := range p.at(at) {
			f := p.counter(v).Formation
			same := func(m formationMarker) bool { return m.formation == f && m.at == at }
			if p.has(v, grouped) && !slices.ContainsFunc(list, same) {
				list = append(list, p.markerSeen(f, at))
			}
		}
	}
	for _, c := range e.Changes {
		k, ok := c.Kind.(*ocsv1.Change_Unit)
		if !ok {
			continue
		}
		if u, fresh, ok := p.unitByID(k.Unit.GetUnit()); ok && !fresh {
			add(p.units[u].place)
		}
		if at, ok := p.sc.names[k.Unit.GetPlace()]; ok {
			add(at)
		}
	}
	return list
}
