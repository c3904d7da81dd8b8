package hex

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDistanceIsAMetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		a, b, c := drawHex(t, m, "a"), drawHex(t, m, "b"), drawHex(t, m, "c")
		ab, bc, ac := m.Distance(a, b), m.Distance(b, c), m.Distance(a, c)
		if (ab == 0) != (a == b) || ab != m.Distance(b, a) || ac > ab+bc || (ab == 1) != m.Adjacent(a, b) {
			t.Fatalf("%s %s %s: %d %d %d", m.ID(a), m.ID(b), m.ID(c), ab, bc, ac)
		}
		if g := m.Geometry().Distance(m.Coord(a), m.Coord(b)); g != ab {
			t.Fatalf("by coordinates %d, by index %d", g, ab)
		}
	})
}

func TestDistanceIsTheWalk(t *testing.T) {
	t.Parallel()
	for _, g := range layouts() {
		m := mustMap(t, g, rectangle(9, 8))
		for from := range Index(m.Len()) {
			for to, steps := range walk(m, []Index{from}, func(Index, Index, Dir) bool { return true }) {
				if m.Distance(from, Index(to)) != steps {
					t.Fatalf("%+v: %s to %s is %d, walked %d",
						g, m.ID(from), m.ID(Index(to)), m.Distance(from, Index(to)), steps)
				}
			}
		}
	}
}

// walk is a breadth-first search as plain as can be: steps to each hex, -1 where there is no way.
func walk(m *Map, sources []Index, pass PassFunc) []int {
	steps := make([]int, m.Len())
	for i := range steps {
		steps[i] = -1
	}
	for _, s := range sources {
		steps[s] = 0
	}
	for n, more := 0, true; more; n++ {
		more = false
		for i := range Index(m.Len()) {
			for d, to := range m.Neighbors(i) {
				if steps[i] == n && to != None && steps[to] < 0 && pass(i, to, Dir(d)) {
					steps[to] = n + 1
					more = true
				}
			}
		}
	}
	return steps
}

func TestRingOnACompleteMap(t *testing.T) {
	t.Parallel()
	for _, g := range layouts() {
		m := mustMap(t, g, rectangle(21, 21))
		center := m.At(Coord{11, 11})
		for n := range 6 {
			ring := m.AppendRing(nil, center, n)
			if want := max(1, 6*n); len(ring) != want {
				t.Fatalf("%+v: ring %d has %d hexes, want %d", g, n, len(ring), want)
			}
			if all := m.AppendWithin(nil, center, n); len(all) != 1+3*n*(n+1) {
				t.Fatalf("%+v: %d hexes within %d", g, len(all), n)
			}
			for k := range ring {
				if next := ring[(k+1)%len(ring)]; n > 0 && !m.Adjacent(ring[k], next) {
					t.Fatalf("%+v: ring %d breaks after %s", g, n, m.ID(ring[k]))
				}
			}
		}
		around := m.Neighbors(center)
		if diff := cmp.Diff(around[:], m.AppendRing(nil, center, 1)); diff != "" {
			t.Fatalf("ring 1 (-neighbors +got):\n%s", diff)
		}
	}
}

func TestRingWithGaps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		i, n := drawHex(t, m, "hex"), rapid.IntRange(-1, 12).Draw(t, "n")
		var ring, within []Index
		for j := range Index(m.Len()) {
			if m.Distance(i, j) == n {
				ring = append(ring, j)
			}
			if m.Distance(i, j) <= n {
				within = append(within, j)
			}
		}
		got := m.AppendRing([]Index{7}, i, n)[1:]
		slices.Sort(got)
		if !slices.Equal(ring, got) {
			t.Fatalf("ring %d of %s: %v, want %v", n, m.ID(i), got, ring)
		}
		all := m.AppendWithin(nil, i, n)
		if !slices.IsSortedFunc(all, func(a, b Index) int { return m.Distance(i, a) - m.Distance(i, b) }) {
			t.Fatalf("within %d of %s: %v", n, m.ID(i), all)
		}
		slices.Sort(all)
		if !slices.Equal(within, all) {
			t.Fatalf("within %d of %s: %v, want %v", n, m.ID(i), all, within)
		}
	})
}

func TestRingFarBeyondTheMap(t *testing.T) {
	t.Parallel()
	m := mustMap(t, downfall, rectangle(3, 3))
	if got := m.AppendRing(nil, 0, 1<<40); got != nil {
		t.Errorf("ring: %v", got)
	}
	if got := m.AppendWithin(nil, 0, 1<<40); len(got) != m.Len() {
		t.Errorf("within: %v", got)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	lo, hi := mustMap(t, crimea, []Coord{{1, 1}, {1, 3}}).Bounds()
	corner := 1 / sqrt3
	if want := (Point{sqrt3/2 - corner, -3.5}); !near(lo, want) {
		t.Errorf("north-west corner %v, want %v", lo, want)
	}
	if want := (Point{sqrt3/2 + corner, -.5}); !near(hi, want) {
		t.Errorf("south-east corner %v, want %v", hi, want)
	}
}
