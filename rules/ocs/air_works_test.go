package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// What air bases and airstrips cost, level by level and phase by phase (EX-15-01).
func TestBuildAirBase(t *testing.T) {
	t.Parallel()
	pay := func(n string) string { return " lines=[at=09.02;count=" + n + "]" }
	set := func() *table {
		return inSkies(t, idle, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("09.02", "bl-9-eng x-1").
			hex("09.03", "owner=blue").hex("10.02", "owner=red").dump("09.02", Blue, 40)
	}
	next := func(g *table) {
		g.segment(SegBreakout, Blue).segment(SegMovement, Blue)
		g.p.units[g.unit("bl-9-eng")].marks &^= 1 << ocsv1.UnitMark_UNIT_MARK_BUILT // the next turn
	}
	g := set()
	next(g)
	rulestest.Proves(t, ruleset, "OCS 13.8d-i", "OCS 15.3")
	g.refused("OCS 15.3", "construct x-1 job=raise-air-base at=09.02"+pay("4"))      // engineers only
	g.refused("OCS 15.3", "construct bl-9-eng job=raise-air-base at=10.02"+pay("4")) // not blue's
	g.refused("OCS 15.3", "construct bl-9-eng job=build-airstrip at=09.03"+pay("2"))
	rulestest.Proves(t, ruleset, "OCS 13.8d-iv", "OCS 15.2-D")
	g.do("construct bl-9-eng job=build-airstrip at=09.03" + pay("1"))
	g.want("base 09.03", airstrip, "ground 09.02 blue", 39)
	if at := g.place("09.03"); !g.p.ownBase(Blue, at) || g.p.refits(at) != 1 { // at once
		t.Error("the airstrip can't be used")
	}
	g.p.units[g.unit("bl-9-eng")].marks &^= 1 << ocsv1.UnitMark_UNIT_MARK_BUILT
	g.refused("OCS 15.3", "construct bl-9-eng job=raise-air-base at=09.03"+pay("3")) // one level in a phase
	next(g)
	rulestest.Proves(t, ruleset, "OCS 15.0a", "OCS 15.2-E")
	g.refused("OCS 15.0a", "construct bl-9-eng job=build-airstrip at=09.03"+pay("1"))
	g.refused("OCS 15.2-E", "construct bl-9-eng job=lower-air-base at=09.03")
	g.refused("OCS 15.3", "construct bl-9-eng job=raise-air-base at=09.03"+pay("4"))
	g.do("construct bl-9-eng job=raise-air-base at=09.03" + pay("3"))
	for level := 2; level <= 3; level++ {
		next(g)
		g.do("construct bl-9-eng job=raise-air-base at=09.03" + pay("4"))
		g.want("base 09.03", level)
	}
	g.want("ground 09.02 blue", 40-1-3-4-4)
	next(g)
	g.refused("OCS 15.3", "construct bl-9-eng job=raise-air-base at=09.03"+pay("4"))

	g = set()
	next(g)
	g.do("construct bl-9-eng job=raise-air-base at=09.03" + pay("4")) // level 1 directly
	g.want("base 09.03", 1, "ground 09.02 blue", 36)

	g = set()
	rulestest.Proves(t, ruleset, "OCS 15.2")
	g.sc.Constants.Airstrips = false
	next(g)
	g.refused("OCS 15.2", "construct bl-9-eng job=build-airstrip at=09.03"+pay("1"))
}

// Lowering is for engineers and for an RE of combat units that stay in the hex; one level, never below 1 (OCS 15.4).
func TestLowerAirBase(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 15.4", "OCS 15.2-E")
	g := inSkies(t, idle, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg",
		"x-2 blue battalion other infantry 2-3-3leg 1-3-8leg").
		put("09.02", "x-1 x-2").hex("09.02", "air_base=3").segment(SegMovement, Blue)
	g.refused("OCS 16.0b", "construct x-2 job=lower-air-base at=09.02")
	g.do("construct x-1 job=lower-air-base at=09.02")
	g.want("base 09.02", 2, "mark x-1 building", true, "hexmark 09.02 air-base-changed", true)
	g.refused("OCS 15.3", "construct x-1 job=lower-air-base at=09.02")
	g.refused("OCS 13.8d", "move x-1 09.03")
	g.segment(SegBreakout, Blue).segment(SegMovement, Blue)
	g.do("construct x-1 job=lower-air-base at=09.02")
	g.segment(SegBreakout, Blue).segment(SegMovement, Blue)
	g.refused("OCS 15.4", "construct x-1 job=lower-air-base at=09.02")
	g.want("base 09.02", 1)
}

// An Eq gives two air steps back: to units at air bases, which stay as active as they were, or to those of the dead
// pile, which appear active (OCS 13.5f, EX-13-03).
func TestAirReplacements(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.5f", "OCS 14.2a")
	set := func() *table {
		g := inSkies(t, idle).put("07.07", "bl-corps eq-blue eq-blue pax-blue").
			put("05.05", "b-1/lost=1 b-2/lost=1,set=inactive b-4/lost=1").hex("05.05", "air_base=1")
		c := g.p.changed()
		c.eliminate(g.unit("b-3"))
		return g.change(c).segment(SegReinforcement, Blue)
	}
	g := set()
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	g.want("asks", "reinforce")
	g.refused("OCS 13.5f", "restore-air pax-blue.1 lines=[unit=b-1;count=1]")
	g.refused("OCS 13.5f", "restore-air eq-blue.1 lines=[unit=b-1;count=2]")
	g.refused("OCS 13.5f", "restore-air eq-blue.1 lines=[unit=b-1;count=1],[unit=b-2;count=1],[unit=b-4;count=1]")
	g.refused("OCS 13.5f", "restore-air eq-blue.1 lines=[unit=b-3;count=2;at=07.07]")
	g.refused("OCS 13.5f", "restore-air eq-blue.1 lines=[unit=r-1;count=1]")
	g.do("restore-air eq-blue.1 lines=[unit=b-1;count=1],[unit=b-2;count=1]")
	g.want("lost b-1", 0, "lost b-2", 0, "mark b-1 inactive", false, "mark b-2 inactive", true,
		"place eq-blue.1", "gone")
	g.do("restore-air eq-blue.2 lines=[unit=b-3;count=2;at=05.05]")
	g.want("place b-3", "05.05", "lost b-3", 0, "mark b-3 inactive", false)

	g = set()
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	if got := g.lists("restore-air"); len(got) == 0 {
		t.Error("it lists nothing")
	}
	g.do("restore-air eq-blue.1 lines=[unit=b-3;count=1;at=05.05]") // on its reduced side
	g.want("place b-3", "05.05", "lost b-3", 1)

	g = set()
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	g.put("05.05", "b-5 b-6 b-7")
	g.refused("OCS 14.2a", "restore-air eq-blue.1 lines=[unit=b-3;count=2;at=05.05]")
	c := g.p.changed()
	c.move(g.unit("bl-corps"), g.place("20.11"))
	g.change(c)
	g.refused("OCS 13.5a-1", "restore-air eq-blue.1 lines=[unit=b-1;count=1]")
}

// Two reduced units with the same type, values and state become a full one, at any time (OCS 13.9-4).
func TestCombineAir(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.9-4")
	for _, s := range []Segment{SegMovement, SegCombat, SegRefit} {
		g := inSkies(t, idle).put("05.05", "b-1/lost=1 b-2/lost=1 b-3/lost=1,set=flown b-4/lost=1,set=inactive b-5").
			put("05.06", "b-6/lost=1").hex("05.05", "air_base=1").segment(s, Blue)
		for _, other := range []string{"b-1", "b-4", "b-5", "b-6", "b-2"} {
			g.refused("OCS 13.9-4", "combine-air b-2 other="+other)
		}
		if got := g.lists("combine-air"); len(got) != 1 {
			t.Errorf("it lists %v", got)
		}
		g.put("05.05", "b-3/lost=1,set=flown")
		g.do("combine-air b-2 other=b-3")
		g.want("lost b-2", 0, "place b-3", "dead", "mark b-2 flown", true)
	}
}

// Rail cargo through a trainbusting zone costs twice the capacity, however many markers; both factors multiply (OCS
// 13.3a-ii, OCS 14.8c-ii).
func TestRailThroughZone(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.3a-ii", "OCS 14.8c-ii", "OCS 14.8c-iv", "OCS 14.8c-v", "OCS 14.8c")
	for _, c := range []struct {
		marks []string
		want  int
	}{
		{nil, 16}, {[]string{"07.07"}, 32}, {[]string{"07.06"}, 32}, {[]string{"07.07", "08.06", "06.06"}, 32},
		{[]string{"07.04"}, 16},
	} {
		g := onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("05.07", "x-1/move bl-22-sec").
			put("09.07", "bl-corps").dump("05.07", Blue, 60)
		reach := g.p.survey(Blue).thrown(g.unit("bl-corps"))
		for _, at := range c.marks {
			g.hex(at, "trainbusting=red")
		}
		for h, word := range g.p.survey(Blue).thrown(g.unit("bl-corps")) { // supply lines are not affected
			if reach[h] != word {
				t.Fatal("a throw is affected")
			}
		}
		g.segment(SegMovement, Blue)
		g.do("rail x-1 at=09.07 tokens=0")
		g.want("register blue rail-used", c.want)
	}
}

// The options of long flights and of aircraft handling (OCS 21.4, OCS 21.5).
func TestAirOptions(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.4", "OCS 21.4-A", "OCS 21.4-B", "OCS 21.4-C", "OCS 21.5", "OCS 14.3b")
	planes := []string{"b-f blue fighter 4/3 2/1 12", "b-f2 blue fighter 4/3 2/1 20", "b-f3 blue fighter 4/3 2/1 20",
		"b-t blue tactical (1)/(0) 18/9 22", "b-t2 blue tactical (1)/(0) 18/9 40",
		"r-f red fighter 2/1 2/1 16"}
	for _, on := range []bool{false, true} {
		g := inSkies(t, planes, brigades...).put("05.05", "b-f").hex("05.05", "air_base=1").put("11.05", "r-f").
			hex("11.05", "air_base=1").segment(SegMovement, Blue)
		g.p.opt.longFlights = on
		out := g.do("sweep b-f 11.05", 2, 3, 1) // 6 hexes are half its range
		total := map[bool]int32{false: 7, true: 6}[on]
		if f := told[*ocsv1.Event_AirRound](t, out).AirRound; f.Total != total {
			t.Errorf("option %v: total %d", on, f.Total)
		}
		for units, shift := range map[string][2]int32{"b-t": {-3, -4}, "b-t2": {-3, -3}, "b-t,b-t2": {-3, -4}} {
			g := inSkies(t, planes, brigades...).put("05.05", "b-t b-t2").hex("05.05", "air_base=1").
				put("16.11", "y-tk y-tk2").segment(SegAirNaval, Blue)
			g.p.opt.longFlights = on
			for i := range g.sc.Boxes {
				g.sc.Boxes[i].Flown = false
			}
			want := shift[0]
			if on {
				want = shift[1]
			}
			if f := barraged(t, g.do("air-barrage "+units+" 16.11", 1, 1, 1, 1)); f.Shift != want {
				t.Errorf("option %v: %s is shifted by %d, want %d", on, units, f.Shift, want)
			}
		}
		g = inSkies(t, planes).put("05.05", "b-f b-f2").hex("05.05", "air_base=1").
			hex("11.05", "air_base=3 owner=blue").segment(SegMovement, Blue)
		g.p.opt.longFlights = on
		g.do("transfer b-f,b-f2 11.05")
		g.want("mark b-f inactive", on, "mark b-f2 inactive", false)
	}
	g := inSkies(t, planes).put("05.05", "b-f2 b-f3 b-f").hex("05.05", "air_base=1").
		hex("11.05", "air_base=2 owner=blue").segment(SegMovement, Blue)
	g.p.opt.aircraftHandlingLimit = true
	g.do("transfer b-f2,b-f3 11.05")
	g.do("transfer b-f 11.05") // the third of a turn at level 2
	g.want("mark b-f2 inactive", false, "mark b-f3 inactive", false, "mark b-f inactive", true)
	q, err := parsePosition(g.sc, g.p.format())
	if err != nil || q.cell(g.place("11.05")).handled != 2 {
		t.Errorf("what the base handled is lost: %v", err)
	}
	h := begun(t, "proving-skies", "aircraft_handling_limit").inTurn(2).segment(SegReinforcement, Blue)
	for h.fact("asks") == "place" {
		h.do("waive")
	}
	c := h.p.changed()
	one := uint32(1)
	c.hex(h.place("08.09")).Handled = &one
	h.change(c)
	h.do("place-air bl-tb1 08.09") // an airstrip counts as level 1
	h.want("mark bl-tb1 inactive", true)
}
