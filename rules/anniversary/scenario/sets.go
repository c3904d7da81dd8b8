package scenario

import "math/bits"

// SpaceSet is a set of spaces. The zero value is empty; sets are compared with ==.
type SpaceSet [(MaxSpaces + 63) / 64]uint64

// SpacesOf is the set of the spaces given.
func SpacesOf(spaces ...Space) SpaceSet {
	var s SpaceSet
	for _, sp := range spaces {
		s.Add(sp)
	}
	return s
}

// Has reports whether a space is in the set; false for NoSpace.
func (s SpaceSet) Has(sp Space) bool { return sp < MaxSpaces && s[sp>>6]&(1<<(sp&63)) != 0 }

// Add puts a space into the set; NoSpace is passed over.
func (s *SpaceSet) Add(sp Space) {
	if sp < MaxSpaces {
		s[sp>>6] |= 1 << (sp & 63)
	}
}

// Remove takes a space out of the set.
func (s *SpaceSet) Remove(sp Space) {
	if sp < MaxSpaces {
		s[sp>>6] &^= 1 << (sp & 63)
	}
}

// Union is the set of what is in either set.
func (s SpaceSet) Union(o SpaceSet) SpaceSet {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

// Intersect is the set of what is in both sets.
func (s SpaceSet) Intersect(o SpaceSet) SpaceSet {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

// Both are the spaces that are in both sets.
func (s SpaceSet) Both(o SpaceSet) SpaceSet { return s.Minus(s.Minus(o)) }

// Minus is the set of what is in s and not in o.
func (s SpaceSet) Minus(o SpaceSet) SpaceSet {
	for i := range s {
		s[i] &^= o[i]
	}
	return s
}

// Empty reports whether nothing is in the set.
func (s SpaceSet) Empty() bool { return s == SpaceSet{} }

// Len is the number of spaces in the set.
func (s SpaceSet) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Each yields the spaces of the set in order.
func (s SpaceSet) Each(yield func(Space) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(Space(i<<6 + bits.TrailingZeros64(w))) {
				return
			}
		}
	}
}
