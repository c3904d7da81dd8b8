package ocs

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// dead puts units into the dead pile.
func (g *table) dead(ids ...string) *table {
	g.t.Helper()
	c := g.p.changed()
	for _, id := range ids {
		c.eliminate(g.unit(id))
	}
	return g.change(c)
}

// quiet is the proving ground on which nothing arrives.
func quiet(t *testing.T, counters ...string) *table {
	t.Helper()
	return withDocument(t, func(doc *ocsv1.Scenario) {
		for _, s := range doc.Sides {
			s.Supply, s.Arrivals, s.Replacements = nil, nil, nil
		}
	}, counters...)
}

// Replacement units in Move mode near an HQ in Combat mode bring units back and restore steps, for the price of the
// table.
func TestRebuild(t *testing.T) {
	t.Parallel()
	g := quiet(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg not_rebuildable rebuild=infantry-regiment").
		put("09.02", "pax-blue pax-blue pax-blue/reserve eq-blue bl-1-inf/lost=2,oos").put("09.04", "bl-corps").
		put("12.02", "pax-blue").put("09.05", "pax-blue").
		dead("bl-2-mtn", "x-1", "bl-33-mech").segment(SegReinforcement, Blue)
	g.want("asks", "reinforce")
	rulestest.Proves(t, ruleset, "OCS 13.5c")
	g.refused("OCS 13.5c", "rebuild unit=x-1 units=pax-blue.1 steps=1 marker=none face=combat")
	rulestest.Proves(t, ruleset, "OCS 13.5a", "OCS 13.5a-1", "OCS 13.5b")
	g.refused("OCS 13.5a", "rebuild unit=bl-2-mtn units=pax-blue.3 steps=1 marker=none face=combat") // in Reserve mode
	g.refused("OCS 13.5a-1", "rebuild unit=bl-2-mtn units=pax-blue.4 steps=1 marker=none face=combat")
	g.refused("OCS 13.5a", "rebuild unit=bl-2-mtn units=pax-blue.1 steps=2 marker=none face=combat")
	g.refused("OCS 13.5b", "rebuild unit=bl-1-inf units=pax-blue.1 steps=1 marker=none face=combat") // not dead
	g.refused("OCS 13.5b", "restore unit=bl-1-inf units=pax-blue.1 steps=3")
	g.refused("OCS 13.5a", "restore unit=bl-1-inf units=pax-blue.1 steps=2")
	if list := g.lists("rebuild"); len(list) == 0 {
		t.Error("it lists nothing to rebuild")
	}
	if list := g.lists("restore"); len(list) != 2 {
		t.Errorf("it lists %v", list)
	}
	g.do("restore unit=bl-1-inf units=pax-blue.1 steps=1")
	g.want("lost bl-1-inf", 1, "place pax-blue.1", "gone")
	rulestest.Proves(t, ruleset, "OCS 13.1b-ii", "OCS 13.5a-1")
	g.do("rebuild unit=bl-2-mtn units=pax-blue.2 steps=1 marker=reserve face=combat")
	g.want("place bl-2-mtn", "09.02", "lost bl-2-mtn", 1, "mode bl-2-mtn", "reserve", "stocks bl-2-mtn", "full")
	rulestest.Proves(t, ruleset, "OCS 13.5a-2")
	g.refused("OCS 13.5a-2", "restore unit=bl-2-mtn units=pax-blue.5 steps=1")
	rulestest.Proves(t, ruleset, "OCS 4.5a-K")
	g.put("09.06", "rd-1-inf")
	g.refused("OCS 4.5a-K", "rebuild unit=bl-33-mech units=pax-blue.5 steps=1 marker=none face=combat")
}

// HQs that are not able, and enemy ZOCs, stop rebuilding.
func TestWorkshop(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 5.10e")
	g := quiet(t).put("09.02", "pax-blue bl-1-inf/lost=1").put("09.04", "bl-corps/move")
	g.segment(SegReinforcement, Blue).refused("OCS 13.5a-1", "restore unit=bl-1-inf units=pax-blue.1 steps=1")
	g.put("09.04", "bl-corps/dg,face=combat").put("10.02", "rd-1-inf").segment(SegReinforcement, Blue)
	g.refused("OCS 4.5a-K", "restore unit=bl-1-inf units=pax-blue.1 steps=1")
	g.put("15.09", "rd-1-inf").segment(SegReinforcement, Blue).do("restore unit=bl-1-inf units=pax-blue.1 steps=1")
}

// One Repl rebuilds two very small units, or one for the same price (EX-13-04).
func TestTwoForOne(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.5d")
	lines := []string{"x-1 blue company other infantry 1-3-3leg 1-3-8leg rebuild=small-infantry",
		"x-2 blue company other infantry 1-2-3leg 1-2-8leg rebuild=small-infantry",
		"x-3 blue regiment other infantry 3-3-3leg 2-3-8leg rebuild=infantry-regiment",
		"x-4 blue company other infantry 1-3-3leg 1-3-8leg rebuild=small-infantry not_rebuildable",
		"x-5 blue company other infantry 1-3-3leg 1-3-8leg rebuild=small-infantry",
		"y-1 red company other infantry 1-3-3leg 1-3-8leg rebuild=small-infantry"}
	g := quiet(t, lines...).put("09.02", "pax-blue pax-blue").put("09.04", "bl-corps").put("09.05", "x-5").
		dead("x-1", "x-2", "x-3", "x-4", "y-1").segment(SegReinforcement, Blue)
	var pairs []string
	for _, c := range g.lists("rebuild") {
		if w := strings.Fields(c); strings.HasPrefix(w[3], "other=") {
			pairs = append(pairs, w[2]+" "+w[3])
		}
	}
	if diff := cmp.Diff([]string{"unit=x-1 other=x-2"}, slices.Compact(pairs)); diff != "" {
		t.Errorf("pairs that are listed (-want +got):\n%s", diff)
	}
	g.refused("OCS 13.5d", "rebuild unit=x-1 other=x-3 units=pax-blue.1 steps=1 marker=none face=combat")
	g.do("rebuild unit=x-1 other=x-2 units=pax-blue.1 steps=1 marker=none face=combat")
	g.want("place x-1", "09.02", "place x-2", "09.02", "place pax-blue.2", "09.02")
	g.dead("x-2").do("rebuild unit=x-2 units=pax-blue.2 steps=1 marker=none face=combat")
	g.want("place pax-blue.2", "gone")
}

// An Eq makes a truck point that was lost, of an organic truck too.
func TestRebuildTrucks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.5e")
	g := quiet(t).put("09.02", "pax-blue eq-blue eq-blue eq-blue").put("09.04", "bl-corps").dead("bl-3-trk").
		segment(SegReinforcement, Blue)
	g.refused("OCS 13.5e", "rebuild-trucks eq-blue.1")
	c := g.p.changed()
	c.register(Blue, ocsv1.Register_REGISTER_TRUCKS_LOST, 6)
	g.change(c)
	g.refused("OCS 13.5e", "rebuild-trucks pax-blue.1")
	if diff := cmp.Diff([]string{"rebuild-trucks unit=eq-blue.1", "rebuild-trucks unit=eq-blue.1 other=bl-3-trk"},
		g.lists("rebuild-trucks")); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	g.do("rebuild-trucks eq-blue.1")
	g.want("points truck-blue.1", 4, "register blue trucks-lost", 2)
	g.do("rebuild-trucks eq-blue.2 other=bl-3-trk")
	g.want("points bl-3-trk", 2, "place bl-3-trk", "09.02", "register blue trucks-lost", 0)
}

// With revised rebuilding a step costs one Repl of a kind (EX-21-04).
func TestRevisedPrices(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.7", "OCS 21.7-iii")
	g := quiet(t, "x-1 blue regiment mech mechanized_infantry 5-3-6truck 3-3-12truck rebuild=motor-infantry",
		"x-2 blue regiment mech mechanized_infantry 5-3-6track 3-3-12truck rebuild=motor-infantry",
		"x-3 blue regiment armor armor 5-3-6track 3-3-12track rebuild=armor-brigade")
	for id, want := range map[string][2]price{ // order-free: each is its own case
		"x-1": {{1, 1}, {1, 0}}, "x-2": {{1, 1}, {0, 1}}, "x-3": {{0, 2}, {0, 1}}, "bl-1-inf": {{1, 0}, {1, 0}},
	} {
		for i, revised := range [...]bool{false, true} {
			g.p.opt.revisedRebuilding = revised
			if got := g.p.priceOf(g.p.counter(g.unit(id)), 1); got != want[i] {
				t.Errorf("%s costs %+v, want %+v", id, got, want[i])
			}
		}
	}
}

// Damaged units that are identical become one; units take the place of others like them in the dead pile.
func TestConsolidation(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.9", "OCS 13.9-1", "OCS 13.9-2", "OCS 13.9-3")
	division := " blue division other infantry 9-3-3leg 3-3-8leg"
	tank := " blue battalion armor armor 5-3-6track 3-3-12track"
	g := quiet(t, "x-1"+division, "x-2"+division, "x-3"+division, "x-4 blue division other infantry 8-3-3leg 3-3-8leg",
		"x-5"+tank, "x-6"+tank+" formation=bl-3-arm", "x-7"+tank).
		put("09.02", "x-1/lost=2 x-2/lost=1 x-3 x-4/lost=1").put("09.05", "x-5/move").dead("x-6", "x-7").
		segment(SegReinforcement, Blue)
	g.refused("OCS 13.9-1", "consolidate x-1 other=x-3")
	g.refused("OCS 13.9", "consolidate x-1 other=x-4")
	if diff := cmp.Diff([]string{"consolidate unit=x-1 other=x-2"}, g.lists("consolidate")); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	other := g.clone()
	other.do("consolidate x-2 other=x-1") // of two ways the list has one, and says so
	other.want("lost x-2", 0, "place x-1", "dead")
	if !kinds[KindConsolidate].Generating {
		t.Error("the list is said to have every command")
	}
	g.do("consolidate x-1 other=x-2")
	g.want("lost x-1", 0, "place x-2", "dead")
	g.refused("OCS 13.9-3", "exchange x-5 other=x-7")
	g.refused("OCS 13.9-2", "exchange x-5 other=x-4") // not dead
	g.refused("OCS 13.9", "exchange x-4 other=x-6")
	g.do("exchange x-5 other=x-6")
	g.want("place x-5", "dead", "place x-6", "09.05", "mode x-6", "move")
	g = quiet(t, "x-1"+division,
		"x-2"+division).put("09.02", "x-1/lost=2 x-2/lost=1,stocks=low").segment(SegReinforcement, Blue)
	g.refused("OCS 13.9", "consolidate x-1 other=x-2")
}
