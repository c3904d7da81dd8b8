package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// rule is a price: of a unit, or of removing damage.
type rule struct {
	unit           Unit
	cost, quantity uint32
}

// production reads prices: those of the frontier that players begin with, and those of improved shipyards.
func (im *importer) production(n *node) {
	im.costs = map[string]rule{}
	for _, c := range n.each("productionRule", "repairRule") {
		r := rule{unit: NoUnit}
		for _, x := range c.each("cost") {
			if res := x.get("resource"); !isMoney(res) {
				im.fault(x, "a price in %.40q, expected PUs", res)
			}
			r.cost = im.number(x, "quantity")
		}
		for _, x := range c.each("result") {
			if r.unit = xmlUnit(x.get("resourceOrUnit")); r.unit == NoUnit {
				im.warn(x, "%.40q is no unit of this game", x.get("resourceOrUnit"))
			}
			r.quantity = im.number(x, "quantity")
		}
		im.costs[c.get("name")] = r
	}
	frontiers := map[string]*node{}
	for _, c := range n.each("productionFrontier", "repairFrontier") {
		frontiers[c.get("name")] = c
	}
	used := map[string]bool{}
	for _, c := range n.each("playerProduction", "playerRepair") {
		w, name := im.power(c, c.get("player")), c.get("frontier")
		if frontiers[name] == nil {
			im.fault(c, "there is no frontier %.40q", name)
		} else if w != China { // China buys nothing (AA 5.1.2)
			used[name] = true
		}
	}
	priced := map[Unit]uint32{}
	repair := uint32(0)
	for _, c := range n.each("productionFrontier", "repairFrontier") {
		switch name := c.get("name"); {
		case used[name] && c.name == "productionFrontier":
			im.frontier(c, func(x *node, r rule) {
				if r.quantity != 1 || priced[r.unit] != 0 && priced[r.unit] != r.cost {
					im.fault(x, "%s has two prices", unitNames[r.unit])
				}
				priced[r.unit] = r.cost
				im.unitRow(r.unit).Cost = r.cost
			})
		case used[name]:
			im.frontier(c, func(x *node, r rule) {
				if r.quantity != 1 || r.unit != Complex || repair != 0 && repair != r.cost {
					im.fault(x, "expected one price of removing one damage of a factory")
				}
				repair = r.cost
				im.sc.Tables.Numbers.RepairCost = r.cost
			})
		case name == "productionShipyards":
			im.shipyards(c)
		case name == "repairIndustrialTechnology":
			im.frontier(c, func(x *node, r rule) {
				if r.cost != 1 || r.unit != Complex {
					im.fault(x, "expected how much damage of a factory 1 PU removes")
				}
				im.effect(IncreasedProduction, anniversaryv1.EffectKind_EFFECT_KIND_REPAIR).Value = r.quantity
			})
		default:
			c.read = name == "production" || name == "repair"
		}
	}
	for u := range Unit(NumUnits) {
		if priced[u] == 0 {
			im.warn(n, "no player may buy %s; it keeps the price of the rulebook", unitNames[u])
		}
	}
}

// frontier reads the rules that a frontier has.
func (im *importer) frontier(n *node, use func(*node, rule)) {
	for _, x := range n.each("frontierRules", "repairRules") {
		r, ok := im.costs[x.get("name")]
		switch {
		case !ok:
			im.fault(x, "there is no rule %.40q", x.get("name"))
		case r.unit != NoUnit:
			use(x, r)
		}
	}
}

func (im *importer) shipyards(n *node) {
	for _, t := range im.sc.Tables.GetTechnologies() {
		if t.GetId() != ImprovedShipyards.ID() {
			continue
		}
		t.Effects = nil
		im.frontier(n, func(_ *node, r rule) {
			t.Effects = append(t.Effects, &anniversaryv1.Effect{Kind: anniversaryv1.EffectKind_EFFECT_KIND_COST, Unit: r.unit.ID(), Value: r.cost})
		})
	}
}

func (im *importer) unitRow(u Unit) *anniversaryv1.UnitRow {
	for _, row := range im.sc.Tables.GetUnits() {
		if row.GetId() == u.ID() {
			return row
		}
	}
	return &anniversaryv1.UnitRow{}
}

func (im *importer) effect(t Tech, k anniversaryv1.EffectKind) *anniversaryv1.Effect {
	for _, row := range im.sc.Tables.GetTechnologies() {
		for _, e := range row.GetEffects() {
			if row.GetId() == t.ID() && e.GetKind() == k {
				return e
			}
		}
	}
	return &anniversaryv1.Effect{}
}
