package toy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// Everything that is wrong with a document is reported at once, each with its path.
func TestScenarioFaults(t *testing.T) {
	t.Parallel()
	sc, faults := toy.Ruleset().LoadScenario([]byte(`{
		"id": "Bad Id", "title": {}, "turns": 0, "supply": 99,
		"hexes": [
			{"id": "0101", "terrain": "clear", "name": "@seat.red"},
			{"id": "0102", "terrain": "water", "outpost": true},
			{"id": "0103", "terrain": "lava"}],
		"units": [
			{"id": "r1", "seat": "red", "hex": "0101", "strength": 1, "steps": 1},
			{"id": "r1", "seat": "green", "hex": "0101", "strength": 0, "steps": 9},
			{"id": "r 3", "seat": "red", "hex": "0102", "strength": 1, "steps": 1},
			{"id": "r4", "name": "@seat.red", "seat": "red", "hex": "9999", "strength": 1, "steps": 1}]}`))
	if sc != nil || !faults.Fatal() {
		t.Fatalf("the scenario was loaded: %v", faults)
	}
	var paths []string
	for _, f := range faults {
		paths = append(paths, f.Path)
	}
	want := []string{
		"id", "title", "turns", "supply", "title.ja", "hexes[0].name", "hexes[1].outpost", "hexes[2].terrain",
		"units[1].id", "units[1].strength", "units[1].steps", "units[1].seat", "units[1].hex", "units[2].id",
		"units[2].hex",
		"units[3].name", "units[3].hex", "units",
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
}

func TestScenarioUnreadable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ doc, says string }{
		"no JSON":          {"{", "unexpected EOF"},
		"an unknown field": {`{"id": "x", "trun": 3}`, "trun"},
		"no hexes": {`{"id": "x", "title": {"en": "X", "ja": "X"}, "turns": 1}`,
			"hexes: 0 entries, expected 2 to 400"},
		"a hex of no form": {`{"id": "x", "hexes": [{"id": "0101"}, {"id": "x"}]}`, "hexes[1].id"},
		"no outpost":       {`{"id": "x", "hexes": [{"id": "0101"}, {"id": "0102"}]}`, "hexes: expected an outpost"},
		"too many units": {`{"id": "x", "hexes": [{"id": "0101"}, {"id": "0102"}], "units": [{}` +
			strings.Repeat(",{}", 100) + `]}`, "units: 101 entries, expected 0 to 100"},
		"a hex twice": {`{"id": "x", "hexes": [{"id": "0101"}, {"id": "0101"}]}`, "hexes[1].id: 0101 is there twice"},
	} {
		if sc, faults := toy.Ruleset().LoadScenario([]byte(c.doc)); sc != nil ||
			!strings.Contains(faults.Error(), c.says) {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

func TestPositionFaults(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[1].Data)
	options, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	good := set.New(sc, options).Notation()
	if _, err := set.ParsePosition(sc, good); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, says string }{
		"another scenario":   {"outpost ford", "outpost ridge", "line 1: a position of the scenario"},
		"an unknown option":  {"pursuit=false", "pursuit=maybe", "line 1: options"},
		"an option left out": {" pursuit=false", "", "not as it is written"},
		"an unknown seat":    {"seat red", "seat green", "line 3: expected one of red, blue"},
		"an unknown unit":    {"unit r1", "unit r9", "line 5: expected a unit"},
		"a unit nowhere":     {"unit r1 0101 2", "unit r1 - 2", "line 5: a unit without steps"},
		"a hex off the map":  {"0101 2", "0999 2", "line 5: hex id"},
		"no number":          {"supply 1", "supply x", "expected a number"},
		"a line too many":    {"holds", "wait\nholds", "expected what the line is about"},
		"two spaces":         {"unit r1 0101 2", "unit r1 0101 2 ", "not as it is written"},
	} {
		if _, err := set.ParsePosition(sc, strings.Replace(good, c.old, c.new, 1)); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := set.ParsePosition(fake{}, good); err == nil {
		t.Error("a position of another ruleset's scenario was read")
	}
}

// fake is a scenario of another ruleset.
type fake struct{ rules.Scenario }
