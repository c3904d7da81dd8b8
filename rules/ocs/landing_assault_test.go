package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// beach is landing craft of 12 T with 4 T of supply next to 04.10, which red's y-1 defends, in the Combat Segment of
// blue.
func beach(t testing.TB, units ...string) *table {
	t.Helper()
	return landing(t).put("04.08", "lc/points_t=16,load_t=4").shift("lc.1", "03.10").
		put("09.02", "x-1 x-2 x-3 x-div x-bn x-tk x-big x-hq").aboard("lc.1", units...).
		put("04.10", "y-1").segment(SegCombat, Blue)
}

// Who may assault a beach: up to 3 REs of one stack in Combat mode, in the Combat Phase (OCS 18.6a).
func TestBeachAssault(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.6", "OCS 18.6a", "OCS 18.6a-A", "OCS 18.6a-G")
	g := beach(t, "x-1", "x-2", "x-3", "x-tk/move").put("04.08", "lc/points_t=12").shift("lc.2", "04.09").
		aboard("lc.2", "x-bn", "x-hq").put("05.11", "x-big")
	g.refused("OCS 18.6a-A", "beach-assault x-tk at=04.10")     // in Move mode
	g.refused("OCS 18.6a-A", "beach-assault x-1,x-bn at=04.10") // of two stacks
	g.refused("OCS 9.1e", "beach-assault x-hq at=04.10")
	g.refused("OCS 18.6", "beach-assault x-div at=04.10") // ashore
	g.refused("OCS 18.6", "beach-assault x-1 at=04.13")   // nobody defends it
	g.refused("OCS 18.5", "beach-assault x-1 at=10.08")
	if got := g.lists("beach-assault"); !slices.Contains(got, "beach-assault x-1,x-2,x-3 at=04.10") ||
		!slices.Contains(got, "beach-assault x-bn at=04.10") ||
		slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "x-tk") }) {
		t.Errorf("it lists %v", got)
	}
	big := landing(t).put("04.08", "lc/points_t=24").shift("lc.1", "03.10").put("09.02", "x-div x-1").
		aboard("lc.1", "x-div", "x-1").put("04.10", "y-1").segment(SegCombat, Blue)
	big.refused("OCS 18.6a-A", "beach-assault x-div,x-1 at=04.10") // 4 RE
	g.hex("04.10", "set=attacked").refused("OCS 18.6a-G", "beach-assault x-1 at=04.10")
	g = beach(t, "x-1").segment(SegExploitCombat, Blue)
	g.refused("OCS 18.6a", "beach-assault x-1 at=04.10")
}

// The assault is a combat with changes: supply from craft only, halved across the beach, options as steps, and all or
// nothing (OCS 18.6a).
func TestBeachCombat(t *testing.T) {
	t.Parallel()
	g := beach(t, "x-1", "x-2").dump("04.09", Blue, 40)
	g.do("beach-assault x-1,x-2 at=04.10")
	rulestest.Proves(t, ruleset, "OCS 18.6b")
	g.want("asks", "beach")
	g.refusedTo(Blue, "OCS 2.1", "beach yes=true")
	g.do("beach yes=true") // nothing rolled, shown or paid before
	rulestest.Proves(t, ruleset, "OCS 18.6a-B")
	g.refused("OCS 12.3a", "pay x-1 lines=[at=04.09;count=1]")
	g.do("pay x-1,x-2 lines=[unit=lc.1;count=2]")
	g.want("load lc.1", 2)
	g.do("ready")
	g.do("ready") // the defender pays nothing
	g.do("lead unit=x-1")
	g.do("lead unit=y-1")
	rulestest.Proves(t, ruleset, "OCS 18.6a-F")
	g.refused("OCS 9.4b", "terrain lines=[at=03.10;terrain=forest]")
	options := g.lists("terrain")
	if !slices.Contains(options, "terrain lines=[at=03.10;terrain=beach_assault]") ||
		!slices.Contains(options, "terrain lines=[at=03.10;terrain=open]") {
		t.Errorf("terrains: %v", options)
	}
	won := g.clone()
	rulestest.Proves(t, ruleset, "OCS 18.6a", "OCS 18.6a-D", "OCS 18.6a-F")
	out := g.do("terrain lines=[at=03.10;terrain=beach_assault]", 3, 4, 6, 6)
	// 12, halved
	if got := told[*ocsv1.Event_CombatResolved](t, out).CombatResolved; got.GetAttack() != "6" || got.GetOverrun() {
		t.Errorf("attack strength %s, overrun %v", got.GetAttack(), got.GetOverrun())
	}
	rulestest.Proves(t, ruleset, "OCS 18.6a-C")
	g.finish()
	g.want("asks", "combat")
	// open ground instead: strength 12
	out = won.do("terrain lines=[at=03.10;terrain=open]", 3, 4, 6, 6)
	if got := told[*ocsv1.Event_CombatResolved](t, out).CombatResolved; got.GetAttack() != "12" {
		t.Errorf("attack strength %s", got.GetAttack())
	}
}

// finish answers what a combat asks with what is listed first.
func (g *table) finish() {
	g.t.Helper()
	for range 30 {
		if len(g.p.frames) == 0 {
			return
		}
		var first *Command
		g.p.Legal(g.asked(), rules.Filter{}, func(c Command) bool {
			if c.Kind == KindConcede {
				return true
			}
			first = &c
			return false
		})
		if first == nil {
			g.t.Fatal("nothing is listed")
		}
		if _, err := g.try(g.asked(), g.p.formatCommand(*first)); err != nil {
			g.t.Fatalf("%s: %v", g.p.formatCommand(*first), explain(err))
		}
	}
	g.t.Fatal("the procedure does not end")
}

// clone is a table with a copy of the position.
func (g *table) clone() *table { return &table{t: g.t, p: g.p.Clone(), sc: g.sc} }

// resolved plays an assault of units by combat up to the dice, which are given.
func (g *table) resolved(units string, dice ...uint32) *table {
	g.t.Helper()
	g.do("beach-assault " + units + " at=04.10")
	g.do("beach yes=true")
	g.do("pay " + units + " lines=[unit=lc.1;count=" + string(rune('1'+strings.Count(units, ","))) + "]")
	g.all("ready", "ready", "lead unit="+strings.Split(units, ",")[0], "lead unit=y-1")
	g.do("terrain lines=[at=03.10;terrain=open]", dice...)
	return g
}

// Success brings attackers and craft to the beach; failure sinks all of them (OCS 18.6a-E).
func TestBeachResult(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.6a-C", "OCS 18.6a-E", "OCS 18.6a-D")
	g := beach(t, "x-1", "x-2").resolved("x-1,x-2", 3, 4, 6, 6)
	r := g.p.result(inner[*combat](g.p))
	if r.defender.due() == 0 {
		t.Fatalf("the case needs a result for the defender: %+v", r)
	}
	g.finish()
	if g.p.combatIn(Red, g.place("04.10")) {
		t.Fatal("the beach is held")
	}
	g.want("place x-1", "04.10", "place x-2", "04.10", "place lc.1", "04.10", "owner 04.10", "blue",
		"mark lc.1 done", true)
	for _, dice := range [][]uint32{{3, 4, 1, 2}, {3, 4, 2, 2}, {3, 4, 2, 3}, {3, 4, 3, 3}, {3, 4, 3, 4}} {
		g = beach(t, "x-1", "x-2").resolved("x-1,x-2", dice...)
		if r := g.p.result(inner[*combat](g.p)); r.attacker.options > 0 {
			break
		}
	}
	if r := g.p.result(inner[*combat](g.p)); r.attacker.options == 0 {
		t.Fatalf("the case needs options of the attacker: %+v", r)
	}
	r = g.p.result(inner[*combat](g.p))
	for _, c := range g.lists("lose") { // all of it in steps, no retreat
		if strings.Contains(c, "hexes=") {
			t.Errorf("it lists %s", c)
		}
	}
	if w := g.p.lossOf(g.p.top()); w.due.options != 0 || w.due.losses != r.attacker.due() {
		t.Errorf("due: %+v", w.due)
	}
	g = beach(t, "x-1", "x-2")
	h := newFrame[combat](Blue, g.place("04.10"))
	h.form, h.step = beachAttack, combatAdvance // the defender holds
	h.attackers, h.hexes = []Unit{g.unit("x-1"), g.unit("x-2")}, []Place{g.place("03.10")}
	c := g.p.changed()
	c.push(h)
	g.change(c).settle()
	g.want("place lc.1", "gone", "place x-1", "dead", "place x-2", "dead", "owner 04.10", "red", "asks", "combat")
}

// The defender may have the table decide instead: defenders are gone, nothing is paid, and who lands moves no further
// (OCS 18.6b).
func TestBeachByTable(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.6b", "OCS 18.6b-A", "OCS 18.6b-B", "OCS 18.6b-C")
	g := beach(t, "x-1", "x-2")
	g.do("beach-assault x-1,x-2 at=04.10")
	g.do("beach yes=false", 1, 1, 1, 1) // it fails: 2 of 12 T of craft, a step of two
	g.want("place y-1", "dead", "load lc.1", 4, "asks", "combat", "owner 04.10", "blue", "place x-1", "dead",
		"place x-2", "04.10", "mark x-2 done", true, "points lc.1", 12)
	g = beach(t, "x-1").shift("y-1", "09.11")
	g.refused("OCS 18.6", "beach-assault x-1 at=04.10")
	g.hex("04.10", "set=cleared")
	g.do("beach-assault x-1 at=04.10", 6, 6) // nobody is asked
	g.want("place x-1", "04.10", "asks", "combat", "mark x-1 done", true)
	g = landing(t).put("04.10", "y-1").put("05.11", "bl-1-inf").segment(SegArtilleryBarrage, Blue)
	f := newFrame[barrage](Red, g.place("04.10")).stepped(barrageEnd)
	c := g.p.changed()
	c.eliminate(g.unit("y-1"))
	c.push(f)
	g.change(c).settle()
	g.want("hexmark 04.10 cleared", true)
}
