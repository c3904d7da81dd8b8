package anniversary

import "testing"

func BenchmarkRandomGame(b *testing.B) {
	n := 0
	for i := range b.N {
		_, d, _ := playRandom(b, "1941", uint64(i), 5000, nil)
		n += d
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "decisions/s")
}

func BenchmarkClone(b *testing.B) {
	p, _, _ := playRandom(b, "1941", 1, 500, nil)
	b.ReportAllocs()
	for b.Loop() {
		p.Clone()
	}
}
