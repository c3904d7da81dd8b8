package downfall

// flood finds what a stack can reach. It is hex.Flood cut to this game: costs are small, a stop depends on the hex alone, and all its memory
// is on the caller's stack for maps of ordinary size, so that listing moves allocates nothing.
type flood struct {
	cost    []uint8 // noCost where not reached
	from    []Hex
	reached []Hex // in order of cost, then of index within a cost as met
	items   []floodItem
	heads   [maxMF + 1]int16
}

type floodItem struct {
	hex  Hex
	next int16
}

const (
	noCost    = 255
	maxMF     = 24  // no unit has more (DF 12.4)
	floodRoom = 512 // hexes that fit without allocation
)

// floodMemory is memory for a flood.
type floodMemory struct {
	cost    [floodRoom]uint8
	from    [floodRoom]Hex
	reached [floodRoom]Hex
	items   [2 * floodRoom]floodItem
}

func newFlood(m *floodMemory, n int) flood {
	f := flood{cost: m.cost[:], from: m.from[:], reached: m.reached[:0], items: m.items[:0]}
	if n > floodRoom {
		f.cost, f.from = make([]uint8, n), make([]Hex, n)
	}
	f.cost, f.from = f.cost[:n], f.from[:n]
	return f
}

func (f *flood) reset() {
	for i := range f.cost {
		f.cost[i] = noCost
	}
	f.reached, f.items = f.reached[:0], f.items[:0]
	for i := range f.heads {
		f.heads[i] = -1
	}
}

// meet notes a way to a hex if it is the cheapest so far; among equals the first one stays.
func (f *flood) meet(h, from Hex, cost int) {
	if int(f.cost[h]) <= cost {
		return
	}
	f.cost[h], f.from[h] = uint8(cost), from
	f.items = append(f.items, floodItem{h, f.heads[cost]})
	f.heads[cost] = int16(len(f.items) - 1)
}

// run finds every hex that units of a mover reach from a start, which is reached at the cost given. It spends up to the mover's MF.
func (f *flood) run(p *Position, m *mover, start Hex, cost int) {
	f.reset()
	f.meet(start, NoHex, cost)
	f.spread(p, m)
}

func (f *flood) spread(p *Position, m *mover) {
	for cost := range m.mf + 1 {
		for f.heads[cost] >= 0 {
			item := f.items[f.heads[cost]]
			f.heads[cost] = item.next
			if int(f.cost[item.hex]) != cost {
				continue // reached more cheaply since
			}
			f.reached = append(f.reached, item.hex)
			if cost > 0 && m.stops(p, item.hex) {
				continue // DF 11.5
			}
			for d, n := range p.sc.Ground[item.hex] {
				if n == NoHex || m.closed(p, n) {
					continue
				}
				if next := cost + m.price(p, item.hex, n, d); next <= m.mf {
					f.meet(n, item.hex, next)
				}
			}
		}
	}
}

// path is the way from the start to a hex that was reached, both included.
func (f *flood) path(to Hex) []Hex {
	n := 1
	for h := to; f.from[h] != NoHex; h = f.from[h] {
		n++
	}
	out := make([]Hex, n)
	for h := to; n > 0; h = f.from[h] {
		n--
		out[n] = h
	}
	return out
}
