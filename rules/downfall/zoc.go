package downfall

import "github.com/warledger/warledger/rules"

// Chapter 11: zones of control. Every ground unit but 6/ASCO exerts ZOC into the adjacent hexes (DF 11.1, DF 11.2),
// not across a sea hexside (DF 11.3-a), and no more for being several or for being out of supply (DF 11.3-b).
// Position.put keeps the counts.

// inZOC reports whether a hex lies in the ZOC of a side, whoever is in it.
func (p *Position) inZOC(seat rules.Seat, h Hex) bool { return p.zoc[seat][h] != 0 }

// controls reports whether a side controls a hex: by a ground unit in it, or by ZOC if there is neither an enemy unit
// nor enemy ZOC (DF 11.7-a). It is derived from the position; a beachhead alone gives no control, 6/ASCO does (D-45).
func (p *Position) controls(seat rules.Seat, h Hex) bool {
	if p.groundOf(seat, h) != 0 {
		return true
	}
	foe := enemy(seat)
	return p.inZOC(seat, h) && p.groundOf(foe, h) == 0 && !p.inZOC(foe, h)
}

// japanNear reports whether a Japanese unit is adjacent to a hex, whatever the hexside (DF 8.8-b).
func (p *Position) japanNear(h Hex) bool {
	for _, n := range p.sc.Near[h] {
		if n != NoHex && p.at[n]&p.tab.japan != 0 {
			return true
		}
	}
	return false
}

// suppliedControl reports whether the US controls a hex by at least one unit that is in supply: an occupant or, without
// one, a unit whose ZOC reaches the hex (D-02).
func (p *Position) suppliedControl(h Hex) bool {
	if !p.controls(US, h) {
		return false
	}
	if here := p.groundOf(US, h); here != 0 {
		return p.anySupplied(here)
	}
	for _, n := range p.sc.Ground[h] {
		if n != NoHex && p.anySupplied(p.at[n]&p.tab.us&p.tab.zoc) {
			return true
		}
	}
	return false
}

// anySupplied reports whether one of the units is in supply for an award: not OOS (D-03), or by the switch LINE or AIR.
func (p *Position) anySupplied(units UnitSet) bool {
	for u := range units.Each {
		s := p.supply[u]
		if s == Line || s == Air || s == Coast && !p.on(StrictAwards) {
			return true
		}
	}
	return false
}
