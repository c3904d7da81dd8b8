package service

import (
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

// OfferSeat asks for consent that anyone whom the owner lets in may take a free seat.
func (s *accessServer) OfferSeat(ctx context.Context, req *v1.OfferSeatRequest) (*v1.OfferSeatResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.OfferSeatResponse)
	err := s.write(ctx, v1.AccessService_OfferSeat_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := seatNamed(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		r, err := s.tableRetry(ctx, v, request.String(),
			func(e *logv1.TableEvent) bool { return e.GetSeatOffered().GetSeat() == req.GetSeat() })
		m := v.Current()
		if r == nil && err == nil {
			m, err = s.offer(ctx, v, m, seat, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

func (s *Service) offer(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, id string,
) (*live.Moment, error) {
	if m.Table.Over {
		return nil, gameOver()
	}
	if err := s.roomFor(m); err != nil {
		return nil, err
	}
	offered := &logv1.SeatOffered{Seat: v.About.SeatID(seat)}
	if holder, held := m.Table.Holders[offered.Seat]; held {
		return nil,
			fault.New(fault.SeatTaken, "the seat %s is held", offered.Seat).With("seat", offered.Seat, "holder", holder)
	}
	guard := m.Guard(v.Game, offered.Seat)
	if guard == v1.SeatGuard_SEAT_GUARD_UNSPECIFIED {
		return nil,
			fault.New(fault.SeatUnguarded, "the seat %s needs no consent", offered.Seat).With("seat", offered.Seat)
	}
	needed := askable(m, v.About, v.caller) | m.Claims(v.About)&rules.SeatsOf(seat)
	if needed == 0 {
		return nil,
			guarded(offered.Seat, guard, "there is nobody who could agree that somebody takes the seat %s",
				offered.Seat)
	}
	offered.Needed = live.SeatIDs(v.About, needed)
	return s.tableChange(ctx, v.Game,
		"", id, nil, &logv1.TableEvent{Event: &logv1.TableEvent_SeatOffered{SeatOffered: offered}})
}

// AnswerSeat agrees to an offer of a seat, or refuses it.
func (s *accessServer) AnswerSeat(ctx context.Context, req *v1.AnswerSeatRequest) (*v1.AnswerSeatResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if req.GetOffered() == 0 {
		sh.faults.Add("offered", "expected the version of the record that offered")
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.AnswerSeatResponse)
	err := s.write(ctx, v1.AccessService_AnswerSeat_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		answer := &logv1.SeatAnswered{Seat: v.About.SeatID(seat), Offered: req.GetOffered(), Agree: req.GetAgree()}
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool {
			was := e.GetSeatAnswered()
			return was != nil && was.Seat == answer.Seat && was.Offered == answer.Offered && was.Agree == answer.Agree
		})
		m := v.Current()
		if r == nil && err == nil {
			m, err = s.answerSeat(ctx, v, m, seat, answer, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		out.Done, err = s.handedOver(ctx, v.Game, m, answer)
		return err
	})
	return answer(out, err)
}

// handedOver reports whether all have agreed to the offer that an answer agrees to.
func (s *Service) handedOver(ctx context.Context, l *live.Game, m *live.Moment, a *logv1.SeatAnswered) (bool, error) {
	if !a.Agree {
		return false, nil
	}
	r, err := s.games.Record(ctx, l.ID, a.Offered)
	if err != nil {
		return false, err
	}
	events, err := r.TableEvents()
	if err != nil || len(events) == 0 {
		return false, live.Corrupt(l.ID, a.Offered, err)
	}
	seat := events[0].GetSeatOffered().GetSeat()
	return m.Table.Handed&live.SeatSet(l.About, seat) != 0, nil
}

func (s *Service) answerSeat(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, a *logv1.SeatAnswered, id string,
) (*live.Moment, error) {
	p := m.Table.Offered
	if p == nil || p.Version != a.Offered || !p.Missing.Has(seat) {
		e := fault.New(fault.SeatNotOffered, "no offer %d of a seat waits for an answer from %s",
			a.Offered, a.Seat).With("offered", a.Offered)
		if p != nil {
			e.With("pending", p.Version)
		}
		return nil, e
	}
	return s.tableChange(ctx, v.Game, a.Seat, id, nil,
		&logv1.TableEvent{Event: &logv1.TableEvent_SeatAnswered{SeatAnswered: a}})
}
