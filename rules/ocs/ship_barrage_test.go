package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Units ashore of the cases.
var (
	battery  = "y-cb red company other coastal_battery (1)-1-0leg/b6r3 (1)-1-0leg/b3r3 artillery coastal"
	guardRed = "y-1 red regiment other infantry 4-4-3leg 3-3-8leg"
	scouts   = "x-1 blue regiment other infantry 4-4-3leg 3-3-8leg"
)

// exploit begins the Exploitation Phase of blue, in which units may barrage again, and its barrage segment.
func (g *table) exploit() *table {
	g.t.Helper()
	return g.segment(SegExploitMove, Blue).segment(SegExploitBarrage, Blue)
}

// Ships barrage land once in a game turn, both player turns together, ships in every segment of theirs (EX-18-01).
func TestShoreBombardment(t *testing.T) {
	t.Parallel()
	g := atSea(t, []string{cruiser, flotilla, raiders}, nil, guardRed, strings.Replace(guardRed, "y-1", "y-2", 1),
		"x-art blue regiment other artillery_towed (1)-1-3leg/b20r5 (1)-1-6leg artillery").
		put("04.04", "b-ca b-dd").put("05.04", "y-1").put("09.04", "y-2").put("02.05", "r-dd").
		segment(SegReactionBarrage, Red)
	rulestest.Proves(t, ruleset, "OCS 18.3a")
	g.refused("OCS 18.3a", "naval-barrage b-dd,b-ca 09.04 target=units") // out of range
	g.refused("OCS 10.0", "naval-barrage b-ca 05.05 target=units")       // nobody there
	g.refused("OCS 18.3a", "naval-barrage r-dd 04.04 target=ships")      // the enemy's
	rulestest.Proves(t, ruleset, "OCS 10.0e-E", "OCS 10.3", "OCS 12.9d", "OCS 18.3")
	out := g.do("naval-barrage b-ca 05.04", 6, 4) // 14 in column 12-16, density -1, no spotter -3: column 2; 10 is DG
	if f := told[*ocsv1.Event_BarrageResolved](t, out).BarrageResolved; f.Shift != -4 || f.Result != "DG" || f.Spotted {
		t.Errorf("resolved %v", f)
	}
	g.want("mode y-1", "dg", "mark b-ca bombarded", true, "mark b-dd bombarded", false)
	g.refused("OCS 10.0e-A", "naval-barrage b-dd 05.04")
	g.refused("OCS 18.3a", "naval-barrage b-ca 02.05 target=ships") // once in a segment

	// In its own player turn of the same turn it fires at ships only; the other ship has the land before it.
	g.segment(SegBreakout, Blue).segment(SegAirNaval, Blue)
	rulestest.Proves(t, ruleset, "OCS 18.3a-A", "OCS 18.3a-B")
	g.refused("OCS 18.3a-B", "naval-barrage b-ca,b-dd 05.04")
	g.do("naval-barrage b-ca 02.05 target=ships")
	g.do("aim b-ca other=r-dd", 1, 1)
	g.do("naval-barrage b-dd 05.04", 1, 1)
	g.exploit()
	g.refused("OCS 18.3a-B", "naval-barrage b-dd 05.04")
	g.do("naval-barrage b-dd,b-ca 02.05 target=ships")
	g.do("aim b-dd,b-ca other=r-dd", 1, 1)
	g.want("asks", "exploit-barrage")
	g.inTurn(2).segment(SegWeather, rules.NoSeat, 1, 6, 6, 1, 1) // a new turn
	g.segment(SegBreakout, Blue).segment(SegAirNaval, Blue).want("mark b-dd bombarded", false)
	g.do("naval-barrage b-ca,b-dd 05.04", 1, 1)
}

// Against ground units a barrage by ships is reduced, on the facility table it is not; ships of several hexes fire
// together (OCS 18.3b).
func TestShipsAgainstLand(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3b", "OCS 10.3", "OCS 10.0c-B", "OCS 10.0e-F", "OCS 10.0b")
	for given, want := range map[string]string{"-": "-", "DG": "DG", "[1/2]": "DG", "1/2": "DG", "1": "1/2", "2": "1",
		"3": "2"} {
		if got := milder(given); got != want {
			t.Errorf("%s becomes %s, want %s", given, got, want)
		}
	}
	set := func() *table {
		return atSea(t,
			[]string{"b-bb blue battleship 60/30 4 3/2 5 20/10 single",
				"b-b2 blue battleship 57/30 4 3/2 5 20/10 single", raiders},
			nil, guardRed, scouts,
			"x-art blue regiment other artillery_towed 1-1-3leg/b20r5 1-1-6leg/b20r5 artillery").
			put("04.04", "b-bb").put("04.03", "b-b2").put("05.04", "y-1").put("06.04", "x-1 x-art").
			segment(SegAirNaval, Blue)
	}
	g := set()
	g.refused("OCS 18.3g", "naval-barrage x-art,b-bb 05.04") // one kind in a barrage
	g.put("03.05", "r-dd").refused("OCS 18.3g", "naval-barrage x-art 03.05 target=ships")
	// 117: the last column, density -1, spotted; 12 in 69-116 is 2, so 1
	out := g.do("naval-barrage b-bb,b-b2 05.04", 6, 6)
	if f := told[*ocsv1.Event_BarrageResolved](t, out).BarrageResolved; f.Shift != -1 || f.Result != "1" ||
		f.Steps != 1 || !f.Spotted {
		t.Errorf("resolved %v", f)
	} else if f := told[*ocsv1.Event_BarrageFired](t, out).BarrageFired; f.Strength != 117 || f.Seat != "blue" {
		t.Errorf("fired %v", f)
	}
	g = set().put("07.01", "").hex("07.01", "owner=red")
	g.put("06.01", "b-bb")
	g.do("naval-barrage b-bb 07.01 target=port", 5) // 60 in column 41-80: 5 is 2 hits
	g.want("hits 07.01", 2, "mark b-bb bombarded", true)
	g = set().put("06.01", "b-bb").hex("07.01", "owner=red air_base=3")
	g.do("naval-barrage b-bb 07.01 target=air-base", 5) // the same 2 hits on the air base
	g.want("base 07.01", 1, "hits 07.01", 0)
}

// Two units against two ships: both at one, or one at each; strengths are not split, no ship is barraged twice
// (EX-18-02).
func TestNavalTargets(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3c", "OCS 18.3c-A", "OCS 18.3c-B", "OCS 18.3c-C", "OCS 14.7", "OCS 18.3e")
	set := func() *table {
		g := atSea(t, []string{"r-ca red cruiser 8/4 3 0/0 3 20/10 single", raiders},
			[]string{"b-1 blue tactical (1)/(0) 10/5 30", "b-t blue tactical (1)/(0) (12)/(6) 30",
				"b-s blue strategic (2)/(1) 30/15 60"},
			scouts, guardRed).put("02.05", "r-ca r-dd").put("05.07", "b-1 b-t b-s").put("06.05", "y-1").
			hex("05.07", "air_base=2").segment(SegAirNaval, Blue)
		g.refused("OCS 14.1e-B", "air-barrage b-s,b-1 02.05 target=ships")
		g.refused("OCS 14.7", "air-barrage b-t 06.05")              // brackets: ships only
		g.refused("OCS 14.7", "air-barrage b-1 02.06 target=ships") // no ship
		g.do("air-barrage b-1,b-t 02.05 target=ships", 1, 1)        // flak of 0 and 1 for two ships: no hit
		g.want("asks", "aim", "hexmark 02.05 barraged", false)
		return g
	}
	g := set()
	g.refused("OCS 18.3c", "aim b-1,b-s other=r-ca")
	list := g.lists("aim")
	if want := []string{"aim b-1,b-t other=r-ca", "aim b-1 other=r-ca", "aim b-t other=r-ca", "aim b-1,b-t other=r-dd",
		"aim b-1 other=r-dd", "aim b-t other=r-dd", "aim"}; !slices.Equal(list, want) {
		t.Errorf("listed %q", list)
	}
	out := g.do("aim b-1,b-t other=r-ca", 3, 4) // 20 + 24 over 3 is 15, column 12-16, near +1: 17-24; 7 is DG
	if f := told[*ocsv1.Event_ShipBarraged](t, out).ShipBarraged; f.Strength != 44 || f.Defence != 3 || f.Shift != 1 ||
		f.Result != "DG" || f.Hits != 0 || !f.Disorganised {
		t.Errorf("told %v", f)
	}
	g.want("mode r-ca", "dg", "mode r-dd", "move", "asks", "fly-back")

	g = set()
	g.do("aim b-1 other=r-ca", 6, 5, 3) // 20 over 3 is 6.67: 7; column 5-7, near: 8-11; 11 is 1/2
	g.refused("OCS 18.3c", "aim b-t other=r-ca")
	g.do("aim b-t other=r-dd", 1, 1)
	g.want("asks", "fly-back")
}

// The rest of it with the die of the half, the second target and what each ship may suffer in a phase.
func TestOneBarrageAShip(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3c", "OCS 18.3d", "OCS 18.3d-A", "OCS 18.3d-B")
	g := atSea(t, []string{"r-ca red cruiser 8/4 3 0/0 3 20/10 single", raiders, cruiser, flotilla, gunboats}, nil).
		put("02.05", "r-ca r-dd").put("02.06", "b-ca b-dd").
		put("02.07", "b-gb").segment(SegAirNaval, Blue)
	g.do("naval-barrage b-ca,b-dd 02.05 target=ships")
	out := g.do("aim b-dd other=r-dd", 6, 5, 4) // 10 over 1, column 8-11: 11 is 1/2, 4 a hit
	if f := told[*ocsv1.Event_ShipBarraged](t, out).ShipBarraged; f.Hits != 1 || f.Die != 4 || f.Shift != 0 ||
		f.Strength != 10 || f.Defence != 1 {
		t.Errorf("told %v", f)
	}
	g.want("lost r-dd", 1, "mode r-dd", "dg", "mode r-ca", "move", "asks", "aim")
	g.refused("OCS 18.3c", "aim b-dd other=r-ca") // it has fired
	g.refused("OCS 18.3c", "aim b-ca other=r-dd") // barraged already
	g.refused("OCS 18.3c", "aim b-ca other=b-gb")
	g.do("aim b-ca other=r-ca", 6, 5, 3) // 14 over 3 is 5, column 5-7: 11 is 1/2, 3 none
	g.want("lost r-ca", 0, "mode r-ca", "dg", "asks", "air-naval")
	// as many barrages of the hex as one likes, none of these ships in this phase
	g.do("naval-barrage b-gb 02.05 target=ships")
	g.want("asks", "air-naval", "mark b-gb barraged", true)

	// DG on what is DG is a hit, and so is the DG of a hit, once in a barrage.
	g.exploit().want("mode r-ca", "dg")
	g.do("naval-barrage b-ca,b-dd 02.05 target=ships")
	g.do("aim b-ca other=r-ca", 4, 5) // 9 in column 5-7 is DG: a hit
	g.want("lost r-ca", 1, "place r-ca", "02.05")
	out = g.do("aim b-dd other=r-dd", 6, 5, 5) // 1/2 and DG on a reduced ship: 2 hits, sunk
	if f := told[*ocsv1.Event_ShipBarraged](t, out).ShipBarraged; f.Hits != 2 {
		t.Errorf("told %v", f)
	}
	g.want("place r-dd", "dead")

	// Without that constant the DG of a hit is no further hit.
	g.sc.Constants.HitsWithoutDg = true
	g.put("02.05", "r-dd/dg,lost=0").exploit()
	g.do("naval-barrage b-dd 02.05 target=ships")
	g.do("aim b-dd other=r-dd", 6, 5, 5)
	g.want("place r-dd", "02.05", "lost r-dd", 1)
}

// In a port a ship is always DG, so that every DG is a hit (OCS 18.3d-B); sunk ships count for victory.
func TestShipsInPort(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3d-B", "OCS 18.1d")
	g := atSea(t, []string{"r-ca red cruiser 8/4 3 0/0 3 20/10 single", flotilla}, nil, guardRed).
		put("07.01", "r-ca y-1").put("06.01", "b-dd").hex("07.01", "owner=red").segment(SegAirNaval, Blue)
	g.do("naval-barrage b-dd 07.01 target=ships")
	g.do("aim b-dd other=r-ca", 6, 5) // 10 over 3 is 3: column 3-4, 11 is DG, and DG again
	g.want("lost r-ca", 1, "mode y-1", "combat")
	g.exploit()
	g.do("naval-barrage b-dd 07.01 target=ships")
	g.do("aim b-dd other=r-ca", 6, 5)
	g.want("place r-ca", "dead")
	if n := g.p.sunkOf(&ocsv1.VictoryTest{Seat: "red", Ships: []string{"battleship", "cruiser"}}); n != 1 {
		t.Errorf("%d count", n)
	}
	if n := g.p.sunkOf(&ocsv1.VictoryTest{Seat: "red", Ships: []string{"battleship"}}); n != 0 {
		t.Errorf("%d count as battleships", n)
	}
}

// Landing craft lose points, all of a hex as one ship and one of them at random; so is cargo lost (EX-18-03).
func TestCraftHits(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3d-C", "OCS 18.3d-i")
	set := func(kinds string) *table {
		return atSea(t, []string{"r-du red dukw 8 0 0", "r-lst red lst 10 0 0", "r-lc red lc 10 0 0", flotilla}, nil,
			guardRed).put("02.05", kinds).put("02.06", "b-dd").segment(SegAirNaval, Blue)
	}
	fire := func(g *table, target string, dice ...uint32) *rules.Outcome {
		g.do("naval-barrage b-dd 02.05 target=ships")
		return g.do("aim b-dd other="+target, dice...)
	}
	// A 2-point DUKW with 1 SP and a regiment: the die says which of the two is lost.
	g := set("r-du/points_t=8,load_t=4")
	g.put("02.05", "y-1/place=aboard,aboard=r-du.1")
	h := *g
	out := fire(g, "r-du.1", 6, 5, 4, 1)
	g.want("points r-du.1", 4, "place y-1", "dead", "load r-du.1", 4, "mode r-du.1", "dg")
	for _, r := range out.Rolls {
		if r.Reason == "cargo" && (r.Sides != 2 || r.Audience != rules.OnlySeats(Red)) {
			t.Errorf("rolled %v", r)
		}
	}
	g = &h
	fire(g, "r-du.1", 6, 5, 4, 2)
	g.want("points r-du.1", 4, "place y-1", "aboard", "load r-du.1", 0)

	// An LST becomes other landing craft with a point less, its cargo with it.
	g = set("r-lst/points_t=12,load_t=4")
	g.put("02.05", "y-1/place=aboard,aboard=r-lst.1")
	fire(g, "r-lst.1", 6, 5, 4, 1)
	g.want("place r-lst.1", "gone", "place r-lc.1", "02.05", "points r-lc.1", 8, "load r-lc.1", 4, "place y-1",
		"aboard", "mode r-lc.1", "dg", "mark r-lc.1 shelled", true)
	if g.p.units[g.unit("y-1")].aboard != g.unit("r-lc.1") {
		t.Error("the regiment is not on what the LST became")
	}

	// All landing craft of a hex are one ship: one target, one DG, each hit takes a point from one of them.
	g = set("r-lc/points_t=4 r-lc/points_t=8")
	if got := strings.Join(g.lists("naval-barrage"), ", "); got != "naval-barrage b-dd at=02.05 target=ships" {
		t.Errorf("listed %s", got)
	}
	g.do("naval-barrage b-dd 02.05 target=ships")
	if got := strings.Join(g.lists("aim"), ", "); got != "aim b-dd other=r-lc.1, aim" {
		t.Errorf("listed %s", got)
	}
	g.do("aim b-dd other=r-lc.2", 6, 4) // [1/2]: DG
	g.want("mode r-lc.1", "dg", "mode r-lc.2", "dg", "mark r-lc.1 shelled", true)
	g.exploit()
	fire(g, "r-lc.2", 6, 5, 4, 1, 1) // a hit and another for the DG: one of the two is chosen, then there is one
	g.want("place r-lc.1", "gone", "points r-lc.2", 4)
}

// Ships fire with all the flak of their hex at missions against it (OCS 18.3f), for the other side only.
func TestShipFlak(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3f")
	g := atSea(t, []string{"r-ca red cruiser 8/4 3 4/1 3 20/10 single", "r-dd red destroyers 6/3 3 2/0 1 20/20",
		"r-lc red lc 10 1 0", cruiser}, []string{"b-1 blue tactical (1)/(0) 10/5 30"}).
		put("02.05", "r-ca r-dd/lost=1 r-lc/points_t=4").put("05.07", "b-1").hex("05.07", "air_base=2").
		segment(SegAirNaval, Blue)
	out := g.do("air-barrage b-1 02.05 target=ships", 1, 5) // 4 and 0 and 1: 11 with the dice
	if f := told[*ocsv1.Event_FlakRolled](t, out).FlakRolled; f.Modifier != 5 || !f.Hit {
		t.Errorf("rolled %v", f)
	}
	g.want("lost b-1", 1, "asks", "aim")
	g.do("aim b-1 other=r-dd", 1, 1) // 2 x 5

	g = atSea(t, []string{"r-ca red cruiser 8/4 3 4/1 3 20/10 single", cruiser},
		[]string{"b-1 blue tactical (1)/(0) 10/5 30"}, guardRed).
		put("07.01", "y-1 r-ca").put("05.07", "b-1").hex("05.07", "air_base=2").segment(SegAirNaval, Blue)
	if f := told[*ocsv1.Event_FlakRolled](t,
		g.do("air-barrage b-1 07.01 target=units", 1, 1)).FlakRolled; f.Modifier != 4 {
		t.Errorf("rolled %v", f)
	}
}

// From far the strength of air units shifts left with that option, from near right, and never for a strategic bomber,
// which does not fly against ships (OCS 18.3c-A, OCS 21.4-A); hip shoots at ships count for nothing but the ship (OCS
// 14.7d-D).
func TestFlightsAgainstShips(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3c-A", "OCS 21.4-A", "OCS 14.7d-D")
	for _, c := range []struct {
		base  string
		far   bool
		shift int32
	}{{"05.12", false, 1}, {"17.13", false, 0}, {"17.13", true, -1}, {"05.12", true, 1}} {
		g := atSea(t, []string{raiders}, []string{"b-1 blue tactical (1)/(0) 10/5 30"}).put("02.05", "r-dd").
			put(c.base, "b-1").hex(c.base, "air_base=2 owner=blue")
		g.p.opt.longFlights = c.far
		g.segment(SegAirNaval, Blue)
		g.do("air-barrage b-1 02.05 target=ships", 1, 1)
		if f := told[*ocsv1.Event_ShipBarraged](t, g.do("aim b-1 other=r-dd", 1, 1)).ShipBarraged; f.Shift != c.shift ||
			f.Strength != 20 {
			t.Errorf("from %s: %v", c.base, f)
		}
	}
	g := atSea(t, []string{raiders, cruiser},
		[]string{"b-1 blue tactical (1)/(0) 10/5 30", "b-2 blue tactical (1)/(0) 10/5 30"},
		scouts).put("04.04", "r-dd").put("05.07", "b-1 b-2").
		hex("05.07", "air_base=2").segment(SegMovement, Blue)
	g.refused("OCS 14.7d-C", "hip-shoot b-1 04.04 target=ships")
	g.put("05.04", "x-1")
	if got := g.lists("hip-shoot"); !slices.Contains(got, "hip-shoot unit=b-1 at=04.04 target=ships") {
		t.Errorf("listed %v", got)
	}
	g.do("hip-shoot b-1 04.04 target=ships", 1, 1)
	g.do("aim b-1 other=r-dd", 1, 1)
	g.do("fly-back b-1 05.07")
	g.do("hip-shoot b-2 04.04 target=ships", 1, 1) // the ship has been barraged in this phase
	g.want("asks", "fly-back")
}

// Coastal batteries fire at ships as ships do, without supply, in any mode but Reserve and Strat, and are artillery
// otherwise; ships fire at them alone (OCS 18.3g).
func TestCoastalBatteries(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3g", "OCS 18.3g-A", "OCS 18.3g-B", "OCS 18.2e")
	set := func(state string) *table {
		return atSea(t, []string{cruiser, flotilla, flattop}, nil, battery, guardRed, scouts).
			put("05.04", "y-cb"+state+" y-1").put("04.04", "b-ca").put("04.03", "b-cv").put("08.04", "x-1")
	}
	g := set("").segment(SegReactionBarrage, Blue) // without release
	if got := strings.Join(g.lists("naval-barrage"),
		", "); got != "naval-barrage y-cb at=04.03 target=ships, naval-barrage y-cb at=04.04 target=ships" {
		t.Errorf("listed %s", got)
	}
	g.refused("OCS 18.3g", "naval-barrage y-1 04.04 target=ships")
	g.refused("OCS 18.3g", "naval-barrage y-cb 08.04")                        // at land only as artillery
	g.refused("OCS 18.3g", "barrage y-cb 04.04 target=ships lines=[count=1]") // the other way about
	g.do("naval-barrage y-cb 04.03 target=ships")
	// the cruiser next to it is no screen; 6 over 4 is 1.5: 2; 12 in column 2 is 1/2
	out := g.do("aim y-cb other=b-cv", 6, 6, 1)
	if f := told[*ocsv1.Event_ShipBarraged](t, out).ShipBarraged; f.Strength != 6 || f.Defence != 4 ||
		f.Result != "1/2" || f.Hits != 0 {
		t.Errorf("told %v", f)
	}
	g.want("mode b-cv", "dg", "mark y-cb barraged", true)
	g.refused("OCS 18.3a", "naval-barrage y-cb 04.04 target=ships")
	for state, fires := range map[string]bool{"/reserve": false, "/strat": false, "/dg": true, "/move": true,
		"/oos": true} {
		g := set(state).segment(SegAirNaval, Red)
		if !fires {
			g.refused("OCS 18.3g", "naval-barrage y-cb 04.04 target=ships")
		} else {
			g.do("naval-barrage y-cb 04.04 target=ships")
			out := g.do("aim y-cb other=b-ca", 1, 1)
			if f := told[*ocsv1.Event_ShipBarraged](t,
				out).ShipBarraged; f.Strength != map[string]uint32{"/dg": 3, "/move": 3, "/oos": 6}[state] {
				t.Errorf("%s: strength %d", state, f.Strength)
			}
		}
	}
	g = set("").dump("05.04", Red, 8).segment(SegArtilleryBarrage, Red)
	g.do("barrage y-cb 08.04 lines=[at=05.04;count=2]", 1, 1) // as artillery, for supply

	// Ships fire at it as at a ship: observed, no shifts, not the hex; only a step loss counts, and it is no
	// bombardment of the shore.
	g = set("").put("04.04", "b-dd").segment(SegAirNaval, Blue)
	g.do("naval-barrage b-ca,b-dd 05.04 target=ships")
	if got := seen(g.p.view(rules.SeatViewer(Blue)), "05.04"); got != "y-1 y-cb" {
		t.Errorf("blue sees %q", got)
	}
	g.do("aim b-dd other=y-cb", 4, 5) // 9 in column 8-11: DG
	g.want("mode y-cb", "combat", "mode y-1", "combat", "mark b-dd bombarded", false, "hexmark 05.04 barraged", false)
	g.want("asks", "air-naval", "mark b-ca barraged", true)
	g.exploit()
	g.do("naval-barrage b-ca,b-dd 05.04 target=ships")
	g.do("aim b-ca,b-dd other=y-cb", 6, 6)
	g.want("place y-cb", "dead", "lost y-1", 0, "place y-1", "05.04")

	// Air units do not; a barrage in which none is found is spent.
	g = set("").put("05.05", "y-1").segment(SegAirNaval, Blue)
	if got := seen(g.p.view(rules.SeatViewer(Blue)), "05.04"); got != "y-cb" {
		t.Errorf("blue sees %q", got)
	}
	g.do("naval-barrage b-ca 05.05 target=ships")
	g.want("asks", "air-naval", "mark b-ca barraged", true)
	f := newFrame[navalBarrage](Red, g.place("05.04"))
	if r := g.p.mayHit(f, []Unit{g.unit("y-cb")}, g.unit("y-cb")); r == nil || r.Rule != "OCS 18.3c" {
		t.Errorf("own battery: %v", r)
	}

	// Air units that attack ships in its hex do not hit it.
	g = atSea(t, []string{"r-ca red cruiser 8/4 3 0/0 3 20/10 single"}, []string{"b-1 blue tactical (1)/(0) 10/5 30"},
		battery).put("07.01", "y-cb r-ca").put("05.07", "b-1").
		hex("05.07", "air_base=2").segment(SegAirNaval, Blue)
	g.do("air-barrage b-1 07.01 target=ships", 1, 1)
	g.refused("OCS 18.3g-B", "aim b-1 other=y-cb")
	if got := strings.Join(g.lists("aim"), ", "); got != "aim b-1 other=r-ca, aim" {
		t.Errorf("listed %s", got)
	}
}

// A barrage of ships and coastal batteries lists against each target all that may fire at it, its ships, its batteries,
// and each alone (OCS 18.3c, OCS 18.3g-B).
func TestAimGroups(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3c", "OCS 18.3g", "OCS 18.3g-B")
	own := strings.Replace(battery, "y-cb red", "x-cb blue", 1)
	set := func() *table {
		return atSea(t, []string{cruiser, flotilla, raiders}, nil, battery, own,
			strings.Replace(own, "x-cb", "x-cb2", 1)).
			put("07.01", "y-cb r-dd").put("06.01", "b-ca b-dd").put("07.02", "x-cb x-cb2").segment(SegAirNaval, Blue)
	}
	lists := func(g *table, want ...string) {
		t.Helper()
		if got := g.lists("aim"); !slices.Equal(got, want) {
			t.Errorf("listed %q", got)
		}
	}
	g := set()
	g.do("naval-barrage b-ca,x-cb,b-dd,x-cb2 07.01 target=ships")
	lists(g, "aim b-ca,x-cb,b-dd,x-cb2 other=r-dd", "aim b-ca,b-dd other=r-dd", "aim x-cb,x-cb2 other=r-dd",
		"aim b-ca other=r-dd", "aim x-cb other=r-dd", "aim b-dd other=r-dd", "aim x-cb2 other=r-dd",
		"aim b-ca,b-dd other=y-cb", "aim b-ca other=y-cb", "aim b-dd other=y-cb", "aim")
	g.refused("OCS 18.3g-B", "aim b-ca,x-cb other=y-cb")
	g.do("aim b-ca,b-dd other=y-cb", 1, 1)
	lists(g, "aim x-cb,x-cb2 other=r-dd", "aim x-cb other=r-dd", "aim x-cb2 other=r-dd", "aim")
	g = set()
	g.do("naval-barrage x-cb,b-dd 07.01 target=ships")
	lists(g, "aim x-cb,b-dd other=r-dd", "aim x-cb other=r-dd", "aim b-dd other=r-dd", "aim b-dd other=y-cb", "aim")
}
