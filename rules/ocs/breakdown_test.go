package ocs

import (
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// A division detaches regiments at the start of its movement and absorbs them at the end of a phase, if ratings, modes
// and markers agree.
func TestBreakdowns(t *testing.T) {
	t.Parallel()
	g := onGround(t).put("09.02", "bl-1-inf/lost=1,stocks=low bl-2-mtn").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 20.0g")
	g.refused("OCS 20.0g", "detach bl-2-mtn counter=bl-brk")
	rulestest.Proves(t, ruleset, "OCS 20.0", "OCS 20.0a", "OCS 20.0c", "OCS 20.0e", "OCS 20.0f")
	g.do("detach bl-1-inf counter=bl-brk")
	g.want("lost bl-1-inf", 2, "place bl-brk.1", "09.02", "stocks bl-brk.1", "low", "spent bl-brk.1", "0")
	if u := g.unit("bl-brk.1"); g.p.re(u) != oneRE || !g.p.independent(u) {
		t.Errorf("a breakdown regiment has %s REs, independent: %v", formatRE(g.p.re(u)), g.p.independent(u))
	}
	rulestest.Proves(t, ruleset, "OCS 20.0a", "OCS 20.0b")
	g.refused("OCS 20.0a", "detach bl-1-inf counter=bl-brk") // the last step
	g.refused("OCS 20.0b", "absorb bl-1-inf other=bl-brk.1")
	g.do("end")
	g.want("place bl-brk.1", "09.02", "lost bl-1-inf", 2) // rated 3, the division 4
	g = onGround(t, "x-1 blue division other infantry 9-3-3leg 3-3-8leg").put("09.02", "bl-1-inf")
	g.sc.Counters[g.sc.kinds["bl-brk"]].Of = append(g.sc.Counters[g.sc.kinds["bl-brk"]].Of, g.sc.kinds["x-1"])
	g.put("09.02", "x-1/lost=1 bl-brk bl-brk/move").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 20.0c", "OCS 20.0d")
	g.refused("OCS 20.0c", "absorb x-1 other=bl-brk.2")
	g.refused("OCS 20.0d", "absorb bl-1-inf other=bl-brk.1") // it has lost no step
	g.do("end")
	g.want("lost x-1", 0, "place bl-brk.1", "gone", "place bl-brk.2", "09.02")
	g = onGround(t, "x-1 blue division other infantry 9-2-3leg 3-2-8leg").put("09.02", "bl-1-inf")
	g.sc.Counters[g.sc.kinds["bl-brk"]].Of = append(g.sc.Counters[g.sc.kinds["bl-brk"]].Of, g.sc.kinds["x-1"])
	g.put("09.02", "x-1/lost=1").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 20.0b")
	g.refused("OCS 20.0b", "detach x-1 counter=bl-brk")
}

// A division that begins to retreat or advance may detach a regiment that goes with it, or another way (OCS 20.0a).
func TestBreakdownsOnTheWay(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 20.0a", "OCS 9.12", "OCS 9.12g")
	g := falls(t, "y-1 y-10/lost=8", func(g *table) {
		brk := &g.sc.Counters[g.sc.kinds["rd-brk"]]
		brk.Of = append(brk.Of, g.sc.kinds["y-1"], g.sc.kinds["y-10"])
	}, rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=1] hexes=2")
	g.want("asks", "retreat")
	g.refused("OCS 20.0a", "detach y-10 counter=rd-brk") // the last step
	if got := g.lists("detach"); !slices.Equal(got, []string{"detach unit=y-1 counter=rd-brk"}) {
		t.Errorf("it lists %q", got)
	}
	g.do("detach y-1 counter=rd-brk")
	g.want("lost y-1", 2, "place rd-brk.1", "12.05", "mode rd-brk.1", "combat", "asks", "retreat")
	g.do("retreat y-1,y-10 12.06>12.07")
	g.want("asks", "retreat", "place rd-brk.1", "12.05") // it must go too, and may go elsewhere
	g.refused("OCS 20.0a", "detach y-1 counter=rd-brk")
	other := g.lists("retreat")
	other = slices.DeleteFunc(other, func(s string) bool {
		return !strings.HasPrefix(s, "retreat rd-brk.1 ") || strings.HasSuffix(s, "12.07")
	})
	if len(other) == 0 {
		t.Fatal("the regiment may not go another way")
	}
	g.do(other[0])
	if g.fact("place rd-brk.1") == "12.07" || g.fact("place rd-brk.1") == "12.05" {
		t.Errorf("it is in %s", g.fact("place rd-brk.1"))
	}
	g.want("place y-1", "12.07", "asks", "advance", "mode rd-brk.1", "dg")

	g = onGround(t, "x-1 blue division other infantry 60-3-3leg 1-3-8leg",
		"x-9 blue division other infantry 6-3-3leg 1-3-8leg", "y-1 red regiment other infantry 4-4-3leg 3-3-8leg")
	brk := &g.sc.Counters[g.sc.kinds["bl-brk"]]
	brk.Of = append(brk.Of, g.sc.kinds["x-1"], g.sc.kinds["x-9"])
	g.put("12.04", "x-1 x-9").put("12.05", "y-1").dump("12.04", Blue, 20).segment(SegCombat, Blue)
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=3]", "ready", "ready", "lead x-1")
	g.do("lead y-1", rolled(6, 6)...)
	for g.fact("asks") == "losses" {
		g.do("lose lines=[unit=y-1;count=1]")
	}
	g.want("asks", "advance")
	g.refused("OCS 20.0a", "detach x-9 counter=bl-brk")
	g.do("detach x-1 counter=bl-brk")
	g.do("advance bl-brk.1")
	g.want("place bl-brk.1", "12.05", "place x-1", "12.04", "lost x-1", 1, "mode bl-brk.1", g.fact("mode x-1"))

	g = onGround(t, "y-1 red regiment other infantry 4-4-3leg 3-3-8leg").put("12.04", "bl-1-inf").
		segment(SegMovement, Blue)
	g.do("move bl-1-inf 12.03")
	g.refused("OCS 20.0a", "detach bl-1-inf counter=bl-brk") // it has begun
}
