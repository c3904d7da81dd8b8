package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// Movement through ZOC, after the example of the rulebook (EX-4.5-1): 09.02 to 09.05 are in red ZOC.
func TestMovementThroughZOC(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.5", "OCS 4.5a", "OCS 4.5a-A", "OCS 4.5b", "OCS 6.3", "OCS 6.3b")
	g :=
		onGround(t, "x-a blue battalion armor armor 5-4-9track 2-4-18track",
			"x-b blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"x-44 blue division other infantry 9-3-3leg 3-3-8leg", "y-1 red regiment other infantry 3-2-3leg 1-2-8leg",
			"y-2 red regiment other infantry 3-2-3leg 1-2-8leg").
			put("09.01", "x-a/fuel=lasting x-b/fuel=lasting").put("09.02", "x-44").put("10.02", "y-1").
			put("10.04", "y-2").segment(SegMovement, Blue)
	g.want("zoc 09.01 red", false, "zoc 09.02 red", true, "zoc 09.05 red", true)
	g.refused("OCS 4.5a-A", "move x-b 09.02>09.03") // the 44th could still move away
	g.refused("OCS 4.5b", "commit x-a")             // in no ZOC
	g.do("commit x-44")
	g.refused("OCS 4.5b", "commit x-44")
	g.refused("OCS 4.5b", "move x-44 09.01")
	g.refused("OCS 5.4", "mode x-44 marker=none face=move")
	g.do("move x-a,x-b 09.02>09.03")
	g.refused("OCS 4.5a-A", "move x-a,x-b 09.04")
	g.do("move x-a 09.04>09.05")
	g.want("spent x-a", "4", "spent x-b", "2", "mark x-44 committed", true)
	g.refused("OCS 6.1f", "move x-b 09.04")
}

// A unit that has finished its move negates, one that began the phase in an enemy ZOC leaves it freely, and nobody
// needs leave to go where there is none.
func TestNegationByFinishedMove(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.5a-A", "OCS 4.5b", "OCS 6.1g")
	g :=
		onGround(t, "x-b blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"x-c blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"x-i blue regiment other infantry 9-3-3leg 3-3-8leg", "y-1 red regiment other infantry 3-2-3leg 1-2-8leg").
			put("09.01", "x-b/fuel=lasting").put("09.03", "x-c/fuel=lasting").put("08.02", "x-i truck-blue/points_t=4").
			put("10.02", "y-1").segment(SegMovement, Blue)
	g.do("move x-i 09.02")
	g.refused("OCS 4.5a-A", "move x-c 09.02>09.03") // x-i could still go on
	g.do("move truck-blue.1 08.03")                 // now it can't: another unit moves
	g.do("move x-c 09.02>09.01")
	g.want("spent x-c", "2")
	g.do("move x-b 09.02")
	g.refused("OCS 6.1f", "move x-c 09.02")
}

// Carpet movement (EX-CARPET): 09.02 and 09.03 are in red ZOC, 09.04 is not, 09.05 is.
func TestCarpet(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.5b", "OCS 6.1f")
	g :=
		onGround(t, "x-1 blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"x-2 blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"x-3 blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"y-1 red regiment other infantry 3-2-3leg 1-2-8leg", "y-2 red regiment other infantry 3-2-3leg 1-2-8leg").
			put("09.01", "x-1/fuel=lasting x-2/fuel=lasting x-3/fuel=lasting").put("10.02", "y-1").put("10.05", "y-2").
			segment(SegMovement, Blue)
	g.do("move x-1,x-2,x-3 09.02")
	g.refused("OCS 4.5a-A", "move x-1,x-2,x-3 09.03")
	g.do("move x-2,x-3 09.03")
	g.refused("OCS 4.5a-A", "move x-2,x-3 09.04")
	g.do("move x-3 09.04>09.05")
	g.refused("OCS 4.5a-A", "move x-3 09.06")
	for _, u := range []string{"x-1", "x-2"} {
		g.refused("OCS 6.1f", "move "+u+" 09.01")
	}
	g.want("spent x-3", "4", "place x-1", "09.02", "place x-2", "09.03", "place x-3", "09.05")
}

// Who has a ZOC (OCS 4.4b): Combat mode, attack-capable, not out of supply.
func TestWhoHasZOC(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.4", "OCS 4.4b", "OCS 5.5e", "OCS 5.9c", "OCS 5.2")
	for state, want := range map[string]bool{
		"combat": true, "move": false, "oos": false, "dg": false, "reserve": false, "strat": false,
		"exploitation":             false,
		"exploitation,set=had-zoc": true, "exploitation,set=had-zoc,oos": false,
	} {
		g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg").put("09.03", "x-1/"+state)
		if got := g.fact("zoc 10.03 blue"); got != want {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
	g := onGround(t, "x-1 blue regiment other infantry (5)-4-3leg 2-4-8leg",
		"x-2 blue regiment other infantry 0-4-3leg 2-4-8leg").put("09.03", "x-1").put("13.05", "x-2")
	g.want("zoc 09.04 blue", false, "zoc 13.06 blue", true, "zoc 14.04 blue", true) // also over the salt lake
}
