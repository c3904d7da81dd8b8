package downfall

import (
	"strings"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestNoBombs(t *testing.T) { // E-126
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.2")
	g := on(t, flowerScenario(t), Deployment, NoAtomicBombs|SecretBombs).put("C", "I/25")
	g.p.kamikaze, g.p.bombsDeclared, g.p.bombsLeft = false, -1, 0
	out := g.do("zones limousine limousine limousine limousine", 1, 6)
	for _, e := range kindOf[*downfallv1.Event_PhaseBegan](out) {
		if Phase(e.PhaseBegan.Phase) == Nuclear {
			t.Error("phase I.C comes up")
		}
	}
	if g.p.phase != JapanActions {
		t.Errorf("phase %d, expected II.C", g.p.phase)
	}
	for _, seat := range []rules.Seat{US, Japan} {
		g.refusedTo(seat, "DF 15.2", "bombs 1")
		g.refusedTo(seat, "DF 15.2", "target C")
	}
	g.p.bombsLeft = 3
	if _, err := parsePosition(g.sc, g.p.format()); err == nil ||
		!strings.Contains(err.Error(), "atomic bombs in a game without them") {
		t.Errorf("a position with bombs is read: %v", err)
	}
	// No die is rolled for a number of bombs, option 15.7 notwithstanding: set-up needs no dice but those of turn 1.
	g = on(t, flowerScenario(t), SetupPlan, NoAtomicBombs|SecretBombs)
	g.p.bombsLeft = 0
	g.do("plan "+flower.DepotLanding+" 4", 1)
	if g.p.bombsLeft != 0 || g.p.bombDie != 0 {
		t.Error("there are bombs")
	}
}

func TestEarlyArmy56(t *testing.T) { // E-127
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.3")
	entry := func(f *flower.Flower) { f.Hex("K1").Entry = true }
	check := func(t *testing.T, opt OptionSet, turn uint8, dice ...uint32) *table {
		g := on(t, flowerScenario(t, entry), ArmyCheck, opt).box(NotAvailable, "F1", "F2", "F3", "F4", "F5", "F6",
			"F7", "F8")
		g.p.turn = turn
		g.run(dice...)
		return g
	}
	g := check(t, EarlyArmy56, 1, 1) // no die for CP on turn 1
	g.want("F1", "available", "F8", "available", "cp", 6)
	g.do("enter F1 K1-N1")
	g.want("F1", "N1:2", "cp", 5)
	check(t, EarlyArmy56, 1, 2).want("F1", "not_available")
	for turn := uint8(2); turn <= 10; turn++ { // one more each turn
		check(t, EarlyArmy56, turn, uint32(turn), 6).want("F1", "available")
		if turn < 10 {
			check(t, EarlyArmy56, turn, uint32(turn)+1, 6).want("F1", "not_available")
		}
	}
	check(t, 0, 1).want("F1", "not_available") // without it no roll before turn 10
	check(t, 0, 9, 6).want("F1", "not_available")
	// The switch of D-58: the printed row, and its first number before it.
	check(t, EarlyArmy56|EarlyUnshifted, 5, 1, 6).want("F1", "available")
	check(t, EarlyArmy56|EarlyUnshifted, 5, 2, 6).want("F1", "not_available")
	check(t, EarlyArmy56|EarlyUnshifted, 11, 2, 6).want("F1", "available")
}

func TestMagic(t *testing.T) { // E-128
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.4", "DF 10.3-a", "DF 3.3-d")
	g := on(t, flowerScenario(t, func(f *flower.Flower) { f.Coast("limousine", "K1") }), SetupPlan, Magic36).
		put("C", "A1", "A2", "A3").put("N1", "A4", "A5", "A6").put("N2", "A7", "A8").put("K4", "I/25").put("K5", "BH-I")
	g.p.turn = 0
	g.refusedTo(Japan, "DF 5.2", "place A1 K1") // the plan comes first
	out := g.do("plan "+flower.DepotLanding+" 4", 5)
	if rolled := kindOf[*downfallv1.Event_MagicRolled](out); len(rolled) != 1 || rolled[0].MagicRolled.Units != 3 {
		t.Fatalf("a d6 of 5: %v", rolled)
	}
	if g.asked() != Japan || g.p.turn != 0 {
		t.Fatal("Japan isn't asked before play")
	}
	fewer := g.p.Clone()
	g.refusedTo(US, "DF 8.6-d", "plan "+flower.DepotLanding+" 5")
	g.refusedTo(US, "DF 8.6-d", "cancel")
	g.because("DF 15.4", "refuse.us-in-hex", "place A1 K4")
	g.because("DF 15.4", "refuse.beachhead-in-hex", "place A1 K5")
	g.refused("DF 10.3-a", "place A7 C")
	g.refused("DF 3.2-b", "place J1 K1")
	g.do("place A1 K1")
	g.refused("DF 15.4", "place A1 K2")
	g.do("place A4 " + flower.DepotXI) // anywhere on the map
	g.do("place A7 E1", 1)             // the third is the last: turn 1 begins
	g.refused("DF 5.2", "place A8 K1")
	g.want("A1", "K1:2", "A4", flower.DepotXI+":2", "A7", "E1:2", "A2", "C:2", "turn", 1)
	g.p = fewer
	g.do("end", 1) // it is a maximum
	g.want("turn", 1, "A1", "C:2")
	for die, want := range map[int]int{1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3} {
		if got := magicUnits(die); got != want {
			t.Errorf("a d6 of %d moves %d units, want %d", die, got, want)
		}
	}
}

func TestD10OfTwoDice(t *testing.T) { // E-129
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.5", "DF 2.2")
	fleet := func(t *testing.T, throws ...uint32) *rules.Outcome {
		g := on(t, flowerScenario(t), FleetStatus, D10From2D6)
		return g.run(throws...)
	}
	times, again := map[uint32]int{}, 0
	for first := uint32(1); first <= 6; first++ {
		for second := uint32(1); second <= 6; second++ {
			want, throws := (first-1)/3*5+second, []uint32{first, second}
			if second == 6 {
				again++
				throws, want = append(throws, 6, 2), (first-1)/3*5+2 // the second die again, as often as it takes
			} else {
				times[want]++
			}
			out := fleet(t, throws...)
			if got := kindOf[*downfallv1.Event_FleetRolled](out)[0].FleetRolled.Die; got != want {
				t.Errorf("%v gives %d, want %d", throws, got, want)
			}
			if len(out.Rolls) != len(throws) || out.Rolls[0].Sides != 6 || uint32(out.Rolls[1].Value) != second {
				t.Errorf("%v is recorded as %v", throws, out.Rolls)
			}
		}
	}
	for n := uint32(1); n <= 10; n++ {
		if times[n] != 3 {
			t.Errorf("%d has %d pairs, want 3", n, times[n])
		}
	}
	if again != 6 {
		t.Errorf("%d pairs are rolled again, want 6", again)
	}
	// Every d10 is rolled so, d6 stay as they are, and shots need two dice.
	g := on(t, flowerScenario(t), JapanActions, D10From2D6).quiet().put("C", "I/25").put("N1", "J1")
	g.do("attack N1 C J1")
	g.do("shot I/25 J1", 3, 5) // 5
	g.want("J1", "N1:1")
	if _, err := g.try(US, "shot I/25 J1", 7, 1); err == nil {
		t.Error("a d6 shows 7")
	}
}

// airborne is III.D of a turn with option 15.6 and both counters of the 11th Division where set-up puts them.
func airborne(t testing.TB, turn uint8, mode uint8, edits ...func(*flower.Flower)) *table {
	g := on(t, flowerScenario(t, edits...), USActions, Airborne11).box(Holding, "R/11").box(Out, "R/11A")
	g.p.steps[g.unit("R/11A")] = 0
	g.p.turn, g.p.mode = turn, mode
	return g
}

// planned is the drop turn 22, with a drop planned for a hex.
func planned(t testing.TB, hex string, edits ...func(*flower.Flower)) *table {
	g := airborne(t, 22, modeAirborne, edits...)
	g.p.dropTurn, g.p.dropHex = 22, g.hex(hex)
	return g
}

func TestModeOfThe11th(t *testing.T) { // E-130
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-a", "DF 3.4", "DF 8.4-c")
	t.Run("without the option", func(t *testing.T) {
		g := begun(t, olympic(t), 0, func(p *Position) bool { return p.phase == JapanActions })
		abn, inf := g.sc.Airborne11, g.sc.Infantry11
		if g.p.place[abn] != Out || g.p.place[inf] != Holding || g.sc.Units[inf].Strength[2] != 5 {
			t.Error("the airborne counter is in the game, or the infantry isn't of strength 5")
		}
		g = onFlower(t, USActions).box(Holding, "R/11").put("C", "BH-V")
		g.p.turn = 22
		g.refused("DF 15.6-a", "drop")
		g.do("enter R/11 C")
		g.do("end", 1) // no orders are asked for
	})
	t.Run("orders before play", func(t *testing.T) {
		g := begun(t, flowerScenario(t), Airborne11, func(p *Position) bool { return p.phase == SetupOrders })
		if g.asked() != US || !g.waitsFor(AskOrders) {
			t.Fatal("the US isn't asked before play")
		}
		g.refused("DF 15.6-a", "orders")
		q := &table{t: t, p: g.p.Clone(), sc: g.sc}
		out := q.do("orders infantry")
		if q.p.mode != modeInfantry || out.Events[0].Audience != usOnly {
			t.Error("the mode is not recorded in secret")
		}
		g.do("orders airborne C 22")
		if g.p.mode != modeAirborne || g.p.dropTurn != 22 || g.p.phase != SetupPlan {
			t.Error("mode and drop plan are not recorded")
		}
	})
	t.Run("changes until turn 21", func(t *testing.T) {
		g := airborne(t, 21, modeInfantry)
		g.do("end")
		if !g.waitsFor(AskOrders) || g.asked() != US {
			t.Fatal("no orders are asked for at the end of III.D")
		}
		g.refusedTo(Japan, "DF 5.2", "orders airborne")
		g.do("orders airborne", 1)
		if g.p.mode != modeAirborne {
			t.Error("the mode isn't changed on turn 21")
		}
		g = airborne(t, 22, modeInfantry)
		g.do("end")
		g.refused("DF 15.6-a", "orders airborne")
		g.refused("DF 15.6-a", "orders airborne C 26")
		g.do("orders", 1)
		if g.p.mode != modeInfantry {
			t.Error("the mode is changed on turn 22")
		}
	})
	t.Run("by sea", func(t *testing.T) {
		g := airborne(t, 21, modeInfantry).put("C", "BH-V").put("N4", "BH-I")
		g.refused("DF 8.3", "enter R/11 C")
		g.p.turn = 22
		g.lists("enter", "enter R/11 N4", "enter R/11 C") // by corps
		g.refused("DF 15.6-a", "drop")
		g.do("enter R/11 C")
		g.want("R/11", "C:2", "R/11A", "out", "cp", 5)
		g = airborne(t, 22, modeAirborne).put("C", "BH-V")
		g.refused("DF 15.6-a", "enter R/11 C")
		g.refused("DF 8.3", "enter R/11A C")
		g.lists("enter")
	})
}

func TestDropPlan(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-b")
	ordered := func(t *testing.T, turn uint8, mode uint8) *table {
		g := airborne(t, turn, mode)
		g.do("end")
		return g
	}
	g := ordered(t, 17, modeAirborne)
	g.refused("DF 15.6-b", "orders airborne C 21")
	g.refused("DF 15.6-b", "orders airborne C 31")
	g.refused("DF 15.6-b", "orders infantry C 22")
	g.do("orders airborne C 22", 1)
	g = ordered(t, 18, modeAirborne)
	g.do("orders C 22", 1)
	if g.p.dropTurn != 22 || g.p.dropHex != g.hex("C") {
		t.Error("a plan for turn 22 isn't recorded on turn 18")
	}
	g = ordered(t, 19, modeInfantry)
	g.refused("DF 15.6-b", "orders airborne C 22")
	g.do("orders airborne C 23", 1)
	g = ordered(t, 26, modeAirborne)
	g.do("orders airborne N1 30", 1)
	// A plan stands until a new one, another mode or its turn comes.
	g = airborne(t, 18, modeAirborne)
	g.p.dropTurn, g.p.dropHex = 25, g.hex("C")
	g.do("end")
	kept := g.p.Clone()
	g.do("orders", 1)
	if g.p.dropTurn != 25 {
		t.Error("no change is a change")
	}
	g.p = kept
	g.do("orders infantry", 1)
	if g.p.dropTurn != 0 || g.p.mode != modeInfantry {
		t.Error("the plan of a drop stands in infantry mode")
	}
}

func TestDropHex(t *testing.T) { // E-131
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-c", "DF 15.6-e", "DF 15.6-d")
	ground := func(f *flower.Flower) {
		for i, id := range []string{"clear", "town", "city", "fortification", "rough"} {
			f.Ground(id, flower.Names()[1+i])
		}
		f.Coast("limousine", "K1")
	}
	g := airborne(t, 18, modeAirborne, ground).put("N1", "J1")
	g.p.ixTurn, g.p.ixHex = 22, g.hex("K1")
	g.do("end")
	for _, hex := range []string{"N3", "N4", "N5"} {
		g.refused("DF 15.6-c", "orders airborne "+hex+" 22")
	}
	for _, hex := range []string{"N1", "N2", "K1"} { // with Japanese units; a Town; where IX Corps will land
		q := &table{t: t, p: g.p.Clone(), sc: g.sc}
		q.do("orders airborne "+hex+" 22", 1)
		if q.p.dropHex != q.hex(hex) {
			t.Errorf("the plan for %s isn't recorded", hex)
		}
	}
	g = planned(t, "N1").put("N1", "J1")
	g.because("DF 15.6-e", "refuse.enemy", "drop")
	g = planned(t, "N2", ground).put("C", "I/25")
	g.p.exploded.Add(g.hex("N2"))
	g.refused("DF 15.6-c", "drop")
	g = planned(t, "N1").put("N1", "I/25", "R/6", "R/7")
	g.refused("DF 10.4", "drop")
	g = planned(t, "N1").put("N1", "IX/81", "BH-IX")
	g.do("drop") // the recorded hex, and no other: the command names none
	g.want("R/11A", "N1:2", "R/11", "out")
	if _, err := g.try(US, "drop N2"); err == nil {
		t.Error("a drop names its hex")
	}
}

func TestDropAndAirSupply(t *testing.T) { // E-132
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-e", "DF 9.7-b", "DF 7.T-16", "DF 15.6-a")
	g := planned(t, "N1").put("C", "I/25")
	before := g.p.Clone()
	g.check("C")
	g.refused("DF 9.7-b", "drop")
	g.p = before.Clone()
	g.check("-")
	out := g.do("drop")
	g.want("R/11A", "N1:2", "R/11", "out", "cp", 4).states("R/11A", "AIR", "I/25", "OOS")
	if g.p.airSupply != Place(g.hex("N1")) || !out.Revealed {
		t.Error("the air supply unit isn't in the drop hex, or nothing is revealed")
	}
	if g.p.followers != 0 {
		t.Error("somebody may follow a unit that was dropped")
	}
	g.p = before.Clone()
	g.p.cp = 1
	g.refused("DF 7.4-d", "drop")
	g.p = before
	g.p.cp, g.p.ban = 2, true // the ban doesn't cover it (D-12); the exact price
	g.do("drop")
	g.want("cp", 0)
}

func TestDropDelayed(t *testing.T) { // E-133
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-d", "DF 15.6-b")
	g := planned(t, "N1")
	g.do("end")
	g.want("cp", 6)
	g.refused("DF 15.6-b", "orders airborne N1 25")
	out := g.do("orders airborne N2 26", 1)
	if out.Events[0].Audience != usOnly || out.Revealed {
		t.Error("Japan sees the new plan")
	}
	g.turnTo(USActions)
	g.refused("DF 15.6-e", "drop") // turn 23
	// Without a new plan the old one lapses, and a new one may be made in any later III.D.
	g = planned(t, "N1")
	g.do("end")
	g.do("orders", 1)
	if g.p.dropTurn != 0 || g.p.mode != modeAirborne {
		t.Error("the old plan stands")
	}
	g.turnTo(USActions)
	g.do("end")
	g.refused("DF 15.6-b", "orders airborne N1 26")
	g.do("orders airborne N1 27", 1)
}

// turnTo plays on from the deployment of a turn to III.D, as turnOver and usTurn do.
func (g *table) turnTo(Phase) *table {
	g.t.Helper()
	g.do("zones limousine limousine limousine limousine", 1)
	g.do("bombs 0", 6)
	return g.usTurn("-")
}

func TestAfterTheDrop(t *testing.T) { // E-134
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-g", "DF 15.6-h", "DF 9.4", "DF 8.9-e")
	coast := func(f *flower.Flower) { f.Coast("limousine", "N1") }
	dropped := func(t *testing.T, with ...func(g *table)) *table {
		g := planned(t, "N1", coast).quiet().put("E6", "J1")
		for _, w := range with {
			w(g)
		}
		g.do("drop", 6)
		return g
	}
	g := dropped(t, func(g *table) { g.p.steps[g.unit("R/11A")] = 0 })
	g.want("R/11A", "N1:2", "vp", 6)
	g.refused("DF 15.6-g", "move R/11A C")
	g.refused("DF 15.6-g", "attack N1 E6 R/11A")
	g.reduce("R/11A").refused("DF 8.9-e", "recover R/11A")
	g.refused("DF 15.6-h", "drop")
	g.p.opt |= FightOnEntry // no exception
	g.refused("DF 15.6-g", "attack N1 E6 R/11A")
	g.p.opt &^= FightOnEntry
	g.do("end", 1) // it has appeared: no more orders
	g.do("zones limousine limousine limousine limousine", 1)
	g.do("bombs 0", 6)
	g.quiet().do("attack E6 N1 J1") // it defends, in supply
	g.shot("shot R/11A J1", 10, 2)
	g.misses("J1 R/11A", "J1 R/11A")

	for _, c := range []struct{ name, air, state string }{
		{"a path to any beachhead", "-", "LINE"}, {"air supply", "N1", "AIR"}, {"the coast", "-", "COAST"},
		{"nothing", "-", "OOS"},
	} {
		g := dropped(t)
		switch c.state {
		case "LINE":
			g.put("K4", "BH-V")
		case "OOS":
			g.p.put(g.unit("R/11A"), Place(g.hex("N2")))
		}
		g.turnOver().usTurn(c.air)
		g.quiet().states("R/11A", c.state)
		g.p.put(g.unit("J1"), Place(g.hex("C")))
		moves := g.p.Clone()
		from := g.where("R/11A")
		g.do("attack " + from + " C R/11A")
		g.misses("J1 R/11A", "J1 R/11A")
		g.shot("shot R/11A J1", 10, map[string]int{"LINE": 4, "AIR": 4, "COAST": 3, "OOS": 2}[c.state])
		g.p = moves
		g.do("move R/11A E1")
		g.want("R/11A", "E1:2")
		g.refused("DF 15.6-h", "drop")
	}
	// It may recover a step from the next turn on.
	g = dropped(t).reduce("R/11A").turnOver().usTurn("-")
	g.do("recover R/11A")
	g.want("R/11A", "N1:2")
}

func TestDropInZOC(t *testing.T) { // E-135
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-f", "DF 8.10", "DF 4.11")
	for die := uint32(1); die <= 10; die++ {
		g := planned(t, "C").put("N1", "J1", "J2").put("N3", "J3").put("N5", "B1").put("C", "I/25")
		g.do("drop", die)
		switch {
		case die <= 5:
			g.want("R/11A", "C:1", "vp", 5)
		case die <= 9:
			g.want("R/11A", "C:2", "vp", 6)
		default:
			g.want("R/11A", "removed", "R/11", "out", "vp", 4)
			g.refused("DF 8.10", "rebuild R/11A")
			g.refused("DF 8.9-c", "rebuild R/11")
		}
		g.want("cp", 4)
	}
	g := planned(t, "C", func(f *flower.Flower) { f.Sea("C", "N1") }).put("N1", "J1")
	g.do("drop") // out of ZOC: no die
	g.want("R/11A", "C:2")
}
