package service

import (
	"context"
	"io"
	"maps"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/documents"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
)

// newSecrets draws what must stay private of a game.
func (s *Service) newSecrets(c *creation) (*logv1.GameMeta, error) {
	draw := func() ([]byte, error) {
		b := make([]byte, 32)
		_, err := io.ReadFull(s.entropy, b)
		return b, err
	}
	meta := &logv1.GameMeta{SeatTokenHashes: map[string][]byte{}}
	var err error
	if meta.SaltSecret, err = draw(); err != nil {
		return nil, err
	}
	if meta.TokenSecret, err = draw(); err != nil {
		return nil, err
	}
	if throwsDice(c.dice) {
		if meta.DiceSecret, err = draw(); err != nil {
			return nil, err
		}
	}
	meta.JoinPolicy = c.join
	own(meta, c.request, c.owner)
	return meta, nil
}

// own makes a game the owner's.
func own(meta *logv1.GameMeta, request uuid.UUID, owner *Identity) {
	hash := tokens.HashOf(tokens.Owner(meta.TokenSecret, request))
	meta.OwnerTokenHash = hash[:]
	if owner != nil {
		subject := tokens.HashOf(owner.Subject)
		meta.OwnerSubjectHash = subject[:]
	}
}

// created is the first event.
func (c *creation) created(meta *logv1.GameMeta, digest ledger.Hash) *logv1.GameCreated {
	about := c.set.About()
	salt := ledger.SaltSecret(meta.SaltSecret).Commitment()
	e := &logv1.GameCreated{
		Ruleset: about.Name, RulesVersion: about.Version, Scenario: c.sc.Rules.ScenarioID(), ScenarioDigest: digest[:],
		Options: c.options.Map(), Dice: c.dice, SaltCommitment: salt[:], Title: c.title,
		Deadlines: c.deadlines, MutualDice: c.mutual,
	}
	commitDice(e, meta)
	return e
}

// first sets the game up: the first record, and the release of secrets should set-up end the game.
func (c *creation) first(l *live.Game, m *live.Moment, meta *logv1.GameMeta) ([]live.Draft, error) {
	game := l.Base.Clone()
	src, err := diceFor(l, m, 1, c.manual)
	if err != nil {
		return nil, err
	}
	out, err := game.Start(src)
	if err == nil {
		err = allUsed(src)
	}
	if err != nil {
		if known := fault.Dice(l.About, err); known != nil {
			return nil, known
		}
		return nil, err
	}
	leaves, err := ledger.Created(l.About, l.Created, out)
	if err != nil {
		return nil, err
	}
	drafts := []live.Draft{{
		Kind: logv1.RecordKind_RECORD_KIND_CREATED, Leaves: leaves, Revealed: out.Revealed, Position: game,
		DiceSource: m.Table.Dice.SourceKind(len(out.Rolls)),
	}}
	if game.Ending() != nil {
		d, err := live.Release(&live.Moment{Meta: meta})
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

// made reports whether a game is the one that the request describes, as a retry must.
func (s *Service) made(ctx context.Context, l *live.Game, c *creation) (bool, error) {
	kept, given := ledger.ScenarioDigest(c.document), ledger.ScenarioDigest(c.given)
	g := l.Created
	if g.Ruleset != c.set.About().Name || string(g.ScenarioDigest) != string(kept[:]) &&
		string(g.ScenarioDigest) != string(given[:]) || g.Dice != c.dice ||
		g.Title != c.title || l.Current().JoinPolicy() != c.join || !maps.Equal(g.Options, c.options.Map()) ||
		!proto.Equal(g.Deadlines, c.deadlines) || !proto.Equal(g.MutualDice, c.mutual) {
		return false, nil
	}
	if len(c.manual) == 0 {
		return true, nil
	}
	r, err := s.games.Record(ctx, l.ID, 1)
	return err == nil && sameDice(r, c.manual), err
}

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

// createGame appends the first record of a game. The error is an eventstore.ConflictError if the game exists.
func (s *Service) createGame(ctx context.Context, id string, c *creation) (err error) {
	if _, err := s.store.Head(ctx, streams.Game(id)); err == nil {
		return &eventstore.ConflictError{Stream: streams.Game(id), Current: 1}
	}
	counted, err := s.roomForGame(ctx, c.owner)
	if err != nil {
		return err
	}
	defer func() { counted(err == nil) }()
	meta, err := s.newSecrets(c)
	if err != nil {
		return err
	}
	digest, err := s.scenarios.Put(ctx, c.document, s.admission.Store)
	if err != nil {
		return err
	}
	created := c.created(meta, digest)
	l, err := s.games.NewGame(id, c.set, c.sc, created, meta)
	if err != nil {
		return err
	}
	if created.Deadlines != nil || created.GetMutualDice().GetAnswerTime() != nil {
		if err := s.notices.KeepBook(ctx, id); err != nil {
			return err
		}
	}
	m := l.Zero(meta)
	drafts, err := c.first(l, m, meta)
	if err != nil {
		return err
	}
	return s.games.Create(ctx, l, m, drafts)
}
