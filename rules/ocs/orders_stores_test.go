package ocs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// ordering gives standing orders, joined by ";".
func (g *table) ordering(seat rules.Seat, orders string) *table {
	g.t.Helper()
	for _, o := range strings.Split(orders, ";") {
		if o != "" {
			g.as(seat, "orders "+o)
		}
	}
	return g
}

// An order says which store pays first, last or never, and what stays in it.
func TestOrderedStorePays(t *testing.T) {
	t.Parallel()
	for orders, want := range map[string][2]int{ // what both stores have left of 20
		"":                          {16, 20},
		"10.06 order=store value=1": {20, 16},
		"10.06 order=store value=3": {20, 16},
		"12.06 order=store value=2": {20, 16},
		"12.06 order=store value=3": {16, 20},
		"10.06 order=keep value=20": {20, 16},
		"10.06 order=keep value=18": {18, 18},
		"10.06 order=keep value=1":  {16, 20},
		"12.06 order=store value=2;12.06 order=keep value=20": {16, 20},
		"10.06 order=store value=1;12.06 order=store value=1": {20, 20}, // it asks
	} {
		g := battlefield(t).ordering(Blue, orders+";order=attack-supply value=1")
		if g.do("attack x-gr,x-mc 11.07"); (g.asked() == Blue) != (want == [2]int{20, 20}) {
			t.Errorf("%q: seat %d is asked", orders, g.asked())
		}
		got := [2]int{}
		for i, at := range [2]string{"10.06", "12.06"} {
			got[i] = int(g.p.cell(g.place(at)).ground[Blue])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", orders, diff)
		}
	}
}

// What orders keep back in a store is not fed to units by order: another store pays, or only some units eat, and the
// seat is asked about the others (OCS 12.6c). Which store pays first or never is about combat supply alone.
func TestOrderedFeedingKeepsBack(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.6c")
	near, other := at(18)+" order=", at(22)+" order=" // the stores, on both sides of the units
	for _, c := range []struct {
		orders string
		other  int    // tokens in the other store; the near one has 9
		left   [2]int // in both
		asked  bool
	}{
		{"", 9, [2]int{6, 9}, false}, // 3T feed both
		{near + "keep value=8", 9, [2]int{8, 7}, false},
		{near + "keep value=20", 9, [2]int{9, 6}, false},
		{near + "keep value=20", 2, [2]int{9, 0}, true}, // one eats
		{near + "keep value=20;" + other + "keep value=7", 9, [2]int{9, 7}, true},
		{near + "keep value=8;" + other + "keep value=9", 9, [2]int{9, 9}, true},
		{near + "keep value=8", 0, [2]int{9, 0}, true},
		{near + "keep value=7", 0, [2]int{7, 0}, true},
		{near + "keep value=6", 0, [2]int{6, 0}, false},
		{near + "store value=1", 9, [2]int{6, 9}, false},
		{near + "store value=3", 9, [2]int{6, 9}, false},
	} {
		g := onRow(t, 30, []int{0}, nil, nil, division, "x-div2 blue division other infantry 9-3-3leg 3-3-8leg").
			put(at(20), "x-div x-div2").dump(at(18), Blue, 9).dump(at(22), Blue, c.other).
			ordering(Blue, c.orders+";order=feed value=2").segment(SegSupply, Blue)
		apply(t, g.p, Blue, *g.parsed("done"), dice.NewSeeded(1)) // nothing is restocked
		ask, _ := g.p.ask()
		left := [2]int{int(g.p.cell(g.place(at(18))).ground[Blue]), int(g.p.cell(g.place(at(22))).ground[Blue])}
		if left != c.left || (ask == AskFeed) != c.asked {
			t.Errorf("%q: %v are left and %s is asked, want %v", c.orders, left, questions[ask].id, c.left)
		}
	}
	// Units that get nothing, since their supply is kept back, do not stop units of other hexes from eating.
	g := onRow(t, 40, []int{0}, nil, nil, division, "x-div2 blue division other infantry 9-3-3leg 3-3-8leg").
		put(at(20), "x-div").put(at(35), "x-div2").dump(at(18), Blue, 9).dump(at(35), Blue, 9).
		ordering(Blue, near+"keep value=9;order=feed value=2").segment(SegSupply, Blue)
	apply(t, g.p, Blue, *g.parsed("done"), dice.NewSeeded(1))
	g.want("asks", "feed", "ground "+at(18)+" blue", 9, "ground "+at(35)+" blue", 7)
}

// Restocking by order takes what is kept back last: it is compulsory, so no order stops it (OCS 12.10e-A).
func TestOrderedRestockingKeepsBack(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.10e-A")
	for _, c := range []struct {
		orders string
		other  int
		left   [2]int
	}{
		{"", 9, [2]int{5, 9}}, // 2T for each unit
		{at(3) + " order=keep value=9;", 9, [2]int{9, 5}},
		{at(3) + " order=keep value=7;", 9, [2]int{7, 7}},
		{at(3) + " order=keep value=9;", 2, [2]int{7, 0}},
		{at(3) + " order=keep value=9;", 0, [2]int{5, 0}},
		{at(3) + " order=store value=1;", 9, [2]int{5, 9}},
	} {
		g := onRow(t, 40, []int{0}, nil, nil, guard, tank).put(at(3), "x-guard/stocks=low x-tank/stocks=low").
			dump(at(3), Blue, 9).dump(at(4), Blue, c.other).
			ordering(Blue, c.orders+"order=restock value=1").segment(SegSupply, Blue)
		g.want("asks", "feed", "stocks x-guard", "full", "stocks x-tank", "full",
			"ground "+at(3)+" blue", c.left[0], "ground "+at(4)+" blue", c.left[1])
	}
}

// Units that are ordered to lose first do so before the weakest, and those ordered to lose last after the others; the
// unit that led is the first whatever the order (OCS 9.11c).
func TestOrderedUnitsLoseFirst(t *testing.T) {
	t.Parallel()
	play := func(orders string) map[string]int {
		lost := map[string]int{}
		for seed := range uint64(12) {
			g := battlefield(t).usual().ordering(Blue, orders)
			apply(t, g.p, Blue, *g.parsed("attack x-gr,x-mc,x-pz 11.07"), dice.NewSeeded(seed+1))
			for _, id := range []string{"x-gr", "x-mc", "x-pz"} {
				if u := g.unit(id); g.p.units[u].lost > 0 || !g.p.units[u].place.onMap() {
					lost[id]++
				}
			}
		}
		return lost
	}
	plain := play("")
	first := play("x-gr order=loses value=1")
	last := play("x-pz order=loses value=2")
	if first["x-gr"] <= plain["x-gr"] || last["x-pz"] >= plain["x-pz"] ||
		first["x-mc"] != plain["x-mc"] {
		t.Errorf("lost without orders %v, x-gr first %v, x-pz last %v", plain, first, last)
	}
}

// An air unit that is grounded does not intercept by order, and with only such units nobody is asked.
func TestGroundedUnitsDoNotIntercept(t *testing.T) {
	t.Parallel()
	for orders, want := range map[string]string{
		"order=intercept value=2":                            "r-f",
		"order=intercept value=2;r-f order=grounded value=1": "air-naval",
		"r-f order=grounded value=1":                         "air-naval",
		"r-f 17.08 order=grounded value=1":                   "intercept",
		"y-tk order=grounded value=1":                        "",
		"order=grounded value=1":                             "",
		"order=store value=1":                                "",
		"order=loses value=1 once=true":                      "",
		"05.05 order=loses value=1":                          "",
	} {
		g := inSkies(t, bombers, brigades...).put("05.05", "b-st").put("17.06", "r-f").
			hex("05.05", "air_base=1").hex("17.06", "air_base=1").put("17.07", "y-tk").segment(SegAirNaval, Blue)
		if want == "" {
			c := g.parsed("orders " + orders)
			if r := g.p.check(Red, c); r == nil {
				t.Errorf("%q is taken", orders)
			}
			continue
		}
		g.ordering(Red, orders)
		out, _ := apply(t, g.p, Blue, *g.parsed("air-barrage b-st 17.07"), dice.NewSeeded(1))
		ask, _ := g.p.ask()
		got := questions[ask].id
		facts(out, func(e *event) {
			if id := e.GetIntercepted().GetUnit(); id != "" {
				got = id
			}
		})
		if got != want {
			t.Errorf("%q: %s, want %s", orders, got, want)
		}
	}
}

// Air combat goes on by order: nobody is asked who stands down, fights, is hit or where it returns.
func TestAirCombatGoesOnByOrder(t *testing.T) {
	t.Parallel()
	for _, orders := range []string{"", "order=air-combat value=1"} {
		for seed := range uint64(8) {
			g := inSkies(t, wings).put("07.07", "b-bf b-st b-st2").hex("07.07", "air_base=2").
				put("12.07", "r-lagg r-il").hex("12.07", "air_base=1").segment(SegAirNaval, Red).
				ordering(Blue, orders).ordering(Red, orders)
			apply(t, g.p, Red, *g.parsed("air-barrage r-lagg,r-il 07.07 target=air-base"), dice.NewSeeded(seed+1))
			ask, _ := g.p.ask()
			if asked := len(g.p.frames) > 0; asked == (orders != "") {
				t.Errorf("%q, seed %d: %s is asked", orders, seed, questions[ask].id)
			}
		}
	}
}
