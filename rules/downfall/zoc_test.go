package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestZOCStops(t *testing.T) { // E-104
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 11.5", "DF 12.6-a", "DF 11.1", "DF 11.2", "DF 8.5-S1", "DF 8.5-a")
	g := onFlower(t, USActions).put("K1", "I/25").put("N3", "J1")
	for name, want := range map[string]bool{"N2": true, "N4": true, "C": true, "K3": true, "E2": true, "E3": true,
		"N1": false, "N3": false, "K2": false} {
		if got := g.p.inZOC(Japan, g.hex(name)); got != want {
			t.Errorf("Japanese ZOC in %s: %t", name, got)
		}
	}
	for _, friends := range []bool{false, true} {
		if friends {
			g.put("C", "R/6", "BH-I")
		}
		g.refused("DF 11.5", "move I/25 K1-N1-C-N5")
	}
	g.do("move I/25 K1-N1-C")
	g.turnOver().usTurn("-")
	g.refused("DF 12.6-a", "move I/25 N3")
	g.supply(Line, "I/25")
	g.refused("DF 11.5", "move I/25 C-N2-K2") // out of ZOC at the usual cost, into ZOC, and stop
	g.do("move I/25 N2")
	g.want("I/25", "N2:2")

	t.Run("Japan", func(t *testing.T) {
		g := onFlower(t, JapanActions).put("K1", "J1", "J2").put("N3", "I/art").put("C", "J3")
		g.refused("DF 11.5", "move J1 K1-N1-C-N5")
		g.refused("DF 11.5", "move J2 N1 J1 K1-N1-N2-K2") // each unit of a stack
		g.do("move J1 K1-N1-N2")
		g.want("J1", "N2:2")
	})
	t.Run("no ZOC", func(t *testing.T) {
		g := onFlower(t, JapanActions, func(f *flower.Flower) { f.Coast("limousine", "N3") }).put("K1", "J1").put("N3",
			"ASCO", "BH-I")
		g.p.airSupply = Place(g.hex("N3"))
		g.do("move J1 K1-N1-C-N4")
		g.want("J1", "N4:2", "BH-I", "N3")
	})
	t.Run("coastal divisions and units held by a bomb have ZOC", func(t *testing.T) {
		g := onFlower(t, USActions).put("K1", "I/25").put("N3", "CD").put("N6", "J1")
		g.p.bombed = setOf(g.unit("J1"))
		g.refused("DF 11.5", "move I/25 K1-N1-N2-C-N5")
		g.refused("DF 11.5", "move I/25 K1-N1-C")
	})
}

func TestZOCOfBoth(t *testing.T) { // E-108
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 11.3-b", "DF 11.7-a")
	g := onFlower(t, USActions).put("N1", "I/25", "I/33").put("N4", "J1")
	for _, seat := range []rules.Seat{US, Japan} {
		if !g.p.inZOC(seat, g.hex("C")) || g.p.controls(seat, g.hex("C")) {
			t.Errorf("seat %d: no ZOC in C, or control", seat)
		}
	}
	if !g.p.controls(US, g.hex("N1")) || !g.p.controls(Japan, g.hex("N4")) || !g.p.controls(US, g.hex("K1")) ||
		g.p.controls(US, g.hex("K5")) {
		t.Error("control of occupied hexes and of uncontested ZOC")
	}
	// Supply has no effect on ZOC.
	for _, s := range []Supply{OOS, Air, Coast} {
		g.supply(s, "I/25", "I/33")
		if !g.p.inZOC(US, g.hex("C")) {
			t.Errorf("no ZOC in supply state %d", s)
		}
	}
	// One unit more or less makes no difference, the last one does.
	g.p.put(g.unit("I/33"), Holding)
	if !g.p.inZOC(US, g.hex("C")) {
		t.Error("the ZOC of the unit left is gone")
	}
	g.p.put(g.unit("I/25"), Holding)
	if g.p.inZOC(US, g.hex("C")) || !g.p.controls(Japan, g.hex("C")) {
		t.Error("ZOC remains without units")
	}
}

func TestControl(t *testing.T) { // E-109
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 11.7-a", "DF 8.5-S1", "DF 8.8-d", "DF 8.8-S3", "DF 11.2", "DF 8.5-a")
	g := onFlower(t, USActions).put("C", "ASCO").put("N1", "J1")
	if g.p.inZOC(US, g.hex("N2")) {
		t.Error("6/ASCO exerts ZOC")
	}
	if !g.p.inZOC(Japan, g.hex("C")) || !g.p.controls(US, g.hex("C")) || g.p.controls(Japan, g.hex("C")) {
		t.Error("6/ASCO doesn't control the hex that it occupies")
	}
	g = onFlower(t, USActions).put("C", "BH-I")
	if g.p.controls(US, g.hex("C")) || g.p.inZOC(US, g.hex("N1")) {
		t.Error("a beachhead alone controls its hex or exerts ZOC")
	}
	g.put("N1", "J1")
	if !g.p.controls(Japan, g.hex("C")) {
		t.Error("a beachhead alone keeps Japan from control")
	}
	// Units with a beachhead or 6/ASCO keep their ZOC.
	g = onFlower(t, USActions).put("C", "BH-I", "ASCO", "I/25")
	if !g.p.controls(US, g.hex("N1")) {
		t.Error("the unit with them has no ZOC")
	}
}
