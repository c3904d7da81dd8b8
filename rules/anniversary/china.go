package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// Chapter 5: China. It acts in the turn of the United States (AA 5.4) and has no economy (AA 5.1.2).

// recruits are the infantry that China receives: one for every two Chinese territories that no Axis power controls (AA
// 5.2.1), also while Washington is lost (AA 5.2.2).
func (p *Position) recruits() (n, territories int) {
	for s := range p.sc.ChinaRules.Territories.Each {
		if p.owner[s].Side() != Axis {
			territories++
		}
	}
	return territories / p.sc.ChinaRules.ARecruit, territories
}

// stepChina raises recruits, passes over what the United States can't do, and the choice of the order
// when China has no units.
func (p *Position) stepChina(x *exec) {
	switch p.step {
	case 0:
		n, territories := p.recruits()
		emit(x, &anniversaryv1.RecruitsRaised{
			Count: uint32(n), Territories: uint32(territories),
		})
	case 1:
		x.Emit(eventPhaseEnded(PhasePurchase))
	default:
		p.chooseOrder(x, false)
	}
}

// chooseOrder says who of the two moves and fights first (AA 5.4.1).
func (p *Position) chooseOrder(x *exec, china bool) {
	emit(x, &anniversaryv1.OrderChosen{ChinaFirst: china})
}

// chinaStands reports whether China has a unit that can do something.
func (p *Position) chinaStands() bool {
	for _, g := range p.groups {
		if g.Power() == China && g.Unit() != AAGun {
			return true
		}
	}
	return false
}

// checkChina: Chinese units stay in their range (AA 5.3.1), the fighter too (AA 5.3.5); Kwangtung is part of it (AA
// 5.3.3). In all else their moves and fights are checked as everybody's (AA 5.4.4).
func (p *Position) checkChina(w Power, s Space) *rules.Refusal {
	if w != China || p.sc.ChinaRules.Range.Has(s) {
		return nil
	}
	return p.refuseAt("AA 5.3.1", "refuse.china-range", s)
}

// checkRecruit: where China is in control (AA 5.2.3), and fewer than three units stand (AA 5.2.4).
func (p *Position) checkRecruit(s Space, n uint8, o *plan) *rules.Refusal {
	if !p.sc.ChinaRules.Territories.Has(s) || p.owner[s] != China {
		return p.no(o, "AA 5.2.3", "refuse.recruit-place", s)
	}
	stand := 0
	for _, g := range p.at(s) {
		if !p.opt.has(optChinese) || g.Power() == China { // AA 16.3.5
			stand += int(g.N)
		}
	}
	if limit := p.sc.ChinaRules.RecruitLimit; stand+int(n) > limit {
		return p.no(o, "AA 5.2.4", "refuse.recruit-limit", s, "units", stand, "limit", limit, "n", int(n))
	}
	return nil
}
