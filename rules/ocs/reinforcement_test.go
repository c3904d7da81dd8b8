package ocs

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// withDocument is the proving ground with a changed document and counters, without pieces.
func withDocument(t *testing.T, change func(*ocsv1.Scenario), counters ...string) *table {
	t.Helper()
	doc := document(t, "proving-ground")
	for _, line := range counters {
		doc.Counters.Units = append(doc.Counters.Units, counter(t, line))
	}
	change(doc)
	sc := load(t, doc)
	g := &table{t: t, p: newPosition(sc, options{}), sc: sc}
	return g.inTurn(1)
}

// Reinforcements are placed before the phase can end, in modes that can be chosen; those at an entry that enemies block
// use the nearest free hexes of the edge.
func TestScheduledArrivals(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.6", "OCS 13.6b", "OCS 13.6c")
	arrivals := func(doc *ocsv1.Scenario) {
		doc.Sides[Blue].Arrivals = []*ocsv1.Arrival{{
			Turn: 1, At: "BN", Units: []string{"x-1", "x-2"}, Organic: []string{"bl-3-trk"},
			Transports: []*ocsv1.Transports{{Kind: "truck", PointsT: 8}},
		}}
		doc.Sides[Blue].Supply = []*ocsv1.SupplyTable{
			{Id: "table", From: 1, To: 6, RowsT: []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, At: []string{"BN"}},
		}
		for _, s := range doc.Setup {
			s.Organic = nil
		}
	}
	units := []string{"x-1 blue division other infantry 9-3-3leg 3-3-8leg",
		"x-2 blue regiment other infantry 3-3-3leg 2-3-8leg", "x-9 red regiment other infantry 3-3-3leg 2-3-8leg"}
	g := withDocument(t, arrivals, units...).segment(SegReinforcement, Blue)
	g.want("asks", "arrive", "place truck-blue.1", "waiting")
	g.refused("OCS 2.1", "end")
	g.refused("OCS 13.6", "arrive x-1 at=09.09 marker=none face=combat")
	g.refused("OCS 13.6b", "arrive x-1 at=05.15 marker=dg face=combat")
	g.refused("OCS 5.8c", "arrive truck-blue.1 at=05.15 marker=strat face=move")
	g.refused("OCS 5.5c", "arrive truck-blue.1 at=05.15 marker=none face=combat")
	g.do("arrive x-1 at=05.15 marker=reserve face=combat")
	g.do("arrive truck-blue.1,bl-3-trk at=05.15 marker=none face=move")
	g.want("mode x-1", "reserve", "load truck-blue.1", 0, "load bl-3-trk", int(g.p.units[g.unit("bl-3-trk")].points),
		"asks", "arrive")
	g.do("forfeit x-2", 3, 4)
	g.want("place x-2", "gone", "asks", "place", "register blue supply-to-place", 6)
	g.refused("OCS 13.6", "place-supply at=05.15 tokens=7")
	g.refused("OCS 13.6c", "place-supply at=05.15 tokens=1 unit=x-1")
	g.do("place-supply at=05.15 tokens=5 unit=truck-blue.1")
	g.do("place-supply at=05.15 tokens=1")
	g.want("load truck-blue.1", 5, "ground 05.15 blue", 1, "asks", "reinforce")

	g = withDocument(t, arrivals, units...).put("05.15", "x-9").segment(SegReinforcement, Blue)
	g.refused("OCS 13.6", "arrive x-1 at=05.15 marker=none face=combat")
	if got := g.p.doors(Blue, &g.sc.Seats[Blue].Entries[0]); len(got) == 0 ||
		g.p.distance(got[0].Hex(), g.place("05.15").Hex()) != 1 {
		t.Errorf("the nearest free hexes of the edge are %v", g.p.placeIDs(got))
	}
	at := g.sc.PlaceID(g.p.doors(Blue, &g.sc.Seats[Blue].Entries[0])[0])
	g.refused("OCS 4.5a-I", "arrive x-1 at="+at+" marker=reserve face=combat") // next to an enemy
	g.refused("OCS 4.5a-J", "arrive x-1 at="+at+" marker=strat face=move")
	g.do("arrive x-1 at=" + at + " marker=none face=combat")
	g.want("place x-1", at)
}

// Reinforcements are placed without fuel, and arrive without any (OCS 12.5f).
func TestArrivalsHaveNoFuel(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.5f")
	g := withDocument(t, func(doc *ocsv1.Scenario) {
		doc.Sides[Blue].Arrivals = []*ocsv1.Arrival{{Turn: 1, At: "BN", Units: []string{"x-1"}}}
		doc.Sides[Blue].Supply = nil
	}, "x-1 blue battalion armor armor 6-4-8track 3-4-14track").segment(SegReinforcement, Blue)
	g.do("arrive x-1 at=05.15 marker=none face=combat")
	g.want("place x-1", "05.15", "fuel x-1", "none")
	g.do("end")
	if r := g.p.needsFuel(g.unit("x-1")); r == nil || r.Rule != "OCS 12.5a" {
		t.Errorf("it moves without fuel: %v", r)
	}
}

// At a port no more arrives than its capacity, and nothing while an enemy ZOC is on it: that waits (OCS 13.6a).
func TestArrivalAtPort(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.6a", "OCS 4.7b", "OCS 4.7c")
	change := func(doc *ocsv1.Scenario) {
		doc.Sides[Blue].Arrivals = []*ocsv1.Arrival{{Turn: 1, At: "port-05-07", Units: []string{"x-1", "x-2", "x-3"}}}
		doc.Sides[Blue].Supply = nil
	}
	units := []string{"x-1 blue regiment other infantry 3-3-3leg 2-3-8leg",
		"x-2 blue regiment other infantry 3-3-3leg 2-3-6leg",
		"x-3 blue regiment other infantry 3-3-3leg 2-3-8leg", "x-9 red regiment other infantry 3-3-3leg 2-3-8leg"}
	g := withDocument(t, change, units...)
	g.hex("05.07", "port_hits=4")
	if left := g.p.portLeft(g.place("05.07")); left != 5 {
		t.Fatalf("the port has %dT left", left)
	}
	g.segment(SegReinforcement, Blue)
	// 4 + 2 tokens: leg units of 6 MP count half
	g.refused("OCS 13.6a", "arrive x-1,x-2 at=05.07 marker=none face=move")
	g.do("arrive x-1 at=05.07 marker=none face=move")
	g.want("place x-2", "waiting", "asks", "reinforce") // it can't enter and waits
	g.do("end")
	g = withDocument(t, change, units...).put("06.06", "x-9").put("05.07", "bl-22-sec").segment(SegReinforcement, Blue)
	g.want("asks", "reinforce", "place x-1", "waiting") // negation does not help
	g.put("15.09", "x-9").inTurn(2).segment(SegReinforcement, Blue)
	g.want("asks", "arrive")
}

// An arrival that depends on a hex comes only while its side controls the hex; one that is due waits until then.
func TestArrivalsThatDependOnAHex(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.6")
	g := withDocument(t, func(doc *ocsv1.Scenario) {
		doc.Sides[Blue].Arrivals = []*ocsv1.Arrival{
			{Turn: 2, At: "BN", Units: []string{"x-1"}, WhileHeld: "09.02"},
			{Turn: 2, At: "BN", Units: []string{"x-2"}},
		}
		for _, s := range doc.Setup {
			s.Organic = nil
		}
	}, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg", "x-2 blue regiment other infantry 3-3-3leg 2-3-8leg")
	for _, c := range []struct {
		turn  int
		owner string
		want  []int
	}{{1, "blue", nil}, {2, "blue", []int{0, 1}}, {2, "red", []int{1}}, {3, "blue", []int{0, 1}}} {
		g.inTurn(c.turn).hex("09.02", "owner="+c.owner)
		if got := g.p.due(Blue); !slices.Equal(got, c.want) {
			t.Errorf("turn %d, the hex is %s: %v are due, want %v", c.turn, c.owner, got, c.want)
		}
	}
}

// Replacements come from the Variable Reinforcement Table; truck points only replace lost ones (OCS 13.5e).
func TestReplacementTable(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.5", "OCS 13.5e")
	change := func(doc *ocsv1.Scenario) {
		row := &ocsv1.ReplacementRow{Pax: 1, Eq: 1, TrucksT: 4}
		doc.Sides[Blue].Supply, doc.Sides[Blue].Arrivals = nil, nil
		doc.Sides[Blue].Replacements = []*ocsv1.ReplacementTable{{Id: "t", From: 1, To: 6, At: []string{"BN"}}}
		for range 11 {
			doc.Sides[Blue].Replacements[0].Rows = append(doc.Sides[Blue].Replacements[0].Rows, proto.CloneOf(row))
		}
	}
	g := withDocument(t, change).segment(SegReinforcement, Blue, 2, 3)
	g.want("asks", "place", "register blue pax-to-place", 1, "register blue eq-to-place", 1,
		"register blue trucks-to-place", 0)
	g.refused("OCS 13.5e", "place-trucks at=05.15 points=4")
	g.refused("OCS 13.6", "place-repl counter=pax-blue at=09.09 marker=none")
	for _, mode := range []string{"dg", "exploitation"} { // not of one's choice
		g.refused("OCS 13.6b", "place-repl counter=pax-blue at=05.15 marker="+mode)
	}
	for _, mode := range []string{"reserve", "strat"} {
		g.clone().do("place-repl counter=pax-blue at=05.15 marker=" + mode)
	}
	for _, id := range []string{"pax-red", "bl-1-inf", "truck-blue", "nothing"} { // no replacements of this side
		if _, err := g.try(Blue, "place-repl counter="+id+" at=05.15 marker=none"); err == nil {
			t.Errorf("%s is put down", id)
		}
	}
	g.do("place-repl counter=pax-blue at=05.15 marker=none")
	g.want("mode pax-blue.1", "move", "asks", "place")
	g.refused("OCS 13.5", "place-repl counter=pax-blue at=05.15 marker=none")
	g.do("waive")
	g.want("asks", "reinforce")
	g = withDocument(t, change)
	c := g.p.changed()
	c.register(Blue, ocsv1.Register_REGISTER_TRUCKS_LOST, 3)
	// what came in an earlier turn, and what was to come by rail, is forgotten
	for _, r := range []ocsv1.Register{
		ocsv1.Register_REGISTER_RAIL_SUPPLY, ocsv1.Register_REGISTER_PAX_RECEIVED, ocsv1.Register_REGISTER_EQ_RECEIVED,
		ocsv1.Register_REGISTER_PAX_USED, ocsv1.Register_REGISTER_EQ_USED,
	} {
		c.register(Blue, r, 5)
	}
	g.change(c).segment(SegReinforcement, Blue, 2, 3)
	g.want("register blue trucks-to-place", 3, "register blue rail-supply", 0,
		"register blue pax-received", 2, "register blue eq-received", 2, // counted in halves
		"register blue pax-used", 0, "register blue eq-used", 0)
	g.do("place-trucks at=05.15 points=3")
	g.want("points truck-blue.1", 3, "register blue trucks-lost", 0)
}

// Reinforcements whose entry is taken come in at the nearest hexes on the edge of the map.
func TestEdgeOfTheMap(t *testing.T) {
	t.Parallel()
	g := onGround(t)
	for at, want := range map[string]bool{"01.01": true, "05.07": false, "09.07": false} {
		if got := g.p.onEdge(g.place(at).Hex()); got != want {
			t.Errorf("%s on the edge: %v", at, got)
		}
	}
}
