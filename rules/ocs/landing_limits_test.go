package ocs

import (
	"slices"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// As few rolls as can be are fewer than packing the largest first makes: 6 REs of six units fit into two groups (OCS
// 18.5f-C).
func TestLandingGroupsArePackedBest(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f-C")
	var counters []string
	sizes := map[string]string{"z-1": "3/2", "z-2": "5/4", "z-3": "1", "z-4": "1", "z-5": "3/4", "z-6": "1/2"}
	for _, id := range []string{"z-1", "z-2", "z-3", "z-4", "z-5", "z-6"} {
		counters = append(counters, id+" blue regiment other infantry 6-3-4leg 4-3-8leg re="+sizes[id])
	}
	g := atSea(t, landers, nil, counters...)
	g.hex("04.10", "owner=red").put("04.08", "lc/points_t=24").shift("lc.1", "04.10").
		put("09.02", "z-1 z-2 z-3 z-4 z-5 z-6").
		aboard("lc.1", "z-1", "z-2", "z-3", "z-4", "z-5", "z-6").segment(SegMovement, Blue)
	list := g.lists("land")
	if len(list) != 7 {
		t.Fatalf("it lists %v", list)
	}
	g.refused("OCS 18.5f-C", "land at=04.10 "+
		"lines=[unit=z-1;count=1],[unit=z-2;count=1],[unit=z-3;count=2],"+
		"[unit=z-4;count=2],[unit=z-5;count=2],[unit=z-6;count=3]")
	g.do("land at=04.10 lines=[unit=z-1;count=1],[unit=z-3;count=1],[unit=z-6;count=1],"+
		"[unit=z-2;count=2],[unit=z-4;count=2],[unit=z-5;count=2]",
		6, 6, 6, 6)
}

// Only units that land from warships may do so from the next hex (Crimea 8.3, OCS 18.5a).
func TestCraftLandInTheirHex(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5a")
	g := offBeach(t, "x-1").special("warship-lift", "").shift("lc.1", "03.10").segment(SegMovement, Blue)
	g.refused("OCS 18.5a", "land at=04.10 lines=[unit=x-1;count=1]")
}

// Where one of the terrains of a hex has no row nobody lands, whatever the others say (OCS 18.5f-A).
func TestLandingRows(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f-A", "OCS 18.5")
	g := offBeach(t, "x-1").segment(SegMovement, Blue)
	h := &g.sc.Hexes[g.place("04.10")]
	bare := slices.IndexFunc(g.sc.Doc.GetTerrain().GetHexes(),
		func(t *ocsv1.HexTerrain) bool { return t.GetLanding() == "" })
	if bare < 0 {
		t.Fatal("every terrain has a row")
	}
	was := h.Terrains
	h.Terrains = append([]uint8{uint8(bare)}, was...)
	g.refused("OCS 18.5", "land at=04.10 lines=[unit=x-1;count=1]")
	h.Terrains = append(slices.Clone(was), uint8(bare))
	g.refused("OCS 18.5", "land at=04.10 lines=[unit=x-1;count=1]")
}

// A landing ends the move of units in motion (OCS 6.1g); groups roll in the order of their numbers, not in that of the
// command (OCS 18.5f-C).
func TestLandingOrder(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f-C", "OCS 6.1g", "OCS 6.1f")
	g := offBeach(t, "x-1").put("09.03", "x-2/move").segment(SegMovement, Blue)
	g.do("move x-2 09.04")
	moving := g.clone()
	moving.do("move x-2 09.05")
	g.do("land at=04.10 lines=[unit=x-1;count=1]", 6, 6)
	g.refused("OCS 6.1f", "move x-2 09.05")

	g = offBeach(t, "x-div", "x-1").segment(SegMovement, Blue)
	// the second group fails and loses 2 steps of 3
	g.do("land at=04.10 lines=[unit=x-div;count=2],[unit=x-1;count=1]", 6, 6, 1, 1, 1, 1, 1, 1)
	g.want("place x-1", "04.10", "place x-div", "04.10", "lost x-div", 2)
}

// Steps that are lost at random are drawn among those that are left; half of the craft is counted by what it carries,
// warships lose none (OCS 18.5f-B).
func TestLandingLosses(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f-B")
	g := offBeach(t, "x-1", "x-2", "x-3").segment(SegMovement, Blue)
	// 2 of 3: the first of three, the first of two
	g.do("land at=04.10 lines=[unit=x-1;count=1],[unit=x-2;count=1],[unit=x-3;count=1]", 1, 1, 1, 1, 1, 1)
	g.want("place x-1", "dead", "place x-2", "dead", "place x-3", "04.10")

	g = atSea(t, landers, nil, "z-co blue company other infantry 2-3-4leg 1-3-6leg").hex("04.10", "owner=red").
		put("04.08", "lc/points_t=4").shift("lc.1", "04.10").
		put("09.02", "z-co").aboard("lc.1", "z-co").segment(SegMovement, Blue)
	g.do("land at=04.10 lines=[unit=z-co;count=1]", 2, 2, 1) // half a token is one of craft, and half of that one
	g.want("points lc.1", 3, "place z-co", "04.10")

	g = landing(t).special("warship-lift", "").hex("04.10", "owner=red").put("03.10", "w-1").put("09.02", "x-1").
		aboard("w-1", "x-1").segment(SegMovement, Blue)
	if f := factOf[*ocsv1.Event_LandingRolled](t,
		g.do("land at=04.10 lines=[unit=x-1;count=1]", 2, 1)).LandingRolled; f.PointsT != 0 {
		t.Errorf("a warship loses points: %v", f)
	}
	g = landing(t).special("warship-lift", "").put("05.07", "w-1").put("09.02", "x-1").aboard("w-1", "x-1").
		segment(SegMovement, Blue)
	g.do("land at=05.07 lines=[unit=x-1;count=1]", 6, 6)
	g.want("place x-1", "05.07", "mark w-1 landed-troops", false) // in a port (Crimea 8.3)
}

// Units that moved before they went aboard move on after a landing; an HQ that landed has fuel for itself only (OCS
// 18.5h, Decisions D67 and D73).
func TestLandedUnitsMove(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5h")
	g := offBeach(t, "x-1").segment(SegMovement, Blue)
	c := g.p.changed()
	c.mark(g.unit("x-1"), ocsv1.UnitMark_UNIT_MARK_MOVED)
	g.change(c)
	g.do("land at=04.10 lines=[unit=x-1;count=1]", 6, 6)
	g.do("move x-1 05.10")

	g = offBeach(t, "x-hq/move").hex("04.10", "owner=blue").put("05.10", "x-tk").segment(SegMovement, Blue)
	g.do("land at=04.10 lines=[unit=x-hq;count=1]", 6, 6)
	g.want("fuel x-hq", "lasting", "mark x-hq landed-fuel", true)
	g.refused("OCS 12.5a", "move x-tk 05.11")
}

// Whoever assaults a beach comes from landing craft next to it, once; one assault is made on a hex
// (OCS 18.6, OCS 18.6a-G).
func TestWhoAssaults(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.6", "OCS 18.6a-G", "OCS 9.1c")
	g := beach(t, "x-1").special("warship-lift", "").put("03.10", "w-1").aboard("w-1", "x-2").segment(SegCombat, Blue)
	g.refused("OCS 18.6", "beach-assault x-2 at=04.10")
	beach(t, "x-1").shift("lc.1", "04.08").refused("OCS 18.6", "beach-assault x-1 at=04.10")
	beach(t, "x-1").marked("x-1", ocsv1.UnitMark_UNIT_MARK_ATTACKED).refused("OCS 9.1c", "beach-assault x-1 at=04.10")
	g = beach(t, "x-1").put("04.08", "lc/points_t=8").shift("lc.2", "04.09").aboard("lc.2", "x-2")
	g.do("beach-assault x-1 at=04.10")
	g.do("beach yes=false", 6, 6)
	g.want("hexmark 04.10 attacked", true, "place x-1", "04.10")
	g.refused("OCS 18.6a-G", "beach-assault x-2 at=04.10")
}

// With an assault that fails the craft go down from which it was made, those whose attackers are lost too, and no
// others (OCS 18.6a-E).
func TestCraftOfAFailedAssault(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.6a-E")
	g := beach(t, "x-1", "x-2").put("04.08", "lc/points_t=4 lc/points_t=4").shift("lc.2", "03.10").
		shift("lc.3", "03.10").aboard("lc.3", "x-3").marked("lc.2", ocsv1.UnitMark_UNIT_MARK_ATTACKED)
	f := newFrame[combat](Blue, g.place("04.10"))
	f.form, f.step = beachAttack, combatAdvance
	f.attackers, f.hexes = []Unit{g.unit("x-1"), g.unit("x-2")}, []Place{g.place("03.10")}
	c := g.p.changed()
	c.push(f)
	g.change(c).settle()
	g.want("place lc.1", "gone", "place lc.2", "gone", "place lc.3", "03.10", "place x-1", "dead",
		"place x-3", "aboard")
}
