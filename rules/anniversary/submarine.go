package anniversary

import (
	"math/bits"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
)

// Submarines (AA 9.7): in each round, without an enemy destroyer, they submerge or strike by surprise first.

// divers is the set of powers whose submarines must still choose, by bit.
func (p *Position) divers() uint8 {
	b := &p.battle
	var set uint8
	for _, g := range p.at(b.at) {
		if g.Unit() != Submarine || g.Has(Struck) {
			continue // hit by the strike: fires, but may not submerge (AA 9.7.3)
		}
		if b.stage == StageAttackingSubs && p.attacks(g.Key) || b.stage == StageDefendingSubs && p.defends(g.Key) {
			set |= 1 << g.Power()
		}
	}
	return set &^ b.dived
}

// diver is the next power whose submarines choose; NoPower if none.
func (p *Position) diver() Power {
	if d := p.divers(); d != 0 {
		return Power(bits.TrailingZeros8(d))
	}
	return NoPower
}

func (p *Position) askDive() (Ask, rules.Seats) {
	w := p.diver()
	if w == NoPower || p.ordersOf(w).subs != subsAsk {
		return AskNothing, 0
	}
	return AskSubmerge, seatOf(w)
}

// subsOf counts the submarines of a power that choose.
func (p *Position) subsOf(w Power) int {
	n := 0
	for _, g := range p.at(p.battle.at) {
		if g.Power() == w && g.Unit() == Submarine && !g.Has(Struck|Submerged|Done) {
			n += int(g.N)
		}
	}
	return n
}

// checkSubmerge: no more than there are (AA 9.7.2, AA 9.7.3).
func (p *Position) checkSubmerge(n uint8) *rules.Refusal {
	w := p.diver()
	if have := p.subsOf(w); int(n) > have {
		return p.refuseAt("AA 9.7.2", "refuse.submarines", p.battle.at, "n", int(n), "have", have)
	}
	return nil
}

// submerge takes submarines out of the combat (AA 9.7.7); the others strike.
func (p *Position) submerge(x *exec, n int) {
	w := p.diver()
	e := &anniversaryv1.SubmarinesChose{Power: protoPower(w), Submerged: uint32(n)}
	var list []change
	for _, g := range p.at(p.battle.at) {
		if g.Power() == w && g.Unit() == Submarine && !g.Has(Struck|Submerged|Done) && n > 0 {
			take := min(uint16(n), g.N)
			n -= int(take)
			list = append(list, change{g.Key, g.mark(Submerged), take})
		}
	}
	e.Changes = p.changes(list)
	emit(x, e)
}

// dive carries out standing orders of submarines; false if all have chosen.
func (p *Position) dive(x *exec) bool {
	w := p.diver()
	if w == NoPower {
		return false
	}
	x.Reveal()
	n := 0
	if p.ordersOf(w).subs == subsSubmerge {
		n = p.subsOf(w)
	}
	p.submerge(x, n)
	return true
}

// attackingSubs lets the attacker's submarines strike (AA 9.7.2).
func (p *Position) attackingSubs(x *exec) {
	if p.dive(x) {
		return
	}
	s := p.attackSalvo(true)
	if s.empty() {
		p.afterStrike(x)
		return
	}
	e := anniversaryv1.Fired{Attacker: true, Surprise: true}
	var hits [odds.NumClasses]int
	p.roll(x, &s, p.acting, "surprise", &e.Volleys, &hits)
	p.emitFired(x, &e, hits, StageDefenderStruck)
}

// afterStrike goes on to the defender's submarines, if they may act (AA 9.7.3).
func (p *Position) afterStrike(x *exec) {
	stage := StageStruckRemoved
	if _, def := p.forces(); def.Subs > 0 && !p.battle.attackerDestroyer {
		stage = StageDefendingSubs
	}
	x.Emit(eventWentOn(stage, p.battle.round, p.battle.attackerDestroyer, p.battle.defenderDestroyer))
}

// defendingSubs lets the defender's submarines strike, those just hit too.
func (p *Position) defendingSubs(x *exec) {
	if p.dive(x) {
		return
	}
	e := anniversaryv1.Fired{Surprise: true}
	var hits [odds.NumClasses]int
	for w := range NumPowers {
		if w.Side() != p.side() {
			s := p.defenceSalvo(w, true)
			p.roll(x, &s, w, "surprise", &e.Volleys, &hits)
		}
	}
	if len(e.Volleys) == 0 {
		x.Emit(eventWentOn(StageStruckRemoved, p.battle.round, p.battle.attackerDestroyer, p.battle.defenderDestroyer))
		return
	}
	p.emitFired(x, &e, hits, StageAttackerStruck)
}
