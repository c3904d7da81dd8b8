package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// bombers are air units of cases of missions.
var bombers = []string{"b-st blue tactical (1)/(0) 18/9 24", "b-h1 blue fighter 2/1 3/2 24",
	"b-h2 blue fighter 2/1 3/2 24", "b-bl blue tactical (1)/(0) 6/3 24",
	"b-s blue strategic (2)/(1) 30/15 90", "b-tb blue tactical (1)/(0) (9)/(4) 50", "b-5 blue tactical (1)/(0) 4/2 24",
	"b-tr blue transport (0)/(0) 0/0 30 cap=2,1",
	"b-c blue tactical+transport (1)/(0) 10/5 30 cap=1/2,0", "r-f red fighter 4/3 2/1 16",
	"r-f2 red fighter 4/3 2/1 16", "r-t red tactical (2)/(1) 10/5 20"}

// brigades are land units of cases of missions.
var brigades = []string{"y-tk red brigade armor armor 5-3-6track 3-3-12track",
	"y-tk2 red brigade armor armor 5-3-6track 3-3-12track",
	"y-tk3 red brigade armor armor 5-3-6track 3-3-12track",
	"y-hq red army other headquarters (5)-0-2truck/t10truck (1)-0-8truck/t5truck hq",
	"y-inf red regiment other infantry 4-4-3leg 3-3-8leg",
	"x-mc blue battalion other motorcycle 2-4-14truck 1-4-20truck",
	"x-inf blue regiment other infantry 4-4-3leg 3-3-8leg"}

// The first example of air barrage, number for number (EX-14-02).
func TestUnobservedAirBarrage(t *testing.T) {
	t.Parallel()
	g := inSkies(t, bombers, brigades...).put("05.05", "b-st").hex("05.05", "air_base=1").put("17.07", "y-tk").
		segment(SegAirNaval, Blue)
	rulestest.Proves(t, ruleset, "OCS 14.2e-iii", "OCS 14.2f", "OCS 14.2f-A", "OCS 14.2f-B")
	out := g.do("air-barrage b-st 17.07", 4, 4, 4, 6)
	rulestest.Proves(t, ruleset, "OCS 14.2f-E", "OCS 14.4", "OCS 14.4a", "OCS 14.4b", "OCS 14.4e")
	if f := told[*ocsv1.Event_FlakRolled](t, out).FlakRolled; f.Modifier != 0 || f.Roll != 8 || f.Hit {
		t.Errorf("flak %v", f)
	}
	rulestest.Proves(t, ruleset, "OCS 10.2", "OCS 14.1-2", "OCS 14.7", "OCS 14.7b")
	if f := barraged(t, out); f.Shift != -5 || f.Result != "DG" || f.Steps != 0 || f.Spotted {
		t.Errorf("resolved %v", f)
	}
	rulestest.Proves(t, ruleset, "OCS 10.2a", "OCS 10.2c", "OCS 14.0", "OCS 14.2f-F", "OCS 14.7a")
	g.want("mode y-tk", "dg", "place b-st", "05.05", "mark b-st inactive", true, "lost b-st", 0, "asks", "air-naval",
		"hexmark 17.07 barraged", true)
	g.put("05.05", "b-bl")
	g.refused("OCS 10.0e-A", "air-barrage b-bl 17.07") // once in a phase (EX-14-08)
	rulestest.Proves(t, ruleset, "OCS 14.1a")
	g.refused("OCS 14.1a", "air-barrage b-st 17.08")
}

// The second example of air barrage (EX-14-03): a spotter, an HQ among the targets, flak that hits.
func TestObservedAirBarrage(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.2", "OCS 14.7", "OCS 14.4e", "OCS 14.4f", "OCS 14.1b", "OCS 4.9c")
	g := inSkies(t, bombers, brigades...).put("05.05", "b-st").hex("05.05", "air_base=1").
		put("16.11", "y-tk y-tk2 y-tk3 y-hq").put("16.12", "x-mc").
		segment(SegAirNaval, Blue)
	out := g.do("air-barrage b-st 16.11", 5, 5, 5, 6, 4)
	if f := told[*ocsv1.Event_FlakRolled](t, out).FlakRolled; f.Modifier != 1 || !f.Hit {
		t.Errorf("flak %v", f)
	}
	if f := told[*ocsv1.Event_BarrageFired](t, out).BarrageFired; f.Strength != 9 { // it is told
		t.Errorf("fired %v", f)
	}
	if f := barraged(t, out); f.Shift != 1 || f.Result != "1/2" || f.Die != 4 || f.Steps != 1 || !f.Spotted {
		t.Errorf("resolved %v", f)
	}
	g.want("asks", "losses", "lost b-st", 1)
	g.do("lose lines=[unit=y-hq;count=1]")
	g.want("place y-hq", "dead", "mode y-tk", "dg", "place b-st", "05.05", "mark b-st inactive", true)
}

// A half in brackets is only DG from the air, whatever the spotter (EX-14-03, OCS 10.0a).
func TestBracketedHalfFromTheAir(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.2", "OCS 10.0a")
	g := inSkies(t, bombers, brigades...).put("05.05", "b-st").hex("05.05", "air_base=1").put("16.11", "y-tk y-tk2").
		put("16.12", "x-mc").segment(SegAirNaval, Blue)
	out := g.do("air-barrage b-st 16.11", 1, 1, 4, 5)
	if f := barraged(t, out); f.Result != "[1/2]" || f.Steps != 0 || f.Die != 0 || !f.Disorganised {
		t.Errorf("resolved %v", f)
	}
}

// The example of a mission of several air units, number for number (EX-14-06).
func TestCombinedMission(t *testing.T) {
	t.Parallel()
	g := inSkies(t, bombers, brigades...).put("05.05", "b-h1 b-h2 b-bl").hex("05.05", "air_base=1").
		put("16.11", "y-tk/reserve y-tk2/reserve y-tk3/reserve y-inf/reserve").
		put("20.11", "r-f").hex("20.11", "air_base=1").segment(SegAirNaval, Blue)
	rulestest.Proves(t, ruleset, "OCS 14.2", "OCS 14.2a", "OCS 14.2f")
	g.do("air-barrage b-h1,b-h2,b-bl 16.11")
	rulestest.Proves(t, ruleset, "OCS 14.2f-D", "OCS 14.4c", "OCS 14.5")
	g.want("asks", "intercept")
	if got := g.lists("intercept"); len(got) != 2 {
		t.Errorf("it lists %v", got)
	}
	out := g.as(Red, "intercept", 5, 5, 5, 6, 6, 5)
	rulestest.Proves(t, ruleset, "OCS 14.4e")
	if f := told[*ocsv1.Event_FlakRolled](t, out).FlakRolled; f.Modifier != 2 || f.Roll != 10 || !f.Hit {
		t.Errorf("flak %v", f)
	}
	rulestest.Proves(t, ruleset, "OCS 14.4f")
	if f := told[*ocsv1.Event_AirStepLost](t, out).AirStepLost; f.Unit != "b-bl" || f.Destroyed || f.Die != 5 {
		t.Errorf("lost %v", f)
	}
	if f := told[*ocsv1.Event_BarrageFired](t, out).BarrageFired; f.Strength != 9 {
		t.Errorf("fired %v", f)
	}
	if f := barraged(t, out); f.Shift != -2 || f.Result != "1/2" || f.Die != 5 || f.Steps != 1 {
		t.Errorf("resolved %v", f)
	}
	g.want("asks", "losses", "mode y-tk", "dg")
	g.do("lose lines=[unit=y-inf;count=1]")
	rulestest.Proves(t, ruleset, "OCS 10.2a")
	g.want("place b-h1", "05.05", "mark b-h1 inactive", true, "mark b-bl inactive", true, "place y-inf", "dead",
		"mark r-f inactive", false)
}

// Modifiers of flak (OCS 14.4e), each alone.
func TestFlakModifiers(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.4c", "OCS 14.4e", "OCS 15.0b-B", "OCS 15.2-F")
	for _, c := range []struct {
		name, units, extra string
		at                 string
		zone               bool
		want               int32
	}{
		{"nothing", "b-st", "", "16.11", false, 0},
		{"level 2", "b-st", "air_base=2", "16.11", false, 2},
		{"airstrip", "b-st", "air_base=9", "16.11", false, 0},
		{"printed", "b-st", "", "12.08", false, 1},
		{"zone, no fighter", "b-st", "", "16.11", true, 2},
		{"zone, fighter", "b-h1", "", "16.11", true, 1},
		{"three units", "b-st,b-bl,b-5", "", "16.11", false, 1},
	} {
		g := inSkies(t, bombers, brigades...).put("05.05", "b-st b-h1 b-bl b-5").hex("05.05", "air_base=3").
			put(c.at, "y-tk")
		if c.extra != "" {
			g.hex(c.at, c.extra)
		}
		if c.zone {
			g.put("17.03", "r-f").hex("17.03", "air_base=1")
		}
		g.segment(SegAirNaval, Blue)
		out := g.do("air-barrage "+c.units+" "+c.at, func() []uint32 {
			switch {
			case c.zone:
				return nil
			case c.at == "12.08": // its terrain is chosen then
				return []uint32{1, 1}
			}
			return []uint32{1, 1, 1, 1}
		}()...)
		if c.zone {
			out = g.as(Red, "intercept", 1, 1, 1, 1)
		}
		if f := told[*ocsv1.Event_FlakRolled](t, out).FlakRolled; f.Modifier != c.want {
			t.Errorf("%s: modifier %d, want %d", c.name, f.Modifier, c.want)
		}
	}
}

// The short-range shift: all units from within 10 hexes, none strategic (OCS 14.7c, OCS 10.2b); a strategic bomber has
// no use of spotters (OCS 14.1e-A).
func TestShortRange(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.7c", "OCS 10.2b", "OCS 14.1e", "OCS 14.1e-A", "OCS 14.1e-C", "OCS 14.1-3")
	for _, c := range []struct {
		units string
		shift int32
	}{{"b-st", 1}, {"b-st,b-bl", 0}, {"b-s", -3}, {"b-st,b-s", -3}} {
		g := inSkies(t, bombers, brigades...).put("09.10", "b-st b-s").hex("09.10", "air_base=3").put("05.05", "b-bl").
			hex("05.05", "air_base=3").
			put("16.11", "y-tk y-tk2").put("16.12", "x-mc").segment(SegAirNaval, Blue)
		if f := barraged(t, g.do("air-barrage "+c.units+" 16.11", 1, 1, 1, 1)); f.Shift != c.shift {
			t.Errorf("%s: shift %d, want %d", c.units, f.Shift, c.shift)
		}
		for g.fact("asks") == "fly-back" {
			g.do(g.lists("fly-back")[0])
		}
	}
}

// Of four units the table may name the weakest or strongest, of which the owner chooses among equals (OCS 14.4f).
func TestMissionLosses(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.4f")
	set := func() *table {
		return inSkies(t, bombers, brigades...).put("05.05", "b-h1 b-h2 b-st b-bl b-5").hex("05.05", "air_base=3").
			put("16.11", "y-tk y-hq").segment(SegAirNaval, Blue)
	}
	for die, want := range map[uint32]string{1: "b-h1", 2: "b-bl", 3: "b-h2", 4: "b-st", 6: "b-st"} {
		out := set().do("air-barrage b-h1,b-bl,b-h2,b-st 16.11", 5, 5, die, 1, 1) // an HQ and many units
		if f := told[*ocsv1.Event_AirStepLost](t, out).AirStepLost; f.Unit != want {
			t.Errorf("die %d hits %s, want %s", die, f.Unit, want)
		}
	}
	g := set()
	g.do("air-barrage b-h1,b-bl,b-h2,b-st 16.11", 5, 5, 5) // the weakest: two of 3
	g.want("asks", "take-hit")
	g.refused("OCS 14.4f", "take-hit b-st")
	g.do("take-hit b-h2", 1, 1)
	g.want("lost b-h2", 1, "lost b-h1", 0)
}

// A hit may destroy the whole mission: then it is over, and the hex has had its barrage (OCS 10.0e-A).
func TestMissionShotDown(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.4f", "OCS 14.1b")
	g := inSkies(t, bombers, brigades...).put("05.05", "b-st/lost=1 b-bl").hex("05.05", "air_base=3").
		put("16.11", "y-tk").segment(SegAirNaval, Blue)
	g.do("air-barrage b-st 16.11", 6, 5)
	g.want("place b-st", "dead", "mode y-tk", "combat", "frame", "", "hexmark 16.11 barraged", true)
	g.refused("OCS 10.0e-A", "air-barrage b-bl 16.11")
}

// Who flies, when and how far (OCS 14.2a, OCS 14.2d, OCS 14.2e).
func TestMissionLimits(t *testing.T) {
	t.Parallel()
	set := func(s Segment) *table {
		return inSkies(t, bombers, brigades...).put("05.05", "b-st b-h1 b-h2 b-bl b-5 b-tb b-tr b-c").
			hex("05.05", "air_base=3").put("16.11", "y-tk").
			put("17.03", "r-t").hex("17.03", "air_base=1").segment(s, Blue)
	}
	g := set(SegAirNaval)
	rulestest.Proves(t, ruleset, "OCS 14.2e", "OCS 14.2a")
	g.refused("OCS 2.1", "sweep b-h1 17.03") // movement segments only
	g.refused("OCS 14.2e", "air-barrage r-t 16.11")
	g.refused("OCS 14.2a", "air-barrage b-st,b-h1,b-h2,b-bl,b-5 16.11")
	g.refused("OCS 14.7", "air-barrage b-tb 16.11") // for ships only
	g.refused("OCS 14.7", "air-barrage b-tr 16.11")
	g.refused("OCS 10.0", "air-barrage b-st 16.12")
	g.refused("OCS 10.0c", "air-barrage b-st 16.11 target=port")
	g.refused("OCS 10.0c-A", "air-barrage b-st 16.11 target=air-base")
	rulestest.Proves(t, ruleset, "OCS 14.1-5", "OCS 14.2e-iii")
	g.do("air-barrage b-c 16.11", 1, 1, 1, 1) // a combination type as a bomber
	g = set(SegMovement)
	rulestest.Proves(t, ruleset, "OCS 14.2e-iii", "OCS 14.6")
	g.refused("OCS 2.1", "air-barrage b-st 16.11")
	g.refused("OCS 14.6", "sweep b-st 17.03")
	g.refused("OCS 14.6", "sweep b-h1 16.11")
	g.put("05.05", "b-st/set=flown")
	rulestest.Proves(t, ruleset, "OCS 14.2e")
	g.refused("OCS 14.2e", "transfer b-st 07.07")
	rulestest.Proves(t, ruleset, "OCS 14.1a", "OCS 14.1f", "OCS 14.2d")
	for _, w := range []struct {
		flight uint8
		rule   string
	}{{limitedFlight, "OCS 14.2d"}, {noFlight, "OCS 14.1f"}} {
		g = set(SegMovement)
		g.sc.Counters[g.unit("b-h1")].Plane.Sides[0].Range = 20 // 12 hexes are within it, but not within half of it
		g.do("sweep b-h1 17.03", 6, 6, 1)
		g.do("stand-down")
		g.want("mark b-h1 inactive", true)
		g = set(SegMovement)
		g.sc.Counters[g.unit("b-h1")].Plane.Sides[0].Range = 20
		g.p.flight = w.flight
		g.refused(w.rule, "sweep b-h1 17.03")
		g.want("mark b-h1 inactive", false)
		if got := g.lists("sweep"); w.flight == noFlight && len(got) != 0 {
			t.Errorf("it lists %v", got)
		}
	}
	rulestest.Proves(t, ruleset, "OCS 14.1g", "OCS 7.0c", "OCS 11.0d")
	for _, s := range []struct {
		segment Segment
		phasing rules.Seat
	}{{SegReactionBarrage, Red}, {SegExploitBarrage, Blue}} { // no reserve marker is needed
		g := inSkies(t, bombers, brigades...).put("05.05", "b-st").hex("05.05", "air_base=3").put("16.11", "y-tk").
			segment(s.segment, s.phasing)
		g.do("air-barrage b-st 16.11", 1, 1, 1, 1)
		g.want("mark b-st inactive", true)
	}
}
