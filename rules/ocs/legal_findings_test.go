package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

// A list that shares what its checks work out, and keeps what supply lines cover from lists before, is the list of
// the plain computation.
func TestListsShareNothingWrong(t *testing.T) {
	t.Parallel()
	for id, steps := range map[string]int{"crimea-ishun": 200, "proving-ground": 120, "crimea-trappenjagd": 60} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			var memo any
			random(t, id, 7, steps, func(g *table) {
				seat := g.asked()
				var plain, shared []Command
				g.p.yields(seat, rules.Filter{}, func(c Command) bool { plain = append(plain, c); return true })
				shared, memo = g.p.list(seat, rules.Filter{}, nil, memo)
				if diff := cmp.Diff(notations(g.p, plain), notations(g.p, shared)); diff != "" {
					t.Fatalf("in %s (-plain +shared):\n%s\n%s", segments[g.p.segment].id, diff, g.p.format())
				}
			})
		})
	}
}

// random plays so many random commands of a scenario, a tenth of them under testing.Short, and looks at the
// position before each.
func random(t *testing.T, id string, seed uint64, steps int, look func(g *table)) {
	t.Helper()
	if testing.Short() {
		steps /= 10
	}
	g, src, out := begun(t, id), newSeeded(seed), new(rules.Outcome)
	pick := func(n int) int {
		a, _ := src.Roll(100, "test")
		b, _ := src.Roll(100, "test")
		return (int(a)*100 + int(b)) % n
	}
	for range steps {
		if g.p.over() {
			return
		}
		look(g)
		seat := g.asked()
		var list []Command
		g.p.Legal(seat, rules.Filter{}, func(c Command) bool {
			if !kinds[c.Kind].Offer {
				list = append(list, c)
			}
			return true
		})
		c := list[pick(len(list))]
		if end := only(KindEnd); pick(15) == 0 && g.p.check(seat, &end) == nil {
			c = end
		}
		out.Reset()
		if err := rules.Play(referee{}, g.p, seat, c, src, out); err != nil {
			t.Fatal(explain(err))
		}
	}
}

func notations(p *Position, list []Command) []string {
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = p.formatCommand(c)
	}
	return out
}
