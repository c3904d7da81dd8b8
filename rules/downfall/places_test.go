package downfall

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestUnitsHaveOnePlace(t *testing.T) { // E-140
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 2.3", "DF 10.1", "DF 10.3-a", "DF 10.4", "DF 12.6-a")
	t.Run("in every position", func(t *testing.T) {
		t.Parallel()
		for seed := range uint64(3) {
			selfPlay(t, olympic(t), OptionSet(seed)*Airborne11, seed+1000,
				func(p *Position, _ rules.Seat, _ []Command, _ Command) { onePlace(t, p) })
		}
	})
	t.Run("in every document", func(t *testing.T) {
		t.Parallel()
		for _, c := range []struct {
			fault string
			edit  func(*flower.Flower)
		}{
			{"units[14].hex: unit J1 has no set-up hex", func(f *flower.Flower) { f.Unit("J1").Hex = "" }},
			{"units[0].hex: unit I/25 has neither a set-up hex nor a turn of entry",
				func(f *flower.Flower) { f.Unit("I/25").Turn = 0 }},
			{`units[14].hex: "9999" is not a land hex of the map`,
				func(f *flower.Flower) { f.Unit("J1").Hex = "9999" }},
			{"land[0].zone: ", func(f *flower.Flower) { f.Hex("C").Coastal = true }},
			{"units: 14 units of jp-other, expected 13",
				func(f *flower.Flower) {
					f.Unit("A1").Formation, f.Unit("A1").Hex = f.Unit("J1").Formation, flower.DepotJapan+"14"
				}},
			{"beachheads: us-XI has no beachhead", func(f *flower.Flower) { f.Doc.Beachheads = f.Doc.Beachheads[:3] }},
		} {
			f := flower.New()
			c.edit(f)
			sc, faults := fromMessage(f.Doc)
			var lines []string
			for _, fault := range faults {
				lines = append(lines, faultLine(fault))
			}
			if sc != nil && !faults.Fatal() || !strings.Contains(strings.Join(lines, "\n"), c.fault) {
				t.Errorf("%q is not among %q", c.fault, lines)
			}
		}
	})
}

// onePlace checks that places, stacks and the set of units on the map say the same, that sides don't share hexes, and
// that stacks are legal.
func onePlace(t *testing.T, p *Position) {
	t.Helper()
	times, on := make([]int, len(p.sc.Units)), UnitSet(0)
	for h := range Hex(len(p.at)) {
		for u := range p.at[h].Each {
			times[u]++
			if p.place[u] != Place(h) {
				t.Fatalf("%s is in %s and elsewhere", p.id(u), p.sc.HexID(h))
			}
		}
		on |= p.at[h]
		if p.at[h]&p.tab.us != 0 && p.at[h]&p.tab.japan != 0 {
			t.Fatalf("both sides are in %s", p.sc.HexID(h))
		}
		if bits.OnesCount64(uint64(p.at[h]&p.tab.japan)) > 3 ||
			bits.OnesCount64(uint64(p.at[h]&p.tab.us&^p.tab.art)) > 3 ||
			bits.OnesCount64(uint64(p.at[h]&p.tab.us&p.tab.art)) > 1 {
			t.Fatalf("%s is overfull: %v", p.sc.HexID(h), p.ids(p.at[h]))
		}
	}
	for u := range p.sc.Units {
		on1, lost := p.place[u].Hex() != NoHex,
			p.place[u] == Eliminated || p.place[u] == Removed || p.place[u] == Fallen || p.place[u] == Out
		switch {
		case on1 != (times[u] == 1) || times[u] > 1 || on1 != on.Has(Unit(u)):
			t.Fatalf("%s is in %d hexes", p.id(Unit(u)), times[u])
		case on1 && p.steps[u] == 0 || lost && p.steps[u] > 0 && p.place[u] != Out:
			t.Fatalf("%s has %d steps in place %d", p.id(Unit(u)), p.steps[u], p.place[u])
		}
	}
}

func TestGridConstraints(t *testing.T) { // E-141
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 2.3", "DF 3.2-b", "DF 11.3-a", "DF 12.6-c")
	sc := olympic(t)
	for _, id := range []string{"2911", "2912", "3111", "3112"} {
		if n := sc.Map.Distance(at(t, sc, id), at(t, sc, "3013")); n > 2 {
			t.Errorf("%s is %d hexes from 3013", id, n)
		}
	}
	g := on(t, sc, USActions, 0).put("2409", "us-i-25", "us-i-33").put("2410", "jp-5-tk")
	if g.p.inZOC(US, at(t, sc, "2410")) || g.p.inZOC(Japan, at(t, sc, "2409")) {
		t.Error("ZOC crosses the sea between 2409 and 2410")
	}
	g.refused("DF 13.1-c", "attack 2409 2410 us-i-25")
	g.p.put(g.unit("jp-5-tk"), Eliminated)
	g.refused("DF 12.6-c", "move us-i-25 2409-2410")
	city := []string{"2506", "2605", "2606"}
	for i := range city {
		if a, b := at(t, sc, city[i]), at(t, sc, city[(i+1)%3]); !sc.Map.Adjacent(a, b) &&
			!sc.Map.Adjacent(at(t, sc, city[(i+2)%3]), a) {
			t.Errorf("%s isn't connected with the rest of Kagoshima City", city[i])
		}
	}
}
