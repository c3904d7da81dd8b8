package anniversary

// weigher walks over the states of a battle. A state of a side is how many hits it has taken in each class of target, from which follows what is left, by its
// order of loss; on land there is one class.
type weigher struct {
	sc       *Scenario
	b        OddsBattle
	att, def side
	ends     map[[2]int]float64
	known    map[[2][NumUnits]int]int // places of ends in the answer
	chance   []float64                // of each pair of states that is still to be walked, in the order of hits
	levels   [][]int32                // pairs by the sum of hits taken
	seen     []bool
	// Lists in use, for their memory.
	strikeBuf, mainBuf [2][]weight
}

// side is the states of one side.
type side struct {
	seq    [numTargets][]Unit // hits of each class in the order of loss
	size   [numTargets]int
	order  []Unit
	states []oddsState
	after  map[uint64]int32 // states after hits, as far as they were needed
}

// oddsState is what is left of a side.
type oddsState struct {
	made  bool
	taken [numTargets]int
	sum   int
	units [NumUnits]int // battleships that are hit count as they are
	hurt  int           // of them hit once
	fire  [2][]outcome  // what the fire of this state does, by whether the enemy of its submarines is there: see volleyOf
	known [2]bool
}

// outcome is a number of hits by class, with its chance.
type outcome struct {
	hits   [numClasses]int
	chance float64
}

// begin makes the sides for a battle.
func (w *weigher) begin(att [NumUnits]int) {
	w.att.begin(w, att, w.b.Attacker.Losses)
	w.def.begin(w, w.b.Defender.Units, w.b.Defender.Losses)
	clear(w.ends)
	n := len(w.att.states) * len(w.def.states)
	if cap(w.chance) < n {
		w.chance, w.seen = make([]float64, n), make([]bool, n)
	}
	w.chance, w.seen = w.chance[:n], w.seen[:n]
	clear(w.chance)
	clear(w.seen)
	w.levels = w.levels[:0]
}

// begin orders the hits of a side: a battleship takes its first before its second (AA 9.8.4).
func (s *side) begin(w *weigher, units [NumUnits]int, losses []Unit) {
	*s = side{order: s.order[:0], after: map[uint64]int32{}}
	named := uint32(0)
	for _, list := range [2][]Unit{losses, defaultLosses[:]} {
		for _, u := range list {
			if u <= Hull && !u.in(named) {
				named |= 1 << u
				s.order = append(s.order, u)
			}
		}
	}
	hulls := 0
	for _, u := range s.order {
		n := units[Battleship]
		if u != Hull {
			n = units[u]
		}
		target := targetOther
		if w.b.Sea && u != Hull {
			target = targetOf(u)
		}
		for range n {
			if u == Battleship && hulls < units[Battleship] && !w.hulled(s, hulls) {
				s.seq[target] = append(s.seq[target], Hull)
			}
			if u == Hull && w.hulled(s, hulls) {
				hulls++
				continue
			}
			if u == Hull || u == Battleship {
				hulls++
			}
			s.seq[target] = append(s.seq[target], u)
		}
		if u == Hull {
			hulls = 0
		}
	}
	total := 1
	for t := range s.seq {
		s.size[t] = len(s.seq[t]) + 1
		total *= s.size[t]
	}
	s.states = make([]oddsState, total)
	s.states[0] = oddsState{made: true, units: units}
}

// hulled reports whether more than n hulls are in the order already.
func (w *weigher) hulled(s *side, n int) bool {
	k := 0
	for _, u := range s.seq[targetOther] {
		if u == Hull {
			k++
		}
	}
	return k > n
}

// at gives the number of the state with so many hits taken, and makes it.
func (s *side) at(taken [numTargets]int) int {
	i := 0
	for t := range taken {
		i = i*s.size[t] + taken[t]
	}
	st := &s.states[i]
	if st.made {
		return i
	}
	*st = oddsState{made: true, taken: taken, units: s.states[0].units}
	for t, n := range taken {
		st.sum += n
		for _, u := range s.seq[t][:n] {
			if u == Hull {
				st.hurt++
				continue
			}
			if st.units[u]--; u == Battleship {
				st.hurt--
			}
		}
	}
	return i
}

// lose is the state after hits: as many as possible find a unit, transports last, by the order of loss (AA 9.8.3, AA 9.8.5).
func (s *side) lose(i int, hits [numClasses]int) int {
	if hits == [numClasses]int{} {
		return i
	}
	key := uint64(i)<<24 | uint64(hits[bySubmarine])<<16 | uint64(hits[byAir])<<8 | uint64(hits[byAny])
	if j, ok := s.after[key]; ok {
		return int(j)
	}
	j := s.choose(i, hits)
	s.after[key] = int32(j)
	return j
}

func (s *side) choose(i int, hits [numClasses]int) int {
	m := menu{hits: hits}
	st := &s.states[i]
	for t := range m.slots {
		m.slots[t] = s.size[t] - 1 - st.taken[t]
	}
	taken := st.taken
	m.most = reach(&m.hits, &m.slots)
	dry := m.slots
	dry[targetCarrier] = 0
	m.ships = m.most - reach(&m.hits, &dry)
	for _, u := range s.order {
		t := targetOf(u)
		if u == Hull {
			t = targetOther
		}
		for m.left() > 0 && taken[t] < s.size[t]-1 && s.seq[t][taken[t]] == u && m.allows(t, 1) {
			m.taken[t]++
			taken[t]++
		}
	}
	for t := range taken { // what stands in the way of the order, such as a hull before its battleship
		for m.left() > 0 && taken[t] < s.size[t]-1 && m.allows(t, 1) {
			m.taken[t]++
			taken[t]++
		}
	}
	return s.at(taken)
}

// run walks from the first state to all ends.
func (w *weigher) run() {
	if !w.b.Sea {
		w.runLand()
		return
	}
	w.reach(0, 0, 1)
	for level := 0; level < len(w.levels); level++ {
		for k := 0; k < len(w.levels[level]); k++ {
			pair := int(w.levels[level][k])
			i, j := pair/len(w.def.states), pair%len(w.def.states)
			w.seaRound(i, j, w.chance[pair])
		}
	}
}

// reach adds to the chance of a pair of states.
func (w *weigher) reach(i, j int, p float64) {
	pair := i*len(w.def.states) + j
	w.chance[pair] += p
	if w.seen[pair] {
		return
	}
	w.seen[pair] = true
	level := w.att.states[i].sum + w.def.states[j].sum
	for len(w.levels) <= level {
		w.levels = append(w.levels, nil)
	}
	w.levels[level] = append(w.levels[level], int32(pair))
}
