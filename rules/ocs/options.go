package ocs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warledger/warledger/rules"
)

// options are the choices of a game (OCS 21, and optional paragraphs of other chapters and of games). A
// chapter adds its own here.
type options struct {
	longFlights, aircraftHandlingLimit, nightShipping                                              bool
	simultaneous, fasterPace, revisedRebuilding, revisedConstruction                               bool
	reconnaissance, proportionalStrength, independents, attackEmptyHexes, artilleryOpportunityFire bool
	godzilla, raidEvasion, stratModeSpace, stratModeDirectDraw, formationFog, xyzAirTransport      bool
	straitIce                                                                                      bool
}

// Option ids.
const (
	optSimultaneous        = "simultaneous_turns"
	optFasterPace          = "faster_pace"
	optRevisedRebuilding   = "revised_rebuilding"
	optRevisedConstruction = "revised_construction"

	optReconnaissance           = "reconnaissance"
	optProportionalStrength     = "proportional_strength"
	optIndependents             = "independents"
	optAttackEmptyHexes         = "attack_empty_hexes"
	optArtilleryOpportunityFire = "artillery_opportunity_fire"
	optGodzilla                 = "godzilla"
	optRaidEvasion              = "raid_evasion"
	optStratModeSpace           = "strat_mode_space"
	optStratModeDirectDraw      = "strat_mode_direct_draw"

	optLongFlights           = "long_flights"
	optAircraftHandlingLimit = "aircraft_handling_limit"
	optNightShipping         = "night_shipping"
	optFormationFog          = "formation_fog"
	optXYZAirTransport       = "xyz_air_transport"
	optStraitIce             = "strait_ice"
)

var optionList = []rules.Option{
	rules.Flag(optSimultaneous, "OCS 2.4"),
	rules.Flag(optFasterPace, "OCS 21.6"),
	rules.Flag(optRevisedRebuilding, "OCS 21.7"),
	rules.Flag(optRevisedConstruction, "OCS 21.11"),
	rules.Flag(optReconnaissance, "OCS 21.1"),
	rules.Flag(optProportionalStrength, "OCS 21.2"),
	rules.Flag(optIndependents, "OCS 21.3"),
	rules.Flag(optAttackEmptyHexes, "OCS 21.8"),
	rules.Flag(optArtilleryOpportunityFire, "OCS 21.9"),
	rules.Flag(optGodzilla, "OCS 21.10a"),
	rules.Flag(optRaidEvasion, "OCS 21.10b"),
	rules.Flag(optStratModeSpace, "OCS 21.12c"),
	rules.Flag(optStratModeDirectDraw, "OCS 21.12d"),
	rules.Flag(optXYZAirTransport, "OCS 21.12a"),
	rules.Flag(optLongFlights, "OCS 21.4"),
	rules.Flag(optAircraftHandlingLimit, "OCS 21.5"),
	rules.Flag(optNightShipping, "OCS 21.12b"),
	rules.Flag(optFormationFog, "OCS 13.7b"),
	rules.Flag(optStraitIce, "OCS Crimea-8.5"),
}

// flags are the options that are flags, by id.
func (o *options) flags() map[string]*bool {
	return map[string]*bool{
		optSimultaneous: &o.simultaneous, optFasterPace: &o.fasterPace, optRevisedRebuilding: &o.revisedRebuilding,
		optRevisedConstruction: &o.revisedConstruction,
		optReconnaissance:      &o.reconnaissance, optProportionalStrength: &o.proportionalStrength,
		optIndependents:     &o.independents,
		optAttackEmptyHexes: &o.attackEmptyHexes, optArtilleryOpportunityFire: &o.artilleryOpportunityFire,
		optGodzilla:    &o.godzilla,
		optRaidEvasion: &o.raidEvasion, optStratModeSpace: &o.stratModeSpace,
		optStratModeDirectDraw: &o.stratModeDirectDraw,
		optLongFlights:         &o.longFlights, optAircraftHandlingLimit: &o.aircraftHandlingLimit,
		optNightShipping: &o.nightShipping, optFormationFog: &o.formationFog, optXYZAirTransport: &o.xyzAirTransport,
		optStraitIce: &o.straitIce,
	}
}

// newOptions reads the options of a game.
func newOptions(given rules.Options) options {
	var o options
	for id, flag := range o.flags() { // order-free: each flag is its own
		*flag = given.On(id)
	}
	return o
}

// format writes the flags that are on.
func (o options) format() string {
	var on []string
	for id, flag := range o.flags() { // order-free: sorted below
		if *flag {
			on = append(on, id)
		}
	}
	slices.Sort(on)
	return strings.Join(on, " ")
}

func parseOptions(words []string) (options, error) {
	var o options
	for _, w := range words {
		flag, ok := o.flags()[w]
		if !ok {
			return o, fmt.Errorf("ocs: there is no option %.40q", w)
		}
		*flag = true
	}
	return o, nil
}

// offered says why the command of an optional rule may not be given: the game is played without the rule (OCS 21.0).
func offered(on bool, rule, option string) *rules.Refusal {
	if on {
		return nil
	}
	return rules.Refuse(rule, "refuse.option-off", "option", "@option."+option)
}
