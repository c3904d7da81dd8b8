package warledger

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Errors of mutual dice, before any link is revealed.
var (
	// ErrLogInconsistent says that the server's log contradicts what it showed before, or that the server asks again
	// for a link that was revealed for something else. It may be choosing the dice. Nothing was revealed. Do not play
	// on before you know why; a server that was restored from a backup looks the same.
	ErrLogInconsistent = errors.New(
		"the server's log contradicts what it showed before, so no link is revealed for its dice",
	)
	// ErrNoChain says that no chain of the seat is kept here: the seat was taken with another program, or on another
	// machine. [Game.RenewChain] makes a new one once nothing is asked for.
	ErrNoChain = errors.New("the chain of the seat for mutual dice is not kept here")
	// ErrChainReplaced says that the server has another chain for the seat than those that were sent from here. Unless
	// another program of the player sent it, somebody else answers for the dice in the player's name: stop playing
	// there. If it was the player, [Game.RenewChain] has this program answer again, and [Game.ForgetChain] leaves it to
	// the other one.
	ErrChainReplaced = errors.New("the server has a chain for the dice of the seat that was not sent from here: " +
		"if no other program of yours sent it, somebody else answers in your name")
)

// AnswerDice reveals the links that seats owe for mutual dice, for each seat whose chain is kept here, and returns
// the game afterwards. It reveals a link for one record only, and only if that goes on from the log that the client
// knows; otherwise the error is an [ErrLogInconsistent]. It is an [ErrThrowTakenBack] if an undo since took back a
// throw that the seat had a part in and its player did not agree to that with this client. It is an [ErrNoChain] if
// the handle's own seat owes a link that is not here. Whether or not a link is owed, it is an [ErrChainReplaced] if
// the server has another chain for a seat than the one that is kept. [Game.Watch] and [Game.Submit] do it by
// themselves.
func (g *Game) AnswerDice(ctx context.Context) (*v1.Game, error) {
	game, err := g.Get(ctx)
	if err != nil {
		return game, err
	}
	if err := g.checkChains(ctx, game); err != nil {
		return game, err
	}
	for _, seat := range game.GetPendingDice().GetMissing() {
		if !g.uses(seat) {
			continue
		}
		after, err := g.answerFor(ctx, game, seat)
		switch {
		case seat != g.seat &&
			(errors.Is(err, ErrNoChain) || errors.Is(err, ErrNotYourSeat) || errors.Is(err, ErrTokenTooNarrow)):
		case errors.Is(err, ErrDiceNotOwed), errors.Is(err, ErrGameOver): // another program was quicker
		case err != nil:
			return game, fmt.Errorf("dice of %s: %w", seat, err)
		default:
			game = after
		}
	}
	return game, nil
}

// mostRaces is how often two programs may change a chain at the same time before one gives up.
const mostRaces = 8

// settle has judge decide on a game and on what is kept of a seat's chain, until the outcome counts. Several programs
// of a player may change a chain at the same time. A game that was read before the chain, or while it changed, may not
// fit although nobody cheats. So an alarm counts only if the game was read after the chain, and the chain is still the
// same.
func (g *Game) settle(ctx context.Context, game *v1.Game, seat string, judge func(*v1.Game, *Chain) error) error {
	for race := range mostRaces {
		kept, err := g.client.chains.Chain(ctx, g.name, seat)
		if err == nil && race > 0 {
			game, err = g.Get(ctx)
		}
		if err != nil {
			return err
		}
		err = judge(game, kept)
		switch alarm := isAlarm(err); {
		case errors.Is(err, ErrChainChanged), alarm && race == 0:
		case !alarm:
			return err
		default:
			now, other := g.client.chains.Chain(ctx, g.name, seat)
			if other != nil || reflect.DeepEqual(now, kept) {
				return cmp.Or(other, err)
			}
		}
	}
	return ErrChainChanged
}

// answerFor reveals what one seat owes, and returns the game after it.
func (g *Game) answerFor(ctx context.Context, game *v1.Game, seat string) (after *v1.Game, err error) {
	if g.client.chains == nil {
		return nil, ErrNoChain
	}
	var req *v1.AnswerDiceRequest
	err = g.settle(ctx, game, seat, func(game *v1.Game, kept *Chain) error {
		after, req = game, nil
		if kept == nil {
			return ErrNoChain
		}
		if !slices.Contains(game.GetPendingDice().GetMissing(), seat) { // another program was quicker
			return nil
		}
		r, next, err := g.promise(ctx, game, seat, kept)
		if err != nil {
			return err
		}
		req = r
		return g.client.chains.KeepChain(ctx, g.name, seat, kept, next)
	})
	if err != nil || req == nil {
		return after, err
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.games.AnswerDice)
	return resp.GetGame(), err
}

// promise decides what to reveal, and what must be stored before.
func (g *Game) promise(
	ctx context.Context, game *v1.Game, seat string, kept *Chain,
) (*v1.AnswerDiceRequest, *Chain, error) {
	chain, err := inUse(game, g.name, seat, kept)
	if err != nil {
		return nil, nil, cmp.Or(g.mine(ctx, seat, err), ErrNoChain)
	}
	asked, err := g.asking(ctx, chain, kept, seat, game.GetPendingDice().GetAsked())
	if err != nil {
		return nil, nil, err
	}
	number := uint32(0)
	for _, o := range asked.asks().GetOwed() {
		if o.Seat == seat {
			number = o.Link
		}
	}
	again := chain.Revealed != 0 && chain.Version == asked.header.Version
	switch {
	case number == 0 || number > chain.Length:
		return nil, nil,
			fmt.Errorf("%w: record %d asks %s for link %d of %d",
				ErrLogInconsistent, asked.header.Version, seat, number, chain.Length)
	case again && number != chain.Revealed, !again && number < chain.Next:
		return nil, nil,
			fmt.Errorf("%w: record %d asks for link %d of %s, which was revealed before",
				ErrLogInconsistent, asked.header.Version, number, seat)
	}
	req := &v1.AnswerDiceRequest{Name: g.name, Seat: seat, Asked: asked.header.Version,
		Link: chain.link(g.name, seat, number), RequestId: newID()}
	next := kept.goOn(chain, g.name, seat)
	next.Next, next.Revealed = number+1, number
	if number == chain.Length {
		if next.follower() == nil {
			follower, err := newChain()
			if err != nil {
				return nil, nil, err
			}
			follower.Follows = true
			next.comes(follower)
		}
		req.Chain = next.follower().committed(g.name, seat)
	}
	next.saw(asked.header.Version, hex.EncodeToString(asked.hash[:]))
	// The undos up to here were judged, and a question that was open has ended with this record.
	next.Agreed, next.Leaves = nil, nil
	return req, next, nil
}

// RenewChain commits the handle's seat to a new chain for mutual dice, if the token is here and the chain elsewhere.
// The other place cannot answer any more. It is refused while dice are asked for. If a chain was kept here before, the
// server must show that its log goes on from what was seen with it; otherwise the error is an [ErrLogInconsistent].
func (g *Game) RenewChain(ctx context.Context) (*v1.Game, error) {
	if g.client.chains == nil {
		return nil, ErrNoChain
	}
	game, err := g.Get(ctx)
	if err != nil {
		return nil, err
	}
	seat := g.seat
	if seat == "" {
		return nil, fmt.Errorf("%w: the handle names no seat", ErrNoChain)
	}
	chain, err := g.come(ctx, game, seat, false)
	if err != nil {
		return nil, err
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.RenewChainRequest{
		Name: g.name, Seat: seat, Chain: chain.committed(g.name, seat), RequestId: newID(),
	}, g.client.games.RenewChain)
	if err == nil {
		err = g.checkChain(ctx, resp.GetGame(), seat)
	}
	return resp.GetGame(), err
}

// ForgetChain forgets the chain of the handle's seat, and what it knows of the log. Then nothing here answers for the
// seat until [Game.RenewChain] makes a new chain, which begins from the log as the server shows it then. It is for a
// player who knows that another program of theirs answers, or why the server's log is another one.
func (g *Game) ForgetChain(ctx context.Context) error {
	if g.client.chains == nil {
		return nil
	}
	for race := 0; ; race++ {
		kept, err := g.client.chains.Chain(ctx, g.name, g.seat)
		if err != nil || kept == nil {
			return err
		}
		err = g.client.chains.KeepChain(ctx, g.name, g.seat, kept, nil)
		if !errors.Is(err, ErrChainChanged) || race == mostRaces {
			return err
		}
	}
}

// CommitChain makes and keeps a chain for a seat that is about to be taken, and returns its public part for
// [v1.TakeSeatRequest]. It is for a program that makes that request itself; [Game.Take] calls it. It returns nil in a
// game without mutual dice.
func (g *Game) CommitChain(ctx context.Context, seat string) (*logv1.HashChain, error) {
	game, err := g.Get(ctx)
	if err != nil || game.GetDice() != logv1.DiceKind_DICE_KIND_MUTUAL {
		return nil, err
	}
	if g.client.chains == nil {
		return nil, ErrNoChain
	}
	chain, err := g.come(ctx, game, seat, true)
	if err != nil {
		return nil, err
	}
	return chain.committed(g.name, seat), nil
}

// come makes a chain for a seat and keeps it as coming, because the server may not take it. If a chain was kept before,
// the log must go on from what that chain knows, or a server could have it forgotten with the chain. Chains that were
// sent before are kept as well: a request that the client gave up may arrive yet. sits is true if the player does not
// hold the seat now, and is about to take it with the chain.
func (g *Game) come(ctx context.Context, game *v1.Game, seat string, sits bool) (*Chain, error) {
	chain, err := newChain()
	if err != nil {
		return nil, err
	}
	err = g.settle(ctx, game, seat, func(game *v1.Game, kept *Chain) error {
		chain.Version, chain.Hash = game.GetVersion(), game.GetLastHash()
		next, err := g.coming(ctx, game, seat, kept, chain, sits)
		if err != nil {
			return err
		}
		return g.client.chains.KeepChain(ctx, g.name, seat, kept, next)
	})
	return chain, err
}

// coming is what must be kept before a new chain is sent.
func (g *Game) coming(
	ctx context.Context, game *v1.Game, seat string, kept, chain *Chain, sits bool,
) (*Chain, error) {
	if kept == nil {
		return &Chain{Last: chain.Last, Length: chain.Length, Next: 1, Version: chain.Version, Hash: chain.Hash,
			Since: chain.Version}, nil
	}
	awaited, undos, err := g.goesOn(ctx, game, seat, kept, sits)
	if err != nil {
		return nil, err
	}
	chain.Awaited, chain.Left = awaited, undos.left
	current, err := inUse(game, g.name, seat, kept)
	if err != nil {
		current = kept
	}
	next := kept.goOn(current, g.name, seat)
	next.Agreed = undos.agreed
	next.comes(chain)
	return next, nil
}
