package anniversary

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// rangesOf are the spaces of each range as everyone is told of them, by key.
func rangesOf(p *Position, of rules.Ranged) map[string][]string {
	known, _ := p.Known(rules.Spectator)
	out := map[string][]string{}
	for _, l := range (referee{}).Ranges(known, rules.Spectator, of, rules.English) {
		out[l.GetKey()] = l.GetSpaces()
	}
	return out
}

// What all stacks of a power attack together is the layer of what it threatens; from where a space is attacked fits it.
func TestRangesAreThoseOfThreats(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.1", "AA 4.2.6")
	p := (referee{}).New(shippedScenario(t, "1941"), rules.Options{})
	known, _ := p.Known(rules.Spectator)
	layers := (referee{}).Layers(known, rules.Spectator, rules.English)
	sums := [NumPowers]SpaceSet{}
	for s := range Space(p.sc.Len()) {
		for _, id := range p.piecesAt(s, func(Key) bool { return true }) {
			g, _ := p.stackByID(id)
			for _, to := range rangesOf(p, rules.Ranged{Pieces: []string{id}})["attack"] {
				sums[g.Power()].Add(p.sc.SpaceByID(to))
			}
		}
	}
	for w := range NumPowers {
		var got []string
		for s := range sums[w].Each {
			got = append(got, p.sc.SpaceID(s))
		}
		if diff := cmp.Diff(layers[w].GetSpaces(), got); diff != "" {
			t.Errorf("%s (-threatened +attacked)\n%s", scenario.PowerIDs[w], diff)
		}
	}
	for s := range Space(p.sc.Len()) {
		all := rangesOf(p, rules.Ranged{Space: p.sc.SpaceID(s)})
		for w := range NumPowers {
			from := all["attackers-"+scenario.PowerIDs[w]]
			if want := sums[w].Has(s); want != (len(from) > 0) {
				t.Errorf("%s attacks %s from %v", scenario.PowerIDs[w], p.sc.SpaceID(s), from)
			}
		}
	}
}

// Aircraft fly as far as their movement (AA 8.1.6): fighters 4, bombers 6, with long-range aircraft 6 and 8 (AA 6.4.6),
// and stop for nothing (AA 8.3.2, AA 8.3.3). Land units walk through friendly territories (AA 12.2.1).
func TestRangesOfMovement(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.4.6", "AA 8.3.2", "AA 8.3.3", "AA 12.2.1")
	p := (referee{}).New(shippedScenario(t, "1941"), rules.Options{})
	germany := p.sc.SpaceByID("germany")
	farthest := func(id string) (most int) {
		t.Helper()
		all := rangesOf(p, rules.Ranged{Pieces: []string{id}})["fly"]
		for s := range Space(p.sc.Len()) {
			n := p.flight(Germany, germany, s)
			if n > 0 && n < 99 && slices.Contains(all, p.sc.SpaceID(s)) {
				most = max(most, n)
			}
		}
		return most
	}
	if f, b := farthest("germany/germany/fighter"), farthest("germany/germany/bomber"); f != 4 || b != 6 {
		t.Errorf("a fighter flies %d, a bomber %d", f, b)
	}
	p.tech[Germany.Seat()] |= 1 << scenario.LongRangeAircraft
	if f, b := farthest("germany/germany/fighter"), farthest("germany/germany/bomber"); f != 6 || b != 8 {
		t.Errorf("of long range a fighter flies %d, a bomber %d", f, b)
	}
	all := rangesOf(p, rules.Ranged{Pieces: []string{"germany/germany/infantry"}})
	if !slices.Contains(all["move"], "poland") || slices.Contains(all["move"], "east-poland") {
		t.Errorf("infantry moves to %v", all["move"])
	}
	for _, id := range []string{"", "germany/germany", "germany/germany/infantry#9", "germany/complex"} {
		if all := rangesOf(p, rules.Ranged{Pieces: []string{id}, Space: "nowhere"}); len(all) > 0 {
			t.Errorf("%q has ranges: %v", id, all)
		}
	}
}
