package service

import (
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// Causes that an undo needs consent for.
const (
	causeDice     = "dice"
	causeRevealed = "revealed"
	causeAnswered = "answered"
)

// barrier is the latest record that cannot be taken back without consent.
type barrier struct {
	version uint64
	cause   string
}

// barrierTo looks for what keeps the seats from taking back all after a target on the line; the version is 0 if nothing does.
func (m *moment) barrierTo(target uint64, seats rules.Seats) barrier {
	for v := m.head(); v != target && v != 0; v = m.tree.Parent(v) {
		k := m.marks[v-1]
		switch {
		case k.rolled:
			return barrier{v, causeDice}
		case k.reveals:
			return barrier{v, causeRevealed}
		case !seats.Has(k.seat):
			return barrier{v, causeAnswered}
		}
	}
	return barrier{}
}

// askable are the seats that must agree to an undo: all that somebody holds and the caller does not.
func (m *moment) askable(about *rules.About, c caller) (seats rules.Seats) {
	for i, seat := range about.Seats {
		if _, held := m.table.holders[seat.ID]; held && !c.seats.Has(rules.Seat(i)) {
			seats |= rules.SeatsOf(rules.Seat(i))
		}
	}
	return seats
}

// Undo moves the head back, or asks whether it may be.
func (s *gameServer) Undo(ctx context.Context, req *v1.UndoRequest) (*v1.UndoResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.UndoResponse)
	err := s.write(ctx, v1.GameService_Undo_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.about, req.GetSeat())
		if err != nil {
			return err
		}
		m := v.current()
		r, err := s.earlier(ctx, v.live, request.String())
		switch {
		case err != nil:
			return err
		case r != nil:
			out.Done, err = undone(v, seat, r, req.GetTarget())
		default:
			m, out.Done, err = s.undo(ctx, v, m, seat, req)
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

// undone reads what an undo has done before, for a retry.
func undone(v *visit, seat rules.Seat, r *ledger.Record, target uint64) (done bool, err error) {
	h := r.Header()
	if h.Seat != v.about.SeatID(seat) {
		return false, reused(h.Version)
	}
	went := h.Head
	if h.Kind != logv1.RecordKind_RECORD_KIND_UNDO {
		events, err := r.TableEvents()
		if err != nil {
			return false, corrupt(v.id, h.Version, err)
		}
		if len(events) == 0 || events[0].GetUndoAsked() == nil {
			return false, reused(h.Version)
		}
		went = events[0].GetUndoAsked().Target
	}
	if target != 0 && target != went {
		return false, reused(h.Version)
	}
	return h.Kind == logv1.RecordKind_RECORD_KIND_UNDO, nil
}

func (s *Service) undo(ctx context.Context, v *visit, m *moment, seat rules.Seat, req *v1.UndoRequest) (*moment, bool, error) {
	if m.table.over {
		return nil, false, gameOver()
	}
	target, err := m.undoTarget(req.GetTarget())
	if err != nil {
		return nil, false, err
	}
	b, needed := m.barrierTo(target, v.caller.seats), m.askable(v.about, v.caller)
	if b.version == 0 || needed == 0 {
		m, err := s.moveHead(ctx, v.live, m, seat, req.GetRequestId(), target)
		return m, true, err
	}
	list := seatList(v.about, needed)
	if !req.GetAsk() {
		return nil, false, fault.New(fault.UndoBarrier, "record %d cannot be taken back without the consent of %s (%s)", b.version, list, b.cause).
			With("barrier", b.version, "cause", b.cause, "needed", list)
	}
	if p := m.table.pending; p != nil {
		return nil, false, fault.New(fault.UndoPending, "undo %d waits for consent already", p.asked).With("asked", p.asked)
	}
	asked := &logv1.UndoAsked{Seat: v.about.SeatID(seat), Target: target, Needed: seatIDs(v.about, needed)}
	m, err = s.tableChange(ctx, v.live, asked.Seat, req.GetRequestId(), nil,
		&logv1.TableEvent{Event: &logv1.TableEvent_UndoAsked{UndoAsked: asked}})
	return m, false, err
}

// undoTarget checks where the head shall go; 0 means one command back.
func (m *moment) undoTarget(target uint64) (uint64, error) {
	last := m.tree.UndoTarget()
	switch {
	case last == 0:
		return 0, fault.New(fault.NothingToUndo, "there is no command to take back")
	case target == 0:
		return last, nil
	case !m.tree.Precedes(target, m.head()):
		return 0, fault.New(fault.UndoTarget, "record %d is no command before the head, %d, on its line", target, m.head()).
			With("target", target, "head", m.head())
	}
	return target, nil
}

// moveHead appends an undo or a redo.
func (s *Service) moveHead(ctx context.Context, l *live, m *moment, seat rules.Seat, id string, to uint64) (*moment, error) {
	d, err := s.headMove(ctx, l, m, seat, id, to)
	if err != nil {
		return nil, err
	}
	after, _, err := s.commit(ctx, l, d)
	return after, err
}

// headMove is the record of an undo or a redo.
func (s *Service) headMove(ctx context.Context, l *live, m *moment, seat rules.Seat, id string, to uint64) (draft, error) {
	game, err := s.positionAt(ctx, l, m, to)
	if err != nil {
		return draft{}, err
	}
	leaves, err := ledger.Moved(m.head(), to)
	return draft{seat: l.about.SeatID(seat), commandID: id, leaves: leaves, moveTo: to, game: game}, err
}

// AnswerUndo agrees to an undo or refuses it.
func (s *gameServer) AnswerUndo(ctx context.Context, req *v1.AnswerUndoRequest) (*v1.AnswerUndoResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if req.GetAsked() == 0 {
		sh.faults.Add("asked", "expected the version of the record that asked")
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.AnswerUndoResponse)
	err := s.write(ctx, v1.GameService_AnswerUndo_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.about, req.GetSeat())
		if err != nil {
			return err
		}
		answer := &logv1.UndoAnswered{Seat: v.about.SeatID(seat), Asked: req.GetAsked(), Agree: req.GetAgree()}
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool {
			was := e.GetUndoAnswered()
			return was != nil && was.Seat == answer.Seat && was.Asked == answer.Asked && was.Agree == answer.Agree
		})
		m := v.current()
		switch {
		case err != nil:
			return err
		case r != nil:
			out.Done, err = s.followedByUndo(ctx, v.live, m, r.Version())
		default:
			m, out.Done, err = s.answer(ctx, v, m, seat, answer, request.String())
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

// followedByUndo reports whether an answer was the last that an undo waited for: then the undo came with it, without an id of its own.
func (s *Service) followedByUndo(ctx context.Context, l *live, m *moment, version uint64) (bool, error) {
	if version == m.version() {
		return false, nil
	}
	next, err := s.record(ctx, l.id, version+1)
	if err != nil {
		return false, err
	}
	return next.Header().Kind == logv1.RecordKind_RECORD_KIND_UNDO && next.Header().CommandId == "", nil
}

func (s *Service) answer(ctx context.Context, v *visit, m *moment, seat rules.Seat, a *logv1.UndoAnswered, id string) (*moment, bool, error) {
	p := m.table.pending
	withdraws := p != nil && seat == p.seat && !a.Agree
	if p == nil || p.asked != a.Asked || !withdraws && !p.missing.Has(seat) {
		e := fault.New(fault.UndoNotAsked, "no undo %d waits for an answer of %s", a.Asked, a.Seat).With("asked", a.Asked)
		if p != nil {
			e.With("pending", p.asked)
		}
		return nil, false, e
	}
	leaves, err := ledger.Table(&logv1.TableEvent{Event: &logv1.TableEvent_UndoAnswered{UndoAnswered: a}})
	if err != nil {
		return nil, false, err
	}
	drafts := []draft{{kind: logv1.RecordKind_RECORD_KIND_TABLE, seat: a.Seat, commandID: id, leaves: leaves}}
	done := a.Agree && p.missing == rules.SeatsOf(seat)
	if done {
		move, err := s.headMove(ctx, v.live, m, p.seat, "", p.target)
		if err != nil {
			return nil, false, err
		}
		drafts = append(drafts, move)
	}
	m, _, err = s.commit(ctx, v.live, drafts...)
	return m, done, err
}

// Redo brings back what was undone last.
func (s *gameServer) Redo(ctx context.Context, req *v1.RedoRequest) (*v1.RedoResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.RedoResponse)
	err := s.write(ctx, v1.GameService_Redo_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.about, req.GetSeat())
		if err != nil {
			return err
		}
		m := v.current()
		r, err := s.earlier(ctx, v.live, request.String())
		switch {
		case err != nil:
			return err
		case r == nil:
			m, err = s.redo(ctx, v, m, seat, request.String())
		case r.Header().Kind != logv1.RecordKind_RECORD_KIND_REDO || r.Header().Seat != v.about.SeatID(seat):
			err = reused(r.Version())
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

func (s *Service) redo(ctx context.Context, v *visit, m *moment, seat rules.Seat, id string) (*moment, error) {
	if m.table.over {
		return nil, gameOver()
	}
	to := m.tree.RedoTarget()
	if to == 0 || !m.tree.Precedes(m.head(), to) {
		return nil, fault.New(fault.NothingToRedo, "nothing was undone since the last command")
	}
	if !m.mayRedo(v.caller.seats, to) {
		return nil, fault.New(fault.NotYourSeat, "only the seat that undid, or whose commands come back, may redo").
			With("seat", v.about.SeatID(seat), "holds", seatList(v.about, v.caller.seats))
	}
	return s.moveHead(ctx, v.live, m, seat, id, to)
}

// mayRedo is for those who moved the head last, and for those whose commands all of it are.
func (m *moment) mayRedo(seats rules.Seats, to uint64) bool {
	for v := m.version(); v > 0; v-- {
		if m.tree.HeadAt(v) != m.tree.HeadAt(v-1) {
			if seats.Has(m.marks[v-1].seat) {
				return true
			}
			break
		}
	}
	for v := to; v != m.head() && v != 0; v = m.tree.Parent(v) {
		if !seats.Has(m.marks[v-1].seat) {
			return false
		}
	}
	return true
}
