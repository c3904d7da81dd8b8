package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// dropping is a game with a parachute battalion that has a plan for a hex in a turn.
func dropping(t *testing.T, s Segment, phasing rules.Seat, at string, due, now int) *table {
	t.Helper()
	g := inSkies(t, haulers, airborne...).put("05.05", "b-tp b-tp2 b-tow x-abn/move x-abn2/move x-inf/move").
		hex("05.05", "air_base=3").dump("05.05", Blue, 20).inTurn(now)
	for i := range g.sc.Boxes {
		g.sc.Boxes[i].Flown = false
	}
	g.segment(s, phasing)
	if due > 0 {
		c := g.p.changed()
		m := c.unit(g.unit("x-abn"))
		id, turn := at, uint32(due)
		m.Plan, m.PlanTurn = &id, &turn
		g.change(c)
	}
	return g
}

// What may be dropped when (OCS 14.10, OCS 14.10a, OCS 14.10b).
func TestDropLimits(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10", "OCS 14.10a", "OCS 14.10b", "OCS 14.10f", "OCS 14.2e-vi")
	g := dropping(t, SegMovement, Blue, "11.05", 2, 2)
	g.refused("OCS 14.10", "airdrop b-tp 02.05 lines=[count=1;by=b-tp]") // the sea
	g.refused("OCS 14.10b", "airdrop b-tp 12.05 lines=[unit=x-abn;by=b-tp]")
	g.refused("OCS 14.10b", "airdrop b-tp 11.05 lines=[unit=x-abn2;by=b-tp]")
	g.refused("OCS 14.10a", "airdrop b-tp 11.05 lines=[unit=x-inf;by=b-tp]")
	g.refused("OCS 14.10f", "airdrop b-tow 11.05 lines=[count=1;by=b-tow]")
	g.refused("OCS 14.10", "airdrop b-tp 11.05 lines=[count=1;by=b-tp;flight=one-way]")
	g.refused("OCS 14.9a", "airdrop b-tp 11.05 lines=[count=3;by=b-tp]")
	g.refused("OCS 14.9e", "airdrop b-tp 19.05 lines=[count=1;by=b-tp]")
	dropping(t, SegMovement, Blue, "11.05", 3, 2).refused("OCS 14.10b", "airdrop b-tp 11.05 lines=[unit=x-abn;by=b-tp]")
	g = dropping(t, SegExploitMove, Blue, "11.05", 2, 2)
	g.put("05.05", "x-abn/move,exploitation")
	g.refused("OCS 14.10b", "airdrop b-tp 11.05 lines=[unit=x-abn;by=b-tp]")
	g.do("airdrop b-tp 11.05 lines=[count=1;by=b-tp]", 6, 6) // supply in any movement segment, without a plan
	g.want("ground 11.05 blue", 1)
	g = dropping(t, SegMovement, Blue, "11.05", 2, 3) // one that was not flown in its turn counts as put off
	g.do("airdrop b-tp 11.05 lines=[unit=x-abn;by=b-tp]", 6, 6)
	g.want("place x-abn", "11.05")
}

// A roll for each unit, then for each token (OCS 14.10d), by terrain and by the units there.
func TestDropRolls(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10d", "OCS 12.6h", "OCS 14.9d")
	g := dropping(t, SegMovement, Blue, "11.05", 2, 2)
	// open, nobody there: 6 and more
	out := g.do("airdrop b-tp 11.05 lines=[unit=x-abn;by=b-tp],[count=1;by=b-tp]", 3, 3, 2, 3)
	if f := told[*ocsv1.Event_DropRolled](t, out).DropRolled; f.Unit != "" || f.Landed || f.Roll != 5 ||
		f.Modifier != 0 {
		t.Errorf("rolled %v", f)
	}
	g.want("place x-abn", "11.05", "mark x-abn dropped", true, "mark x-abn done", true, "ground 11.05 blue", 0,
		"place b-tp", "05.05", "mark b-tp inactive", true, "load b-tp", 0)
	if s := &g.p.units[g.unit("x-abn")]; s.plan != Nowhere {
		t.Error("the plan is not used up")
	}
	_, err := g.try(Blue, "move x-abn 12.05")
	if err == nil {
		t.Error("it moved after the drop")
	}
	if !g.p.survey(Blue).p.has(g.unit("x-abn"), ocsv1.UnitMark_UNIT_MARK_DROPPED) {
		t.Error("it needs a trace")
	}
	g = dropping(t, SegMovement, Blue, "11.05", 2, 2)
	g.do("airdrop b-tp 11.05 lines=[unit=x-abn;by=b-tp]", 2, 3)
	g.want("place x-abn", "dead")
	for _, c := range []struct {
		at, own string
		base    bool
		want    int
	}{
		{"11.05", "", false, 6}, {"11.05", "x-inf", false, 5}, {"08.04", "", false, 7}, {"08.04", "x-inf", false, 6},
		{"08.04", "", true, 6}, {"10.06", "", false, 6},
	} {
		g := dropping(t, SegMovement, Blue, "11.05", 2, 2)
		if c.own != "" {
			g.put(c.at, c.own)
		}
		if c.base {
			g.hex(c.at, "air_base=1")
		}
		if got := g.p.dropNeeds(Blue, g.place(c.at)); got != c.want {
			t.Errorf("%s with %q: %d and more, want %d", c.at, c.own, got, c.want)
		}
	}
	f := newFrame[mission](Red, g.place("16.11")) // a modifier of the side: -1
	fact := &ocsv1.DropRolled{}
	do := staged{do: func(x *exec) { g.p.rollDrop(x, f, fact, false) }}
	if err := rules.Play(do, g.p, Red, only(KindEnd), dice.NewManual([]uint32{3, 3}), new(rules.Outcome)); err != nil {
		t.Fatal(err)
	}
	if fact.Modifier != -1 || fact.Landed {
		t.Errorf("red rolled %v", fact)
	}
}

// Into a hex with an enemy combat unit all are lost; enemy supply is captured (OCS 14.10d).
func TestDropOnTheEnemy(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10d", "OCS 4.8c-D")
	g := dropping(t, SegMovement, Blue, "11.05", 2, 2).put("11.05", "y-inf")
	g.do("airdrop b-tp 11.05 lines=[unit=x-abn;by=b-tp],[count=1;by=b-tp]")
	g.want("place x-abn", "dead", "ground 11.05 blue", 0, "place b-tp", "05.05")
	g = dropping(t, SegMovement, Blue, "11.05", 2, 2).dump("11.05", Red, 4).hex("11.05", "owner=red")
	g.do("airdrop b-tp 11.05 lines=[count=1;by=b-tp]") // nobody to take the dump
	g.want("ground 11.05 blue", 0, "ground 11.05 red", 4)
}

// Where the enemy has a dump those who can capture it jump first. The others follow if one of them has landed, and are
// lost without a roll otherwise (OCS 14.10d, Decision D54). Elsewhere they jump in the order of the units.
func TestDropBehindCapturers(t *testing.T) {
	t.Parallel()
	gun := "a-gun blue battalion other infantry (1)-1-3leg (1)-1-6leg parachute"
	for _, c := range []struct {
		at       string
		dice     []uint32
		abn, gun string
	}{
		{"11.05", []uint32{4, 4, 5, 5, 1}, "11.05", "11.05"},
		{"11.05", []uint32{4, 4, 1, 1, 1}, "11.05", "dead"},
		{"11.05", []uint32{1, 1}, "dead", "dead"},
		{"12.05", []uint32{1, 1, 4, 4}, "12.05", "dead"},
	} {
		g := inSkies(t, haulers, append([]string{gun}, airborne...)...).inTurn(2).
			put("05.05", "b-tp x-abn/move a-gun/move").hex("05.05", "air_base=3").
			dump("11.05", Red, 4).hex("11.05", "owner=red").segment(SegMovement, Blue)
		changes, turn := g.p.changed(), uint32(2)
		for _, id := range []string{"x-abn", "a-gun"} {
			m := changes.unit(g.unit(id))
			m.Plan, m.PlanTurn = &c.at, &turn
		}
		g.change(changes)
		g.do("airdrop b-tp "+c.at+" lines=[unit=x-abn;by=b-tp],[unit=a-gun;by=b-tp]", c.dice...)
		g.want("place x-abn", c.abn, "place a-gun", c.gun)
	}
}

// Plans are made two turns ahead in the Aircraft Refit Phase, or at the beginning; they may be put off and discarded
// (OCS 14.10b, OCS 14.10c).
func TestDropPlans(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.10b", "OCS 14.10c", "OCS 14.10a")
	g := dropping(t, SegRefit, Blue, "", 0, 2)
	g.want("asks", "refit")
	g.refused("OCS 14.10b", "plan-drop x-abn 11.05 turn=3")
	g.refused("OCS 14.10b", "plan-drop x-abn 11.05 turn=7")
	// no parachutes, and not for the gliders of the game
	g.put("05.05", "x-mot/move").refused("OCS 14.10a", "plan-drop x-mot 11.05 turn=4")
	g.refused("OCS 14.10", "plan-drop x-abn 02.05 turn=4")
	g.refused("OCS 14.10b", "plan-drop y-inf 11.05 turn=4")
	g.refused("OCS 14.10c", "delay-drop x-abn")
	out := g.do("plan-drop x-abn 11.05 turn=4")
	for _, e := range out.Events { // secret
		if _, ok := e.Event.(*event).GetFact().(*ocsv1.Event_DropPlanned); ok &&
			rules.SeatViewer(Red).MaySee(e.Audience) {
			t.Error("red learns of the plan")
		}
	}
	g.refused("OCS 14.10b", "plan-drop x-abn 12.05 turn=4")
	g.do("delay-drop x-abn")
	if s := &g.p.units[g.unit("x-abn")]; s.due != 5 || s.plan != g.place("11.05") {
		t.Errorf("planned for turn %d", s.due)
	}
	g.do("cancel-drop x-abn")
	g.refused("OCS 14.10c", "cancel-drop x-abn")
	g.do("plan-drop x-abn 12.05 turn=4")
	g.do("delay-drop x-abn")
	g.do("delay-drop x-abn")
	g.refused("OCS 14.10c", "delay-drop x-abn") // the game ends with turn 6
}
