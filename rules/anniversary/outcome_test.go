package anniversary

import (
	"testing"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// A combat has a winner only if one side is gone and the other can still fight: transports alone win nothing and are
// not beaten by their own side's absence (AA 9.11.1).
func TestWhoWinsACombat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.11.1")
	const (
		nobody    = anniversaryv1.BattleOutcome_BATTLE_OUTCOME_UNSPECIFIED
		attacker  = anniversaryv1.BattleOutcome_BATTLE_OUTCOME_ATTACKER
		defender  = anniversaryv1.BattleOutcome_BATTLE_OUTCOME_DEFENDER
		retreated = anniversaryv1.BattleOutcome_BATTLE_OUTCOME_RETREAT
	)
	for _, c := range []struct {
		attackers, defenders string
		left                 bool // by a retreat
		want                 anniversaryv1.BattleOutcome
	}{
		{"destroyer", "", false, attacker},
		{"destroyer", "transport", false, nobody},
		{"destroyer transport", "", false, attacker},
		{"transport", "", false, nobody},
		{"", "destroyer", false, defender},
		{"transport", "destroyer", false, defender},
		{"", "transport", false, nobody},
		{"transport", "transport", false, nobody},
		{"", "", false, nobody},
		{"destroyer", "destroyer", false, nobody},
		{"", "destroyer", true, retreated},
		{"", "", true, retreated},
		{"transport", "destroyer", true, defender},
		{"destroyer", "", true, attacker},
	} {
		g := on1941(t).turn(Germany, PhaseMove).put("5", Germany, c.attackers).put("5", UnitedKingdom, c.defenders)
		g.p.battle.at, g.p.battle.retreated = g.space("5"), c.left
		if got := g.p.outcome(); got != c.want {
			t.Errorf("%q against %q, retreated %v: %v, want %v", c.attackers, c.defenders, c.left, got, c.want)
		}
	}
}

// Attackers retreat to where their land units came from, not to where only aircraft did (AA 9.9.3).
func TestNobodyRetreatsToWhereAircraftCameFrom(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.3")
	g := on1941(t).put("poland", Germany, "2 infantry").put("bulgaria-romania", Germany, "fighter").
		put("east-poland", SovietUnion, "2 infantry").turn(Germany, PhaseMove)
	g.all("move 2 infantry poland>east-poland", "move 1 fighter bulgaria-romania>east-poland")
	g.do("end", 6, 6, 6, 6, 6)
	g.refused("AA 9.9.3", "retreat bulgaria-romania")
	g.do("retreat poland")
	g.want("at poland", "germany 2 infantry")
}

// Freight comes from a territory, never from a sea zone, also not from the first of them.
func TestFreightComesFromLand(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.13.4")
	g := on1941(t).put("7", UnitedKingdom, "transport").turn(UnitedKingdom, PhaseMove)
	sz := g.space("7")
	for at, want := range map[Space]string{
		g.sc.Land: "freight is loaded from a territory", sz: "freight is loaded from a territory",
		g.sc.Land - 1: "", g.space("united-kingdom"): "",
	} {
		c := Command{Kind: KindShip, N: 1, Power: UnitedKingdom, From: sz, To: sz, Via: NoSpace, Target: NoSpace}
		c.Len, c.Items[0] = 1, Item{Unit: Infantry, N: 1, Power: UnitedKingdom, At: at}
		got := ""
		if r := g.p.checkShip(&c, UnitedKingdom, new(plan)); r != nil {
			got = r.Words
		}
		if got != want {
			t.Errorf("from %s: %q, want %q", g.sc.SpaceID(at), got, want)
		}
	}
}

// The board marks spaces in which combat must be fought only while combat is conducted.
func TestBoardMarksCombatsWhileTheyAreFought(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("poland", Germany, "2 infantry").put("baltic-states", Germany, "infantry").
		put("east-poland", SovietUnion, "infantry").put("karelia-ssr", SovietUnion, "infantry").
		turn(Germany, PhaseMove)
	marked := func() (list []string) {
		d := drawer{Position: g.p}
		for s := range d.fights().Each {
			list = append(list, g.sc.SpaceID(s))
		}
		return list
	}
	g.all("move 2 infantry poland>east-poland", "move 1 infantry baltic-states>karelia-ssr")
	if got := marked(); got != nil {
		t.Errorf("while units move: %v", got)
	}
	g.do("end")
	if got := marked(); len(got) != 2 {
		t.Errorf("when combat is conducted: %v", got)
	}
}
