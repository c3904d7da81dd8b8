package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// seaAudience is who may see a fact of ships: dice, damage and losses are open, where ships go and what arrives is not.
func (p *Position) seaAudience(e *event) rules.Audience {
	switch k := e.Fact.(type) {
	case *ocsv1.Event_ShipsSailed:
		return p.only(k.ShipsSailed.GetSeat())
	case *ocsv1.Event_ShipsArrived:
		return p.only(k.ShipsArrived.GetSeat())
	}
	return rules.Everyone
}

// shipTop is what the opponent of a seat sees of its ships in a place: the one on top, its damage and DG marker, the
// points of landing craft, which are printed on it (OCS 4.9a). Cargo it never sees (OCS 18.3c).
type shipTop struct {
	seat   rules.Seat
	at     Place
	unit   Unit
	lost   uint8
	marker Marker
	points uint16
}

func (p *Position) shipTopIn(seat rules.Seat, at Place) shipTop {
	t := shipTop{seat: seat, at: at, unit: p.topShip(seat, at)}
	if t.unit != NoUnit {
		s := &p.units[t.unit]
		t.lost, t.marker, t.points = s.lost, s.marker, s.points
	}
	return t
}

// shipTops is what is seen now of ships in the places that an event touches. Set-up is no news.
func (p *Position) shipTops(e *event) (list []shipTop) {
	if p.segment == SegNone || !p.sc.Sails {
		return nil
	}
	add := func(seat rules.Seat, at Place) {
		for _, t := range list {
			if t.seat == seat && t.at == at {
				return
			}
		}
		if at.onMap() {
			list = append(list, p.shipTopIn(seat, at))
		}
	}
	for _, c := range e.Changes {
		k, ok := c.Kind.(*ocsv1.Change_Unit)
		if !ok || p.sc.Counters[p.kindOf(k.Unit.GetUnit())].Kind != ShipUnit {
			continue
		}
		seat := p.sc.Counters[p.kindOf(k.Unit.GetUnit())].Seat
		if u, fresh, ok := p.unitByID(k.Unit.GetUnit()); ok && !fresh {
			add(seat, p.units[u].place)
		}
		if at, ok := p.sc.names[k.Unit.GetPlace()]; ok {
			add(seat, at)
		}
	}
	return list
}

// shipSightings tells what is seen otherwise of ships than before.
func (p *Position) shipSightings(x *exec, before []shipTop) {
	for _, was := range before {
		is := p.shipTopIn(was.seat, was.at)
		if is == was {
			continue
		}
		fact := &ocsv1.Sighted{
			Seat: seatIDs[is.seat], At: p.sc.PlaceID(is.at), Unit: p.id(is.unit), Ship: true, Lost: uint32(is.lost),
			PointsT: uint32(is.points),
		}
		if is.unit != NoUnit {
			fact.Marker = ocsv1.Marker(is.marker)
			seen := is.unit == was.unit
			for _, t := range before {
				seen = seen || t.unit == is.unit
			}
			if !seen {
				x.Reveal()
			}
		}
		x.Emit(&event{Fact: &ocsv1.Event_Sighted{Sighted: fact}})
	}
}
