package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestRecruits(t *testing.T) { // EX-124, EX-125, EX-126
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.2.1", "AA 5.1.1", "AA 5.1.3", "AA 5.2.3", "AA 7.1.4")
	g := on1941(t).turn(UnitedStates, PhasePurchase)
	g.want("pool china infantry", 3, "pool united-states infantry", 0, "ipc united-states", 40)
	lost := on1941(t).hold(Japan, "fukien", "hupeh", "yunnan").turn(UnitedStates, PhasePurchase)
	lost.want("pool china infantry", 2)
	more := on1941(t).hold(China, "kiangsu").turn(UnitedStates, PhasePurchase)
	more.want("pool china infantry", 4)
	more.all("end", "end", "end")
	more.want("asks", "mobilize")
	more.do("place 2 infantry kiangsu of china")
	more.do("place 1 infantry sikang of china")
	more.want("at kiangsu", "china 2 infantry", "pool china infantry", 1)
	more.refused("AA 5.2.3", "place 1 infantry manchuria of china")
	more.refused("AA 7.1.4", "place 2 infantry sikang of china")
	british := on1941(t).bought(China, 1, Infantry).turn(UnitedStates, PhaseMobilize)
	british.refused("AA 5.2.3", "place 1 infantry kwangtung of china")
	british.refused("AA 5.2.3", "place 1 infantry western-united-states of china")
	british.refused("AA 7.1.4", "place 1 infantry western-united-states") // what is China's is not America's
}

func TestLimitOfThree(t *testing.T) { // EX-127, EX-128
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.2.4", "AA 5.2.5", "AA 16.3.5")
	g := on1941(t)
	for _, id := range []string{"chinghai", "fukien", "hupeh", "ningxia", "sikang", "yunnan"} {
		g.put(id, China, "3 infantry")
	}
	g.put("suiyuan", China, "2 infantry").bought(China, 3, Infantry).turn(UnitedStates, PhaseMobilize)
	g.refused("AA 5.2.4", "place 2 infantry suiyuan of china")
	g.do("place 1 infantry suiyuan of china")
	g.refused("AA 5.2.4", "place 1 infantry suiyuan of china")
	g.refused("AA 5.2.4", "place 1 infantry fukien of china")
	g.do("end")
	g.want("pool china infantry", 2, "at suiyuan", "china 3 infantry", "power", "germany")
	for _, on := range []bool{false, true} {
		var given []string
		if on {
			given = []string{"chinese_stack_limit"}
		}
		guests := on1941(t, given...).put("yunnan", China, "infantry").put("yunnan", UnitedStates, "2 fighter").
			bought(China, 1, Infantry).turn(UnitedStates, PhaseMobilize)
		if on {
			guests.do("place 1 infantry yunnan of china")
		} else {
			guests.refused("AA 5.2.4", "place 1 infantry yunnan of china")
		}
	}
}

func TestChinaStaysHome(t *testing.T) { // EX-129, EX-131, EX-134
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.3.1", "AA 5.3.2", "AA 5.3.5")
	g := on1941(t).put("yunnan", China, "infantry").put("fukien", China, "2 infantry fighter").put("61", UnitedStates,
		"transport").
		put("61", Japan, "transport").put("kiangsu", Japan, "infantry").turnOf(UnitedStates, China, PhaseMove)
	g.refused("AA 5.3.1", "move 1 infantry yunnan>burma")
	g.refused("AA 5.3.1", "move 1 infantry yunnan>french-indo-china-thailand")
	g.refused("AA 5.3.1", "move 1 fighter fukien>sz-61")
	g.refused("AA 5.3.1", "move 1 fighter fukien>sz-61>manchuria")
	g.do("move 1 fighter fukien>kiangsu")
	g.refused("AA 5.3.2", "ship 1 sz-61 with infantry:china@fukien land kiangsu of united-states")
}

func TestChinaInNoncombat(t *testing.T) { // EX-129, EX-134
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.3.1", "AA 5.3.2", "AA 5.3.3", "AA 5.4.3")
	g := on1941(t).put("fukien", China, "2 infantry fighter").put("61", UnitedStates, "transport").turn(UnitedStates,
		PhaseNoncombat)
	g.refused("AA 5.3.2", "ship 1 sz-61 with infantry:china@fukien")
	g.refused("", "ship 1 sz-61 with infantry@fukien")
	g.refused("AA 5.3.1", "move 1 fighter fukien>french-indo-china-thailand of china")
	g.refused("AA 5.3.1", "move 1 fighter fukien>sz-61 of china")
	g.do("move 1 infantry fukien>kwangtung of china")
	g.want("at kwangtung", "china infantry", "owner kwangtung", "united-kingdom")
}

func TestFlyingTigersAttackAndReturn(t *testing.T) { // EX-131
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.3.5", "AA 5.4.4", "AA 8.3.4")
	g := on1941(t).put("fukien", China, "fighter").put("kiangsu", Japan, "infantry").turnOf(UnitedStates, China,
		PhaseMove)
	g.do("move 1 fighter fukien>kiangsu")
	g.do("end", 2, 6)
	g.want("owner kiangsu", "japan", "at kiangsu", "china fighter") // air units don't capture
	g.do("end")                                                     // the United States has nothing to move
	g.want("asks", "noncombat-move")
	g.refused("AA 12.3.1", "end")
	g.do("move 1 fighter kiangsu>fukien of china")
	g.want("at fukien", "china fighter")
}

func TestChinaInKwangtung(t *testing.T) { // EX-130
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.3.3", "AA 5.2.3", "AA 3.2.1", "AA 5.4.4")
	g := on1942(t).put("kwangtung", Japan, "infantry").put("fukien", China, "3 infantry").bought(China, 1, Infantry).
		turnOf(UnitedStates, China, PhaseMove)
	uk := g.p.production(UnitedKingdom)
	g.want("cities axis", 8, "owner kwangtung", "japan")
	g.do("move 3 infantry fukien>kwangtung")
	g.do("end", 1, 3, 4, 4)
	g.want("owner kwangtung", "united-kingdom", "cities axis", 7, "production united-kingdom", uk+1, "at kwangtung",
		"china 3 infantry")
	g.all("end", "end")
	g.want("asks", "mobilize")
	g.refused("AA 5.2.3", "place 1 infantry kwangtung of china")
}

func TestChinaAndUnitedStatesInSequence(t *testing.T) { // EX-132
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.4.1", "AA 5.4.2", "AA 5.4.3", "AA 5.3.4", "AA 12.3.3")
	g := on1941(t).hold(Japan, "yunnan").put("yunnan", Japan, "infantry").put("hupeh", China, "infantry").
		put("india", UnitedStates, "bomber").
		turn(UnitedStates, PhasePurchase)
	g.do("end")
	g.want("asks", "order")
	g.do("order united-states")
	g.want("acting", "united-states", "asks", "combat-move")
	g.refused("AA 1.1.6", "move 1 infantry hupeh>yunnan of china") // no joint attack
	g.do("move 1 bomber india>yunnan")
	g.do("end", 4, 6)
	g.want("acting", "china", "asks", "combat-move", "owner yunnan", "japan", "at yunnan", "united-states bomber")
	g.all("move 1 infantry hupeh>yunnan", "end")
	g.want("owner yunnan", "china", "asks", "noncombat-move")
	g.refused("AA 12.3.1", "end")
	g.do("move 1 bomber yunnan>india")
	g.want("at yunnan", "china infantry")
}

func TestManchuriaTakenByTheSovietUnion(t *testing.T) { // EX-133
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.5.1", "AA 2.9.2", "AA 5.5.3", "AA 14.3.8")
	g := on1941(t).put("buryatia-ssr", SovietUnion, "infantry").put("manchuria", Japan, "antiaircraft-gun").
		turn(SovietUnion, PhaseMove)
	japan, ussr := g.p.production(Japan), g.p.production(SovietUnion)
	g.all("move 1 infantry buryatia-ssr>manchuria", "end")
	g.want("owner manchuria", "china", "production japan", japan-3, "production soviet-union", ussr, "at manchuria",
		"soviet-union infantry; china antiaircraft-gun")
	asked := false
	for i := range g.sc.Objectives {
		if o := &g.sc.Objectives[i]; o.Rule == "AA 14.3.8" {
			if asked = true; g.p.fulfilled(o) {
				t.Error("Chinese Manchuria fulfils the objective of the United Kingdom")
			}
		}
	}
	if !asked {
		t.Error("there is no objective AA 14.3.8")
	}
	g.hold(China, "kiangsu").turn(UnitedStates, PhaseNoncombat)
	g.do("move 1 antiaircraft-gun manchuria>kiangsu of china")
}

func TestRecruitsWhileWashingtonIsLost(t *testing.T) { // EX-135
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.2.2", "AA 10.3.3", "AA 4.2.4", "AA 14.1.3", "AA 6.1.2")
	g := on1941(t).hold(Japan, "eastern-united-states").bought(UnitedStates, 1, Infantry).
		put("hupeh", China, "infantry").turn(Italy, PhaseNoncombat)
	g.do("end")
	g.want("power", "united-states", "asks", "order", "pool china infantry", 3) // no research and no purchase
	g.do("order united-states")
	g.all("end", "end", "end")
	g.want("asks", "mobilize")
	g.refused("AA 10.3.3", "place 1 infantry western-united-states")
	g.all("place 1 infantry hupeh of china", "end")
	g.want("ipc united-states", 40, "at hupeh", "china 2 infantry", "power", "germany")
}

func TestComplexInChineseHands(t *testing.T) { // EX-136
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.5.2", "AA 10.1.7", "AA 1.2.5", "AA 10.1.5")
	g := on1941(t).complex("manchuria").put("suiyuan", China, "infantry").bought(UnitedStates, 1, Infantry).
		bought(China, 1, Infantry).turnOf(UnitedStates, China, PhaseMove)
	g.all("move 1 infantry suiyuan>manchuria", "end", "end", "end")
	g.want("asks", "mobilize", "owner manchuria", "china", "complex manchuria", true)
	g.refused("AA 13.2.4", "place 1 infantry manchuria")
	g.do("place 1 infantry manchuria of china") // a recruit, who needs no complex

	back := on1941(t).hold(China, "manchuria").complex("manchuria").put("kiangsu", Japan, "infantry").
		bought(Japan, 1, Tank).turn(Japan, PhaseMove)
	back.all("move 1 infantry kiangsu>manchuria", "end", "end")
	back.want("asks", "mobilize", "owner manchuria", "japan")
	back.refused("AA 13.2.1", "place 1 tank manchuria")
	back.turn(Japan, PhaseMobilize)
	back.do("place 1 tank manchuria")
}

func TestFlyingTigersLost(t *testing.T) { // EX-137
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.3.6", "AA 5.1.2")
	g := on1941(t).turn(UnitedStates, PhasePurchase)
	g.do("buy 1 fighter")
	g.want("pool china fighter", 0, "pool united-states fighter", 1)
	g.all("end", "end", "end")
	g.want("asks", "mobilize")
	g.refused("AA 7.1.4", "place 1 fighter yunnan of china")
	g.refused("AA 13.2.1", "place 1 fighter yunnan")
	if _, err := g.try(rules.Seat(UnitedStates), "buy 1 fighter of china"); err == nil {
		t.Error("a fighter is bought for China")
	}
}
