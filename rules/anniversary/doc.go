// Package anniversary is Axis & Allies Anniversary Edition: six powers and China, two scenarios, technologies and
// national objectives.
//
// A [Position] is the state of a game (state.go), its units packed as numbers (groups.go). What it waits for is derived
// by one function, ask (sequence.go). Everything else follows from that: check refuses what answers another question,
// legal lists the answers, stepOn takes the next automatic step when nobody is asked. Only events change a position
// (evolve*.go). referee.go has all of that for those who play.
//
// Chapters of the rulebook and their files:
//
//	1 setup.go, seating.go              9 combat*.go, fire.go, casualties*.go, retreat.go,
//	2 scenario/map.go                     submarine.go, antiaircraft.go, amphibious.go, bombing.go
//	3 victory.go                       10 conquest.go
//	4 sequence.go                      11 carrier.go
//	5 china.go                         12 noncombat.go, landing*.go
//	6 research.go, paratroopers.go     13 mobilize*.go
//	7 purchase.go                      14 income.go, objectives.go
//	8 movement*.go, transport*.go,     15 scenario/types.go, tables.go
//	  recall.go, orders.go             16 options.go, forced.go
//
// What a scenario is and how it is read is in the package scenario below, which knows nothing of positions. scenario.go
// here has its words that every chapter uses, and the map. Who hits whom, and the odds of a battle, are in the package
// odds.
//
// Code that enforces a paragraph cites its id, as rulebook.tsv lists it: AA 4.2.2.
package anniversary
