package downfall

import (
	"fmt"
	"slices"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// newTurn begins a turn with the die for the British Pacific Fleet and the zones of the naval markers,
// up to the kamikaze die.
func (g *table) newTurn(turn uint8, bpf uint32, zones string, kamikaze uint32) *table {
	g.t.Helper()
	g.p.turn = turn - 1
	g.p.cp = 0
	g.phase(VictoryCheck)
	g.run(bpf)
	g.do("zones "+zones, kamikaze)
	return g
}

const (
	four = "limousine limousine town-car town-car"
	five = "limousine limousine limousine town-car town-car"
)

func TestBritishFleetComesOnEvenRolls(t *testing.T) { // T-02, W-01
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.2", "DF 2.2", "DF 6.3-a", "DF 5.2-IA1", "DF 5.2-IA2")
	for die := uint32(0); die <= 10; die++ { // 0 is entered for 10
		g := onFlower(t, VictoryCheck)
		g.p.cp = 0
		g.run(die)
		want := uint8(4)
		if die%2 == 0 {
			want = 5
		}
		if g.p.air != want || g.p.navalHere != 1<<want-1 {
			t.Errorf("d10 %d: %d air markers, naval %b", die, g.p.air, g.p.navalHere)
		}
	}
}

func TestNavalDeployment(t *testing.T) { // E-20, E-21
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.3-a", "DF 6.3-b", "DF 5.2-IA2", "DF 12.5")
	g := onFlower(t, VictoryCheck)
	g.p.cp = 0
	g.run(2)
	g.refused("DF 6.3-a", "zones "+four, 1)
	if _, r := g.parse("zones " + four + " air"); r == nil {
		t.Error("an air marker was put in a zone")
	}
	g.do("zones roadstar station-wagon limousine town-car town-car", 1)
	g.newTurn(7, 2, five, 1)
	if got := fmt.Sprint(g.p.navalZone[:5]); got != "[0 0 0 3 3]" {
		t.Errorf("zones %s after the second deployment", got)
	}
}

func TestKamikazeTable(t *testing.T) { // T-03
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.5-1", "DF 6.5-2", "DF 6.5-3", "DF 6.5-4", "DF 6.5-5", "DF 6.5-6")
	for _, row := range []struct {
		modified              uint32
		cp, five, four, mf, d int
		ban                   bool
	}{
		{1, 6, 5, 4, 3, 3, false}, {2, 5, 5, 4, 3, 3, false}, {3, 4, 3, 3, 3, 4, false}, {4, 4, 3, 3, 3, 4, false},
		{5, 3, 2, 2, 4, 5, false}, {6, 3, 2, 2, 4, 5, false}, {7, 2, 1, 1, 5, 6, false}, {8, 2, 1, 1, 5, 6, false},
		{9, 1, 0, 0, 6, 7, true}, {10, 1, 0, 0, 6, 7, true},
	} {
		for _, fleet := range []struct {
			die   uint32
			zones string
			left  int
		}{{2, "limousine limousine limousine limousine limousine", row.five},
			{1, "limousine limousine limousine limousine", row.four}} {
			g := onFlower(t, VictoryCheck).newTurn(5, fleet.die, fleet.zones, row.modified)
			rulestest.Proves(t, downfall, "DF 6.5", "DF 6.7-b", "DF 7.3", "DF 12.2")
			p := g.p
			if int(p.usCP) != row.cp || int(p.air) != fleet.left || popcount(p.navalReady) != fleet.left ||
				int(p.jpMF) != row.mf || p.ban != row.ban {
				t.Errorf("row %d: US CP %d, air %d, naval %b, MF %d, ban %v",
					row.modified, p.usCP, p.air, p.navalReady, p.jpMF, p.ban)
			}
			g.do("bombs 0", 3)
			g.want("cp", row.d)
		}
	}
}

func popcount(set uint32) int {
	n := 0
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

func TestKamikazeModifiers(t *testing.T) { // T-04
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.4")
	drm := map[uint8]int{1: 1, 2: 0, 9: 0, 10: -1, 19: -1, 20: -2, 30: -2}
	rulestest.Proves(t, downfall, "DF 6.6", "DF 6.6-1", "DF 6.6-2", "DF 6.6-3", "DF 6.6-4", "DF 6.6-5")
	cp := [11]uint8{0, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1}
	for turn, m := range drm {
		for natural := 1; natural <= 10; natural++ {
			g := onFlower(t, VictoryCheck).newTurn(turn, 1, "limousine limousine limousine limousine", uint32(natural))
			if want := cp[min(10, max(1, natural+m))]; g.p.usCP != want {
				t.Errorf("turn %d, natural %d: US CP %d, want %d", turn, natural, g.p.usCP, want)
			}
		}
	}
}

func TestJapanRemovesNavalMarkers(t *testing.T) { // W-07, E-16, E-17
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.5", "DF 6.5-5", "DF 6.7-a", "DF 6.7-b", "DF 5.2-IB")
	g := onFlower(t, VictoryCheck).newTurn(5, 1, four, 7)
	if !g.waitsFor(AskRemove) || g.asked() != Japan {
		t.Fatal("Japan is not asked which markers go")
	}
	g.refusedTo(US, "DF 6.7-a", "remove 1 2 3")
	g.refused("DF 6.7-a", "remove 1 2")
	g.do("remove 1 2 4")
	if g.p.navalReady != 0b0100 || g.p.air != 1 || g.p.usCP != 2 || g.p.jpMF != 5 {
		t.Errorf("naval %04b, air %d, US CP %d, MF %d", g.p.navalReady, g.p.air, g.p.usCP, g.p.jpMF)
	}
	g.do("bombs 0", 4)
	g.want("cp", 7)

	for _, remove := range []string{"remove 1 2 3", "remove 3 4 5", "remove 1 3 5"} {
		g := onFlower(t, VictoryCheck).newTurn(5, 2, five, 5)
		g.do(remove)
		if popcount(g.p.navalReady) != 2 {
			t.Errorf("%s leaves %05b", remove, g.p.navalReady)
		}
	}
	if g := onFlower(t, VictoryCheck).newTurn(5, 1, four, 2); !g.waitsFor(AskBombs) || popcount(g.p.navalReady) != 4 {
		t.Error("something is removed or asked at a cap above the number present")
	}
}

func TestKamikazeLastsOneTurn(t *testing.T) { // E-18
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.7-c", "DF 5.3")
	g := onFlower(t, VictoryCheck).newTurn(5, 2, five, 9)
	g.newTurn(6, 2, five, 1)
	if g.p.usCP != 6 || g.p.air != 5 || popcount(g.p.navalReady) != 5 || g.p.jpMF != 3 || g.p.ban {
		t.Errorf("US CP %d, air %d, naval %b, MF %d, ban %v", g.p.usCP, g.p.air, g.p.navalReady, g.p.jpMF, g.p.ban)
	}
}

func TestNineToTenForbidsLandingsAndReplacements(t *testing.T) { // E-19
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.5-6", "DF 8.4-a", "DF 8.6-c", "DF 8.8-a", "DF 8.9-a")
	g := onFlower(t, USActions).put("N1", "BH-I", "I/25").put("C", "I/art").reduce("I/25").
		box(Holding, "I/33", "ASCO", "BH-IX", "IX/81", "IX/98").box(Eliminated, "V/2")
	g.p.turn, g.p.ban, g.p.cp = 22, true, 6
	g.p.ixHex, g.p.ixTurn = g.hex(flower.DepotLanding), 22
	g.refused("DF 6.5-6", "enter I/33 N1")
	g.refused("DF 6.5-6", "recover I/25")
	g.refused("DF 6.5-6", "rebuild V/2")
	g.refused("DF 6.5-6", "land")
	g.refused("DF 6.5-6", "enter ASCO C")
	g.box(Holding, "I/33").reduce("I/33")
	g.refused("DF 6.5-6", "stepup I/33")
	g.do("move I/art N4")
}

// bombing begins I.C with a number of bombs declared and placed.
func bombing(g *table, targets ...string) *table {
	g.t.Helper()
	g.p.bombsDeclared, g.p.cp = -1, 0
	g.phase(Nuclear)
	for i, target := range targets {
		if i == 0 {
			g.do(fmt.Sprintf("bombs %d", len(targets)))
		}
		if i+1 < len(targets) {
			g.do("target " + target)
		}
	}
	return g
}

func TestNumberOfBombs(t *testing.T) { // W-23
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.8-a", "DF 6.8-b", "DF 5.2-IC")
	g := bombing(onFlower(t, Nuclear))
	g.refused("DF 6.8-a", "bombs 7")
	g.do("bombs 6")
	g.want("bombs", 3)
	g.p.bombCount = 0
	g = bombing(g)
	g.refused("DF 6.8-a", "bombs 4")
	g.p.bombsLeft = 0
	g = bombing(g)
	g.refused("DF 6.8-a", "bombs 1")
	g.do("bombs 0", 1)
}

func TestBombRoll(t *testing.T) { // T-05, E-23, E-25
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.9-a", "DF 6.9-b", "DF 6.10-c")
	for die := uint32(1); die <= 6; die++ {
		g := bombing(onFlower(t, Nuclear).put("N1", "J1", "J2", "J3").put("C", "I/25"), "N1")
		if die == 1 {
			g.do("target N1", die, 6) // the second is for the Japanese CP
			g.want("bombs", 8, "J1", "N1:2")
			if g.p.exploded.Has(g.hex("N1")) || g.p.bombed != 0 {
				t.Error("a dud has an effect")
			}
			continue
		}
		g.do("target N1", die)
		if int(g.p.bombSteps) != int(die-1) || !g.waitsFor(AskLosses) {
			t.Errorf("d6 %d: %d steps", die, g.p.bombSteps)
		}
	}
	g := bombing(onFlower(t, Nuclear).put("N1", "B1"), "N1")
	g.do("target N1", 6, 1)
	g.want("B1", "eliminated", "bombs", 8)
}

func TestBombLossesAreDistributed(t *testing.T) { // E-24
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.9-b")
	begin := func() *table {
		g := bombing(onFlower(t, Nuclear).put("N1", "J1", "B1", "CD"), "N1")
		g.do("target N1", 4)
		return g
	}
	for _, legal := range []string{"losses J1:2 B1", "losses CD:2 J1", "losses J1 CD B1"} {
		if g := begin(); !g.legal(legal) {
			t.Errorf("%s is not listed", legal)
		}
	}
	g := begin()
	g.refused("DF 6.9-b", "losses J1 B1")
	g.refused("DF 6.9-b", "losses J1:2 CD:2")
	g.refused("DF 6.9-b", "losses B1:2 J1")
	g.do("losses J1:2 B1", 1)
	g.want("J1", "eliminated", "B1", "eliminated", "CD", "N1:2")
	all := bombing(onFlower(t, Nuclear).put("N1", "J1", "B1", "CD"), "N1")
	all.do("target N1", 6, 1)
	all.want("J1", "eliminated", "B1", "eliminated", "CD", "eliminated")
}

func TestExplosionAndTerrain(t *testing.T) { // E-22
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.10-c", "DF 6.10-d")
	for _, terrain := range []string{"town", "city", "fortification", "clear"} {
		g := bombing(onFlower(t, Nuclear,
			func(f *flower.Flower) { f.Ground(terrain, "N1"); f.Coast("limousine", "N1"); f.River("N1", "C") }), "N1")
		g.do("target N1", 4, 1)
		h := g.hex("N1")
		if got := g.sc.Terrains[g.p.terrain(h)]; got.ID != "rough" || got.Town || got.USMove != 2 {
			t.Errorf("%s becomes %s", terrain, got.ID)
		}
		if !g.sc.Is(h, scenario.Coastal) || g.sc.LandingHex(h, g.p.terrain(h)) {
			t.Errorf("%s: the coast is gone, or IX Corps may land", terrain)
		}
	}
}

func TestSurvivorsOfABomb(t *testing.T) { // E-26
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.10-a", "DF 13.9")
	g := bombing(onFlower(t, Nuclear).quiet().put("N1", "J1", "B1").put("C", "I/25").reduce("I/25"), "N1")
	g.do("target N1", 2)
	g.do("losses B1", 6)
	g.want("B1", "eliminated", "J1", "N1:2")
	if g.p.zoc[Japan][g.hex("C")] == 0 {
		t.Error("no ZOC")
	}
	g.refused("DF 6.10-a", "move J1 K1")
	g.do("attack N1 C J1")
	g.do("shot I/25 J1", 10)
	g.do("shot J1 I/25", 1, 1)
	if g.waitsFor(AskAdvance) {
		t.Error("an advance is offered")
	}
	g.newTurn(6, 1, four, 1)
	g.do("bombs 0", 6)
	g.do("move J1 K1")
}

func TestUnitsNextToABomb(t *testing.T) { // E-27
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.10-b", "DF 13.2-4")
	begin := func() *table {
		g := bombing(onFlower(t, Nuclear).quiet().put("C", "I/25", "BH-I").put("N3", "I/33").put("N2", "J1"), "N1")
		g.do("target N1", 3, 6)
		return g
	}
	g := begin().reduce("I/25")
	g.do("end")
	g.do("supply -")
	g.refused("DF 6.10-b", "move I/25 N4")
	g.refused("DF 6.10-b", "attack C N2 I/25")
	g.refused("DF 6.10-b", "recover I/25")
	g.do("move I/33 K3")

	g = begin()
	g.do("attack N2 C J1")
	g.misses("I/25 J1", "I/25 J1")
	g.do("shot J1 I/25", 1)
	g.do("shot J1 I/25", 10)
	if g.waitsFor(AskBreak) {
		t.Error("a retreat is offered")
	}
	g.refusedTo(US, "DF 6.10-b", "retreat I/25")
	if g.p.bombed.Has(g.unit("I/33")) {
		t.Error("a unit that was not adjacent is marked")
	}
}

func TestTwoBombsOnOneHex(t *testing.T) { // E-28
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.8-c", "DF 6.8-d")
	g := bombing(onFlower(t, Nuclear).put("N1", "J1"), "N1", "N1")
	g.do("target N1", 3, 5, 1)
	g.want("J1", "eliminated", "bombs", 7)
	if !g.p.exploded.Has(g.hex("N1")) || g.p.phase != JapanActions {
		t.Errorf("phase %d", g.p.phase)
	}
	two := bombing(onFlower(t, Nuclear).put("N1", "J1").put("N4", "J2"), "N1", "N4")
	two.do("target N4")
	if !two.waitsFor(AskBomb) {
		t.Fatal("the order of the bombs is not asked for")
	}
	two.do("bomb N4", 4, 1, 1)
	two.want("J2", "eliminated", "J1", "N1:2")
}

func TestBombsOnTheAvailableBox(t *testing.T) { // E-29
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.10-e", "DF 6.10-d", "DF 3.1", "DF 6.8-c")
	begin := func() *table {
		return bombing(onFlower(t, Nuclear, func(f *flower.Flower) {
			f.Hex("K1").Entry = true
			units := f.Doc.Units // F1 becomes the first of all
			i := slices.IndexFunc(units, func(u *downfallv1.ScenarioUnit) bool { return u.Id == "F1" })
			units[0], units[i] = units[i], units[0]
		}).put("C", "I/25").put("N4", "BH-I").box(Available, "F1", "F2"), "F1")
	}
	g := begin()
	g.refused("DF 6.8-c", "target C")
	g.refused("DF 6.8-c", "target N4")
	g.do("target F1", 2, 6)
	g.want("F1", "available:1", "F2", "available:2")
	g.refused("DF 6.10-a", "enter F1 K1")
	g.do("enter F2 K1")
	g.newTurn(6, 1, four, 1)
	g.do("bombs 0", 6)
	g.do("enter F1 K1")
	g.want("F1", "K1:1")

	g = begin()
	g.do("target F1", 6, 6)
	g.want("F1", "eliminated", "F2", "available:2")
	g = bombing(onFlower(t, Nuclear).box(NotAvailable, "F1"), "F1")
	g.refused("DF 6.10-e", "target F1")
	g.do("target K4", 5, 1) // empty land
	if !g.p.exploded.Has(g.hex("K4")) {
		t.Error("an empty hex can't be bombed")
	}
}
