package ocs

import (
	"slices"
	"testing"
)

// The first plane of the ground says which spaces are no hexes: boxes and the dead pile.
func TestSpacesThatAreNoHexes(t *testing.T) {
	t.Parallel()
	sc := shipped(t, "proving-ground")
	n := ruleset.Tensors(sc)
	plane := n.GroundValues[:len(n.Spaces)]
	for i, id := range n.Spaces {
		want := int16(1)
		if at, ok := sc.PlaceByID(id); ok && at.Hex() != NoHex {
			want = 0
		}
		if plane[i] != want {
			t.Errorf("%s: %d, want %d", id, plane[i], want)
		}
	}
	if !slices.Contains(plane, 1) || !slices.Contains(plane, 0) {
		t.Error("there are only spaces of one sort")
	}
}
