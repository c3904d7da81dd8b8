package anniversary

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// atSea is a British attack out of sea zone 6 on German units in sea zone 5, all moved. Aircraft come
// from the United Kingdom.
func atSea(t *testing.T, ships, aircraft, defenders string) *table {
	t.Helper()
	g := on1941(t).put("5", Germany, defenders)
	if ships != "" {
		g.put("6", UnitedKingdom, ships)
	}
	if aircraft != "" {
		g.put("united-kingdom", UnitedKingdom, aircraft)
	}
	g.turn(UnitedKingdom, PhaseMove)
	if ships != "" {
		g.do("move " + ships + " sz-6>sz-5")
	}
	if aircraft != "" {
		g.do("move " + aircraft + " united-kingdom>sz-5")
	}
	return g
}

func (g *table) wantsAnswer(ask string, w Power) {
	g.t.Helper()
	if got := g.asks(); got != ask || g.asked() != w.Seat() {
		g.t.Fatalf("%s is asked %q, want %s asked %q", Power(g.asked()).ID(), got, w.ID(), ask)
	}
}

func TestSurpriseStrike(t *testing.T) { // EX-213
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.2", "AA 9.7.4", "AA 15.12.4")
	g := atSea(t, "2 submarine", "", "cruiser")
	g.do("end")
	g.wantsAnswer("submerge", UnitedKingdom)
	g.refused("AA 9.7.2", "submerge 3")
	g.rolled("united-kingdom 2@2", g.do("submerge 0", 1, 5)) // the cruiser does not fire
	g.want("at 5", "united-kingdom 2 submarine", "phase", "noncombat-move")
}

func TestADestroyerCancelsSurprise(t *testing.T) { // EX-214, EX-217, EX-356
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.1", "AA 9.7.5", "AA 15.12.2", "AA 9.7.9")
	g := atSea(t, "2 submarine", "", "destroyer")
	g.rolled("united-kingdom 2@2, germany 1@2", g.do("end", 1, 5, 2))
	g.want("at 5", "united-kingdom submarine")

	g = atSea(t, "destroyer", "fighter", "3 submarine")
	g.rolled("united-kingdom 1@3, united-kingdom 1@2, germany 3@1", g.do("end", 3, 6, 6, 6, 6)) // the fighter hits
	g.want("at 5", "germany 2 submarine; united-kingdom fighter destroyer", "asks", "press")

	g = atSea(t, "destroyer", "", "5 submarine")
	g.rolled("united-kingdom 1@2, germany 5@1", g.do("end", 2, 6, 6, 6, 6, 6))
	g.want("at 5", "germany 4 submarine; united-kingdom destroyer")
}

func TestSubmarinesOfBothSides(t *testing.T) { // EX-215
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.3", "AA 9.7.4")
	g := atSea(t, "submarine", "", "submarine")
	g.do("end")
	g.wantsAnswer("submerge", UnitedKingdom)
	g.rolled("united-kingdom 1@2, germany 1@1", g.do("submerge 0", 2, 1)) // what was hit fires, and may not submerge
	g.want("at 5", "")

	g = atSea(t, "submarine", "", "2 submarine")
	g.do("end")
	g.do("submerge 0", 2)
	g.wantsAnswer("submerge", Germany)
	g.refused("AA 9.7.2", "submerge 2")
	g.rolled("germany 1@1", g.do("submerge 1", 6)) // the one that was hit
	g.want("at 5", "germany submarine; united-kingdom submarine", "phase", "noncombat-move")
}

func TestSubmerging(t *testing.T) { // EX-216
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.3", "AA 9.7.7", "AA 9.7.2")
	g := atSea(t, "2 cruiser", "", "submarine")
	g.do("end")
	g.wantsAnswer("submerge", Germany)
	g.do("submerge 1")
	g.want("at 5", "germany submarine; united-kingdom 2 cruiser", "phase", "noncombat-move")
	if strings.Contains(g.p.format(), "submerged") {
		t.Error("the submarine is still submerged")
	}

	// the attacker's, too: what is out of the combat can't be hit and does not retreat
	g = atSea(t, "2 submarine", "", "cruiser")
	g.do("end")
	g.rolled("united-kingdom 1@2, germany 1@3", g.do("submerge 1", 6, 3))
	g.want("at 5", "germany cruiser; united-kingdom submarine", "phase", "noncombat-move")

	g = atSea(t, "cruiser 2 submarine", "", "2 cruiser")
	g.do("end")
	g.do("submerge 1", 6, 6, 6, 6)
	g.do("retreat sz-6")
	g.want("at 6", "united-kingdom cruiser submarine", "at 5", "germany 2 cruiser; united-kingdom submarine")
}

func TestSubmarinesChooseInEveryRound(t *testing.T) { // EX-224
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.6", "AA 9.9.3")
	g := on1941(t).put("10", Germany, "submarine").put("11", UnitedKingdom, "cruiser").
		put("12", UnitedKingdom, "cruiser").turn(Germany, PhaseMove)
	g.do("move 1 submarine sz-10>sz-11>sz-12")
	g.do("end")
	g.rolled("germany 1@2, united-kingdom 1@3", g.do("submerge 0", 6, 6))
	g.wantsAnswer("submerge", Germany) // sea zone 11 was not friendly: no retreat
	g.do("submerge 1")
	g.want("at 12", "germany submarine; united-kingdom cruiser", "phase", "noncombat-move")
}

func TestSurpriseOnceTheDestroyerIsSunk(t *testing.T) { // EX-237
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.6", "AA 9.7.1", "AA 9.7.5")
	g := atSea(t, "submarine cruiser", "", "destroyer cruiser")
	first := g.do("end", 1, 6)
	g.rolled("united-kingdom 1@3, united-kingdom 1@2", first)
	g.do("lose 1 destroyer", 6, 6)
	g.do("press")
	g.wantsAnswer("submerge", UnitedKingdom)
	g.rolled("united-kingdom 1@2", g.do("submerge 0", 1)) // the cruiser is gone without firing
	g.want("at 5", "united-kingdom cruiser submarine")
}

func TestSubmarinesDontHitAircraft(t *testing.T) { // EX-238
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.8", "AA 9.9.8", "AA 9.7.9", "AA 9.12.1")
	g := on1941(t).put("35", UnitedKingdom, "aircraft-carrier 2 fighter").put("37", Japan, "2 submarine").turn(Japan,
		PhaseMove)
	g.do("move 2 submarine sz-37>sz-35")
	g.do("end")
	g.do("submerge 0", 1, 1) // the second hit finds nothing
	// Only the carrier can take the first. Nobody can hit anybody now; the fighters find land.
	g.want("at 35", "japan 2 submarine", "at india", "united-kingdom 2 fighter", "phase", "noncombat-move")
}

func TestAircraftAloneDontHitSubmarines(t *testing.T) { // EX-218, EX-219, EX-347, EX-351
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.9", "AA 9.9.8", "AA 9.10.2", "AA 9.10.1", "AA 9.10.5", "AA 9.11.5")
	g := atSea(t, "", "2 fighter", "submarine")
	g.do("end") // without dice
	g.want("at 5", "germany submarine; united-kingdom 2 fighter", "phase", "noncombat-move")
	g.do("move 2 fighter sz-5>united-kingdom")

	g = atSea(t, "", "2 fighter", "submarine 2 transport")
	g.do("end")
	g.want("at 5", "germany submarine; united-kingdom 2 fighter")

	g = atSea(t, "", "bomber", "submarine transport[infantry,infantry]")
	g.do("end")
	g.want("at 5", "germany submarine; united-kingdom bomber")

	g = atSea(t, "", "fighter", "transport")
	g.do("end")
	g.want("at 5", "united-kingdom fighter", "phase", "noncombat-move")
}

func TestTheLastOtherDefenderSubmerges(t *testing.T) { // EX-245
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.10.1", "AA 9.7.3")
	g := atSea(t, "cruiser", "", "submarine transport")
	g.do("end")
	g.do("submerge 1")
	g.want("at 5", "germany submarine; united-kingdom cruiser", "phase", "noncombat-move")
}

func TestAllyOfTheAttacker(t *testing.T) { // EX-229
	t.Parallel()
	rulestest.Proves(t, book, "AA 11.1.3", "AA 9.7.1", "AA 9.5.2")
	g := on1941(t).put("57", UnitedKingdom, "destroyer").put("57", Japan, "submarine").put("56", UnitedStates,
		"aircraft-carrier 2 fighter").
		turn(UnitedStates, PhaseMove)
	g.do("move 2 fighter sz-56>sz-57")
	g.do("end") // neither side can hit the other
	g.want("at 57", "japan submarine; united-kingdom destroyer; united-states 2 fighter", "phase", "noncombat-move")

	g = on1941(t).put("57", UnitedKingdom, "destroyer").put("57", Japan, "submarine").
		put("56", UnitedStates, "cruiser").turn(UnitedStates, PhaseMove)
	g.do("move 1 cruiser sz-56>sz-57")
	g.do("end")
	g.wantsAnswer("submerge", Japan) // the destroyer of another power does not hinder it
	g.do("submerge 1")
	g.want("at 57", "japan submarine; united-kingdom destroyer; united-states cruiser")
}

func TestAllOrNothingAtSea(t *testing.T) { // EX-241, EX-242, EX-329
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.4.1", "AA 9.4.2", "AA 9.4.3", "AA 8.1.13", "AA 8.2.1")
	g := atSea(t, "cruiser", "", "submarine transport")
	g.rolled("", g.do("end"))
	g.wantsAnswer("submerge", Germany) // attacking the transport is attacking the submarine
	g.rolled("germany 1@1, united-kingdom 1@3", g.do("submerge 0", 6, 3))
	g.want("at 5", "united-kingdom cruiser") // the submarine takes the hit, and the transport has no defence left

	begin := func() *table {
		return on1941(t).put("5", Germany, "submarine").put("5", UnitedKingdom, "destroyer").turn(UnitedKingdom,
			PhaseMove)
	}
	g = begin()
	g.do("end")
	g.want("asks", "combat")
	g.rolled("united-kingdom 1@2, germany 1@1", g.do("fight sz-5", 2, 6)) // without having moved
	g.want("at 5", "united-kingdom destroyer", "phase", "noncombat-move")
	g.refused("AA 12.1.1", "move 1 destroyer sz-5>sz-6")
	g = begin()
	g.do("end")
	g.do("end") // ignored
	g.want("at 5", "germany submarine; united-kingdom destroyer", "phase", "noncombat-move")
	g.do("move 1 destroyer sz-5>sz-6")

	g = on1941(t).put("62", Japan, "submarine transport").put("62", UnitedStates, "cruiser").turn(UnitedStates,
		PhaseMove)
	g.refused("AA 8.1.4", "move 1 cruiser sz-62>sz-60") // it does not leave a hostile zone
	g.do("end")
	g.do("end")
	g.do("move 1 cruiser sz-62>sz-60")
	g.want("at 60", "united-states cruiser")
}

func TestASubmarineAmongEnemyShips(t *testing.T) { // EX-276, EX-337
	t.Parallel()
	rulestest.Proves(t, book, "AA 12.4.2", "AA 8.2.5", "AA 8.6.4")
	g := on1941(t).put("2", UnitedKingdom, "battleship").put("3", Germany, "submarine").turn(Germany, PhaseMove)
	g.do("move 1 submarine sz-3>sz-2")
	g.do("end")
	g.wantsAnswer("submerge", Germany)
	if g.p.battle.at != g.space("2") {
		t.Error("no combat in the zone")
	}

	g = on1941(t).put("10", Germany, "submarine").put("11", UnitedKingdom, "cruiser").turn(Germany, PhaseNoncombat)
	g.do("move 1 submarine sz-10>sz-11")
	g.do("end")
	g.want("at 11", "germany submarine; united-kingdom cruiser")
	if g.p.battle.on() {
		t.Error("a combat in Noncombat Move")
	}
	g.turn(UnitedKingdom, PhaseMove)
	g.do("end")
	g.want("asks", "combat") // to attack it or not
	g.turn(Germany, PhaseMove)
	g.do("end")
	g.want("battle", "sz-11", "asks", "submerge") // it stayed: it must fight
	g = on1941(t).put("11", Germany, "submarine").put("11", UnitedKingdom, "cruiser").turn(Germany, PhaseMove)
	g.do("move 1 submarine sz-11>sz-10")
	g.do("end")
	g.want("phase", "noncombat-move", "at 10", "germany submarine")
}

func TestDamageBySurpriseStrike(t *testing.T) { // EX-243
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.11", "AA 9.8.4", "AA 15.10.2")
	g := atSea(t, "submarine", "", "battleship")
	g.do("end")
	g.do("submerge 0", 1)
	g.wantsAnswer("losses", Germany)
	g.rolled("germany 1@4", g.do("lose 1 battleship-hull", 3))
	g.want("at 5", "germany battleship")
	if strings.Contains(g.p.format(), "damaged") {
		t.Error("the battleship is not whole again")
	}

	g = atSea(t, "submarine", "", "battleship") // it stays damaged in the rounds that follow
	g.do("end")
	g.do("submerge 0", 1)
	g.do("lose 1 battleship-hull", 6)
	g.do("press")
	g.do("submerge 0", 1)
	g.want("at 5", "united-kingdom submarine")
	if g.asked() != rules.Seat(UnitedKingdom) {
		t.Error("someone else is asked")
	}
}
