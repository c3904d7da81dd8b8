package ocs

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// The narrowest order holds: for one combat, then for a hex, then for few units, for many, and for the whole game.
func TestNarrowestOrderHolds(t *testing.T) {
	t.Parallel()
	begin := battlefield(t)
	begin.do("orders order=advance value=2")
	for _, c := range []struct {
		orders string // joined by ";"
		want   int
	}{
		{"", 2},
		{"11.07 order=advance value=1", 1},
		{"11.07 order=advance", 0},
		{"11.08 order=advance value=1", 2},
		{"x-gr order=advance value=1", 1},
		{"x-pz order=advance value=1", 2}, // it does not attack
		{"x-pz,x-mc order=advance value=1", 1},
		{"x-gr order=advance value=1;11.07 order=advance", 0},
		{"x-gr order=advance;x-gr,x-mc order=advance value=1", 0},
		{"x-mc,x-pz order=advance;x-gr 11.07 order=advance value=1;11.07 order=advance value=2", 1},
		{"order=advance value=1 once=true", 1},
		{"11.07 order=advance value=1;order=advance once=true", 0},
		{"11.08 order=advance once=true;11.07 order=advance value=1", 1},
		{"x-gr 11.07 order=advance value=1;x-pz order=advance once=true", 1},
		{"11.07 order=advance value=1;11.07 order=advance value=2", 2},
		{"11.07 order=advance value=1;11.07 order=advance drop=true", 2},
		{"11.07 order=lead value=1", 2}, // another order
	} {
		g := begin.clone()
		for _, o := range strings.Split(c.orders, ";") {
			if o != "" {
				g.do("orders " + o)
			}
		}
		g.do("attack x-gr,x-mc 11.07")
		if got := g.p.ordered(Blue, orderAdvance); got != c.want {
			t.Errorf("%q: %d, want %d", c.orders, got, c.want)
		}
		if got := g.p.ordered(Red, orderAdvance); got != 0 {
			t.Errorf("%q: %d for red", c.orders, got)
		}
	}
}

// An order answers where it is for, and asks there if it says so, whatever wider orders say.
func TestLimitedOrdersAnswer(t *testing.T) {
	t.Parallel()
	for orders, asked := range map[string]rules.Seat{
		"11.07 order=attack-supply value=1":                                   Red,
		"11.08 order=attack-supply value=1":                                   Blue,
		"x-gr order=attack-supply value=1":                                    Red,
		"x-mc order=attack-supply value=1":                                    Blue,
		"order=attack-supply value=1 once=true":                               Red,
		"order=attack-supply value=1;11.07 order=attack-supply":               Blue,
		"order=attack-supply value=20;11.07 order=attack-supply value=19":     Red,
		"11.07 order=attack-supply value=20;x-gr order=attack-supply value=1": Blue,
	} {
		g := battlefield(t)
		for _, o := range strings.Split(orders, ";") {
			g.do("orders " + o)
		}
		if g.do("attack x-gr 11.07"); g.asked() != asked {
			t.Errorf("%q: seat %d is asked, want %d", orders, g.asked(), asked)
		}
	}
}

// An order for one combat ends with the combat that it fits, by orders or by hand, and may be given in it.
func TestOrdersForOneCombat(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		g := battlefield(t).usual()
		g.as(Blue, "orders order=attack-losses value=1 once=true")
		g.as(Blue, "orders 11.07 order=advance value=1 once=true")
		g.as(Blue, "orders x-pz order=lead once=true") // it does not attack
		g.as(Blue, "orders 11.07 order=terrain value=1")
		g.as(Blue, "orders order=intercept value=1 once=true") // for a mission
		g.as(Red, "orders order=retreat once=true")
		g.as(Red, "orders y-inf order=defence-supply value=1 once=true")
		src := dice.NewSeeded(seed + 1)
		apply(t, g.p, Blue, *g.parsed("attack x-gr,x-mc 11.07"), src)
		for len(g.p.frames) > 0 {
			if got := len(g.p.limited[Blue]); got != 5 {
				t.Fatalf("seed %d: %d orders of blue in the combat", seed, got)
			}
			c, ok := g.p.firstAnswer(g.asked())
			if !ok {
				t.Fatalf("seed %d: no answer", seed)
			}
			apply(t, g.p, g.asked(), c, src)
		}
		left := g.p.limited[Blue]
		if len(left) != 3 || left[0].order != orderLead || left[1].order != orderTerrain ||
			left[2].order != orderIntercept {
			t.Errorf("seed %d: blue is left with %v", seed, left)
		}
		if len(g.p.limited[Red]) > 0 {
			t.Errorf("seed %d: red is left with %v", seed, g.p.limited[Red])
		}
	}
	g := battlefield(t)
	g.as(Red, "orders order=defence-losses value=2 once=true")
	for want, f := range []frame{newFrame[attrition](Red, g.place("11.07")), newFrame[combat](Blue, g.place("11.07"))} {
		q := g.p.Clone()
		if q.frames = append(q.frames, f); q.ordered(Red, orderDefenceLosses) != 2*want {
			t.Errorf("an order for one combat is %d in a %T", q.ordered(Red, orderDefenceLosses), f)
		}
	}
	g = battlefield(t)
	g.do("attack x-gr 11.07")
	if list := g.lists("orders"); !slices.Contains(list, "orders order=lead value=1 once=true") ||
		!slices.Contains(list, "orders order=lead value=1 at=11.07") {
		t.Errorf("orders for the combat are not listed: %q", list)
	}
	g.do("orders order=attack-supply value=1 once=true")
	if g.asked() != Red {
		t.Error("the order does not answer in the combat in which it is given")
	}
}

// An order on interception is for a hex or for one mission.
func TestLimitedInterception(t *testing.T) {
	t.Parallel()
	begin := func() *table {
		return inSkies(t, bombers, brigades...).put("05.05", "b-st").put("17.06", "r-f").
			hex("05.05", "air_base=1").hex("17.06", "air_base=1").put("17.07", "y-tk").segment(SegAirNaval, Blue)
	}
	g := begin()
	g.do("air-barrage b-st 17.07")
	g.want("asks", "intercept")
	g = begin()
	g.as(Red, "orders 17.07 order=intercept value=1")
	g.do("air-barrage b-st 17.07", 4, 4, 4, 6)
	g.want("asks", "air-naval")
	g = begin()
	g.as(Red, "orders 17.08 order=intercept value=1")
	g.as(Red, "orders order=intercept once=true")
	g.do("air-barrage b-st 17.07")
	g.want("asks", "intercept")
	g.as(Red, "orders order=intercept value=1 once=true", 4, 4, 4, 6)
	g.want("asks", "air-naval")
	if list := g.p.limited[Red]; len(list) != 1 || list[0].once {
		t.Errorf("red is left with %v", list)
	}
}

// Nobody is released of what is ordered to stay; what is not ordered to, or was released by hand, is asked about.
func TestLimitedReactions(t *testing.T) {
	t.Parallel()
	begin := func(orders ...string) *table {
		g := onGround(t, "y-1 red regiment other infantry 3-2-6leg 1-2-8leg",
			"y-3 red regiment other infantry 3-2-3leg 1-2-9leg").
			put("13.05", "y-1/reserve y-3/reserve,move").put("13.10", "rd-1-trk/reserve").segment(SegReactionMove, Blue)
		for _, o := range orders {
			g.as(Red, "orders "+o)
		}
		return g
	}
	begin("13.05 order=react value=1").want("asks", "react")
	begin("13.05 order=react value=1", "rd-1-trk order=react value=1").want("segment", "artillery-barrage")
	begin("y-1,rd-1-trk order=react value=1").want("asks", "react")
	begin("y-1 order=react", "order=react value=1").want("asks", "react")
	begin("y-1 13.10 order=react", "order=react value=1").want("segment", "artillery-barrage") // it is not there
	g := begin()
	g.do("release y-1")
	g.as(Red, "orders 13.05 order=react value=1")
	g.as(Red, "orders 13.10 order=react value=1")
	g.want("asks", "react") // y-1 goes on
}

// Limited orders are as secret as others, in the position, in what a seat knows and in what it is told.
func TestLimitedOrdersAreSecret(t *testing.T) {
	t.Parallel()
	plain, g := battlefield(t), battlefield(t)
	outs := []*rules.Outcome{
		g.do("orders x-gr 11.07 order=lead value=1 once=true"), g.do("orders 11.07 order=advance value=1"),
	}
	for _, out := range outs {
		for _, e := range out.Events {
			if rules.SeatViewer(Red).MaySee(e.Audience) || rules.Spectator.MaySee(e.Audience) {
				t.Errorf("red sees %v", e.Event)
			}
		}
	}
	for _, v := range []rules.Viewer{rules.SeatViewer(Red), rules.Spectator} {
		if !proto.Equal(g.p.view(v), plain.p.view(v)) {
			t.Error("the view of another tells of an order")
		}
		known, _ := g.p.Known(v)
		assumed, _ := plain.p.Known(v)
		if known.format() != assumed.format() {
			t.Error("another knows of an order")
		}
	}
	if got := g.p.view(rules.SeatViewer(Blue)).GetLimitedOrders(); len(got) != 1 || len(got[0].GetOrders()) != 2 {
		t.Errorf("blue sees %v of its orders", got)
	}
	if known, _ := g.p.Known(rules.SeatViewer(Blue)); len(known.limited[Blue]) != 2 {
		t.Error("blue does not know its orders")
	}
	// An order for one combat ends without an event.
	for _, g := range []*table{plain, g} {
		g.all("attack x-gr 11.07", "ready")
	}
	if a, b := plain.p.view(rules.SeatViewer(Red)), g.p.view(rules.SeatViewer(Red)); !proto.Equal(a, b) {
		t.Errorf("red sees that an order ended: %s", cmp.Diff(a.String(), b.String()))
	}
	if len(g.p.limited[Blue]) != 1 {
		t.Errorf("blue is left with %v", g.p.limited[Blue])
	}
}

// What can't stand is refused, and an order that is taken back is gone. The notation keeps orders as they are.
func TestLimitedOrdersAreGivenAndTakenBack(t *testing.T) {
	t.Parallel()
	g := battlefield(t)
	empty := g.p.format()
	for _, command := range []string{
		"orders 11.07 order=pass value=1", "orders x-gr order=usual value=1", "orders order=react value=1 once=true",
		"orders x-gr order=intercept value=1", "orders y-inf order=lead value=1", "orders x-gr,x-gr order=lead value=1",
		"orders 11.07 order=lead drop=true", "orders order=lead value=1 drop=true", "orders 11.07 order=lead value=2",
		"orders 11.07 value=1", "orders at=dead order=lead value=1",
	} {
		if _, err := g.try(Blue, command); err == nil {
			t.Errorf("%s is accepted", command)
		}
	}
	g.do("orders x-mc,x-gr 11.07 order=lead value=1 once=true")
	if _, err := g.try(Blue, "orders x-gr,x-mc 11.07 order=lead value=1 once=true"); err == nil {
		t.Error("an order that is given already is accepted")
	}
	g.do("orders 11.07 order=lead")
	g.as(Red, "orders y-tk order=retreat value=1")
	before := g.p.format()
	again, err := parsePosition(g.sc, before)
	if err != nil || again.format() != before ||
		!cmp.Equal(again.limited, g.p.limited, cmp.AllowUnexported(limited{})) {
		t.Errorf("the notation loses orders: %v\n%s", err, cmp.Diff(before, again.format()))
	}
	g.do("orders order=lead value=1")
	if !slices.Contains(g.lists("orders"), "orders order=lead at=11.07 drop=true") {
		t.Error("an order that may be taken back is not listed")
	}
	kept := g.p
	g.do("orders 11.07 order=lead drop=true")
	g.do("orders x-gr,x-mc 11.07 order=lead once=true drop=true")
	if len(kept.limited[Blue]) != 2 || len(g.p.limited[Blue]) != 0 {
		t.Error("an order stays, or goes from the position before too")
	}
	g.as(Blue, "orders 11.07 order=lead value=1")
	g.as(Blue, "orders order=usual value=1")
	if len(g.p.limited[Blue]) != 1 {
		t.Error("the usual orders are in place of one for a hex")
	}
	g.as(Blue, "orders order=usual")
	g.as(Red, "orders order=usual")
	if g.p.format() != empty {
		t.Errorf("orders are left:\n%s", g.p.format())
	}
	for range maxLimited {
		units := make([]string, 0, 3)
		for i, id := range []string{"x-gr", "x-mc", "x-pz"} {
			if len(g.p.limited[Blue])>>i&1 == 1 {
				units = append(units, id)
			}
		}
		at := g.sc.PlaceID(Place(len(g.p.limited[Blue])))
		g.as(Blue, "orders "+strings.Join(units, ",")+" at="+at+" order=lead")
	}
	if _, err := g.try(Blue, "orders 11.07 order=terrain value=1"); err == nil {
		t.Error("more orders are accepted than a seat may have")
	}
}

// The board lists the orders of its viewer's seats, each with the commands that give it and take it back.
func TestStandingOrdersOnTheBoard(t *testing.T) {
	t.Parallel()
	g := battlefield(t)
	g.do("orders order=lead value=1")
	g.do("orders x-gr 11.07 order=advance value=2 once=true")
	for _, v := range []rules.Viewer{rules.SeatViewer(Red), rules.Spectator} {
		if list := g.p.Board(v, rules.English).StandingOrders; len(list) > 0 {
			t.Errorf("another sees %v", list)
		}
	}
	list := g.p.Board(rules.SeatViewer(Blue), rules.English).StandingOrders
	var got []string
	for _, o := range list {
		got = append(got, o.Text)
		if _, err := g.clone().try(Blue, o.Cancel); err != nil || o.Seat != "blue" {
			t.Errorf("%v: %v", o, err)
		}
	}
	want := []string{"the best Action Rating leads",
		"all that fit advance, in 11.07 only, for x-gr only, for one combat or mission only"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("orders (-want +got):\n%s", diff)
	}
	standing := g.p.format()
	for _, o := range list {
		g.as(Blue, o.Cancel)
	}
	if n := len(g.p.Board(rules.SeatViewer(Blue), rules.English).StandingOrders); n > 0 {
		t.Errorf("%d orders stand", n)
	}
	for _, o := range list {
		g.as(Blue, o.Command)
	}
	if diff := cmp.Diff(standing, g.p.format()); diff != "" {
		t.Errorf("given again (-want +got):\n%s", diff)
	}
}

// Filters by hex and by unit list the orders for these.
func TestLimitedOrdersAreListed(t *testing.T) {
	t.Parallel()
	g := battlefield(t)
	for filter, want := range map[rules.Filter]string{
		{Kind: "orders", Space: "11.07"}: "orders order=lead value=1 at=11.07",
		{Kind: "orders", Piece: "x-gr"}:  "orders x-gr order=lead value=1",
		{Kind: "orders"}:                 "orders order=lead value=1",
	} {
		var got []string
		g.p.Legal(Blue, filter, func(c Command) bool {
			text := g.p.formatCommand(c)
			if again, r := g.p.parseCommand(text); r != nil || !cmp.Equal(again, c) {
				t.Errorf("%s is read as %v: %v", text, again, r)
			}
			if back, r := g.p.decode(g.p.encode(c)); r != nil || !cmp.Equal(back, c) {
				t.Errorf("%s is decoded as %v: %v", text, back, r)
			}
			got = append(got, text)
			return true
		})
		if !slices.Contains(got, want) {
			t.Errorf("%+v lists %q, and not %s", filter, got, want)
		}
	}
}
