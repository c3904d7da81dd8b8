// Package talk keeps what people say to each other while they play: at the table, to their side, and in notes to
// themselves.
//
// None of it enters the log of a game. Each audience of a game has a room: a stream of its own, whose only entry is
// empty and whose metadata hold the newest messages. Older ones are in pages of some 8 KiB: streams that are written
// once and emptied when the room does not need them any more. The room lists its pages, so that one write decides what
// is said. Metadata are replaced as a whole, so the store never returns a deleted message, and servers that write at
// the same time do not overwrite each other's messages.
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
//	pages.go    changing a room, and its pages
//	shares.go   what is dropped from a room that is too full
//	book.go     mutes, reports, and whether spectators may read
//	hear.go     what a caller reads at one time
//	listener.go what has changed for one who listens
//	kept.go     rooms that are followed, decoded once for all listeners
//	follow.go   learning that a room has changed, from any server
//	talk.go     rooms and books in the store
//	turns.go    one change of a room at a time
package talk
