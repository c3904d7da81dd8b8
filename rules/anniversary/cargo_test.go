package anniversary

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Whatever is aboard is counted in the plane of its type, once for each ship.
func TestCargoInNumbers(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("7", UnitedKingdom, "2 transport[tank,infantry] 1 transport[antiaircraft-gun] "+
		"1 transport[artillery,infantry] 3 aircraft-carrier[fighter:united-states]").turn(UnitedKingdom, PhaseMove)
	spaces := g.sc.Tensors().Spaces
	planes := make([]int16, len(planeColumns)*len(spaces))
	g.p.Observe(UnitedKingdom.Seat(), planes, make([]int16, len(scalarColumns)))
	got := map[string]int{}
	for i, column := range planeColumns {
		if aboard, is := strings.CutPrefix(column.ID, "cargo_"); is {
			for _, n := range planes[i*len(spaces) : (i+1)*len(spaces)] {
				got[aboard] += int(n)
			}
		}
	}
	want := map[string]int{"infantry": 3, "artillery": 1, "tank": 2, "antiaircraft_gun": 1, "fighter": 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// An ally's transport that is to land something already takes part in that assault alone, and one that has done its
// work does nothing more, though both have movement left (AA 11.2.4, AA 15.13.11).
func TestAlliedTransportsAtWork(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 11.2.4", "AA 15.13.11")
	assault := on1941(t).put("7", UnitedStates, "transport").put("united-kingdom", UnitedKingdom, "2 infantry").
		turn(UnitedKingdom, PhaseMove)
	at := assault.space("7")
	ship := assault.p.at(at)[0].Key
	assault.p.take(ship, 1)
	assault.p.put(ship.aimedAt(assault.space("france")), 1)
	assault.refused("AA 8.1.1", "ship 1 sz-7 with infantry@united-kingdom land france of united-states")

	done := on1941(t).put("7", UnitedStates, "transport").put("united-kingdom", UnitedKingdom, "infantry").
		turn(UnitedKingdom, PhaseNoncombat)
	done.p.take(ship, 1)
	done.p.put(ship.mark(Done), 1)
	done.refused("AA 15.13.11", "ship 1 sz-7 with infantry@united-kingdom of united-states")
}

// What can go aboard is listed beside what is there: own freight is named as staying, an ally's is not (AA 15.13.4).
// Own freight lands together or one by one, an ally's in its own turn (AA 15.13.6).
func TestListedFreight(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 15.13.4", "AA 15.13.6")
	const infantry, tank = "infantry@united-kingdom", "tank@united-kingdom"
	const stays, ashore = "infantry+stays ", " land united-kingdom"
	for aboard, want := range map[string][]string{
		"transport":                              {infantry, tank},
		"transport[infantry]":                    {stays + infantry, stays + tank, "infantry" + ashore},
		"transport[tank]":                        {"tank+stays " + infantry, "tank" + ashore},
		"transport[infantry:united-states]":      {infantry, tank},
		"transport[tank:united-states]":          {infantry},
		"transport[tank,infantry]":               {"tank infantry" + ashore, "tank" + ashore, "infantry" + ashore},
		"transport[infantry,infantry]":           {"infantry infantry" + ashore, "infantry" + ashore},
		"transport[tank,infantry:united-states]": {"tank" + ashore},
	} {
		g := on1941(t).put("7", UnitedKingdom, aboard).put("united-kingdom", UnitedKingdom, "infantry tank").
			turn(UnitedKingdom, PhaseNoncombat)
		var freight []string
		for _, c := range g.offered("ship") {
			load, is := strings.CutPrefix(c, "ship 1 sz-7 with ")
			if is && (strings.Contains(load, "@") || strings.HasSuffix(load, ashore)) {
				freight = append(freight, load)
			}
		}
		if diff := cmp.Diff(want, freight); diff != "" {
			t.Errorf("%s:\n%s", aboard, diff)
		}
	}
}

// Only submarines and transports that nobody fought are ignored by what lands from their zone (AA 9.3.3).
func TestIgnoredZones(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.3.3")
	for enemies, want := range map[string]int{"": 0, "submarine": 1} {
		g := on1941(t).put("7", UnitedKingdom, "transport[infantry]").put("7", Germany, enemies).
			turn(UnitedKingdom, PhaseMove)
		g.do("ship 1 sz-7 with infantry land france")
		ignored := 0
		for _, e := range g.do("end").Events {
			if e.Event.(*anniversaryv1.Event).GetZoneIgnored() != nil {
				ignored++
			}
		}
		if ignored != want {
			t.Errorf("%q: %d zones ignored, want %d", enemies, ignored, want)
		}
	}
}

// An aircraft that has landed is done, and nothing tells any more what it did before (AA 12.3.1).
func TestMarksAfterALanding(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 12.3.1")
	g := on1941(t).put("poland", Germany, "fighter/1+moved+attack+raid").turn(Germany, PhaseNoncombat)
	g.do("move 1 fighter poland>germany")
	if got := g.p.at(g.space("germany"))[0]; got.Marks() != Done || got.Used() != 0 {
		t.Errorf("it is %s", g.p.unitText(got.Key))
	}
}

// Where attackers came from is a way out for land units and ships (AA 9.9.3): not where aircraft, allies, or units that
// are done came from.
func TestOriginsOfAnAttack(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.9.3")
	g := on1941(t).turn(Germany, PhaseMove)
	at := g.space("ukraine")
	for _, k := range []Key{
		keyOf(at, Germany, Tank).cameFrom(g.space("poland")),
		keyOf(at, Germany, Infantry).cameFrom(g.space("bulgaria-romania")),
		keyOf(at, Germany, Fighter).cameFrom(g.space("germany")),
		keyOf(at, Italy, Tank).cameFrom(g.space("italy")),
		keyOf(at, Germany, Artillery).cameFrom(g.space("france")).mark(Done),
		keyOf(at, Germany, Artillery),
	} {
		g.p.put(k, 1)
	}
	got := g.p.spaceIDs(g.p.originsOf(at))
	slices.Sort(got)
	if diff := cmp.Diff([]string{"bulgaria-romania", "poland"}, got); diff != "" {
		t.Error(diff)
	}
}

// Of groups that differ the description names one by its number on the board and by what it has moved, where the
// command takes it from or where the combat is; as many can be lost as that group has.
func TestGroupsThatDiffer(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("poland", Germany, "2 tank 1 tank/1").turn(Germany, PhaseMove)
	battle := on1941(t).put("11", UnitedKingdom, "transport[tank] 2 transport").put("12", Germany, "2 destroyer").
		turn(UnitedKingdom, PhaseMove)
	battle.do("move 3 transport sz-11>sz-12")
	battle.do("end", 2, 2)
	for _, c := range []struct {
		g       *table
		command string
		want    string
		most    int
	}{
		{g, "move 1 tank#1 poland>germany", "group 1)", 0},
		{g, "move 1 tank#2 poland>germany", "group 2, moved 1)", 0},
		{battle, "lose 1 transport#1", "group 1)", 2},
		{battle, "lose 1 transport#2", "group 2)", 1},
	} {
		parsed, r := c.g.p.parseCommand(c.command)
		if r != nil {
			t.Fatal(r)
		}
		d := c.g.p.Describe(c.g.asked(), parsed)
		if label := catalogue.Format(rules.English, d.Label); !strings.Contains(label, c.want) || d.Lot.Most != c.most {
			t.Errorf("%s: %q, at most %d, want %q and %d", c.command, label, d.Lot.Most, c.want, c.most)
		}
	}
}

// What is larger than a position can hold does not fold, whoever wrote the log.
func TestNumbersThatDoNotFold(t *testing.T) {
	t.Parallel()
	for used, good := range map[uint32]bool{15: true, 16: false} {
		g := on1941(t).put("poland", Germany, "tank").turn(Germany, PhaseMove)
		k := g.p.at(g.space("poland"))[0].Key
		c := g.p.changes([]change{{before: k, after: k.use(1), n: 1}})
		c[0].After.Used = used
		err := g.p.evolve(fact(&anniversaryv1.UnitsMoved{Changes: c}))
		if (err == nil) != good {
			t.Errorf("%d used: %v", used, err)
		}
	}
}

// Freight is loaded from a territory, never from a sea zone, and the first sea zone is no exception (AA 15.13.12).
func TestNoFreightFromTheFirstSeaZone(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("7", UnitedKingdom, "transport").put("united-kingdom", UnitedKingdom, "infantry").
		turn(UnitedKingdom, PhaseNoncombat)
	c, r := g.p.parseCommand("ship 1 sz-7 with infantry@united-kingdom")
	if r != nil {
		t.Fatal(r)
	}
	for at, malformed := range map[Space]bool{g.sc.Land: true, g.sc.Land - 1: false} {
		c.Items[0].At = at
		r := g.p.check(UnitedKingdom.Seat(), &c)
		if r == nil || (r.Reason == rules.ReasonMalformed) != malformed {
			t.Errorf("from %s: %v", g.sc.SpaceID(at), r)
		}
	}
}
