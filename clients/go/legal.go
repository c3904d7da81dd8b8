package warledger

import (
	"context"
	"errors"
	"iter"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// LegalQuery narrows a list of legal actions. Empty fields let everything pass.
type LegalQuery struct {
	// Kind of command.
	Kind string
	// Piece that must act.
	Piece string
	// Space that the command must aim at.
	Space string
	// Typed adds the ruleset's message of each command.
	Typed bool
	// PageSize is how many actions are asked for at once; 0 for the server's choice.
	PageSize int
}

// LegalAction is one thing that the seat may do.
type LegalAction struct {
	*boardv1.Action
	// Typed is the ruleset's message, if asked for.
	Typed *anypb.Any
	// Version of the last record: what to expect when sending it.
	Version uint64
	// Index of the action in its list, from 0, and how many there are.
	Index, Total int
}

// Legal yields the answers to what the handle's seat is asked, page by page; offers are left to [Game.Offers]. When the
// game moves on between two pages the list begins anew, with another Version and Index 0: drop what came before.
// [Game.ListLegal] does that. It ends after the first error.
func (g *Game) Legal(ctx context.Context, q LegalQuery) iter.Seq2[LegalAction, error] {
	return g.legalFrom(ctx, g.legalRequest(q), nil)
}

// legalFrom yields the actions of a list, whose first page may have come already.
func (g *Game) legalFrom(
	ctx context.Context, req *v1.ListLegalActionsRequest, page *v1.ListLegalActionsResponse,
) iter.Seq2[LegalAction, error] {
	return func(yield func(LegalAction, error) bool) {
		req, page, index := proto.CloneOf(req), page, 0
		for {
			var err error
			if page == nil {
				page, err = call(ctx, g.client, g.tokens, g.name, req, g.client.games.ListLegalActions)
			}
			if errors.Is(err, ErrVersionConflict) && req.PageToken != "" {
				req.PageToken, page, index = "", nil, 0
				continue
			}
			if err != nil {
				yield(LegalAction{}, err)
				return
			}
			for i, a := range page.Actions {
				one := LegalAction{Action: a, Version: page.Version, Index: index, Total: int(page.TotalSize)}
				if i < len(page.Commands) {
					one.Typed = page.Commands[i]
				}
				if !yield(one, nil) {
					return
				}
				index++
			}
			if page.NextPageToken == "" {
				return
			}
			req.PageToken, page = page.NextPageToken, nil
		}
	}
}

// NextLegal collects what [Game.ListLegal] would, from the answer to a command that asked for it with Move.Next. It
// calls the server only for what did not fit into the answer, or if the answer has nothing of it; the game may have
// moved on then.
func (g *Game) NextLegal(ctx context.Context, done *v1.SubmitCommandResponse, q *v1.NextQuery) ([]LegalAction, error) {
	req := g.legalRequest(LegalQuery{Typed: q.GetIncludeCommands(), PageSize: int(q.GetPageSize())})
	return collect(g.legalFrom(ctx, req, done.GetNext().GetLegal()))
}

// ListLegal collects the answers to what the handle's seat is asked, all of one version. It is empty for a seat that is
// not asked, and never holds an offer.
func (g *Game) ListLegal(ctx context.Context, q LegalQuery) ([]LegalAction, error) {
	return collect(g.Legal(ctx, q))
}

// collect keeps the actions of one version.
func collect(list iter.Seq2[LegalAction, error]) (all []LegalAction, err error) {
	for a, err := range list {
		if err != nil {
			return nil, err
		}
		if a.Index == 0 {
			all = all[:0]
		}
		all = append(all, a)
	}
	return all, nil
}

// Offers lists what the seat may say outside the game's questions, such as conceding. A program asks its player once
// more before it sends one whose Confirm is set, as that may end the game; a bot leaves offers alone.
func (g *Game) Offers(ctx context.Context, q LegalQuery) ([]LegalAction, error) {
	var all []LegalAction
	for req := g.legalRequest(q); ; {
		page, err := call(ctx, g.client, g.tokens, g.name, req, g.client.games.ListLegalActions)
		if errors.Is(err, ErrVersionConflict) && req.PageToken != "" {
			req.PageToken, all = "", nil
			continue
		}
		if err != nil {
			return nil, err
		}
		for i, a := range page.Offers {
			one := LegalAction{Action: a, Version: page.Version, Index: len(all)}
			if i < len(page.OfferCommands) {
				one.Typed = page.OfferCommands[i]
			}
			all = append(all, one)
		}
		if req.PageToken = page.NextPageToken; req.PageToken == "" || len(page.Actions) > 0 {
			break
		}
	}
	for i := range all {
		all[i].Total = len(all)
	}
	return all, nil
}

func (g *Game) legalRequest(q LegalQuery) *v1.ListLegalActionsRequest {
	return &v1.ListLegalActionsRequest{
		Name: g.name, Seat: g.seat, Kind: q.Kind, Piece: q.Piece, Space: q.Space, IncludeCommands: q.Typed,
		LanguageCode: g.lang, PageSize: int32(q.PageSize),
	}
}
