package ocs

import (
	"slices"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// overrun begins the fight of an overrun whose cost is paid.
func (g *table) overrun(at string, units ...string) *table {
	g.t.Helper()
	var list []Unit
	for _, u := range units {
		list = append(list, g.unit(u))
	}
	do := staged{do: func(x *exec) {
		c := x.Pos.changed()
		c.motion(list)
		tell(x, &event{Changes: c.list})
		x.Pos.beginCombat(x, list, g.place(at), true)
	}}
	if err := rules.Play(do, g.p, g.p.units[list[0]].seat, only(KindEnd), dice.NewManual(nil),
		new(rules.Outcome)); err != nil {
		g.t.Fatal(err)
	}
	return g
}

// resolved is the fact of the combat that an outcome resolves.
func resolved(t testing.TB, out *rules.Outcome) *ocsv1.CombatResolved {
	t.Helper()
	for _, e := range out.Events {
		if k, ok := e.Event.(*event).GetFact().(*ocsv1.Event_CombatResolved); ok {
			return k.CombatResolved
		}
	}
	t.Fatal("no combat was resolved")
	return nil
}

// reads expects what a combat resolves to.
func (g *table) reads(out *rules.Outcome, attack, defence, odds, column, result string) {
	g.t.Helper()
	f := resolved(g.t, out)
	if f.Attack != attack || f.Defence != defence || f.Odds != odds || f.Column != column || f.Result != result {
		g.t.Errorf("%s against %s at %s, column %s: %q; want %s against %s at %s, column %s: %q",
			f.Attack, f.Defence, f.Odds, f.Column, f.Result, attack, defence, odds, column, result)
	}
}

// The full example of the combat chapter, number for number (EX-COMBAT).
func TestCombatExample(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-art blue regiment other artillery_towed (1)-1-3truck/b20r2 (1)-1-14truck/b8r2 artillery",
		"x-mc blue battalion other motorcycle 4-5-9track 2-5-18track",
		"x-pz blue battalion armor armor 6-4-8track 3-4-14track",
		"x-gr blue regiment mech mechanized_infantry 8-4-7track 4-4-16truck",
		"y-tk red brigade mech armor 7-3-7track 4-3-12track", "y-inf red regiment other infantry 13-2-3leg 5-2-8leg",
		"y-far red regiment other infantry 3-2-3leg 1-2-8leg").
		put("10.06", "x-art x-gr").put("12.06", "x-mc x-pz").put("11.07", "y-tk y-inf").put("12.04", "y-far").
		dump("10.06", Blue, 20).dump("11.07", Red, 8).segment(SegArtilleryBarrage, Blue)
	rulestest.Proves(t, ruleset, "OCS 2.3-H", "OCS 10.1b", "OCS 13.4")
	out := g.do("barrage x-art 11.07 target=units lines=[at=10.06;count=3]", 2, 2)
	if got := rolls(out); got != "barrage 2, barrage 2" {
		t.Errorf("rolled %q", got)
	}
	g.want("ground 10.06 blue", 17, "mode y-tk", "combat", "asks", "barrage")
	g.do("end")
	rulestest.Proves(t, ruleset, "OCS 9.0", "OCS 9.1a", "OCS 9.1e", "OCS 9.2-1")
	g.refusedTo(Red, "OCS 2.1", "attack y-tk 12.06") // only the phasing side attacks
	g.refused("OCS 9.1a", "attack y-tk 11.07")
	g.refused("OCS 9.0", "attack x-gr 11.06")
	g.refused("OCS 9.1e", "attack x-art 11.07")
	g.refused("OCS 9.2-1", "attack x-gr 12.04")
	g.do("attack x-gr,x-mc,x-pz 11.07")
	rulestest.Proves(t, ruleset, "OCS 9.1b", "OCS 9.1d", "OCS 9.2", "OCS 9.2-2")
	g.want("asks", "combat-supply")
	rulestest.Proves(t, ruleset, "OCS 9.5", "OCS 9.5b", "OCS 9.5b-A", "OCS 9.5b-C")
	g.refused("OCS 12.10a", "stocks x-gr")
	g.refused("OCS 9.5b", "pay x-gr lines=[at=10.06;count=2]")
	g.all("pay x-gr lines=[at=10.06;count=1]", "stocks x-mc,x-pz")
	g.refused("OCS 9.5b", "stocks x-mc")
	g.do("ready")
	g.want("ground 10.06 blue", 16, "stocks x-mc", "low", "stocks x-pz", "low", "stocks x-gr", "full", "asks",
		"combat-supply")
	if g.asked() != Red {
		t.Fatal("the defender pays after the attacker")
	}
	g.all("pay y-tk,y-inf lines=[at=11.07;count=2]", "ready").want("ground 11.07 red", 6, "asks", "lead")
	rulestest.Proves(t, ruleset, "OCS 9.2-3")
	g.refused("OCS 9.6", "lead x-art")
	g.all("lead x-mc", "lead y-tk").want("asks", "terrain")
	rulestest.Proves(t, ruleset, "OCS 9.2-4", "OCS 9.4b")
	g.refused("OCS 9.4b", "terrain lines=[at=10.06;terrain=village]")
	g.refused("OCS 9.4b", "terrain lines=[at=12.06;terrain=open]") // nothing to choose there
	out = g.do("terrain lines=[at=10.06;terrain=minor_river]", 4, 5, 2, 2, 3)
	rulestest.Proves(t, ruleset, "OCS 9.2-6", "OCS 9.8")
	if got, want := rolls(out), "surprise 4, surprise 5, shift 2, combat 2, combat 3"; got != want {
		t.Errorf("rolled %q, want %q", got, want)
	}
	rulestest.Proves(t, ruleset, "OCS 9.2-7", "OCS 9.3", "OCS 9.3c", "OCS 9.4", "OCS 9.4a", "OCS 9.7a")
	g.reads(out, "17", "20", "1:1", "3:1", "Ao1, Do1")
	rulestest.Proves(t, ruleset, "OCS 9.2-5", "OCS 9.9")
	if f := resolved(t, out); f.Modifier != 2 || f.Surprise != 11 || f.Roll != 7 || f.AntiTank != "heavy" {
		t.Errorf("resolved %v", f)
	}
	rulestest.Proves(t, ruleset, "OCS 9.2-8", "OCS 9.10", "OCS 9.11c")
	g.refused("OCS 9.11c", "lose lines=[unit=x-pz;count=1]")
	out = g.do("lose lines=[unit=x-mc;count=1]")
	if f := factOf[*ocsv1.Event_LossesTaken](t, out).LossesTaken; len(f.Eliminated) != 1 || f.Eliminated[0] != "x-mc" {
		t.Errorf("the dead pile is open, but told is %v", f)
	}
	g.want("place x-mc", "dead", "asks", "losses")
	g.refused("OCS 9.10", "lose")
	g.do("lose hexes=1")
	rulestest.Proves(t, ruleset, "OCS 9.12")
	g.do("retreat y-tk,y-inf 11.08")
	g.want("place y-tk", "11.08", "mode y-tk", "combat", "mode y-inf", "combat", "asks", "advance")
	rulestest.Proves(t, ruleset, "OCS 9.2-9", "OCS 9.12g")
	out = g.do("advance x-pz,x-gr", 1) // the die of the dump that is captured (OCS 9.14b)
	if f := factOf[*ocsv1.Event_CombatEnded](t, out).CombatEnded; f.Seat != "blue" || f.At != "11.07" {
		t.Errorf("ended with %v", f)
	}
	g.want("at 11.07", "x-pz x-gr", "owner 11.07", "blue", "asks", "combat", "hexmark 11.07 attacked", true,
		"mark x-pz attacked", true,
		"mark x-pz combat-supplied", false)
}

// The example of hip shoot and overrun (EX-HIPOVR), from the move of the motorcycle battalion that spots.
func TestOverrunExample(t *testing.T) {
	t.Parallel()
	g :=
		inSkies(t, bombers, "x-mc blue battalion armor motorcycle 1-4-8track 1-3-14track",
			"x-pz blue battalion armor armor 6-5-8track 3-5-14track",
			"x-gr blue regiment mech mechanized_infantry 8-4-7track 4-4-16truck",
			"y-tk red brigade mech armor 7-3-7track 4-3-12track").
			put("20.13", "b-st").hex("20.13", "air_base=1"). // farther than 10 hexes
			put("10.05", "x-mc").put("12.04", "x-pz x-gr").put("12.05", "y-tk").dump("12.04", Blue, 20).
			segment(SegMovement, Blue)
	g.do("fuel x-mc lines=[at=12.04;count=1]")
	g.do("move x-mc 11.05")
	rulestest.Proves(t, ruleset, "OCS 14.7d-C")
	out := g.do("hip-shoot b-st 12.05", 3, 3, 4, 4) // flak 6: nothing
	if f := factOf[*ocsv1.Event_BarrageResolved](t, out).BarrageResolved; f.Shift != -1 || f.Roll != 8 ||
		f.Result != "DG" {
		t.Errorf("resolved %v", f)
	}
	g.do("fly-back unit=b-st at=20.13")
	g.want("mode y-tk", "dg", "mark b-st inactive", true, "place b-st", "20.13")
	g.refused("OCS 6.1f", "move x-mc 10.05") // it has finished
	for _, u := range []string{"x-pz", "x-gr"} {
		g.do("fuel " + u + " lines=[at=12.04;count=1]")
	}
	g.do("overrun x-pz,x-gr 12.05")
	g.do("pay x-pz,x-gr lines=[at=12.04;count=2]")
	g.do("ready")
	g.all("stocks y-tk", "ready", "lead x-pz").want("stocks y-tk", "low", "ground 12.04 blue", 15)
	out = g.do("lead y-tk", 3, 3, 2, 2, 2)
	rulestest.Proves(t, ruleset, "OCS 9.4e", "OCS 9.4e-4", "OCS 9.6a")
	g.reads(out, "21", "3 1/2", "5:1", "9:1", "Ao1e4, DL1o2")
	if f := resolved(t, out); f.Modifier != 3 || f.Surprise != 9 || f.Shift != 2 || f.Roll != 7 || !f.Overrun {
		t.Errorf("resolved %v", f)
	}
	rulestest.Proves(t, ruleset, "OCS 9.10a-E")
	g.do("lose lines=[unit=x-pz;count=1]")
	rulestest.Proves(t, ruleset, "OCS 9.11", "OCS 9.11b")
	g.refused("OCS 9.11b", "lose hexes=2") // L1 must be lost
	g.refused("OCS 9.11", "lose lines=[unit=y-tk;count=3]")
	g.do("lose lines=[unit=y-tk;count=1]")
	rulestest.Proves(t, ruleset, "OCS 8.1e", "OCS 9.13b", "OCS 9.13b-B")
	g.want("place y-tk", "dead", "mode x-gr", "combat", "asks", "advance")
	rulestest.Proves(t, ruleset, "OCS 9.12g-C")
	g.refused("OCS 9.12g-C", "advance")
	g.do("advance x-gr")
	g.want("place x-gr", "12.05", "frame", "", "asks", "move", "mark x-gr done", false)
	if !slices.Equal(g.p.motion, []Unit{g.unit("x-gr")}) {
		t.Errorf("in motion: %v", g.p.ids(g.p.motion))
	}
}

// An attacker of an overrun that retreats moves no more in the phase.
func TestOverrunRetreats(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.12g-B", "OCS 8.1f", "OCS 9.10b")
	g := onGround(t, "x-pz blue battalion armor armor 6-5-8track 3-5-14track",
		"y-inf red brigade other infantry 7-3-3leg 4-3-7leg").
		put("12.04", "x-pz").put("12.05", "y-inf").dump("12.04", Blue, 4).segment(SegMovement, Blue)
	g.overrun("12.05", "x-pz").all("pay x-pz lines=[at=12.04;count=1]", "ready", "ready", "lead x-pz")
	out := g.do("lead y-inf", 3, 3, 3, 3) // 12 against 3 1/2 (not supplied) is 3:1; surprise 8: none; 6 + 2 is 8
	g.reads(out, "12", "3 1/2", "3:1", "3:1", "Ao1, DL1o1")
	g.all("lose hexes=1")
	g.refused("OCS 9.12c", "retreat x-pz 11.05") // next to the enemy, and nothing is saved by it
	g.do("retreat x-pz 12.03")
	g.want("place x-pz", "12.03", "asks", "losses")
	// OCS 9.10a: the defender may ignore its option, or take all of it as retreat; the loss stays.
	g.do("lose lines=[unit=y-inf;count=1]")
	g.want("place y-inf", "dead", "asks", "move", "frame", "", "mark x-pz done", true) // no advance
}

func TestSurpriseExamples(t *testing.T) {
	t.Parallel()
	fight := func(own, foe string, strength string, throws ...uint32) *ocsv1.CombatResolved {
		g := onGround(t, "x-1 blue battalion other infantry "+strength+"-"+own+"-8leg 3-1-14leg",
			"y-1 red battalion other infantry 1-"+foe+"-3leg 1-1-7leg").
			put("12.04", "x-1").put("12.05", "y-1").dump("12.04", Blue, 4).dump("12.05", Red, 4).
			segment(SegMovement, Blue)
		g.overrun("12.05", "x-1").all("pay x-1 lines=[at=12.04;count=1]", "ready", "pay y-1 lines=[at=12.05;count=1]",
			"ready", "lead x-1")
		return resolved(t, g.do("lead y-1", throws...))
	}
	rulestest.Proves(t, ruleset, "OCS 9.6", "OCS 9.7", "OCS 9.8", "OCS 4.1")
	for _, c := range []struct {
		own, foe, strength string
		throws             []uint32
		column, result     string
		roll               uint32
	}{
		{"5", "0", "4", []uint32{4, 4, 3, 3, 4}, "9:1", "Ae3, DL2o2DG", 12},   // EX-9.8-1
		{"0", "5", "4", []uint32{5, 5, 6, 3, 4}, "1:4", "AL2", 2},             // EX-9.8-2
		{"0", "5", "4", []uint32{1, 1, 6, 1, 1}, "1:4", "AL2", 1},             // below the first row
		{"5", "0", "40", []uint32{6, 6, 6, 6, 6}, "13:1", "Ae2, DL2o3DG", 15}, // beyond the last row and column
		{"3", "3", "4", []uint32{4, 4, 4, 3}, "4:1", "Ao1, DL1o1", 7},         // 8 is no surprise in an overrun
		{"3", "3", "4", []uint32{3, 3, 1, 4, 3}, "3:1", "Ao1, Do1", 7},        // 6 is the defender's
	} {
		rulestest.Proves(t, ruleset, "OCS 9.1g", "OCS 9.7b", "OCS 9.9")
		f := fight(c.own, c.foe, c.strength, c.throws...)
		if f.Column != c.column || f.Result != c.result || f.Roll != c.roll {
			t.Errorf("AR %s against %s, strength %s, %v: column %s, roll %d, %q; want %s, %d, %q",
				c.own, c.foe, c.strength, c.throws, f.Column, f.Roll, f.Result,
				c.column, c.roll, c.result)
		}
	}
}

func TestOddsColumn(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.7", "OCS 9.7a", "OCS 9.7b", "OCS 9.1g", "OCS 9.14a")
	rows := shipped(t, "proving-ground").Charts.GetCombat().GetOdds()
	for _, c := range []struct {
		category        Category
		attack, defence Fraction
		want            string
	}{
		{Open, whole(15), whole(6), "3:1"}, {Open, fraction(39, 4), whole(2), "5:1"},
		{Open, whole(17), whole(20), "1:1"}, {Open, whole(10), whole(16), "1:2"},
		{Open, whole(1), whole(12), "1:5"}, {Open, whole(7), whole(7), "1:1"}, {Open, whole(21), fraction(7, 2), "5:1"},
		{Open, whole(99), whole(1), "13:1"},
		{Open, whole(6), whole(1), "5:1"}, {Close, whole(5), whole(1), "4:1"}, {VeryClose, whole(1), whole(9), "1:3"},
		{ExtremeClose, whole(7), whole(1), "4:1"},
		{Open, whole(1), whole(0), "13:1"}, {Open, whole(0), whole(1), "1:5"}, {Open, whole(0), whole(0), "1:1"},
		{ExtremeClose, whole(0), whole(0), "1:1"},
	} {
		columns := rows[c.category].GetColumns()
		if got := columns[oddsColumn(columns, c.attack, c.defence)]; got != c.want {
			t.Errorf("%s against %s in row %d: %s, want %s",
				c.attack.format(), c.defence.format(), c.category, got, c.want)
		}
	}
}

func TestStrengths(t *testing.T) {
	t.Parallel()
	g :=
		onGround(t, "x-arm blue battalion armor armor 6-5-8track 3-5-14track",
			"x-gr blue regiment mech mechanized_infantry 8-4-7track 4-4-16truck",
			"x-div blue division other infantry 14-4-3leg 7-4-8leg",
			"y-tk red brigade mech armor 7-3-7track 4-3-12track",
			"y-gr red brigade mech mechanized_infantry 7-3-7track 4-3-12track",
			"y-at red battalion other anti_tank_gun 2-3-4truck 1-3-8truck",
			"y-inf red brigade other infantry 7-3-7leg 4-3-12leg",
			"y-arm red battalion armor armor 6-5-8track 3-5-14track",
			"y-art red regiment other artillery_towed 9-1-3truck/b20r2 9-1-14truck/b8r2 artillery").put("12.05",
			"y-tk y-gr y-at y-inf y-arm y-art")
	open := g.sc.Terrains[g.p.sc.Hexes[g.place("12.05")].Terrains[0]]
	rulestest.Proves(t, ruleset, "OCS 9.4e", "OCS 9.4e-1", "OCS 9.4e-2", "OCS 9.4e-3")
	for _, c := range []struct {
		defender  string
		arm, mech string
	}{
		{"y-inf", "12", "16"}, {"y-gr", "12", "12"}, {"y-tk", "9", "12"}, {"y-at", "9", "12"}, {"y-arm", "9", "12"},
		{"y-art", "12", "16"},
	} {
		effect := g.p.antiTankIn([]Unit{g.unit(c.defender)}, g.place("12.05"))
		arm, mech := g.p.attackStrength(g.unit("x-arm"), open.Attack[0], effect, nil),
			g.p.attackStrength(g.unit("x-gr"), open.Attack[0], effect, nil)
		if arm.format() != c.arm || mech.format() != c.mech {
			t.Errorf("against %s: %s and %s, want %s and %s", c.defender, arm.format(), mech.format(), c.arm, c.mech)
		}
	}
	rulestest.Proves(t, ruleset, "OCS 16.0e")
	if g.hex("12.05", "hedgehog=1"); g.p.antiTankIn([]Unit{g.unit("y-inf")}, g.place("12.05")) != heavyAntiTank {
		t.Error("a hedgehog is no heavy anti-tank effect")
	}
	rulestest.Proves(t, ruleset, "OCS 4.3", "OCS 5.10b-A", "OCS 9.11d", "OCS 9.5a", "OCS 9.5b-B")
	attack := func(state string) string {
		g.put("12.04", "x-div"+state)
		return g.p.attackStrength(g.unit("x-div"), open.Attack[0], noAntiTank, nil).format()
	}
	rulestest.Proves(t, ruleset, "OCS 9.4d", "OCS 13.4b")
	defend := func(state string) string {
		g.put("12.05", "x-div"+state)
		return g.p.defenceStrength(g.unit("x-div"), open.Defend[0], nil).format()
	}
	for _, c := range []struct{ got, want string }{
		// EX-9.11d-1
		{attack("/marker=none"), "14"}, {attack("/lost=1"), "7"}, {attack("/lost=1,oos"), "3 1/2"},
		{attack("/lost=1,dg"), "1 3/4"},
		{defend("/lost=0,marker=none"), "3 1/2"}, // out of supply, and no combat supply: D-3
		{defend("/lost=1,set=combat-supplied"), "7"}, {defend("/unset=out-of-supply"), "14"}, {defend("/lost=2"), "7"},
		{defend("/lost=2,reserve"), "3 1/2"}, {defend("/lost=0,strat"), "0"}, {defend("/lost=0,dg,combat"), "7"},
		{g.p.defenceStrength(g.unit("y-art"), open.Defend[0], nil).format(), "1/2"}, // (1) whatever the document says
		{g.p.defenceStrength(g.unit("y-arm"), open.Defend[0], nil).format(), "3"},   // [x2] is for attackers only
	} {
		if c.got != c.want {
			t.Errorf("strength %s, want %s", c.got, c.want)
		}
	}
}

// The defender chooses for each attacking hex and for itself (EX-9.4c-1): a city that is attacked across a river.
func TestTerrainChoices(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.3b", "OCS 9.4b", "OCS 9.4c")
	doc := document(t, "proving-ground")
	doc.Counters.Units = append(doc.Counters.Units, counter(t, "x-1 blue regiment armor armor 6-4-8track 3-4-8track"),
		counter(t, "x-2 blue regiment other infantry 6-4-8leg 3-4-8leg"),
		counter(t, "y-1 red regiment other infantry 4-4-8leg 3-4-8leg"))
	for _, h := range doc.GetMap().GetHexes() {
		if h.Id == "11.07" {
			h.Terrain = []string{"open", "minor_city"}
		}
	}
	g := &table{t: t, sc: load(t, doc)}
	g.p = newPosition(g.sc, options{})
	g.inTurn(1).put("10.06", "x-1").put("10.07", "x-2").put("11.07", "y-1").dump("10.06", Blue, 4).
		dump("10.07", Blue, 4).dump("11.07", Red, 4).segment(SegCombat, Blue)
	g.all("attack x-1,x-2 11.07", "pay x-1,x-2 lines=[at=10.06;count=2]", "ready", "pay y-1 lines=[at=11.07;count=1]",
		"ready", "lead x-1", "lead y-1")
	g.refused("OCS 9.4c", "terrain lines=[at=11.07;terrain=minor_river]")
	if got := g.lists("terrain"); len(got) != 2+3+3 {
		t.Errorf("it lists %v", got)
	}
	g.all("terrain lines=[at=11.07;terrain=minor_city]", "terrain lines=[at=10.06;terrain=minor_city]")
	g.refused("OCS 9.4b", "terrain lines=[at=10.06;terrain=minor_river]") // once
	out := g.do("terrain lines=[at=10.07;terrain=minor_river]", 4, 4, 3, 4)
	f := resolved(t, out)
	if f.Attack != "6" || f.Defence != "4" || f.Odds != "2:1" { // 6 x 1/2 in the city, 6 x 1/2 over the river
		t.Errorf("resolved %v", f)
	}
}
