package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"go.etcd.io/bbolt"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Chain returns what is kept of a seat's chain for mutual dice; nil if nothing is. The store is a [warledger.Chains].
func (s *store) Chain(_ context.Context, game, seat string) (*warledger.Chain, error) {
	var chain *warledger.Chain
	err := s.db.View(func(tx *bbolt.Tx) error {
		data := tx.Bucket(bucketChains).Get(chainKey(game, seat))
		if data == nil {
			return nil
		}
		return json.Unmarshal(data, &chain)
	})
	return chain, err
}

// KeepChain replaces old with next, if old is still what is kept. When it returns, next is on the disk.
func (s *store) KeepChain(_ context.Context, game, seat string, old, next *warledger.Chain) error {
	was, err := json.Marshal(old)
	if err != nil {
		return err
	}
	return s.db.Update(func(tx *bbolt.Tx) error {
		now := tx.Bucket(bucketChains).Get(chainKey(game, seat))
		if old == nil && now != nil || old != nil && !bytes.Equal(now, was) {
			return warledger.ErrChainChanged
		}
		if next == nil {
			return tx.Bucket(bucketChains).Delete(chainKey(game, seat))
		}
		return put(tx, bucketChains, string(chainKey(game, seat)), next)
	})
}

func chainKey(game, seat string) []byte { return []byte(game + " " + seat) }

// answerDice reveals the links that seats of players on Discord owe, and returns the game. Those players trust the
// bridge with their chains as with their tokens.
func (b *Bridge) answerDice(ctx context.Context, at *table) (*v1.Game, error) {
	var tokens, seats []string
	for seat, h := range at.Seats {
		tokens, seats = append(tokens, h.Token), append(seats, seat)
	}
	if len(tokens) == 0 {
		return nil, nil
	}
	all := warledger.TokenFunc(func(context.Context, string) ([]string, error) { return tokens, nil })
	g, err := b.set.Server.Game(at.Game, "").WithTokens(all).ForSeats(seats...).AnswerDice(ctx)
	switch {
	case errors.Is(err, warledger.ErrLogInconsistent):
		b.log.Error("the server's log contradicts what it showed before, so no link is revealed for its dice",
			"game", at.Game, "err", err)
	case errors.Is(err, warledger.ErrChainReplaced):
		b.log.Error("the server has a chain for the dice of a seat that the bridge did not send", "game", at.Game,
			"err", err)
	case errors.Is(err, warledger.ErrThrowTakenBack):
		b.log.Error("a throw was taken back by an undo to which the player of a seat did not agree through the bridge",
			"game", at.Game, "err", err)
	}
	return g, err
}

// alarmed is an error that says that somebody may be choosing or foreseeing the dice, in words for the player; any
// other is as it was.
func alarmed(err error) error {
	var taken *warledger.ThrowTakenBackError
	switch {
	case errors.Is(err, warledger.ErrLogInconsistent):
		return wrong("logInconsistent")
	case errors.Is(err, warledger.ErrChainReplaced):
		return wrong("chainReplaced")
	case errors.As(err, &taken):
		return wrong("takenBack", escape(taken.Seat), taken.Undo, taken.Throw)
	}
	return err
}

// submitted sends a command. If it needs mutual dice, the seats on Discord answer at once; it may have to wait for
// others.
func (t *talk) submitted(at *table, seat string, move warledger.Move) (*v1.SubmitCommandResponse, error) {
	move.Pending = true
	if move.ID == "" {
		move.ID = t.request()
	}
	game := t.seat(at, seat, t.lang)
	resp, err := game.Submit(t.ctx, move)
	if err != nil || !resp.GetPending() {
		return resp, err
	}
	if _, err := t.answerDice(t.ctx, at); err != nil {
		return nil, alarmed(err)
	}
	return game.Submit(t.ctx, move) // the same id returns the outcome
}

// touchesDice reports whether a record asks for mutual dice, or commits a seat to a chain for them.
func touchesDice(r *v1.Record) bool {
	return r.GetKind() == logv1.RecordKind_RECORD_KIND_ASK ||
		slices.ContainsFunc(tableEvents(r), func(e *logv1.TableEvent) bool {
			return e.GetSeatTaken().GetChain() != nil || e.GetChainRenewed() != nil ||
				e.GetDiceAnswered().GetChain() != nil
		})
}
