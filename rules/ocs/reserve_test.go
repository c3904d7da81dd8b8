package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// In the Reaction Phase only what the other side releases moves, with half its allowance (OCS 5.7b-B, OCS 7.0).
func TestReaction(t *testing.T) {
	t.Parallel()
	g :=
		onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"y-1 red regiment other infantry 3-2-6leg 1-2-8leg",
			"y-2 red regiment other infantry 3-2-3leg 1-2-8leg", "y-3 red regiment other infantry 3-2-3leg 1-2-9leg").
			put("13.05", "y-1/reserve y-2 y-3/reserve,move").put("13.10", "rd-1-trk/reserve").
			put("09.03", "x-1/reserve").segment(SegReactionMove, Blue)
	if g.asked() != Red {
		t.Fatal("blue is asked")
	}
	rulestest.Proves(t, ruleset, "OCS 6.3a", "OCS 7.0")
	g.refusedTo(Blue, "OCS 2.1", "move x-1 09.04")
	g.refusedTo(Blue, "OCS 2.1", "release x-1")
	g.refused("OCS 6.3a", "move x-1 09.04") // EX-6.3a-1
	rulestest.Proves(t, ruleset, "OCS 7.0a", "OCS 5.7")
	g.refused("OCS 7.0a", "move y-1 13.06")
	g.refused("OCS 7.0a", "move y-2 13.06")
	rulestest.Proves(t, ruleset, "OCS 5.7b")
	g.refused("OCS 5.7b", "release y-2")
	g.do("release y-1")
	g.want("mode y-1", "combat", "mark y-1 released", true, "mode y-3", "reserve")
	rulestest.Proves(t, ruleset, "OCS 5.7b-B", "OCS 6.0")
	g.do("move y-1 13.06>13.07>13.08") // 3 MP are half of 6
	g.refused("OCS 6.1b", "move y-1 13.09")
	g.do("release y-3")
	g.refused("OCS 6.1f", "move y-1 13.09") // its move is over
	g.do("move y-3 13.06>13.07>13.08>14.08")
	g.want("mode y-3", "move", "spent y-3", "4")
	g.do("release rd-1-trk") // OCS 5.7f
	g.do("end")
	g.want("asks", "react-barrage")
	g.want("mark y-1 released", true)
}

// In the Exploitation Phase released units move at full allowance and Exploitation-mode units at half; nothing else
// moves (OCS 11.0).
func TestExploitationPhase(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-1 blue regiment other infantry 5-4-4leg 2-4-8leg",
		"x-2 blue regiment other infantry 5-4-4leg 2-4-8leg",
		"x-3 blue regiment other infantry 5-4-4leg 2-4-8leg", "x-4 blue regiment other infantry 5-4-4leg 2-4-8leg").
		put("09.02", "x-1/reserve x-2/exploitation x-3 x-4/reserve").segment(SegExploitMove, Blue)
	rulestest.Proves(t, ruleset, "OCS 11.0", "OCS 11.0a")
	g.refused("OCS 11.0a", "move x-3 09.03")
	g.refused("OCS 11.0a", "move x-1 09.03")
	rulestest.Proves(t, ruleset, "OCS 5.9", "OCS 6.0")
	g.do("move x-2 09.03>09.04")
	g.refused("OCS 6.1b", "move x-2 09.05")
	rulestest.Proves(t, ruleset, "OCS 5.7b", "OCS 5.7b-A", "OCS 11.0b")
	g.do("release x-1")
	g.do("move x-1 09.03>09.04>09.05>10.05")
	g.want("spent x-1", "4")
	g.refusedTo(Red, "OCS 2.1", "release rd-1-inf")
	g.do("end")
	g.want("asks", "exploit-barrage")
	g.do("release x-4") // it may still be released, and does not move
	g.want("mark x-4 released", true)
	g.refused("OCS 2.1", "move x-4 09.03")
	g.do("end")
	g.want("asks", "exploit-combat")
}
