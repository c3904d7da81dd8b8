// Package bot has players that are programs, and ways to seat them.
//
// A [Bot] sees what any stranger sees: the board and the actions open to its seat, each with its command. It knows
// nothing of rulesets, unless it wants to. [Player] seats one at a server, through the SDK; [Match] plays whole games
// in process, without a server, with the same bots. Bots for a single rulebook stand in package greedy.
package bot
