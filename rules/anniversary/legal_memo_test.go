package anniversary

import (
	"fmt"
	"slices"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/dice"
)

// recalls compares what List gives with what Legal yields, for one who keeps a memo through positions of several games.
type recalls struct {
	memo any
	list []Command
	seen int
}

func (r *recalls) compare(t testing.TB, p *Position, seat rules.Seat, f rules.Filter) []Command {
	t.Helper()
	var want []Command
	referee{}.Legal(p, seat, f, func(c Command) bool {
		want = append(want, c)
		return true
	})
	r.list, r.memo = referee{}.List(p, seat, f, r.list[:0], r.memo)
	if r.seen += len(want); slices.Equal(want, r.list) {
		return want
	}
	for i := range max(len(want), len(r.list)) {
		got, expected := "nothing", "nothing"
		if i < len(r.list) {
			got = grammar.Format(p, r.list[i])
		}
		if i < len(want) {
			expected = grammar.Format(p, want[i])
		}
		if got != expected {
			t.Fatalf("command %d of %d of the remembered list is %s, of %d of the fresh one %s\n%s",
				i, len(r.list), got, len(want), expected, p.format())
		}
	}
	t.Fatal("the commands are spelt alike and differ")
	return nil
}

// TestRememberedLists: what whoever lists again and again is given is what a first list has, in games that go on,
// back, and on elsewhere.
func TestRememberedLists(t *testing.T) {
	t.Parallel()
	for i, given := range []map[string]string{
		{}, {"victory_cities": "13", "official_2009": "true"}, {"victory_cities": "18", "objectives": "false"},
		{"no_invisible_islands": "true", "chinese_stack_limit": "true"},
	} {
		doc := [...]string{"1941", "1942"}[i%2]
		t.Run(fmt.Sprint(doc, i), func(t *testing.T) {
			t.Parallel()
			decisions := 1500
			if testing.Short() {
				decisions = 150
			}
			rememberGame(t, doc, given, uint64(i), decisions)
		})
	}
}

// rememberGame plays a game in which each kind of command is as likely as any other, with the technologies that lists
// depend on handed out.
func rememberGame(t testing.TB, doc string, given map[string]string, seed uint64, decisions int) int {
	o, err := about.NewOptions(given)
	if err != nil {
		t.Fatal(err)
	}
	ref, rnd, out := referee{}, dice.NewSeeded(seed), new(rules.Outcome)
	p := ref.New(shippedScenario(t, doc), o)
	for w := range p.tech {
		p.tech[w] = scenario.Techs(rnd.Below(1 << NumTechs))
		p.ipc[w] += 40
	}
	if err := rules.Start(ref, p, rnd, out); err != nil {
		t.Fatal(err)
	}
	r, back := &recalls{}, p.Clone()
	for range decisions {
		if p.over() {
			p = back.Clone()
		}
		for seat := range rules.Seat(NumSeats) {
			if !ref.Waiting(p).Has(seat) && rnd.Below(10) > 0 {
				continue
			}
			list := r.compare(t, p, seat, rules.Filter{})
			if rnd.Below(50) == 0 {
				r.compare(t, p, seat, rules.Filter{Kind: kinds[list[rnd.Below(uint32(len(list)))].Kind].ID})
			}
			if rnd.Below(8) == 0 {
				r.compare(t, without(p, rnd), seat, rules.Filter{})
			}
			if ref.Waiting(p).Has(seat) {
				out.Reset()
				if err := rules.Play(ref, p, seat, list[anyKind(list, rnd)], rnd, out); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		switch rnd.Below(200) { // go back, or remember where to go back to
		case 0:
			p = back.Clone()
		case 1, 2:
			back = p.Clone()
		}
	}
	return r.seen
}

// without is a position with a unit less, of whatever power.
func without(p *Position, rnd *dice.Seeded) *Position {
	q := p.Clone()
	g := q.groups[rnd.Below(uint32(len(q.groups)))]
	q.take(g.Key, 1)
	return q
}

// anyKind chooses a kind and then a command of it; an end is chosen less often, so that units move.
func anyKind(list []Command, rnd *dice.Seeded) int {
	for {
		k := list[rnd.Below(uint32(len(list)))].Kind
		if rnd.Below(2) == 0 {
			k = Kind(rnd.Below(uint32(numKinds)))
		}
		var of []int
		for i, c := range list {
			if c.Kind == k && !kinds[k].Offer {
				of = append(of, i)
			}
		}
		if len(of) > 0 && (k != KindEnd || len(list) < 6 || rnd.Below(4) == 0) {
			return of[rnd.Below(uint32(len(of)))]
		}
	}
}
