package downfall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// opening begins a game of olympic, up to the first question.
func opening(t testing.TB, opt OptionSet) *table {
	t.Helper()
	g := &table{t: t, sc: olympic(t)}
	g.p = newPosition(g.sc, opt)
	g.run()
	return g
}

// deployed is the opening with the 36th Army around Mount Kirishima.
func deployed(t testing.TB, opt OptionSet) *table {
	t.Helper()
	g := opening(t, opt)
	hexes := []string{"3013", "3013", "3013", "2911", "2911", "2911", "2912", "2912"}
	for i, u := range g.sc.Setup36 {
		g.do(fmt.Sprintf("place %s %s", g.sc.Units[u].ID, hexes[i]))
	}
	return g
}

func TestPrintedSetupIsDone(t *testing.T) { // W-03
	t.Parallel()
	g := deployed(t, 0)
	rulestest.Proves(t, downfall, "DF 2.3", "DF 2.5", "DF 3.2-a", "DF 3.3-a", "DF 3.3-c")
	g.want("jp-5-tk", "2819", "jp-154-div", "2921", "us-i-25", "2621", "bh-I", "2621", "vp", 0, "bombs", 9)
	boxed := 0
	rulestest.Proves(t, downfall, "DF 2.7", "DF 2.11", "DF 3.1", "DF 3.2-c", "DF 9.1-a")
	for u := range g.sc.Units {
		info, at := &g.sc.Units[u], g.p.place[u]
		switch {
		case info.Formation == scenario.Army56 && at != NotAvailable:
			t.Errorf("%s is in %s", info.ID, g.where(info.ID))
		case info.Formation == scenario.OtherJapan && (at.Hex() != info.Hex || info.Hex == NoHex):
			t.Errorf("%s is in %s", info.ID, g.where(info.ID))
		case info.Owner == US && info.Hex != NoHex && g.p.supply[u] != Line:
			t.Errorf("%s begins in supply state %d", info.ID, g.p.supply[u])
		case at == Holding:
			boxed++
		}
		if at != Out && int(g.p.steps[u]) != info.Steps {
			t.Errorf("%s has %d steps", info.ID, g.p.steps[u])
		}
	}
	rulestest.Proves(t, downfall, "DF 3.3-b", "DF 3.3-c")
	if boxed == 0 || g.p.navalHere != 0 || g.p.air != 0 {
		t.Errorf("%d units in the Holding Box, naval %b, air %d", boxed, g.p.navalHere, g.p.air)
	}
}

func TestThirtySixthArmySetup(t *testing.T) { // W-04
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 3.2-b", "DF 2.12", "DF 10.3-a")
	g := opening(t, 0)
	first := g.sc.Units[g.sc.Setup36[0]].ID
	for _, hex := range []string{"2911", "2912", "3111", "3112", "3013"} {
		if !g.legal("place " + first + " " + hex) {
			t.Errorf("%s is not legal", hex)
		}
	}
	for h := range Hex(len(g.p.at)) {
		near := g.sc.Map.Distance(h, g.hex("3013")) <= 2
		if got := g.legal("place " + first + " " + g.sc.HexID(h)); got != near {
			t.Errorf("hex %s at distance %d: legal is %v", g.sc.HexID(h), g.sc.Map.Distance(h, g.hex("3013")), got)
		}
	}
	g.refused("DF 3.2-b", "place "+first+" 3016")
	g.refused("DF 3.2-b", "place jp-5-tk 3013")
	for _, u := range g.sc.Setup36[:3] {
		g.do("place " + g.sc.Units[u].ID + " 3013")
	}
	g.refused("DF 10.3-a", "place "+g.sc.Units[g.sc.Setup36[3]].ID+" 3013")
	g.refused("DF 3.2-b", "place "+first+" 2911") // it is on the map
	other := g.p.Clone()
	g.p.put(g.unit(first), Out)
	g.p.steps[g.unit(first)] = 0
	g.p.put(g.unit("jp-5-tk"), Place(g.hex("3013")))
	g.refused("DF 10.3-a", "place "+g.sc.Units[g.sc.Setup36[3]].ID+" 3013")
	g.p = other
	for _, u := range g.sc.Setup36[3:7] {
		g.do("place " + g.sc.Units[u].ID + " " + map[bool]string{true: "2911", false: "2912"}[u%2 == 0])
	}
	if g.p.phase != SetupJapan || !g.waitsFor(AskPlace36) {
		t.Error("set-up goes on with a unit that is not placed")
	}
	g.do("place " + g.sc.Units[g.sc.Setup36[7]].ID + " 3112")
	if !g.waitsFor(AskPlan) || g.asked() != US {
		t.Error("the IX Corps plan is not asked for")
	}
}

func TestLegalPlans(t *testing.T) { // E-81
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 3.3-d", "DF 8.6-a", "DF 8.6-b")
	g := deployed(t, 0)
	clear := hexWith(g, func(h Hex) bool {
		_, site := g.p.beachheadIn(h)
		return g.sc.LandingHex(h, g.p.terrain(h)) && !site
	})
	inland := hexWith(g,
		func(h Hex) bool { return !g.sc.Is(h, scenario.Coastal) && g.sc.Terrains[g.sc.Terrain[h]].ID == "clear" })
	town := hexWith(g,
		func(h Hex) bool { return g.sc.Is(h, scenario.Coastal) && g.sc.Terrains[g.sc.Terrain[h]].ID == "town" })
	rough := hexWith(g,
		func(h Hex) bool { return g.sc.Is(h, scenario.Coastal) && g.sc.Terrains[g.sc.Terrain[h]].ID == "rough" })
	g.refused("DF 8.6-b", "plan "+clear+" 3")
	g.refused("DF 8.6-b", "plan "+clear+" 31")
	for _, hex := range []string{inland, town, rough, "2621", g.sc.HexID(g.sc.Beachheads[scenario.CorpsV].Hex),
		g.sc.HexID(g.sc.Beachheads[scenario.CorpsXI].Hex)} {
		g.refused("DF 8.6-b", "plan "+hex+" 5")
	}
	g.refused("DF 5.2", "end") // no play without a plan
	occupied := g.p.Clone()
	occupied.put(g.unit("jp-5-tk"), Place(g.hex(clear)))
	for _, p := range []*Position{g.p, occupied} {
		for _, turn := range []int{4, 30} {
			plan := &table{t: t, p: p.Clone(), sc: g.sc}
			plan.do(fmt.Sprintf("plan %s %d", clear, turn), 1)
			if plan.p.turn != 1 || !plan.waitsFor(AskZones) {
				t.Errorf("turn %d, phase %d after the plan", plan.p.turn, plan.p.phase)
			}
		}
	}
}

// hexWith is the first hex for which something holds.
func hexWith(g *table, ok func(Hex) bool) string {
	g.t.Helper()
	for h := range Hex(len(g.p.at)) {
		if ok(h) {
			return g.sc.HexID(h)
		}
	}
	g.t.Fatal("no such hex")
	return ""
}

// landingHex is a legal plan of the opening.
func landingHex(g *table) string {
	return hexWith(g, func(h Hex) bool {
		_, site := g.p.beachheadIn(h)
		return g.sc.LandingHex(h, g.p.terrain(h)) && !site && g.p.at[h] == 0
	})
}

func TestPhasesComeInOrder(t *testing.T) { // T-01
	t.Parallel()
	g := deployed(t, 0)
	var seen []downfallv1.Phase
	note := func(out *rules.Outcome) {
		for _, e := range out.Events {
			if b := e.Event.(*downfallv1.Event).GetPhaseBegan(); b != nil {
				seen = append(seen, b.Phase)
			}
		}
	}
	note(g.do("plan "+landingHex(g)+" 20", 1))
	turn := func(bpf ...uint32) {
		note(g.do("zones limousine limousine limousine limousine", 1))
		if g.p.turn == 1 {
			note(g.do("bombs 0"))
		} else {
			note(g.do("bombs 0", 6))
		}
		note(g.do("end"))
		if g.waitsFor(AskAirSupply) {
			note(g.do("supply -"))
		}
		rulestest.Proves(t, downfall, "DF 5.1-b")
		g.refusedTo(Japan, "DF 5.1-b", "end") // what has ended does not come back
		note(g.do("end", bpf...))
	}
	turn(1)
	turn(1)
	rulestest.Proves(t, downfall, "DF 5.1-a", "DF 5.2", "DF 5.2-IA1", "DF 5.2-IA2", "DF 5.2-IB", "DF 5.2-IC")
	one := []downfallv1.Phase{
		downfallv1.Phase_PHASE_FLEET_STATUS, downfallv1.Phase_PHASE_DEPLOYMENT, downfallv1.Phase_PHASE_KAMIKAZE,
		downfallv1.Phase_PHASE_NUCLEAR,
		downfallv1.Phase_PHASE_ARMY_CHECK, downfallv1.Phase_PHASE_JAPAN_POINTS, downfallv1.Phase_PHASE_JAPAN_ACTIONS,
		downfallv1.Phase_PHASE_REINFORCEMENTS, downfallv1.Phase_PHASE_SUPPLY, downfallv1.Phase_PHASE_US_POINTS,
		downfallv1.Phase_PHASE_US_ACTIONS,
		downfallv1.Phase_PHASE_VICTORY,
	}
	rulestest.Proves(t, downfall, "DF 5.2-IIA", "DF 5.2-IIB", "DF 5.2-IIC")
	want := slices.Concat(one, one, one[:2])
	rulestest.Proves(t, downfall, "DF 5.2-IIIA", "DF 5.2-IIIB", "DF 5.2-IIIC", "DF 5.2-IIID", "DF 5.2-IV")
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("phases (-want +got):\n%s", diff)
	}
	rulestest.Proves(t, downfall, "DF 5.3")
	g.want("turn", 3)
}

func TestJapaneseCP(t *testing.T) { // T-06
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.2-a", "DF 7.2-b", "DF 7.1", "DF 5.2-IIB")
	g := deployed(t, 0)
	g.do("plan "+landingHex(g)+" 20", 1)
	for row, bonus := range map[uint32]int{1: 0, 3: 1, 5: 2, 7: 3, 8: 4} { // the turn adds 1 to the kamikaze die
		k := &table{t: t, p: g.p.Clone(), sc: g.sc}
		k.do("zones limousine limousine limousine limousine", row)
		k.do("bombs 0")
		k.want("cp", 6)
		if int(k.p.jpCP) != bonus {
			t.Errorf("die %d: bonus %d, want %d", row, k.p.jpCP, bonus)
		}
	}
	for _, c := range []struct {
		kamikaze, die uint32
		cp            int
	}{{1, 1, 1}, {1, 6, 6}, {3, 3, 4}, {10, 1, 5}, {10, 6, 10}} {
		f := onFlower(t, VictoryCheck)
		f.p.cp = 0
		f.newTurn(5, 1, "limousine limousine limousine limousine", c.kamikaze)
		f.do("bombs 0", c.die)
		f.want("cp", c.cp)
		f.put("N1", "J1")
		f.do("end")
		if f.waitsFor(AskAirSupply) {
			f.do("supply -")
		}
		if int(f.p.cp) > int(f.p.usCP) {
			t.Errorf("Japanese CP are carried over: %d", f.p.cp)
		}
	}
	bonus := on(t, olympic(t), SetupPlan, BonusTurn1)
	bonus.p.turn, bonus.p.jpCP, bonus.p.cp = 1, 2, 0
	bonus.phase(JapanPoints)
	bonus.p.turn = 1
	bonus.put("2819", "jp-5-tk")
	bonus.run()
	bonus.want("cp", 8) // the switch of D-16
}

func TestFiftySixthArmyNumbers(t *testing.T) { // T-08, W-10, E-127
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.2-a", "DF 15.3", "DF 7.T-10", "DF 5.2-IIA")
	available := func(opt OptionSet, turn uint8, die ...uint32) bool {
		g := on(t, flowerScenario(t), ArmyCheck, opt).box(NotAvailable, "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8")
		g.p.turn, g.p.cp = turn, 0
		if turn == 1 {
			g.run(die...)
		} else {
			g.run(append(die, 6)...)
		}
		in := g.p.place[g.unit("F1")] == Available
		for n := 2; n <= 8; n++ {
			if (g.p.place[g.unit(fmt.Sprintf("F%d", n))] == Available) != in {
				t.Errorf("turn %d: not all or none", turn)
			}
		}
		g.want("cp", 6)
		return in
	}
	if available(0, 9) {
		t.Error("turn 9: they come without a roll")
	}
	for turn := uint8(10); turn <= 20; turn++ {
		need := min(uint32(turn)-9, 10)
		if !available(0, turn, need) {
			t.Errorf("turn %d: %d does not do", turn, need)
		}
		if need < 10 && available(0, turn, need+1) {
			t.Errorf("turn %d: %d does", turn, need+1)
		}
	}
	for turn := uint8(1); turn <= 10; turn++ {
		need := uint32(turn)
		if !available(EarlyArmy56, turn, need) || need < 10 && available(EarlyArmy56, turn, need+1) {
			t.Errorf("option 15.3, turn %d: %d is not the largest success", turn, need)
		}
	}
}

func TestOptionsAreFlags(t *testing.T) { // T-15
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.1", "DF 15.2", "DF 15.7")
	about := downfall.About()
	for _, o := range optionList {
		if diff := cmp.Diff([]string{"false", "true"}, o.Values); diff != "" {
			t.Errorf("%s: %s", o.ID, diff)
		}
	}
	every := map[string]string{}
	for _, o := range optionList {
		every[o.ID] = "true"
	}
	options, err := about.NewOptions(every)
	if err != nil {
		t.Fatal(err)
	}
	if got := newOptions(options); got != 1<<len(optionList)-1 {
		t.Errorf("all options: %b", got)
	}
	none, err := about.NewOptions(nil)
	if err != nil || newOptions(none) != 0 {
		t.Errorf("by default %b, %v", newOptions(none), err)
	}
	both := deployed(t, NoAtomicBombs|SecretBombs)
	both.do("plan "+landingHex(both)+" 20", 1) // one die, for the BPF: none for the bombs
	both.do("zones limousine limousine limousine limousine", 1)
	if both.p.phase != JapanActions || both.p.bombsLeft != 0 {
		t.Errorf("phase %d, %d bombs", both.p.phase, both.p.bombsLeft)
	}
	both.refusedTo(US, "DF 15.2", "bombs 1") // E-126
}

// TestBidGivesTheUSPoints: the points of a bid are there before the game, are no award, and stand in the notation.
func TestBidGivesTheUSPoints(t *testing.T) {
	t.Parallel()
	for points, value := range bidOption.Values {
		o, err := downfall.About().NewOptions(map[string]string{"us_bid": value, "no_atomic_bombs": "true"})
		if err != nil {
			t.Fatal(err)
		}
		p := referee{}.New(olympic(t), o)
		if int(p.vp) != points || p.earned != 0 || !p.on(NoAtomicBombs) || p.on(ForcedChoices) {
			t.Errorf("us_bid %s: %d points, awards %b, options %b", value, p.vp, p.earned, p.opt)
		}
		if strings.Contains(p.format(), "us_bid") != (points > 0) {
			t.Errorf("us_bid %s: %s", value, p.format())
		}
		reread(t, p)
	}
	if p := begin(olympic(t), 0); p.vp != 0 {
		t.Errorf("without a bid %d points", p.vp)
	}
	for _, two := range []string{"us_bid=7 us_bid=8", "us_bid=1 us_bid=1", "us_bid=9"} {
		p := begin(olympic(t), OptionSet(0).withBid(8))
		text := strings.Replace(p.format(), "us_bid=8", two, 1)
		if read, err := parsePosition(p.sc, text); err == nil {
			t.Errorf("%s is read as a bid of %d", two, read.opt.bid())
		}
	}
	if _, err := downfall.About().NewOptions(map[string]string{"us_bid": "9"}); err == nil {
		t.Error("a bid of 9 points passes")
	}
}

func TestEleventhDivisionCounters(t *testing.T) { // E-130, first half
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 3.4")
	g := deployed(t, 0)
	infantry, airborne := g.sc.Infantry11, g.sc.Airborne11
	if g.p.place[infantry] != Holding || g.p.place[airborne] != Out {
		t.Error("both counters are in the game, or the wrong one")
	}
	if s := g.sc.Units[infantry].Strength[2]; s != 5 {
		t.Errorf("the 11th Infantry has strength %d", s)
	}
}
