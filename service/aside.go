package service

import (
	"context"
	"slices"

	"github.com/google/uuid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// Bounds on the asides of a seat: how many records and bytes since the last record that was no aside. The asides of
// all seats together may take one part in asideShare of a game's bytes.
const (
	asidesAtOnce     = 16
	asideBytesAtOnce = 128 << 10
	asideShare       = 4
)

// speaks reports whether the outcome of a command is that of an aside: no dice, nothing revealed, no end, and the game
// waits for the same seats as before.
func speaks(before, after rules.Game, out *rules.Outcome) bool {
	return len(out.Rolls) == 0 && !out.Revealed && after.Ending() == nil && after.Waiting() == before.Waiting()
}

// asideRoom refuses an aside of a seat that has made as many as it may; nil for other commands.
func (s *Service) asideRoom(m *live.Moment, about *rules.About, seat rules.Seat, c rules.Command) error {
	if !m.Aside(seat, c) {
		return nil
	}
	since, bytes, all, recent := 0, 0, 0, true
	for _, k := range slices.Backward(m.Marks) {
		recent = recent && (k.Aside || k.Kind == uint8(logv1.RecordKind_RECORD_KIND_TABLE))
		if !k.Aside || !k.Sent || k.Seat != seat {
			continue
		}
		all += int(k.Size)
		if recent {
			since++
			bytes += int(k.Size)
		}
	}
	share := s.limits.GameBytes / asideShare / len(about.Seats)
	switch {
	case since >= asidesAtOnce:
		return tooManyAsides(asidesAtOnce, "%s has made %d asides since somebody played", about.SeatID(seat), since)
	case bytes >= asideBytesAtOnce:
		return tooManyAsides(asideBytesAtOnce, "%s has made asides of %d bytes since somebody played", about.SeatID(seat), bytes)
	case s.limits.GameBytes > 0 && all >= share:
		return tooManyAsides(share, "%s has made asides of %d bytes in this game", about.SeatID(seat), all)
	}
	return nil
}

func tooManyAsides(limit int, format string, args ...any) error {
	return fault.New(fault.TooManyAsides, format, args...).With("limit", limit).Quota("asides of one seat")
}

// tableRoom refuses a seat's next question to the others if it has asked as many as it may since somebody played.
func tableRoom(m *live.Moment, about *rules.About, seat rules.Seat) error {
	asked := 0
	for _, k := range slices.Backward(m.Marks) {
		table := k.Kind == uint8(logv1.RecordKind_RECORD_KIND_TABLE)
		if !table && !k.Aside {
			break
		}
		if table && k.Seat == seat {
			asked++
		}
	}
	if asked < asidesAtOnce {
		return nil
	}
	return tooManyAsides(asidesAtOnce, "%s has changed the table or asked for something %d times since somebody played", about.SeatID(seat), asked)
}

// moveBack appends an undo. It repeats the asides that the undo takes back, except those of the given seats.
func (s *Service) moveBack(ctx context.Context, l *live.Game, m *live.Moment, seat rules.Seat, id string, to uint64, seats rules.Seats) (*live.Moment, error) {
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

// sayAgain returns the asides of other seats that an undo takes back, decided again where the head goes, in their
// order. It leaves out those that are illegal or more than an aside there: their seats may make them again.
func (s *Service) sayAgain(ctx context.Context, l *live.Game, m *live.Moment, move live.Draft, seats rules.Seats) (drafts []live.Draft, err error) {
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
		Kind: logv1.RecordKind_RECORD_KIND_COMMAND, Seat: r.Header().Seat, CommandID: id.String(), Leaves: leaves, Position: next, Aside: true, Carries: r.Version(),
	}, nil
}
