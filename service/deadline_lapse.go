package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/deadline"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/notice"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
)

// watchClock makes a record of a seat's time being up, if it is, and says when to look at the game again;
// zero for when it changes.
func (s *Service) watchClock(ctx context.Context, game string) (next time.Time) {
	err := s.games.Change(ctx, game, func(l *live.Game) error {
		m := l.Current()
		next = time.Time{}
		due := m.NextDue(l)
		if m.ReadOnly() || due.IsZero() {
			return nil
		}
		at := s.notices.Earliest(due)
		now, err := s.agreedTime(ctx)
		if err != nil {
			return err
		}
		if now.Before(at) {
			next = s.clock().Add(at.Sub(now))
			return nil
		}
		if goOn := m.GoOnTime(l); goOn != nil && !goOn.AsTime().After(due) {
			m, err = s.goOn(ctx, l, m)
		} else {
			m, err = s.lapse(ctx, l, m)
		}
		if err == nil {
			next = m.NextDue(l)
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		if fault.ReasonOf(err) == string(fault.StoreFailed) {
			s.notices.StoreAway()
		}
		s.log.Warn("a deadline could not be enforced", slog.String("game", game), slog.String("error", err.Error()))
		return s.clock().Add(notice.Trouble)
	}
	return next
}

// agreedTime is the earlier one of the server's time and the store's: a server whose clock is fast must not end the
// time of a seat early.
func (s *Service) agreedTime(ctx context.Context) (time.Time, error) {
	now := s.clock()
	if !s.store.Shared() {
		return now, nil
	}
	theirs, err := s.store.Now(ctx)
	if err != nil {
		return time.Time{}, fault.FromStore(err)
	}
	if theirs.Before(now) {
		return theirs, nil
	}
	return now, nil
}

// lapse stores that the time of the seat is up that was due first, and what follows from it. The caller
// is the game's writer.
func (s *Service) lapse(ctx context.Context, l *live.Game, m *live.Moment) (*live.Moment, error) {
	var c *logv1.SeatClockState
	for _, one := range m.Clocks.Seats {
		if one.DueTime != nil && (c == nil || one.DueTime.AsTime().Before(c.DueTime.AsTime())) {
			c = one
		}
	}
	expired := &logv1.TimeExpired{Seat: c.Seat, Due: c.DueTime, Lapse: m.Table.Deadlines.Lapse}
	seat, _ := l.About.SeatByID(c.Seat)
	var more []live.Draft
	var err error
	goesOn := !m.Lost(l.About, seat, 0)
	if expired.Lapse == logv1.Lapse_LAPSE_FORFEIT && !m.Played(l.About, rules.SeatsOf(seat)) &&
		!m.Table.Dice.Asked().Owes(c.Seat) {
		expired.Lapse = logv1.Lapse_LAPSE_OPEN_SEAT // as for whoever resigns without having played
	}
	if (expired.Lapse == logv1.Lapse_LAPSE_OPEN_SEAT || expired.Lapse == logv1.Lapse_LAPSE_FORFEIT && goesOn) &&
		m.Table.Dice.Asked().Owes(c.Seat) {
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
	first := live.Draft{Kind: logv1.RecordKind_RECORD_KIND_TABLE}
	switch expired.Lapse {
	case logv1.Lapse_LAPSE_OPEN_SEAT:
		left := &logv1.SeatLeft{Seat: c.Seat, ByClock: true}
		agreed, undo, err := s.quits(ctx, l, m, left)
		if err != nil {
			return nil, err
		}
		events = append(events, &logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: left}})
		events, more = append(events, agreed...), undo
		first.Meta = func(meta *logv1.GameMeta) { tokens.Evict(meta, c.Seat) }
	case logv1.Lapse_LAPSE_FORFEIT:
		events = append(events, &logv1.TableEvent{
			Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{Seat: c.Seat, ByClock: true, GoesOn: goesOn}},
		})
		if goesOn {
			first.Meta = func(meta *logv1.GameMeta) { tokens.Evict(meta, c.Seat) }
			break
		}
		end, err := live.Release(m)
		if err != nil {
			return nil, err
		}
		more = append(more, end)
	}
	if first.Leaves, err = ledger.Table(events...); err != nil {
		return nil, err
	}
	after, _, err := s.games.Commit(ctx, l, append([]live.Draft{first}, more...)...)
	if err == nil {
		s.metrics.lapses.WithLabelValues(lapseWord(expired.Lapse)).Inc()
		if !after.Table.Over && after.Table.Computers[c.Seat] != m.Table.Computers[c.Seat] {
			s.dismiss(ctx, l.ID, m, c.Seat)
		}
	}
	return after, err
}

// mostPlayTries is how many commands the server tries to find one that needs no mutual dice.
const mostPlayTries = 256

// playFor plays the first legal command of a seat in the order of ListLegalActions. With mutual dice it plays the
// first that needs none. It returns nil if none exists, or if the server has played enough for the seat.
func (s *Service) playFor(
	l *live.Game, m *live.Moment, seat rules.Seat, c *logv1.SeatClockState,
) ([]live.Draft, error) {
	if c.Played >= deadline.MostPlayed || s.roomFor(m) != nil || l.Created.Dice == logv1.DiceKind_DICE_KIND_MANUAL ||
		m.Table.Dice.Asked() != nil {
		return nil, nil
	}
	tries := 0
	for command := range m.Position.Legal(seat, rules.Filter{}) {
		if rules.IsOffer(m.Position, command) {
			continue
		}
		// Its dice are those of its own version: the record before it says that the time was up.
		src, err := diceFor(l, m, m.Version()+2, nil)
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
