// Package ocs is the Operational Combat Series, series rules v4.1a, as a program: war on land, in the air and at sea in
// the middle of the 20th century, at the level of regiments and divisions, with supply counted by the truckload. A game
// of the series is a scenario document: map, charts, counters and the rules data of the game.
//
// A [Position] is the state of a game. What it waits for is derived by one function, ask (sequence.go): from the
// innermost of the procedures under way (frames.go), or else from the segment (sequence_segments.go). Everything else
// follows from that: check refuses what answers another question, legal lists the answers, stepOn takes the next
// automatic step when nobody is asked. Only events change a position. An event is a fact, which tells, and a list of
// changes, which evolve.go folds without knowing the rules.
//
// Code that enforces a paragraph cites its id, as OCS 9.11c; rulebook.tsv lists them. Ids like D70 are decisions where
// the rulebook is silent or contradicts itself. docs/internals/ocs.md says how the room is built.
//
// # Chapters
//
// The chapters of the rulebook and the files that decide them:
//
//	Introduction                 scenario.go, scenario_*.go, scenarios.go, setup.go, setup_choice.go
//	 2 Sequence of play          sequence.go, sequence_segments.go, preturn.go
//	 3 Terms                     types.go, state.go, stacks.go
//	 4 General concepts          zoc.go, stacking.go, stack_order.go, fraction.go, view.go
//	 5 Modes                     modes.go, reserve.go
//	 6 Ground movement           movement.go, movement_*.go, terrain.go, ways.go
//	 7 Reaction Phase            sequence_segments.go, movement.go
//	 8 Overruns                  overrun.go
//	 9 Ground combat             combat.go, combat_*.go, odds.go, losses.go, retreat.go, retreat_group.go,
//	                             capture.go, capture_place.go
//	10 Barrage                   barrage.go, barrage_table.go, mission_barrage.go, ship_barrage.go
//	11 Exploitation Phase        sequence_segments.go, movement.go, combat.go
//	12 Supply                    supply.go, supply_*.go, trace.go, trace_net.go, fuel.go, stocks.go, attrition.go,
//	                             breakout.go, dumps.go, extender.go
//	13 Specialized units         transport.go, transport_merge.go, rail.go, rail_*.go, replacement.go,
//	                             replacement_*.go, reinforcement.go, reinforcement_*.go, formation.go, engineer.go,
//	                             works_commands.go
//	14 Air units                 air.go, air_*.go, mission.go, mission_*.go, flak.go, glider.go
//	15 Air bases                 air_base.go, air_refit.go, air_works.go
//	16 Hedgehogs                 hedgehog.go
//	17 Weather                   preturn.go
//	18 Naval power               sea.go, sea_commands.go, ship_*.go, carrier.go, craft.go, craft_*.go, landing.go,
//	                             landing_*.go
//	19 Ports                     port.go, port_works.go, shipping.go
//	20 Breakdown regiments       breakdown.go
//	21 Optional rules            options.go, option_*.go
//	Victory, special rules       victory.go, special.go
//
// # What is no chapter
//
//	the ruleset                  referee.go, about.go, rulebook.go, readings.go, names_ja.go, doc.go
//	what may be done             command.go, command_kinds.go, check.go, legal.go, legal_findings.go, decisions.go,
//	                             describe.go, describe_label.go, payment.go
//	procedures under way         frames.go, frames_wire.go
//	standing orders              orders.go, orders_limited.go, orders_answer.go, orders_rarer.go, orders_wire.go
//	forecasts of previews        forecast.go, forecast_combat.go, forecast_air.go, forecast_notes.go
//	events                       events.go, evolve.go, evolve_hex.go, audience.go, audience_*.go
//	commands and positions       codec.go, notation.go, notation_*.go, names.go
//	what is shown and told       board.go, board_*.go, layers.go, ranges.go, view.go, known.go, narrate.go,
//	                             narrate_*.go, named.go
//	the same in numbers          tensors.go, tensors_write.go
//	tables made of a scenario    tables.go
//
// The commands of some chapters are a table in a file named for them, as combat_commands.go: how each is checked,
// carried out and listed.
package ocs
