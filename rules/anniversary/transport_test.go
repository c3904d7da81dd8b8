package anniversary

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestCapacity(t *testing.T) { // EX-266, EX-267
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.13.4", "AA 15.13.12", "AA 15.9.3")
	begin := func() *table {
		return on1941(t).put("7", UnitedKingdom, "transport").put("united-kingdom", UnitedKingdom,
			"3 infantry artillery 2 tank antiaircraft-gun fighter").
			turn(UnitedKingdom, PhaseNoncombat)
	}
	const from = "@united-kingdom"
	for _, load := range []string{"tank" + from + " tank" + from, "tank" + from + " artillery" + from,
		"antiaircraft-gun" + from + " tank" + from, "fighter" + from} {
		begin().refused("AA 15.13.4", "ship 1 sz-7 with "+load)
	}
	for load, aboard := range map[string]string{
		"artillery" + from + " infantry" + from:        "transport[artillery,infantry]",
		"antiaircraft-gun" + from + " infantry" + from: "transport[antiaircraft-gun,infantry]",
		"infantry" + from + " infantry" + from:         "transport[infantry,infantry]",
		"tank" + from + " infantry" + from:             "transport[tank,infantry]",
	} {
		g := begin()
		g.do("ship 1 sz-7 with " + load)
		g.want("at 7", "united-kingdom "+aboard)
		g.refused("AA 15.13.4", "ship 1 sz-7 with infantry"+from)
	}

	g := on1941(t).hold(UnitedKingdom, "france").put("7", UnitedKingdom, "transport[tank] transport[infantry]").
		turn(UnitedKingdom, PhaseNoncombat)
	g.refused("", "ship 1 sz-7 with tank infantry land france") // not aboard one transport
}

func TestTransportsAfterTheirTask(t *testing.T) { // EX-263, EX-264, EX-265, EX-277, EX-273
	t.Parallel()
	t.Run("an assault", func(t *testing.T) { // EX-334, EX-335
		g := on1941(t).put("7", UnitedKingdom, "transport 2 cruiser").put("united-kingdom", UnitedKingdom,
			"2 infantry").
			put("8", UnitedKingdom, "cruiser").turn(UnitedKingdom, PhaseMove)
		rulestest.Proves(t, book, "AA 8.4.6", "AA 8.8.2")
		g.do("ship 1 sz-7 with infantry@united-kingdom land france")
		g.do("move 1 cruiser sz-8>sz-7") // an escort
		g.do("end")
		g.want("owner france", "united-kingdom", "at france", "united-kingdom infantry", "phase", "noncombat-move")
		rulestest.Proves(t, book, "AA 15.13.10", "AA 8.4.4")
		g.refused("AA 15.13.10", "ship 1 sz-7>sz-6")
		g.refused("AA 15.13.10", "move 1 transport sz-7>sz-6")
		g.refused("AA 15.13.10", "ship 1 sz-7 with infantry@united-kingdom land france")
		g.refused("AA 12.1.1", "move 3 cruiser sz-7>sz-6") // one of them came as an escort
		g.do("move 2 cruiser sz-7>sz-6")
	})
	rulestest.Proves(t, book, "AA 15.13.14")
	t.Run("bridging", func(t *testing.T) {
		g := on1941(t).hold(UnitedKingdom, "france", "northwestern-europe").put("7", UnitedKingdom, "transport").
			put("united-kingdom", UnitedKingdom, "tank 2 infantry").
			turn(UnitedKingdom, PhaseNoncombat)
		g.do("ship 1 sz-7 with tank@united-kingdom infantry@united-kingdom land france")
		g.want("at france", "united-kingdom infantry tank", "at 7", "united-kingdom transport")
		g.refused("AA 15.13.10", "ship 1 sz-7 with infantry@united-kingdom land france")
		rulestest.Proves(t, book, "AA 15.13.7")
		g.refused("AA 15.13.7", "move 1 tank france>northwestern-europe")
	})
	t.Run("what has moved is not loaded", func(t *testing.T) {
		g := on1941(t).hold(UnitedKingdom, "france", "northwestern-europe").put("7", UnitedKingdom, "transport").
			put("northwestern-europe", UnitedKingdom, "tank").turn(UnitedKingdom, PhaseNoncombat)
		g.do("move 1 tank northwestern-europe>france")
		g.refused("AA 12.1.1", "ship 1 sz-7 with tank@france land united-kingdom")
	})
	rulestest.Proves(t, book, "AA 8.4.5", "AA 12.4.3", "AA 15.13.16")
	t.Run("into one territory", func(t *testing.T) {
		begin := func() *table {
			return on1941(t).hold(UnitedKingdom, "france").put("7", UnitedKingdom, "transport[tank,infantry]").
				turn(UnitedKingdom, PhaseNoncombat)
		}
		g := begin()
		g.do("ship 1 sz-7 with tank land united-kingdom")
		g.want("at 7", "united-kingdom transport[infantry]")
		g.refused("AA 15.13.10", "ship 1 sz-7 with infantry land france")
		g = begin()
		g.do("ship 1 sz-7 with tank infantry land france")
		g.want("at france", "united-kingdom infantry tank")
	})
	rulestest.Proves(t, book, "AA 15.13.9")
	t.Run("cargo at sea", func(t *testing.T) {
		g := on1941(t).put("7", UnitedKingdom, "transport").put("united-kingdom", UnitedKingdom, "infantry").
			turn(UnitedKingdom, PhaseNoncombat)
		g.do("ship 1 sz-7>sz-12 with infantry@united-kingdom")
		g.do("end")
		g.want("at 12", "united-kingdom transport[infantry]", "at united-kingdom", "")
	})
}

func TestRetreatedTransport(t *testing.T) { // EX-274
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.13.11", "AA 9.9.6", "AA 9.3.10", "AA 8.8.3", "AA 15.13.9")
	g := on1941(t).put("6", UnitedKingdom, "transport cruiser").put("united-kingdom", UnitedKingdom, "infantry").
		put("5", Germany, "cruiser").
		turn(UnitedKingdom, PhaseMove)
	g.do("ship 1 sz-6>sz-5 with infantry@united-kingdom land norway")
	g.do("move 1 cruiser sz-6>sz-5")
	g.do("end", 6, 6)
	g.do("retreat sz-6")
	g.want("at 6", "united-kingdom cruiser transport[infantry]", "owner norway", "germany", "phase", "noncombat-move")
	g.refused("AA 15.13.11", "ship 1 sz-6 with infantry land united-kingdom")
}

func TestNoAssaultWithoutDeclaration(t *testing.T) { // EX-334, EX-344
	t.Parallel()
	g := on1941(t).put("7", UnitedKingdom, "transport[infantry] transport").
		put("united-kingdom", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseMove)
	rulestest.Proves(t, book, "AA 8.8.3", "AA 15.13.15")
	g.refused("AA 8.8.3", "ship 1 sz-7>sz-6 with infantry@united-kingdom")
	g.refused("AA 8.8.3", "ship 1 sz-7 with infantry@united-kingdom+stays land france")
	rulestest.Proves(t, book, "AA 8.4.1", "AA 8.4.3")
	g.refused("AA 8.4.3", "ship 1 sz-7 with infantry land norway")
	g.refused("AA 8.4.1", "ship 1 sz-7 with infantry land united-kingdom")
	g.do("end")
	g.want("phase", "noncombat-move")
	rulestest.Proves(t, book, "AA 9.1.4", "AA 12.4.3")
	g.refused("AA 12.4.3", "ship 1 sz-7 with infantry land france")

	// Once declared it lands, whatever was lost at sea.
	g = on1941(t).put("6", UnitedKingdom, "transport[infantry] 2 destroyer").put("5", Germany, "cruiser").
		put("norway", Germany, "3 infantry").
		turn(UnitedKingdom, PhaseMove)
	g.do("ship 1 sz-6>sz-5 with infantry land norway")
	g.do("move 2 destroyer sz-6>sz-5")
	rulestest.Proves(t, book, "AA 9.3.12")
	g.do("end", 2, 6, 3, 6, 6, 6, 6, 6, 1, 6, 6) // no question: seaborne units fight to the end
	g.want("at norway", "germany 3 infantry", "at 5", "united-kingdom destroyer transport")
}

func TestIgnoredSubmarine(t *testing.T) { // EX-336
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.6.3", "AA 9.3.3", "AA 8.1.4")
	begin := func() *table {
		g := on1941(t).put("6", UnitedKingdom, "transport[infantry] destroyer").put("5", Germany, "submarine").
			turn(UnitedKingdom, PhaseMove)
		g.all("ship 1 sz-6>sz-5 with infantry land norway", "move 1 destroyer sz-6>sz-5", "end")
		g.want("asks", "combat")
		return g
	}
	g := begin()
	g.do("fight norway")
	g.want("owner norway", "united-kingdom", "at 5", "germany submarine; united-kingdom destroyer transport", "phase",
		"noncombat-move")
	g = begin()
	g.do("fight sz-5", 2, 6)
	g.want("owner norway", "united-kingdom", "at 5", "united-kingdom destroyer transport")
}

func TestCargoIsLostAtSea(t *testing.T) { // EX-340
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.8.4", "AA 15.13.5", "AA 9.3.2", "AA 9.3.16")
	g := on1941(t).put("6", UnitedKingdom, "transport[infantry,infantry] destroyer").put("5", Germany, "cruiser").
		turn(UnitedKingdom, PhaseMove)
	g.all("ship 1 sz-6>sz-5 with infantry infantry land norway", "move 1 destroyer sz-6>sz-5")
	first := g.do("end", 6, 3)
	g.rolled("united-kingdom 1@2, germany 1@3", first)
	g.do("press", 3)
	g.want("at 5", "germany cruiser", "owner norway", "germany", "at norway", "", "phase", "noncombat-move")
}

func TestSailingPastTransports(t *testing.T) { // EX-341
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.8.5", "AA 8.1.13", "AA 9.10.5")
	begin := func() *table {
		return on1941(t).put("9", UnitedKingdom, "cruiser").put("8", Germany, "transport").
			put("7", Germany, "destroyer").turn(UnitedKingdom, PhaseMove)
	}
	g := begin()
	g.do("move 1 cruiser sz-9>sz-8>sz-7")
	g.do("end", 3, 6)
	g.want("at 8", "germany transport", "at 7", "united-kingdom cruiser")
	g = begin()
	g.do("move 1 cruiser sz-9>sz-8")
	g.do("end")
	g.want("at 8", "united-kingdom cruiser")
}

func TestAssigningBombardment(t *testing.T) { // EX-343
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.3.6", "AA 15.10.3", "AA 9.3.8")
	begin := func() *table {
		g := on1941(t).put("14", UnitedKingdom, "2 transport[infantry,infantry] battleship").put("libya", Italy,
			"infantry").
			put("balkans", Italy, "infantry").turn(UnitedKingdom, PhaseMove)
		g.all("ship 1 sz-14 with infantry infantry land libya",
			"ship 1 sz-14 with infantry infantry land balkans", "end")
		g.want("asks", "combat")
		g.do("fight libya")
		g.want("asks", "bombard")
		g.refused("AA 9.3.6", "bombard 2 battleship@sz-14")
		return g
	}
	g := begin()
	if got := rolls(g.do("bombard 1 battleship@sz-14", 4, 6, 6, 6, 1, 6,
		6)); got != "bombardment 4, attack 6, attack 6, defence 6, attack 1, attack 6, defence 6" {
		t.Errorf("the dice are %s", got) // none for Balkans
	}
	g.want("owner libya", "united-kingdom", "owner balkans", "united-kingdom")
	g = begin()
	g.do("bombard -", 1, 6, 6)
	g.want("asks", "bombard", "battle", "balkans")
	g.do("bombard 1 battleship@sz-14", 4, 6, 6, 6)
	g.want("owner balkans", "united-kingdom")
}

func TestAttackWithoutTheLanding(t *testing.T) { // EX-345
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.3.13", "AA 9.3.16", "AA 9.3.17", "AA 9.3.15", "AA 9.7.8")
	g := on1941(t).put("6", UnitedKingdom, "transport[infantry]").put("united-kingdom", UnitedKingdom,
		"2 fighter 2 bomber").
		put("5", Germany, "cruiser submarine").put("norway", Germany, "infantry").turn(UnitedKingdom, PhaseMove)
	g.all("ship 1 sz-6>sz-5 with infantry land norway", "move 2 fighter united-kingdom>sz-5",
		"move 2 bomber united-kingdom>norway", "end")
	g.wantsAnswer("submerge", Germany)
	g.rolled("germany 1@1, united-kingdom 2@3, germany 1@3, united-kingdom 2@4, germany 1@2",
		g.do("submerge 0", 1, 3, 3, 6, 6, 6, 6)) // the transport sinks: submarines don't hit aircraft
	g.want("battle", "norway", "asks", "press", "at 5", "germany submarine; united-kingdom 2 fighter")
	g.do("retreat -")
	g.want("asks", "noncombat-move", "at norway", "germany infantry; united-kingdom 2 bomber")
}

// Transports in one zone that differ in what is aboard, or in how far they have come, have plans in
// common: each is listed once.
func TestPlansAreListedOnce(t *testing.T) {
	t.Parallel()
	listed := func(g *table) (n int) {
		seen := map[string]bool{}
		referee{}.Legal(g.p, g.asked(), rules.Filter{Kind: "ship"}, func(c Command) bool {
			text := grammar.Format(g.p, c)
			if seen[text] {
				t.Errorf("%s is listed twice", text)
			}
			seen[text] = true
			return true
		})
		return len(seen)
	}
	assault := on1941(t).put("7", UnitedKingdom, "transport transport[infantry] transport[infantry:united-states]").
		put("united-kingdom", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseMove)
	ferry := on1941(t).put("7", UnitedKingdom, "transport transport[infantry]").put("2", UnitedKingdom, "transport").
		put("united-kingdom", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseNoncombat)
	ferry.do("move 1 transport sz-2>sz-7")
	for _, g := range []*table{assault, ferry} {
		if listed(g) == 0 {
			t.Error("nothing is listed")
		}
	}
}

// A plan names what its transports have aboard: the pieces of the board that the cargo can be.
func TestPlansNameTheirCargo(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("7", UnitedKingdom, "transport[tank,infantry] transport[infantry:united-states]").
		turn(UnitedKingdom, PhaseMove)
	for _, test := range []struct{ command, want string }{
		{"ship 1 sz-7 with infantry land norway", "transport#2/2"},
		{"ship 1 sz-7 with tank infantry land norway", "transport#2/1 transport#2/2"},
		{"ship 1 sz-7 with infantry:united-states land norway", "transport/1"},
		{"ship 1 sz-7 with artillery land norway", ""},
	} {
		c, r := g.p.parseCommand(test.command)
		if r != nil {
			t.Fatal(r)
		}
		var cargo []string
		for _, id := range g.p.Describe(0, c).Pieces {
			if name := strings.TrimPrefix(id, "sz-7/united-kingdom/"); strings.Contains(name, "/") {
				cargo = append(cargo, name)
			}
		}
		if got := strings.Join(cargo, " "); got != test.want {
			t.Errorf("%s names the cargo %q, expected %q", test.command, got, test.want)
		}
	}
}
