package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Phase 7: Collect Income.

// production is the production level of a power: the values of the territories that it controls now (AA 14.1.2),
// whoever stands in them (AA 11.1.1), also of Chinese ones (AA 5.1.2). China has none.
func (p *Position) production(w Power) int {
	if w >= NumSeats {
		return 0
	}
	n := 0
	for s := range p.sc.Land {
		if p.owner[s] == w {
			n += p.sc.Spaces[s].IPC
		}
	}
	return n
}

// collect pays production (AA 14.1.1), objectives (AA 14.2.2) and War Bonds (AA 6.3.15, AA 14.1.5); a power
// without its capital gets nothing (AA 14.1.3, AA 10.3.3): it has no such phase (AA 4.2.4), except in a position
// that was written down so.
func (p *Position) collect(x *exec) {
	w := p.power
	e := &anniversaryv1.IncomeCollected{Power: protoPower(w)}
	if p.capitalLost(w) {
		emit(x, e)
		return
	}
	e.Production = uint32(p.production(w))
	e.Total = e.Production
	if p.opt.has(optObjectives) { // AA 14.2.1, AA 16.2.1
		for i := range p.sc.Objectives {
			if o := &p.sc.Objectives[i]; o.Power == w && p.fulfilled(o) {
				e.Objectives = append(e.Objectives, o.ID)
				e.Bonus += uint32(o.Bonus)
			}
		}
	}
	e.Total += e.Bonus
	if p.has(w, scenario.WarBonds) {
		for range p.sc.Effects.IncomeDice {
			die := x.Roll(dieSides, "bonds")
			e.Bonds = append(e.Bonds, uint32(die))
			e.Total += uint32(die)
		}
	}
	emit(x, e)
}
