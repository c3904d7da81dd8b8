package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Kind is a kind of command.
type Kind uint8

// The kinds: sequence of play, movement, combat, supply, specialised units.
const (
	KindNone Kind = iota
	KindEnd
	KindOrder
	KindAgree
	KindConcede
	KindTop
	KindPlace
	KindStow

	KindMove
	KindMode
	KindRemove
	KindOverrun
	KindRelease
	KindCommit
	KindLeave

	KindAttack
	KindPay
	KindStocks
	KindReady
	KindLead
	KindTerrain
	KindLosses
	KindRetreat
	KindAdvance
	KindBarrage

	KindFuel
	KindFuelHQ
	KindFuelFormation
	KindRestock
	KindFeed
	KindProvide
	KindDone
	KindSuffer
	KindBreakout
	KindLoad
	KindUnload
	KindMerge
	KindSplit
	KindExtend
	KindDisband
	KindCollapse
	KindDestroy
	KindYield
	KindDisplace

	KindArrive
	KindForfeit
	KindPlaceSupply
	KindPlaceRepl
	KindPlaceTrucks
	KindWaive
	KindRail
	KindConvert
	KindRebuild
	KindRestore
	KindRebuildTrucks
	KindConsolidate
	KindExchange
	KindConstruct
	KindDetach
	KindAbsorb
	KindGroup
	KindUngroup

	KindSweep
	KindAirBarrage
	KindHipShoot
	KindTrainbust
	KindTransfer
	KindAirlift
	KindAirdrop
	KindPlanDrop
	KindDelayDrop
	KindCancelDrop
	KindRefit
	KindIntercept
	KindStandDown
	KindEngage
	KindFlyBack
	KindTakeHit
	KindJettison
	KindPlaceAir
	KindRestoreAir
	KindCombineAir
	KindScout
	KindFuelIndependents
	KindGodzilla
	KindGodzillaAnswer
	KindRaid
	KindEvade

	KindSail
	KindPlaceShip
	KindNavalBarrage
	KindAim
	KindRefitAboard
	KindSeaTrip
	KindFlyOn
	KindEmbark
	KindDisembark
	KindMergeCraft
	KindSplitCraft
	KindLand
	KindBeachAssault
	KindChooseBeach
	KindMakePort
	KindGoAshore
	KindGoAfloat
	KindCross

	numKinds
)

// Command is what a seat asks for. All kinds share these fields; codec.go fills them from the message of the kind by the names of its fields. Fields that
// a kind does not use are as in the command that [only] makes.
type Command struct {
	Kind Kind
	// Units that act ("units"), and a single one ("unit").
	Units []Unit
	Unit  Unit
	// Other is a unit of the other side, or another one of the own ("other").
	Other Unit
	// Path are places to enter ("path"). From and At are single ones ("from", "at").
	Path     []Place
	From, At Place
	// N and M count: "tokens", "steps", "count", "level" are N, "points" is M.
	N, M int
	// Yes is a yes ("yes").
	Yes bool
	// Marker and Face of a mode ("marker", "face").
	Marker Marker
	Face   Face
	// Choice is the number of any other enumeration ("choice").
	Choice int
	// Name is an id of something that is no unit or place: a formation, an entry, a counter ("formation", "entry", "counter").
	Name string
	// Lines are lines of several things ("lines").
	Lines []Line
}

// Line is a line of a command. Terrain is an index of the scenario's terrains, or 100 more than that of a hexside; -1 for none.
type Line struct {
	Unit    Unit
	At      Place
	Count   int
	By      Unit
	Terrain int16
	// Flight is how an air unit flies, by the numbers of the contract.
	Flight uint8
}

// only makes a command of a kind that needs nothing else.
func only(k Kind) Command {
	return Command{Kind: k, Unit: NoUnit, Other: NoUnit, From: Nowhere, At: Nowhere}
}

// kindInfo says what a kind is called, which field of the message it is and which questions it answers.
type kindInfo struct {
	id                string
	field             string // of ocsv1.Command
	answers           uint64
	offer, generating bool
	note              string
}

func to(asks ...Ask) uint64 {
	var s uint64
	for _, a := range asks {
		s |= 1 << a
	}
	return s
}

var kinds = [numKinds]kindInfo{
	KindEnd:     {id: "end", field: "end_segment", answers: segmentAsks, note: "End the segment."},
	KindOrder:   {id: "first", field: "choose_turn", answers: to(AskOrder), note: "Take the first player turn, or the second."},
	KindAgree:   {id: "together", field: "agree_simultaneous", answers: to(AskAgree), note: "Play the turn simultaneously, or not."},
	KindConcede: {id: "concede", field: "concede", offer: true, note: "Give up."},
	KindTop:     {id: "top", field: "arrange_stack", offer: true, generating: true, note: "Put a unit on top of its stack, at any time. Listed only if asked for by kind or unit."},
	KindPlace:   {id: "place", field: "place_units", answers: to(AskSetup), generating: true, note: "Spread a stack in set-up. The list has one unit at a time."},
	KindStow:    {id: "stow", field: "stow_supply", answers: to(AskSetup), generating: true, note: "Load or unload a transport in set-up. The list has full and empty ones."},

	KindMove: {id: "move", field: "move", answers: moveAsks, generating: true,
		note: "Move units of a stack along a path. The list has one unit at a time, all combat units of a hex, and the units in motion: all, all but one, and each alone; with the cheapest path to each hex."},
	KindMode: {id: "mode", field: "choose_mode", answers: to(AskSetup, AskMove), generating: true,
		note: "Give units a mode. The list has one unit at a time."},
	KindRemove: {id: "remove", field: "remove", answers: to(AskExcess), generating: true,
		note: "Remove units over the stacking limit. The list has one unit at a time; the question comes again while there are too many."},
	KindOverrun: {id: "overrun", field: "overrun", answers: moveAsks, generating: true,
		note: "Overrun an adjacent hex. The list has all units of a stack that may, and each alone."},
	KindRelease: {id: "release", field: "release", answers: to(AskReact, AskReactBarrage, AskExploit, AskExploitBarrage, AskExploitCombat), generating: true,
		note: "Release units from Reserve. The list has one unit at a time."},
	KindCommit: {id: "commit", field: "commit", answers: moveAsks, note: "Commit a unit to its hex, so that it negates an enemy ZOC there."},
	KindLeave: {id: "leave", field: "leave_mode", answers: to(AskMove), generating: true,
		note: "Leave a mode that may not be kept at the end of the segment. The list has one unit at a time."},

	KindAttack: {id: "attack", field: "attack", answers: to(AskCombat, AskExploitCombat), generating: true,
		note: "Attack a hex. The list has all units that may, those of each hex, and each alone; those that get no combat supply drop out."},
	KindPay: {id: "pay", field: "pay_combat", answers: to(AskCombatSupply), generating: true,
		note: "Give combat supply. The list has each unit alone and all together, with one payment."},
	KindStocks: {id: "stocks", field: "use_stocks", answers: to(AskCombatSupply), generating: true,
		note: "Use internal stocks. The list has one unit at a time."},
	KindReady: {id: "ready", field: "ready", answers: to(AskCombatSupply), note: "End the payment of combat supply."},
	KindLead:  {id: "lead", field: "lead", answers: to(AskLead), note: "Name the unit whose Action Rating is used."},
	KindTerrain: {id: "terrain", field: "choose_terrain", answers: to(AskTerrain), generating: true,
		note: "Choose terrains. The list has one hex at a time; the question comes again for the others."},
	KindLosses: {id: "lose", field: "take_losses", answers: to(AskLosses), generating: true,
		note: "Take losses, and say how far to retreat. The list has one way for each number of steps and each unit that may be the next to lose."},
	KindRetreat: {id: "retreat", field: "retreat", answers: to(AskRetreat), generating: true,
		note: "Retreat units along a path. The list has all that stand together, with and without one that may join them, and each alone."},
	KindAdvance: {id: "advance", field: "advance", answers: to(AskAdvance), generating: true,
		note: "Advance, or stay. The list has all that fit, each alone, and none."},
	// Guns have no question in the Movement Phase, whose barrage segment belongs to air units and ships (OCS 10.0e-C).
	KindBarrage: {id: "barrage", field: "barrage", answers: to(AskBarrage, AskReactBarrage, AskExploitBarrage), generating: true,
		note: "Barrage a hex. The list has each unit alone and all in range, with one payment, and air bases only where air units fly."},

	KindFuel: {id: "fuel", field: "fuel_unit", answers: fuelAsks, generating: true,
		note: "Fuel a unit for the phase. The list has one payment for each unit; any supply in reach may pay."},
	KindFuelHQ: {id: "fuel-hq", field: "fuel_hq", answers: fuelAsks, generating: true,
		note: "Fuel an HQ. The list has one payment for each."},
	KindFuelFormation: {id: "fuel-formation", field: "fuel_formation", answers: fuelAsks, generating: true,
		note: "Fuel a formation. The list has one payment for each dump or HQ that its units may share."},
	KindRestock: {id: "restock", field: "restock", answers: to(AskRestock), generating: true,
		note: "Lift the internal stocks of a unit by a level. The list has one payment for each unit."},
	KindFeed: {id: "feed", field: "feed", answers: to(AskFeed), generating: true,
		note: "Give units general supply out of SP. The list has each unit alone and all of a hex together, with one payment; any group that shares supply may be fed."},
	KindProvide: {id: "provide", field: "provide", answers: to(AskFeed), generating: true,
		note: "Choose what a formation traces through. The list has one HQ or source for each set of units that trace."},
	KindDone: {id: "done", field: "done", answers: to(AskRestock, AskFeed, AskRaid), note: "End restocking, or feeding, or the naming of rail lines."},
	KindSuffer: {id: "suffer", field: "suffer", answers: to(AskAttrition), generating: true,
		note: "Take steps by attrition. The list has one step of one unit; the question comes again while steps are to be lost."},
	KindBreakout: {id: "breakout", field: "breakout", answers: to(AskBreakout), note: "Break out with a unit."},
	KindLoad: {id: "load", field: "load", answers: moveAsks, generating: true,
		note: "Load supply. The list has as much as there is room for, and one token."},
	KindUnload: {id: "unload", field: "unload", answers: moveAsks, generating: true,
		note: "Unload supply. The list has all of it, and one token."},
	KindMerge: {id: "merge", field: "merge", answers: to(AskMove), generating: true, note: "Merge transports. The list has pairs."},
	KindSplit: {id: "split", field: "split", answers: to(AskMove), generating: true,
		note: "Split a transport. The list takes off the smallest piece, a point, or half, with as little and as much of the load as goes with them."},
	KindExtend: {id: "extend", field: "extend", answers: to(AskMove), generating: true,
		note: "Make an extender. The list has single transports and all of a kind in a hex."},
	KindDisband:  {id: "disband", field: "disband", answers: to(AskMove), note: "Turn an extender into transports."},
	KindCollapse: {id: "collapse", field: "collapse", answers: to(AskMove), note: "Collapse an extender that has lost its link."},
	KindDestroy: {id: "destroy-dump", field: "destroy_dump", answers: moveAsks, generating: true,
		note: "Try to destroy supply. The list has all of a hex, and one token."},
	KindYield:    {id: "yield", field: "yield", answers: to(AskYield), note: "Say how many captured points are of organic trucks."},
	KindDisplace: {id: "displace", field: "displace", answers: to(AskDisplace), note: "Place a transport or extender that was not captured."},

	KindArrive: {id: "arrive", field: "arrive", answers: to(AskArrive), generating: true,
		note: "Put reinforcements down. The list has all that come together, and each alone, in each mode."},
	KindForfeit: {id: "forfeit", field: "forfeit", answers: to(AskArrive), generating: true, note: "Give reinforcements up. The list has one unit at a time."},
	KindPlaceSupply: {id: "place-supply", field: "place_supply", answers: to(AskPlace), generating: true,
		note: "Put down supply that arrives. The list has all that there is room for, and one token."},
	KindPlaceRepl: {id: "place-repl", field: "place_replacement", answers: to(AskPlace), note: "Put down a replacement unit."},
	KindPlaceTrucks: {id: "place-trucks", field: "place_trucks", answers: to(AskPlace), generating: true,
		note: "Put down truck points. The list has all of them."},
	KindWaive: {id: "waive", field: "waive", answers: to(AskPlace), note: "Give up what is left to place."},
	KindRail: {id: "rail", field: "rail_trip", answers: to(AskMove), generating: true,
		note: "Carry cargo by rail. The list has one unit at a time, and all supply of a hex that capacity allows or one token."},
	KindConvert: {id: "convert", field: "convert", answers: to(AskMove), note: "Convert the rail hex just entered."},
	KindRebuild: {id: "rebuild", field: "rebuild", answers: to(AskReinforce), generating: true,
		note: "Rebuild a unit of the dead pile. The list has one payment for each hex, number of steps and mode."},
	KindRestore: {id: "restore", field: "restore", answers: to(AskReinforce), generating: true,
		note: "Give steps back. The list has one payment for each unit and number of steps."},
	KindRebuildTrucks: {id: "rebuild-trucks", field: "rebuild_trucks", answers: to(AskReinforce), generating: true,
		note: "Rebuild a truck point. The list has one Eq of each hex."},
	KindConsolidate: {id: "consolidate", field: "consolidate", answers: to(AskReinforce), generating: true,
		note: "Make one unit of two. The list has each pair once."},
	KindExchange: {id: "exchange", field: "exchange", answers: to(AskReinforce), note: "Exchange a unit for one of the dead pile."},
	KindConstruct: {id: "construct", field: "construct", answers: to(AskMove), generating: true,
		note: "Build, raise, lower or repair a hedgehog, port or air base. The list has one payment and one crew for each hex and engineer, and air bases only where air units fly."},
	KindDetach: {id: "detach", field: "detach", answers: to(AskSetup, AskMove, AskReact, AskExploit, AskRetreat, AskAdvance), note: "Detach a breakdown regiment."},
	KindAbsorb: {id: "absorb", field: "absorb", answers: to(AskReinforce, AskMove, AskReact, AskExploit), note: "Absorb a breakdown regiment."},
	KindGroup: {id: "group", field: "group_units", offer: true, generating: true,
		note: "Put units under their formation's marker, at any time. Listed only if asked for by kind or unit: all of a formation in a hex, and each alone."},
	KindUngroup: {id: "ungroup", field: "ungroup_units", offer: true, generating: true,
		note: "Take units from under their formation's marker, at any time. Listed only if asked for by kind or unit: all of a marker, and each alone."},

	KindSweep: {id: "sweep", field: "sweep", answers: moveAsks, generating: true,
		note: "Sweep an enemy air base. The list has each fighter alone, and the first four in range."},
	// Air units barrage in the barrage segments of the Movement, Reaction and Exploitation Phases (OCS 10.2a, OCS
	// 14.2e-iii).
	KindAirBarrage: {id: "air-barrage", field: "air_barrage", answers: to(AskAirNaval, AskReactBarrage, AskExploitBarrage), generating: true,
		note: "Barrage a hex from the air. The list has each air unit alone, and the first four in range."},
	// Hip shoots, sweeps, transfers, transport and drops are flown in movement segments (OCS 14.2e-iv, OCS 14.2e-vi,
	// OCS 14.2e-vii).
	KindHipShoot: {id: "hip-shoot", field: "hip_shoot", answers: moveAsks, note: "Hip shoot with an air unit."},
	KindTrainbust: {id: "trainbust", field: "trainbust", answers: to(AskAirNaval, AskReactBarrage, AskExploitBarrage), generating: true,
		note: "Trainbust a hex. The list has enemy hexes with a railway, with each air unit alone and the first four in range."},
	KindTransfer: {id: "transfer", field: "transfer_base", answers: moveAsks, generating: true,
		note: "Transfer air units to another air base. The list has each alone, and the first four in range."},
	KindAirlift: {id: "airlift", field: "airlift", answers: moveAsks, generating: true,
		note: "Carry cargo by air. The list has each transport alone, each way of flight, with one token, as many as it carries, and each unit that fits."},
	KindAirdrop: {id: "airdrop", field: "airdrop", answers: moveAsks, generating: true,
		note: "Drop cargo. The list has each transport alone: planned units on their hex, and one token or all that fits where own land units or planned hexes are."},
	KindPlanDrop: {id: "plan-drop", field: "plan_drop", answers: to(AskSetup, AskRefit), generating: true,
		note: "Plan the drop of a unit. The list has the earliest turn, for units with parachutes and those where gliders are."},
	KindDelayDrop:  {id: "delay-drop", field: "delay_drop", answers: to(AskRefit), note: "Put the plan of a unit off to the next turn."},
	KindCancelDrop: {id: "cancel-drop", field: "cancel_drop", answers: to(AskRefit), note: "Discard the plan of a unit."},
	KindRefit: {id: "refit", field: "refit", answers: to(AskRefit), generating: true,
		note: "Refit air units of an air base. The list has each alone, and as many as it may refit, with one payment."},
	KindIntercept: {id: "intercept", field: "intercept", answers: to(AskIntercept), note: "Intercept the mission with a fighter, or not."},
	KindStandDown: {id: "stand-down", field: "stand_down", answers: to(AskStandDown), generating: true,
		note: "Abort air units, or none. The list has none, each alone, all but each, and all."},
	KindEngage:  {id: "engage", field: "engage", answers: to(AskEngage), note: "Choose the air unit that fights the round."},
	KindFlyBack: {id: "fly-back", field: "fly_back", answers: to(AskFlyBack), note: "Return an air unit to an air base."},
	KindFlyOn: {id: "fly-on", field: "fly_on", answers: to(AskFlyOn), generating: true,
		note: "Fly on with cargo, or unload. The list has none, and each transport alone with all aboard, one token or all that it can load there, and each unit."},
	KindTakeHit: {id: "take-hit", field: "take_hit", answers: to(AskTakeHit), note: "Name the air unit that is hit."},
	KindJettison: {id: "jettison", field: "jettison", answers: to(AskJettison), generating: true,
		note: "Give cargo up. The list has one token and each unit; the question comes again while too much is carried."},
	KindRestoreAir: {id: "restore-air", field: "restore_air", answers: to(AskReinforce), generating: true,
		note: "Give steps back to air units. The list has one or two steps of each, and one of each pair, for one Eq of each place."},
	KindCombineAir: {id: "combine-air", field: "combine_air", answers: segmentAsks &^ (1 << AskSetup), generating: true,
		note: "Make one air unit of two reduced ones. The list has each pair once."},
	KindPlaceAir: {id: "place-air", field: "place_air", answers: to(AskPlaceAir), note: "Put an air unit that arrives on an air base."},
	KindScout: {id: "scout", field: "scout", answers: moveAsks, generating: true,
		note: "Scout an adjacent hex. The list has one payment for each unit."},
	KindFuelIndependents: {id: "fuel-independents", field: "fuel_independents", answers: fuelAsks, generating: true,
		note: "Fuel independent units and HQs that share supply. The list has each unit alone, and all that a dump or an HQ reaches, with one payment."},
	KindGodzilla:       {id: "godzilla", field: "propose_godzilla", answers: moveAsks, note: "Propose that a stack that is out of supply is removed."},
	KindGodzillaAnswer: {id: "godzilla-answer", field: "answer_godzilla", answers: to(AskGodzilla), note: "Agree to the removal of the stack, or not."},
	KindRaid: {id: "raid", field: "check_raid", answers: to(AskRaid), generating: true,
		note: "Name a rail line that raiders cut. The list has the shortest line of each HQ."},
	KindEvade: {id: "evade", field: "evade", answers: to(AskEvade), note: "Shift a unit off a rail line."},

	KindSail: {id: "sail", field: "sail", answers: moveAsks, generating: true,
		note: "Sail along a path. The list has each ship alone, all landing craft of a place and all ships of it, with a shortest path to each place where they are not eliminated."},
	KindPlaceShip: {id: "place-ship", field: "place_ship", answers: to(AskPlaceShip), note: "Put a ship that arrives into a port."},
	KindNavalBarrage: {id: "naval-barrage", field: "naval_barrage", answers: to(AskAirNaval, AskReactBarrage, AskExploitBarrage), generating: true,
		note: "Barrage a hex with ships, or the naval targets in it with ships and coastal batteries. The list has each alone and all that reach it; of hexes that may hold a coastal battery those that show one."},
	KindAim: {id: "aim", field: "aim", answers: to(AskAim), generating: true,
		note: "Fire at a naval target of the hex, or hold the fire. The list has all that may fire at it, of these all ships and all coastal batteries, and each alone."},
	KindRefitAboard: {id: "refit-aboard", field: "refit_aboard", answers: to(AskRefit), note: "Choose the two air units that a damaged carrier refits."},
	KindSeaTrip: {id: "ship", field: "sea_trip", answers: moveAsks, generating: true,
		note: "Carry cargo by sea capacity. The list has one unit at a time, and all supply of a port that capacity allows or one token."},
	KindEmbark: {id: "embark", field: "embark", answers: moveAsks, generating: true,
		note: "Load landing craft or a warship in a port. The list has one unit at a time, and as much supply as fits or one token."},
	KindDisembark: {id: "disembark", field: "disembark", answers: moveAsks, generating: true,
		note: "Unload in a port. The list has one unit at a time, and as much supply as the port handles or one token."},
	KindMergeCraft: {id: "merge-craft", field: "merge_craft", answers: moveAsks, generating: true, note: "Merge landing craft. The list has pairs."},
	KindSplitCraft: {id: "split-craft", field: "split_craft", answers: moveAsks, generating: true,
		note: "Split landing craft. The list takes off a point, half, and what carries each unit aboard."},
	KindLand: {id: "land", field: "land", answers: moveAsks, generating: true,
		note: "Land in a hex by the table. The list has all that may, in as few groups as can be, and each unit alone."},
	KindBeachAssault: {id: "beach-assault", field: "beach_assault", answers: to(AskCombat, AskExploitCombat), generating: true,
		note: "Assault a beach from landing craft. The list has all of a stack, and each unit alone."},
	KindChooseBeach: {id: "beach", field: "choose_beach", answers: to(AskBeach), note: "Have a beach assault fought, or resolved by the landing table."},
	KindMakePort: {id: "lst-port", field: "make_port", answers: to(AskMove, AskAirNaval, AskReact, AskReactBarrage, AskExploit, AskExploitCombat),
		note: "Turn an LST into a port at the end of a phase."},
	KindGoAshore: {id: "ashore", field: "go_ashore", answers: moveAsks, note: "Take a DUKW from the sea to land."},
	KindGoAfloat: {id: "afloat", field: "go_afloat", answers: moveAsks, note: "Take a DUKW from land to the sea."},

	KindCross: {id: "cross", field: "cross", answers: moveAsks, generating: true,
		note: "Cross a frozen strait. The list has each unit alone, and all of a stack that may."},
}

// answers reports whether commands of a kind answer a question.
func (k Kind) answers(a Ask) bool { return k < numKinds && kinds[k].answers&(1<<a) != 0 }

// kindByID finds a kind; KindNone if there is none of that id.
func kindByID(id string) Kind {
	for k := KindEnd; k < numKinds; k++ {
		if kinds[k].id == id {
			return k
		}
	}
	return KindNone
}

// kindByField finds the kind of a field of the command's message.
func kindByField(name string) Kind {
	for k := KindEnd; k < numKinds; k++ {
		if kinds[k].field == name {
			return k
		}
	}
	return KindNone
}

func commandKinds() []rules.CommandKind {
	list := make([]rules.CommandKind, 0, numKinds-1)
	for k := KindEnd; k < numKinds; k++ {
		i := &kinds[k]
		list = append(list, rules.CommandKind{ID: i.id, Offer: i.offer, Generating: i.generating, Note: i.note})
	}
	return list
}

// commandMessage is the type of the messages.
var commandMessage = &ocsv1.Command{}
