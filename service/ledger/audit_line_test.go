package ledger

import (
	"math/rand/v2"
	"testing"

	"github.com/warledger/warledger/rules"
)

// deep is a position that knows how far down its line it is.
type deep struct {
	rules.Game
	depth int
}

func (d deep) Clone() rules.Game { return d }

// TestGoingBackIsLinear has players go back and forth on a line in ways that would make an audit fold it again and
// again. What is folded in all is bounded by the commands, and what is kept by a logarithm.
func TestGoingBackIsLinear(t *testing.T) {
	t.Parallel()
	const commands = 40_000
	for name, next := range map[string]func(chance *rand.Rand, depth, n int) (back int){
		"one after the other, far back": func(_ *rand.Rand, depth, n int) int {
			if n < commands/2 {
				return depth
			}
			return depth - 2
		},
		"half the way again and again": func(_ *rand.Rand, depth, n int) int {
			if depth > 1000 && n%500 == 0 {
				return depth / 2
			}
			return depth
		},
		"one back, again and again": func(_ *rand.Rand, depth, n int) int { return depth - n%2 },
		"to the beginning":          func(_ *rand.Rand, depth, n int) int { return depth * min(1, n%5000) },
		"anywhere near":             func(chance *rand.Rand, depth, _ int) int { return depth - chance.IntN(9)/2 },
		"anywhere": func(chance *rand.Rand, depth, _ int) int {
			return depth - chance.IntN(2)*chance.IntN(2)*chance.IntN(depth+1)
		},
	} {
		l, chance := auditLine{stride: usualStride}, rand.New(rand.NewPCG(1, 2))
		folded, kept := 0, 0
		push := func() {
			l.keep(len(l.places), deep{depth: len(l.places)})
			l.places = append(l.places, linePlace{})
		}
		push()
		for n := range commands {
			if depth := max(0, next(chance, len(l.places)-1, n)); depth+1 < len(l.places) {
				pos, at := l.back(depth)
				if got := pos.(deep).depth; got != at || at > depth {
					t.Fatalf("%s: going back to %d gave the position of %d, said to be %d", name, depth, got, at)
				}
				for ; at < depth; folded++ {
					at++
					l.keep(at, deep{depth: at})
				}
			}
			push()
			kept = max(kept, len(l.kept))
		}
		t.Logf("%s: %d folded, %d kept", name, folded, kept)
		if folded > usualStride*commands || kept > 40 {
			t.Errorf("%s: %d were folded again for %d commands, and %d positions kept", name, folded, commands, kept)
		}
	}
}
