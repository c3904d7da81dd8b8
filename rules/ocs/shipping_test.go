package ocs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Sea capacity carries units in Move mode and supply from port to port in the Movement Phase, for their weight, and
// they move in no other way (EX-19-01, EX-19-02 for capacities; EX-4.7-1 for weights).
func TestSeaCap(t *testing.T) {
	t.Parallel()
	g := atPorts(t).put(
		"05.07", "x-1/move x-2 x-3/move x-leg/move truck-blue/points_t=4,load_t=4 truck-blue/points_t=4",
	).put("05.12", "bl-22-sec").put("09.02", "x-4/move").
		dump("05.07", Blue, 30).segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 19.0f", "OCS 19.0f-A")
	g.refused("OCS 19.0f-A", "ship x-2 at=05.12 tokens=0")
	g.refused("OCS 19.0f", "ship x-4 at=05.12 tokens=0")
	g.refused("OCS 19.0f", "ship x-1 at=09.02 tokens=0")
	g.refused("OCS 19.0f", "ship bl-dd at=05.12 tokens=0")
	g.refused("OCS 19.0f", "ship from=05.07 at=05.12 tokens=31")
	rulestest.Proves(t, ruleset, "OCS 19.0", "OCS 19.0a", "OCS 19.0f-D", "OCS 19.0f-E")
	g.refused("OCS 19.0f-D", "ship from=05.07 at=blue-base tokens=17") // 16 T of sea capacity
	g.refused("OCS 19.0a", "ship from=05.07 at=07.01 tokens=3")        // a port of 2 T
	if got := g.lists("ship"); !slices.Contains(got, "ship from=05.07 at=05.12 tokens=16") ||
		!slices.Contains(got, "ship x-1 at=05.12") ||
		!slices.Contains(got, "ship from=05.07 at=07.01 tokens=2") || slices.ContainsFunc(got, func(s string) bool {
		return strings.Contains(s, "x-4") || strings.Contains(s, "x-2 ")
	}) {
		t.Errorf("it lists %v", got)
	}
	out := g.do("ship x-1 at=05.12 tokens=0")
	if got := g.told(out); !strings.Contains(got, "shipped from Bigport 05.07 to Northport 05.12") {
		t.Errorf("told %q", got)
	}
	g.want("place x-1", "05.12", "register blue sea-used", 4*oneToken, "mark x-1 done", true)
	g.refused("OCS 6.1f", "move x-1 06.12")
	rulestest.Proves(t, ruleset, "OCS 19.0f-C")
	g.refused("OCS 19.0f-C", "ship x-1 at=05.07 tokens=0")
	g.do("ship x-leg at=05.12 tokens=0") // half of its RE (OCS 4.7b)
	g.want("register blue sea-used", 6*oneToken)
	g.do("ship truck-blue.1 at=05.12 tokens=0") // its own value, loaded or not (OCS 4.7c)
	g.want("register blue sea-used", 10*oneToken, "load truck-blue.1", 4)
	g.do("move x-3 06.07>05.07")
	g.refused("OCS 19.0f-C", "ship x-3 at=05.12 tokens=0")
	g.do("ship from=05.07 at=05.12 tokens=3")
	g.want("ground 05.07 blue", 27, "ground 05.12 blue", 3, "mark x-3 done", true)
	g.refused("OCS 12.2a", "ship from=05.12 at=05.07 tokens=1")
	g.refused("OCS 19.0f-D", "ship truck-blue.2 at=blue-base tokens=0") // 3 T are left
	g.do("end")
	g.want("register blue sea-used", 0)
	g = atPorts(t).put("05.07", "x-1/move").segment(SegExploitMove, Blue)
	rulestest.Proves(t, ruleset, "OCS 19.0f-B")
	g.refused("OCS 19.0f-B", "ship x-1 at=05.12 tokens=0")
	if got := g.lists("ship"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
}

// What a port loads and unloads in a phase counts together; one unit may be larger than that.
func TestPortCapacity(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 19.0a", "OCS 19.0a-i")
	g := atPorts(t).put("07.01", "x-div/move x-co/move x-co2/move").put("05.07", "x-1/move").dump("07.01", Blue, 6).
		dump("05.07", Blue, 9).segment(SegMovement, Blue)
	g.do("ship from=07.01 at=05.07 tokens=1")
	g.refused("OCS 19.0a", "ship from=07.01 at=05.07 tokens=2")
	g.refused("OCS 19.0a", "ship x-div at=05.07 tokens=0") // it would need all of it
	g.do("ship from=05.07 at=07.01 tokens=1")              // in and out count together: EX-19-01
	g.refused("OCS 19.0a", "ship from=05.07 at=07.01 tokens=1")
	g.refused("OCS 19.0a", "ship x-co at=05.07 tokens=0")
	g.do("end")
	g = atPorts(t).put("07.01", "x-div/move x-co/move").dump("07.01", Blue, 6).segment(SegMovement, Blue)
	g.do("ship x-div at=05.07 tokens=0") // EX-19-02: 3 RE of a port of 2 T
	g.want("place x-div", "05.07")
	g.refused("OCS 19.0a-i", "ship x-co at=05.07 tokens=0")
	g.refused("OCS 19.0a-i", "ship from=07.01 at=05.07 tokens=1")
	for hits, left := range []int{24, 19, 14, 10, 5} { // OCS 19.0b
		g := atPorts(t).dump("05.07", Blue, 40).hex("05.07", fmt.Sprint("port_hits=", hits)).segment(SegMovement, Blue)
		g.p.sc.Seats[Blue].Doc.SeaCapacityT[0].Value = 80
		g.refused("OCS 19.0a", fmt.Sprint("ship from=05.07 at=blue-base tokens=", left+1))
		g.do(fmt.Sprint("ship from=05.07 at=blue-base tokens=", left))
	}
}

// Hits leave a share of a port's capacity, rounded to the nearest token, or what a printed track says; under 1 SP it is
// no source.
func TestPortDamage(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 19.0b", "OCS 19.0e")
	doc := document(t, "proving-ground")
	for _, h := range doc.GetMap().GetHexes() {
		if h.GetId() == "05.12" {
			h.Port.TrackT = []uint32{16, 15, 7, 3, 0}
		}
	}
	sc := load(t, doc)
	for hits, want := range [][2]int{{24, 16}, {19, 15}, {14, 7}, {10, 3}, {5, 0}} {
		g := (&table{t: t, p: newPosition(sc, options{}), sc: sc}).inTurn(1)
		for i, id := range []string{"05.07", "05.12"} {
			g.p.cell(g.place(id)).hits, g.p.cell(g.place(id)).owner = uint8(hits), Blue
			if got := g.p.portLeft(g.place(id)); got != want[i] {
				t.Errorf("%d hits on %s leave %d, want %d", hits, id, got, want[i])
			}
			if got := g.p.survey(Blue).works(g.place(id).Hex(), true); got != (want[i] >= oneSP) {
				t.Errorf("%d hits on %s: source %v", hits, id, got)
			}
		}
	}
	for _, h := range doc.GetMap().GetHexes() {
		if h.GetId() == "05.12" {
			h.Port.TrackT = []uint32{16, 17, 7, 3}
		}
	}
	if _, faults := loadMessage(doc); !strings.Contains(faults.Error(), "track_t") {
		t.Errorf("faults: %v", faults)
	}
}

// An enemy ZOC closes a port to sea capacity, negated or not; with night shipping it costs four times as much.
func TestPortsInZOC(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.5a-G", "OCS 19.0f-F", "OCS 19.0a-ii", "OCS 21.12b")
	start := func(flags ...string) *table {
		return atPorts(t).put("05.07", "x-1/move x-2").put("05.12", "x-3/move").dump("05.07", Blue, 20).
			put("06.07", "rd-1-inf").segment(SegMovement, Blue).with(flags...)
	}
	g := start()
	g.do("commit x-2") // it negates, to no avail
	g.refused("OCS 4.5a-G", "ship x-1 at=05.12 tokens=0")
	g.refused("OCS 19.0f-F", "ship x-3 at=05.07 tokens=0")
	if got := g.lists("ship"); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "05.07") }) {
		t.Errorf("it lists %v", got)
	}
	if r := g.p.checkPort(Blue, g.place("05.07"), "OCS 18.4c"); r != nil {
		t.Errorf("not blocked, since negated: %v", explain(r))
	}
	if r := start().p.checkPort(Blue, g.place("05.07"), "OCS 18.4c"); r == nil || r.Rule != "OCS 19.0a-ii" {
		t.Errorf("blocked: %v", r)
	}
	g = start(optNightShipping)
	g.do("ship x-1 at=05.12 tokens=0")
	g.want("register blue sea-used", 16*oneToken)
	g.refused("OCS 19.0f-D", "ship from=05.07 at=05.12 tokens=1")
	g = start(optNightShipping)
	g.refused("OCS 19.0f-D", "ship from=05.07 at=05.12 tokens=5")
	if got := g.lists("ship"); !slices.Contains(got, "ship from=05.07 at=05.12 tokens=4") {
		t.Errorf("it lists %v", got)
	}
}

// Trainbusting touches no ship and no sea capacity; the faster pace gives half more.
func TestSeaCapAmounts(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.8c-iii", "OCS 14.8c-v", "OCS 21.6c")
	g := atPorts(t).put("05.07", "x-1/move").hex("05.07", "trainbusting=red").hex("05.12", "trainbusting=red").
		dump("05.07", Blue, 30).segment(SegMovement, Blue)
	g.do("ship x-1 at=05.12 tokens=0")
	g.want("register blue sea-used", 4*oneToken)
	g = atPorts(t).dump("05.07", Blue, 30).segment(SegMovement, Blue).with(optFasterPace)
	if got := g.p.seaLeft(Blue); got != 24*oneToken {
		t.Errorf("sea capacity %d", got)
	}
	g = atPorts(t).with(optFasterPace)
	g.p.sc.Seats[Blue].Doc.SeaCapacityT[0].Value = 15 // 22 1/2
	if got := g.p.seaLeft(Blue); got != 23*oneToken {
		t.Errorf("sea capacity %d", got)
	}
}

// A unit larger than a port's capacity arrives there alone (OCS 13.6a).
func TestLargeArrivalAtPort(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.6a", "OCS 19.0a-i")
	g := atPorts(t).put("05.07", "x-1").hex("05.07", "port_hits=4") // 5 T
	e := &g.p.sc.Seats[Blue].Entries[g.p.sc.Seats[Blue].entry("port-05-07")]
	div, small := g.unit("x-div"), g.unit("x-2")
	for _, c := range []struct {
		units []Unit
		want  bool
	}{{[]Unit{div}, true}, {[]Unit{small}, true}, {[]Unit{div, small}, false}, {[]Unit{small, g.unit("x-3")}, false}} {
		if got := g.p.roomFor(Blue, e, g.place("05.07"), c.units); got != c.want {
			t.Errorf("%v: %v", g.p.ids(c.units), got)
		}
	}
	change := g.p.changed()
	change.mark(g.unit("x-1"), ocsv1.UnitMark_UNIT_MARK_ARRIVED)
	g.change(change)
	if g.p.roomFor(Blue, e, g.place("05.07"), []Unit{div}) {
		t.Error("the division arrives beside another unit")
	}
}

// What a port handled, and what goes by sea, is known to its owner only (OCS 4.9a).
func TestShippingIsHidden(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a")
	g := atPorts(t).put("05.07", "x-1/move bl-22-sec").put("05.12", "x-2").dump("05.07", Blue, 20).
		segment(SegMovement, Blue)
	for _, e := range g.do("ship from=05.07 at=05.12 tokens=3").Events {
		if rules.SeatViewer(Red).MaySee(e.Audience) {
			t.Errorf("red sees %v", e.Event)
		}
	}
}

// atPorts is the proving ground with units for the ports of blue: 05.07 of 24 T, 05.12 of 16 T, 07.01 of 2 T and the
// box of 80 T, and sea capacity of 16 T.
func atPorts(t testing.TB) *table {
	t.Helper()
	doc := document(t, "proving-ground")
	for _, line := range []string{"x-1 blue regiment other infantry 3-3-3leg 2-3-8leg",
		"x-2 blue regiment other infantry 3-3-3leg 2-3-8leg",
		"x-3 blue regiment mech infantry 3-3-3leg 2-3-8leg", "x-4 blue regiment other infantry 3-3-3leg 2-3-8leg",
		"x-leg blue regiment other infantry 3-3-3leg 2-3-6leg",
		"x-div blue division other infantry 9-3-3leg 5-3-8leg", "x-co blue company other infantry 1-3-3leg 1-3-8leg",
		"x-co2 blue company other infantry 1-3-3leg 1-3-8leg"} {
		doc.Counters.Units = append(doc.Counters.Units, counter(t, line))
	}
	sc := load(t, doc)
	g := (&table{t: t, p: newPosition(sc, options{}), sc: sc}).inTurn(1)
	for _, at := range []string{"05.07", "05.12", "07.01"} {
		g.hex(at, "owner=blue")
	}
	return g
}

// Supply that came by sea is counted by itself: what a truck brought to the port was carried too, and once (OCS 12.2a).
func TestSeaSupplyIsCountedByItself(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.2a")
	g := atPorts(t).put("05.12", "bl-22-sec truck-blue/points_t=4,load_t=4 truck-blue/points_t=20").
		dump("05.07", Blue, 9).dump("05.12", Blue, 2).segment(SegMovement, Blue)
	g.all("unload truck-blue.1 tokens=4", "ship from=05.07 at=05.12 tokens=3", "ship from=05.07 at=05.12 tokens=2")
	g.want("ground 05.12 blue", 11, "ground 05.07 blue", 4)
	if got := g.p.tainted(g.place("05.12"), Blue, ocsv1.Carriage_CARRIAGE_SEA); got != 5 {
		t.Errorf("%d tokens came by sea", got)
	}
	g.refused("OCS 12.2a", "load truck-blue.2 tokens=3")
	g.do("load truck-blue.2 tokens=2") // what lay there before
}
