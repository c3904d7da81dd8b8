package hex

import (
	"cmp"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// randomCosts are costs 0 or more that differ by hexside, direction and hex, with some stops and blocks.
func randomCosts(seed uint64, least int) CostFunc {
	return func(from, to Index, d Dir) (int, Verdict) {
		h := mix(seed, uint64(from), uint64(to), uint64(d))
		verdict := Pass
		switch h >> 32 % 8 {
		case 0:
			verdict = Blocked
		case 1, 2:
			verdict = Stop
		}
		return least + int(h%4), verdict
	}
}

// relax is Bellman and Ford's method: the cost of passing into and of stopping in each hex, -1 where there is no way.
func relax(m *Map, sources []Index, budget int, cost CostFunc) (pass, stop []int) {
	pass, stop = make([]int, m.Len()), make([]int, m.Len())
	for i := range pass {
		pass[i], stop[i] = -1, -1
	}
	for _, s := range sources {
		if budget >= 0 {
			pass[s] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range Index(m.Len()) {
			for d, to := range m.Neighbors(i) {
				if pass[i] < 0 || to == None {
					continue
				}
				c, enter := cost(i, to, Dir(d))
				into := pass
				if enter == Stop {
					into = stop
				}
				if sum := pass[i] + c; enter != Blocked && sum <= budget && (into[to] < 0 || sum < into[to]) {
					into[to] = sum
					changed = true
				}
			}
		}
	}
	return pass, stop
}

func TestFloodAgainstBellmanFord(t *testing.T) {
	t.Parallel()
	var f Flood // used by all runs: nothing may be left of the last
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		cost := randomCosts(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 1).Draw(t, "least"))
		budget := rapid.IntRange(-1, 12).Draw(t, "budget")
		var sources []Index
		for range rapid.IntRange(1, 3).Draw(t, "sources") {
			sources = append(sources, drawHex(t, m, "source"))
		}
		if len(sources) == 1 {
			f.Run(m, sources[0], budget, cost)
		} else {
			f.RunFrom(m, sources, budget, cost)
		}
		pass, stop := relax(m, sources, budget, cost)
		reached := 0
		for i := range Index(m.Len()) {
			want := pass[i]
			if want < 0 || stop[i] >= 0 && stop[i] < want {
				want = stop[i]
			}
			got, ok := f.Cost(i)
			if ok != (want >= 0) || ok && got != want || ok != f.Has(i) {
				t.Fatalf("cost of %s: %d %v, want %d", m.ID(i), got, ok, want)
			}
			if through, ok := f.CostThrough(i); ok != (pass[i] >= 0) || ok && through != pass[i] {
				t.Fatalf("cost through %s: %d %v, want %d", m.ID(i), through, ok, pass[i])
			}
			if ok {
				reached++
				checkPath(t, &f, m, i, sources, cost)
			} else if path := f.AppendPath(nil, i); path != nil || f.From(i) != None {
				t.Fatalf("path to %s: %v", m.ID(i), path)
			}
		}
		if len(f.Reached()) != reached || !slices.IsSortedFunc(f.Reached(), byCost(&f)) {
			t.Fatalf("reached %v, want %d in order", f.Reached(), reached)
		}
	})
}

func byCost(f *Flood) func(a, b Index) int {
	return func(a, b Index) int {
		ca, _ := f.Cost(a)
		cb, _ := f.Cost(b)
		return cmp.Or(cmp.Compare(ca, cb), cmp.Compare(a, b))
	}
}

// checkPath walks the path again and adds up what it costs.
func checkPath(t *rapid.T, f *Flood, m *Map, to Index, sources []Index, cost CostFunc) {
	path := f.AppendPath(nil, to)
	if !slices.Contains(sources, path[0]) || path[len(path)-1] != to {
		t.Fatalf("path to %s: %v", m.ID(to), path)
	}
	sum := 0
	for k := range path[1:] {
		d, ok := m.DirTo(path[k], path[k+1])
		c, enter := cost(path[k], path[k+1], d)
		if !ok || enter == Blocked || enter == Stop && k+2 < len(path) {
			t.Fatalf("path to %s: %v breaks at %d", m.ID(to), path, k)
		}
		sum += c
	}
	if want, _ := f.Cost(to); sum != want {
		t.Fatalf("path to %s costs %d, want %d", m.ID(to), sum, want)
	}
	if len(path) > 1 && f.From(to) != path[len(path)-2] {
		t.Fatalf("from of %s is %d, path %v", m.ID(to), f.From(to), path)
	}
}

// TestFloodTies checks the promise about ways that cost the same, where every step costs something.
func TestFloodTies(t *testing.T) {
	t.Parallel()
	var f Flood
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		cost := randomCosts(rapid.Uint64().Draw(t, "seed"), 1)
		f.Run(m, drawHex(t, m, "from"), 12, cost)
		for _, i := range f.Reached()[1:] {
			best, _ := f.Cost(i)
			want, wantCost, wantStop := None, 0, Blocked
			for d, from := range m.Neighbors(i) {
				if from == None {
					continue
				}
				c, enter := cost(from, i, Dir(d).Opposite())
				sum, ok := f.CostThrough(from)
				if !ok || enter == Blocked || sum+c != best {
					continue
				}
				better := cmp.Or(cmp.Compare(enter, wantStop), cmp.Compare(sum, wantCost), cmp.Compare(from, want)) < 0
				if want == None || better {
					want, wantCost, wantStop = from, sum, enter
				}
			}
			if f.From(i) != want {
				t.Fatalf("%s is entered from %d, want %d", m.ID(i), f.From(i), want)
			}
		}
	})
}

func TestCheapestPathIsThatOfRun(t *testing.T) {
	t.Parallel()
	var f, g Flood
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		cost := randomCosts(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 1).Draw(t, "least"))
		from, to, budget := drawHex(t, m, "from"), drawHex(t, m, "to"), rapid.IntRange(-1, 12).Draw(t, "budget")
		f.Run(m, from, budget, cost)
		path, total, ok := g.CheapestPath([]Index{None}, m, from, to, budget, cost)
		want, wantOK := f.Cost(to)
		if ok != wantOK || total != want || !slices.Equal(path, f.AppendPath([]Index{None}, to)) {
			t.Fatalf("%s to %s: %v for %d, want %v for %d",
				m.ID(from), m.ID(to), path, total, f.AppendPath(nil, to), want)
		}
	})
}

// TestStopAndGoOn: the straight way into the second hex stops there, the way round may go on.
func TestStopAndGoOn(t *testing.T) {
	t.Parallel()
	m := mustMap(t, crimea, []Coord{{1, 1}, {1, 2}, {1, 3}, {2, 1}})
	id := func(s string) Index { i, _ := m.ByID(s); return i }
	cost := func(from, to Index, _ Dir) (int, Verdict) {
		switch {
		case from == id("01.01") && to == id("01.02"):
			return 1, Stop
		case to == id("02.01"):
			return 2, Pass
		}
		return 1, Pass
	}
	var f Flood
	f.Run(m, id("01.01"), MaxCost+5, cost)
	want := map[string][]string{
		"01.01": {"01.01"},
		"01.02": {"01.01", "01.02"},
		"01.03": {"01.01", "02.01", "01.02", "01.03"},
		"02.01": {"01.01", "02.01"},
	}
	got := map[string][]string{}
	for _, i := range f.Reached() {
		for _, j := range f.AppendPath(nil, i) {
			got[m.ID(i)] = append(got[m.ID(i)], m.ID(j))
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	short, _ := f.Cost(id("01.02"))
	through, _ := f.CostThrough(id("01.02"))
	if short != 1 || through != 3 {
		t.Errorf("01.02 costs %d, through %d, want 1 and 3", short, through)
	}
}

func TestFloodAfterAPanic(t *testing.T) {
	t.Parallel()
	m := mustMap(t, crimea, rectangle(9, 9))
	var f Flood
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic at a negative cost")
			}
		}()
		f.Run(m, 0, 50, func(from, _ Index, _ Dir) (int, Verdict) { return 7 - int(from), Pass })
	}()
	f.Run(m, 40, 1, func(Index, Index, Dir) (int, Verdict) { return 1, Pass })
	if len(f.Reached()) != 7 {
		t.Errorf("reached %v", f.Reached())
	}
}

func TestFloodRunCounterWraps(t *testing.T) {
	t.Parallel()
	m := mustMap(t, crimea, rectangle(3, 3))
	one := func(Index, Index, Dir) (int, Verdict) { return 1, Pass }
	for before, after := range map[int]int{9: 0, 0: 9} { // budgets: nothing of the run before, nothing of no run
		var f Flood
		f.Run(m, 0, before, one)
		f.run = ^uint32(0)
		f.Run(m, 0, after, one)
		if want := 1 + after/9*8; len(f.Reached()) != want || f.Has(8) != (after == 9) {
			t.Errorf("reached %v, want %d", f.Reached(), want)
		}
	}
}

func TestFloodMaxCost(t *testing.T) {
	t.Parallel()
	m := mustMap(t, crimea, rectangle(1, 4))
	var f Flood
	f.Run(m, 0, math.MaxInt, func(_, to Index, _ Dir) (int, Verdict) {
		if to == 3 {
			return math.MaxInt, Pass
		}
		return MaxCost / 2, Pass
	})
	if last, _ := f.Cost(2); last != MaxCost-1 || len(f.Reached()) != 3 {
		t.Errorf("reached %v, the last at %d", f.Reached(), last)
	}
	f.Run(m, 0, math.MaxInt, func(Index, Index, Dir) (int, Verdict) { return MaxCost/2 + 1, Pass })
	if len(f.Reached()) != 2 {
		t.Errorf("reached %v beyond the highest cost", f.Reached())
	}
}

func TestFloodOnSeveralMaps(t *testing.T) {
	t.Parallel()
	one := func(Index, Index, Dir) (int, Verdict) { return 1, Pass }
	var f Flood
	for _, n := range []int{9, 2, 5, 12} {
		f.Run(mustMap(t, downfall, rectangle(n, n)), 0, MaxCost, one)
		if len(f.Reached()) != n*n {
			t.Errorf("map of %d: %d reached", n*n, len(f.Reached()))
		}
	}
}
