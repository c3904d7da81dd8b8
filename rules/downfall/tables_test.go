package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// costs tries a command with exactly the price, which must leave 0, and with one CP less, which must be
// refused with the numbers.
func costs(t *testing.T, set func() *table, price int8, command string, throws ...uint32) {
	t.Helper()
	g := set()
	g.p.cp = price
	phase := g.p.phase
	g.do(command, throws...)
	if g.p.phase == phase { // the Japanese phase ends by itself at 0 CP
		g.want("cp", 0)
	}
	if price == 0 {
		return
	}
	g = set()
	g.p.cp = price - 1
	if g.p.cp == 0 && !g.waitsFor(AskActions) {
		return
	}
	r := g.refused("DF 7.4-d", command, throws...)
	if arg(r.Text.Args, "need") == "" || arg(r.Text.Args, "left") == "" {
		t.Errorf("%s: the refusal gives no numbers: %v", command, r.Text.Args)
	}
}

func TestPrices(t *testing.T) { // T-07, E-112
	t.Parallel()
	us := func(edits ...func(*flower.Flower)) *table {
		g := onFlower(t, USActions, edits...).quiet().put("C", "I/25", "BH-I").put("N4", "R/6")
		g.p.turn = 22
		return g
	}
	rulestest.Proves(t, downfall, "DF 7.T", "DF 7.T-1", "DF 7.4-a", "DF 12.1-a")
	t.Run("moving a unit or a stack: 1", func(t *testing.T) {
		costs(t, func() *table { return us() }, 1, "move I/25 N2")
		costs(t, func() *table { return us().put("C", "I/33", "R/7") }, 1, "move I/25 N2 I/33 N2 R/7 N2")
		costs(t, func() *table { return onFlower(t, JapanActions).put("C", "J1", "J2", "J3") }, 1,
			"move J1 N2 J2 N2 J3 N3")
	})
	rulestest.Proves(t, downfall, "DF 7.T-2", "DF 7.5-a")
	t.Run("an attack by a unit or a stack: 2", func(t *testing.T) {
		costs(t, func() *table { return us().put("N1", "B1") }, 2, "attack C N1 I/25")
		costs(t, func() *table { return us().put("C", "I/33").put("N1", "B1") }, 2, "attack C N1 I/25 I/33")
		costs(t, func() *table { return onFlower(t, JapanActions).quiet().put("C", "I/25").put("N1", "J1", "J2") }, 2,
			"attack N1 C J1 J2")
	})
	rulestest.Proves(t, downfall, "DF 7.T-5", "DF 8.9-b")
	t.Run("recovering a step: 1", func(t *testing.T) {
		costs(t, func() *table { return us().reduce("I/25") }, 1, "recover I/25")
	})
	rulestest.Proves(t, downfall, "DF 7.T-6", "DF 8.9-c")
	t.Run("rebuilding: 1", func(t *testing.T) {
		costs(t, func() *table { return us().box(Eliminated, "I/33") }, 1, "rebuild I/33")
	})
	rulestest.Proves(t, downfall, "DF 7.T-7", "DF 7.T-9", "DF 8.4-a", "DF 8.9-d")
	t.Run("entering: 1", func(t *testing.T) {
		costs(t, func() *table { return us().box(Holding, "I/33") }, 1, "enter I/33 C")
		costs(t, func() *table { return us().box(Holding, "I/33").reduce("I/33") }, 1, "enter I/33 C")
	})
	rulestest.Proves(t, downfall, "DF 7.T-11", "DF 7.4-c", "DF 8.2-b")
	t.Run("a 56th Army unit: 1 each", func(t *testing.T) {
		entry := func() *table {
			return onFlower(t, JapanActions, func(f *flower.Flower) { f.Hex("K1").Entry = true }).
				box(Available, "F1", "F2").
				put("N4", "J1")
		}
		costs(t, entry, 1, "enter F1 K1")
		g := entry()
		g.do("enter F1 K1")
		g.do("enter F2 K1")
		g.want("cp", 4)
	})
	rulestest.Proves(t, downfall, "DF 7.T-8", "DF 8.6-c")
	t.Run("landing IX Corps: 3, with combat or without", func(t *testing.T) {
		for _, defended := range []bool{false, true} {
			set := func() *table {
				g := us(func(f *flower.Flower) { f.Coast("limousine", "K1") }).box(LandingForce, "BH-IX").
					box(Holding, "IX/81",
						"IX/98", "BH-IX")
				if defended {
					g.put("K1", "B1")
				}
				g.p.ixHex, g.p.ixTurn = g.hex("K1"), 22
				return g
			}
			costs(t, set, 3, "land")
		}
	})
	rulestest.Proves(t, downfall, "DF 7.T-14", "DF 8.8-a")
	t.Run("6/ASCO: 4", func(t *testing.T) {
		costs(t, func() *table { return us().box(Holding, "ASCO") }, 4, "enter ASCO N3")
	})
	rulestest.Proves(t, downfall, "DF 7.T-16", "DF 15.6-e")
	t.Run("dropping the 11th: 2", func(t *testing.T) {
		sc := flowerScenario(t)
		costs(t, func() *table {
			g := on(t, sc, USActions, Airborne11).put("C", "I/25", "BH-I").box(Holding, "R/11")
			g.p.turn, g.p.mode, g.p.dropHex, g.p.dropTurn = 22, modeAirborne, g.hex("N3"), 22
			return g
		}, 2, "drop")
	})
}

func TestTheLastCP(t *testing.T) { // E-112
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.4-d", "DF 7.5-a")
	g := onFlower(t, USActions).put("C", "I/25").put("N1", "B1")
	g.p.cp = 1
	r := g.refused("DF 7.4-d", "attack C N1 I/25")
	if need, left := arg(r.Text.Args, "need"), arg(r.Text.Args, "left"); need != "2" || left != "1" {
		t.Errorf("needs %s, has %s", need, left)
	}
	g.do("move I/25 N4")
}

// strengths are the modified strengths of the US units of a combat, or 0 with silent artillery.
func usStrength(g *table, id string) int {
	u := g.unit(id)
	if g.p.tab.art.Has(u) && g.p.silent(u) {
		return 0
	}
	return g.p.strength(u)
}

func TestSupplyStates(t *testing.T) { // T-11
	t.Parallel()
	for _, c := range []struct {
		name            string
		state           Supply
		mixed           bool
		mf              int
		attack, defence int
		guns            int // strength of the artillery's bombardment, 0 for none
	}{
		{"LINE", Line, false, 8, 5, 5, 6},
		{"AIR", Air, false, 8, 5, 5, 6},
		{"COAST", Coast, false, 1, 4, 5, 5},
		{"OOS", OOS, false, 1, 3, 4, 0},
		{"mixed corps", Line, true, 1, 3, 4, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := func(phase Phase) *table {
				g := onFlower(t, phase).quiet().put("C", "I/25", "I/art").put("N1", "J1").supply(c.state,
					"I/25", "I/art")
				if c.mixed {
					g.put("C", "V/2")
				}
				return g
			}
			g := set(USActions)
			rulestest.Proves(t, downfall, "DF 9.5-e", "DF 9.6-a", "DF 12.4", "DF 12.7")
			if got := g.p.movement(g.unit("I/25")); got != c.mf {
				t.Errorf("%d MF, want %d", got, c.mf)
			}
			g.do("attack C N1 I/25 I/art")
			rulestest.Proves(t, downfall, "DF 9.7-a", "DF 10.5-a", "DF 10.5-b", "DF 14.4")
			if got := usStrength(g, "I/25"); got != c.attack {
				t.Errorf("attacks with %d, want %d", got, c.attack)
			}
			rulestest.Proves(t, downfall, "DF 9.5-a")
			if got := usStrength(g, "I/art"); got != c.guns {
				t.Errorf("bombards with %d, want %d", got, c.guns)
			}
			if g.waitsFor(AskBombard) != (c.guns > 0) {
				t.Error("a bombardment is asked for by silent guns, or not by others")
			}
			g = set(JapanActions)
			g.do("attack N1 C J1")
			rulestest.Proves(t, downfall, "DF 9.1-a", "DF 9.5-b")
			if got := usStrength(g, "I/25"); got != c.defence {
				t.Errorf("defends with %d, want %d", got, c.defence)
			}
			if g.legal("shot I/art J1") != (c.guns > 0) {
				t.Error("silent guns fire in defence, or others don't")
			}
		})
	}
}

func TestSupportBonus(t *testing.T) { // T-12, W-18
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.2-2", "DF 13.3-5", "DF 14.5-a", "DF 14.6-a", "DF 14.6-b", "DF 14.1")
	for _, c := range []struct {
		where             string
		edit              func(*flower.Flower)
		air, naval, both  int
		navalRule         string
		refusedNavalSeats bool
	}{
		{"coastal", func(f *flower.Flower) { f.Coast("limousine", "C") }, 1, 2, 3, "", false},
		{"adjacent to the coast", func(f *flower.Flower) { f.Coast("limousine", "N4") }, 1, 1, 2, "", false},
		{"elsewhere", func(*flower.Flower) {}, 1, 0, 0, "DF 14.6-a", true},
	} {
		for _, phase := range []Phase{JapanActions, USActions} {
			bonus := func(support string) int {
				g := onFlower(t, phase, c.edit).put("C", "I/25", "I/art").put("N1", "J1")
				if phase == USActions {
					g.do("attack C N1 I/25 I/art " + support)
				} else {
					g.do("attack N1 C J1")
					g.do("support " + support)
				}
				if got := usStrength(g, "I/art"); got != 6 {
					t.Errorf("%s: corps artillery has %d", c.where, got)
				}
				return usStrength(g, "I/25") - 5
			}
			if got := bonus("+air"); got != c.air {
				t.Errorf("%s, phase %d, air: %+d", c.where, phase, got)
			}
			if c.refusedNavalSeats {
				g := onFlower(t, phase, c.edit).put("C", "I/25").put("N1", "J1")
				if phase == USActions {
					g.refused(c.navalRule, "attack C N1 I/25 +naval1")
				} else {
					g.do("attack N1 C J1")
					g.refused(c.navalRule, "support +naval1")
				}
				continue
			}
			if got := bonus("+naval1"); got != c.naval {
				t.Errorf("%s, phase %d, naval: %+d", c.where, phase, got)
			}
			if got := bonus("+air +naval1"); got != c.both {
				t.Errorf("%s, phase %d, both: %+d", c.where, phase, got)
			}
		}
	}
	g := onFlower(t, USActions, func(f *flower.Flower) { f.Coast("limousine", "C") }).put("C", "I/25").put("N1", "J1")
	g.refused("DF 14.5-a", "attack C N1 I/25 +air2")
	g.refused("DF 14.6-a", "attack C N1 I/25 +naval1 +naval2")
}

func TestMovementFactors(t *testing.T) { // T-14
	t.Parallel()
	g := onFlower(t, JapanActions).put("N1", "J1", "CD", "B1").put("C", "I/25", "ASCO", "BH-I")
	rulestest.Proves(t, downfall, "DF 12.2", "DF 12.3")
	for mf := uint8(3); mf <= 6; mf++ {
		g.p.jpMF = mf
		if j, b, cd := g.p.movement(g.unit("J1")), g.p.movement(g.unit("B1")),
			g.p.movement(g.unit("CD")); j != int(mf) || b != int(mf) || cd != 0 {
			t.Errorf("row with %d MF: %d, %d, coastal %d", mf, j, b, cd)
		}
	}
	rulestest.Proves(t, downfall, "DF 12.4")
	if got := g.p.movement(g.unit("I/25")); got != 8 {
		t.Errorf("US MF %d", got)
	}
	g.phase(USActions)
	rulestest.Proves(t, downfall, "DF 8.8-S3", "DF 8.8-c", "DF 12.5")
	g.refused("DF 8.8-c", "move ASCO N4")
	rulestest.Proves(t, downfall, "DF 8.5-S1", "DF 12.5")
	if _, r := g.parse("move BH-I N4"); r == nil {
		t.Error("a beachhead can be named in a move")
	}
}

func TestTerrainAttacksAndRivers(t *testing.T) { // DF 14.2
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 14.2", "DF 14.1")
	city := func(f *flower.Flower) {
		f.Ground("city", "N1")
		f.Ground("rough", "C")
		f.Terrain("city").UsAttack, f.Terrain("city").JpAttack = []int32{-3}, -2
		f.Terrain("rough").JpAttack = -1
		f.River("C", "N1")
	}
	g := onFlower(t, USActions, city).quiet().put("C", "I/25", "I/art").put("N1", "J1")
	g.do("attack C N1 I/25 I/art")
	if got := usStrength(g, "I/25"); got != 5-3-1 {
		t.Errorf("attacks a city across a river with %d", got)
	}
	if got := usStrength(g, "I/art"); got != 6-3 {
		t.Errorf("bombards a city across a river with %d: rivers don't matter", got)
	}
	if got := g.p.strength(g.unit("J1")); got != 4 {
		t.Errorf("the defender has %d", got)
	}
	g = onFlower(t, JapanActions, city).quiet().put("C", "I/25").put("N1", "J1")
	g.do("attack N1 C J1")
	if got := g.p.strength(g.unit("J1")); got > 4-1 {
		t.Errorf("Japan attacks Rough with %d", got)
	}
	if got := usStrength(g, "I/25"); got != 5 {
		t.Errorf("the US defends with %d", got)
	}
}

func TestCountersInTheBox(t *testing.T) { // W-11, W-14, W-24, W-25
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 5.2-IIIA", "DF 8.3")
	t.Run("the 77th enters from turn 5", func(t *testing.T) {
		for turn, legal := range map[uint8]bool{4: false, 5: true, 9: true, 30: true} {
			g := onFlower(t, USActions).put("C", "BH-IX").box(Holding, "IX/77")
			g.p.turn = turn
			if !legal {
				g.refused("DF 8.3", "enter IX/77 C")
				continue
			}
			g.do("enter IX/77 C")
		}
	})
	rulestest.Proves(t, downfall, "DF 10.4", "DF 10.5-a", "DF 10.6")
	t.Run("two reserves, 6/ASCO and a corps artillery stack without penalty", func(t *testing.T) {
		g := onFlower(t, USActions).put("C", "R/6", "R/7", "ASCO", "I/art")
		if r, a := g.p.movement(g.unit("R/6")), g.p.movement(g.unit("I/art")); r != 8 || a != 8 {
			t.Errorf("MF %d and %d", r, a)
		}
		if g.p.findExcess() != NoHex || g.p.mixed(g.hex("C")) {
			t.Error("the stack breaks the limits, or is mixed")
		}
	})
	t.Run("a beachhead takes no place, has no ZOC, is no unit, supplies, and never returns", func(t *testing.T) {
		g := onFlower(t, USActions).put("C", "I/25", "I/33", "R/6", "I/art", "BH-I")
		rulestest.Proves(t, downfall, "DF 8.5-S2", "DF 8.5-a", "DF 10.7")
		if g.p.findExcess() != NoHex {
			t.Error("a beachhead counts for stacking")
		}
		rulestest.Proves(t, downfall, "DF 8.5-S4", "DF 8.5-c")
		if _, r := g.parse("rebuild BH-I"); r == nil {
			t.Error("a beachhead can be named for rebuilding")
		}
		rulestest.Proves(t, downfall, "DF 8.5-S1")
		rulestest.Proves(t, downfall, "DF 8.5-S3")
		for _, c := range []string{"shot J1 BH-I", "recover BH-I"} {
			if _, r := g.parse(c); r == nil {
				t.Errorf("a beachhead can be named in %s", c)
			}
		}
		alone := onFlower(t, JapanActions).put("C", "BH-I").put("K1", "J1")
		alone.do("move J1 K1-N1-N2-N3")
		alone.want("J1", "N3")
		g.phase(SupplyCheck)
		g.supply(OOS, "I/25")
		g.run()
		rulestest.Proves(t, downfall, "DF 8.5-S5", "DF 8.5-b")
		if g.p.supply[g.unit("I/25")] != Line {
			t.Error("a beachhead doesn't supply its corps")
		}
	})
}

func TestPartOfAStackAttacks(t *testing.T) { // W-08
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.5-c", "DF 13.1-b", "DF 13.6-c")
	g := onFlower(t, USActions).quiet().put("C", "I/25", "I/33", "I/art").put("N1", "J1")
	g.do("attack C N1 I/25 I/art")
	g.want("cp", 4)
	g.do("bombard -")
	g.refused("DF 13.4-1", "shot J1 I/33", 1)
	g.do("shot J1 I/25", 10)
	g.do("shot J1 I/25", 10)
	g.do("shot I/25 J1", 1)
	g.do("shot I/25 J1", 1)
	g.refused("DF 13.9", "advance I/33")
	g.do("advance -")
	g.do("move I/33 N4")
	g.want("I/33", "N4:2", "cp", 3)
}
