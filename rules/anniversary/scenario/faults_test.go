package scenario

import (
	"strings"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

func headerFaults() []faultCase {
	return []faultCase{
		{"header", func(d draft) {
			d.Id, d.Title.En, d.About.Ja = "A B", " ", "a\x00"
			d.Provenance = make([]*anniversaryv1.Provenance, maxProvenance+1)
		}, []string{
			`id: "A B", expected 1 to 64 lower-case letters, digits and dashes`, "title: no English text",
			"about: control characters in the text", "provenance: 1001 entries, expected at most 1000",
		}},
		{"long title", func(d draft) { d.Title.Ja = strings.Repeat("長", maxName+1) },
			[]string{"title: 101 characters, expected at most 100"}},
		{"both", func(d draft) {
			d.MapId, d.TablesId, d.DrawingId, d.Drawing = "world", "anniversary", "world", proto.CloneOf(shippedDrawing)
		}, []string{
			"map_id: the document has a map of its own as well",
			"tables_id: the document has tables of its own as well",
			"drawing_id: the document has a drawing of its own as well",
		}},
		{"ids of parts", func(d draft) { d.Map.Id, d.Tables.Id, d.DrawingId = "", "X", "other" }, []string{
			`map.id: "", expected 1 to 64 lower-case letters, digits and dashes`,
			`tables.id: "X", expected 1 to 64 lower-case letters, digits and dashes`,
			`drawing_id: "other", expected world or a drawing in the document`,
		}},
		{"no tables", func(d draft) { d.Tables = nil },
			[]string{`tables_id: "", expected anniversary or tables in the document`}},
	}
}

func mapFaults() []faultCase {
	return []faultCase{
		{"names", func(d draft) {
			d.Map.Territories[0].Id, d.Map.Territories[0].Name = "Upper", nil
			d.Map.SeaZones[1].Name.En = ""
			d.Map.Territories[3].City = &anniversaryv1.Words{}
		}, []string{
			`map.territories[0].id: "Upper", expected 1 to 48 lower-case letters, digits and dashes`,
			"map.territories[0].name: no English text",
			"map.territories[3].city: no English text",
			"map.territories[3].city: impassable territory has none (AA 2.5.3)",
			"map.sea_zones[1].name: no English text",
		}},
		{"twice", func(d draft) { d.Map.Territories[1].Id = "angola" }, []string{
			`map.territories[3].id: "angola" is given twice`,
			`placements[73].space: "alaska" is not a space of the map`,
		}},
		{"neutral", func(d draft) {
			d.land("spain").Owner, d.land("spain").Ipc, d.land("spain").Original = "germany", 2, "germany"
		}, []string{
			"map.territories[80].owner: impassable territory has none (AA 2.5.3)",
			"map.territories[80].original: impassable territory has none (AA 2.5.3)",
			"map.territories[80].ipc: impassable territory has none (AA 2.5.3)",
		}},
		{"owners", func(d draft) {
			d.land("brazil").Owner, d.land("mexico").Owner, d.land("alaska").Original = "", "mexico", "canada"
			d.land("brazil").Ipc = 100
		}, []string{
			`map.territories[1].original: "canada" is not one of the powers`,
			"map.territories[12].ipc: 100, expected 0 to 99",
			`map.territories[12].owner: "" is not one of the powers`,
			`map.territories[55].owner: "mexico" is not one of the powers`,
		}},
		{"neighbours", func(d draft) {
			d.land("alaska").Neighbors = []string{"alaska", "sz-64", "sz-64", "atlantis", "sz-65"}
			d.Map.SeaZones[0].Neighbors = append(d.Map.SeaZones[0].Neighbors, "sz-2")
		}, []string{
			"map.territories[1].neighbors[2]: sz-64 is given twice",
			`map.territories[1].neighbors[3]: "atlantis" is not a space of the map`,
			"map.territories[1].neighbors: alaska is its own neighbour",
			"map.sea_zones[0].neighbors[3]: sz-2 is given twice",
		}},
		{"canals", func(d draft) {
			d.Map.Canals[0].A, d.Map.Canals[0].B = "sz-1", "sz-20"
			d.Map.Canals[1].Id, d.Map.Canals[1].Control, d.Map.Canals[1].Name = "panama-canal",
				[]string{"egypt", "egypt", "spain", "sz-3"}, nil
			d.Map.Canals = append(d.Map.Canals,
				&anniversaryv1.Canal{Id: "kiel", Name: &anniversaryv1.Words{En: "Kiel"}, A: "germany", B: "sz-5"},
				&anniversaryv1.Canal{Id: "second", Name: &anniversaryv1.Words{En: "x"}, A: "sz-34", B: "sz-15",
					Control: []string{"egypt"}})
		}, []string{
			"map.canals[0]: sz-1 and sz-20 are not adjacent",
			`map.canals[1].id: "panama-canal" is given twice`, "map.canals[1].name: no English text",
			"map.canals[1].control[1]: egypt is given twice",
			"map.canals[1].control[2]: spain is impassable (AA 2.5.2)",
			"map.canals[1].control[3]: sz-3 is a sea zone, expected a territory",
			"map.canals[2].a: germany is a territory, expected a sea zone",
			"map.canals[2].control: 0 entries, expected 1 to 8",
			"map.canals[3]: canals[1] joins the same sea zones",
		}},
		{"too many spaces", func(d draft) {
			d.Map.Territories, d.Placements, d.Tables, d.TablesId, d.Markers = d.Map.Territories[:50], nil,
				nil, "x", nil
			d.Map.SeaZones = make([]*anniversaryv1.SeaZone, 151)
			d.Map.Canals = nil
		}, []string{`tables_id: "x", expected anniversary or tables in the document`,
			"map: 201 spaces, expected at most 200"}},
	}
}

func tableFaults() []faultCase {
	return []faultCase{
		{"powers", func(d draft) {
			p := d.Tables.Powers
			p[0].Capital, p[1].Id, p[2].Capital, p[3].Color, p[6].Capital = "sz-1", "germany", "poland", "red", "hupeh"
			p[2].Name = nil
		}, []string{
			"tables.powers[0].capital: sz-1 is a sea zone, expected a territory",
			"tables.powers[1].id: germany is given twice",
			"tables.powers[1].capital: the original controller of japan is japan",
			"tables.powers[2].name: no English text",
			"tables.powers[2].capital: the original controller of poland is germany",
			`tables.powers[3].color: "red", expected #rrggbb`,
			"tables.powers[6].capital: China has no capital (AA 2.8.3)", "tables.powers: japan is missing",
		}},
		{"shared capital", func(d draft) { d.Tables.Powers[0].Capital = "italy" }, []string{
			"tables.powers[0].capital: the original controller of italy is italy",
			"tables.powers[2].capital: italy holds the capital of germany already",
		}},
		{"units", func(d draft) {
			u := d.Tables.Units
			u[0].Cost, u[1].Attack, u[2].Move, u[3].Defence, u[4].Move, u[5].Hits, u[6].Domain = 0, 7, 16, 1, 1, 2,
				anniversaryv1.Domain_DOMAIN_SEA
			u[7].Abilities = append(u[7].Abilities, anniversaryv1.Ability_ABILITY_SUBMARINE)
			u[8].Short.En, u[12].Id = "seventh", "zeppelin"
		}, []string{
			"tables.units[0].cost: 0, expected 1 to 99", "tables.units[1].attack: 7, expected 0 to 6",
			"tables.units[2].move: 16, expected 0 to 15",
			"tables.units[3].defence: 1, expected 0", "tables.units[4].move: 1, expected 0",
			"tables.units[5].hits: 2, expected 1",
			"tables.units[6].domain: DOMAIN_SEA, expected DOMAIN_AIR",
			"tables.units[7].abilities: the rules give a unit of this type the abilities " +
				"[ABILITY_BOMBARDS] and no others",
			"tables.units[8].short: 7 characters, expected at most 6",
			`tables.units[12].id: "zeppelin" is not one of the types of unit`,
			"tables.units: transport is missing",
		}},
		{"technologies", func(d draft) {
			x := d.Tables.Technologies
			x[0].Chart, x[1].Roll, x[2].Effects[0].Value, x[3].Effects = 2, 3, 2, x[3].Effects[:1]
			x[4].Id, x[6].Effects[0].Unit, x[7].Effects[0].Kind = "radar", "fighter",
				anniversaryv1.EffectKind_EFFECT_KIND_COST
			x[8].Effects[0].Unit = "cruiser"
			x[9].Effects[0].Unit = "fighter"
		}, []string{
			"tables.technologies[0].chart: 2, expected 1", "tables.technologies[1].roll: 3, expected 2",
			"tables.technologies[2].effects[0].value: 2, expected 1",
			"tables.technologies[3].effects: EFFECT_KIND_REPAIR is missing",
			"tables.technologies[4].chart: 1, expected 2", "tables.technologies[4].roll: 5, expected 4",
			"tables.technologies[4].effects[0].kind: EFFECT_KIND_INCOME_DICE is no effect of radar",
			"tables.technologies[4].effects: EFFECT_KIND_AA_HIT is missing",
			"tables.technologies[6].effects[0].unit: super-submarines does not change fighter",
			"tables.technologies[6].effects: EFFECT_KIND_ATTACK is missing",
			"tables.technologies[7].effects[0].kind: EFFECT_KIND_COST is no effect of jet-fighters",
			"tables.technologies[7].effects: EFFECT_KIND_ATTACK is missing",
			"tables.technologies[8].effects[2]: EFFECT_KIND_COST is given twice",
			"tables.technologies[9].id: radar is given twice",
			"tables.technologies[9].effects[0].unit: EFFECT_KIND_AA_HIT belongs to no unit",
			"tables.technologies: war-bonds is missing",
		}},
		{"numbers", func(d draft) { d.Tables.Numbers = &anniversaryv1.Numbers{CarrierCapacity: 3, AaHit: 7} }, []string{
			"tables.numbers.carrier_capacity: 3, expected 2", "tables.numbers.aa_hit: 7, expected 1 to 6",
			"tables.numbers.supported_attack: 0, expected 1 to 6",
			"tables.numbers.researcher_cost: 0, expected 1 to 99",
			"tables.numbers.research_success: 0, expected 1 to 6",
			"tables.numbers.repair_cost: 0, expected 1 to 99", "tables.numbers.damage_cap: 0, expected 1 to 9",
		}},
	}
}

func goalFaults() []faultCase {
	return []faultCase{
		{"objectives", func(d draft) {
			o := d.Tables.Objectives
			o[1].Id, o[2].Power, o[3].Power, o[4].Bonus, o[5].Need, o[6].Territories = o[0].GetId(), "china",
				"finland", 0, 4, nil
			o[7].Territories[0], o[8].Territories[1], o[9].NoEnemyWarships[0], o[10].Title, o[11].Rule = "sz-3",
				"france", "italy", nil, strings.Repeat("A", 21)
		}, []string{
			`tables.objectives[1].id: "germany-1" is given twice`,
			"tables.objectives[2].power: China has no objectives (AA 5.1.2)",
			`tables.objectives[3].power: "finland" is not one of the powers`,
			"tables.objectives[4].bonus: 0, expected 1 to 99", "tables.objectives[5].need: 4, expected 1 to 3",
			"tables.objectives[6].territories: 0 entries, expected 1 to 64",
			"tables.objectives[7].territories[0]: sz-3 is a sea zone, expected a territory",
			"tables.objectives[8].territories[1]: france is given twice",
			"tables.objectives[9].no_enemy_warships[0]: italy is a territory, expected a sea zone",
			"tables.objectives[10].title: no English text",
			"tables.objectives[11].rule: 21 characters, expected 0 to 20",
		}},
		{"levels", func(d draft) {
			d.Tables.VictoryLevels[0].Cities, d.Tables.VictoryLevels[1].Cities = 9, 18
			d.Tables.VictoryLevels[2].Name = nil
		}, []string{
			"tables.victory_levels[0].cities: 9, expected 10 to 18", "tables.victory_levels[2].name: no English text",
			"tables.victory_levels[2].cities: 18 is given twice",
		}},
		{"no levels", func(d draft) { d.Tables.VictoryLevels = nil },
			[]string{"tables.victory_levels: 0 entries, expected 1 to 8"}},
		{"china", func(d draft) {
			c := d.Tables.China
			c.PlayedBy, c.Home, c.MayEnter, c.MayEnterFor, c.RecruitLimit = "japan", c.Home[1:],
				append(c.MayEnter, "kiangsu"), "italy", 0
		}, []string{
			"tables.china.recruit_limit: 0, expected 1 to 99",
			"tables.china.played_by: japan, expected united-states (AA 1.1.4)",
			"tables.china: a territory is in two of home, occupied and may_enter",
			"tables.china: chinghai: China must be the original controller of what is in home and occupied, " +
				"and of nothing else (AA 2.9.2)",
			`tables.china.may_enter_for: "italy", expected one of the other Allies`,
			"placements[84].space: Chinese units may not enter chinghai (AA 5.3.1)",
		}},
	}
}

func setupFaults() []faultCase {
	return []faultCase{
		{"order", func(d draft) {
			d.TurnOrder = []string{"japan", "japan", "china", "italy", "united-states", "germany"}
		}, []string{
			"turn_order[1]: japan is given twice", "turn_order[2]: China acts in the turn of united-states (AA 5.4)",
			`turn_order[5]: "germany", expected united-states: a round ends with its turn (AA 3.2.2)`,
		}},
		{"short order", func(d draft) { d.TurnOrder = nil }, []string{"turn_order: 0 entries, expected 6"}},
		{"treasuries", func(d draft) {
			x := d.Treasuries
			x[0].Power, x[1].Power, x[2].Ipc, x[4].Power = "china", "germany", 1000, "spain"
		}, []string{
			"treasuries[0].power: China has no treasury (AA 5.1.2)", "treasuries[2].power: germany is given twice",
			"treasuries[2].ipc: 1000, expected 0 to 999",
			`treasuries[4].power: "spain" is not one of the powers`,
		}},
		{"markers", func(d draft) {
			d.Markers[1].Territories = []string{"okinawa", "ukraine", "sz-9", "spain", "wake-island", "wake-island",
				"borneo", "burma", "east-indies", "kwangtung", "new-guinea", "philippine-islands", "solomon-islands"}
			d.Markers = append(d.Markers, &anniversaryv1.Markers{Power: "china"})
		}, []string{
			"markers[1].territories[2]: sz-9 is a sea zone, expected a territory",
			"markers[1].territories[3]: spain is impassable (AA 2.5.2)",
			"markers[1].territories[5]: wake-island is given twice",
			"warning markers[1].territories: the symbol of japan is printed in okinawa",
			"markers[1].territories: ukraine has a marker of germany already",
			"markers[2].power: China has no markers but of what it controls by print",
		}},
		{"placements", func(d draft) {
			d.Placements = nil
			one(d.place("germany", "spain"), "infantry", 1)
			one(d.place("germany", "russia"), "infantry", 0)
			one(d.place("china", "burma"), "infantry", 100)
			one(d.place("nobody", "germany"), "infantry", 1)
			one(d.place("germany", "atlantis"), "infantry", 1)
			d.place("germany", "poland")
			d.Placements = append(d.Placements, proto.CloneOf(d.Placements[1]))
		}, []string{
			"placements[0].space: spain is impassable (AA 2.5.2)",
			"placements[1].space: russia is controlled by the other side",
			"placements[1].units[0].count: 0, expected 1 to 99",
			"placements[2].space: burma is controlled by the other side",
			"placements[2].units[0].count: 100, expected 1 to 99",
			`placements[3].power: "nobody" is not one of the powers`,
			`placements[4].space: "atlantis" is not a space of the map`,
			"placements[5].units: 0 entries, expected 1 to 13",
			"placements[6]: placements[1] is of the same power in the same space",
		}},
		{"wrong place", func(d draft) {
			d.Placements = nil
			one(d.place("germany", "poland"), "cruiser", 1)
			one(d.place("germany", "sz-5"), "bomber", 1)
			one(d.place("germany", "sz-6"), "fighter", 2)
			one(d.place("italy", "germany"), "industrial-complex", 1)
			one(d.place("germany", "germany"), "industrial-complex", 2)
			one(d.place("china", "russia"), "infantry", 1)
			p := d.place("japan", "japan")
			p.Units = []*anniversaryv1.UnitCount{
				{Unit: "tank", Count: 1},
				{Unit: "tank", Count: 1},
				{Unit: "horse", Count: 1},
			}
		}, []string{
			"placements[0].units[0].unit: cruiser in a territory (AA 2.1.2)",
			"placements[1].units[0].unit: bomber in a sea zone (AA 2.1.2)",
			"placements[2].loads: 2 of fighter in the sea zone and 0 aboard (AA 1.3.9)",
			"placements[3].units[0].unit: an industrial complex of a power that does not control germany (AA 10.1.5)",
			"placements[4].units: more than one industrial complex in germany (AA 13.2.5)",
			"placements[5].space: Chinese units may not enter russia (AA 5.3.1)",
			"placements[6].units[1].unit: tank is given twice",
			`placements[6].units[2].unit: "horse" is not one of the types of unit`,
		}},
		{"loads", func(d draft) {
			d.Placements = nil
			p := d.place("japan", "sz-62")
			p.Units = []*anniversaryv1.UnitCount{
				{Unit: "aircraft-carrier", Count: 1},
				{Unit: "transport", Count: 2},
				{Unit: "fighter", Count: 2},
				{Unit: "tank", Count: 2},
			}
			p.Loads = []*anniversaryv1.Load{
				{Ship: "aircraft-carrier", Cargo: []string{"fighter", "tank"}},
				{Ship: "aircraft-carrier", Cargo: []string{"fighter"}},
				{Ship: "transport", Cargo: []string{"tank", "tank"}}, {Ship: "transport"},
				{Ship: "cruiser", Cargo: []string{"tank"}}, {Ship: "ark"},
			}
			one(d.place("japan", "japan"), "fighter", 1)
			d.place("japan",
				"japan").Loads = []*anniversaryv1.Load{{Ship: "aircraft-carrier", Cargo: []string{"fighter"}}}
		}, []string{
			"placements[0].loads[0].cargo[1]: tank on aircraft-carrier",
			"placements[0].loads[1].ship: more loads than 1 of aircraft-carrier",
			"placements[0].loads[2].cargo: tank and tank on one transport (AA 15.13.4)",
			"placements[0].loads[3].cargo: 0 entries, expected 1 to 2",
			"placements[0].loads[4].ship: cruiser carries nothing (AA 15.9.3)",
			`placements[0].loads[5].ship: "ark" is not one of the types of unit`,
			"placements[1].loads[0].ship: more loads than 0 of aircraft-carrier",
			"placements[1].loads: a load in a territory",
		}},
	}
}

func drawingFaults() []faultCase {
	own := func(d draft) *anniversaryv1.Drawing {
		d.Drawing = proto.CloneOf(shippedDrawing)
		return d.Drawing
	}
	return []faultCase{
		{"paths", func(d draft) {
			s := own(d).Shapes
			s[0].Path, s[1].Path, s[2].Path, s[3].Path, s[4].Path, s[5].Path, s[6].Path = "", "L1 1", "M1", "M1 1C2 2",
				"M1 1l4000 0z", "M1 1L123456 1", "M1 1l2-5"
			s[7].Path = "z"
		}, []string{
			"drawing.shapes[0].path: no outline", "drawing.shapes[1].path: at character 4: expected M first",
			"drawing.shapes[2].path: at character 2: expected a whole number",
			"drawing.shapes[3].path: at character 5: 'C' is not one of M, L, H, V and Z",
			"drawing.shapes[4].path: at character 11: the point 4001,1 is off the canvas",
			"drawing.shapes[5].path: at character 10: a number of more than 5 digits",
			"drawing.shapes[6].path: at character 8: the point 3,-4 is off the canvas",
			"drawing.shapes[7].path: closed before it began",
		}},
		{"shapes", func(d draft) {
			s := own(d).Shapes
			s[0].Label, s[1].Stack.X, s[2].Space, s[3].Space = nil, 4001, "atlantis", "alaska"
			d.Drawing.Decor[0].Kind, d.Drawing.Decor[1].Name, d.Drawing.Links[0].Path = 0, nil, "M1"
		}, []string{
			"drawing.shapes[0].label: no point", "drawing.shapes[1].stack: the point 4001,76 is off the canvas",
			`warning drawing.shapes[2].space: "atlantis" is not a space of the map`,
			"drawing.shapes[3].space: alaska is given twice",
			"warning drawing.shapes: anglo-egypt-sudan has no shape", "warning drawing.shapes: angola has no shape",
			"drawing.decor[0].kind: DECOR_KIND_UNSPECIFIED, expected ice or lake",
			"drawing.decor[1].name: no English text",
			"drawing.links[0].path: at character 2: expected a whole number",
		}},
		{"canvas", func(d draft) {
			d.Drawing = &anniversaryv1.Drawing{Id: "x", Width: 20001,
				Shapes: make([]*anniversaryv1.Shape, 2*MaxSpaces+1)}
		}, []string{
			"drawing.width: 20001, expected 1 to 20000", "drawing.height: 0, expected 1 to 20000",
			"drawing.shapes: 401 entries, expected 0 to 400",
		}},
	}
}
