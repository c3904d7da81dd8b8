package ocs

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/kit"
	"github.com/warledger/warledger/rules/rulestest"
)

// A word that the rules never ask for would silently lose its effect: a counter with the symbol "tank" is no armor (OCS
// 9.4e-1), a modifier of flak for "headquarters" is never added. A document that comes now is refused for it, with the
// words that there are, and stored games go on.
func TestUnknownWords(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-II-b")
	for _, c := range []struct {
		name  string
		spoil func(*ocsv1.Scenario)
		want  string
	}{
		{"symbol", func(d *ocsv1.Scenario) { d.Counters.Units[0].Symbols = []string{"armor", "tank"} },
			`counters.units[0].symbols[1]: no branch symbol "tank", expected one of ad_hoc, anti_aircraft, ` +
				`anti_tank_gun, armor,`},
		{"flak", func(d *ocsv1.Scenario) { d.Charts.Air.Flak.Modifiers[1].Id = "headquarters" },
			`charts.air.flak.modifiers[1].id: no reason for a modifier of flak "headquarters", expected one of ` +
				`many_units, hq, zone_with_fighter, zone_without_fighter, zone_trainbusting`},
		{"flak twice", func(d *ocsv1.Scenario) { d.Charts.Air.Flak.Modifiers[1].Id = "many_units" },
			`charts.air.flak.modifiers[1].id: "many_units" is given twice`},
		{"barrage", func(d *ocsv1.Scenario) { d.Charts.Barrage.Shifts[0].Id = "hedgehogs" },
			`charts.barrage.shifts[0].id: no reason for a shift "hedgehogs", expected one of open, close, ` +
				`very_close, extreme_close, hedgehog, no_spotter, strat_mode, near_base, long_flight`},
		{"barrage twice", func(d *ocsv1.Scenario) { d.Charts.Barrage.Shifts[1].Id = "hedgehog" },
			`charts.barrage.shifts[1].id: "hedgehog" is given twice`},
		{"drop", func(d *ocsv1.Scenario) { d.Charts.Air.Drops[0].Terrain = "open" },
			`charts.air.drops[0].terrain: no terrain of air drops "open", expected one of clear, closed`},
		{"drop twice", func(d *ocsv1.Scenario) { d.Charts.Air.Drops[0] = d.Charts.Air.Drops[1] },
			`charts.air.drops[1]: "`},
		{"terrain", func(d *ocsv1.Scenario) { d.Terrain.Hexes[0].AirDrop = "Clear" },
			`terrain.hexes[0].air_drop: no terrain of air drops "Clear", expected one of clear, closed`},
		{"capture", func(d *ocsv1.Scenario) { d.Charts.Capture.Columns[0].Id = "dumps" },
			`charts.capture.columns[0].id: no column of the capture table "dumps", expected one of dump, ` +
				`trucks, wagons`},
		{"capture twice", func(d *ocsv1.Scenario) { d.Charts.Capture.Columns[2].Id = "trucks" },
			`charts.capture.columns[2].id: "trucks" is given twice`},
		{"capture of dumps", func(d *ocsv1.Scenario) { d.Charts.Capture.Columns = d.Charts.Capture.Columns[1:] },
			"charts.capture.columns: no column dump, for the supply on the ground (OCS 9.14b)"},
		{"capture of organic trucks", func(d *ocsv1.Scenario) {
			d.Charts.Capture.Columns[1].Id = "lorries"
			for _, t := range d.Counters.Transports {
				t.Capture = "lorries"
			}
		}, "charts.capture.columns: no column trucks, for organic trucks (OCS 9.14c)"},
		{"capture of more than all", func(d *ocsv1.Scenario) { d.Charts.Capture.Columns[1].Percent[5] = 101 },
			"charts.capture.columns[1].percent[5]: 101 per cent, expected at most 100"},
		{"destruction of more than all", func(d *ocsv1.Scenario) { d.Charts.DestructionPercent[0] = 101 },
			"charts.destruction_percent[0]: 101 per cent, expected at most 100"},
		{"transport", func(d *ocsv1.Scenario) { d.Counters.Transports[0].Capture = "truck" },
			`counters.transports[0].capture: no column of the capture table for transports "truck", ` +
				`expected one of trucks, wagons`},
		{"transport as a dump", func(d *ocsv1.Scenario) { d.Counters.Transports[0].Capture = "dump" },
			`counters.transports[0].capture: no column of the capture table for transports "dump"`},
		{"transport without", func(d *ocsv1.Scenario) { d.Counters.Transports[0].Capture = "" },
			`counters.transports[0].capture: no column of the capture table for transports ""`},
		{"kind of ship", func(d *ocsv1.Scenario) { d.Victory.Adjust[0].Ships[1] = "cruisers" },
			`victory.adjust[0].ships[1]: no kind of ship of the side "cruisers", expected one of battleship,`},
		{"ship that is not among them", func(d *ocsv1.Scenario) {
			for _, s := range d.Counters.Ships {
				if s.Kind == "battleship" {
					s.Kind = "battle-ship"
				}
			}
		}, `victory.adjust[0].ships[0]: no kind of ship of the side "battleship", expected one of battle-ship,`},
		{"no ships", func(d *ocsv1.Scenario) { d.Victory.Adjust[0].Ships = nil },
			`victory.adjust[0].ships: no kinds of ship, expected some of battleship,`},
		{"size", func(d *ocsv1.Scenario) {
			d.Victory.Adjust[0] = &ocsv1.VictoryTest{Kind: "dead_at_end", Per: 1, Nationality: "bl", Size: "Division"}
			d.Victory.Adjust[0].Nationality = d.Counters.Nationalities[0].Id
		}, `victory.adjust[0].size: no size "Division", expected one of army, battalion, battle_group, brigade, ` +
			`company, corps, division, regiment, replacement`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := document(t, "proving-seas")
			c.spoil(doc)
			sc, faults := loadMessage(doc)
			if sc == nil || faults.Fatal() || !faults.Refused() {
				t.Fatalf("stored games are lost, or new ones are let in: %v", faults)
			}
			for _, f := range faults {
				if strings.HasPrefix(f.Path+": "+f.What, c.want) {
					return
				}
			}
			t.Errorf("no fault %q among: %v", c.want, faults)
		})
	}
}

// Words of a game's own are taken where two parts of the document name each other.
func TestWordsOfAGame(t *testing.T) {
	t.Parallel()
	doc := document(t, "proving-seas")
	doc.Charts.Capture.Columns[2].Id = "mules"
	for _, k := range doc.Counters.Transports {
		if k.Capture == "wagons" {
			k.Capture = "mules"
		}
	}
	for _, s := range doc.Counters.Ships {
		if s.Kind == "battleship" {
			s.Kind = "monitor"
		}
	}
	doc.Victory.Adjust[0].Ships[0] = "monitor"
	doc.Terrain.Hexes[0].AirDrop = "" // nobody can land there
	if sc, faults := loadMessage(doc); sc == nil || len(faults) > 0 {
		t.Errorf("refused: %v", faults)
	}
}

// A stored game with more unknown words than faults are listed goes on all the same.
func TestManyUnknownWords(t *testing.T) {
	t.Parallel()
	doc := document(t, "proving-ground")
	doc.Counters.Units[0].Symbols = make([]string, 2*kit.MaxFaults)
	if sc, faults := loadMessage(doc); sc == nil || faults.Fatal() {
		t.Error("a stored game with many of them is lost")
	}
}

// The page for authors lists the words that the program knows.
func TestPageListsTheWords(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/howto/ocs-scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string][]string{}
	for _, row := range strings.Split(string(page), "\n") {
		cells := strings.Split(row, "|")
		if len(cells) != 4 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		var list []string
		for i, w := range strings.Split(cells[2], "`") {
			if i%2 == 1 {
				list = append(list, w)
			}
		}
		for i, path := range strings.Split(cells[1], "`") {
			if i%2 == 1 {
				listed[path] = list
			}
		}
	}
	want := map[string][]string{
		"counters.units[].symbols":       branchSymbols,
		"charts.air.flak.modifiers[].id": flakReasons,
		"charts.barrage.shifts[].id":     shiftReasons,
		"charts.air.drops[].terrain":     dropTerrains,
		"terrain.hexes[].airDrop":        dropTerrains,
		"charts.capture.columns[].id":    captureColumns,
		"counters.transports[].capture":  {organicColumn, wagonColumn},
		"counters.units[].size":          unitSizes,
		"victory.adjust[].size":          unitSizes,
		"counters.ships[].kind":          nil,
		"victory.adjust[].ships":         nil,
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("(-the program +the page)\n%s", diff)
	}
}
