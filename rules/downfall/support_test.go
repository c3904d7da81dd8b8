package downfall

import (
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestSupportUsedInDefence(t *testing.T) { // E-114
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 14.5-b", "DF 14.6-c", "DF 14.5-a", "DF 13.2-1")
	coast := func(f *flower.Flower) { f.Coast("limousine", "C") }
	g := onFlower(t, JapanActions, coast).put("C", "I/25", "BH-I").put("N1", "J1")
	g.p.air, g.p.navalReady = 1, 1
	g.do("attack N1 C J1")
	g.refusedTo(Japan, "DF 5.2", "support +air")
	g.do("support +air +naval1")
	g.shot("shot I/25 J1", 10, 8)
	g.misses("I/25 J1", "J1 I/25", "J1 I/25")
	g.usTurn("-")
	g.refused("DF 14.5-b", "attack C N1 I/25 +air")
	g.refused("DF 14.6-c", "attack C N1 I/25 +naval1")
	g.do("attack C N1 I/25")
	g.misses("J1 I/25", "J1 I/25", "I/25 J1", "I/25 J1")
	// Next turn all is there again. A marker that isn't used in defence is free for the attack.
	g.turnOver()
	if g.p.air != 4 || g.p.navalReady != 0b1111 {
		t.Errorf("air %d, naval %b", g.p.air, g.p.navalReady)
	}
	g.do("attack N1 C J1")
	g.do("support -")
	g.misses("I/25 J1", "I/25 J1", "J1 I/25", "J1 I/25")
	g.usTurn("-")
	g.do("attack C N1 I/25 +air +naval4")
	g.misses("J1 I/25", "J1 I/25")
	g.shot("shot I/25 J1", 10, 8)
}

func TestNavalZones(t *testing.T) { // E-115
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 14.6-a", "DF 14.6-b", "DF 14.5-a", "DF 13.3-5")
	coast := func(f *flower.Flower) { f.Coast("town-car", "K4") }
	const townCar, limousine = 3, 0
	for _, c := range []struct {
		hex, target   string
		zone          Zone
		rule          string // of the refusal
		with, without int
	}{
		{"K4", "E3", townCar, "", 7, 5}, {"N4", "E3", townCar, "", 6, 5}, {"N4", "K4", townCar, "", 6, 5},
		{"C", "N1", townCar, "DF 14.6-a", 0, 5},
		{"K4", "E3", limousine, "DF 14.6-b", 0, 5}, {"N4", "E3", limousine, "DF 14.6-b", 0, 5},
		{"C", "N1", limousine, "DF 14.6-a", 0, 5},
	} {
		for _, naval := range []bool{true, false} {
			g := onFlower(t, USActions, coast).put(c.hex, "I/25").put(c.target, "J1")
			for m := range g.p.navalZone[:4] {
				g.p.navalZone[m] = c.zone
			}
			attack, want := "attack "+c.hex+" "+c.target+" I/25", c.without
			if naval {
				if c.rule != "" {
					g.refused(c.rule, attack+" +naval2")
					continue
				}
				attack, want = attack+" +naval2", c.with
			}
			g.do(attack)
			g.misses("J1 I/25", "J1 I/25")
			g.shot("shot I/25 J1", 10, want)
		}
	}
	t.Run("in defence the hex of the US units counts as well", func(t *testing.T) {
		for hex, want := range map[string]int{"K4": 7, "N4": 6} {
			g := onFlower(t, JapanActions, coast).put(hex, "I/25").put("E4", "J1")
			g.p.air, g.p.navalZone[2] = 0, townCar
			g.do("attack E4 " + hex + " J1")
			g.refused("DF 14.6-b", "support +naval1")
			g.do("support +naval3")
			g.shot("shot I/25 J1", 10, want)
		}
		g := onFlower(t, JapanActions, coast).put("C", "I/25").put("N1", "J1")
		g.p.air, g.p.navalZone[2] = 0, townCar
		g.do("attack N1 C J1")
		if g.waitsFor(AskSupport) {
			t.Error("asked about support that no marker can give")
		}
	})
	t.Run("a hex at the border of zones is served by both, at the bonus of a coastal hex", func(t *testing.T) {
		border := func(f *flower.Flower) { f.Coast("town-car", "K4"); f.Coast("limousine", "E4") }
		for m, zone := range []Zone{townCar, limousine} {
			g := onFlower(t, USActions, border).put("K4", "I/25").put("E3", "J1")
			g.p.navalZone[m] = zone
			g.do("attack K4 E3 I/25 +naval" + string(rune('1'+m)))
			g.misses("J1 I/25", "J1 I/25")
			g.shot("shot I/25 J1", 10, 7)
		}
	})
}

func TestChemicalDie(t *testing.T) { // E-116
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 14.3", "DF 13.3-1", "DF 14.1")
	varies := func(f *flower.Flower) {
		f.Ground("rough", "N1")
		f.Terrain("rough").UsAttack = []int32{0, -1, -2}
	}
	// rolled are the chemical dice of a command.
	die := func(t *testing.T, g *table, want int, command string, throws ...uint32) {
		t.Helper()
		if got := len(kindOf[*downfallv1.Event_ChemicalRolled](g.do(command, throws...))); got != want {
			t.Fatalf("%s: %d chemical dice, want %d", command, got, want)
		}
	}
	t.Run("one die at deployment, for the bombardment and every shot", func(t *testing.T) {
		for roll, mod := range map[uint32]int{1: 0, 2: 0, 3: -1, 4: -1, 5: -2, 6: -2} {
			g := onFlower(t, USActions, varies).quiet().put("C", "I/25", "I/art").put("N1", "J1")
			die(t, g, 1, "attack C N1 I/25 I/art", roll)
			out := g.do("bombard J1", 10)
			if s := kindOf[*downfallv1.Event_ShotFired](out)[0].ShotFired.Strength; int(s) != 6+mod {
				t.Errorf("die %d: bombardment with %d, want %d", roll, s, 6+mod)
			}
			g.shot("shot J1 I/25", 10, 4) // a defender's strength isn't affected
			g.shot("shot J1 I/25", 10, 4)
			g.shot("shot I/25 J1", 10, 5+mod)
			g.shot("shot I/25 J1", 10, 5+mod)
		}
	})
	t.Run("a die for each attack of a consecutive attack", func(t *testing.T) {
		g := onFlower(t, USActions, varies).quiet().put("C", "I/25").put("N2", "I/33").put("N1", "J1")
		g.do("consecutive N1 C I/25")
		g.do("also N2 I/33")
		die(t, g, 1, "declare -", 1)
		g.misses("J1 I/25", "J1 I/25")
		g.shot("shot I/25 J1", 10, 5)
		die(t, g, 1, "shot I/25 J1", 10, 6)
		g.misses("J1 I/33", "J1 I/33")
		g.shot("shot I/33 J1", 10, 3)
	})
	t.Run("none in a Japanese attack or without variable terrain", func(t *testing.T) {
		g := onFlower(t, JapanActions, varies).quiet().put("C", "J1").put("N1", "I/25")
		die(t, g, 0, "attack C N1 J1")
		g.shot("shot I/25 J1", 10, 5)
		g.misses("I/25 J1")
		g.shot("shot J1 I/25", 10, 4)
		g = onFlower(t, USActions, varies).quiet().put("N1", "I/25").put("C", "J1")
		die(t, g, 0, "attack N1 C I/25")
	})
}

func TestTerrainInCombat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 14.2", "DF 14.1")
	ground := func(f *flower.Flower) {
		f.Ground("town", "N1")
		f.Terrain("town").UsAttack, f.Terrain("town").JpAttack = []int32{-1}, -2
		f.River("C", "N1")
		f.Doc.River.JpAttack = -1
	}
	g := onFlower(t, USActions, ground).quiet().put("C", "I/25", "I/art").put("N1", "J1")
	g.do("attack C N1 I/25 I/art")
	out := g.do("bombard J1", 10)
	if s := kindOf[*downfallv1.Event_ShotFired](out)[0].ShotFired.Strength; s != 5 {
		t.Errorf("bombardment with %d, want 5: the Town counts, the river doesn't", s)
	}
	g.shot("shot J1 I/25", 10, 4)
	g.misses("J1 I/25")
	g.shot("shot I/25 J1", 10, 3)

	g = onFlower(t, JapanActions, ground).quiet().put("C", "J1").put("N1", "I/25", "I/art")
	g.do("attack C N1 J1")
	g.shot("shot I/25 J1", 10, 5)
	g.misses("I/25 J1")
	g.shot("shot I/art J1", 10, 6)
	g.shot("shot J1 I/25", 10, 1)

	// A bombed Town is Rough: its modifier goes with it.
	g = onFlower(t, USActions, ground).quiet().put("C", "I/25").put("N1", "J1")
	g.p.exploded.Add(g.hex("N1"))
	g.do("attack C N1 I/25")
	g.misses("J1 I/25", "J1 I/25")
	g.shot("shot I/25 J1", 10, 4)
}

func TestSupportOfACombat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 14.5-a", "DF 14.6-a", "DF 13.3-5", "DF 14.5-b", "DF 6.3-b")
	coast := func(f *flower.Flower) { f.Coast("limousine", "C") }
	for _, c := range []struct {
		support  string
		strength int
	}{{"", 5}, {" +air", 6}, {" +naval1", 7}, {" +air +naval1", 8}} {
		g := onFlower(t, USActions, coast).put("C", "I/25", "I/33", "I/art").put("N1", "J1")
		g.do("attack C N1 I/25 I/33 I/art" + c.support)
		out := g.do("bombard J1", 10)
		if s := kindOf[*downfallv1.Event_ShotFired](out)[0].ShotFired.Strength; s != 6 {
			t.Errorf("%q: bombardment with %d, want 6", c.support, s)
		}
		g.misses("J1 I/25", "J1 I/25")
		g.shot("shot I/25 J1", 10, c.strength)
		g.misses("I/25 J1")
		g.shot("shot I/33 J1", 10, c.strength)
	}
	g := onFlower(t, USActions, coast).put("C", "I/25").put("N1", "J1")
	both, _ := g.parse("attack C N1 I/25 +air +naval1")
	both.Detail = 0b11
	g.bars(US, both, "DF 14.6-a")
	both.Detail, both.Count = 0, 2
	g.bars(US, both, "DF 14.5-a")
	g.p.air = 0
	g.refused("DF 14.5-b", "attack C N1 I/25 +air")
	g.p.navalReady = 0b1110
	g.refused("DF 14.6-c", "attack C N1 I/25 +naval1")
	g = onFlower(t, JapanActions, coast).put("C", "I/25").put("N1", "J1")
	g.refused("DF 14.5-a", "attack N1 C J1 +air")
}

func TestStrengthIsTheHighestHit(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 2.10", "DF 2.11")
	for steps, strength := range map[int]uint32{2: 5, 1: 3} {
		for die := uint32(1); die <= 10; die++ {
			g := onFlower(t, JapanActions).quiet().put("C", "I/25").put("N1", "J1")
			if steps == 1 {
				g.reduce("I/25")
			}
			g.do("attack N1 C J1")
			g.do("shot I/25 J1", die)
			if die <= strength {
				g.want("J1", "N1:1")
			} else {
				g.want("J1", "N1:2")
			}
		}
	}
}
