package anniversary

import (
	"slices"
	"strings"
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

// westward is a small position: Germans and Italians with a transport of each in the Baltic, a British destroyer off
// Britain, and American fighters over a contested zone.
func westward(t testing.TB) *table {
	t.Helper()
	g := on1941(t).put("germany", Germany, "infantry antiaircraft-gun tank bomber fighter").
		put("5", Germany, "transport").put("5", Italy, "transport").put("norway", Italy, "infantry").
		put("poland", Germany, "artillery").put("united-kingdom", UnitedKingdom, "infantry").
		put("6", UnitedKingdom, "destroyer").put("62", UnitedStates, "aircraft-carrier 2 fighter").
		put("62", Japan, "destroyer").put("manchuria", Japan, "infantry").turn(Germany, PhaseMove)
	karelia := g.sc.SpaceByID("karelia-ssr")
	g.p.complexes.Add(karelia)
	g.p.startComplex.Add(karelia)
	return g
}

// Each stack attacks what its own combat moves lead to: on foot, aboard a transport of its power, as bombers that raid
// (AA 8.9.1), as fighters over a contested zone (AA 9.5.2). Antiaircraft guns attack nothing. With paratroopers bombers
// carry infantry of their territory (AA 6.3.7).
func TestRangesOfAttack(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.1", "AA 9.5.2", "AA 8.9.1", "AA 6.3.7")
	const afloat, flown = "baltic-states karelia-ssr united-kingdom",
		"archangel baltic-states caucasus east-poland egypt gibraltar karelia-ssr trans-jordan ukraine united-kingdom"
	for _, c := range []struct{ id, attacks, dropped string }{
		{"germany/germany/infantry", afloat, flown},
		{"germany/germany/tank", "baltic-states east-poland karelia-ssr united-kingdom", ""},
		{"germany/germany/antiaircraft-gun", "", ""},
		{"germany/germany/fighter", "sz-6", ""},
		{"germany/germany/bomber", "caucasus karelia-ssr united-kingdom sz-6", flown + " sz-6"},
		{"poland/germany/artillery", "baltic-states east-poland karelia-ssr united-kingdom", ""},
		{"norway/italy/infantry", afloat, ""},
		{"sz-5/germany/transport", afloat + " sz-6", ""},
		{"sz-6/united-kingdom/destroyer", "sz-5", ""},
		{"sz-62/united-states/fighter", "manchuria sz-62", ""},
		{"sz-62/united-states/aircraft-carrier", "", ""},
	} {
		for _, drops := range []bool{false, true} {
			g, want := westward(t), c.attacks
			if drops {
				g.p.tech[Germany.Seat()] |= 1 << scenario.Paratroopers
				if c.dropped != "" {
					want = c.dropped
				}
			}
			all := rangesOf(g.p, rules.Ranged{Pieces: []string{c.id}})
			if diff := cmp.Diff(want, strings.Join(all["attack"], " ")); diff != "" {
				t.Errorf("%s, with paratroopers %t (-want +got)\n%s", c.id, drops, diff)
			}
		}
	}
	const one, two, far = "germany/germany/infantry", "poland/germany/artillery", "northwestern-europe"
	both := rangesOf(westward(t).p, rules.Ranged{Pieces: []string{one, two}})
	diff := cmp.Diff("baltic-states east-poland karelia-ssr united-kingdom", strings.Join(both["attack"], " "))
	if diff != "" || !slices.Contains(both["move"], far) {
		t.Errorf("of two stacks %v", both)
	}
	if moves := rangesOf(westward(t).p, rules.Ranged{Pieces: []string{two}})["move"]; slices.Contains(moves, far) {
		t.Errorf("artillery in Poland moves to %v", moves)
	}
}

// A space is attacked from where the units stand that would attack it: land units aboard and the transport that brings
// them, fighters from over the space itself (AA 9.5.2).
func TestThreatsToASpace(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.1", "AA 9.5.2")
	for space, want := range map[string]map[string]string{
		"united-kingdom": {"attackers-germany": "germany poland sz-5", "attackers-italy": "norway sz-5"},
		"caucasus":       {"attackers-germany": "germany"},
		"east-poland":    {"attackers-germany": "germany poland"},
		"sz-6":           {"attackers-germany": "germany sz-5", "attackers-italy": "sz-5"},
		"sz-5":           {"attackers-united-kingdom": "sz-6"},
		"sz-62":          {"attackers-united-states": "sz-62"},
		"manchuria":      {"attackers-united-states": "sz-62"},
		"germany":        {},
		"kiangsu":        {},
	} {
		got := map[string]string{}
		for key, from := range rangesOf(westward(t).p, rules.Ranged{Space: space}) {
			got[key] = strings.Join(from, " ")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", space, diff)
		}
	}
}
