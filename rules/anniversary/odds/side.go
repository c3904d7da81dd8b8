package odds

import "github.com/warledger/warledger/rules/anniversary/scenario"

// side is the states of one side of a battle, numbered as they are met.
type side struct {
	gunnery
	order      []scenario.Unit
	states     []oddsState
	byKey      map[uint64]int32
	weight     [scenario.NumUnits + 2]uint64 // of a count in a key: types, hurt, dived
	levels     [][]int32                     // states by what they lost
	table      *binomials
	entangled  bool               // hits of any kind can't be assigned after the others: see joint
	joints     map[jointHits]path // for such orders
	broadsides map[barrage]*broadside
	blocks     [][]weight // of weights that are kept
	scratch    weights
}

// oddsState is what is left of a side, and what follows from that.
type oddsState struct {
	fleet
	key   uint64
	level int32 // hits taken, and one for submarines that dived
	next  [NumClasses]int32
	path  []int32    // states after hits of any kind, from none, as far as they were needed
	hurts [][]weight // what so many surprise strikes lead to
	bases []int32    // states after hits by submarines and by aircraft together
	wide  int32      // columns of bases
	count Force
	fire  [4]*broadside // by whether destroyers of the side and of the enemy are there
	hits  []stretch     // what broadsides of the enemy lead to, by their number
}

// broadside is the distributions of hits by class of what fires alike.
type broadside struct {
	number int32
	hits   [NumClasses][]float64
}

// stretch is a part of a block of weights; none if it was not worked out yet.
type stretch struct {
	block      uint16
	from, size uint16
}

// blockSize is how many weights are kept in a block.
const blockSize = 1024

// unknown is a state that has not been looked for yet.
const unknown = -1

// begin makes the first state.
func (s *side) begin(start *fleet, losses []scenario.Unit) int32 {
	s.order = OrderOf(losses)
	s.entangled = entangled(s.order, start)
	s.broadsides = make(map[barrage]*broadside)
	s.byKey = make(map[uint64]int32, 32)
	s.states = make([]oddsState, 0, 32)
	w := uint64(1)
	for u, n := range start.left {
		s.weight[u] = w
		w *= uint64(n) + 1
	}
	s.weight[scenario.NumUnits] = w
	s.weight[scenario.NumUnits+1] = w * (uint64(start.left[scenario.Battleship]) + 1)
	return s.state(start)
}

// state gives a fleet its number.
func (s *side) state(f *fleet) int32 {
	key := uint64(f.hurt) * s.weight[scenario.NumUnits]
	for u, n := range f.left {
		key += uint64(n) * s.weight[u]
	}
	if f.dived {
		key += s.weight[scenario.NumUnits+1]
	}
	if i, ok := s.byKey[key]; ok {
		return i
	}
	i := int32(len(s.states))
	s.byKey[key] = i
	level := int32(0)
	if i > 0 {
		first := &s.states[0]
		for u, n := range first.left {
			k := int32(n - f.left[u])
			if level += k; scenario.Unit(u) == scenario.Battleship {
				level += k
			}
		}
		level += int32(f.hurt)
		if f.dived {
			level++
		}
	}
	s.states = append(s.states,
		oddsState{fleet: *f, key: key, level: level, next: [NumClasses]int32{unknown, unknown, unknown},
			count: f.force()})
	for len(s.levels) <= int(level) {
		s.levels = append(s.levels, nil)
	}
	s.levels[level] = append(s.levels[level], i)
	return i
}

// after is the state after one more hit of a class; the same if it finds no unit.
func (s *side) after(i int32, class int) int32 {
	if n := s.states[i].next[class]; n != unknown {
		return n
	}
	return s.lookAfter(i, class)
}

// lookAfter finds that state.
func (s *side) lookAfter(i int32, class int) int32 {
	var hits [NumClasses]int
	hits[class] = 1
	f := s.states[i].fleet
	f.lose(s.order, hits)
	n := s.state(&f)
	s.states[i].next[class] = n
	return n
}

// base is the state after hits of submarines and aircraft that are assigned together, of at most so many; hits of
// others come after them one by one.
func (s *side) base(i int32, subs, air, mostSubs, mostAir int) int32 {
	if subs == 0 || air == 0 {
		class, n := BySubmarine, subs
		if n == 0 {
			class, n = ByAir, air
		}
		for range n {
			i = s.after(i, class)
		}
		return i
	}
	st := &s.states[i]
	if int(st.wide) <= mostAir || len(st.bases) < (mostSubs+1)*int(st.wide) {
		st.wide = max(st.wide, int32(mostAir)+1)
		st.bases = make([]int32, max(len(st.bases), (mostSubs+1)*int(st.wide)))
		for k := range st.bases {
			st.bases[k] = unknown
		}
	}
	k := subs*int(st.wide) + air
	if st.bases[k] == unknown {
		f := st.fleet
		f.lose(s.order, [NumClasses]int{BySubmarine: subs, ByAir: air})
		n := s.state(&f) // may move the states
		s.states[i].bases[k] = n
	}
	return s.states[i].bases[k]
}

// path is the states after up to n-1 hits of any kind, shorter if nothing is left to hit before.
func (s *side) path(i int32, n int) []int32 {
	path := s.states[i].path
	if len(path) >= n {
		return path[:n]
	}
	if len(path) == 0 {
		path = append(make([]int32, 0, n), i)
	}
	for len(path) < n {
		last := path[len(path)-1]
		next := s.after(last, ByAny)
		if next == last {
			break
		}
		path = append(path, next)
	}
	s.states[i].path = path
	return path
}

// struck is what surprise strikes of n submarines of the enemy lead to.
func (s *side) struck(i int32, n int, enemy *side) []weight {
	st := &s.states[i]
	if len(st.hurts) <= n {
		st.hurts = append(st.hurts, make([][]weight, n+1-len(st.hurts))...)
	}
	if list := st.hurts[n]; list != nil {
		return list
	}
	s.collect(i, &[NumClasses][]float64{BySubmarine: enemy.strike(n), ByAir: certain, ByAny: certain}, &s.scratch)
	list := append([]weight(nil), s.scratch.list...)
	s.states[i].hurts[n] = list
	return list
}

// dive is the state with submarines submerged.
func (s *side) dive(i int32) int32 {
	f := s.states[i].fleet
	f.dive()
	return s.state(&f)
}

// sunk is the state without transports.
func (s *side) sunk(i int32) int32 {
	f := s.states[i].fleet
	f.left[scenario.Transport] = 0
	return s.state(&f)
}

// broadside is what a state fires in a round in which destroyers are there or not, but for surprise strikes
// (AA 9.7.1, AA 9.7.9).
func (s *side) broadside(i int32, own, enemy bool) *broadside {
	k := 0
	if own {
		k = 1
	}
	if enemy {
		k |= 2
	}
	st := &s.states[i]
	if st.fire[k] == nil {
		st.fire[k] = s.alike(s.barrage(&st.fleet, own), enemy)
	}
	return st.fire[k]
}

// alike finds the broadside of dice, which many states have in common.
func (s *side) alike(b barrage, subs bool) *broadside {
	if !subs {
		b[BySubmarine] = [MaxValue + 1]uint16{}
	}
	for c := range b {
		b[c][0] = 0
	}
	x := s.broadsides[b]
	if x == nil {
		x = &broadside{number: int32(len(s.broadsides))}
		for c := range b {
			x.hits[c] = s.table.volley(&b[c])
		}
		s.broadsides[b] = x
	}
	return x
}

// under is what a broadside of the enemy leads to. At sea it is kept, because many states fire alike there.
func (s *side) under(i int32, fire *broadside) []weight {
	st := &s.states[i]
	if int(fire.number) < len(st.hits) {
		if x := st.hits[fire.number]; x.size > 0 {
			return s.blocks[x.block][x.from:][:x.size]
		}
	}
	s.collect(i, &fire.hits, &s.scratch)
	list := s.scratch.list
	if s.sea && len(list) <= blockSize && len(s.blocks) < 1<<15 {
		s.keep(i, int(fire.number), list)
	}
	return list
}

// keep keeps what a broadside leads to.
func (s *side) keep(i int32, number int, list []weight) {
	n := len(s.blocks) - 1
	if n < 0 || len(s.blocks[n])+len(list) > blockSize {
		s.blocks = append(s.blocks, make([]weight, 0, blockSize))
		n++
	}
	st := &s.states[i]
	if number >= len(st.hits) {
		st.hits = append(st.hits, make([]stretch, number+16-len(st.hits))...)
	}
	st.hits[number] = stretch{uint16(n), uint16(len(s.blocks[n])), uint16(len(list))}
	s.blocks[n] = append(s.blocks[n], list...)
}

// strike is the distribution of hits of n submarines that strike by surprise.
func (s *side) strike(n int) []float64 {
	return s.table.of(max(s.value(scenario.Submarine), 0), n*s.gunnery.dice(scenario.Submarine))
}
