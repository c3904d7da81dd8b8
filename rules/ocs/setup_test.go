package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Every unit of a set-up stands where the document says, at full strength unless it says otherwise, unfuelled, and the
// side that sets up first is asked.
func TestSetUp(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-IV", "OCS Intro-IV-G", "OCS 3.6e", "OCS 12.1d")
	g := begun(t, "proving-ground")
	if g.asked() != Red || g.fact("asks") != "set-up" {
		t.Errorf("%s is asked for %v", seatID(g.asked()), g.fact("asks"))
	}
	g.want("place bl-2-mtn", "09.13", "lost bl-2-mtn", 0, "fuel bl-31-tk", "none", "lost bl-1-inf", 1,
		"lost rd-3-inf", 2, "mode rd-8-pen", "dg",
		"mode bl-36-asg", "reserve", "mode bl-21-pol", "strat", "stocks bl-37-rtk", "low", "stocks rd-4-cav",
		"exhausted",
		"mark rd-11-adh out-of-supply", true, "mark bl-31-tk had-zoc", true, "load bl-3-trk", 12,
		"points truck-blue.1", 20, "load truck-blue.1", 8,
		"ground 05.07 blue", 43, "hits 05.07", 1, "base 05.12", 2, "base 08.09", 9, "hedgehog 12.08", 3, "owner 12.08",
		"red", "owner 05.07", "blue",
		"place pax-blue.2", "07.07", "place eq-blue.1", "07.07", "place bl-brk.1", "09.07", "place bl-4-abn",
		"blue-base", "place bl-5-mar", "waiting",
		"mark truck-blue.2 extender", true)
}

// Ids of hexes are column and row, columns from the west and rows from the south; even columns lie half a hex further
// north (EX-I-1).
func TestHexNumbers(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-I-A")
	g := onGround(t)
	for at, around := range map[string][]string{ // order-free: each is its own case
		"10.07": {"10.08", "11.08", "11.07", "10.06", "09.07", "09.08"},
		"11.08": {"11.09", "12.08", "12.07", "11.07", "10.07", "10.08"},
	} {
		var got []string
		for _, n := range g.p.around(g.place(at).Hex()) {
			got = append(got, g.sc.Map.ID(n))
		}
		for i := range around {
			if i >= len(got) || got[i] != around[i] {
				t.Errorf("around %s are %v, want %v", at, got, around)
				break
			}
		}
	}
	if d := g.p.distance(g.place("05.05").Hex(), g.place("12.08").Hex()); d != 7 {
		t.Errorf("05.05 to 12.08 is %d hexes, want 7", d)
	}
}

// A box with a hex number is that hex; one without is an area of its own, of one side, without a stacking limit (OCS
// Intro-I-F).
func TestBoxes(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-I-F")
	sc := shipped(t, "crimea-campaign")
	if at, ok := sc.PlaceByID("sevastopol-display"); !ok || sc.PlaceID(at) != "14.05" {
		t.Errorf("the display of Sevastopol is %s", sc.PlaceID(at))
	}
	at, ok := sc.PlaceByID("kuban")
	if !ok || !at.inBox() || sc.Boxes[at-boxes].Seat != Red || !sc.Boxes[at-boxes].Supplies {
		t.Errorf("the Kuban is %+v", at)
	}
	doc := document(t, "crimea-campaign")
	doc.Setup = append(doc.Setup, &ocsv1.Stack{Seat: "blue", At: "kuban", DumpT: 4})
	if sc, _ := loadMessage(doc); sc != nil {
		t.Error("the enemy may be in a box")
	}
	g := onMap(t, "crimea-campaign")
	var units string
	for i := range g.sc.Fixed {
		if c := &g.sc.Counters[i]; c.Seat == Red && c.Division {
			units += " " + c.ID
		}
	}
	g.put("kuban", units).segment(SegMovement, Red).do("end")
	if g.p.segment == SegMovement || g.fact("frame") == "excess" {
		t.Error("a box has a stacking limit")
	}
}

// Counters carry what is printed, and what is not: HQs and artillery (OCS 13.1c, OCS 13.4b).
func TestCounters(t *testing.T) {
	t.Parallel()
	g := onGround(t).put("09.02", "bl-1-inf/lost=1 bl-corps bl-13-art bl-31-tk bl-36-asg pax-blue")
	rulestest.Proves(t, ruleset, "OCS 3.1c", "OCS 3.2", "OCS 3.2b", "OCS 3.2f", "OCS 4.6", "OCS 4.6-1")
	for id, want := range map[string]struct {
		re          int
		independent bool
		capable     bool
	}{ // order-free: each is its own case
		"bl-1-inf": {8, false, true}, "bl-corps": {4, true, false},
		"bl-31-tk": {g.p.re(g.unit("bl-31-tk")), false, true}, "pax-blue.1": {1, true, false},
	} {
		u := g.unit(id)
		if g.p.re(u) != want.re || g.p.independent(u) != want.independent || g.p.attackCapable(u) != want.capable {
			t.Errorf("%s has %s REs, independent %v, attack-capable %v",
				id, formatRE(g.p.re(u)), g.p.independent(u), g.p.attackCapable(u))
		}
	}
	rulestest.Proves(t, ruleset, "OCS 3.2d", "OCS 4.6-2", "OCS 4.6-3", "OCS 4.6-4")
	// order-free: each is its own case
	for size, want := range map[string]uint16{"company": 1, "battalion": 2, "regiment": 4, "brigade": 4, "corps": 4} {
		for i := range g.sc.Counters {
			if c := &g.sc.Counters[i]; c.Kind == CombatUnit && c.Size == size && c.RE != want {
				t.Errorf("%s, a %s, has %d quarters of a RE", c.ID, size, c.RE)
			}
		}
	}
	hq, art := g.p.counter(g.unit("bl-corps")), g.p.counter(g.unit("bl-13-art"))
	rulestest.Proves(t, ruleset, "OCS Intro-II-d", "OCS 13.1c")
	if f := hq.Faces[CombatFace]; f.Strength != 5 || !f.DefenceOnly || f.Rating != 0 ||
		hq.Faces[MoveFace].Strength != 1 || f.Throw == 0 {
		t.Errorf("an HQ has %+v", hq.Faces)
	}
	rulestest.Proves(t, ruleset, "OCS Intro-II-d", "OCS 13.4b")
	if f := art.Faces[MoveFace]; f.Strength != 1 || !f.DefenceOnly || f.Barrage == 0 || f.Range == 0 {
		t.Errorf("artillery has %+v", art.Faces)
	}
	rulestest.Proves(t, ruleset, "OCS Intro-II-e")
	g.put("09.02", "bl-3-trk truck-blue/points_t=8")
	organic, truck := g.p.counter(g.unit("bl-3-trk")), g.p.counter(g.unit("truck-blue.1"))
	if f := organic.Faces[MoveFace]; organic.Capacity == 0 || organic.Formation < 0 || f.MP != Truck ||
		f.Movement == 0 {
		t.Errorf("an organic truck is %+v", organic)
	}
	if f := truck.Faces[MoveFace]; truck.Formation >= 0 || truck.Transport < 0 || f.MP != Truck || f.Movement == 0 {
		t.Errorf("an ordinary truck is %+v", truck)
	}
}

// A unit that its owner has not set up otherwise may be given any voluntary mode at set-up (OCS Intro-IV-B).
func TestModesAtSetUp(t *testing.T) {
	t.Parallel()
	g := begun(t, "crimea-ishun")
	if g.asked() != Red {
		t.Fatalf("%s sets up first", seatID(g.asked()))
	}
	g.do("mode so-42-cd marker=reserve face=move")
	g.refusedTo(Blue, "OCS 2.1", "mode ge-73-id marker=none face=move")
	g.do("end")
	g.do("mode ge-54-ak marker=none face=move")
	g.do("end", 3)
	g.want("turn", 1, "mode so-42-cd", "reserve", "face so-42-cd", "move", "mode ge-54-ak", "move")
	if ask, seats := g.p.ask(); ask == AskNothing || seats != rules.SeatsOf(Blue) {
		t.Errorf("%d asks %b", ask, seats)
	}
}

// The board shows who will come, and not the counters of the map that have no part in the scenario.
func TestBoardShowsWhoIsDue(t *testing.T) {
	t.Parallel()
	g := begun(t, "crimea-ishun")
	var waiting []string
	for _, x := range g.p.Board(rules.SeatViewer(Blue), rules.English).Pieces {
		if x.Place == "waiting" {
			waiting = append(waiting, x.Id)
		}
	}
	if diff := cmp.Diff([]string{"ge-170-id"}, waiting); diff != "" {
		t.Error(diff)
	}
}
