package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// marked gives a unit a mark.
func (g *table) marked(id string, mark ocsv1.UnitMark) *table {
	g.t.Helper()
	c := g.p.changed()
	c.mark(g.unit(id), mark)
	return g.change(c)
}

// A DUKW takes what could go by air: leg units of 1 to 10 MP in Move mode (OCS 18.4e-B).
func TestDUKWCargo(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4e-B")
	g := atSea(t, landers, nil, "z-10 blue battalion other infantry 3-3-4leg 2-3-10leg",
		"z-11 blue battalion other infantry 3-3-4leg 2-3-11leg",
		"z-0 blue battalion other coastal_battery (1)-1-0leg (1)-1-0leg coastal").
		hex("05.07", "owner=blue").put("05.07", "dukw/points_t=12 z-10 z-11 z-0").segment(SegMovement, Blue)
	g.refused("OCS 18.4e-B", "embark z-11 unit=dukw.1")
	g.refused("OCS 18.4e-B", "embark z-0 unit=dukw.1")
	g.do("embark z-10 unit=dukw.1")
}

// Whoever goes aboard is no longer in motion; supply that a truck brings ashore came by sea (OCS 6.1g, OCS 12.2a).
func TestAboardAndAshore(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4c", "OCS 12.2a")
	g := landing(t).put("05.07", "lc/points_t=12").put("06.08", "x-1/move x-2/move").segment(SegMovement, Blue)
	g.do("move x-1,x-2 06.07>05.07")
	g.do("embark x-1 unit=lc.1")
	if g.p.inMotion(g.unit("x-1")) || !g.p.inMotion(g.unit("x-2")) {
		t.Errorf("in motion: %v", g.p.ids(g.p.motion))
	}
	g = landing(t).put("05.07", "lc/points_t=12 truck-blue/points_t=4,load_t=4").aboard("lc.1", "truck-blue.1").
		segment(SegMovement, Blue)
	g.do("disembark truck-blue.1 unit=lc.1")
	if got := g.p.units[g.unit("truck-blue.1")].carried; got != uint8(ocsv1.Carriage_CARRIAGE_SEA) {
		t.Errorf("what the truck carries came by %d", got)
	}
}

// Points that one of several landing craft does not have are taken of the others (OCS 18.5f-B).
func TestLossesOfSeveralCraft(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f-B")
	g := offBeach(t).put("04.08", "lc/points_t=4 lc/points_t=8").shift("lc.2", "04.10").shift("lc.3", "04.10").
		aboard("lc.2", "x-1").aboard("lc.3", "x-2", "x-3").segment(SegMovement, Blue)
	g.do("land at=04.10 lines=[unit=x-1;count=1],[unit=x-2;count=1],[unit=x-3;count=1]", 2, 1, 1, 1) // half of 12 T
	g.want("place lc.2", "gone", "points lc.3", 6, "points lc.1", 24)
}

// Where an LST becomes no port, what may be aboard then, and what its roll costs (OCS 18.4f).
func TestLSTPortLimits(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4f", "OCS 18.4f-B", "OCS 18.4f-F", "OCS 18.5c", "OCS 18.5h-ii")
	start := func() *table {
		return landing(t).hex("04.10", "owner=red").put("04.08", "lst/points_t=12").shift("lst.1", "04.10").put("09.02",
			"x-1 x-hq/move x-div")
	}
	start().hex("04.10", "lst_port=blue").segment(SegAirNaval, Blue).refused("OCS 18.4f-F", "lst-port unit=lst.1")
	start().put("04.10", "y-1").segment(SegAirNaval, Blue).refused("OCS 18.4f", "lst-port unit=lst.1")
	g := start().aboard("lst.1", "x-1")
	c := g.p.changed()
	c.unit(g.unit("x-1")).Marker = ocsv1.Marker_MARKER_DG
	g.change(c).segment(SegAirNaval, Blue).refused("OCS 18.5c", "lst-port unit=lst.1")
	start().aboard("lst.1", "x-hq/move").dump("04.10", Red, 4).segment(SegAirNaval, Blue).refused("OCS 18.5h-ii",
		"lst-port unit=lst.1")

	g = start().aboard("lst.1", "x-div").segment(SegAirNaval, Blue)
	g.do("lst-port unit=lst.1", 1, 1, 1, 1, 1, 1) // it fails: two steps of three
	g.want("place x-div", "04.10", "lost x-div", 2)
	g = start().aboard("lst.1", "x-hq/move").segment(SegAirNaval, Blue)
	g.do("lst-port unit=lst.1", 6, 6)
	g.want("mark x-hq landed-fuel", true)

	g = start().segment(SegMovement, Blue)
	g.p.together = true // in a simultaneous turn the Movement Segment is the last of its phase
	if !g.p.leftOut(SegAirNaval) || !g.p.endsPhase() {
		t.Error("the phase goes on")
	}

	g = atSea(t, landers, nil,
		append([]string{"z-hq red corps other headquarters (5)-0-3leg/t8truck (1)-0-8leg/t8truck hq"}, marching...)...).
		hex("04.10", "owner=blue lst_port=blue").put("05.10", "z-hq/move y-1/move").segment(SegMovement, Red)
	at := g.place("04.10")
	g.do("move z-hq 04.10") // it can't attack
	if g.p.cell(at).lst != Blue {
		t.Error("the port is gone")
	}
	g.do("move y-1 04.10")
	if g.p.cell(at).lst == Blue {
		t.Error("the port is still there")
	}
}

// When a DUKW does not come ashore, and what its roll costs those aboard (OCS 18.4e, OCS 18.4e-A).
func TestDUKWAshore(t *testing.T) {
	t.Parallel()
	start := func() *table {
		return landing(t).hex("04.10", "owner=red").put("04.08", "dukw/points_t=8,load_t=4").shift("dukw.1", "04.10").
			put("09.02", "x-bn").aboard("dukw.1", "x-bn")
	}
	rulestest.Proves(t, ruleset, "OCS 18.5a", "OCS 18.5c", "OCS 18.5f-D", "OCS 18.5h-ii")
	start().marked("dukw.1", ocsv1.UnitMark_UNIT_MARK_DONE).segment(SegMovement, Blue).refused("OCS 18.5a",
		"ashore unit=dukw.1")
	start().dump("04.10", Red, 4).segment(SegMovement, Blue).refused("OCS 18.5h-ii", "ashore unit=dukw.1")
	g := start().segment(SegMovement, Blue)
	c := g.p.changed()
	c.register(Blue, ocsv1.Register_REGISTER_LANDING, landingMoved)
	g.change(c).refused("OCS 18.5f-D", "ashore unit=dukw.1")
	g = start().segment(SegMovement, Blue)
	c = g.p.changed()
	c.unit(g.unit("x-bn")).Marker = ocsv1.Marker_MARKER_DG
	g.change(c).refused("OCS 18.5c", "ashore unit=dukw.1")

	g = start().segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 18.4e", "OCS 18.4e-A")
	g.do("ashore unit=dukw.1", 1, 1, 1, 1) // it fails: the battalion, and half of the points
	g.want("place x-bn", "dead", "points dukw-ashore-blue.1", 4, "owner 04.10", "red")
	g = start().put("09.03", "x-2/move").segment(SegMovement, Blue)
	g.do("move x-2 09.04")
	g.do("ashore unit=dukw.1", 6, 6)
	g.want("place x-bn", "04.10", "owner 04.10", "blue")
	rulestest.Proves(t, ruleset, "OCS 6.1f")
	g.refused("OCS 6.1f", "move x-2 09.05")
	if got := g.p.units[g.unit("dukw-ashore-blue.1")].carried; got != uint8(ocsv1.Carriage_CARRIAGE_SEA) {
		t.Errorf("what it carries came by %d", got)
	}
}

// A DUKW that goes to sea is in motion no more, and has a third of what is left, of half as much on a rough sea (OCS
// 18.4e, Crimea 8.4).
func TestDUKWAfloat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4e")
	g := landing(t).hex("04.10", "owner=blue").hex("04.11", "owner=blue").put("04.11", "dukw-ashore-blue/points_t=8").
		segment(SegMovement, Blue)
	g.p.rough = true
	rough := g.clone().special("rough-sea", "")
	g.do("move dukw-ashore-blue.1 04.10")
	g.do("afloat unit=dukw-ashore-blue.1")
	if len(g.p.motion) > 0 {
		t.Errorf("in motion: %v", g.p.ids(g.p.motion))
	}
	c := rough.p.changed()
	c.spend(rough.unit("dukw-ashore-blue.1"), 18*oneMP)
	rough.change(c).do("afloat unit=dukw-ashore-blue.1") // 6 of 24 are left: 2 of 4
	rough.want("spent bl-dukw.1", "2")
}

// Landing craft that merge have the least that any of them has left, and are disorganised or have ended their move if
// one is or has (OCS 18.4d).
func TestCraftMerged(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4d")
	g := landing(t).put("04.07", "lc/points_t=4 lc/points_t=8,load_t=2").segment(SegMovement, Blue)
	c := g.p.changed()
	c.spend(g.unit("lc.1"), 2*oneMP)
	c.spend(g.unit("lc.2"), 5*oneMP)
	c.mark(g.unit("lc.2"), ocsv1.UnitMark_UNIT_MARK_DONE)
	c.unit(g.unit("lc.2")).Marker = ocsv1.Marker_MARKER_DG
	g.change(c).do("merge-craft lc.1,lc.2")
	g.want("points lc.1", 12, "load lc.1", 2, "spent lc.1", "5", "mode lc.1", "dg", "mark lc.1 done", true)
}

// A part that is split off carries no more than its points, and is in the state of the whole (OCS 18.4d).
func TestCraftPart(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4d")
	g := landing(t).put("04.07", "lc/points_t=12,load_t=4 x-1").aboard("lc.1", "x-1").segment(SegMovement, Blue)
	g.refused("OCS 18.4d", "split-craft x-1 unit=lc.1 points=3")
	g.refused("OCS 18.4d", "split-craft unit=lc.1 points=6 tokens=5")
	c := g.p.changed()
	c.spend(g.unit("lc.1"), 3*oneMP)
	c.mark(g.unit("lc.1"), ocsv1.UnitMark_UNIT_MARK_DONE)
	c.unit(g.unit("lc.1")).Marker = ocsv1.Marker_MARKER_DG
	g.change(c).do("split-craft x-1 unit=lc.1 points=4")
	g.want("spent lc.2", "3", "mode lc.2", "dg", "mark lc.2 done", true, "points lc.1", 8)
}
