package service

import (
	"cmp"
	"context"
	"errors"

	"github.com/google/uuid"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/documents"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/tokens"
)

// creation is a checked request to create a game.
type creation struct {
	request uuid.UUID
	set     rules.Ruleset
	sc      *documents.Loaded
	// document is the scenario's document in canonical form; given is the same as the caller sent it. Games from
	// before canonical forms were stored have the latter.
	document, given []byte
	options         rules.Options
	dice            logv1.DiceKind
	join            logv1.JoinPolicy
	title           string
	manual          []uint32
	// mutual is how mutual dice are thrown; nil for other dice.
	mutual *logv1.MutualDice
	// deadlines are nil for none.
	deadlines *logv1.Deadlines
	// owner is who an identity provider says that the owner is, if one does.
	owner *Identity
}

// CreateGame begins a game.
func (s *gameServer) CreateGame(ctx context.Context, req *v1.CreateGameRequest) (*v1.CreateGameResponse, error) {
	c, err := s.readCreation(ctx, req)
	if err != nil {
		return nil, err
	}
	if c.owner, err = s.newOwner(ctx); err != nil {
		return nil, err
	}
	id := tokens.GameID(c.request)
	note(ctx).game, note(ctx).request = id, tokens.BlindID(c.request)
	err = s.createGame(ctx, id, c)
	var conflict *eventstore.ConflictError
	if err != nil && !errors.As(err, &conflict) {
		return nil, err
	}
	// Whoever stored it, this call or an earlier one, the answer is read from what is stored.
	l, done, err := s.games.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	defer done()
	m := l.Current()
	if !ownedBy(m.Meta, c.owner) {
		return nil, live.Reused(1)
	}
	token := tokens.Owner(m.Meta.TokenSecret, c.request)
	if made, err := s.made(ctx, l, c); err != nil || !made || !tokens.Same(tokens.HashOf(token), m.Meta.OwnerTokenHash) {
		return nil, cmp.Or(err, live.Reused(1))
	}
	note(ctx).version = m.Version()
	return &v1.CreateGameResponse{Game: render.Game(m, l, rules.Spectator, rules.English), OwnerToken: token}, nil
}
