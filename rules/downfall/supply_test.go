package downfall

import (
	"fmt"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestZOCOnASupplyPath(t *testing.T) { // E-89
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.3-a", "DF 9.3-b", "DF 11.4", "DF 9.2", "DF 9.4")
	cut := func(t *testing.T, edits ...func(*flower.Flower)) *table {
		return onFlower(t, SupplyCheck, edits...).put("K4", "BH-I", "I/33").put("C", "I/25").put("E3", "J1").
			put("K5", "B1")
	}
	cut(t).check("-").states("I/25", "OOS", "I/33", "LINE")
	cut(t).put("N4", "R/6").check("-").states("I/25", "LINE", "R/6", "LINE")
	cut(t).put("N4", "ASCO").check("-").states("I/25", "LINE", "ASCO", "LINE").want("ASCO", "N4")
	cut(t).put("N4", "BH-V").check("-").states("I/25", "OOS")
	// The unit may be of any corps and itself OOS; it cancels the ZOC in its own hex alone.
	cut(t).put("N4", "V/2").check("-").states("I/25", "LINE", "V/2", "OOS")
	cut(t).put("N5", "V/2").check("-").states("I/25", "OOS")
	// A Japanese unit on the path blocks it whatever stands around.
	cut(t).put("N4", "J2").check("-").states("I/25", "OOS")
	// Without Japanese units the chain may have any length and terrain.
	far := func(f *flower.Flower) {
		f.Ground("city", flower.Names()...)
		f.River("K4", "N4")
	}
	onFlower(t, SupplyCheck, far).put("K4", "BH-I").put("K1", "I/25", "I/art").check("-").states("I/25", "LINE",
		"I/art", "LINE")
}

func TestBeachheadAloneInZOC(t *testing.T) { // E-90
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.3-b", "DF 8.5-S5", "DF 8.5-b")
	g := onFlower(t, SupplyCheck).put("K4", "BH-I").put("C", "I/25").put("E3", "J1")
	free := g.p.Clone()
	g.check("-").states("I/25", "OOS")
	g.p = free
	g.put("K4", "I/33").check("-").states("I/25", "LINE", "I/33", "LINE")
}

func TestSeaOnASupplyPath(t *testing.T) { // E-91
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.3-b", "DF 11.3-a")
	narrow := func(f *flower.Flower) {
		for _, side := range [][2]string{
			{"K4", "E3"}, {"K4", "E4"}, {"N4", "N3"}, {"N4", "N5"}, {"N4", "E3"}, {"N4", "E4"},
		} {
			f.Sea(side[0], side[1])
		}
	}
	onFlower(t, SupplyCheck, narrow).put("K4", "BH-I").put("C", "I/25").check("-").states("I/25", "LINE")
	onFlower(t, SupplyCheck, narrow, func(f *flower.Flower) { f.Sea("N4", "C") }).put("K4", "BH-I").put("C", "I/25").
		check("-").states("I/25", "OOS")
	// Japanese ZOC doesn't cross a sea hexside, so it closes no path there.
	onFlower(t, SupplyCheck, narrow).put("K4", "BH-I").put("C", "I/25").put("E3", "J1").check("-").
		states("I/25", "LINE")
}

func TestCorpsAndFloatersInSupply(t *testing.T) { // E-92
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.3-a", "DF 9.3-c", "DF 9.4", "DF 8.5-b", "DF 8.8-S5", "DF 9.8")
	g := onFlower(t, SupplyCheck).put("K4", "BH-V").put("N1", "V/2").put("C", "I/25", "R/6", "ASCO")
	lost := g.p.Clone()
	g.check("-").states("V/2", "LINE", "I/25", "OOS", "R/6", "LINE", "ASCO", "LINE")
	g.p = lost
	g.p.beachhead[scenario.CorpsV] = Removed
	g.check("-").states("V/2", "OOS", "I/25", "OOS", "R/6", "OOS").want("ASCO", "removed")
	// A floater changes its source from turn to turn.
	g.put("K1", "BH-XI").check("-").states("R/6", "LINE", "V/2", "OOS", "I/25", "OOS")
	// A corps without beachhead has air and coastal supply.
	g = onFlower(t, SupplyCheck, func(f *flower.Flower) { f.Coast("limousine", "K1") }).put("C", "V/2").put("K1", "V/3")
	g.p.beachhead[scenario.CorpsV] = Removed
	g.check("C").states("V/2", "AIR", "V/3", "COAST")
}

func TestSupplyIsFrozenBetweenChecks(t *testing.T) { // E-93
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.2", "DF 9.1-a", "DF 5.2-IIIB")
	t.Run("cut off in the Japanese turn", func(t *testing.T) {
		g := onFlower(t, SupplyCheck).put("K4", "BH-I", "I/33").put("C", "I/25").put("K3", "J1").put("E5", "B1").
			put("N1", "B2")
		g.check("-").states("I/25", "LINE")
		g.turnOver().quiet()
		g.do("move J1 E3")
		g.do("move B1 K5")
		g.do("attack N1 C B2")
		g.shot("shot I/25 B2", 10, 5)
		g.misses("I/25 B2", "B2 I/25")
		g.states("I/25", "LINE")
		g.usTurn("-").states("I/25", "OOS", "I/33", "LINE")
	})
	t.Run("from set-up to the first check", func(t *testing.T) {
		g := begun(t, olympic(t), 0, func(p *Position) bool { return p.phase == JapanActions })
		on := g.p.onMap & g.p.tab.us
		for u := range on.Each {
			if g.p.supply[u] != Line {
				t.Errorf("%s has state %d on turn 1", g.p.id(u), g.p.supply[u])
			}
		}
		if on == 0 || g.p.turn != 1 {
			t.Error("no US unit on the map, or another turn")
		}
	})
	t.Run("phase IV uses the states of III.B", func(t *testing.T) {
		town := func(f *flower.Flower) {
			f.Coast("limousine", "K1")
			f.Ground("town", "K1")
			f.Award("town", "DF 4.3", downfallv1.AwardKind_AWARD_KIND_TOWNS, 7, 7)
			f.Doc.Awards[0].Need = 1
		}
		g := onFlower(t, SupplyCheck, town).put("C", "BH-I").put("N1", "R/6").put("K1", "I/25").put("E1", "J1")
		g.p.turn = 7
		without := g.p.Clone()
		g.check("-").states("I/25", "LINE", "R/6", "LINE")
		g.do("move R/6 C")
		g.states("I/25", "LINE")
		g.turnOver().want("vp", 7)
		g.p = without
		g.p.put(g.unit("R/6"), Holding)
		g.supply(OOS, "I/25").phase(USActions).turnOver().want("vp", 6)
	})
}

func TestCoastalSupply(t *testing.T) { // E-94
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.6-a", "DF 12.7", "DF 14.4", "DF 4.11", "DF 9.5-d", "DF 12.4")
	coast := func(f *flower.Flower) {
		f.Coast("town-car", "K4")
		f.Ground("rough", "N4")
		f.River("K4", "N4")
	}
	g := onFlower(t, SupplyCheck, coast).quiet().put("K4", "I/25", "I/art")
	g.check("-").states("I/25", "COAST", "I/art", "COAST")
	unmoved := g.p.Clone()
	g.refused("DF 12.7", "move I/25 K4-E4-N5")
	g.do("move I/25 N4")
	g.want("I/25", "N4:2")

	g.p = unmoved.Clone()
	g.put("E4", "J1").do("attack K4 E4 I/25 I/art")
	out := g.do("bombard J1", 10)
	if s := kindOf[*downfallv1.Event_ShotFired](out)[0].ShotFired.Strength; s != 5 {
		t.Errorf("coastal artillery bombards with %d, want 5", s)
	}
	g.misses("J1 I/25", "J1 I/25")
	g.shot("shot I/25 J1", 10, 4)

	g.p = unmoved
	g.phase(JapanActions)
	g.put("E4", "J1").do("attack E4 K4 J1")
	g.shot("shot I/25 J1", 10, 5)
	g.misses("I/25 J1")
	g.shot("shot I/art J1", 10, 6)
	g.do("shot J1 I/25", 1)
	g.do("shot J1 I/25", 10)
	g.do("stay")
	g.want("I/25", "K4:1", "vp", 5)
}

func TestLeavingTheCoast(t *testing.T) { // E-95
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.6-b", "DF 9.2")
	coast := func(f *flower.Flower) { f.Coast("town-car", "K4", "E4") }
	g := onFlower(t, SupplyCheck, coast).put("K4", "I/25")
	g.check("-").states("I/25", "COAST")
	on := g.p.Clone()
	g.do("move I/25 N4")
	g.states("I/25", "OOS")
	g.p = on.Clone()
	g.do("move I/25 E4")
	g.states("I/25", "COAST")
	// By advance and by retreat as well.
	g.p = on.Clone()
	g.quiet().put("N4", "B1").do("attack K4 N4 I/25")
	g.misses("B1 I/25")
	g.do("shot I/25 B1", 1)
	g.do("advance I/25")
	g.states("I/25", "OOS").want("I/25", "N4:2")
	g.p = on
	g.phase(JapanActions)
	g.quiet().put("E4", "B1").do("attack E4 K4 B1")
	g.misses("I/25 B1", "I/25 B1")
	g.do("shot B1 I/25", 1)
	g.do("retreat I/25") // N4 is in Japanese ZOC, E3 isn't
	g.states("I/25", "OOS").want("I/25", "E3:2", "vp", 6)
}

func TestAirSupply(t *testing.T) { // E-96
	t.Parallel()
	g := onFlower(t, SupplyCheck).quiet().put("N1", "I/25", "I/33").put("N2", "R/6").put("C", "V/2")
	g.run()
	rulestest.Proves(t, downfall, "DF 9.7-a")
	g.refused("DF 9.7-a", "supply K4") // no US unit there
	rulestest.Proves(t, downfall, "DF 5.2-IIIB")
	g.refusedTo(Japan, "DF 5.2", "supply -")
	g.do("supply N1")
	rulestest.Proves(t, downfall, "DF 5.2-IIIC", "DF 7.3", "DF 7.T-15", "DF 9.7-a")
	g.want("cp", 5).states("I/25", "AIR", "I/33", "AIR", "R/6", "OOS", "V/2", "OOS")
	rulestest.Proves(t, downfall, "DF 12.4")
	g.do("move I/25 N1-K1-E1-K2-E2-K3-E3-K4-E4")
	g.want("I/25", "E4:2").states("I/25", "AIR")
	rulestest.Proves(t, downfall, "DF 9.2")
	g.do("move R/6 N1")
	g.want("R/6", "N1:2").states("R/6", "OOS")
	g.put("K5", "J1", "J2")
	fight := g.p.Clone()
	fight.put(g.unit("I/33"), Place(g.hex("E5")))
	q := &table{t: t, p: fight, sc: g.sc}
	rulestest.Proves(t, downfall, "DF 14.4")
	q.do("attack E5 K5 I/33") // AIR: no modifier
	q.misses("J1 I/33", "J1 I/33", "J2 I/33", "J2 I/33")
	q.shot("shot I/33 J1", 10, 5)

	g.turnOver().quiet()
	g.do("attack K5 E4 J1 J2")
	g.shot("shot I/25 J1", 10, 5)
	g.misses("I/25 J1")
	g.do("shot J1 I/25", 1)
	g.misses("J1 I/25", "J2 I/25", "J2 I/25")
	g.do("stay")
	rulestest.Proves(t, downfall, "DF 4.11", "DF 9.5-d")
	g.want("I/25", "E4:1", "vp", 5)
	g.usTurn("-").states("I/25", "OOS", "I/33", "OOS").want("cp", 6)
	if g.p.airSupply != Out {
		t.Error("the air supply unit is still on the map")
	}
	// Coastal hexes are allowed; a unit with a path keeps LINE; 6/ASCO gets nothing; one hex only.
	g = onFlower(t, SupplyCheck, func(f *flower.Flower) { f.Coast("limousine", "K4") }).put("K4", "V/2", "R/6", "ASCO").
		put("N4", "BH-I")
	g.check("K4").states("V/2", "AIR", "R/6", "LINE", "ASCO", "LINE")
	g = onFlower(t, SupplyCheck).put("C", "V/2", "ASCO").put("N4", "I/25")
	g.check("C").states("V/2", "AIR", "I/25", "OOS").want("ASCO", "removed")
}

func TestSupportIsNoSupply(t *testing.T) { // E-97
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.9", "DF 14.1", "DF 9.5-b")
	g := onFlower(t, USActions, func(f *flower.Flower) { f.Coast("limousine", "K4") }).put("K4", "I/25").
		put("N4", "J1").
		supply(OOS, "I/25")
	g.do("attack K4 N4 I/25 +air +naval1")
	g.misses("J1 I/25", "J1 I/25")
	g.shot("shot I/25 J1", 10, 6)
	g.misses("I/25 J1")
	g.states("I/25", "OOS")
}

func TestJapaneseSupply(t *testing.T) { // E-98
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.1-b")
	g := onFlower(t, JapanActions).quiet().put("C", "J1")
	for i, u := range []string{"I/25", "I/33", "V/2", "V/3", "R/6", "R/7"} {
		g.put(fmt.Sprintf("N%d", i+1), u)
	}
	for range 10 {
		g.usTurn("-").turnOver()
	}
	g.want("turn", 15, "J1", "C:2")
	if mf := g.p.mover(g.unit("J1"), false).mf; mf != 3 || g.p.supply[g.unit("J1")] != NoSupply {
		t.Errorf("J1 has %d MF", mf)
	}
	g.quiet().do("attack C N1 J1")
	g.misses("I/25 J1", "I/25 J1")
	g.shot("shot J1 I/25", 10, 4)
}

func TestOOSDoesNotKill(t *testing.T) { // E-99
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.1-a", "DF 9.5-e", "DF 12.7")
	rough := func(f *flower.Flower) {
		f.Ground("city", flower.Names()...)
		f.River("C", "N1")
		f.Sea("C", "N4")
	}
	g := onFlower(t, SupplyCheck, rough).put("C", "I/25")
	g.check("-")
	for _, to := range []string{"N1", "C", "N1", "C", "N1"} {
		g.states("I/25", "OOS")
		g.refused("DF 12.7", "move I/25 C-N1-K1")
		if to == "N1" {
			g.refused("DF 12.6-c", "move I/25 N4")
		}
		g.do("move I/25 " + to)
		g.turnOver().usTurn("-")
	}
	g.want("I/25", "N1:2", "turn", 10, "vp", 6)
}
