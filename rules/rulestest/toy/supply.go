package toy

import (
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
)

// checkRally: a unit that has not acted gets back steps that it lacks, for a supply each (TY 6.1).
func (p *State) checkRally(seat rules.Seat, u Unit, steps uint8) *rules.Refusal {
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	unit, name, id := &p.units[u], p.name(u), p.id(u)
	switch lacks := p.sc.units[u].Steps - unit.steps; {
	case unit.moved || unit.fought:
		return rules.Refuse("TY 6.1", "refuse.rally_acted", "unit", name).About(id)
	case steps == 0 || steps > lacks:
		return rules.Refuse("TY 6.1", "refuse.rally_full", "unit", name, "lacks", int(lacks),
			"steps", int(steps)).About(id)
	case steps > p.seats[seat].supply:
		return rules.Refuse("TY 6.1", "refuse.rally_supply", "steps", int(steps),
			"supply", int(p.seats[seat].supply)).About(id)
	}
	return nil
}

// rally restores steps (TY 6.1).
func rally(x *exec, u Unit, steps uint8) {
	emit(x, &toyv1.Rallied{Unit: x.Pos.id(u), Steps: uint32(steps), Supply: uint32(steps)})
}
