package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// Scenario is a loaded scenario document. It never changes.
type Scenario struct {
	// Doc is the document.
	Doc *ocsv1.Scenario
	// Map is the hexes in play.
	Map *hex.Map
	// Counters are all kinds of piece: unique units, organic trucks, then breakdown regiments, replacement units
	// and transports by side.
	Counters []Counter
	// Fixed is the number of counters of which there is exactly one piece; unit n is counter n below it.
	Fixed int
	// Formations by index.
	Formations []FormationInfo
	// Nations by index.
	Nations []NationInfo
	// Hexes by index.
	Hexes []HexInfo
	// Boxes by index.
	Boxes []BoxInfo
	// Terrains of hexes and of hexsides, and classes of road.
	Terrains []TerrainInfo
	// Sides is what lies on hexsides.
	Features []FeatureInfo
	// Grounds are the ground conditions; Frozen is the one with frozen entries, or -1.
	Grounds []string
	// Frozen is the index of the ground condition with frozen entries, -1 if none exists.
	Frozen int
	// Charts of the series.
	Charts *ocsv1.Charts
	// Seats is what the scenario says about the two sides.
	Seats [numSeats]SideInfo
	// Constants with the numbers of the series filled in.
	Constants *ocsv1.Constants

	// Flies is true if air units are set up or arrive, Sails if ships do. Without them the segments of air
	// and sea are left out.
	Flies, Sails bool

	roads []roadInfo
	tab   *tables
	kit.Drawn
	names map[string]Place
	kinds map[string]uint16 // counters by id
	form  map[string]int16  // formations by id
}

// Counter is a kind of piece.
type Counter struct {
	// ID of it; pieces that there are several of are numbered: "pax-blue.2".
	ID string
	// Name of it.
	Name rules.Words
	// Seat that it belongs to.
	Seat rules.Seat
	// Kind of piece.
	Kind CounterKind
	// Nation, an index; -1 for none.
	Nation int16
	// Formation, an index; -1 for an independent unit or one without (OCS 3.2f).
	Formation int16
	// Division is true for division-sized units, whose steps are REs (OCS 9.11e).
	Division bool
	// Size in the words of the document.
	Size string
	// Class of it (OCS 3.2a).
	Class Class
	// Symbols in the words of the document.
	Symbols []string
	// RE in quarters, at full strength (OCS 4.6).
	RE uint16
	// Steps at full strength.
	Steps uint8
	// Faces by Face; the first is not used.
	Faces [3]FaceInfo
	// HQ, Artillery and the rest are abilities.
	HQ, Artillery, Engineer, RailRepair, Coastal, Siege, RailOnly, Tank, AntiTank bool
	// NotRebuildable is true for a yellow disc (OCS 13.5c).
	NotRebuildable bool
	// Rebuild is the row of the rebuild table, -1 for none.
	Rebuild int16
	// Transport is the kind of an ordinary transport, -1 for none.
	Transport int16
	// Capacity of an organic truck in tokens.
	Capacity uint16
	// Of are the divisions that a breakdown regiment may come from, by counter.
	Of []uint16
	// Parachute is true for a unit that may be dropped, ByAir for one that may be carried by air where
	// others of its kind may not.
	Parachute, ByAir bool
	// Plane is what an air unit has of its own, nil for any other piece.
	Plane *PlaneInfo
	// Ship is what a ship has of its own, nil for any other piece.
	Ship *ShipInfo
	// Craft is the kind of landing craft, which are ships too; 0 for any other piece (OCS 18.4).
	Craft Craft
	// Ashore is the counter of the transports that a DUKW is on land, noCounter for none.
	Ashore uint16
}

// CounterKind says what a counter is.
type CounterKind uint8

// The kinds of counter.
const (
	CombatUnit  CounterKind = iota // HQs and artillery included
	Breakdown                      // OCS 20.0
	Pax                            // OCS 13.5
	Eq                             // OCS 13.5
	OrganicUnit                    // organic trucks, OCS 13.2g
	TransportPoints
	AirUnit  // OCS 14.1
	ShipUnit // OCS 18.0
)

// Combat reports whether pieces of the kind are combat units (OCS 3.2). Land units are these and non-combat units (OCS
// 3.1): transport units, and what the program keeps as numbers of a hex, supply, ports, air bases and hedgehogs,
// without strength and steps (OCS 3.3).
func (k CounterKind) Combat() bool {
	switch k {
	case CombatUnit, Breakdown, Pax, Eq:
		return true
	}
	return false
}

// Land reports whether pieces of the kind are land units (OCS 3.0): all but air units and ships.
func (k CounterKind) Land() bool { return k != AirUnit && k != ShipUnit }

// FaceInfo is the numbers of a face.
type FaceInfo struct {
	// Exists is false for a Combat face that a piece does not have (OCS 5.6b).
	Exists bool
	// Strength in combat.
	Strength int
	// DefenceOnly is true for a strength in parentheses (OCS 3.2b).
	DefenceOnly bool
	// Rating is the Action Rating.
	Rating int
	// Movement is the allowance.
	Movement Cost
	// MP is the type of movement points.
	MP MoveType
	// Barrage strength, and Range in hexes.
	Barrage, Range int
	// Throw range of an HQ and its type.
	Throw   Cost
	ThrowMP MoveType
}

// FormationInfo is a multi-unit formation.
type FormationInfo struct {
	// ID of it.
	ID string
	// Name of it.
	Name rules.Words
	// Seat that it belongs to.
	Seat rules.Seat
	// Units of it, organic trucks included.
	Units []Unit
}

// NationInfo is a nationality.
type NationInfo struct {
	// ID of it.
	ID string
	// Seat that it belongs to.
	Seat rules.Seat
	// Serves are the nations that its HQs serve, by bit; all of its side if 0 (OCS 13.1d).
	Serves uint32
}

// HexInfo is what does not change of a hex.
type HexInfo struct {
	// Terrains, indexes, the ground first.
	Terrains []uint8
	// Land is false for all-sea hexes.
	Land bool
	// Coastal is true for a land hex that touches the sea, Landing if landing craft land in it (OCS 18.1c, OCS 18.5).
	Coastal, Landing bool
	// Name of a place in it.
	Name rules.Words
	// Port is the capacity of a port in tokens, 0 for none.
	Port uint16
	// PortTrack are its capacities by hits where the map prints them; empty for the series' percentages (OCS 19.0b).
	PortTrack []uint16
	// PortName of it.
	PortName rules.Words
	// Hedgehog is the level of printed works.
	Hedgehog uint8
	// Flak printed.
	Flak uint8
	// Rail is true for a hex with a railway, Gauge is its printed gauge.
	Rail  bool
	Gauge uint8
	// Detrainable is true if its terrain or port makes a rail hex detrainable (OCS 13.3c-i).
	Detrainable bool
	// Sides are the features on the hexsides by direction: bit n is feature n.
	Sides [hex.NumDirs]uint32
	// Roads are classes of road by direction: bit n is class n. Tracks are railways: 0 none, 1 single, 2 double.
	Roads  [hex.NumDirs]uint8
	Tracks [hex.NumDirs]uint8
	// Bridged hexsides, by direction.
	Bridged [hex.NumDirs]bool
}

// BoxInfo is a box off the map.
type BoxInfo struct {
	// ID of it.
	ID string
	// Name of it.
	Name rules.Words
	// Seat that may be in it.
	Seat rules.Seat
	// Supplies is true if units in it are in supply and draw what they need (OCS 12.3e).
	Supplies bool
	// Port is the capacity of its port in tokens.
	Port uint16
	// Links lead out of it.
	Links []LinkInfo
	// AirBase is the level of the air base in it, 0 for none.
	AirBase uint8
	// Flown is false if air units never fly there from elsewhere. AirFrom is where the hex lies from which its distance
	// in the air counts, in play or not, AirAdd the hexes added.
	Flown   bool
	AirFrom hex.Coord
	AirAdd  int
}

// LinkInfo is a way from a box.
type LinkInfo struct {
	// To is a hex or box.
	To Place
	// Road, Rail and Sea say how.
	Road, Rail, Sea bool
	// Allowance is the part of the allowance that it costs, in twelfths; 0 for none.
	Allowance Cost
	// MP that it costs ships.
	MP Cost
}

// TerrainInfo is a terrain of hexes. The second of each pair is for frozen ground.
type TerrainInfo struct {
	// ID of it.
	ID string
	// Name of it.
	Name rules.Words
	// Category is the CRT row.
	Category [2]Category
	// Attack and Defend are multipliers by class; num 0 where nobody can fight.
	Attack, Defend [2][numClasses]Fraction
	// Detrainable is true if trains may be left in it (OCS 13.3c-i).
	Detrainable bool
	// Clear is true if it is clear for air drops (OCS 14.10d).
	Clear bool

	costs [][numMoveTypes]Cost // by ground
}

// FeatureInfo is a terrain of hexsides.
type FeatureInfo struct {
	// ID of it.
	ID string
	// Name of it.
	Name rules.Words
	// Attack are multipliers by class, the second for frozen ground; Fought is false if nobody attacks across it.
	Attack [2][numClasses]Fraction
	Fought [2]bool
	// Covers is true for a river, Land if land crosses the hexside (OCS 6.2d), Sea if ships cross it (OCS 18.1c).
	Covers, Land, Sea bool
	// Bridged is the feature that an engineer makes of it, -1 for none of it, -2 if it changes nothing (OCS 13.8b).
	Bridged int8
	// Asterisk are classes that attack across only where they could cross, by bit.
	Asterisk uint8

	costs [][numMoveTypes]Cost // by ground
}

// roadInfo is a class of road; a railway is one too (OCS 6.2).
type roadInfo struct {
	id    string
	name  rules.Words
	costs [][numMoveTypes]Cost
}

// SideInfo is what a scenario says about a side.
type SideInfo struct {
	// ID in the game's own words.
	ID string
	// Name of it.
	Name rules.Words
	// Entries at which it arrives.
	Entries []EntryInfo
	// Sources for trace supply (OCS 12.6a-1).
	Sources []SourceInfo
	// Gauge of its railways, 0 for any.
	Gauge uint8
	// HipShoot are the nationalities whose air units may hip shoot, by bit (OCS 14.7d-B).
	HipShoot uint32
	// Doc is the rest.
	Doc *ocsv1.Side
}

// EntryInfo is a place at which a side arrives.
type EntryInfo struct {
	// ID of it.
	ID string
	// At is the hex or box.
	At Place
	// Rail and Port say what kind of place it is.
	Rail, Port bool
}

// SourceInfo is a supply source.
type SourceInfo struct {
	// At is the hex.
	At Hex
	// Port is true if it is one as a port (OCS 12.6b).
	Port bool
}

// ScenarioID is the id in the document.
func (s *Scenario) ScenarioID() string { return s.Doc.GetId() }

// ScenarioTitle is its name.
func (s *Scenario) ScenarioTitle(l rules.Lang) string { return s.words(s.Doc.GetTitle()).In(l) }

// ScenarioAbout says what it is about.
func (s *Scenario) ScenarioAbout(l rules.Lang) string { return s.words(s.Doc.GetAbout()).In(l) }

// ScenarioTurns is the number of turns.
func (s *Scenario) ScenarioTurns() int { return s.Turns() }

// Turns is the number of turns.
func (s *Scenario) Turns() int { return len(s.Doc.GetTurns()) }

// PlaceID is the id of a place.
func (s *Scenario) PlaceID(at Place) string {
	switch {
	case at < boxes:
		return s.Map.ID(Hex(at))
	case int(at-boxes) < len(s.Boxes):
		return s.Boxes[at-boxes].ID
	case at == Waiting:
		return "waiting"
	case at == Dead:
		return "dead"
	case at == Gone:
		return "gone"
	case at == Returning:
		return "returning"
	case at == Aboard:
		return "aboard"
	}
	return ""
}

// PlaceByID finds a hex, a box or a place off the map.
func (s *Scenario) PlaceByID(id string) (Place, bool) {
	at, ok := s.names[id]
	return at, ok
}

// period is the number that holds in a turn, 0 if none does.
func period(list []*ocsv1.Period, turn int) int {
	for _, x := range list {
		if turn >= int(x.GetFrom()) && turn <= int(x.GetTo()) {
			return int(x.GetValue())
		}
	}
	return 0
}

// special finds a special rule that holds in a turn; nil if none exists.
func (s *Scenario) special(id string, turn int) *ocsv1.SpecialRule {
	for _, r := range s.Doc.GetSpecial() {
		if r.GetId() != id {
			continue
		}
		if len(r.GetTurns()) == 0 {
			return r
		}
		for _, t := range r.GetTurns() {
			if int(t) == turn {
				return r
			}
		}
	}
	return nil
}
