package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Amphibious landings (OCS 18.5). Units aboard landing craft in a coastal hex land by the Amphibious Landing Table in
// the Movement Phase. The first roll ends the sailing of landing craft in the phase (OCS 18.5f), and the first move of
// a landed unit ends the rolls (OCS 18.5f-D).

// Values of the register of landings.
const (
	landingRolled = 1
	landingMoved  = 2
)

// checkLand says why units may not land in a hex (OCS 18.5).
func (p *Position) checkLand(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Lines) == 0 || c.At.Hex() == NoHex {
		return rules.Malformed("a landing names units and a hex")
	}
	if p.segment != SegMovement {
		return rules.Refuse("OCS 18.5d", "refuse.landing-phase")
	}
	if r := p.checkBeach(seat, c.At); r != nil {
		return r
	}
	id := p.sc.PlaceID(c.At)
	switch {
	case p.combatIn(enemy(seat), c.At):
		return rules.Refuse("OCS 18.5a", "refuse.beach-defended", "hex", id).At(id)
	case p.register(seat, ocsv1.Register_REGISTER_LANDING) >= landingMoved:
		return rules.Refuse("OCS 18.5f-D", "refuse.landed-moved")
	case p.cell(c.At).marks.has(ocsv1.HexMark_HEX_MARK_LANDED):
		return rules.Refuse("OCS 18.5f-C", "refuse.landed-here", "hex", id).At(id)
	}
	for i, l := range c.Lines {
		if l.Unit == NoUnit || l.Count == 0 ||
			slices.ContainsFunc(c.Lines[:i], func(o Line) bool { return o.Unit == l.Unit }) {
			return rules.Malformed("a line of a landing names no unit, one twice, or no group")
		}
		if r := p.mayLand(seat, l.Unit, c.At); r != nil {
			return r
		}
	}
	return p.checkGroups(c.Lines)
}

// checkBeach says why nobody lands in a hex: landing there is never allowed, or its terrain has no row in
// the table (OCS 18.5f-A).
func (p *Position) checkBeach(seat rules.Seat, at Place) *rules.Refusal {
	id := p.sc.PlaceID(at)
	if h := at.Hex(); h == NoHex || !p.sc.Hexes[h].Landing || p.landingRow(seat, at) == nil {
		return rules.Refuse("OCS 18.5", "refuse.no-beach", "hex", id).At(id)
	}
	return nil
}

// mayLand says why a unit may not land in a hex: it must be a combat unit (OCS 18.5e) in Combat or Move mode (OCS
// 18.5c, OCS 5.5d, OCS 5.6c), aboard something that is there; where enemy non-combat units are, only what is
// attack-capable lands (OCS 18.5h-ii).
func (p *Position) mayLand(seat rules.Seat, u Unit, at Place) *rules.Refusal {
	s, id := &p.units[u], p.id(u)
	on := s.aboard
	switch mode := p.mode(u); {
	case s.seat != seat || s.place != Aboard || on == NoUnit || !p.isShip(on):
		return rules.Refuse("OCS 18.5", "refuse.not-aboard", "unit", p.unitName(u)).About(id)
	case !p.isCombat(u):
		return rules.Refuse("OCS 18.5e", "refuse.not-by-table", "unit", p.unitName(u)).About(id)
	case mode != CombatMode && mode != MoveMode:
		return rules.Refuse("OCS 18.5c", "refuse.landing-mode", "unit", p.unitName(u)).About(id)
	case !p.offshore(on, at):
		return rules.Refuse("OCS 18.5a", "refuse.not-off", "unit", p.unitName(on),
			"hex", p.sc.PlaceID(at)).About(p.id(on)).At(p.sc.PlaceID(at))
	case p.anything(enemy(seat), at) && !p.attackCapable(u):
		return rules.Refuse("OCS 18.5h-ii", "refuse.not-capable", "unit", p.unitName(u),
			"hex", p.sc.PlaceID(at)).About(id).At(p.sc.PlaceID(at))
	}
	return nil
}

// offshore reports whether what is aboard a ship may land in a hex: landing craft must be in it (OCS 18.5a); warships
// that carry troops enter it from the next hex and leave it at once, where the scenario lets them.
func (p *Position) offshore(on Unit, at Place) bool {
	from := p.units[on].place
	return from == at || !p.isCraft(on) && p.liftsTroops() && p.channel(from, at) != costNever
}

// playLand rolls for each group, in order (OCS 18.5f-C). The landing craft have ended their move.
func (p *Position) playLand(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	c.register(seat, ocsv1.Register_REGISTER_LANDING,
		max(landingRolled, p.register(seat, ocsv1.Register_REGISTER_LANDING)))
	m := c.hex(cmd.At)
	m.Set = append(m.Set, ocsv1.HexMark_HEX_MARK_LANDED)
	p.halt(c, nil)
	var ships []Unit
	for _, l := range cmd.Lines {
		on := p.units[l.Unit].aboard
		if slices.Contains(ships, on) {
			continue
		}
		ships = append(ships, on)
		c.mark(on, ocsv1.UnitMark_UNIT_MARK_DONE)
		if !p.isCraft(on) && !p.isPort(seat, cmd.At) {
			c.mark(on, ocsv1.UnitMark_UNIT_MARK_LANDED_TROOPS)
		}
	}
	tell(x, &event{Changes: c.list})
	for _, group := range groupsOf(cmd.Lines) {
		p.comeAshore(x, seat, cmd.At, group, true)
	}
	p.occupy(x, seat, p.ashore(cmd), []Place{cmd.At})
}

// ashore are the units of a landing that reached the land.
func (p *Position) ashore(cmd *Command) (list []Unit) {
	for _, l := range cmd.Lines {
		if p.units[l.Unit].place == cmd.At {
			list = append(list, l.Unit)
		}
	}
	return list
}

// craftOf are what units are aboard, each once.
func (p *Position) craftOf(units []Unit) (list []Unit) {
	for _, u := range units {
		if on := p.units[u].aboard; on != NoUnit && !slices.Contains(list, on) {
			list = append(list, on)
		}
	}
	return list
}

// landUnits puts units on land. Those that land by the table have fuel until the next Clean-Up Phase (OCS 18.5h,
// Decision D73), and may move with half of their allowance in the Movement Phase.
func (p *Position) landUnits(x *exec, seat rules.Seat, at Place, units []Unit, moves bool) {
	if len(units) == 0 {
		return
	}
	c := p.changed()
	p.debark(c, units, at)
	for _, u := range units {
		m := c.unit(u)
		m.Fuel, m.SpentTwelfths = ocsv1.Fuel_FUEL_LASTING, proto.Uint32(0)
		if p.counter(u).HQ {
			m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_LANDED_FUEL)
		}
		if moves {
			m.Set, m.Unset = append(m.Set, ocsv1.UnitMark_UNIT_MARK_LANDED),
				append(m.Unset, ocsv1.UnitMark_UNIT_MARK_MOVED)
		} else {
			m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsLanded{UnitsLanded: &ocsv1.UnitsLanded{
		Seat: seatIDs[seat], Units: p.ids(units), At: p.sc.PlaceID(at),
	}}})
}

// noteLanded notes that landed units move, which ends the rolls of the phase (OCS 18.5f-D).
func (p *Position) noteLanded(c *changes, seat rules.Seat, units []Unit) {
	if r := ocsv1.Register_REGISTER_LANDING; p.register(seat, r) == landingRolled &&
		slices.ContainsFunc(units, func(u Unit) bool { return p.has(u, ocsv1.UnitMark_UNIT_MARK_LANDED) }) {
		c.register(seat, r, landingMoved)
	}
}

// ashoreBar says why landing craft may not sail any more in the phase: it has unloaded (OCS 18.5a), or a roll on the
// table was made (OCS 18.5f).
func (p *Position) ashoreBar(u Unit) *rules.Refusal {
	s := &p.units[u]
	switch {
	case !p.isCraft(u):
		return nil
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE):
		return rules.Refuse("OCS 18.5a", "refuse.craft-done", "unit", p.unitName(u)).About(p.id(u))
	case p.segment == SegMovement && p.register(s.seat, ocsv1.Register_REGISTER_LANDING) > 0:
		return rules.Refuse("OCS 18.5f", "refuse.after-rolls", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// listLand lists for each hex the landing of all that may land there, in as few groups as can be,
// and of each unit alone.
func listLand(l *lister) {
	p := l.p
	if p.segment != SegMovement || p.register(l.seat, ocsv1.Register_REGISTER_LANDING) >= landingMoved {
		return
	}
	for i := range p.sc.Hexes {
		at := Place(i)
		if !p.sc.Hexes[i].Landing || !l.aims(at) {
			continue
		}
		var all []Unit
		for _, on := range p.bearers(l.seat) {
			if !p.offshore(on, at) {
				continue
			}
			for _, u := range p.passengers(on) {
				if p.mayLand(l.seat, u, at) == nil {
					all = append(all, u)
				}
			}
		}
		l.landing(at, all)
		for _, u := range all {
			if len(all) > 1 {
				l.landing(at, []Unit{u})
			}
		}
	}
}

func (l *lister) landing(at Place, units []Unit) {
	if len(units) == 0 {
		return
	}
	c := only(KindLand)
	c.At = at
	for n, g := range l.p.pack(units) {
		for _, u := range g {
			c.Lines = append(c.Lines, Line{Unit: u, At: Nowhere, Count: n + 1, By: NoUnit, Terrain: -1})
		}
	}
	l.checked(c)
}
