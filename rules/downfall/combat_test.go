package downfall

import (
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestCompleteJapaneseAttack(t *testing.T) { // E-30
	t.Parallel()
	fought := func(t *testing.T) *table {
		g := onFlower(t, JapanActions).put("N1", "J1", "J2").put("C", "I/25", "I/art")
		g.p.air, g.p.navalReady = 0, 0
		rulestest.Proves(t, downfall, "DF 13.2", "DF 13.2-1")
		g.do("attack N1 C J1 J2")
		g.want("cp", 4)
		rulestest.Proves(t, downfall, "DF 13.2-2", "DF 13.4", "DF 13.4-1", "DF 13.4-2", "DF 13.4-3", "DF 13.4-4")
		g.do("shot I/25 J1", 5)
		g.want("J1", "N1:1")
		g.do("shot I/25 J1", 6)
		g.want("J1", "N1:1")
		g.do("shot I/art J1", 6)
		g.want("J1", "eliminated")
		rulestest.Proves(t, downfall, "DF 13.2-3", "DF 13.6-a")
		g.refused("DF 13.6-a", "shot J2 I/art", 4)
		g.do("shot J2 I/25", 4)
		g.want("I/25", "C:1")
		g.do("shot J2 I/25", 1)
		return g
	}
	t.Run("retreat", func(t *testing.T) {
		g := fought(t)
		rulestest.Proves(t, downfall, "DF 13.2-4")
		g.do("retreat I/25")
		g.want("I/25", "C:1", "I/art", "C:1")
		rulestest.Proves(t, downfall, "DF 13.2-6")
		g.do("withdraw N4")
		g.want("I/25", "N4:1", "I/art", "N4:1")
		rulestest.Proves(t, downfall, "DF 13.2-7")
		g.do("advance J2")
		g.want("J2", "C:2", "vp", 6)
	})
	t.Run("stay", func(t *testing.T) {
		g := fought(t)
		g.do("stay")
		rulestest.Proves(t, downfall, "DF 13.2-5")
		g.want("I/25", "eliminated", "I/art", "C:1", "J2", "N1:2")
		if g.asked() != Japan || g.p.fight.on {
			t.Error("an advance is offered although the artillery holds the hex")
		}
	})
}

// quiet takes all support markers away, so that nobody is asked about them.
func (g *table) quiet() *table {
	g.p.air, g.p.navalReady = 0, 0
	return g
}

// fires is what the game waits for while shots are fired.
func (g *table) waitsFor(a Ask) bool { ask, _ := g.p.ask(); return ask == a }

func TestBonusHits(t *testing.T) { // E-31, E-32
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.12", "DF 13.2-4")
	begin := func(t *testing.T) *table {
		g := onFlower(t, JapanActions).quiet().put("N1", "J1", "J2").put("C", "I/25").reduce("I/25")
		g.do("attack N1 C J1 J2")
		g.do("shot I/25 J1", 4)
		return g
	}
	t.Run("a hit on an eliminated unit bars the retreat", func(t *testing.T) {
		g := begin(t)
		g.do("shot J1 I/25", 2, 5, 9, 4)
		g.want("I/25", "eliminated", "vp", 6)
		if !g.waitsFor(AskAdvance) || g.asked() != Japan {
			t.Fatal("Japan is not asked to advance")
		}
		g.refusedTo(US, "DF 13.12", "retreat I/25")
		g.do("advance J1 J2")
		g.want("J1", "C:2", "J2", "C:2")
	})
	t.Run("misses leave the retreat open", func(t *testing.T) {
		g := begin(t)
		g.do("shot J1 I/25", 2, 5, 9, 10)
		if !g.waitsFor(AskBreak) || g.asked() != US {
			t.Fatal("the US is not asked to retreat")
		}
		stay := g.p.Clone()
		g.do("retreat I/25")
		g.do("withdraw N4")
		g.want("I/25", "N4:1")
		g.p = stay
		g.do("stay")
		g.want("I/25", "eliminated")
	})
}

func TestNoLossNoRetreat(t *testing.T) { // E-33, E-43
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.2-4", "DF 13.5")
	g := onFlower(t, JapanActions).quiet().put("N1", "J1").put("C", "I/25")
	g.do("attack N1 C J1")
	g.do("shot I/25 J1", 10)
	g.do("shot I/25 J1", 10)
	g.do("shot J1 I/25", 10)
	g.do("shot J1 I/25", 10)
	if g.p.fight.on || !g.waitsFor(AskActions) {
		t.Fatal("the combat goes on after one round")
	}
	g.want("J1", "N1:2", "I/25", "C:2", "cp", 4)
	g.refused("DF 7.6-a", "move J1 K1")
}

func TestAttackersWipedOut(t *testing.T) { // E-34
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.2-2", "DF 13.2-7")
	g := onFlower(t, JapanActions).quiet().put("N1", "B1").put("C", "I/25")
	g.do("attack N1 C B1")
	out := g.do("shot I/25 B1", 3)
	g.want("B1", "eliminated", "I/25", "C:2")
	for _, e := range kindOf[*downfallv1.Event_CombatStage](out) {
		if len(e.CombatStage.Firing) > 0 {
			t.Errorf("%v fire after the last attacker is gone", e.CombatStage.Firing)
		}
	}
	if g.p.fight.on {
		t.Error("the combat goes on without attackers")
	}
}

func TestArtilleryAloneIsHit(t *testing.T) { // E-35
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.6-b", "DF 13.7")
	attack := func(t *testing.T) *table {
		g := onFlower(t, JapanActions).quiet().put("N1", "J1").put("C", "I/art", "BH-I")
		g.do("attack N1 C J1")
		g.do("shot I/art J1", 10)
		return g
	}
	t.Run("the beachhead stands while it survives", func(t *testing.T) {
		g := attack(t)
		g.do("shot J1 I/art", 10)
		g.do("shot J1 I/art", 10)
		g.want("BH-I", "C", "vp", 6)
	})
	t.Run("and falls with it", func(t *testing.T) {
		g := attack(t)
		g.do("shot J1 I/art", 4, 10) // the second shot is a bonus shot, and misses
		g.do("stay")
		g.want("I/art", "eliminated", "BH-I", "removed", "vp", 4)
	})
}

func TestArtilleryExposedInMidCombat(t *testing.T) { // E-36
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.6-b", "DF 13.6-a", "DF 13.12")
	g := onFlower(t, JapanActions).quiet().put("N1", "J1", "J2").put("C", "I/25", "I/art").reduce("I/25")
	g.do("attack N1 C J1 J2")
	g.do("shot I/25 J1", 10)
	g.do("shot I/art J1", 10)
	g.refused("DF 13.6-a", "shot J1 I/art", 1)
	g.do("shot J1 I/25", 1)
	g.do("shot J1 I/art", 2, 9, 9) // elimination with two shots left: they are bonus shots
	g.want("I/25", "fallen", "I/art", "fallen")
	if !g.waitsFor(AskBreak) {
		t.Error("no bonus shot hit, and the retreat is not offered")
	}
}

func TestArtilleryCannotAttackAlone(t *testing.T) { // E-37
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.6-c")
	g := onFlower(t, USActions).put("C", "I/art").put("N1", "J1")
	g.refused("DF 13.6-c", "attack C N1 I/art")
	g.put("C", "I/25")
	g.refused("DF 13.6-c", "attack C N1 I/art")
	g.do("attack C N1 I/25 I/art")
}

func TestCompleteUSAttack(t *testing.T) { // E-38
	t.Parallel()
	g := onFlower(t, USActions).put("C", "I/25", "I/art").put("N1", "J1")
	rulestest.Proves(t, downfall, "DF 13.3", "DF 13.3-1")
	g.do("attack C N1 I/25 I/art +air")
	g.want("cp", 4)
	rulestest.Proves(t, downfall, "DF 13.3-2")
	g.do("bombard J1", 6)
	g.want("J1", "N1:1")
	rulestest.Proves(t, downfall, "DF 13.3-3", "DF 13.4")
	g.do("shot J1 I/25", 3)
	g.want("I/25", "C:2")
	if !g.waitsFor(AskFire) || g.asked() != US {
		t.Fatal("a reduced division fires one shot, then the US fires")
	}
	rulestest.Proves(t, downfall, "DF 13.3-5")
	if g.legal("shot I/art J1") {
		t.Error("artillery that bombarded is offered as a shooter")
	}
	g.do("shot I/25 J1", 6)
	g.want("J1", "eliminated")
	rulestest.Proves(t, downfall, "DF 13.3-7")
	g.do("advance I/25 I/art")
	g.want("I/25", "N1:2", "I/art", "N1:1")
	rulestest.Proves(t, downfall, "DF 13.3-6")
	if g.p.air != 3 {
		t.Errorf("%d air markers are left, want 3", g.p.air)
	}
}

func TestRiverAndBombardment(t *testing.T) { // E-39, W-17, E-42
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.3-2", "DF 14.2", "DF 14.1", "DF 9.5-b")
	river := func(f *flower.Flower) { f.River("C", "N1") }
	t.Run("the river doesn't hamper the bombardment, but the attack", func(t *testing.T) {
		g := onFlower(t, USActions, river).put("C", "I/25", "I/art").put("N1", "J1")
		g.do("attack C N1 I/25 I/art +air")
		g.do("bombard J1", 6)
		g.want("J1", "N1:1")
		g.do("shot J1 I/25", 10)
		miss := g.p.Clone()
		g.do("shot I/25 J1", 5)
		g.want("J1", "eliminated")
		g.p = miss
		g.do("shot I/25 J1", 6)
		g.want("J1", "N1:1")
	})
	t.Run("OOS across a river: 5 becomes 2", func(t *testing.T) {
		g := onFlower(t, USActions, river).quiet().put("C", "I/25").put("N1", "J1").supply(OOS, "I/25")
		g.do("attack C N1 I/25")
		g.do("shot J1 I/25", 10)
		g.do("shot J1 I/25", 10)
		g.do("shot I/25 J1", 3)
		g.want("J1", "N1:2")
		g.do("shot I/25 J1", 2)
		g.want("J1", "N1:1")
	})
	t.Run("strength 0 never hits", func(t *testing.T) {
		for roll := uint32(1); roll <= 10; roll++ {
			g := onFlower(t, USActions, river).quiet().put("C", "I/25").reduce("I/25").put("N1", "B1").
				supply(OOS, "I/25")
			g.do("attack C N1 I/25")
			g.do("shot B1 I/25", 10)
			g.do("shot I/25 B1", roll)
			g.want("B1", "N1:1")
		}
	})
}

func TestAbort(t *testing.T) { // E-40
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.3-4", "DF 13.10", "DF 13.12")
	attack := func(t *testing.T, reduced bool) *table {
		g := onFlower(t, USActions).put("C", "I/25").put("N1", "J1")
		if reduced {
			g.reduce("I/25")
		}
		g.do("attack C N1 I/25 +air")
		return g
	}
	t.Run("gives the step back and ends the attack", func(t *testing.T) {
		g := attack(t, false)
		g.do("shot J1 I/25", 4)
		g.do("shot J1 I/25", 10)
		g.do("abort I/25")
		g.want("I/25", "C:2", "J1", "N1:2", "cp", 4)
		if g.p.air != 3 || g.p.fight.on {
			t.Error("the air marker is not spent, or the combat goes on")
		}
		g.refused("DF 7.6-a", "move I/25 N4")
	})
	t.Run("isn't offered without a loss", func(t *testing.T) {
		g := attack(t, false)
		g.do("shot J1 I/25", 10)
		g.do("shot J1 I/25", 10)
		if g.waitsFor(AskBreak) {
			t.Error("asked")
		}
	})
	t.Run("is barred by a bonus hit", func(t *testing.T) {
		g := attack(t, true)
		g.do("shot J1 I/25", 4, 4)
		g.want("I/25", "eliminated", "J1", "N1:2")
		if g.p.fight.on {
			t.Error("the combat goes on")
		}
	})
}

func TestDefensiveFireOnArtillery(t *testing.T) { // E-41
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.3-3", "DF 13.6-a", "DF 13.6-b")
	g := onFlower(t, USActions).quiet().put("C", "I/25", "I/art").reduce("I/25").put("N1", "J1")
	g.do("attack C N1 I/25 I/art")
	g.do("bombard J1", 10)
	g.refused("DF 13.6-a", "shot J1 I/art", 1)
	g.do("shot J1 I/25", 1)
	g.do("shot J1 I/art", 1)
	g.want("I/25", "fallen", "I/art", "fallen")
	g.do("abort I/art")
	g.want("I/art", "C:1", "I/25", "eliminated")
}

func TestArtilleryOutOfSupply(t *testing.T) { // E-44
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.5-a", "DF 10.5-b")
	t.Run("no bombardment", func(t *testing.T) {
		g := onFlower(t, USActions).quiet().put("C", "I/25", "I/art").put("N1", "J1").supply(OOS, "I/art")
		g.do("attack C N1 I/25 I/art")
		if g.waitsFor(AskBombard) {
			t.Error("bombardment is offered")
		}
		g.refusedTo(US, "DF 9.5-a", "bombard J1")
	})
	t.Run("no bombardment of a mixed corps", func(t *testing.T) {
		g := onFlower(t, USActions).quiet().put("C", "I/25", "I/art").put("N1", "J1")
		g.do("attack C N1 I/25 I/art")
		g.p.fight.mixed, g.p.fight.stage = true, StageUSFire
		g.refusedTo(US, "DF 10.5-b", "bombard J1")
	})
	t.Run("no defensive fire", func(t *testing.T) {
		g := onFlower(t, JapanActions).quiet().put("C", "I/25", "I/art").put("N1", "J1").supply(OOS, "I/art")
		g.do("attack N1 C J1")
		if g.legal("shot I/art J1") || !g.legal("shot I/25 J1") {
			t.Error("the wrong units may fire")
		}
	})
}

func TestNoAttackAcrossTheSea(t *testing.T) { // E-45, W-15
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.1-c", "DF 12.6-c", "DF 11.3-a")
	sea := func(f *flower.Flower) { f.Sea("C", "N1") }
	g := onFlower(t, USActions, sea).put("C", "I/25").put("N1", "J1")
	g.refused("DF 13.1-c", "attack C N1 I/25")
	g = onFlower(t, JapanActions, sea).put("C", "I/25").put("N1", "J1")
	g.refused("DF 13.1-c", "attack N1 C J1")
	g = onFlower(t, JapanActions, sea).put("N1", "J1")
	g.refused("DF 12.6-c", "move J1 N1-C")
	if g.p.zoc[Japan][g.hex("C")] != 0 || g.p.zoc[Japan][g.hex("N2")] == 0 {
		t.Error("ZOC crosses the sea, or doesn't reach over land")
	}
}

func TestAttackingIsVoluntary(t *testing.T) { // E-46, E-47
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.1-a", "DF 7.5-b", "DF 7.5-a", "DF 13.1-b", "DF 7.5-c")
	g := onFlower(t, JapanActions).quiet().put("N1", "J1", "J2").put("C", "I/25").put("N2", "I/33")
	idle := g.p.Clone()
	g.do("end")
	g.p = idle
	g.do("attack N1 C J1 J2")
	for _, c := range []string{"shot I/25 J1", "shot I/25 J1", "shot J1 I/25", "shot J1 I/25", "shot J2 I/25",
		"shot J2 I/25"} {
		g.do(c, 10)
	}
	g.refused("DF 7.6-a", "attack N1 N2 J1")
	g.refused("DF 7.6-a", "attack N1 N2 J2")
}

func TestCoastalDivisions(t *testing.T) { // E-49
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.8", "DF 12.3")
	g := onFlower(t, JapanActions).quiet().put("N1", "CD").put("C", "I/25").reduce("I/25")
	g.p.jpMF = 6
	g.refused("DF 12.3", "move CD K1")
	g.do("attack N1 C CD")
	g.do("shot I/25 CD", 10)
	g.do("shot CD I/25", 2, 2)
	g.want("I/25", "eliminated", "CD", "N1:2")
	if g.p.fight.on {
		t.Error("an advance is offered")
	}
	g.refusedTo(Japan, "DF 13.8", "advance CD")
}

func TestJapanNeverRetreats(t *testing.T) { // E-50
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.11")
	g := onFlower(t, USActions).quiet().put("C", "I/25").put("N1", "J1")
	g.do("attack C N1 I/25")
	for _, c := range []string{"shot J1 I/25", "shot J1 I/25"} {
		g.do(c, 10)
	}
	g.do("shot I/25 J1", 1)
	g.do("shot I/25 J1", 10)
	g.want("J1", "N1:1")
	if g.p.fight.on || !g.waitsFor(AskActions) {
		t.Error("something is asked after the fire")
	}
}

func TestAdvanceAfterCombat(t *testing.T) { // E-51, E-52
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.9", "DF 11.6", "DF 7.T-3", "DF 7.5-c")
	g := onFlower(t, JapanActions, func(f *flower.Flower) { f.River("C", "N1") }).quiet().
		put("N1", "J1", "J2").put("C", "I/25").reduce("I/25").put("N4", "V/2")
	g.do("attack N1 C J1")
	g.do("shot I/25 J1", 10)
	g.do("shot J1 I/25", 1, 1)
	g.refused("DF 13.9", "advance J1 J2")
	g.do("advance J1")
	g.want("J1", "C:2", "J2", "N1:2", "cp", 4)
	g.do("move J2 K1")
	g.want("J2", "K1:2", "cp", 3)
}

func TestStacksStayLegal(t *testing.T) { // E-48
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.9", "DF 10.3-a", "DF 10.3-b", "DF 10.8")
	t.Run("three attackers advance", func(t *testing.T) {
		g := onFlower(t, JapanActions).quiet().put("N1", "J1", "J2", "J3").put("C", "I/25").reduce("I/25")
		g.do("attack N1 C J1 J2 J3")
		g.do("shot I/25 J1", 10)
		g.do("shot J1 I/25", 1, 1, 10, 10, 10, 10)
		g.do("advance J1 J2 J3")
		g.want("J1", "C:2", "J2", "C:2", "J3", "C:2")
		g.p.acted = 0
		g.put("N4", "B1")
		g.refused("DF 10.3-a", "move B1 C")
	})
	t.Run("of four Japanese units in a position that was read one is eliminated for good", func(t *testing.T) {
		g := onFlower(t, JapanActions).put("N1", "J1", "J2", "J3", "B1")
		g.p.excess = g.p.findExcess()
		if !g.waitsFor(AskExcess) || g.asked() != Japan {
			t.Fatal("Japan is not asked")
		}
		g.do("eliminate B1")
		g.want("B1", "removed")
	})
	t.Run("of four US line units one is", func(t *testing.T) {
		g := onFlower(t, JapanActions).put("N1", "I/25", "I/33", "R/6", "R/7")
		g.p.excess = g.p.findExcess()
		if g.asked() != US {
			t.Fatal("the US is not asked")
		}
		g.do("eliminate R/7")
		g.want("R/7", "removed", "vp", 6)
	})
}
