package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// with turns options on.
func (g *table) with(options ...string) *table {
	g.t.Helper()
	for _, id := range options {
		flag, ok := g.p.opt.flags()[id]
		if !ok {
			g.t.Fatalf("no option %q", id)
		}
		*flag = true
	}
	return g
}

// factOf is the first fact of a type in an outcome.
func factOf[T any](t testing.TB, out *rules.Outcome) T {
	t.Helper()
	for _, e := range out.Events {
		if k, ok := e.Event.(*event).GetFact().(T); ok {
			return k
		}
	}
	t.Fatalf("no %T", *new(T))
	return *new(T)
}

// A reconnaissance unit spends a quarter of its printed allowance and a token, and its owner hears of steps and kinds
// of unit, not which they are.
func TestReconnaissance(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.0", "OCS 21.1")
	start := func() *table {
		return onGround(t, "x-rec blue battalion other reconnaissance 2-4-6leg 1-4-10leg",
			"x-cav blue regiment other cavalry 2-4-8truck 1-4-10truck",
			"x-big blue brigade other cavalry 2-4-6leg 1-4-10leg",
			"x-inf blue regiment other infantry 2-4-6leg 1-4-10leg",
			"y-tk red brigade armor armor 7-3-7track 4-3-12track",
			"y-div red division other infantry 9-3-3leg 3-3-8leg",
			"y-at red battalion other anti_tank_gun 2-3-4truck 1-3-8truck",
			"y-gr red brigade mech infantry 7-3-7track 4-3-12track").
			put("09.02", "x-rec x-cav x-big x-inf").dump("09.02", Blue, 9).put("09.04",
			"y-div/lost=1 pax-red y-tk truck-red/points_t=4")
	}
	g := start().segment(SegMovement, Blue)
	g.refused("OCS 21.1", "scout x-rec 09.03 lines=[at=09.02;count=1]") // the game is without the rule
	if got := g.lists("scout"); len(got) != 0 {
		t.Errorf("without the rule it lists %v", got)
	}
	g = start().with(optReconnaissance).segment(SegMovement, Blue)
	g.refused("OCS 21.1", "scout x-inf 09.03 lines=[at=09.02;count=1]")
	g.refused("OCS 21.1", "scout x-big 09.03 lines=[at=09.02;count=1]") // above a regiment
	g.refused("OCS 21.1", "scout x-rec 09.04 lines=[at=09.02;count=1]")
	g.refused("OCS 21.1", "scout x-rec 09.03 lines=[at=09.02;count=2]")
	g.refused("OCS 21.1", "scout x-rec 09.03")
	g.refused("OCS 6.3a", "scout y-tk 09.03 lines=[at=09.02;count=1]")
	g.refused("OCS 12.5a", "scout x-cav 09.03 lines=[at=09.02;count=1]") // MP need fuel
	list := g.lists("scout")
	if want := "scout unit=x-rec at=09.03 lines=[at=09.02;count=1]"; !slices.Contains(list, want) || len(list) > 6 {
		t.Errorf("it lists %v", list)
	}
	out := g.do("scout x-rec 09.03 lines=[at=09.02;count=1]")
	if f := factOf[*ocsv1.Event_Scouted](t, out).Scouted; f.Steps != 0 || f.Armor || f.Mechanized || f.AntiTank {
		t.Errorf("nobody is there, and it is told %v", f)
	}
	g.want("spent x-rec", "1 1/2", "ground 09.02 blue", 8, "mark x-rec moved", false)
	g.do("move x-rec,x-inf 09.03") // scouting was no move: it may begin one with others
	out = g.do("scout x-rec 09.04 lines=[at=09.02;count=1]")
	f := factOf[*ocsv1.Event_Scouted](t, out).Scouted
	if f.Steps != 2+1+1 || !f.Armor || f.Mechanized || !f.AntiTank || !out.Revealed {
		t.Errorf("told %v, revealing %v", f, out.Revealed)
	}
	if got := g.told(out); !strings.Contains(got, "4 steps; armour: yes, mechanised: no, anti-tank effect: yes") {
		t.Errorf("told %q", got)
	}
	for _, e := range out.Events { // neither the payment nor the unit shows
		if m := e.Event.(*event); len(m.GetChanges()) > 0 && e.Audience != rules.OnlySeats(Blue) ||
			m.GetFact() != nil && e.Audience != rules.Everyone {
			t.Errorf("%v is for %v", m, e.Audience)
		}
	}
	g.do("scout x-rec 09.04 lines=[at=09.02;count=1]")
	g.refused("OCS 21.1", "scout x-rec 09.04 lines=[at=09.02;count=1]") // half a MP of 6 is left
	g.do("fuel x-cav lines=[at=09.02;count=1]")
	g.do("scout x-cav 09.03 lines=[at=09.02;count=1]")
	g.want("spent x-cav", "2", "fuel x-cav", "phase")
	// Kinds of unit, and a quarter of what is printed although DG halves what there is.
	for _, c := range []struct {
		units            string
		steps            uint32
		armor, mech, eff bool
	}{{"y-at", 1, false, false, true}, {"y-gr", 1, false, true, true}, {"pax-red", 1, false, false, false}} {
		g := start().with(optReconnaissance).put("09.03", c.units).put("09.02", "x-rec/dg").segment(SegMovement, Blue)
		f := factOf[*ocsv1.Event_Scouted](t, g.do("scout x-rec 09.03 lines=[at=09.02;count=1]")).Scouted
		if f.Steps != c.steps || f.Armor != c.armor || f.Mechanized != c.mech || f.AntiTank != c.eff {
			t.Errorf("%s: told %v", c.units, f)
		}
		g.want("spent x-rec", "1 1/2")
		g.do("scout x-rec 09.03 lines=[at=09.02;count=1]")
		g.refused("OCS 21.1", "scout x-rec 09.03 lines=[at=09.02;count=1]") // 3 of 3
	}
	g = start().with(optReconnaissance).segment(SegReactionMove, Red)
	g.refused("OCS 7.0a", "scout x-rec 09.03 lines=[at=09.02;count=1]") // it can't move in this phase
	g = start().with(optReconnaissance).put("09.02", "x-rec/reserve").segment(SegReactionMove, Red)
	g.all("release x-rec", "scout x-rec 09.03 lines=[at=09.02;count=1]").want("spent x-rec", "1 1/2")
}

// Strength is in proportion to the steps that are left, rounded before anything else (EX-21-01).
func TestProportionalStrength(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.2")
	g := onGround(t, "x-div blue division other infantry 11-4-3leg 7-4-8leg",
		"x-reg blue regiment other infantry 11-4-3leg 7-4-8leg")
	open := g.sc.Terrains[g.p.sc.Hexes[g.place("12.05")].Terrains[0]]
	strength := func(state string) (attack, defence string) {
		g.put("12.05", "x-div/set=combat-supplied,marker=none,"+state)
		u := g.unit("x-div")
		return g.p.attackStrength(u, open.Attack[0], noAntiTank, nil).format(),
			g.p.defenceStrength(u, open.Defend[0], nil).format()
	}
	for _, c := range []struct{ state, on, onDefence, off, offDefence string }{
		{"lost=0", "11", "11", "11", "11"}, {"lost=1", "7", "7", "5 1/2", "11"}, {"lost=2", "4", "4", "5 1/2", "5 1/2"},
		{"lost=1,dg", "3 1/2", "3 1/2", "2 3/4", "5 1/2"}, // rounded before it is halved
		{"lost=1,move", "5", "5", "3 1/2", "7"},           // 7 x 2/3
	} {
		g.p.opt.proportionalStrength = true
		if a, d := strength(c.state); a != c.on || d != c.onDefence {
			t.Errorf("%s: %s and %s, want %s and %s", c.state, a, d, c.on, c.onDefence)
		}
		g.p.opt.proportionalStrength = false
		if a, d := strength(c.state); a != c.off || d != c.offDefence {
			t.Errorf("%s without the rule: %s and %s, want %s and %s", c.state, a, d, c.off, c.offDefence)
		}
	}
}

// counters of cases of independents.
var independents = []string{"x-ind blue regiment other infantry 6-4-3leg 3-2-8leg",
	"x-bn blue battalion other infantry 2-3-3leg 1-2-8leg",
	"x-div blue division other infantry 9-3-3leg 3-3-8leg",
	"x-form blue regiment mech infantry 5-4-3leg 2-4-16truck formation=bl-3-arm",
	"y-1 red regiment other infantry 4-3-3leg 2-2-8leg", "y-2 red division other infantry 9-3-3leg 3-3-8leg"}

// Independents alone pay double and may not use stocks; a division leads mixed attacks; none of it holds in defence.
func TestIndependents(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.3", "OCS 21.3-i")
	start := func(attack string) *table {
		return onGround(t, independents...).with(optIndependents).put("12.04", "x-ind x-bn x-div x-form").
			put("12.05", "y-1 y-2").dump("12.04", Blue, 20).
			dump("12.05", Red, 8).segment(SegCombat, Blue).all("attack " + attack + " 12.05")
	}
	g := start("x-ind,x-bn")
	g.refused("OCS 9.5b", "pay x-ind lines=[at=12.04;count=1]")
	g.all("pay x-ind lines=[at=12.04;count=2]", "pay x-bn lines=[at=12.04;count=2]", "ready").
		want("ground 12.04 blue", 16)
	g.all("pay y-1,y-2 lines=[at=12.05;count=2]", "ready", "lead x-bn")
	g.do("lead y-1", 3, 4, 3, 4) // an independent unit leads the defence beside a division
	g = start("x-ind,x-div,x-form")
	g.refused("OCS 9.5b", "pay x-ind lines=[at=12.04;count=1]") // nothing is paid for the division yet
	g.all("pay x-div lines=[at=12.04;count=3]", "pay x-ind lines=[at=12.04;count=1]", "ready", "ready")
	g.want("ground 12.04 blue", 16, "asks", "lead")
	g.refused("OCS 21.3-i", "lead x-ind")
	if got := g.lists("lead"); len(got) != 1 || got[0] != "lead unit=x-div" {
		t.Errorf("it lists %v", got)
	}
	g.do("lead x-div")
	g = start("x-ind,x-form") // a unit of a formation is divisional too; paid for together it counts at once
	g.all("pay x-ind,x-form lines=[at=12.04;count=2]", "ready", "ready")
	g.refused("OCS 21.3-i", "lead x-ind")
	g = start("x-ind,x-div") // the division is not paid for and takes no part
	g.all("pay x-ind lines=[at=12.04;count=2]", "ready", "ready", "lead x-ind")
	dry := func(options ...string) *table {
		return onGround(t, independents...).with(options...).put("12.04", "x-ind x-bn x-div").put("12.05", "y-1").
			segment(SegCombat, Blue).
			all("attack x-ind,x-bn,x-div 12.05")
	}
	g = dry(optIndependents)
	g.refused("OCS 21.3", "stocks x-ind,x-bn")
	if got := g.lists("stocks"); len(got) != 1 || got[0] != "stocks x-div" {
		t.Errorf("it lists %v", got)
	}
	g.all("stocks x-div", "stocks x-ind").want("stocks x-ind", "low") // beside a division
	g = dry()
	g.do("stocks x-ind,x-bn")
	g = onGround(t, independents...).put("12.04", "x-ind x-div").put("12.05", "y-1").dump("12.04", Blue, 20).
		segment(SegCombat, Blue)
	// without the rule
	g.all("attack x-ind,x-div 12.05", "pay x-ind lines=[at=12.04;count=1]", "pay x-div lines=[at=12.04;count=3]",
		"ready", "ready", "lead x-ind")
}

// Independents and HQs that share supply are fuelled by RE until the Clean-Up Phase, not by HQ.
func TestIndependentsFuel(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.3-ii")
	lines :=
		[]string{hq57, hq13, "x-gun blue battalion armor assault_gun 4-4-8track 2-4-14track",
			"x-mot blue regiment other cavalry 4-4-8truck 2-4-14truck",
			"x-far blue battalion armor assault_gun 4-4-8track 2-4-14track",
			"x-leg blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-form blue regiment mech infantry 5-4-3track 2-4-16truck formation=bl-3-arm"}
	start := func() *table {
		return onRow(t, 30, nil, nil, nil, lines...).put(at(0), "x-57").dump(at(0), Blue, 9).
			put(at(3), "x-gun x-mot x-leg x-form x-13").put(at(20), "x-far")
	}
	g := start().segment(SegMovement, Blue)
	g.refused("OCS 21.3-ii", "fuel-independents x-gun lines=[at="+at(0)+";count=1]")
	if got := g.lists("fuel-independents"); len(got) != 0 {
		t.Errorf("without the rule it lists %v", got)
	}
	g.do("fuel-hq x-57 lines=[at=" + at(0) + ";count=4]")
	g.do("move x-gun " + at(4)) // the HQ gives it
	g = start().with(optIndependents).segment(SegReactionMove, Red)
	g.refused("OCS 21.3-ii", "fuel-hq x-57 lines=[at="+at(0)+";count=4]")
	if got := g.lists("fuel-hq"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
	g.refused("OCS 21.3-ii", "fuel-independents x-form lines=[at="+at(0)+";count=1]")
	g.refused("OCS 12.5a", "fuel-independents x-leg lines=[at="+at(0)+";count=1]")
	g.refused("OCS 12.3a", "fuel-independents x-gun,x-far lines=[at="+at(0)+";count=1]")
	// 1/2, 1 and 1: 3 tokens
	g.refused("OCS 21.3-ii", "fuel-independents x-gun,x-mot,x-13 lines=[at="+at(0)+";count=2]")
	if got := g.lists("fuel-independents"); !slices.ContainsFunc(got, func(s string) bool {
		return strings.HasPrefix(s, "fuel-independents x-gun,x-mot,x-57,x-13") ||
			strings.HasPrefix(s, "fuel-independents x-57,x-13,x-gun,x-mot")
	}) {
		t.Errorf("it lists %v", got)
	}
	out := g.do("fuel-independents x-gun,x-mot,x-13 lines=[at=" + at(0) + ";count=3]")
	if got := g.told(out); !strings.Contains(got, "fuelled for 3T until the Clean-Up Phase") {
		t.Errorf("told %q", got)
	}
	g.want("ground "+at(0)+" blue", 6, "fuel x-gun", "lasting", "fuel x-13", "lasting")
	g.refused("OCS 21.3-ii", "fuel-independents x-gun lines=[at="+at(0)+";count=1]")
	g.segment(SegMovement, Blue)
	g.want("fuel x-mot", "lasting")
	g.refused("OCS 12.5a", "move x-57 "+at(1)) // not fuelled
	g.all("move x-gun "+at(4), "move x-mot "+at(4))
	g.refused("OCS 12.5a", "move x-far "+at(21))
	g.segment(SegCleanUp, Blue)
	g.want("fuel x-mot", "none", "fuel x-13", "none")
	g = start().with(optIndependents).dump(at(1), Blue, 4).dump(at(0), Blue, 1).segment(SegMovement, Blue)
	// two dumps
	g.refused("OCS 21.3-ii", "fuel-independents x-gun,x-mot lines=[at="+at(0)+";count=1],[at="+at(1)+";count=1]")
	// one unit for the phase, as ever
	g.do("fuel x-gun lines=[at=" + at(0) + ";count=1]")
	g.want("fuel x-gun", "phase")
}

// Units attack an empty hex to advance: supply is paid, nothing is rolled, nobody exploits.
func TestAttackEmptyHexes(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.8", "OCS 21.8a", "OCS 21.8b", "OCS 21.8c")
	start := func(s Segment) *table {
		return onGround(t, "x-1 blue regiment other infantry 6-4-3leg 3-2-8leg",
			"x-2 blue division other infantry 9-3-3leg 3-3-8leg",
			"x-dg blue regiment other infantry 6-4-3leg 3-2-8leg", "y-1 red regiment other infantry 4-3-3leg 2-2-8leg").
			put("12.04", "x-1 x-2").dump("12.04", Blue, 9).segment(s, Blue)
	}
	start(SegCombat).refused("OCS 9.0", "attack x-1 12.05")
	g := start(SegCombat).with(optAttackEmptyHexes)
	if got := g.lists("attack"); !slices.Contains(got, "attack x-1,x-2 at=12.05") {
		t.Errorf("it lists %v", got)
	}
	g.put("12.03", "truck-red/points_t=4").hex("12.05", "hedgehog=2 owner=red").dump("12.05", Red, 4)
	g.refused("OCS 21.8a", "attack x-1 12.03") // a unit is in it
	g.refused("OCS 9.2-1", "attack x-1 12.06")
	g.do("attack x-1,x-2 12.05")
	g.want("asks", "combat-supply")
	g.refused("OCS 9.5b", "pay x-2 lines=[at=12.04;count=2]") // as for any attack
	g.all("pay x-2 lines=[at=12.04;count=3]")
	g.do("ready") // no dice
	g.want("asks", "advance", "hexmark 12.05 attacked", true, "mark x-2 attacked", true, "mark x-1 attacked", false)
	g.refused("OCS 9.12g-A", "advance x-1") // it did not pay
	g.do("advance x-2", 1)                  // the die of the dump
	g.want("place x-2", "12.05", "owner 12.05", "blue", "hedgehog 12.05", 2, "mode x-2", "combat", "asks", "combat",
		"frame", "")
	g.refused("OCS 9.1c", "attack x-2 12.06")
	g = start(SegCombat).with(optAttackEmptyHexes)
	g.all("attack x-1 12.05", "ready").want("frame", "", "hexmark 12.05 attacked", false) // nobody paid
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "advance").want("place x-1", "12.04")
	g.refused("OCS 9.1c", "attack x-2 12.05")
	g = start(SegExploitCombat).with(optAttackEmptyHexes)
	g.refused("OCS 11.0a", "attack x-1 12.05") // it could not attack otherwise
	g = start(SegCombat).with(optAttackEmptyHexes).put("12.04", "x-dg/strat")
	g.refused("OCS 9.1e", "attack x-dg 12.05")
	// What was dropped in this turn pays nothing, but for an attack on an enemy.
	g = start(SegCombat).with(optAttackEmptyHexes).put("12.04", "x-1/set=dropped").put("12.03", "y-1")
	g.all("attack x-1,x-2 12.05", "ready", "advance x-1").want("place x-1", "12.05", "ground 12.04 blue", 9)
	g = start(SegCombat).with(optAttackEmptyHexes).put("12.04", "x-1/set=dropped").put("12.03", "y-1")
	g.all("attack x-1 12.03", "ready").want("frame", "")
}

// Artillery in Combat or Move mode barrages in the Reaction Phase, and does nothing else there.
func TestArtilleryOpportunityFire(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.9", "OCS 21.9a", "OCS 21.9b", "OCS 21.9c")
	const fire = "barrage x-8 12.05 target=units lines=[at=12.04;count=2]"
	start := func(state string, s Segment, phasing rules.Seat, options ...string) *table {
		return onGround(t, append(guns, "x-dry blue battalion other infantry 4-4-3leg 1-4-8leg")...).with(options...).
			put("12.04", "x-8"+state+" x-inf").
			put("12.05", "y-re").dump("12.04", Blue, 9).segment(s, phasing)
	}
	start("", SegReactionBarrage, Red).refused("OCS 10.0e-E", fire)
	g := start("", SegReactionBarrage, Red, optArtilleryOpportunityFire)
	if got := g.lists("barrage"); len(got) != 1 || got[0] != strings.Replace(fire, "x-8 12.05", "x-8 at=12.05", 1) {
		t.Errorf("it lists %v", got)
	}
	g.do(fire, 2, 2)
	g.refused("OCS 10.0e-A", fire)
	g.want("mark x-8 barraged", true)
	g = start("/move", SegReactionBarrage, Red, optArtilleryOpportunityFire)
	g.do(g.lists("barrage")[0], 2, 2)
	for _, state := range []string{"/reserve", "/strat"} {
		start(state, SegReactionBarrage, Red, optArtilleryOpportunityFire).refused("OCS 13.4a", fire)
	}
	start("/dg", SegReactionBarrage, Red, optArtilleryOpportunityFire).refused("OCS 21.9a", fire)
	start("", SegReactionMove, Red, optArtilleryOpportunityFire).refused("OCS 7.0a", "move x-8 12.03") // OCS 21.9b
	start("", SegExploitBarrage, Blue, optArtilleryOpportunityFire).refused("OCS 10.0e-E", fire)       // OCS 21.9b
	g = start("", SegReactionBarrage, Red, optArtilleryOpportunityFire).hex("12.04", "hedgehog=2")
	g.do(fire, 2, 2)
}
