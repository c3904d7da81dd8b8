package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/deadline"
	"github.com/warledger/warledger/service/ledger"
)

// trouble is how long to wait before something is tried again that should not have failed.
const trouble = 30 * time.Second

// watchClock makes a record of a seat's time being up, if it is, and says when to look at the game again; zero for when it changes.
func (s *Service) watchClock(ctx context.Context, t task) (next time.Time) {
	err := s.change(ctx, t.game, func(l *live) error {
		m := l.current()
		next = time.Time{}
		due := m.nextDue(l)
		if m.readOnly() || due.IsZero() {
			return nil
		}
		// Who could not act because the server was away gets a while to do so.
		at := due
		if at.Before(s.notices.began.Add(s.notices.grace)) {
			at = s.notices.began.Add(s.notices.grace)
		}
		if s.clock().Before(at) {
			next = at
			return nil
		}
		var err error
		if goOn := m.goOnTime(l); goOn != nil && !goOn.AsTime().After(due) {
			m, err = s.goOn(ctx, l, m)
		} else {
			m, err = s.lapse(ctx, l, m)
		}
		if err == nil {
			next = m.nextDue(l)
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		s.log.Warn("a deadline could not be enforced", slog.String("game", t.game), slog.String("error", err.Error()))
		return s.clock().Add(trouble)
	}
	return next
}

// lapse stores that the time of the seat is up that was due first, and what follows from it. The caller is the game's writer.
func (s *Service) lapse(ctx context.Context, l *live, m *moment) (*moment, error) {
	var c *logv1.SeatClockState
	for _, one := range m.clocks.Seats {
		if one.DueTime != nil && (c == nil || one.DueTime.AsTime().Before(c.DueTime.AsTime())) {
			c = one
		}
	}
	expired := &logv1.TimeExpired{Seat: c.Seat, Due: c.DueTime, Lapse: m.table.deadlines.Lapse}
	seat, _ := l.about.SeatByID(c.Seat)
	var more []draft
	var err error
	goesOn := !m.lost(l.about, seat, 0)
	if (expired.Lapse == logv1.Lapse_LAPSE_OPEN_SEAT || expired.Lapse == logv1.Lapse_LAPSE_FORFEIT && goesOn) && m.table.dice.Asked().Owes(c.Seat) {
		expired.Lapse = logv1.Lapse_LAPSE_NOTICE // the link of a player who leaves would be missing for ever
	}
	if expired.Lapse == logv1.Lapse_LAPSE_PLAY {
		if more, err = s.playFor(l, m, seat, c); err != nil {
			return nil, err
		}
		if more == nil {
			expired.Lapse = logv1.Lapse_LAPSE_NOTICE
		}
	}
	events := []*logv1.TableEvent{{Event: &logv1.TableEvent_TimeExpired{TimeExpired: expired}}}
	first := draft{kind: logv1.RecordKind_RECORD_KIND_TABLE}
	switch expired.Lapse {
	case logv1.Lapse_LAPSE_OPEN_SEAT:
		events = append(events, &logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: c.Seat, ByClock: true}}})
		first.meta = func(meta *logv1.GameMeta) { evict(meta, c.Seat) }
	case logv1.Lapse_LAPSE_FORFEIT:
		events = append(events, &logv1.TableEvent{Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{Seat: c.Seat, ByClock: true, GoesOn: goesOn}}})
		if goesOn {
			first.meta = func(meta *logv1.GameMeta) { evict(meta, c.Seat) }
			break
		}
		end, err := release(m)
		if err != nil {
			return nil, err
		}
		more = append(more, end)
	}
	if first.leaves, err = ledger.Table(events...); err != nil {
		return nil, err
	}
	m, _, err = s.commit(ctx, l, append([]draft{first}, more...)...)
	if err == nil {
		s.metrics.lapses.WithLabelValues(lapseWord(expired.Lapse)).Inc()
	}
	return m, err
}

// mostPlayTries is how many commands the server tries to find one that needs no mutual dice.
const mostPlayTries = 256

// playFor plays the first legal command of a seat in the order of ListLegalActions. With mutual dice it plays the
// first that needs none. It returns nil if there is none, or if the server has played enough for the seat.
func (s *Service) playFor(l *live, m *moment, seat rules.Seat, c *logv1.SeatClockState) ([]draft, error) {
	if c.Played >= deadline.MostPlayed || s.roomFor(m) != nil || l.created.Dice == logv1.DiceKind_DICE_KIND_MANUAL || m.table.dice.Asked() != nil {
		return nil, nil
	}
	tries := 0
	for command := range m.game.Legal(seat, rules.Filter{}) {
		if rules.IsOffer(m.game, command) {
			continue
		}
		// Its dice are those of its own version: the record before it says that the time was up.
		src, err := l.dice(m, m.version()+2, nil)
		if err != nil {
			return nil, err
		}
		drafts, err := s.played(l, m, seat, command, src)
		if tries++; errors.Is(err, errDiceOwed) && tries < mostPlayTries {
			continue // the absent player would owe a link for it
		}
		if errors.Is(err, errDiceOwed) {
			return nil, nil
		}
		return drafts, err
	}
	return nil, nil
}

// played carries a command out that nobody sent.
func (s *Service) played(l *live, m *moment, seat rules.Seat, c rules.Command, src dice.Source) ([]draft, error) {
	message, audience := m.game.EncodeCommand(c), m.game.CommandAudience(seat, c)
	next, out, err := m.game.Play(seat, c, src)
	if err != nil {
		return nil, err
	}
	leaves, err := ledger.FromOutcome(l.about, message, audience, out)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewRandomFromReader(s.entropy)
	if err != nil {
		return nil, err
	}
	drafts := []draft{{
		kind: logv1.RecordKind_RECORD_KIND_COMMAND, seat: l.about.SeatID(seat), commandID: id.String(), revealed: out.Revealed, leaves: leaves, game: next,
		rolls: m.table.dice.SourceKind(len(out.Rolls)),
	}}
	if next.Ending() != nil {
		end, err := release(m)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, end)
	}
	return drafts, nil
}
