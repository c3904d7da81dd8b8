package ocs

import (
	"slices"
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// Modes change once in the owner's Movement Phase, before the unit moves, at no cost (OCS 5.4, EX-5.4-1).
func TestModes(t *testing.T) {
	t.Parallel()
	g :=
		onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-2 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-3 blue regiment other infantry 5-4-3leg 2-4-8leg", "x-4 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-5 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"y-1 red regiment other infantry 3-2-3leg 1-2-8leg").
			put("05.14", "x-1 x-2 x-3/dg truck-blue/points_t=4 bl-3-trk pax-blue x-5/exploitation").put("09.03", "x-4").
			put("10.03", "y-1").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 5.1", "OCS 5.3", "OCS 5.5c", "OCS 5.6b", "OCS 5.7f", "OCS 5.8c")
	for command, rule := range map[string]string{
		"mode x-1 marker=none face=combat":        "OCS 5.4", // it is in it
		"mode x-1 marker=dg":                      "OCS 5.3",
		"mode x-1 marker=exploitation":            "OCS 5.3",
		"mode x-3 marker=none":                    "OCS 5.3",
		"mode x-5 marker=none":                    "OCS 5.3",
		"mode x-5 face=move":                      "OCS 5.3",
		"mode pax-blue.1 marker=none face=combat": "OCS 5.5c",
		"mode truck-blue.1 face=combat":           "OCS 5.5c",
		"mode truck-blue.1 marker=reserve":        "OCS 5.7f",
		"mode truck-blue.1 marker=strat":          "OCS 5.8c",
		"mode bl-3-trk marker=strat":              "OCS 5.8c",
		"mode x-4 marker=reserve":                 "OCS 5.7c",
		"mode x-4 marker=strat":                   "OCS 5.8a",
	} {
		rulestest.Proves(t, ruleset, "OCS 4.5a-I", "OCS 4.5a-J", "OCS 5.7c", "OCS 5.8a")
		g.refused(rule, command)
	}
	rulestest.Proves(t, ruleset, "OCS 5.5", "OCS 5.6", "OCS 5.7a", "OCS 13.2d")
	g.all("mode x-1 marker=reserve face=move", "mode x-3 face=move", "mode bl-3-trk marker=reserve",
		"mode x-4 marker=none face=move", "mode x-2 marker=none face=move")
	g.want("mode x-1", "reserve", "face x-1", "move", "spent x-1", "0", "mode x-3", "dg", "face x-3", "move",
		"mode bl-3-trk", "reserve", "mode x-4", "move")
	rulestest.Proves(t, ruleset, "OCS 5.4")
	g.refused("OCS 5.4", "mode x-1 marker=none") // one declaration a phase
	g.do("move x-2 05.13")
	g.refused("OCS 5.4", "mode x-2 marker=none face=combat")
	for _, c := range g.lists("mode") {
		if slices.Contains([]string{"mode x-1", "mode x-2", "mode x-3", "mode x-4", "mode x-5"}, c[:8]) {
			t.Errorf("it lists %s", c)
		}
	}
}

// What modes make of the allowance (OCS 6.1h): halves and quarters are kept (EX-6.1h-1, EX-5.7-1).
func TestAllowances(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 5.2", "OCS 5.7a", "OCS 5.8", "OCS 5.9", "OCS 5.10b")
	for state, want := range map[string]string{
		"combat": "3", "move": "6", "dg": "1 1/2", "dg,move": "3", "reserve": "3/4", "reserve,move": "1 1/2",
		"strat": "12", "exploitation": "1 1/2",
	} {
		g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-6leg").put("09.03", "x-1/"+state)
		rulestest.Proves(t, ruleset, "OCS 5.10", "OCS 5.10b-A", "OCS 6.1e", "OCS 6.1h")
		if got := formatCost(g.p.allowance(g.unit("x-1"))); got != want {
			t.Errorf("%s: %s, want %s", state, got, want)
		}
	}
}

// A unit in Reserve may always move one hex (OCS 6.1c, EX-5.7-1), for its whole allowance; DG has half.
func TestMinimumMove(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.1c", "OCS 5.7a", "OCS 6.1b")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-6leg",
		"x-2 blue regiment other infantry 5-4-3leg 2-4-6leg",
		"x-3 blue regiment other infantry 5-4-0leg 2-4-6leg", "x-4 blue regiment other infantry 5-4-3leg 2-4-6leg").
		put("10.14", "x-1/reserve,move x-3 x-4/dg").put("09.02", "x-2/reserve,move").segment(SegMovement, Blue)
	g.do("move x-1 10.15") // a mountain, 3 MP
	g.want("spent x-1", "1 1/2", "place x-1", "10.15")
	g.refused("OCS 6.1b", "move x-1 10.14")
	g.refused("OCS 6.1b", "move x-3 10.15") // no allowance at all
	g.do("move x-2 09.03")
	g.refused("OCS 6.1b", "move x-2 09.04") // half a MP is left, and it is not the first hex
	g.do("move x-4 10.15")
	g.want("spent x-4", "1 1/2")
}

// Reserve markers: one for each hex, counted at the end of the Movement Segment (OCS 5.4a); none in a hedgehog (OCS
// 5.7g).
func TestReserveMarkers(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 5.4a", "OCS 5.7g", "OCS 5.4")
	names := []string{"x-1", "x-2", "x-3", "x-4", "x-5"}
	var lines []string
	for _, n := range names {
		lines = append(lines, n+" blue regiment other infantry 5-4-3leg 2-4-8leg")
	}
	g := onGround(t, lines...).put("05.13", "x-1 x-2").put("05.14", "x-3").put("05.15", "x-4").put("05.11", "x-5").
		segment(SegMovement, Blue)
	for _, n := range names {
		g.do("mode " + n + " marker=reserve")
	}
	g.refused("OCS 5.4a", "end")
	g.do("leave x-5")
	g.refused("OCS 5.4", "leave x-4") // three markers are enough for the other four
	g.want("mode x-5", "combat", "mode x-2", "reserve")
	g.do("end")
	g = onGround(t, lines...).put("05.13", "x-1 x-2/reserve").hex("05.13", "hedgehog=1").segment(SegMovement, Blue)
	g.refused("OCS 5.7g", "end")
	g.do("mode x-2 marker=none")
	g.do("mode x-1 marker=reserve")
	g.refused("OCS 5.7g", "end")
	g.all("leave x-1", "end")
}

// Strat mode (OCS 5.8): twice the Move allowance, never into an enemy ZOC, and the move ends where the unit can trace.
func TestStrat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 5.8", "OCS 5.8a", "OCS 5.8b", "OCS 4.5a-J")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg",
		"x-2 blue regiment other infantry 5-4-3leg 2-4-8leg",
		"x-3 blue regiment other infantry 5-4-3leg 2-4-8leg", "y-1 red regiment other infantry 3-2-3leg 1-2-8leg").
		put("05.12", "x-1 x-3").put("19.01", "x-2").put("09.10", "y-1").segment(SegMovement, Blue)
	g.refused("OCS 5.8", "mode x-1 marker=strat face=combat") // Strat mode shows the Move face
	g.all("mode x-1 marker=strat", "mode x-2 marker=strat")
	g.refused("OCS 5.8", "mode x-1 face=combat")
	g.want("mode x-1", "strat", "face x-1", "move")
	g.refused("OCS 5.8a", "move x-1 06.11>07.11>08.10")
	g.refused("OCS 5.8b", "move x-2 19.02")
	g.do("move x-1 06.11>07.11")
	g.want("spent x-1", "1")
	g.refused("OCS 5.8b", "end") // x-2 took Strat mode and stays where it can't trace
	g.all("leave x-2", "end")
	g.want("mode x-2", "move", "mode x-1", "strat")
}
