// Package tokens derives what opens a game, and changes what is kept of it beside the log.
//
// A retry must get the first answer although the server keeps tokens as hashes only. So a token is not drawn but
// derived: HMAC-SHA-256 with the game's own token secret over what it is for and the id of the request. A game's id is
// such a digest too: a retry of CreateGame finds the game, and whoever sees the id cannot retry.
//
//	tokens.go  deriving, hashing, naming and comparing tokens
//	codes.go   codes of mailboxes, and names of webhooks and mailboxes
//	revoke.go  who took a seat with which token, and what becomes void with one
package tokens
