package downfall

import (
	"fmt"

	"github.com/warledger/warledger/rules"
)

// sound reports what makes a position that was read one that the engine could not go on from. It does not ask whether
// play could have come to it: cases are tried from positions that it never would.
func (p *Position) sound() error {
	if p == nil {
		return fmt.Errorf("expected %s and a scenario", version)
	}
	for _, check := range [...]func() error{p.soundClock, p.soundUnits, p.soundMarkers, p.soundDeclaration,
		p.soundCombat} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Position) soundClock() error {
	setup := p.phase < FleetStatus
	switch {
	case setup != (p.turn == 0):
		return fmt.Errorf("turn %d is not one of %s", p.turn, phaseIDs[p.phase])
	case p.phase == SetupMagic && p.magicLeft > 0 && p.step == 0:
		return fmt.Errorf("units to be moved before the die")
	case p.replan && p.phase != USActions:
		return fmt.Errorf("a new plan is made in %s", phaseIDs[USActions])
	case p.phase > Kamikaze && !p.kamikaze:
		return fmt.Errorf("%s before the kamikaze die", phaseIDs[p.phase])
	}
	return nil
}

// homes are the boxes in which units of a side may be.
var homes = [2][]Place{
	US:    {Holding, LandingForce, Fallen, Eliminated, Removed, Out},
	Japan: {Unplaced, NotAvailable, Available, Eliminated, Removed, Out},
}

func (p *Position) soundUnits() error {
	for u := range p.sc.Units {
		id, at, steps, seat := p.sc.Units[u].ID, p.place[u], p.steps[u], p.sc.Units[u].Owner
		if at >= boxes && !isHome(seat, at) {
			return fmt.Errorf("%s can't be in the box %s", id, p.where(at))
		}
		gone := at == Fallen || at == Eliminated || at == Removed
		if gone != (steps == 0) && at != Out {
			return fmt.Errorf("%s has %d steps in %s", id, steps, p.where(at))
		}
		if s := p.supply[u]; s != NoSupply && seat == Japan || s == NoSupply && at < boxes && seat == US {
			return fmt.Errorf("%s is in supply state %s", id, supplyIDs[s])
		}
	}
	for h := range p.at {
		if p.at[h]&p.tab.us != 0 && p.at[h]&p.tab.japan != 0 {
			return fmt.Errorf("units of both sides in %s", p.digits(Hex(h)))
		}
	}
	return nil
}

func isHome(seat rules.Seat, at Place) bool {
	for _, p := range homes[seat] {
		if p == at {
			return true
		}
	}
	return false
}

func (p *Position) soundMarkers() error {
	seen := map[Place]bool{}
	for i, at := range p.beachhead {
		if at < boxes && (seen[at] || p.groundOf(Japan, Hex(at)) != 0) {
			return fmt.Errorf("%s can't be in %s", p.sc.Beachheads[i].ID, p.where(at))
		}
		seen[at] = true
	}
	if p.bombStage != bombNone && p.phase != Nuclear || p.bombCount > 0 && p.phase != Nuclear {
		return fmt.Errorf("bombs that are resolved in %s", phaseIDs[p.phase])
	}
	// DF 15.2
	if p.on(NoAtomicBombs) && (p.bombsLeft != 0 || p.bombsUsed != 0 || p.bombDie != 0 || p.bombsDeclared > 0) {
		return fmt.Errorf("atomic bombs in a game without them")
	}
	if p.phase == Nuclear && (p.step > maxBombs || int8(p.step) > max(p.bombsDeclared, 0) || p.bombCount > p.step) {
		return fmt.Errorf("%d bombs placed and %d still there, of %d", p.step, p.bombCount, p.bombsDeclared)
	}
	return nil
}

func (p *Position) soundDeclaration() error {
	d := &p.decl
	switch {
	case !d.on:
		return nil
	case rules.Seat(d.seat) != p.active() || p.phase != JapanActions && p.phase != USActions:
		return fmt.Errorf("a consecutive attack in %s", phaseIDs[p.phase])
	case d.target == NoHex || d.count == 0 || d.begun > d.count || !d.declared && (d.begun > 0 || p.fight.on):
		return fmt.Errorf("a consecutive attack without target or entries, or with more begun than there are")
	case !d.declared && max(int(d.count), 2)*p.sc.Chart.CP.Attack > int(p.cp): // DF 7.8-c
		return fmt.Errorf("%d attacks and %d CP", d.count, p.cp)
	}
	for i := range d.count {
		if d.from[i] == NoHex || d.units[i] == 0 || d.units[i]&^p.tab.side(p.active()) != 0 {
			return fmt.Errorf("entry %d has no hex, or not units of %s", i+1, seatIDs[d.seat])
		}
	}
	return nil
}

func (p *Position) soundCombat() error {
	f := &p.fight
	if !f.on {
		if f.attackers|f.defenders|f.toFire|f.hurt|f.hurtTwice != 0 {
			return fmt.Errorf("units of no combat")
		}
		return nil
	}
	side, phase := US, USActions
	if f.byJapan {
		side, phase = Japan, JapanActions
	}
	all := f.attackers | f.defenders
	switch {
	case p.phase != phase:
		return fmt.Errorf("an attack of %s in %s", seatIDs[side], phaseIDs[p.phase])
	case f.from == NoHex || f.target == NoHex || f.landing && (f.byJapan || f.from != f.target):
		return fmt.Errorf("a combat without its hexes")
	case f.attackers == 0 || f.attackers&^p.tab.side(side) != 0 || f.defenders&^p.tab.side(enemy(side)) != 0:
		return fmt.Errorf("a combat without attackers, or with units on the wrong side")
	case f.toFire&^all != 0 || f.hurt&^f.usUnits() != 0 || f.hurtTwice&^f.hurt != 0:
		return fmt.Errorf("units that fire or are hurt are not in the combat")
	case (f.shooter == NoUnit) != (f.shots == 0) || f.shooter != NoUnit && !all.Has(f.shooter):
		return fmt.Errorf("a unit with shots is one of the combat")
	}
	for u := range all.Each {
		if at := p.place[u]; at >= boxes && at != Fallen && at != Eliminated && at != Removed &&
			(at != LandingForce || !f.landing) {
			return fmt.Errorf("%s fights from %s", p.id(u), p.where(at))
		}
	}
	return nil
}
