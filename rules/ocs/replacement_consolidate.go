package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Consolidation (OCS 13.9): damaged units become one, and units take the place of others like them in the dead pile.

// alike reports whether two counters have the same values on both sides (OCS 13.9).
func alike(a, b *Counter) bool {
	return a.Seat == b.Seat && a.Kind == b.Kind && a.Faces == b.Faces && a.Size == b.Size && a.Class == b.Class &&
		a.RE == b.RE && a.Steps == b.Steps &&
		a.HQ == b.HQ && a.Engineer == b.Engineer && a.RailRepair == b.RailRepair && slices.Equal(a.Symbols, b.Symbols)
}

// checkFresh says why a unit may not be consolidated: Low, Exhausted or DG.
func (p *Position) checkFresh(u Unit) *rules.Refusal {
	if p.units[u].stocks != stocksFull || p.mode(u) == DGMode {
		return rules.Refuse("OCS 13.9", "refuse.not-fresh", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// checkConsolidate says why two units may not become one (OCS 13.9-1).
func (p *Position) checkConsolidate(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Unit == NoUnit || c.Other == NoUnit {
		return rules.Malformed("the command does not name two units").For(rules.ReasonUnknownPiece)
	}
	if r := p.checkStack(seat, []Unit{c.Unit, c.Other}); r != nil {
		return r
	}
	for _, u := range [...]Unit{c.Unit, c.Other} {
		if r := p.checkFresh(u); r != nil {
			return r
		}
		if p.units[u].lost == 0 {
			return rules.Refuse("OCS 13.9-1", "refuse.undamaged", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	if !alike(p.counter(c.Unit), p.counter(c.Other)) {
		return rules.Refuse("OCS 13.9", "refuse.not-alike", "unit", p.unitName(c.Unit),
			"other", p.unitName(c.Other)).About(p.id(c.Unit), p.id(c.Other))
	}
	return nil
}

// playConsolidate adds the steps of one to the other, up to full strength.
func (p *Position) playConsolidate(x *exec, seat rules.Seat, cmd *Command) {
	steps := int(p.counter(cmd.Unit).Steps)
	has := 2*steps - int(p.units[cmd.Unit].lost) - int(p.units[cmd.Other].lost)
	c := p.changed()
	c.unit(cmd.Unit).Lost = proto.Uint32(uint32(steps - min(steps, has)))
	c.eliminate(cmd.Other)
	p.consolidated(x, c, seat, cmd, false)
}

func (p *Position) consolidated(x *exec, c *changes, seat rules.Seat, cmd *Command, exchanged bool) {
	fact := &ocsv1.UnitsConsolidated{Seat: seatIDs[seat], Unit: p.id(cmd.Unit), Other: p.id(cmd.Other),
		Exchanged: exchanged}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsConsolidated{UnitsConsolidated: fact}})
}

func listConsolidate(l *lister) {
	p := l.p
	for u := range p.all(l.seat) {
		if p.units[u].lost == 0 || !l.acts(u) {
			continue
		}
		for v := range p.of(l.seat, p.units[u].place) {
			if v > u && p.units[v].lost > 0 {
				c := only(KindConsolidate)
				c.Unit, c.Other = u, v
				l.checked(c)
			}
		}
	}
}

// checkExchange says why a unit may not be exchanged for one of the dead pile (OCS 13.9-2): that belongs to a
// multi-unit formation, so that an independent unit may go into one but not the reverse (OCS 13.9-3).
func (p *Position) checkExchange(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkOwn(seat, c.Unit); r != nil {
		return r
	}
	if c.Other == NoUnit || p.units[c.Other].seat != seat || p.units[c.Other].place != Dead {
		return rules.Refuse("OCS 13.9-2", "refuse.not-dead", "unit", p.unitName(c.Other))
	}
	if r := p.checkFresh(c.Unit); r != nil {
		return r
	}
	switch {
	case p.counter(c.Other).Formation < 0:
		return rules.Refuse("OCS 13.9-3", "refuse.no-formation", "unit", p.unitName(c.Other)).About(p.id(c.Other))
	case p.has(c.Unit, ocsv1.UnitMark_UNIT_MARK_EXTENDER) || !p.corresponds(c.Unit, c.Other):
		return rules.Refuse("OCS 13.9", "refuse.not-alike", "unit", p.unitName(c.Unit),
			"other", p.unitName(c.Other)).About(p.id(c.Unit), p.id(c.Other))
	}
	return nil
}

// corresponds reports whether a unit is of the same values as one of the dead pile; a transport of
// the same kind and size.
func (p *Position) corresponds(u, dead Unit) bool {
	a, b := p.counter(u), p.counter(dead)
	if b.Kind != OrganicUnit {
		return alike(a, b)
	}
	return p.isTransport(u) && (a.Kind == OrganicUnit || p.units[u].counter == p.truckOf(a.Seat)) &&
		a.Faces[MoveFace] == b.Faces[MoveFace] &&
		int(p.units[u].points) == p.organicSize(dead)
}

// playExchange puts one unit in the place of the other, in the same mode and with the same load. The other one
// goes to the dead pile.
func (p *Position) playExchange(x *exec, seat rules.Seat, cmd *Command) {
	s := &p.units[cmd.Unit]
	c := p.changed()
	k := c.unit(cmd.Other)
	k.Place, k.Origin = proto.String(p.sc.PlaceID(s.place)), proto.String(p.sc.PlaceID(s.origin))
	k.Marker, k.Face, k.Lost, k.Fuel = ocsv1.Marker(s.marker), ocsv1.Face(s.face), proto.Uint32(uint32(s.lost)),
		ocsv1.Fuel(s.fuel)
	k.LoadT, k.Supplied = proto.Uint32(uint32(s.load)), ocsv1.Supplied(s.checked)
	if p.organic(cmd.Other) {
		k.PointsT = proto.Uint32(uint32(s.points))
	}
	for mark := ocsv1.UnitMark(1); mark < numUnitMarks; mark++ {
		if _, known := ocsv1.UnitMark_name[int32(mark)]; known && s.marks.has(mark) {
			k.Set = append(k.Set, mark)
		}
	}
	c.eliminate(cmd.Unit)
	p.consolidated(x, c, seat, cmd, true)
}

func listExchange(l *lister) {
	p := l.p
	var dead []Unit
	for u := range p.sc.Fixed {
		if s := &p.units[u]; s.seat == l.seat && s.place == Dead && p.sc.Counters[u].Formation >= 0 {
			dead = append(dead, Unit(u))
		}
	}
	if len(dead) == 0 {
		return
	}
	for u := range p.all(l.seat) {
		for _, v := range dead {
			if (l.acts(u) || l.acts(v)) && p.corresponds(u, v) {
				c := only(KindExchange)
				c.Unit, c.Other = u, v
				l.checked(c)
			}
		}
	}
}
