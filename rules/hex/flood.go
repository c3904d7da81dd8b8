package hex

// Verdict says what a step into a hex does.
type Verdict uint8

// The verdicts.
const (
	Pass    Verdict = iota // may enter and go on
	Stop                   // may enter, and goes no further
	Blocked                // may not enter; the cost is not looked at
)

// MaxCost bounds the cost of a way; a larger budget counts as this one. Use it where cost is no limit.
const MaxCost = 1<<20 - 1

// CostFunc prices the step from a hex to its neighbour to in direction d: entry and hexside together, 0 or more. A
// negative cost panics. It must answer the same whenever it is asked, and not use the Flood that asks. Steps that
// cannot be part of a cheapest way are not asked for.
type CostFunc func(from, to Index, d Dir) (cost int, enter Verdict)

// Flood finds what can be reached. The zero value is ready; keep it and use it again, for it allocates only while it
// grows to the largest map and cost that it has met. Each run forgets the results of the run before it. It is not
// for use by several goroutines at once.
//
// A hex that can be entered at one cost with Stop, and at a higher cost with Pass, is left onward at the higher cost;
// its own cost and path are those of the cheaper way.
type Flood struct {
	m       *Map
	nodes   []node // two for each hex: 2i for having passed into it, 2i+1 for having stopped in it
	run     uint32
	reached []Index
	queue   queue
}

type node struct {
	run     uint32 // in which the rest was written; a node of an older run has not been met
	settled bool
	from    Index // whence the cheapest way comes, None at a source
	cost    int32
}

func (f *Flood) begin(m *Map) {
	if len(f.nodes) < 2*m.Len() {
		f.nodes = make([]node, 2*m.Len())
		f.run = 0
	}
	f.run++
	if f.run == 0 { // wrapped round: old marks would look new
		clear(f.nodes)
		f.run = 1
	}
	f.m = m
	f.reached = f.reached[:0]
	f.queue.reset()
}

// Run finds all that can be reached from a hex for at most budget, by a search in order of cost. It takes time
// linear in the hexes reached and their cost. A negative budget reaches nothing, else from itself is reached at 0.
func (f *Flood) Run(m *Map, from Index, budget int, cost CostFunc) {
	f.begin(m)
	f.source(from, budget)
	f.search(budget, None, cost)
}

// RunFrom is Run from several sources at once: each hex is reached from the one that is cheapest for it. Sources
// named twice and None are passed over.
func (f *Flood) RunFrom(m *Map, sources []Index, budget int, cost CostFunc) {
	f.begin(m)
	for _, from := range sources {
		f.source(from, budget)
	}
	f.search(budget, None, cost)
}

// CheapestPath appends to dst the cheapest path from a hex to another, both included, and gives its cost. It stops
// as soon as the path is known, which is the path that Run would find; other results of this run are then partial.
// ok is false when there is no path for at most budget.
func (f *Flood) CheapestPath(
	dst []Index, m *Map, from, to Index, budget int, cost CostFunc,
) (path []Index, total int, ok bool) {
	f.begin(m)
	f.source(from, budget)
	f.search(budget, to, cost)
	if total, ok = f.Cost(to); !ok {
		return dst, 0, false
	}
	return f.AppendPath(dst, to), total, true
}

func (f *Flood) source(i Index, budget int) {
	if i != None && budget >= 0 {
		f.meet(2*uint32(i), None, 0)
	}
}

// meet notes a way to a node if it is the cheapest so far. Among equals the first one stays, and ways are met in order
// of the cost and index of the hex they come from.
func (f *Flood) meet(id uint32, from Index, cost int32) {
	n := &f.nodes[id]
	if n.run == f.run && n.cost <= cost {
		return
	}
	if pass := &f.nodes[id&^1]; pass.run == f.run && pass.cost <= cost {
		return // stopping gains nothing
	}
	*n = node{run: f.run, from: from, cost: cost}
	f.queue.push(id, cost)
}

// search settles nodes in waves: all that cost the same, by index. Steps of cost 0 make a further wave of that cost.
func (f *Flood) search(budget int, goal Index, cost CostFunc) {
	budget = min(budget, MaxCost)
	for at := int32(0); f.queue.next(&at); at++ {
		level := len(f.reached)
		waves := 0
		for ; f.queue.take(at); waves++ {
			for _, id := range f.queue.wave {
				f.settle(id, at, budget, cost)
			}
		}
		if waves > 1 {
			sortIndexes(f.reached[level:])
		}
		if goal != None && f.Has(goal) {
			return
		}
	}
}

func (f *Flood) settle(id uint32, at int32, budget int, cost CostFunc) {
	n := &f.nodes[id]
	if n.settled {
		return // by a cheaper way, found after this one was queued
	}
	n.settled = true
	i := Index(id >> 1)
	if twin := f.nodes[id^1]; twin.run != f.run || !twin.settled {
		f.reached = append(f.reached, i)
	}
	if id&1 != 0 {
		return
	}
	for d, to := range &f.m.neighbors[i] {
		if to == None {
			continue
		}
		if there := &f.nodes[2*uint32(to)]; there.run == f.run && there.cost <= at {
			continue // no step from here can be a better way there
		}
		c, enter := cost(i, to, Dir(d))
		if enter >= Blocked {
			continue
		}
		if c < 0 {
			panic("hex: negative cost of a step")
		}
		if c <= budget-int(at) {
			f.meet(2*uint32(to)+uint32(enter), i, at+int32(c))
		}
	}
}
