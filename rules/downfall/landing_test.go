package downfall

import (
	"strconv"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// shore makes N4 a coastal hex of Town Car.
func shore(f *flower.Flower) { f.Coast("town-car", "N4") }

// landing is III.D of the turn planned for N4, with IX Corps in the box and one naval marker in Town Car.
func landing(t testing.TB, turn uint8, edits ...func(*flower.Flower)) *table {
	g := onFlower(t, USActions, append([]func(*flower.Flower){shore}, edits...)...).box(Holding, "IX/81", "IX/98",
		"IX/77", "BH-IX")
	g.p.turn, g.p.ixTurn, g.p.ixHex, g.p.ixMade = turn, turn, g.hex("N4"), 0
	g.p.navalZone[0] = 3
	return g
}

func TestLandingPlans(t *testing.T) { // E-81
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 3.3-d", "DF 8.6-a", "DF 8.6-b")
	g := onFlower(t, SetupPlan, func(f *flower.Flower) {
		f.Coast("limousine", "K1", "K2", "K3", "K4")
		f.Ground("rough", "K2")
		f.Ground("town", "K3")
	}).put("K4", "J1")
	g.p.turn = 0
	for _, plan := range []string{"K1 3", "K1 31", "C 4", "K2 4", "K3 4", flower.DepotI + " 4", flower.DepotV + " 4",
		flower.DepotXI + " 4"} {
		g.refused("DF 8.6-b", "plan "+plan)
	}
	g.refused("DF 5.2", "end")
	g.refusedTo(Japan, "DF 8.6-d", "plan K1 4")
	var want []string
	// in the order of the map; Japanese units don't matter
	for _, hex := range []string{"K4", "K1", flower.DepotLanding} {
		for turn := 4; turn <= 30; turn++ {
			want = append(want, "plan "+hex+" "+strconv.Itoa(turn))
		}
	}
	g.lists("plan", want...)
	for _, plan := range []string{"K1 4", "K1 30", "K4 17"} {
		q := &table{t: t, p: g.p.Clone(), sc: g.sc}
		out := q.do("plan "+plan, 1)
		if q.p.turn != 1 || q.p.ixTurn == 0 {
			t.Errorf("%s: turn %d begins with a plan for turn %d", plan, q.p.turn, q.p.ixTurn)
		}
		for _, e := range out.Events {
			_, secret := e.Event.(*downfallv1.Event).Kind.(*downfallv1.Event_PlanRecorded)
			if secret != (e.Audience == usOnly) {
				t.Errorf("%T has audience %v", e.Event.(*downfallv1.Event).Kind, e.Audience)
			}
		}
	}
}

func TestUnopposedLanding(t *testing.T) { // E-82
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.6-c", "DF 8.4-d", "DF 7.T-8", "DF 7.T-7", "DF 8.4-b", "DF 8.6-a")
	g := landing(t, 5).put("C", "J1")
	early := g.p.Clone()
	g.refused("DF 8.4-b", "enter IX/77 N4")
	out := g.do("land")
	g.want("IX/81", "N4:2", "IX/98", "N4:2", "BH-IX", "N4", "cp", 3).states("IX/81", "LINE", "IX/98", "LINE")
	if !out.Revealed || len(kindOf[*downfallv1.Event_LandingBegan](out)) != 1 {
		t.Error("the record is not shown when the landing begins")
	}
	for _, c := range []string{"move IX/81 K4", "attack N4 C IX/81", "attack N4 C IX/81 IX/98"} {
		g.refused("DF 8.4-d", c)
	}
	g.do("enter IX/77 N4")
	g.want("IX/77", "N4:2", "cp", 2)
	g.refused("DF 8.6-c", "land")

	for _, c := range []struct {
		name, rule string
		edit       func(p *Position)
	}{
		{"a turn too early", "DF 8.6-c", func(p *Position) { p.turn = 4 }},
		{"a turn too late", "DF 8.6-c", func(p *Position) { p.turn = 6 }},
		{"2 CP", "DF 7.4-d", func(p *Position) { p.cp = 2 }},
		{"ban", "DF 6.5-6", func(p *Position) { p.ban = true }},
		{"no room for both", "DF 10.4", func(p *Position) {
			p.put(g.unit("R/6"), Place(p.ixHex))
			p.put(g.unit("R/7"), Place(p.ixHex))
		}},
	} {
		q := &table{t: t, p: early.Clone(), sc: g.sc}
		c.edit(q.p)
		q.refused(c.rule, "land")
	}
	exact := &table{t: t, p: early, sc: g.sc}
	exact.p.cp = 3
	exact.put("N4", "I/25").do("land") // US units there are no obstacle
	exact.want("cp", 0, "BH-IX", "N4", "I/25", "N4:2")
}

func TestLandingFails(t *testing.T) { // E-83
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.7-a", "DF 8.7-b", "DF 8.7-c", "DF 8.4-b", "DF 14.5-a", "DF 14.6-a")
	g := landing(t, 5).put("N4", "B1", "CD")
	g.do("land +air +naval1")
	if !g.waitsFor(AskFire) || g.asked() != Japan {
		t.Fatal("Japan doesn't fire first: there is no artillery to bombard")
	}
	g.shot("shot B1 IX/81", 3, 3)
	g.want("IX/81", "landing:1")
	g.shot("shot B1 IX/81", 4, 3)
	g.refused("DF 13.4-1", "shot B1 IX/81") // twice one shot, not more
	g.shot("shot CD IX/81", 2, 2)
	g.want("IX/81", "fallen:0")
	g.shot("shot CD IX/98", 3, 2)
	g.shot("shot CD IX/98", 2, 2)
	g.shot("shot CD IX/98", 10, 2)
	if !g.waitsFor(AskFire) || g.asked() != US {
		t.Fatal("an abort is offered, or Japan fires more than six shots")
	}
	g.shot("shot IX/98 B1", 6, 6)
	g.want("B1", "eliminated", "CD", "N4:2", "IX/81", "eliminated", "IX/98", "eliminated", "BH-IX", "removed",
		"cp", 3, "vp", 6)
	g.refused("DF 8.4-b", "enter IX/77 N4")
	g.do("rebuild IX/98")
	g.want("IX/98", "holding:1")
	g.put("C", "I/25").refused("DF 7.8-a", "attack C N4 I/25") // DF 8.7-d: it was attacked this turn
}

func TestLandingDiesInTheFire(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.7-c", "DF 8.7-d")
	g := landing(t, 5).put("N4", "J1")
	g.do("land")
	g.do("shot J1 IX/81", 1)
	g.do("shot J1 IX/81", 1)
	g.do("shot J1 IX/98", 1)
	g.do("shot J1 IX/98", 1)
	g.want("IX/81", "eliminated", "IX/98", "eliminated", "BH-IX", "removed", "vp", 6)
	if g.p.fight.on {
		t.Error("the landing goes on")
	}
	// The switch of D-30 charges the beachhead.
	g = landing(t, 5).put("N4", "J1")
	g.p.opt = LandingVP
	g.do("land")
	g.do("shot J1 IX/81", 1)
	g.do("shot J1 IX/81", 1)
	g.do("shot J1 IX/98", 1)
	g.do("shot J1 IX/98", 1)
	g.want("BH-IX", "removed", "vp", 4)
}

func TestLandingSucceeds(t *testing.T) { // E-84
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.7-c", "DF 8.7-b", "DF 8.7-a", "DF 14.6-a")
	g := landing(t, 5).put("N4", "B1")
	g.do("land +air +naval1")
	g.do("shot B1 IX/81", 9)
	g.do("shot B1 IX/98", 10)
	g.shot("shot IX/81 B1", 8, 8)
	g.want("B1", "eliminated", "IX/81", "N4:2", "IX/98", "N4:2", "BH-IX", "N4", "cp", 3, "vp", 6)
	if !g.waitsFor(AskActions) || g.p.air != 3 || g.p.navalReady != 0b1110 {
		t.Error("somebody is asked to advance, or support is not used up")
	}
	g.refused("DF 8.4-d", "move IX/81 C")
	g.put("C", "J1").refused("DF 8.4-d", "attack N4 C IX/98")
}

func TestLandingTerrain(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.7-a", "DF 14.2", "DF 14.3")
	g := landing(t, 5, func(f *flower.Flower) {
		f.Sea("N4", "C")
		f.Terrain("clear").UsAttack = []int32{-1, -2, -3}
	}).put("N4", "B1")
	out := g.do("land", 3)
	if rolled := kindOf[*downfallv1.Event_ChemicalRolled](out); len(rolled) != 1 ||
		rolled[0].ChemicalRolled.Modifier != -2 {
		t.Fatalf("the terrain of the hex: %v", rolled)
	}
	g.do("shot B1 IX/81", 10)
	g.do("shot B1 IX/81", 10)
	g.shot("shot IX/81 B1", 10, 3)
}

func TestLandingNotPaid(t *testing.T) { // E-85
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.6-d", "DF 8.6-e", "DF 6.5-5", "DF 7.3")
	g := landing(t, 6).put("C", "I/25")
	g.phase(Deployment)
	g.p.navalReady, g.p.kamikaze, g.p.bombsDeclared = 0, false, -1
	g.do("zones limousine limousine limousine limousine", 7)
	g.do("bombs 0", 1)
	g.usTurn("-")
	g.want("cp", 2)
	g.refused("DF 7.4-d", "land")
	out := g.do("end")
	shown := kindOf[*downfallv1.Event_LandingCancelled](out)
	if !out.Revealed || len(shown) != 1 || shown[0].LandingCancelled.Turn != 6 || !shown[0].LandingCancelled.Lapsed {
		t.Fatalf("the lapsed plan is not shown: %v", shown)
	}
	if !g.waitsFor(AskPlan) || g.asked() != US {
		t.Fatal("no new plan is asked for")
	}
	g.refused("DF 8.6-e", "plan N4 9")
	g.refused("DF 8.6-e", "plan N4 31")
	out = g.do("plan N4 10", 1)
	if recorded := kindOf[*downfallv1.Event_PlanRecorded](out); len(recorded) != 1 ||
		out.Events[0].Audience != usOnly || out.Revealed {
		t.Error("the new plan is not secret")
	}
	g.want("turn", 7)
}

func TestLandingHexBombed(t *testing.T) { // E-86
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.6-b", "DF 6.10-c", "DF 8.6-d")
	g := landing(t, 5)
	g.p.exploded.Add(g.hex("N4"))
	g.refused("DF 8.6-b", "land")
	g.do("end")
	if !g.waitsFor(AskPlan) || g.p.ixTurn != 0 {
		t.Fatal("the plan is not cancelled at the end of the phase")
	}
	g.refused("DF 8.6-b", "plan N4 9")
	g.do("plan "+flower.DepotLanding+" 9", 1)
}

func TestTooLateToReplan(t *testing.T) { // E-87
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.6-e", "DF 8.6-d")
	g := landing(t, 28)
	g.p.turn = 26
	out := g.do("cancel")
	if !out.Revealed || !g.waitsFor(AskPlan) {
		t.Fatal("the record is not shown, or no new plan is asked for")
	}
	g.refused("DF 8.6-e", "plan N4 29")
	g.do("plan N4 30")
	g.want("cp", 6, "turn", 26)

	g = landing(t, 28)
	g.p.turn = 27
	g.do("cancel")
	if !g.waitsFor(AskActions) || g.p.ixTurn != 0 {
		t.Error("a new plan is asked for on turn 27")
	}
	g.refused("DF 8.6-d", "cancel")
	g.refused("DF 8.6-d", "plan N4 30")
	g.refused("DF 8.6-c", "land")
}

func TestLandingAndOtherAttacks(t *testing.T) { // E-88
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.7-d", "DF 7.8-a", "DF 7.8-d")
	t.Run("a hex attacked before", func(t *testing.T) {
		g := landing(t, 5).quiet().put("C", "I/25").put("N4", "B1")
		g.do("attack C N4 I/25")
		g.misses("B1 I/25", "I/25 B1", "I/25 B1")
		g.refused("DF 8.7-d", "land")
	})
	t.Run("a hex emptied before", func(t *testing.T) {
		g := landing(t, 5).quiet().put("C", "I/25").put("N4", "B1")
		g.do("attack C N4 I/25")
		g.misses("B1 I/25")
		g.do("shot I/25 B1", 1)
		g.do("advance -")
		g.do("land")
		g.want("IX/81", "N4:2", "cp", 1)
	})
	t.Run("no part of a consecutive attack", func(t *testing.T) {
		g := landing(t, 5).quiet().put("C", "I/25").put("N3", "I/33").put("N4", "B1")
		g.refused("DF 7.5-b", "consecutive N4 N4 IX/81 IX/98")
		g.do("consecutive N4 C I/25")
		g.refused("DF 7.5-b", "also N4 IX/81 IX/98")
		g.refused("DF 7.8-d", "land")
	})
}
