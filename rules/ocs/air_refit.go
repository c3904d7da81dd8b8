package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Refit (OCS 15.1) in the Aircraft Refit Phase is the only way from inactive to active, and the only time that air
// units cost supply (OCS 14.1d).

// refitT is what a refit costs, in tokens, whatever the level and the number of air units (OCS 15.1-B).
const refitT = 1

// checkRefit says why an air base may not refit units: once in a phase (OCS 15.1-A), not in an enemy ZOC that nothing
// negates (OCS 15.1-C, OCS 4.5a-H), no more than its level allows (OCS 15.0b-A, OCS 15.2-A) and than have room there
// as active ones (OCS 15.0b-D). Weather does not matter (OCS 15.1-D, OCS 17.0d). The air base pays the supply, by draw
// or throw; air units need none (OCS 12.9c).
func (p *Position) checkRefit(seat rules.Seat, c *Command) *rules.Refusal {
	id := p.sc.PlaceID(c.At)
	switch {
	case len(c.Units) == 0 || !c.At.onMap():
		return rules.Malformed("a refit names an air base and air units")
	case !p.ownBase(seat, c.At):
		return rules.Refuse("OCS 15.1", "refuse.no-own-base", "hex", id).At(id)
	}
	for i, u := range c.Units {
		switch {
		case slices.Contains(c.Units[:i], u):
			return rules.Malformed("unit %s is named twice", p.id(u))
		case p.units[u].seat != seat || !p.isPlane(u) || p.units[u].place != c.At:
			return rules.Refuse("OCS 15.1", "refuse.not-at-base", "unit", p.unitName(u),
				"hex", id).About(p.id(u)).At(id)
		case p.active(u):
			return rules.Refuse("OCS 15.1", "refuse.is-active", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	switch {
	case p.cell(c.At).marks.has(ocsv1.HexMark_HEX_MARK_REFITTED):
		return rules.Refuse("OCS 15.1-A", "refuse.has-refitted", "hex", id).At(id)
	case p.besieged(seat, c.At):
		return rules.Refuse("OCS 15.1-C", "refuse.base-zoc", "hex", id).At(id)
	case len(c.Units) > p.refits(c.At):
		return rules.Refuse("OCS 15.1-B", "refuse.refits", "hex", id, "n", len(c.Units), "max", p.refits(c.At)).At(id)
	}
	if left := p.baseRoom(c.At) - len(p.activeIn(seat, c.At, false)); len(c.Units) > left {
		return rules.Refuse("OCS 15.0b-D", "refuse.base-room", "hex", id, "n", len(c.Units),
			"left", max(0, left)).At(id)
	}
	return p.survey(seat).checkPayment(c.Lines, c.Units[:1], refitT, "OCS 15.1-B")
}

// besieged reports whether an air base is in an enemy ZOC that no friendly combat unit negates (OCS 4.5a-H, OCS 4.5b).
func (p *Position) besieged(seat rules.Seat, at Place) bool {
	h := at.Hex()
	return h != NoHex && p.inZOC(enemy(seat), h) && !p.combatIn(seat, at)
}

func (p *Position) playRefit(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	p.survey(seat).pay(c, cmd.Lines, cmd.Units[:1])
	for _, u := range cmd.Units {
		m := c.unit(u)
		m.Unset = append(m.Unset, ocsv1.UnitMark_UNIT_MARK_INACTIVE)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirRefitted{AirRefitted: &ocsv1.AirRefitted{
		Seat: seatIDs[seat], At: p.sc.PlaceID(cmd.At), Units: p.ids(cmd.Units),
	}}})
	c = p.changed()
	h := c.hex(cmd.At)
	h.Set = append(h.Set, ocsv1.HexMark_HEX_MARK_REFITTED)
	tell(x, &event{Changes: c.list})
}

// listRefit lists for each air base each unit alone and as many as it may refit, the first ones, with one payment.
func listRefit(l *lister) {
	p := l.p
	s := p.survey(l.seat)
	for _, at := range p.bases(l.seat) {
		if l.done || !l.aims(at) || p.cell(at).marks.has(ocsv1.HexMark_HEX_MARK_REFITTED) || p.besieged(l.seat, at) {
			continue
		}
		most := min(p.refits(at), p.baseRoom(at)-len(p.activeIn(l.seat, at, false)))
		var all []Unit
		for u := range p.planes(l.seat, at) {
			if p.active(u) || most < 1 {
				continue
			}
			l.refit(s, []Unit{u}, at)
			if len(all) < most {
				all = append(all, u)
			}
		}
		if len(all) > 1 {
			l.refit(s, all, at)
		}
	}
}

func (l *lister) refit(s *survey, units []Unit, at Place) {
	c := only(KindRefit)
	c.Units, c.At = units, at
	if c.Lines = s.afford(units[:1], refitT); c.Lines != nil {
		l.checked(c)
	}
}

// captureBase is called when an attack-capable unit has entered a hex without enemy combat units: the air units of an
// air base there roll whether they lose a step, and those that are left escape (OCS 9.14f). Air units are never
// captured; the air base is the captor's with the hex, as it is.
func (p *Position) captureBase(x *exec, captor rules.Seat, at Place) {
	foe := enemy(captor)
	p.loseGliders(x, foe, at)
	var list []Unit
	for u := range p.planes(foe, at) {
		list = append(list, u)
	}
	if len(list) == 0 {
		return
	}
	f := newFrame[airReturn](foe, at)
	f.units, f.step = list, returnRolls
	f.flights = slices.Repeat([]ocsv1.Flight{flightEscape}, len(list))
	f.advance = inner[*combat](p) != nil
	c := p.changed()
	c.push(f)
	tell(x, &event{Changes: c.list})
}

// rollEscapes rolls for each air unit of a captured air base: 2d6, more if it is active or the base fell to an advance.
func (p *Position) rollEscapes(x *exec, f *airReturn) {
	chart := p.sc.Charts.GetAir().GetCapture()
	next := *f
	next.step = returnFlies
	p.goOn(x, &next)
	for _, u := range f.units {
		var by named
		if p.active(u) {
			by.add(byActive, int(chart.GetActive()))
		}
		if f.advance {
			by.add(byAdvance, int(chart.GetAdvance()))
		}
		modifier := by.total()
		roll := x.Roll(6, "air-escape") + x.Roll(6, "air-escape")
		loss := roll+modifier <= int(chart.GetLossMax())
		tell(x, &event{Fact: &ocsv1.Event_AirBaseTaken{AirBaseTaken: &ocsv1.AirBaseTaken{
			Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Unit: p.id(u), Roll: uint32(roll), Modifier: int32(modifier),
			Modifiers: by.told(), Loss: loss,
		}}})
		if loss {
			p.stepLost(x, u, 0)
		}
	}
}

// airArrival is a procedure of the owner of air units that arrive.
type airArrival struct {
	head
	units []Unit
}

func (*airArrival) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_AIR_ARRIVAL }

func (f *airArrival) wire(w *framing) { w.units(&f.units) }

// airArrivals takes air units away that leave by the schedule, and begins the placing of those that come (OCS 2.3-D).
func (p *Position) airArrivals(x *exec) {
	for seat := numSeats; seat > 0; seat-- {
		if s := rules.Seat(seat - 1); p.acts(s) || p.phasing == s {
			p.airArrivalsOf(x, s)
		}
	}
}

func (p *Position) airArrivalsOf(x *exec, seat rules.Seat) {
	doc := p.sc.Seats[seat].Doc
	for _, w := range doc.GetWithdrawals() {
		for _, id := range w.GetAir() {
			u := Unit(p.sc.kinds[id])
			if w.GetTurn() != uint32(p.turn) || !p.spot(u).onMap() {
				continue
			}
			c := p.changed()
			c.eliminate(u)
			c.unit(u).Place, c.unit(u).Aboard = proto.String(p.sc.PlaceID(Gone)), proto.String("")
			tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsWithdrawn{
				UnitsWithdrawn: &ocsv1.UnitsWithdrawn{Seat: seatIDs[seat], Units: []string{id}},
			}})
		}
	}
	f := newFrame[airArrival](seat, Nowhere)
	for _, a := range doc.GetArrivals() {
		for _, id := range a.GetAir() {
			u := Unit(p.sc.kinds[id])
			at := p.units[u].place
			if a.GetTurn() == uint32(p.turn) && !p.spot(u).onMap() || a.GetTurn() < uint32(p.turn) && at == Waiting {
				f.units = append(f.units, u)
			}
		}
	}
	if len(f.units) > 0 {
		c := p.changed()
		c.push(f)
		tell(x, &event{Changes: c.list})
	}
}

// nextArrival is the first air unit of an arrival that is not placed yet and that an air base has room for.
func (p *Position) nextArrival(f *airArrival) Unit {
	for _, u := range f.units {
		if !p.spot(u).onMap() && len(p.basesFor(f.seat, u)) > 0 {
			return u
		}
	}
	return NoUnit
}

// roomy are the air bases of a seat with room for another active air unit.
func (p *Position) roomy(seat rules.Seat) (list []Place) {
	for _, at := range p.bases(seat) {
		if len(p.activeIn(seat, at, false)) < p.baseRoom(at) {
			list = append(list, at)
		}
	}
	return list
}

// basesFor are the air bases at which an air unit may arrive: those with room, for a glider all (OCS 14.10e).
func (p *Position) basesFor(seat rules.Seat, u Unit) []Place {
	if p.sc.homeOf(u) != NoUnit { // OCS 18.2a
		if at := p.deckOf(u); at != Nowhere {
			return []Place{at}
		}
		return nil
	}
	if p.is(u, glider) {
		return p.bases(seat)
	}
	return p.roomy(seat)
}

func (f *airArrival) asks(p *Position) (Ask, rules.Seats) {
	if p.nextArrival(f) != NoUnit {
		return AskPlaceAir, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

// proceed ends the placing. What found no room waits for the next turn.
func (*airArrival) proceed(p *Position, x *exec) { p.endFrame(x) }

// checkPlaceAir says why an air unit may not arrive at an air base.
func (p *Position) checkPlaceAir(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*airArrival](p)
	id := p.sc.PlaceID(c.At)
	switch {
	case c.Unit == NoUnit || !slices.Contains(f.units, c.Unit) || p.spot(c.Unit).onMap():
		return rules.Refuse("OCS 2.3-D", "refuse.not-arriving", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case p.sc.homeOf(c.Unit) != NoUnit && c.At != p.deckOf(c.Unit):
		return rules.Refuse("OCS 18.2a", "refuse.carrier-group", "unit", p.unitName(c.Unit)).About(p.id(c.Unit)).At(id)
	case p.sc.homeOf(c.Unit) == NoUnit && !p.ownBase(seat, c.At):
		return rules.Refuse("OCS 2.3-D", "refuse.no-own-base", "hex", id).At(id)
	case !slices.Contains(p.basesFor(seat, c.Unit), c.At):
		return rules.Refuse("OCS 14.2a", "refuse.base-room", "hex", id, "n", 1, "left", 0).At(id)
	}
	return nil
}

// playPlaceAir puts an air unit down, active and at full strength.
func (p *Position) playPlaceAir(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	c.move(cmd.Unit, cmd.At)
	m := c.unit(cmd.Unit)
	m.Origin, m.Lost, m.Unset = m.Place, proto.Uint32(0), everyUnitMark()
	p.embark(c, cmd.Unit)
	switch {
	case !p.opt.aircraftHandlingLimit || p.is(cmd.Unit, glider):
	case p.handles(cmd.At):
		c.hex(cmd.At).Handled = proto.Uint32(uint32(p.cell(cmd.At).handled) + 1)
	default:
		c.mark(cmd.Unit, ocsv1.UnitMark_UNIT_MARK_INACTIVE) // OCS 21.5
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitsArrived{AirUnitsArrived: &ocsv1.AirUnitsArrived{
		Seat: seatIDs[seat], Units: []string{p.id(cmd.Unit)}, At: p.sc.PlaceID(cmd.At),
	}}})
}

func listPlaceAir(l *lister) {
	f := inner[*airArrival](l.p)
	u := l.p.nextArrival(f)
	for _, at := range l.p.basesFor(l.seat, u) {
		if l.aims(at) {
			c := only(KindPlaceAir)
			c.Unit, c.At = u, at
			l.checked(c)
		}
	}
}
