package anniversary

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules/rulestest"
)

// AA 2.8.2, AA 2.8.3: cities and capitals with their owners at the start (AA 1.3.7, AA 1.3.8).
func TestCitiesAndCapitals(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.8.2", "AA 2.8.3", "AA 1.3.7", "AA 1.3.8")
	for id, want := range map[string]map[Power]string{
		"1941": {
			Germany: "Paris Berlin Warsaw", Japan: "Tokyo Shanghai", Italy: "Rome",
			SovietUnion:   "Stalingrad Leningrad Moscow",
			UnitedKingdom: "Sydney Ottawa Calcutta Hong-Kong London",
			UnitedStates:  "Washington Honolulu Manila San-Francisco",
		},
		"1942": {
			Germany: "Paris Berlin Warsaw", Japan: "Tokyo Shanghai Hong-Kong Manila", Italy: "Rome",
			SovietUnion:   "Stalingrad Leningrad Moscow",
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
			Germany: "germany", Japan: "japan", Italy: "italy", SovietUnion: "russia", UnitedKingdom: "united-kingdom",
			UnitedStates: "eastern-united-states", China: "",
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

// The set-ups: units of each power (AA 1.3.4), treasuries that equal production (AA 1.3.6), turn order (AA 4.1),
// Chinese territory (AA 5.1.3).
func TestSetUps(t *testing.T) {
	t.Parallel()
	type facts struct {
		order    string
		treasury [NumPowers]int
		units    [NumPowers][NumUnits]int
	}
	//  inf art tank AA IC ftr bmr BB CV CA DD SS trn
	for id, want := range map[string]facts{
		"1941": {"germany soviet-union japan united-kingdom italy united-states",
			[NumPowers]int{31, 17, 10, 30, 43, 40, 0}, [NumPowers][NumUnits]int{
				Germany:       {19, 4, 8, 1, 1, 4, 1, 0, 0, 1, 0, 3, 2},
				Japan:         {21, 2, 1, 1, 1, 9, 0, 1, 3, 1, 1, 0, 5},
				Italy:         {5, 1, 2, 1, 1, 1, 0, 1, 0, 2, 0, 0, 1},
				SovietUnion:   {37, 2, 1, 3, 3, 0, 0, 0, 0, 0, 0, 1, 0},
				UnitedKingdom: {17, 4, 3, 3, 1, 3, 1, 1, 0, 1, 5, 0, 4},
				UnitedStates:  {9, 1, 0, 2, 2, 4, 2, 1, 1, 0, 4, 0, 3},
				China:         {4, 0, 0, 0, 0, 1},
			}},
		"1942": {"japan soviet-union germany united-kingdom italy united-states",
			[NumPowers]int{37, 31, 10, 24, 31, 38, 0}, [NumPowers][NumUnits]int{
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
		rulestest.Proves(t, book, "AA 1.3.1", "AA 1.3.4")
		if diff := cmp.Diff(want.units, totals(sc)); diff != "" {
			t.Errorf("%s: units (-want +got):\n%s", id, diff)
		}
		var order []string
		for _, w := range sc.Order {
			order = append(order, w.ID())
		}
		rulestest.Proves(t, book, "AA 4.1.2", "AA 4.1.3")
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
			rulestest.Proves(t, book, "AA 1.3.3", "AA 1.3.6", "AA 2.8.1")
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
		if got := strings.Join(setIDs(sc, sc.ChinaRules.Home),
			" "); got != "chinghai fukien hupeh ningxia sikang suiyuan yunnan" {
			t.Errorf("Chinese home is %s", got)
		}
		if got := strings.Join(setIDs(sc, sc.ChinaRules.Range),
			" "); got != "chinghai fukien hupeh kiangsu kwangtung manchuria ningxia sikang suiyuan yunnan" {
			t.Errorf("Chinese units may enter %s", got)
		}
		if c := sc.ChinaRules; c.For != UnitedKingdom || c.PlayedBy != UnitedStates || c.ARecruit != 2 ||
			c.RecruitLimit != 3 || c.Territories.Len() != 9 {
			t.Errorf("China: %+v", c)
		}
	}
}

// AA 1.3.9: every fighter and land unit at sea is aboard once, and no ship carries too much.
func TestLoads(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.3.9")
	for id, want := range map[string]string{
		"1941": "japan sz-57 aircraft-carrier fighter fighter|japan sz-57 aircraft-carrier fighter fighter|japan " +
			"sz-61 aircraft-carrier fighter fighter|" +
			"japan sz-61 transport artillery infantry|japan sz-61 transport infantry infantry|united-states " +
			"sz-44 aircraft-carrier fighter ",
		"1942": "japan sz-38 aircraft-carrier fighter fighter|japan sz-51 aircraft-carrier fighter |" +
			"united-kingdom sz-35 aircraft-carrier fighter |united-states sz-53 aircraft-carrier fighter ",
	} {
		sc := shippedScenario(t, id)
		var got []string
		for _, l := range sc.Loads {
			got = append(got, fmt.Sprintf("%s %s %s %s %s",
				l.Power.ID(), sc.SpaceID(l.Space), l.Ship.ID(), l.Cargo[0].ID(), l.Cargo[1].ID()))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: loads\n%s", id, strings.Join(got, "\n"))
		}
	}
}
