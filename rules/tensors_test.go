package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules/rulestest/toy"
)

// What a seat observes is the same in used memory.
func TestObserveInUsedMemory(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	about := g.Ruleset().Tensors(g.Scenario())
	planes, scalars := make([]int16, len(about.Planes)*len(about.Spaces)), make([]int16, len(about.Scalars))
	g.Observe(toy.Red, planes, scalars)
	used := [][]int16{slices.Repeat([]int16{7}, len(planes)), slices.Repeat([]int16{7}, len(scalars))}
	g.Observe(toy.Red, used[0], used[1])
	if diff := cmp.Diff([][]int16{planes, scalars}, used); diff != "" {
		t.Errorf("in used memory (-fresh +used)\n%s", diff)
	}
}
