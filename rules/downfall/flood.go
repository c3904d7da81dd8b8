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
	for i := range cost {
		cost[i] = noCost
	}
	return cost
}

// reach finds all that units of a mover can reach within its MF from the hexes found so far, whose costs are set. It gives them with everything
// found, in the order in which they were met; costs are the cheapest. Every step costs at least 1.
func (p *Position) reach(m *mover, cost []uint8, found []Hex) []Hex {
	for level := 0; level < m.mf; level++ {
		for i := 0; i < len(found); i++ {
			h := found[i]
			if int(cost[h]) != level || level > 0 && m.stops(p, h) {
				continue // DF 11.5: a unit that starts in ZOC may go on
			}
			for d, n := range p.sc.Ground[h] {
				if n == NoHex || m.closed(p, n) {
					continue
				}
				next := level + m.price(p, n, h, d)
				if next > m.mf || next >= int(cost[n]) {
					continue
				}
				if cost[n] == noCost {
					found = append(found, n)
				}
				cost[n] = uint8(next)
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
