package ocs

import (
	"slices"
	"strings"
	"testing"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// landers are landing craft and warships of the cases of landings.
var landers = []string{"lc blue lc 10 0 0", "lst blue lst 10 0 0", "dukw blue dukw 8 0 0 ashore=dukw-ashore",
	"w-1 blue cruiser 14/7 3 2/1 3 20/10 single lift=4",
	"w-0 blue transport 0/0 3 2/1 3 20/10 single", "lc-r red lc 10 0 0"}

// marching are land units of those cases.
var marching = []string{"x-1 blue regiment other infantry 6-3-4leg 4-3-8leg",
	"x-2 blue regiment other infantry 6-3-4leg 4-3-8leg", "x-3 blue regiment other marine 6-3-4leg 4-3-8leg",
	"x-div blue division other infantry 12-3-4leg 9-3-8leg", "x-bn blue battalion other infantry 3-3-4leg 2-3-6leg",
	"x-tk blue battalion armor armor 5-3-6track 3-3-12track",
	"x-big blue division other infantry 15-3-4leg 9-3-8leg re=4 steps=4",
	"y-1 red regiment other infantry 4-2-3leg 3-2-8leg", "y-2 red regiment other infantry 4-2-3leg 3-2-8leg",
	"y-cb red battalion other coastal_battery (1)-0-0leg/b10r3 (1)-0-0leg coastal",
	"x-hq blue corps other headquarters (5)-0-3leg/t8truck (1)-0-8leg/t8truck hq"}

// landing is the proving ground with landing craft, blue's ports and nobody on the coast.
func landing(t testing.TB) *table {
	t.Helper()
	g := atSea(t, landers, nil, marching...)
	for _, at := range []string{"05.07", "05.12", "07.01"} {
		g.hex(at, "owner=blue")
	}
	return g
}

// aboard puts units aboard a ship.
func (g *table) aboard(ship string, units ...string) *table {
	g.t.Helper()
	c := g.p.changed()
	for _, word := range units {
		id, mode, _ := strings.Cut(word, "/")
		u := g.unit(id)
		c.move(u, Aboard)
		m := c.unit(u)
		m.Aboard = &ship
		if mode == "move" {
			m.Face = ocsv1.Face_FACE_MOVE
		}
	}
	return g.change(c)
}

// Landing craft load in ports, what fits, in modes that may land; the port counts it (OCS 18.4).
func TestEmbark(t *testing.T) {
	t.Parallel()
	g := landing(t).put("05.07", "lc/points_t=12 dukw/points_t=4 x-1 x-2/dg x-3/reserve x-bn/move x-tk/move "+
		"truck-blue/points_t=4 x-big/move").put("04.10", "lc/points_t=4 x-div").put("01.01", "lc-r/points_t=4").
		dump("05.07", Blue, 20).dump("04.10", Blue, 4).segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 18.4", "OCS 18.4a", "OCS 18.4c", "OCS 18.4e-B", "OCS 5.10d")
	g.refused("OCS 18.4c", "embark unit=lc.2 units=x-div")
	g.refused("OCS 18.4c", "embark unit=lc.1 units=x-div")
	g.refused("OCS 5.10d", "embark unit=lc.1 units=x-2")
	g.refused("OCS 18.4c", "embark unit=lc.1 units=x-3") // in Reserve
	g.refused("OCS 18.4a", "embark unit=lc.1 units=x-big")
	g.refused("OCS 18.4a", "embark unit=lc.1 tokens=13")
	g.refused("OCS 18.4e-B", "embark unit=dukw.1 units=x-tk")
	g.refused("OCS 18.4", "embark unit=lc-r.1 tokens=1")
	if got := g.lists("embark"); !slices.Contains(got, "embark x-1 unit=lc.1") ||
		!slices.Contains(got, "embark unit=lc.1 tokens=12") || !slices.Contains(got, "embark x-bn unit=dukw.1") ||
		slices.Contains(got, "embark x-tk unit=dukw.1") {
		t.Errorf("it lists %v", got)
	}
	out := g.do("embark x-1 unit=lc.1 tokens=4")
	if got := g.told(out); !strings.Contains(got, "loads at Bigport 05.07: x-1, 4T") {
		t.Errorf("told %q", got)
	}
	for _, e := range out.Events { // cargo is never shown
		if rules.SeatViewer(Red).MaySee(e.Audience) {
			if _, ok := e.Event.(*event).GetFact().(*ocsv1.Event_Sighted); !ok {
				t.Errorf("red sees %v", e.Event)
			}
		}
	}
	g.want("place x-1", "aboard", "load lc.1", 4, "ground 05.07 blue", 16)
	g.do("embark truck-blue.1 unit=lc.1")
	g.refused("OCS 18.4a", "embark unit=lc.1 tokens=1") // 12 of 12
	g.do("embark x-bn unit=dukw.1")                     // 1 T
	rulestest.Proves(t, ruleset, "OCS 18.4b")
	g.do("sail lc.1 04.07")
	g.want("place x-1", "aboard", "place lc.1", "04.07")
	if at := g.p.spot(g.unit("x-1")); g.sc.PlaceID(at) != "04.07" {
		t.Errorf("x-1 is at %s", g.sc.PlaceID(at))
	}
	g = landing(t).put("05.07", "lc/points_t=12 x-1 x-2").put("06.07", "y-1").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 19.0a-ii")
	g.refused("OCS 19.0a-ii", "embark x-1 unit=lc.1")
	g.do("commit x-2")
	g.do("embark x-1 unit=lc.1") // negated: Decision D78
	landing(t).put("05.07", "lc/points_t=12").dump("05.07", Blue, 3).segment(SegMovement, Blue).refused("OCS 18.4c",
		"embark unit=lc.1 tokens=4")
	g = landing(t).put("05.07", "lc/points_t=12 x-1").segment(SegReactionMove, Red)
	g.do("embark x-1 unit=lc.1") // also in the Reaction Phase
}

// Unloading in a port needs no roll, ends the craft's move and that of what it carried, and takes supply and transports
// too (OCS 18.5g).
func TestDisembark(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5g", "OCS 18.5h-i", "OCS 18.5d", "OCS 18.5a")
	start := func(s Segment, phasing rules.Seat) *table {
		return landing(t).put("07.01", "x-1 lc/points_t=12,load_t=4 truck-blue/points_t=4,load_t=2").
			aboard("lc.1", "x-1", "truck-blue.1").segment(s, phasing)
	}
	g := start(SegMovement, Blue)
	g.refused("OCS 19.0a", "disembark unit=lc.1 tokens=3") // a port of 2 T
	g.refused("OCS 18.5g", "disembark unit=lc.1 tokens=5")
	g.refused("OCS 18.5", "disembark x-2 unit=lc.1")
	other := landing(t).put("07.01", "lc/points_t=12 dukw/points_t=4 x-bn").aboard("dukw.1", "x-bn").
		segment(SegMovement, Blue)
	other.refused("OCS 18.5", "disembark x-bn unit=lc.1")
	isLoad := func(n *boardv1.Number) bool { return n.GetKey() == "load" && n.GetValue() == tokens(4) }
	for _, piece := range g.p.Board(rules.SeatViewer(Blue), rules.English).GetPieces() {
		if piece.GetId() == "lc.1" && !slices.ContainsFunc(piece.GetNumbers(), isLoad) {
			t.Errorf("the craft is drawn as %v", piece)
		}
	}
	g.do("disembark unit=lc.1 tokens=2")
	g.want("ground 07.01 blue", 2, "load lc.1", 2, "mark lc.1 done", true)
	g.refused("OCS 18.5a", "sail lc.1 06.01")
	g.refused("OCS 19.0a", "disembark x-1 unit=lc.1")
	g = start(SegMovement, Blue)
	if got := g.lists("disembark"); !slices.Equal(got,
		[]string{"disembark x-1 unit=lc.1", "disembark unit=lc.1 tokens=2", "disembark unit=lc.1 tokens=1"}) {
		t.Errorf("it lists %v", got)
	}
	g.do("disembark x-1 unit=lc.1") // larger than the port: OCS 19.0a-i
	g.want("place x-1", "07.01", "mark x-1 done", true, "fuel x-1", "none")
	g.refused("OCS 6.1f", "move x-1 07.02")
	g.refused("OCS 19.0a-i", "disembark unit=lc.1 tokens=1")
	g = start(SegReactionMove, Red)
	g.do("disembark x-1 unit=lc.1")
	g = landing(t).put("04.07", "x-1 lc/points_t=12").aboard("lc.1", "x-1").segment(SegMovement, Blue)
	g.refused("OCS 18.5g", "disembark x-1 unit=lc.1")
}

// Landing craft split and merge with what is aboard (OCS 18.4d).
func TestCraftSplit(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.4d")
	g := landing(t).put("04.07", "x-1 lc/points_t=12,load_t=4,spent_twelfths=24 lst/points_t=12").aboard("lc.1", "x-1").
		segment(SegReactionMove, Red)
	g.refused("OCS 18.4d", "split-craft unit=lc.1 points=12")
	g.refused("OCS 18.4d", "split-craft unit=lc.1 points=9 tokens=0") // 3 T stay for 8
	g.refused("OCS 18.4d", "merge-craft lc.1,lst.1")
	if got := g.lists("split-craft"); !slices.Contains(got, "split-craft unit=lc.1 points=4") ||
		!slices.Contains(got, "split-craft x-1 unit=lc.1 points=4") {
		t.Errorf("it lists %v", got)
	}
	g.do("split-craft x-1 unit=lc.1 points=4")
	g.want("points lc.1", 8, "load lc.1", 4, "points lc.2", 4, "load lc.2", 0)
	if got := g.p.passengers(g.unit("lc.2")); !slices.Equal(got, []Unit{g.unit("x-1")}) {
		t.Errorf("aboard lc.2: %v", g.p.ids(got))
	}
	g.do("sail lc.1 04.08")
	g.refused("OCS 18.4d", "merge-craft lc.1,lc.2")
	g.do("sail lc.2 04.08")
	if got := g.lists("merge-craft"); !slices.Equal(got, []string{"merge-craft lc.1,lc.2"}) {
		t.Errorf("it lists %v", got)
	}
	g.do("merge-craft lc.1,lc.2")
	g.want("points lc.1", 12, "load lc.1", 4, "place lc.2", "gone", "spent lc.1", g.fact("spent lc.1"))
	if got := g.p.passengers(g.unit("lc.1")); len(got) != 1 {
		t.Errorf("aboard: %v", g.p.ids(got))
	}
}

// Supply aboard is for units in the same or an adjacent hex, and no HQ throws it; what is aboard always traces (OCS
// 12.3c-i, OCS 12.6g).
func TestSupplyAfloat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.3c-i", "OCS 18.4c", "OCS 18.5e", "OCS 12.6g")
	g := landing(t).put("04.08", "lc/points_t=12,load_t=6").put("04.09", "x-tk/move x-hq").put("04.10", "x-1").
		put("06.09", "x-2").segment(SegMovement, Blue)
	s := g.p.survey(Blue)
	for id, want := range map[string]int{"x-tk": 6, "x-hq": 6, "x-1": 0, "x-2": 0} { // order-free: each is its own case
		if got := s.inReach([]Unit{g.unit(id)}, false); got != want {
			t.Errorf("%s reaches %d", id, got)
		}
	}
	g.refused("OCS 12.3c-i", "fuel unit=x-tk lines=[unit=lc.1;count=1;by=x-hq]")
	g.do("fuel unit=x-tk lines=[unit=lc.1;count=1]")
	g.want("load lc.1", 5, "fuel x-tk", "phase")
	g = landing(t).put("04.08", "lc/points_t=12 x-1/oos").aboard("lc.1", "x-1").segment(SegSupply, Blue)
	g.do("done")
	g.do("done")
	g.want("mark x-1 out-of-supply", false)
}

// A position with cargo aboard landing craft, which are numbered after the units that they carry, is read as it was
// written.
func TestCargoIsWritten(t *testing.T) {
	t.Parallel()
	g := landing(t).put("04.08", "lst/points_t=12 lc/points_t=4 truck-blue/points_t=4,load_t=2 x-1").aboard("lst.1",
		"x-1", "truck-blue.1")
	text := g.p.format()
	q, err := parsePosition(g.sc, text)
	if err != nil {
		t.Fatal(err)
	}
	if got := q.format(); got != text {
		t.Errorf("it is written as\n%s, read again as\n%s", text, got)
	}
	if got := q.ids(q.passengers(g.unit("lst.1"))); !slices.Equal(got, []string{"x-1", "truck-blue.1"}) {
		t.Errorf("aboard are %v", got)
	}
	if q, err = parsePosition(g.sc, strings.Replace(text, "aboard=lst.1", "aboard=lst.7", 1)); err == nil ||
		!strings.Contains(err.Error(), "lst.7") {
		t.Errorf("what is aboard nothing is read: %v, %v", q, err)
	}
}

// What is loaded, unloaded or shipped is named in labels: units, tokens or both.
func TestCargoIsNamed(t *testing.T) {
	t.Parallel()
	g := landing(t).put("05.07", "lc/points_t=8 x-1/move").segment(SegMovement, Blue)
	for text, want := range map[string]string{
		"embark x-1 unit=lc.1": "x-1", "embark unit=lc.1 tokens=2": "2T", "disembark x-1 unit=lc.1 tokens=2": "x-1, 2T",
		"ship from=05.07 at=05.12 tokens=3": "3T",
	} {
		c, r := g.p.parseCommand(text)
		if r != nil {
			t.Fatal(text, r)
		}
		if got := g.p.cargoOf(&c).En; got != want {
			t.Errorf("%s names %q, expected %q", text, got, want)
		}
	}
}
