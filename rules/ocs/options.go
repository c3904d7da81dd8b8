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
	// bids are the victory points with which the seats begin.
	bids [numSeats]int8
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

// Option ids of the bids, by seat.
var optBids = [numSeats]string{Blue: "bid_blue", Red: "bid_red"}

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

// bidOf returns the option that gives a seat victory points before the game, so that players can even out the sides.
// No rulebook has it.
func bidOf(seat rules.Seat) rules.Option {
	return rules.Option{ID: optBids[seat], Key: "option." + optBids[seat],
		Values: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}}
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
	for seat, id := range optBids {
		o.bids[seat] = int8(given.Int(id))
	}
	return o
}

// format writes the flags that are on, and the bids.
func (o options) format() string {
	var on []string
	for id, flag := range o.flags() { // order-free: sorted below
		if *flag {
			on = append(on, id)
		}
	}
	for seat, id := range optBids {
		if n := o.bids[seat]; n != 0 {
			on = append(on, fmt.Sprintf("%s=%d", id, n))
		}
	}
	slices.Sort(on)
	return strings.Join(on, " ")
}

func parseOptions(words []string) (options, error) {
	var o options
	for _, w := range words {
		if o.parseBid(w) {
			continue
		}
		flag, ok := o.flags()[w]
		if !ok {
			return o, fmt.Errorf("ocs: there is no option %.40q", w)
		}
		*flag = true
	}
	return o, nil
}

// parseBid reads a bid as format writes it, and reports whether a word is one.
func (o *options) parseBid(word string) bool {
	id, value, _ := strings.Cut(word, "=")
	seat := slices.Index(optBids[:], id)
	if seat < 0 {
		return false
	}
	points := slices.Index(bidOf(rules.Seat(seat)).Values, value)
	o.bids[seat] = int8(max(0, points))
	return points >= 0
}

// offered says why the command of an optional rule may not be given: the game is played without the rule (OCS 21.0).
func offered(on bool, rule, option string) *rules.Refusal {
	if on {
		return nil
	}
	return rules.Refuse(rule, "refuse.option-off", "option", "@option."+option)
}
