package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// france is an American fleet off Britain that can land a tank and an infantry in France.
func france(t *testing.T, enemies string) *table {
	g := on1941(t).put("2", UnitedStates, "transport").put("8", UnitedStates, "battleship").
		put("united-kingdom", UnitedStates, "tank infantry").
		put("france", Germany, "infantry")
	if enemies != "" {
		g.put("7", Germany, enemies)
	}
	return g.turn(UnitedStates, PhaseMove)
}

const landInFrance = "ship 1 sz-2>sz-8>sz-7 with tank@united-kingdom infantry@united-kingdom land france"

func TestClearingTheSeaForALanding(t *testing.T) { // EX-014, EX-016, EX-199
	t.Parallel()
	g := france(t, "destroyer")
	rulestest.Proves(t, book, "AA 8.4.3", "AA 8.8.2")
	g.all(landInFrance, "move 1 battleship sz-8>sz-7")
	rulestest.Proves(t, book, "AA 9.3.1", "AA 9.3.2", "AA 9.3.4", "AA 9.3.5", "AA 9.5.4", "AA 9.5.6")
	out := g.do("end", 3, 5, 4, 1, 6)
	if got := rolls(out); got != "attack 3, defence 5, attack 4, attack 1, defence 6" { // no bombardment
		t.Errorf("rolls %s", got)
	}
	rulestest.Proves(t, book, "AA 9.3.10", "AA 9.3.11", "AA 9.3.12", "AA 9.11.1")
	g.want("at 7", "united-states battleship transport", "at france", "united-states infantry tank", "owner france",
		"united-states", "asks", "noncombat-move")
	rulestest.Proves(t, book, "AA 8.4.4")
	g.refused("AA 12.1.1", "move 1 battleship sz-7>sz-8")
	g.refused("AA 15.13.10", "move 1 transport sz-7>sz-8")
	g.refused("AA 12.1.1", "move 1 battleship sz-7>sz-6")
}

func TestOnlySubmarinesAndTransportsAtSea(t *testing.T) { // EX-015, EX-198, EX-208
	t.Parallel()
	g := france(t, "submarine transport")
	g.all(landInFrance, "move 1 battleship sz-8>sz-7", "end")
	rulestest.Proves(t, book, "AA 2.7.2", "AA 9.3.3")
	g.want("asks", "combat")
	fight := g.p.Clone()
	g.do("fight france")
	g.want("asks", "bombard")
	rulestest.Proves(t, book, "AA 9.3.5", "AA 9.3.6", "AA 9.3.8")
	g.do("bombard 1 battleship@sz-7", 6, 3, 6, 6)
	g.want("owner france", "united-states", "at 7", "germany submarine transport; united-states battleship transport")

	g.p = fight
	g.do("fight sz-7")
	g.want("battle", "sz-7")

	lone := france(t, "transport")
	lone.all(landInFrance, "move 1 battleship sz-8>sz-7", "end")
	lone.want("asks", "combat")
	rulestest.Proves(t, book, "AA 9.10.1", "AA 9.10.3")
	out := lone.do("fight sz-7", 3, 6, 6) // sunk without dice, and no bombardment
	if got := rolls(out); got != "attack 3, attack 6, defence 6" {
		t.Errorf("rolls %s", got)
	}
	lone.want("at 7", "united-states battleship transport", "owner france", "united-states")

	alone := on1941(t).put("7", UnitedStates, "transport[infantry]").put("7", Germany, "submarine").turn(UnitedStates,
		PhaseMove)
	alone.all("ship 1 sz-7 with infantry land france", "end")
	rulestest.Proves(t, book, "AA 9.3.3")
	alone.want("owner france", "united-states", "at 7", "germany submarine; united-states transport")
}

func TestBombardmentLimit(t *testing.T) { // EX-195
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.3.6", "AA 9.3.7", "AA 9.3.8")
	g := on1941(t).put("7", UnitedStates, "transport[infantry,infantry] 2 battleship cruiser").put("8", UnitedStates,
		"battleship").
		put("france", Germany, "4 infantry").turn(UnitedStates, PhaseMove)
	g.all("ship 1 sz-7 with infantry infantry land france", "end")
	g.want("asks", "bombard")
	g.refused("AA 9.3.7", "bombard 2 battleship@sz-7 1 cruiser@sz-7")
	g.refused("AA 9.3.6", "bombard 1 battleship@sz-8")
	g.refused("AA 9.3.6", "bombard 3 battleship@sz-7")
	// 4 hits for a battleship, not for a cruiser
	out := g.do("bombard 1 battleship@sz-7 1 cruiser@sz-7", 4, 4, 1, 1, 6, 6, 6, 6, 1, 6, 6)
	if got := rolls(out); got != "bombardment 4, bombardment 4, attack 1, attack 1, defence 6, defence 6, defence 6, "+
		"defence 6, attack 1, attack 6, defence 6" {
		t.Errorf("rolls %s", got)
	}
	g.want("owner france", "united-states")
}

func TestBombardmentCasualtiesFireBack(t *testing.T) { // EX-196, EX-197
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.3.8", "AA 9.3.9", "AA 9.5.5", "AA 9.5.8")
	g := on1941(t).put("7", UnitedStates, "transport[tank,infantry] battleship").put("france", Germany, "2 infantry").
		turn(UnitedStates, PhaseMove)
	g.all("ship 1 sz-7 with tank infantry land france", "end")
	out := g.do("bombard 1 battleship@sz-7", 3, 5, 6, 2, 4)
	if got := rolls(out); got != "bombardment 3, attack 5, attack 6, defence 2, defence 4" {
		t.Errorf("rolls %s", got)
	}
	g.want("asks", "losses")
	g.do("lose 1 infantry", 1, 6)
	g.want("owner france", "united-states", "at france", "united-states tank")

	air := on1941(t).put("7", UnitedStates, "transport[tank,infantry] 2 battleship").
		put("france", Germany, "infantry 2 fighter").turn(UnitedStates, PhaseMove)
	air.all("ship 1 sz-7 with tank infantry land france", "end")
	air.do("bombard 2 battleship@sz-7", 1, 1, 6, 6, 6, 6, 6, 6, 6, 1, 1)
	air.want("france germany infantry", 0, "france germany fighter", 2)
}

func TestSeaRetreatCancelsTheLanding(t *testing.T) { // EX-200
	t.Parallel()
	g := on1941(t).hold(UnitedStates, "northwestern-europe").
		put("8", UnitedStates, "transport[tank,infantry] destroyer").put("7", Germany, "2 destroyer").
		put("northwestern-europe", UnitedStates, "2 infantry").put("france", Germany, "2 infantry").turn(UnitedStates,
		PhaseMove)
	g.all("ship 1 sz-8>sz-7 with tank infantry land france", "move 1 destroyer sz-8>sz-7",
		"move 2 infantry northwestern-europe>france")
	g.do("end", 6, 6, 6)
	g.want("battle", "sz-7", "asks", "press")
	rulestest.Proves(t, book, "AA 9.3.13", "AA 9.9.3")
	g.do("retreat sz-8", 6, 6, 6, 6) // the overland units must fight a round
	rulestest.Proves(t, book, "AA 8.8.3", "AA 9.3.10", "AA 15.13.9")
	g.want("battle", "france", "asks", "press", "at 8", "united-states destroyer transport[tank,infantry]")
	rulestest.Proves(t, book, "AA 9.3.16")
	g.do("retreat northwestern-europe")
	g.want("at northwestern-europe", "united-states 2 infantry", "asks", "noncombat-move")
	rulestest.Proves(t, book, "AA 15.13.11")
	g.refused("AA 15.13.11", "ship 1 sz-8 with tank land united-kingdom")
}

func TestSeaborneFightToTheEnd(t *testing.T) { // EX-201, EX-202
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.3.14", "AA 9.3.15")
	g := on1941(t).hold(UnitedStates, "northwestern-europe").put("7", UnitedStates, "transport[infantry,infantry]").
		put("northwestern-europe", UnitedStates, "2 tank fighter").
		put("france", Germany, "3 infantry").turn(UnitedStates, PhaseMove)
	g.all("ship 1 sz-7 with infantry infantry land france", "move 2 tank northwestern-europe>france",
		"move 1 fighter northwestern-europe>france")
	g.do("end", 6, 6, 6, 6, 6, 6, 6, 6)
	g.want("asks", "press")
	out := g.do("retreat northwestern-europe", 6, 6, 1, 1, 6)
	if got := rolls(out); got != "attack 6, attack 6, defence 1, defence 1, defence 6" {
		t.Errorf("rolls %s", got)
	}
	g.want("at northwestern-europe", "united-states 2 tank", "at france", "germany 3 infantry; united-states fighter",
		"owner france", "germany", "asks", "noncombat-move")
	g.do("move 1 fighter france>northwestern-europe")

	air := on1941(t).put("7", UnitedStates, "transport[infantry]").put("united-kingdom", UnitedStates, "2 fighter").
		put("france", Germany, "3 infantry").turn(UnitedStates, PhaseMove)
	air.all("ship 1 sz-7 with infantry land france", "move 2 fighter united-kingdom>france")
	air.do("end", 6, 6, 6, 6, 6, 6)
	air.want("asks", "press")
	air.do("retreat -", 6, 2, 6, 6) // both leave; the infantry goes on
	air.want("at france", "germany 3 infantry; united-states 2 fighter", "asks", "noncombat-move")
}

func TestAntiaircraftAfterBombardment(t *testing.T) { // EX-203
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.6.1", "AA 9.3.8", "AA 8.3.12")
	g := on1941(t).put("7", UnitedStates, "transport[infantry] cruiser").put("united-kingdom", UnitedStates, "fighter").
		put("france", Germany, "antiaircraft-gun infantry").
		turn(UnitedStates, PhaseMove)
	g.all("ship 1 sz-7 with infantry land france", "move 1 fighter united-kingdom>france", "end")
	out := g.do("bombard 1 cruiser@sz-7", 2, 1, 6, 6)
	if got := rolls(out); got != "bombardment 2, antiaircraft 1, attack 6, defence 6" {
		t.Errorf("rolls %s", got)
	}
	g.want("owner france", "united-states", "at france", "united-states infantry antiaircraft-gun")
}

func TestTwoTargetsFromOneZone(t *testing.T) { // EX-204
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.4.5", "AA 9.3.1", "AA 9.3.10", "AA 9.1.2")
	g := on1941(t).put("14", UnitedKingdom, "2 transport[infantry,infantry] battleship").put("14", Italy, "cruiser").
		turn(UnitedKingdom, PhaseMove)
	if _, err := g.try(g.asked(), "ship 1 sz-14 with infantry land libya infantry land balkans"); err == nil {
		t.Error("a transport lands in two territories")
	}
	g.all("ship 1 sz-14 with infantry infantry land libya", "ship 1 sz-14 with infantry infantry land balkans")
	out := g.do("end", 4, 6) // one sea combat
	if got := rolls(out); got != "attack 4, defence 6" {
		t.Errorf("rolls %s", got)
	}
	if g.asks() == "combat" {
		g.refused("AA 9.1.3", "end")
		g.do("fight libya")
	}
	g.want("owner libya", "united-kingdom", "owner balkans", "united-kingdom", "at libya", "united-kingdom 2 infantry")
}

func TestUndefendedCoast(t *testing.T) { // EX-205
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.3.18", "AA 10.1.4", "AA 9.3.9")
	g := on1941(t).put("7", UnitedStates, "transport[infantry] battleship").
		put("united-kingdom", UnitedStates, "fighter").put("france", Germany, "antiaircraft-gun").turn(UnitedStates,
		PhaseMove)
	g.all("ship 1 sz-7 with infantry land france", "move 1 fighter united-kingdom>france")
	if got := rolls(g.do("end", 3)); got != "antiaircraft 3" { // no target for the battleship
		t.Errorf("rolls %s", got)
	}
	g.want("owner france", "united-states", "at france", "united-states infantry antiaircraft-gun fighter")
	bare := on1941(t).put("7", UnitedStates, "transport[infantry] battleship").turn(UnitedStates, PhaseMove)
	bare.all("ship 1 sz-7 with infantry land france", "end")
	bare.want("owner france", "united-states")
}

func TestAssaultFromAnAlliedTransport(t *testing.T) { // EX-206, EX-207
	t.Parallel()
	rulestest.Proves(t, book, "AA 11.2.4", "AA 11.2.5", "AA 11.2.3", "AA 9.3.6", "AA 15.13.6")
	g := on1941(t).put("12", UnitedKingdom, "transport[infantry:united-states]").put("12", UnitedStates, "cruiser").
		put("morocco-algeria", Germany, "infantry").turn(UnitedStates, PhaseMove)
	g.refused("AA 11.2.3", "ship 1 sz-12>sz-13 with infantry land morocco-algeria of united-kingdom")
	g.all("ship 1 sz-12 with infantry land morocco-algeria of united-kingdom", "end")
	g.want("asks", "bombard")
	g.do("bombard 1 cruiser@sz-12", 3, 6, 6)
	g.want("owner morocco-algeria", "united-states", "at morocco-algeria", "united-states infantry", "at 12",
		"united-kingdom transport; united-states cruiser")

	uk := on1941(t).put("6", UnitedKingdom, "transport[tank,infantry:united-states]").turn(UnitedKingdom, PhaseMove)
	uk.refused("AA 11.2.5", "ship 1 sz-6 with tank infantry:united-states land norway")
	uk.all("ship 1 sz-6 with tank land norway", "end")
	uk.want("owner norway", "united-kingdom", "at norway", "united-kingdom tank", "at 6",
		"united-kingdom transport[infantry:united-states]")
}

func TestRidingAnAlliedTransport(t *testing.T) { // EX-023
	t.Parallel()
	rulestest.Proves(t, book, "AA 11.2.3", "AA 15.13.6", "AA 15.13.7")
	g := on1941(t).put("eastern-united-states", UnitedStates, "infantry").put("10", UnitedKingdom, "transport").
		turn(UnitedStates, PhaseNoncombat)
	g.refused("AA 11.2.3", "ship 1 sz-10 with infantry@eastern-united-states land panama of united-kingdom")
	g.do("ship 1 sz-10 with infantry@eastern-united-states of united-kingdom")
	g.want("at 10", "united-kingdom transport[infantry:united-states]")
	g.turn(UnitedKingdom, PhaseNoncombat)
	g.do("move 1 transport sz-10>sz-11>sz-12")
	if _, err := g.try(rules.Seat(UnitedKingdom),
		"ship 1 sz-12 with infantry:united-states land gibraltar"); err == nil {
		t.Error("allied cargo is offloaded in the turn of the transport's owner")
	}
	g.turn(UnitedStates, PhaseNoncombat)
	g.do("ship 1 sz-12 with infantry land gibraltar of united-kingdom")
	g.want("at gibraltar", "united-states infantry", "at 12", "united-kingdom transport")
}

func TestLoadSailLoadSailOffload(t *testing.T) { // EX-022
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.13.8", "AA 15.13.7", "AA 15.13.10", "AA 15.13.16")
	g := on1941(t).put("9", UnitedKingdom, "transport").put("eastern-canada", UnitedKingdom, "infantry").
		put("united-kingdom", UnitedKingdom, "tank").turn(UnitedKingdom, PhaseNoncombat)
	steps := g.p.Clone()
	g.do("ship 1 sz-9>sz-8>sz-12 with infantry@eastern-canada tank@united-kingdom land gibraltar")
	g.want("at gibraltar", "united-kingdom infantry tank", "at 12", "united-kingdom transport")
	g.refused("AA 15.13.10", "ship 1 sz-12 with infantry@gibraltar")
	g.refused("AA 15.13.10", "move 1 transport sz-12>sz-13")
	g.p = steps // or step by step
	g.all("ship 1 sz-9 with infantry@eastern-canada", "move 1 transport sz-9>sz-8",
		"ship 1 sz-8 with infantry tank@united-kingdom", "move 1 transport sz-8>sz-12",
		"ship 1 sz-12 with infantry tank land gibraltar")
	g.want("at gibraltar", "united-kingdom infantry tank")
}

func TestDefencelessTransports(t *testing.T) { // EX-024
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.10.1", "AA 9.10.4", "AA 8.8.4", "AA 15.13.5")
	g := on1941(t).put("8", Germany, "cruiser").put("7", UnitedKingdom, "destroyer 2 transport[tank,infantry]").
		turn(Germany, PhaseMove)
	g.do("move 1 cruiser sz-8>sz-7")
	if got := rolls(g.do("end", 3, 6)); got != "attack 3, defence 6" {
		t.Errorf("rolls %s", got)
	}
	g.want("at 7", "germany cruiser")
	left := on1941(t).put("8", Germany, "destroyer transport[infantry]").put("7", UnitedKingdom, "destroyer").
		turn(Germany, PhaseMove)
	left.all("move 1 destroyer sz-8>sz-7", "move 1 transport sz-8>sz-7")
	left.do("end", 6, 2)
	left.want("asks", "press")
	left.do("retreat sz-8")
	left.want("at 8", "germany transport[infantry]")
}

func TestAirUnitsAreSplit(t *testing.T) { // EX-025
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.4.2", "AA 9.3.17")
	g := on1941(t).put("8", UnitedKingdom, "transport[infantry]").put("united-kingdom", UnitedKingdom, "2 fighter").
		put("7", Germany, "destroyer").put("france", Germany, "infantry").
		turn(UnitedKingdom, PhaseMove)
	g.all("ship 1 sz-8>sz-7 with infantry land france", "move 1 fighter united-kingdom>sz-7",
		"move 1 fighter united-kingdom>france")
	out := g.do("end", 3, 6, 3, 6, 6)
	if got := rolls(out); got != "attack 3, defence 6, attack 3, attack 6, defence 6" {
		t.Errorf("rolls %s", got)
	}
	g.want("owner france", "united-kingdom", "at france", "united-kingdom infantry fighter", "at 7",
		"united-kingdom fighter transport")
}

func TestRetreatTogether(t *testing.T) { // EX-020, EX-021
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.3", "AA 9.9.5", "AA 8.1.5")
	g := on1941(t).put("poland", Germany, "2 infantry").put("bulgaria-romania", Germany, "2 tank").
		put("east-poland", SovietUnion, "2 infantry").turn(Germany, PhaseMove)
	g.all("move 2 infantry poland>east-poland", "move 2 tank bulgaria-romania>east-poland")
	g.do("end", 6, 6, 6, 6, 6, 6)
	either := g.p.Clone()
	g.refused("AA 9.9.3", "retreat ukraine")
	g.do("retreat poland")
	g.want("at poland", "germany 2 infantry 2 tank", "at east-poland", "soviet-union 2 infantry")
	g.p = either
	g.do("retreat bulgaria-romania")
	g.want("at bulgaria-romania", "germany 2 infantry 2 tank")

	sea := on1941(t).put("11", UnitedKingdom, "destroyer").put("9", UnitedKingdom, "destroyer").
		put("12", Germany, "2 cruiser").turn(UnitedKingdom, PhaseMove)
	sea.all("move 1 destroyer sz-11>sz-12", "move 1 destroyer sz-9>sz-12")
	sea.do("end", 6, 6, 6, 6)
	sea.refused("AA 9.9.3", "retreat sz-8")
	sea.do("retreat sz-11")
	sea.want("at 11", "united-kingdom 2 destroyer")
}
