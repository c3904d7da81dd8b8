package ocs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
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
