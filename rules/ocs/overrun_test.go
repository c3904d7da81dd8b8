package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules/rulestest"
)

// onOverrun is a stack in 09.02, another unit that joins it, and a red unit in 09.04.
func onOverrun(t *testing.T, target string) *table {
	t.Helper()
	return onGround(t, "x-1 blue regiment other infantry 9-4-8leg 2-4-8leg",
		"x-2 blue regiment other infantry 9-4-8leg 2-4-8leg",
		"x-3 blue regiment other infantry 9-4-8leg 2-4-8leg", "x-4 blue battalion armor armor 5-4-9track 2-4-18track",
		"x-5 blue regiment other infantry (9)-4-8leg 2-4-8leg", "x-6 blue regiment other infantry 9-4-8leg 2-4-8leg",
		"x-7 blue regiment other infantry 9-4-8leg 2-4-8leg",
		"x-8 blue regiment other infantry 9-4-8leg 2-4-8leg", "y-1 red regiment other infantry 3-2-3leg 1-2-8leg",
		"y-2 red regiment other infantry 3-2-3leg 1-2-8leg").
		put("09.02", "x-1 x-2 x-4 x-5 x-6/dg x-7/reserve x-8/strat").put("10.02", "x-3").
		put(target, "y-1/stocks=exhausted").dump("09.02", Blue, 40)
}

// Who may overrun, and from where (OCS 8.1).
func TestWhoOverruns(t *testing.T) {
	t.Parallel()
	g := onOverrun(t, "09.03").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 3.2b", "OCS 4.4a", "OCS 5.7", "OCS 5.8", "OCS 8.1d", "OCS 12.5b")
	for command, rule := range map[string]string{
		"overrun x-1 09.04": "OCS 8.1d",
		"overrun x-1 10.01": "OCS 8.0",
		"overrun x-4 09.03": "OCS 12.5a", // an overrun needs fuel
		"overrun x-5 09.03": "OCS 4.4a",
		"overrun x-6 09.03": "OCS 5.10b-C",
		"overrun x-7 09.03": "OCS 5.7",
		"overrun x-8 09.03": "OCS 5.8",
	} {
		rulestest.Proves(t, ruleset, "OCS 5.10b-C", "OCS 8.0")
		g.refused(rule, command)
	}
	g.do("move x-3 09.02")
	rulestest.Proves(t, ruleset, "OCS 8.1")
	g.refused("OCS 8.1", "overrun x-1,x-3 09.03") // they began the phase apart
	if diff := cmp.Diff([]string{"overrun x-1 at=09.03", "overrun x-2 at=09.03", "overrun x-1,x-2 at=09.03",
		"overrun x-3 at=09.03"}, g.lists("overrun")); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	g.do("move x-1,x-2 10.02>10.01>10.02>09.02>10.02>09.02")
	rulestest.Proves(t, ruleset, "OCS 8.1a")
	g.refused("OCS 8.1a", "overrun x-1,x-2 09.03") // 2 MP are left
	g.want("spent x-1", "6")
}

// The hex must cost 3 MP or less without roads and bridges (OCS 8.1b, OCS 8.1c).
func TestOverrunTerrain(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 8.1b", "OCS 8.1c")
	units :=
		[]string{"x-1 blue regiment other infantry 9-4-8leg 2-4-8leg",
			"x-2 blue battalion armor armor 5-4-9track 2-4-18track",
			"x-3 blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"x-e blue battalion other engineer 2-3-3leg 1-3-8leg engineer",
			"y-1 red regiment other infantry 3-2-3leg 1-2-8leg"}
	g := onGround(t, units...).put("10.07", "x-1 x-2/fuel=lasting x-3/fuel=lasting").put("11.08", "y-1").
		segment(SegMovement, Blue)
	g.refused("OCS 8.1b", "overrun x-3 11.08") // 1 and 3 for the river; the bridge does not count
	if r := g.p.check(Blue, g.parsed("overrun x-2 11.08")); r != nil {
		t.Errorf("Track pays 3: %v", explain(r))
	}
	g = onGround(t, units...).put("10.07", "x-2/fuel=lasting").put("11.08", "y-1").hex("11.08", "trainbusting=red").
		segment(SegMovement, Blue)
	g.refused("OCS 8.1b", "overrun x-2 11.08") // and 1 for trainbusting
	g = onGround(t, units...).put("10.10", "x-1 x-e").put("11.10", "y-1").segment(SegMovement, Blue)
	g.refused("OCS 8.1b", "overrun x-1 11.10") // the engineer does not help, and all MP are too many
}

// parsed is a command of the notation.
func (g *table) parsed(command string) *Command {
	g.t.Helper()
	c, r := g.p.parseCommand(command)
	if r != nil {
		g.t.Fatal(explain(r))
	}
	return &c
}

// The launch hex must be within the stacking limit at once (OCS 4.8a, OCS 8.1h, D-1): 8 REs of others and 3 that
// overrun.
func TestOverrunStacking(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.8a", "OCS 8.1h")
	g :=
		onGround(t, "x-1 blue division other infantry 9-4-8leg 2-4-8leg",
			"x-2 blue division other infantry 9-4-8leg 2-4-8leg re=8 steps=8",
			"y-1 red regiment other infantry 3-2-3leg 1-2-8leg").put("09.01", "x-1").put("09.02", "x-2").
			put("09.03", "y-1").segment(SegMovement, Blue)
	g.do("move x-1 09.02")
	g.refused("OCS 4.8a", "overrun x-1 09.03")
}

// Two overruns of a hex that costs 2 MP, the second one successful: 6 MP and no more (OCS 8.0, OCS 8.1a, EX-8.0-1),
// after a move of 1. The fight is a combat in every respect, and a unit left in the launch hex is dropped off (OCS
// 8.1g).
func TestTwoOverruns(t *testing.T) {
	t.Parallel()
	g :=
		onGround(t, "x-1 blue regiment other infantry 9-4-8leg 2-4-8leg",
			"x-2 blue regiment other infantry 9-4-8leg 2-4-8leg",
			"x-3 blue regiment other infantry 9-4-8leg 2-4-8leg",
			"y-1 red division other infantry 3-2-3leg 1-2-8leg re=5 steps=5").
			put("08.02", "x-1 x-2 x-3").put("08.04", "y-1").dump("08.03", Blue, 40).segment(SegMovement, Blue)
	g.do("move x-1,x-2,x-3 08.03")
	for i := range 2 {
		rulestest.Proves(t, ruleset, "OCS 8.0", "OCS 8.1a", "OCS 8.1d")
		g.do("overrun x-1,x-2 08.04")
		g.want("spent x-1", formatCost(Cost(1+3*(i+1))*oneMP), "frame", "combat", "asks", "combat-supply")
		if i == 0 {
			g.fight("Ae3, DL2o2DG", 3, 3, 5, 5)
			g.do("lose lines=[unit=y-1;count=4]")
			g.want("place x-1", "08.03", "place y-1", "08.04", "lost y-1", 4, "asks", "move", "frame", "")
			continue
		}
		g.fight("Ae2, DL2o3DG", 3, 2, 5, 5)
		g.do("lose lines=[unit=y-1;count=1]")
		g.do("advance x-1,x-2")
	}
	rulestest.Proves(t, ruleset, "OCS 8.1", "OCS 8.1a", "OCS 8.1h")
	g.want("spent x-1", "7", "spent x-2", "7", "place x-1", "08.04", "place x-2", "08.04", "asks", "move", "frame", "",
		"owner 08.04", "blue")
	rulestest.Proves(t, ruleset, "OCS 6.1f", "OCS 8.1g")
	g.refused("OCS 6.1f", "move x-3 08.02") // it was dropped off
	g.do("move x-1 08.03")                  // the rest of the MP
	g.want("spent x-1", "8")
}

// fight fights an overrun of 08.04 up to the losses, with dice, and expects a result.
func (g *table) fight(want string, throws ...uint32) {
	g.t.Helper()
	g.all("pay x-1,x-2 lines=[at=08.03;count=2]", "ready", "ready", "lead x-1")
	if got := resolved(g.t, g.do("lead y-1", throws...)).Result; got != want {
		g.t.Fatalf("%s, want %s", got, want)
	}
}

// Whoever retreats in an overrun has finished its move (OCS 8.1f); who has not may go on (OCS 8.0), also units that got
// no combat supply.
func TestRetreatEndsMovement(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 8.1f", "OCS 8.0", "OCS 8.1e")
	g := onGround(t, "x-1 blue regiment other infantry 9-4-8leg 2-4-8leg",
		"x-2 blue regiment other infantry 9-4-8leg 2-4-8leg",
		"y-1 red division other infantry 3-2-3leg 1-2-8leg re=5 steps=5").
		put("08.03", "x-1 x-2").put("08.04", "y-1").dump("08.03", Blue, 40).segment(SegMovement, Blue)
	g.do("overrun x-1,x-2 08.04")
	g.fight("Ao1, DL1o1", 3, 3, 2, 2)
	g.do("lose hexes=1")
	g.do("retreat x-1,x-2 08.02")
	g.do("lose lines=[unit=y-1;count=1]")
	g.want("asks", "move", "frame", "", "mark x-1 done", true, "place x-1", "08.02", "spent x-1", "3")
	g.refused("OCS 6.1f", "move x-1 08.01")
}

// In the Reaction Phase released units overrun as in any other (OCS 7.0b), in the Exploitation Phase both kinds do (OCS
// 11.0c).
func TestOverrunsInOtherPhases(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 7.0b", "OCS 11.0c", "OCS 5.7b-A", "OCS 5.7b-B", "OCS 8.1")
	units := []string{"x-1 blue regiment other infantry 9-4-8leg 2-4-8leg",
		"y-1 red regiment other infantry 3-2-8leg 1-2-8leg"}
	g := onGround(t, units...).put("09.03", "y-1/reserve").put("09.04", "x-1").dump("09.03", Red, 8).
		segment(SegReactionMove, Blue)
	g.refused("OCS 5.7", "overrun y-1 09.04")
	g.do("release y-1")
	g.do("overrun y-1 09.04")
	g.want("asks", "combat-supply", "spent y-1", "3")
	for _, mode := range []string{"reserve", "exploitation"} {
		g = onGround(t, units...).put("09.03", "x-1/"+mode).put("09.04", "y-1").dump("09.03", Blue, 8).
			segment(SegExploitMove, Blue)
		if mode == "reserve" {
			g.do("release x-1")
		}
		g.do("overrun x-1 09.04")
		g.want("asks", "combat-supply")
	}
}
