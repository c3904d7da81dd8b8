// Package warledger is the Go client of a Warledger server.
//
// It knows the contract (the generated messages) and gRPC, and nothing of rulesets, so it plays every game alike:
//
//	client, err := warledger.Dial("localhost:7480")
//	...
//	game := client.Game("games/abc", "red")
//	for update, err := range game.Watch(ctx, warledger.WatchOptions{BoardFirst: true}) { ... }
//	done, err := game.Submit(ctx, warledger.Move{Notation: "move r1 0203"})
//
// # Retries
//
// Every change carries an id that the client draws, so repeating it is safe: the server gives the first answer again.
// Calls that could not reach the server (UNAVAILABLE, nothing else) are repeated with the same id: by gRPC itself for a
// second or so ([ServiceConfig]), then by the client for as long as [WithPatience] says.
//
// # Errors
//
// Every error of the server is an [*Error]; one that the rules refused is a [*Refused] besides. Reasons are values
// that errors.Is finds:
//
//	if errors.Is(err, warledger.ErrVersionConflict) { ... }
//
// # Watching
//
// [Game.Watch] gives every record once, in order and without gaps, whatever happens to connection and server meanwhile.
//
// A [Client] is safe for concurrent use.
package warledger
