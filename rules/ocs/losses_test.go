package ocs

import (
	"slices"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// rolled rigs the dice of a combat so that a CRT cell is read: a roll of two dice for surprise without effect, then the
// dice of the combat.
func rolled(a, b uint32) []uint32 { return []uint32{4, 4, a, b} }

func TestLossRotation(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.11", "OCS 9.11a", "OCS 9.11b", "OCS 9.11c", "OCS 9.11e", "OCS 9.10")
	g :=
		onGround(t, "x-div blue division other infantry 7-4-3leg 7-4-8leg",
			"x-bn blue battalion other infantry 1-4-3leg 1-4-8leg",
			"y-1 red division other infantry 40-4-3leg 3-3-8leg").
			put("12.04", "x-div x-bn").put("12.05", "y-1").dump("12.04", Blue, 8).dump("12.05", Red, 8).
			segment(SegCombat, Blue)
	g.all("attack x-div,x-bn 12.05", "pay x-div,x-bn lines=[at=12.04;count=4]", "ready",
		"pay y-1 lines=[at=12.05;count=2]", "ready", "lead x-div")
	g.reads(g.do("lead y-1", 4, 4, 1, 1), "8", "40", "1:5", "1:5", "AL2")
	g.refused("OCS 9.11c", "lose lines=[unit=x-div;count=2]") // EX-9.11c-2
	g.refused("OCS 9.11c", "lose lines=[unit=x-bn;count=1]")
	g.refused("OCS 9.11a", "lose lines=[unit=y-1;count=1]")
	g.refused("OCS 9.11b", "lose lines=[unit=x-div;count=1]")
	g.refused("OCS 9.11", "lose lines=[unit=x-div;count=1],[unit=x-bn;count=2]")
	g.refused("OCS 9.10", "lose lines=[unit=x-div;count=1],[unit=x-bn;count=1] hexes=1")
	if got := g.lists("lose"); !slices.Equal(got, []string{"lose lines=[unit=x-div;count=1],[unit=x-bn;count=1]"}) {
		t.Errorf("it lists %v", got)
	}
	g.do("lose lines=[unit=x-div;count=1],[unit=x-bn;count=1]")
	g.want("lost x-div", 1, "place x-bn", "dead", "asks", "combat", "frame", "")
	if got := g.p.re(g.unit("x-div")); got != 2*oneRE {
		t.Errorf("%d quarters of a RE are left, want 8", got)
	}
}

// Losses beyond what is there are ignored (EX-9.11c-1), and the options with them; the defender may ignore its own then
// (EX-9.10a-B).
func TestAttackerWipedOut(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.11c", "OCS 9.10a", "OCS 9.10a-B", "OCS 5.7d")
	g :=
		onGround(t, "x-1 blue battalion other infantry 4-4-3leg 1-4-8leg",
			"y-1 red regiment other infantry 8-4-3leg 3-3-8leg").
			put("12.04", "x-1").put("12.05", "y-1/reserve").dump("12.04", Blue, 8).dump("12.05", Red, 8).
			segment(SegCombat, Blue)
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "pay y-1 lines=[at=12.05;count=1]", "ready",
		"lead x-1")
	g.reads(g.do("lead y-1", 4, 4, 3, 4), "4", "4", "1:1", "1:1", "AL1o1, Do1") // half in Reserve
	g.refused("OCS 9.10", "lose lines=[unit=x-1;count=1] hexes=1")              // nobody is left to retreat
	g.do("lose lines=[unit=x-1;count=1]")
	g.want("place x-1", "dead", "asks", "losses", "mode y-1", "reserve")
	g.refused("OCS 9.10a", "lose lines=[unit=y-1;count=1]") // by retreat, or not at all
	if got := g.lists("lose"); len(got) != 2 {
		t.Errorf("it lists %v", got)
	}
	g.do("lose")
	g.want("mode y-1", "combat", "place y-1", "12.05", "asks", "combat") // D-2: contact ends Reserve mode all the same
}

// The attacker retreats: the defender takes the L, and ignores its option or retreats all of it (EX-9.10a-A).
func TestAttackerRetreats(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.10a", "OCS 9.10a-A", "OCS 9.10b", "OCS 9.12g-B", "OCS 9.13")
	at := func() *table {
		g :=
			onGround(t, "x-1 blue regiment other infantry 16-4-3leg 1-4-8leg",
				"y-1 red division other infantry 4-4-3leg 3-3-8leg").
				put("12.04", "x-1").put("12.05", "y-1").dump("12.04", Blue, 8).dump("12.05", Red, 8).
				segment(SegCombat, Blue)
		g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "pay y-1 lines=[at=12.05;count=2]",
			"ready", "lead x-1")
		g.reads(g.do("lead y-1", 4, 4, 5, 5), "16", "4", "4:1", "4:1", "Ao1e4, DL1o2")
		return g
	}
	g := at()
	g.all("lose hexes=1", "retreat x-1 12.03")
	g.refused("OCS 9.10a", "lose lines=[unit=y-1;count=1] hexes=1")
	g.refused("OCS 9.10a", "lose lines=[unit=y-1;count=2] hexes=1")
	g.refused("OCS 9.11b", "lose")
	other := g.p.Clone()
	g.do("lose lines=[unit=y-1;count=1]")
	g.want("lost y-1", 1, "place y-1", "12.05", "mode x-1", "combat", "asks", "combat")
	g.p = other
	g.do("lose lines=[unit=y-1;count=1] hexes=2")
	g.do("retreat y-1 12.06>12.07")
	// no exploitation, no advance
	g.want("place y-1", "12.07", "mode y-1", "dg", "mode x-1", "combat", "asks", "combat")

	g = at() // EX-9.10a-C: it takes the loss: the defender must satisfy its option
	g.do("lose lines=[unit=x-1;count=1]")
	g.refused("OCS 9.10", "lose lines=[unit=y-1;count=1]")
	if got := g.lists("lose"); len(got) != 3 {
		t.Errorf("it lists %v", got)
	}
	g.do("lose lines=[unit=y-1;count=2] hexes=1")
	g.want("asks", "retreat", "lost y-1", 2)
}

// Exploitation (OCS 9.13): who gets it, and when it is ignored.
func TestExploitation(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.13b", "OCS 9.13b-A", "OCS 9.13b-C", "OCS 9.13b-D")
	for _, c := range []struct {
		name, where string // the second attacker's hex
		segment     Segment
		state       string
		want        string
	}{
		{"one hex", "12.04", SegCombat, "", "exploitation"},
		{"two adjacent hexes", "13.05", SegCombat, "", "exploitation"},
		{"two hexes apart", "12.06", SegCombat, "", "combat"},
		{"DG", "12.04", SegCombat, "/dg", "dg"},
		{"in the Exploitation Phase", "12.04", SegExploitCombat, "/set=released", "combat"},
	} {
		g :=
			onGround(t, "x-1 blue regiment other infantry 60-4-3leg 1-4-8leg",
				"x-2 blue regiment other infantry 2-4-3leg 1-4-8leg",
				"x-low blue regiment other infantry 2-2-3leg 1-4-8leg",
				"y-1 red division other infantry 4-4-3leg 3-3-8leg").
				put("12.04", "x-1 x-low").put(c.where, "x-2").put("12.05", "y-1").
				dump("12.04", Blue, 8).dump(c.where, Blue, 8).dump("12.05", Red, 8)
		g.segment(c.segment, Blue)
		if c.segment == SegExploitCombat {
			rulestest.Proves(t, ruleset, "OCS 11.0a", "OCS 9.13a")
			g.refused("OCS 11.0a", "attack x-1 12.05")
		}
		g.put("12.04", "x-1"+c.state+" x-low"+c.state).put(c.where, "x-2"+c.state)
		g.all("attack x-1,x-2,x-low 12.05", "pay x-1,x-2,x-low lines=[at=12.04;count=3]", "ready",
			"pay y-1 lines=[at=12.05;count=2]", "ready", "lead x-2")
		throws := rolled(4, 4)
		if c.state == "/dg" {
			throws = rolled(6, 6) // the rating is 1 lower
		}
		out := g.do("lead y-1", throws...)
		if f := resolved(t, out); f.Result != "Ae3, DL2o2DG" {
			t.Fatalf("%s: resolved %v", c.name, f)
		}
		rulestest.Proves(t, ruleset, "OCS 9.12a")
		g.want("mode y-1", "dg", "asks", "losses")
		if g.asked() != Red { // the attacker has nothing to answer for
			t.Fatal("the attacker is asked")
		}
		g.do("lose lines=[unit=y-1;count=3]")
		low := c.want
		if low == "exploitation" {
			low = "combat"
		}
		rulestest.Proves(t, ruleset, "OCS 5.9a", "OCS 5.9b", "OCS 5.9c", "OCS 9.13")
		g.want("mode x-2", c.want, "mode x-1", c.want, "mode x-low", low, "mark x-2 had-zoc", c.want == "exploitation")
		g.want("asks", "advance")
		rulestest.Proves(t, ruleset, "OCS 9.12g", "OCS 9.12g-A")
		g.refused("OCS 9.12g-A", "advance y-1")
		g.do("advance")
		g.want("owner 12.05", "red", "at 12.05", "")
		if c.want == "exploitation" && !g.p.hasZOC(g.unit("x-2")) {
			t.Errorf("%s: no ZOC in Exploitation mode", c.name)
		}
		if got := g.lists("attack"); len(got) != 0 {
			t.Errorf("%s: a second attack is listed: %v", c.name, got)
		}
	}
}

// An attack that nobody is supplied for is called off and counts for nothing; those that are not supplied drop out
// (EX-9.5-1).
func TestPartialSupply(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-1 blue regiment other infantry 4-4-3leg 1-4-8leg",
		"x-2 blue regiment other infantry 4-4-3leg 1-4-8leg",
		"x-3 blue regiment other infantry 4-4-3leg 1-4-8leg", "y-1 red battalion other infantry 8-4-3leg 3-3-8leg").
		put("12.04", "x-1 x-2 x-3").put("12.05", "y-1/stocks=exhausted").dump("12.04", Blue, 1).segment(SegCombat, Blue)
	if got := g.lists("attack"); len(got) != 4 {
		t.Errorf("it lists %v", got)
	}
	rulestest.Proves(t, ruleset, "OCS 9.0", "OCS 9.5b-A")
	g.do("attack x-1,x-2,x-3 12.05")
	for _, e := range g.do("ready").Events {
		if k, ok := e.Event.(*event).GetFact().(*ocsv1.Event_CombatEnded); ok {
			t.Errorf("no combat was fought, but it ends with %v", k.CombatEnded)
		}
	}
	g.want("asks", "combat", "mark x-1 attacked", false, "hexmark 12.05 attacked", false)
	g.do("attack x-1,x-2,x-3 12.05")
	rulestest.Proves(t, ruleset, "OCS 12.4-i", "OCS 12.4-iii", "OCS 9.5b-C")
	g.refused("OCS 9.5b", "pay x-1,x-2,x-3 lines=[at=12.04;count=1]")
	g.refused("OCS 12.10a", "stocks x-1") // it could be given SP
	g.do("pay x-1 lines=[at=12.04;count=1]")
	g.do("stocks x-2") // now nothing is left
	rulestest.Proves(t, ruleset, "OCS 9.2-2")
	g.refused("OCS 9.2-2", "stocks y-1")
	g.do("ready")
	rulestest.Proves(t, ruleset, "OCS 9.5b-A", "OCS 12.4-iii")
	g.want("mark x-3 attacked", false, "mark x-1 attacked", true, "stocks x-2", "low", "stocks x-1", "full")
	rulestest.Proves(t, ruleset, "OCS 12.4-ii")
	g.refused("OCS 12.10c", "stocks y-1")
	g.all("ready", "lead x-1")
	g.refused("OCS 9.6", "lead x-1")
	rulestest.Proves(t, ruleset, "OCS 9.5", "OCS 9.5b-B")
	g.reads(g.do("lead y-1", rolled(3, 4)...), "8", "4", "2:1", "2:1", "AL1, Do1")
	g.all("lose lines=[unit=x-1;count=1]", "lose hexes=1", "retreat y-1 12.06", "advance")
	rulestest.Proves(t, ruleset, "OCS 9.1c")
	g.refused("OCS 9.1c", "attack x-2 12.06")                     // it attacked already
	g.refused("OCS 9.2-1", "attack x-3 12.06")                    // not adjacent
	g.put("12.05", "y-1").refused("OCS 9.1c", "attack x-3 12.05") // the hex was attacked
}

// A unit may not attack where it could not go (OCS 9.1f).
func TestProhibitedTerrain(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.1f", "OCS 9.1c")
	g :=
		onGround(t, "x-1 blue regiment armor armor 4-4-8track 1-4-8track",
			"x-2 blue regiment other infantry 4-4-3leg 1-4-8leg", "y-1 red battalion other infantry 8-4-3leg 3-3-8leg").
			put("10.08", "x-1 x-2").put("11.08", "y-1").
			segment(SegCombat, Blue)
	g.refused("OCS 9.1f", "attack x-1 11.08") // a major river
	g.do("attack x-2 11.08")
	g.do("ready")
	g.put("10.08", "bl-9-eng/move").refused("OCS 9.1f", "attack x-1 11.08")
	g.put("10.08", "bl-9-eng/combat").all("attack x-1 11.08", "ready") // an engineer bridges (OCS 13.8b)
	g.p.ground = uint8(slices.Index(g.sc.Grounds, "frozen"))
	g.do("attack x-1,x-2 11.08")
}

// Part of the defenders is supplied with what is there, the others live off their stocks (EX-12-08); supply that is too
// little for a division is wasted.
func TestDefendersShare(t *testing.T) {
	t.Parallel()
	at := func(red string, tokens int) *table {
		g :=
			onGround(t, "x-1 blue regiment other infantry 8-4-3leg 1-4-8leg",
				"y-1 red regiment other infantry 4-4-3leg 3-3-8leg",
				"y-2 red regiment other infantry 4-4-3leg 3-3-8leg",
				"y-3 red regiment other infantry 4-4-3leg 3-3-8leg",
				"y-div red division other infantry 8-4-3leg 3-3-8leg").
				put("06.06", "x-1").put("05.07", red).hex("05.07", "port_hits=2").dump("06.06", Blue, 4).
				dump("05.07", Red, tokens).segment(SegCombat, Blue)
		return g.all("attack x-1 05.07", "pay x-1 lines=[at=06.06;count=1]", "ready")
	}
	rulestest.Proves(t, ruleset, "OCS 9.5b", "OCS 9.5b-C", "OCS 12.4-ii", "OCS 12.10g")
	g := at("y-1 y-2 y-3", 1)
	g.refused("OCS 9.5b", "pay y-1,y-2 lines=[at=05.07;count=1]")
	g.refused("OCS 12.10a", "stocks y-1")
	g.do("pay y-2 lines=[at=05.07;count=1]")
	g.refused("OCS 9.5b", "pay y-2 lines=[at=05.07;count=1]")
	g.all("stocks y-1", "ready", "lead x-1", "lead y-1", "terrain lines=[at=06.06;terrain=open]")
	g.want("stocks y-1", "low", "stocks y-2", "full", "stocks y-3", "full")
	rulestest.Proves(t, ruleset, "OCS 9.1", "OCS 9.5b-B")
	// 4 + 4 + 4/2
	g.reads(g.do("terrain lines=[at=05.07;terrain=open]", rolled(1, 1)...), "8", "10", "1:1", "1:1", "AL2")

	// 1 token is enough for 1 RE, and not for more
	g = at("y-1 y-2", 2)
	g.refused("OCS 9.5b", "pay y-1 lines=[at=05.07;count=2]")
	g.clone().do("pay y-1 lines=[at=05.07;count=1]")
	g.refused("OCS 9.5b", "pay y-1,y-2 lines=[at=05.07;count=1]")
	g.do("pay y-1,y-2 lines=[at=05.07;count=2]")

	rulestest.Proves(t, ruleset, "OCS 12.10h")
	g = at("y-div", 1)
	g.refused("OCS 9.5b", "pay y-div lines=[at=05.07;count=1]")
	g.do("stocks y-div")
	g.want("stocks y-div", "low", "ground 05.07 red", 0)

	rulestest.Proves(t, ruleset, "OCS 9.14h")
	g = at("y-1/lost=0", 0) // the port changes hands with its hits
	g.all("ready", "lead x-1", "lead y-1", "terrain lines=[at=06.06;terrain=open]")
	g.reads(g.do("terrain lines=[at=05.07;terrain=open]", 4, 4, 6, 6), "8", "2", "4:1", "4:1", "Ae4, DL1o2")
	g.do("lose lines=[unit=y-1;count=1]")
	g.do("advance x-1")
	g.want("owner 05.07", "blue", "hits 05.07", 2)
}
