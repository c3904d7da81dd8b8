package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestPanamaCanal(t *testing.T) { // EX-001, EX-112
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.4.1", "AA 2.4.3", "AA 2.4.4", "AA 2.4.6")
	g := on1941(t).put("19", UnitedKingdom, "destroyer").put("55", Japan, "cruiser").turn(UnitedKingdom, PhaseMove)
	g.do("move 1 destroyer sz-19>sz-20>sz-55") // the ally's control is enough
	g.want("at 55", "japan cruiser; united-kingdom destroyer")
	lost := on1941(t).hold(Japan, "panama").put("19", UnitedKingdom, "destroyer").put("55", Japan, "cruiser").
		turn(UnitedKingdom, PhaseMove)
	lost.refused("AA 2.4.3", "move 1 destroyer sz-19>sz-20>sz-55")
	open := on1941(t).hold(Japan, "panama").put("19", Germany, "destroyer").turn(Germany, PhaseNoncombat)
	open.do("move 1 destroyer sz-19>sz-20")
}

func TestSuezCanal(t *testing.T) { // EX-002, EX-112, EX-113, EX-114, EX-115
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.4.1", "AA 2.4.2", "AA 2.4.3", "AA 2.4.5", "AA 2.4.6", "AA 2.4.7")
	split := func() *table { return on1941(t).hold(Germany, "trans-jordan") }
	g := split().put("15", Germany, "cruiser").turn(Germany, PhaseNoncombat)
	g.refused("AA 2.4.5", "move 1 cruiser sz-15>sz-34")
	uk := split().put("15", UnitedKingdom, "cruiser aircraft-carrier fighter").turn(UnitedKingdom, PhaseNoncombat)
	uk.refused("AA 2.4.5", "move 1 cruiser sz-15>sz-34")
	uk.do("move 1 fighter sz-15>persia")
	uk.want("at persia", "united-kingdom fighter")

	taken := split().put("libya", Italy, "tank").put("15", Italy, "cruiser").turn(Italy, PhaseMove)
	taken.all("move 1 tank libya>egypt", "end")
	taken.want("owner egypt", "italy", "asks", "noncombat-move")
	taken.refused("AA 2.4.3", "move 1 cruiser sz-15>sz-34")
	taken.turn(Germany, PhaseNoncombat)
	taken.turn(Italy, PhaseNoncombat)
	taken.do("move 1 cruiser sz-15>sz-34")

	shared := on1941(t).hold(UnitedStates, "trans-jordan").put("34", UnitedStates, "destroyer").turn(UnitedStates,
		PhaseNoncombat)
	shared.do("move 1 destroyer sz-34>sz-15")

	land := on1941(t).hold(Germany, "egypt").put("egypt", Germany, "tank").turn(Germany, PhaseMove)
	land.all("move 1 tank egypt>trans-jordan", "end")
	land.want("owner trans-jordan", "germany")

	flight := on1941(t).hold(Germany, "trans-jordan").put("15", UnitedKingdom, "aircraft-carrier fighter").
		put("persia", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseNoncombat)
	if d := flight.sc.AirDistance(flight.space("15"), flight.space("persia")); d != 2 {
		t.Errorf("SZ 15 to Persia is %d, want 2", d)
	}
}

func TestRetreatThroughACanal(t *testing.T) { // EX-117
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.4.3", "AA 9.9.3")
	g := on1941(t).put("34", UnitedKingdom, "destroyer").put("15", Italy, "cruiser").turn(UnitedKingdom, PhaseMove)
	g.do("move 1 destroyer sz-34>sz-15")
	g.do("end", 6, 6)
	g.want("asks", "press")
	g.do("retreat sz-34")
	g.want("at 34", "united-kingdom destroyer", "at 15", "italy cruiser")
}

func TestWrapAround(t *testing.T) { // EX-108
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.2.2", "AA 2.2.3", "AA 2.2.1")
	g := on1941(t).put("20", UnitedStates, "destroyer").put("54", UnitedStates, "destroyer").put("21", UnitedStates,
		"destroyer").
		put("25", UnitedStates, "destroyer").put("1", UnitedStates, "destroyer").turn(UnitedStates, PhaseNoncombat)
	g.all("move 1 destroyer sz-20>sz-55>sz-54", "move 1 destroyer sz-21>sz-44", "move 1 destroyer sz-25>sz-43")
	g.want("at 54", "united-states 2 destroyer")
	for _, pair := range [][2]string{{"20", "55"}, {"21", "44"}, {"25", "43"}} {
		if d := g.sc.SeaDistance(g.space(pair[0]), g.space(pair[1])); d != 1 {
			t.Errorf("SZ %s to SZ %s is %d, want 1", pair[0], pair[1], d)
		}
	}
	g.refused("AA 8.1.6", "move 1 destroyer sz-1>sz-24") // the top joins nothing
	g.refused("AA 2.2.1", "move 1 destroyer sz-1>sz-4>sz-24")
}

func TestCountingSpaces(t *testing.T) { // EX-109, EX-110
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.3.2", "AA 2.3.1", "AA 2.3.4")
	g := on1941(t)
	for _, way := range []struct {
		from, to string
		steps    int
	}{
		{"hawaiian-islands", "western-united-states", 3}, {"53", "caroline-islands", 2}, {"hawaiian-islands", "53", 1},
		{"hawaiian-islands", "midway", 3}, {"india", "japan", 6}, {"japan", "53", 4},
	} {
		if d := g.sc.AirDistance(g.space(way.from), g.space(way.to)); d != way.steps {
			t.Errorf("%s to %s is %d, want %d", way.from, way.to, d, way.steps)
		}
	}
	g.put("hawaiian-islands", UnitedStates, "2 fighter").put("53", UnitedStates, "transport[infantry]").
		hold(UnitedStates, "midway").turn(UnitedStates, PhaseNoncombat)
	g.do("move 1 fighter hawaiian-islands>western-united-states")
	g.do("move 1 fighter hawaiian-islands>midway")
	g.do("ship 1 sz-53>sz-57 with infantry land midway")
	g.want("at midway", "united-states infantry fighter")
}

func TestOneTerritoryForATransport(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.3.4", "AA 2.3.2", "AA 2.3.1", "AA 8.4.5") // EX-119
	g := on1941(t).put("2", UnitedStates, "transport[infantry,infantry]").turn(UnitedStates, PhaseNoncombat)
	if _, err := g.try(g.asked(), "ship 1 sz-2 with infantry land iceland infantry land greenland"); err == nil {
		t.Error("one transport lands in two territories")
	}
	spare := g.p.Clone()
	g.do("ship 1 sz-2 with infantry land iceland")
	g.refused("AA 15.13.10", "ship 1 sz-2 with infantry land greenland")
	g.p = spare
	g.do("ship 1 sz-2 with infantry infantry land iceland")
	g.want("at iceland", "united-states 2 infantry")
}

func TestNeutrals(t *testing.T) { // EX-111, EX-118
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.5.1", "AA 2.5.2", "AA 2.5.3", "AA 8.1.10", "AA 8.3.3")
	g := on1941(t).put("italy", Italy, "fighter").put("france", Italy, "bomber infantry tank").
		put("42", Italy, "transport[infantry]").turn(Italy, PhaseNoncombat)
	g.refused("AA 2.5.2", "move 1 fighter italy>switzerland")
	g.refused("AA 2.5.2", "move 1 fighter italy>switzerland>germany")
	g.refused("AA 2.5.2", "move 1 infantry france>spain")
	if d := g.sc.AirDistance(g.space("italy"), g.space("germany")); d != 2 {
		t.Errorf("Italy to Germany is %d, want 2: over the Balkans", d)
	}
	g.do("move 1 fighter italy>germany")
	g.turn(Italy, PhaseMove)
	g.refused("AA 2.5.2", "move 1 infantry france>spain")
	g.refused("AA 2.5.2", "move 1 bomber france>spain>gibraltar")
	if d := g.sc.AirDistance(g.space("france"), g.space("gibraltar")); d != 2 {
		t.Errorf("France to Gibraltar is %d, want 2: over SZ 13", d)
	}
	over := on1941(t).put("poland", Germany, "bomber").put("baltic-states", SovietUnion, "antiaircraft-gun infantry").
		put("east-poland", SovietUnion, "antiaircraft-gun").
		put("eastern-ukraine", SovietUnion, "antiaircraft-gun").put("russia", SovietUnion, "infantry").turn(Germany,
		PhaseMove)
	over.do("move 1 bomber poland>russia")
	// hostile territory is flown over; its guns are silent
	if got := rolls(over.do("end", 4, 6)); got != "attack 4, defence 6" {
		t.Errorf("rolls %s", got)
	}
	neutral := 0
	for s := range g.sc.Land {
		if g.sc.Spaces[s].Impassable {
			if neutral++; g.p.owner[s] != NoPower || g.sc.Spaces[s].IPC != 0 || len(g.sc.Near[s]) > 0 {
				t.Errorf("%s is controlled, worth something or open", g.sc.SpaceID(s))
			}
		}
	}
	if neutral != 15 {
		t.Errorf("%d neutral territories, want 15", neutral)
	}
}

func TestSubmarinesAndTransportsDoNotMakeHostile(t *testing.T) { // EX-116
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.7.1", "AA 2.7.2", "AA 2.7.3", "AA 15.13.13")
	for _, c := range []struct {
		enemy string
		rule  string
	}{{"submarine", ""}, {"transport", ""}, {"destroyer", "AA 12.4.1"}} {
		g := on1941(t).put("9", Germany, c.enemy).put("9", UnitedKingdom, "transport").
			put("eastern-canada", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseNoncombat)
		if c.rule == "" {
			g.do("ship 1 sz-9 with infantry@eastern-canada")
			g.want("at 9", "germany "+c.enemy+"; united-kingdom transport[infantry]")
		} else {
			g.refused(c.rule, "ship 1 sz-9 with infantry@eastern-canada")
		}
	}
}
