package ocs

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// offers expects of the question that is open which of some kinds the asked seat may give.
func (g *table) offers(kinds map[string]bool) {
	g.t.Helper()
	for kind, want := range kinds { // order-free: each is its own case
		if got := len(g.lists(kind)) > 0; got != want {
			g.t.Errorf("%s: %s is listed: %t", g.fact("segment"), kind, got)
		}
	}
}

// never expects that some kinds do not answer the question that is open, whatever there is to do.
func (g *table) never(ids ...string) {
	g.t.Helper()
	for _, kind := range ids {
		if a, _ := g.p.ask(); Kind(kinds.Find(kind)) == KindNone || Kind(kinds.Find(kind)).answers(a) {
			g.t.Errorf("%s: %s is an answer", g.fact("segment"), kind)
		}
	}
}

// The Reinforcement Phase in its strict order: arrivals, the Supply Table, the Variable Reinforcement Table, then
// rebuilding and consolidation.
func TestReinforcementOrder(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-D")
	g := withDocument(t, func(doc *ocsv1.Scenario) {
		doc.Sides[Blue].Arrivals = []*ocsv1.Arrival{{Turn: 1, At: "BN", Units: []string{"x-1"}}}
		doc.Sides[Blue].Supply = []*ocsv1.SupplyTable{
			{Id: "table", From: 1, To: 6, RowsT: []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, At: []string{"BN"}},
		}
		row := &ocsv1.ReplacementRow{Pax: 1}
		doc.Sides[Blue].Replacements = []*ocsv1.ReplacementTable{{Id: "t", From: 1, To: 6, At: []string{"BN"}}}
		for range 11 {
			doc.Sides[Blue].Replacements[0].Rows = append(doc.Sides[Blue].Replacements[0].Rows, proto.CloneOf(row))
		}
	}, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg",
		"x-2 blue division other infantry 9-3-3leg 3-3-8leg rebuild=infantry-division-step")
	g.put("09.02", "x-2/lost=1 pax-blue").put("09.04", "bl-corps").segment(SegReinforcement, Blue)
	const restore = "restore unit=x-2 units=pax-blue.1 steps=1"
	g.want("asks", "arrive").refused("OCS 2.1", restore)
	g.refused("OCS 2.1", "place-supply at=05.15 tokens=1")
	out := g.do("arrive x-1 at=05.15 marker=none face=combat", 1, 1)
	if got := rolls(out); got != "supply 1, supply 1" {
		t.Errorf("rolled %q", got)
	}
	g.want("asks", "place", "register blue supply-to-place", 1, "register blue pax-to-place", 0).
		refused("OCS 2.1", restore)
	out = g.do("place-supply at=05.15 tokens=1", 3, 4)
	if got := rolls(out); got != "replacements 3, replacements 4" {
		t.Errorf("rolled %q", got)
	}
	g.want("asks", "place", "register blue pax-to-place", 1).refused("OCS 2.1", restore)
	g.do("place-repl counter=pax-blue at=05.15 marker=none")
	g.want("asks", "reinforce").refused("OCS 2.1", "arrive x-1 at=05.15 marker=none face=combat")
	g.do(restore)
	g.do("end")
	g.want("segment", "breakout")
}

// scene is a front on which both sides have something of every kind to do.
func scene(t *testing.T) *table {
	t.Helper()
	return onGround(t, "x-1 blue regiment other infantry 15-4-8leg 2-4-8leg",
		"x-2 blue regiment other infantry 5-4-8leg 2-4-8leg", "x-3 blue regiment other infantry 5-4-8leg 2-4-8leg",
		"x-art blue regiment other artillery_towed (1)-1-3leg/b20r3 (1)-1-14leg/b8r2 artillery",
		"y-1 red battalion other infantry 2-3-3leg 1-3-8leg", "y-2 red regiment other infantry 15-4-8leg 2-4-8leg",
		"y-art red regiment other artillery_towed (1)-1-3leg/b20r3 (1)-1-14leg/b8r2 artillery").
		put("05.07", "bl-22-sec/move").put("09.07", "bl-corps").
		put("12.04", "x-1 x-art x-2/reserve bl-9-eng truck-blue/points_t=8,load_t=4").put("12.05", "y-1").
		put("12.06", "y-2/reserve y-art/reserve rd-corps truck-red/points_t=8,load_t=4").
		dump("12.04", Blue, 40).dump("12.06", Red, 40).dump("05.07", Blue, 8)
}

// Breakouts come first in the Movement Phase; then units move, overrun, destroy dumps, build and travel by rail, and
// nothing fights or barrages.
func TestMovementPhase(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-E")
	g := scene(t).segment(SegBreakout, Blue)
	g.want("asks", "breakout").offers(map[string]bool{
		"move": false, "overrun": false, "construct": false, "mode": false, "attack": false, "barrage": false,
	})
	g.do("end")
	g.want("segment", "movement")
	if g.asked() != Blue {
		t.Fatal("blue is not asked")
	}
	g.offers(map[string]bool{
		"move": true, "mode": true, "overrun": true, "rail": true, "construct": true, "destroy-dump": true,
		"load": true, "unload": true, "split": true,
		"attack": false, "barrage": false, "release": false, "breakout": false, "rebuild": false,
	})
	g.never("attack", "barrage", "release", "breakout", "rebuild", "restore", "consolidate")
	g.do("mode x-2 marker=none face=move") // as its move starts
	g.do("move x-2 12.03")
	g.refusedTo(Red, "OCS 2.1", "move y-1 11.06")
}

// In the Reaction Phase the side whose turn it is not releases, moves, overruns, barrages and destroys its own dumps;
// it builds nothing and attacks nothing.
func TestReactionPhase(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-G")
	g := scene(t).segment(SegReactionMove, Blue)
	if g.asked() != Red {
		t.Fatal("red is not asked")
	}
	g.offers(map[string]bool{"release": true, "destroy-dump": true, "construct": false, "mode": false, "rail": false,
		"attack": false, "barrage": false, "overrun": false, "move": false})
	g.do("release y-2")
	g.offers(map[string]bool{"move": true, "construct": false})
	g.never("construct", "convert", "mode", "rail", "attack", "barrage", "split", "merge", "extend")
	if !KindOverrun.answers(AskReact) {
		t.Error("no overruns in the Reaction Phase")
	}
	g.do("move y-2 13.07>13.08>13.09") // half of 8 MP
	g.do("move y-2 13.10")
	g.refused("OCS 6.1b", "move y-2 13.11")
	g.do("end")
	g.want("segment", "reaction-barrage").
		offers(map[string]bool{"move": false, "destroy-dump": false, "barrage": false, "release": true})
	g.do("release y-art")
	g.offers(map[string]bool{"barrage": true})
	g.never("attack", "move", "overrun", "construct", "destroy-dump")
	g.do("end")
	g.want("segment", "artillery-barrage") // there is no combat of the reacting side
	if g.asked() != Blue {
		t.Error("blue is not asked")
	}
}

// In the Exploitation Phase what is released or exploits moves, overruns and destroys dumps, then barrages, then
// fights; nothing is built.
func TestExploitationSegments(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-I")
	g := scene(t).put("12.04", "x-3/exploitation,set=had-zoc x-art/reserve").segment(SegExploitMove, Blue)
	g.offers(map[string]bool{"release": true, "destroy-dump": true, "move": true, "overrun": true, "construct": false,
		"mode": false, "rail": false, "attack": false, "barrage": false})
	g.never("construct", "convert", "mode", "rail", "attack", "barrage", "split", "merge", "extend")
	g.all("release x-2", "release x-art", "end")
	g.want("segment", "exploitation-barrage").offers(map[string]bool{
		"barrage": true, "move": false, "attack": false, "destroy-dump": false, "overrun": false,
	})
	g.do("end")
	g.want("segment", "exploitation-combat").
		offers(map[string]bool{"attack": true, "barrage": false, "move": false, "overrun": false})
	attackers := func(id string) bool {
		return slices.ContainsFunc(g.lists("attack"), func(s string) bool { return s == "attack "+id+" at=12.05" })
	}
	if !attackers("x-2") || !attackers("x-3") || attackers("x-1") {
		t.Errorf("it lists %v", g.lists("attack"))
	}
	g.do("end")
	for _, s := range []string{"clean-up", "combat"} {
		if g.fact("segment") == s {
			t.Errorf("then comes %s", s)
		}
	}
	g.want("phasing", "red")
}

// `end` answers the question of every segment in which a side acts (OCS 2.2), but for the two that are answered by a
// choice: whether the turn is simultaneous, and who goes first.
func TestEndAnswers(t *testing.T) {
	t.Parallel()
	for ask := AskNothing + 1; ask < numAsks; ask++ {
		ends := slices.ContainsFunc(segments[:], func(s segmentInfo) bool { return s.ask == ask }) &&
			ask != AskAgree && ask != AskOrder
		if got := KindEnd.answers(ask); got != ends {
			t.Errorf("%s: end answers it: %t", questions[ask].id, got)
		}
	}
}
