// Package flower makes the small scenario on which most tests of Downfall are played.
package flower

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/hex"
)

// Flower is the map of 19 hexes on which most cases are played: centre C, ring N1 to N6 clockwise, outer ring K1 to
// K6 straight beyond them and E1 to E6 between Ki and Ki+1. All of it is land, Clear, inland, without rivers or
// sea. Far away from it lies the depot, where set-up, entry and landing hexes and the units that a case does not
// need are out of the way.
type Flower struct {
	// Doc may be changed in any way before it is loaded.
	Doc *downfallv1.Scenario
}

var flowerGrid = hex.Geometry{
	Orientation: hex.PointyTop, Order: hex.RowColumn, Shifted: hex.Odd, Shift: hex.East, Columns: hex.East,
	Rows:   hex.North,
	Format: hex.Format{First: 2, Second: 2},
}

// Names are the hexes of the flower in the order C, N, K, E.
func Names() []string {
	names := []string{"C"}
	for _, ring := range []string{"N", "K", "E"} {
		for i := 1; i <= hex.NumDirs; i++ {
			names = append(names, fmt.Sprintf("%s%d", ring, i))
		}
	}
	return names
}

// ID is the printed number of a hex of the flower by its name; other ids stay as they are.
func ID(name string) string {
	c := hex.Coord{Row: 20, Col: 20}
	if name == "C" {
		return flowerGrid.ID(c)
	}
	if len(name) != 2 || name[1] < '1' || name[1] > '6' {
		return name
	}
	d := hex.Dir(name[1] - '1')
	switch name[0] {
	case 'N':
		return flowerGrid.ID(flowerGrid.Neighbor(c, d))
	case 'K':
		return flowerGrid.ID(flowerGrid.Neighbor(flowerGrid.Neighbor(c, d), d))
	case 'E':
		return flowerGrid.ID(flowerGrid.Neighbor(flowerGrid.Neighbor(c, d), d.Turn(1)))
	}
	return name
}

// English are words in English alone.
func English(s string) *downfallv1.Words { return &downfallv1.Words{En: s} }

// New is the fixture; loading it gives warnings, no faults.
func New() *Flower {
	f := &Flower{Doc: &downfallv1.Scenario{
		Id: "flower", Title: English("Flower"), About: English("A map for tests."),
		Grid: &downfallv1.Grid{
			Orientation: downfallv1.Orientation_ORIENTATION_POINTY_TOP,
			Order:       downfallv1.NumberOrder_NUMBER_ORDER_ROW_COLUMN,
			Shifted:     downfallv1.Parity_PARITY_ODD, Shift: downfallv1.Compass_COMPASS_EAST,
			Columns: downfallv1.Compass_COMPASS_EAST, Rows: downfallv1.Compass_COMPASS_NORTH, FirstDigits: 2,
			SecondDigits: 2,
		},
		BombedTerrain:   "rough",
		River:           &downfallv1.RiverRow{UsMove: 1, UsAttack: -1},
		ChemicalColumns: []*downfallv1.DieRange{{From: 1, To: 2}, {From: 3, To: 4}, {From: 5, To: 6}},
		Markers: &downfallv1.MarkerCounts{UsNaval: 4, BpfNaval: 1, UsAir: 4, BpfAir: 1, Bombs: 9,
			BombsATurn: 6},
		CommandPoints: &downfallv1.CommandPoints{
			Move: 1, Attack: 2, Recover: 1, Rebuild: 1, Enter: 1, Landing: 3, Enter_56: 1, ServiceCommand: 4,
			AirSupply: 1, Drop: 2, JpTurn_1: 6,
		},
		Scoring: &downfallv1.Scoring{UnsuppliedStep: 1, Beachhead: 2, ServiceCommand: 1, UsWins: 8, Draw: 6},
		Limits:  &downfallv1.Limits{UsEntry: 2, PlanAhead: 4, UsMf: 8, Army36Centre: ID("C"), Army36Distance: 2},
		Drop:    []*downfallv1.DropRow{{From: 1, To: 5, Steps: 1}, {From: 6, To: 9}, {From: 10, To: 10, Steps: 2}},
	}}
	f.charts()
	f.hexes()
	f.pieces()
	return f
}

func (f *Flower) charts() {
	for _, t := range []*downfallv1.TerrainRow{
		{Id: "clear", UsMove: 1, Landing: true, ServiceCommand: true, Drop: true},
		{Id: "rough", UsMove: 2}, {Id: "town", UsMove: 2, Town: true, Drop: true}, {Id: "city", UsMove: 2},
		{Id: "fortification", UsMove: 2},
	} {
		t.Name = English(t.Id)
		f.Doc.Terrains = append(f.Doc.Terrains, t)
	}
	for _, z := range []string{"limousine", "roadstar", "station-wagon", "town-car"} {
		f.Doc.Zones = append(f.Doc.Zones, &downfallv1.CoastalZone{Id: z, Name: English(z)})
	}
	for n := 1; n <= 30; n++ {
		row := &downfallv1.TurnRow{Label: English(fmt.Sprintf("X+%d", n)), Army56: uint32(max(0, min(10, n-9))),
			Army56Early: uint32(min(10, n))}
		switch {
		case n == 1:
			row.Kamikaze = 1
		case n >= 20:
			row.Kamikaze = -2
		case n >= 10:
			row.Kamikaze = -1
		}
		f.Doc.Turns = append(f.Doc.Turns, row)
	}
	limit := proto.Uint32
	f.Doc.Kamikaze = []*downfallv1.KamikazeRow{
		{From: 1, To: 1, UsCp: 6, JpMf: 3},
		{From: 2, To: 2, UsCp: 5, JpMf: 3},
		{From: 3, To: 4, UsCp: 4, AirCap: limit(3), NavalCap: limit(3), JpMf: 3, JpCp: 1},
		{From: 5, To: 6, UsCp: 3, AirCap: limit(2), NavalCap: limit(2), JpMf: 4, JpCp: 2},
		{From: 7, To: 8, UsCp: 2, AirCap: limit(1), NavalCap: limit(1), JpMf: 5, JpCp: 3},
		{From: 9, To: 10, UsCp: 1, AirCap: limit(0), NavalCap: limit(0), JpMf: 6, JpCp: 4, Ban: true},
	}
}

// Hexes of the depot, none adjacent to another but those of the Japanese.
const (
	DepotI, DepotV, DepotXI = "4010", "4012", "4014" // beachheads
	DepotLanding            = "4016"                 // the one hex in which IX Corps may land
	DepotEntry              = "4018"                 // the one entry hex
	DepotJapan              = "50"                   // 5010 to 5014: three Japanese units in each
)

func (f *Flower) hexes() {
	for _, name := range Names() {
		f.Doc.Land = append(f.Doc.Land, &downfallv1.LandHex{Id: ID(name), Terrain: "clear", South: true})
		f.Doc.Places = append(f.Doc.Places, &downfallv1.Place{Hex: ID(name), Name: English(name)})
	}
	for i, id := range []string{DepotI, DepotV, DepotXI, DepotLanding} {
		f.Doc.Land = append(f.Doc.Land,
			&downfallv1.LandHex{Id: id, Terrain: "clear", Coastal: true, Zone: f.Doc.Zones[i].Id})
	}
	f.Doc.Land = append(f.Doc.Land, &downfallv1.LandHex{Id: DepotEntry, Terrain: "clear", Entry: true})
	for i := range 5 {
		f.Doc.Land = append(f.Doc.Land,
			&downfallv1.LandHex{Id: fmt.Sprintf("%s%d", DepotJapan, 10+i), Terrain: "clear"})
	}
}

func (f *Flower) pieces() {
	red := 0
	add := func(id string, of downfallv1.Formation, full, reduced uint32, more ...func(*downfallv1.ScenarioUnit)) {
		u := &downfallv1.ScenarioUnit{
			Id: id, Name: English(id), Short: id, Formation: of, Type: downfallv1.UnitType_UNIT_TYPE_INFANTRY,
			Size: downfallv1.UnitSize_UNIT_SIZE_DIVISION, Steps: 2, Strength: full, ReducedStrength: reduced,
		}
		if reduced == 0 {
			u.Steps, u.Size = 1, downfallv1.UnitSize_UNIT_SIZE_BRIGADE
		}
		if of <= downfallv1.Formation_FORMATION_US_NONE {
			u.Turn = 2
		}
		if of == downfallv1.Formation_FORMATION_JP_OTHER {
			u.Hex = fmt.Sprintf("%s%d", DepotJapan, 10+red/3)
			red++
		}
		for _, m := range more {
			m(u)
		}
		f.Doc.Units = append(f.Doc.Units, u)
	}
	turn := func(n uint32) func(*downfallv1.ScenarioUnit) { return func(u *downfallv1.ScenarioUnit) { u.Turn = n } }
	kind := func(k downfallv1.UnitType) func(*downfallv1.ScenarioUnit) {
		return func(u *downfallv1.ScenarioUnit) { u.Type = k }
	}
	lands := func(u *downfallv1.ScenarioUnit) { u.Lands = true }
	const (
		i, v, ix = downfallv1.Formation_FORMATION_US_I, downfallv1.Formation_FORMATION_US_V,
			downfallv1.Formation_FORMATION_US_IX
		reserve = downfallv1.Formation_FORMATION_US_RESERVE
		other   = downfallv1.Formation_FORMATION_JP_OTHER
		guns    = downfallv1.UnitType_UNIT_TYPE_CORPS_ARTILLERY
	)
	add("I/25", i, 5, 3)
	add("I/33", i, 5, 3)
	add("I/art", i, 6, 0, kind(guns))
	add("V/2", v, 5, 3)
	add("V/3", v, 5, 3)
	add("V/art", v, 6, 0, kind(guns))
	add("IX/81", ix, 5, 3, turn(4), lands)
	add("IX/98", ix, 5, 3, turn(4), lands)
	add("IX/77", ix, 5, 3, turn(5))
	add("R/6", reserve, 5, 3)
	add("R/7", reserve, 5, 3)
	add("R/11", reserve, 5, 3, turn(22))
	add("R/11A", reserve, 4, 2, turn(22), kind(downfallv1.UnitType_UNIT_TYPE_AIRBORNE),
		func(u *downfallv1.ScenarioUnit) { u.Replaces = "R/11" })
	add("ASCO", downfallv1.Formation_FORMATION_US_NONE, 0, 0, turn(20),
		kind(downfallv1.UnitType_UNIT_TYPE_SERVICE_COMMAND))
	for _, id := range []string{"J1", "J2", "J3"} {
		add(id, other, 4, 2)
	}
	for _, id := range []string{"B1", "B2", "B3"} {
		add(id, other, 3, 0)
	}
	add("CD", other, 2, 1, kind(downfallv1.UnitType_UNIT_TYPE_COASTAL))
	for n := 1; n <= 6; n++ { // nobody's: they make up the numbers
		add(fmt.Sprintf("P%d", n), other, 1, 0)
	}
	for n := 1; n <= 8; n++ {
		add(fmt.Sprintf("A%d", n), downfallv1.Formation_FORMATION_JP_36, 4, 2)
	}
	for n := 1; n <= 8; n++ {
		add(fmt.Sprintf("F%d", n), downfallv1.Formation_FORMATION_JP_56, 4, 2)
	}
	for _, b := range []*downfallv1.Beachhead{
		{Id: "BH-I", Corps: i, Hex: DepotI}, {Id: "BH-V", Corps: v, Hex: DepotV},
		{Id: "BH-IX", Corps: ix, Turn: 4}, {Id: "BH-XI", Corps: downfallv1.Formation_FORMATION_US_XI, Hex: DepotXI},
	} {
		b.Name = English(b.Id)
		f.Doc.Beachheads = append(f.Doc.Beachheads, b)
	}
}

// Hex is the hex of a name, to be changed.
func (f *Flower) Hex(name string) *downfallv1.LandHex {
	return f.Doc.Land[slices.IndexFunc(f.Doc.Land, func(h *downfallv1.LandHex) bool { return h.Id == ID(name) })]
}

// Unit is the unit of an id, to be changed.
func (f *Flower) Unit(id string) *downfallv1.ScenarioUnit {
	return f.Doc.Units[slices.IndexFunc(f.Doc.Units, func(u *downfallv1.ScenarioUnit) bool { return u.Id == id })]
}

// Terrain is the row of a terrain, to be changed.
func (f *Flower) Terrain(id string) *downfallv1.TerrainRow {
	return f.Doc.Terrains[slices.IndexFunc(f.Doc.Terrains, func(t *downfallv1.TerrainRow) bool { return t.Id == id })]
}

// Coast makes hexes coastal and puts them into a zone.
func (f *Flower) Coast(zone string, names ...string) {
	for _, name := range names {
		h := f.Hex(name)
		h.Coastal, h.Zone = true, zone
	}
}

// Ground gives hexes a terrain.
func (f *Flower) Ground(terrain string, names ...string) {
	for _, name := range names {
		f.Hex(name).Terrain = terrain
	}
}

// River puts a river between two hexes.
func (f *Flower) River(a, b string) { f.Between(downfallv1.HexsideKind_HEXSIDE_KIND_RIVER, a, b) }

// Sea makes the side between two hexes a sea hexside.
func (f *Flower) Sea(a, b string) { f.Between(downfallv1.HexsideKind_HEXSIDE_KIND_SEA, a, b) }

// Between puts something between two hexes.
func (f *Flower) Between(kind downfallv1.HexsideKind, a, b string) {
	f.Doc.Hexsides = append(f.Doc.Hexsides,
		&downfallv1.Hexsides{Kind: kind, Sides: []*downfallv1.HexPair{{A: ID(a), B: ID(b)}}})
}

// Award adds an award for hexes of the flower.
func (f *Flower) Award(id, rule string, kind downfallv1.AwardKind, from, to uint32, names ...string) {
	a := &downfallv1.Award{Id: id, Rule: rule, Name: English(id), Kind: kind, From: from, To: to, Points: 1}
	for _, name := range names {
		a.Hexes = append(a.Hexes, ID(name))
	}
	f.Doc.Awards = append(f.Doc.Awards, a)
}
