package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
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

// Each command of a list has a row, which the ruleset fills, behind what the caller has already.
func TestRowsTellCommandsApart(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	width := len(g.Ruleset().Tensors(g.Scenario()).Row)
	list := g.List(toy.Red, rules.Filter{}, nil)
	rows := g.Rows(toy.Red, list, []int16{7})
	if len(rows) != 1+list.Len()*width || rows[0] != 7 {
		t.Fatalf("%d numbers for %d commands of %d, the first %d", len(rows), list.Len(), width, rows[0])
	}
	kinds := map[int16]string{}
	for i := range list.Len() {
		number, kind := rows[1+i*width+rules.RowKind], g.KindOf(list.At(i))
		if known, ok := kinds[number]; ok && known != kind {
			t.Errorf("%d is %s and %s", number, known, kind)
		}
		kinds[number] = kind
	}
	if len(kinds) < 3 {
		t.Errorf("kinds of command by their numbers: %v", kinds)
	}
}
