package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// mustRetreat brings the common position of the retreat cases to the choice of the hex: I/25 in C was attacked by J1
// from N1, lost a step, and declared a retreat.
func (g *table) mustRetreat() *table {
	g.t.Helper()
	g.do("attack N1 C J1")
	for g.waitsFor(AskFire) && g.asked() == US {
		var shot Command
		g.p.Legal(US, all, func(c Command) bool { shot = c; return c.Kind != KindShot })
		g.do(g.p.formatCommand(shot), 10)
	}
	g.do("shot J1 I/25", 1)
	g.do("shot J1 I/25", 10)
	g.do("retreat I/25")
	return g
}

func attackedInC(t testing.TB, edits ...func(*flower.Flower)) *table {
	return onFlower(t, JapanActions, edits...).quiet().put("N1", "J1").put("C", "I/25")
}

func TestRetreatToEmptyHexesFirst(t *testing.T) { // E-63
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.10-4", "DF 13.10-2", "DF 13.10-6")
	g := attackedInC(t).put("N3", "V/2").mustRetreat()
	for hex, legal := range map[string]bool{"N4": true, "N5": true, "N2": false, "N6": false, "N3": false,
		"E4": false} {
		if got := g.legal("withdraw " + hex); got != legal {
			t.Errorf("withdraw %s: legal is %v", hex, got)
		}
	}
	g.refused("DF 13.10-2", "withdraw N2")
	g.refused("DF 13.10-4", "withdraw N3")
	g.refused("DF 13.10-6", "withdraw E4")
	g.do("withdraw N5")
	g.want("I/25", "N5:2")
}

func TestRetreatIntoCancelledZOC(t *testing.T) { // E-64
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.10-2", "DF 11.6", "DF 13.10-3", "DF 10.5-a")
	g := attackedInC(t).put("N3", "V/2").put("K4", "B1").put("K5", "B2").mustRetreat()
	g.want("I/25", "N3:2") // the only place: nobody has to ask
	g = attackedInC(t).put("N3", "V/2").put("K4", "B1").put("K5", "B2").put("K3", "B3").mustRetreat()
	g.want("I/25", "N3:2")
	if !g.p.mixed(g.hex("N3")) {
		t.Error("the stack of two corps is not mixed")
	}
}

func TestRetreatDividesAStackOnlyIfItMust(t *testing.T) { // E-65
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.10-3", "DF 13.10-5")
	crowd := func() *table {
		return attackedInC(t).put("C", "I/33", "R/6").put("K4", "B1").put("K5", "B2").put("N3", "V/2", "V/3").
			put("N5", "R/7")
	}
	g := crowd().mustRetreat()
	g.refused("DF 13.10-3", "withdraw N3")
	g.refused("DF 13.10-5", "withdraw I/25 N3 I/33 N5 R/6 -")
	g.do("withdraw I/25 N3 I/33 N5 R/6 N5")
	g.want("I/25", "N3", "I/33", "N5", "R/6", "N5")

	g = attackedInC(t).put("C", "I/33", "R/6").put("K4", "B1").put("N3", "V/2", "V/3").mustRetreat()
	g.want("I/25", "N5", "I/33", "N5", "R/6", "N5") // empty and free of ZOC: all go there together
}

func TestRetreatWithoutAPlace(t *testing.T) { // E-66
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.10-7", "DF 4.11")
	ring := func(s Supply) *table {
		return attackedInC(t).put("K3", "B1").put("K4", "B2").put("K5", "B3").supply(s, "I/25").mustRetreat()
	}
	t.Run("in supply it costs no VP and can be rebuilt", func(t *testing.T) {
		ring(Line).want("I/25", "eliminated", "vp", 6)
	})
	t.Run("OOS it costs 1 VP a step and is gone for good", func(t *testing.T) {
		ring(OOS).want("I/25", "removed", "vp", 4)
	})
}

func TestRetreatNotAcrossTheSea(t *testing.T) { // E-67
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.10-1")
	g := attackedInC(t, func(f *flower.Flower) { f.Sea("C", "N4"); f.Sea("C", "N5") }).mustRetreat()
	g.want("I/25", "N3:2")
}

func TestBeachheadLeftBehind(t *testing.T) { // E-68, E-69
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.12", "DF 8.5-S6", "DF 8.5-f", "DF 13.2-7", "DF 13.10-11")
	t.Run("falls to the advance", func(t *testing.T) {
		g := attackedInC(t).put("C", "BH-I").mustRetreat()
		g.do("withdraw N4")
		g.want("BH-I", "C", "vp", 6)
		g.do("advance J1")
		g.want("BH-I", "removed", "vp", 4)
	})
	rulestest.Proves(t, downfall, "DF 4.6")
	t.Run("so does 6/ASCO", func(t *testing.T) {
		g := attackedInC(t).put("C", "ASCO").mustRetreat()
		g.do("withdraw N4")
		g.do("advance J1")
		g.want("ASCO", "removed", "vp", 5)
	})
	rulestest.Proves(t, downfall, "DF 13.8")
	t.Run("stays if nobody can advance", func(t *testing.T) {
		g := onFlower(t, JapanActions).quiet().put("N1", "CD").put("C", "I/25", "BH-I")
		g.do("attack N1 C CD")
		g.misses("I/25 CD", "I/25 CD")
		g.do("shot CD I/25", 1)
		g.do("shot CD I/25", 10)
		g.do("retreat I/25")
		g.do("withdraw N4")
		g.want("BH-I", "C", "vp", 6, "I/25", "N4:2")
		g.phase(USActions)
		g.p.clearPlayerTurn()
		g.p.cp = 6
		g.do("move I/25 C")
		g.want("I/25", "C:2")
	})
	t.Run("falls at the retreat by the switch of D-25", func(t *testing.T) {
		g := on(t, flowerScenario(t), JapanActions, FallAtRetreat).quiet().put("N1", "J1").put("C", "I/25", "BH-I").
			mustRetreat()
		g.do("withdraw N4")
		g.want("BH-I", "removed", "vp", 4)
	})
}

func TestBeachheadInADefendedHex(t *testing.T) { // E-70, E-71
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.7", "DF 8.5-f")
	t.Run("unharmed while a line unit survives", func(t *testing.T) {
		g := attackedInC(t).put("N1", "J2").put("C", "I/33", "BH-I").reduce("I/25")
		g.do("attack N1 C J1 J2")
		g.misses("I/25 J1", "I/33 J1", "I/33 J1")
		g.do("shot J1 I/25", 1)
		g.do("shot J1 I/33", 1)
		g.misses("J2 I/33", "J2 I/33")
		g.do("stay")
		g.want("I/25", "eliminated", "I/33", "C:1", "BH-I", "C", "vp", 6)
	})
	t.Run("falls with the last line unit though artillery survives", func(t *testing.T) {
		g := attackedInC(t).put("C", "I/art", "BH-I").reduce("I/25")
		g.do("attack N1 C J1")
		g.misses("I/25 J1", "I/art J1")
		g.do("shot J1 I/25", 1)
		g.do("shot J1 I/art", 10)
		g.do("stay")
		g.want("I/25", "eliminated", "I/art", "C:1", "BH-I", "removed", "vp", 4)
		if g.p.fight.on {
			t.Error("an advance is offered into a hex that artillery holds")
		}
	})
}

func TestRetreatedUnitIsAttackedAgain(t *testing.T) { // E-72
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.10-9", "DF 13.10-8", "DF 7.T-4", "DF 7.6-a")
	g := attackedInC(t).put("E4", "J2").mustRetreat()
	g.want("I/25", "N3:2", "cp", 4)
	g.p.put(g.unit("J2"), Place(g.hex("E3")))
	g.do("advance -")
	g.do("attack E3 N3 J2")
	g.misses("I/25 J2", "I/25 J2")
	g.do("shot J2 I/25", 1)
	g.do("shot J2 I/25", 10)
	g.do("retreat I/25")
	for g.waitsFor(AskWithdraw) {
		var way Command
		g.p.Legal(US, all, func(c Command) bool { way = c; return false })
		g.do(g.p.formatCommand(way))
	}
	if g.waitsFor(AskAdvance) {
		g.do("advance -")
	}
	if g.p.acted.Has(g.unit("I/25")) {
		t.Error("defending or retreating was counted as an action")
	}
}

func TestSupportIsSpentByRetreat(t *testing.T) { // E-73
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.10-10", "DF 14.5-b", "DF 13.2-5")
	g := onFlower(t, JapanActions, func(f *flower.Flower) { f.Coast("limousine", "C") }).put("N1", "J1").
		put("C", "I/25")
	g.do("attack N1 C J1")
	g.do("support +air +naval1")
	g.misses("I/25 J1", "I/25 J1")
	g.do("shot J1 I/25", 1)
	g.do("shot J1 I/25", 10)
	g.do("retreat I/25")
	g.do("withdraw N4")
	g.do("advance -")
	if g.p.air != 3 || g.p.navalReady != 0b1110 {
		t.Errorf("air %d, naval %04b are ready", g.p.air, g.p.navalReady)
	}
	g.do("end")
	if g.p.air != 3 || g.p.navalReady != 0b1110 {
		t.Errorf("in the US player turn air %d, naval %04b are ready", g.p.air, g.p.navalReady)
	}
}

func TestAllRetreatOrNone(t *testing.T) { // E-74
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.10-11")
	g := attackedInC(t).put("C", "I/33").mustRetreat()
	g.refused("DF 13.10-5", "withdraw I/25 N4 I/33 -")
	if r := g.refusedAny("withdraw I/25 N4"); r.Rule != "DF 13.10-11" {
		t.Errorf("refused by %q", r.Rule)
	}
}

func TestRunOverABeachhead(t *testing.T) { // E-75
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.6-b", "DF 11.7-b", "DF 8.5-d", "DF 12.1-b", "DF 7.T-12")
	g := onFlower(t, JapanActions).put("K1", "J1").put("N1", "BH-V")
	g.do("move J1 K1-N1-C-N4")
	g.want("J1", "N4:2", "BH-V", "removed", "vp", 4, "cp", 5)
	g.refused("DF 7.6-a", "move J1 K4")
}

func TestAttackOnALoneBeachhead(t *testing.T) { // E-76
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.5-e", "DF 13.7", "DF 7.T-13", "DF 13.8")
	t.Run("removes it without dice, and may advance", func(t *testing.T) {
		g := onFlower(t, JapanActions).put("N1", "J1").put("C", "BH-V")
		g.do("attack N1 C J1")
		g.want("BH-V", "removed", "vp", 4, "cp", 4)
		g.do("advance J1")
		g.want("J1", "C:2")
	})
	t.Run("a coastal division doesn't advance", func(t *testing.T) {
		g := onFlower(t, JapanActions).put("N1", "CD").put("C", "BH-V")
		g.do("attack N1 C CD")
		g.want("BH-V", "removed", "CD", "N1:2")
		if g.p.fight.on {
			t.Error("an advance is offered")
		}
	})
	t.Run("6/ASCO alone goes the same way", func(t *testing.T) {
		g := onFlower(t, JapanActions).put("N1", "J1").put("C", "ASCO")
		g.do("attack N1 C J1")
		g.want("ASCO", "removed", "vp", 5)
	})
}
