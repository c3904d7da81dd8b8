package anniversary

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestSidesAndTargets(t *testing.T) { // EX-305
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.1.1", "AA 1.1.7")
	for w, side := range map[Power]Side{Germany: Axis, Japan: Axis, Italy: Axis, SovietUnion: Allies,
		UnitedKingdom: Allies, UnitedStates: Allies, China: Allies} {
		if w.Side() != side {
			t.Errorf("%s is on the wrong side", w.ID())
		}
	}
	g := on1941(t).put("morocco-algeria", Germany, "tank fighter").put("13", Germany, "destroyer").
		put("14", Italy, "cruiser").turn(Germany, PhaseMove)
	g.refused("AA 8.1.3", "move 1 tank morocco-algeria>libya")
	g.refused("AA 8.1.3", "move 1 fighter morocco-algeria>libya")
	g.refused("AA 8.1.3", "move 1 fighter morocco-algeria>sz-14")
	g.refused("AA 8.1.4", "move 1 destroyer sz-13>sz-14")
	g = on1941(t).put("caucasus", UnitedStates, "bomber").turn(UnitedStates, PhaseMove)
	g.refused("AA 8.1.3", "raid 1 caucasus>russia")
}

// TestAuditOfDice plays part of a game twice with the same dice (EX-307).
func TestAuditOfDice(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.2.8")
	throws := []uint32{2, 4, 1, 3, 6, 6, 5, 1, 2, 2}
	play := func() (*Position, []rules.Rolled) {
		g := on1941(t).put("poland", Germany, "2 infantry tank").put("east-poland", SovietUnion, "2 infantry").
			turn(Germany, PhaseMove)
		g.do("move 2 infantry 1 tank poland>east-poland")
		src, out := dice.NewManual(throws), new(rules.Outcome)
		c, _ := g.p.parseCommand("end")
		if err := rules.Play(referee{}, g.p, rules.Seat(Germany), c, src, out); err != nil {
			t.Fatal(err)
		}
		return g.p, out.Rolls
	}
	first, rolled := play()
	second, again := play()
	if first.format() != second.format() {
		t.Error("the same orders and dice give another position")
	}
	if diff := cmp.Diff(rolled, again); diff != "" || len(rolled) == 0 {
		t.Errorf("the dice differ: %s", diff)
	}
	for _, r := range rolled {
		if r.Reason == "" || r.Value < 1 || r.Value > 6 {
			t.Errorf("a die without a purpose, or with too many pips: %+v", r)
		}
	}
}

func TestUnitsInTheWrongKindOfSpace(t *testing.T) { // EX-308, EX-309
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.1.2", "AA 9.11.4", "AA 15.9.2", "AA 2.2.3", "AA 8.1.6")
	g := on1941(t).put("5", Germany, "destroyer").put("germany", Germany, "infantry").put("26", Germany, "cruiser").
		turn(Germany, PhaseNoncombat)
	g.refused("AA 15.9.2", "move 1 destroyer sz-5>germany")
	g.refused("AA 2.1.2", "move 1 infantry germany>sz-5")
	g.refused("AA 8.1.6", "move 1 cruiser sz-26>sz-4") // the south edge and the north edge
	g.do("move 1 cruiser sz-26>sz-24")
	g = on1941(t).put("5", UnitedKingdom, "battleship").turn(UnitedKingdom, PhaseMove)
	g.refused("AA 15.9.2", "move 1 battleship sz-5>norway")
	g.do("end")
	g.want("owner norway", "germany")
}

func TestTinyIslands(t *testing.T) { // EX-310, EX-327
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.3.4", "AA 16.3.2")
	for _, given := range [][]string{nil, {"no_invisible_islands"}} {
		g := on1941(t, given...).put("53", UnitedStates, "aircraft-carrier fighter").put("52", UnitedStates,
			"transport[infantry]").
			turn(UnitedStates, PhaseNoncombat)
		g.all("move 1 fighter sz-53>wake-island", "ship 1 sz-52 with infantry land wake-island", "end")
		g.want("at wake-island", "united-states infantry fighter")
	}
}

func TestEmptyTerritoryIsHostile(t *testing.T) { // EX-312
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.6.1", "AA 8.1.2")
	begin := func(w Power) *table {
		return on1941(t).hold(Japan, "burma").put("india", w, "fighter").put("yunnan", w, "infantry").hold(w, "yunnan").
			turn(w, PhaseNoncombat)
	}
	begin(UnitedKingdom).refused("AA 12.2.1", "move 1 infantry yunnan>burma")
	for _, w := range []Power{Japan, Germany, Italy} {
		g := begin(w)
		g.do("move 1 infantry yunnan>burma")
	}
}

func TestPhasesAreNotRepeated(t *testing.T) { // EX-314, EX-315
	t.Parallel()
	rulestest.Proves(t, book, "AA 4.2.1", "AA 4.2.2", "AA 4.2.3", "AA 3.2.4", "AA 4.1.1")
	g := eastPoland(t, "infantry", "infantry")
	g.do("end", 6, 6)
	g.refused("", "buy 1 infantry")
	g.do("retreat poland")
	g.refused("", "buy 1 infantry")

	g = on1941(t, "research=false", "objectives=false").ipcs(Germany, 0).inRound(3)
	g.turn(Germany, PhaseMove)
	g.all("end", "end")
	g.want("ipc germany", 31, "power", "soviet-union")
	g.turn(UnitedStates, PhaseIncome)
	g.want("round", 4, "power", "germany")
	g = on1942(t).inRound(3).turn(UnitedStates, PhaseIncome)
	g.want("round", 4, "power", "japan")
}

func TestDecisionsOfOthers(t *testing.T) { // EX-316
	t.Parallel()
	rulestest.Proves(t, book, "AA 4.2.5")
	g := on1941(t).put("35", UnitedKingdom, "submarine").put("37", Japan, "cruiser").turn(Japan, PhaseMove)
	g.all("move 1 cruiser sz-37>sz-35", "end")
	g.wantsAnswer("submerge", UnitedKingdom)
	for seat := range rules.Seat(NumSeats) {
		if seat != rules.Seat(UnitedKingdom) {
			g.refusedTo(seat, "", "submerge 1")
		}
	}
	g.do("submerge 1")

	g = on1941(t).put("53", UnitedStates, "aircraft-carrier fighter").put("56", UnitedStates, "aircraft-carrier").
		put("52", Japan, "cruiser").turn(Japan, PhaseMove)
	g.do("move 1 cruiser sz-52>sz-53")
	g.do("end", 3)
	g.do("lose 1 aircraft-carrier", 6, 6)
	g.do("retreat sz-52")
	g.wantsAnswer("divert", UnitedStates)
	g.refusedTo(rules.Seat(Japan), "", "divert 1 sz-53>sz-56")
	g.refusedTo(rules.Seat(UnitedKingdom), "", "divert 1 sz-53>sz-56")
	g.do("divert 1 sz-53>hawaiian-islands")
	g.want("at hawaiian-islands", "united-states fighter")
}

func TestRecordAtTheStartOfTheTurn(t *testing.T) { // EX-317, EX-319, EX-321
	t.Parallel()
	rulestest.Proves(t, book, "AA 4.2.6", "AA 12.3.2", "AA 5.1.2", "AA 5.4.3")
	g := on1941(t).put("suiyuan", China, "infantry").put("hupeh", UnitedStates, "fighter").
		put("yunnan", China, "infantry").turnOf(UnitedStates, China, PhaseMove)
	g.all("move 1 infantry suiyuan>kiangsu", "end")
	g.want("owner kiangsu", "china")
	for g.asks() != "noncombat-move" {
		g.do("end")
	}
	g.refused("AA 12.3.3", "move 1 fighter hupeh>kiangsu")
	g.do("move 1 infantry yunnan>hupeh of china")
	g.do("move 1 fighter hupeh>suiyuan")

	g = on1941(t).hold(Japan, "fukien")
	japan, us := g.fact("production japan").(int), g.fact("production united-states").(int)
	g.put("hupeh", China, "infantry").turnOf(UnitedStates, China, PhaseMove)
	g.all("move 1 infantry hupeh>fukien", "end")
	g.want("owner fukien", "china", "production japan", japan-1, "production united-states", us)
}

func TestNewUnitsWait(t *testing.T) { // EX-325
	t.Parallel()
	rulestest.Proves(t, book, "AA 7.1.1", "AA 7.1.4")
	g := on1941(t).ipcs(Italy, 12).turn(Italy, PhasePurchase)
	g.do("buy 1 bomber")
	g.want("pool italy bomber", 1, "ipc italy", 0)
	if g.asks() == "purchase" {
		g.do("end")
	}
	g.want("asks", "combat-move")
	g.refused("", "move 1 bomber italy>egypt")
}

func TestIncreasedProductionCorrected(t *testing.T) { // EX-326
	t.Parallel()
	rulestest.Proves(t, book, "AA 16.3.3", "AA 6.3.12", "AA 13.2.2")
	for _, c := range []struct {
		given []string
		small int
	}{{nil, 4}, {[]string{"factory_value_3"}, 2}} {
		g := on1941(t, c.given...).tech(SovietUnion, scenario.IncreasedProduction).bought(SovietUnion, 40, Infantry).
			turn(SovietUnion, PhaseMobilize)
		for place, n := range map[string]int{"karelia-ssr": c.small, "caucasus": 6} {
			for range n {
				g.do("place 1 infantry " + place)
			}
			g.refused("AA 13.2.2", "place 1 infantry "+place)
		}
	}
}

func TestConvergingAttack(t *testing.T) { // EX-328
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.1", "AA 8.1.5", "AA 8.1.6")
	g := on1941(t).put("poland", Germany, "infantry").put("bulgaria-romania", Germany, "infantry").
		put("czechoslovakia-hungary", Germany, "tank infantry").
		put("east-poland", SovietUnion, "infantry").turn(Germany, PhaseMove)
	g.refused("AA 8.1.6", "move 1 infantry czechoslovakia-hungary>east-poland")
	g.all("move 1 infantry poland>east-poland", "move 1 infantry bulgaria-romania>east-poland",
		"move 1 tank czechoslovakia-hungary>poland>east-poland")
	g.refused("AA 8.1.1", "move 1 tank east-poland>belorussia")
	g.rolled("germany 1@3, germany 2@1, soviet-union 1@2", g.do("end", 3, 6, 6, 6))
	g.want("at east-poland", "germany 2 infantry tank", "owner east-poland", "germany")
}

func TestChineseRetreatTogether(t *testing.T) { // EX-322, EX-320
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.4.4", "AA 9.9.3", "AA 5.2.3", "AA 5.2.4")
	g := on1941(t).put("hupeh", China, "infantry").put("suiyuan", China, "infantry").
		put("kiangsu", Japan, "2 infantry").turnOf(UnitedStates, China, PhaseMove)
	g.all("move 1 infantry hupeh>kiangsu", "move 1 infantry suiyuan>kiangsu")
	g.do("end", 6, 6, 6, 6)
	g.refused("AA 9.9.3", "retreat manchuria")
	g.do("retreat suiyuan")
	g.want("at suiyuan", "china 2 infantry")

	g = on1941(t).hold(Japan, "hupeh").put("yunnan", China, "infantry").bought(China, 3, Infantry).turnOf(UnitedStates,
		China, PhaseMove)
	g.all("move 1 infantry yunnan>hupeh", "end")
	for g.asks() != "mobilize" {
		g.do("end")
	}
	g.refused("AA 5.2.4", "place 3 infantry hupeh of china")
	g.do("place 2 infantry hupeh of china")
	g.want("at hupeh", "china 3 infantry")
}

func TestRidingAnAllysTransport(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 11.2.3", "AA 11.2.4", "AA 11.2.5", "AA 15.13.6", "AA 8.1.12", "AA 1.1.6")
	g := on1941(t).put("10", UnitedKingdom, "transport[tank]").put("eastern-united-states", UnitedStates, "2 infantry").
		turn(UnitedStates, PhaseMove)
	g.refused("AA 8.8.3", "ship 1 sz-10 with infantry@eastern-united-states of united-kingdom")
	g.do("end")
	g.refused("AA 11.2.3", "ship 1 sz-10>sz-9 with infantry@eastern-united-states of united-kingdom")
	g.refused("AA 11.2.3",
		"ship 1 sz-10 with infantry@eastern-united-states land eastern-united-states of united-kingdom")
	never := g.copied()
	never.as(rules.Seat(UnitedKingdom), "orders transports never")
	never.refused("AA 8.1.12", "ship 1 sz-10 with infantry@eastern-united-states of united-kingdom")
	g.do("ship 1 sz-10 with infantry@eastern-united-states of united-kingdom")
	g.want("at 10", "united-kingdom transport[infantry:united-states,tank]")

	g.later(UnitedKingdom, PhaseNoncombat) // the transport's owner carries them, and lands his own only
	g.do("ship 1 sz-10>sz-11>sz-12")
	g.want("at 12", "united-kingdom transport[infantry:united-states,tank]")
	g.hold(UnitedKingdom, "morocco-algeria")
	g.refused("AA 11.2.5", "ship 1 sz-12 with infantry:united-states land morocco-algeria")
	g.refused("AA 15.13.6", "ship 1 sz-12 with infantry:united-states@morocco-algeria")
	g.hold(Germany, "morocco-algeria").put("morocco-algeria", Germany, "infantry").put("12", UnitedStates, "cruiser").
		put("12", UnitedKingdom, "cruiser")

	g.later(UnitedStates, PhaseMove) // and on its own next turn the power lands them, by an assault
	g.do("ship 1 sz-12 with infantry land morocco-algeria of united-kingdom")
	g.do("end")
	g.want("asks", "bombard") // its own cruiser may
	g.refused("AA 9.3.6", "bombard 2 cruiser@sz-12")
	g.do("bombard 1 cruiser@sz-12", 3, 6, 6)
	g.want("owner morocco-algeria", "united-states", "at 12",
		"united-kingdom cruiser transport[tank]; united-states cruiser")
}

func TestSubmarinesMayLeaveAircraft(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.7.10")
	g := atSea(t, "", "2 fighter", "submarine cruiser")
	g.do("end")
	g.wantsAnswer("submerge", Germany) // before they fire
	g.do("submerge 1", 6, 6, 6)
	if !strings.Contains(g.p.format(), "submerged") {
		t.Error("the submarine is not out of the combat")
	}
}
