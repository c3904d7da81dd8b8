package downfall

import (
	"slices"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// The search finds the same hexes at the same costs as trying every step of every way, bombed hexes and rivers
// included (DF 11.5, DF 12).
func TestFloodFindsWhatStepsFind(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	rng := dice.NewSeeded(5)
	for seed := range uint64(6) {
		selfPlay(t, sc, OptionSet(seed*seed), seed, func(p *Position, seat rules.Seat, _ []Command, _ Command) {
			if rng.Below(12) > 0 || p.onMap == 0 {
				return
			}
			p = p.Clone()
			for range rng.Below(3) { // more bombs than players drop
				p.exploded.Add(Hex(rng.Below(uint32(len(p.at)))))
				p.bombsUsed++
			}
			for u := range (p.onMap & p.tab.side(seat)).Each {
				start := p.place[u].Hex()
				m := p.mover(u, p.mixed(start))
				m.mf = min(m.mf+int(rng.Below(3)), maxMF)
				sameAsSteps(t, p, m, start)
			}
		})
	}
}

func sameAsSteps(t *testing.T, p *Position, m mover, start Hex) {
	t.Helper()
	var room floodRoom
	f := newFlood(p, &room, m.seat)
	f.from(&m, start)
	want := map[Hex]int{start: 0}
	for changed := true; changed; {
		changed = false
		for h, cost := range want {
			if h != start && m.stops(p, h) {
				continue
			}
			for d, n := range p.sc.Ground[h] {
				if n == NoHex || m.closed(p, n) {
					continue
				}
				next := cost + m.price(p, n, h, d)
				if was, ok := want[n]; next <= m.mf && (!ok || next < was) {
					want[n], changed = next, true
				}
			}
		}
	}
	if f.found.Count() != len(want) {
		t.Fatalf("%s %+v: %d hexes found, %d expected\n%s", p.digits(start), m, f.found.Count(), len(want), p.format())
	}
	for cost := m.mf + 1; cost <= maxMF; cost++ {
		if !f.level(cost).Empty() {
			t.Fatalf("%s %+v: hexes at a cost of %d", p.digits(start), m, cost)
		}
	}
	for h, cost := range want {
		if !f.found.Has(h) || f.cost(h) != cost {
			t.Fatalf("%s %+v: %s costs %d, expected %d", p.digits(start), m, p.digits(h), f.cost(h), cost)
		}
		path := f.trail(&m, 0, h)
		if path[0] != start || path[len(path)-1] != h || len(path) > 1 && p.walk(m, path, 0, false) != nil {
			t.Fatalf("%s %+v: the way to %s is %v: %v",
				p.digits(start), m, p.digits(h), path, p.walk(m, path, 0, false))
		}
	}
}

// A search for one destination takes the way that a search for all finds there, and finds none where that finds
// none (DF 11.5, DF 12).
func TestSearchForOneFindsTheSameWay(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	rng := dice.NewSeeded(9)
	for seed := range uint64(6) {
		selfPlay(t, sc, OptionSet(seed*seed), seed, func(p *Position, seat rules.Seat, _ []Command, _ Command) {
			if rng.Below(24) > 0 || p.onMap == 0 {
				return
			}
			p = p.Clone()
			for range rng.Below(3) {
				p.exploded.Add(Hex(rng.Below(uint32(len(p.at)))))
			}
			for u := range (p.onMap & p.tab.side(seat)).Each {
				start := p.place[u].Hex()
				m := p.mover(u, p.mixed(start))
				m.mf = min(m.mf+int(rng.Below(4)), maxMF)
				sameWays(t, p, m, start)
			}
		})
	}
}

func sameWays(t *testing.T, p *Position, m mover, start Hex) {
	t.Helper()
	var room, roomForOne floodRoom
	all, one := newFlood(p, &room, m.seat), newFlood(p, &roomForOne, m.seat)
	all.from(&m, start)
	for to := range Hex(len(p.at)) {
		one.towards(&m, start, to)
		if one.found.Has(to) != all.found.Has(to) {
			t.Fatalf("%s %+v: %s found: %v, expected %v\n%s",
				p.digits(start), m, p.digits(to), one.found.Has(to), all.found.Has(to), p.format())
		}
		if !all.found.Has(to) {
			continue
		}
		if got, want := one.trail(&m, 0, to), all.trail(&m, 0, to); !slices.Equal(got, want) {
			t.Fatalf("%s %+v: the way to %s is %v, expected %v\n%s",
				p.digits(start), m, p.digits(to), got, want, p.format())
		}
	}
}

// The hexes around a goal are the same on a map that needs more memory than the caller has, and none lie beyond it.
func TestGoalsOfLargeMaps(t *testing.T) {
	t.Parallel()
	p := newPosition(olympic(t), 0)
	room := new(floodRoom)
	small := newFlood(p, room, US)
	large := small
	large.found = make([]uint64, 2*floodWords+1)
	for goal := range Hex(len(p.at)) {
		var memory [2]([2 * floodWords]uint64)
		one, two := small.before(goal, memory[0][:])
		wideOne, wideTwo := large.before(goal, memory[1][:])
		n := len(small.found)
		if !slices.Equal(one, wideOne[:n]) || !slices.Equal(two, wideTwo[:n]) ||
			!wideOne[n:].Empty() || !wideTwo[n:].Empty() || len(wideTwo) != len(large.found) {
			t.Fatalf("%s: %v and %v on a small map, %v and %v on a large one",
				p.digits(goal), one, two, wideOne, wideTwo)
		}
	}
}
