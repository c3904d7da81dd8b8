package ocs

import (
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// A unit that has done anything in the phase, or promised to stay, is not shipped (OCS 19.0f-C).
func TestWhoIsShipped(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 19.0f-C", "OCS 19.0f", "OCS 4.5b", "OCS 12.7")
	for mark, rule := range map[ocsv1.UnitMark]string{
		ocsv1.UnitMark_UNIT_MARK_MOVED: "OCS 19.0f-C", ocsv1.UnitMark_UNIT_MARK_DONE: "OCS 19.0f-C",
		ocsv1.UnitMark_UNIT_MARK_AIRLIFTED: "OCS 19.0f-C",
		ocsv1.UnitMark_UNIT_MARK_SHIPPED:   "OCS 19.0f-C", ocsv1.UnitMark_UNIT_MARK_COMMITTED: "OCS 4.5b",
		ocsv1.UnitMark_UNIT_MARK_BUILDING: "OCS 4.5b",
		ocsv1.UnitMark_UNIT_MARK_EXTENDER: "OCS 12.7",
	} {
		g := atPorts(t).put("05.07", "x-1/move").segment(SegMovement, Blue)
		c := g.p.changed()
		c.mark(g.unit("x-1"), mark)
		g.change(c).refused(rule, "ship x-1 at=05.12 tokens=0")
	}
	g := atPorts(t).put("05.07", "x-1/move").segment(SegMovement, Blue)
	c := g.p.changed()
	c.spend(g.unit("x-1"), oneMP) // it scouted
	g.change(c).refused("OCS 19.0f-C", "ship x-1 at=05.12 tokens=0")
	g = atSea(t, landers, nil, "z-gun blue battalion other artillery_towed (1)-1-3leg/b20r5 "+
		"(1)-1-6leg artillery rail_only").hex("05.07", "owner=blue").hex("05.12", "owner=blue").
		put("05.07", "z-gun/move").segment(SegMovement, Blue)
	g.refused("OCS 19.0f", "ship z-gun at=05.12 tokens=0")
}

// What is shipped together arrives together, and what comes ashore is not carried on: neither what lies on the ground
// nor what trucks carry (OCS 12.2a).
func TestShippedTogether(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 19.0f", "OCS 12.2a")
	g := atPorts(t).put("05.07", "x-1/move x-3/move truck-blue/points_t=4,load_t=4").dump("05.07", Blue, 8).
		segment(SegMovement, Blue)
	both := g.clone()
	both.do("ship x-1,x-3 at=05.12 tokens=0")
	both.want("place x-1", "05.12", "place x-3", "05.12", "mark x-3 done", true)
	g.do("ship from=05.07 at=05.12 tokens=2")
	g.do("ship from=05.07 at=05.12 tokens=3")
	if n := g.p.carriedHere(Blue, g.place("05.12")); n != 5 {
		t.Errorf("%d tokens came by sea", n)
	}
	g.refused("OCS 12.2a", "ship from=05.12 at=05.07 tokens=1")
	g.do("ship truck-blue.1 at=05.12 tokens=0")
	if got := g.p.units[g.unit("truck-blue.1")].carried; got != uint8(ocsv1.Carriage_CARRIAGE_SEA) {
		t.Errorf("what the trucks carry came by %d", got)
	}
}

// A port may take a unit larger than its capacity, but not supply with it (OCS 19.0a-i).
func TestOversizedAlone(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 19.0a-i", "OCS 19.0a")
	g := landing(t).put("07.01", "lc/points_t=12 x-1").dump("07.01", Blue, 4).segment(SegMovement, Blue)
	g.refused("OCS 19.0a", "embark x-1 unit=lc.1 tokens=1")
	g.do("embark x-1 unit=lc.1")
}

// A printed track of a port begins with its capacity and never rises (OCS 19.0b).
func TestPortTracks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 19.0b")
	for _, track := range [][]uint32{{15, 15, 7, 3, 0}, {16, 17, 7, 3, 0}, {16, 15, 7, 8, 0}} {
		doc := document(t, "proving-ground")
		for _, h := range doc.GetMap().GetHexes() {
			if h.GetId() == "05.12" {
				h.Port.TrackT = track
			}
		}
		if _, faults := loadMessage(doc); !strings.Contains(faults.Error(), "never rises") {
			t.Errorf("%v: faults %v", track, faults)
		}
	}
}

// Whoever has ended its move, promised to stay or came by sea does not go aboard; neither does supply that was unloaded
// in the phase (OCS 18.4c, OCS 12.2a).
func TestWhoGoesAboard(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.1f", "OCS 4.5b", "OCS 18.4c", "OCS 12.2a")
	for mark, rule := range map[ocsv1.UnitMark]string{
		ocsv1.UnitMark_UNIT_MARK_DONE: "OCS 6.1f", ocsv1.UnitMark_UNIT_MARK_SHIPPED: "OCS 6.1f",
		ocsv1.UnitMark_UNIT_MARK_COMMITTED: "OCS 4.5b",
		ocsv1.UnitMark_UNIT_MARK_BUILDING:  "OCS 4.5b", ocsv1.UnitMark_UNIT_MARK_EXTENDER: "OCS 12.7",
	} {
		g := landing(t).put("05.07", "lc/points_t=12 x-1").segment(SegMovement, Blue)
		c := g.p.changed()
		c.mark(g.unit("x-1"), mark)
		g.change(c).refused(rule, "embark x-1 unit=lc.1")
	}
	g := landing(t).put("05.07", "lc/points_t=12 x-1/exploitation").segment(SegMovement, Blue)
	g.refused("OCS 18.4c", "embark x-1 unit=lc.1")
	g = landing(t).put("05.07", "lc/points_t=12 x-1/exploitation").segment(SegExploitMove, Blue)
	g.do("embark x-1 unit=lc.1")
	g = landing(t).put("05.07", "lc/points_t=12,load_t=4 lc/points_t=12").dump("05.07", Blue, 2).
		segment(SegMovement, Blue)
	g.do("disembark unit=lc.1 tokens=4")
	g.refused("OCS 12.2a", "embark unit=lc.2 tokens=3")
	g.do("embark unit=lc.2 tokens=2")
}
