package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Chapter 8, replacements: only US divisions and corps artillery, as often as CP allow (DF 8.9-a). Never beachheads (DF
// 8.5-S4) nor 6/ASCO (DF 8.8-S7).

// checkRecover checks the recovery of a step: a reduced division on the map (DF 8.9-b), not OOS, that has neither acted
// (DF 7.6-b) nor arrived this turn (DF 8.9-e, D-66), nor is marked by a bomb (DF 6.10-b).
func (p *Position) checkRecover(c Command) *rules.Refusal {
	u := c.Unit
	switch {
	case p.ban:
		return p.refuse("DF 6.5-6", "refuse.ban").About(p.id(u))
	case !p.tab.divisions.Has(u) || !p.onMap.Has(u) || p.steps[u] != 1:
		return p.refuseUnit("DF 8.9-a", "refuse.not-reduced", u)
	case p.bombed.Has(u):
		return p.refuseUnit("DF 6.10-b", "refuse.bombed", u)
	case p.arrived.Has(u):
		return p.refuseUnit("DF 8.9-e", "refuse.arrived", u)
	case p.acted.Has(u) || p.refitted.Has(u):
		return p.refuseUnit("DF 7.6-b", "refuse.acted", u)
	case p.supply[u] == OOS:
		return p.refuseUnit("DF 8.9-b", "refuse.oos", u)
	}
	return p.afford(p.sc.Chart.CP.Recover)
}

func (p *Position) playRecover(x *exec, c Command) {
	emit(x, &downfallv1.StepRecovered{
		Unit: p.id(c.Unit), Steps: uint32(p.steps[c.Unit]) + 1, Cp: uint32(p.sc.Chart.CP.Recover),
	})
}

// checkRebuild checks the rebuilding of an eliminated division (DF 8.9-c) or corps artillery (D-32); what was lost for
// good can't be (DF 8.10, DF 10.8).
func (p *Position) checkRebuild(c Command) *rules.Refusal {
	u := c.Unit
	switch {
	case p.ban:
		return p.refuse("DF 6.5-6", "refuse.ban").About(p.id(u))
	case !(p.tab.divisions | p.tab.art&p.tab.us).Has(u):
		return p.refuseUnit("DF 8.9-a", "refuse.not-rebuildable", u)
	case p.place[u] == Removed:
		return p.refuseUnit("DF 8.10", "refuse.removed", u)
	case p.place[u] != Eliminated:
		return p.refuseUnit("DF 8.9-c", "refuse.not-eliminated", u)
	}
	return p.afford(p.sc.Chart.CP.Rebuild)
}

func (p *Position) playRebuild(x *exec, c Command) {
	emit(x, &downfallv1.UnitRebuilt{
		Unit: p.id(c.Unit), Steps: 1, Cp: uint32(p.sc.Chart.CP.Rebuild),
	})
}

// checkStepUp checks the step-up of a reduced division in the Holding Box, from the turn after its
// rebuilding (DF 8.9-f).
func (p *Position) checkStepUp(c Command) *rules.Refusal {
	u := c.Unit
	switch {
	case p.ban:
		return p.refuse("DF 6.5-6", "refuse.ban").About(p.id(u))
	case !p.tab.divisions.Has(u) || p.place[u] != Holding || p.steps[u] != 1:
		return p.refuseUnit("DF 8.9-f", "refuse.not-reduced", u)
	case p.boxed.Has(u):
		return p.refuseUnit("DF 8.9-f", "refuse.boxed", u)
	}
	return p.afford(p.sc.Chart.CP.Recover)
}

func (p *Position) playStepUp(x *exec, c Command) {
	emit(x, &downfallv1.SteppedUp{
		Unit: p.id(c.Unit), Steps: uint32(p.steps[c.Unit]) + 1, Cp: uint32(p.sc.Chart.CP.Recover),
	})
}

// legalReplacements lists recoveries, rebuildings and step-ups.
func (p *Position) legalReplacements(yield func(Command) bool) bool {
	if p.ban {
		return true
	}
	price := &p.sc.Chart.CP
	for u := range (p.tab.divisions | p.tab.art&p.tab.us).Each {
		var k Kind
		switch {
		case p.place[u] == Eliminated && int(p.cp) >= price.Rebuild:
			k = KindRebuild
		case p.steps[u] != 1 || !p.tab.divisions.Has(u) || int(p.cp) < price.Recover:
			continue
		case p.place[u] == Holding && !p.boxed.Has(u):
			k = KindStepUp
		case p.onMap.Has(u) && !(p.bombed | p.arrived | p.acted | p.refitted).Has(u) && p.supply[u] != OOS:
			k = KindRecover
		default:
			continue
		}
		if !yield(naming(k, u)) {
			return false
		}
	}
	return true
}
