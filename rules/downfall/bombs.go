package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Chapter 6, second half: atomic bombs. With option 15.2 the phase does not come up.

// askNuclear asks in the Nuclear Attack Phase (DF 5.2-IC) for the number, on every turn, also when no bombs are left,
// since what is left may be secret (Part 3, DF 15.7).
func (p *Position) askNuclear() (Ask, rules.Seat) {
	switch {
	case p.bombsDeclared < 0:
		return AskBombs, US
	case p.step < uint8(p.bombsDeclared):
		return AskTarget, US // DF 6.8-c: all are placed before any is resolved
	case p.bombStage == bombRolled:
		if p.lossChoice() {
			return AskLosses, US
		}
	case p.bombStage == bombNone && p.bombChoice():
		return AskBomb, US
	}
	return AskNothing, rules.NoSeat
}

// mostBombs is how many bombs may be declared: six a turn, and no more than are left (DF 6.8-a).
func (p *Position) mostBombs() int { return min(p.sc.Chart.Markers.BombsATurn, int(p.bombsLeft)) }

func (p *Position) checkBombs(c Command) *rules.Refusal {
	switch {
	case int(c.Count) > p.sc.Chart.Markers.BombsATurn:
		return p.refuse("DF 6.8-a", "refuse.bombs-turn", "given", int(c.Count), "max", p.sc.Chart.Markers.BombsATurn)
	case int(c.Count) > int(p.bombsLeft): // the number goes to the US alone, who asked
		return p.refuse("DF 6.8-a", "refuse.bombs-left", "given", int(c.Count), "left", int(p.bombsLeft))
	}
	return nil
}

func (p *Position) playBombs(x *exec, c Command) {
	emit(x, &downfallv1.BombsDeclared{Count: uint32(c.Count)})
}

// checkTarget checks a target: a land hex without US units or beachhead (DF 6.8-c, DF 6.10-d, D-13), or a unit in
// the AV Box (DF 6.10-e).
func (p *Position) checkTarget(c Command) *rules.Refusal {
	if c.Hex == NoHex {
		if c.Unit == NoUnit || p.place[c.Unit] != Available {
			return p.refuseUnit("DF 6.10-e", "refuse.not-available", c.Unit)
		}
		return nil
	}
	if !p.bombable(c.Hex) {
		return p.refuseHex("DF 6.8-c", "refuse.bomb-us", c.Hex)
	}
	return nil
}

func (p *Position) bombable(h Hex) bool {
	if p.groundOf(US, h) != 0 {
		return false
	}
	_, beachhead := p.beachheadIn(h)
	return !beachhead
}

// target is the target of a command as it is kept in the position.
func target(c Command) Place {
	if c.Hex == NoHex {
		return bombUnit + Place(c.Unit)
	}
	return Place(c.Hex)
}

func (p *Position) playTarget(x *exec, c Command) { x.Emit(p.eventBombTarget(target(c))) }

func (p *Position) legalTarget(out *lister) bool {
	var room [floodWords + 1]uint64
	// where Japan could attack, bombable says no
	if !out.moves(KindTarget, NoUnit, p.tab.land, p.assailable(Japan, room[:0])) {
		return false
	}
	for _, u := range p.sc.Setup56 {
		if p.place[u] == Available && !out.yield(naming(KindTarget, u)) {
			return false
		}
	}
	return true
}

// bombChoice reports whether the order of the bombs left is a choice (DF 6.8-d).
func (p *Position) bombChoice() bool {
	for i := 1; i < int(p.bombCount); i++ {
		if p.bombTargets[i] != p.bombTargets[0] {
			return true
		}
	}
	return false
}

func (p *Position) checkBomb(c Command) *rules.Refusal {
	for _, at := range p.bombTargets[:p.bombCount] {
		if at == target(c) {
			return nil
		}
	}
	return p.refuse("DF 6.8-d", "refuse.no-bomb")
}

func (p *Position) legalBomb(yield func(Command) bool) bool {
	for i, at := range p.bombTargets[:p.bombCount] {
		seen := false
		for _, before := range p.bombTargets[:i] {
			seen = seen || before == at
		}
		c := aiming(KindBomb, NoUnit, Place(at).Hex())
		if at >= bombUnit {
			c.Hex, c.Unit = NoHex, Unit(at-bombUnit)
		}
		if !seen && !yield(c) {
			return false
		}
	}
	return true
}

// explode rolls for a bomb: d6 - 1 steps, 0 is a dud (DF 6.9-a).
func (p *Position) explode(x *exec, at Place) {
	die := x.Roll(6, "bomb")
	h, unit := p.bombNames(at)
	emit(x, &downfallv1.BombRolled{Hex: h, Unit: unit, Die: uint32(die), Steps: uint32(die - 1)})
}

// stepBomb goes on with the bombs placed, one at a time and each completely (DF 6.8-d).
func (p *Position) stepBomb(x *exec) {
	switch {
	case p.bombStage == bombRolled && p.bombVictims() != 0: // no choice: all lose, or one does
		p.loseToBomb(x, p.lossesByOrder(false))
	case p.bombStage != bombNone:
		p.settleBomb(x)
	default:
		p.explode(x, p.bombTargets[0])
	}
}

// bombVictims are the Japanese units that a bomb can hurt: those in the hex, or the unit named in
// the AV Box (DF 6.10-e).
func (p *Position) bombVictims() UnitSet {
	if p.bombAt >= bombUnit {
		u := Unit(p.bombAt - bombUnit)
		if p.place[u] != Available {
			return 0
		}
		return bit(u)
	}
	return p.groundOf(Japan, Hex(p.bombAt))
}

// bombLoss is how many steps must be distributed: the rest of a surplus is lost without effect (DF 6.9-b).
func (p *Position) bombLoss() int {
	total := 0
	for u := range p.bombVictims().Each {
		total += int(p.steps[u])
	}
	return min(total, int(p.bombSteps))
}

// lossChoice reports whether the losses can be distributed in more than one way.
func (p *Position) lossChoice() bool {
	victims, total := p.bombVictims(), 0
	for u := range victims.Each {
		total += int(p.steps[u])
	}
	return victims.Len() > 1 && int(p.bombSteps) < total
}

// checkLosses checks a distribution: the sum of the die, no unit more than it has (DF 6.9-b).
func (p *Position) checkLosses(c Command) *rules.Refusal {
	given, need := c.Units.Len()+c.twice().Len(), p.bombLoss()
	if c.Units&^p.bombVictims() != 0 || c.twice()&^c.Units != 0 {
		return p.refuse("DF 6.9-b", "refuse.not-there")
	}
	for u := range c.twice().Each {
		if p.steps[u] < 2 {
			return p.refuseUnit("DF 6.9-b", "refuse.steps", u, "steps", int(p.steps[u]))
		}
	}
	if given != need {
		return p.refuse("DF 6.9-b", "refuse.losses", "given", given, "need", need)
	}
	return nil
}

func (p *Position) legalLosses(yield func(Command) bool) bool {
	c := only(KindLosses)
	return p.lossesFrom(&c, p.bombVictims(), p.bombLoss(), yield)
}

func (p *Position) lossesFrom(c *Command, rest UnitSet, left int, yield func(Command) bool) bool {
	if rest == 0 {
		return left != 0 || yield(*c)
	}
	u := rest.First()
	for n := 0; n <= min(left, int(p.steps[u])); n++ {
		next := *c
		if n > 0 {
			next.Units |= bit(u)
		}
		if n > 1 {
			next.Detail |= uint64(bit(u))
		}
		if !p.lossesFrom(&next, rest&^bit(u), left-n, yield) {
			return false
		}
	}
	return true
}

func (p *Position) loseToBomb(x *exec, c Command) {
	e := &downfallv1.BombLosses{}
	for u := range c.Units.Each {
		steps := uint32(1)
		if c.twice().Has(u) {
			steps = 2
		}
		e.Losses = append(e.Losses, &downfallv1.StepLoss{
			Unit: p.id(u), Steps: steps, Eliminated: int(steps) >= int(p.steps[u]),
		})
	}
	emit(x, e)
}

// settleBomb pins Japanese survivors (DF 6.10-a), shakes US units in adjacent hexes, whatever the hexside (DF 6.10-b),
// and makes the hex Rough (DF 6.10-c). The AV Box has neither terrain nor neighbours (DF 6.10-e).
func (p *Position) settleBomb(x *exec) {
	e := &downfallv1.Exploded{Pinned: p.ids(p.bombVictims())}
	if p.bombAt < bombUnit {
		h := Hex(p.bombAt)
		e.Hex = p.num(h)
		var shaken UnitSet
		for _, n := range p.sc.Near[h] {
			if n != NoHex {
				shaken |= p.groundOf(US, n)
			}
		}
		e.Shaken = p.ids(shaken)
	}
	emit(x, e)
}
