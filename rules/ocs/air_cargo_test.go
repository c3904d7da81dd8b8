package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// haulers are air units of cases of air transport.
var haulers = []string{"b-tp blue transport (0)/(0) 0/0 12 cap=2,1", "b-tp2 blue transport (0)/(0) 0/0 12 cap=1,1/2",
	"b-h1 blue transport (0)/(0) 0/0 20 cap=1/2,0",
	"b-h2 blue transport (0)/(0) 0/0 20 cap=1/2,0", "b-f blue fighter 4/3 2/1 22",
	"b-c blue tactical+transport (1)/(0) 10/5 12 cap=1/2,0",
	"b-tow blue transport (0)/(0) 0/0 12 cap=4,2 tow", "r-f red fighter 4/3 2/1 16"}

// airborne are land units of those cases.
var airborne = []string{"x-abn blue battalion other parachute 4-5-3leg 2-5-6leg parachute",
	"x-abn2 blue battalion other parachute 4-5-3leg 2-5-6leg parachute",
	"x-inf blue battalion other infantry 4-4-3leg 3-3-8leg", "x-fast blue battalion other cavalry 4-4-3leg 3-3-12leg",
	"x-mot blue battalion other infantry 4-4-3leg 3-3-14truck",
	"y-inf red regiment other infantry 4-4-3leg 3-3-8leg"}

// lifted is a game with two air bases of blue 6 hexes apart, and some supply at the first.
func lifted(t *testing.T, s Segment, phasing rules.Seat, level string) *table {
	t.Helper()
	g := inSkies(t, haulers, airborne...).put("05.05",
		"b-tp b-tp2 b-h1 b-h2 b-f b-c b-tow x-abn/move x-abn2 x-inf/move x-fast/move x-mot/move pax-blue eq-blue").
		hex("05.05", "air_base=3").dump("05.05", Blue, 20).hex("11.05", "owner=blue air_base="+level)
	for i := range g.sc.Boxes {
		g.sc.Boxes[i].Flown = false
	}
	return g.segment(s, phasing)
}

// What an aircraft carries is lost with it: units, supply, or nothing (OCS 14.9).
func TestCargoIsLostWithItsCarrier(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.9")
	sink := func(g *table) *rules.Outcome {
		out := new(rules.Outcome)
		do := staged{do: func(x *exec) { g.p.sink(x, g.unit("b-tp")) }}
		if err := rules.Play(do, g.p, 0, only(KindEnd), dice.NewManual(nil), out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	supply := lifted(t, SegMovement, Blue, "1").put("05.05", "b-tp/load_t=1")
	sink(supply)
	supply.want("load b-tp", 0)
	g := lifted(t, SegMovement, Blue, "1").aboard("b-tp", "x-abn")
	sink(g)
	g.want("place x-abn", "dead")
	if out := sink(lifted(t, SegMovement, Blue, "1")); len(out.Events) != 0 {
		t.Errorf("nothing is aboard, and it tells %v", out.Events)
	}
}

// Capacity, kinds of cargo and ways of flight (OCS 14.9), with the example of combined capacity (EX-14-05).
func TestAirlift(t *testing.T) {
	t.Parallel()
	g := lifted(t, SegMovement, Blue, "3")
	rulestest.Proves(t, ruleset, "OCS 14.9", "OCS 14.9e", "OCS 14.1-4")
	g.refused("OCS 14.9e", "airlift b-tp 12.05 lines=[count=1;by=b-tp]")
	g.refused("OCS 14.9", "airlift b-tp 11.05 lines=[unit=rd-1-inf;by=b-tp]")
	g.refused("OCS 14.1-4", "airlift b-f 11.05 lines=[count=1;by=b-f]")
	rulestest.Proves(t, ruleset, "OCS 14.9a", "OCS 14.9b")
	g.refused("OCS 14.9a", "airlift b-tp 11.05 lines=[count=3;by=b-tp]")
	g.refused("OCS 14.9a", "airlift b-h1 11.05 lines=[unit=x-abn;by=b-h1]") // 1 T
	g.refused("OCS 14.9a", "airlift b-h1 11.05 lines=[count=1;by=b-h1]")    // a half is not rounded up
	rulestest.Proves(t, ruleset, "OCS 14.9c", "OCS 14.9d")
	for _, u := range []string{"x-fast", "x-mot", "eq-blue.1"} {
		g.refused("OCS 14.9c", "airlift b-tp 11.05 lines=[unit="+u+";by=b-tp]")
	}
	g.refused("OCS 14.9d", "airlift b-tp 11.05 lines=[unit=x-abn2;by=b-tp]") // in Combat mode
	g.refused("OCS 14.9a", "airlift b-tp2 11.05 lines=[unit=x-inf;by=b-tp2]")
	g.refused("OCS 14.9e", "airlift b-tp 11.05 lines=[count=1;by=b-tp],[count=1;by=b-tp;flight=short]")
	rulestest.Proves(t, ruleset, "OCS 14.9a", "OCS 14.9e-B", "OCS 14.2e-vi")
	g.do("airlift b-h1,b-h2 11.05 lines=[unit=x-abn;by=b-h1]") // two halves carry it
	g.want("asks", "fly-back", "place x-abn", "11.05", "mark x-abn airlifted", true)
	g.do("fly-back b-h1 05.05")
	g.do("fly-back b-h2 05.05")
	g.want("place b-h1", "05.05", "mark b-h1 inactive", true, "place b-h2", "05.05", "frame", "")
	rulestest.Proves(t, ruleset, "OCS 14.9e-C", "OCS 14.1-5")
	g.do("airlift b-c 11.05 lines=[count=1;by=b-c;flight=short]") // twice a half; a combination type as a transport
	g.want("ground 11.05 blue", 1, "ground 05.05 blue", 19, "asks", "fly-back")
	g.do("fly-back b-c 11.05")
	rulestest.Proves(t, ruleset, "OCS 14.9e-A")
	g.do("airlift b-tp,b-f 11.05 lines=[count=2;by=b-tp;flight=one-way]")
	g.want("asks", "fly-back", "place b-tp", "11.05", "ground 11.05 blue", 3) // one way it stays; its escort chooses
	g.do("fly-back b-f 05.05")
	g.want("place b-tp", "11.05", "mark b-tp inactive", true, "mark b-f inactive", true)

	g = lifted(t, SegMovement, Blue, "3")
	g.do("airlift b-tp 11.05 lines=[count=2;by=b-tp]")
	g.do("fly-back b-tp 05.05")
	rulestest.Proves(t, ruleset, "OCS 12.2a")
	g.put("11.05", "b-tp2/unset=flown")
	g.refused("OCS 12.2a", "airlift b-tp2 05.05 lines=[count=1;by=b-tp2]") // it was flown in this phase
	g.refused("OCS 14.9e", "airlift b-tp2 05.05 lines=[unit=x-inf;by=b-tp2]")
}

// Ranges by way of flight, exact (OCS 14.9e).
func TestAirliftRanges(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.9e", "OCS 14.9e-A", "OCS 14.9e-B", "OCS 14.9e-C", "OCS 14.2d")
	for r, want := range map[int][3]bool{
		3: {true, false, false}, 5: {true, false, false}, 6: {true, true, false}, 11: {true, true, false},
		12: {true, true, true},
	} {
		for i, flight := range []string{";flight=one-way", "", ";flight=short"} {
			g := lifted(t, SegMovement, Blue, "3")
			g.sc.Counters[g.unit("b-tp")].Plane.Sides[0].Range = r
			command := "airlift b-tp 11.05 lines=[count=1;by=b-tp" + flight + "]"
			if want[i] {
				g.do(command)
				g.want("ground 11.05 blue", 1)
			} else {
				g.refused("OCS 14.9e", command)
			}
		}
	}
	g := lifted(t, SegMovement, Blue, "3") // after a short flight it returns within half its range
	g.hex("12.12", "owner=blue air_base=1")
	g.do("airlift b-tp 11.05 lines=[count=1;by=b-tp;flight=short]")
	g.refused("OCS 14.1c", "fly-back b-tp 12.12")
	g = lifted(t, SegMovement, Blue, "3")
	g.hex("12.12", "owner=blue air_base=1")
	g.do("airlift b-tp 11.05 lines=[count=1;by=b-tp]")
	g.do("fly-back b-tp 12.12")
	g.want("place b-tp", "12.12")
}

// How much may be unloaded at an air base in a movement segment (OCS 14.9f, OCS 15.0b-C, OCS 15.2-B); carriers that
// stay there are not counted.
func TestUnloadingLimit(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.9f", "OCS 15.0b-C", "OCS 15.2-B", "OCS 14.10f", "OCS 14.2e-viii")
	for _, level := range []string{"1", "9"} {
		g := lifted(t, SegMovement, Blue, level)
		g.do("airlift b-tp 11.05 lines=[count=2;by=b-tp]")
		g.do("fly-back b-tp 05.05")
		g.refused("OCS 14.9f", "airlift b-tp2 11.05 lines=[count=1;by=b-tp2]")
		g.do("airlift b-tp2 11.05 lines=[count=1;by=b-tp2;flight=one-way]") // again to the same hex (EX-14-08)
		g.want("ground 11.05 blue", 3, "place b-tp2", "11.05")
		g.do("airlift b-tow 11.05 lines=[count=4;by=b-tow]") // with its glider
		g.want("ground 11.05 blue", 7)
	}
	g := lifted(t, SegMovement, Blue, "2")
	g.do("airlift b-tp 11.05 lines=[count=2;by=b-tp]")
	g.do("fly-back b-tp 05.05")
	g.do("airlift b-tp2 11.05 lines=[count=1;by=b-tp2]")
	g.want("ground 11.05 blue", 3)
	c := g.p.changed()
	c.forget(&ocsv1.Forgetting{FlownIn: true}) // the next segment
	g.change(c)
	if n := g.p.airRoom(g.place("11.05")); n != 4*oneToken {
		t.Errorf("room for %d", n)
	}
}

// A carried unit moves half of its allowance in the phase, before and after together (OCS 14.9d).
func TestCarriedMoves(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.9d", "OCS 14.9d-i", "OCS 14.9d-ii")
	g := lifted(t, SegMovement, Blue, "3")
	g.put("06.04", "x-inf/move")
	g.do("move x-inf 05.05") // 8 MP, of which 1 is spent
	g.do("airlift b-tp 11.05 lines=[unit=x-inf;by=b-tp]")
	g.do("fly-back b-tp 05.05")
	g.want("place x-inf", "11.05", "spent x-inf", "1")
	g.refused("OCS 6.1b", "move x-inf 12.05>13.06>14.06>15.07")
	g.do("move x-inf 12.05>13.06>14.06")
	g.want("place x-inf", "14.06", "spent x-inf", "4")

	g = lifted(t, SegMovement, Blue, "3")
	g.put("05.05", "x-inf/move,spent_twelfths=60")
	g.refused("OCS 14.9d", "airlift b-tp 11.05 lines=[unit=x-inf;by=b-tp]")

	g = lifted(t, SegReactionMove, Red, "3") // carried, but it has no MP of its own (OCS 7.0a)
	g.do("airlift b-tp 11.05 lines=[unit=x-inf;by=b-tp]")
	g.do("fly-back b-tp 05.05")
	g.want("place x-inf", "11.05")
	_, err := g.try(Blue, "move x-inf 12.05")
	if err == nil {
		t.Error("a unit that was not released moved")
	}
	g = lifted(t, SegReactionMove, Red, "3")
	g.put("05.05", "x-inf/move,set=released")
	g.do("airlift b-tp 11.05 lines=[unit=x-inf;by=b-tp]")
	g.do("fly-back b-tp 05.05")
	g.refused("OCS 6.1b", "move x-inf 12.05>13.06>14.06") // a quarter of 8
	g.do("move x-inf 12.05>13.06")

	g = lifted(t, SegExploitMove, Blue, "3")
	g.put("05.05", "x-inf/move,exploitation")
	g.do("airlift b-tp 11.05 lines=[unit=x-inf;by=b-tp]")
	g.do("fly-back b-tp 05.05")
	g.refused("OCS 6.1b", "move x-inf 12.05>13.06>14.06")

	// One that neither has the marker nor was released is carried, and that is all (OCS 11.0a).
	g = lifted(t, SegExploitMove, Blue, "3")
	g.do("airlift b-tp 11.05 lines=[unit=x-inf;by=b-tp]")
	g.do("fly-back b-tp 05.05")
	g.want("place x-inf", "11.05")
	rulestest.Proves(t, ruleset, "OCS 11.0a")
	g.refused("OCS 11.0a", "move x-inf 12.05")
}

// Mules go by air, other transports don't (OCS 13.2e).
func TestMulesGoByAir(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.2e")
	g := lifted(t, SegMovement, Blue, "3")
	g.put("05.05", "mule-blue/points_t=2 wagon-blue/points_t=2")
	g.refused("OCS 14.9c", "airlift b-tp 11.05 lines=[unit=wagon-blue.1;by=b-tp]")
	g.do("airlift b-tp 11.05 lines=[unit=mule-blue.1;by=b-tp]")
	g.do("fly-back b-tp 05.05")
	g.want("place mule-blue.1", "11.05")
}

// Losses lower the capacity; what is over is lost, rounded for the owner (EX-14-04), as it chooses; what is aboard a
// destroyed unit is lost; what an aborted one carries goes back (OCS 14.4g).
func TestLossOfCargo(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.4g", "OCS 14.9b", "OCS 14.4f", "OCS 14.4a")
	set := func() *table { return lifted(t, SegMovement, Blue, "3").put("15.05", "r-f").hex("15.05", "air_base=1") }
	g := set()
	g.do("airlift b-tp2 11.05 lines=[count=1;by=b-tp2]")
	g.as(Red, "intercept", 6, 5) // 11: capacity falls from 1 T to a half
	g.want("lost b-tp2", 1, "ground 11.05 blue", 1)

	g = set()
	g.do("airlift b-tp 11.05 lines=[unit=x-abn;by=b-tp],[count=1;by=b-tp]")
	g.as(Red, "intercept", 6, 5)
	g.want("asks", "jettison", "lost b-tp", 1)
	g.refused("OCS 14.4g", "jettison tokens=2")
	g.refused("OCS 14.4g", "jettison x-inf")
	if got := g.lists("jettison"); len(got) != 2 {
		t.Errorf("it lists %v", got)
	}
	g.do("jettison x-abn")
	g.want("place x-abn", "dead", "ground 11.05 blue", 1)
	g = set()
	g.do("airlift b-tp 11.05 lines=[unit=x-abn;by=b-tp],[count=1;by=b-tp]")
	g.as(Red, "intercept", 6, 5)
	g.do("jettison tokens=1")
	g.want("place x-abn", "11.05", "ground 11.05 blue", 0, "ground 05.05 blue", 19)

	g = set() // shot down with all it carries
	g.put("05.05", "b-tp/lost=1")
	g.do("airlift b-tp 11.05 lines=[unit=x-abn;by=b-tp]")
	g.as(Red, "intercept", 6, 5)
	g.want("place b-tp", "dead", "place x-abn", "dead", "frame", "")

	g = set() // aborted in air combat
	g.do("airlift b-tp 11.05 lines=[unit=x-abn;by=b-tp],[count=1;by=b-tp]")
	g.want("place x-abn", "aboard", "load b-tp", 1)
	g.as(Red, "intercept unit=r-f", 6, 6, 1)
	// it stays at the own base of the hex
	g.want("place x-abn", "05.05", "ground 05.05 blue", 20, "load b-tp", 0, "place b-tp", "11.05",
		"mark b-tp inactive", true)
	g.want("frame", "", "mark x-abn airlifted", false)
}
