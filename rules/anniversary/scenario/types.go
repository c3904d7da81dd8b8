package scenario

import (
	"slices"

	"github.com/warledger/warledger/rules"
)

// Power is one of the seven powers (AA 1.1.1). The first six are seats of the same number; China is run by the seat of
// the United States (AA 1.1.4).
type Power uint8

// The powers, in the order of the seats.
const (
	Germany Power = iota
	Japan
	Italy
	SovietUnion
	UnitedKingdom
	UnitedStates
	China
	NumPowers
	// NumSeats is how many powers have a seat and an income.
	NumSeats = China
	// NoPower controls neutral territories and sea zones.
	NoPower Power = 7
)

// PowerIDs are the ids of the powers in scenarios and notation.
var PowerIDs = [NumPowers]string{"germany", "japan", "italy", "soviet-union", "united-kingdom",
	"united-states", "china"}

// ID is the id of a power; empty for NoPower.
func (w Power) ID() string { return IDIn(PowerIDs[:], w) }

// PowerByID finds a power; NoPower if none has that id.
func PowerByID(id string) Power { return ByID(PowerIDs[:], id, NoPower) }

// IDIn is the id of something by its place in a list; empty for what has no place there.
func IDIn[K ~uint8 | ~uint32](ids []string, k K) string {
	if uint64(k) >= uint64(len(ids)) {
		return ""
	}
	return ids[k]
}

// byID is the place of an id in a list; none if it is not there.
func ByID[K ~uint8](ids []string, id string, none K) K {
	if i := slices.Index(ids, id); i >= 0 {
		return K(i)
	}
	return none
}

// Seat is the seat that plays a power (AA 1.1.4); NoSeat for NoPower.
func (w Power) Seat() rules.Seat {
	switch {
	case w < NumSeats:
		return rules.Seat(w)
	case w == China:
		return rules.Seat(UnitedStates)
	}
	return rules.NoSeat
}

// Side is one of the two sides (AA 1.1.1).
type Side uint8

// The sides.
const (
	Axis Side = iota
	Allies
	NoSide
)

var sideOf = [NumPowers + 1]Side{Axis, Axis, Axis, Allies, Allies, Allies, Allies, NoSide}

// Side is the side of a power; NoSide for NoPower.
func (w Power) Side() Side { return sideOf[w&7] }

// Enemy is the other side.
func (s Side) Enemy() Side { return 1 - s }

// Unit is a type of unit (AA 15).
type Unit uint8

// The types, in the order of the price list.
const (
	Infantry Unit = iota
	Artillery
	Tank
	AAGun
	Complex // industrial complex: in the list of what can be bought, never a unit on the map
	Fighter
	Bomber
	Battleship
	Carrier
	Cruiser
	Destroyer
	Submarine
	Transport
	NumUnits
	// Hull stands for the first hit on an undamaged battleship in lists of casualties (AA 9.8.4).
	Hull = NumUnits
	// NoUnit is no type.
	NoUnit Unit = 15
)

// UnitIDs are the ids of the types in scenarios and notation.
var UnitIDs = [...]string{
	Infantry: "infantry", Artillery: "artillery", Tank: "tank", AAGun: "antiaircraft-gun",
	Complex: "industrial-complex",
	Fighter: "fighter", Bomber: "bomber", Battleship: "battleship", Carrier: "aircraft-carrier", Cruiser: "cruiser",
	Destroyer: "destroyer", Submarine: "submarine", Transport: "transport",
}

// ID is the id of a type; "battleship-hull" for a first hit on a battleship.
func (u Unit) ID() string {
	if u == Hull {
		return "battleship-hull"
	}
	return IDIn(UnitIDs[:], u)
}

// UnitByID finds a type; NoUnit if none has that id.
func UnitByID(id string) Unit { return ByID(UnitIDs[:], id, NoUnit) }

// Sets of types.
const (
	LandUnits   = 1<<Infantry | 1<<Artillery | 1<<Tank | 1<<AAGun
	Capturing   = 1<<Infantry | 1<<Artillery | 1<<Tank
	AirUnits    = 1<<Fighter | 1<<Bomber
	SurfaceShip = 1<<Battleship | 1<<Carrier | 1<<Cruiser | 1<<Destroyer // AA 15.9.1
	SeaUnits    = SurfaceShip | 1<<Submarine | 1<<Transport
	Warships    = SurfaceShip | 1<<Submarine
	Bombarders  = 1<<Battleship | 1<<Cruiser
)

// In reports whether a type is in a set.
func (u Unit) In(set uint32) bool { return set&(1<<u) != 0 }

// Tech is a technology, by chart and roll: 0 to 5 are chart 1, 6 to 11 chart 2 (AA 6.3.1, AA 6.4.1).
type Tech uint8

// The technologies.
const (
	AdvancedArtillery Tech = iota
	Rockets
	Paratroopers
	IncreasedProduction
	WarBonds
	MechanizedInfantry
	SuperSubmarines
	JetFighters
	ImprovedShipyards
	Radar
	LongRangeAircraft
	HeavyBombers
	NumTechs
	NoTech Tech = 15
)

// TechIDs are the ids of the technologies in scenarios and notation.
var TechIDs = [NumTechs]string{
	"advanced-artillery", "rockets", "paratroopers", "increased-factory-production", "war-bonds", "mechanized-infantry",
	"super-submarines", "jet-fighters", "improved-shipyards", "radar", "long-range-aircraft", "heavy-bombers",
}

// ID is the id of a technology.
func (t Tech) ID() string { return IDIn(TechIDs[:], t) }

// Space is a territory or sea zone: an index into the scenario's spaces.
type Space uint8

// NoSpace is no space.
const NoSpace Space = 255

// MaxSpaces is how many spaces a map may have.
const MaxSpaces = 200
