package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Antiaircraft fire (AA 9.6): before the first round of a combat and before a raid, never at sea (AA 9.6.5).

// gunsAt reports whether the enemy has a gun in a territory; however many there are, one fires (AA 9.6.2).
func (p *Position) gunsAt(s Space) bool {
	for _, g := range p.at(s) {
		if g.Unit() == AAGun && g.Power().Side() != p.side() {
			return true
		}
	}
	return false
}

// gunHits is what the guns in a territory hit with: the best of their owners' (AA 9.6.3, AA 6.4.5).
func (p *Position) gunHits(s Space) int {
	best := 0
	for _, g := range p.at(s) {
		if w := g.Power(); g.Unit() == AAGun && w.Side() != p.side() {
			best = max(best, p.sc.AAHit(p.techs(w)))
		}
	}
	return best
}

// shoot throws a die for each attacking aircraft, fighters first (AA 9.6.4): raiders, or those that attack. A
// paratrooper is lost with its bomber (AA 6.3.10).
func (p *Position) shoot(x *exec, s Space, raid bool) (list []change, shots []*anniversaryv1.Shot) {
	value := p.gunHits(s)
	for _, g := range p.at(s) { // groups have fighters before bombers
		if raid != p.raider(g.Key) || !raid && (!p.attacks(g.Key) || !g.Unit().In(scenario.AirUnits)) {
			continue
		}
		lost := uint16(0)
		for range g.N {
			die := x.Roll(dieSides, "antiaircraft")
			shots = append(shots, &anniversaryv1.Shot{Unit: protoUnit(g.Unit()), Die: uint32(die), Hit: die <= value})
			if die <= value {
				lost++
			}
		}
		if lost > 0 {
			list = append(list, change{before: g.Key, n: lost})
		}
	}
	return list, shots
}

func (p *Position) eventShot(s Space, shots []*anniversaryv1.Shot, list []change, next Stage) *event {
	return fact(&anniversaryv1.AntiaircraftFired{
		Territory: p.sc.SpaceID(s), HitsWith: uint32(p.gunHits(s)), Shots: shots, Changes: p.changes(list),
		Stage: anniversaryv1.Stage(next),
	})
}

// fireAntiaircraft is the step before the first round: guns fire at air units that attack their territory (AA 8.3.12,
// AA 9.6.1, AA 15.4.2). Afterwards paratroopers drop (AA 6.3.10).
func (p *Position) fireAntiaircraft(x *exec) {
	s := p.battle.at
	var list []change
	var shots []*anniversaryv1.Shot
	if p.gunsAt(s) {
		list, shots = p.shoot(x, s, false)
	}
	if len(shots) > 0 {
		x.Emit(p.eventShot(s, shots, list, StageNone))
	}
	p.dropInfantry(x)
}

// dropInfantry puts the infantry of bombers on the ground.
func (p *Position) dropInfantry(x *exec) {
	var list []change
	for _, g := range p.at(p.battle.at) {
		if c := g.Cargo(); g.Unit() == Bomber && p.attacks(g.Key) && c[0] != 0 {
			list = append(list, change{g.Key, g.carrying([2]Cargo{}), g.N},
				change{after: keyOf(p.battle.at, c[0].Power(), Infantry).mark(Moved | Dropped), n: g.N})
		}
	}
	if len(list) == 0 {
		x.Emit(eventWentOn(StageOpen, 0, false, false))
		return
	}
	emit(x, &anniversaryv1.ParatroopersDropped{
		Territory: p.sc.SpaceID(p.battle.at), Changes: p.changes(list), Stage: anniversaryv1.Stage(StageOpen),
	})
}
