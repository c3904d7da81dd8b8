package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// wings are air units of cases of air combat.
var wings = []string{"r-lagg red fighter 2/1 2/1 16", "r-il red tactical (2)/(1) 10/5 20",
	"r-f2 red fighter 2/1 2/1 16", "b-bf blue fighter 4/3 2/1 22",
	"b-bf2 blue fighter 4/3 2/1 22", "b-st blue tactical (1)/(0) 18/9 24", "b-st2 blue tactical (1)/(0) 18/9 24",
	"b-in blue tactical (1)/(0) 18/9 24"}

// The example of air combat over an air base, number for number (EX-14-01).
func TestAirCombatExample(t *testing.T) {
	t.Parallel()
	g := inSkies(t, wings).put("07.07", "b-bf b-st b-st2 b-in/set=inactive").hex("07.07", "air_base=2").
		put("12.07", "r-lagg r-il").hex("12.07", "air_base=1").
		segment(SegAirNaval, Red)
	rulestest.Proves(t, ruleset, "OCS 14.3", "OCS 14.3e-A", "OCS 14.2f-C", "OCS 4.9d")
	out := g.do("air-barrage r-lagg,r-il 07.07 target=air-base")
	// inactive ones are ignored
	if f := told[*ocsv1.Event_AirCombatJoined](t, out).AirCombatJoined; f.Seat != "red" || len(f.Units) != 2 ||
		len(f.Enemies) != 3 {
		t.Errorf("joined %v", f)
	}
	for _, u := range []string{"b-bf", "b-st", "b-st2"} { // OCS 4.9d
		if got := g.p.sees(rules.SeatViewer(Red), g.unit(u)); got != topOnly {
			t.Errorf("red sees %v of %s", got, u)
		}
	}
	if got := g.p.sees(rules.SeatViewer(Red), g.unit("b-in")); got != unseen {
		t.Errorf("red sees %v of the inactive unit", got)
	}
	rulestest.Proves(t, ruleset, "OCS 14.2b", "OCS 14.3d", "OCS 14.3d-A")
	g.want("asks", "stand-down", "place r-lagg", "07.07")
	g.refused("OCS 14.3d-A", "stand-down r-lagg,r-il")
	g.refused("OCS 14.3d", "stand-down b-bf")
	g.do("stand-down")
	g.want("asks", "stand-down")
	g.refused("OCS 14.3d-A", "stand-down b-bf,b-st,b-st2")
	rulestest.Proves(t, ruleset, "OCS 14.3a", "OCS 14.3c")
	g.do("stand-down") // red's only unit with a rating without brackets is the LaGG-3
	rulestest.Proves(t, ruleset, "OCS 14.3d-B", "OCS 14.3e-B")
	g.want("asks", "engage")
	g.refusedTo(Blue, "OCS 14.3e-B", "engage b-in")
	g.refusedTo(Blue, "OCS 2.1", "stand-down b-st") // not during combat
	rulestest.Proves(t, ruleset, "OCS 14.3b", "OCS 14.3e", "OCS 14.3e-C")
	out = g.as(Blue, "engage b-bf", 4, 5, 4)
	if f := told[*ocsv1.Event_AirRound](t, out).AirRound; f.Unit != "r-lagg" || f.Roll != 9 || f.Total != 7 ||
		!f.AttackerAborts || !f.DefenderAborts || f.Loss {
		t.Errorf("round %v", f)
	}
	// The IL-2 and the Stukas ignore each other, and the mission goes on.
	rulestest.Proves(t, ruleset, "OCS 14.1c", "OCS 14.3d-C", "OCS 14.3e-D")
	g.want("place r-lagg", "12.07", "mark r-lagg inactive", true, "lost r-lagg", 0, "place b-bf", "07.07",
		"mark b-bf inactive", true, "place r-il", "07.07",
		"mark b-st inactive", false, "asks", "stand-down", "frame", "mission")
	rulestest.Proves(t, ruleset, "OCS 10.0c-A", "OCS 15.0b-B", "OCS 15.0c")
	// flak 8 and the level 2; the facility table; a die for each blue air unit there, active or not
	out = g.do("stand-down", 4, 4, 5, 5, 4, 4, 4)
	if f := told[*ocsv1.Event_FlakRolled](t, out).FlakRolled; f.Modifier != 2 || f.Hit {
		t.Errorf("flak %v", f)
	}
	if f := told[*ocsv1.Event_AirBaseBarraged](t, out).AirBaseBarraged; f.Hits != 1 || f.Level != 1 ||
		f.PlaneMin != 5 || len(f.Dice) != 4 {
		t.Errorf("barrage %v", f)
	}
	g.want("base 07.07", 1, "place r-il", "12.07", "mark r-il inactive", true, "lost b-bf", 1, "lost b-st", 0, "frame",
		"", "asks", "air-naval")
}

// Of several attackers its owner names one with a rating without brackets (OCS 14.3a).
func TestAttackerInAirCombat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.3a", "OCS 14.3e-B")
	g := inSkies(t, wings).put("07.07", "b-bf b-st").hex("07.07", "air_base=2").put("12.07", "r-lagg r-f2 r-il").
		hex("12.07", "air_base=1").segment(SegAirNaval, Red)
	g.all("air-barrage r-lagg,r-f2,r-il 07.07 target=air-base", "stand-down", "stand-down")
	g.refusedTo(Red, "OCS 14.3a", "engage r-il")
}

// What aborts loses a step on a 5 or 6 of the third die, one die for both; the second loss is the last (OCS 14.1b). The
// table at its ends.
func TestAirCombatTable(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.3e-C", "OCS 14.1b", "OCS 14.3e-D", "OCS 14.6", "OCS 14.2e-ii", "OCS 14.1-1")
	for _, c := range []struct {
		name         string
		dice         []uint32
		red, blue    string // places
		lostR, lostB int
	}{
		{"6 aborts the attacker", []uint32{4, 4, 4}, "12.07", "07.07", 0, 0}, // 8 + 2 - 4
		{"with a loss", []uint32{4, 4, 5}, "12.07", "07.07", 1, 0},
		{"8 aborts the defender", []uint32{5, 5, 4}, "12.07", "07.07", 0, 0},
		{"with a loss of it", []uint32{5, 5, 6}, "12.07", "07.07", 0, 1},
		{"7 aborts both", []uint32{5, 4, 6}, "12.07", "07.07", 1, 1},
	} {
		g := inSkies(t, wings).put("07.07", "b-bf").hex("07.07", "air_base=2").put("12.07", "r-lagg").
			hex("12.07", "air_base=1").segment(SegMovement, Red)
		g.do("sweep r-lagg 07.07", c.dice...)
		if told := g.fact("asks"); told == "stand-down" {
			g.do("stand-down")
		}
		g.want("place r-lagg", c.red, "place b-bf", c.blue, "lost r-lagg", c.lostR, "lost b-bf", c.lostB,
			"mark r-lagg inactive", true, "asks", "move", "frame", "")
	}
	g := inSkies(t, wings).put("07.07", "b-bf/lost=1").hex("07.07", "air_base=2").put("12.07", "r-lagg/lost=1").
		hex("12.07", "air_base=1").segment(SegMovement, Red)
	g.do("sweep r-lagg 07.07", 5, 4, 6) // 9 + 1 - 3: the reduced sides
	g.want("place r-lagg", "dead", "place b-bf", "dead", "asks", "move", "frame", "")
}

// Who attacks: the side that moved, until it has only bracketed units left and the other side has another (OCS 14.3c).
// Both may abort all but one before (OCS 14.3d-A).
func TestAirCombatRoles(t *testing.T) {
	t.Parallel()
	g := inSkies(t, wings).put("07.07", "b-bf b-bf2").hex("07.07", "air_base=2").put("12.07", "r-lagg r-il r-f2").
		hex("12.07", "air_base=1").segment(SegAirNaval, Red)
	g.put("10.06", "b-in/set=inactive").hex("10.06", "air_base=1")
	rulestest.Proves(t, ruleset, "OCS 14.2a", "OCS 14.2b", "OCS 14.3d-A")
	g.do("air-barrage r-lagg,r-f2,r-il 07.07 target=air-base")
	g.do("stand-down r-f2") // red attacks and decides first
	g.want("place r-f2", "12.07", "mark r-f2 inactive", true, "asks", "stand-down")
	rulestest.Proves(t, ruleset, "OCS 14.1c", "OCS 14.3a", "OCS 14.3c")
	// in a hex with an air base of its own it stays there
	out := g.as(Blue, "stand-down b-bf2", 1, 1, 1, 6, 6, 1)
	// the LaGG-3 aborted
	if f := told[*ocsv1.Event_AirRound](t, out).AirRound; f.Unit != "b-bf" || f.Enemy != "r-il" || f.Total != 14 ||
		!f.DefenderAborts {
		t.Errorf("round %v", f)
	}
	g.want("place r-lagg", "12.07", "place r-il", "12.07", "mark r-il inactive", true, "mark b-bf inactive", false,
		"frame", "", "asks", "air-naval")
	g.want("place b-bf2", "07.07", "mark b-bf2 inactive", true, "lost b-bf2", 0)
}

// A mission without a fighter against a base without one meets nobody; bracketed units ignore each other (OCS 14.3a).
func TestNoAirCombat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.3", "OCS 14.3a")
	g := inSkies(t, wings).put("07.07", "b-st").hex("07.07", "air_base=1").put("12.07", "r-il").
		hex("12.07", "air_base=1").segment(SegAirNaval, Red)
	g.do("air-barrage r-il 07.07 target=air-base", 6, 4, 1) // 10 and the level 1: hit; then the facility table
	g.want("lost r-il", 1, "lost b-st", 0, "frame", "", "place r-il", "12.07", "base 07.07", 1)
}

// Of several bases in range the owner chooses; without one the unit is eliminated (OCS 14.1c).
func TestReturns(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.1c", "OCS 14.2d", "OCS 14.2c", "OCS 14.2f-F")
	g := inSkies(t, wings).put("07.07", "b-bf").hex("07.07", "air_base=2").put("12.07", "r-lagg").
		hex("12.07", "air_base=1").hex("14.07", "air_base=1 owner=red").
		hex("20.11", "air_base=2 owner=red").segment(SegMovement, Red)
	g.do("sweep r-lagg 07.07", 1, 1, 1)
	g.want("asks", "fly-back")
	g.refused("OCS 14.1c", "fly-back r-lagg 07.07")
	g.refused("OCS 14.1c", "fly-back b-bf 14.07")
	if got := g.lists("fly-back"); len(got) != 3 {
		t.Errorf("it lists %v", got)
	}
	g.do("fly-back r-lagg 20.11")
	g.want("place r-lagg", "20.11", "mark r-lagg inactive", true)

	g = inSkies(t, wings).put("07.07", "b-bf").hex("07.07", "air_base=2").put("12.07", "r-lagg").
		hex("12.07", "air_base=1").segment(SegMovement, Red)
	c := g.p.changed()
	c.own(g.place("12.07"), Blue) // lost behind its back
	do := staged{do: func(x *exec) {
		g.p.fly(x, Red, ocsv1.Mission_MISSION_SWEEP, []Unit{g.unit("r-lagg")}, g.place("07.07"), nil)
		tell(x, &event{Changes: c.list})
	}}
	if err := rules.Play(do, g.p, Red, only(KindEnd), dice.NewManual(nil), new(rules.Outcome)); err != nil {
		t.Fatal(err)
	}
	g.settle(1, 1, 1)
	g.want("place r-lagg", "dead")
}

// Once the combat is over, mission units may go home in any number (OCS 14.3d-C): the list has none, each, all, and all
// but each.
func TestWhoGoesHome(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.3d-C")
	planes := append([]string{"r-il2 red tactical (2)/(1) 10/5 20", "r-il3 red tactical (2)/(1) 10/5 20"}, wings...)
	for _, c := range []struct {
		bombers string
		want    []string
	}{
		{"r-il", []string{"stand-down", "stand-down r-il"}},
		{"r-il,r-il2", []string{"stand-down", "stand-down r-il", "stand-down r-il2", "stand-down r-il,r-il2"}},
		{"r-il,r-il2,r-il3", []string{"stand-down", "stand-down r-il", "stand-down r-il2,r-il3", "stand-down r-il2",
			"stand-down r-il,r-il3", "stand-down r-il3", "stand-down r-il,r-il2", "stand-down r-il,r-il2,r-il3"}},
	} {
		g := inSkies(t, planes).put("07.07", "b-bf").hex("07.07", "air_base=2").
			put("12.07", "r-lagg r-il r-il2 r-il3").hex("12.07", "air_base=1").segment(SegAirNaval, Red)
		g.do("air-barrage r-lagg," + c.bombers + " 07.07 target=air-base")
		g.do("stand-down", 4, 5, 4) // both fighters abort
		g.want("asks", "stand-down", "frame", "mission")
		if diff := cmp.Diff(c.want, g.lists("stand-down")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.bombers, diff)
		}
	}
}
