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
// artillery attacks nothing by itself (DF 13.6-c). A beachhead shows what it supplies (DF 9.3-a), none that is cut off.
func TestRanges(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.2", "DF 12.4", "DF 13.1-c", "DF 13.6-c", "DF 9.3-a")
	for _, c := range []struct {
		seat  rules.Seat
		phase Phase
		unit  string
	}{{Japan, JapanActions, "J1"}, {US, USActions, "I/25"}} {
		g := onFlower(t, c.phase).put("C", c.unit)
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
		if !slices.Contains(all["attack"], g.sc.HexID(g.hex("N4"))) {
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
	if all := onFlower(t, SupplyCheck).rangesOf(rules.Ranged{Pieces: []string{"BH-I", "J1"}}); len(all) > 0 {
		t.Errorf("what is not on the map has ranges: %v", all)
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
	if all := g.rangesOf(rules.Ranged{Space: g.sc.HexID(g.hex("C"))}); all["attackers-japan"] != nil {
		t.Errorf("what can't move attacks its own hex: %v", all)
	}
	if all := g.rangesOf(rules.Ranged{Space: "nowhere"}); len(all) > 0 {
		t.Errorf("no hex is threatened: %v", all)
	}
}
