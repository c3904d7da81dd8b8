package hex

import (
	"iter"
	"math/bits"
)

// Set is a set of hexes.
type Set = Bits[Index]

// SideSet is a set of hexsides.
type SideSet = Bits[SideIndex]

// Bits is a set of small integers, a bit for each. Sets that are combined must be of the same size, else it panics.
// Copying the slice header shares the members; see [Bits.Clone].
type Bits[T ~uint16 | ~uint32] []uint64

// NewSet is an empty set with room for the hexes of m.
func (m *Map) NewSet() Set { return NewBits[Index](m.Len()) }

// NewSideSet is an empty set with room for the hexsides of m.
func (m *Map) NewSideSet() SideSet { return NewBits[SideIndex](m.NumSides()) }

// NewBits is an empty set with room for 0 to n-1.
func NewBits[T ~uint16 | ~uint32](n int) Bits[T] { return make(Bits[T], (n+63)/64) }

// Add puts i in. It panics when i is beyond the size.
func (s Bits[T]) Add(i T) { s[i>>6] |= 1 << (i & 63) }

// Remove takes i out. It panics when i is beyond the size.
func (s Bits[T]) Remove(i T) { s[i>>6] &^= 1 << (i & 63) }

// Has says whether i is in; what is beyond the size, as None, is not.
func (s Bits[T]) Has(i T) bool { return int(i>>6) < len(s) && s[i>>6]&(1<<(i&63)) != 0 }

// Clear takes everything out.
func (s Bits[T]) Clear() { clear(s) }

// Clone is a copy that shares nothing.
func (s Bits[T]) Clone() Bits[T] { return append(Bits[T](nil), s...) }

// Copy makes s hold what o holds.
func (s Bits[T]) Copy(o Bits[T]) {
	s.sameSize(o)
	copy(s, o)
}

// And keeps what is also in o.
func (s Bits[T]) And(o Bits[T]) {
	s.sameSize(o)
	for w := range s {
		s[w] &= o[w]
	}
}

// Or adds what is in o.
func (s Bits[T]) Or(o Bits[T]) {
	s.sameSize(o)
	for w := range s {
		s[w] |= o[w]
	}
}

// AndNot takes out what is in o.
func (s Bits[T]) AndNot(o Bits[T]) {
	s.sameSize(o)
	for w := range s {
		s[w] &^= o[w]
	}
}

// Intersects says whether s and o have a member in common.
func (s Bits[T]) Intersects(o Bits[T]) bool {
	s.sameSize(o)
	for w := range s {
		if s[w]&o[w] != 0 {
			return true
		}
	}
	return false
}

// Equal says whether s and o hold the same.
func (s Bits[T]) Equal(o Bits[T]) bool {
	s.sameSize(o)
	for w := range s {
		if s[w] != o[w] {
			return false
		}
	}
	return true
}

// Empty says whether nothing is in.
func (s Bits[T]) Empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// Count is the number of members.
func (s Bits[T]) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// All walks the members in ascending order. Members added during the walk may be missed.
func (s Bits[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for w, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(T(w<<6 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Append appends the members in ascending order.
func (s Bits[T]) Append(dst []T) []T {
	for i := range s.All() {
		dst = append(dst, i)
	}
	return dst
}

func (s Bits[T]) sameSize(o Bits[T]) {
	if len(s) != len(o) {
		panic("hex: sets of different sizes")
	}
}
