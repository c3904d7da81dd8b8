package ocs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// The worked sample of a chapter's tests: a case puts pieces down, begins a segment, gives commands in the notation and
// says what is refused by which paragraph and what is true afterwards.
func TestMoveAlongPath(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.1a", "OCS 6.1b", "OCS 6.1f", "OCS 6.1g", "OCS 6.3a")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg",
		"x-2 blue regiment other infantry 5-4-3leg 2-4-8leg").
		put("09.02", "x-1 x-2").put("13.10", "rd-3-inf").segment(SegMovement, Blue)
	g.refused("OCS 6.3a", "move rd-3-inf 13.09")
	g.refused("OCS 6.1", "move x-1 09.04")
	out := g.do("move x-1,x-2 09.03>09.04")
	if got, want := g.told(out), "x-1, x-2: 09.02 to 09.04. Blue has nothing left in 09.02. Blue in "+
		"09.04: x-1 on top, Combat mode."; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	g.want("place x-1", "09.04", "place x-2", "09.04", "spent x-1", "2", "spent x-2", "2")
	g.do("move x-1 09.05")
	g.put("09.05", "bl-16-ski").refused("OCS 6.1g", "move x-1,bl-16-ski 09.06") // nobody is picked up on the way
	g.refused("OCS 6.1f", "move x-2 09.03")
	g.refused("OCS 6.1b", "move x-1 09.06")
	g.all("end", "done", "done")
	g.want("segment", "reaction-movement", "asks", "react")
}

// A unit that leaves Reserve mode on the way goes no further with those it came with, and the list knows (OCS 5.4).
func TestLeavesTheStackInMotion(t *testing.T) {
	t.Parallel()
	const regiment = " blue regiment other infantry 5-4-8leg 2-4-8leg"
	g := onGround(t, "x-1"+regiment, "x-2"+regiment, "x-3"+regiment, "x-4"+regiment, "x-5"+regiment, "x-6"+regiment).
		put("09.02", "x-1/reserve x-2/reserve x-3/reserve").put("05.02", "x-4/reserve").put("05.03", "x-5/reserve").
		put("05.04", "x-6/reserve").
		put("13.10", "rd-3-inf").segment(SegMovement, Blue)
	g.all("move x-1,x-2,x-3 09.03", "leave x-1")
	g.refused("OCS 6.1f", "move x-1,x-2,x-3 09.04")
	together := 0
	for _, c := range g.lists("move") {
		before := g.p
		if _, err := g.try(Blue, c); err != nil {
			t.Errorf("%s is listed: %v", c, explain(err))
		}
		if g.p = before; strings.Contains(c, "x-2,x-3") {
			together++
		}
	}
	if together == 0 {
		t.Error("those who go on are not listed together")
	}
}

// A listed move says the MP that it costs: what the unit spends that spends most of all that go.
func TestMoveSaysItsCost(t *testing.T) {
	t.Parallel()
	const x1 = "x-1 blue regiment other infantry 5-4-8leg 2-4-8leg"
	const x2 = "x-2 blue regiment other infantry 5-4-3leg 2-4-3leg"
	g := onGround(t, x1, x2).
		put("09.02", "x-1 x-2").put("05.02", "bl-16-ski").put("13.10", "rd-3-inf").segment(SegMovement, Blue)
	g.do("move x-1,x-2 09.03") // some of the MP are spent already
	asked := 0
	for _, text := range g.lists("move") {
		c, r := g.p.parseCommand(text)
		if r != nil {
			t.Fatal(r)
		}
		before, said := g.p, g.p.Describe(Blue, c).Cost
		if _, err := g.try(Blue, text); err != nil {
			t.Fatalf("%s: %v", text, explain(err))
		}
		var most Cost
		for _, u := range c.Units {
			most = max(most, g.p.units[u].spent-before.units[u].spent)
		}
		if want := rules.Say("cost.mp", "n", formatCost(most)); !cmp.Equal(said, want) {
			t.Errorf("%s costs %v, want %v", text, said, want)
		}
		g.p, asked = before, asked+1
	}
	if asked < 20 {
		t.Errorf("%d moves were listed", asked)
	}
}
