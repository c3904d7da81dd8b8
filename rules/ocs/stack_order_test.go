package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestStackOrder(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.8b", "OCS 4.8b-A", "OCS 4.8b-B", "OCS 4.8b-C", "OCS 4.8b-D", "OCS 4.9a")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg", "x-2 blue regiment other infantry 5-3-3leg 2-3-8leg",
		"x-3 blue battalion other infantry (2)-3-3leg (1)-3-8leg").
		put("09.02", "x-1/lost=0 x-2 x-3 bl-corps truck-blue/points_t=8").put("14.05", "rd-8-pen").segment(SegMovement, Blue)
	top := func() string { return g.p.id(g.p.topOf(Blue, g.place("09.02"))) }
	if top() != "x-1" {
		t.Errorf("%s is on top", top())
	}
	g.refused("OCS 4.8b", "top rd-8-pen")
	g.refused("OCS 4.8b-C", "top x-3")
	g.refused("OCS 4.8b-C", "top truck-blue.1")
	out := g.as(Blue, "top x-2")
	if got := g.told(out); top() != "x-2" || got != "x-2 lies on top of its stack. Blue in 09.02: x-2 on top, Combat mode." {
		t.Errorf("%s is on top, told %q", top(), got)
	}
	if !out.Revealed {
		t.Error("a unit became visible, and the record reveals nothing")
	}
	g.refused("OCS 4.8b", "top x-2")
	if g.do("top bl-corps"); top() != "bl-corps" { // no enemy is adjacent
		t.Errorf("%s is on top", top())
	}
	// What blue sees of it is all; red sees the top one only, without its stocks and losses, and no amounts.
	if v := g.p.view(rules.SeatViewer(Red)); seen(v, "09.02") != "bl-corps" {
		t.Errorf("red sees %s", seen(v, "09.02"))
	}
	if v := g.p.view(rules.SeatViewer(Blue)); seen(v, "09.02") != "bl-corps truck-blue.1 x-1 x-2 x-3" {
		t.Errorf("blue sees %s", seen(v, "09.02"))
	}
	g.put("10.02", "rd-8-pen") // an enemy comes adjacent: the ZOC must be seen
	if top() != "x-1" {
		t.Errorf("%s is on top", top())
	}
	g.refused("OCS 4.8b-D", "top bl-corps")
	g.put("09.02", "x-1/move x-2/move") // no ZOC is left to hide
	if top() != "bl-corps" {
		t.Errorf("%s is on top", top())
	}
	g = onGround(t).put("09.02", "bl-corps truck-blue/points_t=8").segment(SegMovement, Blue)
	g.refused("OCS 4.9a", "top truck-blue.1")
}
