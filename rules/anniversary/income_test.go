package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// collected is the bonus of a power: what it receives in Collect Income beside its production.
func (g *table) collected(w Power) int {
	g.t.Helper()
	before := int(g.p.ipc[w])
	g.turn(w, PhaseIncome)
	return int(g.p.ipc[w]) - before - g.p.production(w)
}

func TestIncomeWithGainsOfTheTurn(t *testing.T) { // EX-287, EX-288
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.1.1", "AA 14.1.2", "AA 14.2.2")
	g := on1941(t).ipcs(Germany, 0).put("poland", Germany, "2 infantry").put("bulgaria-romania", Germany, "infantry").
		turn(Germany, PhaseMove)
	g.all("move 1 infantry poland>baltic-states", "move 1 infantry poland>east-poland",
		"move 1 infantry bulgaria-romania>ukraine", "end")
	for _, place := range []string{"baltic-states", "east-poland"} {
		g.do("fight " + place)
	}
	g.want("ipc germany", 0, "production germany", 35)
	g.do("end")
	g.want("ipc germany", 45, "power", "soviet-union")
	g.turn(Germany, PhaseIncome)
	g.want("ipc germany", 90)
}

func TestDamageDoesNotLowerIncome(t *testing.T) { // EX-303, EX-304
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.1.2", "AA 9.2.5", "AA 16.2.1", "AA 14.2.1")
	g := on1941(t, "objectives=false").damage("germany", 20).ipcs(Germany, 0).turn(Germany, PhaseIncome)
	g.want("ipc germany", 31)
	g = on1941(t).ipcs(Germany, 0).turn(Germany, PhaseIncome)
	g.want("ipc germany", 36) // the first objective
}

func TestResearchSwitchedOff(t *testing.T) { // EX-304
	t.Parallel()
	rulestest.Proves(t, book, "AA 16.1.1", "AA 6.1.1")
	g := on1941(t, "research=false").settle()
	g.want("power", "germany", "asks", "purchase")
	g = on1941(t).settle()
	g.want("power", "germany", "asks", "research")
}

func TestWarBondsInTheIncome(t *testing.T) { // EX-372
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.1.5", "AA 6.3.15")
	g := on1941(t).ipcs(UnitedKingdom, 0).tech(UnitedKingdom, scenario.WarBonds).hold(UnitedStates, "france").
		hold(Germany, "india", "australia", "burma", "borneo", "new-guinea", "new-zealand")
	g.want("production united-kingdom", 30)
	g.turn(UnitedKingdom, PhaseIncome, 1)
	g.want("ipc united-kingdom", 36)
}

func TestNoIncomeWithoutTheCapital(t *testing.T) { // EX-296
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.1.3")
	g := on1941(t).ipcs(Japan, 3).tech(Japan, scenario.WarBonds).hold(UnitedStates, "japan").
		hold(Japan, "kwangtung", "manchuria", "kiangsu").turn(Japan, PhaseIncome)
	g.want("ipc japan", 3) // no bonus, no die
}

func TestNoGifts(t *testing.T) { // EX-297, EX-306
	t.Parallel()
	rulestest.Proves(t, book, "AA 14.1.4", "AA 1.1.5", "AA 1.1.6", "AA 7.1.3")
	g := on1941(t).ipcs(Germany, 4).ipcs(Italy, 8).put("italy", Italy, "tank").turn(Germany, PhasePurchase)
	g.refused("AA 7.1.3", "buy 1 bomber") // 12 IPCs in two treasuries
	g.refused("", "give 4 italy")         // there is no such command
	for k := KindResearch; k < numKinds; k++ {
		if k == KindBuy || k == KindRepair || k == KindEnd {
			continue
		}
		if k.answers(AskPurchase) {
			t.Errorf("%s is a command of Purchase Units", kinds[k].ID)
		}
	}
	g.do("end")
	g.refused("AA 1.1.6", "move 1 tank italy>france of italy")
}
