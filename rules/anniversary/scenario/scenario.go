package scenario

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// Scenario is what a game is played from. It never changes after loading, so positions and goroutines share it. Slices
// indexed by Space have Len() entries; nothing in it that play looks at is a map.
//
// Territories are the spaces 0 to Land-1, sea zones those from Land on, each in the order of the document. Impassable
// territory is on the map and in the picture, but in none of the tables of movement: no list of neighbours, no distance
// leads to it or over it (AA 2.5.2).
type Scenario struct {
	// Doc is the document that it was loaded from, Atlas, Tables and Art the parts of it or of what comes with the
	// ruleset; nobody may change them. For pictures and reports, not for play. Art is nil if there is no drawing.
	Doc    *anniversaryv1.Scenario
	Atlas  *anniversaryv1.Map
	Tables *anniversaryv1.Tables
	Art    *anniversaryv1.Drawing

	// Land is the number of territories: a space is a sea zone if it is not less.
	Land Space
	// Zones are the sea zones in order.
	Zones []Space
	// Spaces are the facts of each space that never change.
	Spaces []SpaceInfo
	// Near are all neighbours of each space that air units may enter, canals counted as open (AA 2.4.7). LandNear are
	// the territories among them and SeaNear the sea zones: of a territory, the zones off its coast; of a sea zone, its
	// coasts and the zones around it. In the order of spaces.
	Near, LandNear, SeaNear [][]Space
	// Lanes are the sea zones that sea units can go to from a sea zone, with the canal that they pass;
	// empty for territories.
	Lanes [][]Lane
	// Around is Near as a set.
	Around []SpaceSet
	// Adjacent are all neighbours, impassable territory included: what the picture shows.
	Adjacent []SpaceSet
	// air, land and sea are the distance tables behind AirDistance, LandDistance and SeaDistance, row by row.
	air, land, sea []uint8
	// Canals are the canals and straits.
	Canals []CanalInfo
	// Cities are the territories with a victory city, in order (AA 2.8.2); CitySet is the same as a set.
	Cities  []Space
	CitySet SpaceSet
	// Impassable are the neutral territories (AA 2.5.1).
	Impassable SpaceSet

	// Order is the turn order; China acts in the turn of ChinaRules.PlayedBy (AA 4.1).
	Order [NumSeats]Power
	// Powers are the powers.
	Powers [NumPowers]PowerInfo
	// Owner controls each space at the start, NoPower for neutral territories and sea zones (AA 1.3.3).
	Owner []Power
	// Original is the original controller of each space, NoPower likewise (AA 2.9.1).
	Original []Power
	// Marker is the power whose set-up marker lies in each space, NoPower for none (AA 2.9.3).
	Marker []Power
	// Stacks are the units at the start by power, space and type in the order of the document, those
	// aboard included (AA 1.3.4).
	Stacks []Stack
	// Loads are what is aboard of what at the start; fighters and land units at sea are in exactly one load (AA 1.3.9).
	Loads []Load

	// Units are the numbers of the types, without technologies.
	Units [NumUnits]UnitInfo
	// Techs are the names of the technologies; what they change is in Effects and in the methods Cost,
	// Attack, Moves and Dice.
	Techs [NumTechs]TechInfo
	// Effects are the numbers of the technologies that are not of a type of unit.
	Effects Effects
	// Objectives are the national objectives in the order of the document (AA 14.3).
	Objectives []Objective
	// Levels are the victory levels, the default first (AA 3.1.1).
	Levels []VictoryLevel
	// ChinaRules says where the limits of China apply (AA 5).
	ChinaRules ChinaInfo
	// Numbers are single numbers of the rulebook.
	Numbers Numbers

	// Picture is Art as the map shows it.
	Picture Picture
}

// SpaceInfo is what never changes about a space.
type SpaceInfo struct {
	// ID of the space.
	ID string
	// Name of it.
	Name *anniversaryv1.Words
	// IPC is its value; 0 for sea zones (AA 2.8.1).
	IPC int
	// Sea is true for a sea zone.
	Sea bool
	// Impassable is true for neutral territory (AA 2.5).
	Impassable bool
	// Coastal is true for a territory next to a sea zone (AA 2.3.5).
	Coastal bool
	// Island is the sea zone that a territory lies wholly inside, NoSpace if it is no island (AA 2.3.1).
	Island Space
	// City is the name of the victory city, nil if none exists.
	City *anniversaryv1.Words
	// Capital is the power whose capital it holds, NoPower if none (AA 2.8.3).
	Capital Power
	// Islands are the territories inside a sea zone, in order.
	Islands []Space
}

// Lane is a way from one sea zone to the next.
type Lane struct {
	// To is the sea zone that it leads to.
	To Space
	// Canal that it passes, an index into Scenario.Canals; NoCanal if none.
	Canal uint8
}

// NoCanal is the canal of open water.
const NoCanal = 255

// CanalInfo is a canal or strait (AA 2.4).
type CanalInfo struct {
	// ID of the canal.
	ID string `doc:"id,48"`
	// Name of it.
	Name *anniversaryv1.Words `doc:"name,100"`
	// A and B are the sea zones that it joins.
	A, B Space
	// Control are the territories that a side must all control.
	Control []Space
}

// PowerInfo is a power.
type PowerInfo struct {
	// Name of it.
	Name *anniversaryv1.Words `doc:"name,100"`
	// Capital territory; NoSpace for China.
	Capital Space
	// Treasury at the start in IPC (AA 1.3.6).
	Treasury int
	// Color suggested, "#rrggbb".
	Color string `doc:"color"`
}

// Stack is units of one type in one space at the start.
type Stack struct {
	// Power that they belong to.
	Power Power
	// Space that they are in.
	Space Space
	// Unit is their type; Complex for an industrial complex.
	Unit Unit
	// Count of them, 1 to 99.
	Count int
}

// Load is one ship with what is aboard at the start.
type Load struct {
	// Power that ship and cargo belong to.
	Power Power
	// Space that they are in.
	Space Space
	// Ship is Carrier or Transport.
	Ship Unit
	// Cargo are one or two types; the second is NoUnit if there is one unit. Of a transport's two,
	// the second is infantry.
	Cargo [2]Unit
}

// Len is the number of spaces.
func (s *Scenario) Len() int { return len(s.Spaces) }

// IsSea reports whether a space is a sea zone.
func (s *Scenario) IsSea(sp Space) bool { return sp >= s.Land }

// SpaceID is the id of a space, "" for NoSpace.
func (s *Scenario) SpaceID(sp Space) string {
	if int(sp) >= len(s.Spaces) {
		return ""
	}
	return s.Spaces[sp].ID
}

// SpaceByID is the space of an id; NoSpace if none exists. For the edge: it searches.
func (s *Scenario) SpaceByID(id string) Space {
	for i := range s.Spaces {
		if s.Spaces[i].ID == id {
			return Space(i)
		}
	}
	return NoSpace
}

// SpaceName is the name of a space in a language.
func (s *Scenario) SpaceName(sp Space, lang rules.Lang) string {
	if int(sp) >= len(s.Spaces) {
		return ""
	}
	return kit.InLang(s.Spaces[sp].Name, lang)
}

// ScenarioID is the id of the document.
func (s *Scenario) ScenarioID() string { return s.Doc.GetId() }

// ScenarioTitle is its name in a language.
func (s *Scenario) ScenarioTitle(lang rules.Lang) string { return kit.InLang(s.Doc.GetTitle(), lang) }

// ScenarioAbout describes it in a paragraph, in a language.
func (s *Scenario) ScenarioAbout(lang rules.Lang) string { return kit.InLang(s.Doc.GetAbout(), lang) }
