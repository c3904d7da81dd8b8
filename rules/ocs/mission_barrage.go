package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Barrages from the air (OCS 14.7, OCS 14.8): of units by the BARRAGE frame of artillery, with its numbers of air
// barrage; of facilities by one die.

// targetBase is an air base as the target of a barrage (OCS 10.0c-A).
const targetBase = int(ocsv1.BarrageTarget_BARRAGE_TARGET_AIR_BASE)

// checkBombers says why air units may not barrage a hex together: every one needs a barrage strength for targets on
// land, which tactical (OCS 14.1-2) and strategic bombers have (OCS 14.1-3), and the hex in its range.
func (p *Position) checkBombers(seat rules.Seat, list []Unit, at Place, target int) *rules.Refusal {
	if at.Hex() == NoHex {
		return rules.Malformed("a barrage names a hex")
	}
	if r := p.checkFlyers(seat, list); r != nil {
		return r
	}
	strength := 0
	for _, u := range list {
		if r := p.checkRange(u, at, 1, 1, "OCS 14.2d"); r != nil {
			return r
		}
		if target == targetShips && p.is(u, strategic) {
			return rules.Refuse("OCS 14.1e-B", "refuse.strategic", "unit", p.unitName(u)).About(p.id(u))
		}
		if target == targetShips || !p.plane(u).ShipsOnly { // OCS 18.3e
			strength += p.plane(u).Barrage
		}
	}
	if strength == 0 {
		return rules.Refuse("OCS 14.7", "refuse.no-bombs", "unit", p.unitName(list[0])).About(p.ids(list)...)
	}
	return nil
}

// missionTarget says why a hex is no target of a kind from the air: combat units, a port or an air base of the enemy
// (OCS 10.0, OCS 10.0c, OCS 10.0f). It counts as one barrage of the hex in the phase unless free is true (OCS 10.0e-A,
// OCS 14.7d-A); other missions come as often as units fly them (OCS 14.2e-viii).
func (p *Position) missionTarget(seat rules.Seat, at Place, kind int, free bool) *rules.Refusal {
	rule, key := p.targetFault(seat, at, kind, free)
	if rule == "" {
		return nil
	}
	id := p.sc.PlaceID(at)
	return rules.Refuse(rule, key, "hex", id).At(id)
}

// targetFault is the paragraph by which missionTarget refuses and what it says, empty if it does not. Lists ask it of
// every hex.
func (p *Position) targetFault(seat rules.Seat, at Place, kind int, free bool) (rule, key string) {
	cell := p.cell(at)
	switch {
	case kind == targetShips: // as often as one likes (OCS 18.3c)
		if !p.anyShip(enemy(seat), at) {
			return "OCS 14.7", "refuse.no-naval-target"
		}
	case !free && cell.marks.has(ocsv1.HexMark_HEX_MARK_BARRAGED):
		return "OCS 10.0e-A", "refuse.hex-barraged"
	case kind == targetPort:
		if p.sc.Hexes[at].Port == 0 || cell.owner != enemy(seat) {
			return "OCS 10.0c", "refuse.no-port"
		}
	case kind == targetBase:
		if !p.ownBase(enemy(seat), at) {
			return "OCS 10.0c-A", "refuse.no-enemy-base"
		}
	case !p.combatIn(enemy(seat), at):
		return "OCS 10.0", "refuse.no-defender"
	}
	return "", ""
}

// checkAirBarrage says why air units may not barrage a hex (OCS 14.7, OCS 14.7b).
func (p *Position) checkAirBarrage(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkBombers(seat, c.Units, c.At, c.Choice); r != nil {
		return r
	}
	return p.missionTarget(seat, c.At, c.Choice, false)
}

// playAirBarrage flies it: the hex has had its barrage of the phase, whatever becomes of the mission (OCS 10.0e-A). No
// supply is paid (OCS 10.2c, OCS 14.7a).
func (p *Position) playAirBarrage(x *exec, seat rules.Seat, cmd *Command) {
	p.fly(x, seat, ocsv1.Mission_MISSION_BARRAGE, cmd.Units, cmd.At, func(c *changes, f *mission) {
		f.target = max(cmd.Choice, targetUnits)
		if cmd.Choice != targetShips { // OCS 18.3c
			h := c.hex(cmd.At)
			h.Set = append(h.Set, ocsv1.HexMark_HEX_MARK_BARRAGED)
		}
	})
}

// checkHipShoot says why an air unit may not hip shoot (OCS 14.7d): one unit of a nationality that may, no strategic
// bomber (OCS 14.1-3, OCS 14.1e-B), not in limited flight, with a spotter (OCS 14.7d-C), at any kind of target but the
// railway (OCS 14.7d-D).
func (p *Position) checkHipShoot(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Unit == NoUnit {
		return rules.Malformed("a hip shoot names an air unit")
	}
	if r := p.checkBombers(seat, []Unit{c.Unit}, c.At, c.Choice); r != nil {
		return r
	}
	nation, id := p.counter(c.Unit).Nation, p.sc.PlaceID(c.At)
	switch {
	case p.is(c.Unit, strategic):
		return rules.Refuse("OCS 14.1e-B", "refuse.strategic", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case nation < 0 || p.sc.Seats[seat].HipShoot&(1<<nation) == 0:
		return rules.Refuse("OCS 14.7d-B", "refuse.no-hip-shoot", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case p.flight != fullFlight:
		return rules.Refuse("OCS 17.0a", "refuse.limited-flight")
	}
	if r := p.missionTarget(seat, c.At, c.Choice, true); r != nil {
		return r
	}
	// A unit in motion spots too: to declare the mission ends its move (OCS 6.1g), so it has finished when the hip
	// shoot is made.
	if !p.spots(seat, c.At.Hex()) {
		return rules.Refuse("OCS 14.7d-C", "refuse.no-spotter", "hex", id).At(id)
	}
	return nil
}

func (p *Position) playHipShoot(x *exec, seat rules.Seat, cmd *Command) {
	p.fly(x, seat, ocsv1.Mission_MISSION_HIP_SHOOT, []Unit{cmd.Unit}, cmd.At, func(_ *changes, f *mission) {
		f.target = max(cmd.Choice, targetUnits)
	})
}

// checkTrainbust says why air units may not trainbust a hex: one attempt in a hex and phase, which is its barrage (OCS
// 14.8), of a hex of the enemy or with a railway (OCS 14.2e-v), and one marker in a hex.
func (p *Position) checkTrainbust(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkBombers(seat, c.Units, c.At, targetUnits); r != nil {
		return r
	}
	id, cell := p.sc.PlaceID(c.At), p.cell(c.At)
	switch {
	case cell.marks.has(ocsv1.HexMark_HEX_MARK_BARRAGED) || cell.bust < numSeats:
		return rules.Refuse("OCS 14.8", "refuse.hex-barraged", "hex", id).At(id)
	case cell.owner != enemy(seat) && !p.sc.Hexes[c.At].Rail:
		return rules.Refuse("OCS 14.2e-v", "refuse.no-rail-target", "hex", id).At(id)
	}
	return nil
}

func (p *Position) playTrainbust(x *exec, seat rules.Seat, cmd *Command) {
	p.fly(x, seat, ocsv1.Mission_MISSION_TRAINBUSTING, cmd.Units, cmd.At, func(c *changes, f *mission) {
		h := c.hex(cmd.At)
		h.Set = append(h.Set, ocsv1.HexMark_HEX_MARK_BARRAGED)
	})
}

// bombs is the total barrage strength of what is left of a mission.
func (p *Position) bombs(f *mission) (sum int) {
	for _, u := range p.missionUnits(f) {
		if !p.plane(u).ShipsOnly {
			sum += p.plane(u).Barrage
		}
	}
	return sum
}

// bomb carries a barrage out (OCS 14.7b): the total strength is told (OCS 4.9c).
func (p *Position) bomb(x *exec, f *mission) {
	strength, target := p.bombs(f), f.target
	if target == targetShips {
		p.torpedo(x, f)
		return
	}
	g := p.bombRun(f)
	c := p.changed()
	if target == targetUnits {
		p.chooseOnly(g)
		c.push(g)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BarrageFired{BarrageFired: &ocsv1.BarrageFired{
		Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Target: ocsv1.BarrageTarget(target), Strength: uint32(strength),
	}}})
	switch target {
	case targetPort:
		p.hitPort(x, f.seat, f.at, strength)
	case targetBase:
		p.hitBase(x, f.seat, f.at, strength)
	}
}

// bombRun is the barrage of units by what is left of a mission.
func (p *Position) bombRun(f *mission) *barrage {
	g := newFrame[barrage](enemy(f.seat), f.at)
	g.strength, g.air, g.near = p.bombs(f), true, p.nearBase(f)
	g.blind = p.strategicIn(f)                                                               // OCS 14.1e-A
	g.far = slices.ContainsFunc(p.missionUnits(f), func(u Unit) bool { return p.far(f, u) }) // OCS 21.4-A
	return g
}

// torpedo begins the barrage of ships by what is left of a mission: its owner aims (OCS 18.3c).
func (p *Position) torpedo(x *exec, f *mission) {
	g := newFrame[navalBarrage](f.seat, f.at)
	g.noted, g.air, g.units = true, true, p.missionUnits(f)
	for _, u := range g.units {
		var flags flightFlags
		if n, ok := p.airDistance(f.origin(u), f.at); ok && n <= shortFlight {
			flags |= cameNear
		}
		if p.far(f, u) {
			flags |= cameFar
		}
		g.came = append(g.came, flags)
	}
	c := p.changed()
	c.push(g)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BarrageFired{BarrageFired: &ocsv1.BarrageFired{
		Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Target: ocsv1.BarrageTarget_BARRAGE_TARGET_SHIPS,
		Strength: uint32(p.broadside(g.units).Round()),
	}}})
	p.showStack(x, f.seat, f.at)
}

// shortFlight is how far away the bases may be for the shift of OCS 14.7c, in hexes.
const shortFlight = 10

// nearBase reports whether all units of a barrage came from near the target, none of them a strategic bomber (OCS
// 14.7c, OCS 10.2b, OCS 14.1e-C).
func (p *Position) nearBase(f *mission) bool {
	for _, u := range p.missionUnits(f) {
		if n, ok := p.airDistance(f.origin(u), f.at); !ok || n > shortFlight {
			return false
		}
	}
	return !p.strategicIn(f)
}

// strategicIn reports whether a strategic bomber takes part (OCS 14.1e).
func (p *Position) strategicIn(f *mission) bool {
	return slices.ContainsFunc(p.missionUnits(f), func(u Unit) bool { return p.is(u, strategic) })
}

// facilityRoll rolls on the facility table for a strength: no shifts (OCS 10.0c).
func (p *Position) facilityRoll(x *exec, strength int) (die int, cell *ocsv1.FacilityResult) {
	chart := p.sc.Charts.GetFacility()
	die = x.Roll(6, "facility")
	return die, chart.GetRows()[die-1].GetCells()[strengthColumn(chart.GetColumns(), strength)]
}

// hitBase barrages an air base (OCS 10.0c-A): it falls by levels, never below 1 (OCS 15.0c), an airstrip not at all
// (OCS 15.2-E); each enemy air unit there, active or not, loses a step on a die.
func (p *Position) hitBase(x *exec, seat rules.Seat, at Place, strength int) {
	die, result := p.facilityRoll(x, strength)
	level := p.base(at)
	if level != airstrip {
		level = max(1, level-int(result.GetHits()))
	}
	fact := &ocsv1.AirBaseBarraged{
		Seat: seatIDs[seat], At: p.sc.PlaceID(at), Die: uint32(die), Hits: result.GetHits(), Level: uint32(level),
		PlaneMin: result.GetPlaneMin(),
	}
	var hit []Unit
	if n := int(result.GetPlaneMin()); n > 0 {
		for u := range p.planes(enemy(seat), at) {
			d := x.Roll(6, "air-loss")
			fact.Dice = append(fact.Dice, uint32(d))
			if d >= n {
				hit = append(hit, u)
			}
		}
	}
	c := p.changed()
	if level != p.base(at) {
		c.hex(at).AirBase = proto.Uint32(uint32(level))
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirBaseBarraged{AirBaseBarraged: fact}})
	for _, u := range hit {
		p.stepLost(x, u, 0)
	}
}

// trainbust rolls on the facility table: an asterisk places a marker (OCS 14.8a), which stays until the enemy's next
// Clean-Up Phase (OCS 14.8d).
func (p *Position) trainbust(x *exec, f *mission) {
	die, result := p.facilityRoll(x, p.bombs(f))
	c := p.changed()
	if result.GetTrainbusting() {
		c.hex(f.at).Trainbusting = proto.String(seatIDs[f.seat])
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_TrainBusted{TrainBusted: &ocsv1.TrainBusted{
		Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Die: uint32(die), Marked: result.GetTrainbusting(),
	}}})
}
