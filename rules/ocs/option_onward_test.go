package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// threeBases is a game in which b-tp (2 T, range 12) flies from 05.05 by 11.05 to 15.05.
func threeBases(t *testing.T) *table {
	t.Helper()
	return lifted(t, SegMovement, Blue, "1").with(optXYZAirTransport).hex("15.05", "owner=blue air_base=1").
		dump("11.05", Blue, 5).put("11.05", "x-abn2/move")
}

// Cargo is loaded at X and at Y and unloaded at Y and at Z; both legs are in range, and both are missions (OCS 21.12a).
func TestFlyOn(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.12a", "OCS 21.12", "OCS 14.9a", "OCS 14.9f", "OCS 12.2a")
	g := threeBases(t)
	g.do("airlift b-tp 11.05 lines=[unit=x-abn;by=b-tp],[count=1;by=b-tp]")
	g.want("asks", "fly-on", "place x-abn", "aboard")
	if got := len(g.lists("fly-on")); got != 7 { // none; to each of two bases all aboard, 2 T, a battalion
		t.Errorf("it lists %d ways to go on: %v", got, g.lists("fly-on"))
	}
	g.refused("OCS 21.12a", "fly-on b-tp 12.05 lines=[unit=x-abn;by=b-tp]")
	g.refused("OCS 21.12a", "fly-on b-tp 11.05 lines=[unit=x-abn;by=b-tp]")
	g.refused("OCS 21.12a", "fly-on b-tp2 15.05 lines=[count=1;by=b-tp2]")
	g.refused("OCS 14.9a", "fly-on b-tp 15.05 lines=[unit=x-abn;by=b-tp],[count=2;by=b-tp]")
	g.refused("OCS 14.9", "fly-on b-tp 15.05 lines=[unit=y-inf;by=b-tp]")
	// the token is unloaded, a battalion loaded
	g.do("fly-on b-tp 15.05 lines=[unit=x-abn;by=b-tp],[unit=x-abn2;by=b-tp]")
	g.want("frame", "", "place x-abn", "15.05", "place x-abn2", "15.05", "ground 11.05 blue", 6, "ground 15.05 blue", 0,
		"place b-tp", "15.05", "mark b-tp inactive", true)
	if n := g.p.airRoom(g.place("11.05")); n != oneToken {
		t.Errorf("%d is left at the first base", n)
	}
	if n := g.p.airRoom(g.place("15.05")); n != 2*oneToken { // whoever stays does not count
		t.Errorf("%d is left at the second base", n)
	}

	g = threeBases(t)
	g.do("airlift b-tp,b-f 11.05 lines=[count=1;by=b-tp]")
	g.do("fly-on b-tp 15.05 lines=[count=2;by=b-tp]") // one token more from the ground
	g.want("asks", "fly-back", "ground 11.05 blue", 4, "ground 15.05 blue", 2, "load b-tp", 0)
	g.do("fly-back b-f 05.05")
	g.want("frame", "")

	g = threeBases(t).dump("11.05", Blue, 1)
	g.do("airlift b-tp 11.05 lines=[count=1;by=b-tp]")
	g.do("fly-on b-tp 15.05 lines=[count=2;by=b-tp]") // all that lies there
	g.want("ground 11.05 blue", 0, "ground 15.05 blue", 2)

	g = threeBases(t).dump("11.05", Blue, 0)
	g.do("airlift b-tp 11.05 lines=[count=1;by=b-tp]")
	g.refused("OCS 12.2a", "fly-on b-tp 15.05 lines=[count=2;by=b-tp]") // nothing lies there
	g = threeBases(t)
	g.do("airlift b-tp 11.05 lines=[count=2;by=b-tp]")
	g.do("fly-on")
	g.want("asks", "fly-back", "ground 11.05 blue", 7)
	g.do("fly-back b-tp 15.05")
	g.do("airlift b-tp2,b-h1,b-h2 11.05 lines=[count=2;by=b-tp2]")
	// a token more is no longer unloaded here
	g.refused("OCS 14.9f", "fly-on b-tp2,b-h1,b-h2 15.05 lines=[count=1;by=b-tp2]")
	g.do("fly-on") // no room is left: it goes back
	g.want("ground 11.05 blue", 7, "ground 05.05 blue", 18)
}

// The second leg is in the range of the way of flight; nobody flies on who came one way, or without the option
// (OCS 21.12a, OCS 14.9e).
func TestFlyOnRange(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.12a", "OCS 14.9e")
	g := threeBases(t).hex("18.05", "owner=blue air_base=1")
	g.do("airlift b-tp 11.05 lines=[count=1;by=b-tp;flight=short]")
	g.refused("OCS 21.12a", "fly-on b-tp 18.05 lines=[count=1;by=b-tp]") // 7 hexes
	g.do("fly-on b-tp 15.05 lines=[count=4;by=b-tp]")                    // twice its capacity
	g.want("ground 15.05 blue", 4, "ground 11.05 blue", 2, "place b-tp", "15.05")
	g = threeBases(t)
	g.do("airlift b-tp 11.05 lines=[count=1;by=b-tp;flight=one-way]")
	g.want("frame", "", "place b-tp", "11.05")
	g = lifted(t, SegMovement, Blue, "1").hex("15.05", "owner=blue air_base=1")
	g.do("airlift b-tp 11.05 lines=[count=1;by=b-tp]")
	g.want("asks", "fly-back")
}

// The second leg may be intercepted too; who aborts there brings the cargo back to the first base (OCS 21.12a).
func TestFlyOnIntercepted(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.12a", "OCS 14.4g")
	g := threeBases(t).put("19.05", "r-f").hex("19.05", "air_base=1 owner=red")
	g.do("airlift b-tp 11.05 lines=[count=1;by=b-tp]")
	g.as(Red, "intercept", 1, 1)
	g.do("fly-on b-tp 15.05 lines=[count=1;by=b-tp]")
	g.want("asks", "intercept")
	g.as(Red, "intercept unit=r-f", 6, 6, 1)
	g.want("frame", "", "ground 15.05 blue", 0, "ground 11.05 blue", 6, "load b-tp", 0)
}
