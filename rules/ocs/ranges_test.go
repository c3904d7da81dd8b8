package ocs

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// rangesOf are the hexes of each range that a viewer is told, by key.
func (g *table) rangesOf(v rules.Viewer, of rules.Ranged) map[string][]string {
	known, _ := g.p.Known(v)
	out := map[string][]string{}
	for _, l := range (referee{}).Ranges(known, v, of, rules.English) {
		out[l.GetKey()] = l.GetSpaces()
	}
	return out
}

// pieces asks for the ranges of pieces.
func pieces(ids ...string) rules.Ranged { return rules.Ranged{Pieces: ids} }

// ring are the hexes that are so many hexes away.
func (g *table) ring(at string, from, to int) (list []string) {
	for h := range g.sc.Hexes {
		if n := g.p.distance(g.place(at).Hex(), Hex(h)); n >= from && n <= to {
			list = append(list, g.sc.PlaceID(Place(h)))
		}
	}
	return list
}

// Guns of range 3 hit 1 to 3 hexes away, whatever lies there (OCS 10.1a), in no Reserve or Strat mode (OCS 13.4a); of
// either side and at any time.
func TestRangeOfGuns(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.1a", "OCS 13.4a")
	const gun = "y-gun red regiment other artillery 2-3-3leg/b20r3 1-3-8leg/b5r3 artillery"
	for _, seg := range []Segment{SegMovement, SegReactionMove} {
		g := onGround(t, gun).put("09.07", "y-gun").segment(seg, Blue)
		got := g.rangesOf(rules.SeatViewer(Blue), pieces("y-gun"))["fire"]
		if diff := cmp.Diff(g.ring("09.07", 1, 3), got); diff != "" {
			t.Errorf("guns (-want +got)\n%s", diff)
		}
		for _, mode := range []string{"reserve", "strat"} {
			g.put("09.07", "y-gun/"+mode)
			if all, ok := g.rangesOf(rules.Spectator, pieces("y-gun"))["fire"]; ok {
				t.Errorf("guns in %s hit %v", mode, all)
			}
		}
	}
}

// A unit moves with the MP of either face (OCS 5.5, OCS 5.6), with half of them under a DG marker (OCS 5.10b), a
// quarter in Reserve (OCS 5.7a) and twice as many in Strat mode (OCS 5.8), as far as its list of moves says where it is
// its turn. What it attacks is beside that (OCS 9.1).
func TestRangeOfMarches(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 5.5", "OCS 5.6", "OCS 5.10b", "OCS 5.7a", "OCS 5.8", "OCS 9.1")
	const at = "13.10"
	set := func(mode, combat, move string, phasing rules.Seat) *table {
		return onGround(t, "x-1 blue regiment other infantry 5-4-"+combat+"leg 2-4-"+move+"leg").
			put(at, "x-1"+mode).segment(SegMovement, phasing)
	}
	ranges := func(mode, combat, move string) map[string][]string {
		return set(mode, combat, move, Red).rangesOf(rules.SeatViewer(Red), pieces("x-1"))
	}
	plain := ranges("", "3", "6")
	for face, mode := range map[string]string{"move-combat": "", "move-move": "/move"} {
		g := set(mode, "3", "6", Blue)
		listed := []string{at}
		g.p.Legal(Blue, rules.Filter{Kind: "move"}, func(c Command) bool {
			if to := c.Path[len(c.Path)-1]; to.Hex() != NoHex {
				listed = append(listed, g.sc.PlaceID(to))
			}
			return true
		})
		got := slices.Clone(plain[face])
		slices.Sort(got)
		slices.Sort(listed)
		if diff := cmp.Diff(slices.Compact(listed), got); diff != "" {
			t.Errorf("%s (-listed +range)\n%s", face, diff)
		}
	}
	if n, m := len(plain["move-combat"]), len(plain["move-move"]); n < 10 || m <= n || len(plain["attack"]) <= m {
		t.Errorf("3 MP reach %d hexes, 6 reach %d, and %d are attacked", n, m, len(plain["attack"]))
	}
	for mode, as := range map[string]map[string][]string{
		"/dg":      ranges("", "3", "4"),
		"/reserve": ranges("", "1", "2"),
		"/strat":   ranges("", "3", "12"),
	} {
		got, want := ranges(mode, "6", "6")["move"], as["move-combat"]
		if mode == "/reserve" {
			got = ranges(mode, "4", "6")["move"]
		}
		if mode == "/strat" { // which attacks nothing, so that bases of the enemy are closed to it (OCS 4.4c)
			g := set(mode, "6", "6", Red)
			want = slices.DeleteFunc(as["move-move"], func(id string) bool { return g.p.anything(Red, g.place(id)) })
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", mode, diff)
		}
	}
}

// Air units fly missions within their range (OCS 14.2d), half of it in limited flight, and transfer to bases of their
// side within twice as much (OCS 14.11).
func TestRangeOfFlights(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.2d", "OCS 14.11")
	g := inSkies(t, []string{"b-f blue fighter 4/3 2/1 4"}).put("05.05", "b-f").hex("05.05", "air_base=1").
		hex("11.05", "air_base=2 owner=blue").hex("15.05", "air_base=2 owner=blue").
		hex("07.05", "air_base=1 owner=red").segment(SegMovement, Red)
	for flight, n := range map[uint8]int{fullFlight: 4, limitedFlight: 2} {
		g.p.flight = flight
		all := g.rangesOf(rules.SeatViewer(Red), pieces("b-f"))
		if diff := cmp.Diff(g.ring("05.05", 0, n), all["fly"]); diff != "" {
			t.Errorf("flight %d (-want +got)\n%s", flight, diff)
		}
		want := []string{"11.05"}
		if flight == limitedFlight {
			want = nil
		}
		if diff := cmp.Diff(want, all["transfer"]); diff != "" {
			t.Errorf("bases in flight %d (-want +got)\n%s", flight, diff)
		}
	}
	g.p.flight = noFlight
	if all := g.rangesOf(rules.SeatViewer(Blue), pieces("b-f")); len(all) > 0 {
		t.Errorf("in no flight: %v", all)
	}
}

// A ship sails where the list of its moves ends, whoever asks (OCS 18.1c, OCS 18.1e), and fires 1 to 3 hexes (OCS
// 18.3a).
func TestRangeOfShips(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.1c", "OCS 18.1e", "OCS 18.3a")
	g := atSea(t, []string{cruiser, raiders}, nil).put("03.07", "b-ca").put("01.10", "r-dd").segment(SegMovement, Blue)
	want := map[string]bool{"03.07": true}
	for at := range g.reach("03.07", []string{"b-ca"}, true) {
		if g.place(at).Hex() != NoHex {
			want[at] = true
		}
	}
	all := g.rangesOf(rules.SeatViewer(Red), pieces("b-ca"))
	got := map[string]bool{}
	for _, at := range all["sail"] {
		got[at] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("it sails (-want +got)\n%s", diff)
	}
	n := g.p.ship(g.unit("b-ca")).Range
	if diff := cmp.Diff(g.ring("03.07", 1, n), all["fire"]); diff != "" {
		t.Errorf("it fires (-want +got)\n%s", diff)
	}
}

// An HQ throws as far as the face says that is up (OCS 12.3b), in Strat mode nowhere (OCS 12.3b-A); a dump supplies
// those within 5 Truck MP and a hex (OCS 12.3a, OCS 12.3c).
func TestRangeOfSupply(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.3a", "OCS 12.3b", "OCS 12.3b-A")
	g := onGround(t).put("07.07", "bl-corps").dump("13.10", Red, 8).segment(SegMovement, Red)
	throw := func() []string { return g.rangesOf(rules.SeatViewer(Red), pieces("bl-corps"))["throw"] }
	combat, hq := throw(), g.unit("bl-corps")
	s := g.p.survey(Blue)
	for _, id := range combat {
		if !s.thrown(hq).has(g.place(id).Hex()) {
			t.Errorf("it throws to %s", id)
		}
	}
	g.put("07.07", "bl-corps/move")
	if n := len(throw()); n == 0 || n >= len(combat) {
		t.Errorf("the Move face throws to %d hexes, the Combat face to %d", n, len(combat))
	}
	g.put("07.07", "bl-corps/strat")
	if throw() != nil {
		t.Error("it throws in Strat mode")
	}
	seen := g.rangesOf(rules.SeatViewer(Blue), pieces("dump-red@13.10"))["draw"]
	if !slices.Contains(seen, "13.10") || !slices.Contains(seen, "13.12") || slices.Contains(seen, "02.02") {
		t.Errorf("a dump supplies %v", seen)
	}
	for _, id := range []string{"dump-blue@13.10", "dump-red@13.09", "dump-red@", "dump-red@99.99"} {
		if all := g.rangesOf(rules.Spectator, pieces(id)); len(all) > 0 {
			t.Errorf("%s has ranges %v", id, all)
		}
	}
}

// toldRanges are the ranges that a game tells a viewer, by key: as rangesOf, but the game knows all.
func (g *table) toldRanges(v rules.Viewer, of rules.Ranged) map[string][]string {
	g.t.Helper()
	game, err := ruleset.ParsePosition(g.sc, g.p.format())
	if err != nil {
		g.t.Fatal(err)
	}
	out := map[string][]string{}
	for _, l := range game.Ranges(v, of, rules.English) {
		out[l.GetKey()] = l.GetSpaces()
	}
	return out
}

// Of a hex those are told that could attack and barrage it, as far as the viewer sees them; of hidden units nothing
// (OCS 4.9a).
func TestRangesShowWhatIsSeen(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a")
	const fast, gun = " red regiment other infantry 5-4-12leg 2-4-12leg",
		"y-gun red regiment other artillery 2-3-3leg/b20r3 1-3-8leg/b5r3 artillery"
	g := onGround(t, "y-1"+fast, gun).put("13.10", "rd-3-inf").segment(SegMovement, Blue)
	of := rules.Ranged{Pieces: []string{"y-1", "y-gun", "none", "b-1.7"}, Space: "13.12"}
	before := g.toldRanges(rules.SeatViewer(Blue), of)
	if diff := cmp.Diff([]string{"13.10"}, before["attackers-red"]); diff != "" {
		t.Errorf("attackers (-want +got)\n%s", diff)
	}
	g.put("13.10", "y-1 rd-3-inf y-gun").put("13.10", "rd-3-inf")
	if top := g.p.topOf(Red, g.place("13.10")); top == g.unit("y-1") || top == g.unit("y-gun") {
		t.Fatalf("%s is on top", g.p.id(top))
	}
	if diff := cmp.Diff(before, g.toldRanges(rules.SeatViewer(Blue), of)); diff != "" {
		t.Errorf("what lies hidden shows\n%s", diff)
	}
	if all := g.toldRanges(rules.SeatViewer(Blue), pieces(of.Pieces...)); len(all) > 0 {
		t.Errorf("what lies hidden has ranges %v", all)
	}
	own := g.toldRanges(rules.SeatViewer(Red), of)
	if len(own["move-combat"]) == 0 || !slices.Contains(own["fire"], "13.12") ||
		!slices.Contains(own["guns-red"], "13.10") {
		t.Errorf("its owner is told %v", own)
	}
}

// Moves and barrages that are listed lie within the ranges, in games of random commands.
func TestRangesHoldWhatIsListed(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	random(t, "crimea-ishun", 11, 100, func(g *table) {
		seat := g.asked()
		known := map[string]map[string][]string{}
		g.p.yields(seat, rules.Filter{}, func(c Command) bool {
			var u Unit
			var to Place
			var keys []string
			switch {
			case c.Kind == KindMove && len(c.Units) == 1:
				u, to, keys = c.Units[0], c.Path[len(c.Path)-1], []string{"move", "move-combat", "move-move"}
			case c.Kind == KindBarrage && len(c.Units) == 1:
				u, to, keys = c.Units[0], c.At, []string{"fire"}
			default:
				return true
			}
			id := g.p.id(u)
			if known[id] == nil {
				known[id] = g.rangesOf(rules.SeatViewer(seat), pieces(id))
			}
			in := slices.ContainsFunc(keys, func(key string) bool {
				return slices.Contains(known[id][key], g.sc.PlaceID(to))
			})
			if seen[keys[0]]++; !in && to.Hex() != NoHex {
				t.Errorf("%s in %s lies outside %v", g.p.formatCommand(c), segments[g.p.segment].id, keys)
			}
			return true
		})
	})
	if !testing.Short() && (seen["move"] == 0 || seen["fire"] == 0) {
		t.Errorf("too little was listed: %v", seen)
	}
}
