package dice

import "testing"

func TestNoAllocations(t *testing.T) { // not parallel: it counts the allocations of the process
	committed, err := NewCommitted(goldenSecret, goldenEntropy, "g", 1)
	if err != nil {
		t.Fatal(err)
	}
	seeded := NewSeeded(1)
	for name, run := range map[string]func(){
		"committed": func() { committed.Roll(10, "test") },
		"begin":     func() { committed.Begin(9) },
		"seeded":    func() { seeded.Roll(10, "test") },
	} {
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func BenchmarkCommitted(b *testing.B) {
	src, err := NewCommitted(goldenSecret, goldenEntropy, "benchmark", 1)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		src.Roll(10, "test")
	}
}

func BenchmarkNewCommitted(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewCommitted(goldenSecret, goldenEntropy, "benchmark", 1)
	}
}

func BenchmarkSeeded(b *testing.B) {
	src := NewSeeded(1)
	b.ReportAllocs()
	for b.Loop() {
		src.Roll(10, "test")
	}
}

func BenchmarkDistribution1296(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Distribution(1296, func(src Source) (int, error) {
			sum := 0
			for range 4 {
				v, err := src.Roll(6, "test")
				if err != nil {
					return 0, err
				}
				sum += int(v)
			}
			return sum, nil
		}); err != nil {
			b.Fatal(err)
		}
	}
}
