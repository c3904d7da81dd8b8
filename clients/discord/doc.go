// Package discord is the bridge between Discord and a Warledger server: a game is created, joined, shown,
// played and looked back on in a channel, by slash commands, buttons and menus. It is a client like any other
// and knows no ruleset.
//
// # Who sees what
//
// A channel sees what a spectator sees: narration, pictures and questions come from calls without tokens, so the server
// itself leaves out what is hidden. Each player's token is used for that player's own interactions only, and everything
// that comes of them is ephemeral: seen by that player alone. Ears pass talk on: the channel's ear has no token. An
// ear for a player's direct messages has the tokens of that player's seats.
//
// # Once, and once only
//
// What was told is noted after it was posted. A message carries an enforced nonce, and in its footer which records it
// tells: so a bridge that dies between posting and noting finds out, within minutes from the nonce and later from the
// channel, and goes on behind it. Changes that it asks of the server carry ids that are noted before, or that are made
// of the interaction's own.
//
// # Rooms
//
// bridge.go runs the parts; store.go keeps games, seats and positions in a bbolt file; follow.go watches a game and
// posts, ping.go says whose turn it is; commands.go describes the commands and interact.go takes what comes; create.go,
// seats.go, show.go, move.go, menu.go, orders.go, undo.go and speak.go are the commands; ears.go passes on what is
// said, and posts.go keeps where it stands; words.go is what the bridge says by itself, in English and Japanese.
package discord
