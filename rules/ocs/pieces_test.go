package ocs

import (
	"slices"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
	"github.com/warledger/warledger/rules/rulestest"
)

// Land units are combat units, with REs, steps and perhaps a ZOC, or non-combat units, that have none of these and lose
// no steps.
func TestLandUnits(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.1", "OCS 3.3")
	for _, id := range []string{"proving-ground", "crimea-campaign"} {
		sc := shipped(t, id)
		for i := range sc.Counters {
			c := &sc.Counters[i]
			combat := c.Kind == CombatUnit || c.Kind == Breakdown || c.Kind == Pax || c.Kind == Eq
			if c.Kind.Combat() != combat || combat != (c.RE > 0 && c.Steps > 0) {
				t.Errorf("%s: %s is a combat unit: %t, with %d/4 RE and %d steps",
					id, c.ID, c.Kind.Combat(), c.RE, c.Steps)
			}
		}
	}
	g :=
		onGround(t, "x-1 blue regiment other infantry 20-4-3leg 1-4-8leg",
			"y-1 red regiment other infantry 2-4-3leg 1-4-8leg").
			put("12.04", "x-1 truck-blue/points_t=4").put("12.05", "y-1 truck-red/points_t=8 rd-1-trk").
			hex("12.05", "hedgehog=1").
			dump("12.04", Blue, 4).dump("12.05", Red, 4).segment(SegCombat, Blue)
	g.want("zoc 13.05 blue", true)
	if g.p.stacked(Red, g.place("12.05")) != oneRE {
		t.Errorf("%s REs are stacked in 12.05", formatRE(g.p.stacked(Red, g.place("12.05"))))
	}
	c := g.p.changed()
	c.move(g.unit("x-1"), g.place("12.03"))
	g.change(c).want("zoc 13.05 blue", false) // the truck is left, and has no ZOC
	g.put("12.04", "x-1").segment(SegCombat, Blue)
	g.refused("OCS 9.1e", "attack truck-blue.1 12.05")
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "ready", "lead x-1")
	g.do("lead y-1", rolled(4, 4)...)
	for g.p.top() != nil && questions[AskLosses].id != g.fact("asks") {
		g.t.Fatalf("it asks %v", g.fact("asks"))
	}
	for _, u := range []string{"truck-red.1", "rd-1-trk"} {
		g.refused("OCS 9.11a", "lose lines=[unit="+u+";count=1]")
	}
}

// All supply in a hex is its dump, on the ground or on transports; 1 SP is 4 tokens, split and merged at will, and
// never moves by itself.
func TestSupplyPoints(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.3-A", "OCS 3.3-B")
	g := onGround(t).put("09.02", "bl-corps truck-blue/points_t=12,load_t=2 truck-blue/points_t=4 bl-3-trk/load_t=4").
		dump("09.02", Blue, 3).segment(SegMovement, Blue)
	// its formation's only
	g.refused("OCS 13.2g-B", "fuel-hq bl-corps lines=[at=09.02;count=2;unit=bl-3-trk],[at=09.02;count=2]")
	// a point carries an SP (EX-3.3-1)
	g.refused("OCS 13.2c", "load truck-blue.2 tokens=5")
	g.do("load truck-blue.2 tokens=1")
	g.do("fuel-hq bl-corps lines=[at=09.02;count=2],[at=09.02;count=2;unit=truck-blue.1]") // 1 SP is 4 T, of both
	g.want("ground 09.02 blue", 0, "load truck-blue.1", 0, "load truck-blue.2", 1, "fuel bl-corps", "lasting")
	for _, k := range []string{"move", "rail"} {
		if got := g.dump("09.03", Blue, 8).
			lists(k); slices.ContainsFunc(got, func(s string) bool { return s == "rail from=09.03" }) {
			t.Errorf("it lists %v", got)
		}
	}
}

// Hedgehogs, ports and air bases never move; their own side changes them and the enemy does not; they change hands with
// their hex as they are.
func TestFacilities(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.3-C", "OCS 9.14e")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg").put("09.04", "bl-9-eng").put("09.05", "x-1").
		put("20.11", "rd-1-inf").
		hex("09.06", "hedgehog=2 owner=red air_base=1").dump("09.04", Blue, 16).segment(SegMovement, Blue)
	const work = "construct bl-9-eng at=09.06 lines=[at=09.04;count=8] job="
	g.refused("OCS 3.3-C", work+"raise-hedgehog")
	g.refused("OCS 3.3-C", "construct bl-9-eng at=09.06 job=lower-hedgehog")
	if got := g.lists("construct"); slices.ContainsFunc(got,
		func(s string) bool { return s == work+"raise-hedgehog" }) {
		t.Errorf("it lists %v", got)
	}
	g.do("move x-1 09.06")
	g.want("owner 09.06", "blue", "hedgehog 09.06", 2, "base 09.06", 1)
	g.do("construct bl-9-eng at=09.06 job=lower-hedgehog")
	g.want("hedgehog 09.06", 1)
}

// The colour of the symbol is the class and decides the multipliers of terrain (EX-9.4-1, EX-9.4e-1); the symbol itself
// is stored besides, for the effect on tanks.
func TestClasses(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.2a")
	g :=
		onGround(t, "x-yellow blue brigade armor armor 4-4-8track 2-4-14track",
			"x-red blue brigade mech armor 4-4-8track 2-4-14track",
			"x-mech blue brigade mech mechanized_infantry 4-4-8track 2-4-14track",
			"x-black blue brigade other infantry 4-4-8leg 2-4-14leg")
	terrain := func(id string) [numClasses]Fraction {
		return g.p.sc.Terrains[slices.IndexFunc(g.p.sc.Terrains,
			func(i TerrainInfo) bool { return i.ID == id })].Attack[0]
	}
	// order-free: into the open, the same against a light and a heavy effect, into swamp
	for id, want := range map[string][4]string{
		"x-yellow": {"8", "8", "6", "2"}, "x-red": {"8", "8", "6", "2"}, "x-mech": {"8", "6", "6", "2"},
		"x-black": {"4", "4", "4", "4"},
	} {
		var got [4]string
		for i, effect := range [...]antiTank{noAntiTank, lightAntiTank, heavyAntiTank} {
			got[i] = g.p.attackStrength(g.unit(id), terrain("open"), effect, nil).format()
		}
		if got[3] = g.p.attackStrength(g.unit(id), terrain("swamp"), noAntiTank, nil).format(); got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
	differ := 0
	for i := range g.p.sc.Terrains {
		if m := g.p.sc.Terrains[i].Attack[0]; m[Armor] != m[Mech] {
			a := g.p.attackStrength(g.unit("x-yellow"), m, noAntiTank, nil)
			if b := g.p.attackStrength(g.unit("x-red"), m, noAntiTank, nil); a == b {
				t.Errorf("%s: armour and red tanks are both %s", g.p.sc.Terrains[i].ID, a.format())
			}
			differ++
		}
	}
	t.Logf("armour and mech differ in %d terrains", differ)
}

// Modes lower the Action Rating, also below 0 (EX-3.2c-1); attrition checks use that of the face (OCS 12.8c).
func TestRatings(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.2c", "OCS 5.10b-B", "OCS 5.8")
	for state, want := range map[string]int{"combat": 2, "move": 1, "reserve": 2, "reserve,move": 1, "dg": 1,
		"dg,move": 0, "strat": 0, "exploitation": 2} {
		g := onGround(t, "x-1 blue regiment other infantry 5-2-3leg 2-1-8leg").put("09.02", "x-1/"+state)
		if got := g.p.rating(g.unit("x-1")); got != want {
			t.Errorf("%s: %d, want %d", state, got, want)
		}
	}
	g := onGround(t, "x-0 blue regiment other infantry 5-0-3leg 2-0-8leg",
		"x-2 blue regiment other infantry 5-2-3leg 2-1-8leg").put("09.02", "x-0/dg x-2/dg")
	if got := g.p.rating(g.unit("x-0")); got != -1 {
		t.Errorf("a DG unit of rating 0 has %d", got)
	}
	if got := g.p.starvingRating([]Unit{g.unit("x-0"), g.unit("x-2")}); got != 2 {
		t.Errorf("attrition uses %d", got)
	}
}

// Dice are rolled openly, each with its purpose.
func TestOpenDice(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9e")
	g := begun(t, "crimea-ishun")
	src, out := newSeeded(7), new(rules.Outcome)
	g.pass(src, out, func() bool { return g.p.turn > 2 })
	if len(out.Rolls) < 3 {
		t.Fatalf("only %d dice were rolled", len(out.Rolls))
	}
	for _, r := range out.Rolls {
		if r.Audience != rules.Everyone || r.Reason == "" {
			t.Errorf("a die for %q is shown to %v", r.Reason, r.Audience)
		}
	}
}

// A die of a fight, a barrage and a supply table is as open as one of the weather.
func TestOpenDiceOfFights(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9e")
	g := onGround(t, "x-1 blue regiment other infantry 20-4-3leg 1-4-8leg",
		"y-1 red regiment other infantry 2-4-3leg 1-4-8leg").
		put("12.04", "x-1").put("12.05", "y-1").dump("12.04", Blue, 4).segment(SegCombat, Blue)
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "ready", "lead x-1")
	out := g.do("lead y-1", rolled(4, 4)...)
	if got := rolls(out); got == "" {
		t.Fatal("nothing is rolled")
	}
	for _, r := range out.Rolls {
		if r.Audience != rules.Everyone || r.Reason == "" {
			t.Errorf("a die for %q is shown to %v", r.Reason, r.Audience)
		}
	}
}

// A yellow disc bars a unit from being rebuilt, whatever is paid.
func TestNotRebuildable(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.1d", "OCS 13.5c")
	const like = " blue regiment other infantry 3-3-3leg 2-3-8leg rebuild=infantry-regiment"
	g := quiet(t, "x-1"+like+" not_rebuildable", "x-2"+like).put("09.02", "pax-blue pax-blue").put("09.04", "bl-corps").
		dead("x-1", "x-2").segment(SegReinforcement, Blue)
	const paid = " units=pax-blue.1 steps=1 marker=none face=combat"
	g.refused("OCS 13.5c", "rebuild unit=x-1"+paid)
	if got := g.lists("rebuild"); slices.ContainsFunc(got,
		func(s string) bool { return len(s) > 16 && s[8:16] == "unit=x-1" }) {
		t.Errorf("it lists %v", got)
	}
	g.do("rebuild unit=x-2" + paid)
	g.want("place x-2", "09.02", "place x-1", "dead",
		"mark x-2 "+kit.EnumWord(ocsv1.UnitMark(0).Descriptor(), ocsv1.UnitMark_UNIT_MARK_MOVED.Number()), false)
}
