package hex

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestReachAgainstWalk(t *testing.T) {
	t.Parallel()
	var f Flood
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		open := rapid.Uint64().Draw(t, "open")
		pass := func(from, to Index, d Dir) bool {
			return mix(open, uint64(to))%4 != 0 && mix(open, uint64(m.Side(from, d)))%6 != 0
		}
		sources := []Index{drawHex(t, m, "source"), None, drawHex(t, m, "source")}
		limit := rapid.IntRange(0, 8).Draw(t, "limit")
		steps := walk(m, []Index{sources[0], sources[2]}, pass)
		f.Reach(m, sources, limit, pass, nil)
		for i := range Index(m.Len()) {
			got, ok := f.Cost(i)
			if want := steps[i]; ok != (want >= 0 && want <= limit) || ok && got != want {
				t.Fatalf("%s: %d %v, want %d", m.ID(i), got, ok, want)
			}
			if path := f.AppendPath(nil, i); ok && len(path) != got+1 {
				t.Fatalf("path to %s: %v", m.ID(i), path)
			}
		}
		if !slices.IsSortedFunc(f.Reached(), byCost(&f)) {
			t.Fatalf("order %v", f.Reached())
		}
		all := slices.Clone(f.Reached())
		set := m.NewSet()
		f.AddTo(set)

		target := rapid.Uint64().Draw(t, "target")
		goal := func(i Index) bool { return mix(target, uint64(i))%5 == 0 }
		want := None
		if k := slices.IndexFunc(all, goal); k >= 0 {
			want = all[k]
		}
		got, ok := f.Reach(m, sources, limit, pass, goal)
		if got != want || ok != (want != None) {
			t.Fatalf("goal %d %v, want %d", got, ok, want)
		}
		for _, i := range f.Reached() {
			if !set.Has(i) {
				t.Fatalf("%s is reached only with a goal", m.ID(i))
			}
			if far, _ := f.Cost(i); ok && far > steps[want] {
				t.Fatalf("%s lies beyond the goal", m.ID(i))
			}
		}
	})
}

func TestReachNowhere(t *testing.T) {
	t.Parallel()
	m := mustMap(t, crimea, rectangle(3, 3))
	var f Flood
	everywhere := func(Index, Index, Dir) bool { return true }
	if i, ok := f.Reach(m, []Index{0}, -1, everywhere, func(Index) bool { return true }); ok || i != None ||
		len(f.Reached()) != 0 {
		t.Errorf("limit -1: %d %v", i, f.Reached())
	}
	if i, ok := f.Reach(m, nil, 9, everywhere, nil); ok || i != None {
		t.Errorf("no sources: %d", i)
	}
}
