package anniversary

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// later ends the turn as it is and begins another power's.
func (g *table) later(w Power, ph Phase) *table {
	g.t.Helper()
	return g.stage(func(x *exec) { x.Pos.endTurn(x) }).turn(w, ph)
}

func TestNewlyCapturedTerritory(t *testing.T) { // EX-259, EX-352, EX-317
	t.Parallel()
	rulestest.Proves(t, book, "AA 12.2.1", "AA 12.3.2", "AA 12.3.3", "AA 9.11.5", "AA 12.1.1", "AA 15.6.2")
	g := on1941(t).put("bulgaria-romania", Germany, "infantry fighter").took(Germany, "bulgaria-romania", "ukraine")
	g.want("owner ukraine", "germany", "asks", "noncombat-move")
	g.do("move 1 infantry bulgaria-romania>ukraine")
	g.refused("AA 12.3.3", "move 1 fighter bulgaria-romania>ukraine")
	g.refused("AA 12.1.1", "move 1 tank ukraine>bulgaria-romania") // one step left, but it fought
	g.refused("AA 12.2.1", "move 1 infantry bulgaria-romania>east-poland")

	g = on1941(t).put("bulgaria-romania", Germany, "2 tank infantry").turn(Germany, PhaseNoncombat)
	g.refused("AA 12.2.1", "move 1 infantry bulgaria-romania>ukraine") // hostile, even if empty
	g.refused("AA 12.2.1", "move 1 tank bulgaria-romania>east-poland>poland")
	g.do("move 1 tank bulgaria-romania>czechoslovakia-hungary>germany")
	g.do("move 1 tank bulgaria-romania>poland")
}

func TestBlitzAndNoncombatMove(t *testing.T) { // EX-338, EX-373
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.7.4", "AA 15.3.2", "AA 12.2.1")
	g := on1941(t).put("poland", Germany, "2 tank").turn(Germany, PhaseMove)
	g.do("move 1 tank poland>baltic-states>poland")
	g.do("end")
	g.want("owner baltic-states", "germany", "at poland", "germany 2 tank")
	g.refused("AA 12.1.1", "move 2 tank poland>germany")
	g.refused("AA 12.2.1", "move 1 tank poland>east-poland>bulgaria-romania")
	g.do("move 1 tank poland>germany") // the one that did not move
}

func TestFlyingOverHostileTerritory(t *testing.T) { // EX-260, EX-331, EX-368
	t.Parallel()
	rulestest.Proves(t, book, "AA 12.1.2", "AA 8.3.3", "AA 8.3.1", "AA 12.3.1", "AA 9.6.1", "AA 15.6.2")
	g := on1941(t).put("poland", Germany, "fighter").put("east-poland", SovietUnion, "antiaircraft-gun").
		put("belorussia", SovietUnion, "infantry").
		turn(Germany, PhaseMove)
	g.do("move 1 fighter poland>belorussia")
	if out := g.do("end", 3, 6); rolls(out) != "attack 3, defence 6" {
		t.Errorf("the dice are %s", rolls(out))
	}
	g.refused("AA 12.3.3", "move 1 fighter belorussia>east-poland")
	if out := g.do("move 1 fighter belorussia>poland"); len(out.Rolls) > 0 {
		t.Error("a gun fired at an overflight")
	}
	g.want("at poland", "germany fighter")

	g = on1941(t).put("germany", Germany, "fighter").put("ukraine", SovietUnion, "infantry").turn(Germany, PhaseMove)
	g.do("move 1 fighter germany>ukraine") // three points
	g.do("end", 3, 6)
	g.refused("AA 12.3.1", "move 1 fighter ukraine>poland")
	g.do("move 1 fighter ukraine>bulgaria-romania")
}

func TestShipsAndHostileZones(t *testing.T) { // EX-261, EX-262
	t.Parallel()
	g := on1941(t).put("10", Germany, "destroyer 3 submarine").put("11", UnitedKingdom, "cruiser").
		put("9", UnitedKingdom, "submarine transport").
		put("19", UnitedKingdom, "destroyer").turn(Germany, PhaseNoncombat)
	rulestest.Proves(t, book, "AA 2.7.1", "AA 12.4.1")
	g.refused("AA 12.4.1", "move 1 destroyer sz-10>sz-11")
	g.refused("AA 12.4.1", "move 1 destroyer sz-10>sz-11>sz-12")
	g.do("move 1 submarine sz-10>sz-11")
	rulestest.Proves(t, book, "AA 8.6.1", "AA 12.4.2")
	g.do("move 1 submarine sz-10>sz-11>sz-12")
	rulestest.Proves(t, book, "AA 8.6.2")
	g.refused("AA 8.6.2", "move 1 submarine sz-10>sz-19>sz-18")
	g.do("move 1 submarine sz-10>sz-19")
	rulestest.Proves(t, book, "AA 2.7.2", "AA 2.7.3")
	g.do("move 1 destroyer sz-10>sz-9") // submarines and transports don't make it hostile
	g.want("at 9", "germany destroyer; united-kingdom submarine transport")

	g = on1941(t).put("9", UnitedKingdom, "cruiser").put("11", Germany, "destroyer").
		put("10", UnitedKingdom, "transport").turn(UnitedKingdom, PhaseMove)
	g.do("move 1 cruiser sz-9>sz-11")
	g.do("end", 3, 6)
	rulestest.Proves(t, book, "AA 12.1.2")
	g.do("move 1 transport sz-10>sz-11>sz-12")
	g.want("at 12", "united-kingdom transport")
}

func TestStatusOfSeaZones(t *testing.T) { // EX-313
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.7.1", "AA 2.7.2", "AA 2.7.3")
	g := on1941(t).put("12", Germany, "submarine").put("12", Italy, "transport").put("12", UnitedKingdom, "cruiser")
	for w, hostile := range map[Power]bool{Germany: true, Japan: true, Italy: true, SovietUnion: false,
		UnitedKingdom: false, UnitedStates: false} {
		g.turn(w, PhaseNoncombat)
		if got := g.p.startHostile.Has(g.space("12")); got != hostile {
			t.Errorf("hostile for %s: %v", w.ID(), got)
		}
	}
}

func TestShipsAfterARetreat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.6", "AA 12.1.1")
	g := on1941(t).put("7", UnitedKingdom, "destroyer").put("8", Germany, "submarine").turn(Germany, PhaseMove)
	g.do("move 1 submarine sz-8>sz-7")
	g.do("end", 6, 6)
	g.do("retreat sz-8")
	g.refused("AA 12.1.1", "move 1 submarine sz-8>sz-2")
}

func TestLandingOnCarriers(t *testing.T) { // EX-268, EX-270, EX-271, EX-367
	t.Parallel()
	rulestest.Proves(t, book, "AA 12.3.4", "AA 8.1.12", "AA 12.5.2", "AA 12.3.6", "AA 12.3.7", "AA 11.2.1")
	t.Run("an ally's", func(t *testing.T) {
		begin := func(orders string) *table {
			g := on1941(t).put("10", UnitedKingdom, "aircraft-carrier fighter").
				put("eastern-united-states", UnitedStates, "fighter fighter/3").
				turn(UnitedStates, PhaseNoncombat)
			if orders != "" {
				g.as(rules.Seat(UnitedKingdom), orders)
			}
			return g
		}
		g := begin("")
		g.do("move 1 fighter#1 eastern-united-states>sz-10")
		g.want("at 10", "united-kingdom fighter aircraft-carrier; united-states fighter")
		g.refused("AA 12.3.6", "move 1 fighter eastern-united-states>sz-10") // no third place
		g = begin("orders carriers never")
		g.refused("AA 8.1.12", "move 1 fighter#1 eastern-united-states>sz-10")
		g = begin("orders carriers ask")
		g.do("move 1 fighter#1 eastern-united-states>sz-10")
		g.wantsAnswer("consent", UnitedKingdom)
		if text := g.p.format(); strings.Contains(text, " ship ") {
			t.Errorf("fighters change a transport:\n%s", text)
		}
		other := g.copied()
		g.do("answer yes")
		g.want("10 united-states fighter", 1, "asks", "noncombat-move")
		other.do("answer no")
		other.want("10 united-states fighter", 0, "asks", "noncombat-move")
		other.refused("AA 8.1.12", "move 1 fighter#1 eastern-united-states>sz-10") // for the rest of the turn
	})
	t.Run("ends both moves", func(t *testing.T) {
		g := on1941(t).put("57", UnitedStates, "fighter/1+moved").put("56", UnitedStates, "aircraft-carrier").
			turn(UnitedStates, PhaseNoncombat)
		g.do("move 1 fighter sz-57>sz-56")
		g.refused("AA 12.5.2", "move 1 aircraft-carrier sz-56>sz-55")
		g.refused("AA 12.1.1", "move 1 fighter sz-56>western-united-states")
		g = on1941(t).put("57", UnitedStates, "fighter/2+moved").put("56", UnitedStates, "aircraft-carrier").
			turn(UnitedStates, PhaseNoncombat)
		g.do("move 1 aircraft-carrier sz-56>sz-57")
		g.refused("AA 12.1.1", "move 1 aircraft-carrier sz-57>sz-53")
	})
	t.Run("or is lost", func(t *testing.T) {
		g := on1941(t).put("45", UnitedStates, "fighter/4+moved").put("western-united-states", UnitedStates,
			"fighter/3 bomber").
			turn(UnitedStates, PhaseNoncombat)
		g.refused("AA 12.3.6", "move 1 fighter western-united-states>sz-56")
		g.refused("AA 12.3.4", "move 1 bomber western-united-states>sz-56")
		g.do("end")
		g.want("at 45", "")
	})
}

func TestCarriersMustHelp(t *testing.T) { // EX-269, EX-366
	t.Parallel()
	rulestest.Proves(t, book, "AA 12.5.3", "AA 12.5.1", "AA 12.1.3")
	g := on1941(t).put("53", UnitedStates, "fighter/4+moved").put("56", UnitedStates, "aircraft-carrier").
		turn(UnitedStates, PhaseNoncombat)
	g.refused("AA 12.5.3", "move 1 aircraft-carrier sz-56>sz-54")
	g.refused("AA 12.5.3", "end")
	g.do("move 1 aircraft-carrier sz-56>sz-53")
	g.do("end")
	g.want("at 53", "united-states fighter aircraft-carrier")

	begin := func() *table {
		return on1941(t).put("57", UnitedStates, "fighter/3+moved").put("56", UnitedStates, "aircraft-carrier").
			turn(UnitedStates, PhaseNoncombat)
	}
	g = begin()
	g.all("move 1 aircraft-carrier sz-56>sz-57", "end")
	g.want("at 57", "united-states fighter aircraft-carrier")
	g = begin()
	g.all("move 1 fighter sz-57>sz-56", "end")
	g.want("at 56", "united-states fighter aircraft-carrier")
}

func TestProofOverAZoneToBeCleared(t *testing.T) { // EX-332
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.3.5", "AA 8.3.9", "AA 8.3.4")
	g := on1941(t).put("56", UnitedStates, "aircraft-carrier cruiser").put("57", Japan, "destroyer").
		put("eastern-united-states", UnitedStates, "fighter").
		put("central-united-states", UnitedStates, "fighter").hold(Japan, "midway").put("midway", Japan, "infantry").
		turn(UnitedStates, PhaseMove)
	g.do("move 1 cruiser sz-56>sz-57")
	g.refused("AA 8.3.4", "move 1 fighter central-united-states>midway")
	g.do("move 1 fighter eastern-united-states>sz-57")
	g.do("end", 3, 6, 6)
	g.refused("AA 12.5.3", "end")
	g.all("move 1 aircraft-carrier sz-56>sz-57", "end")
	g.want("57 united-states fighter", 1, "power", "germany")
}

func TestGuests(t *testing.T) { // EX-275, EX-363
	t.Parallel()
	rulestest.Proves(t, book, "AA 12.5.4", "AA 11.2.1", "AA 11.2.2", "AA 8.5.2", "AA 9.12.3")
	g := on1941(t).put("56", UnitedStates, "aircraft-carrier").put("56", UnitedKingdom, "fighter").turn(UnitedStates,
		PhaseNoncombat)
	g.do("move 1 aircraft-carrier sz-56>sz-57>sz-52")
	g.want("aboard 52 united-kingdom fighter", 1, "at 56", "")
	g.do("end")
	g.want("at 52", "united-kingdom fighter; united-states aircraft-carrier", "power", "germany")

	g = on1941(t).put("12", UnitedStates, "aircraft-carrier").put("12", UnitedKingdom, "fighter").
		put("13", Italy, "cruiser").turn(UnitedKingdom, PhaseMove)
	g.do("move 1 fighter sz-12>sz-13")
	g.do("end", 3, 6)
	g.do("move 1 fighter sz-13>sz-12")
	g.later(UnitedStates, PhaseMove)
	g.want("at 12", "united-states aircraft-carrier[fighter:united-kingdom]")
	g.put("13", Italy, "2 cruiser")
	g.do("move 1 aircraft-carrier sz-12>sz-13")
	g.rolled("united-states 1@1, italy 2@3", g.do("end", 6, 3, 6))
	g.want("at 13", "italy 2 cruiser") // lost with the carrier

	g = on1941(t).put("12", UnitedStates, "aircraft-carrier").put("12", UnitedKingdom, "2 fighter").
		put("13", Italy, "cruiser").turn(UnitedStates, PhaseMove)
	g.do("move 1 aircraft-carrier sz-12>sz-13")
	g.do("end", 6, 6)
	g.do("retreat sz-12")
	g.want("at 12", "united-states aircraft-carrier[fighter:united-kingdom,fighter:united-kingdom]")
	g.do("end")
	// fighters again outside its owner's turn
	g.want("at 12", "united-kingdom 2 fighter; united-states aircraft-carrier")
}

func TestFightersOverAContestedZone(t *testing.T) { // EX-330
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.2.6", "AA 9.5.2", "AA 8.2.2")
	begin := func() *table {
		g := on1941(t).put("62", UnitedStates, "aircraft-carrier 2 fighter").put("62", Japan, "destroyer").
			put("manchuria", Japan, "infantry").
			turn(UnitedStates, PhaseMove)
		g.do("move 1 fighter sz-62>manchuria")
		return g
	}
	g := begin()
	g.do("join 1 sz-62")
	g.do("end")
	g.rolled("united-states 1@3, united-states 1@1, japan 1@2, united-states 1@3, japan 1@2",
		g.do("fight sz-62", 3, 6, 6, 3, 6))
	g = begin()
	g.do("end")
	out := g.do("fight sz-62", 1, 6, 3, 6)
	if got := firing(out); got != "united-states 1@1, japan 1@2, united-states 1@3, japan 1@2" {
		t.Errorf("rolled %s", got)
	}
	g.want("at 62", "united-states fighter aircraft-carrier", "at manchuria", "united-states fighter")
}

// The number of a line is that of the stack on the board, also where stacks before it are done; and texts name a canal
// in the language asked for.
func TestNumbersAndNames(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("france", Germany, "3 fighter").put("germany", Germany, "2 fighter").
		put("egypt", UnitedKingdom, "infantry").turn(Germany, PhaseNoncombat)
	g.p.take(keyOf(g.space("france"), Germany, Fighter), 2)
	g.p.put(keyOf(g.space("france"), Germany, Fighter).use(2), 1)
	g.p.put(keyOf(g.space("france"), Germany, Fighter).mark(Done), 1)
	numbered := 0
	referee{}.Legal(g.p, g.asked(), rules.Filter{Kind: "move", Space: "germany"}, func(c Command) bool {
		if c.From != g.space("france") {
			return true
		}
		numbered++
		text, pieces := grammar.Format(g.p, c), g.p.Describe(0, c).Pieces
		_, number, _ := strings.Cut(text, "fighter")
		number, _, _ = strings.Cut(number, " ")
		if want := "france/germany/fighter" + strings.TrimPrefix(number, "#1"); len(pieces) != 1 || pieces[0] != want {
			t.Errorf("%s moves %v, expected %s", text, pieces, want)
		}
		after := &table{t: t, p: g.p.Clone(), sc: g.sc}
		after.do(text)
		if moved := after.p.piecesAt(g.space("france"), func(Key) bool { return true }); len(moved) != 2 {
			t.Errorf("%s leaves %v", text, moved)
		}
		return true
	})
	if numbered != 2 {
		t.Errorf("%d fighters that differ can move, expected 2", numbered)
	}
	g = on1941(t).put("15", Italy, "destroyer").turn(Italy, PhaseNoncombat)
	r := g.refused("AA 2.4.5", "move 1 destroyer sz-15>sz-34")
	if text := catalogue.Format(rules.Japanese, r.Text); !strings.Contains(text, g.sc.Canals[1].Name.GetJa()) &&
		!strings.Contains(text, g.sc.Canals[0].Name.GetJa()) {
		t.Errorf("the canal is not named in Japanese: %s", text)
	}
}
