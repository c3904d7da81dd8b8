package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Who attacks loses by the order for attackers, and the other side by that for defenders: without the order of the
// other part a seat is asked nothing.
func TestOrdersAreForTheirSide(t *testing.T) {
	t.Parallel()
	for seat, order := range []string{"defence-losses", "attack-losses"} {
		for seed := range uint64(12) {
			g := battlefield(t).usual().ordering(rules.Seat(seat), "order="+order)
			apply(t, g.p, Blue, *g.parsed("attack x-gr,x-mc,x-pz 11.07"), dice.NewSeeded(seed+1))
			if ask, seats := g.p.ask(); len(g.p.frames) > 0 {
				t.Errorf("without %s, seed %d: %s is asked of %v", order, seed, questions[ask].id, seats)
			}
		}
	}
}

// The defender pays nothing if that is ordered, all if it can, and is asked where supply is short (OCS 9.5).
func TestOrderedDefenceSupply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		order       string
		have, stays int
		asked       bool
	}{
		{"1", 8, 8, false}, {"1", 1, 1, false}, {"1", 0, 0, false},
		{"2", 1, 1, true}, {"0", 8, 8, true},
	} {
		g := battlefield(t).usual().dump("11.07", Red, c.have)
		g.as(Red, "orders 11.07 order=defence-supply value="+c.order)
		g.as(Red, "orders order=lead")
		g.as(Red, "orders order=terrain")
		apply(t, g.p, Blue, *g.parsed("attack x-gr,x-mc 11.07"), dice.NewSeeded(1))
		ask, _ := g.p.ask()
		if asked := ask == AskCombatSupply && g.asked() == Red; asked != c.asked {
			t.Errorf("value %s with %d tokens: %s is asked", c.order, c.have, questions[ask].id)
		}
		if n := int(g.p.cell(g.place("11.07")).ground[Red]); n != c.stays {
			t.Errorf("value %s with %d tokens: %d stay", c.order, c.have, n)
		}
	}
}

// By order all advance that fit, so that one more could not, or nobody who need not (OCS 9.12).
func TestOrderedAdvance(t *testing.T) {
	t.Parallel()
	seen := 0
	for seed := range uint64(40) {
		g := battlefield(t).usual()
		g.as(Blue, "orders order=advance")
		apply(t, g.p, Blue, *g.parsed("attack x-gr,x-mc,x-pz 11.07"), dice.NewSeeded(seed+1))
		if ask, _ := g.p.ask(); ask != AskAdvance {
			continue
		}
		seen++
		g.sc.Constants.StackingRe = 3 // so that not all fit
		for value, most := range map[int]bool{advanceNobody: false, advanceAll: true} {
			q := g.p.Clone()
			q.registers[Blue][orderRegister(orderAdvance)] = int32(value)
			c, ok := q.advanceByOrder(Blue)
			if r := q.check(Blue, &c); !ok || r != nil {
				t.Fatalf("seed %d: %s: %v", seed, q.formatCommand(c), r)
			}
			if none := only(KindAdvance); !most && q.check(Blue, &none) == nil && len(c.Units) > 0 {
				t.Errorf("seed %d: %s, though nobody must", seed, q.formatCommand(c))
			}
			for _, u := range q.fighters(inner[*combat](q), Blue) {
				more := c
				if more.Units = append(append([]Unit(nil), c.Units...), u); most && q.check(Blue, &more) == nil {
					t.Errorf("seed %d: %s leaves out %s", seed, q.formatCommand(c), q.id(u))
				}
			}
			if most && (len(c.Units) == 0 || len(c.Units) == 3) {
				t.Errorf("seed %d: %d advance, expected as many as fit", seed, len(c.Units))
			}
		}
	}
	if seen == 0 {
		t.Error("nobody may advance")
	}
}

// The order to pass ends no segment in which something can be done, and never the set-up.
func TestOrderedPassWaits(t *testing.T) {
	t.Parallel()
	for _, g := range []*table{battlefield(t), battlefield(t).segment(SegMovement, Blue), begun(t, "proving-ground")} {
		before, _ := g.p.ask()
		seg := g.p.segment
		for seat := range numSeats {
			g.as(seat, "orders order=pass value=1")
		}
		if ask, _ := g.p.ask(); ask != before || g.p.segment != seg {
			t.Errorf("%s in %s became %s in %s", questions[before].id, segments[seg].id, questions[ask].id,
				segments[g.p.segment].id)
		}
	}
}

// Without the order for it air combat is asked about, whatever else is ordered.
func TestOtherOrdersLeaveAirCombat(t *testing.T) {
	t.Parallel()
	play := func(orders string) (asked int) {
		for seed := range uint64(8) {
			g, src := inSkies(t, wings).put("07.07", "b-bf b-st b-st2").hex("07.07", "air_base=2").
				put("12.07", "r-lagg r-il").hex("12.07", "air_base=1").segment(SegAirNaval, Red).
				ordering(Blue, orders).ordering(Red, orders), dice.NewSeeded(seed+1)
			apply(t, g.p, Red, *g.parsed("air-barrage r-lagg,r-il 07.07 target=air-base"), src)
			for ; len(g.p.frames) > 0; asked++ {
				seat := g.asked()
				c, _ := g.p.firstAnswer(seat)
				apply(t, g.p, seat, c, src)
			}
		}
		return asked
	}
	if diff := cmp.Diff(play(""), play("order=lead value=1")); diff != "" {
		t.Errorf("questions (-without +with another order)\n%s", diff)
	}
}

// Who starves loses the weakest unit first, or who is ordered to lose first (OCS 12.8b).
func TestOrderedAttrition(t *testing.T) {
	t.Parallel()
	for order, want := range map[string][]any{
		"":                           {"place x-guard", "dead", "lost x-div", 1},
		";x-div order=loses value=1": {"place x-guard", at(30), "lost x-div", 2},
	} {
		g := onRow(t, 40, []int{0}, nil, nil, division, guard, tank).put(at(30), "x-div x-guard").
			segment(SegSupply, Blue).all("done").ordering(Blue, "order=defence-losses value=2"+order)
		g.do("done", 4, 4)
		g.want(append(want, "asks", "react")...)
	}
}

// A log in which limited orders can't stand is not folded.
func TestLimitedOrdersThatCantStand(t *testing.T) {
	t.Parallel()
	register := func(order int) ocsv1.Register { return orderRegister(order) }
	for name, o := range map[string]*ocsv1.LimitedOrder{
		"for the whole game":    {Register: register(orderLead), Value: 1},
		"too large":             {Register: register(orderLead), Value: 2, At: "11.07"},
		"no order":              {Register: ocsv1.Register(firstOrder - 1), Value: 1, At: "11.07"},
		"not by a hex":          {Register: register(orderPass), Value: 1, At: "11.07"},
		"unsorted units":        {Register: register(orderLead), Value: 1, Units: []string{"x-pz", "x-mc"}},
		"of the other side":     {Register: register(orderLead), Value: 1, Units: []string{"y-tk"}},
		"right, for comparison": {Register: register(orderLead), Value: 1, At: "11.07"},
	} {
		err := battlefield(t).p.evolve(&event{Changes: []*ocsv1.Change{{Kind: &ocsv1.Change_Orders{
			Orders: &ocsv1.OrdersChange{Seat: "blue", Orders: []*ocsv1.LimitedOrder{o}}}}}})
		if right := name == "right, for comparison"; (err == nil) != right {
			t.Errorf("an order %s: %v", name, err)
		}
	}
}

// A defender whose attacker retreated may ignore its options (OCS 9.10a), and does so by order, whichever it is.
func TestOrderedLossesIgnoreOptions(t *testing.T) {
	t.Parallel()
	seen := 0
	for seed := range uint64(60) {
		g := battlefield(t).usual().ordering(Blue, "order=attack-losses value=1").ordering(Red, "order=defence-losses")
		apply(t, g.p, Blue, *g.parsed("attack x-gr,x-mc,x-pz 11.07"), dice.NewSeeded(seed+1))
		ask, _ := g.p.ask()
		if ask != AskLosses || !g.p.lossOf(g.p.top()).ignore {
			continue
		}
		seen++
		for _, value := range []int32{lossesRetreat, lossesSteps} {
			q := g.p.Clone()
			q.registers[Red][orderRegister(orderDefenceLosses)] = value
			c, ok := q.lossesByOrder(Red)
			if r := q.check(Red, &c); !ok || r != nil || c.N > 0 || q.wastes(&c, Red) {
				t.Errorf("seed %d: %s: %v", seed, q.formatCommand(c), r)
			}
		}
	}
	if seen == 0 {
		t.Error("no attacker retreated")
	}
}
