package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// hard puts rivers, Rough and a Town on the way from K1 to K4.
func hard(f *flower.Flower) {
	f.River("K1", "N1")
	f.River("N4", "K4")
	f.Ground("rough", "N1")
	f.Ground("town", "N4")
}

func TestUSTerrainCosts(t *testing.T) { // E-105
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.4", "DF 12.1-a", "DF 12.6-c")
	g := onFlower(t, USActions, hard).put("K1", "I/25", "I/art")
	r := g.refused("DF 12.4", "move I/25 K1-N1-C-N4-K4-E4")
	if need, most := arg(r.Text.Args, "need"), arg(r.Text.Args, "max"); need != "9" || most != "8" {
		t.Errorf("needs %s of %s MF, want 9 of 8", need, most)
	}
	g.refused("DF 12.1-a", "move I/25 K1-C")
	air := g.p.Clone()
	g.do("move I/25 K1-N1-C-N4-K4")
	g.want("I/25", "K4:2", "cp", 5)
	g.p = air
	g.supply(Air, "I/art")
	g.do("move I/art K1-N1-C-N4-K4")
	// The way to a destination is the cheapest, and without a way there is none.
	g = onFlower(t, USActions, hard, func(f *flower.Flower) {
		for _, n := range []string{"N3", "N4", "N5", "E3", "E4", "K4"} {
			f.Ground("city", n)
		}
		f.Sea("K5", "N5")
	}).put("K1", "I/25")
	g.refused("DF 12.6-c", "move I/25 K1-E6-N6-E5-K5-N5")
	g.do("move I/25 E4")
	g.want("I/25", "E4:2")
}

func TestJapaneseCosts(t *testing.T) { // E-106
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.2", "DF 12.1-a")
	g := onFlower(t, JapanActions, hard).put("K1", "J1")
	g.refused("DF 12.2", "move J1 K1-N1-C-N4-K4")
	g.refused("DF 12.2", "move J1 K4")
	g.p.jpMF = 4
	g.do("move J1 K1-N1-C-N4-K4")
	g.want("J1", "K4:2", "cp", 5)
	for mf := uint8(3); mf <= 6; mf++ { // each hex costs 1, whatever it is
		g := onFlower(t, JapanActions, hard).put("K1", "J1")
		g.p.jpMF = mf
		way := "move J1 K1"
		for i, h := range []string{"N1", "C", "N4", "K4", "E4", "K5", "E5"} {
			way += "-" + h
			if i == int(mf) {
				g.refused("DF 12.2", way)
			} else if i == int(mf)-1 {
				last := g.p.Clone()
				g.do(way)
				g.p = last
			}
		}
	}
}

func TestMovementFactorsAreNotKept(t *testing.T) { // E-107
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.1-b", "DF 7.6-a", "DF 5.3")
	g := onFlower(t, JapanActions).put("K1", "J1", "J2").reduce("J1")
	g.do("move J1 N1")
	g.refused("DF 7.6-a", "move J1 C")
	g.do("end") // no US unit is on the map: nothing is asked about air supply
	g.turnOver()
	g.refused("DF 12.2", "move J1 N1-C-N4-K4-E4")
	g.refused("DF 12.2", "move J2 K1-N1-C-N4-K4")
	g.do("move J1 N1-C-N4-K4")
	g.want("J1", "K4:1")

	g = onFlower(t, USActions).put("K1", "I/25").reduce("I/25")
	g.do("move I/25 K1-E1-K2-E2-K3-E3-K4-E4-K5") // 8 MF on the reduced side
	g.want("I/25", "K5:1")
	g.refused("DF 7.6-a", "move I/25 E5")
}

func TestEnemyHexesAreClosed(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.6-a", "DF 12.6-b", "DF 12.5", "DF 8.5-d", "DF 11.7-b", "DF 12.8")
	g := onFlower(t, JapanActions).put("C", "J1", "J2", "J3").put("N1", "BH-I", "I/art").put("N3", "BH-V").
		put("N4", "ASCO")
	g.refused("DF 12.6-a", "move J1 N1")
	// Paths are taken in order: what the first removes doesn't stand in the way of the second, nor is it lost twice.
	g.do("move J1 C-N3-N4-N5 J2 C-N3-N4-N5")
	g.want("J1", "N5:2", "J2", "N5:2", "BH-V", "removed", "ASCO", "removed", "BH-I", "N1", "vp", 3, "cp", 5)
	// US ZOC in such a hex stops as usual, and markers never move.
	g = onFlower(t, JapanActions).put("C", "J1").put("N3", "BH-V").put("E3", "I/25")
	g.refused("DF 11.5", "move J1 C-N3-K3")
	g.do("move J1 N3")
	g.want("BH-V", "removed", "vp", 4)
	g = onFlower(t, USActions).put("C", "ASCO", "BH-I")
	g.refused("DF 8.8-c", "move ASCO N1")
	if _, err := g.try(US, "move BH-I N1"); err == nil {
		t.Error("a beachhead moves")
	}
	// US units enter hexes with their own beachheads, and leave them.
	g = onFlower(t, USActions).put("C", "I/25").put("N1", "BH-V")
	g.do("move I/25 C-N1-K1")
	g.want("BH-V", "N1", "I/25", "K1:2")
}

// What a unit of a stack meets on its way, and nothing else, is gone for the paths of the units after it.
func TestEarlierPathsOfAStackClearTheWay(t *testing.T) { // D-43
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.4-b", "DF 12.6-b", "DF 8.5-d")
	for _, c := range []struct {
		way             []string
		service, landed bool // still there
	}{
		{[]string{"N2"}, true, true},
		{[]string{"C", "N3"}, false, true},
		{[]string{"N2", "N3", "N4"}, true, false},
		{[]string{"C", "N4"}, false, false},
	} {
		g := onFlower(t, JapanActions).put("N1", "J1").put("C", "ASCO").put("N4", "BH-I")
		var path []Hex
		for _, name := range c.way {
			path = append(path, g.hex(name))
		}
		g.p.shadow(g.unit("J1"), path)
		_, landed := g.p.beachheadIn(g.hex("N4"))
		if service := g.p.place[g.p.sc.Service] != Removed; service != c.service || landed != c.landed {
			t.Errorf("%v: 6/ASCO there %v, the beachhead there %v", c.way, service, landed)
		}
		if got := g.p.place[g.unit("J1")]; got != Place(path[len(path)-1]) {
			t.Errorf("%v: the unit is at %v", c.way, got)
		}
	}
}
