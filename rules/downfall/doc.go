// Package downfall is the rulebook of Downfall: If the US Invaded Japan, 1945 as a program.
//
// A [Position] is the state of a game: small integers in arrays. What it waits for is derived by one function, ask,
// from the phase and from the two procedures that can be under way (frames.go): a consecutive attack, and a combat.
// Everything else follows from that: check refuses what answers another question, legal lists the answers, stepOn takes
// the next automatic step when nobody is asked. Only events change a position (evolve*.go), and they state outcomes,
// so that folding needs no rules.
//
// Chapters of the rulebook and their files:
//
//	3 setup.go                      9 supply.go
//	4 victory.go                   10 stacking.go
//	5 sequence.go                  11 zoc.go
//	6 weapons.go, bombs.go         12 movement.go, flood.go, moves.go
//	7 command_points.go            13 attacks.go, combat*.go, fire.go, retreat.go
//	8 reinforcement.go,            14 modifiers.go, support.go
//	  replacement.go, landing.go   15 options.go, airborne.go, forced.go,
//	                                   standing*.go, phrase_standing.go
//
// Chapters 2 and 3 as data, and the charts, are in the package scenario below, which knows nothing of positions.
// scenario.go here has its words that every chapter uses, and what play makes of a scenario once.
//
// Code that enforces a paragraph cites its id. Numbers like D-18 are decisions where the rulebook is silent or
// contradicts itself; those with a switch are options of the game.
//
// # Secrets
//
// The US keeps three: the IX Corps plan, the orders to the 11th Division (option 15.6) and the number of bombs (option
// 15.7). A question about any of them is put whatever the secret is, its command is seen by the US alone, and its event
// too; that a plan was made is an event of its own.
package downfall
