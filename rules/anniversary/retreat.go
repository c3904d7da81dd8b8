package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// The end of a round (AA 9.9): press on or retreat. The attacker alone may retreat.

// exits are the ways out of a combat: spaces to retreat to, and whether air units may leave alone. all reports
// whether everyone goes.
type exits struct {
	to   SpaceSet
	air  bool
	none bool // transports alone, without a way out (AA 9.9.7)
	over bool // nothing but transports is left on both sides (AA 9.9.2)
}

func (e *exits) any() bool { return e.air || !e.to.Empty() }

// exits works out who may retreat where. At sea and in general combat it is all or nothing (AA 9.9.5); seaborne units
// never retreat (AA 9.3.14), the others of their combat may, together (AA 9.3.15).
func (p *Position) exits() exits {
	att, def := p.forces()
	var e exits
	if p.seaBattle() {
		e.over = att.Fighting == 0 && def.Fighting == 0
		if att.Air > 0 && att.Fighting == att.Air && att.Transports == 0 {
			e.air = true // AA 9.9.4
			return e
		}
		for s := range p.battle.origins.Each {
			if p.seaExit(s) {
				e.to.Add(s)
			}
		}
		e.none = att.Fighting == 0 && e.to.Empty() && !e.over
		return e
	}
	overland, dropped := p.landRetreaters()
	switch {
	case overland == 0 && dropped == 0:
		e.air = att.Air > 0
	case overland == 0 && p.battle.origins.Empty(): // paratroopers alone (AA 6.3.11)
		for _, s := range p.sc.LandNear[p.battle.at] {
			if p.wasFriendly(s) && p.friendly(s) {
				e.to.Add(s)
			}
		}
	default:
		for s := range p.battle.origins.Each { // friendly now will do, as after a blitz (AA 9.9.3)
			if p.friendly(s) {
				e.to.Add(s)
			}
		}
	}
	return e
}

// landRetreaters counts attacking land units that may retreat: overland, and by parachute.
func (p *Position) landRetreaters() (overland, dropped int) {
	for _, g := range p.at(p.battle.at) {
		switch {
		case !p.attacks(g.Key) || g.Unit().In(scenario.AirUnits) || g.Has(Seaborne):
		case g.Has(Dropped):
			dropped += int(g.N)
		default:
			overland += int(g.N)
		}
	}
	return
}

// seaExit: a zone that was friendly when the turn began and is (AA 9.9.3), by a canal that is open (AA 2.4.3).
func (p *Position) seaExit(z Space) bool {
	o := plan{quiet: true}
	return !p.startHostile.Has(z) && !p.hostileSea(z) && p.lane(p.battle.at, z, &o) == nil
}

func (p *Position) askPress() (Ask, rules.Seats) {
	if p.finished() {
		return AskNothing, 0
	}
	if e := p.exits(); !e.any() || p.ordersOf(p.acting).retreat != 0 {
		return AskNothing, 0
	}
	return AskPress, seatOf(p.acting)
}

// finished reports whether the combat ends here whatever anyone decides.
func (p *Position) finished() bool {
	att, def := p.forces()
	switch {
	case att.Fighting == 0 && att.Transports == 0:
		return true
	case def.Fighting == 0 && (def.Transports == 0 || att.Fighting > 0):
		return true
	case p.seaBattle() && odds.Defenceless(&att, &def):
		return true
	case att.Fighting == 0 && def.Fighting == 0:
		return p.exits().to.Empty() // AA 9.9.2
	case att.Fighting == 0 || def.Fighting == 0:
		return false
	}
	return !att.CanHit(&def) && !def.CanHit(&att)
}

// stepPress does what nobody decides at the end of a round: ends the combat, carries out a standing order, or goes on.
func (p *Position) stepPress(x *exec) {
	if p.checkOver(x) {
		return
	}
	e := p.exits()
	switch {
	case e.none:
		p.abandon(x)
	case e.over && e.to.Empty():
		x.Emit(eventWentOn(StageConclude, p.battle.round, false, false))
	case e.any():
		x.Reveal()
		if t := p.ordersOf(p.acting).retreat; t > 1 && p.strength(true)*100 < p.strength(false)*int(t) {
			p.retreatTo(x, e.first())
			return
		}
		p.press(x)
	default:
		p.press(x)
	}
}

// first is the exit that a standing order takes.
func (e *exits) first() Space {
	for s := range e.to.Each {
		return s
	}
	return NoSpace
}

// strength is the sum of a side's combat values.
func (p *Position) strength(attacker bool) int {
	n := 0
	for _, g := range p.at(p.battle.at) {
		switch {
		case attacker && p.attacks(g.Key):
			n += int(g.N) * p.attackOf(g.Key)
		case !attacker && p.defends(g.Key):
			n += int(g.N) * p.sc.Units[g.Unit()].Defence
		}
	}
	return n
}

// abandon removes attacking transports that can neither fight nor flee (AA 9.9.7).
func (p *Position) abandon(x *exec) {
	var list []change
	for _, g := range p.at(p.battle.at) {
		if p.attacks(g.Key) && g.Unit() == Transport {
			list = append(list, change{before: g.Key, n: g.N})
		}
	}
	x.Emit(p.eventRemoved(list, StageConclude))
}

// press goes on with the next round (AA 9.9.9), or stays beside transports (AA 9.9.2).
func (p *Position) press(x *exec) {
	stage := StageOpen
	if e := p.exits(); e.over {
		stage = StageConclude
	}
	x.Emit(eventWentOn(stage, p.battle.round, false, false))
}

// checkRetreat: a way out of the combat (AA 9.9.3).
func (p *Position) checkRetreat(to Space) *rules.Refusal {
	e := p.exits()
	switch {
	case to == NoSpace && e.air, to != NoSpace && e.to.Has(to):
		return nil
	case to != NoSpace && int(to) >= p.sc.Len():
		return rules.Malformed("a retreat leads to a space of the map").For(rules.ReasonUnknownSpace)
	case to == NoSpace:
		return p.refuseAt("AA 9.9.5", "refuse.air-retreat", p.battle.at)
	}
	return p.refuseAt("AA 9.9.3", "refuse.retreat", to, "from", p.name(p.battle.at))
}

// retreatTo takes attackers out of the combat: land or sea units to a space, where they are done (AA 9.9.6), air units
// stay over the space until they land (AA 9.9.4), by the same rules as after a combat that was won (AA 12.3.8).
// Seaborne units fight on.
func (p *Position) retreatTo(x *exec, to Space) {
	var list []change
	stays := false
	for _, g := range p.at(p.battle.at) {
		switch {
		case !p.attacks(g.Key):
		case g.Unit().In(scenario.AirUnits):
			list = append(list, change{g.Key, g.unmark(Moved | Attack), g.N})
		case g.Has(Seaborne):
			stays = true
		default:
			k := g.unmark(Seaborne | Dropped | Attack | combatMark).cameFrom(NoSpace).moveTo(to)
			if k.Target() != NoSpace {
				k = p.stood(k)
			}
			if k.Unit() == Transport {
				k = k.unmark(Moved) // which tells it from one that fought (AA 15.13.11)
			}
			list = append(list, change{g.Key, k.mark(Done), g.N})
		}
	}
	e := &anniversaryv1.Retreated{To: p.sc.SpaceID(to), Changes: p.changes(list),
		Stage: anniversaryv1.Stage(StageConclude)}
	if stays {
		e.Stage = anniversaryv1.Stage(StageOpen)
	}
	emit(x, e)
}

// askBattle is what a combat waits for.
func (p *Position) askBattle() (Ask, rules.Seats) {
	switch p.battle.stage {
	case StageBombard:
		if p.mayBombard() > 0 && !p.ordersOf(p.acting).bombard {
			return AskBombard, seatOf(p.acting)
		}
	case StageAttackingSubs, StageDefendingSubs:
		return p.askDive()
	case StageBombardLosses, StageDefenderStruck, StageAttackerStruck, StageDefenderLosses, StageAttackerLosses:
		return p.askLosses()
	case StagePress:
		return p.askPress()
	}
	return AskNothing, 0
}
