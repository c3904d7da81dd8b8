package scenario

import (
	"strings"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
)

const artilleryType = downfallv1.UnitType_UNIT_TYPE_CORPS_ARTILLERY

// DF 2.7, DF 2.11, DF 2.12, DF 3.4, DF 8.5, DF 8.6: counters that can't be.
func unitFaults() []faultCase {
	one := func(id string, edit func(*downfallv1.ScenarioUnit)) func(*flower.Flower) {
		return func(f *flower.Flower) { edit(f.Unit(id)) }
	}
	return []faultCase{
		{"no formation", one("J1", func(u *downfallv1.ScenarioUnit) { u.Formation = 0 }),
			[]string{"units[14].formation: FORMATION_UNSPECIFIED, expected a corps or army: every unit " +
				"belongs to exactly one (DF 2.7)"}},
		{"unit id", one("J1", func(u *downfallv1.ScenarioUnit) { u.Id = "J 1" }),
			[]string{`units[14].id: "J 1", expected 1 to 32 letters, digits, dashes and slashes`}},
		{"unit twice", one("J1", func(u *downfallv1.ScenarioUnit) { u.Id = "J2" }),
			[]string{`units[15].id: "J2" is given twice`}},
		{"id of a hex", one("J1", func(u *downfallv1.ScenarioUnit) { u.Id = "2020" }),
			[]string{`units[14].id: "2020" is the id of a hex`}},
		{"name, text, type, size", one("J1",
			func(u *downfallv1.ScenarioUnit) { u.Name, u.Short, u.Type, u.Size = nil, strings.Repeat("x", 7), 0, 9 }),
			[]string{
				"units[14].name: no English text", "units[14].short: 7 characters, expected 1 to 6",
				"units[14].size: 9, expected one of the sizes",
				"units[14].type: UNIT_TYPE_UNSPECIFIED, expected one of the types",
			}},
		{"steps", one("J1", func(u *downfallv1.ScenarioUnit) { u.Steps = 3 }), []string{
			"units[14].steps: 3, expected 1 to 2",
			"units[14].reduced_strength: 2, a unit of one step has no reduced face",
		}},
		{"strength", one("J1", func(u *downfallv1.ScenarioUnit) { u.Strength, u.ReducedStrength = 11, 0 }), []string{
			"units[14].strength: 11, expected 1 to 10", "units[14].reduced_strength: 0, expected 1 to 10",
		}},
		{"stronger when reduced", one("J1", func(u *downfallv1.ScenarioUnit) { u.ReducedStrength = 9 }),
			[]string{"warning units[14].reduced_strength: 9 is more than the full strength 4"}},
		{"artillery of two steps", one("I/art", func(u *downfallv1.ScenarioUnit) { u.Steps, u.ReducedStrength = 2, 3 }),
			[]string{"units[2].steps: 2, corps artillery has 1 (DF 8.10)"}},
		{"reserve artillery",
			one("R/6", func(u *downfallv1.ScenarioUnit) { u.Type, u.Steps, u.ReducedStrength = artilleryType, 1, 0 }),
			[]string{"units[9].formation: us-reserve, but corps artillery belongs to one of the four US corps"}},
		{"American coast",
			one("R/6", func(u *downfallv1.ScenarioUnit) { u.Type = downfallv1.UnitType_UNIT_TYPE_COASTAL }),
			[]string{"units[9].formation: us-reserve, but coastal divisions are Japanese (DF 12.3)"}},
		{"strong 6/ASCO", one("ASCO", func(u *downfallv1.ScenarioUnit) { u.Strength = 1 }),
			[]string{"units[13].strength: 6/ASCO has one step and no strength (DF 8.8-d)"}},
		{"infantry of no corps",
			one("R/6", func(u *downfallv1.ScenarioUnit) { u.Formation = downfallv1.Formation_FORMATION_US_NONE }),
			[]string{"units[9].formation: us-none, but only 6/ASCO is of no corps (DF 2.7)"}},
		{"two 6/ASCO", one("R/6", func(u *downfallv1.ScenarioUnit) {
			u.Formation, u.Type = downfallv1.Formation_FORMATION_US_NONE, downfallv1.UnitType_UNIT_TYPE_SERVICE_COMMAND
			u.Steps, u.Strength, u.ReducedStrength = 1, 0, 0
		}), []string{"units[13].type: there is a 6/ASCO already, R/6"}},
		{"infantry replaces", one("R/6", func(u *downfallv1.ScenarioUnit) { u.Replaces = "R/7" }),
			[]string{"units[9].replaces: only an airborne unit replaces another (DF 3.4)"}},
		{"airborne replaces nobody", one("R/11A", func(u *downfallv1.ScenarioUnit) { u.Replaces = "R/12" }), []string{
			`units[12].replaces: "R/12" is not a unit`,
			"warning units: there is no airborne counter, so option 15.6 does nothing (DF 3.4)",
		}},
		{"airborne replaces artillery",
			one("R/11A", func(u *downfallv1.ScenarioUnit) { u.Replaces = "I/art" }), []string{
				"units[12].replaces: I/art is not a reserve division that waits in the box",
				"warning units: there is no airborne counter, so option 15.6 does nothing (DF 3.4)",
			}},
		{"14 red units",
			one("A8", func(u *downfallv1.ScenarioUnit) {
				u.Formation, u.Hex = downfallv1.Formation_FORMATION_JP_OTHER, "5014"
			}), []string{
				"units: 14 units of jp-other, expected 13 (DF 2.12, DF 3.2)",
				"units: 7 units of jp-36, expected 8 (DF 2.12, DF 3.2)",
			}},
		// D-01: how many units a corps has is the scenario's affair.
		{"five divisions",
			one("R/6", func(u *downfallv1.ScenarioUnit) { u.Formation = downfallv1.Formation_FORMATION_US_XI }),
			[]string{"warning units: 1 units of us-XI, the rulebook has 4 (DF 2.12)"}},
		{"one lands", one("IX/81", func(u *downfallv1.ScenarioUnit) { u.Lands = false }),
			[]string{"units: 1 divisions land with IX Corps, expected 2 (DF 8.6-c)"}},
		{"others land", one("I/25", func(u *downfallv1.ScenarioUnit) { u.Lands = true }), []string{
			"units[0].lands: only divisions of IX Corps that wait in the box land with its beachhead (DF 8.6-c)",
			"units: 3 divisions land with IX Corps, expected 2 (DF 8.6-c)",
		}},
		{"no units", func(f *flower.Flower) { f.Doc.Units = nil }, []string{"units: 0 entries, expected 1 to 64"}},
		{"corps without beachhead", func(f *flower.Flower) { f.Doc.Beachheads = f.Doc.Beachheads[:3] },
			[]string{"beachheads: us-XI has no beachhead (DF 8.5)"}},
		{"two beachheads", func(f *flower.Flower) {
			f.Doc.Beachheads[3].Corps = downfallv1.Formation_FORMATION_US_I
		}, []string{
			"beachheads[3].corps: us-I has a beachhead already (DF 8.5)", "beachheads: us-XI has no beachhead (DF 8.5)",
		}},
		{"Japanese beachhead",
			func(f *flower.Flower) { f.Doc.Beachheads[3].Corps = downfallv1.Formation_FORMATION_JP_36 }, []string{
				"beachheads[3].corps: FORMATION_JP_36, expected one of the four US corps",
				"beachheads: us-XI has no beachhead (DF 8.5)",
			}},
	}
}

// DF 3.2, DF 3.3, DF 10.3, DF 10.4: set-ups that can't be.
func setupFaults() []faultCase {
	return []faultCase{
		{"no set-up hex", func(f *flower.Flower) { f.Unit("J1").Hex = "" },
			[]string{"units[14].hex: unit J1 has no set-up hex (DF 3.2-a)"}},
		{"neither hex nor turn", func(f *flower.Flower) { f.Unit("I/25").Turn = 0 },
			[]string{"units[0].hex: unit I/25 has neither a set-up hex nor a turn of entry (DF 3.3)"}},
		{"hex and turn", func(f *flower.Flower) { f.Unit("I/25").Hex = flower.DepotI },
			[]string{"units[0].turn: unit I/25 has a set-up hex and a turn of entry"}},
		{"36th Army in a hex", func(f *flower.Flower) { f.Unit("A1").Hex = flower.DepotI },
			[]string{`units[27].hex: "4010", but units of the 36th and 56th Army have no set-up hex (DF 3.2)`}},
		{"Japanese with a turn", func(f *flower.Flower) { f.Unit("F1").Turn = 3 },
			[]string{"units[35].turn: 3, but Japanese units have no turn of entry"}},
		{"late", func(f *flower.Flower) { f.Unit("I/25").Turn = 31 }, []string{"units[0].turn: 31, expected 1 to 30"}},
		{"off the map", func(f *flower.Flower) { f.Unit("J1").Hex = "9999" },
			[]string{`units[14].hex: "9999" is not a land hex of the map`}},
		{"in the sea", func(f *flower.Flower) { f.Doc.Sea = []string{"3030"}; f.Unit("J1").Hex = "3030" },
			[]string{`units[14].hex: "3030" is not a land hex of the map`}},
		{"US inland", func(f *flower.Flower) { f.Unit("I/25").Turn, f.Unit("I/25").Hex = 0, flower.ID("C") },
			[]string{"units[0].hex: US units set up in coastal hexes, and 2020 is not one (DF 3.3-a)"}},
		{"6/ASCO ashore", func(f *flower.Flower) { f.Unit("ASCO").Turn, f.Unit("ASCO").Hex = 0, flower.DepotI },
			[]string{"units[13].hex: unit ASCO starts off the map"}},
		{"four Japanese", func(f *flower.Flower) { f.Unit("B1").Hex = "5010" },
			[]string{"units[17].hex: 4 Japanese units set up in 5010, expected at most 3 (DF 10.3-a)"}},
		{"four Americans, two of them artillery", func(f *flower.Flower) {
			for _, id := range []string{"I/25", "I/33", "R/6", "R/7", "I/art"} {
				f.Unit(id).Turn, f.Unit(id).Hex = 0, flower.DepotI
			}
			f.Unit("V/art").Turn, f.Unit("V/art").Hex = 0, flower.DepotI
		}, []string{
			"units[5].hex: 2 corps artillery units set up in 4010, expected at most 1 (DF 10.4)",
			"units[10].hex: 4 US units set up in 4010, expected at most 3 (DF 10.4)",
		}},
		{"two corps", func(f *flower.Flower) {
			for _, id := range []string{"I/25", "R/6", "V/2"} {
				f.Unit(id).Turn, f.Unit(id).Hex = 0, flower.DepotI
			}
		}, []string{"warning units[3].hex: units of several corps set up in 4010 (DF 10.5)"}},
		{"enemies",
			func(f *flower.Flower) {
				f.Unit("I/25").Turn, f.Unit("I/25").Hex, f.Unit("J1").Hex = 0, flower.DepotI, flower.DepotI
			}, []string{
				"units[14].hex: US and Japanese units set up in 4010 (DF 10.1)",
				"beachheads[0].hex: a Japanese unit sets up in 4010",
			}},
		{"beachheads", func(f *flower.Flower) {
			f.Doc.Beachheads[0].Hex, f.Doc.Beachheads[1].Hex, f.Doc.Beachheads[2].Hex, f.Doc.Beachheads[3].Turn =
				flower.DepotXI, "", flower.DepotI, 3
			f.Doc.Beachheads[2].Turn = 0
		}, []string{
			"beachheads[1].hex: beachhead BH-V has no set-up hex (DF 3.3-a)",
			"beachheads[2].hex: the beachhead of IX Corps lands by plan and has no set-up hex (DF 8.6)",
			"beachheads[2].turn: 0, expected 1 to 30",
			"beachheads[3].turn: 3, but only the beachhead of IX Corps lands later (DF 3.3-b)",
			"beachheads[3].hex: 4014 holds the beachhead BH-I already",
		}},
		{"beachhead inland", func(f *flower.Flower) { f.Doc.Beachheads[0].Hex = flower.ID("C") },
			[]string{"beachheads[0].hex: beachheads set up in coastal hexes, and 2020 is not one (DF 3.3-a)"}},
		{"crowded mountain", func(f *flower.Flower) { f.Doc.Limits.Army36Distance = 0 },
			[]string{"limits.army36_distance: room for 3 units around 2020, and the 36th Army has 8 (DF 3.2-b)"}},
		{"no mountain", func(f *flower.Flower) { f.Doc.Limits.Army36Centre = "" },
			[]string{"limits.army36_centre: not given: the 36th Army has no place to set up (DF 3.2-b)"}},
	}
}

// DF 6.5, DF 7.T, DF 8.2-a, DF 14.3, DF 15.5, DF 4: charts that can't be.
func chartFaults() []faultCase {
	return []faultCase{
		{"no terrains", func(f *flower.Flower) { f.Doc.Terrains = nil; f.Doc.Land = f.Doc.Land[:0] },
			[]string{"terrains: 0 entries, expected 1 to 32", "land: 0 entries, expected 1 to 4096"}},
		{"terrain rows", func(f *flower.Flower) {
			f.Terrain("city").Id = "town"
			f.Terrain("rough").UsMove, f.Terrain("rough").UsAttack, f.Terrain("rough").JpAttack = 0,
				[]int32{-1, -2}, -20
			f.Terrain("fortification").Color = "red"
		}, []string{
			"terrains[1].us_move: 0, expected 1 to 20", "terrains[1].jp_attack: -20, expected -9 to 9",
			"terrains[1].us_attack: 2 values, expected 1, or one for each of the 3 chemical columns",
			`terrains[3].id: "town" is given twice`, `terrains[4].color: "red", expected a colour like "#aabbcc"`,
		}},
		{"bombed terrain", func(f *flower.Flower) { f.Doc.BombedTerrain = "crater" },
			[]string{`bombed_terrain: "crater" is not a terrain of the chart`}},
		{"chemical columns",
			func(f *flower.Flower) { f.Doc.ChemicalColumns[1].From, f.Doc.ChemicalColumns[2].To = 2, 7 }, []string{
				"chemical_columns[1]: holds 2, which chemical_columns[0] holds as well",
				"chemical_columns[2]: holds 5 to 7, expected a run within 1 to 6",
				"chemical_columns: no row holds 5", "chemical_columns: no row holds 6",
			}},
		{"kamikaze gap and overlap", func(f *flower.Flower) {
			f.Doc.Kamikaze[2].To, f.Doc.Kamikaze[4].From = 3, 6
		}, []string{
			"kamikaze[4]: holds 6, which kamikaze[3] holds as well", "kamikaze: no row holds 4",
		}},
		{"kamikaze values", func(f *flower.Flower) { f.Doc.Kamikaze[0].UsCp, f.Doc.Kamikaze[0].JpMf = 0, 21 },
			[]string{"kamikaze[0].us_cp: 0, expected 1 to 20", "kamikaze[0].jp_mf: 21, expected 1 to 20"}},
		{"arrival gap", func(f *flower.Flower) { f.Doc.Turns[14].Army56, f.Doc.Turns[4].Army56Early = 0, 1 }, []string{
			"turns[14].army56: 0 on turn 15 after 5 on the turn before: once the rolls begin they go on",
			"warning turns[4].army56_early: 1 on turn 5 is less than 4 on the turn before",
		}},
		{"arrival number",
			func(f *flower.Flower) { f.Doc.Turns[29].Army56 = 11; f.Doc.Turns[0].Kamikaze = 10 }, []string{
				"turns[0].kamikaze: 10, expected -9 to 9", "turns[29].army56: 11, expected 0 to 10",
				"turns[29].army56: 0 on turn 30 after 10 on the turn before: once the rolls begin they go on",
				"warning turns: no army56 at the end: the 56th Army never comes",
			}},
		{"prices", func(f *flower.Flower) { f.Doc.CommandPoints.Attack = 0 },
			[]string{"command_points.attack: 0, expected 1 to 20"}},
		{"markers",
			func(f *flower.Flower) {
				f.Doc.Markers.UsAir, f.Doc.Markers.UsNaval, f.Doc.Markers.Bombs = 3, 10, 31
			}, []string{
				"markers.us_naval: 10, expected 0 to 9", "markers.bombs: 31, expected 0 to 30",
				"warning markers: 4 air markers, the rulebook has 5 (DF 14.5)",
				"warning markers: 1 naval markers, expected 5 (DF 14.6)",
			}},
		{"two dice", func(f *flower.Flower) { f.Doc.D10From_2D6 = make([]uint32, 35) },
			[]string{"d10_from_2d6: 35 entries, expected 36"}},
		{"two dice, one number", func(f *flower.Flower) {
			for i := range uint32(36) {
				f.Doc.D10From_2D6 = append(f.Doc.D10From_2D6, min(i/6*2+i%2, 9)+1)
			}
			copy(f.Doc.D10From_2D6, []uint32{0, 0, 0, 0, 0, 0})
			f.Doc.D10From_2D6[35] = 1
		}, []string{
			"d10_from_2d6: a first die of 1 has no result with any second die", "d10_from_2d6: 2 is never rolled",
			"warning d10_from_2d6: 3 is rolled by 3 pairs, 1 by 1",
			"warning d10_from_2d6: 4 is rolled by 3 pairs, 1 by 1",
			"warning d10_from_2d6: 5 is rolled by 3 pairs, 1 by 1",
			"warning d10_from_2d6: 6 is rolled by 3 pairs, 1 by 1",
			"warning d10_from_2d6: 7 is rolled by 3 pairs, 1 by 1",
			"warning d10_from_2d6: 8 is rolled by 3 pairs, 1 by 1",
			"warning d10_from_2d6: 9 is rolled by 3 pairs, 1 by 1",
			"warning d10_from_2d6: 10 is rolled by 8 pairs, 1 by 1",
		}},
		{"drop", func(f *flower.Flower) { f.Doc.Drop[2].Steps = 3; f.Doc.Drop[0].From = 2 },
			[]string{"drop: no row holds 1", "drop[2].steps: 3, expected 0 to 2"}},
		{"scores", func(f *flower.Flower) { f.Doc.Scoring.Draw = 9 },
			[]string{"scoring.draw: 9 is more than the 8 with which the US wins"}},
		{"limits",
			func(f *flower.Flower) {
				f.Doc.Limits.UsEntry, f.Doc.Limits.UsMf, f.Doc.Limits.PlanAhead = 31, 0, 0
			}, []string{
				"limits.us_entry: 31, expected 1 to 30", "limits.plan_ahead: 0, expected 1 to 99",
				"limits.us_mf: 0, expected 1 to 20",
			}},
		{"missing towns", func(f *flower.Flower) {
			f.Award("towns", "DF 4.3", downfallv1.AwardKind_AWARD_KIND_TOWNS, 7, 7)
			f.Doc.Awards[0].Need = 4
			f.Ground("town", "N1")
			f.Coast("roadstar", "N1")
		}, []string{
			"awards[0].need: 4 hexes are needed, and there are 1",
			"warning scoring.us_wins: 8, and all awards together give 1",
		}},
		{"awards", func(f *flower.Flower) {
			f.Award("base", "DF 4.4", downfallv1.AwardKind_AWARD_KIND_AIR_BASE, 1, 20, "C", "N1")
			f.Award("base", "4.7", downfallv1.AwardKind_AWARD_KIND_CONTROL, 30, 20)
			f.Award("asco", "DF 4.6", downfallv1.AwardKind_AWARD_KIND_SERVICE_COMMAND, 1, 31, "C")
			f.Award("hex", "DF 4.8", downfallv1.AwardKind_AWARD_KIND_CONTROL, 30, 30, "9999", "C", "C")
			f.Award("linked", "DF 4.10", downfallv1.AwardKind_AWARD_KIND_LINKED, 30, 30)
			f.Award("none", "DF 4.10", 0, 30, 30)
		}, []string{
			"awards[0].hexes: 2 hexes, an air base is 1 (DF 4.4)", `awards[1].id: "base" is given twice`,
			`awards[1].rule: "4.7", expected a rule id like "DF 4.2"`, "awards[1].to: 20, expected 30",
			"awards[1].hexes: no objective hex (DF 4.7)", "awards[2].to: 31, expected 1 to 30",
			"awards[2].hexes: this kind of award has no hexes of its own",
			`awards[3].hexes[0]: "9999" is not a land hex of the map`,
			"awards[3].hexes[2]: hex 2020 is given twice",
			"awards[5].kind: AWARD_KIND_UNSPECIFIED, expected one of the kinds of award",
			"warning scoring.us_wins: 8, and all awards together give 6",
			"awards[4].kind: no coastal hex is south of the line (DF 4.10)",
		}},
	}
}
