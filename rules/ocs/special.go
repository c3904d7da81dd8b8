package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Special rules of scenarios. A document may name only those that the program knows, see specialRules.

// rollRelease rolls, where the scenario says so, before a hex of the surprised side releases units from Reserve for the
// first time in the turn; it reports whether the hex releases none.
func (p *Position) rollRelease(x *exec, seat rules.Seat, at Place) bool {
	rule := p.sc.special("surprised-front", int(p.turn))
	if rule == nil || p.seatOf(rule.GetSeat()) != seat || p.cell(at).marks.has(ocsv1.HexMark_HEX_MARK_RELEASE_ROLLED) {
		return false
	}
	die := x.Roll(6, "release")
	barred := slices.Contains(rule.GetNumbers(), int32(die))
	mark := ocsv1.HexMark_HEX_MARK_RELEASE_ROLLED
	if barred {
		mark = ocsv1.HexMark_HEX_MARK_RELEASE_BARRED
	}
	c := p.changed()
	c.hex(at).Set = []ocsv1.HexMark{mark}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ReleaseRolled{ReleaseRolled: &ocsv1.ReleaseRolled{
		Seat: seatIDs[seat], Hex: p.sc.PlaceID(at), Die: uint32(die), Barred: barred,
	}}})
	return barred
}

// siegeGuns reports whether only siege guns fire a barrage, where the scenario has them: the hedgehog shift is ignored,
// and a half in brackets is a half against any hedgehog.
func (p *Position) siegeGuns(units []Unit) bool {
	if p.sc.special("siege-guns", int(p.turn)) == nil {
		return false
	}
	for _, u := range units {
		if !p.counter(u).Siege {
			return false
		}
	}
	return true
}

// onOwnRail reports whether a hex has a railway of the gauge of a side, from which alone a gun fires
// that moves by rail only.
func (p *Position) onOwnRail(seat rules.Seat, h Hex) bool {
	if h == NoHex || !p.sc.Hexes[h].Rail {
		return false
	}
	gauge := p.sc.Seats[seat].Gauge
	return gauge == 0 || p.cells[h].gauge == gauge
}

// liftsTroops reports whether warships carry troops, where the scenario says so.
func (p *Position) liftsTroops() bool { return p.sc.special("warship-lift", int(p.turn)) != nil }

// roughSea reports whether the sea is rough and the scenario makes that tell on landings.
func (p *Position) roughSea() bool { return p.rough && p.sc.special("rough-sea", int(p.turn)) != nil }

// assaultBoats reports whether landing craft of a side arrive on its coast and load there what stands there, where
// the scenario says so.
func (p *Position) assaultBoats(seat rules.Seat) bool {
	r := p.sc.special("assault-boats", int(p.turn))
	return r != nil && p.seatOf(r.GetSeat()) == seat
}

// slipways are the coastal hexes of a side in which its landing craft arrive where it has assault boats.
func (p *Position) slipways(seat rules.Seat) (list []Place) {
	for h := range p.sc.Hexes {
		if at := Place(h); p.sc.Hexes[h].Coastal && p.cell(at).owner == seat && p.seaEntry(seat, true, at) == openSea {
			list = append(list, at)
		}
	}
	return list
}

// beached reports whether cargo goes aboard outside of a port: leg units in the coastal hex of their side in which the
// craft has just arrived, where the scenario says so.
func (p *Position) beached(seat rules.Seat, c *Command, at Place) bool {
	h := at.Hex()
	if h == NoHex || !p.assaultBoats(seat) || p.isPort(seat, at) || !p.sc.Hexes[h].Coastal ||
		p.cell(at).owner != seat || c.N > 0 {
		return false
	}
	if p.segment != SegMovement || !p.has(c.Unit, ocsv1.UnitMark_UNIT_MARK_ARRIVED) ||
		p.has(c.Unit, ocsv1.UnitMark_UNIT_MARK_MOVED) {
		return false
	}
	return !slices.ContainsFunc(c.Units,
		func(u Unit) bool { return !p.isCombat(u) || p.counter(u).Faces[MoveFace].MP != Leg })
}

// roughLanding is added to rolls for landings on a rough sea.
const roughLanding = -1

// roughTimes is by what the allowance of landing craft is divided.
func (p *Position) roughTimes() Cost {
	if p.roughSea() {
		return 2
	}
	return 1
}
