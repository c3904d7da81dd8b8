package service

import (
	"context"
	"slices"

	"github.com/google/uuid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// moveBack appends an undo. It repeats the asides that the undo takes back, except those of the given seats.
func (s *Service) moveBack(
	ctx context.Context, l *live.Game, m *live.Moment, seat rules.Seat, id string, to uint64, seats rules.Seats,
) (*live.Moment, error) {
	d, err := s.headMove(ctx, l, m, seat, id, to)
	if err != nil {
		return nil, err
	}
	again, err := s.sayAgain(ctx, l, m, d, seats)
	if err != nil {
		return nil, err
	}
	after, _, err := s.games.Commit(ctx, l, append([]live.Draft{d}, again...)...)
	return after, err
}

// agreedUndo is the undo to which all have agreed, and the asides that it takes back and repeats. It has no id of its
// own.
func (s *Service) agreedUndo(
	ctx context.Context, l *live.Game, m *live.Moment, p *live.PendingUndo,
) ([]live.Draft, error) {
	move, err := s.headMove(ctx, l, m, p.Seat, "", p.Target)
	if err != nil {
		return nil, err
	}
	again, err := s.sayAgain(ctx, l, m, move, rules.SeatsOf(p.Seat))
	return append([]live.Draft{move}, again...), err
}

// sayAgain returns the asides of other seats that an undo takes back, decided again where the head goes, in their
// order. It leaves out those that are illegal or more than an aside there: their seats may make them again.
func (s *Service) sayAgain(
	ctx context.Context, l *live.Game, m *live.Moment, move live.Draft, seats rules.Seats,
) (drafts []live.Draft, err error) {
	var taken []uint64
	for v := m.Head(); v != move.MoveTo && v != 0; v = m.Tree.Parent(v) {
		if m.AsideOfOthers(v, seats) {
			taken = append(taken, v)
		}
	}
	game := move.Position
	for _, v := range slices.Backward(taken) {
		r, err := s.games.Record(ctx, l.ID, v)
		if err != nil {
			return nil, err
		}
		d, err := s.again(l, game, r)
		if err != nil {
			return nil, err
		}
		if d != nil {
			drafts, game = append(drafts, *d), d.Position
		}
	}
	return drafts, nil
}

// again decides an aside on another position; nil if it is not legal there.
func (s *Service) again(l *live.Game, game rules.Game, r *ledger.Record) (*live.Draft, error) {
	message := l.Ruleset.NewCommand()
	if r.Command() == nil || r.Command().Decode(message) != nil {
		return nil, live.Corrupt(l.ID, r.Version(), ledger.ErrHidden)
	}
	c, err := game.DecodeCommand(message)
	seat, known := l.About.SeatByID(r.Header().Seat)
	if err != nil || !known || game.Check(seat, c) != nil {
		return nil, nil
	}
	encoded, audience := game.EncodeCommand(c), game.CommandAudience(seat, c)
	next, out, err := game.Play(seat, c, owedDice{})
	if err != nil || !speaks(game, next, out) {
		return nil, nil
	}
	leaves, err := ledger.FromOutcome(l.About, encoded, audience, out)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewRandomFromReader(s.entropy)
	if err != nil {
		return nil, err
	}
	return &live.Draft{
		Kind: logv1.RecordKind_RECORD_KIND_COMMAND, Seat: r.Header().Seat, CommandID: id.String(), Leaves: leaves,
		Position: next, Aside: true, Carries: r.Version(),
	}, nil
}

// moveHead appends an undo or a redo.
func (s *Service) moveHead(
	ctx context.Context, l *live.Game, m *live.Moment, seat rules.Seat, id string, to uint64,
) (*live.Moment, error) {
	d, err := s.headMove(ctx, l, m, seat, id, to)
	if err != nil {
		return nil, err
	}
	after, _, err := s.games.Commit(ctx, l, d)
	return after, err
}

// headMove is the record of an undo or a redo.
func (s *Service) headMove(
	ctx context.Context, l *live.Game, m *live.Moment, seat rules.Seat, id string, to uint64,
) (live.Draft, error) {
	game, err := s.games.PositionAt(ctx, l, m, to)
	if err != nil {
		return live.Draft{}, err
	}
	leaves, err := ledger.Moved(m.Head(), to)
	return live.Draft{Seat: l.About.SeatID(seat), CommandID: id, Leaves: leaves, MoveTo: to, Position: game}, err
}
