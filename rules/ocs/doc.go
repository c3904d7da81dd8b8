// Package ocs is the Operational Combat Series, series rules v4.1a: land war of the middle of the 20th century at the level of regiments and divisions,
// with supply counted by the truckload. A game of the series is a scenario document: map, charts, counters and the rules data of the game.
//
// Paragraphs are cited as OCS 9.11c, as rulebook.tsv lists them. docs/internals/ocs.md says how the room is built.
//
// Where to find what: types.go and fraction.go hold the words and numbers; scenario*.go load and check the data, tables.go and ways.go what is
// made of them; state.go and stacks.go hold a position, frames.go the procedures under way; sequence.go, segments.go and hooks.go run the sequence
// of play; check.go sends commands and procedures to their chapters by the tables of handlers_*.go; each chapter of the rulebook decides in files of
// its own name (movement.go, combat.go, supply.go …); evolve.go folds changes, legal.go lists commands, codec.go and notation*.go write commands and
// positions, board.go draws.
package ocs
