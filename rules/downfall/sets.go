package downfall

import "github.com/warledger/warledger/rules/hex"

// sideSets are hexes as the units of a side make them.
type sideSets struct {
	// held are the hexes with units that shut them to the enemy: all but 6/ASCO (DF 12.6-a, DF 12.6-b).
	held hex.Set
	// zone are the hexes in the ZOC of the side (DF 11.1).
	zone hex.Set
	// full are the hexes in which no further unit may end (DF 10.1), by whether it is corps artillery (DF 10.4).
	// For Japan both are one.
	full [2]hex.Set
}

// numSets is how many sets a position has.
const numSets = 9

// share divides the memory of the sets.
func (p *Position) share(bits hex.Set) {
	n := p.tab.words
	var s [numSets]hex.Set
	for i := range s {
		s[i] = bits[i*n : (i+1)*n]
	}
	p.exploded, p.attacked = bits[:n], s[1] // the first reaches over all of the memory, for Clone
	p.sides[US] = sideSets{held: s[2], zone: s[3], full: [2]hex.Set{s[4], s[5]}}
	p.sides[Japan] = sideSets{held: s[6], zone: s[7], full: [2]hex.Set{s[8], s[8]}}
}

// crowd looks anew whether a hex is held and full, after a unit came or went.
func (p *Position) crowd(u Unit, h Hex) {
	seat := p.sc.Units[u].Owner
	s, here := &p.sides[seat], p.at[h]
	put(s.held, h, here&p.tab.side(seat)&^p.tab.asco != 0)
	put(s.full[0], h, !p.room(seat, false, here))
	if seat == US {
		put(s.full[1], h, !p.room(seat, true, here))
	}
}

// put puts a hex into a set, or takes it out.
func put(s hex.Set, h Hex, in bool) {
	if in {
		s.Add(h)
	} else {
		s.Remove(h)
	}
}

// exertZOC counts a unit around its hex: ZOC never crosses a sea hexside (DF 11.3-a); 6/ASCO has none (DF 11.2).
func (p *Position) exertZOC(u Unit, h Hex) {
	if !p.tab.zoc.Has(u) {
		return
	}
	seat := p.sc.Units[u].Owner
	for _, n := range p.sc.Ground[h] {
		if n != NoHex {
			p.zoc[seat][n]++
			p.sides[seat].zone.Add(n)
		}
	}
}

// leaveZOC takes a unit out of the counts around its hex.
func (p *Position) leaveZOC(u Unit, h Hex) {
	if !p.tab.zoc.Has(u) {
		return
	}
	seat := p.sc.Units[u].Owner
	for _, n := range p.sc.Ground[h] {
		if n == NoHex {
			continue
		}
		if p.zoc[seat][n]--; p.zoc[seat][n] == 0 {
			p.sides[seat].zone.Remove(n)
		}
	}
}
