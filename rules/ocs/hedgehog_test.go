package ocs

import (
	"strconv"
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// An RE of combat units that were in Combat mode when the phase began raises a hedgehog by a level for 2 SP, once in a
// phase, to level 4 (EX-16-02).
func TestHedgehog(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 16.0", "OCS 16.0a", "OCS 16.0b", "OCS 16.0c", "OCS 13.8d-iii", "OCS 13.8d-iv")
	lines := []string{"x-1 blue regiment other infantry 3-3-3leg 2-3-8leg",
		"x-2 blue battalion other infantry 2-3-3leg 1-3-8leg",
		"x-3 blue regiment other infantry 3-3-3leg 2-3-8leg", "x-4 blue regiment other infantry 3-3-3leg 2-3-8leg"}
	g := onGround(t, lines...).put("09.02", "x-1 x-2 x-3/dg x-4/move").dump("09.02", Blue, 40)
	for level := 1; level <= 4; level++ {
		g.phase()
		g.refused("OCS 16.0b", "construct x-2 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
		g.refused("OCS 16.0b", "construct x-3 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
		g.refused("OCS 16.0b", "construct x-4 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
		g.refused("OCS 16.0b", "construct x-1 job=raise-hedgehog at=09.02 lines=[at=09.02;count=7]")
		if level == 1 {
			g.refused("OCS 16.0c", "construct x-1 job=lower-hedgehog at=09.02")
		}
		g.do("construct x-1 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
		g.want("hedgehog 09.02", level, "ground 09.02 blue", 40-8*level, "mark x-1 done", true)
		g.refused("OCS 16.0b", "construct x-1 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
		g.refused("OCS 13.8d", "move x-1 09.03")
	}
	g.phase()
	g.refused("OCS 16.0a", "construct x-1 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
	g.do("construct x-1 job=lower-hedgehog at=09.02")
	g.want("hedgehog 09.02", 3, "ground 09.02 blue", 8)
}

// A unit with the engineer ability that has not moved builds within two hexes, one job in a turn.
func TestEngineerBuilds(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.8", "OCS 13.8a", "OCS 13.8d", "OCS 13.8d-i", "OCS 13.8d-ii")
	g := onGround(t).put("09.02", "bl-9-eng").put("09.03", "bl-corps/move").put("09.05", "bl-11-pio").
		dump("09.02", Blue, 40).dump("09.05", Blue, 8).segment(SegMovement, Blue)
	g.refused("OCS 13.8d", "construct bl-9-eng job=raise-hedgehog at=09.05 lines=[at=09.02;count=8]")
	g.refused("OCS 13.8a", "construct bl-corps job=raise-hedgehog at=09.03 lines=[at=09.02;count=8]")
	// half a RE, no engineer ability
	g.refused("OCS 16.0b", "construct bl-11-pio job=raise-hedgehog at=09.05 lines=[at=09.05;count=8]")
	if list := g.lists("construct"); len(list) < 5 {
		t.Errorf("it lists %v", list)
	}
	g.do("construct bl-9-eng job=raise-hedgehog at=09.04 lines=[at=09.02;count=8]")
	g.want("hedgehog 09.04", 1, "mark bl-9-eng built", true)
	g.refused("OCS 13.8d-ii", "construct bl-9-eng job=raise-hedgehog at=09.03 lines=[at=09.02;count=8]")
	g.phase()
	g.p.units[g.unit("bl-9-eng")].marks = 0
	g.do("move bl-9-eng 09.03")
	g.refused("OCS 13.8d", "construct bl-9-eng job=raise-hedgehog at=09.04 lines=[at=09.02;count=8]")
}

// With revised construction only engineers raise a hedgehog above level 1, for 1 SP more than its level (EX-21-02).
func TestStrongHedgehogs(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.11", "OCS 21.11a")
	g := onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("09.02", "x-1 bl-9-eng").
		dump("09.02", Blue, 60)
	g.p.opt.revisedConstruction = true
	g.segment(SegMovement, Blue).do("construct x-1 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
	spent := 8
	for level := 2; level <= 4; level++ {
		g.p.units[g.unit("bl-9-eng")].marks = 0
		g.phase()
		g.refused("OCS 21.11a", "construct x-1 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
		// infantry is no help
		g.refused("OCS 21.11a", "construct bl-9-eng,x-1 job=raise-hedgehog at=09.02 lines=[at=09.02;count=8]")
		spent += 4 * (level + 1)
		g.do("construct bl-9-eng job=raise-hedgehog at=09.02 lines=[at=09.02;count=" + strconv.Itoa(4*(level+1)) + "]")
		g.want("hedgehog 09.02", level, "ground 09.02 blue", 60-spent)
	}
	if spent != 14*oneSP {
		t.Errorf("level 4 took %d tokens", spent)
	}
}

// phase begins blue's Movement Phase and comes to its Movement Segment.
func (g *table) phase() *table {
	g.t.Helper()
	g.segment(SegBreakout, Blue).do("end")
	return g
}
