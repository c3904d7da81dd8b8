package service

import (
	"context"
	"slices"

	"github.com/google/uuid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// Bounds on the asides of a seat: how many records and bytes since the last record that was no aside. The asides of
// all seats together may take one part in asideShare of a game's bytes.
const (
	asidesAtOnce     = 16
	asideBytesAtOnce = 128 << 10
	asideShare       = 4
)

// aside reports whether a command is an aside: an offer or an order of a seat that the game does not wait for.
func (m *moment) aside(seat rules.Seat, c rules.Command) bool {
	return rules.IsOffer(m.game, c) && !m.game.Waiting().Has(seat)
}

// speaks reports whether the outcome of a command is that of an aside: no dice, nothing revealed, no end, and the game
// waits for the same seats as before.
func speaks(before, after rules.Game, out *rules.Outcome) bool {
	return len(out.Rolls) == 0 && !out.Revealed && after.Ending() == nil && after.Waiting() == before.Waiting()
}

// asideOfOthers reports whether a record is an aside of a seat that is not among those given.
func (m *moment) asideOfOthers(version uint64, seats rules.Seats) bool {
	k := m.marks[version-1]
	return k.aside && !seats.Has(k.seat)
}

// stillAsAt reports whether nobody has played since a version, as far as some seats are concerned. Asides of others
// and changes of the table do not count.
func (m *moment) stillAsAt(version uint64, seats rules.Seats) bool {
	if version > m.version() {
		return false
	}
	for v := m.version(); v > version; v-- {
		if m.marks[v-1].kind != uint8(logv1.RecordKind_RECORD_KIND_TABLE) && !m.asideOfOthers(v, seats) {
			return false
		}
	}
	return true
}

// asideRoom refuses an aside of a seat that has made as many as it may; nil for other commands.
func (s *Service) asideRoom(m *moment, about *rules.About, seat rules.Seat, c rules.Command) error {
	if !m.aside(seat, c) {
		return nil
	}
	since, bytes, all, recent := 0, 0, 0, true
	for _, k := range slices.Backward(m.marks) {
		recent = recent && (k.aside || k.kind == uint8(logv1.RecordKind_RECORD_KIND_TABLE))
		if !k.aside || !k.sent || k.seat != seat {
			continue
		}
		all += int(k.size)
		if recent {
			since++
			bytes += int(k.size)
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
func (m *moment) tableRoom(about *rules.About, seat rules.Seat) error {
	asked := 0
	for _, k := range slices.Backward(m.marks) {
		table := k.kind == uint8(logv1.RecordKind_RECORD_KIND_TABLE)
		if !table && !k.aside {
			break
		}
		if table && k.seat == seat {
			asked++
		}
	}
	if asked < asidesAtOnce {
		return nil
	}
	return tooManyAsides(asidesAtOnce, "%s has changed the table or asked for something %d times since somebody played", about.SeatID(seat), asked)
}

// moveBack appends an undo. It repeats the asides that the undo takes back, except those of the given seats.
func (s *Service) moveBack(ctx context.Context, l *live, m *moment, seat rules.Seat, id string, to uint64, seats rules.Seats) (*moment, error) {
	d, err := s.headMove(ctx, l, m, seat, id, to)
	if err != nil {
		return nil, err
	}
	again, err := s.sayAgain(ctx, l, m, d, seats)
	if err != nil {
		return nil, err
	}
	after, _, err := s.commit(ctx, l, append([]draft{d}, again...)...)
	return after, err
}

// sayAgain returns the asides of other seats that an undo takes back, decided again where the head goes, in their
// order. It leaves out those that are illegal or more than an aside there: their seats may make them again.
func (s *Service) sayAgain(ctx context.Context, l *live, m *moment, move draft, seats rules.Seats) (drafts []draft, err error) {
	var taken []uint64
	for v := m.head(); v != move.moveTo && v != 0; v = m.tree.Parent(v) {
		if m.asideOfOthers(v, seats) {
			taken = append(taken, v)
		}
	}
	game := move.game
	for _, v := range slices.Backward(taken) {
		r, err := s.record(ctx, l.id, v)
		if err != nil {
			return nil, err
		}
		d, err := s.again(l, game, r)
		if err != nil {
			return nil, err
		}
		if d != nil {
			drafts, game = append(drafts, *d), d.game
		}
	}
	return drafts, nil
}

// again decides an aside on another position; nil if it is not legal there.
func (s *Service) again(l *live, game rules.Game, r *ledger.Record) (*draft, error) {
	message := l.set.NewCommand()
	if r.Command() == nil || r.Command().Decode(message) != nil {
		return nil, corrupt(l.id, r.Version(), ledger.ErrHidden)
	}
	c, err := game.DecodeCommand(message)
	seat, known := l.about.SeatByID(r.Header().Seat)
	if err != nil || !known || game.Check(seat, c) != nil {
		return nil, nil
	}
	encoded, audience := game.EncodeCommand(c), game.CommandAudience(seat, c)
	next, out, err := game.Play(seat, c, owedDice{})
	if err != nil || !speaks(game, next, out) {
		return nil, nil
	}
	leaves, err := ledger.FromOutcome(l.about, encoded, audience, out)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewRandomFromReader(s.entropy)
	if err != nil {
		return nil, err
	}
	return &draft{
		kind: logv1.RecordKind_RECORD_KIND_COMMAND, seat: r.Header().Seat, commandID: id.String(), leaves: leaves, game: next, aside: true, carries: r.Version(),
	}, nil
}
