package downfall

import (
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// Chapter 14: modifiers. All of them add up, and the sum may be 0 or less (DF 14.1); they change the
// strength, not the die (D-36).

// silent reports whether corps artillery may not fire: OOS or treated as OOS (DF 9.5-a, DF 10.5-b).
func (p *Position) silent(u Unit) bool { return p.fight.mixed || p.supply[u] == OOS }

// strength is the modified strength of a unit in the combat: the largest d10 that hits (DF 13.4-2).
func (p *Position) strength(u Unit) int {
	terrain, river, supply, support := p.partsOf(u)
	return p.sc.Units[u].Strength[min(p.steps[u], 2)] + terrain + river + supply + support
}

// partsOf are what changes the strength of a unit. Terrain does not change a defender's (DF 14.2).
func (p *Position) partsOf(u Unit) (terrain, river, supply, support int) {
	f := &p.fight
	switch {
	case p.tab.us.Has(u) && f.byJapan:
		return 0, 0, p.supplyDefence(u), p.supportBonus(u)
	case p.tab.us.Has(u):
		terrain, river = p.usTerrain(u)
		return terrain, river, p.supplyAttack(u), p.supportBonus(u)
	case f.byJapan:
		terrain, river = p.japanTerrain()
	}
	return terrain, river, 0, 0
}

// supplyAttack and supplyDefence are the modifiers of DF 14.4: OOS or mixed corps -2 and -1 (DF 9.5-b), coastal supply
// -1 in attack (DF 9.6-a), also in a bombardment (D-38).
func (p *Position) supplyAttack(u Unit) int {
	switch {
	case p.fight.mixed || p.supply[u] == OOS:
		return -2
	case p.supply[u] == Coast:
		return -1
	}
	return 0
}

func (p *Position) supplyDefence(u Unit) int {
	if p.fight.mixed || p.supply[u] == OOS {
		return -1
	}
	return 0
}

// usTerrain is the terrain of the defender's hex, by the chemical die if it varies (DF 14.3), and the hexside. Rivers
// don't matter to corps artillery (DF 14.2), and a landing crosses none (DF 8.7-a).
func (p *Position) usTerrain(u Unit) (hex, river int) {
	f := &p.fight
	t := &p.sc.Terrains[p.terrain(f.target)]
	hex = t.USAttack[0]
	if t.Variable {
		hex = int(f.chemMod)
	}
	if !p.tab.art.Has(u) && !f.landing && p.acrossRiver() {
		river = p.sc.River.USAttack
	}
	return hex, river
}

func (p *Position) japanTerrain() (hex, river int) {
	hex = p.sc.Terrains[p.terrain(p.fight.target)].JPAttack
	if p.acrossRiver() {
		river = p.sc.River.JPAttack
	}
	return hex, river
}

func (p *Position) acrossRiver() bool {
	d, ok := p.sc.Map.DirTo(p.fight.from, p.fight.target)
	return ok && p.sc.Rivers[p.fight.from].Has(d)
}

// supportBonus is what air and naval support give to US line units, never to corps artillery: air +1 (DF 14.5-a), naval
// +2 in a coastal hex and +1 next to one (DF 14.6-a, D-49).
func (p *Position) supportBonus(u Unit) int {
	f, bonus := &p.fight, 0
	if p.tab.art.Has(u) {
		return 0
	}
	if f.air {
		bonus++
	}
	if f.naval > 0 {
		bonus++
		if p.sc.Is(f.usHex(), scenario.Coastal) {
			bonus++
		}
	}
	return bonus
}
