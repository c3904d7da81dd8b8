package downfall

import (
	"math/bits"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// The search for what a stack can reach. Costs are small and a stop depends on the hex alone, so that it goes cost by
// cost with sets of hexes: all that can be reached for 1 is found at once, then for 2, and so on. Its memory is on the
// caller's stack for maps of ordinary size, so that listing moves allocates nothing.

const (
	maxMF      = 24 // no unit has more (DF 12.4)
	floodWords = 8  // words of a set of hexes that fits without allocation: 512 hexes
)

// floodRoom is memory for a flood: its levels, and four sets more.
type floodRoom [(maxMF + 1 + 4) * floodWords]uint64

// flood is a search for the units of a side. A second search may follow the first.
type flood struct {
	p    *Position
	seat rules.Seat
	// shut are the hexes that can't be entered, stop those in which a unit that enters must stop.
	// They are the position's.
	shut, stop hex.Set
	// found are the hexes that were reached.
	found hex.Set
	// touched are the hexes that were looked at, and left those of them from which there were MF to go on. As long as
	// prices are the same, what is shut elsewhere than in the first makes no difference to the search, nor what is a
	// stop elsewhere than in the others.
	touched, left hex.Set
	// looked are the hexes that the searches for a stack looked at, together.
	looked hex.Set
	// levels has for each cost the hexes whose cheapest way costs that much.
	levels []uint64
}

// newFlood makes a flood ready for the units of a seat, in the room given if the map is of ordinary size.
func newFlood(p *Position, room *floodRoom, seat rules.Seat) flood {
	n := p.tab.words
	memory := room[:]
	if n > floodWords {
		memory = make([]uint64, (maxMF+1+4)*n)
	}
	foe := &p.sides[enemy(seat)]
	return flood{
		p: p, seat: seat, shut: foe.held, stop: foe.zone,
		found: memory[:n:n], touched: memory[n : 2*n : 2*n], looked: memory[2*n : 3*n : 3*n],
		left: memory[3*n : 4*n : 4*n], levels: memory[4*n:],
	}
}

// start forgets an earlier search.
func (f *flood) start(m *mover) {
	clear(f.found)
	clear(f.touched)
	clear(f.left)
	clear(f.levels[:(m.mf+1)*len(f.found)])
}

// level is the set of hexes of a cost.
func (f *flood) level(cost int) hex.Set {
	n := len(f.found)
	return f.levels[cost*n : (cost+1)*n]
}

// spread finds all that units of a mover can reach within its MF from the hexes in the level of a cost: found, and
// by cost in the levels. Every step costs at least 1. A unit that starts in ZOC may go on (DF 11.5). It ends where
// a goal is reached, NoHex for none: then only the costs up to that are known, and only of hexes from which the
// goal could still be reached. What a longer way led to is too far from the goal by as much, so no hex has a wrong
// cost on the way there.
func (f *flood) spread(m *mover, from int, goal Hex) {
	var room [2 * floodWords]uint64
	one, two := f.before(goal, room[:])
	for cost := from; cost <= m.mf; cost++ {
		level := f.level(cost)
		for i := range level {
			f.touched[i] |= level[i]
			if cost > 0 {
				level[i] &^= f.shut[i] | f.found[i]
			}
			f.found[i] |= level[i]
			if cost < m.mf {
				f.left[i] |= level[i]
			}
		}
		if goal != NoHex && f.found.Has(goal) {
			return
		}
		switch left := m.mf - cost; {
		case left == 0:
		case goal == NoHex || left > 2:
			f.leave(m, level, cost, nil)
		case left == 2:
			f.leave(m, level, cost, two)
		default:
			f.leave(m, level, cost, one)
		}
	}
}

// before are the hexes from which a goal can be reached with one step, and with two at most.
func (f *flood) before(goal Hex, memory []uint64) (one, two hex.Set) {
	if goal == NoHex {
		return nil, nil
	}
	n := len(f.found)
	if len(memory) < 2*n {
		memory = make([]uint64, 2*n)
	}
	one, two = memory[:n], memory[n:2*n]
	f.around(goal, one)
	for i, word := range one {
		two[i] |= word
		for ; word != 0; word &= word - 1 {
			f.around(Hex(i<<6+bits.TrailingZeros64(word)), two)
		}
	}
	return one, two
}

// around adds the hexes around a hex to a set.
func (f *flood) around(h Hex, to hex.Set) {
	marks := f.p.tab.around.of(h)
	for i := range marks {
		w := &marks[i] // a copy would be waited for
		to[w.word] |= w.bits[0]
		to[w.word+1] |= w.bits[1]
	}
}

// leave adds the hexes around those of a level to the levels that they cost; of the level only those that are in a
// set, if there is one.
func (f *flood) leave(m *mover, level hex.Set, cost int, within hex.Set) {
	tab := f.p.tab
	flat := m.seat == Japan || m.single
	bombs := !flat && !f.p.exploded.Empty()
	for i, open := range level {
		if cost > 0 {
			open &^= f.stop[i]
		}
		if within != nil {
			open &= within[i]
		}
		for ; open != 0; open &= open - 1 {
			h := Hex(i<<6 + bits.TrailingZeros64(open))
			switch {
			case flat:
				f.around(h, f.level(cost+1))
			case bombs && f.p.near(h, f.p.exploded):
				f.addBombed(tab.ways.of(h), ^uint64(0), m.mf-cost, cost)
				f.addBombed(tab.bombed.of(h), 0, m.mf-cost, cost)
			default:
				f.add(tab.ways.of(h), m.mf-cost, cost)
			}
		}
	}
}

// add adds hexes to the levels that they cost, as far as the MF left go.
func (f *flood) add(ways []mark, left, cost int) {
	n := len(f.found)
	for i := range ways {
		w := &ways[i]
		if w.price == 0 {
			return // no more
		}
		if int(w.price) <= left {
			to := f.levels[(cost+int(w.price))*n+int(w.word):]
			to[0] |= w.bits[0]
			to[1] |= w.bits[1]
		}
	}
}

// addBombed is add for the hexes in which no bomb exploded, or with a flip of 0 for those in which one did.
func (f *flood) addBombed(ways []mark, flip uint64, left, cost int) {
	n, bombed := len(f.found), f.p.exploded
	for i := range ways {
		if w := &ways[i]; int(w.price) <= left {
			to := f.levels[(cost+int(w.price))*n+int(w.word):]
			to[0] |= w.bits[0] & (bombed[w.word] ^ flip)
			to[1] |= w.bits[1] & (bombed[w.word+1] ^ flip)
		}
	}
}

// from searches from a hex.
func (f *flood) from(m *mover, start Hex) { f.towards(m, start, NoHex) }

// towards searches from a hex until a goal is reached.
func (f *flood) towards(m *mover, start, goal Hex) {
	f.start(m)
	f.level(0).Add(start)
	f.spread(m, 0, goal)
}

// fromEntries searches what an entering unit reaches from all entry hexes, each of which costs like
// any other (DF 8.2-c).
func (f *flood) fromEntries(m *mover) {
	f.start(m)
	if m.mf == 0 {
		return
	}
	first := f.level(1)
	for _, h := range f.p.sc.Entries {
		first.Add(h)
	}
	f.spread(m, 1, NoHex)
}

// cost is what the cheapest way to a hex that was found costs.
func (f *flood) cost(h Hex) int {
	for c := 0; ; c++ {
		if f.level(c).Has(h) {
			return c
		}
	}
}

// trail is the cheapest way to a hex that was found, from a hex of cost base, both included; of several the one by the
// hexes of the lowest directions, seen from its end.
func (f *flood) trail(m *mover, base int, to Hex) []Hex {
	p, cost := f.p, f.cost(to)
	path := make([]Hex, 1, cost-base+1)
	path[0] = to
	for h := to; cost > base; {
		for d, n := range p.sc.Ground[h] {
			if n == NoHex {
				continue
			}
			before := cost - m.price(p, h, h, d)
			if before < base || !f.level(before).Has(n) || before > 0 && f.stop.Has(n) {
				continue
			}
			h, cost = n, before
			path = append(path, h)
			break
		}
	}
	for a, b := 0, len(path)-1; a < b; a, b = a+1, b-1 {
		path[a], path[b] = path[b], path[a]
	}
	return path
}
