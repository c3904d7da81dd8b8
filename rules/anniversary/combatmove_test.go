package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestBomberKeepsAStep(t *testing.T) { // EX-010
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.3.10", "AA 8.3.4", "AA 8.1.6")
	g := on1941(t).put("india", UnitedKingdom, "bomber").put("burma", UnitedKingdom, "fighter").put("japan", Japan,
		"infantry").
		put("54", Japan, "destroyer").turn(UnitedKingdom, PhaseMove)
	g.refused("AA 8.3.10", "move 1 bomber india>japan")
	g.refused("AA 8.3.4", "move 1 fighter burma>manchuria") // Yunnan, Hupeh or Fukien, Kiangsu, Manchuria: 4
	g.refused("AA 8.1.6", "move 1 fighter burma>japan")
}

func TestFullRangeBecauseOfCarrier(t *testing.T) { // EX-011, EX-176
	t.Parallel()
	begin := func() *table {
		return on1941(t).put("japan", Japan, "fighter").put("57", Japan, "aircraft-carrier").
			put("53", UnitedStates, "transport").put("56", UnitedStates, "destroyer")
	}
	g := begin().turn(Japan, PhaseMove)
	rulestest.Proves(t, book, "AA 8.3.9", "AA 8.3.1")
	g.do("move 1 fighter japan>sz-53")
	spare := g.p.Clone()
	g.do("end")
	g.want("at 53", "japan fighter", "asks", "noncombat-move")
	rulestest.Proves(t, book, "AA 8.3.8", "AA 12.5.3")
	g.refused("AA 12.5.3", "end")
	g.refused("AA 12.5.3", "move 1 aircraft-carrier sz-57>sz-59")
	g.do("move 1 aircraft-carrier sz-57>sz-53")
	g.do("end")
	g.want("at 53", "japan fighter aircraft-carrier")

	g.p = spare // the carrier that was promised may not fight
	g.do("move 1 aircraft-carrier sz-57>sz-56")
	rulestest.Proves(t, book, "AA 8.3.7", "AA 8.3.11")
	g.refused("AA 8.3.11", "end")
	g.do("recall 1")
	g.do("end")

	free := begin().put("53", UnitedStates, "destroyer").turn(Japan, PhaseMove)
	free.all("move 1 fighter japan>sz-53")
	rulestest.Proves(t, book, "AA 8.3.5")
	free.do("end", 5, 1) // the fighter is lost: the carrier is free
	free.want("at 53", "united-states destroyer transport")
	free.do("move 1 aircraft-carrier sz-57>sz-59")
	free.do("end")
}

func TestFightersAndCarrierGoDifferentWays(t *testing.T) { // EX-012, EX-186
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.5.1", "AA 8.5.3", "AA 12.3.4", "AA 8.3.2", "AA 9.10.5")
	g := on1941(t).put("53", UnitedStates, "aircraft-carrier 2 fighter").put("caroline-islands", Japan, "infantry").
		put("51", Japan, "transport").
		turn(UnitedStates, PhaseMove)
	g.all("move 2 fighter sz-53>caroline-islands", "move 1 aircraft-carrier sz-53>sz-51", "end")
	g.do("fight sz-51", 2, 4, 5)
	g.want("asks", "noncombat-move")
	g.want("at 51", "united-states aircraft-carrier", "at caroline-islands", "united-states 2 fighter",
		"owner caroline-islands", "japan")
	g.all("move 2 fighter caroline-islands>sz-51", "end")
	g.want("at 51", "united-states 2 fighter aircraft-carrier")

	left := on1941(t).put("53", UnitedStates, "aircraft-carrier 2 fighter").put("51", Japan, "transport").
		turn(UnitedStates, PhaseMove)
	left.all("move 1 aircraft-carrier sz-53>sz-51", "end")
	left.want("at 53", "united-states 2 fighter", "at 51", "united-states aircraft-carrier")
	left.all("move 2 fighter sz-53>sz-51", "end")
	left.want("at 51", "united-states 2 fighter aircraft-carrier")
}

func TestStoppingAtEnemiesAtSea(t *testing.T) { // EX-013, EX-174
	t.Parallel()
	g := on1941(t).put("10", Germany, "destroyer submarine").put("11", UnitedKingdom, "cruiser").
		put("12", UnitedKingdom, "cruiser").turn(Germany, PhaseMove)
	rulestest.Proves(t, book, "AA 2.7.1", "AA 8.1.7")
	g.refused("AA 8.1.7", "move 1 destroyer sz-10>sz-11>sz-12")
	rulestest.Proves(t, book, "AA 8.6.1")
	g.do("move 1 submarine sz-10>sz-11>sz-12")
	g.do("move 1 destroyer sz-10>sz-11")

	weak := on1941(t).put("10", Germany, "destroyer").put("11", UnitedKingdom, "submarine transport").
		put("12", UnitedKingdom, "cruiser").turn(Germany, PhaseMove)
	rulestest.Proves(t, book, "AA 8.1.13")
	weak.do("move 1 destroyer sz-10>sz-11>sz-12") // submarines and transports don't hinder

	hunted := on1941(t).put("10", Germany, "submarine").put("11", UnitedKingdom, "destroyer").
		put("12", UnitedKingdom, "cruiser").turn(Germany, PhaseMove)
	rulestest.Proves(t, book, "AA 8.6.2")
	hunted.refused("AA 8.6.2", "move 1 submarine sz-10>sz-11>sz-12")
	hunted.do("move 1 submarine sz-10>sz-11")
	rulestest.Proves(t, book, "AA 8.6.4")
	hunted.do("end", 6, 6) // a combat takes place
	hunted.want("battle", "sz-11")

	away := on1941(t).put("11", Germany, "submarine").put("11", UnitedKingdom, "destroyer").turn(Germany, PhaseMove)
	away.do("move 1 submarine sz-11>sz-12>sz-8")
	away.want("at 8", "germany submarine")
	stays := on1941(t).put("11", Germany, "submarine").put("11", UnitedKingdom, "destroyer").turn(Germany, PhaseMove)
	rulestest.Proves(t, book, "AA 8.2.5")
	stays.do("end", 1, 6)
	stays.want("at 11", "germany submarine")
}

func TestCombatMovesEnd(t *testing.T) { // EX-004, EX-168, EX-169
	t.Parallel()
	g := on1941(t).put("bulgaria-romania", Germany, "infantry").put("germany", Germany, "infantry fighter").
		put("poland", Germany, "2 tank").
		put("poland", Italy, "tank").put("norway", Germany, "infantry").put("5", Germany, "cruiser").turn(Germany,
		PhaseNoncombat)
	rulestest.Proves(t, book, "AA 2.6.1", "AA 8.1.2", "AA 12.2.1")
	g.refused("AA 12.2.1", "move 1 infantry bulgaria-romania>ukraine")
	g.turn(Germany, PhaseMove)
	rulestest.Proves(t, book, "AA 1.1.7", "AA 8.1.3", "AA 8.1.4")
	g.refused("AA 8.1.3", "move 1 infantry germany>poland")
	g.refused("AA 8.1.3", "move 1 fighter germany>italy") // nor an attack on a friend
	g.refused("AA 8.1.3", "move 1 fighter germany>sz-6")
	g.refused("AA 8.1.4", "move 1 cruiser sz-5>sz-6")
	rulestest.Proves(t, book, "AA 1.1.6", "AA 2.1.2", "AA 2.2.1", "AA 8.1.6")
	g.refused("AA 8.1.6", "move 1 infantry germany>baltic-states")
	g.refused("AA 8.1.6", "move 1 tank poland>russia")
	g.refused("AA 2.2.1", "move 1 tank poland>ukraine>east-poland")
	g.refused("AA 1.1.6", "move 1 tank poland>east-poland of italy")
	g.refused("AA 2.1.2", "move 1 infantry norway>sz-3")
	g.refused("AA 2.1.2", "move 1 infantry 1 cruiser norway>sz-3")
	g.refused("AA 15.9.2", "move 1 cruiser sz-5>karelia-ssr")
	rulestest.Proves(t, book, "AA 8.1.1", "AA 8.1.5")
	g.all("move 1 infantry bulgaria-romania>ukraine", "move 1 tank poland>east-poland>ukraine",
		"move 1 tank poland>east-poland")
	g.refused("AA 8.1.1", "move 1 infantry ukraine>eastern-ukraine")
	g.want("owner ukraine", "soviet-union")
	g.do("end")
	rulestest.Proves(t, book, "AA 8.7.5", "AA 10.1.4")
	g.want("owner ukraine", "germany", "owner east-poland", "germany", "asks", "noncombat-move",
		"production germany", 34)
	rulestest.Proves(t, book, "AA 2.6.2", "AA 8.1.11")
	g.do("move 1 infantry norway>finland")
	g.want("owner norway", "germany", "at norway", "", "production germany", 34)
}

func TestLeavingAHostileZone(t *testing.T) { // EX-170, EX-171, EX-172
	t.Parallel()
	begin := func() *table {
		return on1941(t).hold(UnitedStates, "okinawa").put("62", Japan, "destroyer").put("62", UnitedStates,
			"cruiser destroyer transport").
			put("okinawa", UnitedStates, "infantry").put("manchuria", Japan, "infantry").turn(UnitedStates, PhaseMove)
	}
	g := begin()
	rulestest.Proves(t, book, "AA 8.1.4", "AA 8.2.2")
	g.do("move 1 cruiser sz-62>sz-58")
	g.do("move 1 destroyer sz-62>sz-58")
	g.do("move 1 transport sz-62>sz-58")
	g.do("end")
	g.want("asks", "noncombat-move", "at 58", "united-states cruiser destroyer transport")
	rulestest.Proves(t, book, "AA 8.2.4")
	g.refused("AA 12.1.1", "move 1 cruiser sz-58>sz-57")

	other := begin().put("58", Japan, "transport")
	other.all("move 1 cruiser sz-62>sz-58", "move 1 destroyer sz-62>sz-58", "move 1 transport sz-62>sz-58", "end",
		"fight sz-58")
	other.want("at 58", "united-states cruiser destroyer transport") // leave and fight elsewhere

	back := begin()
	rulestest.Proves(t, book, "AA 8.2.3")
	back.refused("AA 15.13.13", "ship 1 sz-62 with infantry@buryatia-ssr land manchuria")
	back.do("ship 1 sz-62>sz-60>sz-62 with infantry@okinawa land manchuria")
	back.do("end", 2, 1, 6, 1, 6) // at sea, then on land
	back.want("at 62", "united-states cruiser destroyer transport", "owner manchuria", "china")

	stay := begin()
	rulestest.Proves(t, book, "AA 8.2.1", "AA 9.1.3", "AA 9.4.1")
	stay.do("end", 2, 6, 6)
	stay.want("at 62", "united-states cruiser destroyer transport")
}

func TestAttackingALoneSubmarine(t *testing.T) { // EX-173
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.4", "AA 8.6.3", "AA 9.1.3", "AA 9.4.3")
	g := on1941(t).put("8", Germany, "submarine").put("9", UnitedKingdom, "destroyer").
		put("united-kingdom", UnitedKingdom, "fighter").turn(UnitedKingdom, PhaseMove)
	pass := g.p.Clone()
	g.all("move 1 destroyer sz-9>sz-8", "move 1 fighter united-kingdom>sz-8")
	g.do("end", 6, 6, 6)
	g.want("battle", "sz-8", "asks", "press")

	g.p = pass // those that are there may leave it alone
	alone := on1941(t).put("8", Germany, "submarine").put("8", UnitedKingdom, "destroyer").turn(UnitedKingdom,
		PhaseMove)
	alone.do("end")
	alone.want("asks", "combat")
	alone.do("end")
	alone.want("asks", "noncombat-move", "at 8", "germany submarine; united-kingdom destroyer")
}

func TestTwoFightersOnePlace(t *testing.T) { // EX-175
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.3.4", "AA 8.3.6", "AA 8.3.11")
	g := on1941(t).put("japan", Japan, "2 fighter").put("57", Japan, "aircraft-carrier").put("57", Germany, "fighter").
		put("53", UnitedStates, "transport").turn(Japan, PhaseMove)
	g.do("move 1 fighter japan>sz-53")
	one := g.p.Clone()
	g.do("move 1 fighter japan>sz-53")
	g.refused("AA 8.3.11", "end")
	g.p = one
	g.do("end")
}

func TestNewCarrierAsLandingPlace(t *testing.T) { // EX-177
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.3.11", "AA 12.3.5", "AA 12.5.3", "AA 8.3.5", "AA 8.3.9")
	g := on1941(t).put("hawaiian-islands", UnitedStates, "fighter").put("57", Japan, "transport").
		bought(UnitedStates, 1, Carrier).turn(UnitedStates, PhaseMove)
	g.all("move 1 fighter hawaiian-islands>sz-57", "end", "move 1 fighter sz-57>sz-56", "end")
	g.want("asks", "mobilize", "at 56", "united-states fighter")
	g.refused("AA 12.5.3", "end")
	g.refused("AA 12.5.3", "place 1 aircraft-carrier sz-10")
	g.all("place 1 aircraft-carrier sz-56")
	g.want("at 56", "united-states fighter aircraft-carrier")

	far := on1941(t).put("hawaiian-islands", UnitedStates, "fighter").put("60", Japan, "transport").turn(UnitedStates,
		PhaseMove)
	far.refused("AA 8.3.4", "move 1 fighter hawaiian-islands>sz-60") // 4 steps, and no carrier to come
}

func TestCapturedTerritoryIsNoLandingPlace(t *testing.T) { // EX-178
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.3.6", "AA 8.3.4", "AA 12.3.3")
	// Berlin to Russia is 4 by Poland, Baltic States, Belorussia; Belorussia is 3, and the nearest friendly
	// territory 2 from there.
	g := on1941(t).put("germany", Germany, "fighter").put("poland", Germany, "2 tank fighter").
		put("eastern-ukraine", SovietUnion, "infantry").turn(Germany, PhaseMove)
	g.refused("AA 8.3.4", "move 1 fighter germany>eastern-ukraine")
	g.all("move 2 tank poland>east-poland>eastern-ukraine", "move 1 fighter poland>eastern-ukraine")
	g.do("end", 3, 5, 5, 4)
	g.want("owner eastern-ukraine", "germany")
	g.refused("AA 12.3.1", "end")
	g.refused("AA 12.3.3", "move 1 fighter eastern-ukraine>east-poland")
	g.do("move 1 fighter eastern-ukraine>poland")
	g.do("end")
}

func TestGuestFighterCannotFight(t *testing.T) { // EX-179
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.5.2", "AA 9.12.3", "AA 11.2.2")
	begin := func() *table {
		return on1941(t).put("53", UnitedStates, "aircraft-carrier").put("53", UnitedKingdom, "fighter").
			put("51", Japan, "destroyer").turn(UnitedStates, PhaseMove)
	}
	g := begin()
	g.do("move 1 aircraft-carrier sz-53>sz-51")
	out := g.do("end", 5, 2) // one die for the carrier, none for the guest
	if got := rolls(out); got != "attack 5, defence 2" {
		t.Errorf("rolls %s", got)
	}
	g.want("at 51", "japan destroyer", "at 53", "")
	won := begin()
	won.do("move 1 aircraft-carrier sz-53>sz-51")
	won.do("end", 1, 5)
	won.want("at 51", "united-states aircraft-carrier[fighter:united-kingdom]")
}

func TestBlitz(t *testing.T) { // EX-018, EX-019, EX-180, EX-187
	t.Parallel()
	begin := func() *table { return on1941(t).put("poland", Germany, "tank infantry") }
	for _, friendly := range []bool{false, true} {
		g := begin()
		owner := SovietUnion
		if friendly {
			owner = Germany
		}
		g.hold(owner, "east-poland").turn(Germany, PhaseMove)
		rulestest.Proves(t, book, "AA 8.7.1")
		g.refused("AA 8.1.6", "move 1 infantry poland>baltic-states>east-poland")
		before := g.p.production(Germany)
		rulestest.Proves(t, book, "AA 8.1.4", "AA 8.7.2", "AA 10.1.1", "AA 10.1.2")
		g.do("move 1 tank poland>baltic-states>east-poland")
		g.want("owner baltic-states", "germany", "production germany", before+1, "at east-poland", "germany tank")
		if !friendly {
			g.want("owner east-poland", "soviet-union")
		}
		g.do("end")
		g.want("owner east-poland", "germany")
		rulestest.Proves(t, book, "AA 8.7.4")
		g.refused("AA 12.1.1", "move 1 tank east-poland>poland")
	}
	there := on1941(t).put("libya", Italy, "tank").turn(Italy, PhaseMove)
	rulestest.Proves(t, book, "AA 8.1.4")
	there.do("move 1 tank libya>egypt>libya")
	there.want("owner egypt", "italy", "at libya", "italy tank", "production italy", 12,
		"production united-kingdom", 41)

	gun := begin().put("baltic-states", SovietUnion, "antiaircraft-gun").turn(Germany, PhaseMove)
	rulestest.Proves(t, book, "AA 8.1.8", "AA 8.7.3")
	gun.refused("AA 8.1.8", "move 1 tank poland>baltic-states>east-poland")
	gun.do("move 1 tank poland>baltic-states")
	gun.do("end")
	gun.want("owner baltic-states", "germany", "at baltic-states", "germany tank antiaircraft-gun")

	factory := begin().complex("baltic-states").turn(Germany, PhaseMove)
	factory.refused("AA 8.1.8", "move 1 tank poland>baltic-states>east-poland")
	factory.all("move 1 tank poland>baltic-states", "end")
	rulestest.Proves(t, book, "AA 10.1.5")
	factory.want("owner baltic-states", "germany", "complex baltic-states", true)
}

func TestNoFollowingThrough(t *testing.T) { // EX-181, EX-153
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.9", "AA 6.3.16", "AA 8.7.1")
	g := on1941(t).put("poland", Germany, "2 tank 3 infantry").put("karelia-ssr", SovietUnion, "infantry").
		tech(Germany, scenario.MechanizedInfantry).turn(Germany, PhaseMove)
	g.do("move 1 tank poland>baltic-states>belorussia")
	g.want("owner baltic-states", "germany")
	g.refused("AA 6.3.16", "move 1 infantry poland>baltic-states>karelia-ssr") // Baltic States counts as hostile
	g.do("move 1 tank 1 infantry poland>baltic-states>karelia-ssr")
	g.refused("AA 6.3.16", "move 1 infantry poland>baltic-states>karelia-ssr")
	g.do("move 1 infantry poland>baltic-states")
	g.want("at karelia-ssr", "germany infantry tank; soviet-union infantry", "at poland", "germany infantry")
}

func TestTransportsInCombatMove(t *testing.T) { // EX-182, EX-183, EX-184, EX-185, EX-014
	t.Parallel()
	g := on1941(t).put("8", UnitedKingdom, "transport").
		put("united-kingdom", UnitedKingdom, "2 infantry antiaircraft-gun").turn(UnitedKingdom, PhaseMove)
	rulestest.Proves(t, book, "AA 8.8.3", "AA 15.13.15")
	g.refused("AA 8.8.3", "ship 1 sz-8>sz-7 with infantry@united-kingdom")
	g.refused("AA 8.8.3", "ship 1 sz-8>sz-7 with infantry@united-kingdom infantry@united-kingdom+stays land france")
	rulestest.Proves(t, book, "AA 8.1.14")
	g.refused("AA 8.1.14", "ship 1 sz-8>sz-7 with antiaircraft-gun@united-kingdom land france")
	g.refused("AA 8.1.14", "ship 1 sz-8>sz-7 with infantry@united-kingdom antiaircraft-gun@united-kingdom land france")
	rulestest.Proves(t, book, "AA 8.4.1", "AA 8.4.3")
	g.refused("AA 8.4.1", "ship 1 sz-8 with infantry@united-kingdom land united-kingdom")
	g.refused("AA 8.4.3", "ship 1 sz-8 with infantry@united-kingdom land france")

	start := on1941(t).put("7", UnitedKingdom, "transport").put("united-kingdom", UnitedKingdom, "infantry").
		turn(UnitedKingdom, PhaseMove)
	rulestest.Proves(t, book, "AA 8.4.6")
	start.all("ship 1 sz-7 with infantry@united-kingdom land france", "end")
	start.want("at france", "united-kingdom infantry", "at 7", "united-kingdom transport")

	guns := on1941(t).put("united-kingdom", UnitedKingdom, "antiaircraft-gun").
		put("poland", Germany, "antiaircraft-gun").turn(Germany, PhaseMove)
	guns.refused("AA 8.1.14", "move 1 antiaircraft-gun poland>germany")
	guns.refused("AA 8.1.14", "move 1 antiaircraft-gun poland>baltic-states")

	landing := on1941(t).put("7", UnitedKingdom, "transport[antiaircraft-gun,infantry]").turn(UnitedKingdom, PhaseMove)
	rulestest.Proves(t, book, "AA 8.8.6")
	landing.refused("AA 8.8.6", "ship 1 sz-7 with antiaircraft-gun land france")
	landing.all("ship 1 sz-7 with infantry land france", "end")
	landing.want("owner france", "united-kingdom", "at france", "united-kingdom infantry",
		"aboard 7 united-kingdom antiaircraft-gun", 1, "asks", "noncombat-move")
	rulestest.Proves(t, book, "AA 15.13.10")
	landing.refused("AA 15.13.10", "ship 1 sz-7 with antiaircraft-gun land united-kingdom")

	stop := on1941(t).put("9", UnitedKingdom, "transport[infantry] destroyer").put("8", Germany, "cruiser").
		turn(UnitedKingdom, PhaseMove)
	rulestest.Proves(t, book, "AA 8.8.1")
	stop.refused("AA 8.1.7", "ship 1 sz-9>sz-8>sz-7 with infantry land france")
	stop.refused("AA 8.1.7", "move 1 destroyer sz-9>sz-8>sz-7")
	stop.all("move 1 transport sz-9>sz-8", "move 1 destroyer sz-9>sz-8")
	rulestest.Proves(t, book, "AA 8.8.4")
	stop.do("end", 6, 2)
	stop.want("aboard 8 united-kingdom infantry", 1, "at 8", "germany cruiser; united-kingdom transport[infantry]")
}
