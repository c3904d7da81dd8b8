// Package render shows games in memory to a viewer: as messages of the API and in words. Everything of a game that
// leaves the server passes through it, with the viewer that decides what is hidden.
//
//	game.go     a game as a message, its summaries for lists, and how it ended
//	records.go  records as messages, one after the other
//	words.go    changes of the table, and what is asked of a seat, in words
package render
