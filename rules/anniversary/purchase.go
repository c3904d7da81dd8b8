package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Phase 2: Purchase Units. In the turn of the United States recruits come first (step 0), and the order of the two
// powers is chosen last (step 2).

// purchaseStep is the step in which units are bought.
func (p *Position) purchaseStep() uint8 {
	if p.chinaPlays() {
		return 1
	}
	return 0
}

func (p *Position) askPurchase() (Ask, rules.Seats) {
	switch {
	case p.step == p.purchaseStep() && !p.capitalLost(p.power) && p.canBuy():
		return AskPurchase, seatOf(p.power)
	case p.chinaPlays() && p.step == 2 && p.chinaStands():
		return AskOrder, seatOf(p.power)
	}
	return AskNothing, 0
}

// cost is the price of a unit for a power (AA 7.1.2, AA 6.4.4).
func (p *Position) cost(w Power, u Unit) int { return p.sc.Cost(u, p.tech[w]) }

// canBuy reports whether there is money for anything.
func (p *Position) canBuy() bool {
	ipcs := int(p.ipc[p.power])
	if ipcs >= p.sc.Numbers.RepairCost && p.damaged(p.power) {
		return true
	}
	for u := range NumUnits {
		if p.cost(p.power, u) <= ipcs {
			return true
		}
	}
	return false
}

// damaged reports whether a complex of a power has damage.
func (p *Position) damaged(w Power) bool {
	for s := range p.complexes.Each {
		if p.owner[s] == w && p.damage[s] > 0 {
			return true
		}
	}
	return false
}

// checkBuy: anything that can be paid (AA 7.1.1, AA 7.1.3), however much fits anywhere (AA 1.2.2, AA 7.1.5), out of the
// own purse (AA 1.1.5).
func (p *Position) checkBuy(c *Command) *rules.Refusal {
	for _, it := range c.items() {
		if it.Unit >= NumUnits || it.N == 0 {
			return rules.Malformed("a line needs a unit and a number from 1")
		}
	}
	switch total := p.bill(c); {
	case c.Len == 0:
		return rules.Malformed("nothing to buy")
	case total > int(p.ipc[p.power]):
		return rules.Refuse("AA 7.1.3", "refuse.too-dear", "cost", total, "ipcs", int(p.ipc[p.power]))
	}
	return nil
}

// bill is what all units of a command cost.
func (p *Position) bill(c *Command) (total int) {
	for _, it := range c.items() {
		if it.Unit < NumUnits {
			total += int(it.N) * p.cost(p.power, it.Unit)
		}
	}
	return total
}

// buy puts units into the mobilization zone (AA 7.1.4).
func (p *Position) buy(x *exec, c *Command) {
	e := &anniversaryv1.UnitsBought{Power: protoPower(p.power), Paid: uint32(p.bill(c))}
	for _, it := range c.items() {
		e.Units = append(e.Units, &anniversaryv1.Line{Unit: protoUnit(it.Unit), Count: uint32(it.N)})
	}
	emit(x, e)
}

// repairCost is the price of removing markers (AA 7.2.1); with Increased Factory Production two cost 1 IPC (AA 6.3.13).
func (p *Position) repairCost(n int) int {
	per := 1
	if p.has(p.power, scenario.IncreasedProduction) {
		per = p.sc.Effects.Repair
	}
	return (n + per - 1) / per * p.sc.Numbers.RepairCost
}

// checkRepair: of own complexes only (AA 7.2.3).
func (p *Position) checkRepair(s Space, n uint8) *rules.Refusal {
	id := p.sc.SpaceID(s)
	switch cost := p.repairCost(int(n)); {
	case s >= p.sc.Land || !p.complexes.Has(s):
		return rules.Refuse("AA 7.2.1", "refuse.no-complex", "space", p.name(s)).At(id)
	case p.owner[s] != p.power:
		return rules.Refuse("AA 7.2.3", "refuse.not-your-complex", "space", p.name(s)).At(id)
	case n == 0 || n > p.damage[s]:
		return rules.Refuse("AA 7.2.1", "refuse.no-damage", "space", p.name(s), "n", int(n),
			"damage", int(p.damage[s])).At(id)
	case cost > int(p.ipc[p.power]):
		return rules.Refuse("AA 7.1.3", "refuse.too-dear", "cost", cost, "ipcs", int(p.ipc[p.power]))
	}
	return nil
}

// repair works at once (AA 7.2.2).
func (p *Position) repair(x *exec, s Space, n uint8) {
	emit(x, &anniversaryv1.DamageRepaired{
		Power: protoPower(p.power), Territory: p.sc.SpaceID(s), Markers: uint32(n), Paid: uint32(p.repairCost(int(n))),
	})
}
