package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// took plays the capture of an adjacent territory by a power's lone tank; whoever is there has no combat unit.
func (g *table) took(w Power, from, to string) *table {
	g.t.Helper()
	g.put(from, w, "tank").turn(w, PhaseMove)
	g.do("move 1 tank " + from + ">" + to)
	g.do("end")
	return g
}

func TestCapture(t *testing.T) { // EX-248, EX-339, EX-359, EX-360, EX-318
	t.Parallel()
	g := on1941(t)
	g.want("production germany", 31, "production soviet-union", 30)
	g.put("bulgaria-romania", Germany, "infantry").turn(Germany, PhaseMove)
	g.do("move 1 infantry bulgaria-romania>ukraine")
	g.want("owner ukraine", "soviet-union") // not before Conduct Combat
	if out := g.do("end"); len(out.Rolls) != 0 {
		t.Error("dice were rolled")
	}
	rulestest.Proves(t, book, "AA 8.7.5", "AA 10.1.1", "AA 10.1.2", "AA 10.1.3", "AA 10.1.4")
	g.want("owner ukraine", "germany", "production germany", 33, "production soviet-union", 28, "ipc germany", 31,
		"ipc soviet-union", 30)

	g = on1941(t).damage("caucasus", 2).put("caucasus", SovietUnion, "antiaircraft-gun").hold(Germany, "ukraine")
	g.took(Germany, "ukraine", "caucasus")
	rulestest.Proves(t, book, "AA 1.2.5", "AA 10.1.5")
	g.want("owner caucasus", "germany", "complex caucasus", true, "damage caucasus", 2, "at caucasus",
		"germany tank antiaircraft-gun")

	g = on1941(t).put("finland", Germany, "tank")
	axis, allies := g.fact("cities axis").(int), g.fact("cities allies").(int)
	g.took(Germany, "finland", "karelia-ssr")
	rulestest.Proves(t, book, "AA 3.2.1", "AA 10.1.8")
	g.want("cities axis", axis+1, "cities allies", allies-1)

	g = on1941(t).took(Japan, "manchuria", "suiyuan")
	g.want("ipc japan", 17, "production japan", 18)
}

func TestCapturedComplexAndGun(t *testing.T) { // EX-249, EX-250
	t.Parallel()
	rulestest.Proves(t, book, "AA 10.1.6", "AA 10.1.7", "AA 13.2.1", "AA 15.5.4", "AA 12.2.2")
	g := on1941(t).put("karelia-ssr", SovietUnion, "antiaircraft-gun").bought(Germany, 3, Infantry)
	g.took(Germany, "finland", "karelia-ssr")
	g.want("at karelia-ssr", "germany tank antiaircraft-gun", "asks", "noncombat-move")
	g.refused("AA 10.1.6", "move 1 antiaircraft-gun karelia-ssr>finland")
	g.copied().put("karelia-ssr", Germany, "infantry").do("move 1 infantry karelia-ssr>finland") // that gun alone stays
	g.do("end")
	g.refused("AA 13.2.1", "place 1 infantry karelia-ssr")
	g.later(Germany, PhaseNoncombat)
	g.do("move 1 antiaircraft-gun karelia-ssr>finland")
	g.later(Germany, PhaseMobilize)
	g.refused("AA 13.2.2", "place 3 infantry karelia-ssr")
	g.do("place 2 infantry karelia-ssr")
	g.refused("AA 13.2.2", "place 1 infantry karelia-ssr")

	// The gun fires for its new owner.
	g = on1941(t).hold(Germany, "karelia-ssr").put("karelia-ssr", Germany, "antiaircraft-gun infantry").
		put("russia", SovietUnion, "fighter").
		turn(SovietUnion, PhaseMove)
	g.do("move 1 fighter russia>karelia-ssr")
	g.do("end", 1)
	g.want("at karelia-ssr", "germany infantry antiaircraft-gun")
}

func TestLiberation(t *testing.T) { // EX-251, EX-252, EX-256, EX-361
	t.Parallel()
	rulestest.Proves(t, book, "AA 10.2.1", "AA 10.2.2", "AA 10.2.3", "AA 10.2.4")
	egypt := func(lost ...string) *table {
		return on1941(t).hold(Germany, lost...).hold(Germany, "egypt").complex("egypt").put("egypt", Germany,
			"antiaircraft-gun")
	}
	g := egypt()
	before := g.fact("production united-kingdom").(int)
	g.took(UnitedStates, "trans-jordan", "egypt")
	g.want("owner egypt", "united-kingdom", "at egypt", "united-kingdom antiaircraft-gun; united-states tank",
		"complex egypt", true,
		"production united-kingdom", before+2, "production united-states", 40)
	g.bought(UnitedKingdom, 1, Infantry).later(UnitedKingdom, PhaseMobilize)
	g.do("place 1 infantry egypt")

	g = egypt("united-kingdom").bought(UnitedStates, 1, Infantry)
	g.took(UnitedStates, "trans-jordan", "egypt")
	g.want("owner egypt", "united-states", "at egypt", "united-states tank antiaircraft-gun",
		"production united-states", 42)
	g.do("end")
	g.refused("AA 13.2.1", "place 1 infantry egypt")
	g.later(UnitedStates, PhaseMobilize)
	g.do("place 1 infantry egypt")

	g = on1941(t).hold(UnitedKingdom, "libya").took(Germany, "morocco-algeria", "libya")
	g.want("owner libya", "italy", "at libya", "germany tank")

	for _, moscow := range []Power{SovietUnion, Germany} {
		g = on1941(t).hold(Germany, "ukraine").hold(moscow, "russia").took(SovietUnion, "caucasus", "ukraine")
		g.want("owner ukraine", "soviet-union")
	}
}

func TestCapitalAndTerritoryInOneTurn(t *testing.T) { // EX-253
	t.Parallel()
	rulestest.Proves(t, book, "AA 10.2.3", "AA 10.3.5", "AA 15.4.6")
	begin := func() *table {
		g := on1941(t).hold(Germany, "egypt", "united-kingdom").complex("egypt").put("egypt", Germany,
			"antiaircraft-gun").
			put("trans-jordan", UnitedStates, "tank").put("8", UnitedStates, "transport[infantry]").turn(UnitedStates,
			PhaseMove)
		return g.all("move 1 tank trans-jordan>egypt", "ship 1 sz-8 with infantry land united-kingdom", "end")
	}
	g := begin() // the assault comes first
	g.want("owner egypt", "united-kingdom", "owner united-kingdom", "united-kingdom", "at egypt",
		"united-kingdom antiaircraft-gun; united-states tank")

	// Egypt first, by an assault too.
	g = on1941(t).hold(Germany, "egypt", "united-kingdom").complex("egypt").put("egypt", Germany, "antiaircraft-gun").
		put("15", UnitedStates, "transport[infantry]").put("8", UnitedStates, "transport[infantry]").turn(UnitedStates,
		PhaseMove)
	g.all("ship 1 sz-15 with infantry land egypt", "ship 1 sz-8 with infantry land united-kingdom", "end")
	g.do("fight egypt")
	g.want("owner egypt", "united-kingdom", "owner united-kingdom", "united-kingdom", "at egypt",
		"united-kingdom antiaircraft-gun; united-states infantry")
}

func TestLiberatingACapital(t *testing.T) { // EX-254
	t.Parallel()
	rulestest.Proves(t, book, "AA 10.3.4", "AA 10.3.5", "AA 10.3.6", "AA 10.3.7")
	g := on1941(t).hold(Germany, "united-kingdom").hold(UnitedStates, "egypt").complex("egypt").
		put("egypt", UnitedStates, "antiaircraft-gun").
		put("united-kingdom", Germany, "antiaircraft-gun").put("8", UnitedStates, "transport[infantry]").
		turn(UnitedStates, PhaseMove)
	g.all("ship 1 sz-8 with infantry land united-kingdom", "end")
	g.want("owner united-kingdom", "united-kingdom", "complex united-kingdom", true, "at united-kingdom",
		"united-kingdom antiaircraft-gun; united-states infantry",
		"owner egypt", "united-kingdom", "complex egypt", true, "at egypt", "united-states antiaircraft-gun",
		"ipc united-states", 40, "ipc germany", 31, "ipc united-kingdom", 43)
	g.turn(UnitedKingdom, PhaseIncome)
	if g.fact("ipc united-kingdom").(int) <= 43 {
		t.Error("no income after the liberation")
	}
}

func TestCapturingACapital(t *testing.T) { // EX-005, EX-258
	t.Parallel()
	rulestest.Proves(t, book, "AA 10.3.1", "AA 10.3.2", "AA 10.3.7")
	g := on1941(t).ipcs(SovietUnion, 18).hold(Germany, "belorussia").took(Germany, "belorussia", "russia")
	g.want("ipc germany", 49, "ipc soviet-union", 0, "production germany", 31+1+6, "production soviet-union", 30-1-6)
	g.put("archangel", UnitedKingdom, "tank").later(UnitedKingdom, PhaseMove)
	g.do("move 1 tank archangel>russia")
	g.do("end", 3, 6)
	g.want("owner russia", "soviet-union", "ipc germany", 49, "ipc united-kingdom", 43)
	g.ipcs(SovietUnion, 7).put("belorussia", Germany, "tank").later(Germany, PhaseMove) // again after the liberation
	g.do("move 1 tank belorussia>russia")
	g.do("end", 3, 6)
	g.want("owner russia", "germany", "ipc germany", 56, "ipc soviet-union", 0)

	g = on1941(t).hold(Germany, "united-kingdom").put("8", UnitedStates, "transport[infantry]").turn(UnitedStates,
		PhaseMove)
	g.all("ship 1 sz-8 with infantry land united-kingdom", "end")
	g.want("ipc united-states", 40, "ipc germany", 31) // nothing from a power that merely held it
}

func TestTurnWithoutTheCapital(t *testing.T) { // EX-255, EX-296
	t.Parallel()
	rulestest.Proves(t, book, "AA 10.3.3", "AA 4.2.4", "AA 14.1.3")
	g := on1941(t).hold(UnitedKingdom, "italy").ipcs(Italy, 0).bought(Italy, 2, Infantry).put("libya", Italy,
		"infantry").
		turn(Italy, PhaseResearch)
	g.want("asks", "combat-move", "phase", "combat-move")
	g.do("end")
	g.want("phase", "noncombat-move")
	out := g.do("end")
	g.want("power", "united-states", "ipc italy", 0, "pool italy infantry", 2) // no Mobilize either
	for _, e := range out.Events {
		if e.Event.(*event).GetIncomeCollected() != nil { // and no Collect Income phase (AA 4.2.4)
			t.Error("income is collected without a capital")
		}
	}

	g = on1941(t).hold(UnitedStates, "japan").hold(Japan, "kwangtung").tech(Japan, scenario.WarBonds).turn(Japan,
		PhaseIncome)
	g.want("ipc japan", 17)
}

func TestMarkersOf1942(t *testing.T) { // EX-257
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.9.3", "AA 16.3.4", "AA 10.2.1")
	g := on1942(t).hold(SovietUnion, "ukraine").took(Italy, "bulgaria-romania", "ukraine")
	g.want("owner ukraine", "germany")
	g = on1942(t, "printed_symbols").hold(SovietUnion, "ukraine").took(Italy, "bulgaria-romania", "ukraine")
	g.want("owner ukraine", "italy")
	g = on1942(t).took(UnitedKingdom, "caucasus", "ukraine") // for the Allies the printed symbol decides
	g.want("owner ukraine", "soviet-union")
}

func TestGunInAnAllysTerritory(t *testing.T) { // EX-364, EX-272, EX-323
	t.Parallel()
	g := on1941(t).put("germany", Germany, "antiaircraft-gun").turn(Germany, PhaseMove)
	rulestest.Proves(t, book, "AA 8.1.14", "AA 15.4.3")
	g.refused("AA 8.1.14", "move 1 antiaircraft-gun germany>balkans")
	g.do("end")
	g.refused("AA 8.1.6", "move 1 antiaircraft-gun germany>bulgaria-romania") // one space
	rulestest.Proves(t, book, "AA 12.2.2", "AA 15.4.6")
	g.do("move 1 antiaircraft-gun germany>balkans")
	g.want("at balkans", "germany antiaircraft-gun", "owner balkans", "italy")
	g.refused("AA 12.1.1", "move 1 antiaircraft-gun balkans>germany")

	g = on1941(t).hold(UnitedKingdom, "italy").put("balkans", Germany, "antiaircraft-gun").
		put("14", UnitedKingdom, "transport[tank]").turn(UnitedKingdom, PhaseMove)
	g.all("ship 1 sz-14 with tank land balkans", "end")
	rulestest.Proves(t, book, "AA 10.1.5", "AA 15.4.4")
	g.want("owner balkans", "united-kingdom", "at balkans", "united-kingdom tank antiaircraft-gun")
	g.refused("AA 10.1.6", "move 1 antiaircraft-gun balkans>italy")
	g.later(UnitedKingdom, PhaseNoncombat)
	g.do("move 1 antiaircraft-gun balkans>italy")

	g = on1941(t).hold(Japan, "yunnan").put("yunnan", Japan, "antiaircraft-gun").put("sikang", China, "infantry").
		turnOf(UnitedStates, China, PhaseMove)
	g.all("move 1 infantry sikang>yunnan", "end")
	rulestest.Proves(t, book, "AA 5.5.3")
	g.want("owner yunnan", "china", "at yunnan", "china infantry antiaircraft-gun")
}

func TestLiberatedComplex(t *testing.T) { // EX-365
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.5.4", "AA 10.2.2", "AA 13.2.4")
	g := on1941(t).hold(Germany, "karelia-ssr").bought(UnitedStates, 1, Infantry).bought(SovietUnion, 1, Infantry)
	g.took(UnitedStates, "archangel", "karelia-ssr")
	g.want("owner karelia-ssr", "soviet-union", "complex karelia-ssr", true)
	g.do("end")
	g.refused("AA 13.2.4", "place 1 infantry karelia-ssr")
	g.later(SovietUnion, PhaseMobilize)
	g.do("place 1 infantry karelia-ssr")
}

func TestSharingATerritory(t *testing.T) { // EX-362, EX-254
	t.Parallel()
	rulestest.Proves(t, book, "AA 11.1.1")
	g := on1941(t, "objectives=false").put("egypt", UnitedKingdom, "infantry").put("egypt", UnitedStates, "infantry").
		turn(UnitedStates, PhaseIncome)
	g.want("ipc united-states", 80)
	g.turn(UnitedKingdom, PhaseIncome)
	g.want("ipc united-kingdom", 86)
}
