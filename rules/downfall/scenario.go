package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// The words of a scenario that every chapter speaks of.
type (
	// Hex is a land hex.
	Hex = scenario.Hex
	// Unit is a ground unit.
	Unit = scenario.Unit
	// Zone is a coastal zone.
	Zone = scenario.Zone
)

// The seats, and what stands for no hex, unit and zone.
const (
	US     = scenario.US
	Japan  = scenario.Japan
	NoHex  = scenario.NoHex
	NoUnit = scenario.NoUnit
	NoZone = scenario.NoZone
)

// MaxUnits is the largest number of units that a scenario may have, so that a set of units is one word.
const MaxUnits = scenario.MaxUnits

// Scenario is a loaded scenario with what play makes of it once. It never changes.
type Scenario struct {
	scenario.Scenario
	// tab is all of it as play asks for it.
	tab *tables
	kit.Drawn
}

// LoadScenario reads a scenario document, as [scenario.Read] does.
func LoadScenario(doc []byte) (*Scenario, rules.Faults) { return prepare(scenario.Read(doc)) }

// prepare makes what play needs of a scenario; nil of nil.
func prepare(loaded *scenario.Scenario, faults rules.Faults) (*Scenario, rules.Faults) {
	if loaded == nil {
		return nil, faults
	}
	sc := &Scenario{Scenario: *loaded}
	sc.tab = newTables(sc)
	sc.Drawn = kit.Draw(func(lang rules.Lang) *boardv1.Map { return drawMap(sc, lang) }, newTensors(sc))
	return sc, faults
}
