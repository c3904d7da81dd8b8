package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Flak (OCS 14.4): 2d6 with modifiers against each mission that meets it. It costs no supply (OCS 14.4b) and hits only
// units of the mission (OCS 14.4d).

// flakModifier is the sum of the modifiers of the flak roll against a mission (OCS 14.4e). What stands in the hex
// shoots only for the side that the mission is flown against: its air base by its level (OCS 15.0b-B; an airstrip adds
// nothing, OCS 15.2-F), its HQs, flak printed on the map.
// Whoever shows it to people has each modifier noted.
func (p *Position) flakModifier(f *mission, note func(id string, modifier int)) (sum int) {
	foe, list := enemy(f.seat), p.missionUnits(f)
	add := func(id string, modifier int) {
		if sum += modifier; note != nil {
			note(id, modifier)
		}
	}
	if len(list) >= int(p.sc.Charts.GetAir().GetFlak().GetManyUnits()) {
		add(flakMany, p.flakNumber(flakMany))
	}
	for u := range p.of(foe, f.at) {
		if p.counter(u).HQ {
			add(flakHQ, p.flakNumber(flakHQ))
			break
		}
	}
	for _, u := range p.ships(foe, f.at) { // OCS 18.3f
		add(flakShip, p.ship(u).Flak)
	}
	if p.cell(f.at).owner == foe {
		add(flakBase, p.baseLevel(f.at))
		if h := f.at.Hex(); h != NoHex {
			add(flakPrinted, int(p.sc.Hexes[h].Flak))
		}
	}
	if !p.inZone(foe, f.at) {
		return sum
	}
	if slices.ContainsFunc(list, func(u Unit) bool { return p.is(u, fighter) }) {
		add(flakFighter, p.flakNumber(flakFighter))
	} else {
		add(flakNoFighter, p.flakNumber(flakNoFighter))
	}
	if f.task == ocsv1.Mission_MISSION_TRAINBUSTING {
		add(flakTrainbusting, p.flakNumber(flakTrainbusting))
	}
	return sum
}

// Reasons for a modifier of flak that no table of the scenario names.
const (
	flakShip    = "flak_ship"
	flakBase    = "flak_base"
	flakPrinted = "flak_printed"
)

// flakNumber is the modifier for a reason.
func (p *Position) flakNumber(id string) int {
	for _, m := range p.sc.Charts.GetAir().GetFlak().GetModifiers() {
		if m.GetId() == id {
			return int(m.GetShift())
		}
	}
	return 0
}

// meetsFlak reports whether a mission meets flak: barrages always, transport, drops and transfers inside an enemy
// patrol zone, sweeps never (OCS 14.4a).
func (p *Position) meetsFlak(f *mission) bool {
	i := f.info()
	return i.flak || i.zoned && p.inZone(enemy(f.seat), f.at)
}

// flak rolls against a mission, if it meets flak (OCS 14.4e). A hit is one step, before the mission is carried out (OCS
// 14.4f). The modifier is told (OCS 4.9c).
func (p *Position) flak(x *exec, f *mission) {
	next := f.stepped(missionUnload)
	if !p.meetsFlak(f) {
		p.goOn(x, next)
		return
	}
	x.Reveal()
	var by named
	modifier := p.flakModifier(f, by.of(byFlak, disclosedFlak))
	roll := x.Roll(6, "flak") + x.Roll(6, "flak")
	hit := roll+modifier >= int(p.sc.Charts.GetAir().GetFlak().GetHitMin())
	c := p.changed()
	c.frame(next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_FlakRolled{FlakRolled: &ocsv1.FlakRolled{
		Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Roll: uint32(roll), Modifier: int32(modifier), Hit: hit,
		Modifiers: by.told(),
	}}})
	if hit {
		p.flakHit(x, next)
	}
}

// Extremes of the table of losses.
const (
	weakest   = 5
	strongest = 6
)

// flakHit finds the unit that is hit (OCS 14.4f): one alone without a roll; by its number from the top; the weakest or
// strongest, of which its owner chooses among equals.
func (p *Position) flakHit(x *exec, f *mission) {
	list := p.missionUnits(f)
	if len(list) == 1 {
		p.stepLost(x, list[0], 0)
		return
	}
	die := x.Roll(6, "mission-loss")
	n := int(p.sc.Charts.GetAir().GetLosses()[min(len(list), maxMission)-1].GetUnits()[die-1])
	if n <= len(list) && n < weakest {
		p.stepLost(x, list[n-1], die)
		return
	}
	next := f.stepped(missionHit)
	next.extreme, next.die = n, die
	p.goOn(x, next)
}

// extremes are the weakest or the strongest units of a mission by barrage strength.
func (p *Position) extremes(f *mission) (list []Unit) {
	best := 0
	for _, u := range p.missionUnits(f) {
		n := p.plane(u).Barrage
		if f.extreme == weakest {
			n = -n
		}
		if len(list) == 0 || n > best {
			list, best = nil, n
		}
		if n == best {
			list = append(list, u)
		}
	}
	return list
}

// hitExtreme hits the only weakest or strongest unit.
func (p *Position) hitExtreme(x *exec, f *mission) {
	u := p.extremes(f)[0]
	p.goOn(x, f.stepped(missionUnload))
	p.stepLost(x, u, f.die)
}

// checkTakeHit says why a unit is not hit.
func (p *Position) checkTakeHit(_ rules.Seat, c *Command) *rules.Refusal {
	if c.Unit == NoUnit || !slices.Contains(p.extremes(inner[*mission](p)), c.Unit) {
		return rules.Refuse("OCS 14.4f", "refuse.not-hit", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	}
	return nil
}

func (p *Position) playTakeHit(x *exec, _ rules.Seat, cmd *Command) {
	f := inner[*mission](p)
	p.goOn(x, f.stepped(missionUnload))
	p.stepLost(x, cmd.Unit, f.die)
}

func listTakeHit(l *lister) {
	for _, u := range l.p.extremes(inner[*mission](l.p)) {
		c := only(KindTakeHit)
		c.Unit = u
		l.checked(c)
	}
}
