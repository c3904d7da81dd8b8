package anniversary

import (
	"strings"
	"testing"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// firing tells who rolled how many dice at which value: "germany 2@3, germany 1@1".
func firing(outs ...*rules.Outcome) string {
	var list []string
	for _, out := range outs {
		for _, e := range out.Events {
			for _, v := range e.Event.(*anniversaryv1.Event).GetFired().GetVolleys() {
				list = append(list,
					Power(v.Power-1).ID()+" "+string(rune('0'+len(v.Dice)))+"@"+string(rune('0'+v.HitsWith)))
			}
		}
	}
	return strings.Join(list, ", ")
}

// rolled compares the volleys of outcomes.
func (g *table) rolled(want string, outs ...*rules.Outcome) {
	g.t.Helper()
	if got := firing(outs...); got != want {
		g.t.Errorf("rolled %q, want %q", got, want)
	}
}

// copied is a second table with the same position, to play another way.
func (g *table) copied() *table { return &table{t: g.t, p: g.p.Clone(), sc: g.sc} }

// eastPoland is a German attack out of Poland on Soviet units, all moved.
func eastPoland(t *testing.T, attackers, defenders string) *table {
	t.Helper()
	g := on1941(t).put("poland", Germany, strings.ReplaceAll(attackers, ",", "")).
		put("east-poland", SovietUnion, defenders).turn(Germany, PhaseMove)
	for _, sort := range strings.Split(attackers, ", ") { // land and air units move by separate commands
		g.do("move " + sort + " poland>east-poland")
	}
	return g
}

func TestSimpleLandCombat(t *testing.T) { // EX-209, EX-346
	t.Parallel()
	for lost, left := range map[string]string{"tank": "germany 2 infantry", "infantry": "germany infantry tank"} {
		g := eastPoland(t, "2 infantry 1 tank", "infantry")
		rulestest.Proves(t, book, "AA 9.5.1", "AA 9.5.4", "AA 9.5.6")
		g.rolled("germany 1@3, germany 2@1, soviet-union 1@2", g.do("end", 6, 4, 1, 2))
		g.want("asks", "losses", "owner east-poland", "soviet-union")
		rulestest.Proves(t, book, "AA 9.5.7", "AA 9.8.1")
		g.refused("AA 9.5.7", "lose 1 infantry 1 tank")
		g.do("lose 1 " + lost)
		rulestest.Proves(t, book, "AA 9.11.1", "AA 10.1.1")
		g.want("at east-poland", left, "owner east-poland", "germany", "phase", "noncombat-move")
	}
}

func TestSupportIsRecomputed(t *testing.T) { // EX-210, EX-006
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.5.9", "AA 15.1.2", "AA 15.2.2", "AA 9.9.9")
	g := eastPoland(t, "2 infantry 1 artillery", "3 infantry")
	g.rolled("germany 2@2, germany 1@1, soviet-union 3@2", g.do("end", 2, 2, 2, 1, 6, 6))
	g.do("lose 1 artillery")
	g.want("at east-poland", "germany 2 infantry; soviet-union infantry", "asks", "press")
	g.rolled("germany 2@1, soviet-union 1@2", g.do("press", 2, 2, 6))
	g.want("at east-poland", "germany 2 infantry; soviet-union infantry", "asks", "press")

	g = eastPoland(t, "5 infantry 2 artillery", "2 infantry 1 artillery")
	g.rolled("germany 4@2, germany 3@1, soviet-union 3@2", g.do("end", 6, 6, 6, 6, 6, 6, 6, 6, 6, 6)) // none on defence
}

func TestSupportOfTheOwnPowerOnly(t *testing.T) { // EX-355
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.2.2", "AA 11.1.3")
	g := on1941(t).put("libya", Germany, "artillery").put("libya", Italy, "2 infantry").
		put("egypt", UnitedKingdom, "infantry").turn(Italy, PhaseMove)
	g.do("move 2 infantry libya>egypt")
	g.rolled("italy 2@1, united-kingdom 1@2", g.do("end", 2, 2, 6))
	g.want("at libya", "germany artillery")
}

func TestNoSurvivorToCapture(t *testing.T) { // EX-211
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.11.2", "AA 9.11.3")
	g := eastPoland(t, "infantry", "infantry")
	g.do("end", 1, 1)
	g.want("at east-poland", "", "owner east-poland", "soviet-union")

	g = eastPoland(t, "infantry, fighter", "infantry")
	g.do("end", 3, 6, 1)
	g.do("lose 1 infantry")
	g.want("at east-poland", "germany fighter", "owner east-poland", "soviet-union", "asks", "noncombat-move")
	g.refused("AA 12.3.1", "end")

	g = on1941(t).put("poland", Germany, "fighter").turn(Germany, PhaseMove) // even an empty territory
	g.do("move 1 fighter poland>east-poland")
	g.do("end")
	g.want("owner east-poland", "soviet-union", "at east-poland", "germany fighter")
}

func TestFireInBothDirections(t *testing.T) { // EX-235
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.5.5", "AA 9.5.8", "AA 9.9.1")
	g := eastPoland(t, "3 tank", "2 infantry")
	g.rolled("germany 3@3, soviet-union 2@2", g.do("end", 1, 2, 5, 1, 6))
	g.want("at east-poland", "germany 2 tank", "owner east-poland", "germany")
}

func TestTheDefenderChoosesHisLosses(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.8.1", "AA 9.5.5", "AA 9.8.2")
	g := eastPoland(t, "2 tank", "infantry tank antiaircraft-gun")
	g.do("end", 1, 6)
	if g.asked() != rules.Seat(SovietUnion) {
		t.Fatal("the defender is not asked")
	}
	g.refused("AA 9.5.5", "lose 1 infantry 1 tank")
	g.refused("AA 9.8.2", "lose 1 antiaircraft-gun")
	g.do("lose 1 tank", 3, 6) // the tank in the casualty zone fires
	g.want("at east-poland", "germany tank; soviet-union infantry antiaircraft-gun")
}

func TestCombatOrderIsTheAttackersChoice(t *testing.T) { // EX-236
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.1.2", "AA 9.1.3")
	begin := func() *table {
		g := on1941(t).put("poland", Germany, "2 infantry").put("east-poland", SovietUnion, "infantry").
			put("baltic-states", SovietUnion, "infantry").
			put("5", Germany, "cruiser").put("6", UnitedKingdom, "cruiser").turn(Germany, PhaseMove)
		g.all("move 1 infantry poland>east-poland", "move 1 infantry poland>baltic-states",
			"move 1 cruiser sz-5>sz-6", "end")
		return g
	}
	g := begin()
	g.want("asks", "combat")
	g.refused("AA 9.1.3", "end")
	g.do("fight sz-6", 1, 6)
	g.want("asks", "combat", "at 6", "germany cruiser")
	g.do("fight east-poland", 6, 6)
	g.want("asks", "press", "battle", "east-poland")
	g.do("retreat poland", 1, 6) // each is finished before the next
	g.want("battle", "", "owner baltic-states", "germany")
	g = begin()
	g.do("fight baltic-states", 1, 6)
	g.want("owner baltic-states", "germany", "asks", "combat")
}

func TestStepsOfConductCombat(t *testing.T) { // EX-342
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.1.1", "AA 9.1.3")
	g := on1941(t).put("united-kingdom", UnitedKingdom, "bomber infantry").put("7", UnitedKingdom, "transport").
		put("egypt", UnitedKingdom, "2 infantry").
		put("libya", Italy, "infantry").put("trans-jordan", UnitedKingdom, "tank").hold(Italy, "persia").
		put("persia", Italy, "infantry").
		put("france", Germany, "infantry").turn(UnitedKingdom, PhaseMove)
	g.all("raid 1 united-kingdom>germany", "ship 1 sz-7 with infantry@united-kingdom land france",
		"move 2 infantry egypt>libya", "move 1 tank trans-jordan>persia")
	out := g.do("end", 4, 1, 6) // the raid, then the assault
	if got := rolls(out); got != "raid 4, attack 1, defence 6" {
		t.Errorf("the dice are %s", got)
	}
	g.want("damage germany", 4, "owner france", "united-kingdom", "asks", "combat")
	g.refused("AA 9.1.3", "end")
	g.refused("AA 9.1.1", "bomb germany")
	g.do("fight persia", 1, 6, 6, 6, 6)
	g.want("owner persia", "united-kingdom", "asks", "press", "battle", "libya")
}

func TestRetreat(t *testing.T) { // EX-226, EX-227, EX-244, EX-350
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.3", "AA 9.9.5", "AA 9.9.6", "AA 9.9.4", "AA 12.3.8", "AA 12.1.1")
	t.Run("to the territory blitzed on the way", func(t *testing.T) {
		g := on1941(t).put("poland", Germany, "tank").put("karelia-ssr", SovietUnion, "infantry").turn(Germany,
			PhaseMove)
		g.do("move 1 tank poland>baltic-states>karelia-ssr")
		g.do("end", 6, 6)
		g.refused("AA 9.9.3", "retreat poland")
		g.do("retreat baltic-states")
		g.want("at baltic-states", "germany tank", "owner baltic-states", "germany", "owner karelia-ssr",
			"soviet-union", "asks", "noncombat-move")
		g.refused("AA 12.1.1", "move 1 tank baltic-states>poland")
	})
	t.Run("all together, aircraft later", func(t *testing.T) {
		g := on1941(t).put("bulgaria-romania", Germany, "2 tank").put("poland", Germany, "fighter").
			hold(Germany, "east-poland").put("east-poland", Germany, "infantry").
			put("ukraine", SovietUnion, "3 infantry").turn(Germany, PhaseMove)
		g.all("move 2 tank bulgaria-romania>ukraine", "move 1 infantry east-poland>ukraine",
			"move 1 fighter poland>ukraine")
		g.do("end", 6, 6, 6, 6, 6, 6, 6)
		g.refused("AA 9.9.5", "retreat -")
		g.refused("AA 9.9.3", "retreat eastern-ukraine")
		g.do("retreat east-poland")
		g.want("at east-poland", "germany infantry 2 tank", "at ukraine", "germany fighter; soviet-union 3 infantry",
			"asks", "noncombat-move")
		g.refused("AA 12.1.1", "move 2 tank east-poland>poland")
		g.refused("AA 12.3.1", "end")
		g.refused("AA 12.3.1", "move 1 fighter ukraine>germany") // three spaces, two points left
		g.do("move 1 fighter ukraine>poland")
		g.want("at poland", "germany fighter", "at ukraine", "soviet-union 3 infantry")
	})
}

func TestSeveralDefendingPowers(t *testing.T) { // EX-228
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.8.7", "AA 11.1.2")
	begin := func() *table {
		g := on1941(t).put("libya", Germany, "2 tank").put("egypt", UnitedKingdom, "infantry").
			put("egypt", UnitedStates, "tank").turn(Germany, PhaseMove)
		g.do("move 2 tank libya>egypt")
		g.do("end", 1, 6)
		g.want("asks", "losses")
		if g.asked() != rules.Seat(UnitedKingdom) {
			t.Fatal("the controller of the territory is not asked first")
		}
		g.do("lose 1 tank:united-states")
		g.want("asks", "agree")
		if g.asked() != rules.Seat(UnitedStates) {
			t.Fatal("the other power is not asked")
		}
		return g
	}
	g := begin()
	g.rolled("united-kingdom 1@2, united-states 1@3", g.do("answer yes", 6, 3))
	g.want("at egypt", "germany tank; united-kingdom infantry")

	g = begin()
	g.do("answer no")
	if g.asked() != rules.Seat(Germany) {
		t.Fatal("the attacker is not asked")
	}
	g.do("lose 1 infantry:united-kingdom", 6, 6)
	g.want("at egypt", "germany 2 tank; united-states tank")
}

func TestAntiaircraftFire(t *testing.T) { // EX-232, EX-233, EX-234, EX-239, EX-333
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.3.12", "AA 9.6.1", "AA 9.6.2", "AA 9.6.3", "AA 15.4.2")
	t.Run("in the first round only", func(t *testing.T) {
		g := eastPoland(t, "3 fighter", "infantry 2 antiaircraft-gun")
		out := g.do("end", 2, 1, 6, 6, 6, 6)
		if got := rolls(out); got != "antiaircraft 2, antiaircraft 1, antiaircraft 6, attack 6, attack 6, defence 6" {
			t.Errorf("the dice are %s", got)
		}
		g.rolled("germany 2@3, soviet-union 1@2", g.do("press", 6, 6, 6))
		g.want("at east-poland", "germany 2 fighter; soviet-union infantry 2 antiaircraft-gun")
	})
	rulestest.Proves(t, book, "AA 9.6.4", "AA 9.6.3")
	t.Run("at each aircraft by itself", func(t *testing.T) {
		g := eastPoland(t, "fighter bomber", "infantry antiaircraft-gun")
		g.do("end", 4, 1, 6, 6)
		g.want("at east-poland", "germany fighter; soviet-union infantry antiaircraft-gun")
		g = eastPoland(t, "2 fighter bomber", "antiaircraft-gun")
		g.do("end", 2, 3, 4) // three dice for three aircraft
		g.want("at east-poland", "germany 2 fighter bomber; soviet-union antiaircraft-gun")
	})
	rulestest.Proves(t, book, "AA 9.5.3", "AA 15.4.4", "AA 15.4.5")
	t.Run("a gun alone holds nothing", func(t *testing.T) {
		g := eastPoland(t, "infantry, fighter", "antiaircraft-gun")
		g.do("end", 1)
		g.want("at east-poland", "germany infantry antiaircraft-gun", "owner east-poland", "germany")
	})
	rulestest.Proves(t, book, "AA 9.6.5", "AA 15.13.5")
	t.Run("not at sea", func(t *testing.T) {
		g := on1941(t).put("poland", Germany, "2 fighter").
			put("5", SovietUnion, "destroyer transport[antiaircraft-gun]").turn(Germany, PhaseMove)
		g.do("move 2 fighter poland>sz-5")
		g.do("end", 1, 6, 6) // the destroyer takes the hit; then the transport is lost without dice
		g.want("at 5", "germany 2 fighter")
	})
}

func TestWinningAndFightingOn(t *testing.T) { // EX-349
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.1", "AA 9.9.9")
	g := eastPoland(t, "3 infantry", "2 infantry")
	g.rolled("germany 3@1, soviet-union 2@2", g.do("end", 1, 6, 6, 6, 6))
	g.want("asks", "press", "battle", "east-poland") // both sides keep combat units
	g.rolled("germany 3@1, soviet-union 1@2", g.do("press", 1, 6, 6, 6))
	g.want("at east-poland", "germany 3 infantry", "owner east-poland", "germany", "phase", "noncombat-move")
}
