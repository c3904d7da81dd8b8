package ocs

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// The defender of a beach says in advance whether an assault is fought or resolved by the table (OCS 18.6b): for all
// beaches, one, some defenders or the next assault. The choice comes before anything is rolled.
func TestOrderedBeach(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.6b")
	for orders, want := range map[string]string{
		"":                              "asks",
		"order=beach value=1":           "lands",
		"order=beach value=2":           "fights",
		"04.10 order=beach value=1":     "lands",
		"04.13 order=beach value=1":     "asks",
		"y-1 order=beach value=2":       "fights",
		"rd-1-trk order=beach value=2":  "asks",
		"order=beach value=2 once=true": "fights",
		"order=lead value=1":            "asks",
		"order=pass value=1":            "asks",
		"order=usual value=1":           "asks",
		"order=usual value=2":           "fights",
		"y-1 order=beach value=1;order=beach value=2 once=true;04.10 order=beach": "fights",
		"order=beach value=2;04.10 order=beach":                                   "asks",
	} {
		g := beach(t, "x-1", "x-2").ordering(Red, orders).ordering(Blue, "order=beach value=1")
		out, _ := apply(t, g.p, Blue, *g.parsed("beach-assault x-1,x-2 at=04.10"), dice.NewSeeded(3))
		got := "asks"
		facts(out, func(e *event) {
			if k, ok := e.GetFact().(*ocsv1.Event_BeachChosen); ok {
				got = map[bool]string{true: "fights", false: "lands"}[k.BeachChosen.GetCombat()]
			}
		})
		if ask, _ := g.p.ask(); got != want || (ask == AskBeach) != (want == "asks") {
			t.Errorf("%q: %s, want %s, and %s is asked", orders, got, want, questions[ask].id)
		}
	}
}

// An order for one assault ends when its defender has chosen, by order or by hand, and with no other combat; one for
// another beach or for units elsewhere stays.
func TestOrderForOneBeach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		orders string
		left   int
	}{
		{"order=beach value=1 once=true", 0},
		{"order=beach value=2 once=true", 0},
		{"order=beach once=true", 0}, // it asks
		{"y-1 04.10 order=beach value=1 once=true", 0},
		{"04.13 order=beach value=1 once=true", 1},
		{"rd-1-trk order=beach value=1 once=true", 1},
		{"order=terrain value=1 once=true", 1}, // the table makes no combat
	} {
		g := beach(t, "x-1", "x-2").ordering(Red, c.orders)
		src := dice.NewSeeded(3)
		apply(t, g.p, Blue, *g.parsed("beach-assault x-1,x-2 at=04.10"), src)
		if ask, _ := g.p.ask(); ask == AskBeach {
			apply(t, g.p, Red, *g.parsed("beach"), src)
		}
		if n := len(g.p.limited[Red]); n != c.left {
			t.Errorf("%q: %d orders are left, want %d", c.orders, n, c.left)
		}
	}
	g := battlefield(t).usual().ordering(Red, "order=beach value=1 once=true;order=retreat value=1 once=true")
	if apply(t, g.p, Blue, *g.parsed("attack x-gr,x-mc 11.07"), dice.NewSeeded(1)); len(g.p.limited[Red]) != 1 ||
		g.p.limited[Red][0].order != orderBeach {
		t.Errorf("after another combat %v is left", g.p.limited[Red])
	}
	g = beach(t, "x-1", "x-2").ordering(Blue, "order=beach value=1 once=true").ordering(Red, "order=beach value=1")
	apply(t, g.p, Blue, *g.parsed("beach-assault x-1,x-2 at=04.10"), dice.NewSeeded(3))
	if len(g.p.limited[Blue]) != 1 {
		t.Error("the attacker's order for one beach is spent by its own assault")
	}
	g = beach(t, "x-1", "x-2")
	g.do("beach-assault x-1,x-2 at=04.10")
	for seat, want := range map[rules.Seat]bool{Red: true, Blue: false} {
		got := false
		g.p.Legal(seat, rules.Filter{Kind: "orders"}, func(c Command) bool {
			got = got || c.Choice == orderBeach && c.Once
			return true
		})
		if got != want {
			t.Errorf("orders for the assault are listed for seat %d: %t", seat, got)
		}
	}
}

// What escapes a capture goes to the nearest hex, far from the enemy, or to a refuge first, and only where it may (OCS
// 9.14c, OCS 12.7h).
func TestOrderedPlaces(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.14c", "OCS 12.7h")
	const bike, here = "y-bike red battalion other motorcycle 2-4-12truck 1-4-24truck", "01.16 " // hex 10 of the row
	for orders, want := range map[string]any{
		"":                                    nil,
		"order=displace value=1":              at(9),
		"order=displace value=2":              at(0),
		here + "order=displace value=1":       at(9),
		"01.17 order=displace value=1":        nil,
		"truck-blue.1 order=displace value=2": at(0),
		"bl-1-inf order=displace value=2":     nil,
		at(3) + " order=refuge value=1":       at(3),
		at(21) + " order=refuge value=1":      nil, // too far
		at(12) + " order=refuge value=1":      nil, // red's
		at(3) + " order=refuge value=1;" + at(6) + " order=refuge value=1":   at(6),
		at(3) + " order=refuge value=1;order=displace value=2":               at(3),
		at(21) + " order=refuge value=1;order=displace value=2":              at(0),
		"bl-1-inf " + at(3) + " order=refuge value=1;order=displace value=1": at(9),
		"truck-blue.1 " + at(3) + " order=refuge value=1":                    at(3),
		"order=displace value=2;" + here + "order=displace":                  nil,
		"order=usual value=1": nil,
		"order=usual value=2": at(0),
	} {
		g := onRow(t, 40, nil, nil, nil, bike).put(at(10), "truck-blue/points_t=16,load_t=16").put(at(-5), "bl-1-inf").
			put(at(30), "y-bike").hex(at(12), "owner=red").hex(at(11), "owner=red").segment(SegMovement, Red)
		g.ordering(Blue, orders).to("y-bike", at(10)).entered(Red, at(10), 1)
		if want == nil {
			g.want("asks", "displace", "place truck-blue.1", at(10))
			continue
		}
		if g.want("asks", "move"); g.fact("place truck-blue.1") != want {
			t.Errorf("%q: it goes to %v, want %v", orders, g.fact("place truck-blue.1"), want)
		}
	}
	// Equals are told apart by the other of nearness and distance from the enemy, then the first is taken.
	for _, c := range []struct {
		order, two, red, want string // red's other unit, and what red holds
	}{
		{"displace value=2", at(0), "", at(20)},
		{"displace value=2", at(5), "-5 -4 -3 -2 -1 0 1 2 11 12 13 14 15 16 17 18 19 20", at(8)},
		{"displace value=1", at(7), "9 11", at(12)},
		{"displace value=1", at(0), "9 11", at(8)},
	} {
		g := onRow(t, 40, nil, nil, nil, bike, "y-two"+bike[len("y-bike"):]).put(at(10), "truck-blue/points_t=16").
			put(at(30), "y-bike").put(c.two, "y-two").segment(SegMovement, Red)
		for _, q := range strings.Fields(c.red) {
			n, _ := strconv.Atoi(q)
			g.hex(at(n), "owner=red")
		}
		g.ordering(Blue, "order="+c.order).to("y-bike", at(10)).entered(Red, at(10), 1)
		g.want("place truck-blue.1", c.want)
	}
	// An extender goes only where it can trace.
	g := onRow(t, 40, []int{0}, nil, nil, bike).put(at(11), "truck-blue/points_t=20,set=extender").
		put(at(30), "y-bike").segment(SegMovement, Red)
	g.ordering(Blue, at(20)+" order=refuge value=1;order=displace value=1").to("y-bike", at(11)).entered(Red, at(11))
	g.want("asks", "move", "mark truck-blue.1 extender", false, "place truck-blue.1", at(6)) // it traces from there
}

// The owner says which trucks are captured where there are both kinds (OCS 9.14c).
func TestOrderedYield(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.14c")
	const bike = "y-bike red battalion other motorcycle 2-4-12truck 1-4-24truck"
	for orders, want := range map[string]any{ // what is left of the organic 16 points; 12 of 24 are captured
		"":                                 nil,
		"order=yield value=1":              12,
		"order=yield value=2":              4,
		at(10) + " order=yield value=2":    4,
		at(11) + " order=yield value=2":    nil,
		"bl-3-trk order=yield value=1":     12,
		"truck-blue.1 order=yield value=2": 4,
		"bl-1-inf order=yield value=2":     nil,
		"order=displace value=1":           nil,
		"order=usual value=1":              nil,
		"order=usual value=2":              12,
	} {
		g := onRow(t, 40, nil, nil, nil, bike).put(at(10), "bl-3-trk/load_t=8 truck-blue/points_t=8,load_t=8").
			put(at(30), "y-bike").put(at(-5), "bl-1-inf").segment(SegMovement, Red)
		g.ordering(Blue, orders).to("y-bike", at(10)).entered(Red, at(10), 4)
		if want == nil {
			g.want("asks", "yield")
			continue
		}
		if got := g.fact("points bl-3-trk"); got != want {
			t.Errorf("%q: %v points of organic trucks are left, want %v", orders, got, want)
		}
	}
	g := onRow(t, 40, nil, nil, nil, bike).put(at(10), "bl-3-trk truck-blue/points_t=24").put(at(30), "y-bike").
		segment(SegMovement, Red).ordering(Blue, "order=yield value=1;order=displace value=1")
	g.to("y-bike", at(10)).entered(Red, at(10), 4) // 20 of 40, all ordinary
	g.want("points bl-3-trk", 16, "points truck-blue.1", 4)
}

// By order a side restocks what it can and goes on; it need not have anything to restock (OCS 12.10e).
func TestOrderedRestocking(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.10e-A")
	for orders, asked := range map[string]string{
		"": "restock", "order=restock value=1": "feed", "order=usual value=2": "feed", "order=usual value=1": "restock",
		"order=pass value=1": "restock",
	} {
		for _, low := range []string{"", "/stocks=low"} {
			g := onRow(t, 40, []int{0}, nil, nil, guard, tank).put(at(3), "x-guard"+low+" x-tank"+low).
				dump(at(3), Blue, 9).ordering(Blue, orders).segment(SegSupply, Blue)
			g.want("asks", asked)
			if low != "" && asked == "feed" {
				g.want("stocks x-guard", "full", "stocks x-tank", "full")
			}
		}
	}
}

// By order those eat who are to, a whole hex together, and those who are not do not; a side is asked about the others
// alone (OCS 12.6c), and what a formation traces through (OCS 12.6f).
func TestOrderedFeeding(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.6c", "OCS 12.6f")
	for _, c := range []struct {
		orders string
		left   int // of 9 tokens
		asked  bool
	}{
		{"", 9, true},
		{"order=feed value=1", 9, false},
		{"order=feed value=2", 4, false},
		{"order=usual value=2", 9, true},
		{"order=pass value=1", 9, true},
		{at(20) + " order=feed value=2", 5, true},
		{at(20) + " order=feed value=2;" + at(21) + " order=feed value=1", 5, false},
		{"order=feed value=2;x-reg order=feed value=1", 5, false},
		{"order=feed value=2;x-reg order=feed", 5, true},
		{"x-guard order=feed value=1;order=feed value=2", 5, false}, // 3T for the divisions, 1T for the regiment
		{"bl-1-inf order=feed value=2", 9, true},                    // it traces
	} {
		g := onRow(t, 30, []int{0}, nil, nil, division, "x-div2 blue division other infantry 9-3-3leg 3-3-8leg", guard,
			"x-reg blue regiment other infantry 5-4-3leg 2-4-8leg").
			put(at(20), "x-div x-div2 x-guard").put(at(21), "x-reg").put(at(3), "bl-1-inf").dump(at(18), Blue, 9).
			ordering(Blue, c.orders).segment(SegSupply, Blue)
		if ask, _ := g.p.ask(); ask == AskRestock {
			apply(t, g.p, Blue, *g.parsed("done"), dice.NewSeeded(1))
		}
		ask, _ := g.p.ask()
		if asked := ask == AskFeed; asked != c.asked {
			t.Errorf("%q: %s is asked", c.orders, questions[ask].id)
		}
		if diff := cmp.Diff(any(c.left), g.fact("ground "+at(18)+" blue")); diff != "" {
			t.Errorf("%q, tokens (-want +got)\n%s", c.orders, diff)
		}
	}
	// Two of a hex eat together, which is cheaper; with too little for both one of them eats.
	for have, left := range map[int]int{9: 6, 2: 0} {
		g := onRow(t, 30, []int{0}, nil, nil, division, "x-div2 blue division other infantry 9-3-3leg 3-3-8leg").
			put(at(20), "x-div x-div2").dump(at(18), Blue, have).
			ordering(Blue, "order=feed value=2").segment(SegSupply, Blue)
		apply(t, g.p, Blue, *g.parsed("done"), dice.NewSeeded(1))
		g.want("ground "+at(18)+" blue", left)
	}
	// A formation that needs a choice is asked about.
	const of = " formation=bl-3-arm"
	g := onRow(t, 40, []int{0, 30}, nil, nil, tank+of, guard+of,
		"x-two blue battalion armor armor 5-4-8track 2-4-14track"+of, hq13, hq57).
		put(at(2), "x-tank x-guard").put(at(28), "x-two").dump(at(28), Blue, 4).
		ordering(Blue, "order=restock value=1;order=feed value=1").segment(SegSupply, Blue)
	g.want("asks", "feed")
	g.refused("OCS 12.6f", "done")
}

// The usual orders of the first games stay as they were, and the others come with the value 2.
func TestUsualOrders(t *testing.T) {
	t.Parallel()
	given := func(text string) (list []string) {
		g := battlefield(t).ordering(Blue, text)
		for order := orderUsual + 1; order < len(orders); order++ {
			if g.p.ordered(Blue, order) > 0 {
				list = append(list, orders[order].id)
			}
		}
		return list
	}
	changed := func(text string) (list []ocsv1.Register) {
		out, _ := apply(t, battlefield(t).p, Blue, *battlefield(t).parsed(text), dice.NewSeeded(1))
		facts(out, func(e *event) {
			for _, c := range e.GetChanges() {
				list = append(list, c.GetRegister().GetRegister())
			}
		})
		return list
	}
	for text, want := range map[string][]ocsv1.Register{
		"orders order=usual value=1": {24, 25, 26, 27, 28, 29, 30, 31},
		"orders order=usual":         {24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34},
		"orders order=usual value=2": {24, 25, 26, 27, 28, 29, 30, 31, 40, 41, 43, 44},
	} {
		if diff := cmp.Diff(want, changed(text)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
	later := []string{"beach", "displace", "yield", "restock"}
	for o, want := range map[string][]string{
		"order=usual value=1":                                         nil,
		"order=usual value=2":                                         later,
		"order=feed value=2;order=usual value=1":                      {"feed"},
		"order=feed value=2;order=usual":                              nil,
		"order=usual value=2;order=usual value=1":                     later,
		"order=usual value=2;order=usual":                             nil,
		"order=displace value=1;order=air-combat value=1;order=usual": nil,
	} {
		if diff := cmp.Diff(want, given(o)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", o, diff)
		}
	}
}
