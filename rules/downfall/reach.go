package downfall

import (
	"math/bits"
	"slices"

	"github.com/warledger/warledger/rules/hex"
)

// A lister is where a list of legal commands goes: to whoever takes them one by one, or all into a slice. Whoever lists again and again keeps it, since
// most decisions leave the ways of most stacks as they were.
type lister struct {
	// yield takes a command; false ends the list.
	yield func(Command) bool
	// all is true if yield adds to list, so that many commands may be added there at once.
	all  bool
	list []Command
	// reach is what earlier lists found; nil if nothing is remembered.
	reach *reach
}

// newLister makes a lister that collects and remembers.
func newLister() *lister {
	l := &lister{all: true, reach: &reach{}}
	l.yield = func(c Command) bool {
		l.list = append(l.list, c)
		return true
	}
	return l
}

// moves adds a command for each hex of a set, the lowest first.
func (l *lister) moves(k Kind, u Unit, to, except hex.Set) bool {
	c := aiming(k, u, NoHex)
	if l.all {
		l.collect(c, to, except)
		return true
	}
	for i, word := range to {
		for word &^= except[i]; word != 0; word &= word - 1 {
			c.Hex = Hex(i<<6 + bits.TrailingZeros64(word))
			if !l.yield(c) {
				return false
			}
		}
	}
	return true
}

// collect is moves without asking after each.
func (l *lister) collect(c Command, to, except hex.Set) {
	n := 0
	for i, word := range to {
		n += bits.OnesCount64(word &^ except[i])
	}
	at := len(l.list)
	l.list = slices.Grow(l.list, n)[:at+n]
	rest := l.list[at:]
	for i, word := range to {
		for word &^= except[i]; word != 0; word &= word - 1 {
			rest[0] = c
			rest[0].Hex = Hex(i<<6 + bits.TrailingZeros64(word)) // not in c, which then could not be read at once
			rest = rest[1:]
		}
	}
}

// reach remembers what movers reached from each hex, and what of the map that depended on. Nothing else of a position makes a difference to a search, so that
// what was found in one position holds in any other in which that is equal.
type reach struct {
	tab *tables
	// exploded are the bombed hexes as they were: they change prices, anywhere.
	exploded hex.Set
	// searches by way of moving and by hex; each has four sets in memory.
	searches []searched
	memory   []uint64
	// now is raised when all searches become void.
	now uint32
}

// searched says for what a search holds: one of mf, made when reach.now was since.
type searched struct {
	since uint32
	mf    uint8
}

// Ways of moving: each has prices and stops of its own.
const (
	asUS = iota
	asUSSingle
	asJapan
	numWays
)

// look forgets all if a flood has another map, or other bombed hexes.
func (r *reach) look(f *flood) {
	p, n := f.p, len(f.found)
	switch {
	case r.tab != p.tab:
		slots := numWays * len(p.at)
		*r = reach{tab: p.tab, exploded: make(hex.Set, n), searches: make([]searched, slots), memory: make([]uint64, 4*n*slots)}
	case slices.Equal(r.exploded, p.exploded):
		return
	}
	copy(r.exploded, p.exploded)
	if r.now++; r.now == 0 { // all the numbers are used up
		clear(r.searches)
		r.now = 1
	}
}

// search finds what a mover reaches from a hex, as from does; of the costs nothing is known afterwards.
func (r *reach) search(f *flood, m *mover, start Hex) {
	way := asUS
	switch {
	case m.seat == Japan:
		way = asJapan
	case m.single:
		way = asUSSingle
	}
	slot, n := way*len(f.p.at)+int(start), len(f.found)
	memory, s := r.memory[4*n*slot:4*n*(slot+1)], &r.searches[slot]
	found, touched, shut, stop := memory[:n], memory[n:2*n], memory[2*n:3*n], memory[3*n:]
	if s.since == r.now && int(s.mf) == m.mf && sameWithin(touched, shut, f.shut) && sameWithin(touched, stop, f.stop) {
		copy(f.found, found)
		return
	}
	f.from(m, start)
	copy(found, f.found)
	copy(touched, f.touched)
	copy(shut, f.shut)
	copy(stop, f.stop)
	*s = searched{since: r.now, mf: uint8(m.mf)}
}

// sameWithin reports whether two sets have the same hexes of a third.
func sameWithin(all, a, b []uint64) bool {
	differ := uint64(0)
	for i := range all {
		differ |= all[i] & (a[i] ^ b[i])
	}
	return differ == 0
}
