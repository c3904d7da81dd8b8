package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// A US attack, step by step (DF 13.3), whose losses are final before the advance (DF 13.3-6), and the IX Corps landing
// (DF 8.7).

func (p *Position) stepUSAttack(x *exec) {
	f := &p.fight
	switch f.stage {
	case StageOpen:
		if p.decl.declared && p.supportable() && !f.landing {
			p.goOn(x, StageSupport, 0) // DF 7.9-c, D-20
		} else {
			p.deploy(x)
		}
	case StageSupport:
		p.deploy(x)
	case StageBombard:
		p.afterBombardment(x)
	case StageJapanFire:
		if p.mayBreak() {
			p.goOn(x, StageBreak, 0)
		} else {
			p.goOn(x, StageSettle, 0)
		}
	case StageSettle:
		p.settle(x)
		p.afterSettling(x)
	case StageUSFire:
		p.endUSAttack(x)
	}
}

// deploy rolls for variable terrain, once for the whole combat (DF 14.3, D-57), then opens the bombardment if corps
// artillery attacks and may fire (DF 13.3-2).
func (p *Position) deploy(x *exec) {
	f := &p.fight
	if t := &p.sc.Terrains[p.terrain(f.target)]; t.Variable && f.chemical == 0 {
		die := x.Roll(6, "chemical")
		emit(x, &downfallv1.ChemicalRolled{
			Die: uint32(die), Modifier: int32(t.USAttack[die]),
		})
	}
	art := f.attackers & p.tab.art
	if art != 0 && !p.silent(art.First()) {
		p.goOn(x, StageBombard, art)
		return
	}
	p.goOn(x, StageJapanFire, p.standing(f.defenders))
}

func (p *Position) afterBombardment(x *exec) {
	if left := p.standing(p.fight.defenders); left != 0 {
		p.goOn(x, StageJapanFire, left) // DF 13.3-3
		return
	}
	p.goOn(x, StageAdvance, 0)
}

// afterSettling opens the US fire by the line units left, unless the attack was aborted; corps artillery had its
// shot (DF 13.3-5, D-51).
func (p *Position) afterSettling(x *exec) {
	f := &p.fight
	shooters := p.standing(f.attackers) & p.tab.line
	switch {
	case f.retreat:
		p.goOn(x, StageDone, 0) // DF 13.3-4
	case p.over():
	case shooters != 0:
		p.goOn(x, StageUSFire, shooters)
	default:
		p.endUSAttack(x)
	}
}

// endUSAttack ends a landing, or offers the advance (DF 13.3-7).
func (p *Position) endUSAttack(x *exec) {
	if p.fight.landing {
		p.endLanding(x)
		return
	}
	p.goOn(x, StageAdvance, 0)
}

func (p *Position) checkBombard(c Command) *rules.Refusal {
	if c.Unit != NoUnit && !p.standing(p.fight.defenders).Has(c.Unit) {
		return p.refuseUnit("DF 13.3-2", "refuse.not-target", c.Unit)
	}
	return nil
}

func (p *Position) playBombard(x *exec, c Command) {
	art := p.fight.toFire.First()
	if c.Unit == NoUnit {
		p.afterBombardment(x)
		return
	}
	p.fire(x, art, c.Unit, 0)
}

func (p *Position) legalBombard(yield func(Command) bool) bool {
	for u := range p.standing(p.fight.defenders).Each {
		if !yield(naming(KindBombard, u)) {
			return false
		}
	}
	return yield(only(KindBombard))
}
