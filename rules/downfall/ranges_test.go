package downfall

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// rangesOf are the hexes of each range as everyone is told of them, by key.
func (g *table) rangesOf(of rules.Ranged) map[string][]string {
	known, _ := g.p.Known(rules.Spectator)
	out := map[string][]string{}
	for _, l := range (referee{}).Ranges(known, rules.Spectator, of, rules.English) {
		out[l.GetKey()] = l.GetSpaces()
	}
	return out
}

// A unit moves as far as the list of moves says on its turn, whoever asks and whenever (DF 12.2, DF 12.4). Corps
// artillery attacks nothing by itself (DF 13.6-c), and enters where three other units stand, though no second one does
// (DF 10.1, DF 10.4). A beachhead shows what it supplies (DF 9.3-a), none that is cut off.
func TestRanges(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.2", "DF 12.4", "DF 13.1-c", "DF 13.6-c", "DF 9.3-a")
	rulestest.Proves(t, downfall, "DF 10.1", "DF 10.4")
	for _, c := range []struct {
		seat  rules.Seat
		phase Phase
		unit  string
		mf    uint8
		crowd []string // in N4
		enter bool     // whether the unit moves to N4
	}{
		{Japan, JapanActions, "J1", 3, nil, true}, {Japan, JapanActions, "J1", 1, nil, true},
		{Japan, JapanActions, "J1", 3, []string{"J2", "J3", "B1"}, false}, {US, USActions, "I/25", 3, nil, true},
		{US, USActions, "I/25", 3, []string{"I/33", "V/2", "V/3"}, false},
		{US, USActions, "I/art", 3, []string{"I/33", "V/2", "V/3"}, true},
		{US, USActions, "I/art", 3, []string{"V/art"}, false},
	} {
		g := onFlower(t, c.phase).put("C", c.unit).put("N4", c.crowd...)
		g.p.jpMF = c.mf
		u, _ := g.sc.UnitByID(c.unit)
		var listed []string
		g.p.Legal(c.seat, rules.Filter{Kind: "move"}, func(m Command) bool {
			if m.Unit == u && !slices.Contains(listed, g.sc.HexID(m.Hex)) {
				listed = append(listed, g.sc.HexID(m.Hex))
			}
			return true
		})
		slices.Sort(listed)
		all := g.rangesOf(rules.Ranged{Pieces: []string{c.unit}})
		slices.Sort(all["move"])
		if diff := cmp.Diff(listed, all["move"]); diff != "" || len(listed) == 0 {
			t.Errorf("%s moves (-listed +range)\n%s", c.unit, diff)
		}
		if slices.Contains(all["move"], g.sc.HexID(g.hex("N4"))) != c.enter {
			t.Errorf("%s enters the hex of %v: %t", c.unit, c.crowd, !c.enter)
		}
		if c.unit != "I/art" && !slices.Contains(all["attack"], g.sc.HexID(g.hex("N4"))) {
			t.Errorf("%s attacks %v", c.unit, all["attack"])
		}
	}
	g := onFlower(t, USActions).put("C", "I/art", "J1")
	if all := g.rangesOf(rules.Ranged{Pieces: []string{"I/art", "none"}}); all["attack"] != nil {
		t.Errorf("artillery attacks %v", all["attack"])
	}
	g = onFlower(t, SupplyCheck).put("K4", "BH-I", "I/33").put("K5", "B1")
	all := g.rangesOf(rules.Ranged{Pieces: []string{"BH-I"}})
	if !slices.Contains(all["supply"], g.sc.HexID(g.hex("K4"))) {
		t.Errorf("the beachhead supplies %v", all)
	}
	if all := g.rangesOf(rules.Ranged{Pieces: []string{"none", "BH-XI"}}); len(all) > 0 {
		t.Errorf("what is not there has ranges: %v", all)
	}
	g = onFlower(t, SupplyCheck).put("K4", "BH-I").put("N4", "J1")
	if g.p.sides[Japan].zone.Add(g.hex("K4")); len(g.rangesOf(rules.Ranged{Pieces: []string{"BH-I"}})) > 0 {
		t.Error("a beachhead in ZOC supplies hexes")
	}
	if all := onFlower(t, SupplyCheck).rangesOf(rules.Ranged{Pieces: []string{"BH-I", "J1"}}); len(all) > 0 {
		t.Errorf("what is not on the map has ranges: %v", all)
	}
}

// The range of several units is what any of them reaches.
func TestRangesOfSeveral(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.2")
	g := onFlower(t, JapanActions).put("K1", "J1").put("K4", "J2")
	g.p.jpMF = 1
	one, two := g.rangesOf(rules.Ranged{Pieces: []string{"J1"}}), g.rangesOf(rules.Ranged{Pieces: []string{"J2"}})
	for key, got := range g.rangesOf(rules.Ranged{Pieces: []string{"J1", "J2"}}) {
		want := slices.Concat(one[key], two[key])
		slices.Sort(want)
		want = slices.Compact(want)
		if slices.Sort(got); !slices.Equal(got, want) || len(want) <= max(len(one[key]), len(two[key])) {
			t.Errorf("%s: %v of both, %v and %v of each", key, got, one[key], two[key])
		}
	}
}

// Of a hex those are told that could attack it after a move.
func TestThreatsToAHex(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.1-c", "DF 12.2")
	g := onFlower(t, USActions).put("C", "J1")
	want := []string{g.sc.HexID(g.hex("C"))}
	all := g.rangesOf(rules.Ranged{Space: g.sc.HexID(g.hex("N4"))})
	if diff := cmp.Diff(map[string][]string{"attackers-japan": want, "attackers-us": nil}, all); diff != "" {
		t.Errorf("N4 (-want +got)\n%s", diff)
	}
	g.p.jpMF = 0
	both := g.put("K1", "J2").rangesOf(rules.Ranged{Space: g.sc.HexID(g.hex("N4"))}) // J2 is too far
	if diff := cmp.Diff(want, both["attackers-japan"]); diff != "" {
		t.Errorf("N4 without MF (-want +got)\n%s", diff)
	}
	if all := g.rangesOf(rules.Ranged{Space: g.sc.HexID(g.hex("C"))}); all["attackers-japan"] != nil {
		t.Errorf("what can't move attacks its own hex: %v", all)
	}
	if all := g.rangesOf(rules.Ranged{Space: "nowhere"}); len(all) > 0 {
		t.Errorf("no hex is threatened: %v", all)
	}
}
