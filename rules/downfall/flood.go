package downfall

// The search for what a stack can reach. It is hex.Flood cut to this game: costs are small, a stop depends on the hex alone, and all its memory is
// on the caller's stack for maps of ordinary size, so that listing moves allocates nothing.

const (
	noCost    = 255
	maxMF     = 24  // no unit has more (DF 12.4)
	floodRoom = 512 // hexes that fit without allocation
)

// costs is the memory for the costs of a search, by hex: room if the map is small enough, cleared.
func (p *Position) costs(room *[floodRoom]uint8) []uint8 {
	n := len(p.at)
	cost := room[:]
	if n > floodRoom {
		cost = make([]uint8, n)
	}
	cost = cost[:n]
	for i := 0; i < n; i += len(unreached) {
		copy(cost[i:], unreached[:])
	}
	return cost
}

// unreached is noCost many times, to clear costs with.
var unreached = func() (s [floodRoom]uint8) {
	for i := range s {
		s[i] = noCost
	}
	return s
}()

// reach finds all that units of a mover can reach within its MF from the hexes found so far, whose costs are set and all the same. It gives
// them with everything found, in the order in which they were met; costs are the cheapest. Every step costs at least 1. It stops early
// once goal is reached; NoHex for no goal.
func (p *Position) reach(m *mover, cost []uint8, found []Hex, goal Hex) []Hex {
	foes, zoc, bombs := p.tab.japan, p.zoc[enemy(m.seat)], p.bombsUsed > 0
	if m.seat == Japan {
		foes = p.tab.us &^ p.tab.asco
	}
	flat := m.seat == Japan || m.single
	for level := 0; level < m.mf; level++ {
		for i := 0; i < len(found); i++ {
			h := found[i]
			if int(cost[h]) != level || level > 0 && zoc[h] != 0 {
				continue // DF 11.5: a unit that starts in ZOC may go on
			}
			for d, s := range p.tab.steps[h] {
				if s.to == NoHex {
					continue
				}
				next, was := level+1, cost[s.to]
				if !flat {
					next = level + int(s.us)
					if bombs && p.exploded.Has(s.to) {
						next = level + m.price(p, s.to, h, d)
					}
				}
				if next >= int(was) || next > m.mf || p.at[s.to]&foes != 0 {
					continue
				}
				if cost[s.to] = uint8(next); was != noCost {
					continue
				}
				if found = append(found, s.to); s.to == goal {
					return found
				}
			}
		}
	}
	return found
}

// trail is the cheapest way to a hex that reach found, from a hex of cost base, both included; of several the one by the hexes of the lowest
// directions, seen from its end.
func (p *Position) trail(m *mover, cost []uint8, base uint8, to Hex) []Hex {
	path := []Hex{to}
	for h := to; cost[h] != base; {
		for d, n := range p.sc.Ground[h] {
			if n == NoHex || cost[n] == noCost || cost[n] > 0 && m.stops(p, n) || int(cost[n])+m.price(p, h, h, d) != int(cost[h]) {
				continue
			}
			h = n
			path = append(path, h)
			break
		}
	}
	for a, b := 0, len(path)-1; a < b; a, b = a+1, b-1 {
		path[a], path[b] = path[b], path[a]
	}
	return path
}
