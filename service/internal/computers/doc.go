// Package computers knows the computer players: which are on offer, and which seats each plays.
//
// What is on offer is known by the streams that are open, in memory. Where computers play is kept in one book beside
// the games, so that they find their seats again after a restart; the logs of the games decide whether it is still so.
// The book is replaced as a whole by compare-and-set, so several servers may share it.
package computers
