package anniversary

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// book stands for the ruleset where a test of the data names paragraphs.
var book = paragraphs{}

type paragraphs struct{ rules.Ruleset }

func (paragraphs) About() *rules.About { return &rules.About{Rulebook: rulebook()} }

// shippedScenario loads a scenario that comes with the ruleset.
func shippedScenario(tb testing.TB, id string) *Scenario {
	tb.Helper()
	for _, d := range documents() {
		if d.ID == id {
			sc, faults := LoadScenario(d.Data)
			if sc == nil || len(faults) > 0 {
				tb.Fatalf("scenario %s: %v", id, faults)
			}
			return sc
		}
	}
	tb.Fatalf("there is no scenario %s", id)
	return nil
}

// spaceIDs are the ids of spaces.
func spaceIDs(sc *Scenario, spaces []Space) []string {
	var ids []string
	for _, sp := range spaces {
		ids = append(ids, sc.SpaceID(sp))
	}
	return ids
}

func setIDs(sc *Scenario, set SpaceSet) []string { return spaceIDs(sc, slices.Collect(set.Each)) }

// Facts of the board, as the rulebook and the published map state them (AA 2.1.1, AA 2.2.1, AA 2.3.1, AA 2.5.1, AA 2.8).
func TestBoardFacts(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.1.1", "AA 2.2.1", "AA 2.2.2", "AA 2.3.1", "AA 2.3.5", "AA 2.5.1", "AA 2.5.3")
	sc := shippedScenario(t, "1941")
	if sc.Land != 97 || sc.Len() != 162 {
		t.Errorf("%d territories of %d spaces, want 97 of 162", sc.Land, sc.Len())
	}
	var land, coast, sea, wrong int
	for a := range Space(sc.Len()) {
		for b := range sc.adjacent[a].Each {
			switch {
			case !sc.adjacent[b].Has(a):
				wrong++
			case b < a:
			case sc.IsSea(a):
				sea++
			case sc.IsSea(b):
				coast++
			default:
				land++
			}
		}
	}
	if got, want := [...]int{land, coast, sea, wrong}, [...]int{155, 112, 140, 0}; got != want {
		t.Errorf("pairs of land, coast, sea, one-sided: %v, want %v", got, want)
	}
	for sp := range sc.Land {
		if info := sc.Spaces[sp]; info.Impassable && (sc.Owner[sp] != NoPower || info.IPC != 0 || len(sc.Near[sp]) > 0) || info.Coastal != (len(coasts(sc, sp)) > 0) {
			t.Errorf("%+v", info)
		}
	}
	neutral := "afghanistan angola argentina-chile eire himalaya mongolia mozambique northern-south-america peruvian-central sahara saudi-arabia spain sweden switzerland turkey"
	if got := strings.Join(setIDs(sc, sc.Impassable), " "); got != neutral {
		t.Errorf("impassable: %s", got)
	}
	var islands, value []string
	for sp := range sc.Land {
		if sc.Spaces[sp].Island != NoSpace {
			islands = append(islands, sc.SpaceID(sp))
		}
		if v := sc.Spaces[sp].IPC; v >= 8 {
			value = append(value, fmt.Sprintf("%s %d", sc.SpaceID(sp), v))
		}
	}
	want := strings.Fields("borneo caroline-islands east-indies formosa greenland hawaiian-islands iceland iwo-jima japan midway new-guinea new-zealand okinawa philippine-islands solomon-islands wake-island west-indies")
	if diff := cmp.Diff(want, islands); diff != "" {
		t.Errorf("islands:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"eastern-united-states 12", "germany 10", "japan 8", "united-kingdom 8", "western-united-states 10"}, value); diff != "" {
		t.Errorf("values:\n%s", diff)
	}
	if sz2 := sc.SpaceByID("sz-2"); !slices.Equal(spaceIDs(sc, sc.Spaces[sz2].Islands), []string{"greenland", "iceland"}) {
		t.Error("sea zone 2 does not hold Greenland and Iceland (AA 2.3.3)")
	}
	for _, pair := range [...][2]string{{"sz-20", "sz-55"}, {"sz-21", "sz-44"}, {"sz-25", "sz-43"}, {"western-canada", "eastern-canada"}} { // AA 2.2.2
		if a, b := sc.SpaceByID(pair[0]), sc.SpaceByID(pair[1]); !sc.Around[a].Has(b) {
			t.Errorf("%v are not adjacent", pair)
		}
	}
}

// coasts are the sea zones next to a territory, neutral or not.
func coasts(sc *Scenario, sp Space) []Space {
	var all []Space
	for z := range sc.adjacent[sp].Each {
		if sc.IsSea(z) {
			all = append(all, z)
		}
	}
	return all
}

// The borders, the values and both set-ups were compared, one by one, with the definition of the same published map that the largest open-source
// engine for this game has: 407 borders, 82 values, 79 and 91 placements agree. This keeps them as they were then.
func TestComparedWithPublishedMap(t *testing.T) {
	t.Parallel()
	sum := func(lines []string) string {
		slices.Sort(lines)
		h := sha256.Sum256([]byte(strings.Join(lines, "\n")))
		return fmt.Sprintf("%d %x", len(lines), h[:6])
	}
	var borders, values []string
	sc := shippedScenario(t, "1941")
	for a := range Space(sc.Len()) {
		for b := range sc.adjacent[a].Each {
			if sc.SpaceID(a) < sc.SpaceID(b) {
				borders = append(borders, sc.SpaceID(a)+" "+sc.SpaceID(b))
			}
		}
		if i := sc.Spaces[a]; !i.Sea && !i.Impassable {
			values = append(values, fmt.Sprint(i.ID, " ", i.IPC))
		}
	}
	got := []string{sum(borders), sum(values)}
	for _, id := range []string{"1941", "1942"} {
		at := map[string][NumUnits]int{}
		for _, s := range shippedScenario(t, id).Stacks {
			key := s.Power.ID() + " " + sc.SpaceID(s.Space)
			n := at[key]
			n[s.Unit] += s.Count
			at[key] = n
		}
		var lines []string
		for key, n := range at {
			lines = append(lines, fmt.Sprint(key, n))
		}
		got = append(got, sum(lines))
	}
	if diff := cmp.Diff([]string{"407 4b1cabf6df3b", "82 a436310234ae", "79 e751d68e6399", "91 20239964f1d8"}, got); diff != "" {
		t.Error(diff)
	}
}

// AA 2.8.2, AA 2.8.3: cities and capitals with their owners at the start (AA 1.3.7, AA 1.3.8).
func TestCitiesAndCapitals(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.8.2", "AA 2.8.3", "AA 1.3.7", "AA 1.3.8")
	for id, want := range map[string]map[Power]string{
		"1941": {
			Germany: "Paris Berlin Warsaw", Japan: "Tokyo Shanghai", Italy: "Rome", SovietUnion: "Stalingrad Leningrad Moscow",
			UnitedKingdom: "Sydney Ottawa Calcutta Hong-Kong London", UnitedStates: "Washington Honolulu Manila San-Francisco",
		},
		"1942": {
			Germany: "Paris Berlin Warsaw", Japan: "Tokyo Shanghai Hong-Kong Manila", Italy: "Rome", SovietUnion: "Stalingrad Leningrad Moscow",
			UnitedKingdom: "Sydney Ottawa Calcutta London", UnitedStates: "Washington Honolulu San-Francisco",
		},
	} {
		sc := shippedScenario(t, id)
		got := map[Power][]string{}
		for _, sp := range sc.Cities {
			got[sc.Owner[sp]] = append(got[sc.Owner[sp]], strings.ReplaceAll(sc.Spaces[sp].City.GetEn(), " ", "-"))
		}
		if len(sc.Cities) != 18 || sc.CitySet.Len() != 18 {
			t.Errorf("%s: %d cities, want 18", id, len(sc.Cities))
		}
		for w := range Power(NumPowers) {
			if strings.Join(got[w], " ") != want[w] {
				t.Errorf("%s: %s holds %v, want %s", id, w.ID(), got[w], want[w])
			}
		}
		for w, capital := range map[Power]string{
			Germany: "germany", Japan: "japan", Italy: "italy", SovietUnion: "russia", UnitedKingdom: "united-kingdom", UnitedStates: "eastern-united-states", China: "",
		} {
			sp := sc.Powers[w].Capital
			if sc.SpaceID(sp) != capital || sp != NoSpace && sc.Spaces[sp].Capital != w {
				t.Errorf("capital of %s is %q", w.ID(), sc.SpaceID(sp))
			}
		}
	}
}

// totals are the units of a power by type.
func totals(sc *Scenario) (all [NumPowers][NumUnits]int) {
	for _, s := range sc.Stacks {
		all[s.Power][s.Unit] += s.Count
	}
	return all
}

// The set-ups: units of each power (AA 1.3.4), treasuries that equal production (AA 1.3.6), turn order (AA 4.1), Chinese territory (AA 5.1.3).
func TestSetUps(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.3.1", "AA 1.3.3", "AA 1.3.4", "AA 1.3.6", "AA 2.8.1", "AA 4.1.2", "AA 4.1.3")
	type facts struct {
		order    string
		treasury [NumPowers]int
		units    [NumPowers][NumUnits]int
	}
	//  inf art tank AA IC ftr bmr BB CV CA DD SS trn
	for id, want := range map[string]facts{
		"1941": {"germany soviet-union japan united-kingdom italy united-states", [NumPowers]int{31, 17, 10, 30, 43, 40, 0}, [NumPowers][NumUnits]int{
			Germany:       {19, 4, 8, 1, 1, 4, 1, 0, 0, 1, 0, 3, 2},
			Japan:         {21, 2, 1, 1, 1, 9, 0, 1, 3, 1, 1, 0, 5},
			Italy:         {5, 1, 2, 1, 1, 1, 0, 1, 0, 2, 0, 0, 1},
			SovietUnion:   {37, 2, 1, 3, 3, 0, 0, 0, 0, 0, 0, 1, 0},
			UnitedKingdom: {17, 4, 3, 3, 1, 3, 1, 1, 0, 1, 5, 0, 4},
			UnitedStates:  {9, 1, 0, 2, 2, 4, 2, 1, 1, 0, 4, 0, 3},
			China:         {4, 0, 0, 0, 0, 1},
		}},
		"1942": {"japan soviet-union germany united-kingdom italy united-states", [NumPowers]int{37, 31, 10, 24, 31, 38, 0}, [NumPowers][NumUnits]int{
			Germany:       {31, 3, 10, 2, 1, 5, 1, 0, 0, 1, 2, 3, 2},
			Japan:         {23, 1, 1, 1, 1, 7, 1, 2, 2, 1, 1, 1, 1},
			Italy:         {6, 1, 3, 1, 1, 1, 0, 1, 0, 2, 0, 0, 1},
			SovietUnion:   {26, 2, 4, 3, 3, 1, 1, 0, 0, 0, 0, 1, 0},
			UnitedKingdom: {18, 3, 3, 3, 1, 5, 1, 1, 1, 2, 4, 0, 4},
			UnitedStates:  {10, 1, 1, 2, 2, 4, 3, 1, 1, 1, 3, 1, 3},
			China:         {9, 0, 0, 0, 0, 1},
		}},
	} {
		sc := shippedScenario(t, id)
		if diff := cmp.Diff(want.units, totals(sc)); diff != "" {
			t.Errorf("%s: units (-want +got):\n%s", id, diff)
		}
		var order []string
		for _, w := range sc.Order {
			order = append(order, w.ID())
		}
		if strings.Join(order, " ") != want.order {
			t.Errorf("%s: order %v", id, order)
		}
		var produce [NumPowers]int
		for sp, w := range sc.Owner {
			if w != NoPower {
				produce[w] += sc.Spaces[sp].IPC
			}
		}
		if produce[China] != 7 {
			t.Errorf("%s: China's territories are worth %d", id, produce[China])
		}
		for w := range Power(NumPowers) {
			if got := sc.Powers[w].Treasury; got != want.treasury[w] || w != China && got != produce[w] {
				t.Errorf("%s: %s has %d IPC, produces %d, want %d", id, w.ID(), got, produce[w], want.treasury[w])
			}
		}
	}
}

// AA 1.3.5, AA 2.9: markers of 1942; who was there first.
func TestOriginalControl(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.3.5", "AA 2.9.1", "AA 2.9.2", "AA 5.1.3")
	for id, want := range map[string][2]string{
		"1941": {"", ""},
		"1942": {
			"baltic-states belorussia east-poland eastern-ukraine ukraine",
			"borneo burma east-indies kwangtung new-guinea philippine-islands solomon-islands wake-island",
		},
	} {
		sc := shippedScenario(t, id)
		var got [NumPowers][]string
		var differ []string
		for sp, w := range sc.Marker {
			if w != NoPower {
				got[w] = append(got[w], sc.SpaceID(Space(sp)))
			}
			if w == NoPower && sc.Owner[sp] != sc.Original[sp] {
				differ = append(differ, sc.SpaceID(Space(sp)))
			}
		}
		if strings.Join(got[Germany], " ") != want[0] || strings.Join(got[Japan], " ") != want[1] {
			t.Errorf("%s: markers %v", id, got)
		}
		if !slices.Equal(differ, []string{"kiangsu", "manchuria"}) { // AA 2.9.2
			t.Errorf("%s: another original controller in %v", id, differ)
		}
		if sc.Original[sc.SpaceByID("manchuria")] != China || sc.Original[sc.SpaceByID("ukraine")] != SovietUnion {
			t.Errorf("%s: original control", id)
		}
		if got := strings.Join(setIDs(sc, sc.ChinaRules.Home), " "); got != "chinghai fukien hupeh ningxia sikang suiyuan yunnan" {
			t.Errorf("Chinese home is %s", got)
		}
		if got := strings.Join(setIDs(sc, sc.ChinaRules.Range), " "); got != "chinghai fukien hupeh kiangsu kwangtung manchuria ningxia sikang suiyuan yunnan" {
			t.Errorf("Chinese units may enter %s", got)
		}
		if c := sc.ChinaRules; c.For != UnitedKingdom || c.PlayedBy != UnitedStates || c.ARecruit != 2 || c.RecruitLimit != 3 || c.Territories.Len() != 9 {
			t.Errorf("China: %+v", c)
		}
	}
}

// AA 1.3.9: every fighter and land unit at sea is aboard once, and no ship carries too much.
func TestLoads(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.3.9")
	for id, want := range map[string]string{
		"1941": "japan sz-57 aircraft-carrier fighter fighter|japan sz-57 aircraft-carrier fighter fighter|japan sz-61 aircraft-carrier fighter fighter|" +
			"japan sz-61 transport artillery infantry|japan sz-61 transport infantry infantry|united-states sz-44 aircraft-carrier fighter ",
		"1942": "japan sz-38 aircraft-carrier fighter fighter|japan sz-51 aircraft-carrier fighter |" +
			"united-kingdom sz-35 aircraft-carrier fighter |united-states sz-53 aircraft-carrier fighter ",
	} {
		sc := shippedScenario(t, id)
		var got []string
		for _, l := range sc.Loads {
			got = append(got, fmt.Sprintf("%s %s %s %s %s", l.Power.ID(), sc.SpaceID(l.Space), l.Ship.ID(), l.Cargo[0].ID(), l.Cargo[1].ID()))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: loads\n%s", id, strings.Join(got, "\n"))
		}
	}
}

// AA 2.4: canals close the lanes of sea units only.
func TestCanals(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.4.1", "AA 2.4.7")
	sc := shippedScenario(t, "1941")
	var got []string
	for from := range Space(sc.Len()) {
		for _, lane := range sc.Lanes[from] {
			if !sc.IsSea(from) || !sc.IsSea(lane.To) {
				t.Errorf("a lane from %s to %s", sc.SpaceID(from), sc.SpaceID(lane.To))
			}
			if lane.Canal != NoCanal && from < lane.To {
				c := sc.Canals[lane.Canal]
				got = append(got, fmt.Sprintf("%s %s %s %v", c.ID, sc.SpaceID(from), sc.SpaceID(lane.To), spaceIDs(sc, c.Control)))
			}
		}
	}
	want := []string{"suez-canal sz-15 sz-34 [egypt trans-jordan]", "panama-canal sz-19 sz-20 [panama]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if a, b := sc.SpaceByID("sz-15"), sc.SpaceByID("sz-34"); sc.AirDistance(a, b) != 1 || sc.SeaDistance(a, b) != 1 { // AA 2.4.7
		t.Error("Suez is not open to air units")
	}
}

// Distances agree with a walk over the neighbours; nothing leads over neutral territory (AA 2.5.2).
func TestDistances(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1942")
	for _, c := range [...]struct {
		a, b           string
		air, land, sea int
	}{
		{"germany", "russia", 4, 4, Far}, {"united-kingdom", "germany", 3, Far, Far}, {"germany", "italy", 2, 2, Far}, {"sz-12", "sz-14", 2, Far, 2},
		{"japan", "formosa", 3, Far, Far}, {"france", "spain", Far, Far, Far}, {"spain", "spain", 0, 0, 0}, {"sz-16", "sz-1", 5, Far, 5},
		{"hawaiian-islands", "sz-53", 1, Far, Far},
	} {
		a, b := sc.SpaceByID(c.a), sc.SpaceByID(c.b)
		if got := [...]int{sc.AirDistance(a, b), sc.LandDistance(a, b), sc.SeaDistance(a, b)}; got != [...]int{c.air, c.land, c.sea} {
			t.Errorf("%s to %s: %v, want %d %d %d", c.a, c.b, got, c.air, c.land, c.sea)
		}
	}
	for a := range Space(sc.Len()) {
		for b := range Space(sc.Len()) {
			if d := sc.AirDistance(a, b); d != sc.AirDistance(b, a) || (d == 1) != sc.Around[a].Has(b) {
				t.Fatalf("air distance of %s and %s is %d", sc.SpaceID(a), sc.SpaceID(b), d)
			}
			if sc.Impassable.Has(a) && a != b && sc.AirDistance(a, b) != Far {
				t.Fatalf("a way from the neutral %s", sc.SpaceID(a))
			}
		}
		if slices.Contains(sc.LandNear[a], NoSpace) || len(sc.LandNear[a])+len(sc.SeaNear[a]) != len(sc.Near[a]) {
			t.Fatalf("neighbours of %s", sc.SpaceID(a))
		}
	}
}

// The price list and the profiles (AA 7.1.2, AA 15), and what technologies change (AA 6.3, AA 6.4).
func TestUnitNumbers(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 7.1.2", "AA 6.3.1", "AA 6.4.1", "AA 6.4.4", "AA 15.1.1", "AA 15.2.1", "AA 15.3.1", "AA 15.4.1",
		"AA 15.5.1", "AA 15.7.1", "AA 15.8.1", "AA 15.9.1", "AA 15.10.1", "AA 15.10.4", "AA 15.11.1", "AA 15.12.1", "AA 15.12.3", "AA 15.13.1")
	sc := shippedScenario(t, "1941")
	all := Techs(1<<NumTechs - 1)
	type row struct{ Cost, Attack, Defence, Move, Hits, Dice, CostAll, AttackAll, MoveAll, DiceAll int }
	for u, want := range [NumUnits]row{
		Infantry: {3, 1, 2, 1, 1, 1, 3, 1, 1, 1}, Artillery: {4, 2, 2, 1, 1, 1, 4, 2, 1, 1}, Tank: {5, 3, 3, 2, 1, 1, 5, 3, 2, 1},
		AAGun: {6, 0, 0, 1, 0, 1, 6, 0, 1, 1}, Complex: {15, 0, 0, 0, 0, 1, 15, 0, 0, 1},
		Fighter: {10, 3, 4, 4, 1, 1, 10, 4, 6, 1}, Bomber: {12, 4, 1, 6, 1, 1, 12, 4, 8, 2},
		Battleship: {20, 4, 4, 2, 2, 1, 17, 4, 2, 1}, Carrier: {14, 1, 2, 2, 1, 1, 11, 1, 2, 1}, Cruiser: {12, 3, 3, 2, 1, 1, 10, 3, 2, 1},
		Destroyer: {8, 2, 2, 2, 1, 1, 7, 2, 2, 1}, Submarine: {6, 2, 1, 2, 1, 1, 5, 3, 2, 1}, Transport: {7, 0, 0, 2, 1, 1, 6, 0, 2, 1},
	} {
		u := Unit(u)
		i := sc.Units[u]
		got := row{
			i.Cost, i.Attack, i.Defence, i.Move, i.Hits, sc.Dice(u, 0), sc.Cost(u, all), sc.Attack(u, all), sc.Moves(u, all), sc.Dice(u, all),
		}
		if got != want || sc.Cost(u, 0) != i.Cost || sc.Attack(u, all&^(1<<SuperSubmarines|1<<JetFighters)) != i.Attack || sc.Moves(u, 0) != i.Move {
			t.Errorf("%s: %+v, want %+v", u.ID(), got, want)
		}
	}
	charts := "advanced-artillery rockets paratroopers increased-factory-production war-bonds mechanized-infantry " +
		"super-submarines jet-fighters improved-shipyards radar long-range-aircraft heavy-bombers"
	for i, row := range sc.Tables.GetTechnologies() {
		if id := strings.Fields(charts)[i]; row.GetId() != id || TechByID(id) != Tech(i) || int(row.GetChart()) != i/6+1 || int(row.GetRoll()) != i%6+1 {
			t.Errorf("technology %d is %v", i, row)
		}
	}
	if surfaceShip != 1<<Battleship|1<<Carrier|1<<Cruiser|1<<Destroyer || warships != surfaceShip|1<<Submarine || seaUnits != warships|1<<Transport {
		t.Error("classes of ships")
	}
	e := sc.Effects
	if got, want := [...]int{e.Support, e.RocketRange, e.Paratroopers, e.Capacity, e.Repair, e.IncomeDice, e.PairedMove, e.AAHit},
		[...]int{2, 3, 1, 2, 2, 1, 2, 2}; got != want {
		t.Errorf("effects %v, want %v", got, want)
	}
	if want := (Numbers{AAHit: 1, SupportedAttack: 2, ResearcherCost: 5, ResearchSuccess: 6, RepairCost: 1, DamageCap: 2, ComplexValue: 1}); sc.Numbers != want {
		t.Errorf("numbers %+v, want %+v", sc.Numbers, want)
	}
	if sc.Supports(0) != 1 || sc.Supports(all) != 2 || sc.AAHit(0) != 1 || sc.AAHit(all) != 2 {
		t.Error("support or radar")
	}
}

// AA 3.1.1, AA 14.2.4, AA 14.3.
func TestGoals(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 3.1.1", "AA 14.2.4", "AA 14.3.1", "AA 14.3.2", "AA 14.3.3", "AA 14.3.4", "AA 14.3.5", "AA 14.3.6",
		"AA 14.3.7", "AA 14.3.8", "AA 14.3.9", "AA 14.3.10", "AA 14.3.11", "AA 14.3.12", "AA 14.3.13", "AA 14.3.14", "AA 14.3.15", "AA 14.3.16",
		"AA 14.3.17")
	sc := shippedScenario(t, "1942")
	var levels []int
	for _, v := range sc.Levels {
		levels = append(levels, v.Cities)
	}
	if !slices.Equal(levels, []int{15, 13, 18}) {
		t.Errorf("levels %v", levels)
	}
	var got []string
	for _, o := range sc.Objectives {
		s := fmt.Sprintf("%s %s %d %d/%d", o.Rule, o.Power.ID(), o.Bonus, o.Need, len(o.Territories))
		if o.Alone {
			s += " alone"
		}
		if o.NoAllies {
			s += " no-allies"
		}
		got = append(got, strings.TrimSpace(s+" "+strings.Join(spaceIDs(sc, o.NoWarships), " ")))
		p, ok := rulebook().Find(o.Rule)
		if !ok {
			t.Errorf("%s names no paragraph: %s", o.ID, o.Rule)
		}
		// The paragraph's summary names every territory.
		for _, sp := range o.Territories {
			if !strings.Contains(p.Text, sc.SpaceName(sp, rules.English)) {
				t.Errorf("%s does not name %s", o.Rule, sc.SpaceID(sp))
			}
			if ja := o.Text.GetJa(); !strings.Contains(ja, sc.SpaceName(sp, rules.Japanese)) {
				t.Errorf("%s: %s does not name %s", o.ID, ja, sc.SpaceName(sp, rules.Japanese))
			}
		}
	}
	want := []string{
		"AA 14.3.1 germany 5 6/6", "AA 14.3.2 germany 5 3/5", "AA 14.3.3 germany 5 1/2", "AA 14.3.4 japan 5 3/3", "AA 14.3.5 japan 5 4/6",
		"AA 14.3.6 japan 5 1/3", "AA 14.3.7 united-kingdom 5 6/6", "AA 14.3.8 united-kingdom 5 1/6", "AA 14.3.9 united-kingdom 5 1/2",
		"AA 14.3.10 italy 5 4/4 sz-13 sz-14 sz-15", "AA 14.3.11 italy 5 3/4", "AA 14.3.12 united-states 5 3/3", "AA 14.3.13 united-states 5 1/1",
		"AA 14.3.14 united-states 5 1/1", "AA 14.3.15 united-states 5 3/4", "AA 14.3.16 soviet-union 5 1/1 alone no-allies", "AA 14.3.17 soviet-union 10 3/6",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Every name is there in both languages, and none is a copy of the other.
func TestNames(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	seen := map[string]string{}
	check := func(what, en, ja string) {
		if en == "" || ja == "" || en == ja {
			t.Errorf("%s is %q, %q", what, en, ja)
		}
	}
	for sp := range Space(sc.Len()) {
		id, ja := sc.SpaceID(sp), sc.SpaceName(sp, rules.Japanese)
		check(id, sc.SpaceName(sp, rules.English), ja)
		if other := seen[ja]; other != "" {
			t.Errorf("%s and %s are both %s", id, other, ja)
		}
		seen[ja] = id
		if c := sc.Spaces[sp].City; c != nil {
			check(id, c.GetEn(), c.GetJa())
		}
	}
	for u, i := range sc.Units {
		check(Unit(u).ID(), i.Name.GetEn(), i.Name.GetJa())
		check(Unit(u).ID(), i.Plural.GetEn(), i.Plural.GetJa())
	}
	for i := range sc.Techs {
		check(Tech(i).ID(), sc.Techs[i].Name.GetEn(), sc.Techs[i].Name.GetJa())
		check(Tech(i).ID(), sc.Techs[i].Summary.GetEn(), sc.Techs[i].Summary.GetJa())
	}
	for w, p := range sc.Powers {
		check(Power(w).ID(), p.Name.GetEn(), p.Name.GetJa())
	}
	check("title", sc.ScenarioTitle(rules.English), sc.ScenarioTitle(rules.Japanese))
	check("about", sc.ScenarioAbout(rules.English), sc.ScenarioAbout(rules.Japanese))
}

func TestSpaceSet(t *testing.T) {
	t.Parallel()
	s := SpacesOf(3, 64, 199, NoSpace)
	if got := slices.Collect(s.Each); !slices.Equal(got, []Space{3, 64, 199}) || s.Len() != 3 {
		t.Errorf("%v", got)
	}
	if s.Has(NoSpace) || s.Has(4) || !s.Has(64) {
		t.Error("Has")
	}
	s.Remove(64)
	s.Remove(NoSpace)
	if s != SpacesOf(3, 199) || s.Union(SpacesOf(1)).Len() != 3 || s.Intersect(SpacesOf(3, 4)) != SpacesOf(3) || s.Minus(SpacesOf(3)) != SpacesOf(199) {
		t.Error("sets")
	}
	if empty := (SpaceSet{}); !empty.Empty() || s.Empty() {
		t.Error("Empty")
	}
	for sp := range s.Each {
		if sp == 199 {
			t.Error("went on after the end")
		}
		break
	}
}
