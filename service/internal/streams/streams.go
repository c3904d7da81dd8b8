// Package streams names the streams of the store that the service keeps, and lists those of games.
package streams

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// Prefixes of names of streams.
const (
	// Games begins the names of the streams that hold games.
	Games = "games/"
	// Computers begins the resource names of computers, which have no streams of their own.
	Computers = "computers/"
	// Scenarios begins the names of the streams that hold scenario documents: one entry each, named by its digest.
	Scenarios = "scenarios/"
	// Books begins the names of the streams that say how far a game's notices are: one entry each, with a NoticeBook
	// as metadata. Games that must be looked at have one, so that not every game is read when the service begins.
	Books = "notices/"
	// Talk begins the names of the streams that hold what is said in games, apart from their logs: one entry each, and
	// all that may be deleted as metadata.
	Talk = "talk/"
	// Keyrings begins the names of the streams that hold keyrings: one entry each, and what is kept as metadata.
	Keyrings = "keyrings/"
)

// Streams of which there is one.
const (
	// Heads holds the log of heads: one entry for each batch, whose data are the lines of its leaves.
	Heads = "checkpoints/heads"
	// Signer holds the key that verifies what servers on one store sign: one entry.
	Signer = "checkpoints/signer"
	// Computing is the stream of one entry whose metadata say which computers play where.
	Computing = "computing/book"
	// KeyringPlaces is the stream of one entry whose metadata count keyrings that hold nothing.
	KeyringPlaces = "places/keyrings"
	// Probe is the stream of one entry whose metadata a probe writes.
	Probe = "operations/probe"
)

// Game names the stream of a game.
func Game(id string) string { return Games + id }

// Scenario names the stream of a scenario document.
func Scenario(digest ledger.Hash) string { return Scenarios + hex.EncodeToString(digest[:]) }

// Book names the stream of a game's notices.
func Book(id string) string { return Books + id }

// Keyring names the stream of a keyring.
func Keyring(id string) string { return Keyrings + id }

// TalkBook names the stream of what holds for the talk of a game.
func TalkBook(id string) string { return Talk + id + "/book" }

// TalkRoom names the stream of what is said to one audience of a game.
func TalkRoom(id, room string) string { return Talk + id + "/" + room }

// ListGames lists the next n streams of games after a name, fewer only at the end. It skips damaged streams, so that
// one of them does not hide the others.
func ListGames(
	ctx context.Context, store eventstore.Store, after string, n int,
) (list []eventstore.StreamInfo, err error) {
	for len(list) < n {
		page, err := store.List(ctx, Games, after, n-len(list))
		var corrupt *eventstore.CorruptError
		switch {
		case errors.As(err, &corrupt) && corrupt.Stream > after:
			after = corrupt.Stream
			continue
		case err != nil:
			return nil, fault.FromStore(err)
		case len(page) == 0:
			return list, nil
		}
		list = append(list, page...)
		after = page[len(page)-1].Name
	}
	return list, nil
}
