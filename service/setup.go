package service

import (
	"context"
	"io"
	"maps"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
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

// throwsDice reports whether the server throws the dice.
func throwsDice(k logv1.DiceKind) bool {
	return k == logv1.DiceKind_DICE_KIND_COMMITTED || k == logv1.DiceKind_DICE_KIND_MUTUAL
}

// commitDice makes a first record commit to the dice secret, if the server throws the dice, and state their format.
func commitDice(e *logv1.GameCreated, meta *logv1.GameMeta) {
	e.DiceFormat, e.DiceCommitment = 0, nil
	if throwsDice(e.Dice) {
		commitment := dice.Commitment(dice.Secret(meta.DiceSecret))
		e.DiceFormat, e.DiceCommitment = dice.CountedFormat, commitment[:]
	}
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
		Kind: logv1.RecordKind_RECORD_KIND_CREATED, Leaves: leaves, Revealed: out.Revealed, Position: game, DiceSource: m.Table.Dice.SourceKind(len(out.Rolls)),
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
	if g.Ruleset != c.set.About().Name || string(g.ScenarioDigest) != string(kept[:]) && string(g.ScenarioDigest) != string(given[:]) || g.Dice != c.dice ||
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

// diceFor returns the dice for a command whose record is to have a version. They return errDiceOwed for a die that seats
// must be asked for.
func diceFor(l *live.Game, m *live.Moment, version uint64, manual []uint32) (dice.Source, error) {
	if l.Created.Dice == logv1.DiceKind_DICE_KIND_MANUAL {
		return dice.NewManual(manual), nil
	}
	if len(manual) > 0 {
		return nil, diceUnexpected()
	}
	if len(m.Meta.DiceSecret) != len(dice.Secret{}) {
		return nil, fault.New(fault.LogCorrupt, "game %s has lost its secrets", l.ID).With("game", l.ID)
	}
	if m.Table.Dice.Asked() == nil && m.Table.Dice.Owe() != nil {
		return owedDice{}, nil
	}
	return &lateDice{begin: func() (dice.Source, error) {
		if l.Created.DiceFormat == dice.CountedFormat {
			return m.Table.Dice.Source(dice.Secret(m.Meta.DiceSecret))
		}
		return dice.NewCommitted(dice.Secret(m.Meta.DiceSecret), m.Table.Entropies.List(), l.ID, version)
	}}, nil
}

// lateDice are made ready by the first roll: most commands throw none, and the keys of the dice cost more than the rest of such a command.
type lateDice struct {
	begin  func() (dice.Source, error)
	source dice.Source
}

// Roll is that of the dice themselves.
func (d *lateDice) Roll(sides uint8, reason string) (uint8, error) {
	if d.source == nil {
		source, err := d.begin()
		if err != nil {
			return 0, err
		}
		d.source = source
	}
	return d.source.Roll(sides, reason)
}

// allUsed reports manual dice that were sent and not needed.
func allUsed(src dice.Source) error {
	if m, ok := src.(*dice.Manual); ok {
		return m.Done()
	}
	return nil
}
