package service

import (
	"context"
	"fmt"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// forFormer are the calls that the last holder of a free seat may make with the seat's old token, which opens nothing
// else.
var forFormer = map[string]bool{
	v1.GameService_TakeSeat_FullMethodName:            true,
	v1.GameService_AnswerUndo_FullMethodName:          true,
	v1.AccessService_AnswerSeat_FullMethodName:        true,
	v1.DeadlineService_AnswerDeadlines_FullMethodName: true,
}

// offeredSeat is a free seat that waits for consent before somebody may take it.
type offeredSeat struct {
	version uint64
	seat    rules.Seat
	missing rules.Seats
}

// initiates returns the seats to which a record showed something that it hid from others.
func initiates(about *rules.About, r *ledger.Record) (seats rules.Seats) {
	for i := range r.Leaves() {
		if a := r.Leaves()[i].Audience; a != rules.Everyone {
			seats |= rules.Seats(a)
		}
	}
	return seats & about.AllSeats()
}

// guard says who may not take a free seat because of what its last holder could see. A seat that saw nothing hidden is
// not guarded.
func (m *moment) guard(l *live, id string) v1.SeatGuard {
	seat := seatSet(l.about, id)
	_, held := m.table.holders[id]
	switch {
	case held, m.table.over, !l.set.HasSecrets(), m.table.sat&m.initiated&seat == 0, m.table.handed&seat != 0:
		return v1.SeatGuard_SEAT_GUARD_UNSPECIFIED
	case m.table.freed&seat != 0:
		return v1.SeatGuard_SEAT_GUARD_ALL
	}
	return v1.SeatGuard_SEAT_GUARD_OWNER
}

// mayKnow refuses callers who may not see what the last holder of a free seat saw: the owner, and players whom the
// owner invites. If the owner freed the seat, it refuses everybody, because the owner could come under any name.
func (v *visit) mayKnow(m *moment, id string) error {
	seat, guard := seatSet(v.about, id), m.guard(v.live, id)
	switch {
	case guard == v1.SeatGuard_SEAT_GUARD_UNSPECIFIED, v.caller.former&seat != 0:
		return nil
	case guard == v1.SeatGuard_SEAT_GUARD_OWNER && !v.caller.owner && v.caller.joins&seat == 0:
		return nil
	}
	return guarded(id, guard, "the seat %s shows what was hidden from the owner: the caller may take it only if the others agree", id)
}

func guarded(seat string, guard v1.SeatGuard, format string, args ...any) error {
	word := "owner"
	if guard == v1.SeatGuard_SEAT_GUARD_ALL {
		word = "all"
	}
	return fault.New(fault.SeatGuarded, format, args...).With("seat", seat, "guard", word)
}

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
		seat, err := seatNamed(v.about, req.GetSeat())
		if err != nil {
			return err
		}
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool { return e.GetSeatOffered().GetSeat() == req.GetSeat() })
		m := v.current()
		if r == nil && err == nil {
			m, err = s.offer(ctx, v, m, seat, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Service) offer(ctx context.Context, v *visit, m *moment, seat rules.Seat, id string) (*moment, error) {
	if m.table.over {
		return nil, gameOver()
	}
	if err := s.roomFor(m); err != nil {
		return nil, err
	}
	offered := &logv1.SeatOffered{Seat: v.about.SeatID(seat)}
	if holder, held := m.table.holders[offered.Seat]; held {
		return nil, fault.New(fault.SeatTaken, "the seat %s is held", offered.Seat).With("seat", offered.Seat, "holder", holder)
	}
	guard := m.guard(v.live, offered.Seat)
	if guard == v1.SeatGuard_SEAT_GUARD_UNSPECIFIED {
		return nil, fault.New(fault.SeatUnguarded, "the seat %s needs no consent", offered.Seat).With("seat", offered.Seat)
	}
	needed := m.askable(v.about, v.caller) | m.claims(v.about)&rules.SeatsOf(seat)
	if needed == 0 {
		return nil, guarded(offered.Seat, guard, "there is nobody who could agree that somebody takes the seat %s", offered.Seat)
	}
	offered.Needed = seatIDs(v.about, needed)
	return s.tableChange(ctx, v.live, "", id, nil, &logv1.TableEvent{Event: &logv1.TableEvent_SeatOffered{SeatOffered: offered}})
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
		seat, err := v.caller.seat(v.about, req.GetSeat())
		if err != nil {
			return err
		}
		answer := &logv1.SeatAnswered{Seat: v.about.SeatID(seat), Offered: req.GetOffered(), Agree: req.GetAgree()}
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool {
			was := e.GetSeatAnswered()
			return was != nil && was.Seat == answer.Seat && was.Offered == answer.Offered && was.Agree == answer.Agree
		})
		m := v.current()
		if r == nil && err == nil {
			m, err = s.answerSeat(ctx, v, m, seat, answer, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		out.Done, err = s.handedOver(ctx, v.live, m, answer)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// handedOver reports whether all have agreed to the offer that an answer agrees to.
func (s *Service) handedOver(ctx context.Context, l *live, m *moment, a *logv1.SeatAnswered) (bool, error) {
	if !a.Agree {
		return false, nil
	}
	r, err := s.record(ctx, l.id, a.Offered)
	if err != nil {
		return false, err
	}
	events, err := r.TableEvents()
	if err != nil || len(events) == 0 {
		return false, corrupt(l.id, a.Offered, err)
	}
	seat := events[0].GetSeatOffered().GetSeat()
	return m.table.handed&seatSet(l.about, seat) != 0, nil
}

func (s *Service) answerSeat(ctx context.Context, v *visit, m *moment, seat rules.Seat, a *logv1.SeatAnswered, id string) (*moment, error) {
	p := m.table.offered
	if p == nil || p.version != a.Offered || !p.missing.Has(seat) {
		e := fault.New(fault.SeatNotOffered, "no offer %d of a seat waits for an answer from %s", a.Offered, a.Seat).With("offered", a.Offered)
		if p != nil {
			e.With("pending", p.version)
		}
		return nil, e
	}
	return s.tableChange(ctx, v.live, a.Seat, id, nil, &logv1.TableEvent{Event: &logv1.TableEvent_SeatAnswered{SeatAnswered: a}})
}

func (m *moment) foldOffered(version uint64, e *logv1.SeatOffered, seat func(string) (rules.Seat, error)) error {
	s, err := seat(e.Seat)
	if err != nil {
		return err
	}
	p := &offeredSeat{version: version, seat: s}
	for _, id := range e.Needed {
		s, err := seat(id)
		if err != nil {
			return err
		}
		p.missing |= rules.SeatsOf(s)
	}
	m.table.offered = p
	return nil
}

func (m *moment) foldSeatAnswer(e *logv1.SeatAnswered, seat func(string) (rules.Seat, error)) error {
	s, err := seat(e.Seat)
	if err != nil {
		return err
	}
	p := m.table.offered
	if p == nil || p.version != e.Offered {
		return fmt.Errorf("an answer to offer %d of a seat, which does not wait for one", e.Offered)
	}
	if !e.Agree {
		m.table.offered = nil
		return nil
	}
	left := *p
	if left.missing &^= rules.SeatsOf(s); left.missing == 0 {
		m.table.offered, m.table.handed = nil, m.table.handed|rules.SeatsOf(p.seat)
		return nil
	}
	m.table.offered = &left
	return nil
}
