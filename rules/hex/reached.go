package hex

// Reached are the hexes of the last run in order of cost, then index. The slice is good until the next run.
func (f *Flood) Reached() []Index { return f.reached }

// Has says whether i was reached.
func (f *Flood) Has(i Index) bool { return f.best(i) != nil }

// Cost is the cost of the cheapest way to i, in steps after [Flood.Reach]; false when i was not reached.
func (f *Flood) Cost(i Index) (int, bool) {
	n := f.best(i)
	if n == nil {
		return 0, false
	}
	return int(n.cost), true
}

// CostThrough is the cost of the cheapest way into i that may go on from there; false when none exists.
func (f *Flood) CostThrough(i Index) (int, bool) {
	n := f.settled(2 * uint32(i))
	if n == nil {
		return 0, false
	}
	return int(n.cost), true
}

// From is the hex before i on the cheapest way to it; None when i is a source or was not reached. Of ways that cost
// the same it is the one that may go on; of those, the one whose last hex before i was cheapest to get to; of those,
// the one where that hex has the lowest index. (Steps of cost 0 come after all others of the same cost.)
func (f *Flood) From(i Index) Index {
	if n := f.best(i); n != nil {
		return n.from
	}
	return None
}

// AppendPath appends the cheapest way to i, from its source up to i, both included. Nothing is appended when i was
// not reached. A source is a path of itself alone.
func (f *Flood) AppendPath(dst []Index, i Index) []Index {
	n := f.best(i)
	if n == nil {
		return dst
	}
	start := len(dst)
	dst = append(dst, i)
	for n.from != None {
		dst = append(dst, n.from)
		n = &f.nodes[2*uint32(n.from)]
	}
	for a, b := start, len(dst)-1; a < b; a, b = a+1, b-1 {
		dst[a], dst[b] = dst[b], dst[a]
	}
	return dst
}

// AddTo adds the hexes reached to a set.
func (f *Flood) AddTo(s Set) {
	for _, i := range f.reached {
		s.Add(i)
	}
}

func (f *Flood) settled(id uint32) *node {
	if int(id) >= len(f.nodes) {
		return nil
	}
	if n := &f.nodes[id]; n.run == f.run && n.settled {
		return n
	}
	return nil
}

// best is the cheaper way into i, the one that may go on when both cost the same.
func (f *Flood) best(i Index) *node {
	pass, stop := f.settled(2*uint32(i)), f.settled(2*uint32(i)+1)
	if pass == nil || stop != nil && stop.cost < pass.cost {
		return stop
	}
	return pass
}
