package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestDamageAndCapacity(t *testing.T) { // EX-278, EX-369, EX-008
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.1.1", "AA 13.2.2", "AA 9.2.5", "AA 15.8.2", "AA 15.5.3")
	g := on1941(t).damage("japan", 3).bought(Japan, 4, Infantry).bought(Japan, 4, Destroyer).turn(Japan, PhaseMobilize)
	g.do("place 4 infantry japan")
	g.refused("AA 13.2.2", "place 2 destroyer sz-62")
	g.do("place 1 destroyer sz-62")
	g.refused("AA 13.2.2", "place 1 destroyer sz-62")
	g.want("at japan", "japan 4 infantry", "at 62", "japan destroyer", "pool japan destroyer", 3)

	g = on1941(t).bought(Germany, 11, Infantry).put("united-kingdom", UnitedKingdom, "bomber").turn(UnitedKingdom,
		PhaseMove)
	g.do("raid 1 united-kingdom>germany")
	g.do("end", 6)
	g.want("damage germany", 6)
	g.later(Germany, PhaseMobilize)
	g.refused("AA 13.2.2", "place 5 infantry germany")
	g.do("place 4 infantry germany")

	g = on1941(t).bought(Germany, 11, Infantry).turn(Germany, PhaseMobilize)
	g.refused("AA 13.2.2", "place 11 infantry germany")
	g.do("place 10 infantry germany")

	g = on1941(t).damage("germany", 20).bought(Germany, 1, Infantry).turn(Germany, PhaseMobilize) // not below zero
	g.refused("AA 13.2.2", "place 1 infantry germany")
}

func TestTwoComplexesAtOneSeaZone(t *testing.T) { // EX-279
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.2.3", "AA 13.1.3")
	g := on1941(t).hold(UnitedKingdom, "norway", "northwestern-europe").complex("norway", "northwestern-europe").
		bought(UnitedKingdom, 6, Destroyer).
		turn(UnitedKingdom, PhaseMobilize)
	g.refused("AA 13.2.2", "place 4 destroyer sz-6 through norway")
	g.all("place 3 destroyer sz-6 through norway", "place 1 destroyer sz-6 through northwestern-europe")
	g.want("at 6", "united-kingdom 4 destroyer")
	g.refused("AA 13.2.2", "place 1 destroyer sz-6 through norway")
	g.refused("AA 13.2.2", "place 2 destroyer sz-6 through northwestern-europe")
	g.refused("AA 13.1.3", "place 1 destroyer sz-12 through northwestern-europe")
	g.do("place 1 destroyer sz-6 through northwestern-europe")
}

func TestNewFightersAtSea(t *testing.T) { // EX-280, EX-281
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.1.4", "AA 12.3.5", "AA 12.5.3", "AA 12.3.7")
	g := on1941(t).put("56", UnitedStates, "aircraft-carrier fighter").bought(UnitedStates, 2, Fighter).
		turn(UnitedStates, PhaseMobilize)
	g.refused("AA 13.1.4", "place 2 fighter sz-56")
	g.do("place 1 fighter sz-56")
	g.refused("AA 13.1.4", "place 1 fighter sz-56")
	g.want("at 56", "united-states 2 fighter aircraft-carrier")
	g = on1941(t).put("56", UnitedKingdom, "aircraft-carrier").bought(UnitedStates, 1, Fighter).turn(UnitedStates,
		PhaseMobilize)
	g.refused("AA 13.1.4", "place 1 fighter sz-56")
	g.do("place 1 fighter western-united-states")

	g = on1941(t).put("56", UnitedStates, "2 fighter/4+moved").bought(UnitedStates, 1, Carrier).
		bought(UnitedStates, 1, Fighter).
		turn(UnitedStates, PhaseNoncombat)
	g.do("end")
	g.want("phase", "mobilize", "at 56", "united-states 2 fighter")
	g.refused("AA 12.5.3", "end")
	g.refused("AA 12.5.3", "place 1 aircraft-carrier sz-10")
	g.refused("AA 13.1.4", "place 1 fighter 1 aircraft-carrier sz-56")
	g.do("place 1 aircraft-carrier sz-56")
	g.refused("AA 13.1.4", "place 1 fighter sz-56")
	g.do("place 1 fighter western-united-states")
	g.want("at 56", "united-states 2 fighter aircraft-carrier", "at western-united-states", "united-states fighter")

	// Without capacity for the carrier nobody can wait for it.
	g = on1941(t).put("56", UnitedStates, "2 fighter/4+moved").damage("western-united-states", 10).
		bought(UnitedStates, 1, Carrier).
		turn(UnitedStates, PhaseNoncombat)
	g.do("end")
	g.want("at 56", "")

	// Three fighters for one new carrier: one is lost.
	g = on1941(t).put("56", UnitedStates, "3 fighter/4+moved").bought(UnitedStates, 1, Carrier).turn(UnitedStates,
		PhaseNoncombat)
	g.do("end")
	g.want("at 56", "united-states 2 fighter")
}

func TestShipsIntoAHostileZone(t *testing.T) { // EX-282
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.1.3")
	g := on1941(t).put("62", UnitedStates, "battleship").bought(Japan, 1, Destroyer).turn(Japan, PhaseMobilize)
	g.refused("AA 13.1.3", "place 1 destroyer japan")
	g.do("place 1 destroyer sz-62")
	g.do("end") // and no combat
	g.want("at 62", "japan destroyer; united-states battleship", "battle", "", "power", "united-kingdom")
}

func TestNewComplexes(t *testing.T) { // EX-283, EX-371, EX-009
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.1.5", "AA 13.2.1", "AA 13.2.5", "AA 15.5.2")
	g := on1941(t).hold(Germany, "libya").bought(UnitedKingdom, 3, Complex).bought(UnitedKingdom, 9, Infantry)
	g.took(UnitedKingdom, "egypt", "libya")
	g.want("owner libya", "united-kingdom")
	g.do("end")
	g.refused("AA 13.1.5", "place 1 industrial-complex libya") // captured this turn
	g.refused("AA 13.1.5", "place 1 industrial-complex gibraltar")
	g.refused("AA 13.2.5", "place 1 industrial-complex united-kingdom")
	g.refused("AA 13.1.5", "place 1 industrial-complex archangel") // an ally's
	g.refused("AA 13.2.1", "place 1 infantry eastern-canada")
	g.all("place 1 industrial-complex egypt", "place 1 industrial-complex eastern-canada",
		"place 1 industrial-complex french-madagascar")
	g.refused("AA 13.2.1", "place 1 infantry egypt")
	g.do("place 8 infantry united-kingdom") // its capacity was not touched
	g.want("complex egypt", true, "complex french-madagascar", true)
	g.bought(UnitedKingdom, 4, Infantry).later(UnitedKingdom, PhaseMobilize)
	g.refused("AA 13.2.2", "place 4 infantry eastern-canada")
	g.do("place 3 infantry eastern-canada")
	g.do("place 2 infantry egypt")
}

func TestWhereUnitsGo(t *testing.T) { // EX-284, EX-285, EX-286, EX-370
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.1.2", "AA 13.2.4", "AA 13.1.6", "AA 13.1.7")
	g := on1941(t).put("6", UnitedKingdom, "transport").bought(UnitedKingdom, 1, Infantry).
		bought(UnitedKingdom, 1, AAGun).bought(UnitedKingdom, 1, Bomber).
		turn(UnitedKingdom, PhaseMobilize)
	g.refused("AA 13.1.2", "place 1 infantry sz-6")
	g.refused("AA 13.1.2", "place 1 bomber sz-6")
	g.do("place 1 infantry 1 bomber 1 antiaircraft-gun united-kingdom")
	g.want("at united-kingdom", "united-kingdom infantry antiaircraft-gun bomber")

	g = on1941(t).bought(UnitedStates, 1, Infantry).bought(UnitedStates, 1, Destroyer).turn(UnitedStates, PhaseMobilize)
	g.refused("AA 13.2.4", "place 1 infantry united-kingdom")
	g.refused("AA 13.2.4", "place 1 destroyer sz-6")

	g = on1941(t).bought(Germany, 3, Tank).bought(Germany, 3, Infantry).turn(Germany, PhaseMobilize)
	g.do("place 3 infantry germany")
	g.do("end")
	g.want("pool germany tank", 3, "power", "soviet-union")
	g.hold(SovietUnion, "poland").put("poland", SovietUnion, "infantry").turn(SovietUnion, PhaseMove)
	g.do("move 1 infantry poland>germany")
	g.rolled("soviet-union 1@1, germany 3@2", g.do("end", 6, 6, 6, 6)) // they defend
	g.do("retreat poland")
	g.later(Germany, PhaseMobilize)
	g.do("place 3 tank germany")
}
