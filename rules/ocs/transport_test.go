package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// EX-13-01 and OCS 13.2f.
func TestLoading(t *testing.T) {
	t.Parallel()
	g := onRow(t, 60, nil, nil, nil, guard, hq57).put(at(0), "truck-blue/points_t=8,load_t=2 bl-3-trk/load_t=4").
		put(at(40), "x-guard").dump(at(0), Blue, 8).
		segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 13.2f-A")
	if cost := g.p.handling(g.unit("truck-blue.1")); cost != 5*oneMP { // 45 MP
		t.Errorf("loading costs %s", formatCost(cost))
	}
	for ma, want := range map[int]Cost{44: 4, 50: 5, 12: 1, 8: 1} {
		g.sc.Counters[g.p.units[g.unit("bl-3-trk")].counter].Faces[MoveFace].Movement = Cost(ma) * oneMP
		if cost := g.p.handling(g.unit("bl-3-trk")); cost != want*oneMP {
			t.Errorf("%d MP pay %s", ma, formatCost(cost))
		}
	}
	rulestest.Proves(t, ruleset, "OCS 12.2", "OCS 13.2c", "OCS 13.2f", "OCS 13.2f-B")
	g.refused("OCS 13.2c", "load truck-blue.1 tokens=7")
	g.do("load truck-blue.1 tokens=6")
	g.want("load truck-blue.1", 8, "ground "+at(0)+" blue", 2, "spent truck-blue.1", "5")
	g.refused("OCS 13.2f-B", "load bl-3-trk tokens=3")
	g.do("load bl-3-trk tokens=2")
	g.do("move truck-blue.1 " + at(1))
	g.refused("OCS 13.2f", "unload truck-blue.1 tokens=1") // nobody there to take it
	rulestest.Proves(t, ruleset, "OCS 13.2f-i", "OCS 13.2f-ii", "OCS 13.2f-iii")
	for _, c := range []func(){
		func() { g.to("x-guard", at(1)) },
		func() { g.hex(at(1), "owner=blue air_base=1") },
		func() { g.dump(at(1), Blue, 1) },
	} {
		before := g.p.Clone()
		c()
		g.do("unload truck-blue.1 tokens=3")
		g.want("load truck-blue.1", 5)
		g.p = before
	}
	g.hex(at(1), "owner=red air_base=1")
	g.refused("OCS 13.2f", "unload truck-blue.1 tokens=1")
	g.to("x-guard", at(1))
	g.refused("OCS 13.2f", "unload truck-blue.1 tokens=9")
	g.do("unload truck-blue.1 tokens=3")
	rulestest.Proves(t, ruleset, "OCS 12.2a")
	g.refused("OCS 12.2a", "load truck-blue.1 tokens=1") // it was carried in this phase
	rulestest.Proves(t, ruleset, "OCS 13.2g", "OCS 13.2g-A")
	g.refused("OCS 13.2g-A", "unload bl-3-trk tokens=1")
	g.dump(at(1), Blue, 5) // three of them were carried
	g.refused("OCS 12.2a", "load truck-blue.1 tokens=3")
	g.do("load truck-blue.1 tokens=2")
	g.segment(SegBreakout, Blue).segment(SegMovement, Blue)
	g.do("load truck-blue.1 tokens=1") // the next phase
	g.refused("OCS 13.2f", "load x-guard tokens=1")
	g.do("move truck-blue.1 " + at(2))
	c := g.p.changed()
	c.spend(g.unit("truck-blue.1"), 41*oneMP)
	g.change(c).to("x-guard", at(2))
	g.refused("OCS 13.2f", "unload truck-blue.1 tokens=1") // 4 MP are left, and no least move helps
	if got := g.lists("unload"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
}

// What was carried to one hex is no part of what was carried to another.
func TestCarriedSupplyIsCountedByHex(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.2a")
	g := onRow(t, 30, nil, nil, nil, guard, tank).put(at(0), "truck-blue/points_t=8,load_t=2 x-guard").
		put(at(1), "wagon-blue/points_t=8,load_t=4 x-tank").segment(SegMovement, Blue)
	g.do("unload truck-blue.1 tokens=2")
	g.do("unload wagon-blue.1 tokens=1")
	for i, want := range []int{2, 1} {
		if got := g.p.carriedHere(Blue, g.place(at(i))); got != want {
			t.Errorf("%d tokens were carried to %s, want %d", got, at(i), want)
		}
	}
	g.do("unload wagon-blue.1 tokens=3")
	if got := g.p.carriedHere(Blue, g.place(at(1))); got != 4 {
		t.Errorf("%d tokens were carried there in two lots, want 4", got)
	}
}

// Supply that was carried is spent first.
func TestCarriedSupplyIsSpentFirst(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.2a", "OCS 12.2b")
	g := onRow(t, 30, nil, nil, nil, guard, tank).put(at(0), "truck-blue/points_t=8,load_t=2 x-guard x-tank").
		dump(at(0), Blue, 2).segment(SegMovement, Blue)
	g.do("unload truck-blue.1 tokens=2")
	g.do("fuel x-tank" + pays(at(0), "1"))
	g.refused("OCS 12.2a", "load truck-blue.1 tokens=3")
	g.do("load truck-blue.1 tokens=2") // one of the carried tokens is gone, two fresh ones are there
	g.want("ground "+at(0)+" blue", 1)
}

// An event changes nothing that stays as it is: only supply of the carriage that is spent first is told as spent.
func TestSpendingTellsWhatChanges(t *testing.T) {
	t.Parallel()
	g := onRow(t, 30, nil, nil, nil, guard, tank).put(at(0), "truck-blue/points_t=8,load_t=2 x-guard x-tank").
		dump(at(0), Blue, 2).segment(SegMovement, Blue)
	c := g.p.changed()
	c.taint(g.place(at(0)), Blue, ocsv1.Carriage_CARRIAGE_RAIL, 1)
	c.taint(g.place(at(0)), Blue, ocsv1.Carriage_CARRIAGE_SEA, 1)
	g.change(c)
	told := 0
	for _, e := range g.do("fuel x-tank" + pays(at(0), "1")).Events {
		for _, c := range e.Event.(*event).Changes {
			if c.GetTaint() != nil {
				told++
			}
		}
	}
	if told != 1 || g.p.carriedHere(Blue, g.place(at(0))) != 1 {
		t.Errorf("%d changes of what was carried, %d tokens are left", told, g.p.carriedHere(Blue, g.place(at(0))))
	}
}

func TestMergeAndSplit(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.2c", "OCS 12.1a")
	g := onRow(t, 60, nil, nil, nil).put(at(0), "truck-blue/points_t=8,load_t=6 truck-blue/points_t=4 "+
		"wagon-blue/points_t=8 bl-3-trk").segment(SegMovement, Blue)
	g.refused("OCS 13.2c", "merge truck-blue.1,wagon-blue.1")
	g.refused("OCS 13.2c", "merge truck-blue.1,bl-3-trk")
	g.refused("OCS 13.2c", "split bl-3-trk points=4")
	g.refused("OCS 13.2c", "split truck-blue.1 points=8")
	g.refused("OCS 13.2c", "split truck-blue.1 points=4 tokens=1") // five tokens on four points
	g.refused("OCS 13.2c", "split wagon-blue.1 points=3")          // pieces of two
	g.do("split truck-blue.1 points=4 tokens=2")
	g.want("points truck-blue.1", 4, "load truck-blue.1", 4, "points truck-blue.3", 4, "load truck-blue.3", 2)
	g.do("move truck-blue.1 " + at(1) + ">" + at(2))
	g.do("move truck-blue.2 " + at(1) + ">" + at(2) + ">" + at(1))
	g.to("truck-blue.2", at(2))
}

func TestMergedTransportsMoveOn(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.2c")
	g := onRow(t, 60, nil, nil, nil).put(at(0), "truck-blue/points_t=4,load_t=4").put(at(2), "truck-blue/points_t=4 ").
		segment(SegMovement, Blue)
	g.do("move truck-blue.1 " + at(1) + ">" + at(2))
	g.do("merge truck-blue.2,truck-blue.1")
	g.want("points truck-blue.2", 8, "load truck-blue.2", 4, "spent truck-blue.2", "2", "place truck-blue.1", "gone")
	g.do("split truck-blue.2 points=4 tokens=0") // the part that is left behind moves no more
	g.do("move truck-blue.2 " + at(3))
	g.refused("OCS 6.1f", "move truck-blue.1 "+at(3))
	g.segment(SegCombat, Blue)
	if got := len(g.lists("merge")) + len(g.lists("split")) + len(g.lists("load")); got != 0 {
		t.Errorf("%d ways to handle transports in combat", got)
	}
}

func TestExtenders(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.7", "OCS 12.7d", "OCS 12.7e", "OCS 12.7f", "OCS 13.2g-C", "OCS 12.7h")
	g := onRow(t, 60, []int{0}, nil, nil, division).
		put(at(11), "truck-blue/points_t=12 truck-blue/points_t=8,load_t=1 wagon-blue/points_t=20 bl-3-trk").
		put(at(12), "truck-blue/points_t=20").
		put(at(17), "x-div").segment(SegMovement, Blue)
	g.refused("OCS 12.7", "extend truck-blue.1")
	g.refused("OCS 12.7d", "extend truck-blue.1,truck-blue.2") // loaded
	g.refused("OCS 12.7d", "extend truck-blue.1,wagon-blue.1")
	g.refused("OCS 12.7d", "extend wagon-blue.1") // 8 MP do not reach
	g.refused("OCS 12.7d", "extend truck-blue.3") // 10 neither
	g.refused("OCS 13.2g-C", "extend bl-3-trk")
	c := g.p.changed()
	c.unit(g.unit("truck-blue.2")).LoadT = new(uint32)
	c.spend(g.unit("truck-blue.1"), 23*oneMP)
	g.change(c)
	g.refused("OCS 12.7e", "extend truck-blue.1,truck-blue.2")
	c = g.p.changed()
	c.spend(g.unit("truck-blue.1"), 22*oneMP+oneMP/2) // half of 45 is too much too (D93)
	g.change(c)
	g.refused("OCS 12.7e", "extend truck-blue.1,truck-blue.2")
	c = g.p.changed()
	c.spend(g.unit("truck-blue.1"), 22*oneMP)
	g.change(c)
	if got := g.lists("extend"); len(got) != 1 {
		t.Errorf("it lists %v", got)
	}
	g.traces("x-div", false)
	g.do("extend truck-blue.1,truck-blue.2")
	g.want("points truck-blue.1", 20, "mark truck-blue.1 extender", true, "place truck-blue.2", "gone")
	g.traces("x-div", true)
	g.refused("OCS 12.7d", "disband truck-blue.1") // it has nothing left
	g.refused("OCS 12.7d", "disband wagon-blue.1")
	g.refused("OCS 12.7", "load truck-blue.1 tokens=1")
	g.segment(SegBreakout, Blue).segment(SegMovement, Blue)
	g.refused("OCS 12.7d", "collapse truck-blue.1 at="+at(5)) // linked
	g.do("disband truck-blue.1")
	g.want("mark truck-blue.1 extender", false, "spent truck-blue.1", "22 1/2")
	g.do("split truck-blue.1 points=8 tokens=0")
	g.do("move truck-blue.1 " + at(12))
	g.do("move truck-blue.2 " + at(10) + ">" + at(9)) // each its own way

	g = onRow(t, 60, []int{0}, nil, nil, foe).put(at(14), "truck-blue/points_t=20,set=extender").
		put(at(7), "y-foe/move").segment(SegMovement, Blue)
	g.refused("OCS 12.7h", "collapse truck-blue.1 at="+at(7))
	g.refused("OCS 12.7h", "collapse truck-blue.1 at="+at(14))
	g.do("collapse truck-blue.1 at=" + at(6)) // enemies are ignored on the way
	g.want("place truck-blue.1", at(6), "mark truck-blue.1 extender", false)
	g = onRow(t, 60, []int{0}, nil, nil).put(at(40), "truck-blue/points_t=20,set=extender").segment(SegMovement, Blue)
	g.refused("OCS 12.7h", "collapse truck-blue.1 at="+at(39))
	g.do("collapse truck-blue.1 at=" + at(40)) // nowhere else
	g.want("place truck-blue.1", at(40), "mark truck-blue.1 extender", false)
}

// EX-12-09.
func TestDestroyDump(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.11", "OCS 12.11a")
	g := onRow(t, 30, nil, nil, nil).dump(at(0), Blue, 16).dump(at(1), Blue, 2).
		put(at(1), "truck-blue/points_t=8,load_t=8").segment(SegMovement, Blue)
	g.refused("OCS 12.11a", "destroy-dump "+at(0)+" tokens=17")
	g.do("destroy-dump "+at(0)+" tokens=12", 4) // 75 %
	g.want("ground "+at(0)+" blue", 7)
	g.refused("OCS 12.11a", "destroy-dump "+at(0)+" tokens=1")
	g.do("destroy-dump "+at(1)+" tokens=10", 2) // half, the ground first; the transport stays
	g.want("ground "+at(1)+" blue", 0, "load truck-blue.1", 5, "points truck-blue.1", 8)
	g.segment(SegReactionMove, Red)
	g.do("destroy-dump "+at(0)+" tokens=7", 6) // another phase
	g.want("ground "+at(0)+" blue", 0)
	g.segment(SegCombat, Blue)
	if got := g.lists("destroy-dump"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
}

// entered lets a seat capture what is in a hex that its units stand in.
func (g *table) entered(captor rules.Seat, where string, throws ...uint32) *table {
	g.t.Helper()
	do := staged{do: func(x *exec) { x.Pos.capture(x, captor, g.place(where)) }}
	if err := rules.Play(do, g.p, 0, only(KindEnd), dice.NewManual(nil), new(rules.Outcome)); err != nil {
		g.t.Fatal(err)
	}
	return g.settle(throws...)
}

// EX-9.14c-1.
func TestCapture(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.14b", "OCS 9.14c", "OCS 12.11b", "OCS 13.2i", "OCS 12.1d")
	const bike = "y-bike red battalion other motorcycle 2-4-12truck 1-4-24truck"
	lay := func(units string, tokens int) *table {
		g := onRow(t, 40, nil, nil, nil, bike).put(at(10), units).dump(at(10), Blue, tokens).put(at(30), "y-bike").
			segment(SegMovement, Red)
		return g.to("y-bike", at(10))
	}
	g := lay("truck-blue/points_t=16,load_t=16", 32).entered(Red, at(10), 1, 5)
	g.want("asks", "displace", "ground "+at(10)+" red", 16, "ground "+at(10)+" blue", 0, "points truck-blue.1", 16,
		"load truck-blue.1", 16)
	g.refused("OCS 9.14c", "displace truck-blue.1 at="+at(21))
	g.hex(at(12), "owner=red")
	g.refused("OCS 9.14c", "displace truck-blue.1 at="+at(12))
	if got := len(g.lists("displace")); got != 19 {
		t.Errorf("it lists %d hexes", got)
	}
	g.do("displace truck-blue.1 at=" + at(20))
	g.want("asks", "move", "place truck-blue.1", at(20), "load truck-blue.1", 16)

	// half of the trucks, 75 % of the wagons
	g = lay("truck-blue/points_t=16,load_t=8 wagon-blue/points_t=6", 0).entered(Red, at(10), 4, 5)
	g.want("points truck-red.1", 8, "load truck-red.1", 4, "points wagon-red.1", 4, "points wagon-blue.1", 2,
		"points truck-blue.1", 8, "load truck-blue.1", 4,
		"place truck-red.1", at(10), "mark truck-red.1 done", false, "spent truck-red.1", "0",
		"register blue trucks-lost", 8)
	g.do("displace truck-blue.1 at=" + at(18))
	g.refused("OCS 9.14c", "displace wagon-blue.1 at="+at(16)) // wagons go five hexes
	g.do("displace wagon-blue.1 at=" + at(15))
	g.do("move truck-red.1 " + at(11)) // captured in the Movement Phase

	g = lay("truck-blue/points_t=4", 0)
	g.segment(SegExploitMove, Red).entered(Red, at(10), 6)
	g.want("points truck-red.1", 3, "mark truck-red.1 done", true)

	g = lay("truck-blue/points_t=4", 0) // no unit that attacks: nothing happens
	c := g.p.changed()
	c.unit(g.unit("y-bike")).Marker = ocsv1.Marker_MARKER_RESERVE
	g.change(c).entered(Red, at(10))
	g.want("asks", "move")
	g = lay("truck-blue/points_t=4 bl-1-inf", 0).entered(Red, at(10)) // combat units are in the way
	g.want("asks", "move")
}

// The capture comes in the middle of a move, which goes on after it (EX-9.14c-1).
func TestCaptureOnTheMove(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.14b", "OCS 9.14c", "OCS 12.11b")
	g := onRow(t, 40, nil, nil, nil, "y-bike red battalion other motorcycle 2-4-12truck 1-4-24truck").
		put(at(10), "truck-blue/points_t=16,load_t=16").
		dump(at(10), Blue, 32).put(at(12), "y-bike/fuel=lasting").segment(SegMovement, Red)
	g.do("move y-bike "+at(11)+">"+at(10), 1, 5)
	g.do("displace truck-blue.1 at=" + at(0))
	g.want("asks", "move", "spent y-bike", "2", "ground "+at(10)+" red", 16, "place truck-blue.1", at(0))
	g.do("move y-bike " + at(9))
}

func TestCaptureOrganicTrucks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.14c", "OCS 13.2g-F")
	const bike = "y-bike red battalion other motorcycle 2-4-12truck 1-4-24truck"
	g := onRow(t, 40, nil, nil, nil, bike).put(at(10), "bl-3-trk/load_t=8 truck-blue/points_t=8,load_t=8").
		put(at(30), "y-bike").segment(SegMovement, Red)
	g.to("y-bike", at(10)).entered(Red, at(10), 4)
	g.want("asks", "yield") // 12 points of 24
	g.refused("OCS 9.14c", "yield points=3")
	g.refused("OCS 9.14c", "yield points=13")
	if got := len(g.lists("yield")); got != 9 {
		t.Errorf("it lists %d", got)
	}
	g.do("yield points=12")
	g.want("points bl-3-trk", 4, "points truck-blue.1", 8, "points truck-red.1", 12, "load truck-red.1", 8, "asks",
		"displace")
	if load := g.fact("load bl-3-trk").(int) + g.fact("load truck-blue.1").(int); load != 8 {
		t.Errorf("%dT are left", load)
	}
	g = onRow(t, 40, nil, nil, nil, bike).put(at(10), "bl-3-trk/load_t=8").put(at(30), "y-bike").
		segment(SegMovement, Red)
	g.to("y-bike", at(10)).entered(Red, at(10), 5)
	g.want("points truck-red.1", 8, "points bl-3-trk", 8)
}

func TestExtenderCollapses(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.7h", "OCS 9.14c")
	const bike = "y-bike red battalion other motorcycle 2-4-12truck 1-4-24truck"
	g := onRow(t, 40, []int{0}, nil, nil, bike).put(at(11), "truck-blue/points_t=20,set=extender").
		put(at(30), "y-bike").segment(SegMovement, Red)
	g.to("y-bike", at(11)).entered(Red, at(11))
	g.want("asks", "displace", "points truck-blue.1", 20)
	g.refused("OCS 12.7h", "displace truck-blue.1 at="+at(20))
	g.do("displace truck-blue.1 at=" + at(5))
	g.want("asks", "move", "place truck-blue.1", at(5), "points truck-blue.1", 20, "mark truck-blue.1 extender", false)
	g = onRow(t, 40, nil, nil, nil, bike).put(at(11), "truck-blue/points_t=20,set=extender").put(at(30), "y-bike").
		segment(SegMovement, Red)
	g.to("y-bike", at(11)).entered(Red, at(11), 4) // nowhere to go: it is captured like others
	g.want("points truck-red.1", 10, "points truck-blue.1", 10, "asks", "displace")
}

// Supply has one kind of transport in a phase: a train takes no loaded transport that has spent MP, and nothing that is
// committed to its hex.
func TestTrainsTakeNoMovedLoads(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.2a", "OCS 4.5b", "OCS 13.2e")
	start := func(truck string) *table {
		return onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").
			put("05.07", "x-1/move bl-22-sec truck-blue/"+truck).put("09.07", "bl-corps").dump("05.07", Blue, 20).
			segment(SegMovement, Blue)
	}
	start("points_t=8,load_t=4").do("rail truck-blue.1 at=09.07 tokens=0") // not moved: it goes with its load
	g := start("points_t=8,load_t=4")
	g.do("load truck-blue.1 tokens=2")
	g.refused("OCS 12.2a", "rail truck-blue.1 at=09.07 tokens=0")
	g = start("points_t=8")
	g.do("move truck-blue.1 06.06>05.07")
	g.do("rail truck-blue.1 at=09.07 tokens=0") // empty
	g = start("points_t=8").put("05.07", "x-1/set=committed")
	g.refused("OCS 4.5b", "rail x-1 at=09.07 tokens=0")
	// A part that had to stop in an enemy ZOC stops what it merges with.
	g = onGround(t, "y-1 red regiment other infantry 3-3-3leg 2-3-8leg").
		put("09.03", "truck-blue/points_t=4 truck-blue/points_t=4,spent_twelfths=24,set=moved,set=halted").
		put("09.05", "y-1").segment(SegMovement, Blue)
	c := g.p.changed()
	c.mark(g.unit("truck-blue.2"), ocsv1.UnitMark_UNIT_MARK_HALTED)
	g.change(c).do("merge truck-blue.1,truck-blue.2")
	g.want("mark truck-blue.1 halted", true)
}
