package anniversary

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/dice"
)

// TestArrange: with the spaces at their own places every list of a game stays as Legal gives it; with others it has the
// same commands, and with their own again it is the list of before.
func TestArrange(t *testing.T) {
	t.Parallel()
	for i, doc := range [...]string{"1941", "1942", "1942"} {
		t.Run(fmt.Sprint(doc, i), func(t *testing.T) {
			t.Parallel()
			ref, rnd, out := referee{}, dice.NewSeeded(uint64(i)), new(rules.Outcome)
			o, err := about.NewOptions(nil)
			if err != nil {
				t.Fatal(err)
			}
			p := ref.New(shippedScenario(t, doc), o)
			for w := range p.tech {
				p.tech[w] = scenario.Techs(rnd.Below(1 << NumTechs))
				p.ipc[w] += 40
			}
			if err := rules.Start(ref, p, rnd, out); err != nil {
				t.Fatal(err)
			}
			land := ref.Alphabet(p.sc)
			if land != int(p.sc.Land) {
				t.Fatalf("the alphabet has %d of %d territories", land, p.sc.Land)
			}
			own, other := make([]int, land), make([]int, land)
			for s := range own {
				own[s], other[s] = s, land-1-s
			}
			changed := 0
			for range 600 {
				if p.over() {
					break
				}
				for seat := range ref.Waiting(p).Each {
					var list []Command
					ref.Legal(p, seat, rules.Filter{}, func(c Command) bool { list = append(list, c); return true })
					arranged := slices.Clone(list)
					ref.Arrange(p, arranged, own)
					sameList(t, p, list, arranged)
					ref.Arrange(p, arranged, other)
					if !slices.Equal(list, arranged) {
						changed++
					}
					ref.Arrange(p, arranged, own)
					sameList(t, p, list, arranged)
					out.Reset()
					if err := rules.Play(ref, p, seat, list[anyKind(list, rnd)], rnd, out); err != nil {
						t.Fatal(err)
					}
					break
				}
			}
			if changed < 100 {
				t.Errorf("%d lists have another order with the spaces at other places", changed)
			}
		})
	}
}

// sameList compares lists by their notation.
func sameList(t *testing.T, p *Position, want, got []Command) {
	t.Helper()
	if slices.Equal(want, got) {
		return
	}
	spell := func(list []Command) (all []string) {
		for _, c := range list {
			all = append(all, grammar.Format(p, c))
		}
		return all
	}
	t.Fatalf("(-want +got):\n%s", cmp.Diff(spell(want), spell(got)))
}

// BenchmarkArrange arranges the first combat moves of Japan, and spells them out as an answer does, which takes most of
// the time.
func BenchmarkArrange(b *testing.B) {
	o, _ := about.NewOptions(nil)
	set := New()
	g := set.New(shippedScenario(b, "1942"), o)
	if _, err := g.Start(dice.NewSeeded(1)); err != nil {
		b.Fatal(err)
	}
	seat := rules.Seat(Japan)
	for _, text := range []string{"research 0", "end"} {
		c, err := g.ParseCommand(text)
		if err == nil {
			g, _, err = g.Play(seat, c, dice.NewSeeded(1))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	ranks := make([]int, set.Alphabet(g.Scenario()))
	for i := range ranks {
		ranks[i] = len(ranks) - i
	}
	for _, x := range []struct {
		name  string
		ranks []int
	}{{"as listed", nil}, {"arranged", ranks}} {
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			var list rules.Listing
			for b.Loop() {
				list = g.List(seat, rules.Filter{}, list)
				if x.ranks != nil {
					g.Arrange(list, x.ranks)
				}
				for i := range list.Len() {
					g.Describe(seat, list.At(i))
				}
			}
		})
	}
}
