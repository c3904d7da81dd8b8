package downfall

import (
	"fmt"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// plannedFor is III.D of a turn with a IX Corps plan for it in K1, on the coast.
func plannedFor(t testing.TB, turn uint8) *table {
	g := onFlower(t, USActions, func(f *flower.Flower) { f.Coast("limousine", "K1") }).quiet().put("C", "I/25", "BH-I").
		box(Holding, "BH-IX", "IX/81", "IX/98")
	g.p.turn, g.p.ixHex, g.p.ixTurn = turn, g.hex("K1"), turn
	return g
}

func TestCancellingTheLanding(t *testing.T) { // W-12
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.6-d", "DF 8.6-e")
	g := plannedFor(t, 4)
	out := g.do("cancel")
	shown := kindOf[*downfallv1.Event_LandingCancelled](out)
	if len(shown) != 1 || out.Events[0].Audience != 0 || fmt.Sprint(shown[0].LandingCancelled.Hex) != flower.ID("K1") ||
		shown[0].LandingCancelled.Turn != 4 {
		t.Errorf("the record is not shown to all: %v", shown)
	}
	g.want("cp", 6)
	g.refused("DF 8.6-e", "plan K1 7")
	g.do("plan K1 8")
	g.want("cp", 6)

	g = plannedFor(t, 4).phase(JapanActions).put("N4", "J1")
	g.refusedTo(US, "DF 8.6-d", "cancel")
}

func TestPlannedHexThatFilledUp(t *testing.T) { // W-13
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.6-b", "DF 8.6-d", "DF 8.7-a")
	filled := func() *table { return plannedFor(t, 6).put("K1", "B1") }
	if g := filled(); !g.legal("cancel") || !g.legal("land") {
		t.Error("to cancel or to land is not open")
	}
	g := filled()
	g.do("cancel")
	g = filled()
	g.do("land")
	if !g.p.fight.on || !g.p.fight.landing || g.asked() != Japan {
		t.Error("no combat is fought")
	}
}

func TestControlOfKirishima(t *testing.T) { // W-16, with C for 3013
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 11.7-a", "DF 4.9")
	award := func(f *flower.Flower) { f.Award("kirishima", "DF 4.9", control, 30, 30, "C") }
	check := func(name string, g *table, us, scores bool) {
		if got := g.p.controls(US, g.hex("C")); got != us || g.p.controls(Japan, g.hex("C")) {
			t.Errorf("%s: US control is %v, Japanese %v", name, got, g.p.controls(Japan, g.hex("C")))
		}
		if got := g.scores(30) == 1; got != scores {
			t.Errorf("%s: scores is %v", name, got)
		}
	}
	g := onFlower(t, USActions, award).put("N1", "I/25")
	check("a US unit next to it", g, true, true)
	g.put("N4", "J1")
	check("contested by ZOC", g, false, false)
	moved := g.p.Clone()
	g.do("move I/25 C")
	check("occupied in Japanese ZOC", g, true, true)
	g.p = moved
	g.phase(JapanActions).do("move J1 K4")
	check("after the Japanese unit left", g, true, true)
}

func TestRetreatGivesBackOneStep(t *testing.T) { // W-19
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.2-4", "DF 13.10", "DF 7.T-4")
	g := onFlower(t, JapanActions).quiet().put("N1", "J1").put("C", "I/25", "I/art")
	g.do("attack N1 C J1")
	g.misses("I/25 J1", "I/25 J1", "I/art J1")
	g.do("shot J1 I/25", 4)
	g.do("shot J1 I/25", 1)
	if g.p.steps[g.unit("I/25")] != 0 {
		t.Fatal("two steps should be lost")
	}
	cp := g.p.cp
	g.do("retreat I/25")
	g.do("withdraw N4")
	g.want("I/25", "N4:1", "I/art", "N4:1")
	if g.p.cp != cp {
		t.Error("the retreat costs CP")
	}
}

func TestDropCalendar(t *testing.T) { // W-20
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-b")
	sc := flowerScenario(t)
	for turn, legal := range map[uint8]bool{18: true, 19: false} {
		g := on(t, sc, USActions, Airborne11).put("C", "I/25", "BH-I").box(Holding, "R/11")
		g.p.turn, g.p.mode = turn, modeAirborne
		g.do("end")
		if !g.waitsFor(AskOrders) {
			t.Fatalf("turn %d: orders are not asked for", turn)
		}
		if legal {
			g.do("orders airborne N3 22", 1)
			continue
		}
		g.refused("DF 15.6-b", "orders airborne N3 22", 1)
	}
}

func TestSecretBombCount(t *testing.T) { // W-21
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.7")
	for die := uint32(1); die <= 6; die++ {
		g := deployed(t, SecretBombs)
		out := g.do("plan "+landingHex(g)+" 20", die, 1)
		g.want("bombs", int(die)+3)
		if a := out.Rolls[0].Audience; a == 0 || out.Rolls[0].Sides != 6 {
			t.Errorf("the die is open, or no d6: audience %b", a)
		}
	}
}

func TestMagicIsHalvedRoundingUp(t *testing.T) { // W-22
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.4")
	for die, units := range map[uint32]uint8{1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3} {
		g := deployed(t, Magic36)
		g.do("plan "+landingHex(g)+" 20", die)
		if !g.waitsFor(AskMagic) || g.p.magicLeft != units {
			t.Errorf("d6 %d: %d units may move", die, g.p.magicLeft)
		}
	}
}
