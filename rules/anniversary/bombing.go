package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Strategic bombing and rockets (AA 9.2), in the attacker's order (AA 9.2.7).

// raid carries out a raid: antiaircraft fire at each bomber first (AA 9.2.2), then a die for each that is left, heavy
// bombers two (AA 9.2.3, AA 6.4.7, AA 15.8.2). Raiders do nothing else (AA 9.2.4).
func (p *Position) raid(x *exec, s Space) {
	if p.gunsAt(s) {
		list, shots := p.shoot(x, s, true)
		x.Emit(p.eventShot(s, shots, list, StageNone))
	}
	e := &anniversaryv1.ComplexRaided{Territory: p.sc.SpaceID(s)}
	var list []change
	sum := 0
	for _, g := range p.at(s) {
		if !p.raider(g.Key) {
			continue
		}
		list = append(list, change{g.Key, g.unmark(Moved), g.N})
		for range int(g.N) * p.sc.Dice(Bomber, p.tech[p.acting]) {
			die := x.Roll(dieSides, "raid")
			e.Dice = append(e.Dice, uint32(die))
			sum += die
		}
	}
	e.Damage, e.Changes = uint32(p.damageOf(s, sum)), p.changes(list)
	if len(list) > 0 {
		emit(x, e)
	}
}

// raider reports whether units are bombers about to raid where they are.
func (p *Position) raider(k Key) bool {
	return k.Power() == p.acting && k.Unit() == Bomber && k.Has(Raid) && k.Has(Moved) && p.acting < NumSeats
}

// damageOf is what of the damage by bombers and rockets counts (AA 15.5.3): no more than twice the value of the
// territory in all (AA 9.2.6), whatever the technology (AA 6.3.14).
func (p *Position) damageOf(s Space, n int) int {
	room := p.sc.Numbers.DamageCap*p.sc.Spaces[s].IPC - int(p.damage[s])
	return max(0, min(n, room, 255-int(p.damage[s])))
}

// launchers are the territories with a gun that may launch a rocket at something (AA 6.3.3, AA 6.3.6).
func (p *Position) launchers() SpaceSet {
	var set, far SpaceSet // that may launch, and from where nothing is in range
	for _, g := range p.groups {
		k := g.Key
		if !p.launches(k) || set.Has(k.At()) || far.Has(k.At()) ||
			p.opt.has(optRocketLimit) && p.rocketFrom.Has(k.At()) {
			continue
		}
		far.Add(k.At())
		for t := range p.complexes.Each {
			if p.inRange(k.At(), t) {
				set.Add(k.At())
				break
			}
		}
	}
	return set
}

// launches reports whether guns may launch: own ones in a territory that did not yet, which excludes those
// aboard of transports.
func (p *Position) launches(k Key) bool {
	return k.Unit() == AAGun && k.Power() == p.acting && !k.Has(Done|Captured) && !p.sc.IsSea(k.At())
}

// inRange reports whether a rocket reaches an enemy complex (AA 6.3.5) that may still be a target (AA 16.3.1).
func (p *Position) inRange(from, t Space) bool {
	return p.owner[t].Side() == p.side().Enemy() && p.sc.AirDistance(from, t) <= p.sc.Effects.RocketRange &&
		!(p.opt.has(optRocketLimit) && p.rocketAt.Has(t))
}

// checkRocket says why a rocket can't be launched.
func (p *Position) checkRocket(from, t Space) *rules.Refusal {
	n := Space(p.sc.Len())
	if from >= n || t >= n {
		return rules.Malformed("a rocket needs where it is launched and its target").For(rules.ReasonUnknownSpace)
	}
	gun := false
	for _, g := range p.at(from) {
		gun = gun || p.launches(g.Key)
	}
	switch {
	case p.step != combatBombing:
		return p.refuseAt("AA 9.1.1", "refuse.combat-step", t)
	case !p.has(p.acting, scenario.Rockets):
		return rules.Refuse("AA 6.3.3", "refuse.no-technology", "technology", techName(scenario.Rockets))
	case !gun:
		return p.refuseAt("AA 6.3.6", "refuse.no-gun", from)
	case p.opt.has(optRocketLimit) && (p.rocketFrom.Has(from) || p.rocketAt.Has(t)):
		return p.refuseAt("AA 16.3.1", "refuse.rocket-limit", t)
	case p.sc.IsSea(t) || !p.complexes.Has(t) || p.owner[t].Side() != p.side().Enemy():
		return p.refuseAt("AA 6.3.3", "refuse.no-complex", t)
	case p.sc.AirDistance(from, t) > p.sc.Effects.RocketRange:
		return p.refuseAt("AA 6.3.5", "refuse.rocket-range", t, "distance", p.sc.AirDistance(from, t),
			"range", p.sc.Effects.RocketRange)
	}
	return nil
}

// rocket launches one (AA 6.3.4). The gun has fought and does not move this turn (AA 12.2.2).
func (p *Position) rocket(x *exec, from, t Space) {
	e := &anniversaryv1.RocketLaunched{From: p.sc.SpaceID(from), Territory: p.sc.SpaceID(t)}
	die := x.Roll(dieSides, "rocket")
	e.Die, e.Damage = uint32(die), uint32(p.damageOf(t, die))
	for _, g := range p.at(from) {
		if p.launches(g.Key) {
			e.Changes = p.changes([]change{{g.Key, g.mark(Done), 1}})
			break
		}
	}
	emit(x, e)
}
