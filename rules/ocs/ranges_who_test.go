package ocs

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// A piece has no range of what it can't do: whoever is aboard goes nowhere, an HQ that only defends attacks nothing
// (OCS 9.1), guns without a barrage strength fire at nothing (OCS 10.1a, OCS 18.3a), those that are bound to a railway
// nowhere else.
func TestWhatHasNoRange(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.1", "OCS 10.1a", "OCS 18.3a")
	const guns = " regiment other artillery 2-3-3leg/b20r3 1-3-8leg/b5r3 artillery"
	ships := []string{"w-1 blue cruiser 14/7 3 2/1 3 20/10 single lift=4",
		"w-0 blue transport 0/0 3 2/1 3 20/10 single"}
	g := atSea(t, ships, nil, "x-1 blue regiment other infantry 6-3-4leg 4-3-8leg", "x-art blue"+guns,
		"x-rail blue"+guns+" rail_only",
		"x-mute blue regiment other artillery 2-3-3leg/b20r3 1-3-8leg/b0r3 artillery",
		"x-inf blue regiment other infantry 6-3-4leg/b3r2 4-3-8leg",
		"x-hq blue corps other headquarters (5)-0-3leg/t8truck (1)-0-8leg/t8truck hq").
		put("07.01", "w-1 w-0").aboard("w-1", "x-1").put("12.08", "x-art x-hq x-mute/move x-inf").
		put("12.07", "x-rail").segment(SegMovement, Red)
	keys := func(id string) (list []string) {
		for key, at := range g.rangesOf(rules.SeatViewer(Blue), pieces(id)) {
			if len(at) > 0 {
				list = append(list, key)
			}
		}
		slices.Sort(list)
		return list
	}
	for id, want := range map[string][]string{
		"x-1":    nil,
		"w-1":    {"fire", "sail"},
		"w-0":    {"sail"},
		"x-art":  {"fire", "move-combat", "move-move"},
		"x-mute": {"move-combat", "move-move"},
		"x-inf":  {"attack", "move-combat", "move-move"},
		"x-hq":   {"move-combat", "move-move", "throw"},
		"x-rail": {"move-combat", "move-move"},
	} {
		if diff := cmp.Diff(want, keys(id)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", id, diff)
		}
	}
	g.put("12.08", "x-rail")
	if !slices.Contains(keys("x-rail"), "fire") {
		t.Error("the gun on rails does not fire from its railway")
	}
	for _, id := range g.rangesOf(rules.SeatViewer(Blue), pieces("x-inf"))["attack"] {
		if !g.p.walkable(g.place(id).Hex()) {
			t.Errorf("%s is attacked, where nobody can stand", id)
		}
	}
}

// Of a hex those are told that could attack it: no guns alone (OCS 9.1), nobody who stands in it and can't leave. Guns
// and ships are told within their range (OCS 10.1a, OCS 18.3a), and air units that are active, can fly so far, and have
// bombs (OCS 14.2d). Each is told among those of its own side.
func TestWhoThreatensAHex(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.1", "OCS 10.1a", "OCS 14.2d", "OCS 18.3a")
	threats := func(g *table, at string) map[string][]string {
		all := g.rangesOf(rules.Viewer{All: true}, rules.Ranged{Space: at})
		for key, spaces := range all {
			if len(spaces) == 0 {
				delete(all, key)
			}
		}
		return all
	}
	expect := func(what string, got, want map[string][]string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
	const gun = "y-gun red regiment other artillery (2)-3-3leg/b20r3 (1)-3-8leg/b5r3 artillery"
	g := onGround(t, gun, "y-fort red regiment other infantry 5-4-0leg 5-4-0leg").put("13.10", "y-gun").
		segment(SegMovement, Blue)
	expect("guns 3 hexes away", threats(g, "13.13"), map[string][]string{"guns-red": {"13.10"}})
	expect("guns 4 hexes away", threats(g, "13.14"), map[string][]string{})
	expect("guns in the hex", threats(g, "13.10"), map[string][]string{})
	g.put("13.10", "y-fort")
	expect("who can't leave", threats(g, "13.10"), map[string][]string{})
	expect("who need not move", threats(g, "13.11"),
		map[string][]string{"attackers-red": {"13.10"}, "guns-red": {"13.10"}})

	air := func(plane string) *table {
		return inSkies(t, []string{plane}).put("05.05", plane[:3]).hex("05.05", "air_base=1").segment(SegMovement, Red)
	}
	for plane, ranges := range map[string]map[string]bool{
		"b-f blue fighter 4/3 2/1 4": {"05.09": true, "05.10": false, "05.05": true},
		"b-t blue transport 0 0/0 4": {"05.09": false},
	} {
		for at, reached := range ranges {
			want := map[string][]string{}
			if reached {
				want["guns-blue"] = []string{"05.05"}
			}
			expect(plane+" to "+at, threats(air(plane), at), want)
		}
	}
	g = air("b-f blue fighter 4/3 2/1 4")
	g.p.flight = noFlight
	expect("in no flight", threats(g, "05.09"), map[string][]string{})
	g = air("b-f blue fighter 4/3 2/1 4")
	g.put("05.05", "b-f/set=inactive")
	expect("inactive", threats(g, "05.09"), map[string][]string{})

	ships := []string{cruiser, raiders}
	g = atSea(t, ships, nil).put("03.07", "b-ca").put("01.10", "r-dd").segment(SegMovement, Blue)
	n := g.p.ship(g.unit("b-ca")).Range
	for _, at := range g.ring("03.07", n, n+1) {
		want := map[string][]string{}
		if g.p.distance(g.place("03.07").Hex(), g.place(at).Hex()) == n {
			want["guns-blue"] = []string{"03.07"}
		}
		if k := g.p.distance(g.place("01.10").Hex(), g.place(at).Hex()); k > 0 && k <= g.p.ship(g.unit("r-dd")).Range {
			want["guns-red"] = []string{"01.10"}
		}
		expect("ships to "+at, threats(g, at), want)
	}
}

// A dump supplies the hexes in which a unit could draw from it (OCS 12.3a), none in which the enemy stands. An extender
// reaches back as far as its kind does (OCS 12.7b).
func TestRangeOfDumps(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.3a", "OCS 12.7b")
	g := onGround(t, "y-1 red regiment other infantry 5-4-12truck 2-4-12truck",
		"x-1 blue regiment other infantry 5-4-3leg 2-4-8leg").
		dump("13.10", Red, 8).put("13.11", "x-1").segment(SegMovement, Red)
	var want []string
	for h := range g.sc.Hexes {
		if !g.p.walkable(Hex(h)) || g.p.combatIn(Blue, Place(h)) {
			continue
		}
		q := g.clone()
		q.put(g.sc.PlaceID(Place(h)), "y-1")
		for _, o := range q.p.survey(Red).options([]Unit{q.unit("y-1")}, false) {
			if q.sc.PlaceID(o.At) == "13.10" && o.By == NoUnit {
				want = append(want, q.sc.PlaceID(Place(h)))
				break
			}
		}
	}
	if diff := cmp.Diff(want, g.rangesOf(rules.SeatViewer(Red), pieces("dump-red@13.10"))["draw"]); diff != "" {
		t.Errorf("it supplies (-want +got)\n%s", diff)
	}
	if slices.Contains(want, "13.11") || len(want) < 20 {
		t.Errorf("units draw in %v", want)
	}
	g.put("07.07", "truck-blue/points_t=4")
	var truck Unit
	for u := range g.p.at(g.place("07.07")) {
		truck = u
	}
	reach := g.p.survey(Blue).cover(g.place("07.07").Hex(), Truck, g.p.extenderRange(g.p.counter(truck)))
	all := g.rangesOf(rules.SeatViewer(Blue), pieces(g.p.id(truck)))["extend"]
	for h := range g.sc.Hexes {
		if in := reach.has(Hex(h)) && g.p.walkable(Hex(h)); in != slices.Contains(all, g.sc.PlaceID(Place(h))) {
			t.Errorf("an extender reaches %s: %t", g.sc.PlaceID(Place(h)), in)
		}
	}
}

// From any hex a unit moves where the list of its moves says: the first hex may always be entered (OCS 6.1c), and units
// and ZOCs of the enemy stop it (OCS 4.5a, OCS 9.14).
func TestRangeIsTheListOfMoves(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.1c", "OCS 9.14")
	for _, mp := range []string{"1leg", "3leg", "4truck", "1track"} {
		ground := onGround(t, "x-1 blue regiment other infantry 5-4-"+mp+" 3-4-"+mp,
			"y-1 red division other infantry 9-2-3leg 5-2-8leg").
			put("12.09", "y-1").put("10.05", "truck-red/points_t=4").segment(SegMovement, Blue)
		for h := 0; h < len(ground.sc.Hexes); h += 5 {
			at := ground.sc.PlaceID(Place(h))
			if !ground.p.walkable(Hex(h)) || ground.p.anything(Red, Place(h)) {
				continue
			}
			g := ground.clone().put(at, "x-1/fuel=lasting")
			listed := []string{at}
			g.p.Legal(Blue, rules.Filter{Kind: "move"}, func(m Command) bool {
				if to := m.Path[len(m.Path)-1]; to.Hex() != NoHex {
					listed = append(listed, g.sc.PlaceID(to))
				}
				return true
			})
			got := g.rangesOf(rules.Viewer{All: true}, pieces("x-1"))["move-combat"]
			slices.Sort(got)
			slices.Sort(listed)
			if diff := cmp.Diff(slices.Compact(listed), got); diff != "" {
				t.Errorf("%s from %s (-listed +range)\n%s", mp, at, diff)
			}
		}
	}
}
