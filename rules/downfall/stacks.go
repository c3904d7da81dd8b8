package downfall

import (
	"slices"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// stacks remembers the moves that each stack of a seat had in the list before, since most of what happens is far from
// most stacks. What is kept of a stack holds as long as it has the same units with the same movement, no bomb fell, and
// in none of the hexes that the searches looked at anything changed that a list depends on: what is shut, a stop, or
// full. Nothing else of a position makes a difference, so that it may be one of another game.
type stacks struct {
	tab *tables
	// known are the sets of the last position: bombed hexes, and those by which a kept list could change.
	exploded hex.Set
	known    [4]hex.Set
	changed  hex.Set
	// kept lists by the hex that they start in, with the hexes that were looked at. live are the hexes that have one.
	kept   []keptMoves
	looked []uint64
	live   []Hex
	// commands is where the lists are, one behind the other.
	commands []Command
}

// maxKept bounds the commands that are kept. When there are more, with those that don't hold any
// more, all are forgotten.
const maxKept = 4096

// keptMoves are commands[from:to] of a stack.
type keptMoves struct {
	key      stackKey
	from, to int
}

// stackKey is what the moves of a stack depend on beside the map. No key has no units.
type stackKey struct {
	units, single UnitSet
	mf            int
}

// stackKey sums up how the units of a stack move: all that do not move a single hex have the same MF.
func (p *Position) stackKey(units UnitSet, mixed bool) stackKey {
	k := stackKey{units: units}
	for rest := units; rest != 0; rest &= rest - 1 {
		m := p.mover(rest.First(), mixed)
		if m.single {
			k.single |= bit(rest.First())
		} else {
			k.mf = m.mf
		}
	}
	return k
}

// look forgets the lists that the position changes.
func (s *stacks) look(p *Position, seat rules.Seat) {
	if s.tab != p.tab {
		s.reset(p.tab, len(p.at))
	}
	if seat == US && !slices.Equal(s.exploded, p.exploded) { // Japan pays the same everywhere (DF 12.2)
		copy(s.exploded, p.exploded)
		s.forget()
	}
	own, foe := &p.sides[seat], &p.sides[enemy(seat)]
	any := uint64(0)
	s.changed.Clear()
	for i, now := range [...]hex.Set{foe.held, foe.zone, own.full[0], own.full[1]} {
		for w, before := range s.known[i] {
			s.changed[w] |= before ^ now[w]
			any |= before ^ now[w]
			s.known[i][w] = now[w]
		}
	}
	if any == 0 {
		return
	}
	s.live = slices.DeleteFunc(s.live, func(h Hex) bool {
		for w, looked := range s.lookedFrom(h) {
			if looked&s.changed[w] != 0 {
				s.kept[h].key = stackKey{}
				return true
			}
		}
		return false
	})
}

// reset begins anew for another map.
func (s *stacks) reset(tab *tables, hexes int) {
	n := tab.words
	memory := make(hex.Set, (6+hexes)*n)
	*s = stacks{
		tab: tab, exploded: memory[:n], changed: memory[n : 2*n], looked: memory[6*n:],
		kept: make([]keptMoves, hexes), live: make([]Hex, 0, hexes),
	}
	for i := range s.known {
		s.known[i] = memory[(2+i)*n : (3+i)*n]
	}
}

func (s *stacks) forget() {
	for _, h := range s.live {
		s.kept[h].key = stackKey{}
	}
	s.live, s.commands = s.live[:0], s.commands[:0]
}

// lookedFrom are the hexes that the moves kept from a hex depend on.
func (s *stacks) lookedFrom(h Hex) hex.Set {
	return s.looked[int(h)*s.tab.words : (int(h)+1)*s.tab.words]
}

// find gives the moves of a stack if they are kept.
func (s *stacks) find(start Hex, key stackKey) ([]Command, bool) {
	k := &s.kept[start]
	if k.key != key {
		return nil, false
	}
	return s.commands[k.from:k.to], true
}

// keep keeps the moves of a stack, which depend on the hexes that were looked at.
func (s *stacks) keep(start Hex, key stackKey, moves []Command, looked hex.Set) {
	if len(s.commands)+len(moves) > maxKept {
		s.forget()
	}
	if len(moves) > maxKept {
		return
	}
	k := &s.kept[start]
	if k.key.units == 0 {
		s.live = append(s.live, start)
	}
	*k = keptMoves{key: key, from: len(s.commands), to: len(s.commands) + len(moves)}
	s.commands = append(s.commands, moves...)
	copy(s.lookedFrom(start), looked)
}
