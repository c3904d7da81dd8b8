package ocs

import (
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// ground is the line of a payment out of hex q of a row.
func pays(q, tokens string) string { return " lines=[at=" + q + ";count=" + tokens + "]" }

// EX-12-06, OCS 12.10e.
func TestRestock(t *testing.T) {
	t.Parallel()
	lay := func(tokens int, units string) *table {
		return onRow(t, 30, []int{0}, nil, nil, "x-reg blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-reg2 blue regiment other infantry 5-4-3leg 2-4-8leg",
			division, "x-member blue regiment other infantry 5-4-3leg 2-4-8leg formation=bl-3-arm").
			put(at(3), units).dump(at(2), Blue, tokens).segment(SegSupply, Blue)
	}
	g := lay(2, "x-reg/stocks=low")
	rulestest.Proves(t, ruleset, "OCS 2.3-F", "OCS 12.10", "OCS 12.10e", "OCS 12.10e-A")
	g.want("asks", "restock", "frame", "restock")
	g.refused("OCS 12.10e-A", "done")
	g.refused("OCS 12.10e", "restock x-reg"+pays(at(2), "1"))
	g.do("restock x-reg" + pays(at(2), "2"))
	g.want("stocks x-reg", "full", "ground "+at(2)+" blue", 0)
	g.refused("OCS 12.10e", "restock x-reg"+pays(at(2), "2"))
	g.do("done")
	g.want("asks", "feed")

	g = lay(2, "x-reg/stocks=exhausted,oos")
	g.do("restock x-reg" + pays(at(2), "2"))
	rulestest.Proves(t, ruleset, "OCS 12.10f")
	g.want("stocks x-reg", "low", "mark x-reg out-of-supply", true) // one has nothing to do with the other
	g = lay(6, "x-div/stocks=low")
	g.refused("OCS 12.10e", "restock x-div"+pays(at(2), "5"))
	g.do("restock x-div" + pays(at(2), "6"))
	g.want("stocks x-div", "full")
	g = lay(5, "x-div/stocks=low") // too few: they are wasted
	if got := g.lists("restock"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
	g.do("done")
	g.want("stocks x-div", "low", "ground "+at(2)+" blue", 0)
	rulestest.Proves(t, ruleset, "OCS 12.10e-C")
	g = lay(3, "x-reg/stocks=low x-reg2/stocks=low") // the owner chooses; an odd token is wasted
	if got := g.lists("restock"); len(got) != 2 {
		t.Errorf("it lists %v", got)
	}
	g.do("restock x-reg2" + pays(at(2), "2"))
	g.do("done")
	g.want("stocks x-reg", "low", "stocks x-reg2", "full", "ground "+at(2)+" blue", 0)
	rulestest.Proves(t, ruleset, "OCS 12.10e-B", "OCS 13.2g-G")
	g = lay(0, "x-member/stocks=low bl-3-trk/load_t=8") // what organic trucks carry may be withheld
	g.try(Blue, "done")
	g.want("asks", "feed", "load bl-3-trk", 8, "stocks x-member", "low")
	g = lay(0, "x-member/stocks=low bl-3-trk/load_t=8")
	g.do("restock x-member lines=[at=" + at(3) + ";count=2;unit=bl-3-trk]")
	g.want("load bl-3-trk", 6, "stocks x-member", "full")
}

// EX-12-05 and OCS 12.6.
func TestFeeding(t *testing.T) {
	t.Parallel()
	g := onRow(t, 30, []int{0}, nil, nil, division,
		"x-div2 blue division other infantry 9-3-3leg 3-3-8leg", guard, tank,
		"x-reg blue regiment other infantry 5-4-3leg 2-4-8leg").
		put(at(20), "x-div x-div2 x-guard truck-blue/points_t=4").put(at(21), "x-reg/oos").put(at(22), "x-tank/strat").
		put(at(3), "bl-1-inf/oos").
		dump(at(18), Blue, 9).segment(SegSupply, Blue)
	g.refused("OCS 2.1", "end")
	g.do("done")
	rulestest.Proves(t, ruleset, "OCS 12.6c")
	if price := g.p.feedPrice([]Unit{g.unit("x-div"), g.unit("x-div2"), g.unit("x-guard")}); price != 4 { // 6 1/2 REs
		t.Errorf("they eat %dT", price)
	}
	g.refused("OCS 12.6c", "feed x-div,x-div2,x-guard"+pays(at(18), "3"))
	rulestest.Proves(t, ruleset, "OCS 12.0", "OCS 12.6")
	g.refused("OCS 12.6c", "feed bl-1-inf"+pays(at(18), "2")) // it traces
	rulestest.Proves(t, ruleset, "OCS 12.6e", "OCS 12.9a")
	g.refused("OCS 12.6e", "feed x-tank"+pays(at(18), "1"))
	g.refused("OCS 12.9a", "feed truck-blue.1"+pays(at(18), "1"))
	g.do("feed x-div,x-div2,x-guard" + pays(at(18), "4"))
	g.refused("OCS 12.6c", "feed x-guard"+pays(at(18), "1"))
	g.do("feed x-reg" + pays(at(18), "1"))
	rulestest.Proves(t, ruleset, "OCS 12.6d", "OCS 12.6d-i", "OCS 12.8a")
	out := g.do("done", 1, 1) // one hex checks attrition: that of x-tank, with a rating of 0
	g.want("ground "+at(18)+" blue", 4, "mark x-div out-of-supply", false, "mark x-reg out-of-supply", false,
		"mark bl-1-inf out-of-supply", false, "asks", "react")
	if told := g.told(out); !strings.Contains(told, "1 trace, 4 are fed, 1 are out of supply") {
		t.Errorf("told %q", told)
	}
	g.want("place x-tank", "dead")
}

// OCS 12.6f.
func TestFormationTraces(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.6f", "OCS 13.1d")
	const of = " formation=bl-3-arm"
	lay := func() *table {
		return onRow(t, 40, []int{0, 30}, nil, nil, tank+of, guard+of,
			"x-two blue battalion armor armor 5-4-8track 2-4-14track"+of, hq13, hq57).
			put(at(2), "x-tank x-guard").put(at(28), "x-two").dump(at(28), Blue, 4).segment(SegSupply, Blue)
	}
	g := lay()
	g.do("done")
	g.refused("OCS 12.6f", "done")
	g.refused("OCS 12.6f", "feed x-two"+pays(at(28), "1"))
	g.refused("OCS 12.6f", "provide formation=bl-3-arm at="+at(15))
	if got := g.lists("provide"); len(got) != 2 {
		t.Errorf("it lists %v", got)
	}
	g.do("provide formation=bl-3-arm at=" + at(0))
	g.refused("OCS 12.6f", "provide formation=bl-3-arm at="+at(30))
	g.refused("OCS 12.6c", "feed x-tank"+pays(at(28), "1"))
	g.do("feed x-two" + pays(at(28), "1")) // though it could trace by itself
	g.do("done")
	g.want("mark x-tank out-of-supply", false, "mark x-two out-of-supply", false)
	g = lay()
	g.all("done", "provide formation=bl-3-arm at="+at(30))
	g.do("done", 1, 3) // a rating of 4: nothing happens with 4
	g.want("mark x-tank out-of-supply", true, "mark x-guard out-of-supply", true, "mark x-two out-of-supply", false)
	g = lay()
	g.to("x-two", at(4)) // all trace to one source: nothing is asked
	g.do("done")
	if got := g.lists("provide"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
	g.do("done")
	g.want("mark x-two out-of-supply", false)
	g = lay()
	g.put(at(6), "x-57").to("x-two", at(14)).to("x-tank", at(3)).to("x-guard", at(3)) // all are served by one HQ
	g.all("done", "done")
	g.want("mark x-two out-of-supply", false, "mark x-tank out-of-supply", false)
}

func TestAttrition(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.8a", "OCS 12.8b", "OCS 12.8c", "OCS 12.6d")
	lay := func(units string) *table {
		return onRow(t, 40, []int{0}, nil, nil, division,
			"x-div2 blue division other infantry 9-2-3leg 3-2-8leg", guard, tank).
			put(at(30), units).segment(SegSupply, Blue).all("done")
	}
	g := lay("x-div x-guard") // four steps, a rating of 3
	g.do("done", 4, 4)
	g.want("asks", "attrition", "at "+at(30), "x-div x-guard", "mark x-div out-of-supply", true)
	g.refused("OCS 12.8b", "suffer lines=[unit=x-div;count=3]")
	g.refused("OCS 12.8b", "suffer lines=[unit=x-guard;count=2]")
	if got := g.lists("suffer"); len(got) != 2 {
		t.Errorf("it lists %v", got)
	}
	g.do("suffer lines=[unit=x-guard;count=1]")
	g.want("asks", "attrition", "place x-guard", "dead")
	g.do("suffer lines=[unit=x-div;count=1]")
	g.want("asks", "react", "lost x-div", 1)

	g = lay("x-div x-div2") // six steps: 3 is added, 8 becomes 11
	g.do("done", 4, 4)
	g.do("suffer lines=[unit=x-div;count=2],[unit=x-div2;count=2]")
	g.want("lost x-div", 2, "lost x-div2", 2, "asks", "react")
	g = lay("x-div/dg")
	g.do("done", 2, 3) // DG does not lower the rating
	g.want("asks", "react", "lost x-div", 0)
	g = lay("x-tank/strat x-guard")
	// Strat mode counts as 0
	if rating := g.p.starvingRating([]Unit{g.unit("x-tank"), g.unit("x-guard")}); rating != 2 {
		t.Errorf("the rating is %d", rating)
	}
	g.do("done", 6, 6) // more than there is
	g.want("place x-tank", "dead", "place x-guard", "dead")
	for _, c := range []struct{ rating, dice, steps, want int }{
		{5, 8, 1, 0}, {5, 10, 1, 1}, {4, 10, 1, 2}, {3, 11, 1, 4}, {2, 10, 1, allSteps}, {1, 2, 1, 0}, {0, 2, 1, 1},
		{0, 7, 4, 4}, {5, 9, 5, 4}, {9, 8, 1, 0},
	} {
		if got := g.p.attrition(c.rating, c.dice, c.steps); got != c.want {
			t.Errorf("rating %d, dice %d, %d steps: %d lost, want %d", c.rating, c.dice, c.steps, got, c.want)
		}
	}
	g = lay("x-div/oos") // the marker stays, and it checks again
	g.do("done", 1, 1)
	g.segment(SegSupply, Red)
	g.all("done", "done")
	g.segment(SegSupply, Blue).all("done")
	g.do("done", 1, 1)
	g.want("mark x-div out-of-supply", true)
	g.segment(SegSupply, Blue).to("x-div", at(3)).all("done", "done")
	g.want("mark x-div out-of-supply", false)
}

func TestOutOfSupplyHasNoZOC(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.8d")
	g := onRow(t, 20, []int{0}, nil, nil, tank).put(at(15), "x-tank/fuel=lasting,oos").segment(SegMovement, Blue)
	g.want("zoc "+at(16)+" blue", false)
	g.do("move x-tank " + at(16)) // movement is as ever
	c := g.p.changed()
	c.unit(g.unit("x-tank")).Unset = []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY}
	g.change(c)
	g.want("zoc "+at(17)+" blue", true)
}

func TestStocksInCombat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.10a", "OCS 12.10b", "OCS 12.10c", "OCS 12.10d", "OCS 12.10h", "OCS 12.5g")
	g := onRow(t, 30, nil, nil, nil, division, guard, tank).put(at(5), "x-div x-guard x-tank").dump(at(4), Blue, 2).
		segment(SegCombat, Blue)
	rule := func(id string, price int) string {
		if r := g.p.survey(Blue).mayUseStocks(g.unit(id), price); r != nil {
			return r.Rule
		}
		return ""
	}
	if got := rule("x-guard", 1); got != "OCS 12.10a" {
		t.Errorf("SP are there, and stocks are refused by %q", got)
	}
	if got := rule("x-div", 3); got != "" { // three steps, two tokens: the stocks, and the tokens are wasted
		t.Errorf("two tokens for three steps: %q", got)
	}
	if got := paid(g.p.survey(Blue).wasted(g.unit("x-div"))); got != 2 {
		t.Errorf("%dT are wasted", got)
	}
	g.dump(at(4), Blue, 0)
	for _, want := range []string{"low", "exhausted"} {
		if got := rule("x-div", 3); got != "" {
			t.Errorf("no SP, and stocks are refused by %q", got)
		}
		c := g.p.changed()
		c.useStocks(g.unit("x-div"))
		g.change(c).want("stocks x-div", want, "stocks x-guard", "full")
	}
	if got := rule("x-div", 3); got != "OCS 12.10c" {
		t.Errorf("there are stocks for ever: %q", got)
	}
	if r := g.p.needsFuel(g.unit("x-tank")); r == nil { // they are no fuel
		t.Error("it moves on its internal stocks")
	}
}

// EX-12-10.
func TestBreakout(t *testing.T) {
	t.Parallel()
	lay := func(q int, unit string, units string) *table {
		g := onRow(t, 60, []int{0}, nil, nil, division, guard, tank, foe,
			"x-fort blue battalion other infantry 2-2-0leg 1-2-0leg",
			"x-mot blue battalion other infantry 2-2-3leg 1-2-12truck").
			put(at(3), "x-guard").put(at(q), unit+" "+units).put(at(59), "y-foe").inTurn(10)
		return g.segment(SegBreakout, Blue)
	}
	g := lay(12, "x-div/supplied=out,oos,lost=1,stocks=low", "x-fort")
	g.want("asks", "breakout")
	rulestest.Proves(t, ruleset, "OCS 12.6", "OCS 12.8e")
	g.refused("OCS 12.8e", "breakout x-guard") // it traces
	g.refused("OCS 12.8e", "breakout x-fort")
	before := g.p.Clone()
	rulestest.Proves(t, ruleset, "OCS 12.8e-i", "OCS 12.8e-ii")
	g.do("breakout x-div", 4)
	g.want("place x-div", "dead")
	g.p = before
	g.do("breakout x-div", 5, 3)
	g.want("place x-div", "returning", "lost x-div", 1, "stocks x-div", "full", "mark x-div out-of-supply", false)
	if turn := g.p.units[g.unit("x-div")].returns; turn != 13 {
		t.Errorf("it returns in turn %d", turn)
	}
	rulestest.Proves(t, ruleset, "OCS 12.8e-B")
	g = lay(18, "x-div/supplied=out,oos", "") // 15 hexes to the guard
	if got := g.lists("breakout"); len(got) != 1 {
		t.Errorf("it lists %v", got)
	}
	g = lay(19, "x-div/supplied=out,oos", "truck-blue/points_t=4,supplied=out")
	g.refused("OCS 12.8e-B", "breakout x-div")
	rulestest.Proves(t, ruleset, "OCS 12.8e-C")
	g.refused("OCS 12.8e-C", "breakout truck-blue.1")
	rulestest.Proves(t, ruleset, "OCS 12.8e-A")
	g.to("y-foe", at(10))
	g.refused("OCS 12.8e-A", "breakout x-div")
	g = lay(12, "x-mot/supplied=out,oos", "")
	g.to("y-foe", at(60)).put(at(7), "y-foe/move")
	g.refused("OCS 12.8e-A", "breakout x-mot")
	for die, place := range map[uint32]string{3: "dead", 4: "returning"} {
		g = lay(40, "x-div/supplied=traced", "") // immediately: A and B do not matter
		if die == 3 {
			g.do("breakout x-div", die)
		} else {
			g.do("breakout x-div", die, 6)
		}
		g.want("place x-div", place)
	}
	rulestest.Proves(t, ruleset, "OCS 12.8e-iii")
	doc := document(t, "proving-ground")
	doc.Sides[0].BreakoutReturn = []string{"nowhere"} // the place of return is the scenario's
	if sc, _ := loadMessage(doc); sc != nil {
		t.Error("units may return anywhere")
	}
	g = lay(40, "x-div/supplied=fed", "")
	g.refused("OCS 12.8e-B", "breakout x-div")
	g = lay(40, "x-div/supplied=traced", "truck-blue/points_t=12,load_t=12,supplied=traced")
	// each point by itself: one is lost with its load, two return, and their loads stay
	g.do("breakout truck-blue.1", 1, 6, 2, 4, 5)
	g.want("ground "+at(40)+" blue", 8)
	if got := g.points(Returning); got != 8 {
		t.Errorf("%dT of points return", got)
	}
}

// points are the transport points in a place off the map.
func (g *table) points(where Place) (n int) {
	for u := range g.p.units {
		if g.p.units[u].place == where {
			n += int(g.p.units[u].points)
		}
	}
	return n
}

// EX-12-08.
func TestStocksWithSupply(t *testing.T) {
	t.Parallel()
	lay := func(tokens int) *table {
		rulestest.Proves(t, ruleset, "OCS 12.4-i", "OCS 12.5b")
		g :=
			onGround(t, "x-pz blue regiment armor armor 6-4-8track 3-4-14track",
				"x-div blue division other infantry 9-3-3leg 3-3-8leg",
				"y-1 red regiment other infantry 5-3-3leg 2-3-8leg",
				"y-2 red regiment other infantry 5-3-3leg 2-3-8leg",
				"y-3 red regiment other infantry 5-3-3leg 2-3-8leg").
				put("10.06", "x-pz x-div").put("11.07", "y-1 y-2 y-3").dump("10.06", Blue, 10).
				dump("11.07", Red, tokens).segment(SegCombat, Blue)
		g.do("attack x-pz,x-div 11.07") // tanks attack without fuel
		g.refused("OCS 9.5b", "pay x-pz,x-div lines=[at=10.06;count=3]")
		return g.all("pay x-pz,x-div lines=[at=10.06;count=4]", "ready") // one for each step
	}
	g := lay(1)
	g.want("ground 10.06 blue", 6)
	rulestest.Proves(t, ruleset, "OCS 12.10a")
	g.refused("OCS 12.10a", "stocks y-1") // a token is there for it
	g.refused("OCS 12.1d", "pay y-1,y-2 lines=[at=11.07;count=2]")
	g.do("pay y-1 lines=[at=11.07;count=1]")
	g.refused("OCS 9.5b", "stocks y-1") // one or the other
	g.all("stocks y-2,y-3", "ready")
	rulestest.Proves(t, ruleset, "OCS 12.4-iii", "OCS 12.10", "OCS 12.10b", "OCS 12.10d", "OCS 12.10g")
	g.want("stocks y-1", "full", "stocks y-2", "low", "stocks y-3", "low", "ground 11.07 red", 0, "asks", "lead")
	rulestest.Proves(t, ruleset, "OCS 12.4", "OCS 12.4-ii")
	g = lay(4)
	g.refused("OCS 9.5b", "pay y-1,y-2,y-3 lines=[at=11.07;count=3]")
	g.all("pay y-1,y-2,y-3 lines=[at=11.07;count=2]", "ready") // 2 T for a stack of more than 1 RE
	g.want("ground 11.07 red", 2)
	lay(4).all("ready").want("ground 11.07 red", 4, "asks", "lead") // the defender need not pay
}

// Organic trucks lie in reserve with their formation, until the hex is disorganised.
func TestOrganicTrucks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.2d", "OCS 13.2g", "OCS 13.2g-D")
	g := onGround(t).put("07.07", "bl-3-trk/load_t=4 bl-1-inf truck-blue/points_t=4").segment(SegMovement, Blue)
	g.refused("OCS 5.8c", "mode truck-blue.1 marker=strat face=move")
	g.refused("OCS 5.7f", "mode truck-blue.1 marker=reserve face=move")
	g.refused("OCS 5.8c", "mode bl-3-trk marker=strat face=move")
	g.do("mode bl-3-trk marker=reserve")
	g.want("mode bl-3-trk", "reserve")
	c := g.p.changed()
	g.p.disorganise(c, Blue, g.place("07.07"))
	g.change(c).want("mode bl-3-trk", "move", "mode bl-1-inf", "dg")
}

// An organic truck retreats with other units of its hex, never alone; a truck does not retreat.
func TestOrganicTruckRetreats(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12d", "OCS 13.2g-E")
	g :=
		onGround(t, "x-1 blue regiment other infantry 16-4-3leg 1-4-8leg",
			"y-1 red division other infantry 4-4-3leg 3-3-8leg").
			put("12.04", "x-1").put("12.05", "y-1 rd-1-trk/load_t=2 truck-red/points_t=4").dump("12.04", Blue, 8).
			dump("12.05", Red, 8).segment(SegCombat, Blue)
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "pay y-1 lines=[at=12.05;count=2]", "ready",
		"lead x-1")
	g.do("lead y-1", 4, 4, 5, 5) // Ao1e4, DL1o2
	g.all("lose hexes=1", "retreat x-1 12.03", "lose lines=[unit=y-1;count=1] hexes=2")
	g.refused("OCS 9.12d", "retreat rd-1-trk 12.06>12.07")
	g.refused("OCS 9.12d", "retreat y-1,truck-red.1 12.06>12.07")
	g.do("retreat y-1,rd-1-trk 12.06>12.07")
	g.want("place rd-1-trk", "12.07", "load rd-1-trk", 2, "place truck-red.1", "12.05", "ground 12.05 red", 6)
}
