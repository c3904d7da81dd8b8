package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestStartIncomes(t *testing.T) { // EX-101, EX-102, EX-103
	t.Parallel()
	for doc, want := range map[string][NumSeats]int{
		"1941": {Germany: 31, SovietUnion: 30, Japan: 17, UnitedKingdom: 43, Italy: 10, UnitedStates: 40},
		"1942": {Japan: 31, SovietUnion: 24, Germany: 37, UnitedKingdom: 31, Italy: 10, UnitedStates: 38},
	} {
		g := setUp(t, doc)
		for w, n := range want {
			id := Power(w).ID()
			rulestest.Proves(t, book, "AA 1.3.1", "AA 1.3.6", "AA 14.1.2")
			g.want("ipc "+id, n, "production "+id, n, "tokens "+id, 0)
			if g.p.tech[w] != 0 || g.p.pool[w] != [NumUnits]uint16{} {
				t.Errorf("%s: %s starts with technologies or units that wait", doc, id)
			}
		}
		rulestest.Proves(t, book, "AA 1.3.10", "AA 5.1.2")
		if g.p.damage != [MaxSpaces]uint8{} || g.p.production(China) != 0 || g.p.pool[China] != [NumUnits]uint16{} {
			t.Errorf("%s starts with damage, or China with an income or recruits", doc)
		}
	}
	rulestest.Proves(t, book, "AA 1.3.3", "AA 1.3.7", "AA 3.2.3")
	setUp(t, "1941").want("cities axis", 6, "cities allies", 12, "owner kwangtung", "united-kingdom",
		"owner philippine-islands", "united-states",
		"owner solomon-islands", "united-kingdom", "owner ukraine", "soviet-union")
	rulestest.Proves(t, book, "AA 1.3.8")
	late := setUp(t, "1942").want("cities axis", 8, "cities allies", 10)
	for w, ids := range map[Power][]string{
		Germany: {"baltic-states", "belorussia", "east-poland", "eastern-ukraine", "ukraine"},
		Japan: {"borneo", "burma", "east-indies", "kwangtung", "new-guinea", "philippine-islands", "solomon-islands",
			"wake-island"},
	} {
		for _, id := range ids {
			rulestest.Proves(t, book, "AA 1.3.5")
			late.want("owner "+id, w.ID())
		}
	}
}

func TestTurnOrder(t *testing.T) { // EX-104
	t.Parallel()
	rulestest.Proves(t, book, "AA 4.1.1", "AA 4.1.2", "AA 4.1.3", "AA 4.2.3", "AA 1.1.4", "AA 3.2.4")
	for doc, order := range map[string]string{
		"1941": "germany soviet-union japan united-kingdom italy united-states",
		"1942": "japan soviet-union germany united-kingdom italy united-states",
	} {
		g := setUp(t, doc).settle()
		got, last := "", ""
		for range 400 { // everyone passes until the next round
			if g.p.round > 1 {
				break
			}
			if w := g.p.power.ID(); w != last {
				if last = w; got != "" {
					got += " "
				}
				got += w
			}
			switch g.asks() {
			case "research":
				g.want("phase", "research").do("research 0")
			case "order":
				g.want("acting", "united-states")
				if g.asked() != rules.Seat(UnitedStates) {
					t.Errorf("%s: seat %d plays China", doc, g.asked())
				}
				g.do("order china")
				g.want("acting", "china", "phase", "combat-move")
			default:
				g.do("end")
			}
		}
		if got != order {
			t.Errorf("%s: the order is %s, want %s", doc, got, order)
		}
		g.want("round", 2)
	}
}

func TestPhasesInOrder(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 4.2.1", "AA 4.2.2", "AA 6.1.1", "AA 16.1.1")
	g := on1941(t).put("germany", Germany, "infantry bomber").put("poland", Germany, "tank").
		put("baltic-states", SovietUnion, "infantry").
		bought(Germany, 1, Infantry).turn(Germany, PhaseResearch)
	g.want("phase", "research").refused("", "buy 1 infantry")
	g.do("research 0")
	g.want("phase", "purchase").refused("", "research 1")
	g.do("end")
	g.want("phase", "combat-move").refused("", "buy 1 infantry")
	g.all("move 1 tank poland>baltic-states", "move 1 bomber germany>baltic-states")
	g.do("end", 6, 6, 6)
	g.want("phase", "combat", "asks", "press")
	g.refused("", "move 1 infantry germany>france")
	g.do("press", 4, 6, 6)
	g.want("phase", "noncombat-move", "owner baltic-states", "germany")
	g.all("move 1 bomber baltic-states>germany", "end")
	g.want("phase", "mobilize").refused("", "move 1 infantry germany>france")
	g.all("place 1 infantry germany", "end")
	g.want("power", "soviet-union", "ipc germany", 31+32+5) // one objective is fulfilled

	plain := on1941(t, "research=false").settle()
	plain.want("phase", "purchase", "power", "germany")
}

func TestCargoAtTheStart(t *testing.T) { // EX-106
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.3.9", "AA 1.3.4", "AA 15.13.4")
	g := setUp(t, "1941")
	g.want("61 japan transport", 2, "aboard 61 japan infantry", 3, "aboard 61 japan artillery", 1,
		"61 japan infantry", 0, "61 japan aircraft-carrier", 1,
		"61 japan fighter", 2, "61 japan cruiser", 1, "61 japan battleship", 1)
	g.turn(Japan, PhaseMove)
	g.refused("AA 15.13.4", "ship 1 sz-61 with infantry@kiangsu land kwangtung")
	if free := g.p.freeDecks(Japan, g.space("61")); free != 0 {
		t.Errorf("%d places on the carrier, want none", free)
	}
}

func TestNoPieceLimit(t *testing.T) { // EX-107
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.2.2", "AA 7.1.1")
	g := on1941(t).put("14", Italy, "2 aircraft-carrier").ipcs(Italy, 14).turn(Italy, PhasePurchase)
	g.do("buy 1 aircraft-carrier")
	g.want("pool italy aircraft-carrier", 1, "ipc italy", 0)
}

func TestPowersAreKeptApart(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.1.5", "AA 1.1.6")
	g := on1941(t).ipcs(Italy, 2).put("italy", Germany, "infantry").put("italy", Italy, "infantry").turn(Italy,
		PhaseNoncombat)
	g.refused("AA 1.1.6", "move 1 infantry italy>balkans of germany")
	g.do("move 1 infantry italy>balkans")
	g.want("at italy", "germany infantry", "ipc germany", 31)
	poor := on1941(t).ipcs(Italy, 3).turn(Italy, PhasePurchase)
	poor.refused("AA 7.1.3", "buy 1 artillery")
	poor.refusedTo(rules.Seat(Germany), "", "buy 1 artillery")
}

func TestDice(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.2.8")
	g := on1941(t).ipcs(Germany, 60000).turn(Germany, PhaseResearch)
	c, _ := g.p.parseCommand("research 200")
	out, seen := new(rules.Outcome), map[uint8]int{}
	if err := rules.Play(referee{}, g.p, rules.Seat(Germany), c, dice.NewSeeded(7), out); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Rolls {
		if r.Sides != 6 {
			t.Errorf("a die of %d sides", r.Sides)
		}
		seen[r.Value]++
	}
	if len(seen) != 6 {
		t.Errorf("values %v, want 1 to 6", seen)
	}
}

func TestVictory(t *testing.T) { // EX-120, EX-121, EX-122
	t.Parallel()
	rulestest.Proves(t, book, "AA 3.1.1", "AA 3.2.1", "AA 3.2.2", "AA 3.2.3", "AA 3.2.4")
	axis15 := func(g *table) *table { // six of their own and nine more
		return g.hold(Germany, "karelia-ssr", "caucasus", "russia", "united-kingdom").
			hold(Japan, "kwangtung", "philippine-islands", "india", "australia", "hawaiian-islands")
	}
	g := axis15(on1941(t)).inRound(3).turn(UnitedStates, PhaseNoncombat)
	g.want("cities axis", 15)
	g.do("end")
	if e := g.p.Ending(); e == nil ||
		e.Winners != rules.SeatsOf(rules.Seat(Germany), rules.Seat(Japan), rules.Seat(Italy)) || e.Level != "cities" {
		t.Errorf("the Axis did not win: %+v", e)
	}
	late := axis15(on1941(t)).inRound(3).put("53", UnitedStates, "transport[infantry]").turn(UnitedStates, PhaseMove)
	late.want("cities axis", 15)
	late.all("ship 1 sz-53 with infantry land hawaiian-islands", "end")
	late.want("cities axis", 14, "cities allies", 4, "owner hawaiian-islands", "united-states")
	late.do("end")
	late.want("round", 4, "power", "germany")

	early := axis15(on1941(t)).inRound(3).turn(Italy, PhaseNoncombat) // not before the end of the round
	early.do("end")
	early.want("power", "united-states", "round", 3)

	short := on1941(t, "victory_cities=13").inRound(2).hold(UnitedKingdom, "france").turn(UnitedStates, PhaseNoncombat)
	short.do("end")
	if e := short.p.Ending(); e == nil || e.Winners != seatsOf(Allies) {
		t.Errorf("the Allies did not win with 13 cities: %+v", e)
	}
	for _, n := range []string{"15", "18"} {
		long := on1941(t, "victory_cities="+n).inRound(2).hold(UnitedKingdom, "france").turn(UnitedStates,
			PhaseNoncombat)
		long.do("end")
		long.want("round", 3)
	}
	all := on1941(t, "victory_cities=18").inRound(9)
	for _, s := range all.sc.Cities {
		all.p.owner[s] = Japan
	}
	all.turn(UnitedStates, PhaseNoncombat)
	all.do("end")
	if all.p.Ending() == nil {
		t.Error("18 cities don't win the long game")
	}
}

func TestLiberatedCity(t *testing.T) { // EX-123
	t.Parallel()
	rulestest.Proves(t, book, "AA 3.2.1", "AA 10.2.1")
	g := on1941(t).hold(Japan, "india").put("35", UnitedStates, "transport[infantry]").turn(UnitedStates, PhaseMove)
	g.want("cities axis", 7)
	g.all("ship 1 sz-35 with infantry land india", "end")
	g.want("owner india", "united-kingdom", "cities axis", 6, "cities allies", 12)
}

func TestSeizingATreasury(t *testing.T) { // EX-005
	t.Parallel()
	rulestest.Proves(t, book, "AA 10.3.1", "AA 10.3.2", "AA 10.3.7")
	g := on1941(t).ipcs(SovietUnion, 18).hold(Germany, "belorussia").put("belorussia", Germany, "tank").turn(Germany,
		PhaseMove)
	before, ussr := g.p.production(Germany), g.p.production(SovietUnion)
	g.all("move 1 tank belorussia>russia", "end")
	g.want("owner russia", "germany", "ipc germany", 31+18, "ipc soviet-union", 0, "production germany", before+6,
		"production soviet-union", ussr-6)
	free := on1941(t).hold(Germany, "russia").ipcs(SovietUnion, 3).put("urals", UnitedKingdom, "infantry").
		turn(UnitedKingdom, PhaseMove)
	axis := free.p.production(Germany)
	free.all("move 1 infantry urals>russia", "end")
	free.want("owner russia", "soviet-union", "ipc germany", 31, "ipc united-kingdom", 43, "ipc soviet-union", 3,
		"production germany", axis-6)
}
