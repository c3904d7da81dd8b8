package rules

import boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"

// Alphabetical is a referee whose map stands in the order of its English names, at least in part, and whose lists
// follow it. Readers of other languages sort the names otherwise.
type Alphabetical[P Position[P], C any] interface {
	// Alphabet is how many of the first spaces of the map stand in the order of their English names; 0 for a map in
	// another order, which means something and stays.
	Alphabet(sc Scenario) int
	// Arrange puts what Legal listed into the order that it has with the spaces of the alphabet at other places, which
	// the ranks give, from 0. It keeps the order of all else.
	Arrange(p P, list []C, ranks []int)
}

func (r *ruleset[P, C, E]) Alphabet(sc Scenario) int {
	if a, ok := r.ref.(Alphabetical[P, C]); ok {
		return a.Alphabet(sc)
	}
	return 0
}

func (g *game[P, C, E]) Arrange(list Listing, ranks []int) {
	a, ok := g.set.ref.(Alphabetical[P, C])
	l, listed := list.(*listing[C])
	if ok && listed {
		a.Arrange(g.pos, l.commands, ranks)
	}
}

// IsAlphabetical reports whether the first n spaces of a map stand in the order of their names.
func IsAlphabetical(spaces []*boardv1.Space, n int) bool {
	for i := 1; i < n; i++ {
		if spaces[i-1].GetName() > spaces[i].GetName() {
			return false
		}
	}
	return true
}
