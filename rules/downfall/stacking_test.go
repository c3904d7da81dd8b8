package downfall

import (
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestMixedCorps(t *testing.T) { // E-100
	t.Parallel()
	mixed := func(t *testing.T, phase Phase) *table {
		return onFlower(t, phase).quiet().put("C", "I/25", "V/2", "I/art").put("K4", "BH-I").put("E4", "BH-V")
	}
	t.Run("1 MF each, alone or together", func(t *testing.T) {
		rulestest.Proves(t, downfall, "DF 10.5-a", "DF 12.7")
		g := mixed(t, SupplyCheck).check("-").states("I/25", "LINE", "V/2", "LINE")
		g.refused("DF 12.7", "move I/25 C-N1-K1")
		g.refused("DF 12.7", "move V/2 C-N1-K1")
		g.refused("DF 12.7", "move I/25 N1 V/2 C-N1-K1")
		g.do("move I/25 N1 V/2 N2")
		g.want("I/25", "N1:2", "V/2", "N2:2", "cp", 5)
	})
	t.Run("attack as OOS, artillery silent, also with the other corps left out", func(t *testing.T) {
		g := mixed(t, USActions).put("N1", "J1")
		rulestest.Proves(t, downfall, "DF 10.5-b", "DF 14.4", "DF 9.5-a")
		g.do("attack C N1 I/25 I/art")
		if g.waitsFor(AskBombard) {
			t.Error("the artillery may bombard")
		}
		g.misses("J1 I/25", "J1 I/25")
		g.shot("shot I/25 J1", 10, 3)
	})
	t.Run("defence as OOS; steps cost points, and elimination is final", func(t *testing.T) {
		g := mixed(t, JapanActions).put("N1", "J1", "J2").reduce("I/25")
		g.do("attack N1 C J1 J2")
		if g.legal("shot I/art J1") {
			t.Error("the artillery may fire")
		}
		g.shot("shot V/2 J1", 10, 4)
		g.misses("V/2 J1")
		g.shot("shot I/25 J1", 10, 2)
		g.do("shot J1 I/25", 1)
		g.do("shot J1 V/2", 1)
		g.misses("J2 V/2", "J2 V/2")
		g.do("stay")
		rulestest.Proves(t, downfall, "DF 4.11")
		g.want("I/25", "removed", "V/2", "C:1", "vp", 4)
		g.usTurn("-")
		rulestest.Proves(t, downfall, "DF 8.10")
		g.refused("DF 8.10", "rebuild I/25")
	})
	t.Run("also with air or coastal supply", func(t *testing.T) {
		for _, state := range []Supply{Air, Coast, OOS} {
			g := mixed(t, USActions).put("N1", "J1").supply(state, "I/25", "V/2", "I/art")
			g.do("attack C N1 I/25 V/2")
			g.misses("J1 I/25", "J1 I/25")
			g.shot("shot V/2 J1", 10, 3)
		}
	})
}

func TestUnmixing(t *testing.T) { // E-101
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 10.5-a", "DF 10.6")
	g := onFlower(t, USActions).put("C", "I/25", "V/2")
	together := g.p.Clone()
	g.do("move V/2 N1")
	g.do("move I/25 C-N4-K4-E4-K5-E5-K6-E6-K1") // 8 MF, paid for anew
	g.want("I/25", "K1:2", "cp", 4)
	// One payment judges the mixing once, for all units of it (D-43).
	g.p = together
	g.do("move V/2 N1")
	g.refused("DF 12.7", "follow I/25 C-N4-K4")
	g.do("follow I/25 N4")
	g.want("I/25", "N4:2", "cp", 5)
	// A mixed unit moves a single hex whatever it costs: straight across a river that others would go round.
	river := onFlower(t, USActions, func(f *flower.Flower) { f.River("C", "N4"); f.Doc.River.UsMove = 2 })
	river.put("C", "I/25", "V/2").do("move V/2 N1")
	moved := kindOf[*downfallv1.Event_UnitMoved](river.do("follow I/25 N4"))
	if len(moved) != 1 || len(moved[0].UnitMoved.Path) != 2 {
		t.Errorf("it moves %v", moved)
	}
	// Passing through a hex of another corps, or ending in one, changes nothing.
	g = onFlower(t, USActions).put("C", "I/25").put("N1", "V/2").put("K1", "V/3")
	through := g.p.Clone()
	g.do("move I/25 C-N1-E1-K2")
	g.want("I/25", "K2:2")
	g.p = through
	g.do("move I/25 C-N1-K1")
	g.want("I/25", "K1:2")
}

func TestFloatersMix(t *testing.T) { // E-102
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 10.6", "DF 10.7", "DF 8.8-f")
	g := onFlower(t, USActions).put("C", "I/25", "R/6", "ASCO", "BH-V")
	unmixed := g.p.Clone()
	g.do("move R/6 C-N1-K1")
	g.do("move I/25 C-N2-K2")
	g.p = unmixed
	g.put("N4", "J1").do("attack C N4 I/25 R/6")
	g.do("shot J1 I/25", 10)
	g.do("shot J1 I/25", 10)
	g.shot("shot R/6 J1", 10, 5)

	g = onFlower(t, USActions).quiet().put("C", "I/25", "R/6", "V/2").put("N4", "J1")
	g.refused("DF 12.7", "move R/6 C-N1-K1")
	g.refused("DF 12.7", "move I/25 C-N1-K1")
	g.do("attack C N4 R/6")
	g.misses("J1 R/6", "J1 R/6")
	g.shot("shot R/6 J1", 10, 3)
}

func TestUSStacks(t *testing.T) { // E-103
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 10.4", "DF 10.1", "DF 10.2", "DF 12.6-a")
	g := onFlower(t, USActions).put("C", "I/25", "I/33", "R/6").put("N1", "I/art", "R/7").put("N2", "V/art").
		put("N4", "J1")
	g.do("move I/art C")
	g.because("DF 10.4", "refuse.stack", "move R/7 C")
	g.because("DF 10.4", "refuse.stack-artillery", "move V/art C")
	g.refused("DF 12.6-a", "move I/25 N4")
	// through a hex with US units, one of them moving after the other
	g.do("move I/25 C-N1-K1 I/33 C-N1-K1 R/6 C-N1-K1")
	g.want("I/25", "K1:2", "I/33", "K1:2", "R/6", "K1:2", "cp", 4)
	// Units that come together may not overfill a hex either, whatever their size and steps.
	g = onFlower(t, USActions).put("C", "I/25", "I/33", "R/6").put("N1", "R/7").reduce("R/7")
	g.refused("DF 10.4", "move I/25 N1 I/33 N1 R/6 N1")
	g.do("move I/25 N1 I/33 N1 R/6 N2")
	g.want("I/33", "N1:2", "R/6", "N2:2", "cp", 5)
	// Units in boxes don't stack.
	onFlower(t, USActions).box(Holding, "I/25", "I/33", "R/6", "R/7", "V/2").put("C", "BH-I").do("enter I/25 C")
}

func TestStacksMoveLikeUnits(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 10.2", "DF 10.3-a")
	g := onFlower(t, USActions, func(f *flower.Flower) { f.Ground("rough", "N1", "K1", "E1", "K2", "E2") }).put("C",
		"I/25", "I/33")
	g.do("move I/25 C-N1-K1-E1-K2 I/33 C-N1-K1-E1-K2") // 8 MF
	g.want("I/25", "K2:2", "I/33", "K2:2", "cp", 5)
	// Three Japanese units of any formations.
	g = onFlower(t, JapanActions).put("C", "J1", "A1", "F1").put("N1", "B1")
	g.refused("DF 10.3-a", "move B1 C")
	g.do("move B1 N1-C-N4") // on the way they don't count
	g.do("move J1 N2 A1 N2 F1 N2")
	g.want("J1", "N2:2", "F1", "N2:2", "cp", 4)
}

func TestOverfullStacks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 10.8", "DF 10.3-b", "DF 8.9-c", "DF 4.11")
	t.Run("US", func(t *testing.T) {
		g := onFlower(t, USActions).put("C", "I/25", "I/33", "R/6", "R/7").put("N1", "V/2").supply(OOS, "R/7")
		g.p.excess = g.p.findExcess()
		if g.asked() != US || !g.waitsFor(AskExcess) {
			t.Fatal("the US isn't asked")
		}
		g.refused("DF 10.8", "eliminate V/2")
		g.refused("DF 5.2", "end")
		line := g.p.Clone()
		g.do("eliminate R/7")
		g.want("R/7", "removed", "vp", 4, "I/25", "C:2") // both steps, lost OOS
		g.refused("DF 8.10", "rebuild R/7")
		g.p = line
		g.do("eliminate I/25")
		g.want("I/25", "removed", "vp", 6)
	})
	t.Run("the last victory points go with a unit", func(t *testing.T) {
		rulestest.Proves(t, downfall, "DF 4.13", "DF 4.6")
		for _, id := range []string{"R/7", "ASCO"} {
			g := onFlower(t, USActions).put("C", "I/25", "I/33", "R/6", id).supply(OOS, id)
			g.p.vp, g.p.excess = 1, g.p.findExcess()
			g.do("eliminate " + id)
			g.want(id, "removed")
			if !g.p.over() || g.p.winner != Japan {
				t.Errorf("%s: VP %d, and the game goes on", id, g.p.vp)
			}
		}
	})
	t.Run("two corps artillery units", func(t *testing.T) {
		g := onFlower(t, USActions).put("C", "I/25", "I/art", "V/art")
		g.p.excess = g.p.findExcess()
		g.refused("DF 10.8", "eliminate I/25")
		g.do("eliminate V/art")
		g.want("V/art", "removed")
	})
	t.Run("Japan", func(t *testing.T) {
		g := onFlower(t, JapanActions).put("C", "J1", "J2", "J3", "B1").put("N1", "B2")
		g.p.excess = g.p.findExcess()
		if g.asked() != Japan {
			t.Fatal("Japan isn't asked")
		}
		g.refused("DF 10.3-b", "eliminate B2")
		g.do("eliminate B1")
		g.want("B1", "removed", "J1", "C:2")
	})
	t.Run("a mixed stack is legal", func(t *testing.T) {
		g := onFlower(t, USActions).put("C", "I/25", "V/2", "R/6", "I/art")
		if g.p.findExcess() != NoHex {
			t.Error("a stack of two corps counts as overfull")
		}
	})
}
