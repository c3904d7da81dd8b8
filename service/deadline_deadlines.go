package service

import (
	"context"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/deadline"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// ProposeDeadlines asks those who hold seats, or were put out of them, to play by other deadlines.
func (s *deadlineServer) ProposeDeadlines(
	ctx context.Context, req *v1.ProposeDeadlinesRequest,
) (*v1.ProposeDeadlinesResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	wanted := sh.deadlines("deadlines", req.GetDeadlines(), false)
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.request = id, request.String()
	out := new(v1.ProposeDeadlinesResponse)
	err := s.write(ctx, v1.DeadlineService_ProposeDeadlines_FullMethodName, id, rules.English, func(v *visit) error {
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool {
			return e.GetDeadlinesProposed() != nil && proto.Equal(e.GetDeadlinesProposed().Deadlines, wanted)
		})
		m := v.Current()
		switch {
		case err != nil:
			return err
		case r != nil:
			out.Done, err = changesDeadlines(r)
		default:
			m, out.Done, err = s.propose(ctx, v, m, wanted, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

// changesDeadlines reports whether other deadlines hold from a record on.
func changesDeadlines(r *ledger.Record) (bool, error) {
	events, err := r.TableEvents()
	for _, e := range events {
		if e.GetDeadlinesChanged() != nil {
			return true, nil
		}
	}
	return false, err
}

// propose stores a proposal, the owner's own consent for the seats whose tokens came along, and the
// change if that is all.
func (s *Service) propose(
	ctx context.Context, v *visit, m *live.Moment, wanted *logv1.Deadlines, id string,
) (*live.Moment, bool, error) {
	if m.Table.Over {
		return nil, false, gameOver()
	}
	if err := s.roomFor(m); err != nil {
		return nil, false, err
	}
	var sh shape
	sh.deadlines("deadlines", wanted, v.Created.Dice == logv1.DiceKind_DICE_KIND_MANUAL)
	if err := sh.err(); err != nil {
		return nil, false, err
	}
	if wanted != nil {
		if err := s.notices.KeepBook(ctx, v.ID); err != nil {
			return nil, false, err
		}
	}
	proposed := &logv1.DeadlinesProposed{Deadlines: wanted}
	events := []*logv1.TableEvent{{Event: &logv1.TableEvent_DeadlinesProposed{DeadlinesProposed: proposed}}}
	claims := m.Claims(v.About)
	for i, seat := range v.About.Seats {
		if _, held := m.Table.Holders[seat.ID]; !held && !claims.Has(rules.Seat(i)) {
			continue
		}
		proposed.Needed = append(proposed.Needed, seat.ID)
		if v.caller.acts.Has(rules.Seat(i)) {
			events = append(events, &logv1.TableEvent{Event: &logv1.TableEvent_DeadlinesAnswered{
				DeadlinesAnswered: &logv1.DeadlinesAnswered{Seat: seat.ID, Proposed: m.Version() + 1, Agree: true},
			}})
		}
	}
	done := len(events) == len(proposed.Needed)+1
	if done {
		events = append(events, deadlinesChanged(wanted))
	}
	m, err := s.tableChange(ctx, v.Game, "", id, nil, events...)
	return m, done, err
}

func deadlinesChanged(d *logv1.Deadlines) *logv1.TableEvent {
	return &logv1.TableEvent{
		Event: &logv1.TableEvent_DeadlinesChanged{DeadlinesChanged: &logv1.DeadlinesChanged{Deadlines: d}},
	}
}

// AnswerDeadlines agrees to a proposal or refuses it.
func (s *deadlineServer) AnswerDeadlines(
	ctx context.Context, req *v1.AnswerDeadlinesRequest,
) (*v1.AnswerDeadlinesResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if req.GetProposed() == 0 {
		sh.faults.Add("proposed", "expected the version of the record that proposed")
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.AnswerDeadlinesResponse)
	err := s.write(ctx, v1.DeadlineService_AnswerDeadlines_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		answer := &logv1.DeadlinesAnswered{Seat: v.About.SeatID(seat), Proposed: req.GetProposed(),
			Agree: req.GetAgree()}
		r, err := s.tableRetry(ctx, v, request.String(),
			func(e *logv1.TableEvent) bool { return proto.Equal(e.GetDeadlinesAnswered(), answer) })
		m := v.Current()
		switch {
		case err != nil:
			return err
		case r != nil:
			out.Done, err = changesDeadlines(r)
		default:
			m, out.Done, err = s.answerDeadlines(ctx, v, m, seat, answer, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

func (s *Service) answerDeadlines(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, a *logv1.DeadlinesAnswered, id string,
) (*live.Moment, bool, error) {
	p := m.Table.Proposed
	if p == nil || p.Version != a.Proposed || !p.Missing.Has(seat) {
		e := fault.New(fault.DeadlinesNotAsked, "no proposal %d waits for an answer of %s",
			a.Proposed, a.Seat).With("proposed", a.Proposed)
		if p != nil {
			e.With("pending", p.Version)
		}
		return nil, false, e
	}
	events := []*logv1.TableEvent{{Event: &logv1.TableEvent_DeadlinesAnswered{DeadlinesAnswered: a}}}
	done := a.Agree && p.Missing == rules.SeatsOf(seat)
	if done {
		events = append(events, deadlinesChanged(p.Deadlines))
	}
	m, err := s.tableChange(ctx, v.Game, a.Seat, id, nil, events...)
	return m, done, err
}

// TakeHoliday lets a seat's time stand still.
func (s *deadlineServer) TakeHoliday(ctx context.Context, req *v1.TakeHolidayRequest) (*v1.TakeHolidayResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if d := req.GetDays(); d < 1 || d > 366 {
		sh.faults.Add("days", "%d, expected 1 to 366", d)
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.TakeHolidayResponse)
	err := s.write(ctx, v1.DeadlineService_TakeHoliday_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		id := v.About.SeatID(seat)
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool {
			was := e.GetHolidayTaken()
			return was != nil && was.Seat == id && was.Days == req.GetDays()
		})
		m := v.Current()
		if r == nil && err == nil {
			m, err = s.takeHoliday(ctx, v, m, id, req.GetDays(), request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

func (s *Service) takeHoliday(
	ctx context.Context, v *visit, m *live.Moment, seat string, days int32, id string,
) (*live.Moment, error) {
	c := deadline.Find(m.Clocks, seat)
	switch {
	case m.Table.Over:
		return nil, gameOver()
	case c == nil:
		return nil, fault.New(fault.NoDeadlines, "the game has no deadlines")
	case days > c.HolidaysLeft:
		return nil, fault.New(fault.HolidaysSpent, "%s has %d days of holiday left", seat, c.HolidaysLeft).With("left",
			c.HolidaysLeft)
	}
	if err := s.roomFor(m); err != nil {
		return nil, err
	}
	from := s.clock()
	if until := c.HolidayUntil; until != nil && until.AsTime().After(from) {
		from = until.AsTime()
	}
	return s.tableChange(ctx, v.Game, seat, id, nil,
		&logv1.TableEvent{Event: &logv1.TableEvent_HolidayTaken{HolidayTaken: &logv1.HolidayTaken{
			Seat: seat, Days: days, Until: timestamppb.New(from.Add(deadline.Day * time.Duration(days))),
		}}})
}
