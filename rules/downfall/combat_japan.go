package downfall

// A Japanese attack, step by step (DF 13.2): after the fire all losses are final (DF 13.2-5), then the US units
// retreat if that was declared (DF 13.2-6), then the attackers may advance (DF 13.2-7).

func (p *Position) stepJapanAttack(x *exec) {
	f := &p.fight
	switch f.stage {
	case StageOpen:
		p.openJapanAttack(x)
	case StageSupport:
		p.goOn(x, StageUSFire, p.usDefenders())
	case StageUSFire:
		if shooters := p.standing(f.attackers); shooters != 0 {
			p.goOn(x, StageJapanFire, shooters) // DF 13.2-3: with the steps that they have left
		} else {
			p.goOn(x, StageSettle, 0)
		}
	case StageJapanFire:
		if p.mayBreak() {
			p.goOn(x, StageBreak, 0)
		} else {
			p.goOn(x, StageSettle, 0)
		}
	case StageSettle:
		p.settle(x)
		if f.retreat {
			p.goOn(x, StageWithdraw, 0)
		} else {
			p.goOn(x, StageAdvance, 0)
		}
	case StageWithdraw:
		if p.retreating() != 0 {
			p.playWithdraw(x, p.onlyWithdrawal())
			return
		}
		p.goOn(x, StageAdvance, 0)
	}
}

// openJapanAttack removes a beachhead or 6/ASCO without defenders, without dice and without support (DF 8.5-e,
// D-54); otherwise it asks for support, unless none exists or no line unit to help, and opens the US fire
// (DF 13.2-1, DF 13.2-2).
func (p *Position) openJapanAttack(x *exec) {
	f := &p.fight
	switch {
	case f.defenders == 0:
		before := p.vp
		p.loseMarkers(x, f.target, "DF 13.7")
		p.checkDefeat(x, before)
		p.goOn(x, StageAdvance, 0)
	case f.defenders&p.tab.line != 0 && p.supportable():
		p.goOn(x, StageSupport, 0)
	default:
		p.goOn(x, StageUSFire, p.usDefenders())
	}
}

// usDefenders are the units that fire in defence: line units, and corps artillery that is not silent (DF 13.2-2, DF
// 9.5-a), in every attack of a consecutive attack (DF 7.9-a).
func (p *Position) usDefenders() UnitSet {
	s := p.standing(p.fight.defenders)
	for u := range (s & p.tab.art).Each {
		if p.silent(u) {
			s &^= bit(u)
		}
	}
	return s
}
