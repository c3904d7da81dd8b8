// Package rules says what a ruleset is and runs one.
//
// A ruleset is a decider: it checks a command against a position, carries it out by emitting events, and folds events
// into positions. The kernel here drives it: [Play] checks a command, plays it and then takes every automatic step
// until someone must decide, so that what nobody can influence never waits for a command.
//
// A ruleset implements [Referee] in its own types: a position P (a pointer to a plain struct), a command C (a small
// value) and an event E (a protobuf message of its own package). [Adapt] makes a [Ruleset] of it, which hides the
// types; the service, the exporter and every client that plays locally work with [Ruleset] and [Game] alone.
//
// Everything here is pure: no I/O, no clock, no randomness, no goroutines. Position, command and dice give the same
// events, always. Dice come from a [dice.Source] that the caller provides.
//
// Rule of thumb for where a thing belongs: what may be done is decided in Check and nowhere else, the outcome in
// Play and Step, what it changes in Evolve, who may see it in the audience of an event and in Board and View.
package rules
