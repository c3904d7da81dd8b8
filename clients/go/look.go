package warledger

import (
	"context"
	"errors"
	"io"
	"iter"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Look says which position to show, and to whom.
type Look struct {
	// Version of the record after which to look; 0 for the current position.
	Version uint64
	// Viewer is "spectator", a seat that the caller holds, or empty for all that the caller may see.
	Viewer string
	// WithMap adds the map to a board.
	WithMap bool
	// WithKnown adds the notation of what the viewer knows to a position.
	WithKnown bool
}

// Board draws a position.
func (g *Game) Board(ctx context.Context, l Look) (*v1.GetBoardResponse, error) {
	return call(ctx, g.client, g.tokens, g.name, &v1.GetBoardRequest{
		Name: g.name, Version: l.Version, Viewer: l.Viewer, LanguageCode: g.lang, IncludeMap: l.WithMap,
	}, g.client.games.GetBoard)
}

// Position returns the ruleset's typed position.
func (g *Game) Position(ctx context.Context, l Look) (*v1.GetPositionResponse, error) {
	return call(ctx, g.client, g.tokens, g.name,
		&v1.GetPositionRequest{Name: g.name, Version: l.Version, Viewer: l.Viewer, IncludeKnown: l.WithKnown},
		g.client.games.GetPosition)
}

// LogQuery says which part of the log to list.
type LogQuery struct {
	// After is the version before the first record wanted.
	After uint64
	// WholeTree adds records that were undone; otherwise the line to the head is listed.
	WholeTree bool
	// Viewer as in [Look].
	Viewer string
	// Proofs adds to each record what is stored of it.
	Proofs bool
	// PageSize is how many records are asked for at once; 0 for the server's choice.
	PageSize int
}

// Records yields the log, oldest first. It ends after the first error.
func (g *Game) Records(ctx context.Context, q LogQuery) iter.Seq2[*v1.Record, error] {
	return func(yield func(*v1.Record, error) bool) {
		req := &v1.ListRecordsRequest{
			Name: g.name, AfterVersion: q.After, WholeTree: q.WholeTree, Viewer: q.Viewer, LanguageCode: g.lang,
			IncludeProofs: q.Proofs, PageSize: int32(q.PageSize),
		}
		for {
			page, err := call(ctx, g.client, g.tokens, g.name, req, g.client.games.ListRecords)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, r := range page.Records {
				if !yield(r, nil) {
					return
				}
			}
			if page.NextPageToken == "" {
				return
			}
			req.PageToken = page.NextPageToken
		}
	}
}

// EndsGame reports whether a record is the last that a watcher of a game needs: the game is over and its
// secrets are released.
func EndsGame(r *v1.Record) bool {
	for _, e := range tableEvents(r) {
		if e.GetSecretsReleased() != nil {
			return true
		}
	}
	return false
}

// tableEvents returns the changes of the table that a record makes.
func tableEvents(r *v1.Record) (all []*logv1.TableEvent) {
	for _, e := range r.GetEvents() {
		table := new(logv1.TableEvent)
		if e.Event.MessageIs(table) && e.Event.UnmarshalTo(table) == nil {
			all = append(all, table)
		}
	}
	return all
}

// List yields games by id. The request's page token is where it begins. It ends after the first error.
func (c *Client) List(ctx context.Context, req *v1.ListGamesRequest) iter.Seq2[*v1.Game, error] {
	return func(yield func(*v1.Game, error) bool) {
		for token := req.GetPageToken(); ; {
			page, err := call(ctx, c, nil, "", &v1.ListGamesRequest{
				PageSize: req.GetPageSize(), PageToken: token, Ruleset: req.GetRuleset(),
				RunningOnly:   req.GetRunningOnly(),
				OpenSeatsOnly: req.GetOpenSeatsOnly(),
			}, c.games.ListGames)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, g := range page.Games {
				if !yield(g, nil) {
					return
				}
			}
			if token = page.NextPageToken; token == "" {
				return
			}
		}
	}
}

// Audit has the server check the game's chain and dice and decide every command again. It yields what the server says,
// the summary last, and ends after the first error.
func (g *Game) Audit(ctx context.Context) iter.Seq2[*v1.AuditGameResponse, error] {
	return func(yield func(*v1.AuditGameResponse, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		with, err := g.client.with(ctx, g.tokens, g.name)
		if err != nil {
			yield(nil, err)
			return
		}
		stream, err := g.client.games.AuditGame(with, &v1.AuditGameRequest{Name: g.name})
		for err == nil {
			var m *v1.AuditGameResponse
			if m, err = stream.Recv(); err == nil && !yield(m, nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, err)
		}
	}
}

// Export writes the whole game as one file, as far as the caller may see it. After an error the file is not whole.
func (g *Game) Export(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	with, err := g.client.with(ctx, g.tokens, g.name)
	if err != nil {
		return err
	}
	stream, err := g.client.games.ExportGame(with, &v1.ExportGameRequest{Name: g.name})
	for err == nil {
		var part *v1.ExportGameResponse
		if part, err = stream.Recv(); err == nil {
			_, err = w.Write(part.Data)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
