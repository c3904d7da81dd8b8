package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules/anniversary/odds"
)

// Dice of a combat. Values are rolled from high to low, submarines, aircraft that can't hit submarines, and others
// apart, each power for itself (AA 9.5.4, AA 9.5.6).

// dieSides is how many sides every die has (AA 1.2.8).
const dieSides = 6

// salvo is how many dice of each class and value are rolled.
type salvo [odds.NumClasses][odds.MaxValue + 1]uint16

// attackOf is the attack value of a unit without support.
func (p *Position) attackOf(k Key) int {
	return min(p.sc.Attack(k.Unit(), p.techs(k.Power())), odds.MaxValue)
}

// attackSalvo counts the attacker's dice; with only subs those of a surprise strike. Heavy bombers roll two (AA 6.4.7);
// artillery supports infantry (AA 9.5.9, AA 15.1.2, AA 15.2.2), recomputed each round.
func (p *Position) attackSalvo(subs bool) salvo {
	var s salvo
	sea := p.seaBattle()
	infantry, artillery := 0, 0
	techs := p.techs(p.acting)
	for _, g := range p.at(p.battle.at) {
		u := g.Unit()
		if !p.attacks(g.Key) || sea && subs != (u == Submarine) && (subs || p.surprised(true)) {
			continue
		}
		switch u {
		case Infantry:
			infantry += int(g.N)
			continue
		case Artillery:
			artillery += int(g.N)
		}
		s[odds.Class(u, p.battle.attackerDestroyer, sea)][p.attackOf(g.Key)] += g.N * uint16(p.sc.Dice(u, techs))
	}
	supported := min(infantry, artillery*p.sc.Supports(techs))
	s[odds.ByAny][min(p.sc.Numbers.SupportedAttack, odds.MaxValue)] += uint16(supported)
	s[odds.ByAny][min(p.sc.Units[Infantry].Attack, odds.MaxValue)] += uint16(infantry - supported)
	return s
}

// surprised reports whether a side's submarines struck by surprise in this round (AA 15.12.4): no enemy destroyer was
// there when it began (AA 9.7.1, AA 9.7.5), which cancels that (AA 15.12.2).
func (p *Position) surprised(attacker bool) bool {
	if attacker {
		return !p.battle.defenderDestroyer
	}
	return !p.battle.attackerDestroyer
}

// defenceSalvo counts a power's dice in defence, those in the casualty zone included (AA 9.5.6).
// Technologies don't help.
func (p *Position) defenceSalvo(w Power, subs bool) salvo {
	var s salvo
	sea := p.seaBattle()
	for _, g := range p.at(p.battle.at) {
		u := g.Unit()
		if g.Power() != w || !p.defends(g.Key) || sea && subs != (u == Submarine) && (subs || p.surprised(false)) {
			continue
		}
		s[odds.Class(u, p.battle.defenderDestroyer, sea)][min(p.sc.Units[u].Defence, odds.MaxValue)] += g.N
	}
	return s
}

// empty reports whether there is nothing to roll.
func (s *salvo) empty() bool {
	for c := range s {
		for v := 1; v <= odds.MaxValue; v++ {
			if s[c][v] > 0 {
				return false
			}
		}
	}
	return true
}

// roll throws the dice of a salvo and adds up hits by class.
func (p *Position) roll(
	x *exec, s *salvo, w Power, reason string, volleys *[]*anniversaryv1.Volley, hits *[odds.NumClasses]int,
) {
	for v := odds.MaxValue; v > 0; v-- {
		for c := range odds.NumClasses {
			if n := s[c][v]; n > 0 {
				hits[c] += p.volley(x, volleys, w, v, int(n), reason)
			}
		}
	}
}

// volley throws dice of one value and counts the hits: what is not higher (AA 9.5.4).
func (p *Position) volley(x *exec, volleys *[]*anniversaryv1.Volley, w Power, value, n int, reason string) (hits int) {
	v := &anniversaryv1.Volley{Power: protoPower(w), HitsWith: uint32(value), Dice: make([]uint32, n)}
	for i := range v.Dice {
		die := x.Roll(dieSides, reason)
		v.Dice[i] = uint32(die)
		if die <= value {
			hits++
		}
	}
	*volleys = append(*volleys, v)
	return hits
}

// fireAttack is step 2 (AA 9.5.4).
func (p *Position) fireAttack(x *exec) {
	s := p.attackSalvo(false)
	var e anniversaryv1.Fired
	var hits [odds.NumClasses]int
	p.roll(x, &s, p.acting, "attack", &e.Volleys, &hits)
	e.Attacker = true
	p.emitFired(x, &e, hits, StageDefenderLosses)
}

// fireDefence is step 3 (AA 9.5.6).
func (p *Position) fireDefence(x *exec) {
	var e anniversaryv1.Fired
	var hits [odds.NumClasses]int
	for w := range NumPowers {
		if w.Side() == p.side() {
			continue
		}
		s := p.defenceSalvo(w, false)
		p.roll(x, &s, w, "defence", &e.Volleys, &hits)
	}
	p.emitFired(x, &e, hits, StageAttackerLosses)
}

// emitFired tells of fire and who chooses the casualties.
func (p *Position) emitFired(x *exec, e *anniversaryv1.Fired, hits [odds.NumClasses]int, next Stage) {
	var h [odds.NumClasses]uint16
	total := 0
	for c, n := range hits {
		h[c] = uint16(n)
		total += n
		e.Hits = append(e.Hits, uint32(n))
	}
	m := p.menuAt(next, h)
	e.Lost = uint32(total - m.most)
	if !m.forced() {
		e.Chooser = protoPower(p.chooser(next))
	}
	e.Stage = anniversaryv1.Stage(next)
	emit(x, e)
}
