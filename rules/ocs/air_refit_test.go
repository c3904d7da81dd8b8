package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// idle are air units of cases of refit.
var idle = []string{"b-1 blue fighter 4/3 2/1 22", "b-2 blue tactical (1)/(0) 18/9 24",
	"b-3 blue tactical (1)/(0) 18/9 24", "b-4 blue tactical (1)/(0) 18/9 24",
	"b-5 blue tactical (1)/(0) 18/9 24", "b-6 blue tactical (1)/(0) 18/9 24", "b-7 blue tactical (1)/(0) 18/9 24",
	"r-1 red fighter 4/3 2/1 22"}

// Air units and their base need no supply: without any the Supply Phase neither marks nor costs them anything (OCS
// 15.0d).
func TestAirUnitsNeedNoSupply(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 15.0d")
	g := inSkies(t, idle).put("18.01", "b-1 b-2/set=inactive").hex("18.01", "air_base=1").put("19.01", "bl-1-inf").
		segment(SegSupply, Blue)
	g.do("done")
	g.do("done", 1, 1) // the infantry beside them is out of supply, and checks attrition
	g.want("mark bl-1-inf out-of-supply", true)
	for _, u := range []string{"b-1", "b-2"} {
		g.want("mark "+u+" out-of-supply", false, "place "+u, "18.01", "lost "+u, 0)
	}
	g.want("base 18.01", 1)
}

// Refit: once in a phase, for one token, twice the level, not in an enemy ZOC, in any weather (OCS 15.1).
func TestRefit(t *testing.T) {
	t.Parallel()
	off := "/set=inactive"
	set := func(level string) *table {
		g := inSkies(t, idle, "x-inf blue regiment other infantry 4-4-3leg 3-3-8leg",
			"y-inf red regiment other infantry 4-4-3leg 3-3-8leg").
			put("05.05", "b-1"+off+" b-2"+off+",lost=1 b-3"+off).hex("05.05", "air_base="+level).dump("05.06", Blue, 3)
		g.p.flight = noFlight
		return g
	}
	rulestest.Proves(t, ruleset, "OCS 2.3-C", "OCS 14.1d", "OCS 15.0b-A", "OCS 15.1", "OCS 15.1-B", "OCS 12.9c")
	g := set("1").segment(SegRefit, Blue)
	g.want("asks", "refit")
	pay := " lines=[at=05.06;count=1]"
	g.refused("OCS 15.1-B", "refit b-1,b-2,b-3 05.05"+pay)
	g.refused("OCS 15.1-B", "refit b-1 05.05")
	g.refused("OCS 15.1-B", "refit b-1 05.05 lines=[at=05.06;count=2]")
	g.refused("OCS 15.1", "refit b-1 05.06"+pay)
	if got := g.lists("refit"); len(got) != 4 { // each alone, and the first two
		t.Errorf("it lists %v", got)
	}
	rulestest.Proves(t, ruleset, "OCS 14.1f", "OCS 15.1-D", "OCS 17.0d")
	g.do("refit b-1,b-2 05.05" + pay)
	g.want("mark b-1 inactive", false, "mark b-2 inactive", false, "lost b-2", 1, "mark b-3 inactive", true,
		"ground 05.06 blue", 2, "hexmark 05.05 refitted", true)
	rulestest.Proves(t, ruleset, "OCS 15.1-A")
	g.refused("OCS 15.1-A", "refit b-3 05.05"+pay)
	g.refused("OCS 15.1", "refit b-1 05.05"+pay)
	g.segment(SegRefit, Red).segment(SegRefit, Blue)
	g.do("refit b-3 05.05" + pay)

	rulestest.Proves(t, ruleset, "OCS 15.2-A")
	g = set("9").segment(SegRefit, Blue)
	g.refused("OCS 15.1-B", "refit b-1,b-2 05.05"+pay)
	g.do("refit b-1 05.05" + pay)

	rulestest.Proves(t, ruleset, "OCS 4.5a-H", "OCS 15.1-C")
	g = set("1").put("05.04", "y-inf").segment(SegRefit, Blue)
	g.refused("OCS 15.1-C", "refit b-1 05.05 lines=[at=05.06;count=1]")
	if got := g.lists("refit"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
	for _, mode := range [...]string{"move", "strat", "dg"} { // a unit in any mode negates the ZOC (EX-4.5b-1)
		g = set("1").put("05.04", "y-inf").put("05.05", "x-inf/"+mode).dump("05.05", Blue, 1).segment(SegRefit, Blue)
		g.do("refit b-1 05.05 lines=[at=05.05;count=1]")
	}

	rulestest.Proves(t, ruleset, "OCS 15.0b-D")
	g = set("1").put("05.05", "b-4 b-5 b-6 b-7").segment(SegRefit, Blue) // 4 of 5 are active
	g.refused("OCS 15.0b-D", "refit b-1,b-2 05.05"+pay)
	g.do("refit b-1 05.05" + pay)
}

// Without air units the phase is left out.
func TestNoRefitOnLand(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-C", "OCS 2.3-E")
	for _, c := range []struct {
		scenario string
		want     bool
	}{{"crimea-ishun", true}, {"proving-skies", false}} {
		p := newPosition(shipped(t, c.scenario), options{})
		for _, s := range []Segment{SegRefit, SegAirNaval} {
			if got := p.leftOut(s); got != c.want {
				t.Errorf("%s: segment %d left out: %v", c.scenario, s, got)
			}
		}
	}
}

// All air units begin active, at air bases with room (OCS Intro-IV-F).
func TestAirSetUp(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-IV-F", "OCS Intro-II-f", "OCS 14.1")
	g := begun(t, "proving-skies")
	for seat := range numSeats {
		for u := range g.p.aloft(seat) {
			if !g.p.active(u) {
				t.Errorf("%s begins inactive", g.p.id(u))
			}
		}
	}
	g.want("place bl-f1", "07.07", "place bl-tow", "blue-base", "lost bl-f1", 0)
	if s := &g.p.units[g.unit("bl-7-para")]; g.p.sc.PlaceID(s.plan) != "13.12" || s.due != 2 {
		t.Errorf("planned for %s in turn %d", g.p.sc.PlaceID(s.plan), s.due)
	}
	if f := g.p.plane(g.unit("bl-tt1")); f.Rating != 1 || !f.Bracketed || f.Barrage != 10 || f.Range != 70 ||
		f.Capacity != oneToken/2 || !g.p.is(g.unit("bl-tt1"), tactical) ||
		!g.p.is(g.unit("bl-tt1"), hauler) {
		t.Errorf("numbers %+v", f)
	}
	for _, c := range []struct {
		path   string
		change func(*ocsv1.Scenario)
	}{
		{"setup[2].air", func(d *ocsv1.Scenario) { d.Setup[2].Air = []string{"bl-cvf"}; d.Setup[2].AirBase = 0 }},
		{"setup[2].air", func(d *ocsv1.Scenario) {
			d.Setup[2].Air = []string{"bl-cvf", "bl-cvt", "bl-tb1", "bl-f1", "bl-s1"}
			d.Setup[0].Air = nil
		}},
		{"setup[2].air", func(d *ocsv1.Scenario) { d.Setup[2].Air = []string{"bl-f1"} }},
		{"counters.air[0].types", func(d *ocsv1.Scenario) { d.Counters.Air[0].Types = nil }},
		{"counters.air[0].reduced", func(d *ocsv1.Scenario) { d.Counters.Air[0].Reduced = nil }},
		{"counters.air[0].full.capacity", func(d *ocsv1.Scenario) { d.Counters.Air[0].Full.Capacity = "1" }},
		{"counters.air[3].full.capacity", func(d *ocsv1.Scenario) { d.Counters.Air[3].Full.Capacity = "much" }},
		{"counters.air[6].carrier", func(d *ocsv1.Scenario) { d.Counters.Air[6].Carrier = "bl-bb" }},
		{"counters.ships[0].full", func(d *ocsv1.Scenario) { d.Counters.Ships[0].Full = nil }},
		{"charts.air", func(d *ocsv1.Scenario) { d.Charts.Air.Losses = nil }},
		{"sides[0].hip_shoot", func(d *ocsv1.Scenario) { d.Sides[0].HipShoot = []string{"xx"} }},
		{"sides[0].drop_plans[0].unit", func(d *ocsv1.Scenario) { d.Sides[0].DropPlans[0].Unit = "rd-1-inf" }},
		{"map.boxes[0].air_base", func(d *ocsv1.Scenario) { d.Map.Boxes[0].AirBase = 4 }},
	} {
		doc := document(t, "proving-skies")
		c.change(doc)
		_, faults := loadMessage(doc)
		found := false
		for _, f := range faults {
			found = found || f.Path == c.path
		}
		if !found {
			t.Errorf("no fault at %s: %v", c.path, faults)
		}
	}
}

// New air units come active to any friendly air base with room (OCS 2.3-D, OCS 14.2a).
func TestAirArrivals(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-D", "OCS 14.2a")
	g := begun(t, "proving-skies").inTurn(2).segment(SegReinforcement, Blue)
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	g.want("asks", "place-air", "place bl-tb1", "waiting")
	g.refused("OCS 2.3-D", "place-air bl-f1 07.07")
	g.refused("OCS 2.3-D", "place-air bl-tb1 17.09")
	lost := g.clone().dead("bl-f1") // neither on the map nor arriving
	if r := lost.refused("OCS 2.3-D", "place-air bl-f1 08.09"); r.Text.Key != "refuse.not-arriving" {
		t.Errorf("a lost unit: %v", r)
	}
	g.do("place-air bl-tb1 08.09")
	g.want("place bl-tb1", "08.09", "mark bl-tb1 inactive", false, "asks", "reinforce")
}

// An air base that an attack-capable unit enters is captured; its air units roll, escape within twice their range and
// are inactive (OCS 9.14f).
func TestCapturedAirBase(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.14f", "OCS 15.0")
	counters := []string{"y-mc red battalion other motorcycle 2-4-14truck 1-4-20truck"}
	set := func() *table {
		return inSkies(t, idle, counters...).put("05.05", "b-1 b-2/set=inactive b-3/lost=1").hex("05.05", "air_base=2").
			hex("05.07", "air_base=1 owner=blue").
			hex("09.10", "air_base=9 owner=blue").put("06.05", "y-mc/fuel=phase").segment(SegMovement, Red)
	}
	g := set()
	g.put("06.05", "y-mc/fuel=phase")
	out := g.do("move y-mc 05.05", 2, 2, 4, 3, 3, 3) // 4 and 2 for the active one: a loss; 7: none; 6 and 2
	if f := told[*ocsv1.Event_AirBaseTaken](t, out).AirBaseTaken; f.Unit != "b-3" || f.Modifier != 2 || f.Loss {
		t.Errorf("rolled %v", f)
	}
	g.want("asks", "fly-back", "lost b-1", 1, "lost b-2", 0, "owner 05.05", "red", "base 05.05", 2)
	g.refusedTo(Blue, "OCS 14.1c", "fly-back b-1 05.05") // they may not stay
	g.as(Blue, "fly-back b-1 05.07")
	g.as(Blue, "fly-back b-2 09.10")
	g.as(Blue, "fly-back b-3 09.10")
	g.want("place b-1", "05.07", "mark b-1 inactive", true, "place b-2", "09.10", "mark b-2 inactive", true,
		"mark b-3 inactive", true, "asks", "move", "frame", "")

	g = set()
	c := g.p.changed()
	for _, at := range []string{"05.07", "09.10"} {
		c.own(g.place(at), Red)
	}
	for i := range g.sc.Boxes {
		g.sc.Boxes[i].Flown = false
	}
	g.change(c)
	g.put("06.05", "y-mc/fuel=phase")
	g.do("move y-mc 05.05", 6, 6, 6, 6, 6, 6)
	g.want("place b-1", "dead", "place b-2", "dead", "place b-3", "dead") // no air base in reach

	// After an advance air units escape more easily.
	g = set()
	f := newFrame[combat](Red, Nowhere)
	c = g.p.changed()
	c.push(f)
	g.change(c)
	do := staged{do: func(x *exec) { g.p.captureBase(x, Red, g.place("05.05")) }}
	if err := rules.Play(do, g.p, Red, only(KindEnd), nil, new(rules.Outcome)); err != nil {
		t.Fatal(err)
	}
	if f := inner[*airReturn](g.p); !f.advance {
		t.Errorf("the frame does not know of the advance: %+v", f)
	}
}
