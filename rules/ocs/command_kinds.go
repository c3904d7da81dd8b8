package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/kit"
)

// kinds is the table of commands. What they name follows from the fields of their messages, see codec.go.
var kinds = kit.Kinds[struct{}, Command]{
	KindEnd: {ID: "end", Field: "end_segment", Answers: segmentAsks, Note: "End the segment."},
	KindOrder: {ID: "first", Field: "choose_turn", Answers: kit.Bits(AskOrder),
		Note: "Take the first player turn, or the second."},
	KindAgree: {ID: "together", Field: "agree_simultaneous", Answers: kit.Bits(AskAgree),
		Note: "Play the turn simultaneously, or not."},
	KindConcede: {ID: "concede", Field: "concede", Offer: true, Note: "Give up."},
	KindOrders: {ID: "orders", Field: "give_order", Offer: true, Order: true, Generating: true,
		Note: "Give a standing order, at any time. Listed only if asked for by kind, with values that are not large: " +
			"for the whole game, for the hex or unit asked for, and for the combat or mission under way."},
	KindTop: {ID: "top", Field: "arrange_stack", Offer: true, Order: true, Generating: true,
		Note: "Put a unit on top of its stack, at any time. Listed only if asked for by kind or unit."},
	KindPlace: {ID: "place", Field: "place_units", Answers: kit.Bits(AskSetup), Generating: true,
		Note: "Spread a stack in set-up. The list has one unit at a time."},
	KindStow: {ID: "stow", Field: "stow_supply", Answers: kit.Bits(AskSetup), Generating: true,
		Note: "Load or unload a transport in set-up. The list has full and empty ones."},

	KindMove: {ID: "move", Field: "move", Answers: moveAsks, Generating: true,
		Note: "Move units of a stack along a path. The list has one unit at a time, all combat units of a hex, and " +
			"the units in motion: all, all but one, and each alone; with the cheapest path to each hex."},
	KindMode: {ID: "mode", Field: "choose_mode", Answers: kit.Bits(AskSetup, AskMove), Generating: true,
		Note: "Give units a mode. The list has one unit at a time."},
	KindRemove: {ID: "remove", Field: "remove", Answers: kit.Bits(AskExcess), Generating: true,
		Note: "Remove units over the stacking limit. The list has one unit at a time; the question comes " +
			"again while there are too many."},
	KindOverrun: {ID: "overrun", Field: "overrun", Answers: moveAsks, Generating: true,
		Note: "Overrun an adjacent hex. The list has all units of a stack that may, and each alone."},
	KindRelease: {ID: "release", Field: "release",
		Answers: kit.Bits(AskReact, AskReactBarrage, AskExploit, AskExploitBarrage, AskExploitCombat), Generating: true,
		Note: "Release units from Reserve. The list has one unit at a time."},
	KindCommit: {ID: "commit", Field: "commit", Answers: moveAsks,
		Note: "Commit a unit to its hex, so that it negates an enemy ZOC there."},
	KindLeave: {ID: "leave", Field: "leave_mode", Answers: kit.Bits(AskMove), Generating: true,
		Note: "Leave a mode that may not be kept at the end of the segment. The list has one unit at a time."},

	KindAttack: {ID: "attack", Field: "attack", Answers: kit.Bits(AskCombat, AskExploitCombat), Generating: true,
		Note: "Attack a hex. The list has all units that may, those of each hex, and each alone; those that " +
			"get no combat supply drop out."},
	KindPay: {ID: "pay", Field: "pay_combat", Answers: kit.Bits(AskCombatSupply), Generating: true,
		Note: "Give combat supply. The list has each unit alone and all together, with one payment."},
	KindStocks: {ID: "stocks", Field: "use_stocks", Answers: kit.Bits(AskCombatSupply), Generating: true,
		Note: "Use internal stocks. The list has one unit at a time."},
	KindReady: {ID: "ready", Field: "ready", Answers: kit.Bits(AskCombatSupply),
		Note: "End the payment of combat supply."},
	KindLead: {ID: "lead", Field: "lead", Answers: kit.Bits(AskLead),
		Note: "Name the unit whose Action Rating is used."},
	KindTerrain: {ID: "terrain", Field: "choose_terrain", Answers: kit.Bits(AskTerrain), Generating: true,
		Note: "Choose terrains. The list has one hex at a time; the question comes again for the others."},
	KindLosses: {ID: "lose", Field: "take_losses", Answers: kit.Bits(AskLosses), Generating: true,
		Note: "Take losses, and say how far to retreat. The list has one way for each number of steps and each unit " +
			"that may be the next to lose."},
	KindRetreat: {ID: "retreat", Field: "retreat", Answers: kit.Bits(AskRetreat), Generating: true,
		Note: "Retreat units along a path. The list has all that stand together, with and without one that " +
			"may join them, and each alone."},
	KindAdvance: {ID: "advance", Field: "advance", Answers: kit.Bits(AskAdvance), Generating: true,
		Note: "Advance, or stay. The list has all that fit, each alone, and none."},
	// Guns have no question in the Movement Phase, whose barrage segment belongs to air units and ships (OCS
	// 10.0e-C).
	KindBarrage: {ID: "barrage", Field: "barrage", Answers: kit.Bits(AskBarrage, AskReactBarrage, AskExploitBarrage),
		Generating: true,
		Note: "Barrage a hex. The list has each unit alone and all in range, with one payment, and air " +
			"bases only where air units fly."},

	KindFuel: {ID: "fuel", Field: "fuel_unit", Answers: fuelAsks, Generating: true,
		Note: "Fuel a unit for the phase. The list has one payment for each unit; any supply in reach may pay."},
	KindFuelHQ: {ID: "fuel-hq", Field: "fuel_hq", Answers: fuelAsks, Generating: true,
		Note: "Fuel an HQ. The list has one payment for each."},
	KindFuelFormation: {ID: "fuel-formation", Field: "fuel_formation", Answers: fuelAsks, Generating: true,
		Note: "Fuel a formation. The list has one payment for each dump or HQ that its units may share."},
	KindRestock: {ID: "restock", Field: "restock", Answers: kit.Bits(AskRestock), Generating: true,
		Note: "Lift the internal stocks of a unit by a level. The list has one payment for each unit."},
	KindFeed: {ID: "feed", Field: "feed", Answers: kit.Bits(AskFeed), Generating: true,
		Note: "Give units general supply out of SP. The list has each unit alone and all of a hex together, with one " +
			"payment; any group that shares supply may be fed."},
	KindProvide: {ID: "provide", Field: "provide", Answers: kit.Bits(AskFeed), Generating: true,
		Note: "Choose what a formation traces through. The list has one HQ or source for " +
			"each set of units that trace."},
	KindDone: {ID: "done", Field: "done", Answers: kit.Bits(AskRestock, AskFeed, AskRaid),
		Note: "End restocking, or feeding, or the naming of rail lines."},
	KindSuffer: {ID: "suffer", Field: "suffer", Answers: kit.Bits(AskAttrition), Generating: true,
		Note: "Take steps by attrition. The list has one step of one unit; the question comes " +
			"again while steps are to be lost."},
	KindBreakout: {ID: "breakout", Field: "breakout", Answers: kit.Bits(AskBreakout), Note: "Break out with a unit."},
	KindLoad: {ID: "load", Field: "load", Answers: moveAsks, Generating: true,
		Note: "Load supply. The list has as much as there is room for, and one token."},
	KindUnload: {ID: "unload", Field: "unload", Answers: moveAsks, Generating: true,
		Note: "Unload supply. The list has all of it, and one token."},
	KindMerge: {ID: "merge", Field: "merge", Answers: kit.Bits(AskMove), Generating: true,
		Note: "Merge transports. The list has pairs."},
	KindSplit: {ID: "split", Field: "split", Answers: kit.Bits(AskMove), Generating: true,
		Note: "Split a transport. The list takes off the smallest piece, a point, or " +
			"half, with as little and as much " +
			"of the load as goes with them."},
	KindExtend: {ID: "extend", Field: "extend", Answers: kit.Bits(AskMove), Generating: true,
		Note: "Make an extender. The list has single transports and all of a kind in a hex."},
	KindDisband: {ID: "disband", Field: "disband", Answers: kit.Bits(AskMove),
		Note: "Turn an extender into transports."},
	KindCollapse: {ID: "collapse", Field: "collapse", Answers: kit.Bits(AskMove),
		Note: "Collapse an extender that has lost its link."},
	KindDestroy: {ID: "destroy-dump", Field: "destroy_dump", Answers: moveAsks, Generating: true,
		Note: "Try to destroy supply. The list has all of a hex, and one token."},
	KindYield: {ID: "yield", Field: "yield", Answers: kit.Bits(AskYield),
		Note: "Say how many captured points are of organic trucks."},
	KindDisplace: {ID: "displace", Field: "displace", Answers: kit.Bits(AskDisplace),
		Note: "Place a transport or extender that was not captured."},

	KindArrive: {ID: "arrive", Field: "arrive", Answers: kit.Bits(AskArrive), Generating: true,
		Note: "Put reinforcements down. The list has all that come together, and each alone, in each mode."},
	KindForfeit: {ID: "forfeit", Field: "forfeit", Answers: kit.Bits(AskArrive), Generating: true,
		Note: "Give reinforcements up. The list has one unit at a time."},
	KindPlaceSupply: {ID: "place-supply", Field: "place_supply", Answers: kit.Bits(AskPlace), Generating: true,
		Note: "Put down supply that arrives. The list has all that there is room for, and one token."},
	KindPlaceRepl: {ID: "place-repl", Field: "place_replacement", Answers: kit.Bits(AskPlace),
		Note: "Put down a replacement unit."},
	KindPlaceTrucks: {ID: "place-trucks", Field: "place_trucks", Answers: kit.Bits(AskPlace), Generating: true,
		Note: "Put down truck points. The list has all of them."},
	KindWaive: {ID: "waive", Field: "waive", Answers: kit.Bits(AskPlace), Note: "Give up what is left to place."},
	KindRail: {ID: "rail", Field: "rail_trip", Answers: kit.Bits(AskMove), Generating: true,
		Note: "Carry cargo by rail. The list has one unit at a time, and all supply of a hex that " +
			"capacity allows or one token."},
	KindConvert: {ID: "convert", Field: "convert", Answers: kit.Bits(AskMove),
		Note: "Convert the rail hex just entered."},
	KindRebuild: {ID: "rebuild", Field: "rebuild", Answers: kit.Bits(AskReinforce), Generating: true,
		Note: "Rebuild a unit of the dead pile. The list has one payment for each hex, number of steps and mode."},
	KindRestore: {ID: "restore", Field: "restore", Answers: kit.Bits(AskReinforce), Generating: true,
		Note: "Give steps back. The list has one payment for each unit and number of steps."},
	KindRebuildTrucks: {ID: "rebuild-trucks", Field: "rebuild_trucks", Answers: kit.Bits(AskReinforce),
		Generating: true,
		Note:       "Rebuild a truck point. The list has one Eq of each hex."},
	KindConsolidate: {ID: "consolidate", Field: "consolidate", Answers: kit.Bits(AskReinforce), Generating: true,
		Note: "Make one unit of two. The list has each pair once."},
	KindExchange: {ID: "exchange", Field: "exchange", Answers: kit.Bits(AskReinforce),
		Note: "Exchange a unit for one of the dead pile."},
	KindConstruct: {ID: "construct", Field: "construct", Answers: kit.Bits(AskMove), Generating: true,
		Note: "Build, raise, lower or repair a hedgehog, port or air base. The list has one payment and one crew for " +
			"each hex and engineer, and air bases only where air units fly."},
	KindDetach: {ID: "detach", Field: "detach", Answers: kit.Bits(AskSetup, AskMove, AskReact, AskExploit, AskRetreat,
		AskAdvance), Note: "Detach a breakdown regiment."},
	KindAbsorb: {ID: "absorb", Field: "absorb", Answers: kit.Bits(AskReinforce, AskMove, AskReact, AskExploit),
		Note: "Absorb a breakdown regiment."},
	KindGroup: {ID: "group", Field: "group_units", Offer: true, Order: true, Generating: true,
		Note: "Put units under their formation's marker, at any time. Listed only if asked for by kind or unit: all " +
			"of a formation in a hex, and each alone."},
	KindUngroup: {ID: "ungroup", Field: "ungroup_units", Offer: true, Order: true, Generating: true,
		Note: "Take units from under their formation's marker, at any time. Listed only " +
			"if asked for by kind or unit: " +
			"all of a marker, and each alone."},

	KindSweep: {ID: "sweep", Field: "sweep", Answers: moveAsks, Generating: true,
		Note: "Sweep an enemy air base. The list has each fighter alone, and the first four in range."},
	// Air units barrage in the barrage segments of the Movement, Reaction and Exploitation Phases (OCS 10.2a, OCS
	// 14.2e-iii).
	KindAirBarrage: {ID: "air-barrage", Field: "air_barrage",
		Answers: kit.Bits(AskAirNaval, AskReactBarrage, AskExploitBarrage), Generating: true,
		Note: "Barrage a hex from the air. The list has each air unit alone, and the first four in range."},
	// Hip shoots, sweeps, transfers, transport and drops are flown in movement segments (OCS 14.2e-iv, OCS
	// 14.2e-vi, OCS 14.2e-vii).
	KindHipShoot: {ID: "hip-shoot", Field: "hip_shoot", Answers: moveAsks, Note: "Hip shoot with an air unit."},
	KindTrainbust: {ID: "trainbust", Field: "trainbust",
		Answers:    kit.Bits(AskAirNaval, AskReactBarrage, AskExploitBarrage),
		Generating: true,
		Note: "Trainbust a hex. The list has enemy hexes with a railway, with each air unit " +
			"alone and the first four in range."},
	KindTransfer: {ID: "transfer", Field: "transfer_base", Answers: moveAsks, Generating: true,
		Note: "Transfer air units to another air base. The list has each alone, and the first four in range."},
	KindAirlift: {ID: "airlift", Field: "airlift", Answers: moveAsks, Generating: true,
		Note: "Carry cargo by air. The list has each transport alone, each way of flight, with one token, as many as " +
			"it carries, and each unit that fits."},
	KindAirdrop: {ID: "airdrop", Field: "airdrop", Answers: moveAsks, Generating: true,
		Note: "Drop cargo. The list has each transport alone: planned units on their hex, and one token or all that " +
			"fits where own land units or planned hexes are."},
	KindPlanDrop: {ID: "plan-drop", Field: "plan_drop", Answers: kit.Bits(AskSetup, AskRefit), Generating: true,
		Note: "Plan the drop of a unit. The list has the earliest turn, for units with " +
			"parachutes and those where gliders are."},
	KindDelayDrop: {ID: "delay-drop", Field: "delay_drop", Answers: kit.Bits(AskRefit),
		Note: "Put the plan of a unit off to the next turn."},
	KindCancelDrop: {ID: "cancel-drop", Field: "cancel_drop", Answers: kit.Bits(AskRefit),
		Note: "Discard the plan of a unit."},
	KindRefit: {ID: "refit", Field: "refit", Answers: kit.Bits(AskRefit), Generating: true,
		Note: "Refit air units of an air base. The list has each alone, and as many as " +
			"it may refit, with one payment."},
	KindIntercept: {ID: "intercept", Field: "intercept", Answers: kit.Bits(AskIntercept),
		Note: "Intercept the mission with a fighter, or not."},
	KindStandDown: {ID: "stand-down", Field: "stand_down", Answers: kit.Bits(AskStandDown), Generating: true,
		Note: "Abort air units, or none. The list has none, each alone, all but each, and all."},
	KindEngage: {ID: "engage", Field: "engage", Answers: kit.Bits(AskEngage),
		Note: "Choose the air unit that fights the round."},
	KindFlyBack: {ID: "fly-back", Field: "fly_back", Answers: kit.Bits(AskFlyBack),
		Note: "Return an air unit to an air base."},
	KindFlyOn: {ID: "fly-on", Field: "fly_on", Answers: kit.Bits(AskFlyOn), Generating: true,
		Note: "Fly on with cargo, or unload. The list has none, and each transport alone with all aboard, one token " +
			"or all that it can load there, and each unit."},
	KindTakeHit: {ID: "take-hit", Field: "take_hit", Answers: kit.Bits(AskTakeHit),
		Note: "Name the air unit that is hit."},
	KindJettison: {ID: "jettison", Field: "jettison", Answers: kit.Bits(AskJettison), Generating: true,
		Note: "Give cargo up. The list has one token and each unit; the question comes " +
			"again while too much is carried."},
	KindRestoreAir: {ID: "restore-air", Field: "restore_air", Answers: kit.Bits(AskReinforce), Generating: true,
		Note: "Give steps back to air units. The list has one or two steps of each, and one of each " +
			"pair, for one Eq of each place."},
	KindCombineAir: {ID: "combine-air", Field: "combine_air", Answers: segmentAsks &^ (1 << AskSetup), Generating: true,
		Note: "Make one air unit of two reduced ones. The list has each pair once."},
	KindPlaceAir: {ID: "place-air", Field: "place_air", Answers: kit.Bits(AskPlaceAir),
		Note: "Put an air unit that arrives on an air base."},
	KindScout: {ID: "scout", Field: "scout", Answers: moveAsks, Generating: true,
		Note: "Scout an adjacent hex. The list has one payment for each unit."},
	KindFuelIndependents: {ID: "fuel-independents", Field: "fuel_independents", Answers: fuelAsks, Generating: true,
		Note: "Fuel independent units and HQs that share supply. The list has each unit " +
			"alone, and all that a dump or " +
			"an HQ reaches, with one payment."},
	KindGodzilla: {ID: "godzilla", Field: "propose_godzilla", Answers: moveAsks,
		Note: "Propose that a stack that is out of supply is removed."},
	KindGodzillaAnswer: {ID: "godzilla-answer", Field: "answer_godzilla", Answers: kit.Bits(AskGodzilla),
		Note: "Agree to the removal of the stack, or not."},
	KindRaid: {ID: "raid", Field: "check_raid", Answers: kit.Bits(AskRaid), Generating: true,
		Note: "Name a rail line that raiders cut. The list has the shortest line of each HQ."},
	KindEvade: {ID: "evade", Field: "evade", Answers: kit.Bits(AskEvade), Note: "Shift a unit off a rail line."},

	KindSail: {ID: "sail", Field: "sail", Answers: moveAsks, Generating: true,
		Note: "Sail along a path. The list has each ship alone, all landing craft of a place and all ships of it, " +
			"with a shortest path to each place where they are not eliminated."},
	KindPlaceShip: {ID: "place-ship", Field: "place_ship", Answers: kit.Bits(AskPlaceShip),
		Note: "Put a ship that arrives into a port."},
	KindNavalBarrage: {ID: "naval-barrage", Field: "naval_barrage",
		Answers:    kit.Bits(AskAirNaval, AskReactBarrage, AskExploitBarrage),
		Generating: true,
		Note: "Barrage a hex with ships, or the naval targets in it with ships and coastal batteries. The list " +
			"has each alone and all that reach it; of hexes that may hold a coastal battery those that show one."},
	KindAim: {ID: "aim", Field: "aim", Answers: kit.Bits(AskAim), Generating: true,
		Note: "Fire at a naval target of the hex, or hold the fire. The list has all that may fire at it, of these " +
			"all ships and all coastal batteries, and each alone."},
	KindRefitAboard: {ID: "refit-aboard", Field: "refit_aboard", Answers: kit.Bits(AskRefit),
		Note: "Choose the two air units that a damaged carrier refits."},
	KindSeaTrip: {ID: "ship", Field: "sea_trip", Answers: moveAsks, Generating: true,
		Note: "Carry cargo by sea capacity. The list has one unit at a time, and all supply of a port that " +
			"capacity allows or one token."},
	KindEmbark: {ID: "embark", Field: "embark", Answers: moveAsks, Generating: true,
		Note: "Load landing craft or a warship in a port. The list has one unit at a time, and as " +
			"much supply as fits or one token."},
	KindDisembark: {ID: "disembark", Field: "disembark", Answers: moveAsks, Generating: true,
		Note: "Unload in a port. The list has one unit at a time, and as much supply as " +
			"the port handles or one token."},
	KindMergeCraft: {ID: "merge-craft", Field: "merge_craft", Answers: moveAsks, Generating: true,
		Note: "Merge landing craft. The list has pairs."},
	KindSplitCraft: {ID: "split-craft", Field: "split_craft", Answers: moveAsks, Generating: true,
		Note: "Split landing craft. The list takes off a point, half, and what carries each unit aboard."},
	KindLand: {ID: "land", Field: "land", Answers: moveAsks, Generating: true,
		Note: "Land in a hex by the table. The list has all that may, in as few groups " +
			"as can be, and each unit alone."},
	KindBeachAssault: {ID: "beach-assault", Field: "beach_assault", Answers: kit.Bits(AskCombat, AskExploitCombat),
		Generating: true,
		Note:       "Assault a beach from landing craft. The list has all of a stack, and each unit alone."},
	KindChooseBeach: {ID: "beach", Field: "choose_beach", Answers: kit.Bits(AskBeach),
		Note: "Have a beach assault fought, or resolved by the landing table."},
	KindMakePort: {ID: "lst-port", Field: "make_port",
		Answers: kit.Bits(AskMove, AskAirNaval, AskReact, AskReactBarrage, AskExploit, AskExploitCombat),
		Note:    "Turn an LST into a port at the end of a phase."},
	KindGoAshore: {ID: "ashore", Field: "go_ashore", Answers: moveAsks, Note: "Take a DUKW from the sea to land."},
	KindGoAfloat: {ID: "afloat", Field: "go_afloat", Answers: moveAsks, Note: "Take a DUKW from land to the sea."},

	KindCross: {ID: "cross", Field: "cross", Answers: moveAsks, Generating: true,
		Note: "Cross a frozen strait. The list has each unit alone, and all of a stack that may."},
}

// answers reports whether commands of a kind answer a question.
func (k Kind) answers(a Ask) bool { return kinds.Answers(int(k), int(a)) }

// commandMessage is the type of the messages.
var commandMessage = &ocsv1.Command{}
