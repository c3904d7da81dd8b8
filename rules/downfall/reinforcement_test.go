package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestNoEntryOnTurn1(t *testing.T) { // E-117
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.4-a", "DF 8.3", "DF 5.2-IIIA")
	g := onFlower(t, USActions).box(Holding, "I/25", "R/6", "IX/77").put("C", "BH-I").put("N4", "BH-IX")
	g.sc.Units[g.unit("R/6")].Turn = 1 // eligible by its number, and yet not on turn 1
	g.p.turn = 1
	g.refused("DF 8.4-a", "enter I/25 C")
	g.refused("DF 8.4-a", "enter R/6 C")
	if g.legal("enter R/6 C") {
		t.Error("an entry on turn 1 is listed")
	}
	g.p.turn = 2
	g.do("enter R/6 C")
	g.do("enter I/25 C")
	g.want("cp", 4)
	// Its number is the first turn of each; later any turn will do.
	for turn, rule := range map[uint8]string{4: "DF 8.3", 5: "", 29: ""} {
		q := &table{t: t, p: g.p.Clone(), sc: g.sc}
		q.p.turn = turn
		if rule != "" {
			q.refused(rule, "enter IX/77 N4")
		} else {
			q.do("enter IX/77 N4")
		}
	}
}

func TestWhereReinforcementsEnter(t *testing.T) { // E-118
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.4-b", "DF 8.4-c", "DF 7.T-7")
	g := onFlower(t, USActions).box(Holding, "V/3", "V/art", "R/6", "R/7").put("C", "BH-I").put("N4", "BH-V")
	g.refused("DF 8.4-b", "enter V/3 C")
	g.refused("DF 8.4-b", "enter V/art C")
	g.refused("DF 8.4-b", "enter V/3 N1")
	g.refused("DF 8.4-c", "enter R/6 N1")
	g.lists("enter", "enter V/3 N4", "enter V/art N4", "enter R/6 C", "enter R/6 N4", "enter R/7 C", "enter R/7 N4")
	lost := g.p.Clone()
	g.do("enter V/3 N4")
	g.do("enter R/6 N4")
	g.do("enter R/7 C")
	g.want("V/3", "N4:2", "R/6", "N4:2", "R/7", "C:2", "cp", 3)
	g.p = lost
	g.p.beachhead[scenario.CorpsV] = Removed
	for _, hex := range []string{"C", "N4"} {
		g.refused("DF 8.4-b", "enter V/3 "+hex)
	}
	g.do("enter R/6 C")
}

func TestEntryUnderFire(t *testing.T) { // E-119
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.4-d", "DF 10.4", "DF 10.7", "DF 8.5-S2")
	g := onFlower(t, USActions).quiet().box(Holding, "I/25", "I/33").put("C", "BH-I").put("N1", "J1")
	g.do("enter I/25 C")
	g.states("I/25", "LINE")
	g.refused("DF 8.4-d", "move I/25 N4")
	g.refused("DF 8.4-d", "attack C N1 I/25")
	g.p.opt = FightOnEntry // the switch of D-23
	g.refused("DF 8.4-d", "move I/25 N4")
	g.do("attack C N1 I/25")

	g = onFlower(t, USActions).box(Holding, "I/25", "I/art").put("C", "BH-I", "I/33", "R/6", "R/7")
	g.refused("DF 10.4", "enter I/25 C")
	g.do("enter I/art C")
	g.want("I/art", "C:1")
	// The state is LINE until the next check, whatever it becomes then; and the unit defends normally.
	g = onFlower(t, USActions).quiet().box(Holding, "I/25").put("C", "BH-I").put("N1", "J1")
	g.do("enter I/25 C")
	g.turnOver().quiet()
	g.do("attack N1 C J1")
	g.shot("shot I/25 J1", 10, 5)
}

func TestArmy56Enters(t *testing.T) { // E-120
	t.Parallel()
	entry := func(f *flower.Flower) { f.Hex("K1").Entry = true }
	army := []string{"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8"}
	rolled := func(t *testing.T, die uint32, edits ...func(g *table)) *table {
		g := onFlower(t, ArmyCheck, entry).quiet().box(NotAvailable, army...)
		g.p.turn = 15
		for _, e := range edits {
			e(g)
		}
		g.run(die, 6)
		return g
	}
	rulestest.Proves(t, downfall, "DF 5.2-IIA", "DF 7.T-10", "DF 8.2-a", "DF 8.2-b")
	g := rolled(t, 7)
	g.want("F1", "not_available", "cp", 6)
	g.refused("DF 8.2-b", "enter F1 K1")
	g = rolled(t, 6)
	g.want("F1", "available", "F8", "available", "cp", 6)
	rulestest.Proves(t, downfall, "DF 8.2-b", "DF 8.2-c")
	g.refused("DF 8.2-c", "enter F1 K2-E1")
	g.refused("DF 8.2-c", "enter F1 N1-C")
	g.refused("DF 12.2", "enter F1 K1-N1-C-N4")
	g.do("enter F1 K1-N1-C")
	g.want("F1", "C:2", "cp", 5)
	g.put("N4", "I/25")
	g.refused("DF 8.2-c", "attack C N4 F1")
	g.refused("DF 8.2-c", "move F1 N1")
	g.do("enter F2 K1")
	g.do("enter F3 K1")
	g.do("enter F4 K1")
	g.refused("DF 10.3-a", "enter F5 K1")
	g.do("enter F5 N1") // a destination
	g.want("F5", "N1:2", "cp", 1)
	g.do("end")
	g.do("supply -")
	rulestest.Proves(t, downfall, "DF 8.2-a")
	g.turnOver().quiet() // once moved, no more rolls: it needs no die
	g.do("move F1 N1")   // next turn it is a unit like any other

	g = rolled(t, 6, func(g *table) { g.put("K1", "I/25") })
	rulestest.Proves(t, downfall, "DF 8.2-e")
	g.refused("DF 8.2-e", "enter F1 K1")
	g.refused("DF 8.2-e", "enter F1 K1-N1")
	g = rolled(t, 6, func(g *table) { g.put("N1", "I/25") })
	g.refused("DF 11.5", "enter F1 K1-E1")
	g.do("enter F1 K1")
	g.want("F1", "K1:2")
	g = rolled(t, 6, func(g *table) { g.put("K1", "ASCO", "BH-I") })
	g.do("enter F1 K1-N1")
	g.want("ASCO", "removed", "BH-I", "removed", "F1", "N1:2", "vp", 3)

	// On the map it never leaves it: no move leads out, and it is no more in a box.
	g = rolled(t, 6, func(g *table) { g.put("K1", "F1") })
	g.refused("DF 8.2-b", "enter F1 K1")
	rulestest.Proves(t, downfall, "DF 8.2-d")
	g.p.Legal(Japan, rules.Filter{Kind: "move"}, func(c Command) bool {
		if c.Hex == NoHex {
			t.Errorf("%s leads off the map", g.p.formatCommand(c))
		}
		return true
	})
	if _, err := g.try(Japan, "move F1 1010"); err == nil {
		t.Error("a unit leaves the map")
	}
	// A unit that a bomb holds in the box stays there.
	g = rolled(t, 6, func(g *table) { g.p.bombed = bit(g.unit("F1")) })
	g.refused("DF 6.10-a", "enter F1 K1")
	g.do("enter F2 K1")
}

func TestJapanHasNoReplacements(t *testing.T) { // E-121
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.1", "DF 8.9-a")
	g := onFlower(t, JapanActions).put("C", "J1").reduce("J1").box(Eliminated, "J2")
	g.refused("DF 8.1", "recover J1")
	g.refused("DF 8.1", "rebuild J2")
	g.refused("DF 8.1", "stepup J1")
	g.phase(USActions)
	g.refused("DF 8.9-a", "recover J1")
	g.refused("DF 8.9-a", "rebuild J2")
}

func TestRecovery(t *testing.T) { // E-122
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.9-a", "DF 8.9-b", "DF 7.6-b", "DF 7.T-5", "DF 8.5-S4", "DF 6.10-b")
	ready := func(t *testing.T) *table {
		return onFlower(t, USActions).quiet().put("C", "I/25").reduce("I/25").put("N1", "J1")
	}
	g := ready(t) // in Japanese ZOC
	g.do("recover I/25")
	g.want("I/25", "C:2", "cp", 5)
	g.refused("DF 7.6-b", "move I/25 N4")
	g.refused("DF 7.6-b", "attack C N1 I/25")
	g.refused("DF 8.9-a", "recover I/25") // nothing is missing any more
	g.put("K4", "BH-I")
	g.turnOver().quiet()
	g.do("attack N1 C J1") // it defends
	g.shot("shot I/25 J1", 10, 5)

	g = ready(t).put("N4", "I/33").reduce("I/33")
	g.do("move I/33 K4")
	g.refused("DF 7.6-b", "recover I/33")
	g.do("attack C N1 I/25")
	g.misses("J1 I/25", "J1 I/25", "I/25 J1")
	g.refused("DF 7.6-b", "recover I/25")
	for state, rule := range map[Supply]string{OOS: "DF 8.9-b", Air: "", Coast: "", Line: ""} {
		g := ready(t).supply(state, "I/25")
		if rule != "" {
			g.refused(rule, "recover I/25")
		} else {
			g.do("recover I/25")
		}
	}
	g = ready(t).put("N5", "I/art", "ASCO").put("N4", "I/33").box(Holding, "V/2").reduce("V/2")
	for _, u := range []string{"I/art", "ASCO", "I/33", "V/2"} {
		g.refused("DF 8.9-a", "recover "+u)
	}
	g.p.beachhead[scenario.CorpsI] = Removed
	for _, kind := range []string{"recover", "rebuild", "stepup"} {
		if _, err := g.try(US, kind+" BH-I"); err == nil {
			t.Errorf("%s for a beachhead", kind)
		}
	}
	g.p.bombed = bit(g.unit("I/25"))
	g.refused("DF 6.10-b", "recover I/25")
	g = ready(t)
	g.p.ban = true
	g.refused("DF 6.5-6", "recover I/25")
	g = ready(t)
	g.p.turn, g.p.cp = 1, 1 // from turn 1 on, with the exact price
	g.do("recover I/25")
	g.want("cp", 0)
}

func TestRebuildingTheSlowWay(t *testing.T) { // E-123
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.9-c", "DF 8.9-d", "DF 8.9-e", "DF 8.9-g", "DF 7.T-6", "DF 7.T-9")
	g := onFlower(t, USActions).put("C", "BH-I").put("N1", "J1").box(Eliminated, "I/25")
	g.sc.Units[g.unit("I/25")].Turn = 20 // its number doesn't matter any more
	g.do("rebuild I/25")
	g.want("I/25", "holding:1", "cp", 5)
	g.refused("DF 8.9-c", "enter I/25 C")
	g.refused("DF 8.9-c", "rebuild I/25")
	g.turnOver().usTurn("-")
	noBeach := g.p.Clone()
	g.do("enter I/25 C")
	g.want("I/25", "C:1", "cp", 5)
	g.refused("DF 8.9-g", "move I/25 N4")
	g.refused("DF 8.9-g", "attack C N1 I/25")
	g.refused("DF 8.9-e", "recover I/25")
	g.p.opt = FightOnEntry // no exception by the switch of D-23
	g.refused("DF 8.9-g", "attack C N1 I/25")
	g.turnOver()
	g.p.put(g.unit("J1"), Eliminated)
	g.usTurn("-")
	g.do("recover I/25")
	g.want("I/25", "C:2", "turn", 7, "cp", 5)
	g.p = noBeach
	g.p.beachhead[scenario.CorpsI] = Removed
	g.refused("DF 8.4-b", "enter I/25 C")
}

func TestStepUpInTheBox(t *testing.T) { // E-124
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.9-f", "DF 8.9-g", "DF 7.T-5")
	g := onFlower(t, USActions).put("C", "BH-I").put("K1", "J1").box(Eliminated, "I/25").box(Holding, "I/33")
	g.do("rebuild I/25")
	g.refused("DF 8.9-f", "stepup I/25")
	g.refused("DF 8.9-f", "stepup I/33") // full already
	g.turnOver().usTurn("-")
	g.do("stepup I/25")
	g.want("I/25", "holding:2", "cp", 5)
	g.refused("DF 8.9-f", "enter I/25 C")
	g.refused("DF 8.9-f", "stepup I/25")
	g.turnOver().usTurn("-")
	g.do("enter I/25 C")
	g.want("I/25", "C:2", "turn", 7)
	g.refused("DF 8.9-g", "move I/25 N4")
	g.put("N1", "J2").refused("DF 8.9-g", "attack C N1 I/25")
}

func TestWhatCannotBeRebuilt(t *testing.T) { // E-125
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.10", "DF 8.9-a", "DF 8.9-c", "DF 9.7-a", "DF 4.11", "DF 8.8-S7")
	type loss struct {
		unit          string
		first, second Supply // state at the loss of each step; NoSupply: that step isn't lost in this case
		vp            int
		rebuildable   bool
	}
	for _, c := range []loss{
		{"I/25", OOS, Line, 5, true}, {"I/25", Line, OOS, 5, false}, {"I/25", Line, Air, 5, false},
		{"I/25", Line, Coast, 5, true},
		{"I/25", Line, Line, 6, true}, {"I/25", Air, Line, 5, true}, {"I/art", NoSupply, Line, 6, true},
		{"I/art", NoSupply, OOS, 5, false},
		{"I/art", NoSupply, Air, 5, false}, {"I/art", NoSupply, Coast, 5, true},
	} {
		g := onFlower(t, JapanActions).quiet().put("C", c.unit).put("N1", "J1").put("N2", "J2")
		attack := func(from, by string, state Supply, hits ...uint32) {
			g.supply(state, c.unit)
			g.do("attack " + from + " C " + by)
			for g.waitsFor(AskFire) && g.asked() == US {
				g.do("shot "+c.unit+" "+by, 10)
			}
			g.do("shot "+by+" "+c.unit, hits...)
			if g.waitsFor(AskFire) {
				g.do("shot "+by+" "+c.unit, 10)
			}
			g.do("stay")
		}
		if c.first != NoSupply {
			attack("N1", "J1", c.first, 1)
			g.p.attacked.Clear()
		}
		attack("N2", "J2", c.second, 1, 10) // the second shot is a bonus shot and misses
		g.do("advance -")
		g.want("vp", c.vp)
		g.usTurn("-")
		if c.rebuildable {
			g.want(c.unit, "eliminated")
			g.do("rebuild " + c.unit)
			g.want(c.unit, "holding:1")
		} else {
			g.want(c.unit, "removed")
			g.refused("DF 8.10", "rebuild "+c.unit)
		}
	}
	g := onFlower(t, USActions).put("C", "I/25", "I/33", "R/6", "R/7").box(Removed, "ASCO")
	g.p.excess = g.p.findExcess()
	g.do("eliminate I/25")
	g.refused("DF 8.10", "rebuild I/25")
	g.refused("DF 8.9-a", "rebuild ASCO")
	g.refused("DF 8.9-c", "rebuild I/33") // not eliminated
	g.p.ban = true
	g.box(Eliminated, "V/2").refused("DF 6.5-6", "rebuild V/2")
}
