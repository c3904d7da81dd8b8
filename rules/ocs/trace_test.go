package ocs

import (
	"testing"

	"pgregory.net/rapid"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/rulestest"
)

// Counters that the cases of supply use.
const (
	hq57     = "x-57 blue corps other headquarters 5-0-2truck/t8truck 1-0-12truck/t6truck hq"
	hq13     = "x-13 blue corps other headquarters 5-0-2truck/t3truck 1-0-12truck/t3truck hq"
	division = "x-div blue division other infantry 9-3-3leg 3-3-8leg"
	guard    = "x-guard blue battalion other infantry 2-2-3leg 1-2-8leg"
	tank     = "x-tank blue battalion armor armor 5-4-8track 2-4-14track"
	foe      = "y-foe red regiment other infantry 5-3-3leg 2-3-8leg"
)

// EX-12-03.
func TestHQRanges(t *testing.T) {
	t.Parallel()
	g := onRow(t, 30, []int{-5}, nil, [][2]int{{-5, 0}}, hq57, hq13, division).put(at(0), "x-57").put(at(5), "x-13").
		put(at(9), "x-div").
		segment(SegArtilleryBarrage, Blue)
	rulestest.Proves(t, ruleset, "OCS 12.6", "OCS 12.6a", "OCS 12.6a-2")
	g.traces("x-57", true) // its own hex is detrainable
	g.traces("x-div", true)
	rulestest.Proves(t, ruleset, "OCS 12.3", "OCS 12.3b", "OCS 12.9b")
	g.to("x-13", at(30))
	g.traces("x-div", true) // by x-57: hex 8 for 8 MP
	g.to("x-div", at(10))
	g.traces("x-div", false)
	g.to("x-13", at(5)).to("x-div", at(9))
	g.put(at(0), "x-57/strat")
	g.traces("x-57", true) // a source in the rear, for 5 MP
	g.traces("x-13", false)
	g.put(at(0), "x-57/combat")
	c := g.p.changed()
	c.unit(g.unit("x-57")).Marker = ocsv1.Marker_MARKER_NONE
	g.change(c)
	rulestest.Proves(t, ruleset, "OCS 12.3a", "OCS 12.3c")
	for q, want := range map[int]bool{5: true, 6: true, 7: true, 12: false} {
		g.to("x-13", at(q)).to("x-57", at(0))
		if got := g.p.survey(Blue).direct(g.unit("x-13")); got != (want && q < 7) {
			t.Errorf("an HQ in %d reaches the detrainable hex: %t", q, got)
		}
	}
	g.to("x-57", at(30)).to("x-13", at(5)) // only x-13 is left
	g.dump(at(-1), Blue, 4)
	g.given("x-div", 4)
	g.dump(at(-1), Blue, 0).dump(at(-2), Blue, 4)
	g.given("x-div", 0) // never the throw range of the HQ
}

// EX-12-04.
func TestExtenderRanges(t *testing.T) {
	t.Parallel()
	lay := func(q int) *table {
		return onRow(t, 40, []int{0}, nil, nil, hq57, division).put(at(q), "truck-blue/points_t=20,set=extender")
	}
	rulestest.Proves(t, ruleset, "OCS 12.6a-1", "OCS 12.6a-3", "OCS 12.7a", "OCS 12.7a-A")
	g := lay(11).put(at(17), "x-div").segment(SegArtilleryBarrage, Blue) // A, A2
	g.traces("x-div", true)
	g.to("x-div", at(18))
	g.traces("x-div", false)
	g.to("x-div", at(26)).put(at(17), "x-57")
	g.traces("x-div", true)
	rulestest.Proves(t, ruleset, "OCS 12.7c")
	g.put(at(22), "truck-blue/points_t=20,set=extender").to("x-div", at(28)).to("x-57", at(40)) // A3
	g.traces("x-div", true)
	g.to("truck-blue.1", at(-5))
	g.traces("x-div", false) // the chain is broken
	rulestest.Proves(t, ruleset, "OCS 12.7b", "OCS 12.7g")
	g = lay(12).put(at(17), "x-div").segment(SegArtilleryBarrage, Blue)
	g.traces("x-div", false)
	rulestest.Proves(t, ruleset, "OCS 12.7a")
	// a throw and an extender never meet
	g = lay(20).put(at(6), "x-57").put(at(22), "x-div").segment(SegArtilleryBarrage, Blue)
	g.traces("x-57", true)
	g.traces("x-div", false)
}

// EX-12-04 B and C.
func TestExtendersJoinRails(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.7a-B", "OCS 12.7a-C")
	parts := func(q int) *table {
		return onRow(t, 40, []int{0}, []int{5, 15, 30}, [][2]int{{0, 5}, {15, 30}}, division).
			put(at(q), "truck-blue/points_t=20,set=extender").put(at(33), "x-div").segment(SegArtilleryBarrage, Blue)
	}
	g := parts(15)
	g.traces("x-div", true)
	g = parts(5)
	g.traces("x-div", false)
	g = onRow(t, 40, []int{0}, []int{10, 20}, [][2]int{{10, 20}}, division).
		put(at(10), "truck-blue/points_t=20,set=extender").
		put(at(25), "x-div").segment(SegArtilleryBarrage, Blue)
	g.traces("x-div", true)
	g.to("truck-blue.1", at(12))
	g.traces("x-div", false)
}

func TestLinesAndEnemies(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.5a-B", "OCS 4.5a-D", "OCS 4.8c-E", "OCS 12.3d", "OCS 12.3d-i", "OCS 12.6b")
	foot := "x-foot blue corps other headquarters 5-0-2leg/t8leg 1-0-12leg/t6leg hq"
	g := onRow(t, 30, []int{0}, nil, nil, division, guard, foe, foot).put(at(5), "x-div").put(at(20), "x-guard").
		segment(SegArtilleryBarrage, Blue)
	g.traces("x-div", true)
	g.put(at(3), "y-foe")
	g.traces("x-div", false)
	g.put(at(3), "y-foe/move") // its ZOC is gone, it still stands there
	g.traces("x-div", false)
	g.to("y-foe", at(30)).put(at(3), "truck-red/points_t=4") // the line passes non-combat units
	g.traces("x-div", true)
	g.to("truck-red.1", at(0)) // and does not end there
	g.traces("x-div", false)
	g.to("truck-red.1", at(30)).to("y-foe", at(-1)) // an enemy ZOC on the source
	c := g.p.changed()
	c.unit(g.unit("y-foe")).Face = ocsv1.Face_FACE_COMBAT
	g.change(c)
	g.traces("x-div", false)
	g.to("x-guard", at(0))
	g.traces("x-div", true)

	g = onRow(t, 30, []int{0}, []int{6}, [][2]int{{0, 6}}, division, guard, foe).put(at(9), "x-div").
		segment(SegArtilleryBarrage, Blue)
	g.traces("x-div", true)
	g = onRow(t, 30, []int{0}, []int{10}, [][2]int{{0, 3}, {5, 10}}, division).put(at(12), "x-div").
		segment(SegArtilleryBarrage, Blue)
	g.traces("x-div", false) // the railway is not connected
}

// A line of Truck MP is cut by an enemy ZOC beside it, one of Leg MP is not, and a friendly unit that stays negates it.
func TestLinesInZOC(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.5a-B", "OCS 12.3d-i")
	g :=
		onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-2 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-leg blue corps other headquarters 5-0-2leg/t8leg 1-0-12leg/t6leg hq",
			"y-1 red regiment other infantry 5-3-3leg 2-3-8leg").
			put("09.04", "x-1").dump("09.02", Blue, 4).segment(SegMovement, Blue)
	s := func() int { return g.p.reachableTokens(g.unit("x-1")) }
	if s() != 4 {
		t.Fatalf("%dT are in reach", s())
	}
	covered := g.p.survey(Blue).cover(g.place("09.04").Hex(), Truck, oneMP)
	if !covered.has(g.place("09.02").Hex()) || covered.has(g.place("09.01").Hex()) {
		t.Error("one MP and one hex do not reach two hexes")
	}
	g.put("09.03", "y-1")
	for mp, want := range map[MoveType]bool{Truck: false, Leg: true} {
		line := g.p.survey(Blue)
		line.reach(span{g.place("09.04").Hex(), mp, 5 * oneMP}, false)
		if got := line.flood.Has(g.place("09.02").Hex()); got != want {
			t.Errorf("a line of MP %d enters an enemy ZOC: %t", mp, got)
		}
	}
	h := g.place("10.03").Hex()
	if !g.p.cut(Blue, h) {
		t.Fatal("no ZOC in 10.03")
	}
	g.put("10.03", "x-2")
	if !g.p.cut(Blue, h) {
		t.Error("a unit that may still move negates")
	}
	c := g.p.changed()
	c.mark(g.unit("x-2"), ocsv1.UnitMark_UNIT_MARK_COMMITTED)
	if g.change(c); g.p.cut(Blue, h) {
		t.Error("a committed unit does not negate")
	}
	c = g.p.changed()
	c.unit(g.unit("x-2")).Unset = []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_COMMITTED}
	if g.change(c).segment(SegArtilleryBarrage, Blue); g.p.cut(Blue, h) {
		t.Error("outside of movement any combat unit negates")
	}
}

func TestLinesInWeather(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.3d-ii")
	g := onRow(t, 30, []int{0}, nil, nil, division).put(at(6), "x-div").segment(SegArtilleryBarrage, Blue)
	g.traces("x-div", true)
	g.weather("mud") // a truck pays 3 MP in open terrain
	if g.p.way(byRoad, Truck, g.place(at(6)).Hex(), dirTo(g, at(6), at(5))) != 3*oneMP {
		t.Fatal("mud costs nothing")
	}
	g.traces("x-div", true)
	g = onGround(t)
	dry, frozen := g.lakeStep("dry"), g.lakeStep("frozen")
	if dry != costNever || frozen >= costAll {
		t.Errorf("a step over a lake costs %d, and %d when it is frozen", dry, frozen)
	}
}

// An engineer bridges for supply lines as for movement, in mud for what it costs in dry weather.
func TestLinesOverBridges(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.3d", "OCS 12.3d-ii", "OCS 13.8b")
	g := onGround(t, "x-eng blue battalion other engineer 2-3-3leg 1-3-8leg engineer").put("05.05", "x-eng").
		segment(SegArtilleryBarrage, Blue)
	from, to := g.place("05.06").Hex(), g.place("06.06").Hex() // over a minor river, without a road
	d, _ := g.sc.Map.DirTo(from, to)
	step := func() Cost { return g.p.survey(Blue).step(Truck, from, to, d) }
	far := step()
	g.to("x-eng", "05.06")
	if near := step(); near != oneMP || near >= far {
		t.Errorf("the river costs %s with an engineer, %s without", formatCost(near), formatCost(far))
	}
	if g.weather("mud"); step() != oneMP {
		t.Errorf("in mud it costs %s", formatCost(step()))
	}
}

// lakeStep is the cheapest step of a supply line over a hexside that is closed in dry weather and open when it is
// frozen.
func (g *table) lakeStep(ground string) Cost {
	dry, frozen := costNever, costNever
	for h := range g.sc.Hexes {
		for d := range hex.Dir(hex.NumDirs) {
			g.weather("frozen")
			open := g.p.lineCost(Truck, Hex(h), d)
			g.weather("dry")
			if closed := g.p.lineCost(Truck, Hex(h), d); open < costAll && closed == costNever {
				dry, frozen = closed, open
			}
		}
	}
	if ground == "dry" {
		return dry
	}
	return frozen
}

func dirTo(g *table, from, to string) hex.Dir {
	d, _ := g.sc.Map.DirTo(g.place(from).Hex(), g.place(to).Hex())
	return d
}

func TestPortsAndEntries(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.5a-F", "OCS 12.6a-1", "OCS 12.6b", "OCS 12.3e")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg",
		"y-1 red regiment other infantry 5-3-3leg 2-3-8leg").
		put("05.08", "x-1").segment(SegArtilleryBarrage, Blue)
	port := g.place("05.07").Hex()
	works := func() bool { return g.p.survey(Blue).works(port, true) }
	g.hex("05.07", "owner=blue")
	if !works() {
		t.Error("a friendly port is no source")
	}
	g.hex("05.07", "owner=red")
	if works() {
		t.Error("an enemy port is a source")
	}
	g.hex("05.07", "owner=blue port_hits=4")
	if left := g.p.portLeft(g.place("05.07")); works() != (left >= oneSP) || left >= 24 {
		t.Errorf("a port of %dT is a source: %t", left, works())
	}
	g.hex("05.07", "port_hits=0").put("06.07", "y-1")
	if works() {
		t.Error("a port in an enemy ZOC is a source")
	}
	g.to("x-1", "05.07")
	if !works() {
		t.Error("the ZOC is not negated")
	}
	g.sc.Constants.PortTraceNotNegatable = true
	negated := works()
	g.sc.Constants.PortTraceNotNegatable = false
	if negated {
		t.Error("a game in which ports are not restored does")
	}
	g.to("x-1", "blue-base")
	g.traces("x-1", true)
	if g.p.reachableTokens(g.unit("x-1")) != boundless {
		t.Error("a box that supplies gives too little")
	}
	g.to("x-1", "05.08")
	g.given("x-1", 0)
}

// A survey keeps covers; each is what a search of its own finds.
func TestSurveyKeepsCovers(t *testing.T) {
	t.Parallel()
	g := begun(t, "crimea-campaign")
	kept := [numSeats]*survey{g.p.survey(Blue), g.p.survey(Red)}
	rapid.Check(t, func(t *rapid.T) {
		seat := rules.Seat(rapid.IntRange(0, 1).Draw(t, "seat"))
		k := span{
			from:   Hex(rapid.IntRange(0, len(g.sc.Hexes)-1).Draw(t, "from")),
			mp:     MoveType(rapid.IntRange(0, int(numMoveTypes)-1).Draw(t, "mp")),
			within: Cost(rapid.IntRange(0, 20).Draw(t, "within")) * oneMP,
		}
		plain := g.p.plainCover(seat, k)
		for range 2 {
			if got := kept[seat].cover(k.from, k.mp, k.within); !equalSets(got, plain) {
				t.Fatalf("%+v covers other hexes than a plain search", k)
			}
		}
	})
}

func equalSets(a, b hexSet) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// plainCover is the hexes that a line covers, by relaxing every step until nothing changes.
func (p *Position) plainCover(seat rules.Seat, k span) hexSet {
	cost := make([]Cost, len(p.sc.Hexes))
	for h := range cost {
		cost[h] = costNever
	}
	cost[k.from] = 0
	for again := true; again; {
		again = false
		for h := range cost {
			if cost[h] > k.within {
				continue
			}
			for d, to := range p.around(Hex(h)) {
				c := p.lineCost(k.mp, Hex(h), d)
				if c == costAll && Hex(h) == k.from {
					c = k.within
				}
				if c >= costAll || p.combatIn(enemy(seat), Place(to)) || k.mp == Truck &&
					p.cut(seat, to) || cost[h]+c >= cost[to] || cost[h]+c > k.within {
					continue
				}
				cost[to], again = cost[h]+c, true
			}
		}
	}
	b := make(hexSet, (len(cost)+63)/64)
	for h := range cost {
		if cost[h] <= k.within {
			b.add(Hex(h))
			for _, n := range p.around(Hex(h)) {
				b.add(n)
			}
		}
	}
	return b
}

// BenchmarkTrace checks every unit of a side on the map of the campaign.
func BenchmarkTrace(b *testing.B) {
	g := begun(b, "crimea-campaign")
	for seat := range numSeats {
		b.Run(seatIDs[seat], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := g.p.survey(seat)
				for u := range g.p.all(seat) {
					if g.p.isCombat(u) {
						s.inSupply(u)
					}
				}
			}
		})
	}
}

// BenchmarkFuelList lists all payments of fuel of a side on the map of the campaign.
func BenchmarkFuelList(b *testing.B) {
	g := begun(b, "crimea-campaign").segment(SegMovement, Blue)
	b.ReportAllocs()
	for b.Loop() {
		for _, kind := range [...]string{"fuel", "fuel-hq", "fuel-formation", "destroy-dump", "load", "split"} {
			g.p.Legal(Blue, rules.Filter{Kind: kind}, func(Command) bool { return true })
		}
	}
}

// Trainbusting markers do not slow supply lines (OCS 12.3d, Decision D06), but where the game says so.
func TestTrainbustingOnSupply(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.3d")
	for _, slows := range []bool{false, true} {
		g := onRow(t, 30, nil, nil, nil, tank, guard).put(at(7), "x-tank").put(at(20), "x-guard").dump(at(1), Blue, 3).
			dump(at(16), Blue, 2).dump(at(14), Blue, 1)
		g.sc.Constants.TrainbustingOnSupply = slows
		g.given("x-tank", 3)
		g.hex(at(4), "trainbusting=red")
		if slows {
			g.given("x-tank", 0) // three hexes of five cost 2 MP
		} else {
			g.given("x-tank", 3)
		}
		g.hex(at(4), "trainbusting=blue").given("x-tank", 3) // one's own marker slows the other side
	}
}
