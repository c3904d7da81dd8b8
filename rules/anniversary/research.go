package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Phase 1: Research & Development (AA 6.1.3). Its steps: 0 buy researchers, 1 roll, 2 choose a chart, 3 over.

func (p *Position) askResearch() (Ask, rules.Seats) {
	switch {
	case p.step == 0 && int(p.ipc[p.power]) >= p.sc.Numbers.ResearcherCost:
		return AskResearch, seatOf(p.power)
	case p.step == 2 && p.chartOpen(1) && p.chartOpen(2):
		return AskChart, seatOf(p.power)
	}
	return AskNothing, 0
}

// chartOpen reports whether a power lacks a technology of a chart (AA 6.2.7).
func (p *Position) chartOpen(chart uint8) bool {
	const all scenario.Techs = 1<<6 - 1
	return p.tech[p.power]>>(6*(chart-1))&all != all
}

// checkResearch: as many as there is money for (AA 6.2.1).
func (p *Position) checkResearch(n uint8) *rules.Refusal {
	if cost := int(n) * p.sc.Numbers.ResearcherCost; cost > int(p.ipc[p.power]) {
		return rules.Refuse("AA 6.2.1", "refuse.researchers", "n", int(n), "cost", cost, "ipcs", int(p.ipc[p.power]))
	}
	return nil
}

func (p *Position) buyResearchers(x *exec, n uint8) {
	emit(x, &anniversaryv1.ResearchersBought{
		Power: protoPower(p.power), Count: uint32(n), Paid: uint32(int(n) * p.sc.Numbers.ResearcherCost),
	})
}

// stepResearch rolls the research dice, or for the one chart that is left.
func (p *Position) stepResearch(x *exec) {
	switch {
	case p.step == 2 && p.chartOpen(1):
		p.breakthrough(x, 1)
	case p.step == 2:
		p.breakthrough(x, 2)
	default:
		p.rollResearch(x)
	}
}

// rollResearch throws a die for every token (AA 6.2.2); a 6 takes all tokens away (AA 6.2.3), otherwise
// they are kept (AA 6.2.4).
func (p *Position) rollResearch(x *exec) {
	e := &anniversaryv1.ResearchRolled{Power: protoPower(p.power)}
	for range p.tokens[p.power] {
		die := x.Roll(dieSides, "research")
		e.Dice = append(e.Dice, uint32(die))
		e.Success = e.Success || die >= p.sc.Numbers.ResearchSuccess
	}
	emit(x, e)
}

// checkChart: one of the two charts. It is asked for only while something is left on both (AA 6.2.7).
func checkChart(chart uint8) *rules.Refusal {
	if chart != 1 && chart != 2 {
		return rules.Malformed("chart must be 1 or 2, not %d", chart)
	}
	return nil
}

// breakthrough rolls on a chart until something new comes up (AA 6.2.6, AA 6.3.1, AA 6.4.1); it takes effect at once
// (AA 6.2.9), once a turn (AA 6.2.8).
func (p *Position) breakthrough(x *exec, chart uint8) {
	e := &anniversaryv1.TechnologyGained{Power: protoPower(p.power), Chart: uint32(chart)}
	for {
		die := x.Roll(dieSides, "breakthrough")
		e.Dice = append(e.Dice, uint32(die))
		if t := Tech(6*(int(chart)-1) + die - 1); !p.tech[p.power].Has(t) {
			e.Technology = anniversaryv1.Technology(t + 1)
			break
		}
	}
	emit(x, e)
}
