package ocs

import (
	"slices"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestStackOrder(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.8b", "OCS 4.8b-A", "OCS 4.8b-B", "OCS 4.8b-C", "OCS 4.8b-D", "OCS 4.9a")
	g :=
		onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-2 blue regiment other infantry 5-3-3leg 2-3-8leg",
			"x-3 blue battalion other infantry (2)-3-3leg (1)-3-8leg").
			put("09.02", "x-1/lost=0 x-2 x-3 bl-corps truck-blue/points_t=8").put("14.05", "rd-8-pen").
			segment(SegMovement, Blue)
	top := func() string { return g.p.id(g.p.topOf(Blue, g.place("09.02"))) }
	if top() != "x-1" {
		t.Errorf("%s is on top", top())
	}
	g.refused("OCS 4.8b", "top rd-8-pen")
	g.refused("OCS 4.8b-C", "top x-3")
	g.refused("OCS 4.8b-C", "top truck-blue.1")
	out := g.as(Blue, "top x-2")
	if got := g.told(out); top() != "x-2" ||
		got != "x-2 lies on top of its stack. Blue in 09.02: x-2 on top, Combat mode." {
		t.Errorf("%s is on top, told %q", top(), got)
	}
	if !out.Revealed {
		t.Error("a unit became visible, and the record reveals nothing")
	}
	g.refused("OCS 4.8b", "top x-2")
	if g.do("top bl-corps"); top() != "bl-corps" { // no enemy is adjacent
		t.Errorf("%s is on top", top())
	}
	// What blue sees of it is all; red sees the top one only, without its stocks and losses, and no amounts.
	if v := g.p.view(rules.SeatViewer(Red)); seen(v, "09.02") != "bl-corps" {
		t.Errorf("red sees %s", seen(v, "09.02"))
	}
	if v := g.p.view(rules.SeatViewer(Blue)); seen(v, "09.02") != "bl-corps truck-blue.1 x-1 x-2 x-3" {
		t.Errorf("blue sees %s", seen(v, "09.02"))
	}
	// Before it comes adjacent the opponent is told that the stack under the HQ has a ZOC (OCS 4.8b-D).
	told := false
	for _, s := range g.p.Board(rules.SeatViewer(Red), rules.English).GetSpaces() {
		told = told || s.GetId() == "10.02" && slices.Contains(s.GetMarks(), "zoc-blue")
	}
	if !told {
		t.Error("red is not told of the ZOC in 10.02")
	}
	g.put("10.02", "rd-8-pen") // an enemy comes adjacent: the ZOC must be seen
	if top() != "x-1" {
		t.Errorf("%s is on top", top())
	}
	g.refused("OCS 4.8b-D", "top bl-corps")
	g.put("09.02", "x-1/move x-2/move") // no ZOC is left to hide
	if top() != "bl-corps" {
		t.Errorf("%s is on top", top())
	}
	g = onGround(t).put("09.02", "bl-corps truck-blue/points_t=8").segment(SegMovement, Blue)
	g.refused("OCS 4.9a", "top truck-blue.1")
}

// A dump under other pieces of its side does not show to the enemy, nor does its hex; a dump alone shows, without its
// amount. Its owner sees both.
func TestDumpsUnderPiecesAreHidden(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a", "OCS 3.6b")
	g := onGround(t).put("09.02", "bl-1-inf").dump("09.02", Blue, 9).dump("09.04", Blue, 7).
		segment(SegCombat, Blue) // blue's hexes from the beginning, or the enemy would see them by their owner
	for _, c := range []struct {
		viewer rules.Viewer
		under  []uint32 // nil where the view has no such hex
		alone  []uint32
	}{
		{rules.SeatViewer(Blue), []uint32{9, 0}, []uint32{7, 0}},
		{rules.SeatViewer(Red), nil, []uint32{0, 0}},
		{rules.Spectator, nil, []uint32{0, 0}},
		{rules.Auditor, []uint32{9, 0}, []uint32{7, 0}},
	} {
		seen := map[string][]uint32{}
		for _, h := range g.p.view(c.viewer).GetHexes() {
			seen[h.GetId()] = h.GetGroundT()
		}
		if !slices.Equal(seen["09.02"], c.under) || !slices.Equal(seen["09.04"], c.alone) {
			t.Errorf("%+v sees %v under a unit and %v alone", c.viewer, seen["09.02"], seen["09.04"])
		}
	}
}

// A hedgehog lies on top and hides nothing of the top unit; markers show the state of the top unit, its stocks and
// losses lie below (OCS 4.8b-B).
func TestSeenOnTop(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.6", "OCS 3.6a", "OCS 3.6b", "OCS 4.8b-F", "OCS 12.1c", "OCS Intro-II-h")
	g := onGround(t).put("09.02", "bl-1-inf/dg,oos,lost=1,stocks=low truck-blue/points_t=8,load_t=4").
		hex("09.02", "hedgehog=2").dump("09.02", Blue, 9).
		put("09.03", "truck-blue/points_t=8,load_t=4").dump("09.04", Blue, 9).segment(SegCombat, Blue)
	for _, c := range []struct {
		viewer rules.Viewer
		units  string
		lost   uint32
		stocks ocsv1.Stocks
		tokens []uint32
	}{
		{rules.SeatViewer(Blue), "bl-1-inf truck-blue.1", 1, ocsv1.Stocks_STOCKS_LOW, []uint32{9, 0}},
		{rules.SeatViewer(Red), "bl-1-inf", 0, ocsv1.Stocks_STOCKS_UNSPECIFIED, []uint32{0, 0}},
		{rules.Spectator, "bl-1-inf", 0, ocsv1.Stocks_STOCKS_UNSPECIFIED, []uint32{0, 0}},
	} {
		v := g.p.view(c.viewer)
		if got := seen(v, "09.02"); got != c.units {
			t.Errorf("%+v sees %s", c.viewer, got)
		}
		for _, u := range v.GetUnits() {
			if u.GetId() != "bl-1-inf" {
				continue
			}
			if u.GetLost() != c.lost || u.GetStocks() != c.stocks || u.GetMarker() != ocsv1.Marker_MARKER_DG ||
				!slices.Contains(u.GetMarks(), ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) {
				t.Errorf("%+v sees %v", c.viewer, u)
			}
		}
		for _, h := range v.GetHexes() {
			if h.GetId() == "09.02" && (h.GetHedgehog() != 2 || !slices.Equal(h.GetGroundT(), c.tokens)) {
				t.Errorf("%+v sees %v", c.viewer, h)
			}
		}
	}
	// Where nothing else lies a transport shows itself, and a dump that it is there; neither shows an amount.
	board := g.p.Board(rules.SeatViewer(Red), rules.English)
	found := 0
	for _, p := range board.GetPieces() {
		if p.GetPlace() == "09.03" && p.GetKind() == "transport" || p.GetPlace() == "09.04" && p.GetKind() == "dump" {
			found++
		}
		for _, n := range p.GetNumbers() {
			if p.GetOwner() == "blue" && (n.GetKey() == "load" || n.GetKey() == "points" || n.GetKey() == "supply") {
				t.Errorf("red sees %s of %s", n.GetKey(), p.GetId())
			}
		}
	}
	if found != 2 {
		t.Errorf("red sees %d of the transport and the dump", found)
	}
}
