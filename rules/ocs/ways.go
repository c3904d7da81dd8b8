package ocs

import "github.com/warledger/warledger/rules/hex"

// Ways are movement costs worked out once for a scenario, by ground condition and type of MP: for every hex the cost of
// the step to each neighbour, so that a search asks nothing of terrain.

// ways are the costs of steps by hex and direction: hex*6+dir.
type ways []Cost

// wayKind says which ways there are.
type wayKind uint8

// The kinds.
const (
	// byRoad are the cheapest ways: roads, railways and bridges may be used (OCS 6.2a, OCS 6.2b).
	byRoad wayKind = iota
	// bare are ways without roads and bridges: those of overruns (OCS 8.1c).
	bare
	// lines are ways of supply lines: the cheaper of the normal and the present cost of every hex and
	// hexside (OCS 12.3d-ii).
	lines
	numWayKinds
)

// newWays works out all ways of a scenario.
func newWays(sc *Scenario, kind wayKind, ground int, mp MoveType) ways {
	w := make(ways, sc.Map.Len()*hex.NumDirs)
	for h := range sc.Hexes {
		for d := range hex.Dir(hex.NumDirs) {
			w[h*hex.NumDirs+int(d)] = stepCost(sc, kind, ground, mp, Hex(h), d)
		}
	}
	return w
}

// stepCost is the cost of a step, costNever if it is prohibited or leads off the map.
func stepCost(sc *Scenario, kind wayKind, ground int, mp MoveType, from Hex, d hex.Dir) Cost {
	to := sc.Map.Neighbor(from, d)
	if to == NoHex {
		return costNever
	}
	best := overland(sc, kind, ground, mp, from, to, d)
	if overland(sc, kind, ground, mp, to, from, d.Opposite()) == costNever {
		best = costNever // OCS 6.1d: a way that can't be gone back does not count
	}
	if kind == bare {
		return best
	}
	for set := uint32(sc.Hexes[from].Roads[d]); set != 0; set &= set - 1 {
		best = min(best, cheaper(kind, sc.roads[bit(set)].costs, ground, mp)) // OCS 6.2a: other terrain is ignored
	}
	return best
}

// overland is the cost of a step without roads: the most expensive terrain of the hex entered (OCS 6.2d) and what is on
// the hexside (OCS 6.2b).
func overland(sc *Scenario, kind wayKind, ground int, mp MoveType, from, to Hex, d hex.Dir) Cost {
	var enter Cost
	for _, t := range sc.Hexes[to].Terrains {
		enter = max(enter, cheaper(kind, sc.Terrains[t].costs, ground, mp))
	}
	side := sideCost(sc, kind, ground, mp, sc.Hexes[from].Sides[d])
	if kind != bare && sc.Hexes[from].Bridged[d] {
		side = 0 // OCS 6.2b
	}
	switch {
	case enter == costNever || side == costNever:
		return costNever
	case enter == costAll || side == costAll:
		return costAll
	}
	return enter + side
}

// sideCost is the cost of a hexside (OCS 6.2d): where a river is, land on the hexside does not count and the mover
// takes the cheapest water; where land crosses, nothing is paid; else the cheapest feature.
func sideCost(sc *Scenario, kind wayKind, ground int, mp MoveType, features uint32) Cost {
	if features == 0 {
		return 0
	}
	river, land, best := false, false, costNever
	for set := features; set != 0; set &= set - 1 {
		f := &sc.Features[bit(set)]
		river, land = river || f.Covers, land || f.Land
		if !f.Land {
			best = min(best, cheaper(kind, f.costs, ground, mp))
		}
	}
	if land && !river {
		return 0
	}
	return best
}

// cheaper is a cost under the present ground, or the normal one where that is lower and a supply line is counted.
func cheaper(kind wayKind, costs [][numMoveTypes]Cost, ground int, mp MoveType) Cost {
	c := costs[ground][mp]
	if kind == lines {
		c = min(c, costs[0][mp])
	}
	return c
}

// way is the cost of a step under the weather of the position.
func (p *Position) way(kind wayKind, mp MoveType, from Hex, d hex.Dir) Cost {
	if mp >= numMoveTypes {
		return costNever
	}
	return p.sc.tab.ways[kind][p.ground][mp][int(from)*hex.NumDirs+int(d)]
}
