package hex

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSetAgainstMap runs the same operations on sets and on plain Go maps.
func TestSetAgainstMap(t *testing.T) {
	t.Parallel()
	const size = 150
	members := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Index {
		return Index(rapid.IntRange(0, size-1).Draw(t, "i"))
	}))
	build := func(is []Index) (Set, map[Index]bool) {
		s, plain := NewBits[Index](size), map[Index]bool{}
		for _, i := range is {
			s.Add(i)
			plain[i] = true
		}
		return s, plain
	}
	rapid.Check(t, func(t *rapid.T) {
		a, plainA := build(members.Draw(t, "a"))
		b, plainB := build(members.Draw(t, "b"))
		same := func(what string, s Set, keep func(Index) bool) {
			var want []Index
			for i := range Index(size) {
				if keep(i) {
					want = append(want, i)
				}
			}
			if got := s.Append(nil); !slices.Equal(got, want) || s.Count() != len(want) ||
				s.Empty() != (len(want) == 0) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
		and, or, andNot := a.Clone(), a.Clone(), a.Clone()
		and.And(b)
		or.Or(b)
		andNot.AndNot(b)
		same("and", and, func(i Index) bool { return plainA[i] && plainB[i] })
		same("or", or, func(i Index) bool { return plainA[i] || plainB[i] })
		same("andnot", andNot, func(i Index) bool { return plainA[i] && !plainB[i] })
		same("a untouched", a, func(i Index) bool { return plainA[i] && a.Has(i) })
		if a.Intersects(b) != !and.Empty() || a.Equal(b) != maps.Equal(plainA, plainB) {
			t.Fatal("intersects or equal")
		}
		for i := range plainA {
			a.Remove(i)
		}
		same("removed", a, func(Index) bool { return false })
		a.Copy(b)
		same("copied", a, func(i Index) bool { return plainB[i] })
		a.Clear()
		if !a.Empty() || !b.Equal(b.Clone()) || a.Has(None) {
			t.Fatal("clear, clone or none")
		}
	})
}

func TestSetStopsEarly(t *testing.T) {
	t.Parallel()
	s := NewBits[SideIndex](200)
	s.Add(3)
	s.Add(70)
	s.Add(199)
	for i := range s.All() {
		if i == 70 {
			return
		}
	}
	t.Error("70 was not met")
}

func TestSetsOfDifferentSizes(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	NewBits[Index](64).And(NewBits[Index](65))
}
