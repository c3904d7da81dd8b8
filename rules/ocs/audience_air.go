package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// airAudience is who may see a fact of the air war: dice, losses and who fights are open (OCS 4.9c, OCS 4.9d), where
// air units go, what they carry and what is planned is not.
func (p *Position) airAudience(e *event) rules.Audience {
	switch k := e.Fact.(type) {
	case *ocsv1.Event_AirUnitReturned:
		return p.only(k.AirUnitReturned.GetSeat())
	case *ocsv1.Event_AirRefitted:
		return p.only(k.AirRefitted.GetSeat())
	case *ocsv1.Event_CargoLost:
		return p.only(k.CargoLost.GetSeat())
	case *ocsv1.Event_GlidersUsed:
		return p.only(k.GlidersUsed.GetSeat())
	case *ocsv1.Event_CargoLanded:
		return p.only(k.CargoLanded.GetSeat())
	case *ocsv1.Event_DropPlanned:
		return p.only(k.DropPlanned.GetSeat())
	case *ocsv1.Event_AirRestored:
		return p.only(k.AirRestored.GetSeat())
	case *ocsv1.Event_AirCombined:
		return p.only(k.AirCombined.GetSeat())
	case *ocsv1.Event_AirUnitsArrived:
		return p.only(k.AirUnitsArrived.GetSeat())
	}
	return rules.Everyone
}

// airTop is what the opponent of a seat sees of its air units in a place (OCS 4.8b-E).
type airTop struct {
	seat rules.Seat
	at   Place
	unit Unit
	lost uint8
}

func (p *Position) airTopIn(seat rules.Seat, at Place) airTop {
	t := airTop{seat: seat, at: at, unit: p.topPlane(seat, at)}
	if t.unit != NoUnit {
		t.lost = p.units[t.unit].lost
	}
	return t
}

// airTops is what is seen now of air units in the places that an event touches. Set-up is no news.
func (p *Position) airTops(e *event) []airTop {
	if p.segment == SegNone {
		return nil
	}
	var list []airTop
	add := func(seat rules.Seat, at Place) {
		for _, t := range list {
			if t.seat == seat && t.at == at {
				return
			}
		}
		if at.onMap() {
			list = append(list, p.airTopIn(seat, at))
		}
	}
	for _, c := range e.Changes {
		k, ok := c.Kind.(*ocsv1.Change_Unit)
		if !ok {
			continue
		}
		u, fresh, ok := p.unitByID(k.Unit.GetUnit())
		if !ok || fresh || !p.isPlane(u) && !p.carries(u) { // air units go where their carrier goes (OCS 18.2d)
			continue
		}
		add(p.units[u].seat, p.spot(u))
		if at, ok := p.sc.names[k.Unit.GetPlace()]; ok {
			add(p.units[u].seat, at)
		}
		if on, fresh, ok := p.unitByID(k.Unit.GetAboard()); ok && !fresh {
			add(p.units[u].seat, p.spot(on))
		}
	}
	return list
}

// airSightings tells what is seen otherwise of air units than before.
func (p *Position) airSightings(x *exec, before []airTop) {
	for _, was := range before {
		is := p.airTopIn(was.seat, was.at)
		if is == was {
			continue
		}
		fact := &ocsv1.Sighted{Seat: seatIDs[is.seat], At: p.sc.PlaceID(is.at), Unit: p.id(is.unit), Air: true,
			Lost: uint32(is.lost)}
		if is.unit != NoUnit && is.unit != was.unit {
			seen := false
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
