package downfall

import (
	"math/bits"
	"slices"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// A lister is where a list of legal commands goes: to whoever takes them one by one, or all into a slice. Whoever lists
// again and again keeps it, since most decisions leave the ways of most stacks as they were.
type lister struct {
	// yield takes a command; false ends the list.
	yield func(Command) bool
	// all is true if yield adds to list, so that many commands may be added there at once.
	all  bool
	list []Command
	// reach is what earlier lists found; nil if nothing is remembered.
	reach *reach
	// stacks are the moves that were listed last, by seat; nil if nothing is remembered.
	stacks *[2]stacks
}

// newLister makes a lister that collects and remembers.
func newLister() *lister {
	l := &lister{all: true, reach: &reach{}, stacks: new([2]stacks)}
	l.yield = func(c Command) bool {
		l.list = append(l.list, c)
		return true
	}
	return l
}

// look forgets what does not hold any more, before a list of moves.
func (l *lister) look(p *Position, seat rules.Seat) {
	if l.reach != nil {
		l.reach.look(p)
	}
	if l.stacks != nil {
		l.stacks[seat].look(p, seat)
	}
}

// moves adds a command for each hex of a set but those of another, the lowest first.
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

// turns adds a command with each turn from a first to a last.
func (l *lister) turns(c Command, first, last int) bool {
	if l.all && first <= last {
		at := len(l.list)
		l.list = slices.Grow(l.list, last-first+1)[:at+last-first+1]
		for i := range l.list[at:] {
			l.list[at+i] = c
			l.list[at+i].Detail = uint64(first + i)
		}
		return true
	}
	for t := first; t <= last; t++ {
		if c.Detail = uint64(t); !l.yield(c) {
			return false
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

// reach remembers what movers reached from each hex, and what of the map that depended on. Nothing else of a position
// makes a difference to a search, so that what was found in one position holds in any other in which that is equal.
type reach struct {
	tab *tables
	// exploded are the bombed hexes as they were: they change what US units pay, anywhere.
	exploded hex.Set
	// searches by way of moving and by hex, and one of those who enter.
	searches []searched
	// memory has five sets for each search that was made.
	memory []uint64
	// bombs is raised when bombed hexes are others than before.
	bombs uint32
}

// searched says for what a search holds, and where its sets are.
type searched struct {
	made  bool
	mf    uint8
	bombs uint32
	at    int
}

// Ways of moving: each has prices and stops of its own, and Japan in most turns another MF than in the turn before.
const (
	asUS = iota
	asUSSingle
	asJapan
	ofJapan = 8 // MF that are kept apart
	numWays = asJapan + ofJapan
)

// look notices another map, and other bombed hexes.
func (r *reach) look(p *Position) {
	switch {
	case r.tab != p.tab:
		*r = reach{tab: p.tab, exploded: make(hex.Set, p.tab.words), searches: make([]searched, numWays*len(p.at)+1)}
	case slices.Equal(r.exploded, p.exploded):
		return
	}
	copy(r.exploded, p.exploded)
	if r.bombs++; r.bombs == 0 { // all the numbers are used up
		clear(r.searches)
		r.memory = r.memory[:0]
	}
}

// search finds what a mover reaches from a hex, as from does, or with NoHex from the entry hexes, as fromEntries does;
// of the costs nothing is known afterwards.
func (r *reach) search(f *flood, m *mover, start Hex) {
	s, bombs := r.of(f, m, start)
	n := len(f.found)
	memory := r.memory[s.at : s.at+5*n]
	found, touched, left, shut, stop := memory[:n], memory[n:2*n], memory[2*n:3*n], memory[3*n:4*n], memory[4*n:]
	if s.made && s.bombs == bombs && int(s.mf) == m.mf && sameWithin(touched, shut, f.shut) &&
		sameWithin(left, stop, f.stop) {
		copy(f.found, found)
		copy(f.touched, touched)
		return
	}
	if start == NoHex {
		f.fromEntries(m)
	} else {
		f.from(m, start)
	}
	copy(found, f.found)
	copy(touched, f.touched)
	copy(left, f.left)
	copy(shut, f.shut)
	copy(stop, f.stop)
	s.made, s.mf, s.bombs = true, uint8(m.mf), bombs
}

// of is where a search is remembered, and which bombs matter to it: none where all hexes cost the same.
func (r *reach) of(f *flood, m *mover, start Hex) (s *searched, bombs uint32) {
	way := asUS
	switch {
	case m.seat == Japan:
		way = asJapan + min(m.mf, ofJapan-1)
	case m.single:
		way = asUSSingle
	default:
		bombs = r.bombs
	}
	slot := way*len(f.p.at) + int(start)
	if start == NoHex {
		slot = len(r.searches) - 1
	}
	s = &r.searches[slot]
	if !s.made {
		s.at = len(r.memory)
		r.memory = append(r.memory, make([]uint64, 5*len(f.found))...)
	}
	return s, bombs
}

// sameWithin reports whether two sets have the same hexes of a third.
func sameWithin(all, a, b []uint64) bool {
	differ := uint64(0)
	for i := range all {
		differ |= all[i] & (a[i] ^ b[i])
	}
	return differ == 0
}
