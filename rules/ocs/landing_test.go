package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// offBeach is a stack of landing craft of 24 T in the coastal hex 04.10, with units aboard.
func offBeach(t testing.TB, units ...string) *table {
	t.Helper()
	return landing(t).hex("04.10", "owner=red").put("04.08", "lc/points_t=24").shift("lc.1", "04.10").
		put("09.02", "x-1 x-2 x-3 x-div x-bn x-tk x-big x-hq pax-blue").aboard("lc.1", units...)
}

// shift puts a piece elsewhere without anything else.
func (g *table) shift(id, at string) *table {
	g.t.Helper()
	c := g.p.changed()
	c.move(g.unit(id), g.place(at))
	return g.change(c)
}

// Units land from craft that end their move in a coastal hex, in the Movement Phase, in Combat or Move mode; never
// supply or transports (OCS 18.5).
func TestLand(t *testing.T) {
	t.Parallel()
	g := offBeach(t, "x-1", "x-tk/move").put("04.08", "lc/points_t=4 truck-blue/points_t=4").
		put("04.09", "lc/points_t=8").shift("lc.3", "04.10").
		aboard("lc.2", "x-2", "truck-blue.1").aboard("lc.3", "x-3").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 18.5", "OCS 18.5a", "OCS 18.5e")
	g.refused("OCS 18.5a", "land at=04.10 lines=[unit=x-2;count=1]") // its craft is at sea
	g.refused("OCS 18.5e", "land at=04.10 lines=[unit=truck-blue.1;count=1]")
	g.refused("OCS 18.5", "land at=04.10 lines=[unit=x-div;count=1]")
	g.refused("OCS 18.5", "land at=10.08 lines=[unit=x-1;count=1]")
	if got := g.lists("land"); !slices.Contains(got,
		"land at=04.10 lines=[unit=x-1;count=1],[unit=x-3;count=1],[unit=x-tk;count=1]") ||
		!slices.Contains(got, "land at=04.10 lines=[unit=x-tk;count=1]") {
		t.Errorf("it lists %v", got)
	}
	rulestest.Proves(t, ruleset, "OCS 18.5b", "OCS 18.5h", "OCS 5.5d", "OCS 5.6c")
	// open needs 5; two craft at once
	out := g.do("land at=04.10 lines=[unit=x-1;count=1],[unit=x-3;count=1],[unit=x-tk;count=1]", 6, 3)
	if got := g.told(out); !strings.Contains(got, "lands at 04.10: 9 = 9: all land") {
		t.Errorf("told %q", got)
	}
	g.want("place x-1", "04.10", "place x-tk", "04.10", "owner 04.10", "blue", "fuel x-tk", "lasting",
		"mark lc.1 done", true, "points lc.1", 24, "mark x-1 landed", true)
	if got := g.p.allowance(g.unit("x-tk")); got != 6*oneMP { // half of 12
		t.Errorf("allowance %s", formatCost(got))
	}
	g.refused("OCS 18.5f", "sail lc.2 04.07") // rolls come after all sailing
	g.refused("OCS 18.5a", "sail lc.1 04.09")
	if got := g.lists("sail"); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "lc.") }) {
		t.Errorf("it lists %v", got)
	}
	g.refused("OCS 18.5f-C", "land at=04.10 lines=[unit=x-2;count=1]") // one landing for a hex
	g.do("move x-tk 05.10")
	g.do("end")
	g.want("register blue landing", 0)
	rulestest.Proves(t, ruleset, "OCS 18.5d")
	g = offBeach(t, "x-1/move").segment(SegReactionMove, Red)
	g.refused("OCS 18.5d", "land at=04.10 lines=[unit=x-1;count=1]")
	rulestest.Proves(t, ruleset, "OCS 18.5c")
	g = offBeach(t, "x-1").segment(SegMovement, Blue)
	c := g.p.changed()
	c.unit(g.unit("x-1")).Marker = ocsv1.Marker_MARKER_DG
	g.change(c).refused("OCS 18.5c", "land at=04.10 lines=[unit=x-1;count=1]")
	offBeach(t, "x-1").put("04.10", "y-1").segment(SegMovement, Blue).refused("OCS 18.5a",
		"land at=04.10 lines=[unit=x-1;count=1]")
}

// One roll covers 3 REs, in as few rolls as can be; a larger unit lands alone (OCS 18.5f-C).
func TestLandingGroups(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f", "OCS 18.5f-C", "OCS 18.5f-D")
	g := offBeach(t, "x-1", "x-2", "x-3", "x-bn", "x-tk").segment(SegMovement, Blue) // 4 RE
	const all = "land at=04.10 lines="
	g.refused("OCS 18.5f-C",
		all+"[unit=x-1;count=1],[unit=x-2;count=1],[unit=x-3;count=1],[unit=x-bn;count=1],[unit=x-tk;count=2]")
	g.refused("OCS 18.5f-C",
		all+"[unit=x-1;count=1],[unit=x-2;count=2],[unit=x-3;count=3],[unit=x-bn;count=1],[unit=x-tk;count=2]")
	g.do(all+"[unit=x-1;count=1],[unit=x-2;count=1],[unit=x-3;count=2],[unit=x-bn;count=2],[unit=x-tk;count=2]",
		6, 6, 6, 5)
	g.want("place x-tk", "04.10", "register blue landing", 1)
	g = offBeach(t, "x-big").segment(SegMovement, Blue)
	g.do("land at=04.10 lines=[unit=x-big;count=1]", 6, 6) // 4 RE
	g.want("place x-big", "04.10")
	g = offBeach(t, "x-1").put("04.08", "lc/points_t=4").shift("lc.2", "04.13").aboard("lc.2", "x-2").
		segment(SegMovement, Blue)
	g.do("land at=04.10 lines=[unit=x-1;count=1]", 6, 6)
	g.do("move x-1 05.10")
	g.refused("OCS 18.5f-D", "land at=04.13 lines=[unit=x-2;count=1]")
	if got := g.lists("land"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
	// 1 + 1 + 1/2 + 1/2, 1, 3
	if got := len(
		g.p.pack([]Unit{g.unit("x-1"), g.unit("x-2"), g.unit("x-bn"), g.unit("x-tk"), g.unit("x-3"), g.unit("x-div")}),
	); got != 3 {
		t.Errorf("%d groups", got)
	}
}

// The table: a row for the worst terrain, modifiers, and losses of craft, cargo and units at random (OCS 18.5f).
func TestLandingTable(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f", "OCS 18.5f-A", "OCS 18.5f-B", "OCS 18.5g")
	g := landing(t)
	// order-free: each is its own case
	for at, want := range map[string]string{"04.10": "open", "05.09": "marsh", "05.07": "port", "05.12": "port"} {
		if got := g.p.landingRow(Blue, g.place(at)).GetId(); got != want {
			t.Errorf("%s: row %s, want %s", at, got, want)
		}
	}
	if got := g.p.landingRow(Red, g.place("05.07")).GetId(); got != "minor_city" { // worse than open
		t.Errorf("row %s", got)
	}
	for _, c := range []struct {
		name  string
		put   func(g *table)
		units []string
		want  int
	}{
		{"none", func(*table) {}, []string{"x-1"}, 0},
		{"marines", func(*table) {}, []string{"x-3"}, 1},
		{"some marines", func(*table) {}, []string{"x-1", "x-3"}, 0},
		{"warship", func(g *table) { g.put("02.09", "w-1") }, []string{"x-1"}, 1},
		{"warship without guns", func(g *table) { g.put("02.09", "w-0") }, []string{"x-1"}, 0},
		{"warship too far", func(g *table) { g.put("01.03", "w-1") }, []string{"x-1"}, 0},
		{"enemy next to it", func(g *table) { g.put("05.10", "y-1/move") }, []string{"x-1"}, -2},
		{"enemy with a ZOC", func(g *table) { g.put("05.10", "y-1") }, []string{"x-1"}, -3},
		{"enemy DG", func(g *table) { g.put("05.10", "y-1/dg") }, []string{"x-1"}, -1},
		{"both", func(g *table) { g.put("05.10", "y-1/dg y-2/move") }, []string{"x-1"}, -2},
		{"battery", func(g *table) { g.put("07.11", "y-cb") }, []string{"x-1"}, -1},
		{"battery in Strat mode", func(g *table) { g.put("07.11", "y-cb/strat") }, []string{"x-1"}, 0},
		{"battery in Reserve", func(g *table) { g.put("07.11", "y-cb/reserve") }, []string{"x-1"}, 0},
		{"battery too far", func(g *table) { g.put("08.11", "y-cb") }, []string{"x-1"}, 0},
	} {
		g := offBeach(t, c.units...)
		c.put(g)
		var units []Unit
		for _, id := range c.units {
			units = append(units, g.unit(id))
		}
		if got := g.p.landingModifier(Blue, g.place("04.10"), units); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	g = offBeach(t, "x-1", "x-2").segment(SegMovement, Blue)
	// 3 is mixed: 8 T came, 4 T of craft are lost
	g.do("land at=04.10 lines=[unit=x-1;count=1],[unit=x-2;count=1]", 2, 1, 1)
	g.want("points lc.1", 20, "place x-1", "04.10", "place x-2", "04.10")
	g = offBeach(t, "x-1", "x-2").segment(SegMovement, Blue)
	// 2 fails: a step of two is lost too, drawn: the second
	g.do("land at=04.10 lines=[unit=x-1;count=1],[unit=x-2;count=1]", 1, 1, 2, 1)
	g.want("points lc.1", 20, "place x-1", "04.10", "place x-2", "dead")
	g = offBeach(t, "x-div").segment(SegMovement, Blue)
	g.do("land at=04.10 lines=[unit=x-div;count=1]", 1, 1, 1, 1, 1, 1) // 3 steps: 2 are lost
	g.want("points lc.1", 18, "place x-div", "04.10", "lost x-div", 2)
	g = offBeach(t, "x-div").segment(SegMovement, Blue)
	g.shift("x-div", "09.02").aboard("lc.1", "x-div", "x-1", "x-2", "x-3") // all of 24 T
	g.do("land at=04.10 lines=[unit=x-div;count=1]", 2, 2, 1, 1)           // mixed: 6 T of craft, so that 12 T have 18
	g.want("points lc.1", 18, "place x-1", "aboard", "place x-2", "aboard", "place x-3", "aboard")
}

// Landing where enemy transports or supply are takes them; who can't attack does not land there (OCS 18.5h-ii).
func TestLandingCaptures(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5h-ii", "OCS 9.14g", "OCS 18.5h")
	g := offBeach(t, "x-1", "x-hq/move").dump("04.10", Red, 8).segment(SegMovement, Blue)
	g.refused("OCS 18.5h-ii", "land at=04.10 lines=[unit=x-hq;count=1]")
	g.do("land at=04.10 lines=[unit=x-1;count=1]", 6, 6, 6) // die 6 of the dump column
	g.want("ground 04.10 blue", 6, "ground 04.10 red", 0)
	g = offBeach(t, "x-hq/move").hex("04.10", "owner=blue").put("05.10", "bl-1-inf").segment(SegMovement, Blue)
	g.do("land at=04.10 lines=[unit=x-hq;count=1]", 6, 6)
	g.want("fuel x-hq", "lasting")
	if g.p.giver(g.unit("bl-1-inf")) != NoUnit { // its own fuel only
		t.Error("the HQ gives fuel")
	}
	g = landing(t).put("04.10", "x-1 lc/points_t=8 dukw/points_t=4").aboard("lc.1", "x-1").put("05.10", "y-1").
		segment(SegMovement, Red)
	g.do("move y-1 04.10")
	g.want("place lc.1", "gone", "place dukw.1", "gone", "place x-1", "dead", "owner 04.10", "red")
}

// What is aboard and what lands is told to nobody else; dice and losses are (OCS 4.9c).
func TestLandingIsHidden(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a", "OCS 4.9c")
	g := offBeach(t, "x-1").segment(SegMovement, Blue)
	out := g.do("land at=04.10 lines=[unit=x-1;count=1]", 2, 1, 1)
	seen := 0
	for _, e := range out.Events {
		switch e.Event.(*event).GetFact().(type) {
		case *ocsv1.Event_LandingRolled:
			if !rules.SeatViewer(Red).MaySee(e.Audience) {
				t.Error("the roll is hidden")
			}
			seen++
		case *ocsv1.Event_UnitsLanded:
			if rules.SeatViewer(Red).MaySee(e.Audience) {
				t.Errorf("red sees %v", e.Event)
			}
			seen++
		}
	}
	if seen != 2 {
		t.Errorf("%d facts", seen)
	}
}
