package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// What changes the costs of the chart in play: engineers that bridge (OCS 13.8b) and trainbusting (OCS 14.8c).

// engineers reports whether a unit is able to use the engineer ability (OCS 13.8, OCS 13.8a): an engineer or HQ (OCS
// 13.1, OCS 13.1b-iii) in Combat mode, or in DG mode with its Combat face up (OCS 5.5b, OCS 5.10e).
func (p *Position) engineers(u Unit) bool {
	c, m := p.counter(u), p.mode(u)
	return (c.Engineer || c.HQ) && p.units[u].face == CombatFace && (m == CombatMode || m == DGMode)
}

// bridgers are the hexes in which units of a side bridge; nil if none exist.
func (p *Position) bridgers(seat rules.Seat) hexSet {
	var set hexSet
	for _, u := range p.sc.tab.builders[seat] {
		h := p.units[u].place.Hex()
		if h == NoHex || !p.engineers(u) {
			continue
		}
		if set == nil {
			set = make(hexSet, (len(p.sc.Hexes)+63)/64)
		}
		set.add(h)
	}
	return set
}

// bridgesOut reports whether a unit that bridges leaves its own hex, also after it has changed its mode (OCS 13.8b).
func (p *Position) bridgesOut(u Unit, from Hex) bool {
	c, s := p.counter(u), &p.units[u]
	return (c.Engineer || c.HQ) && s.place == Place(from) && s.place == s.origin &&
		s.marks.has(ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_COMBAT)
}

// bridged is the cost of a step over a hexside that an engineer bridges: a major river is a minor one, a minor river
// costs nothing (OCS 13.8b). Costs of frozen rivers are those of the frozen chart. What was prohibited for the hex
// entered stays so, both ways (OCS 6.1d).
func (p *Position) bridged(mp MoveType, from Hex, d hex.Dir) Cost {
	to := p.sc.Map.Neighbor(from, d)
	if to == NoHex || mp >= numMoveTypes {
		return costNever
	}
	features := p.sc.Hexes[from].Sides[d]
	easier := uint32(0)
	for set := features; set != 0; set &= set - 1 {
		switch n := p.sc.Features[bit(set)].Bridged; {
		case n == -2:
			easier |= 1 << bit(set)
		case n >= 0:
			easier |= 1 << n
		}
	}
	if easier == features {
		return costNever // nothing to bridge
	}
	ground := int(p.ground)
	side := sideCost(p.sc, byRoad, ground, mp, easier)
	enter, back := groundCost(p.sc, ground, mp, to), groundCost(p.sc, ground, mp, from)
	switch {
	case side == costNever || enter == costNever || back == costNever:
		return costNever
	case side == costAll || enter == costAll:
		return costAll
	}
	return enter + side
}

// groundCost is the cost of the most expensive terrain of a hex (OCS 6.2d).
func groundCost(sc *Scenario, ground int, mp MoveType, h Hex) Cost {
	var most Cost
	for _, t := range sc.Hexes[h].Terrains {
		most = max(most, sc.Terrains[t].costs[ground][mp])
	}
	return most
}

// markedBy are the hexes with a trainbusting marker of a side; nil if none exist.
func (p *Position) markedBy(seat rules.Seat) (marked hexSet) {
	for h := range p.sc.Hexes {
		if p.cells[h].bust == seat {
			if marked == nil {
				marked = make(hexSet, (len(p.sc.Hexes)+63)/64)
			}
			marked.add(Hex(h))
		}
	}
	return marked
}

// trainbusted reports whether a hex is in a trainbusting zone: the marked hex, and for Track and Truck those
// around it (OCS 14.8b).
func (p *Position) trainbusted(marked hexSet, mp MoveType, h Hex) bool {
	if marked.has(h) {
		return true
	}
	if mp == Leg {
		return false
	}
	for _, n := range p.sc.Map.Neighbors(h) {
		if marked.has(n) {
			return true
		}
	}
	return false
}
