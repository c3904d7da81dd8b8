package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Fire (DF 13.4): name shooter and target, roll, apply; one shot for each step.

// firing reports whether shots are left in the stage.
func (p *Position) firing() bool { return p.fight.toFire != 0 || p.fight.shots > 0 }

// targets are the units that the firing side may shoot at. Japan can't shoot at corps artillery while a US line unit is
// on the Battle Board (DF 13.6-a), and may when none is (DF 13.6-b, D-48).
func (p *Position) targets() UnitSet {
	f := &p.fight
	if f.stage != StageJapanFire {
		return p.standing(f.japanUnits())
	}
	us := p.standing(f.usUnits())
	if line := us & p.tab.line; line != 0 {
		return line
	}
	return us
}

// shots is how many shots a unit has when its fire begins: its steps, twice that for Japan against
// a landing (DF 8.7-b).
func (p *Position) shotsOf(u Unit) int {
	if p.fight.landing && p.tab.japan.Has(u) {
		return 2 * int(p.steps[u])
	}
	return int(p.steps[u])
}

// checkShot checks a shot: shooters come in any order, but the second shot of a unit follows its first
// directly (DF 13.4-4).
func (p *Position) checkShot(c Command) *rules.Refusal {
	f := &p.fight
	switch {
	case f.shots > 0 && c.Unit != f.shooter:
		return p.refuse("DF 13.4-4", "refuse.second-shot", "unit", f.shooter).About(p.id(c.Unit))
	case f.shots == 0 && !f.toFire.Has(c.Unit):
		return p.refuseUnit("DF 13.4-1", "refuse.no-shot", c.Unit)
	case p.targets().Has(c.Other):
		return nil
	case f.stage == StageJapanFire && p.standing(f.usUnits()).Has(c.Other):
		return p.refuseUnit("DF 13.6-a", "refuse.protected", c.Other)
	}
	return p.refuseUnit("DF 13.4-1", "refuse.not-target", c.Other)
}

func (p *Position) playShot(x *exec, c Command) {
	left := int(p.fight.shots)
	if left == 0 {
		left = p.shotsOf(c.Unit)
	}
	p.fire(x, c.Unit, c.Other, left-1)
}

// fire rolls a d10: at or below the modified strength it hits (DF 13.4-2), and a hit costs the target a step at once
// (DF 13.4-3). No natural result always hits or always misses.
func (p *Position) fire(x *exec, shooter, target Unit, left int) {
	strength := p.strength(shooter)
	die := p.d10(x, "fire")
	hit := die <= strength
	steps := p.steps[target]
	if hit {
		steps--
	}
	emit(x, &downfallv1.ShotFired{
		Shooter: p.id(shooter), Target: p.id(target), Die: uint32(die), Strength: int32(strength), Hit: hit,
		Steps: uint32(steps), Left: uint32(left),
	})
}

// bonusShot fires one of the shots that Japan has left when all US units of the combat are eliminated. It gains and
// loses nothing by them, so the engine rolls (DF 13.12).
func (p *Position) bonusShot(x *exec) {
	f := &p.fight
	shooter, left := f.shooter, int(f.shots)
	if left == 0 {
		shooter = f.toFire.First()
		left = p.shotsOf(shooter)
	}
	strength := p.strength(shooter)
	die := p.d10(x, "fire")
	emit(x, &downfallv1.ShotFired{
		Shooter: p.id(shooter), Die: uint32(die), Strength: int32(strength), Hit: die <= strength,
		Left: uint32(left - 1), Bonus: true,
	})
}

// checkHold checks that there is a further shot to decline (DF 13.4-4).
func (p *Position) checkHold() *rules.Refusal {
	if p.fight.shots == 0 {
		return p.refuse("DF 13.4-4", "refuse.no-second-shot")
	}
	return nil
}

func (p *Position) playHold(x *exec) {
	emit(x, &downfallv1.FireHeld{Unit: p.id(p.fight.shooter)})
}

func (p *Position) legalFire(yield func(Command) bool) bool {
	f := &p.fight
	shooters, targets := f.toFire, p.targets()
	if f.shots > 0 {
		shooters = bit(f.shooter)
	}
	c := only(KindShot)
	for u := range shooters.Each {
		for t := range targets.Each {
			c.Unit, c.Other = u, t
			if !yield(c) {
				return false
			}
		}
	}
	return f.shots == 0 || yield(only(KindHold))
}
