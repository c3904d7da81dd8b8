package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// A division detaches regiments at the start of its movement and absorbs them at the end of a phase, if ratings, modes and markers agree.
func TestBreakdowns(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 20.0", "OCS 20.0a", "OCS 20.0b", "OCS 20.0c", "OCS 20.0d", "OCS 20.0e", "OCS 20.0f", "OCS 20.0g")
	g := onGround(t).put("09.02", "bl-1-inf/lost=1,stocks=low bl-2-mtn").segment(SegMovement, Blue)
	g.refused("OCS 20.0g", "detach bl-2-mtn counter=bl-brk")
	g.do("detach bl-1-inf counter=bl-brk")
	g.want("lost bl-1-inf", 2, "place bl-brk.1", "09.02", "stocks bl-brk.1", "low", "spent bl-brk.1", "0")
	if u := g.unit("bl-brk.1"); g.p.re(u) != oneRE || !g.p.independent(u) {
		t.Errorf("a breakdown regiment has %s REs, independent: %v", formatRE(g.p.re(u)), g.p.independent(u))
	}
	g.refused("OCS 20.0a", "detach bl-1-inf counter=bl-brk") // the last step
	g.refused("OCS 20.0b", "absorb bl-1-inf other=bl-brk.1")
	g.do("end")
	g.want("place bl-brk.1", "09.02", "lost bl-1-inf", 2) // rated 3, the division 4
	g = onGround(t, "x-1 blue division other infantry 9-3-3leg 3-3-8leg").put("09.02", "bl-1-inf")
	g.sc.Counters[g.sc.kinds["bl-brk"]].Of = append(g.sc.Counters[g.sc.kinds["bl-brk"]].Of, g.sc.kinds["x-1"])
	g.put("09.02", "x-1/lost=1 bl-brk bl-brk/move").segment(SegMovement, Blue)
	g.refused("OCS 20.0c", "absorb x-1 other=bl-brk.2")
	g.refused("OCS 20.0d", "absorb bl-1-inf other=bl-brk.1") // it has lost no step
	g.do("end")
	g.want("lost x-1", 0, "place bl-brk.1", "gone", "place bl-brk.2", "09.02")
	g = onGround(t, "x-1 blue division other infantry 9-2-3leg 3-2-8leg").put("09.02", "bl-1-inf")
	g.sc.Counters[g.sc.kinds["bl-brk"]].Of = append(g.sc.Counters[g.sc.kinds["bl-brk"]].Of, g.sc.kinds["x-1"])
	g.put("09.02", "x-1/lost=1").segment(SegMovement, Blue)
	g.refused("OCS 20.0b", "detach x-1 counter=bl-brk")
}
