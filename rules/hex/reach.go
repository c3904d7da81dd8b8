package hex

// PassFunc says whether a trace may go from a hex to its neighbour to in direction d; the hexside between them is
// Side(from, d).
type PassFunc func(from, to Index, d Dir) bool

// Reach traces by breadth from the sources, as a supply line is traced: it goes on wherever pass allows, for at most
// limit steps (0 or more; MaxCost where length is no limit), and stops at the first hex that is a goal. It gives
// that hex, the one of fewest steps and then lowest index, or None and false. Sources may be goals. With a nil goal
// it goes everywhere. Reached, Cost (in steps), From and AppendPath tell of what was met; after a goal was found
// nothing further off than it is.
func (f *Flood) Reach(m *Map, sources []Index, limit int, pass PassFunc, goal func(Index) bool) (Index, bool) {
	f.begin(m)
	for _, i := range sources {
		f.visit(i, None, 0, limit)
	}
	sortIndexes(f.reached)
	for start, steps := 0, int32(0); start < len(f.reached); steps++ {
		end := len(f.reached)
		if goal != nil {
			for _, i := range f.reached[start:end] {
				if goal(i) {
					return i, true
				}
			}
		}
		for _, i := range f.reached[start:end] {
			for d, to := range m.neighbors[i] {
				if to != None && f.nodes[2*uint32(to)].run != f.run && int(steps) < limit && pass(i, to, Dir(d)) {
					f.visit(to, i, steps+1, limit)
				}
			}
		}
		sortIndexes(f.reached[end:])
		start = end
	}
	return None, false
}

func (f *Flood) visit(i, from Index, steps int32, limit int) {
	if i == None || limit < 0 || f.nodes[2*uint32(i)].run == f.run {
		return
	}
	f.nodes[2*uint32(i)] = node{run: f.run, settled: true, from: from, cost: steps}
	f.reached = append(f.reached, i)
}
