package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// gliding is a game with three glider points and a bomber that may tow them, where cargo is loaded.
func gliding(t *testing.T, s Segment, phasing rules.Seat) *table {
	t.Helper()
	planes := append([]string{"b-g1 blue glider - - -", "b-g2 blue glider - - -", "b-g3 blue glider - - -",
		"b-b blue strategic (2)/(1) 20/10 24"},
		haulers...)
	g := inSkies(t, planes, airborne...).
		put("05.05", "b-tp b-tp2 b-tow b-b b-f b-g1 b-g2 b-g3 x-inf/move x-abn/move x-mot/move pax-blue eq-blue").
		hex("05.05", "air_base=3").dump("05.05", Blue, 20).hex("11.05", "owner=blue air_base=1").inTurn(2)
	for i := range g.sc.Boxes {
		g.sc.Boxes[i].Flown = false
	}
	return g.segment(s, phasing)
}

// Gliders fly under tow only: by an air unit with both steps, out of its hex, one, or two within half the range (OCS
// 14.10e-B, OCS 14.10e-C).
func TestTowing(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10e", "OCS 14.10e-B", "OCS 14.10e-C")
	g := gliding(t, SegMovement, Blue)
	g.refused("OCS 14.10e-B", "transfer b-g1 11.05")
	g.refused("OCS 14.10e-B", "airlift b-tp,b-g1 11.05 lines=[count=1;by=b-tp]")
	g.refused("OCS 14.1-4", "airlift b-tp 11.05 lines=[count=1;by=b-g1]") // nobody tows it
	g.refused("OCS 14.1-4", "airlift b-b 11.05 lines=[count=1;by=b-b]")
	g.refused("OCS 14.10f", "airlift b-tow 11.05 lines=[unit=b-g1;by=b-tow],[count=1;by=b-g1]")
	g.refused("OCS 14.10e-C", "airlift b-b 11.05 lines=[unit=b-g1;by=b-b],[count=3;by=b-g1]")
	// all is in the glider
	g.refused("OCS 14.9a", "airlift b-tp 11.05 lines=[unit=b-g1;by=b-tp],[count=1;by=b-g1],[count=1;by=b-tp]")
	g.refused("OCS 14.10e-C",
		"airlift b-b 11.05 lines=[unit=b-g1;by=b-b],[unit=b-g2;by=b-b],[count=2;by=b-g1],[count=2;by=b-g2]")
	g.refused("OCS 14.10e-C", "airlift b-b 11.05 "+
		"lines=[unit=b-g1;by=b-b;flight=short],[unit=b-g2;by=b-b;flight=short],[unit=b-g3;by=b-b;flight=short]")
	g.refused("OCS 14.9a", "airlift b-tp 11.05 "+
		"lines=[unit=b-g1;by=b-tp;flight=short],[count=2;by=b-g1;flight=short],[count=3;by=b-tp;flight=short]")
	g.refused("OCS 14.9c", "airlift b-b 11.05 lines=[unit=b-g1;by=b-b],[unit=x-mot;by=b-g1]")
	g.refused("OCS 14.9e", "airlift b-b 11.05 lines=[unit=b-g1;by=b-b;flight=short],[count=2;by=b-g1]")
	g.put("11.05", "b-g3")
	g.refused("OCS 14.10e-B", "airlift b-b 11.05 lines=[unit=b-g3;by=b-b],[count=1;by=b-g3]")
	for _, kind := range []string{"airlift", "airdrop"} { // out of its hex
		if _, err := g.try(Blue, kind+" b-b 05.05 lines=[unit=b-g1;by=b-b],[count=1;by=b-g1]"); err == nil {
			t.Errorf("an %s leads nowhere", kind)
		}
	}
	g.put("05.05", "b-b/lost=1")
	g.refused("OCS 14.10e-C", "airlift b-b 11.05 lines=[unit=b-g1;by=b-b],[count=1;by=b-g1]")
	if got := g.lists("airlift"); slices.ContainsFunc(got, func(c string) bool {
		return strings.Contains(c, "b-b ") || strings.Contains(c, "b-g") && strings.Contains(c, " 05.05")
	}) || !slices.ContainsFunc(got, func(c string) bool { return strings.Contains(c, "unit=b-g1;by=b-tp") }) {
		t.Errorf("it lists %v", got)
	}
	// gliders count for no stacking, and neither fight nor can be inactive
	if n := len(g.p.activeIn(Blue, g.place("05.05"), true)); n != 5 {
		t.Errorf("%d active air units", n)
	}
}

// A glider that lands at an air base is used, and what it brings does not count there (OCS 14.10e-D); so does a plain
// carrier of half the range (OCS 14.10e-C).
func TestGliderTransport(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10e-A", "OCS 14.10e-C", "OCS 14.10e-D", "OCS 14.9f")
	g := gliding(t, SegMovement, Blue)
	g.do("airlift b-tp 11.05 " +
		"lines=[unit=b-g1;by=b-tp;flight=short],[count=2;by=b-g1;flight=short],[count=2;by=b-tp;flight=short]")
	g.want("asks", "fly-back", "ground 11.05 blue", 4, "place b-g1", "dead", "place b-tp", "11.05")
	g.do("fly-back b-tp 05.05")
	g.do("airlift b-b 11.05 " +
		"lines=[unit=b-g2;by=b-b;flight=short],[unit=b-g3;by=b-b;flight=short]," +
		"[count=2;by=b-g2;flight=short],[count=1;by=b-g3;flight=short]")
	g.do("fly-back b-b 05.05")
	g.want("ground 11.05 blue", 7, "ground 05.05 blue", 13, "place b-g2", "dead", "place b-g3", "dead")
	g.refused("OCS 14.9f", "airlift b-tp2 11.05 lines=[count=1;by=b-tp2]") // the 2 T of the carrier fill the air base
}

// Landings by glider need a plan but no parachutes, and have better odds (OCS 14.10a, OCS 14.10b, OCS 14.10e-E).
func TestGliderLanding(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10e-E", "OCS 14.10a", "OCS 14.10b", "OCS 14.10e-A")
	planned := func() *table {
		g := gliding(t, SegMovement, Blue)
		c := g.p.changed()
		id, turn := "12.06", uint32(2)
		c.unit(g.unit("x-inf")).Plan, c.unit(g.unit("x-inf")).PlanTurn = &id, &turn
		g.change(c)
		return g
	}
	g := planned()
	g.refused("OCS 14.10b", "airdrop b-b 12.06 lines=[unit=b-g1;by=b-b],[unit=x-abn;by=b-g1]")
	g.refused("OCS 14.10a", "airdrop b-tp 12.06 lines=[unit=x-inf;by=b-tp]")
	// 6 and more
	out := g.do("airdrop b-b,b-tp2 12.06 lines=[unit=b-g1;by=b-b],[unit=x-inf;by=b-g1],[count=1;by=b-tp2]", 2, 3, 2, 3)
	want := map[string]int32{"x-inf": 1, "": 0}
	for _, e := range out.Events {
		if f, ok := e.Event.(*event).GetFact().(*ocsv1.Event_DropRolled); ok &&
			f.DropRolled.Modifier != want[f.DropRolled.Unit] {
			t.Errorf("%q has modifier %d", f.DropRolled.Unit, f.DropRolled.Modifier)
		}
	}
	g.want("place x-inf", "12.06", "ground 12.06 blue", 0, "place b-g1", "dead")
	g = planned()
	g.do("airdrop b-b 12.06 lines=[unit=b-g1;by=b-b],[unit=x-inf;by=b-g1]", 2, 2)
	g.want("place x-inf", "dead", "place b-g1", "dead")
	g = gliding(t, SegRefit, Blue)
	for _, gliders := range []string{"05.05", "11.05"} { // without gliders only those with parachutes are listed
		g := gliding(t, SegRefit, Blue).put(gliders, "b-g1 b-g2 b-g3")
		g.p.sc.Flies = true
		if got := len(g.lists("plan-drop")); got == 0 {
			t.Error("it lists no plans")
		}
		for _, c := range g.lists("plan-drop") {
			if w := strings.Fields(c); w[1] != "unit=x-abn" && (w[1] != "unit=x-inf" || gliders != "05.05") {
				t.Fatalf("with gliders in %s it lists %s", gliders, c)
			}
		}
	}
	g.do("plan-drop x-inf 11.05 turn=4")
	g.refused("OCS 14.10a", "plan-drop x-mot 11.05 turn=4")
}

// Flak and fighters hit tugs only; a tug that lost a step and its gliders carry 1 T together, a destroyed one loses
// them (OCS 14.10e-F); one that aborts brings them back.
func TestTugLosses(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10e-F", "OCS 14.4g")
	set := func() *table {
		return gliding(t, SegMovement, Blue).put("15.05", "r-f").hex("15.05", "air_base=1")
	}
	two := "airlift b-b 11.05 " +
		"lines=[unit=b-g1;by=b-b;flight=short],[unit=b-g2;by=b-b;flight=short]," +
		"[count=2;by=b-g1;flight=short],[unit=x-inf;by=b-g2;flight=short]"
	g := set()
	g.do(two)
	g.want("place b-g1", "aboard", "place x-inf", "aboard", "load b-g1", 2)
	g.as(Red, "intercept", 6, 5)
	g.want("lost b-b", 1, "asks", "jettison")
	g.refused("OCS 14.4g", "jettison tokens=3")
	g.refused("OCS 14.4g", "jettison b-g1")
	g.do("jettison x-inf")
	g.want("asks", "jettison")
	g.do("jettison tokens=1")
	g.want("ground 11.05 blue", 1, "place x-inf", "dead", "place b-g1", "dead", "place b-g2", "dead")

	g = set()
	g.p.sc.Counters[g.unit("b-b")].Steps = 1 // shot down with all it tows
	g.do(two)
	g.as(Red, "intercept", 6, 5)
	g.want("place b-b", "dead", "place x-inf", "dead", "place b-g1", "dead", "place b-g2", "dead",
		"ground 11.05 blue", 0, "ground 05.05 blue", 18, "frame", "")

	g = set()
	g.do(two)
	g.as(Red, "intercept unit=r-f", 6, 6, 1) // it aborts
	g.want("place x-inf", "05.05", "place b-g1", "05.05", "place b-g2", "05.05", "ground 05.05 blue", 20,
		"load b-g1", 0, "frame", "")
}

// Two glider points come back for an Eq, without needing room; those of a captured air base are destroyed (OCS
// 14.10e-A, OCS 14.10e-B).
func TestGliderPoints(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10e-A", "OCS 14.10e-B", "OCS 14.10e", "OCS 9.14f")
	g := gliding(t, SegMovement, Blue)
	c := g.p.changed()
	for _, id := range []string{"b-g1", "b-g2", "b-g3"} {
		c.eliminate(g.unit(id))
	}
	g.put("05.05", "bl-corps").change(c).segment(SegReinforcement, Blue)
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	g.refused("OCS 13.5f", "restore-air eq-blue.1 lines=[unit=b-g1;count=2;at=05.05]")
	g.refused("OCS 13.5f", "restore-air eq-blue.1 "+
		"lines=[unit=b-g1;count=1;at=05.05],[unit=b-g2;count=1;at=05.05],[unit=b-g3;count=1;at=05.05]")
	g.do("restore-air eq-blue.1 lines=[unit=b-g1;count=1;at=05.05],[unit=b-g2;count=1;at=05.05]")
	g.want("place b-g1", "05.05", "place b-g2", "05.05", "place eq-blue.1", "gone")

	g = gliding(t, SegMovement, Blue)
	g.put("11.05", "b-g1").put("12.05", "y-inf/move")
	x := staged{do: func(x *exec) { g.p.captureBase(x, Red, g.place("11.05")) }}
	if err := rules.Play(x, g.p, Red, only(KindEnd), nil, new(rules.Outcome)); err != nil {
		t.Fatal(err)
	}
	g.want("place b-g1", "dead", "place b-g2", "05.05")
}

// A document says about a glider point only what it is.
func TestGliderDocument(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10e")
	doc := document(t, "proving-skies")
	doc.Counters.Air = append(doc.Counters.Air, &ocsv1.AirUnit{
		Id: "bl-glider", Name: &ocsv1.Words{En: "Glider"}, Seat: "blue", Nationality: "bl",
		Types: []ocsv1.AirType{ocsv1.AirType_AIR_TYPE_GLIDER, ocsv1.AirType_AIR_TYPE_TRANSPORT},
	})
	if _, faults := loadMessage(doc); !faults.Fatal() {
		t.Error("a glider that is a transport was read")
	}
}
