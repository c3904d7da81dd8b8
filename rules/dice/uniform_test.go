package dice

import (
	"fmt"
	"math"
	"testing"
)

// chiBound is the value that chi-square with so many degrees of freedom exceeds once in about a million
// (Wilson and Hilferty's approximation).
func chiBound(freedom int) float64 {
	k := 2 / (9 * float64(freedom))
	return float64(freedom) * math.Pow(1-k+4.753*math.Sqrt(k), 3)
}

func chiSquare(counts []int, rolls int) float64 {
	want, sum := float64(rolls)/float64(len(counts)), 0.0
	for _, n := range counts {
		sum += (float64(n) - want) * (float64(n) - want) / want
	}
	return sum
}

func TestUniform(t *testing.T) {
	t.Parallel()
	committed, err := NewCommitted(goldenSecret, goldenEntropy, "uniform", 1)
	if err != nil {
		t.Fatal(err)
	}
	const rolls = 20000
	for name, src := range map[string]Source{"committed": committed, "seeded": NewSeeded(20)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, sides := range []uint8{2, 3, 6, 10, 12, 20, 86, 99, 100} {
				counts := make([]int, sides)
				pairs := make([]int, int(sides)*int(sides)) // of a die and the next: they must not depend on each other
				last := -1
				for range rolls {
					v, err := src.Roll(sides, "test")
					if err != nil {
						t.Fatal(err)
					}
					counts[v-1]++
					if last >= 0 {
						pairs[last*int(sides)+int(v-1)]++
					}
					last = int(v - 1)
				}
				if chi, bound := chiSquare(counts, rolls), chiBound(len(counts)-1); chi > bound {
					t.Errorf("d%d: chi-square %.1f, bound %.1f", sides, chi, bound)
				}
				if chi, bound := chiSquare(pairs, rolls-1), chiBound(len(pairs)-1); sides <= 20 && chi > bound {
					t.Errorf("pairs of d%d: chi-square %.1f, bound %.1f", sides, chi, bound)
				}
			}
		})
	}
}

// TestVersionsAreUniform takes the first die of many records, which share all but the version.
func TestVersionsAreUniform(t *testing.T) {
	t.Parallel()
	c, err := NewCommitted(goldenSecret, nil, "versions", 0)
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, 10)
	for version := range uint64(20000) {
		c.Begin(version)
		v, _ := c.Roll(10, "test")
		counts[v-1]++
	}
	if chi, bound := chiSquare(counts, 20000), chiBound(9); chi > bound {
		t.Errorf("chi-square %.1f, bound %.1f: %v", chi, bound, counts)
	}
}

// TestBytesFavourNoSide is exact: of the 256 bytes, each side of each die must get equally many.
func TestBytesFavourNoSide(t *testing.T) {
	t.Parallel()
	for sides := uint8(MinSides); sides <= MaxSides; sides++ {
		counts := make([]int, sides)
		rejected := 0
		for b := range 256 {
			v, ok := fromBytes([]byte{byte(b)}, sides)
			if !ok {
				rejected++
				continue
			}
			counts[v-1]++
		}
		for v, n := range counts {
			if n != 256/int(sides) {
				t.Fatalf("d%d shows %d for %d bytes, want %d", sides, v+1, n, 256/int(sides))
			}
		}
		if rejected != 256%int(sides) {
			t.Fatalf("d%d passes over %d bytes", sides, rejected)
		}
	}
	if v, ok := fromBytes([]byte{255, 252, 7}, 6); v != 2 || !ok {
		t.Errorf("after two bytes passed over: %d %v", v, ok)
	}
}

// TestBelowFavoursNoNumber asks for a range of three quarters of 32 bits: without rejection every third number
// would come twice as often.
func TestBelowFavoursNoNumber(t *testing.T) {
	t.Parallel()
	s := NewSeeded(3)
	counts := make([]int, 3)
	for range 30000 {
		counts[s.Below(3<<30)%3]++
	}
	if chi, bound := chiSquare(counts, 30000), chiBound(2); chi > bound {
		t.Errorf("chi-square %.1f, bound %.1f: %v", chi, bound, counts)
	}
	if s.Below(0) != 0 || s.Below(1) != 0 {
		t.Error("below 0 and 1")
	}
}

// TestSplitMix compares with the published vector of the generator for seed 1234567.
func TestSplitMix(t *testing.T) {
	t.Parallel()
	s := NewSeeded(1234567)
	got := fmt.Sprint(s.Next(), s.Next(), s.Next(), s.Next(), s.Next())
	if want := "6457827717110365317 3203168211198807973 9817491932198370423 " +
		"4593380528125082431 16408922859458223821"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestChiSquareFindsBias makes sure that the test above would see a loaded die: the remainder of a byte, as it comes.
func TestChiSquareFindsBias(t *testing.T) {
	t.Parallel()
	s := NewSeeded(1)
	counts := make([]int, 100)
	for range 20000 {
		counts[byte(s.Next())%100]++
	}
	if chi, bound := chiSquare(counts, 20000), chiBound(99); chi <= bound {
		t.Errorf("chi-square %.1f is within %.1f", chi, bound)
	}
}
