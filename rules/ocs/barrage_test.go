package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// barraged is the fact of the barrage that an outcome resolves.
func barraged(t testing.TB, out *rules.Outcome) *ocsv1.BarrageResolved {
	t.Helper()
	for _, e := range out.Events {
		if k, ok := e.Event.(*event).GetFact().(*ocsv1.Event_BarrageResolved); ok {
			return k.BarrageResolved
		}
	}
	t.Fatal("no barrage was resolved")
	return nil
}

// guns are counters of cases of barrage.
var guns = []string{"x-8 blue battalion other artillery_towed (1)-1-3truck/b8r2 (1)-1-14truck/b4r2 artillery",
	"x-8b blue battalion other artillery_towed (1)-1-3truck/b8r2 (1)-1-14truck/b4r2 artillery",
	"x-1 blue battalion other artillery_towed (1)-1-3truck/b1r3 (1)-1-14truck/b0r3 artillery",
	"x-big blue battalion other artillery_towed (1)-1-3truck/b200r3 (1)-1-14truck/b1r3 artillery",
	"x-inf blue battalion other infantry 4-4-3leg 1-4-8leg",
	"x-hq blue corps other headquarters (5)-0-2truck/t10truck (1)-0-8truck/t5truck hq",
	"y-4 red division other infantry 4-4-3leg 3-3-8leg re=4 steps=4",
	"y-4b red division other infantry 4-4-3leg 3-3-8leg re=4 steps=4",
	"y-re red regiment other infantry 4-4-3leg 3-3-8leg", "y-re2 red regiment other infantry 4-4-3leg 3-3-8leg",
	"y-bn red battalion other infantry 4-4-3leg 3-3-8leg"}

// The example of artillery barrage, number for number (EX-10.1b-1). The 8 REs of the hex are of smaller units, as a
// division counts 3 at most.
func TestBarrageExample(t *testing.T) {
	t.Parallel()
	counters := append([]string{}, guns...)
	names := ""
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		counters = append(counters, "z-"+n+" red regiment other infantry 4-4-3leg 3-3-8leg")
		names += " z-" + n
	}
	g := onGround(t, counters...).put("10.05", "x-8 x-8b").put("10.05", "x-inf").put("10.06", names+" pax-red").
		hex("10.06", "hedgehog=1").
		dump("10.05", Blue, 5).segment(SegArtilleryBarrage, Blue)
	c := g.p.changed() // 10.06 is a village in the open
	c.eliminate(g.unit("pax-red.1"))
	g.change(c)
	rulestest.Proves(t, ruleset, "OCS 10.0", "OCS 10.1", "OCS 10.1b")
	g.refused("OCS 10.1b", "barrage x-8,x-8b 10.06 lines=[at=10.05;count=2]")
	g.do("barrage x-8,x-8b 10.06 lines=[at=10.05;count=3]")
	g.want("asks", "terrain", "ground 10.05 blue", 2)
	out := g.do("terrain lines=[at=10.06;terrain=village]", 4, 4, 3)
	rulestest.Proves(t, ruleset, "OCS 10.0a", "OCS 10.0b", "OCS 13.4")
	f := barraged(t, out)
	if f.Shift != 2 || f.Result != "[1/2]" || f.Die != 3 || f.Steps != 0 || !f.Disorganised || !f.Spotted {
		t.Errorf("resolved %v", f)
	}
	rulestest.Proves(t, ruleset, "OCS 5.10a-A", "OCS 10.0e-A")
	g.want("mode z-a", "dg", "mode z-h", "dg", "asks", "barrage", "frame", "", "mark x-8 barraged", true,
		"hexmark 10.06 barraged", true)
	g.refused("OCS 10.0e-A", "barrage x-1 10.06 lines=[at=10.05;count=1]")
}

// The owner distributes what a barrage takes as it likes (OCS 10.0a, OCS 9.11c).
func TestBarrageLosses(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.0a", "OCS 9.11c", "OCS 9.11a", "OCS 5.10c", "OCS 5.10b-A")
	g := onGround(t, guns...).put("12.04", "x-big x-inf").put("12.05", "y-4/exploitation y-re/reserve").
		dump("12.04", Blue, 20).segment(SegArtilleryBarrage, Blue)
	out := g.do("barrage x-big 12.05 lines=[at=12.04;count=10]", 6, 6)
	if f := barraged(t, out); f.Result != "3" || f.Steps != 3 || f.Shift != 1 { // 3 and 1 REs
		t.Errorf("resolved %v", f)
	}
	g.want("asks", "losses", "mode y-4", "dg", "mode y-re", "dg")
	g.refused("OCS 10.0a", "lose lines=[unit=y-4;count=2]")
	g.refused("OCS 9.10", "lose lines=[unit=y-4;count=4]")
	g.refused("OCS 9.11a", "lose lines=[unit=x-inf;count=1]")
	g.do("lose lines=[unit=y-4;count=3]")
	g.want("lost y-4", 3, "place y-re", "12.05", "asks", "barrage", "frame", "")
}

// Shifts by density, spotter, hedgehog, Strat mode; brackets.
func TestBarrageShifts(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.0a", "OCS 10.0b")
	for _, c := range []struct {
		name, red, spotter string
		hedgehog           string
		throws             []uint32
		shift              int32
		result             string
		steps              uint32
	}{
		{"1 RE", "y-re", "12.06", "0", []uint32{1, 1}, -1, "-", 0},
		{"1 1/2 REs", "y-re y-bn", "12.06", "0", []uint32{1, 1}, 0, "-", 0},
		{"a division counts 3", "y-4", "12.06", "0", []uint32{1, 1}, 0, "-", 0},
		{"two count 6", "y-4 y-4b", "12.06", "0", []uint32{1, 1}, 3, "-", 0},
		{"6 1/2", "y-4 y-4b y-bn", "12.06", "0", []uint32{1, 1}, 4, "-", 0},
		{"no spotter", "y-4", "09.03", "0", []uint32{1, 1}, -3, "-", 0},
		{"hedgehog", "y-4", "12.06", "2", []uint32{1, 1}, -1, "-", 0},
		{"Strat mode", "y-4/strat", "12.06", "0", []uint32{1, 1}, 3, "-", 0},
		{"half, lost", "y-4", "12.06", "0", []uint32{5, 6, 4}, 0, "1/2", 1},
		{"half, held", "y-4", "12.06", "0", []uint32{5, 6, 3}, 0, "1/2", 0},
		{"bracket, no spotter", "y-4/strat", "09.03", "0", []uint32{4, 6}, 0, "[1/2]", 0},
		{"bracket, hedgehog 3", "y-4/strat", "12.06", "3", []uint32{3, 4}, 2, "DG", 0},
		{"bracket, spotted", "y-4", "12.06", "0", []uint32{4, 6, 6}, 0, "[1/2]", 1},
		{"bracket, strong hedgehog", "y-4 y-re", "12.06", "3", []uint32{4, 6}, 0, "[1/2]", 0},
	} {
		g := onGround(t, guns...).put("12.03", "x-8").put(c.spotter, "x-inf").put("12.05", c.red).
			hex("12.05", "hedgehog="+c.hedgehog).dump("12.03", Blue, 20).
			segment(SegArtilleryBarrage, Blue)
		f := barraged(t, g.do("barrage x-8 12.05 lines=[at=12.03;count=2]", c.throws...)) // 8 is the column 8-11
		if f.Shift != c.shift || f.Result != c.result || f.Steps != c.steps || f.Spotted != (c.spotter == "12.06") {
			t.Errorf("%s: resolved %v", c.name, f)
		}
	}
}

// Who may fire at what, when, and who pays.
func TestBarrageLimits(t *testing.T) {
	t.Parallel()
	set := func(s Segment, state string) *table {
		return onGround(t, guns...).put("12.03", "x-8"+state+" x-8b"+state+" x-inf").put("13.03", "x-1"+state).
			put("12.05", "y-re").put("14.02", "y-re2").
			put("14.06", "truck-red/points_t=8").dump("12.03", Blue, 3).dump("12.02", Blue, 3).segment(s, Blue)
	}
	g := set(SegMovement, "")
	rulestest.Proves(t, ruleset, "OCS 10.0e", "OCS 10.0e-C")
	g.refused("OCS 2.1", "barrage x-8 12.05 lines=[at=12.03;count=2]") // OCS 10.0e-C
	g = set(SegArtilleryBarrage, "")
	rulestest.Proves(t, ruleset, "OCS 10.0", "OCS 10.0c", "OCS 10.0d", "OCS 10.0e-D", "OCS 10.0e-F", "OCS 10.1")
	g.refused("OCS 10.0e-D", "barrage x-inf 12.05 lines=[at=12.03;count=2]")
	g.refused("OCS 10.0", "barrage x-8 12.06 lines=[at=12.03;count=2]")
	g.refused("OCS 10.0", "barrage x-8 14.06 lines=[at=12.03;count=2]") // transports are no target
	g.refused("OCS 10.0c", "barrage x-8 12.05 target=port lines=[at=12.03;count=2]")
	g.refused("OCS 10.1", "barrage y-re 12.05 lines=[at=12.03;count=2]")
	rulestest.Proves(t, ruleset, "OCS 10.1a", "OCS 10.1b", "OCS 10.1b-A")
	g.refused("OCS 10.1b", "barrage x-8 12.05")
	g.refused("OCS 10.1b-A", "barrage x-8,x-8b 12.05 lines=[at=12.03;count=2],[at=12.02;count=1]")
	g.put("12.07", "y-4")
	g.refused("OCS 10.1a", "barrage x-8 12.07 lines=[at=12.03;count=2]")
	if got := g.lists("barrage"); len(got) != 3+1+3+1 { // on 12.05 and on 14.02: each alone, and all
		t.Errorf("it lists %v", got)
	}
	rulestest.Proves(t, ruleset, "OCS 10.1b-C")
	g.refused("OCS 2.1", "stocks x-8") // nobody is asked for stocks
	rulestest.Proves(t, ruleset, "OCS 10.0e-B")
	g.do("barrage x-8 12.05 lines=[at=12.03;count=2]", 1, 1)
	g.refused("OCS 10.0e-B", "barrage x-8 14.02 lines=[at=12.02;count=2]")
	g.do("barrage x-8b 14.02 lines=[at=12.02;count=2]", 1, 1)

	rulestest.Proves(t, ruleset, "OCS 13.4a")
	for _, mode := range []string{"/reserve", "/strat"} {
		set(SegArtilleryBarrage, mode).refused("OCS 13.4a", "barrage x-8 12.05 lines=[at=12.03;count=2]")
	}
	rulestest.Proves(t, ruleset, "OCS 10.1b-B")
	g = set(SegArtilleryBarrage, "/dg,oos") // half strength, but the supply state changes nothing; 4 + 4 is 8
	g.do("barrage x-8,x-8b 12.05 lines=[at=12.03;count=2]", 1, 1)
	g.put("13.03", "x-1/move").refused("OCS 10.0", "barrage x-1 14.02 lines=[at=12.02;count=1]") // 0 on this face
}

// In the Reaction and Exploitation Phases only released artillery fires; an HQ may pay for all of a barrage out of
// several dumps.
func TestReleasedGuns(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.0e-E", "OCS 10.1b-A", "OCS 11.0a", "OCS 11.0c")
	for _, s := range []struct {
		segment Segment
		phasing rules.Seat
	}{{SegExploitBarrage, Blue}, {SegReactionBarrage, Red}} {
		g := onGround(t, guns...).put("12.03", "x-8 x-8b").put("12.02", "x-hq").put("12.05", "y-re").
			dump("12.01", Blue, 2).dump("11.01", Blue, 1).
			segment(s.segment, s.phasing)
		g.refused("OCS 10.0e-E", "barrage x-8 12.05 lines=[at=12.01;count=2]")
		if got := g.lists("barrage"); len(got) != 0 {
			t.Errorf("it lists %v", got)
		}
		g.put("12.03", "x-8/set=released x-8b/set=released")
		g.do("barrage x-8,x-8b 12.05 lines=[at=12.01;count=2;by=x-hq],[at=11.01;count=1;by=x-hq]", 1, 1)
		g.want("ground 12.01 blue", 0, "ground 11.01 blue", 0)
	}
}

// A port is hit on the facility table, up to 4 hits.
func TestPortBarrage(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.0c", "OCS 10.0c-B", "OCS 10.0f", "OCS 10.0e-A")
	g := onGround(t, guns...).put("06.06", "x-big").put("06.07", "x-8").put("05.07", "y-re").
		hex("05.07", "port_hits=3").dump("06.06", Blue, 20).segment(SegArtilleryBarrage, Blue)
	g.refused("OCS 10.1b", "barrage x-big 05.07 target=port lines=[at=06.06;count=10]")
	g.do("barrage x-big 05.07 target=port lines=[at=06.06;count=8]", 5)
	g.want("hits 05.07", 4, "mode y-re", "combat")
	g.refused("OCS 10.0e-A", "barrage x-8 05.07 target=units lines=[at=06.06;count=2]") // EX-10.0f-1
}
