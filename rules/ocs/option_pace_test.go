package ocs

import (
	"testing"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// The faster pace doubles supply on the map, but not on organic trucks, transport points and rail capacity; half as
// much more supply arrives, and each side rolls twice for replacements.
func TestFasterPace(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.6", "OCS 21.6a", "OCS 21.6b", "OCS 21.6c", "OCS 21.6d")
	normal, fast := begun(t, "proving-ground"), begun(t, "proving-ground", "faster_pace")
	for _, f := range []string{"ground 05.07 blue", "points truck-blue.1", "load truck-blue.1", "points bl-3-trk"} {
		if a, b := normal.fact(f).(int), fast.fact(f).(int); b != 2*a || a == 0 {
			t.Errorf("%s is %d, with the faster pace %d", f, a, b)
		}
	}
	if a, b := normal.fact("load bl-3-trk"), fast.fact("load bl-3-trk"); a != b {
		t.Errorf("the load of an organic truck is %v, not %v", b, a)
	}
	fast.inTurn(1)
	if got := fast.p.railLeft(Blue); got != 24*oneToken {
		t.Errorf("rail capacity is %d eighths", got)
	}
	g := withDocument(t, func(doc *ocsv1.Scenario) {
		doc.Sides[Blue].Arrivals = nil
		doc.Sides[Blue].Supply = []*ocsv1.SupplyTable{{Id: "s", From: 1, To: 6, FixedT: 5, At: []string{"BN"}}}
		doc.Sides[Blue].Replacements = []*ocsv1.ReplacementTable{{Id: "t", From: 1, To: 6, At: []string{"BN"}}}
		for i := range 11 {
			doc.Sides[Blue].Replacements[0].Rows = append(doc.Sides[Blue].Replacements[0].Rows,
				proto.CloneOf(&ocsv1.ReplacementRow{Pax: uint32(i)}))
		}
	})
	g.p.opt.fasterPace = true
	g.segment(SegReinforcement, Blue)
	g.want("register blue supply-to-place", 8) // 7 1/2, rounded
	g.do("waive", 1, 2, 2, 2)
	g.want("register blue pax-to-place", 1+2)
	for _, on := range []bool{false, true} { // a transport that arrives loaded
		g := withDocument(t, func(doc *ocsv1.Scenario) {
			doc.Sides[Blue].Supply, doc.Sides[Blue].Replacements = nil, nil
			doc.Sides[Blue].Arrivals = []*ocsv1.Arrival{
				{Turn: 1, At: "BN", Transports: []*ocsv1.Transports{{Kind: "truck", PointsT: 8, LoadT: 5}}},
			}
		})
		g.p.opt.fasterPace = on
		g.segment(SegReinforcement, Blue)
		points, load := 8, 5
		if on {
			points, load = 16, 8
		}
		g.want("points truck-blue.1", points, "load truck-blue.1", load)
	}
}

// With revised rebuilding half of what came must be used in the turn, if it could be, and Repls may be placed with
// an HQ that can trace.
func TestRevisedRebuilding(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.7-i", "OCS 21.7-ii")
	start := func() *table {
		g := withDocument(t, func(doc *ocsv1.Scenario) {
			doc.Sides[Blue].Arrivals, doc.Sides[Blue].Supply = nil, nil
			doc.Sides[Blue].Replacements = []*ocsv1.ReplacementTable{
				{Id: "t", From: 1, To: 6, At: []string{"BN"}, Fixed: &ocsv1.ReplacementRow{Pax: 3}},
			}
		})
		g.p.opt.revisedRebuilding = true
		return g.put("05.12", "bl-corps").put("09.02", "bl-1-inf/lost=2")
	}
	g := start().segment(SegReinforcement, Blue)
	g.all("place-repl counter=pax-blue at=05.12 marker=none", "place-repl counter=pax-blue at=05.12 marker=none",
		"place-repl counter=pax-blue at=05.15 marker=none", "end")
	// they could not be used
	g.want("place pax-blue.1", "05.12", "place pax-blue.2", "05.12", "place pax-blue.3", "05.15")
	g = start().put("05.12", "bl-1-inf/lost=2").segment(SegReinforcement, Blue)
	g.all("place-repl counter=pax-blue at=05.12 marker=none", "place-repl counter=pax-blue at=05.12 marker=none",
		"place-repl counter=pax-blue at=05.12 marker=none",
		"restore unit=bl-1-inf units=pax-blue.1 steps=1", "end")
	// half of 3 is 1 1/2: a second one goes
	g.want("place pax-blue.1", "gone", "place pax-blue.2", "gone", "place pax-blue.3", "05.12")
}
