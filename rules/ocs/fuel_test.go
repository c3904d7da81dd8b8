package ocs

import (
	"fmt"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// EX-12-07.
func TestUsingFuel(t *testing.T) {
	t.Parallel()
	lines := []string{hq57, hq13, tank + " formation=bl-3-arm",
		"x-inf blue regiment mech infantry 5-4-3leg 2-4-16truck formation=bl-3-arm"}
	guns := ""
	for i := range 5 {
		lines = append(lines, fmt.Sprintf("x-gun%d blue battalion armor assault_gun 4-4-8track 2-4-14track", i))
		guns += fmt.Sprintf(" x-gun%d", i)
	}
	g := onRow(t, 30, nil, nil, nil, lines...).put(at(0), "x-57").dump(at(0), Blue, 5).
		put(at(3), "x-tank x-inf x-13"+guns).
		segment(SegReactionMove, Red)
	fuelled := func(want bool, ids ...string) {
		t.Helper()
		for _, id := range ids {
			if got := g.p.needsFuel(g.unit(id)) == nil; got != want {
				t.Errorf("%s may move: %t", id, got)
			}
		}
	}
	rulestest.Proves(t, ruleset, "OCS 12.5a", "OCS 12.9b")
	fuelled(false, "x-tank", "x-gun0", "x-gun4", "x-57", "x-13")
	fuelled(true, "x-inf") // its face that is up walks
	rulestest.Proves(t, ruleset, "OCS 12.5", "OCS 12.5c", "OCS 12.5c-B", "OCS 12.5c-C", "OCS 12.5e")
	g.do("fuel-hq x-57 lines=[at=" + at(0) + ";count=4]")
	g.do("fuel x-tank lines=[at=" + at(0) + ";count=1]")
	g.want("ground "+at(0)+" blue", 0, "fuel x-57", "lasting", "fuel x-tank", "phase")
	fuelled(true, "x-tank", "x-inf", "x-57", "x-13", "x-gun0", "x-gun4")
	g.refused("OCS 12.5c-B", "fuel-hq x-57 lines=[at="+at(0)+";count=4]")
	g.segment(SegMovement, Blue)
	fuelled(true, "x-inf", "x-57", "x-13", "x-gun0", "x-gun4")
	fuelled(false, "x-tank") // its token was for the phase
	g.segment(SegExploitMove, Blue)
	fuelled(true, "x-gun0")
	rulestest.Proves(t, ruleset, "OCS 12.5d")
	g.segment(SegCleanUp, Blue)
	g.want("fuel x-57", "none")
	fuelled(false, "x-gun0", "x-57")
}

func TestFuelOneUnit(t *testing.T) {
	t.Parallel()
	g := onRow(t, 30, nil, nil, nil, tank, guard, hq57).put(at(6), "x-tank x-guard truck-blue/points_t=8,load_t=8").
		dump(at(0), Blue, 8).dump(at(1), Red, 4).
		put(at(20), "x-57").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 12.5a", "OCS 12.9a", "OCS 13.2b")
	g.refused("OCS 12.5a", "move x-tank "+at(7))
	g.refused("OCS 12.5a", "fuel x-guard lines=[at="+at(0)+";count=1]")
	g.refused("OCS 12.5a", "fuel truck-blue.1 lines=[at="+at(0)+";count=1]")
	rulestest.Proves(t, ruleset, "OCS 12.5c-C")
	g.refused("OCS 12.5c-C", "fuel x-tank lines=[at="+at(0)+";count=2]")
	g.refused("OCS 12.5c-C", "fuel x-tank")
	rulestest.Proves(t, ruleset, "OCS 12.1d")
	g.refused("OCS 12.1d", "fuel x-tank lines=[at="+at(1)+";count=1]") // the enemy's
	g.refused("OCS 12.5c-B", "fuel-hq x-tank lines=[at="+at(0)+";count=4]")
	rulestest.Proves(t, ruleset, "OCS 12.1a", "OCS 12.3a", "OCS 12.5c-C")
	g.do("fuel x-tank lines=[at=" + at(0) + ";count=1]")       // 5 MP and one hex
	g.want("ground "+at(0)+" blue", 7, "fuel x-tank", "phase") // 2 SP less 1 T are 1 SP and 3 T (EX-12-01)
	g.refused("OCS 12.5c-C", "fuel x-tank lines=[at="+at(0)+";count=1]")
	g.do("move x-tank " + at(7))
	g.segment(SegMovement, Blue).to("x-tank", at(8))
	g.refused("OCS 12.3a", "fuel x-tank lines=[at="+at(0)+";count=1]")
	rulestest.Proves(t, ruleset, "OCS 12.1b", "OCS 12.2b", "OCS 12.3b-B", "OCS 13.2a")
	g.do("move truck-blue.1 " + at(7)) // a transport needs none, and its load is spent on the way
	g.do("fuel x-tank lines=[at=" + at(7) + ";count=1;unit=truck-blue.1]")
	g.want("load truck-blue.1", 7)
	g.do("move truck-blue.1 " + at(6))
	if got := g.lists("fuel"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
}

func TestFuelFormation(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.5c-A", "OCS 13.2g-B", "OCS 13.2g-i")
	const of = " formation=bl-3-arm"
	g := onRow(t, 30, nil, nil, nil, tank+of, guard+of, "x-two blue battalion armor armor 5-4-8track 2-4-14track"+of,
		"x-far blue battalion armor armor 5-4-8track 2-4-14track"+
			of, "x-other blue battalion armor armor 5-4-8track 2-4-14track", hq57).
		put(at(2), "x-tank x-guard").put(at(4), "x-two").put(at(15), "x-far").put(at(0), "bl-3-trk/load_t=8").
		dump(at(1), Blue, 4).
		put(at(10), "x-57").put(at(3), "x-other").segment(SegMovement, Blue)
	g.refused("OCS 13.2g-B", "fuel x-other lines=[at="+at(0)+";count=1;unit=bl-3-trk]")
	g.refused("OCS 12.5c-A", "fuel-formation formation=bl-3-arm lines=[at="+at(0)+";count=2],[at="+at(1)+";count=2]")
	g.refused("OCS 12.5c-A", "fuel-formation formation=bl-3-arm lines=[at="+at(0)+";count=3]")
	g.refused("OCS 12.5c-A", "fuel-formation formation=bl-3-arm lines=[at="+at(25)+";count=4]")
	g.do("fuel-formation formation=bl-3-arm lines=[at=" + at(1) + ";count=4]")
	g.want("fuel x-tank", "lasting", "fuel x-two", "lasting", "fuel x-far", "none", "fuel x-guard", "none",
		"ground "+at(1)+" blue", 0)
	g.to("x-57", at(6))
	// its HQ throws from the organic truck
	g.do("fuel-formation formation=bl-3-arm lines=[at=" + at(0) + ";count=4;by=x-57]")
	g.want("fuel x-far", "lasting", "load bl-3-trk", 4)
	if got := g.lists("fuel-formation"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
	g.segment(SegCleanUp, Blue)
	g.want("fuel x-tank", "none", "fuel x-far", "none")
}

func TestThrows(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.3b", "OCS 12.3b-A", "OCS 12.3b-C", "OCS 12.3b-i", "OCS 13.1d")
	g := onRow(t, 40, nil, nil, nil, tank, hq57, hq13, "x-two blue battalion armor armor 5-4-8track 2-4-14track",
		"x-div-hq blue division other headquarters 5-0-2truck/t8truck 1-0-12truck/t6truck hq re=1 steps=1",
		"x-own-hq blue division other headquarters 5-0-2truck/t8truck 1-0-12truck/t6truck hq "+
			"formation=bl-3-arm re=1 steps=1",
		"x-member blue battalion armor armor 5-4-8track 2-4-14track formation=bl-3-arm").
		dump(at(0), Blue, 12).put(at(6), "x-57").put(at(15), "x-tank x-two x-13 x-div-hq").put(at(17), "x-member").
		segment(SegMovement, Blue)
	line := " lines=[at=" + at(0) + ";count=1;by=x-57]"
	g.refused("OCS 12.3a", "fuel x-tank lines=[at="+at(0)+";count=1]")
	g.do("fuel x-tank" + line)
	g.do("fuel x-two" + line) // any number of units
	g.refused("OCS 12.3b", "fuel x-member"+line)
	g.refused("OCS 12.3b", "fuel x-member lines=[at="+at(0)+";count=1;by=x-13]") // no second throw
	g.do("fuel x-13" + line)                                                     // but it consumes what it is thrown
	c := g.p.changed()
	m := c.unit(g.unit("x-57"))
	m.Marker, m.Face = ocsv1.Marker_MARKER_STRAT, ocsv1.Face_FACE_MOVE
	g.change(c).to("x-member", at(6))
	g.refused("OCS 12.3b-A", "fuel x-member"+line)
	g.do("fuel x-57 lines=[at=" + at(0) + ";count=1]") // it may still draw for itself
	g.to("x-div-hq", at(5)).put(at(5), "x-own-hq").to("x-tank", at(5))
	c = g.p.changed()
	c.unit(g.unit("x-tank")).Fuel = ocsv1.Fuel_FUEL_NONE
	g.change(c)
	by := " lines=[at=" + at(0) + ";count=1;by=x-div-hq]"
	g.refused("OCS 13.1d", "fuel x-member"+by)
	g.do("fuel x-tank" + by)
	g.do("fuel x-member lines=[at=" + at(0) + ";count=1;by=x-own-hq]")
}

func TestFreeFuel(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.5e", "OCS 12.5e-i")
	mover := "x-57 blue corps other headquarters 5-0-2truck/t1truck 1-0-12truck/t1truck hq"
	g := onRow(t, 30, nil, nil, nil, mover, tank, "x-two blue battalion armor armor 5-4-8track 2-4-14track",
		"x-member blue battalion armor armor 5-4-8track 2-4-14track formation=bl-3-arm").
		put(at(0), "x-57/move,fuel=lasting x-tank x-member").put(at(10), "x-two").segment(SegMovement, Blue)
	free := func(id string, want bool) {
		t.Helper()
		if got := g.p.needsFuel(g.unit(id)) == nil; got != want {
			t.Errorf("%s moves for nothing: %t", id, got)
		}
	}
	free("x-tank", true)
	free("x-member", false) // not independent
	free("x-two", false)    // too far
	next := g.p.Clone()
	g.do("move x-57 " + at(1) + ">" + at(2) + ">" + at(3) + ">" + at(4) + ">" + at(5) + ">" + at(6) + ">" + at(7) +
		">" + at(8))
	free("x-two", false) // its move is not over yet
	c := g.p.changed()
	c.motion(nil)
	g.change(c)
	free("x-two", true)
	free("x-tank", false)
	g.p = next
	c = g.p.changed()
	g.p.fuelUp(c, g.unit("x-tank")) // it gave fuel where it began
	g.change(c)
	g.want("fuel x-tank", "phase", "mark x-57 gave-fuel", true)
	g.do("move x-57 " + at(1) + ">" + at(2) + ">" + at(3) + ">" + at(4) + ">" + at(5) + ">" + at(6) + ">" + at(7) +
		">" + at(8))
	c = g.p.changed()
	c.motion(nil)
	g.change(c)
	free("x-two", false)
}
