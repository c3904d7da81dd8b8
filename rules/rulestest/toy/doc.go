// Package toy is Outpost: two seats, a handful of units, an evening's rules on two pages.
//
// It is a complete ruleset and the template for new ones: it has a question for both seats at once (plans), a question
// to the other seat in the middle of a command (losses), offers, options, hidden facts, dice in the open and in secret,
// and a kind of command whose list is a generating set. The tests of the kernel, the service and the clients play it.
//
// Where to find what: about.go says what the game is, state.go what a position holds, sequence.go how turns run,
// planning.go, movement.go, combat.go and supply.go are the chapters of the rulebook, evolve.go folds events, legal.go
// lists commands, board.go draws, scenario.go and scenario_load.go load, command.go,
// notation.go and parse.go spell, narrate.go tells.
package toy
