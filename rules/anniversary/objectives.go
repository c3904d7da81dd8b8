package anniversary

import (
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// National objectives (AA 14.2, AA 14.3). What each needs is in the scenario.

// fulfilled reports whether an objective is fulfilled now: control by the power itself, or by any powers of its side
// (AA 14.2.3); no enemy surface warships (AA 14.3.10); no units of allies (AA 14.3.16).
func (p *Position) fulfilled(o *scenario.Objective) bool {
	have := 0
	for _, s := range o.Territories {
		if p.owner[s] == o.Power || !o.Alone && p.owner[s].Side() == o.Power.Side() {
			have++
		}
	}
	if have < o.Need {
		return false
	}
	for _, z := range o.NoWarships {
		if p.tallies[z][o.Power.Side().Enemy()].surface > 0 {
			return false
		}
	}
	return !o.NoAllies || !p.alliesIn(o.Power)
}

// alliesIn reports whether a unit of another power of the side is in territory that a power controls: land, air and
// guns, not complexes, not at sea.
func (p *Position) alliesIn(w Power) bool {
	for _, g := range p.groups {
		k := g.Key
		if p.sc.IsSea(k.At()) {
			break // groups are in the order of spaces, territories first
		}
		if p.owner[k.At()] == w && k.Power() != w && k.Power().Side() == w.Side() {
			return true
		}
	}
	return false
}
