package anniversary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestTwoHitsOnABattleship(t *testing.T) { // EX-212, EX-358
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.8.4", "AA 15.10.2")
	g := atSea(t, "battleship destroyer", "", "cruiser")
	g.do("end", 4, 6, 3)
	g.wantsAnswer("losses", UnitedKingdom)
	g.do("lose 1 battleship-hull")
	g.want("at 5", "united-kingdom battleship destroyer")
	if strings.Contains(g.p.format(), "damaged") {
		t.Error("the battleship is not whole again")
	}
	g = atSea(t, "battleship destroyer", "", "cruiser")
	g.do("end", 6, 6, 3)
	g.do("lose 1 battleship-hull")
	g.do("press", 6, 6, 3)
	g.refused("AA 9.8.2", "lose 1 battleship-hull") // a second time
	g.do("lose 1 battleship")
	g.want("at 5", "germany cruiser; united-kingdom destroyer")

	g = atSea(t, "2 cruiser", "", "battleship") // both hits at once
	g.do("end", 3, 3, 4)
	g.want("at 5", "united-kingdom cruiser")
}

func TestAsManyHitsAsPossible(t *testing.T) { // EX-220
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.8.3", "AA 9.7.9", "AA 9.5.6")
	g := atSea(t, "cruiser", "2 bomber", "cruiser 2 submarine")
	g.do("end")
	g.rolled("germany 2@1, united-kingdom 2@4, united-kingdom 1@3", g.do("submerge 0", 6, 6, 4, 4, 3))
	g.wantsAnswer("losses", Germany)
	g.refused("AA 9.8.3", "lose 2 submarine")
	g.refused("AA 9.8.2", "lose 2 cruiser")
	g.rolled("germany 1@3", g.do("lose 1 cruiser 1 submarine", 6)) // submarines that struck don't fire again
	g.want("at 5", "germany submarine; united-kingdom 2 bomber cruiser")
}

func TestTransportsLast(t *testing.T) { // EX-221, EX-357
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.8.5", "AA 15.13.3", "AA 9.8.2")
	g := atSea(t, "2 cruiser", "", "destroyer battleship transport")
	g.do("end", 3, 3)
	g.wantsAnswer("losses", Germany)
	g.refused("AA 9.8.5", "lose 1 transport 1 destroyer")
	other := g.copied()
	g.do("lose 1 destroyer 1 battleship-hull", 6, 6)
	g.want("at 5", "germany battleship transport; united-kingdom 2 cruiser")
	other.do("lose 1 battleship-hull 1 battleship", 6, 6)
	other.want("at 5", "germany destroyer transport; united-kingdom 2 cruiser")

	g = atSea(t, "cruiser transport", "", "cruiser")
	g.do("end", 6, 3) // nothing else can take the hit, so nobody is asked
	g.want("at 5", "germany cruiser; united-kingdom transport")

	// A transport may be lost while others remain, if nothing else can take the hit.
	g = atSea(t, "", "3 fighter", "submarine destroyer transport")
	g.do("end")
	g.do("submerge 0", 6, 3, 3, 6, 6)
	g.want("at 5", "germany submarine; united-kingdom 3 fighter")
	g = atSea(t, "", "3 fighter", "submarine destroyer cruiser")
	g.do("end")
	g.do("submerge 0", 6, 3, 6, 6)
	g.refused("AA 9.7.9", "lose 1 submarine")
}

func TestTheAttackerHasOnlyTransportsLeft(t *testing.T) { // EX-222
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.7", "AA 9.10.4", "AA 9.9.1")
	g := on1941(t).put("11", UnitedKingdom, "cruiser 2 transport").put("12", Germany, "destroyer").turn(UnitedKingdom,
		PhaseMove)
	g.do("move 1 cruiser 2 transport sz-11>sz-12")
	g.do("end", 6, 2)
	g.want("asks", "press", "at 12", "germany destroyer; united-kingdom 2 transport")
	g.rolled("germany 1@2", g.do("press", 2))
	g.want("asks", "press", "at 12", "germany destroyer; united-kingdom transport")
	g.refused("AA 9.9.3", "retreat sz-13")
	g.do("retreat sz-11")
	g.want("at 11", "united-kingdom transport", "phase", "noncombat-move")

	// Hits beyond the lost warship fall on them at once, and the owner chooses among unlike ones.
	g = on1941(t).put("11", UnitedKingdom, "cruiser 2 transport").put("12", Germany, "2 destroyer").turn(UnitedKingdom,
		PhaseMove)
	g.do("move 1 cruiser 2 transport sz-11>sz-12")
	g.do("end", 6, 2, 2)
	g.refused("AA 9.8.5", "lose 2 transport")
	g.do("lose 1 cruiser 1 transport")
	g.want("at 12", "germany 2 destroyer; united-kingdom transport", "asks", "press")
	g = on1941(t).put("11", UnitedKingdom, "transport[tank] transport").put("12", Germany, "destroyer").
		turn(UnitedKingdom, PhaseMove)
	g.do("move 2 transport sz-11>sz-12")
	g.do("end", 2)
	g.do("lose 1 transport#1")
	g.want("at 12", "germany destroyer; united-kingdom transport[tank]")

	// Without a way out they are destroyed with their cargo.
	g = on1941(t).put("12", UnitedKingdom, "cruiser transport[infantry,infantry]").put("12", Germany, "destroyer").
		turn(UnitedKingdom, PhaseMove)
	g.do("end", 6, 2)
	g.want("at 12", "germany destroyer", "phase", "noncombat-move")
}

func TestTransportsAttackAlone(t *testing.T) { // EX-246
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.13.2", "AA 9.9.7")
	g := on1941(t).put("11", UnitedKingdom, "2 transport").put("12", Germany, "destroyer").turn(UnitedKingdom,
		PhaseMove)
	g.do("move 2 transport sz-11>sz-12")
	g.rolled("germany 1@2", g.do("end", 6))
	g.want("asks", "press")
	g.rolled("germany 1@2", g.do("press", 1))
	g.rolled("germany 1@2", g.do("press", 1))
	g.want("at 12", "germany destroyer", "phase", "noncombat-move")
}

func TestOnlyTransportsOnBothSides(t *testing.T) { // EX-223
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.2")
	g := atSea(t, "destroyer transport", "", "destroyer transport")
	g.do("end", 2, 2)
	g.want("asks", "press", "at 5", "germany transport; united-kingdom transport")
	stay := g.copied()
	g.do("retreat sz-6")
	g.want("at 5", "germany transport", "at 6", "united-kingdom transport", "phase", "noncombat-move")
	stay.do("press")
	stay.want("at 5", "germany transport; united-kingdom transport", "phase", "noncombat-move", "battle", "")
}

func TestNoRetreatForShipsThatStartedThere(t *testing.T) { // EX-225
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.3", "AA 9.9.9")
	g := on1941(t).put("5", Germany, "cruiser").put("5", UnitedKingdom, "cruiser").turn(Germany, PhaseMove)
	// two rounds and no question
	g.rolled("germany 1@3, united-kingdom 1@3, germany 1@3, united-kingdom 1@3", g.do("end", 6, 6, 3, 6))
	g.want("at 5", "germany cruiser", "phase", "noncombat-move")
}

func TestFightersInsteadOfTheCarrier(t *testing.T) { // EX-230, EX-247, EX-348, EX-354
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.8.6", "AA 9.8.2", "AA 15.11.2", "AA 15.11.3", "AA 11.1.2", "AA 9.8.7")
	g := atSea(t, "cruiser", "", "aircraft-carrier 2 fighter")
	g.do("end", 3)
	g.do("lose 1 fighter", 6, 6, 6)
	g.want("at 5", "germany fighter aircraft-carrier; united-kingdom cruiser")
	g = atSea(t, "cruiser", "", "aircraft-carrier 2 fighter")
	g.do("end", 3)
	g.rolled("germany 2@4, germany 1@2", g.do("lose 1 aircraft-carrier", 6, 6, 6)) // it fires before it goes
	g.want("at 5", "germany 2 fighter; united-kingdom cruiser")
	g.rolled("united-kingdom 1@3, germany 2@4", g.do("press", 6, 4, 6)) // the fighters fight on
	g.want("at 5", "germany 2 fighter")
	g.wantsAnswer("divert", Germany)
	g.do("divert 2 sz-5>germany")
	g.want("at 5", "", "at germany", "germany 2 fighter")

	g = atSea(t, "submarine", "", "aircraft-carrier 2 fighter")
	g.do("end")
	g.do("submerge 0", 2) // only the carrier can take it
	g.want("at 5", "germany 2 fighter; united-kingdom submarine")

	g = atSea(t, "submarine", "fighter", "submarine aircraft-carrier fighter")
	g.do("end")
	g.do("submerge 0", 2)
	g.refused("AA 9.7.8", "lose 1 fighter")
	g.refused("AA 9.8.2", "lose 1 transport")
	g.do("lose 1 aircraft-carrier")
	g.do("submerge 0", 6, 3, 6) // the fighter's hit can't go to the submarine
	g.want("at 5", "germany submarine; united-kingdom fighter submarine")

	g = on1941(t).put("35", UnitedKingdom, "aircraft-carrier fighter").put("35", UnitedStates, "fighter").
		put("37", Japan, "cruiser").turn(Japan, PhaseMove)
	g.do("move 1 cruiser sz-37>sz-35")
	g.do("end", 3)
	other := g.copied()
	g.do("lose 1 fighter:united-states")
	g.rolled("united-kingdom 1@4, united-kingdom 1@2, united-states 1@4", g.do("answer yes", 6, 6, 6))
	g.want("at 35", "japan cruiser; united-kingdom fighter aircraft-carrier")
	other.do("lose 1 fighter")
	other.do("answer yes", 6, 6, 6)
	other.want("at 35", "japan cruiser; united-kingdom aircraft-carrier; united-states fighter")
}

func TestFightersOfALostCarrier(t *testing.T) { // EX-231
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.12.1", "AA 15.7.3")
	begin := func(g *table) *table {
		g.put("35", UnitedKingdom, "aircraft-carrier fighter").put("37", Japan, "2 cruiser").turn(Japan, PhaseMove)
		g.do("move 2 cruiser sz-37>sz-35")
		g.do("end", 3, 6)
		g.do("lose 1 aircraft-carrier", 6, 6)
		g.want("at 35", "japan 2 cruiser; united-kingdom fighter")
		g.do("retreat sz-37")
		return g
	}
	g := begin(on1941(t))
	g.want("at 35", "", "at india", "united-kingdom fighter", "asks", "noncombat-move")
	g = begin(on1941(t).hold(Japan, "india"))
	g.want("at 35", "", "at india", "", "asks", "noncombat-move")
	g = begin(on1941(t).put("34", UnitedStates, "aircraft-carrier"))
	g.wantsAnswer("divert", UnitedKingdom)
	g.refused("AA 9.12.1", "divert 1 sz-35>sz-31")
	g.refused("AA 9.12.1", "divert 2 sz-35>india")
	g.do("divert 1 sz-35>sz-34")
	g.want("at 34", "united-kingdom fighter; united-states aircraft-carrier", "asks", "noncombat-move")
	g = on1941(t).put("34", UnitedStates, "aircraft-carrier fighter").
		put("35", UnitedKingdom, "aircraft-carrier 2 fighter").put("37", Japan, "2 cruiser").
		turn(Japan, PhaseMove)
	g.do("move 2 cruiser sz-37>sz-35")
	g.do("end", 3, 6)
	g.do("lose 1 aircraft-carrier", 6, 6, 6)
	g.do("retreat sz-37")
	g.wantsAnswer("divert", UnitedKingdom)
	g.refused("AA 12.3.4", "divert 2 sz-35>sz-34") // one place is free

	// Another carrier in the same zone takes them without a move.
	g = on1941(t).put("35", UnitedKingdom, "aircraft-carrier 2 fighter").put("35", UnitedStates, "aircraft-carrier").
		put("37", Japan, "2 cruiser").
		turn(Japan, PhaseMove)
	g.do("move 2 cruiser sz-37>sz-35")
	g.do("end", 3, 6)
	g.do("lose 1 aircraft-carrier:united-kingdom")
	g.do("answer yes", 6, 6, 6, 6)
	g.do("retreat sz-37")
	g.want("at 35", "united-kingdom 2 fighter; united-states aircraft-carrier", "asks", "noncombat-move")
}

func TestFightersOfAnAttackingCarrier(t *testing.T) { // EX-353
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.12.2", "AA 15.7.2", "AA 8.5.1", "AA 12.3.7")
	begin := func() *table {
		g := on1941(t).put("56", UnitedStates, "aircraft-carrier 2 fighter").put("57", Japan, "cruiser").
			turn(UnitedStates, PhaseMove)
		g.do("move 1 aircraft-carrier sz-56>sz-57")
		g.want("at 56", "united-states 2 fighter") // they were launched and stay behind
		g.do("move 1 fighter sz-56>sz-57")
		g.do("end", 6, 6, 3)
		g.do("lose 1 aircraft-carrier")
		g.do("retreat -")
		return g
	}
	g := begin()
	g.want("at 57", "japan cruiser; united-states fighter", "at 56", "united-states fighter", "asks", "noncombat-move")
	g.refused("AA 12.3.1", "end")
	g.do("move 1 fighter sz-57>midway")
	g.do("move 1 fighter sz-56>western-united-states")
	g.do("end")
	g.want("at midway", "united-states fighter", "at western-united-states", "united-states fighter")
}

func TestIslandAircraftAndTheSea(t *testing.T) { // EX-240
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.6.1", "AA 9.3.17")
	g := on1941(t).put("52", Japan, "cruiser").put("53", UnitedStates, "destroyer").
		put("hawaiian-islands", UnitedStates, "2 fighter").turn(Japan, PhaseMove)
	g.do("move 1 cruiser sz-52>sz-53")
	g.rolled("japan 1@3, united-states 1@2", g.do("end", 3, 6))
	g.want("at 53", "japan cruiser", "at hawaiian-islands", "united-states 2 fighter")
}

// TestLossesSuggested: the casualties that a list suggests are all that the hits ask for and legal together, and no
// more of a kind than its lot allows.
func TestLossesSuggested(t *testing.T) {
	t.Parallel()
	g := atSea(t, "3 cruiser 2 destroyer battleship", "2 fighter", "3 cruiser battleship")
	g.do("end", 6, 6, 6, 6, 6, 6, 6, 6, 1, 1, 1, 1)
	g.wantsAnswer("losses", UnitedKingdom)
	order, sum, purse := "lose", 0, 0
	var list []Command
	g.p.Legal(g.asked(), rules.Filter{}, func(c Command) bool {
		if c.Kind == KindLose {
			list = append(list, c)
		}
		return true
	})
	for _, c := range list {
		d := g.p.Describe(0, c)
		if d.Lot.Verb != "lose" || d.Lot.Price != 1 || !d.Lot.Due {
			t.Fatalf("%s is the lot %+v", grammar.Format(g.p, c), d.Lot)
		}
		purse = d.Lot.Purse
		if d.Lot.Suggested > d.Lot.Most {
			t.Errorf("%d %s suggested of at most %d", d.Lot.Suggested, d.Lot.Thing, d.Lot.Most)
		}
		g.copied().do(fmt.Sprintf("lose %d %s", d.Lot.Most, d.Lot.Thing))
		if sum += d.Lot.Suggested; d.Lot.Suggested > 0 {
			order += fmt.Sprintf(" %d %s", d.Lot.Suggested, d.Lot.Thing)
		}
	}
	if sum != 4 || purse != 4 {
		t.Fatalf("%d suggested of %d hits: %s", sum, purse, order)
	}
	g.do(order)
	g.wantsAnswer("press", UnitedKingdom)
}
