package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// An LST becomes a port at the end of a phase by a roll that serves for what is aboard; it is a source, no target, and
// gone when enemies come (OCS 18.4f).
func TestLSTPort(t *testing.T) {
	t.Parallel()
	start := func(at string, s Segment) *table {
		return landing(t).hex("04.10", "owner=red").put("04.08", "lst/points_t=12,load_t=3 lc/points_t=4 "+
			"truck-blue/points_t=4,load_t=2 x-1").shift("lst.1", at).shift("lc.1", "04.10").
			aboard("lst.1", "x-1", "truck-blue.1").segment(s, Blue)
	}
	g := start("04.10", SegMovement)
	rulestest.Proves(t, ruleset, "OCS 18.4f", "OCS 18.4f-F")
	g.refused("OCS 18.4f", "lst-port unit=lst.1") // not the end of the phase
	start("04.08", SegAirNaval).refused("OCS 18.4f", "lst-port unit=lst.1")
	start("05.07", SegAirNaval).refused("OCS 18.4f-F", "lst-port unit=lst.1")
	g = start("04.10", SegAirNaval)
	g.refused("OCS 18.4f", "lst-port unit=lc.1")
	if got := g.lists("lst-port"); !slices.Equal(got, []string{"lst-port unit=lst.1"}) {
		t.Errorf("it lists %v", got)
	}
	mixed, at := g.clone(), g.place("04.10")
	out := g.do("lst-port unit=lst.1", 6, 6)
	if got := g.told(out); !strings.Contains(got, "an LST is a port at 04.10 now") {
		t.Errorf("told %q", got)
	}
	g.want("place lst.1", "gone", "place x-1", "04.10", "mark x-1 done", true, "fuel x-1", "lasting",
		"place truck-blue.1", "04.10", "ground 04.10 blue", 3, "owner 04.10", "blue")
	rulestest.Proves(t, ruleset, "OCS 18.4f-C", "OCS 18.4f-D", "OCS 18.4f-E")
	if !g.p.isPort(Blue, at) || g.p.portLeft(at) != oneSP || !g.p.survey(Blue).network().ends.has(at.Hex()) {
		t.Error("it is no port of 1 SP, or no source")
	}
	rulestest.Proves(t, ruleset, "OCS 18.4f-A")
	if g.sc.Hexes[at].Port != 0 { // only printed ports are targets of a barrage, and take hits
		t.Error("it is a target")
	}
	q, err := parsePosition(g.sc, g.p.format())
	if err != nil || !q.isPort(Blue, at) {
		t.Errorf("written down it is no port: %v", err)
	}
	g.put("05.10", "y-1").shift("x-1", "09.02")
	if g.p.survey(Blue).network().ends.has(at.Hex()) { // in an enemy ZOC
		t.Error("it is a source though blocked")
	}
	if r := g.p.checkPort(Blue, at, "OCS 18.4c"); r == nil || r.Rule != "OCS 19.0a-ii" {
		t.Errorf("blocked: %v", r)
	}
	g.shift("truck-blue.1", "09.02").dump("04.10", Blue, 0).segment(SegMovement, Red)
	rulestest.Proves(t, ruleset, "OCS 18.4f-B")
	g.do("move y-1 04.10")
	if g.p.isPort(Blue, at) || g.p.isPort(Red, at) {
		t.Error("it is still a port")
	}
	rulestest.Proves(t, ruleset, "OCS 18.4f")
	mixed.do("lst-port unit=lst.1", 2, 1, 1, 1) // half of 12 T is lost: landing craft of 6 T, and no port
	mixed.want("place x-1", "04.10", "place lst.1", "gone", "points lc.2", 6, "place lc.2", "04.10")
	if mixed.p.isPort(Blue, at) {
		t.Error("it is a port")
	}
	g = landing(t).put("04.10", "lst/points_t=12 x-1").aboard("lst.1", "x-1").segment(SegReactionBarrage, Red)
	g.refused("OCS 18.5d", "lst-port unit=lst.1") // with combat units aboard only in the Movement Phase
	g = landing(t).put("04.10", "lst/points_t=12,load_t=2").segment(SegReactionBarrage, Red)
	g.do("lst-port unit=lst.1", 6, 6)
	g.want("ground 04.10 blue", 2)
}

// A DUKW comes ashore by a roll with three times the MP that it has left, and goes back with a third of them
// (EX-18-04).
func TestDUKW(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4e", "OCS 18.4e-A", "OCS 18.4e-B", "OCS 18.4e-C")
	g := landing(t).hex("04.10", "owner=blue").put(
		"04.08", "dukw/points_t=8,load_t=4,spent_twelfths=36 lc/points_t=4 x-bn",
	).shift("dukw.1", "04.10").shift("lc.1", "04.10").
		aboard("dukw.1", "x-bn").segment(SegMovement, Blue)
	spend := g.p.changed()
	spend.spend(g.unit("dukw.1"), 3*oneMP)
	g.change(spend)
	g.refused("OCS 18.4e", "ashore unit=lc.1")
	g.do("ashore unit=dukw.1", 6, 6) // 5 of 8 MP are left: 15 of 24
	g.want("place dukw.1", "gone", "spent dukw-ashore-blue.1", "9", "load dukw-ashore-blue.1", 4,
		"points dukw-ashore-blue.1", 8, "place x-bn", "04.10", "mark x-bn landed", true)
	g.refused("OCS 18.5f", "afloat unit=dukw-ashore-blue.1") // rolls come after all sailing
	g.refused("OCS 18.5f", "sail lc.1 04.09")
	g.do("move dukw-ashore-blue.1 04.11")
	g.want("place dukw-ashore-blue.1", "04.11")
	g = landing(t).put("04.10", "dukw-ashore-blue/points_t=8,load_t=4 truck-blue/points_t=4").
		put("09.07", "dukw-ashore-blue/points_t=4").segment(SegMovement, Blue)
	spend = g.p.changed()
	spend.spend(g.unit("dukw-ashore-blue.1"), 6*oneMP)
	g.change(spend)
	g.refused("OCS 18.4e", "afloat unit=truck-blue.1")
	g.refused("OCS 18.4e", "afloat unit=dukw-ashore-blue.2") // inland
	g.do("afloat unit=dukw-ashore-blue.1")                   // 18 of 24 MP are left: 6 of 8
	g.want("spent bl-dukw.1", "2", "load bl-dukw.1", 4, "points bl-dukw.1", 8, "place dukw-ashore-blue.1", "gone")
	g.do("sail bl-dukw.1 03.10")
	g = landing(t).put("04.10", "dukw/points_t=8 dukw-ashore-blue/points_t=4").segment(SegReactionMove, Red)
	g.refused("OCS 18.5d", "ashore unit=dukw.1")
	g.refused("OCS 18.4e", "afloat unit=dukw-ashore-blue.1")
	g.do("sail dukw.1 03.10") // as landing craft it moves in all three phases
	g = landing(t).put("04.10", "dukw-ashore-blue/points_t=4").put("05.10", "y-1").segment(SegMovement, Red)
	g.do("move y-1 04.10", 6) // as a truck: three quarters are captured
	if !strings.Contains(g.fact("at 04.10").(string), "truck-red") {
		t.Errorf("in the hex: %v", g.fact("at 04.10"))
	}
}

// special lets a special rule hold.
func (g *table) special(id, seat string) *table {
	g.sc.Doc.Special = append(g.sc.Doc.Special, &ocsv1.SpecialRule{Id: id, Seat: seat})
	return g
}

// Warships carry leg units where the game lets them, and land them from the next hex; then they do not bombard (Crimea
// 8.3).
func TestWarshipLift(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4a", "OCS 18.5")
	g := landing(t).put("05.07", "w-1 x-1 x-tk x-2").dump("05.07", Blue, 4).segment(SegMovement, Blue)
	g.refused("OCS 18.4a", "embark x-1 unit=w-1")
	g.special("warship-lift", "")
	g.refused("OCS 18.4", "embark x-tk unit=w-1")
	g.refused("OCS 18.4", "embark unit=w-1 tokens=1")
	g.do("embark x-1 unit=w-1")
	g.refused("OCS 18.4a", "embark x-2 unit=w-1")
	g.do("disembark x-1 unit=w-1")
	g.want("place x-1", "05.07")
	g = landing(t).special("warship-lift", "").hex("04.10", "owner=red").put("03.10", "w-1").put("09.02", "x-1").
		aboard("w-1", "x-1").segment(SegMovement, Blue)
	// with the support of the ship itself 4: mixed, and no points to lose
	g.do("land at=04.10 lines=[unit=x-1;count=1]", 2, 1)
	g.want("place x-1", "04.10", "place w-1", "03.10", "lost w-1", 0, "mark w-1 landed-troops", true)
	g.put("05.11", "y-1").segment(SegAirNaval, Blue)
	g.refused("OCS 18.3a", "naval-barrage w-1 05.11")
}

// A rough sea costs a landing 1 and landing craft half of their MP (Crimea 8.4); boats load leg units on their own
// coast where a scenario says so.
func TestRoughSea(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f", "OCS 18.4c")
	g := offBeach(t, "x-1")
	g.p.rough = true
	at, units := g.place("04.10"), []Unit{g.unit("x-1")}
	if n := g.p.landingModifier(Blue, at, units); n != 0 || g.p.sailingMA(g.unit("lc.1")) != 10*oneMP {
		t.Errorf("modifier %d without the rule", n)
	}
	g.special("rough-sea", "")
	if n := g.p.landingModifier(Blue, at, units); n != -1 || g.p.sailingMA(g.unit("lc.1")) != 5*oneMP {
		t.Errorf("modifier %d, MP %s", n, formatCost(g.p.sailingMA(g.unit("lc.1"))))
	}
	if got := g.put("03.03", "w-1").p.sailingMA(g.unit("w-1")); got != 20*oneMP {
		t.Errorf("a cruiser has %s", formatCost(got))
	}
	g = landing(t).put("04.10", "lc/points_t=4 x-1 x-tk").segment(SegMovement, Blue)
	g.refused("OCS 18.4c", "embark x-1 unit=lc.1")
	g.special("assault-boats", "blue")
	g.refused("OCS 18.4c", "embark x-1 unit=lc.1") // the craft has not arrived in this turn
	c := g.p.changed()
	c.mark(g.unit("lc.1"), ocsv1.UnitMark_UNIT_MARK_ARRIVED)
	g.change(c)
	g.refused("OCS 18.4c", "embark x-tk unit=lc.1")
	moved := g.clone()
	moved.do("sail lc.1 03.10")
	moved.do("sail lc.1 04.10")
	moved.refused("OCS 18.4c", "embark x-1 unit=lc.1") // not at once
	later := g.clone().segment(SegExploitMove, Blue)
	later.refused("OCS 18.4c", "embark x-1 unit=lc.1")
	g.do("embark x-1 unit=lc.1")
	g.want("place x-1", "aboard")
}

// At Sevastopol the German landing craft arrive in any coastal hex that the Axis hold, and load there at once.
func TestAssaultBoats(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.6a", "OCS 18.4c")
	g := begun(t, "crimea-sevastopol").inTurn(8).segment(SegReinforcement, Blue)
	for range 20 { // what comes before: units, supply and replacements, with the dice that they need
		next := "waive"
		if g.fact("asks") == "arrive" {
			next = g.lists("arrive")[0]
		} else if g.fact("asks") == "place-ship" {
			break
		}
		for n := range 4 {
			if _, err := g.try(g.asked(), next, slices.Repeat([]uint32{3}, n)...); err == nil {
				break
			}
		}
	}
	g.want("asks", "place-ship", "place ge-lc.1", "waiting")
	listed := g.lists("place-ship")
	for _, at := range []string{"place-ship unit=ge-lc.1 at=15.08", "place-ship unit=ge-lc.1 at=16.03"} {
		if !slices.Contains(listed, at) {
			t.Errorf("%s is not listed: %v", at, listed)
		}
	}
	for _, c := range listed {
		at := g.place(c[len(c)-len("00.00"):])
		if !g.sc.Hexes[at].Coastal || g.p.cell(at).owner != Blue {
			t.Errorf("%s: no coast of the Axis", c)
		}
	}
	g.refused("OCS 13.6a", "place-ship ge-lc.1 14.05") // the enemy's
	g.refused("OCS 13.6a", "place-ship ge-lc.1 17.07") // inland
	if got := begun(t, "crimea-campaign"); got.p.assaultBoats(Blue) || got.p.assaultBoats(Red) ||
		g.p.assaultBoats(Red) {
		t.Error("the rule holds for others")
	}
}
