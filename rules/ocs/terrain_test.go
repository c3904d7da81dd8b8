package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// Costs of steps, by the type of MP of the face that is up (OCS 3.1a), with roads, rivers, bridges and complex terrain
// (OCS 6.2).
func TestCosts(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.1a", "OCS 6.2", "OCS 6.2a", "OCS 6.2b", "OCS 6.2c", "OCS 6.2d")
	for _, c := range []struct{ from, to, weather, leg, track, truck string }{
		{"09.02", "09.03", "dry", "1", "1", "1"},
		{"09.02", "09.03", "mud", "1", "2", "3"},
		{"08.03", "08.04", "dry", "2", "2", "3"},             // hills
		{"08.06", "09.06", "dry", "2", "3", "4"},             // open over a minor river
		{"08.06", "09.07", "dry", "1/2", "1/2", "1/2"},       // a primary road
		{"10.07", "11.08", "mud", "1/2", "1/2", "1/2"},       // a road over a bridge over a minor river
		{"10.11", "11.11", "dry", "1/2", "1/2", "1/2"},       // a road over a bridge over a major river
		{"10.10", "11.10", "dry", "all", "never", "never"},   // a major river
		{"10.10", "11.10", "frozen", "2", "3", "4"},          // the frozen river
		{"07.07", "08.06", "mud", "1", "1", "2"},             // a railway through mud (EX-6.2a-1)
		{"10.14", "10.15", "dry", "3", "never", "never"},     // a mountain
		{"10.14", "11.15", "dry", "1", "1", "1"},             // a track up a very high mountain
		{"16.09", "16.08", "dry", "1", "1", "1"},             // beside the lake
		{"15.09", "16.08", "dry", "never", "never", "never"}, // over the lake
	} {
		g := onGround(t, "x-1 blue regiment other infantry 5-4-9leg 2-4-9track",
			"x-2 blue regiment other infantry 5-4-9truck 2-4-9leg").put(c.from, "x-1 x-2").weather(c.weather)
		rulestest.Proves(t, ruleset, "OCS 3.1a")
		for _, w := range []struct {
			unit, want string
			face       Face
		}{{"x-1", c.leg, CombatFace}, {"x-1", c.track, MoveFace}, {"x-2", c.truck, CombatFace}} {
			u := g.unit(w.unit)
			g.p.units[u].face = w.face
			got := "never"
			if d, ok := g.p.dirOf(g.place(c.from), g.place(c.to)); ok {
				switch n := g.p.walk(Blue).cost(u, g.place(c.from).Hex(), d); n {
				case costNever:
				case costAll:
					got = "all"
				default:
					got = formatCost(n)
				}
			}
			if got != w.want {
				t.Errorf("%s to %s in %s, %v MP: %s, want %s", c.from, c.to, c.weather, g.p.shown(u).MP, got, w.want)
			}
		}
	}
}

// Features of one hexside (OCS 6.2d, EX-6.2d-1).
func TestHexsides(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.2d")
	sc := shipped(t, "proving-ground")
	bits := func(ids ...string) (set uint32) {
		for _, id := range ids {
			for i := range sc.Features {
				if sc.Features[i].ID == id {
					set |= 1 << i
				}
			}
		}
		return set
	}
	for _, c := range []struct {
		features []string
		want     Cost
	}{
		{[]string{"lake", "coast"}, 0},                // land crosses: no water is paid
		{[]string{"minor_river", "coast"}, 3 * oneMP}, // a river covers the land
		{[]string{"lake", "minor_river"}, 3 * oneMP},  // the cheaper of two waters
		{[]string{"lake"}, costNever},
		{nil, 0},
	} {
		if got := sideCost(sc, byRoad, 0, Truck, bits(c.features...)); got != c.want {
			t.Errorf("%v: %d, want %d", c.features, got, c.want)
		}
	}
}

// What can't be gone back can't be gone (OCS 6.1d, EX-6.1d-1): trucks that came up the mountain by the track leave it
// by the track only.
func TestReversible(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.1d", "OCS 6.2c", "OCS 6.1")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-9truck 2-4-9truck",
		"x-2 blue regiment other infantry 5-4-9leg 2-4-9leg").
		put("11.15", "x-1/fuel=lasting x-2").put("12.14", "truck-blue/points_t=4").segment(SegMovement, Blue)
	g.refused("OCS 6.1d", "move truck-blue.1 13.14") // hills, but the way back leads into a mountain
	g.refused("OCS 6.2c", "move x-1 10.15")
	g.refused("OCS 6.1", "move x-1 09.14")
	g.do("move x-1 10.14")
	g.do("move x-2 10.15")
}

// Different roads of a hex are connected (OCS 6.2a, EX-6.2a-1): in by railway, out by road.
func TestRoadsMeet(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.2a", "OCS 6.1a")
	g := onGround(t).put("07.07", "truck-blue/points_t=4").weather("mud").segment(SegMovement, Blue)
	g.do("move truck-blue.1 08.06>09.07")
	g.want("spent truck-blue.1", "2 1/2")
}

// An engineer next to a river makes it easier for what enters or leaves its hex (OCS 13.8b), and trainbusting makes
// every step dearer by a MP (OCS 14.8c).
func TestBridgingAndTrainbusting(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 6.2b", "OCS 5.5b", "OCS 5.10e")
	units := []string{"x-e blue battalion other engineer 2-3-3leg 1-3-8leg engineer",
		"x-1 blue regiment other infantry 5-4-8leg 2-4-8leg",
		"x-2 blue battalion armor armor 5-4-9track 2-4-18track"}
	g := onGround(t, units...).put("10.08", "x-e x-1 x-2/fuel=lasting").segment(SegMovement, Blue)
	g.do("move x-1 11.08") // open, and a minor river instead of a major one
	g.do("move x-2 11.09")
	g.want("spent x-1", "2", "spent x-2", "3")
	g = onGround(t, units...).put("10.08", "x-e/move x-1 x-2/fuel=lasting").segment(SegMovement, Blue)
	g.refused("OCS 6.2c", "move x-2 11.09")
	g.do("move x-1 11.08")
	g.want("spent x-1", "8") // the whole allowance
	g = onGround(t, units...).put("10.08", "x-e/dg x-1").segment(SegMovement, Blue)
	g.do("move x-1 11.08")
	g.want("spent x-1", "2")
	g = onGround(t, units...).put("10.08", "x-e x-1").segment(SegMovement, Blue)
	g.do("mode x-e marker=none face=move")
	g.do("move x-e 11.08") // it leaves its own hex by its own bridge
	g.want("spent x-e", "2")
	g = onGround(t, units...).put("09.02", "x-1 x-2/fuel=lasting").hex("09.04", "trainbusting=red").
		hex("09.03", "trainbusting=blue").segment(SegMovement, Blue)
	g.do("move x-1 09.03>09.04")
	g.want("spent x-1", "3") // Leg in the marked hex only
	g.do("move x-2 09.03>09.04")
	g.want("spent x-2", "4") // others also next to it
}

// Equivalents (OCS 4.6).
func TestREs(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.6", "OCS 4.6-1", "OCS 4.6-2", "OCS 4.6-3", "OCS 4.6-4")
	g :=
		onGround(t, "x-1 blue division other infantry 5-4-3leg 2-4-8leg re=4 steps=4",
			"x-2 blue battalion other infantry 5-4-3leg 2-4-8leg",
			"x-3 blue company other infantry 5-4-3leg 2-4-8leg", "x-4 blue brigade other infantry 5-4-3leg 2-4-8leg",
			"x-5 blue corps other infantry 5-4-3leg 2-4-8leg").
			put("09.02", "x-1/lost=1 x-2 x-3 x-4 x-5 pax-blue")
	for id, want := range map[string]string{"x-1": "3", "x-2": "1/2", "x-3": "1/4", "x-4": "1", "x-5": "1",
		"pax-blue.1": "1/4"} {
		if got := formatRE(g.p.re(g.unit(id))); got != want {
			t.Errorf("%s is %s REs, want %s", id, got, want)
		}
	}
	if got := formatRE(g.p.stacked(Blue, g.place("09.02"))); got != "6" {
		t.Errorf("%s REs stack, want 6", got)
	}
}

// A hex that takes all MP of a unit takes no more in a trainbusting zone, and a refusal names no more (OCS 14.8c-i).
func TestTrainbustingWhereAllIsPaid(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.8c-i")
	said := map[string]string{}
	for _, mark := range []string{"trainbusting=", "trainbusting=red"} {
		g := onGround(t, "x-1 blue regiment other infantry 9-4-8leg 2-4-8leg",
			"x-2 blue regiment other infantry 9-4-8leg 2-4-8leg").put("10.10", "x-1").put("09.10", "x-2").
			hex("11.10", mark).segment(SegMovement, Blue)
		g.do("move x-1 11.10")
		g.want("place x-1", "11.10", "spent x-1", "8")
		g.do("move x-2 10.10")
		said[mark] = explain(g.refused("OCS 6.1b", "move x-2 11.10"))
	}
	if said["trainbusting="] != said["trainbusting=red"] {
		t.Errorf("refused as %q", said)
	}
}
