package downfall

import (
	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

// combat folds declarations of attacks and the steps of a combat.
func (f *folder) combat(e proto.Message) bool {
	p := f.p
	c := &p.fight
	switch e := e.(type) {
	case *downfallv1.ConsecutiveBegun:
		p.decl = declaration{on: true, seat: uint8(f.seat(e.Seat)), target: f.hex(e.Target)}
		f.entry(e.From, e.Units)
		p.followers = 0
	case *downfallv1.AttackAdded:
		f.entry(e.From, e.Units)
	case *downfallv1.ConsecutiveDeclared:
		f.pay(e.Cp)
		p.decl.declared, p.consecutiveUsed = true, true
		p.decl.air, p.decl.naval = f.small(e.Air, "air markers"), f.markers(e.Naval)
		p.air -= min(p.air, p.decl.air)
		p.navalReady &^= p.decl.naval
	case *downfallv1.ConsecutiveEnded:
		p.decl = declaration{}
	case *downfallv1.AttackBegan:
		f.attackBegan(e)
	case *downfallv1.SupportGiven:
		f.support(e)
	case *downfallv1.ChemicalRolled:
		c.chemical, c.chemMod = f.small(e.Die, "die"), int8(e.Modifier)
	case *downfallv1.CombatStage:
		c.stage, c.toFire = Stage(f.upTo(int32(e.Stage), uint8(StageDone), "stage")), f.units(e.Firing)
		c.shooter, c.shots = NoUnit, 0
	case *downfallv1.ShotFired:
		f.shot(e)
	case *downfallv1.FireHeld:
		c.shooter, c.shots = NoUnit, 0
	case *downfallv1.RetreatDeclared:
		f.retreat(e)
	case *downfallv1.RetreatDeclined:
		c.stage = StageSettle
	case *downfallv1.LossesSettled:
		for _, l := range e.Eliminated {
			f.remove(f.unit(l.Unit), l.Final)
		}
		c.hurt, c.hurtTwice = 0, 0
	case *downfallv1.Withdrew:
		for _, w := range e.Units {
			h := f.hex(w.Hex)
			p.put(f.unit(w.Unit), Place(h))
			p.attacked.Remove(h) // DF 7.8-a: the stack may be attacked where it went
		}
	case *downfallv1.Advanced:
		h := f.hex(e.Hex)
		for u := range f.units(e.Units).Each {
			p.put(u, Place(h))
		}
		c.stage = StageDone
	case *downfallv1.CombatEnded:
		p.fight = fight{}
	case *downfallv1.BeachheadLost:
		p.beachhead[f.corps(e.Beachhead)] = Removed
	case *downfallv1.UnitEliminated:
		f.remove(f.unit(e.Unit), e.Final)
	default:
		return false
	}
	return true
}

func (f *folder) entry(from uint32, units []string) {
	d := &f.p.decl
	if d.count >= maxEntries {
		f.fail("more than %d attacks", maxEntries)
		return
	}
	d.from[d.count], d.units[d.count] = f.hex(from), f.units(units)
	d.count++
}

func (f *folder) attackBegan(e *downfallv1.AttackBegan) {
	p := f.p
	f.pay(e.Cp)
	p.fight = fight{
		on: true, landing: e.Landing, byJapan: f.seat(e.Seat) == Japan, from: f.hex(e.From), target: f.hex(e.Target),
		attackers: f.units(e.Units), defenders: f.units(e.Defenders), mixed: e.Mixed, shooter: NoUnit,
	}
	p.acted |= p.fight.attackers
	p.attacked.Add(p.fight.target)
	p.followers = 0
	if p.decl.declared && p.decl.begun < p.decl.count {
		p.decl.begun++
	}
}

func (f *folder) support(e *downfallv1.SupportGiven) {
	p := f.p
	marker := f.small(e.Naval, "naval marker")
	if marker > maxNaval {
		f.fail("no naval marker %d", marker)
		return
	}
	p.fight.supported, p.fight.air, p.fight.naval = true, e.Air, marker
	air, naval := &p.air, &p.navalReady
	if p.decl.declared && !p.fight.byJapan {
		air, naval = &p.decl.air, &p.decl.naval
	}
	if e.Air {
		*air -= min(*air, 1)
	}
	if marker > 0 {
		*naval &^= 1 << (marker - 1)
	}
}

// remove eliminates a unit.
func (f *folder) remove(u Unit, final bool) {
	f.p.steps[u] = 0
	if final {
		f.p.put(u, Removed)
	} else {
		f.p.put(u, Eliminated)
	}
	if f.p.excess != NoHex {
		f.p.excess = f.p.findExcess()
	}
}

func (f *folder) shot(e *downfallv1.ShotFired) {
	p := f.p
	c, shooter := &p.fight, f.unit(e.Shooter)
	c.toFire &^= bit(shooter)
	c.shooter, c.shots = NoUnit, f.small(e.Left, "shots")
	if c.shots > 0 {
		c.shooter = shooter
	}
	switch {
	case e.Bonus:
		c.bonusHit = c.bonusHit || e.Hit
	case e.Hit:
		f.hit(f.unit(e.Target), f.steps(e.Steps))
	}
}

func (f *folder) hit(target Unit, steps uint8) {
	p := f.p
	p.steps[target] = steps
	if p.tab.us.Has(target) {
		p.fight.hurtTwice |= p.fight.hurt & bit(target)
		p.fight.hurt |= bit(target)
		if steps == 0 {
			p.put(target, Fallen)
		}
	} else if steps == 0 {
		p.put(target, Eliminated)
	}
}

func (f *folder) retreat(e *downfallv1.RetreatDeclared) {
	p, u := f.p, f.unit(e.Unit)
	c := &p.fight
	if p.place[u] == Fallen {
		p.put(u, Place(c.usHex()))
	}
	p.steps[u] = f.steps(e.Steps)
	if c.hurtTwice.Has(u) {
		c.hurtTwice &^= bit(u)
	} else {
		c.hurt &^= bit(u)
	}
	c.retreat, c.stage = true, StageSettle
}
