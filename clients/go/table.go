package warledger

import (
	"context"
	"errors"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Take takes a seat and gives a token for it, which the caller keeps: the client does not. holder is the name to be
// known by; entropy, at most 64 bytes, counts in old games only and may be nil. In a game with mutual dice the client
// makes a chain and keeps it where [WithChains] says. If the seat is taken, but the server's answer has another chain,
// the error is an [ErrChainReplaced], and comes with the token.
func (g *Game) Take(ctx context.Context, seat, holder string, entropy []byte) (*v1.TakeSeatResponse, error) {
	req := &v1.TakeSeatRequest{Name: g.name, Seat: seat, Holder: holder, Entropy: entropy, RequestId: newID()}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.games.TakeSeat)
	if !errors.Is(err, ErrChainRequired) || g.client.chains == nil {
		return resp, err
	}
	reader := g
	game, err := g.Get(ctx)
	if errors.Is(err, ErrTokenRevoked) { // the token of a seat's last holder takes the seat and shows nothing
		reader = g.WithTokens(nil)
		game, err = reader.Get(ctx)
	}
	if err != nil {
		return nil, err
	}
	chain, err := reader.come(ctx, game, seat, true)
	if err != nil {
		return nil, err
	}
	req.Chain = chain.committed(g.name, seat)
	if resp, err = call(ctx, g.client, g.tokens, g.name, req, g.client.games.TakeSeat); err == nil {
		err = fits(resp.GetGame(), g.name, seat, &Chain{Last: chain.Last, Length: chain.Length, Next: 1})
	}
	return resp, err
}

// Join takes a seat as [Game.Take] does, with an invitation to it, where the owner says who may. Any other token is
// [ErrNoInvitation].
func (g *Game) Join(
	ctx context.Context, seat, holder, invitation string, entropy []byte,
) (*v1.TakeSeatResponse, error) {
	if err := CheckInvitation(invitation); err != nil {
		return nil, err
	}
	held := g.tokens
	invited := g.WithTokens(TokenFunc(func(ctx context.Context, game string) ([]string, error) {
		if held == nil {
			return []string{invitation}, nil
		}
		tokens, err := held.Tokens(ctx, game)
		return append(tokens[:len(tokens):len(tokens)], invitation), err
	}))
	return invited.Take(ctx, seat, holder, entropy)
}

// Leave frees a seat; its token is void from then on. The game's owner may free any seat. In a game with mutual dice
// the client keeps beside the chain that it was the player who left, since anybody with the token can.
func (g *Game) Leave(ctx context.Context, seat string) (*v1.Game, error) {
	request := newID()
	drop, err := g.leaves(ctx, seat, request)
	if err != nil {
		return nil, err
	}
	resp, err := call(ctx, g.client, g.tokens, g.name,
		&v1.LeaveSeatRequest{Name: g.name, Seat: seat, RequestId: request}, g.client.games.LeaveSeat)
	drop(err)
	return resp.GetGame(), err
}

// Resign gives the game up for the handle's seat. That ends the game if its whole side has given up; otherwise the seat
// is free and its token void. The client keeps that as [Game.Leave] does.
func (g *Game) Resign(ctx context.Context) (*v1.Game, error) {
	request := newID()
	drop, err := g.leaves(ctx, "", request)
	if err != nil {
		return nil, err
	}
	resp, err := call(ctx, g.client, g.tokens, g.name,
		&v1.ResignRequest{Name: g.name, Seat: g.seat, RequestId: request}, g.client.games.Resign)
	drop(err)
	return resp.GetGame(), err
}

// Close ends the game without a result. Owner only.
func (g *Game) Close(ctx context.Context, reason string) (*v1.Game, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name,
		&v1.CloseGameRequest{Name: g.name, Reason: reason, RequestId: newID()}, g.client.games.CloseGame)
	return resp.GetGame(), err
}

// Undo moves the head back to target, or with 0 before the last command. If that needs the consent of others, they are
// asked if ask is true; otherwise it fails with [ErrUndoBarrier]. done is true if the head has moved. In a game with
// mutual dice the client keeps beside the chain that the player asked, if that takes back a throw of the seat's: for
// this request alone, and for what has been thrown up to now. It is an [ErrLogInconsistent] if the log does not go on
// from what the client knows.
func (g *Game) Undo(ctx context.Context, target uint64, ask bool) (game *v1.Game, done bool, err error) {
	request := newID()
	target, drop, err := g.agrees(ctx, wish{target: target, request: request})
	if err != nil {
		return nil, false, err
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.UndoRequest{
		Name: g.name, Seat: g.seat, Target: target, Ask: ask, RequestId: request,
	}, g.client.games.Undo)
	drop(err)
	return resp.GetGame(), resp.GetDone(), err
}

// Answer agrees to an undo, or refuses it. shown is the question as the player was shown it: the game's pending undo.
// done is true if the head has moved. In a game with mutual dice the client keeps beside the chain that the player
// agreed: otherwise it reveals no link after an undo that took back dice ([ErrThrowTakenBack]). It is an
// [ErrLogInconsistent] if the log does not go on from what the client knows, or does not ask what was shown. Then
// nothing is sent.
func (g *Game) Answer(
	ctx context.Context, shown *v1.PendingUndo, agree bool,
) (game *v1.Game, done bool, err error) {
	drop := func(error) {}
	if agree {
		if _, drop, err = g.agrees(ctx, wish{shown: shown}); err != nil {
			return nil, false, err
		}
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.AnswerUndoRequest{
		Name: g.name, Seat: g.seat, Asked: shown.GetAsked(), Agree: agree, RequestId: newID(),
	}, g.client.games.AnswerUndo)
	drop(err)
	return resp.GetGame(), resp.GetDone(), err
}

// Redo takes the last undo back.
func (g *Game) Redo(ctx context.Context) (*v1.Game, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.RedoRequest{Name: g.name, Seat: g.seat, RequestId: newID()},
		g.client.games.Redo)
	return resp.GetGame(), err
}
