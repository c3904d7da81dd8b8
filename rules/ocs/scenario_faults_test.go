package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// A document is reported with everything that is wrong with it, each fault with its path.
func TestScenarioFaults(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-I", "OCS Intro-I-B", "OCS Intro-II", "OCS Intro-II-a", "OCS Intro-II-c",
		"OCS 3.2c")
	for _, c := range []struct {
		name  string
		spoil func(*ocsv1.Scenario)
		want  string // "path: what"
	}{
		{"id", func(d *ocsv1.Scenario) { d.Id = "Two Words" }, `id: "Two Words", expected 1 to 64`},
		{"title", func(d *ocsv1.Scenario) { d.Title = nil }, "title.en: empty"},
		{"sides", func(d *ocsv1.Scenario) { d.Sides = d.Sides[:1] }, "sides: 1 sides, expected 2"},
		{"hex", func(d *ocsv1.Scenario) { d.Map.Hexes[0].Id = "1.1" }, "map.hexes[0].id: "},
		{"terrain of a hex", func(d *ocsv1.Scenario) { d.Map.Hexes[5].Terrain = []string{"glacier"} },
			`].terrain: the terrain chart has no "glacier"`},
		{"hex twice", func(d *ocsv1.Scenario) { d.Map.Hexes[0].Id = d.Map.Hexes[1].Id }, "is there twice"},
		{"hexside", func(d *ocsv1.Scenario) { d.Map.Hexsides[0].B = "20.15" },
			"map.hexsides[0]: 03.05 and 20.15 are no neighbours"},
		{"hexside's type", func(d *ocsv1.Scenario) { d.Map.Hexsides[0].Types = []string{"moat"} },
			`map.hexsides[0].types: the terrain chart has no hexside "moat"`},
		{"road", func(d *ocsv1.Scenario) { d.Map.Roads[0].Class = "motorway" },
			`map.roads[0].class: the terrain chart has no road "motorway"`},
		{"gauge", func(d *ocsv1.Scenario) { d.Map.Rails[0].Gauge = 9 }, "map.rails[0].gauge: 9, expected 1 to 2"},
		{"box", func(d *ocsv1.Scenario) { d.Map.Boxes[0].Id = "dead" }, `map.boxes[0].id: "dead"`},
		{"costs", func(d *ocsv1.Scenario) { d.Terrain.Hexes[0].Costs[0].Leg = "1/7" },
			`terrain.hexes[0].costs[0].leg: "1/7", expected MP`},
		{"ground", func(d *ocsv1.Scenario) { d.Terrain.Hexes[0].Costs = d.Terrain.Hexes[0].Costs[1:] },
			"terrain.hexes[0].costs: no costs for dry"},
		{"multiplier", func(d *ocsv1.Scenario) { d.Terrain.Hexes[0].Attack.Armor = "much" },
			`terrain.hexes[0].attack: "much", expected a multiplier`},
		{"CRT", func(d *ocsv1.Scenario) { d.Charts.Combat.Rows[2].Cells[4] = "boom" },
			`charts.combat.rows[2].cells: "boom" is no result`},
		{"charts", func(d *ocsv1.Scenario) { d.Charts.Barrage = nil }, "charts: a chart is missing"},
		{"counter's size", func(d *ocsv1.Scenario) { d.Counters.Units[0].Size = "horde" },
			`counters.units[0].size: "horde" is no size`},
		{"counter's REs", func(d *ocsv1.Scenario) { d.Counters.Units[0].Re = "1/3" },
			`counters.units[0].re: "1/3", expected REs`},
		{"counter's face", func(d *ocsv1.Scenario) { d.Counters.Units[0].Move = nil },
			"counters.units[0].move: no Move face"},
		{"counter's rating", func(d *ocsv1.Scenario) { d.Counters.Units[0].Move.Rating = 6 },
			"counters.units[0].move.rating: 6, expected an Action Rating of at most 5"},
		{"counter's MP", func(d *ocsv1.Scenario) { d.Counters.Units[0].Move.Mp = "hover" },
			`counters.units[0].move.mp: "hover" is no type of MP`},
		{"counter twice", func(d *ocsv1.Scenario) { d.Counters.Units[1].Id = d.Counters.Units[0].Id },
			`counters.units[1].id: "bl-1-inf" is given twice`},
		{"formation", func(d *ocsv1.Scenario) { d.Counters.OrganicTrucks[0].Formation = "none" },
			`counters.organic_trucks[0].formation: no formation "none"`},
		{"breakdown", func(d *ocsv1.Scenario) { d.Counters.Breakdowns[0].Of = []string{"bl-9-eng"} },
			`counters.breakdowns[0].of: "bl-9-eng" is no division`},
		{"entry", func(d *ocsv1.Scenario) { d.Sides[1].Supply[0].At = []string{"nowhere"} },
			`sides[1].supply[0].at: the side has no entry "nowhere"`},
		{"source", func(d *ocsv1.Scenario) { d.Sides[0].Sources[0].Port = true },
			"sides[0].sources[0].port: 05.15 has no port"},
		{"trucks among units", func(d *ocsv1.Scenario) {
			d.Sides[0].Withdrawals = []*ocsv1.Withdrawal{{Turn: 2, Units: []string{"bl-3-trk"}}}
		}, `sides[0].withdrawals[0].units: no such piece: "bl-3-trk"`},
		{"breakdown among trucks", func(d *ocsv1.Scenario) {
			d.Sides[0].Withdrawals = []*ocsv1.Withdrawal{{Turn: 2, Organic: []string{"bl-brk"}}}
		}, `sides[0].withdrawals[0].organic: no such piece: "bl-brk"`},
		{"turn", func(d *ocsv1.Scenario) { d.Sides[1].Arrivals[0].Turn = 7 },
			"sides[1].arrivals[0].turn: turn 7, expected 1 to 6"},
		{"weather", func(d *ocsv1.Scenario) { d.Weather[0].Rows[3].Ground = "lava" },
			`weather[0].rows[3].ground: "lava" is no ground condition`},
		{"weather column", func(d *ocsv1.Scenario) { d.Turns[2].Weather = "june" },
			`turns[2].weather: no column "june"`},
		{"unit twice", func(d *ocsv1.Scenario) { d.Setup[1].Units = append(d.Setup[1].Units, d.Setup[0].Units[0]) },
			"is at setup[0].units already"},
		{"wrong side", func(d *ocsv1.Scenario) { d.Setup[0].Units[0] = "rd-1-inf" },
			"setup[0].units: rd-1-inf belongs to the other side"},
		{"no such hex", func(d *ocsv1.Scenario) { d.Setup[0].At = "99.99" },
			`setup[0].at: "99.99" is no hex or box in play`},
		{"at sea", func(d *ocsv1.Scenario) { d.Setup[0].At = "01.01" }, "can't be in 01.01 (OCS Intro-IV-I)"},
		{"load", func(d *ocsv1.Scenario) { d.Setup[0].Transports[0].LoadT = 99 },
			"setup[0].transports[0].load_t: 99 tokens on 20 points"},
		{"too high", func(d *ocsv1.Scenario) { d.Constants.StackingRe = 1 },
			"is over the stacking limit (OCS Intro-IV-E)"},
		{"level", func(d *ocsv1.Scenario) { d.Setup[0].Hedgehog = 5 },
			"setup[0].hedgehog: level 5, expected at most 4"},
		{"state", func(d *ocsv1.Scenario) { d.Setup[0].States = []*ocsv1.UnitState{{Unit: "bl-2-mtn"}} },
			`setup[0].states[0].unit: "bl-2-mtn" is not in the stack`},
		{"victory", func(d *ocsv1.Scenario) { d.Victory = nil }, "victory: no victory conditions"},
		{"victory hex", func(d *ocsv1.Scenario) { d.Victory.Hexes[0].Hex = "x" },
			`victory.hexes[0].hex: "x" is no hex or box in play`},
		{"levels", func(d *ocsv1.Scenario) { d.Victory.Levels[1].Min = 3 }, "victory.levels[1].min: 3, expected less"},
		{"too many rows, which might be compared with each other", func(d *ocsv1.Scenario) {
			d.Charts.Barrage.Shifts = make([]*ocsv1.NamedShift, maxRows+1)
		}, "charts.barrage.shifts: 2001 rows, expected at most 2000"},
		{"too many words in a row", func(d *ocsv1.Scenario) {
			d.Counters.Units[3].Symbols = make([]string, maxRows+1)
		}, "counters.units[3].symbols: 2001 rows, expected at most 2000"},
		{"landing row twice",
			func(d *ocsv1.Scenario) { d.Charts.Landing.Rows[1].Id = d.Charts.Landing.Rows[0].Id },
			`charts.landing.rows[1]: "port" is given twice`},
		{"landing row unnamed", func(d *ocsv1.Scenario) { d.Charts.Landing.Rows[1].Id = "" },
			`charts.landing.rows[1]: "" is given twice, or its numbers do not fit`},
		{"landing row without a partial success", func(d *ocsv1.Scenario) {
			d.Charts.Landing.Rows[1].FailureMax = d.Charts.Landing.Rows[1].SuccessMin
		}, `charts.landing.rows[1]: "open" is given twice, or its numbers do not fit`},
		{"special", func(d *ocsv1.Scenario) { d.Special = []*ocsv1.SpecialRule{{Id: "magic"}} },
			`special[0].id: the program has no special rule "magic"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := document(t, "proving-ground")
			rulestest.Proves(t, ruleset, "OCS Intro-IV-E", "OCS Intro-IV-I")
			c.spoil(doc)
			sc, faults := loadMessage(doc)
			if sc != nil {
				t.Fatal("the document is loaded")
			}
			for _, f := range faults {
				if strings.Contains(f.Path+": "+f.What, c.want) {
					return
				}
			}
			t.Errorf("no fault %q among: %v", c.want, faults)
		})
	}
}

func TestScenarioUnreadable(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{"", "{", `{"id": 3}`, `{"unknown": 1}`, "{}", strings.Repeat(" ", 8<<20+1)} {
		if sc, faults := LoadScenario([]byte(doc)); sc != nil || !faults.Fatal() {
			t.Errorf("%.20q is loaded", doc)
		}
	}
}

func FuzzLoadScenario(f *testing.F) {
	f.Add([]byte(`{"id":"x"}`))
	f.Add(partIshun)
	f.Add([]byte(`{"id":"x","sides":[{},{}],"map":{"hexes":[{"id":"01.01","terrain":["open"]}]},
		"terrain":{"grounds":["dry"],"hexes":[{"id":"open"}]}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if sc, faults := LoadScenario(doc); (sc == nil) != faults.Fatal() {
			t.Errorf("a scenario %v with faults %v", sc != nil, faults)
		}
	})
}

// A document may have 8 MiB, as the guide to scenarios says, and not a byte more.
func TestScenarioLength(t *testing.T) {
	t.Parallel()
	for _, d := range documents() {
		if d.ID != "proving-ground" {
			continue
		}
		for more, want := range []bool{true, false} {
			blanks := strings.Repeat(" ", 8<<20+more-len(d.Data))
			if _, faults := LoadScenario(append(slices.Clone(d.Data), blanks...)); faults.Fatal() == want {
				t.Errorf("%d bytes over the limit: %v", more, faults)
			}
		}
	}
}
