package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestPaying(t *testing.T) { // EX-164
	t.Parallel()
	rulestest.Proves(t, book, "AA 7.1.1", "AA 7.1.2", "AA 7.1.3", "AA 7.1.4", "AA 1.1.5")
	g := on1941(t).ipcs(Italy, 10).turn(Italy, PhasePurchase)
	g.refused("AA 7.1.3", "buy 2 infantry 1 tank")
	g.do("buy 1 tank")
	g.refused("AA 7.1.3", "buy 2 infantry")
	g.do("buy 1 infantry")
	g.want("ipc italy", 2, "pool italy infantry", 1, "pool italy tank", 1, "italy italy infantry", 0, "at italy", "")

	all := on1941(t).ipcs(Germany, 122).turn(Germany, PhasePurchase)
	for u := range NumUnits {
		all.do("buy 1 " + u.ID())
		all.want("pool germany "+u.ID(), 1)
	}
	all.want("ipc germany", 0)
}

func TestMoreThanCanBePlaced(t *testing.T) { // EX-165
	t.Parallel()
	rulestest.Proves(t, book, "AA 7.1.5", "AA 13.1.6", "AA 7.1.6", "AA 13.2.2")
	g := on1941(t).ipcs(Italy, 24).turn(Italy, PhasePurchase)
	g.all("buy 8 infantry", "end", "end")
	g.want("asks", "mobilize")
	g.refused("AA 13.2.2", "place 8 infantry italy")
	g.all("place 6 infantry italy", "end")
	g.want("pool italy infantry", 2, "italy italy infantry", 6)
	g.turn(Italy, PhaseMobilize)
	g.do("place 2 infantry italy")
	g.want("pool italy infantry", 0)
}

func TestRepairBeforeBuilding(t *testing.T) { // EX-166, EX-189
	t.Parallel()
	rulestest.Proves(t, book, "AA 7.2.1", "AA 7.2.2", "AA 7.1.3", "AA 9.2.5", "AA 13.2.2", "AA 15.5.3")
	g := on1941(t).ipcs(UnitedKingdom, 26).damage("united-kingdom", 5).turn(UnitedKingdom, PhasePurchase)
	g.refused("AA 7.2.1", "repair united-kingdom 6")
	g.refused("AA 7.2.1", "repair india 1")
	g.all("repair united-kingdom 4")
	g.want("damage united-kingdom", 1, "ipc united-kingdom", 22)
	g.all("buy 7 infantry", "end", "end", "end")
	g.do("place 7 infantry united-kingdom")
	g.want("united-kingdom united-kingdom infantry", 7)

	italy := on1941(t).damage("italy", 8).bought(Italy, 1, Infantry).turn(Italy, PhasePurchase)
	still := italy.p.Clone()
	italy.all("repair italy 3", "end", "end", "end")
	italy.want("ipc italy", 7, "damage italy", 5)
	italy.do("place 1 infantry italy")
	italy.p = still
	italy.all("end", "end", "end")
	italy.refused("AA 13.2.2", "place 1 infantry italy")

	poor := on1941(t).ipcs(Italy, 2).damage("italy", 8).turn(Italy, PhasePurchase)
	poor.refused("AA 7.1.3", "repair italy 3")
}

func TestRepairOfAnAllysComplex(t *testing.T) { // EX-167
	t.Parallel()
	rulestest.Proves(t, book, "AA 7.2.3")
	g := on1941(t).damage("united-kingdom", 5).turn(UnitedStates, PhasePurchase)
	g.refused("AA 7.2.3", "repair united-kingdom 1")
	g.refusedTo(rules.Seat(UnitedKingdom), "", "repair united-kingdom 1")
}

func TestNewComplexNextTurn(t *testing.T) { // EX-009
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.1.5", "AA 15.5.2", "AA 13.2.2", "AA 13.2.1")
	g := on1941(t).bought(UnitedKingdom, 1, Complex).bought(UnitedKingdom, 4, Infantry).turn(UnitedKingdom,
		PhaseMobilize)
	g.do("place 1 industrial-complex eastern-canada")
	g.refused("AA 13.2.1", "place 1 infantry eastern-canada") // not this turn
	g.turn(UnitedKingdom, PhaseMobilize)
	g.refused("AA 13.2.2", "place 4 infantry eastern-canada")
	g.do("place 3 infantry eastern-canada")
}

func TestCapacityIncludesTheSea(t *testing.T) { // EX-026
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.2.2", "AA 13.2.3", "AA 13.1.2", "AA 13.1.3")
	g := on1941(t).bought(Germany, 7, Infantry).bought(Germany, 2, Tank).bought(Germany, 1, Destroyer).
		bought(Germany, 1, Transport).turn(Germany, PhaseMobilize)
	g.refused("AA 13.1.2", "place 1 infantry sz-5")
	g.refused("AA 13.1.3", "place 1 destroyer germany")
	g.all("place 6 infantry 2 tank germany", "place 1 destroyer 1 transport sz-5")
	g.refused("AA 13.2.2", "place 1 infantry germany")
	g.want("at germany", "germany 6 infantry 2 tank", "at 5", "germany destroyer transport")
}
