package anniversary

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Refusals that no other case meets.
func TestRefusedMoves(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.14", "AA 8.1.7", "AA 8.1.3", "AA 9.5.2", "AA 12.1.1", "AA 12.3.6")
	g := on1941(t).put("poland", Germany, "tank").put("germany", Germany, "infantry fighter").put("5", Germany,
		"cruiser aircraft-carrier fighter").
		put("east-poland", SovietUnion, "infantry").put("baltic-states", SovietUnion, "infantry").turn(Germany,
		PhaseMove)
	g.refused("AA 8.1.14", "move 1 industrial-complex germany>poland")
	g.refused("AA 8.1.7", "move 1 tank poland>belorussia") // both ways lead through enemies
	g.refused("AA 8.1.3", "move 1 cruiser sz-5>sz-5")
	g.refused("AA 9.5.2", "join 1 sz-5") // nobody is there
	g.turn(Germany, PhaseNoncombat)
	g.refused("AA 12.1.1", "move 1 tank poland>germany>poland") // nowhere
	g.refused("AA 12.3.6", "move 1 fighter germany>germany")
}

// A Chinese fighter stays over Chinese territory and does not land on carriers; new complexes come one at a time.
func TestRefusedPlaces(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 5.3.5", "AA 13.2.5")
	china := on1941(t).put("yunnan", China, "fighter").put("61", UnitedStates, "aircraft-carrier").turn(UnitedStates,
		PhaseNoncombat)
	china.refused("AA 5.3.1", "move 1 fighter yunnan>sz-61 of china")
	g := on1941(t).bought(Germany, 2, Complex).turn(Germany, PhaseMobilize)
	g.refused("AA 13.2.5", "place 2 industrial-complex france")
	g.do("place 1 industrial-complex france")
}

// A transport loads in friendly ports of its way; what it is to do must be something.
func TestRefusedPlansOfTransports(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.13.8", "AA 8.4.2", "AA 8.1.12", "AA 12.4.3")
	begin := func(ph Phase) *table {
		return on1941(t).put("7", UnitedKingdom, "transport transport").put("13", Italy, "transport").
			put("7", UnitedStates, "2 transport").
			put("egypt", UnitedKingdom, "infantry").put("france", UnitedKingdom, "infantry").
			put("united-kingdom", UnitedKingdom, "2 infantry").
			turn(UnitedKingdom, ph)
	}
	g := begin(PhaseMove)
	g.refused("AA 15.13.8", "ship 1 sz-7 with infantry@egypt land france")                   // not next to the way
	g.refused("AA 15.13.8", "ship 1 sz-7 with infantry@france land northwestern-europe")     // France is hostile
	g.refused("AA 8.4.2", "ship 1 sz-7 land france")                                         // nothing lands
	g.refused("AA 8.1.12", "ship 1 sz-13 with infantry@united-kingdom land france of italy") // an enemy's ship
	g = begin(PhaseNoncombat)
	g.refused("AA 12.4.3", "ship 1 sz-7")
	g.as(UnitedStates.Seat(), "orders transports ask")
	g.refused("AA 8.1.12", "ship 2 sz-7 with infantry@united-kingdom of united-states") // one question at a time
	g.do("ship 1 sz-7 with infantry@united-kingdom of united-states")
	g.wantsAnswer("consent", UnitedStates)
	// an own transport that moved does nothing more, though it has movement left; an ally's has not had its turn
	g = on1941(t).put("7", UnitedKingdom, "transport/1+moved").put("7", UnitedStates, "transport/1+moved").
		put("united-kingdom", UnitedKingdom, "infantry").turn(UnitedKingdom, PhaseNoncombat)
	g.refused("AA 12.4.3", "ship 1 sz-7 with infantry@united-kingdom")
	g.do("ship 1 sz-7 with infantry@united-kingdom of united-states")
}

// What is taken back must be there, and not be what others stand on.
func TestRefusedRecalls(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.9", "AA 8.7.2", "AA 8.1.4")
	g := on1941(t).put("poland", Germany, "tank").turn(Germany, PhaseMove)
	g.refused("AA 8.1.9", "recall 1")
	g.do("move 1 tank poland>east-poland")
	moved := g.p.at(g.space("east-poland"))[0].Key
	g.p.take(moved, 1)
	g.refused("AA 8.1.9", "recall 0") // of a position in which the tank has gone elsewhere
	g.p.put(moved, 1)
	g.do("recall 0")

	capital := on1941(t).put("east-poland", Germany, "tank").hold(Germany, "east-poland", "belorussia").
		put("belorussia", Germany, "tank")
	capital.p.complexes.Remove(capital.space("russia"))
	capital.turn(Germany, PhaseMove)
	capital.do("move 1 tank belorussia>russia>archangel")
	capital.want("owner russia", "germany", "ipc soviet-union", 0)
	refusal := capital.refused("AA 8.7.2", "recall 0") // the treasury has changed hands
	for lang, want := range map[rules.Lang]string{
		rules.English:  "This move took Russia, a capital, and cannot be taken back",
		rules.Japanese: "この移動は首都ロシアを占領したので、取り消せません",
	} {
		if diff := cmp.Diff(want, catalogue.Format(lang, refusal.Text)); diff != "" {
			t.Errorf("the refusal (-want +got):\n%s", diff)
		}
	}

	escort := on1941(t).put("7", UnitedKingdom, "transport[infantry]").put("8", UnitedKingdom, "cruiser").
		turn(UnitedKingdom, PhaseMove)
	escort.do("ship 1 sz-7 with infantry land france")
	escort.do("move 1 cruiser sz-8>sz-7")
	escort.refused("AA 8.1.4", "recall 0") // the escort could not be there
	escort.all("recall 1", "recall 0")
}

// A landing that escorts depend on is not taken back before them; the refusal names the sea zone in words and by id
// (AA 8.1.4). Where they may be there without it, it is.
func TestRecallOfALandingWithEscorts(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 8.1.4", "AA 8.1.9")
	begin := func(do ...string) *table {
		g := on1941(t).put("7", UnitedKingdom, "2 transport[infantry]").put("8", UnitedKingdom, "cruiser").
			put("12", UnitedKingdom, "cruiser").put("12", Germany, "destroyer").turn(UnitedKingdom, PhaseMove)
		return g.all("ship 1 sz-7 with infantry land france").all(do...)
	}
	r := begin("move 1 cruiser sz-8>sz-7").refused("AA 8.1.4", "recall 0")
	got := []string{catalogue.Format(rules.English, r.Text), catalogue.Format(rules.Japanese, r.Text)}
	want := []string{
		"Ships that stay in Sea Zone 7 beside this landing depend on it", "海域7に護衛として残る艦船がこの上陸に依存しています",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"sz-7"}, r.Spaces); diff != "" {
		t.Errorf("spaces (-want +got)\n%s", diff)
	}
	for name, g := range map[string]*table{
		"the escort went back":       begin("move 1 cruiser sz-8>sz-7", "recall 1"),
		"another landing stays":      begin("ship 1 sz-7 with infantry land france", "move 1 cruiser sz-8>sz-7"),
		"it fled from a hostile one": begin("move 1 cruiser sz-12>sz-7"),
		"no escort":                  begin(),
	} {
		if _, err := g.try(UnitedKingdom.Seat(), "recall 0"); err != nil {
			t.Errorf("%s: %v", name, explain(err))
		}
	}
}

// The combat at sea comes before the landing, and there are no others than those that are listed.
func TestRefusedCombats(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.3.1", "AA 9.1.3")
	g := on1941(t).put("7", UnitedKingdom, "transport[infantry] cruiser").put("7", Germany, "destroyer").
		put("france", Germany, "infantry").
		put("8", UnitedKingdom, "transport[infantry] cruiser").put("morocco-algeria", Germany, "infantry").
		put("12", UnitedKingdom, "cruiser").
		put("12", Germany, "destroyer").turn(UnitedKingdom, PhaseMove)
	g.all("ship 1 sz-7 with infantry land france", "ship 1 sz-8>sz-12 with infantry land morocco-algeria", "end")
	g.refused("AA 9.3.1", "fight france")
	g.refused("AA 9.1.3", "fight norway")
}
