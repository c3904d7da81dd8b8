package anniversary

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
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

// Facts of the board, as the rulebook and the published map state them (AA 2.1.1, AA 2.2.1, AA
// 2.3.1, AA 2.5.1, AA 2.8).
func TestBoardFacts(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	rulestest.Proves(t, book, "AA 2.1.1")
	if sc.Land != 97 || sc.Len() != 162 {
		t.Errorf("%d territories of %d spaces, want 97 of 162", sc.Land, sc.Len())
	}
	var land, coast, sea, wrong int
	for a := range Space(sc.Len()) {
		for b := range sc.Adjacent[a].Each {
			switch {
			case !sc.Adjacent[b].Has(a):
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
	rulestest.Proves(t, book, "AA 2.2.1")
	if got, want := [...]int{land, coast, sea, wrong}, [...]int{155, 112, 140, 0}; got != want {
		t.Errorf("pairs of land, coast, sea, one-sided: %v, want %v", got, want)
	}
	for sp := range sc.Land {
		rulestest.Proves(t, book, "AA 2.3.5", "AA 2.5.3")
		if info := sc.Spaces[sp]; info.Impassable && (sc.Owner[sp] != NoPower || info.IPC != 0 ||
			len(sc.Near[sp]) > 0) || info.Coastal != (len(coasts(sc, sp)) > 0) {
			t.Errorf("%+v", info)
		}
	}
	neutral := "afghanistan angola argentina-chile eire himalaya mongolia mozambique northern-south-america " +
		"peruvian-central sahara saudi-arabia spain sweden switzerland turkey"
	rulestest.Proves(t, book, "AA 2.5.1")
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
	want := strings.Fields("borneo caroline-islands east-indies formosa greenland hawaiian-islands iceland iwo-jima " +
		"japan midway new-guinea new-zealand okinawa philippine-islands solomon-islands wake-island west-indies")
	rulestest.Proves(t, book, "AA 2.3.1")
	if diff := cmp.Diff(want, islands); diff != "" {
		t.Errorf("islands:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"eastern-united-states 12", "germany 10", "japan 8", "united-kingdom 8",
		"western-united-states 10"}, value); diff != "" {
		t.Errorf("values:\n%s", diff)
	}
	if sz2 := sc.SpaceByID("sz-2"); !slices.Equal(spaceIDs(sc, sc.Spaces[sz2].Islands),
		[]string{"greenland", "iceland"}) {
		t.Error("sea zone 2 does not hold Greenland and Iceland (AA 2.3.3)")
	}
	rulestest.Proves(t, book, "AA 2.2.2")
	// AA 2.2.2
	for _, pair := range [...][2]string{
		{"sz-20", "sz-55"}, {"sz-21", "sz-44"}, {"sz-25", "sz-43"}, {"western-canada", "eastern-canada"},
	} {
		if a, b := sc.SpaceByID(pair[0]), sc.SpaceByID(pair[1]); !sc.Around[a].Has(b) {
			t.Errorf("%v are not adjacent", pair)
		}
	}
}

// coasts are the sea zones next to a territory, neutral or not.
func coasts(sc *Scenario, sp Space) []Space {
	var all []Space
	for z := range sc.Adjacent[sp].Each {
		if sc.IsSea(z) {
			all = append(all, z)
		}
	}
	return all
}

// The borders, the values and both set-ups were compared, one by one, with the definition of the same published map
// that the largest open-source engine for this game has: 407 borders, 82 values, 79 and 91 placements agree. This keeps
// them as they were then.
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
		for b := range sc.Adjacent[a].Each {
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
	if diff := cmp.Diff([]string{"407 4b1cabf6df3b", "82 a436310234ae", "79 e751d68e6399", "91 20239964f1d8"},
		got); diff != "" {
		t.Error(diff)
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
			if lane.Canal != scenario.NoCanal && from < lane.To {
				c := sc.Canals[lane.Canal]
				got = append(got,
					fmt.Sprintf("%s %s %s %v", c.ID, sc.SpaceID(from), sc.SpaceID(lane.To), spaceIDs(sc, c.Control)))
			}
		}
	}
	want := []string{"suez-canal sz-15 sz-34 [egypt trans-jordan]", "panama-canal sz-19 sz-20 [panama]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// AA 2.4.7
	if a, b := sc.SpaceByID("sz-15"), sc.SpaceByID("sz-34"); sc.AirDistance(a, b) != 1 || sc.SeaDistance(a, b) != 1 {
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
		{"germany", "russia", 4, 4, scenario.Far}, {"united-kingdom", "germany", 3, scenario.Far, scenario.Far},
		{"germany", "italy", 2, 2, scenario.Far},
		{"sz-12", "sz-14", 2, scenario.Far, 2},
		{"japan", "formosa", 3, scenario.Far, scenario.Far},
		{"france", "spain", scenario.Far, scenario.Far, scenario.Far}, {"spain", "spain", 0, 0, 0},
		{"sz-16", "sz-1", 5, scenario.Far, 5},
		{"hawaiian-islands", "sz-53", 1, scenario.Far, scenario.Far},
	} {
		a, b := sc.SpaceByID(c.a), sc.SpaceByID(c.b)
		if got := [...]int{sc.AirDistance(a, b), sc.LandDistance(a, b),
			sc.SeaDistance(a, b)}; got != [...]int{c.air, c.land, c.sea} {
			t.Errorf("%s to %s: %v, want %d %d %d", c.a, c.b, got, c.air, c.land, c.sea)
		}
	}
	for a := range Space(sc.Len()) {
		for b := range Space(sc.Len()) {
			if d := sc.AirDistance(a, b); d != sc.AirDistance(b, a) || (d == 1) != sc.Around[a].Has(b) {
				t.Fatalf("air distance of %s and %s is %d", sc.SpaceID(a), sc.SpaceID(b), d)
			}
			if sc.Impassable.Has(a) && a != b && sc.AirDistance(a, b) != scenario.Far {
				t.Fatalf("a way from the neutral %s", sc.SpaceID(a))
			}
		}
		if slices.Contains(sc.LandNear[a], NoSpace) || len(sc.LandNear[a])+len(sc.SeaNear[a]) != len(sc.Near[a]) {
			t.Fatalf("neighbours of %s", sc.SpaceID(a))
		}
	}
}
