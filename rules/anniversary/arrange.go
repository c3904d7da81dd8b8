package anniversary

import (
	"cmp"
	"slices"

	"github.com/warledger/warledger/rules"
)

// alphabet is the number of territories, if the map has them in the order of their English names. Sea zones follow by
// their numbers, which every language has.
func (s *Scenario) alphabet() int {
	if n := int(s.Land); rules.IsAlphabetical(s.BoardMap(rules.English).GetSpaces(), n) {
		return n
	}
	return 0
}

// arrange orders a list as if the territories stood in the order of their ranks: moves by where they begin, then by
// unit as before, then by where they end.
func (o order) arrange(list []Command) {
	keys, before := make([]sortKey, len(list)), slices.Clone(list)
	block, run := uint64(0), uint64(0)
	for i := range list {
		c := &list[i]
		if i > 0 && !together(&list[i-1], c) {
			if run++; !isMove(c.Kind) || !isMove(list[i-1].Kind) {
				block++
			}
		}
		begins, leads := o.key(c)
		keys[i] = sortKey{block<<40 | begins<<32 | run, leads<<32 | uint64(i)}
	}
	slices.SortFunc(keys, func(a, b sortKey) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return cmp.Compare(a.then, b.then)
	})
	for i, k := range keys {
		list[i] = before[uint32(k.then)]
	}
}

// sortKey is what a list is sorted by, in bits. First come the block, whose commands keep their place in the list, such
// as the moves of all units; where a move begins; and the run of the moves of one unit. Then comes where a command
// leads, and its place in the list.
type sortKey struct{ first, then uint64 }

// key is where a command begins, if it is a move, and where it leads.
func (o order) key(c *Command) (begins, leads uint64) {
	switch {
	case isMove(c.Kind):
		return o.rank(origin(c)), follows(c.Kind)<<16 | o.rank(c.Via)<<8 | o.rank(c.To)
	case c.Kind == KindShip:
		return 0, o.rank(c.Target)<<8 | o.boards(c)
	case c.Kind == KindRetreat && c.To == NoSpace: // that of the air units alone comes last
		return 0, 1 << 16
	}
	return 0, o.rank(c.From)<<8 | o.rank(c.To)
}

// order are the ranks of the territories.
type order []int

// rank is that of a territory. Zones come after them, in their own order; no space comes before all others.
func (o order) rank(s Space) uint64 {
	switch {
	case s == NoSpace:
		return 0
	case int(s) >= len(o):
		return uint64(len(o)) + 1
	}
	return uint64(o[s]) + 1
}

// isMove reports whether a kind is listed along with the moves of a unit.
func isMove(k Kind) bool { return k == KindMove || k == KindRaid || k == KindDrop || k == KindJoin }

// origin is where the unit of a move stands.
func origin(c *Command) Space {
	if c.Kind == KindJoin {
		return c.To
	}
	return c.From
}

// moverOf is the unit that a move is listed with.
func moverOf(c *Command) Unit {
	switch c.Kind {
	case KindRaid, KindDrop:
		return Bomber
	case KindJoin:
		return Fighter
	}
	return c.Items[0].Unit
}

// together reports whether a command of a list and the next differ in where they lead and not in who acts.
func together(a, b *Command) bool {
	switch {
	case isMove(a.Kind) && isMove(b.Kind):
		return origin(a) == origin(b) && a.Power == b.Power && moverOf(a) == moverOf(b) &&
			(a.Kind != KindMove || b.Kind != KindMove || a.Items[0].Variant == b.Items[0].Variant)
	case a.Kind != b.Kind:
		return false
	case a.Kind == KindShip:
		return a.Power == b.Power && a.From == b.From && a.Via == b.Via && a.To == b.To
	case a.Kind == KindPlace:
		return a.Power == b.Power && a.Items[0].Unit == b.Items[0].Unit
	}
	return a.Kind != KindBuy && a.Kind != KindLose
}

// follows says what comes after the moves and raids of a unit.
func follows(k Kind) uint64 {
	switch k {
	case KindDrop:
		return 1
	case KindJoin:
		return 2
	}
	return 0
}

// boards is the rank of where the unit that is loaded last comes from, of a transport that lands nobody.
func (o order) boards(c *Command) uint64 {
	if c.Target != NoSpace || c.Len == 0 {
		return 0
	}
	return o.rank(c.Items[c.Len-1].At)
}
