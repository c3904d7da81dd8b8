package ocs

import (
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Where enemy pieces are (OCS 4.8c): nobody enters a hex with combat units, only attack-capable units one with others,
// and take them (OCS 9.14).
func TestEnterEnemyHex(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.8c", "OCS 4.8c-A", "OCS 4.4c", "OCS 9.14")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-8leg 2-4-8leg",
		"x-2 blue regiment other infantry (5)-4-8leg 2-4-8leg",
		"y-1 red regiment other infantry 3-2-3leg 1-2-8leg").
		put("13.05", "x-1 x-2").put("12.05", "y-1").put("13.06", "truck-red/points_t=4").hex("13.05", "owner=blue").
		dump("14.05", Red, 4).hex("13.04", "hedgehog=1 owner=red").segment(SegMovement, Blue)
	g.refused("OCS 4.8c", "move x-1 12.05")
	for _, at := range []string{"13.06", "13.04"} {
		g.refused("OCS 4.4c", "move x-2 "+at)
		g.refused("OCS 4.4c", "move x-1,x-2 "+at)
	}
	g.refused("OCS 9.14", "move x-1 13.04>13.03")
	g.do("move x-1 13.04")
	g.want("owner 13.04", "blue", "hedgehog 13.04", 1, "asks", "move")
	g.do("move x-1 13.05")
	g.do("move x-1 13.06", 1)
	g.want("asks", "displace", "owner 13.06", "blue")
	g.do("displace unit=truck-red.1 at=13.08")
	g.do("move x-1 13.07") // it goes on afterwards
	g.want("spent x-1", "4")
	g.do("move x-2 13.04>13.03>12.02") // it is ours now
	g.want("owner 12.02", "red")       // who can't attack takes no hex
}

// In a simultaneous turn nothing of the enemy is taken and nobody overruns (OCS 2.4-2, OCS 2.4-3).
func TestSimultaneousMoves(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.4-2", "OCS 2.4-3")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-8leg 2-4-8leg",
		"y-1 red regiment other infantry 3-2-3leg 1-2-8leg").
		put("13.05", "x-1").put("12.05", "y-1").put("13.06", "truck-red/points_t=4").segment(SegMovement, Blue)
	g.p.together = true
	g.refusedTo(Blue, "OCS 2.4-3", "move x-1 13.06")
	g.refusedTo(Blue, "OCS 2.4-2", "overrun x-1 12.05")
	g.as(Blue, "move x-1 13.04")
	g.as(Red, "move y-1 12.06")
}

// Boxes off the map (OCS Intro-I-F): along a road link for a part of the allowance, and only by their side; the map is
// left in no other way (OCS Intro-I-C).
func TestMovesByBox(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-I-C", "OCS Intro-I-F")
	g := onMap(t, "crimea-campaign").put("mainland", "ge-22-id/move").put("55.15", "so-156-rd/move").
		put("kuban", "so-157-rd/move").segment(SegMovement, Blue)
	g.do("move ge-22-id 30.29")
	g.want("place ge-22-id", "30.29")
	half := g.p.allowance(g.unit("ge-22-id")) / 2
	g.want("spent ge-22-id", formatCost(half))
	g.refused("OCS 6.1", "move ge-22-id kuban")
	g.refused("OCS 6.1", "move ge-22-id transcaucasus")
	g.do("move ge-22-id mainland")
	g.want("spent ge-22-id", formatCost(2*half), "place ge-22-id", "mainland")
	g.refused("OCS 6.1b", "move ge-22-id 08.29")
	g.segment(SegMovement, Red)
	g.refused("OCS Intro-I-C", "move so-157-rd 55.17")
	g.put("30.29", "so-172-rd/move").refused("OCS Intro-I-F", "move so-172-rd mainland")
	g.do("move so-156-rd kuban>55.13")
	g.do("move so-157-rd transcaucasus")
}

// What is listed is what the check accepts, and every hex that single units and stacks reach by one step is listed.
func TestListedMoves(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.0", "OCS 6.1")
	for id, g := range map[string]*table{
		"spread": onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-2 blue battalion armor armor 5-4-9track 2-4-18track",
			"x-3 blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"x-4 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-5 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"x-6 blue battalion other engineer 2-3-3leg 1-3-8leg engineer",
			"y-1 red regiment other infantry 3-2-3leg 1-2-8leg", "y-2 red regiment other infantry 3-2-3leg 1-2-8leg").
			put("10.07", "x-1 x-2/fuel=lasting x-3/fuel=lasting x-4/dg").put("10.10", "x-6 truck-blue/points_t=4").
			put("05.12", "x-5/strat").
			put("12.07", "y-1").put("12.10", "truck-red/points_t=4").put("09.12", "y-2").dump("11.07", Red, 4).
			segment(SegMovement, Blue),
		"mud": onGround(t, "x-1 blue regiment mech mechanized_infantry 5-4-9truck 2-4-18truck",
			"x-2 blue regiment other infantry 5-4-3leg 2-4-8leg",
			"y-1 red regiment other infantry 3-2-3leg 1-2-8leg").
			put("09.02", "x-1/fuel=lasting x-2/reserve pax-blue").put("10.04", "y-1").
			put("09.03", "truck-blue/points_t=4").weather("mud").segment(SegMovement, Blue),
	} {
		listed := 0
		g.p.Legal(g.asked(), rules.Filter{Kind: "move"}, func(c Command) bool {
			listed++
			if r := g.p.check(g.asked(), &c); r != nil {
				t.Errorf("%s: %s is listed and refused: %s", id, g.p.formatCommand(c), explain(r))
			}
			return listed < 3000
		})
		moves := g.lists("move")
		for u := range g.p.all(g.asked()) {
			for h := range g.sc.Hexes {
				c := only(KindMove)
				c.Units, c.Path = []Unit{u}, []Place{Place(h)}
				if g.p.units[u].place.Hex() == NoHex || g.p.check(g.asked(), &c) != nil {
					continue
				}
				name := "move " + g.p.id(u) + " "
				if !slices.ContainsFunc(moves, func(m string) bool {
					return strings.HasPrefix(m, name) && strings.HasSuffix(m, g.sc.PlaceID(Place(h)))
				}) {
					t.Errorf("%s: %s%s is accepted, and nothing that ends there is listed",
						id, name, g.sc.PlaceID(Place(h)))
				}
			}
		}
		if listed == 0 {
			t.Errorf("%s: nothing is listed", id)
		}
	}
}
