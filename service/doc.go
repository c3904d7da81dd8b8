// Package service is where commands, rules and log meet: the implementation of the gRPC services.
//
// It knows the contract of rulesets and the contract of event stores and neither a ruleset nor an engine. What is stored is the log;
// everything else here is folded from it and may be dropped at any time.
//
// # One writer, many readers
//
// A game in memory ([live]) has one writer at a time. The writer decides on the position that was published last, appends, and
// publishes the next [moment]: position, table and index, none of which ever changes again. Readers take the last moment and never
// wait. When an append fails without saying whether it was stored, the game is dropped and folded from the log anew.
//
// # Ids, tokens and retries
//
// A retry must get the first answer although the server keeps tokens as hashes only. So a token is not drawn but derived: HMAC-SHA-256
// with the game's own token secret over what it is for and the id of the request. The request id of CreateGame and TakeSeat is as
// secret as the token that it gives; the log and the server's own log show digests of it. A game's id is such a digest too: a retry of
// CreateGame finds the game, and whoever sees the id cannot retry.
//
// # Undo
//
// A record can be undone by the seat that made it as long as no record after the target threw dice, revealed something or came from
// another seat. Otherwise all other seats that are held must agree: they are asked and answer by records of the table. A command, an
// undo, a redo and a change of seats end an undo that waits. Redo brings back what was undone last, until a command is made; it is for
// the seat that undid or whose commands come back.
package service
