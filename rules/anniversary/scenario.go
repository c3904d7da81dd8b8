package anniversary

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// The words of a scenario that every chapter speaks of.
type (
	// Power is one of the seven powers.
	Power = scenario.Power
	// Side is the Axis or the Allies.
	Side = scenario.Side
	// Unit is a type of unit.
	Unit = scenario.Unit
	// Tech is a technology.
	Tech = scenario.Tech
	// Space is a territory or a sea zone.
	Space = scenario.Space
	// SpaceSet is a set of spaces.
	SpaceSet = scenario.SpaceSet
)

// The powers, in the order of the seats, and the sides.
const (
	Germany       = scenario.Germany
	Japan         = scenario.Japan
	Italy         = scenario.Italy
	SovietUnion   = scenario.SovietUnion
	UnitedKingdom = scenario.UnitedKingdom
	UnitedStates  = scenario.UnitedStates
	China         = scenario.China
	NumPowers     = scenario.NumPowers
	NumSeats      = scenario.NumSeats
	NoPower       = scenario.NoPower
	Axis          = scenario.Axis
	Allies        = scenario.Allies
	NoSide        = scenario.NoSide
)

// The types of units.
const (
	Infantry   = scenario.Infantry
	Artillery  = scenario.Artillery
	Tank       = scenario.Tank
	AAGun      = scenario.AAGun
	Complex    = scenario.Complex
	Fighter    = scenario.Fighter
	Bomber     = scenario.Bomber
	Battleship = scenario.Battleship
	Carrier    = scenario.Carrier
	Cruiser    = scenario.Cruiser
	Destroyer  = scenario.Destroyer
	Submarine  = scenario.Submarine
	Transport  = scenario.Transport
	NumUnits   = scenario.NumUnits
	Hull       = scenario.Hull
	NoUnit     = scenario.NoUnit
)

// Bounds, and what stands for no space.
const (
	NumTechs  = scenario.NumTechs
	MaxSpaces = scenario.MaxSpaces
	NoSpace   = scenario.NoSpace
)

// Scenario is a loaded scenario with its map. It never changes.
type Scenario struct {
	scenario.Scenario
	kit.Drawn
}

// LoadScenario reads a scenario document, as [scenario.Read] does.
func LoadScenario(doc []byte) (*Scenario, rules.Faults) { return prepare(scenario.Read(doc)) }

// prepare draws the map of a scenario; nil of nil.
func prepare(loaded *scenario.Scenario, faults rules.Faults) (*Scenario, rules.Faults) {
	if loaded == nil {
		return nil, faults
	}
	sc := &Scenario{Scenario: *loaded}
	sc.Drawn = kit.Draw(sc.draw, newTensors(sc))
	return sc, faults
}

// Odds weighs a battle with the values of the scenario, as [odds.Weigh] does.
func (s *Scenario) Odds(b odds.Battle) (odds.Odds, bool) { return odds.Weigh(&s.Scenario, b) }
