package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Damage to ships (OCS 18.3d). A hit turns a ship and makes it DG; a DG result on a ship that is DG, as every ship in a
// port is, becomes a hit. Damage is never repaired. Landing craft lose points instead, all of a hex being one ship for
// this.

// point is what a hit takes from landing craft, in tokens (OCS 18.3d-C).
const point = oneSP

// shell resolves the barrage of one naval target (OCS 18.3c): strength over defence rating, rounded once (OCS 4.1),
// shifted only for where air units came from (OCS 18.3c-A), on the ordinary table.
func (p *Position) shell(x *exec, f *navalBarrage, units []Unit, target Unit) {
	x.Reveal()
	chart, sum, defence := p.sc.Charts.GetBarrage(), p.broadside(units), p.defence(target)
	by := p.navalShift(f, units)
	shift := by.total()
	column := min(max(strengthColumn(chart.GetColumns(), sum.Over(whole(defence)).Round())+shift, 0),
		len(chart.GetColumns())-1)
	roll := x.Roll(6, "barrage") + x.Roll(6, "barrage")
	result := chart.GetRows()[roll-2].GetCells()[column]
	hits, dg, die := p.navalHits(x, result)
	fact := &ocsv1.ShipBarraged{
		Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Unit: p.id(target), Strength: uint32(sum.Round()),
		Defence: uint32(defence), Shift: int32(shift), Modifiers: by.told(),
		Roll: uint32(roll), Result: result, Die: uint32(die),
	}
	if p.isBattery(target) {
		p.hitBattery(x, target, hits, fact)
		return
	}
	// OCS 18.3d-B, also for the DG that a hit brings (OCS 18.3d-A)
	if p.vulnerable(target) && (hits == 0 && dg || hits > 0 && !p.sc.Constants.GetHitsWithoutDg()) {
		hits++
	}
	fact.Hits, fact.Disorganised = uint32(hits), dg
	c := p.changed()
	group := p.oneShip(target)
	for _, u := range group {
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_SHELLED)
		if dg {
			c.unit(u).Marker = ocsv1.Marker_MARKER_DG
		}
	}
	lost := int(p.units[target].lost) + hits
	sunk := !p.isCraft(target) && lost >= int(p.counter(target).Steps)
	if !p.isCraft(target) && !sunk && hits > 0 {
		c.unit(target).Lost = proto.Uint32(uint32(lost))
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ShipBarraged{ShipBarraged: fact}})
	if sunk {
		p.sinkShips(x, []Unit{target})
	}
	if p.isCraft(target) {
		for range hits {
			p.hitCraft(x, p.craftIn(p.units[target].seat, f.at))
		}
	}
}

// defence is what the strength of a barrage of a naval target is divided by: 1 if it has no defence rating (OCS
// 18.3c-C).
func (p *Position) defence(u Unit) int {
	if p.isShip(u) {
		return max(1, p.ship(u).Defence)
	}
	return 1
}

// navalShift is the only shift against naval targets, that for the way of air units (OCS 18.3c-A): near if all of them
// came from near (OCS 14.7c), far if one came from far (OCS 21.4-A).
func (p *Position) navalShift(f *navalBarrage, units []Unit) (by named) {
	if !f.air {
		return nil
	}
	near, far := true, false
	for i, u := range f.units {
		for _, v := range units {
			if u == v {
				near = near && f.cameTo(i)&cameNear != 0
				far = far || f.cameTo(i)&cameFar != 0
			}
		}
	}
	if near {
		by.add(shiftNearBase, p.namedShift(shiftNearBase))
	}
	if far {
		by.add(shiftLongFlight, p.namedShift(shiftLongFlight))
	}
	return by
}

// navalHits reads a result of the barrage table against a naval target: as many hits as steps, a half in brackets is DG
// only since no artillery fires (OCS 10.0a), DG with everything (OCS 18.3d).
func (p *Position) navalHits(x *exec, result string) (hits int, dg bool, die int) {
	switch result {
	case "-", "":
		return 0, false, 0
	case "DG", "[1/2]":
		return 0, true, 0
	case "1/2":
		if die = x.Roll(6, "half"); die >= int(p.sc.Charts.GetBarrage().GetHalfMin()) {
			return 1, true, die
		}
		return 0, true, die
	}
	return int(result[0] - '0'), true, 0
}

// milder is what ships do to ground units in place of a result of the table (OCS 18.3b).
func milder(result string) string {
	switch result {
	case "[1/2]", "1/2":
		return "DG"
	case "1":
		return "1/2"
	case "2":
		return "1"
	case "3":
		return "2"
	}
	return result
}

// hitBattery applies a result to a coastal battery: a step loss eliminates it, DG is nothing (OCS 18.3g-B).
func (p *Position) hitBattery(x *exec, u Unit, hits int, fact *ocsv1.ShipBarraged) {
	fact.Hits = uint32(hits)
	c := p.changed()
	c.mark(u, ocsv1.UnitMark_UNIT_MARK_SHELLED)
	if hits > 0 {
		c = p.changed()
		c.eliminate(u)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ShipBarraged{ShipBarraged: fact}})
}

// craftIn are the landing craft of a seat in a place.
func (p *Position) craftIn(seat rules.Seat, at Place) (list []Unit) {
	for _, u := range p.ships(seat, at) {
		if p.isCraft(u) {
			list = append(list, u)
		}
	}
	return list
}

// oneShip are the ships that a target stands for: all landing craft of its place together, any other ship alone (OCS
// 18.4d).
func (p *Position) oneShip(u Unit) []Unit {
	if p.isCraft(u) {
		return p.craftIn(p.units[u].seat, p.units[u].place)
	}
	return []Unit{u}
}

// hitCraft takes a point from landing craft chosen at random out of a list (OCS 18.3d-C, OCS 18.3d-i). What no longer
// fits is lost at random too; without points a piece is sunk. An LST becomes other landing craft.
func (p *Position) hitCraft(x *exec, list []Unit) {
	if len(list) == 0 {
		return
	}
	u := list[0]
	if len(list) > 1 {
		u = list[x.Roll(uint8(min(len(list), 255)), "craft")-1]
	}
	if p.wreck(x, u, point) && p.counter(u).Craft == lst {
		p.degrade(x, u)
	}
}

// stowage is what is aboard a ship, in eighths of a token (OCS 4.7).
func (p *Position) stowage(u Unit) int {
	n := int(p.units[u].load) * oneToken
	for _, v := range p.passengers(u) {
		n += p.freight(v)
	}
	return n
}

// loseCargo loses what has no room any more aboard a ship that lost points, at random (OCS 18.3d-i): units, or supply
// by up to 1 SP. One die is thrown for each point that the ship lost, and one fact is told, whatever is aboard. The
// enemy, who never sees cargo (OCS 18.3c), would read it from their number. The dice show how much there is, so that
// only the owner sees them. What the dice do not suffice for are the lots that follow the last one.
func (p *Position) loseCargo(x *exec, u Unit, tokens int) {
	seat, room := p.units[u].seat, int(p.units[u].points)*oneToken
	list, load, stowed := slices.Clone(p.passengers(u)), int(p.units[u].load), p.stowage(u)
	c, fact, n := p.changed(), &ocsv1.CargoLost{Seat: seatIDs[seat]}, 0
	for dice := (tokens + point - 1) / point; dice > 0 || stowed > room; dice-- {
		lots := len(list) + (load+oneSP-1)/oneSP
		if dice > 0 {
			n = x.RollTo(rules.OnlySeats(seat), uint8(min(max(lots, 2), 255)), "cargo") - 1
		}
		if stowed <= room {
			continue
		}
		if n %= lots; n < len(list) {
			stowed -= p.freight(list[n])
			c.eliminate(list[n])
			c.unit(list[n]).Aboard = proto.String("")
			fact.Units = append(fact.Units, p.id(list[n]))
			list = slices.Delete(list, n, n+1)
			continue
		}
		lost := min(load, oneSP)
		load, stowed, fact.Tokens = load-lost, stowed-lost*oneToken, fact.Tokens+uint32(lost)
		c.unit(u).LoadT = proto.Uint32(uint32(load))
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_CargoLost{CargoLost: fact}})
}

// degrade puts ordinary landing craft in the place of an LST that was hit, with its points and what is aboard (OCS
// 18.3d-C).
func (p *Position) degrade(x *exec, u Unit) {
	s := p.units[u]
	kind := p.sc.tab.barges[s.seat]
	c := p.changed()
	m := c.create(kind, s.place)
	m.PointsT, m.LoadT, m.Marker, m.SpentTwelfths = proto.Uint32(uint32(s.points)), proto.Uint32(uint32(s.load)),
		ocsv1.Marker(s.marker), proto.Uint32(uint32(s.spent))
	m.Unset = nil
	for mark := ocsv1.UnitMark(1); mark < numUnitMarks; mark++ {
		if s.marks.has(mark) {
			m.Set = append(m.Set, mark)
		} else if _, known := ocsv1.UnitMark_name[int32(mark)]; known {
			m.Unset = append(m.Unset, mark)
		}
	}
	for _, v := range p.passengers(u) {
		c.unit(v).Aboard = proto.String(m.GetUnit())
	}
	c.eliminate(u)
	tell(x, &event{Changes: c.list})
}
