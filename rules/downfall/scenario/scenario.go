package scenario

import (
	"slices"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// Seats, in the order of About.Seats.
const (
	US rules.Seat = iota
	Japan
)

// Hex is a land hex: an index into the tables of its scenario, in the order of the printed ids.
// Open water has no index.
type Hex = hex.Index

// NoHex is no hex: open water, beyond the map, or not given.
const NoHex = hex.None

// Terrain is a row of a scenario's terrain chart.
type Terrain uint8

// Zone is a coastal zone, in the order of the document.
type Zone uint8

// NoZone is the zone of an inland hex.
const NoZone Zone = 0xFF

// Zones is a set of coastal zones: bit n stands for zone n.
type Zones uint8

// Has reports whether z is in the set.
func (s Zones) Has(z Zone) bool { return z < 8 && s&(1<<z) != 0 }

// HexFlags are facts of a hex that never change. Terrain is not among them: a bomb changes it.
type HexFlags uint8

// Facts of a hex.
const (
	Coastal   HexFlags = 1 << iota // holds sea as well (DF 9.6)
	South                          // south of the Linked Beachheads Line (DF 4.2)
	Entry                          // the 56th Army may enter (DF 8.2)
	AirBase                        // an air base is printed in it
	NextCoast                      // adjacent to a coastal hex, itself coastal or not (DF 14.6)
)

// Sides is a set of directions of a hex: bit d stands for direction d.
type Sides uint8

// Has reports whether direction d is in the set.
func (s Sides) Has(d hex.Dir) bool { return s&(1<<d) != 0 }

// Scenario is what a game is played from. It never changes after loading, so positions and goroutines share it.
// Slices indexed by Hex have Map.Len entries, those indexed by Unit have len(Units); nothing in it is a map.
type Scenario struct {
	// Doc is the document that it was loaded from; nobody may change it. For pictures and reports, not for play.
	Doc *downfallv1.Scenario
	// ID of the document.
	ID string `doc:"id,64"`
	// Title and About describe it.
	Title *downfallv1.Words `doc:"title,100"`
	About *downfallv1.Words `doc:"about,4000"`

	// Map holds the land hexes: ids, neighbours, distances, floods.
	Map *hex.Map
	// Near are the neighbours of each hex by direction, NoHex for water and the edge: the same as
	// Map.Neighbors, in one array.
	Near [][hex.NumDirs]Hex
	// Ground are the neighbours that ground units can get at: NoHex also across a sea hexside (DF 11.3,
	// DF 12.6-c, DF 13.1-c).
	Ground [][hex.NumDirs]Hex
	// Rivers are the sides of each hex with a river, Seas those that are sea hexsides. Both hexes
	// of a side have the bit.
	Rivers, Seas []Sides
	// Flags of each hex.
	Flags []HexFlags
	// Names of the hexes that have one, each with the printed id.
	Names []rules.Words
	// Terrain of each hex before any bomb.
	Terrain []Terrain
	// Zone that each coastal hex lies in; NoZone inland.
	Zone []Zone
	// Served are the zones whose naval markers serve each hex: its own and those of adjacent coastal hexes (DF 14.6-b).
	Served []Zones
	// CoastSouth are the coastal hexes south of the line, in order (DF 4.10).
	CoastSouth []Hex
	// Entries are the entry hexes of the 56th Army, in order.
	Entries []Hex
	// SetupArea are the hexes in which the 36th Army sets up, in order (DF 3.2-b).
	SetupArea []Hex

	// Terrains is the terrain chart.
	Terrains []TerrainInfo
	// Bombed is the terrain that an atomic explosion leaves (DF 6.10-c).
	Bombed Terrain
	// River is what a river hexside does.
	River RiverInfo
	// Zones are the coastal zones.
	Zones []ZoneInfo

	// Units are the ground units, 6/ASCO included, in the order of the document.
	Units []UnitInfo
	// Beachheads of the corps, by formation CorpsI to CorpsXI.
	Beachheads [NumCorps]BeachheadInfo
	// Setup36 and Setup56 are the units of the two armies.
	Setup36, Setup56 []Unit
	// Landing are the divisions that land with IX Corps (DF 8.6-c).
	Landing []Unit
	// Service is 6/ASCO; NoUnit if none exists.
	Service Unit
	// Infantry11 and Airborne11 are the counters of the 11th Division; NoUnit if none exists (DF 3.4).
	Infantry11, Airborne11 Unit

	// Chart holds the tables and numbers.
	Chart Chart
}

// TerrainInfo is a row of the terrain chart.
type TerrainInfo struct {
	// ID of the terrain.
	ID string `doc:"id,32"`
	// Name of it.
	Name *downfallv1.Words `doc:"name,100"`
	// USMove is what a US unit pays to enter (DF 12.4).
	USMove int `doc:"us_move,1,20"`
	// USAttack changes the strength of US attackers, by the d6 of the chemical die, 1 to 6. USAttack[0] is the value if
	// the terrain is not Variable, and then the others equal it.
	USAttack [7]int
	// Variable says that the chemical die is rolled (DF 14.3).
	Variable bool
	// JPAttack changes the strength of Japanese attackers.
	JPAttack int `doc:"jp_attack,-9,9"`
	// Town, Landing, Service and Drop: counts as a Town (DF 4.2); IX Corps may land (DF 8.6-b), 6/ASCO may be placed
	// (DF 8.8-b), the 11th may drop (DF 15.6-c).
	Town    bool `doc:"town"`
	Landing bool `doc:"landing"`
	Service bool `doc:"service_command"`
	Drop    bool `doc:"drop"`
}

// RiverInfo is what crossing a river hexside does.
type RiverInfo struct {
	// USMove is paid by US units in addition.
	USMove int `doc:"us_move,0,20"`
	// USAttack and JPAttack change the strength of attackers; never of corps artillery (DF 14.2).
	USAttack int `doc:"us_attack,-9,9"`
	JPAttack int `doc:"jp_attack,-9,9"`
}

// ZoneInfo is a coastal zone.
type ZoneInfo struct {
	// ID of the zone.
	ID string `doc:"id,32"`
	// Name of it.
	Name *downfallv1.Words `doc:"name,100"`
	// Hexes of it, all coastal, in order.
	Hexes []Hex
}

// ZoneByID is the coastal zone with an id; NoZone if none exists.
func (s *Scenario) ZoneByID(id string) Zone {
	return Zone(slices.IndexFunc(s.Zones, func(z ZoneInfo) bool { return z.ID == id })) // NoZone is -1
}

// AwardByID is the place of the award with an id; -1 if none exists.
func (s *Scenario) AwardByID(id string) int {
	return slices.IndexFunc(s.Chart.Awards, func(a AwardInfo) bool { return a.ID == id })
}

// HexByID is the land hex with the printed id; false if none exists.
func (s *Scenario) HexByID(id string) (Hex, bool) {
	h, err := s.Map.ByID(id)
	return h, err == nil
}

// HexID is the printed id of h, "" for NoHex.
func (s *Scenario) HexID(h Hex) string {
	if h == NoHex {
		return ""
	}
	return s.Map.ID(h)
}

// HexName is what texts call h: its name, if it has one, and its printed id.
func (s *Scenario) HexName(h Hex) rules.Words {
	if int(h) < len(s.Names) && s.Names[h].En != "" {
		return s.Names[h]
	}
	return rules.Words{En: s.HexID(h)}
}

// Is reports whether h has all of the flags.
func (s *Scenario) Is(h Hex, f HexFlags) bool { return s.Flags[h]&f == f }

// LandingHex reports whether IX Corps may plan to land at h while its terrain is t: coastal, fit terrain, and no other
// beachhead there at the start of the game (DF 8.6-b).
func (s *Scenario) LandingHex(h Hex, t Terrain) bool {
	if !s.Is(h, Coastal) || !s.Terrains[t].Landing {
		return false
	}
	for _, b := range s.Beachheads {
		if b.Hex == h {
			return false
		}
	}
	return true
}

// ScenarioID is the id of the document.
func (s *Scenario) ScenarioID() string { return s.ID }

// ScenarioTitle is its name in a language.
func (s *Scenario) ScenarioTitle(lang rules.Lang) string { return kit.InLang(s.Title, lang) }

// ScenarioAbout describes it in a paragraph, in a language.
func (s *Scenario) ScenarioAbout(lang rules.Lang) string { return kit.InLang(s.About, lang) }

// ScenarioTurns is the number of turns.
func (s *Scenario) ScenarioTurns() int { return s.Chart.LastTurn() }
