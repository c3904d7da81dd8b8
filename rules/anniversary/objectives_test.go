package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestObjectivesOfGermany(t *testing.T) { // EX-299, EX-302
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.3.1", "AA 14.3.2", "AA 14.3.3", "AA 14.2.3")
	bonus := func(g *table, want int) {
		t.Helper()
		if got := g.collected(Germany); got != want {
			t.Errorf("a bonus of %d, want %d", got, want)
		}
	}
	bonus(on1941(t), 5)
	bonus(on1941(t).hold(Italy, "france", "poland"), 5) // control by an ally counts
	for _, one := range []string{"france", "northwestern-europe", "czechoslovakia-hungary", "bulgaria-romania",
		"poland"} {
		bonus(on1941(t).hold(UnitedKingdom, one), 0)
	}
	// the second, not the first
	bonus(on1941(t).hold(UnitedKingdom, "france").hold(Italy, "ukraine").hold(Germany, "east-poland", "belorussia"), 5)
	bonus(on1941(t).hold(UnitedKingdom, "france").hold(Germany, "east-poland", "belorussia"), 0)
	bonus(on1941(t).hold(UnitedKingdom, "france").hold(Germany, "baltic-states", "east-poland", "ukraine",
		"eastern-ukraine", "belorussia"), 5)
	bonus(on1941(t).hold(UnitedKingdom, "france").hold(Italy, "karelia-ssr"), 5)
	bonus(on1941(t).hold(UnitedKingdom, "france").hold(Germany, "karelia-ssr", "caucasus"), 5)
}

func TestObjectivesOfJapan(t *testing.T) { // EX-292, EX-300
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.3.4", "AA 14.3.5", "AA 14.3.6")
	bonus := func(g *table, want int) {
		t.Helper()
		if got := g.collected(Japan); got != want {
			t.Errorf("a bonus of %d, want %d", got, want)
		}
	}
	bonus(on1942(t), 10)
	bonus(on1941(t), 5)
	bonus(on1941(t).hold(China, "manchuria"), 0)
	bonus(on1941(t).hold(Japan, "india"), 10)
	bonus(on1941(t).hold(China, "kiangsu").hold(Japan, "india", "australia"), 5)
	bonus(on1941(t).hold(China, "kiangsu").hold(Japan, "kwangtung", "east-indies", "borneo"), 0)
	bonus(on1941(t).hold(China, "kiangsu").hold(Japan, "kwangtung", "east-indies", "borneo", "solomon-islands"), 5)
}

func TestObjectivesOfItaly(t *testing.T) { // EX-289, EX-298
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.3.10", "AA 14.3.11")
	bonus := func(g *table, want int) {
		t.Helper()
		if got := g.collected(Italy); got != want {
			t.Errorf("a bonus of %d, want %d", got, want)
		}
	}
	bonus(on1941(t).put("14", UnitedKingdom, "submarine transport"), 5)
	for _, zone := range []string{"13", "14", "15"} {
		bonus(on1941(t).put(zone, UnitedKingdom, "destroyer"), 0)
	}
	bonus(on1941(t).put("12", UnitedKingdom, "destroyer").put("13", Germany, "cruiser"), 5)
	bonus(on1941(t).hold(UnitedKingdom, "libya"), 0)
	bonus(on1941(t).hold(UnitedKingdom, "libya").hold(Italy, "egypt"), 0) // two of four with France
	bonus(on1941(t).hold(UnitedKingdom, "libya").hold(Italy, "egypt").hold(Germany, "trans-jordan"), 5)
}

func TestObjectivesOfTheSovietUnion(t *testing.T) { // EX-290, EX-291
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.3.16", "AA 14.3.17")
	bonus := func(g *table, want int) {
		t.Helper()
		if got := g.collected(SovietUnion); got != want {
			t.Errorf("a bonus of %d, want %d", got, want)
		}
	}
	bonus(on1941(t), 5)
	bonus(on1941(t).put("russia", UnitedKingdom, "fighter"), 0)
	bonus(on1941(t).put("caucasus", UnitedStates, "antiaircraft-gun"), 0)
	bonus(on1941(t).put("4", UnitedStates, "transport[infantry]"), 5)
	bonus(on1941(t).hold(SovietUnion, "norway").put("norway", UnitedKingdom, "fighter"), 0)
	bonus(on1941(t).hold(UnitedKingdom, "archangel"), 0)
	bonus(on1941(t).hold(Germany, "archangel"), 0)
	bonus(on1941(t).hold(Germany, "archangel").hold(UnitedKingdom, "norway").hold(UnitedStates, "finland").
		hold(SovietUnion, "bulgaria-romania"), 10)
	bonus(on1941(t).hold(Germany, "archangel").hold(UnitedKingdom, "norway").hold(SovietUnion, "bulgaria-romania"), 0)
	bonus(on1941(t).hold(SovietUnion, "poland", "czechoslovakia-hungary", "balkans"), 15)
}

func TestObjectivesOfTheUnitedKingdom(t *testing.T) { // EX-293, EX-294, EX-301
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.3.7", "AA 14.3.8", "AA 14.3.9")
	bonus := func(g *table, want int) {
		t.Helper()
		if got := g.collected(UnitedKingdom); got != want {
			t.Errorf("a bonus of %d, want %d", got, want)
		}
	}
	bonus(on1941(t), 5)
	bonus(on1941(t).hold(Italy, "gibraltar"), 0)
	bonus(on1941(t).hold(UnitedStates, "egypt"), 5)
	bonus(on1941(t).hold(UnitedStates, "iwo-jima"), 10)
	bonus(on1941(t).hold(China, "kiangsu", "manchuria"), 5)
	bonus(on1942(t).hold(UnitedStates, "philippine-islands"), 5) // a marker does not make it originally Japanese
	bonus(on1941(t).hold(UnitedKingdom, "france"), 10)
	bonus(on1941(t).hold(SovietUnion, "balkans").hold(UnitedKingdom, "france"), 10)
}

func TestObjectivesOfTheUnitedStates(t *testing.T) { // EX-295, EX-301
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.3.12", "AA 14.3.13", "AA 14.3.14", "AA 14.3.15", "AA 14.2.2")
	bonus := func(g *table, want int) {
		t.Helper()
		if got := g.collected(UnitedStates); got != want {
			t.Errorf("a bonus of %d, want %d", got, want)
		}
	}
	bonus(on1941(t), 15)
	bonus(on1941(t).hold(UnitedKingdom, "france"), 20)
	bonus(on1941(t).hold(Japan, "western-united-states"), 10)
	bonus(on1941(t).hold(Japan, "philippine-islands"), 10)
	bonus(on1941(t).hold(Japan, "midway"), 15)
	bonus(on1941(t).hold(Japan, "midway", "solomon-islands"), 10)
}

func TestNumberOfObjectives(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.2.4")
	for _, doc := range []string{"1941", "1942"} {
		n := map[Power]int{}
		for _, o := range shippedScenario(t, doc).Objectives {
			n[o.Power]++
		}
		for w, want := range []int{3, 3, 2, 2, 3, 4, 0} {
			if n[Power(w)] != want {
				t.Errorf("%s: %d objectives of %s, want %d", doc, n[Power(w)], Power(w).ID(), want)
			}
		}
	}
}
