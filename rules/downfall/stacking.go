package downfall

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// Chapter 10: stacking. Limits hold at set-up, on entry, and at the end of every move, advance and retreat, not on
// the way (DF 10.1, D-42).

// fits reports whether a unit may end in a hex with what is there: three Japanese units (DF 10.3-a); three US units,
// 6/ASCO being one of them (DF 8.8-f, DF 8.8-S4, D-31), and one corps artillery (DF 10.4). Beachheads and markers
// don't count (DF 8.5-S2, DF 10.7).
func (p *Position) fits(u Unit, h Hex) bool {
	seat := US
	if p.tab.japan.Has(u) {
		seat = Japan
	}
	return p.room(seat, p.tab.art.Has(u), p.at[h]&^bit(u))
}

// room reports whether there is room for a unit of a seat, or its corps artillery, beside others.
func (p *Position) room(seat rules.Seat, art bool, there UnitSet) bool {
	switch {
	case seat == Japan:
		return (there & p.tab.japan).Len() < scenario.JapaneseStack
	case art:
		return (there & p.tab.art).Len() < scenario.ArtilleryStack
	}
	return (there & p.tab.us &^ p.tab.art).Len() < scenario.USStack
}

// fitAll is fits for units that come together.
func (p *Position) fitAll(units UnitSet, h Hex) bool {
	all := p.at[h] | units
	if units&p.tab.japan != 0 {
		return (all & p.tab.japan).Len() <= scenario.JapaneseStack
	}
	return (all&p.tab.art).Len() <= scenario.ArtilleryStack && (all&p.tab.us&^p.tab.art).Len() <= scenario.USStack
}

// checkStack refuses what does not fit.
func (p *Position) checkStack(u Unit, h Hex) *rules.Refusal {
	if p.fits(u, h) {
		return nil
	}
	switch {
	case p.tab.japan.Has(u):
		return p.refuseHex("DF 10.3-a", "refuse.stack", h, "max", scenario.JapaneseStack)
	case p.tab.art.Has(u):
		return p.refuseHex("DF 10.4", "refuse.stack-artillery", h)
	}
	return p.refuseHex("DF 10.4", "refuse.stack", h, "max", scenario.USStack)
}

// mixed reports whether a hex holds units of more than one US corps (DF 10.5). Floaters belong to any (DF 10.6), corps
// artillery to its own corps; beachheads don't count (DF 10.7).
func (p *Position) mixed(h Hex) bool {
	here, corps := p.at[h], 0
	for f := scenario.CorpsI; f < scenario.NumCorps; f++ {
		if here&p.tab.formation[f] != 0 {
			corps++
		}
	}
	return corps > 1
}

// findExcess is a hex whose stack breaks the limits, NoHex if none exists. Play never makes one (D-44); a position
// that was read may have one.
func (p *Position) findExcess() Hex {
	for h := range Hex(len(p.at)) {
		if p.at[h] != 0 && !p.fitAll(0, h) || (p.at[h]&p.tab.japan).Len() > scenario.JapaneseStack {
			return h
		}
	}
	return NoHex
}

// excessUnits are the units of an overfull hex from which its owner picks (DF 10.3-b, DF 10.8):
// those whose removal helps.
func (p *Position) excessUnits() UnitSet {
	here := p.at[p.excess]
	switch {
	case here&p.tab.japan != 0:
		return here & p.tab.japan
	case (here & p.tab.art).Len() > scenario.ArtilleryStack:
		return here & p.tab.art
	}
	return here & p.tab.us &^ p.tab.art
}

func (p *Position) checkEliminate(c Command) *rules.Refusal {
	if !p.excessUnits().Has(c.Unit) {
		rule := "DF 10.8"
		if p.at[p.excess]&p.tab.japan != 0 {
			rule = "DF 10.3-b"
		}
		return p.refuseUnit(rule, "refuse.not-excess", c.Unit, "hex", p.excess)
	}
	return nil
}

// playEliminate removes a unit for good (DF 10.3-b, DF 10.8). All its steps count as lost (D-09).
func (p *Position) playEliminate(x *exec, c Command) {
	rule, points, before := "DF 10.3-b", 0, p.vp
	if p.tab.us.Has(c.Unit) {
		rule = "DF 10.8"
		if c.Unit == p.sc.Service {
			p.loseService(x, rule)
			p.checkDefeat(x, before)
			return
		}
		if p.unsupplied(c.Unit) {
			points = int(p.steps[c.Unit]) * p.sc.Chart.Scoring.Step
		}
	}
	x.Emit(p.eventEliminated(c.Unit, true, rule))
	p.lose(x, points, "DF 4.11")
	p.checkDefeat(x, before)
}
