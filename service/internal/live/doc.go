// Package live keeps games in memory: folded from their logs, changed by one writer at a time, and read by anybody.
//
// A [Game] has a current [Moment]: position, table, tree of records and metadata as they were after some record. A
// moment is published whole and never changes, so readers take it and need no lock. The writer decides on the current
// moment, seals [Draft]s, appends them in one transaction, and publishes the next moment. When an append fails without
// saying whether it was stored, the game is dropped, and folded from the log anew by the next call.
//
// # Several machines
//
// Other machines may write the same store. Nothing owns a game: an append is refused if the log or what is kept beside
// it is not as the writer knew it. Each call first asks for the head of its game and reads on if that is further than
// memory. So it sees all that was stored when it began. A refused change reads on too, and is decided again. While a
// game is watched, a goroutine waits for changes in the store. A store that nobody shares is spared all of this.
//
// # The seam
//
// [Games] is all that the service sees of it. [Games.Get] is the only way to a game, and reads on what others have
// stored. [Games.Change] makes its caller the only writer and runs the change again when memory had fallen behind the
// store; conflicts of records and of metadata all end there. [Config] is all that it needs of the service: what a call
// pays, what may be stored, and who hears of a new moment.
//
// # Map
//
//	config.go       what games in memory need of the service around them
//	games.go        the table of games in memory: loading once, pins, bounds, what is let go
//	game.go         a game, how it is made, found and dropped
//	write.go        one writer: change, commit, amend, create, retries
//	sync.go         coming as far as the store, and what to do if it went back
//	watch.go        following a game in the store while it is watched
//	fold.go         folding records into a game
//	read.go         pages of a log, decoded ahead of the fold
//	position_at.go  any position of the past, and single records
//	positions.go    which positions of the past are kept
//	request_ids.go  which ids of requests a log may hold
//	moment.go       a game as it was after some record
//	table.go        the fold of what changes around the game
//	newest.go       the newest record, shown once to all watchers with the same sight
//	seats.go        questions about seats
//	sittings.go     how often each caller sat down since somebody played
//	questions.go    what waits for consent: an undo, deadlines, the offer of a seat
//	consent.go      what is asked of whom
//	aside.go        asides of others
//	clock.go        the seats' time
//	texts.go        texts of a log as they are shown
package live
