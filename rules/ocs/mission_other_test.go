package ocs

import (
	"slices"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Interception: one fighter out of a patrol zone over the hex, against all active units there; it goes home, active if
// it won (OCS 14.5).
func TestInterception(t *testing.T) {
	t.Parallel()
	set := func() *table {
		return inSkies(t, bombers, brigades...).put("05.05", "b-st").hex("05.05", "air_base=1").put("16.11", "y-tk").
			put("20.11", "r-f r-t").hex("20.11", "air_base=1").
			put("17.01", "r-f2").hex("17.01", "air_base=1").segment(SegAirNaval, Blue)
	}
	g := set()
	g.p.flight = limitedFlight // whatever the weather
	g.sc.Counters[g.unit("b-st")].Plane.Sides[0].Range = 26
	for i := range g.sc.Boxes {
		g.sc.Boxes[i].Flown = false
	}
	g.do("air-barrage b-st 16.11")
	rulestest.Proves(t, ruleset, "OCS 14.2f-D", "OCS 14.4a", "OCS 14.4c", "OCS 14.5")
	g.want("asks", "intercept")
	rulestest.Proves(t, ruleset, "OCS 14.1-1", "OCS 14.2e-i", "OCS 14.5")
	g.refusedTo(Red, "OCS 14.1-1", "intercept unit=r-t")
	g.refusedTo(Red, "OCS 14.5", "intercept unit=b-st")
	g.put("17.01", "r-f2/set=flown").refusedTo(Red, "OCS 14.2e-i", "intercept unit=r-f2")
	g.put("17.01", "r-f2/unset=flown")
	rulestest.Proves(t, ruleset, "OCS 14.1c", "OCS 14.5-ii")
	g.as(Red, "intercept unit=r-f", 6, 6, 1) // 12 + 4 - 1
	g.want("place r-f", "20.11", "mark r-f inactive", false, "mark r-f flown", true, "place b-st", "05.05",
		"mark b-st inactive", true, "frame", "", "mode y-tk", "combat")

	g = set()
	g.do("air-barrage b-st 16.11")
	g.as(Red, "intercept unit=r-f", 1, 1, 1) // 2 + 4 - 1: it aborts
	rulestest.Proves(t, ruleset, "OCS 14.5-i")
	g.want("place r-f", "20.11", "mark r-f inactive", true, "place b-st", "16.11", "asks", "stand-down")
	g.do("stand-down", 1, 1, 1, 1) // r-f2 is left, and its zone reaches the hex
	g.want("place b-st", "05.05", "frame", "")

	g = set()
	g.put("20.11", "r-f/set=flown").put("17.01", "r-f2/set=inactive")
	g.do("air-barrage b-st 16.11", 1, 1, 1, 1) // nobody who could
	g.want("frame", "")

	rulestest.Proves(t, ruleset, "OCS 14.3d-C")
	g = set() // after air combat mission units may abort (OCS 14.3d-C)
	g.do("air-barrage b-st 16.11")
	g.as(Red, "intercept unit=r-f", 1, 1, 1)
	g.do("stand-down b-st")
	g.want("place b-st", "05.05", "mark b-st inactive", true, "mode y-tk", "combat", "frame", "")
}

// The zone reaches 10 hexes, of an active fighter at an air base only (OCS 14.4c).
func TestPatrolZones(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.4c", "OCS 14.1f")
	for _, c := range []struct {
		at, unit string
		level    string
		want     bool
	}{{"20.11", "r-f", "air_base=1", true}, {"20.11", "r-f", "air_base=9", true}, {"20.11", "r-t", "air_base=1", false},
		{"20.11", "r-f/set=inactive", "air_base=1", false},
		{"20.11", "r-f", "air_base=0", false}} {
		g := inSkies(t, bombers).put(c.at, c.unit).hex(c.at, c.level)
		g.p.flight = noFlight
		if got := g.p.inZone(Red, g.place("10.06")); got != c.want {
			t.Errorf("%s %s: a zone %v", c.unit, c.level, got)
		}
		if g.p.inZone(Red, g.place("09.06")) {
			t.Errorf("%s reaches 11 hexes", c.unit)
		}
	}
}

// Hip shoots: one unit of a nationality that may, with a steady spotter, in movement segments, any number of times (OCS
// 14.7d).
func TestHipShoot(t *testing.T) {
	t.Parallel()
	set := func() *table {
		return inSkies(t, bombers, brigades...).put("05.05", "b-st b-bl b-s").hex("05.05", "air_base=2").
			put("16.11", "y-tk").hex("16.11", "air_base=2").put("16.12", "x-mc").
			segment(SegMovement, Blue)
	}
	g := set()
	rulestest.Proves(t, ruleset, "OCS 14.1e-B")
	g.refused("OCS 14.1e-B", "hip-shoot b-s 16.11")
	g.refused("OCS 10.0", "hip-shoot b-st 16.10")
	g.do("hip-shoot b-st 16.11", 1, 1, 1, 1)
	rulestest.Proves(t, ruleset, "OCS 14.2e-iv", "OCS 14.7d", "OCS 14.7d-A")
	g.want("mark b-st inactive", true, "hexmark 16.11 barraged", false)
	rulestest.Proves(t, ruleset, "OCS 14.2e-viii", "OCS 14.7d-A", "OCS 14.7d-D")
	g.do("hip-shoot b-bl 16.11 target=air-base", 1, 1, 1) // again, at another target
	g.want("hexmark 16.11 barraged", false, "frame", "")

	g = set()
	g.put("16.12", "x-mc/fuel=phase")
	g.do("move x-mc 16.13>17.13")
	rulestest.Proves(t, ruleset, "OCS 14.7d-C")
	g.refused("OCS 14.7d-C", "hip-shoot b-st 16.11") // nobody spots
	g.do("move x-mc 16.13>16.12")
	if got := g.lists("hip-shoot"); !slices.Contains(got, "hip-shoot unit=b-st at=16.11 target=units") {
		t.Errorf("it lists %q", got)
	}
	g.do("hip-shoot b-st 16.11", 1, 1, 1, 1) // to declare it ends the move of the spotter
	g.refused("OCS 6.1f", "move x-mc 16.13")
	g = set()
	g.p.flight = limitedFlight
	g.sc.Counters[g.unit("b-st")].Plane.Sides[0].Range = 60
	rulestest.Proves(t, ruleset, "OCS 17.0a")
	g.refused("OCS 17.0a", "hip-shoot b-st 16.11")
	g = inSkies(t, bombers, brigades...).put("20.11", "r-t").hex("20.11", "air_base=2").put("16.12", "x-mc").
		put("16.11", "y-tk").segment(SegMovement, Red)
	rulestest.Proves(t, ruleset, "OCS 14.7d-B")
	g.refused("OCS 14.7d-B", "hip-shoot r-t 16.12")
	g = set()
	rulestest.Proves(t, ruleset, "OCS 14.7d-D", "OCS 14.8")
	g.refused("OCS 2.1", "trainbust b-st 17.10") // never as a hip shoot
}

// Trainbusting: one attempt in a hex and phase, a marker on an asterisk, until the enemy's next Clean-Up Phase (OCS
// 14.8).
func TestTrainbusting(t *testing.T) {
	t.Parallel()
	set := func() *table {
		return inSkies(t, bombers, brigades...).put("05.05", "b-st b-bl").hex("05.05", "air_base=2").
			segment(SegAirNaval, Blue)
	}
	g := set()
	rulestest.Proves(t, ruleset, "OCS 10.0c-C", "OCS 14.8", "OCS 14.8a")
	out := g.do("trainbust b-st 17.10", 4, 4, 4) // strength 18: 1* on a 4
	if f := told[*ocsv1.Event_TrainBusted](t, out).TrainBusted; !f.Marked || f.Die != 4 {
		t.Errorf("resolved %v", f)
	}
	if g.p.cell(g.place("17.10")).bust != Blue {
		t.Error("no marker")
	}
	g.want("place b-st", "05.05", "mark b-st inactive", true, "hexmark 17.10 barraged", true)
	rulestest.Proves(t, ruleset, "OCS 14.2e-v", "OCS 14.8")
	g.refused("OCS 14.8", "trainbust b-bl 17.10")
	g.refused("OCS 14.2e-v", "trainbust b-bl 05.06")
	g.do("trainbust b-bl 16.09", 4, 4, 1)
	if g.p.cell(g.place("16.09")).bust != rules.NoSeat {
		t.Error("a marker without an asterisk")
	}
	rulestest.Proves(t, ruleset, "OCS 14.8d")
	g.segment(SegCleanUp, Blue)
	if g.p.cell(g.place("17.10")).bust != Blue {
		t.Error("it went in the own Clean-Up Phase")
	}
	g.p.frames = nil // what arrived meanwhile
	g.segment(SegCleanUp, Red, 1, 6, 6, 1, 1)
	if g.p.cell(g.place("17.10")).bust != rules.NoSeat {
		t.Error("it stayed after the enemy's Clean-Up Phase")
	}
	rulestest.Proves(t, ruleset, "OCS 14.4a", "OCS 14.4e")
	g = set() // in an enemy patrol zone flak is heavier yet
	g.put("20.11", "r-f").hex("20.11", "air_base=1")
	g.do("trainbust b-st 17.10")
	out = g.as(Red, "intercept", 1, 1, 1)
	if f := told[*ocsv1.Event_FlakRolled](t, out).FlakRolled; f.Modifier != 3 {
		t.Errorf("flak %v", f)
	}
}

// A marker makes each hex of its zone dearer by one MP, for Leg the marked hex only, and doubles rail capacity; several
// do no more (OCS 14.8b, OCS 14.8c).
func TestTrainbustingZone(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.8b", "OCS 14.8c", "OCS 14.8c-i", "OCS 14.8c-iv")
	for _, c := range []struct {
		marks []string
		unit  string
		path  string
		spent string
	}{
		{[]string{"16.12"}, "y-inf", "16.12", "2"}, {[]string{"16.12"}, "y-inf", "15.13", "1"}, // Leg: the marked hex
		{[]string{"16.12"}, "y-tk", "15.13", "2"}, {[]string{"16.12", "15.12"}, "y-tk", "15.13", "2"},
		{nil, "y-tk", "15.13", "1"},
	} {
		g := inSkies(t, bombers, "y-inf red regiment other infantry 4-4-9leg 3-3-9leg", brigades[0]).put("16.13",
			"y-inf y-tk/fuel=phase")
		for _, at := range c.marks {
			g.hex(at, "trainbusting=blue")
		}
		g.segment(SegMovement, Red)
		g.put("16.13", "y-tk/fuel=phase")
		g.do("move " + c.unit + " " + c.path)
		g.want("spent "+c.unit, c.spent)
		// one's own changes nothing
		g = inSkies(t, bombers, "y-inf red regiment other infantry 4-4-9leg 3-3-9leg", brigades[0]).
			put("16.13", "y-inf")
		for _, at := range c.marks {
			g.hex(at, "trainbusting=red")
		}
		g.segment(SegMovement, Red)
		g.do("move y-inf " + c.path)
		g.want("spent y-inf", "1")
	}
}

// Base transfer: up to twice the range; a fighter within its range stays active while there is room (OCS 14.11).
func TestBaseTransfer(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.11", "OCS 14.2e-vii", "OCS 14.1c", "OCS 14.4a", "OCS 14.2a")
	planes := []string{"b-f blue fighter 4/3 2/1 10", "b-f2 blue fighter 4/3 2/1 4",
		"b-t blue tactical (1)/(0) 18/9 10", "b-a blue fighter 1/1 1/1 9", "b-b blue fighter 1/1 1/1 9",
		"b-d blue fighter 1/1 1/1 9", "b-e blue fighter 1/1 1/1 9", "r-f red fighter 4/3 2/1 16"}
	g := inSkies(t, planes).put("05.05", "b-f b-f2 b-t").hex("05.05", "air_base=1").
		hex("11.05", "air_base=9 owner=blue").segment(SegMovement, Blue)
	g.refused("OCS 14.11", "transfer b-f 05.05")
	g.refused("OCS 14.11", "transfer b-f 12.05")
	g.do("transfer b-f 11.05")
	g.want("place b-f", "11.05", "mark b-f inactive", false, "mark b-f flown", true, "frame", "")
	g.refused("OCS 14.2e", "transfer b-f 05.05")
	g.do("transfer b-f2 11.05") // 6 hexes: beyond its range, within twice
	g.want("place b-f2", "11.05", "mark b-f2 inactive", true)
	g.do("transfer b-t 11.05")
	g.want("mark b-t inactive", true)
	g = inSkies(t, planes).put("05.05", "b-f2").hex("05.05", "air_base=1").hex("17.05", "air_base=9 owner=blue").
		segment(SegMovement, Blue)
	g.refused("OCS 14.11", "transfer b-f2 17.05")

	g = inSkies(t, planes).put("05.05", "b-f").hex("05.05", "air_base=1").put("11.05", "b-a b-b b-d b-e").
		hex("11.05", "air_base=9").segment(SegExploitMove, Blue)
	g.do("transfer b-f 11.05") // an airstrip has room for 4 active ones (EX-14-07)
	g.want("mark b-f inactive", true)

	g = inSkies(t, planes).put("05.05", "b-f").hex("05.05", "air_base=1").put("11.05", "b-a b-b b-d").
		hex("11.05", "air_base=9").segment(SegExploitMove, Blue)
	g.do("transfer b-f 11.05") // it is the fourth
	g.want("mark b-f inactive", false)

	g = inSkies(t, planes).put("05.05", "b-f").hex("05.05", "air_base=1").hex("11.05", "air_base=9 owner=blue").
		put("15.05", "r-f").hex("15.05", "air_base=1").
		segment(SegReactionMove, Red)
	g.do("transfer b-f 11.05") // inside an enemy patrol zone
	g.want("asks", "intercept")
	out := g.as(Red, "intercept", 1, 1)
	if f := told[*ocsv1.Event_FlakRolled](t, out).FlakRolled; f.Modifier != 1 {
		t.Errorf("flak %v", f)
	}
}

// Air units without a mission in the hex take part in interception combat (OCS 14.4d); they are not counted for flak.
func TestBystanders(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.4d", "OCS 14.5", "OCS 14.5-i", "OCS 14.3c")
	planes := []string{"b-f blue fighter 4/3 2/1 10", "b-a blue fighter 1/1 1/1 9", "r-f red fighter 4/3 2/1 16"}
	g := inSkies(t, planes).put("05.05", "b-f").hex("05.05", "air_base=1").put("11.05", "b-a").
		hex("11.05", "air_base=9").put("15.05", "r-f").hex("15.05", "air_base=1").
		segment(SegReactionMove, Red)
	g.do("transfer b-f 11.05")
	out := g.as(Red, "intercept unit=r-f")
	if f := told[*ocsv1.Event_AirCombatJoined](t, out).AirCombatJoined; f.Seat != "red" || len(f.Units) != 1 ||
		len(f.Enemies) != 2 {
		t.Errorf("joined %v", f)
	}
	g.as(Blue, "stand-down")
	g.as(Blue, "engage b-a", 6, 6, 6, 1, 1, 1) // it aborts with a loss; then the interceptor aborts against the other
	g.want("place b-a", "11.05", "lost b-a", 1, "mark b-a inactive", true, "place r-f", "15.05",
		"mark r-f inactive", true, "asks", "stand-down")
	g.do("stand-down") // no zone is left, so no flak
	g.want("place b-f", "11.05", "mark b-f inactive", false, "lost b-f", 0, "frame", "")
}

// Levels and what they do (OCS 15.0b, OCS 15.2), number for number (EX-14-07).
func TestAirBaseLevels(t *testing.T) {
	t.Parallel()
	g := inSkies(t, nil)
	rulestest.Proves(t, ruleset, "OCS 15.0b", "OCS 15.0b-A", "OCS 15.0b-C", "OCS 15.0b-D")
	for level, want := range map[string][3]int{"1": {5, 2, 2}, "2": {6, 4, 4}, "3": {7, 6, 6}, "9": {4, 1, 2}} {
		g.hex("05.05", "air_base="+level)
		rulestest.Proves(t, ruleset, "OCS 15.2-A", "OCS 15.2-B", "OCS 15.2-C")
		at := g.place("05.05")
		if got := [3]int{g.p.baseRoom(at), g.p.refits(at), g.p.airRoom(at) / oneToken}; got != want {
			t.Errorf("level %s: room, refits and unloading %v, want %v", level, got, want)
		}
	}
	rulestest.Proves(t, ruleset, "OCS 15.0")
	if at := g.place("blue-base"); g.p.base(at) != 3 || !g.p.ownBase(Blue, at) || g.p.ownBase(Red, at) {
		t.Error("the air base of the box")
	}
	if n, ok := g.p.airDistance(g.place("blue-base"), g.place("03.08")); !ok || n != 12 {
		t.Errorf("the box is %d hexes away", n)
	}
}

// Artillery may barrage an air base too, for the price of the facility table (OCS 10.0c).
func TestGunsAtAirBase(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.0c-A", "OCS 10.0c", "OCS 15.0c", "OCS 15.2-E", "OCS 10.0f")
	g := inSkies(t, bombers, guns...).put("12.03", "x-big x-8 x-inf").put("12.05", "r-f r-t/set=inactive y-re").
		hex("12.05", "air_base=3").dump("12.03", Blue, 30).
		segment(SegArtilleryBarrage, Blue)
	g.refused("OCS 10.0c-A", "barrage x-8 12.06 target=air-base lines=[at=12.03;count=1]")
	g.refused("OCS 10.1b", "barrage x-big 12.05 target=air-base lines=[at=12.03;count=10]")
	out := g.do("barrage x-big 12.05 target=air-base lines=[at=12.03;count=8]", 6, 2, 3) // 2* and (3) for 81 and more
	if f := told[*ocsv1.Event_AirBaseBarraged](t, out).AirBaseBarraged; f.Hits != 2 || f.Level != 1 ||
		f.PlaneMin != 3 || len(f.Dice) != 2 {
		t.Errorf("resolved %v", f)
	}
	g.want("base 12.05", 1, "lost r-f", 0, "lost r-t", 1, "mode y-re", "combat")
	g = inSkies(t, bombers, guns...).put("12.03", "x-big x-inf").put("12.05", "y-re").hex("12.05", "air_base=9").
		dump("12.03", Blue, 30).segment(SegArtilleryBarrage, Blue)
	g.do("barrage x-big 12.05 target=air-base lines=[at=12.03;count=8]", 6)
	g.want("base 12.05", airstrip) // nothing happens to an airstrip
}
