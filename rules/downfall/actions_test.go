package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestOneAction(t *testing.T) { // E-110
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.6-a", "DF 7.7", "DF 7.4-a", "DF 7.5-a", "DF 7.T-1")
	g := onFlower(t, JapanActions).quiet().put("K1", "J1").put("N2", "J2").put("C", "I/25").put("K4", "J3")
	g.p.cp = 10
	g.do("move J1 N1")
	g.refused("DF 7.6-a", "attack N1 C J1")
	g.refused("DF 7.6-a", "move J1 K1")
	g.do("attack N2 C J2")
	g.misses("I/25 J2", "I/25 J2", "J2 I/25", "J2 I/25")
	g.refused("DF 7.6-a", "move J2 K2")
	g.do("move J3 N4") // after the attack: any order
	g.want("cp", 6)
	// J1 defends in the US player turn although it has acted in its own.
	g.put("N6", "BH-I").put("N5", "I/33")
	g.usTurn("-")
	g.do("attack C N1 I/25")
	g.misses("J1 I/25", "J1 I/25")
	g.do("shot I/25 J1", 1)
	g.misses("I/25 J1")
	g.want("J1", "N1:1", "cp", 4)
	g.refused("DF 7.6-a", "attack C N2 I/25")
}

func TestSplittingAStack(t *testing.T) { // E-111
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.4-b", "DF 7.4-a", "DF 12.8", "DF 7.6-a")
	g := onFlower(t, USActions).put("C", "I/25", "I/33", "R/6").put("N5", "R/7")
	whole := g.p.Clone()
	g.do("move I/25 N1 I/33 K4")
	g.want("I/25", "N1:2", "I/33", "K4:2", "R/6", "C:2", "cp", 5)
	g.refused("DF 7.6-a", "move I/33 N4")
	g.refused("DF 7.6-a", "follow I/33 N4")
	g.do("move R/7 K5")
	g.refused("DF 7.4-b", "follow R/6 N2") // something else was done
	g.do("move R/6 N2")
	g.want("R/6", "N2:2", "cp", 3)

	// Unit by unit it is the same: one payment for all that start in the hex, and nobody joins on the way.
	g.p = whole.Clone()
	g.do("move I/25 N1")
	g.refused("DF 7.4-b", "follow R/7 N4")
	g.do("follow I/33 K4")
	g.do("follow R/6 N2")
	g.want("I/33", "K4:2", "R/6", "N2:2", "cp", 5)

	g.p = whole.Clone()
	g.refused("DF 7.4-a", "move I/25 N1 R/7 N4")
	twice := only(KindMove)
	twice.Routes = &[]Route{{g.unit("I/25"), []Hex{g.hex("N1")}}, {g.unit("I/25"), []Hex{g.hex("N2")}}}
	g.bars(US, twice, "DF 7.6-a")
	// A unit that is named has acted even if it ends where it began.
	g.do("move I/25 N1 I/33 C")
	g.refused("DF 7.6-a", "move I/33 N1")
	g.want("I/33", "C:2", "cp", 5)

	// Paths are applied in order: N1 has room for one more.
	g = onFlower(t, USActions).put("C", "I/25", "I/33").put("N1", "R/6", "R/7", "I/art")
	g.refused("DF 10.4", "move I/25 N1 I/33 N1")
	g.do("move I/25 N1 I/33 N2")
}

func TestNoDebt(t *testing.T) { // E-112
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.4-d", "DF 7.1", "DF 7.T-2")
	g := onFlower(t, USActions).put("C", "I/25").put("N1", "J1").put("K4", "I/33")
	g.p.cp = 1
	r := g.refused("DF 7.4-d", "attack C N1 I/25")
	if need, left := arg(r.Text.Args, "need"), arg(r.Text.Args, "left"); need != "2" || left != "1" {
		t.Errorf("needs %s, has %s", need, left)
	}
	g.do("move I/33 E4")
	g.want("cp", 0)
	g.refused("DF 7.4-d", "move I/25 N4")
	if !g.waitsFor(AskActions) {
		t.Error("III.D ends by itself")
	}
	// Unused CP don't carry over.
	g.p.cp = 4
	g.turnOver().want("cp", 6).usTurn("-").want("cp", 6)
	// II.C ends by itself at 0 CP.
	g = onFlower(t, JapanActions).put("C", "J1").put("K4", "I/33")
	g.p.cp = 1
	g.do("move J1 N1")
	if g.p.phase != SupplyCheck {
		t.Errorf("phase %d without CP", g.p.phase)
	}
}

func TestAPhaseStaysEnded(t *testing.T) { // E-113
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 5.1-b", "DF 12.8")
	g := onFlower(t, JapanActions).put("K1", "J1", "J2").put("C", "I/25")
	g.do("move J1 N1")
	g.refused("DF 7.6-a", "move J1 K1") // a finished move stands
	g.do("end")
	for _, c := range []string{"move J1 K1", "move J2 N1", "follow J2 N1", "end"} {
		g.refusedTo(Japan, "DF 5.1-b", c)
	}
	g.do("supply -")
	g.refusedTo(Japan, "DF 5.1-b", "move J2 N1")
	// No command takes anything back: that is an undo of the log, and the seat affected has to agree since it
	// was asked in between.
	g.p.Legal(Japan, rules.Filter{}, func(c Command) bool {
		if !kinds[c.Kind].Offer {
			t.Errorf("Japan may %s in the US player turn", kinds[c.Kind].ID)
		}
		return true
	})
}

func TestUnitsInBoxesPayForThemselves(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.4-c", "DF 7.T-7", "DF 7.T-11", "DF 8.2-b")
	entry := func(f *flower.Flower) { f.Hex("K1").Entry = true }
	g := onFlower(t, JapanActions, entry).box(Available, "F1", "F2")
	g.refused("DF 7.4-c", "move F1 K1 F2 K1")
	g.do("enter F1 K1")
	g.do("enter F2 K1")
	g.want("F1", "K1:2", "F2", "K1:2", "cp", 4)

	g = onFlower(t, USActions).box(Holding, "I/25", "I/33").put("C", "BH-I")
	g.refused("DF 7.4-c", "move I/25 C I/33 C")
	g.do("enter I/25 C")
	g.do("enter I/33 C")
	g.want("I/25", "C:2", "I/33", "C:2", "cp", 4)
}
