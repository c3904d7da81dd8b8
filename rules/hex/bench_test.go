package hex

import "testing"

// The benchmarks use a map of 1,000 hexes with a hill in every fourth.
const benchCols, benchRows = 40, 25

func benchMap(tb testing.TB) (m *Map, center Index, entry []int32) {
	m = mustMap(tb, crimea, rectangle(benchCols, benchRows))
	entry = make([]int32, m.Len())
	for i := range entry {
		entry[i] = 1
		if mix(uint64(i))%4 == 0 {
			entry[i] = 2
		}
	}
	return m, m.At(Coord{20, 12}), entry
}

func TestNoAllocations(t *testing.T) { // not parallel: it counts the allocations of the process
	m, center, entry := benchMap(t)
	var f Flood
	cost := func(_, to Index, _ Dir) (int, Verdict) { return int(entry[to]), Pass }
	pass := func(_, to Index, _ Dir) bool { return entry[to] == 1 }
	path, set, sources := make([]Index, 0, m.Len()), m.NewSet(), []Index{center, 0}
	tests := map[string]func(){
		"run":       func() { f.Run(m, center, 8, cost) },
		"run from":  func() { f.RunFrom(m, sources, 8, cost) },
		"path":      func() { path, _, _ = f.CheapestPath(path[:0], m, center, 0, 100, cost) },
		"reach":     func() { f.Reach(m, sources[:1], MaxCost, pass, nil) },
		"within":    func() { path = m.AppendWithin(path[:0], center, 8) },
		"add to":    func() { f.AddTo(set) },
		"id":        func() { _ = m.ID(center) },
		"set":       func() { path = set.Append(path[:0]) },
		"neighbors": func() { _ = m.Neighbors(center) },
	}
	for name, run := range tests {
		run()
		if n := testing.AllocsPerRun(20, run); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func BenchmarkNeighbors(b *testing.B) {
	m, center, _ := benchMap(b)
	b.ReportAllocs()
	sum := 0
	for b.Loop() {
		for _, n := range m.Neighbors(center) {
			sum += int(n)
		}
	}
	_ = sum
}

func BenchmarkDistance(b *testing.B) {
	m, center, _ := benchMap(b)
	b.ReportAllocs()
	sum, i := 0, Index(0)
	for b.Loop() {
		sum += m.Distance(center, i)
		if i++; int(i) == m.Len() {
			i = 0
		}
	}
	_ = sum
}

func BenchmarkWithin8(b *testing.B) {
	m, center, _ := benchMap(b)
	b.ReportAllocs()
	var dst []Index
	for b.Loop() {
		dst = m.AppendWithin(dst[:0], center, 8)
	}
}

func BenchmarkFlood8(b *testing.B) {
	m, center, _ := benchMap(b)
	b.ReportAllocs()
	var f Flood
	for b.Loop() {
		f.Run(m, center, 8, func(Index, Index, Dir) (int, Verdict) { return 1, Pass })
	}
	b.ReportMetric(float64(len(f.Reached())), "hexes")
}

func BenchmarkFlood8Terrain(b *testing.B) {
	m, center, entry := benchMap(b)
	b.ReportAllocs()
	var f Flood
	for b.Loop() {
		f.Run(m, center, 8, func(_, to Index, _ Dir) (int, Verdict) { return int(entry[to]), Pass })
	}
	b.ReportMetric(float64(len(f.Reached())), "hexes")
}

func BenchmarkCheapestPath(b *testing.B) {
	m, center, entry := benchMap(b)
	b.ReportAllocs()
	var f Flood
	var path []Index
	to := m.At(Coord{28, 12})
	for b.Loop() {
		path, _, _ = f.CheapestPath(path[:0], m, center, to, MaxCost,
			func(_, to Index, _ Dir) (int, Verdict) { return int(entry[to]), Pass })
	}
}

func BenchmarkReachWholeMap(b *testing.B) {
	m, center, _ := benchMap(b)
	b.ReportAllocs()
	var f Flood
	sources := []Index{center}
	for b.Loop() {
		f.Reach(m, sources, MaxCost, func(Index, Index, Dir) bool { return true }, nil)
	}
}

func BenchmarkNewMap(b *testing.B) {
	coords := rectangle(benchCols, benchRows)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewMap(crimea, coords); err != nil {
			b.Fatal(err)
		}
	}
}
