package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// portRow is the row of the table for what a port has no capacity for (OCS 18.5g).
const portRow = "port"

// landingRow is the row of the table for a hex: that of its terrain which is worst for whoever lands (OCS 18.5f-A), or
// that of a friendly port (OCS 18.5g); nil if nobody can land.
func (p *Position) landingRow(seat rules.Seat, at Place) (worst *ocsv1.LandingRow) {
	chart := p.sc.Charts.GetLanding()
	find := func(id string) *ocsv1.LandingRow {
		for _, r := range chart.GetRows() {
			if r.GetId() == id {
				return r
			}
		}
		return nil
	}
	if p.isPort(seat, at) {
		return find(portRow)
	}
	for _, t := range p.sc.Hexes[at].Terrains {
		r := find(p.sc.Doc.GetTerrain().GetHexes()[t].GetLanding())
		if r == nil {
			return nil
		}
		if worst == nil || r.GetSuccessMin() > worst.GetSuccessMin() ||
			r.GetSuccessMin() == worst.GetSuccessMin() && r.GetFailureMax() > worst.GetFailureMax() {
			worst = r
		}
	}
	return worst
}

// landingModifier is what is added to a roll on the table (OCS 18.5f).
func (p *Position) landingModifier(seat rules.Seat, at Place, units []Unit) (n int) {
	chart, h := p.sc.Charts.GetLanding(), at.Hex()
	for _, u := range p.navy(seat) {
		if from := p.units[u].place.Hex(); !p.isCraft(u) && p.ship(u).Barrage > 0 && from != NoHex &&
			p.distance(from, h) <= p.ship(u).Range {
			n += int(chart.GetWarship())
			break
		}
	}
	n += p.opposed(seat, h)
	if len(units) > 0 && !slices.ContainsFunc(units, func(u Unit) bool { return !p.marines(u) }) {
		n += int(chart.GetMarines())
	}
	if p.roughSea() {
		n += roughLanding
	}
	return n
}

// opposed is the part of the modifiers that enemies make: next to the hex, in it by their ZOC, and
// coastal batteries in range.
func (p *Position) opposed(seat rules.Seat, h Hex) (n int) {
	chart, foe, worst := p.sc.Charts.GetLanding(), enemy(seat), 0
	for _, near := range p.around(h) {
		for u := range p.of(foe, Place(near)) {
			switch {
			case !p.isCombat(u):
			case p.mode(u) == DGMode:
				worst = min(worst, int(chart.GetEnemyDg()))
			default:
				worst = min(worst, int(chart.GetEnemyAdjacent()))
			}
		}
	}
	if n = worst; p.inZOC(foe, h) {
		n += int(chart.GetEnemyZoc())
	}
	for u := range p.all(foe) {
		f, m := p.shown(u), p.mode(u)
		if from := p.units[u].place.Hex(); p.counter(u).Coastal && f.Barrage > 0 && m != ReserveMode &&
			m != StratMode && from != NoHex && p.distance(from, h) <= f.Range {
			n += int(chart.GetBattery())
		}
	}
	return n
}

// landingTroops are the symbols of units that know how to land.
var landingTroops = [...]string{"marine", "naval", "commando"}

func (p *Position) marines(u Unit) bool {
	for _, s := range landingTroops {
		if slices.Contains(p.counter(u).Symbols, s) {
			return true
		}
	}
	return false
}

// rollLanding rolls on the table for units.
func (p *Position) rollLanding(x *exec, seat rules.Seat, at Place, units []Unit) *ocsv1.LandingRolled {
	row := p.landingRow(seat, at)
	x.Reveal()
	var by named
	dice, modifier := x.Roll(6, "landing")+x.Roll(6, "landing"), p.landingModifier(seat, at, units)
	if p.roughSea() {
		by.add(byRough, roughLanding)
	}
	by.add(byForces, modifier-by.total())
	fact := &ocsv1.LandingRolled{
		Seat: seatIDs[seat], At: p.sc.PlaceID(at), Row: row.GetId(), Dice: uint32(dice), Modifier: int32(modifier),
		Modifiers: by.told(),
		Result:    ocsv1.LandingResult_LANDING_RESULT_MIXED,
	}
	switch {
	case dice+modifier >= int(row.GetSuccessMin()):
		fact.Result = ocsv1.LandingResult_LANDING_RESULT_SUCCESS
	case dice+modifier <= int(row.GetFailureMax()):
		fact.Result = ocsv1.LandingResult_LANDING_RESULT_FAILURE
	}
	return fact
}

// comeAshore rolls for a group, takes its losses, and lands what is left (OCS 18.5f). Moves is true if it may move on.
func (p *Position) comeAshore(x *exec, seat rules.Seat, at Place, group []Unit, moves bool) {
	fact := p.rollLanding(x, seat, at, group)
	crafts := p.craftOf(group)
	lost := 0
	if fact.GetResult() != ocsv1.LandingResult_LANDING_RESULT_SUCCESS {
		// warships lose no points
		borne := slices.DeleteFunc(slices.Clone(group), func(u Unit) bool { return !p.isCraft(p.units[u].aboard) })
		lost = half41((p.heft(borne, 0) + oneToken - 1) / oneToken)
	}
	steps := p.capacity(group)
	if fact.GetResult() == ocsv1.LandingResult_LANDING_RESULT_FAILURE {
		fact.Steps = uint32(half41(steps))
	}
	fact.PointsT = uint32(lost)
	tell(x, &event{Fact: &ocsv1.Event_LandingRolled{LandingRolled: fact}})
	left := p.drown(x, group, int(fact.GetSteps()))
	p.landUnits(x, seat, at, left, moves)
	p.wreckAny(x, crafts, lost)
}

// half41 is half of a number, rounded (OCS 4.1).
func half41(n int) int { return (n + 1) / 2 }

// drown takes steps of units at random (OCS 18.5f-B), and gives those that are left. How many drown is open: half of
// what lands. One die is thrown for each, also for the only one, so that the enemy does not read from their number
// whether one or two landed.
func (p *Position) drown(x *exec, units []Unit, steps int) (left []Unit) {
	lost := make([]int, len(units))
	for n := p.capacity(units); steps > 0 && n > 0; steps, n = steps-1, n-1 {
		// the die shows how many there are
		pick := x.RollTo(rules.OnlySeats(p.units[units[0]].seat), uint8(min(max(n, 2), 100)), "drown") - 1
		if n == 1 {
			pick = 0
		}
		for i, u := range units {
			if has := p.stepsLeft(u) - lost[i]; pick < has {
				lost[i]++
				break
			} else {
				pick -= has
			}
		}
	}
	c := p.changed()
	for i, u := range units {
		if lost[i] > 0 {
			c.lose(u, lost[i])
		}
		if lost[i] < p.stepsLeft(u) {
			left = append(left, u)
		}
	}
	if len(c.list) > 0 {
		tell(x, &event{Changes: c.list})
	}
	return left
}
