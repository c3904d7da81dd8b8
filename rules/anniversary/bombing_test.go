package anniversary

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// A complex without units beside it is raided all the same, and the raid is listed; an attack is not, since nobody is
// there (AA 8.9.1).
func TestRaidOnAnEmptyTerritory(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.9.1")
	g := on1941(t).put("germany", Germany, "bomber fighter").put("united-kingdom", UnitedKingdom, "infantry").
		turn(Germany, PhaseMove)
	var got []string
	g.p.Legal(Germany.Seat(), rules.Filter{}, func(c Command) bool {
		if c.Kind == KindRaid || c.Kind == KindMove {
			got = append(got, kinds[c.Kind].ID+" "+g.sc.SpaceID(c.To))
			if r := g.p.check(Germany.Seat(), &c); r != nil {
				t.Errorf("%s is listed: %v", got[len(got)-1], r)
			}
		}
		return true
	})
	slices.Sort(got)
	want := []string{"move united-kingdom", "raid caucasus", "raid karelia-ssr", "raid united-kingdom"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("listed (-want +got)\n%s", diff)
	}
	g.do("raid 1 germany>karelia-ssr")
	g.do("end", 3)
	g.want("damage karelia-ssr", 3)
}

func TestRaidWithAntiaircraftFire(t *testing.T) { // EX-017, EX-194
	t.Parallel()
	g := on1941(t).put("united-kingdom", UnitedKingdom, "2 bomber").put("germany", Germany, "antiaircraft-gun").
		turn(UnitedKingdom, PhaseMove)
	rulestest.Proves(t, book, "AA 8.9.1", "AA 9.2.1")
	g.do("raid 2 united-kingdom>germany")
	out := g.do("end", 1, 4, 3)
	rulestest.Proves(t, book, "AA 9.2.2", "AA 9.6.1", "AA 9.6.3")
	if got := rolls(out); got != "antiaircraft 1, antiaircraft 4, raid 3" {
		t.Errorf("rolls %s", got)
	}
	rulestest.Proves(t, book, "AA 9.2.3", "AA 9.2.4")
	g.want("damage germany", 3, "at germany", "germany antiaircraft-gun; united-kingdom bomber", "asks",
		"noncombat-move")
	g.refused("AA 12.3.1", "end")
	g.do("move 1 bomber germany>united-kingdom")

	without := on1941(t).put("united-kingdom", UnitedKingdom, "bomber").put("germany", Germany, "infantry").
		turn(UnitedKingdom, PhaseMove)
	without.do("raid 1 united-kingdom>germany")
	if got := rolls(without.do("end", 4)); got != "raid 4" {
		t.Errorf("rolls %s", got)
	}
	without.want("damage germany", 4)
}

func TestCapOnDamage(t *testing.T) { // EX-188
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.2.6", "AA 9.2.5", "AA 9.2.3")
	g := on1941(t).put("germany", Germany, "2 bomber").damage("karelia-ssr", 1).turn(Germany, PhaseMove)
	g.do("raid 2 germany>karelia-ssr")
	g.do("end", 6, 4)
	g.want("damage karelia-ssr", 4, "complex karelia-ssr", true)
	g.turn(SovietUnion, PhasePurchase)
	g.do("repair karelia-ssr 3")
	if n := g.p.capacityOf(SovietUnion, g.space("karelia-ssr")); n != 1 {
		t.Errorf("capacity %d, want 1", n)
	}
}

func TestRaidersAreOutOfOtherCombat(t *testing.T) { // EX-190
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.2.4", "AA 9.2.8", "AA 9.1.1")
	g := on1941(t).hold(UnitedKingdom, "france").put("france", UnitedKingdom, "2 bomber 3 tank").
		put("italy", Italy, "3 infantry").turn(UnitedKingdom, PhaseMove)
	g.all("raid 1 france>italy", "move 1 bomber france>italy", "move 3 tank france>italy")
	out := g.do("end", 2, 6, 6, 6, 6, 6, 6, 6)
	if got := rolls(out); got != "raid 2, attack 6, attack 6, attack 6, attack 6, defence 6, defence 6, defence 6" {
		t.Errorf("rolls %s", got)
	}
	g.want("asks", "press", "damage italy", 2)
}

func TestAntiaircraftFireOncePerAircraft(t *testing.T) { // EX-191
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.6.1", "AA 9.6.2", "AA 9.6.4")
	g := on1941(t).put("united-kingdom", UnitedKingdom, "bomber 2 fighter").
		put("france", Germany, "2 antiaircraft-gun infantry").complex("france").turn(UnitedKingdom, PhaseMove)
	g.all("raid 1 united-kingdom>france", "move 2 fighter united-kingdom>france")
	out := g.do("end", 2, 3, 2, 2, 1, 1, 6)
	if got := rolls(out); got !=
		"antiaircraft 2, raid 3, antiaircraft 2, antiaircraft 2, attack 1, attack 1, defence 6" {
		t.Errorf("rolls %s", got)
	}
}

func TestNoComplexNoRaid(t *testing.T) { // EX-192
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.9.1", "AA 9.2.1", "AA 8.1.3", "AA 1.1.7")
	g := on1941(t).put("united-kingdom", UnitedKingdom, "bomber fighter").hold(Germany, "karelia-ssr").
		turn(UnitedKingdom, PhaseMove)
	g.refused("AA 8.9.1", "raid 1 united-kingdom>france")
	g.refused("AA 8.9.1", "raid 1 united-kingdom>sz-6")
	g.refused("AA 8.1.3", "raid 1 united-kingdom>russia") // an ally's
	if _, err := g.try(g.asked(), "raid 1 fighter united-kingdom>germany"); err == nil {
		t.Error("a fighter raids")
	}
	g.do("raid 1 united-kingdom>karelia-ssr")
}

func TestOrderOfRaidsAndRockets(t *testing.T) { // EX-193
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.2.7", "AA 9.1.2", "AA 9.1.1", "AA 9.1.3", "AA 6.3.3")
	begin := func() *table {
		g := on1941(t).tech(Germany, scenario.Rockets).put("germany", Germany, "antiaircraft-gun 2 bomber").
			damage("united-kingdom", 12).turn(Germany, PhaseMove)
		g.all("raid 2 germany>united-kingdom", "end")
		g.want("asks", "combat")
		return g
	}
	g := begin()
	g.refused("AA 9.1.3", "end")
	g.refused("AA 9.1.1", "fight united-kingdom")
	g.do("bomb united-kingdom", 1, 1)
	g.do("rocket germany>united-kingdom", 1)
	g.want("damage united-kingdom", 15)
	other := begin()
	other.do("rocket germany>united-kingdom", 1, 2, 2) // the raid follows, there is no choice left
	other.want("damage united-kingdom", 16)
	skip := begin()
	skip.do("bomb united-kingdom", 1, 1)
	skip.do("end") // rockets are a permission
	skip.want("asks", "noncombat-move", "damage united-kingdom", 14)
}
