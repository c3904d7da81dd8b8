// Package talk keeps what people say to each other while they play: at the table, to their side, and in notes to
// themselves.
//
// Nothing of it is in the log of a game. Each audience of a game has a room: a stream of its own, with one entry that
// means nothing and all messages as metadata. Metadata are replaced as a whole, so a deleted message is gone from the
// store's answers, and of several servers that write at once none overwrites what another has written.
//
// # Who reads what
//
// [Ear] decides it, and nothing else does. A caller's rooms are read and no other one is: what is in a room that
// somebody may not read can influence neither the answers that they get nor the work that these take. That holds for
// bounds too. Each room has its own, and ids are derived with the game's secret, so they say nothing of how many
// there are.
//
// # Map
//
//	ear.go      who reads what, and who may write
//	say.go      writing and deleting messages, with their bounds
//	book.go     mutes, reports, and whether spectators may read
//	hear.go     what a caller reads at one time
//	follow.go   learning that a room has changed, from any server
//	talk.go     rooms and books in the store
//	turns.go    one change of a room at a time
package talk
