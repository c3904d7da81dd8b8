package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// What an opponent may know of what happens (OCS 4.9). A chapter emits every event by tell and thinks no further:
// changes of units, of supply and of procedures go to the seat that they belong to; the fact goes to everyone unless it
// names what is hidden; and what the opponent then sees on top of stacks is told in public.

// commandAudience is who may see the command itself in the log: the seat that gave it, unless its kind names
// nothing that is hidden.
func (p *Position) commandAudience(seat rules.Seat, c *Command) rules.Audience {
	switch c.Kind {
	case KindEnd, KindOrder, KindAgree, KindConcede:
		return rules.Everyone
	}
	return rules.OnlySeats(seat)
}

// tell emits an event, in parts if its fact and its changes are not for the same eyes, and what
// the opponent sees of it.
func tell(x *exec, e *event) {
	p := x.Pos
	sky, sea := p.airTops(e), p.shipTops(e)
	changes, fact := p.changesAudience(e.Changes), p.factAudience(e)
	before, markers := p.tops(e), p.markersOf(e)
	if e.Fact == nil || len(e.Changes) == 0 || changes == fact {
		x.EmitTo(meet(changes, fact), e)
	} else {
		x.EmitTo(changes, &event{Changes: e.Changes})
		x.EmitTo(fact, &event{Fact: e.Fact})
	}
	p.sightings(x, before)
	p.airSightings(x, sky)
	p.shipSightings(x, sea)
	p.markerSightings(x, markers)
}

// meet is the audience that may see what each of two may see: whoever holds both seats, if each is one side's.
func meet(a, b rules.Audience) rules.Audience {
	switch {
	case a == rules.Everyone || a == b:
		return b
	case b == rules.Everyone:
		return a
	}
	return rules.OnlyTogether(Blue, Red)
}

// factAudience is who may see the fact of an event: everyone, unless it names hidden units or amounts. A chapter
// adds such facts here.
func (p *Position) factAudience(e *event) rules.Audience {
	switch k := e.Fact.(type) {
	case *ocsv1.Event_UnitsMoved:
		return p.only(k.UnitsMoved.GetSeat())
	case *ocsv1.Event_ModeChosen:
		return p.only(k.ModeChosen.GetSeat())
	case *ocsv1.Event_OverrunDeclared:
		return p.only(k.OverrunDeclared.GetSeat())
	case *ocsv1.Event_OverrunEnded:
		return p.only(k.OverrunEnded.GetSeat())
	case *ocsv1.Event_UnitsReleased:
		return p.only(k.UnitsReleased.GetSeat())
	case *ocsv1.Event_UnitCommitted:
		return p.only(k.UnitCommitted.GetSeat())
	case *ocsv1.Event_MarkersCleared:
		return p.only(k.MarkersCleared.GetSeat())
	case *ocsv1.Event_CombatPaid:
		return p.only(k.CombatPaid.GetSeat())
	case *ocsv1.Event_UnitsRetreated:
		return p.only(k.UnitsRetreated.GetSeat())
	case *ocsv1.Event_ExploitationGained:
		return p.only(k.ExploitationGained.GetSeat())
	case *ocsv1.Event_UnitsAdvanced:
		return p.only(k.UnitsAdvanced.GetSeat())
	case *ocsv1.Event_OrderGiven:
		return p.only(k.OrderGiven.GetSeat())
	case *ocsv1.Event_OrderFollowed:
		return p.only(k.OrderFollowed.GetSeat())
	case *ocsv1.Event_StackArranged:
		return p.only(k.StackArranged.GetSeat())
	case *ocsv1.Event_UnitsPlaced:
		return p.only(k.UnitsPlaced.GetSeat())
	case *ocsv1.Event_SupplyStowed:
		return p.only(k.SupplyStowed.GetSeat())
	}
	return meet(meet(meet(p.supplyAudience(e), p.optionAudience(e)), meet(p.worksAudience(e), p.airAudience(e))),
		meet(p.seaAudience(e), p.landingAudience(e)))
}

// only is the audience of the seat with an id.
func (p *Position) only(seat string) rules.Audience { return rules.OnlySeats(p.seatOf(seat)) }

// changesAudience is who may see changes: the owner of the units and supply in them, whoever holds both
// seats if both sides are.
func (p *Position) changesAudience(list []*ocsv1.Change) rules.Audience {
	a := rules.Everyone
	for _, c := range list {
		a = meet(a, p.changeAudience(c))
	}
	return a
}

func (p *Position) changeAudience(c *ocsv1.Change) rules.Audience {
	switch k := c.Kind.(type) {
	case *ocsv1.Change_Unit:
		return p.unitAudience(k.Unit.GetUnit())
	case *ocsv1.Change_Hex:
		a := rules.Everyone
		if k.Hex.BlueT != nil {
			a = rules.OnlySeats(Blue)
		}
		if k.Hex.RedT != nil {
			a = meet(a, rules.OnlySeats(Red))
		}
		if at, ok := p.sc.names[k.Hex.GetHex()]; ok && k.Hex.PortHandled != nil && at.onMap() {
			a = meet(a, rules.OnlySeats(p.portSeat(at)))
		}
		return a
	case *ocsv1.Change_Register:
		return p.only(k.Register.GetSeat())
	case *ocsv1.Change_Orders:
		return p.only(k.Orders.GetSeat())
	case *ocsv1.Change_Taint:
		return p.only(k.Taint.GetSeat())
	case *ocsv1.Change_Mark:
		return p.unitsAudience(k.Mark.GetUnits())
	case *ocsv1.Change_Motion:
		return p.unitsAudience(k.Motion.GetUnits())
	case *ocsv1.Change_Frame:
		f := k.Frame.GetFrame()
		a := meet(p.unitsAudience(f.GetUnits()), p.unitsAudience(f.GetEnemies()))
		if f.GetUnit() != "" {
			a = meet(a, p.unitAudience(f.GetUnit()))
		}
		if f.GetEnemy() != "" {
			a = meet(a, p.unitAudience(f.GetEnemy()))
		}
		return a
	}
	return rules.Everyone
}

// unitAudience is the owner of a unit, also of one that is about to be made.
func (p *Position) unitAudience(id string) rules.Audience {
	return rules.OnlySeats(p.sc.Counters[p.kindOf(id)].Seat)
}

func (p *Position) unitsAudience(ids []string) rules.Audience {
	a := rules.Everyone
	for _, id := range ids {
		a = meet(a, p.unitAudience(id))
	}
	return a
}

// top is what the opponent of a seat sees of it in a place (OCS 4.9a).
type top struct {
	seat   rules.Seat
	at     Place
	unit   Unit
	face   Face
	marker Marker
	oos    bool
}

func (p *Position) topIn(seat rules.Seat, at Place) top {
	t := top{seat: seat, at: at, unit: p.topOf(seat, at)}
	if t.unit != NoUnit {
		s := &p.units[t.unit]
		t.face, t.marker, t.oos = s.face, s.marker, s.marks.has(ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY)
	}
	return t
}

// tops is what is seen now in the places that an event touches. Set-up is no news.
func (p *Position) tops(e *event) []top {
	if p.segment == SegNone {
		return nil
	}
	var list []top
	add := func(seat rules.Seat, at Place) {
		for _, t := range list {
			if t.seat == seat && t.at == at {
				return
			}
		}
		if at.onMap() {
			list = append(list, p.topIn(seat, at))
		}
	}
	for _, c := range e.Changes {
		k, ok := c.Kind.(*ocsv1.Change_Unit)
		if !ok {
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

// sightings tells what is seen otherwise than before. A unit that stood on the map and was not seen becomes known by
// it, so that taking the record back needs consent.
func (p *Position) sightings(x *exec, before []top) {
	for _, was := range before {
		is := p.topIn(was.seat, was.at)
		if is == was {
			continue
		}
		fact := &ocsv1.Sighted{Seat: seatIDs[is.seat], At: p.sc.PlaceID(is.at), Unit: p.id(is.unit)}
		if is.unit != NoUnit {
			fact.Face, fact.Marker, fact.OutOfSupply = ocsv1.Face(is.face), ocsv1.Marker(is.marker), is.oos
			if is.unit != was.unit && !seenBefore(before, is.unit) {
				x.Reveal()
			}
		}
		x.Emit(&event{Fact: &ocsv1.Event_Sighted{Sighted: fact}})
	}
}

func seenBefore(list []top, u Unit) bool {
	for _, t := range list {
		if t.unit == u {
			return true
		}
	}
	return false
}
