package downfall

import (
	"fmt"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// award runs the victory check of a turn (with a die for the BPF if another turn follows) and says what it earned.
func (g *table) award(turn uint8) int {
	g.t.Helper()
	g.p.turn = turn
	g.phase(VictoryCheck)
	g.p.cp = 0
	before := int(g.p.vp)
	if turn == 30 {
		g.run()
	} else {
		g.run(1)
	}
	return int(g.p.vp) - before
}

// scores runs the check of a turn on a copy.
func (g *table) scores(turn uint8) int {
	g.t.Helper()
	keep := g.p
	g.p = keep.Clone()
	defer func() { g.p = keep }()
	return g.award(turn)
}

// explode marks hexes as bombed.
func (g *table) explode(hexes ...string) *table {
	for _, h := range hexes {
		g.p.exploded.Add(g.hex(h))
	}
	return g
}

const (
	towns   = downfallv1.AwardKind_AWARD_KIND_TOWNS
	airBase = downfallv1.AwardKind_AWARD_KIND_AIR_BASE
	service = downfallv1.AwardKind_AWARD_KIND_SERVICE_COMMAND
	control = downfallv1.AwardKind_AWARD_KIND_CONTROL
	linked  = downfallv1.AwardKind_AWARD_KIND_LINKED
)

// townCoast makes towns of hexes on the coast, with the awards of turns 2 and 7.
func townCoast(names ...string) func(*flower.Flower) {
	return func(f *flower.Flower) {
		f.Coast("limousine", names...)
		f.Ground("town", names...)
		f.Award("towns-2", "DF 4.2", towns, 2, 2)
		f.Doc.Awards[len(f.Doc.Awards)-1].Need = 2
		if len(names) >= 4 {
			f.Award("towns-7", "DF 4.3", towns, 7, 7)
			f.Doc.Awards[len(f.Doc.Awards)-1].Need = 4
		}
	}
}

func TestTowns(t *testing.T) { // W-05, W-06, T-09, E-11, E-12
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.2", "DF 4.3", "DF 4.1-a", "DF 11.7-a")
	ring := []string{"K1", "K2", "K3", "K4", "K5", "K6"}
	held := func(n int) *table {
		g := onFlower(t, VictoryCheck, townCoast(ring...))
		for i, u := range []string{"I/25", "I/33", "V/2", "V/3", "R/6", "R/7"}[:n] {
			g.put(ring[i], u)
		}
		return g
	}
	for n, want := range []struct{ two, seven int }{{0, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 1}} {
		if got := held(n).scores(2); got != want.two {
			t.Errorf("turn 2 with %d towns: %d VP, want %d", n, got, want.two)
		}
		if got := held(n).scores(7); got != want.seven {
			t.Errorf("turn 7 with %d towns: %d VP, want %d", n, got, want.seven)
		}
	}
	for _, turn := range []uint8{1, 3, 6, 8} {
		if got := held(6).scores(turn); got != 0 {
			t.Errorf("turn %d: %d VP", turn, got)
		}
	}
	if got := held(2).explode("K1").scores(2); got != 0 {
		t.Error("a bombed town counts")
	}
	if got := held(2).supply(OOS, "I/25").scores(2); got != 0 {
		t.Error("a town held out of supply counts")
	}
	if got := held(2).supply(Coast, "I/25").supply(Air, "I/33").scores(2); got != 1 {
		t.Error("coastal and air supply are not OOS (D-03)")
	}
	strict := on(t, held(2).sc, VictoryCheck, StrictAwards).put("K1", "I/25").put("K2", "I/33").supply(Coast, "I/25")
	if got := strict.scores(2); got != 0 {
		t.Error("the switch of D-03 asks for LINE or AIR")
	}
	north := onFlower(t, VictoryCheck, townCoast("K1", "K2", "K4"),
		func(f *flower.Flower) { f.Hex("K2").South = false }).
		put("K1", "I/25").put("K2", "I/33")
	if got := north.scores(2); got != 0 {
		t.Error("a town north of the line counts")
	}
	inland := onFlower(t, VictoryCheck, townCoast("K1", "K4"), func(f *flower.Flower) { f.Ground("town", "K2") }).
		put("K1", "I/25").put("K2", "I/33")
	if got := inland.scores(2); got != 0 {
		t.Error("an inland town counts")
	}
}

func TestTownsHeldByZOC(t *testing.T) { // E-11 (D-02)
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.2", "DF 11.7-a")
	g := onFlower(t, VictoryCheck, townCoast("K1", "K2")).put("K1", "I/25").put("N2", "I/33", "R/6").supply(OOS, "I/33")
	if g.scores(2) != 1 {
		t.Error("one of the units whose ZOC holds K2 is in supply")
	}
	if g.supply(OOS, "R/6").scores(2) != 0 {
		t.Error("all of the units whose ZOC holds K2 are OOS")
	}
	if g.supply(Line, "R/6").put("E1", "B1").scores(2) != 0 {
		t.Error("K2 is in Japanese ZOC as well: nobody's")
	}
}

func airBaseIn(hex string) func(*flower.Flower) {
	return func(f *flower.Flower) {
		f.Hex(hex).AirBase = true
		f.Award("base", "DF 4.4", airBase, 1, 20, hex)
	}
}

func TestAirBaseIsEarnedOnce(t *testing.T) { // T-09
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.4", "DF 4.5", "DF 6.10-c")
	g := onFlower(t, VictoryCheck, airBaseIn("C")).put("C", "I/25")
	for turn, want := range map[uint8]int{1: 1, 20: 1, 21: 0} {
		if got := g.scores(turn); got != want {
			t.Errorf("turn %d: %d VP, want %d", turn, got, want)
		}
	}
	g.supply(OOS, "I/25")
	if g.scores(8) != 0 {
		t.Error("the occupant is OOS")
	}
	byZOC := onFlower(t, VictoryCheck, airBaseIn("C")).put("N1", "I/25")
	if byZOC.scores(8) != 0 {
		t.Error("ZOC alone takes the base (D-06)")
	}
	bySwitch := on(t, byZOC.sc, VictoryCheck, AirBaseControl).put("N1", "I/25")
	if bySwitch.scores(8) != 1 {
		t.Error("with the switch of D-06 control is enough")
	}
	if onFlower(t, VictoryCheck, airBaseIn("C")).put("C", "I/25").explode("C").scores(8) != 0 { // E-09
		t.Error("a bombed base is earned")
	}
}

func TestAirBaseIsLostForGood(t *testing.T) { // E-06, E-07, E-08, E-09
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.4", "DF 4.5")
	earned := func(t *testing.T) *table {
		g := onFlower(t, VictoryCheck, airBaseIn("C")).quiet().put("C", "I/25")
		if g.award(8) != 1 {
			t.Fatal("not earned")
		}
		g.p.turn, g.p.cp, g.p.kamikaze, g.p.jpMF = 9, 6, true, 3
		return g.phase(JapanActions)
	}
	t.Run("to an advance, once", func(t *testing.T) {
		g := earned(t).reduce("I/25").put("N1", "J1").quiet()
		g.do("attack N1 C J1")
		g.do("shot I/25 J1", 10)
		g.do("shot J1 I/25", 1, 1)
		g.do("advance J1")
		g.want("vp", 6)
		g.p.put(g.unit("J1"), Place(g.hex("K1")))
		g.put("C", "I/33")
		if got := g.scores(12); got != 0 {
			t.Errorf("earned again: %d", got)
		}
	})
	t.Run("not by being left", func(t *testing.T) {
		g := earned(t).put("N1", "J1")
		g.p.put(g.unit("I/25"), Place(g.hex("N4")))
		g.do("move J1 N2")
		g.want("vp", 7)
	})
	t.Run("to a unit that passes through", func(t *testing.T) {
		g := earned(t).put("N1", "J1")
		g.p.put(g.unit("I/25"), Place(g.hex("K5")))
		g.do("move J1 N1-C-N3")
		g.want("vp", 6, "J1", "N3")
	})
	t.Run("once, however often Japan comes", func(t *testing.T) {
		g := earned(t).put("N1", "J1").put("N2", "J2")
		g.p.put(g.unit("I/25"), Place(g.hex("K5")))
		g.do("move J1 N1-C-N3")
		if g.p.lost != 1 {
			t.Errorf("lost awards %b, want the one of the base", g.p.lost)
		}
		g.do("move J2 N2-C-N4")
		g.want("vp", 6, "J2", "N4")
	})
	t.Run("not to a bomb after the award", func(t *testing.T) {
		g := earned(t).explode("C")
		g.want("vp", 7)
	})
}

func TestServiceCommandScoresOnce(t *testing.T) { // T-09, E-80
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.6")
	award := func(f *flower.Flower) { f.Award("service", "DF 4.6", service, 20, 30) }
	g := onFlower(t, VictoryCheck, award).put("C", "ASCO")
	for turn, want := range map[uint8]int{20: 1, 24: 1, 30: 1} {
		if got := g.scores(turn); got != want {
			t.Errorf("turn %d: %d", turn, got)
		}
	}
	if g.award(24) != 1 || g.award(25) != 0 {
		t.Error("earned twice, or not at all")
	}
	if onFlower(t, VictoryCheck, award).scores(24) != 0 {
		t.Error("earned without 6/ASCO")
	}
}

func TestTheAwardIsLostWithTheServiceCommand(t *testing.T) { // E-80 (D-07)
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.6", "DF 12.6-b")
	for _, earned := range []bool{true, false} {
		g := onFlower(t, VictoryCheck,
			func(f *flower.Flower) { f.Award("service", "DF 4.6", service, 20, 30) }).put("C", "ASCO")
		want := uint32(0)
		if earned {
			g.award(24)
			want = 1
		}
		g.p.turn, g.p.cp, g.p.kamikaze, g.p.jpMF = 25, 6, true, 3
		g.phase(JapanActions).put("N1", "J1")
		g.do("move J1 C")
		if g.p.earned != want || g.p.lost != want {
			t.Errorf("earned %v: earned awards %b, lost ones %b, want both %b", earned, g.p.earned, g.p.lost, want)
		}
	}
}

func TestLastTurnObjectives(t *testing.T) { // T-09, E-10
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.7", "DF 4.8", "DF 4.9")
	awards := func(f *flower.Flower) {
		f.Award("city", "DF 4.7", control, 30, 30, "N1", "N2", "N3")
		f.Award("takarabe", "DF 4.8", control, 30, 30, "K4")
		f.Award("kirishima", "DF 4.9", control, 30, 30, "K5")
	}
	held := func() *table {
		return onFlower(t, VictoryCheck, awards).put("N1", "I/25").put("N2", "I/33").put("N3", "R/6").put("K4", "V/2").
			put("K5", "V/3")
	}
	if got := held().scores(30); got != 3 {
		t.Errorf("%d VP, want 3", got)
	}
	if got := held().explode("N1", "N2", "N3", "K4", "K5").scores(30); got != 3 {
		t.Errorf("%d VP with bombed objectives, want 3", got)
	}
	if got := held().scores(29); got != 0 {
		t.Errorf("%d VP on turn 29", got)
	}
	g := held()
	g.p.put(g.unit("R/6"), Out)
	g.p.put(g.unit("V/2"), Place(g.hex("N4")))
	g.put("E3", "B1")
	if got := g.scores(30); got != 1 { // N3 and K4 are in both ZOC and unoccupied
		t.Errorf("%d VP with a city hex and Takarabe contested, want 1", got)
	}
}

func TestLinkedBeachheads(t *testing.T) { // T-09, E-13
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.10", "DF 11.3-b", "DF 11.3-a")
	coast := func(f *flower.Flower) {
		f.Coast("limousine", "N3", "N4", "N5")
		f.Award("linked", "DF 4.10", linked, 30, 30)
	}
	held := func(edits ...func(*flower.Flower)) *table {
		return onFlower(t, VictoryCheck, append(edits, coast)...).put("N3", "I/25").put("N4", "I/33").put("N5", "R/6")
	}
	if held().scores(30) != 1 {
		t.Error("no Japanese unit is near")
	}
	if held().put("C", "J1").scores(30) != 0 {
		t.Error("US units cancel Japanese ZOC")
	}
	sea := func(f *flower.Flower) { f.Sea("C", "N3"); f.Sea("C", "N4"); f.Sea("C", "N5") }
	if held(sea).put("C", "J1").scores(30) != 1 {
		t.Error("ZOC crosses the sea")
	}
}

func TestSuddenDefeat(t *testing.T) { // E-01, E-02, E-03, E-04
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.13", "DF 4.12", "DF 8.5-d", "DF 12.6-b", "DF 4.1-a")
	for _, vp := range []int16{2, 1} {
		g := onFlower(t, JapanActions).put("N2", "BH-V").put("K2", "J1")
		g.p.vp = vp
		g.do("move J1 N2")
		g.want("vp", int(vp)-2, "BH-V", "removed")
		if e := (referee{}).Ending(g.p); e == nil || !e.Winners.Has(Japan) || e.Winners.Has(US) {
			t.Errorf("VP %d: Japan has not won at once", vp-2)
		}
	}
	t.Run("below 0 without ever scoring", func(t *testing.T) {
		g := onFlower(t, JapanActions).quiet().put("C", "I/25").put("N1", "J1").supply(OOS, "I/25")
		g.p.vp = 0
		g.do("attack N1 C J1")
		g.misses("I/25 J1", "I/25 J1")
		g.do("shot J1 I/25", 1)
		g.do("shot J1 I/25", 10)
		g.do("stay")
		g.want("vp", -1)
		if !g.p.over() {
			t.Error("the game goes on")
		}
	})
	t.Run("0 that was never positive goes on", func(t *testing.T) {
		g := onFlower(t, VictoryCheck)
		g.p.vp = 0
		g.award(5)
		if g.p.over() || g.p.turn != 6 {
			t.Errorf("turn %d, over %v", g.p.turn, g.p.over())
		}
	})
}

func TestSuddenDefeatInAConsecutiveAttack(t *testing.T) { // E-05
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.13", "DF 7.8-d", "DF 4.11")
	g := threeStacks(t, JapanActions).supply(OOS, "I/25")
	g.p.vp = 1
	g.do("consecutive C N1 J1")
	g.do("also N2 J2")
	g.do("also N3 J3")
	g.do("declare -")
	g.misses("I/25 J1", "I/25 J1")
	g.do("shot J1 I/25", 1)
	g.do("shot J1 I/25", 10)
	g.do("stay")
	g.want("vp", 0)
	if !g.p.over() {
		t.Error("the second attack takes place")
	}
}

func TestUnsuppliedLossesAreChargedNet(t *testing.T) { // E-15
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.11", "DF 13.2-4", "DF 9.5-d")
	for _, c := range []struct {
		answer string
		vp     int
	}{{"retreat I/25", 2}, {"stay", 1}} {
		g := attackedInC(t).supply(OOS, "I/25")
		g.p.vp = 3
		g.do("attack N1 C J1")
		g.misses("I/25 J1", "I/25 J1")
		g.do("shot J1 I/25", 1)
		g.do("shot J1 I/25", 1)
		g.do(c.answer)
		g.want("vp", c.vp)
	}
}

func TestFinalScore(t *testing.T) { // T-10
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.14", "DF 4.1-a")
	for vp, winner := range map[int16]string{9: "us", 8: "us", 7: "", 6: "", 5: "japan", 4: "japan", 3: "japan",
		2: "japan", 1: "japan", 0: "japan"} {
		t.Run(fmt.Sprint(vp), func(t *testing.T) {
			g := onFlower(t, VictoryCheck)
			g.p.vp = vp
			g.award(30)
			e := (referee{}).Ending(g.p)
			if e == nil {
				t.Fatal("the game goes on")
			}
			if e.Winners.Has(US) != (winner == "us") || e.Winners.Has(Japan) != (winner == "japan") {
				t.Errorf("winners %b, want %q", e.Winners, winner)
			}
		})
	}
}

func TestGivingUpNeedsTheOpponent(t *testing.T) { // E-14
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.1-b")
	g := onFlower(t, JapanActions).put("N1", "J1")
	g.refusedTo(Japan, "DF 4.1-b", "accept")
	g.as(US, "concede")
	if g.p.over() {
		t.Fatal("the game is over before Japan accepts")
	}
	g.refusedTo(US, "DF 4.1-b", "accept")
	declined := g.p.Clone()
	g.as(Japan, "accept")
	if e := (referee{}).Ending(g.p); e == nil || !e.Winners.Has(Japan) {
		t.Error("Japan has not won")
	}
	g.p = declined
	g.as(Japan, "decline")
	g.do("move J1 K1")
	g.refusedTo(Japan, "DF 4.1-b", "accept")
}
