package warledger

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// importPart is the size of the parts in which a file is sent, in bytes.
const importPart = 512 << 10

// Import takes a file, as [Game.Export] writes it, into the server. The response has the game and the token of its
// owner, who is the caller. A server that forgot what came before gets the file once more from the beginning.
func (c *Client) Import(ctx context.Context, file io.ReaderAt, size int64) (*v1.ImportGameResponse, error) {
	req := &v1.ImportGameRequest{RequestId: newID()}
	for at, again := int64(0), 0; ; {
		req.Data = make([]byte, min(importPart, size-at))
		if n, err := file.ReadAt(req.Data, at); n < len(req.Data) {
			return nil, err
		}
		req.Offset, req.Last = uint64(at), at+int64(len(req.Data)) == size
		resp, err := call(ctx, c, nil, "", req, c.history.ImportGame)
		var known *Error
		if errors.As(err, &known) && known.Reason == ErrImportGap && again < 3 {
			again++
			if at, err = strconv.ParseInt(known.Metadata["received"], 10, 64); err == nil && at >= 0 && at <= size {
				continue
			}
		}
		if err != nil || req.Last {
			return resp, err
		}
		at += int64(len(req.Data))
	}
}

// Fork says where to leave a game and what for.
type Fork struct {
	// Version of the record after which to leave; 0 for the current position.
	Version uint64
	// Title of the new game; empty for that of the origin.
	Title string
	// Dice are where its dice come from; as in the origin if not given.
	Dice logv1.DiceKind
	// Join says who may take a free seat; as in the origin if not given, and not for a private line.
	Join logv1.JoinPolicy
	// Private is for a line of one's own: the response has the tokens of all seats, and nobody else sees the game.
	Private bool
}

// Fork begins a game of its own from a version of this one. It fails with [ErrForkHidden] unless the caller may
// see all that led there.
func (g *Game) Fork(ctx context.Context, f Fork) (*v1.ForkGameResponse, error) {
	return call(ctx, g.client, g.tokens, g.name, &v1.ForkGameRequest{
		Name: g.name, RequestId: newID(), Version: f.Version, Title: f.Title, Dice: f.Dice, Private: f.Private,
		JoinPolicy: f.Join,
	}, g.client.history.ForkGame)
}

// VersionOfTurn is the version with which a game turn begins, on the line to the current position.
func (g *Game) VersionOfTurn(ctx context.Context, turn int32) (uint64, error) {
	return g.resolve(ctx, &v1.ResolveVersionRequest{Name: g.name, At: &v1.ResolveVersionRequest_Turn{Turn: turn}})
}

// VersionAt is the version that was the last at a time.
func (g *Game) VersionAt(ctx context.Context, at time.Time) (uint64, error) {
	return g.resolve(ctx,
		&v1.ResolveVersionRequest{Name: g.name, At: &v1.ResolveVersionRequest_Time{Time: timestamppb.New(at)}})
}

func (g *Game) resolve(ctx context.Context, req *v1.ResolveVersionRequest) (uint64, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.history.ResolveVersion)
	return resp.GetVersion(), err
}

// Line is a version of a game and what led to it.
type Line struct {
	// Game is the game; the tokens are those of the handle.
	Game *Game
	// Version of the record at the end; 0 for the current position.
	Version uint64
}

// Compare says where two lines part, and in what the positions at their ends differ. The language is
// that of the left game.
func (c *Client) Compare(ctx context.Context, left, right Line) (*v1.CompareGamesResponse, error) {
	both := TokenFunc(func(ctx context.Context, _ string) ([]string, error) {
		var all []string
		for _, g := range []*Game{left.Game, right.Game} {
			if g.tokens == nil {
				continue
			}
			tokens, err := g.tokens.Tokens(ctx, g.name)
			if err != nil {
				return nil, err
			}
			for _, t := range tokens {
				if !slices.Contains(all, t) {
					all = append(all, t)
				}
			}
		}
		return all, nil
	})
	return call(ctx, c, both, left.Game.name, &v1.CompareGamesRequest{
		Left:         &v1.Line{Name: left.Game.name, Version: left.Version},
		Right:        &v1.Line{Name: right.Game.name, Version: right.Version},
		LanguageCode: left.Game.lang,
	}, c.history.CompareGames)
}
