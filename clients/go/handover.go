package warledger

import (
	"context"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// OfferSeat asks the others whether anyone whom the owner lets in may take a free seat, in spite of what it shows.
// Owner only.
func (g *Game) OfferSeat(ctx context.Context, seat string) (*v1.Game, error) {
	access := v1.NewAccessServiceClient(g.client.conn)
	resp, err := call(ctx, g.client, g.tokens, g.name,
		&v1.OfferSeatRequest{Name: g.name, Seat: seat, RequestId: newID()}, access.OfferSeat)
	return resp.GetGame(), err
}

// AnswerSeat agrees to the offer of a seat as it was shown, or refuses it. done is true if all have agreed. If the last
// holder of the seat agrees in a game with mutual dice, the client keeps that beside the chain: whoever takes the seat
// then has the say over the throws before. A server could show the offer of another seat, so the agreement to that is
// kept beside no chain.
func (g *Game) AnswerSeat(
	ctx context.Context, shown *v1.PendingSeat, agree bool,
) (game *v1.Game, done bool, err error) {
	access, request, drop := v1.NewAccessServiceClient(g.client.conn), newID(), func(error) {}
	if agree && g.seat != "" && shown.GetSeat() == g.seat {
		if drop, err = g.leaves(ctx, g.seat, request); err != nil {
			return nil, false, err
		}
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.AnswerSeatRequest{
		Name: g.name, Seat: g.seat, Offered: shown.GetOffered(), Agree: agree, RequestId: request,
	}, access.AnswerSeat)
	drop(err)
	return resp.GetGame(), resp.GetDone(), err
}
