package ocs

import (
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// falls sets up an attack of blue from 12.04 on 12.05 that reads the last column, where red stands with combat supply,
// and resolves it with dice. On 5 it is "Ae4, DL1o2", on 4 "Ao1e4, DL1o2".
func falls(t *testing.T, red string, more func(*table), throws ...uint32) *table {
	t.Helper()
	g :=
		onGround(t, "x-1 blue regiment other infantry 200-4-3leg 1-4-8leg",
			"x-2 blue regiment other infantry 6-4-3leg 1-4-8leg",
			"x-3 blue regiment other infantry 6-4-3leg 1-4-8leg", "x-4 blue regiment other infantry 6-4-3leg 1-4-8leg",
			"y-1 red division other infantry 4-4-3leg 3-3-8leg", "y-2 red regiment other infantry 4-4-3leg 3-3-8leg",
			"y-3 red regiment other infantry 4-4-3leg 3-3-8leg",
			"y-fort red regiment other infantry 4-4-0 3-3-0", "y-gun red regiment other infantry 4-4-0 3-3-8leg",
			"y-hq red corps other headquarters (5)-0-2truck (1)-0-8truck hq",
			"y-10 red division other infantry 4-4-3leg 3-3-8leg re=9 steps=9").
			put("12.04", "x-1").put("12.05", red).dump("12.04", Blue, 8).dump("12.05", Red, 8)
	if more != nil {
		more(g)
	}
	g.segment(SegCombat, Blue)
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready")
	g.do(slices.MaxFunc(g.lists("pay"), func(a, b string) int { return len(a) - len(b) }))
	g.all("ready", "lead x-1")
	lead, _, _ := strings.Cut(strings.Fields(red)[0], "/")
	g.do("lead "+lead, throws...)
	return g
}

func TestRetreatDirection(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12", "OCS 9.12a", "OCS 9.12c", "OCS 9.12f", "OCS 5.10a-B", "OCS 5.10a-D")
	g := falls(t, "y-1", nil, rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=1] hexes=2")
	g.refused("OCS 9.12", "retreat y-1 12.06")
	g.refused("OCS 9.12c", "retreat y-1 12.06>12.05")
	g.refused("OCS 9.12c", "retreat y-1 12.06>11.06") // D-9
	g.refused("OCS 9.12c", "retreat y-1 12.06>12.08")
	g.refused("OCS 9.12f", "retreat y-1 12.04>12.03")
	listed := g.lists("retreat")
	for _, c := range listed {
		end := g.place(c[strings.LastIndex(c, ">")+1:]).Hex()
		if g.p.distance(end, g.place("12.05").Hex()) != 2 || g.p.distance(end, g.place("12.04").Hex()) < 2 {
			t.Errorf("it lists %s", c)
		}
	}
	if len(listed) < 5 {
		t.Errorf("it lists %v", listed)
	}
	g.put("12.07", "y-2") // a bystander in the second hex
	g.do("retreat y-1 12.06>12.07")
	g.want("place y-1", "12.07", "mode y-1", "dg", "mode y-2", "dg", "asks", "advance")
}

// Retreat into enemy ZOCs (EX-9.12-1): DG for those that were not, a step for those that were.
func TestRetreatIntoZOC(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12a", "OCS 9.12e", "OCS 5.10a", "OCS 5.10a-A", "OCS 5.10a-C", "OCS 5.10a-D")
	surrounded := func(g *table) { g.put("12.07", "x-2").put("11.07", "x-3").put("13.07", "x-4").put("12.06", "y-3") }
	g := falls(t, "y-1 y-2", surrounded, rolled(1, 4)...)
	other := g.p.Clone()
	g.do("lose lines=[unit=y-1;count=2],[unit=y-2;count=1]") // all by losses
	g.want("mode y-1", "combat", "place y-1", "12.05", "asks", "combat")
	g.p = other
	g.do("lose lines=[unit=y-1;count=1],[unit=y-2;count=1] hexes=1")
	g.refused("OCS 9.12e", "retreat y-1 12.06 lines=[unit=y-1;count=1]")
	g.do("retreat y-1 12.06")
	g.want("mode y-1", "dg", "lost y-1", 1, "mode y-3", "dg", "place y-1", "12.06")

	// DG already, then into a ZOC: a step of the stack, which its owner chooses; none of the bystander.
	g = falls(t, "y-1/dg y-2/dg", surrounded, rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=1],[unit=y-2;count=1] hexes=1")
	g.refused("OCS 9.12e", "retreat y-1 12.06")
	g.do("retreat y-1 12.06 lines=[unit=y-1;count=1]")
	g.want("lost y-1", 2, "mode y-3", "dg", "place y-3", "12.06")

	// Of a stack of which a part is DG, that part loses the step.
	g = falls(t, "y-1 y-2/dg y-3", func(g *table) { g.put("12.07", "x-2").put("11.07", "x-3").put("13.07", "x-4") },
		rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=1],[unit=y-3;count=1] hexes=1")
	if got := g.lists("retreat"); !slices.Contains(got, "retreat y-1,y-2 12.06 lines=[unit=y-2;count=1]") {
		t.Errorf("it lists %v", got)
	}
	g.refused("OCS 9.12e", "retreat y-1,y-2 12.06 lines=[unit=y-1;count=1]")
	g.do("retreat y-1,y-2 12.06 lines=[unit=y-2;count=1]")
	g.want("place y-2", "dead", "lost y-1", 1, "mode y-1", "dg")

	// Two hexes, both in ZOCs: DG in the first, a step in the second.
	g = falls(t, "y-1", func(g *table) { g.put("13.08", "x-2").put("11.07", "x-3").put("13.07", "x-4") },
		rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=1] hexes=2")
	g.refused("OCS 9.12e", "retreat y-1 12.06>12.07")
	g.do("retreat y-1 12.06>12.07 lines=[unit=y-1;count=1]")
	g.want("lost y-1", 2, "mode y-1", "dg")
}

// A way that is not away from the enemy is open only if it saves something.
func TestCurvedRetreat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12c")
	ring := func(g *table) { g.put("12.07", "x-2").put("11.07", "x-3").put("13.07", "x-4") }
	g := falls(t, "y-1", ring, rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=2] hexes=1")
	g.refused("OCS 9.12c", "retreat y-1 11.05") // the attacker has a ZOC there: it would be DG all the same
	g = falls(t, "y-1", func(g *table) { ring(g); g.put("12.04", "x-1/oos") }, rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=2] hexes=1")
	if got := g.lists("retreat"); len(got) != 5 {
		t.Errorf("it lists %v", got)
	}
	g.do("retreat y-1 11.05")
	g.want("mode y-1", "combat", "place y-1", "11.05")
}

// What cannot retreat is eliminated: without MA, in Strat mode among ZOCs, or where there is no room.
func TestNoRetreat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12", "OCS 9.12b", "OCS 9.12e", "OCS 5.8a", "OCS 9.14a", "OCS 9.6a")
	g := falls(t, "y-1 y-fort y-gun", nil, rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=1] hexes=2")
	g.want("place y-fort", "dead", "face y-gun", "move", "asks", "retreat")
	g.do("retreat y-1,y-gun 12.06>12.07")
	g.want("place y-gun", "12.07", "mode y-gun", "dg")

	ring := func(g *table) { g.put("12.07", "x-2").put("11.07", "x-3").put("13.07", "x-4") }
	g = falls(t, "y-2/strat y-3/strat", ring, 2, 3, 1, 1) // rating 0: 5 + 4 is no surprise, 2 + 4 is 6
	g.do("lose lines=[unit=y-2;count=1] hexes=2")
	g.want("place y-3", "dead", "asks", "advance") // D-7
	g = falls(t, "y-2/strat y-3/strat", func(g *table) { g.put("11.07", "x-3") }, 2, 3, 1, 1)
	g.do("lose lines=[unit=y-2;count=1] hexes=2")
	g.refused("OCS 9.12e", "retreat y-3 12.06>12.07")
	g.do("retreat y-3 13.06>13.07")
	g.want("place y-3", "13.07", "mode y-3", "dg")

	g = falls(t, "y-1 y-2 y-3", func(g *table) { g.put("12.07", "y-10") }, rolled(1, 4)...)
	g.do("lose lines=[unit=y-1;count=1] hexes=2")
	g.refused("OCS 9.12", "retreat y-1,y-2,y-3 12.06>12.07")
	g.do("retreat y-2 12.06>12.07") // 10 REs
	g.refused("OCS 9.12", "retreat y-3 12.06>12.07")
	g.do("retreat y-1,y-3 12.06>11.07")
	g.want("asks", "advance", "at 12.05", "")
}

// Who goes along, and what stays: HQs turn to their Move face; transports and dumps are captured by those that advance.
func TestWhoRetreats(t *testing.T) {
	t.Parallel()
	g := falls(t, "y-1 y-hq truck-red/points_t=8,load_t=4", func(g *table) { g.hex("12.05", "hedgehog=1") },
		rolled(1, 5)...)
	g.do("lose lines=[unit=y-1;count=1] hexes=2")
	rulestest.Proves(t, ruleset, "OCS 13.1c")
	g.want("face y-hq", "move", "asks", "retreat")
	rulestest.Proves(t, ruleset, "OCS 9.12d")
	g.refused("OCS 9.12d", "retreat y-1,truck-red.1 12.06>12.07")
	g.do("retreat y-1,y-hq 12.06>12.07")
	g.refused("OCS 9.12g-A", "advance y-1")
	rulestest.Proves(t, ruleset, "OCS 9.12g-D", "OCS 9.14", "OCS 9.14b", "OCS 9.14c", "OCS 9.14e", "OCS 16.0")
	g.do("advance x-1", 1, 5) // no truck captured; half of the dump (EX-9.14c-1)
	g.want("asks", "displace", "ground 12.05 blue", 3, "ground 12.05 red", 0, "hedgehog 12.05", 1, "owner 12.05",
		"blue", "place x-1", "12.05")

	// A unit of the hex that did not attack may go with the attackers.
	g = falls(t, "y-1", func(g *table) { g.put("12.04", "x-2") }, rolled(1, 3)...)
	g.do("lose hexes=1")
	rulestest.Proves(t, ruleset, "OCS 9.12d")
	g.refused("OCS 9.12d", "retreat x-2 12.03")
	g.do("retreat x-1,x-2 12.03")
	g.want("place x-1", "12.03", "place x-2", "12.03", "asks", "losses")
}

// A unit of the combat that has retreated goes no further with another that comes where it stands (OCS 9.12d).
func TestNobodyRetreatsTwice(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12d")
	g := onGround(t, "x-1 blue regiment other infantry 100-4-3leg 1-4-8leg",
		"x-2 blue regiment other infantry 100-4-3leg 1-4-8leg", "x-3 blue regiment other infantry 6-4-3leg 1-4-8leg",
		"y-1 red division other infantry 4-4-3leg 3-3-8leg").
		put("12.04", "x-1").put("11.05", "x-2").put("11.04", "x-3").put("12.05", "y-1").
		dump("12.04", Blue, 8).dump("12.05", Red, 8).segment(SegCombat, Blue)
	g.all("attack x-1,x-2 12.05", "pay x-1,x-2 lines=[at=12.04;count=2]", "ready")
	g.do(g.lists("pay")[0])
	g.all("ready", "lead x-1")
	g.do("lead y-1", rolled(1, 3)...)
	g.do("lose hexes=1")
	g.do("retreat x-1 11.04")
	g.put("11.04", "x-2") // as if it came from there
	g.refused("OCS 9.12d", "retreat x-2,x-1 11.03")
	for _, c := range g.lists("retreat") {
		if strings.Contains(c, "x-1") {
			t.Errorf("it lists %s", c)
		}
	}
	g.do("retreat x-2,x-3 11.03")
	g.want("place x-1", "11.04", "place x-3", "11.03")
}

func TestAdvanceStacks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12g", "OCS 4.8a", "OCS 9.10a-D", "OCS 9.11c")
	g := onGround(t, "x-1 blue division other infantry 60-4-3leg 1-4-8leg re=6 steps=6",
		"x-2 blue division other infantry 6-4-3leg 1-4-8leg re=6 steps=6",
		"y-1 red division other infantry 4-4-3leg 3-3-8leg").
		put("12.04", "x-1").put("13.05", "x-2").put("12.05", "y-1").dump("12.04", Blue, 20).segment(SegCombat, Blue)
	g.all("attack x-1,x-2 12.05", "pay x-1,x-2 lines=[at=12.04;count=12]", "ready", "stocks y-1", "ready", "lead x-1")
	g.reads(g.do("lead y-1", rolled(1, 4)...), "66", "4", "13:1", "13:1", "Ae4, DL1o2")
	g.do("lose lines=[unit=y-1;count=3]")
	g.refused("OCS 4.8a", "advance x-1,x-2")
	g.do("advance x-2")
	g.want("at 12.05", "x-2", "place x-1", "12.04", "owner 12.05", "blue", "mode x-1", "exploitation", "spent x-2", "0")
}

// Attackers advance only where the movement rules let them (OCS 9.12g): without the engineer that bridged the river
// tanks stay behind.
func TestNoAdvanceOverTheRiver(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12g")
	g := onGround(t, "x-1 blue regiment armor armor 90-4-8track 1-4-8track",
		"y-1 red battalion other infantry 1-4-3leg 1-4-8leg").put("10.10", "x-1 bl-9-eng").put("11.10", "y-1").
		dump("10.10", Blue, 8).segment(SegCombat, Blue)
	g.all("attack x-1 11.10", "pay x-1 lines=[at=10.10;count=1]", "ready", "ready", "lead x-1", "lead y-1")
	g.do(g.lists("terrain")[0], rolled(4, 4)...)
	g.do("lose lines=[unit=y-1;count=1]")
	g.want("asks", "advance")
	c := g.p.changed()
	c.eliminate(g.unit("bl-9-eng"))
	g.change(c).refused("OCS 9.12g", "advance x-1")
	g.do("advance")
	g.want("place x-1", "10.10")
}
