package service

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
	// gamePrefix begins the names of the streams that hold games.
	gamePrefix = "games/"
	// scenarioPrefix begins the names of the streams that hold scenario documents: one entry each, named by its digest.
	scenarioPrefix = "scenarios/"
	// bookPrefix begins the names of the streams that say how far a game's notices are: one entry each, with a NoticeBook
	// as metadata. Games that must be looked at have one, so that not every game is read when the service begins.
	bookPrefix = "notices/"
)

// Streams of which there is one.
const (
	// headsStream holds the log of heads: one entry for each batch, whose data are the lines of its leaves.
	headsStream = "checkpoints/heads"
	// probeStream is the stream of one entry whose metadata a probe writes.
	probeStream = "operations/probe"
)

// gameStream names the stream of a game.
func gameStream(id string) string { return gamePrefix + id }

// scenarioStream names the stream of a scenario document.
func scenarioStream(digest ledger.Hash) string { return scenarioPrefix + hex.EncodeToString(digest[:]) }

// bookStream names the stream of a game's notices.
func bookStream(id string) string { return bookPrefix + id }

// listGames lists the next n streams of games after a name, fewer only at the end. It skips damaged streams, so that one
// of them does not hide the others.
func listGames(ctx context.Context, store eventstore.Store, after string, n int) (list []eventstore.StreamInfo, err error) {
	for len(list) < n {
		page, err := store.List(ctx, gamePrefix, after, n-len(list))
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
