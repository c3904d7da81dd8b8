package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// threeStacks is W-09: J1, J2, J3 around C.
func threeStacks(t testing.TB, phase Phase) *table {
	return onFlower(t, phase).quiet().put("C", "I/25").put("N1", "J1").put("N2", "J2").put("N3", "J3")
}

// misses fires shots that all miss.
func (g *table) misses(shots ...string) *table {
	g.t.Helper()
	for _, s := range shots {
		g.do("shot "+s, 10)
	}
	return g
}

func TestConsecutiveAttackIsPaidAtOnce(t *testing.T) { // W-09
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.8-a", "DF 7.8-b", "DF 7.8-c", "DF 7.T-2")
	g := threeStacks(t, JapanActions)
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	g.do("also N3 J3")
	g.want("cp", 6)
	g.do("declare -")
	g.want("cp", 0)

	g = threeStacks(t, JapanActions)
	g.p.cp = 5
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	r := g.refused("DF 7.8-c", "also N3 J3")
	if need, left := arg(r.Text.Args, "need"), arg(r.Text.Args, "left"); need != "6" || left != "5" {
		t.Errorf("the refusal says %v", r.Text.Args)
	}
}

func TestJapanDeclaresNoMarkers(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.9-c")
	g := threeStacks(t, JapanActions)
	g.p.air, g.p.navalReady = 4, 0b1111
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	for _, markers := range []string{"+air1", "+naval1", "+air1 +naval1"} {
		g.because("DF 7.9-c", "refuse.japan-support", "declare "+markers)
	}
	g.do("declare -")
}

func TestConsecutiveAttackIsNotRefunded(t *testing.T) { // E-53
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.8-c", "DF 7.8-f")
	g := threeStacks(t, JapanActions).reduce("I/25")
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	g.do("also N3 J3")
	g.do("declare -")
	g.do("shot I/25 J1", 10)
	g.do("shot J1 I/25", 1, 1) // the second is a bonus hit
	g.want("I/25", "eliminated", "cp", 0)
	g.refused("DF 13.9", "advance J2")
	g.do("advance J1")
	if g.p.acted.Has(g.unit("J2")) || g.p.acted.Has(g.unit("J3")) || g.p.decl.on {
		t.Error("units of skipped attacks have acted, or the attack goes on")
	}
}

func TestRetreatEndsAConsecutiveAttack(t *testing.T) { // E-54
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.8-f", "DF 13.10")
	g := threeStacks(t, JapanActions)
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	g.do("declare -")
	g.misses("I/25 J1", "I/25 J1")
	g.do("shot J1 I/25", 1)
	g.do("shot J1 I/25", 10)
	g.do("retreat I/25")
	g.want("I/25", "N5:2") // the one hex out of Japanese ZOC: nobody has to ask
	g.do("advance -")
	g.want("cp", 2)
	if g.p.decl.on || g.p.fight.on {
		t.Error("the second attack takes place")
	}
}

func TestNothingInterruptsAConsecutiveAttack(t *testing.T) { // E-55
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.8-d")
	g := threeStacks(t, JapanActions).put("K1", "B1")
	g.do("consecutive C N1 J1")
	g.refused("DF 7.8-d", "move B1 E1")
	g.do("also N2 J2")
	g.do("declare -")
	g.refusedTo(Japan, "DF 7.8-d", "move B1 E1")
}

// TestListedAttacks: the list has every group of a hex's units against every adjacent hex that units defend, or a
// beachhead alone (DF 13.1, DF 8.5-f). A beachhead in a box is no target.
func TestListedAttacks(t *testing.T) {
	t.Parallel()
	japan := onFlower(t, JapanActions).box(Holding, "BH-I").box(Removed, "BH-V").put("N1", "J1", "J2")
	japan.lists("attack")
	japan.put("C", "BH-XI").lists("attack", "attack N1 C J1", "attack N1 C J2", "attack N1 C J1 J2")
	japan.put("N2", "I/25").lists("attack",
		"attack N1 N2 J1", "attack N1 N2 J2", "attack N1 N2 J1 J2",
		"attack N1 C J1", "attack N1 C J2", "attack N1 C J1 J2")
	us := onFlower(t, USActions).quiet().put("C", "I/25", "I/33", "I/art").put("N1", "J1")
	us.lists("attack", "attack C N1 I/25", "attack C N1 I/33", "attack C N1 I/25 I/33", "attack C N1 I/25 I/art",
		"attack C N1 I/33 I/art", "attack C N1 I/25 I/33 I/art")
}

func TestOneConsecutiveAttackPerTurn(t *testing.T) { // E-56
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.8-e")
	g := threeStacks(t, JapanActions).put("N4", "B1").put("K4", "I/33")
	g.p.cp = 10
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	g.do("declare -")
	g.misses("I/25 J1", "I/25 J1", "J1 I/25", "J1 I/25", "I/25 J2", "I/25 J2", "J2 I/25", "J2 I/25")
	g.refused("DF 7.8-e", "consecutive K4 N4 B1")
	g.do("end") // the US turn comes: it may declare its own, as far as its supply and CP go
	if g.p.phase != SupplyCheck {
		t.Fatalf("phase %d", g.p.phase)
	}
	g.do("supply -")
	if g.p.consecutiveUsed {
		t.Error("the US is barred by the Japanese declaration")
	}
}

func TestAHexIsAttackedOnce(t *testing.T) { // E-57
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.8-a")
	g := threeStacks(t, JapanActions)
	g.do("attack N1 C J1")
	g.misses("I/25 J1", "I/25 J1", "J1 I/25", "J1 I/25")
	g.refused("DF 7.8-a", "attack N2 C J2")
	again := on(t, g.sc, JapanActions, RepeatAttacks).quiet().put("C", "I/25").put("N1", "J1").put("N2", "J2")
	again.do("attack N1 C J1")
	again.misses("I/25 J1", "I/25 J1", "J1 I/25", "J1 I/25")
	again.do("attack N2 C J2") // the switch of D-18
	t.Run("units that retreat are not covered by the attack on the hex where they go", func(t *testing.T) {
		g := attackedInC(t)
		g.p.attacked.Add(g.hex("N4"))
		g.mustRetreat().do("withdraw N4")
		g.do("advance -")
		g.put("K4", "J2").do("attack K4 N4 J2")
	})
	g.put("K4", "BH-I", "I/33")
	g.do("end")
	g.do("supply -")
	g.do("attack C N1 I/25")
}

func TestConsecutiveAttackFromOtherHexes(t *testing.T) { // E-58
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.8-a", "DF 7.8-b")
	g := threeStacks(t, JapanActions).put("N1", "B1").put("K4", "B2")
	g.do("consecutive C N1 J1")
	g.refused("DF 7.8-a", "declare -")
	g.refused("DF 7.8-a", "also N1 B1")
	g.refused("DF 7.5-b", "also K4 B2")
}

func TestArtilleryDefendsEveryTime(t *testing.T) { // E-59
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.9-a")
	g := threeStacks(t, JapanActions).put("C", "I/art")
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	g.do("also N3 J3")
	g.do("declare -")
	for _, j := range []string{"J1", "J2", "J3"} {
		g.misses("I/25 "+j, "I/25 "+j, "I/art "+j, j+" I/25", j+" I/25")
	}
	if g.p.decl.on {
		t.Error("the attack goes on")
	}
}

func TestDefensiveSupportGoesToOneAttack(t *testing.T) { // E-60
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.9-b", "DF 14.5-d", "DF 14.6-c")
	g := threeStacks(t, JapanActions)
	g.p.air = 2
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	g.do("also N3 J3")
	g.do("declare -")
	for _, with := range []struct{ unit, support string }{
		{"J1", "support +air"},
		{"J2", "support -"},
		{"J3", "support +air"},
	} {
		if !g.waitsFor(AskSupport) || g.asked() != US {
			t.Fatalf("the US is not asked about support against %s", with.unit)
		}
		g.do(with.support)
		u := with.unit
		g.misses("I/25 "+u, "I/25 "+u, u+" I/25", u+" I/25")
	}
	if g.p.air != 0 {
		t.Errorf("%d air markers are left", g.p.air)
	}
}

func TestCommittedSupportIsLost(t *testing.T) { // E-61
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.9-c", "DF 14.5-c", "DF 14.6-c")
	declared := func(t *testing.T, commit string) *table {
		g := onFlower(t, USActions).put("N1", "I/25").put("N2", "I/33").put("C", "B1")
		g.do("consecutive C N1 I/25")
		g.do("also N2 I/33")
		g.do("declare " + commit)
		return g
	}
	t.Run("both markers are used, and 4 CP are gone", func(t *testing.T) {
		g := declared(t, "+air2")
		g.want("cp", 2)
		g.do("support +air")
		g.do("shot B1 I/25", 10)
		g.do("shot I/25 B1", 1)
		g.do("advance -")
		if g.p.air != 2 || g.p.decl.on {
			t.Errorf("%d air markers are left, or the attack goes on", g.p.air)
		}
		g.want("cp", 2)
	})
	t.Run("a marker that wasn't committed can't be assigned", func(t *testing.T) {
		g := declared(t, "-")
		if g.waitsFor(AskSupport) {
			t.Error("support is asked for although none was committed")
		}
		g = onFlower(t, USActions).put("N1", "I/25").put("N2", "I/33").put("C", "B1")
		g.do("consecutive C N1 I/25")
		g.do("also N2 I/33")
		g.refused("DF 7.9-c", "declare +air3")
	})
	t.Run("two of a kind don't serve one attack", func(t *testing.T) {
		g := declared(t, "+air2")
		g.refused("DF 14.5-a", "support +air2")
	})
}

func TestCorpsInAConsecutiveAttack(t *testing.T) { // E-62
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.9-d", "DF 10.6")
	g := onFlower(t, USActions).quiet().put("N1", "I/25", "R/6").put("N2", "V/2").put("C", "B1")
	g.do("consecutive C N1 I/25 R/6")
	g.do("also N2 V/2")
	g.do("declare -")
	g = onFlower(t, USActions).quiet().put("N1", "I/25", "V/2").put("N2", "V/3").put("C", "B1")
	g.refused("DF 7.9-d", "consecutive C N1 I/25 V/2")
}
