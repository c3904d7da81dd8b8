package downfall

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// A list that remembers is the list that is made afresh, whatever was remembered: of the same game, of another
// one, of the other seat, or of the same position with other bombs, movement factors, stacks and units (DF
// 10.1, DF 11.5, DF 12).
func TestRememberedListsAreTheSame(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	rng := dice.NewSeeded(11)
	var memo any
	compared, moves := 0, 0
	compare := func(p *Position, seat rules.Seat) {
		var want, got []Command
		p.Legal(seat, rules.Filter{}, func(c Command) bool { want = append(want, c); return true })
		got, memo = referee{}.List(p, seat, rules.Filter{}, nil, memo)
		if !slices.EqualFunc(want, got, sameCommand) {
			t.Fatalf("afresh (-), remembering (+):\n%s\n%s", cmp.Diff(want, got), p.format())
		}
		if rng.Below(16) == 0 {
			f := rules.Filter{Kind: kinds[want[rng.Below(uint32(len(want)))].Kind].ID}
			want, got = want[:0], got[:0]
			p.Legal(seat, f, func(c Command) bool { want = append(want, c); return true })
			got, memo = referee{}.List(p, seat, f, got, memo)
			if !slices.EqualFunc(want, got, sameCommand) {
				t.Fatalf("%+v: afresh (-), remembering (+):\n%s\n%s", f, cmp.Diff(want, got), p.format())
			}
		}
		compared++
		for _, c := range want {
			if c.Kind == KindMove {
				moves++
			}
		}
	}
	for seed := range uint64(12) {
		selfPlay(t, sc, OptionSet(seed*seed), seed, func(p *Position, seat rules.Seat, _ []Command, _ Command) {
			compare(p, seat)
			if rng.Below(3) == 0 {
				for q := disturbed(p, rng); ; q = disturbed(q, rng) { // further and further, with all else as it was
					compare(q, seat)
					if rng.Below(2) == 0 {
						break
					}
				}
			}
		})
	}
	if compared < 1000 || moves < 100_000 {
		t.Fatalf("%d lists with %d moves compared", compared, moves)
	}
}

// sameCommand compares commands, routes by what they hold.
func sameCommand(a, b Command) bool {
	same := slices.EqualFunc(a.routes(), b.routes(),
		func(a, b Route) bool { return a.Unit == b.Unit && slices.Equal(a.Path, b.Path) })
	a.Routes, b.Routes = nil, nil
	return same && a == b
}

// disturbed is a copy of a position in which something is as play would hardly make it.
func disturbed(p *Position, rng *dice.Seeded) *Position {
	p = p.Clone()
	for range 1 + rng.Below(3) {
		switch rng.Below(5) {
		case 0:
			p.exploded.Add(Hex(rng.Below(uint32(len(p.at)))))
		case 1:
			p.jpMF = uint8(rng.Below(6))
		case 2:
			if u := Unit(rng.Below(uint32(len(p.sc.Units)))); p.onMap.Has(u) {
				p.put(u, Removed)
			}
		case 4: // one hex for some of a stack, all MF for others
			for u := range (p.onMap & p.tab.us).Each {
				if rng.Below(3) == 0 {
					p.supply[u] = []Supply{Line, Coast, OOS}[rng.Below(3)]
				}
			}
		case 3:
			if u := Unit(rng.Below(uint32(len(p.sc.Units)))); p.onMap.Has(u) {
				h := Hex(rng.Below(uint32(len(p.at))))
				if p.at[h]&p.tab.side(enemy(p.sc.Units[u].Owner)) == 0 {
					p.put(u, Place(h))
				}
			}
		}
	}
	return p
}
