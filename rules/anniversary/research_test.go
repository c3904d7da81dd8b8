package anniversary

import (
	"slices"
	"testing"

	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestFailureKeepsResearchers(t *testing.T) { // EX-138
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.2.1", "AA 6.2.2", "AA 6.2.4", "AA 6.1.3", "AA 6.1.2")
	g := on1941(t).turn(Germany, PhaseResearch)
	g.refused("AA 6.2.1", "research 7")
	out := g.do("research 2", 2, 5)
	if got := rolls(out); got != "research 2, research 5" {
		t.Errorf("rolls %s", got)
	}
	g.want("ipc germany", 21, "tokens germany", 2, "phase", "purchase")
	g.turn(Germany, PhaseResearch)
	g.do("research 1", 1, 2, 3)
	g.want("tokens germany", 3, "ipc germany", 16)
	g.turn(Germany, PhaseResearch)
	g.do("research 0", 1, 2, 3) // old tokens roll without new ones
	g.want("tokens germany", 3)
}

func TestSeveralSixes(t *testing.T) { // EX-139
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.2.3", "AA 6.2.5", "AA 6.2.8", "AA 6.4.1", "AA 6.2.10")
	g := on1941(t).researchers(Germany, 4).turn(Germany, PhaseResearch)
	g.do("research 0", 6, 6, 1, 3)
	g.want("asks", "chart", "tokens germany", 0)
	g.do("chart 2", 5)
	g.want("phase", "purchase", "tech germany long-range-aircraft", true, "tech italy long-range-aircraft", false)
	if g.p.tech[Germany] != 1<<scenario.LongRangeAircraft {
		t.Errorf("technologies %b, want one", g.p.tech[Germany])
	}
}

func TestCharts(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.1", "AA 6.4.1")
	for chart, ids := range map[string][6]string{
		"chart 1": {"advanced-artillery", "rockets", "paratroopers", "increased-factory-production", "war-bonds",
			"mechanized-infantry"},
		"chart 2": {"super-submarines", "jet-fighters", "improved-shipyards", "radar", "long-range-aircraft",
			"heavy-bombers"},
	} {
		for i, id := range ids {
			g := on1941(t).turn(Japan, PhaseResearch)
			g.do("research 1", 6)
			g.do(chart, uint32(i+1))
			g.want("tech japan "+id, true)
		}
	}
}

func TestReroll(t *testing.T) { // EX-140
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.2.6")
	g := on1941(t).tech(Germany, scenario.Rockets).turn(Germany, PhaseResearch)
	g.do("research 1", 6)
	g.do("chart 1", 2, 2, 6)
	g.want("tech germany mechanized-infantry", true, "tech germany rockets", true)
}

func TestCompletedChart(t *testing.T) { // EX-141, EX-159
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.2.7", "AA 6.2.2")
	chart1 := []Tech{scenario.AdvancedArtillery, scenario.Rockets, scenario.Paratroopers, scenario.IncreasedProduction,
		scenario.WarBonds, scenario.MechanizedInfantry}
	chart2 := []Tech{scenario.SuperSubmarines, scenario.JetFighters, scenario.ImprovedShipyards, scenario.Radar,
		scenario.LongRangeAircraft, scenario.HeavyBombers}
	g := on1941(t).tech(Germany, chart1...).turn(Germany, PhaseResearch)
	g.do("research 1", 6, 2) // only chart 2 is left: it is rolled on at once
	g.want("tech germany jet-fighters", true, "phase", "purchase")
	both := on1941(t).tech(Germany, chart1[:5]...).turn(Germany, PhaseResearch)
	both.do("research 1", 6)
	both.want("asks", "chart")
	all := on1941(t).tech(Germany, chart1...).tech(Germany, chart2...).settle()
	all.want("power", "germany", "phase", "purchase")
	all.refused("", "research 1")
}

func TestTechnologyIsEffectiveAtOnce(t *testing.T) { // EX-142, EX-143
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.2.9", "AA 6.4.4", "AA 7.1.2", "AA 6.2.10")
	g := on1941(t).ipcs(UnitedKingdom, 22).turn(UnitedKingdom, PhaseResearch)
	g.do("research 1", 6)
	g.do("chart 2", 3)
	g.do("buy 1 battleship")
	g.want("ipc united-kingdom", 0, "pool united-kingdom battleship", 1)
	for u, want := range map[Unit][2]int{
		Infantry: {3, 3}, Artillery: {4, 4}, Tank: {5, 5}, AAGun: {6, 6}, Fighter: {10, 10}, Bomber: {12, 12},
		Complex: {15, 15}, Battleship: {20, 17},
		Carrier: {14, 11}, Cruiser: {12, 10}, Destroyer: {8, 7}, Submarine: {6, 5}, Transport: {7, 6},
	} {
		if got := [2]int{g.p.cost(Germany, u), g.p.cost(UnitedKingdom, u)}; got != want {
			t.Errorf("%s costs %v, want %v", u.ID(), got, want)
		}
	}
}

func TestNoResearchWithoutCapital(t *testing.T) { // EX-144
	t.Parallel()
	rulestest.Proves(t, book, "AA 10.3.3", "AA 6.2.11", "AA 6.1.2", "AA 4.2.4")
	g := on1941(t).hold(UnitedKingdom, "italy").researchers(Italy, 2).turn(UnitedKingdom, PhaseNoncombat)
	g.do("end")
	g.want("power", "italy", "phase", "combat-move", "tokens italy", 2)
	g.all("end", "end")
	g.want("power", "united-states", "ipc italy", 10)
	g.hold(Italy, "italy").turn(Italy, PhaseResearch)
	g.do("research 0", 1, 2)
	g.want("tokens italy", 2)
}

// rocketry is the United Kingdom's complex in reach of Germany's gun.
func rocketry(t *testing.T, given ...string) *table {
	return on1941(t, given...).tech(Germany, scenario.Rockets).put("germany", Germany, "antiaircraft-gun")
}

func TestRockets(t *testing.T) { // EX-145, EX-146
	t.Parallel()
	g := rocketry(t).put("united-kingdom", UnitedKingdom, "antiaircraft-gun").turn(Germany, PhaseMove)
	g.do("end")
	rulestest.Proves(t, book, "AA 9.1.1")
	g.want("asks", "combat")
	rulestest.Proves(t, book, "AA 6.3.3", "AA 6.3.5")
	g.refused("AA 6.3.5", "rocket germany>russia")
	g.refused("AA 6.3.3", "rocket germany>norway")
	g.refused("AA 6.3.6", "rocket poland>united-kingdom")
	rulestest.Proves(t, book, "AA 6.3.4")
	out := g.do("rocket germany>united-kingdom", 5)
	if got := rolls(out); got != "rocket 5" { // no antiaircraft fire
		t.Errorf("rolls %s", got)
	}
	g.want("damage united-kingdom", 5, "asks", "noncombat-move")
	rulestest.Proves(t, book, "AA 12.2.2")
	g.refused("AA 12.1.1", "move 1 antiaircraft-gun germany>poland")

	two := rocketry(t).put("france", Germany, "antiaircraft-gun").damage("united-kingdom", 12).turn(Germany, PhaseMove)
	two.do("end")
	rulestest.Proves(t, book, "AA 9.2.6")
	two.do("rocket germany>united-kingdom", 6)
	two.want("damage united-kingdom", 16)
	two.do("rocket france>united-kingdom", 3)
	two.want("damage united-kingdom", 16)

	limit := rocketry(t, "rocket_limit").put("germany", Germany, "antiaircraft-gun").put("france", Germany,
		"antiaircraft-gun").
		put("poland", Germany, "antiaircraft-gun").damage("united-kingdom", 12).turn(Germany, PhaseMove)
	limit.do("end")
	limit.do("rocket germany>united-kingdom", 6)
	rulestest.Proves(t, book, "AA 16.3.1")
	limit.refused("AA 16.3.1", "rocket france>united-kingdom")
	limit.refused("AA 16.3.1", "rocket germany>karelia-ssr")
	limit.do("rocket poland>karelia-ssr", 1)

	without := on1941(t).put("germany", Germany, "antiaircraft-gun bomber").put("france", Germany, "bomber").
		complex("norway").turn(Germany, PhaseMove)
	without.all("raid 1 germany>karelia-ssr", "raid 1 france>united-kingdom", "end")
	without.refused("AA 6.3.3", "rocket germany>united-kingdom")
}

func TestRocketsAndNeutralTerritory(t *testing.T) { // EX-147
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.5")
	g := on1941(t).tech(Italy, scenario.Rockets).complex("french-west-africa").put("libya", Italy, "antiaircraft-gun").
		put("france", Italy, "antiaircraft-gun").turn(Italy, PhaseMove)
	g.do("end")
	g.want("asks", "combat") // the gun in France reaches the United Kingdom
	g.refused("AA 6.3.5", "rocket libya>french-west-africa")
	if d := g.sc.AirDistance(g.space("libya"), g.space("french-west-africa")); d <= 3 {
		t.Errorf("distance %d, want more than 3", d)
	}
}

func TestWhichGunsFireRockets(t *testing.T) { // EX-162
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.6", "AA 12.2.2", "AA 6.3.3")
	g := on1941(t).tech(Germany, scenario.Rockets).hold(Germany, "karelia-ssr").put("karelia-ssr", Germany,
		"antiaircraft-gun").
		put("italy", Germany, "antiaircraft-gun").
		put("5", Germany, "transport[antiaircraft-gun]").put("baltic-states", SovietUnion, "antiaircraft-gun").
		put("poland", Germany, "tank").
		complex("egypt").turn(Germany, PhaseMove)
	g.all("move 1 tank poland>baltic-states", "end")
	g.want("asks", "combat")
	g.refused("AA 6.3.6", "rocket sz-5>united-kingdom")
	g.refused("AA 6.3.6", "rocket baltic-states>russia")
	g.do("rocket karelia-ssr>russia", 2)
	g.do("rocket italy>egypt", 3)
	g.want("damage russia", 2, "damage egypt", 3, "asks", "noncombat-move")
	g.refused("AA 12.1.1", "move 1 antiaircraft-gun karelia-ssr>finland")
	g.refused("AA 12.1.1", "move 1 antiaircraft-gun italy>france")
}

func TestParatroopers(t *testing.T) { // EX-148, EX-149, EX-150
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.7", "AA 6.3.8", "AA 6.3.9", "AA 6.3.10", "AA 9.6.4")
	g := on1941(t).tech(UnitedKingdom, scenario.Paratroopers).put("united-kingdom", UnitedKingdom, "bomber infantry").
		put("persia", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseMove)
	if list := g.offered("drop"); !slices.Contains(list, "drop 1 united-kingdom>germany") {
		t.Errorf("it lists %v", list)
	}
	g.do("drop 1 united-kingdom>germany")
	g.want("aboard germany united-kingdom infantry", 1)
	if used := g.p.at(g.space("germany"))[0].Used(); used != 3 {
		t.Errorf("%d steps used, want 3: by SZ 6 and SZ 5", used)
	}
	inland := on1941(t).tech(UnitedKingdom, scenario.Paratroopers).put("united-kingdom", UnitedKingdom,
		"bomber infantry").
		put("persia", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseMove)
	inland.refused("AA 6.3.8", "drop 1 united-kingdom>czechoslovakia-hungary") // behind hostile Germany or Poland
	inland.refused("AA 6.3.8", "drop 1 united-kingdom>eastern-canada")
	inland.refused("AA 6.3.8", "drop 1 united-kingdom>sz-6")
	none := on1941(t).put("united-kingdom", UnitedKingdom, "bomber infantry").turn(UnitedKingdom, PhaseMove)
	none.refused("AA 6.3.7", "drop 1 united-kingdom>germany")
	lone := on1941(t).tech(UnitedKingdom, scenario.Paratroopers).put("united-kingdom", UnitedKingdom, "bomber").
		put("iceland", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseMove)
	if _, err := lone.try(lone.asked(), "drop 1 united-kingdom>germany"); err == nil {
		t.Error("a bomber picks up infantry elsewhere")
	}

	shot := on1941(t).tech(UnitedKingdom, scenario.Paratroopers).put("united-kingdom", UnitedKingdom,
		"3 bomber 2 infantry").
		put("germany", Germany, "antiaircraft-gun infantry").
		turn(UnitedKingdom, PhaseMove)
	shot.do("drop 2 united-kingdom>germany")
	shot.refused("", "raid 2 united-kingdom>germany") // those that carry don't raid
	shot.do("raid 1 united-kingdom>germany")
	// the raider is shot down; then one of the two, with its infantry; then two rounds
	out := shot.do("end", 1, 1, 3, 5, 6, 6, 4, 6, 6)
	if got := rolls(out); got !=
		"antiaircraft 1, antiaircraft 1, antiaircraft 3, attack 5, attack 6, defence 6, attack 4, attack 6, defence 6" {
		t.Errorf("rolls %s", got)
	}
	shot.want("damage germany", 0, "at germany", "united-kingdom infantry antiaircraft-gun bomber", "owner germany",
		"united-kingdom")
}

func TestParatroopersRetreat(t *testing.T) { // EX-161
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.11", "AA 6.3.7")
	g := on1941(t).tech(Germany, scenario.Paratroopers).put("poland", Germany, "2 bomber 2 infantry").
		put("ukraine", SovietUnion, "3 infantry").turn(Germany, PhaseMove)
	g.do("drop 2 poland>ukraine")
	g.do("end", 6, 6, 6, 6, 6, 6, 6)
	g.refused("AA 9.9.3", "retreat eastern-ukraine")
	g.do("retreat bulgaria-romania")
	g.want("at bulgaria-romania", "germany 2 infantry", "at ukraine", "germany 2 bomber; soviet-union 3 infantry",
		"asks", "noncombat-move")
	g.do("move 2 bomber ukraine>poland")
}

func TestIncreasedProduction(t *testing.T) { // EX-008, EX-151, EX-163
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.12", "AA 6.3.13", "AA 6.3.14", "AA 13.2.2", "AA 16.3.3", "AA 7.1.6")
	plain := on1941(t).bought(Germany, 13, Infantry).turn(Germany, PhaseMobilize)
	plain.refused("AA 13.2.2", "place 11 infantry germany")
	plain.do("place 10 infantry germany")
	more := on1941(t).tech(Germany, scenario.IncreasedProduction).bought(Germany, 13, Infantry).turn(Germany,
		PhaseMobilize)
	more.refused("AA 13.2.2", "place 13 infantry germany")
	more.do("place 12 infantry germany")

	italy := on1941(t).tech(Italy, scenario.IncreasedProduction).damage("italy", 3).bought(Italy, 6, Infantry).
		turn(Italy,
			PhasePurchase)
	spare := italy.p.Clone()
	italy.do("repair italy 3")
	italy.want("ipc italy", 8, "damage italy", 0)
	italy.p = spare
	italy.all("end", "end", "end")
	italy.refused("AA 13.2.2", "place 6 infantry italy")
	italy.do("place 5 infantry italy")

	full := on1941(t).tech(Germany, scenario.IncreasedProduction).damage("germany", 20).bought(Germany, 1, Infantry).
		put("united-kingdom", UnitedKingdom, "bomber").turn(UnitedKingdom, PhaseMove)
	full.do("raid 1 united-kingdom>germany")
	full.do("end", 6)
	full.want("damage germany", 20)
	full.turn(Germany, PhaseMobilize)
	full.refused("AA 13.2.2", "place 1 infantry germany")

	small := on1941(t, "factory_value_3").tech(SovietUnion, scenario.IncreasedProduction).
		bought(SovietUnion, 9, Infantry).
		turn(SovietUnion, PhaseMobilize)
	small.refused("AA 13.2.2", "place 3 infantry karelia-ssr")
	small.do("place 2 infantry karelia-ssr")
	small.do("place 6 infantry caucasus")
	large := on1941(t).tech(SovietUnion, scenario.IncreasedProduction).bought(SovietUnion, 9, Infantry).
		turn(SovietUnion,
			PhaseMobilize)
	large.do("place 4 infantry karelia-ssr")
}

func TestWarBonds(t *testing.T) { // EX-152
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.15", "AA 14.1.5", "AA 14.1.1")
	g := on1941(t, "objectives=false").tech(Japan, scenario.WarBonds).hold(Japan, "kwangtung", "philippine-islands").
		ipcs(Japan, 0).turn(Japan, PhaseNoncombat)
	g.want("production japan", 20)
	out := g.do("end", 4)
	g.want("ipc japan", 24)
	if got := rolls(out); got != "bonds 4" {
		t.Errorf("rolls %s", got)
	}
}

func TestMechanizedInfantry(t *testing.T) { // EX-153
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.16", "AA 8.7.1", "AA 8.1.6")
	g := on1941(t).tech(Germany, scenario.MechanizedInfantry).put("poland", Germany, "tank 2 infantry artillery").
		put("karelia-ssr", SovietUnion, "infantry").turn(Germany, PhaseMove)
	g.refused("AA 6.3.16", "move 1 tank 2 infantry poland>baltic-states>karelia-ssr")
	g.refused("AA 8.7.1", "move 1 tank 1 artillery poland>baltic-states>karelia-ssr")
	g.do("move 1 tank 1 infantry poland>baltic-states>karelia-ssr")
	g.refused("AA 6.3.16", "move 1 infantry poland>baltic-states>karelia-ssr")
	g.do("move 1 infantry poland>baltic-states")
	g.want("owner baltic-states", "germany", "at karelia-ssr", "germany infantry tank; soviet-union infantry")
	without := on1941(t).put("poland", Germany, "tank infantry").turn(Germany, PhaseMove)
	without.refused("AA 8.1.6", "move 1 tank 1 infantry poland>baltic-states>karelia-ssr")
}

func TestArtillery(t *testing.T) { // EX-006, EX-007
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.1.2", "AA 9.5.9", "AA 6.3.2", "AA 15.2.2")
	g := on1941(t).put("poland", Germany, "2 artillery 5 infantry").put("baltic-states", SovietUnion, "8 infantry").
		turn(Germany, PhaseMove)
	g.do("move 2 artillery 5 infantry poland>baltic-states")
	g.do("end", 2, 2, 2, 2, 2, 2, 1, 6, 6, 6, 6, 6, 6, 6, 6) // four at 2, three at 1: five hits
	g.want("baltic-states soviet-union infantry", 3)
	better := on1941(t).tech(Germany, scenario.AdvancedArtillery).put("poland", Germany, "artillery 2 infantry").
		put("baltic-states", SovietUnion, "4 infantry").turn(Germany, PhaseMove)
	better.do("move 1 artillery 2 infantry poland>baltic-states")
	better.do("end", 2, 2, 2, 6, 6, 6, 6)
	better.want("baltic-states soviet-union infantry", 1)
}

func TestSuperSubmarines(t *testing.T) { // EX-154
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.4.2", "AA 9.7.5")
	g := on1941(t).tech(Germany, scenario.SuperSubmarines).put("8", Germany, "submarine").put("7", UnitedKingdom,
		"destroyer").
		turn(Germany, PhaseMove)
	g.do("move 1 submarine sz-8>sz-7")
	out := g.do("end", 3, 5)
	if got := rolls(out); got != "attack 3, defence 5" {
		t.Errorf("rolls %s", got)
	}
	g.want("at 7", "germany submarine")
	defends := on1941(t).tech(Germany, scenario.SuperSubmarines).put("7", Germany, "submarine").
		put("8", UnitedKingdom, "destroyer").turn(UnitedKingdom, PhaseMove)
	defends.do("move 1 destroyer sz-8>sz-7")
	defends.do("end", 6, 2) // it still defends at 1
	defends.want("asks", "press", "7 united-kingdom destroyer", 1)
}

func TestRadar(t *testing.T) { // EX-155
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.4.5", "AA 8.3.12", "AA 9.6.1", "AA 9.6.3")
	for _, radar := range []bool{true, false} {
		g := on1941(t).put("united-kingdom", UnitedKingdom, "3 fighter").put("france", Germany,
			"antiaircraft-gun infantry")
		if radar {
			g.tech(Germany, scenario.Radar)
		}
		g.turn(UnitedKingdom, PhaseMove)
		g.do("move 3 fighter united-kingdom>france")
		left := 1
		if radar {
			g.do("end", 2, 1, 3, 4, 6)
		} else {
			left = 2
			g.do("end", 2, 1, 3, 4, 4, 6)
		}
		g.want("france united-kingdom fighter", left)
	}
}

func TestLongRange(t *testing.T) { // EX-156
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.4.6", "AA 8.3.10", "AA 6.2.10")
	for _, long := range []bool{true, false} {
		g := on1941(t).put("western-united-states", UnitedStates, "bomber fighter").put("57", Japan, "transport")
		if long {
			g.tech(UnitedStates, scenario.LongRangeAircraft)
		}
		g.turn(UnitedStates, PhaseMove)
		if d := g.sc.AirDistance(g.space("western-united-states"), g.space("japan")); d != 5 {
			t.Errorf("Japan is %d away, want 5", d)
		}
		if !long {
			g.refused("AA 8.3.10", "raid 1 western-united-states>japan")
			continue
		}
		g.do("raid 1 western-united-states>japan")
		g.do("end", 3)
		g.want("damage japan", 3)
		g.do("move 1 bomber japan>buryatia-ssr")
		if m := [3]int{g.p.moves(UnitedStates, Fighter), g.p.moves(UnitedStates, Bomber),
			g.p.moves(Japan, Fighter)}; m != [3]int{6, 8, 4} {
			t.Errorf("movement %v", m)
		}
	}
}

func TestHeavyBombers(t *testing.T) { // EX-157
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.4.7", "AA 9.2.3", "AA 15.8.2")
	g := on1941(t).tech(UnitedKingdom, scenario.HeavyBombers).put("united-kingdom", UnitedKingdom, "bomber").
		put("france", Germany, "3 infantry").turn(UnitedKingdom, PhaseMove)
	spare := g.p.Clone()
	g.do("move 1 bomber united-kingdom>france")
	g.do("end", 2, 4, 6, 6, 6)
	g.want("france germany infantry", 1)
	g.p = spare
	g.do("raid 1 united-kingdom>germany")
	g.do("end", 5, 6)
	g.want("damage germany", 11)
	attacked := on1941(t).tech(UnitedKingdom, scenario.HeavyBombers).put("egypt", UnitedKingdom, "bomber").
		put("libya", Italy, "tank").turn(Italy, PhaseMove)
	attacked.do("move 1 tank libya>egypt")
	attacked.do("end", 6, 6) // one die in defence
	attacked.want("asks", "press")
}

func TestJetFighters(t *testing.T) { // EX-158, EX-160
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.4.3", "AA 6.2.10")
	fights := func(w Power, throws ...uint32) *table {
		g := on1941(t).tech(Germany, scenario.JetFighters).put("france", w, "fighter").
			put("united-kingdom", UnitedKingdom, "fighter infantry").turn(w, PhaseMove)
		g.do("move 1 fighter france>united-kingdom")
		g.do("end", throws...)
		return g
	}
	if g := fights(Germany, 4); g.asks() != "losses" {
		t.Errorf("a jet fighter misses with 4: %s", g.asks())
	}
	if g := fights(Italy, 4, 6, 6); g.asks() != "press" {
		t.Errorf("Italy has Germany's technology: %s", g.asks())
	}
	defends := on1941(t).tech(Germany, scenario.JetFighters).put("france", Germany, "fighter").
		put("united-kingdom", UnitedKingdom, "fighter").turn(UnitedKingdom, PhaseMove)
	defends.do("move 1 fighter united-kingdom>france")
	defends.do("end", 6, 5)
	defends.want("asks", "press", "france united-kingdom fighter", 1)
}

func TestStepsOfResearch(t *testing.T) { // EX-324
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.1.2", "AA 6.1.3", "AA 6.2.5")
	g := on1941(t).turn(UnitedKingdom, PhaseResearch)
	g.want("asks", "research")
	if got := rolls(g.do("research 1", 6)); got != "research 6" {
		t.Errorf("rolls %s", got)
	}
	g.want("asks", "chart", "phase", "research", "tech united-kingdom radar", false)
	if got := rolls(g.do("chart 2", 4)); got != "breakthrough 4" {
		t.Errorf("rolls %s", got)
	}
	g.want("tech united-kingdom radar", true, "phase", "purchase", "asks", "purchase", "acting", "united-kingdom")
	g.turn(UnitedStates, PhaseResearch)
	g.want("acting", "united-states", "asks", "research")
	g.do("research 0")
	g.want("asks", "purchase") // China is not asked
}
