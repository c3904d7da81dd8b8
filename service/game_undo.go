package service

import (
	"cmp"
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// Causes that an undo needs consent for.
const (
	causeDice     = "dice"
	causeRevealed = "revealed"
	causeAnswered = "answered"
)

// barrier is what keeps seats from taking something back alone: the latest record that needs consent, why, and the
// earliest such record.
type barrier struct {
	version, earliest uint64
	cause             string
}

// barrierTo looks for what keeps the seats from taking back all after a target on the line; the version
// is 0 if nothing does.
func barrierTo(m *live.Moment, target uint64, seats rules.Seats) (b barrier) {
	for v := m.Head(); v != target && v != 0; v = m.Tree.Parent(v) {
		k, cause := m.Marks[v-1], ""
		switch {
		case m.AsideOfOthers(v, seats):
		case k.Rolled:
			cause = causeDice
		case k.Reveals:
			cause = causeRevealed
		case !seats.Has(k.Seat):
			cause = causeAnswered
		}
		if cause == "" {
			continue
		}
		if b.earliest = v; b.version == 0 {
			b.version, b.cause = v, cause
		}
	}
	return b
}

// unheard are the seats whose players the owner put out after a record, and which somebody has taken since without
// their consent. If nobody but the caller holds the seat, nobody can agree for the player: whoever took it and was put
// out as well has a say only over what came later.
func unheard(m *live.Moment, record uint64, held rules.Seats) (seats rules.Seats) {
	for seat, at := range m.Table.Retaken {
		if at > record && !held.Has(seat) {
			seats |= rules.SeatsOf(seat)
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
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		m := v.Current()
		r, err := s.games.Earlier(ctx, v.Game, request.String())
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
	return answer(out, err)
}

// undone reads what an undo has done before, for a retry.
func undone(v *visit, seat rules.Seat, r *ledger.Record, target uint64) (done bool, err error) {
	h := r.Header()
	if h.Seat != v.About.SeatID(seat) {
		return false, live.Reused(h.Version)
	}
	went := h.Head
	if h.Kind != logv1.RecordKind_RECORD_KIND_UNDO {
		events, err := r.TableEvents()
		if err != nil {
			return false, live.Corrupt(v.ID, h.Version, err)
		}
		if len(events) == 0 || events[0].GetUndoAsked() == nil {
			return false, live.Reused(h.Version)
		}
		went = events[0].GetUndoAsked().Target
	}
	if target != 0 && target != went {
		return false, live.Reused(h.Version)
	}
	return h.Kind == logv1.RecordKind_RECORD_KIND_UNDO, nil
}

func (s *Service) undo(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, req *v1.UndoRequest,
) (*live.Moment, bool, error) {
	if m.Table.Over {
		return nil, false, gameOver()
	}
	if err := cmp.Or(m.DiceAwaited(), s.roomFor(m), s.undoRoom(m, v.About, seat)); err != nil {
		return nil, false, err
	}
	target, err := undoTarget(m, req.GetTarget(), ledger.ForkFloor(v.Created), v.caller.acts)
	if err != nil {
		return nil, false, err
	}
	b, held := barrierTo(m, target, v.caller.acts), askable(m, v.About, v.caller)
	needed := held | m.Claims(v.About)
	if gone := unheard(m, b.earliest, held); b.version != 0 && gone != 0 {
		list := live.SeatList(v.About, gone)
		return nil, false, fault.New(fault.UndoBarrier, "record %d cannot be taken back (%s): the owner put the "+
			"player of %s out, and nobody can agree for that player",
			b.version, b.cause, list).With("barrier", b.version, "cause", b.cause, "needed", list)
	}
	if b.version == 0 || needed == 0 {
		m, err := s.moveBack(ctx, v.Game, m, seat, req.GetRequestId(), target, v.caller.acts)
		return m, true, err
	}
	list := live.SeatList(v.About, needed)
	if !req.GetAsk() {
		return nil, false,
			fault.New(fault.UndoBarrier, "record %d cannot be taken back without the consent of %s (%s)",
				b.version, list, b.cause).
				With("barrier", b.version, "cause", b.cause, "needed", list)
	}
	if p := m.Table.Pending; p != nil {
		return nil, false,
			fault.New(fault.UndoPending, "undo %d waits for consent already", p.Asked).With("asked", p.Asked)
	}
	if err := tableRoom(m, v.About, seat); err != nil {
		return nil, false, err
	}
	asked := &logv1.UndoAsked{Seat: v.About.SeatID(seat), Target: target, Needed: live.SeatIDs(v.About, needed)}
	m, err = s.tableChange(ctx, v.Game, asked.Seat, req.GetRequestId(), nil,
		&logv1.TableEvent{Event: &logv1.TableEvent_UndoAsked{UndoAsked: asked}})
	return m, false, err
}

// undoTarget checks where the head is to go. 0 means one command of the given seats back; asides of others are passed
// over. What came before a fork stays, or its origin would be played again.
func undoTarget(m *live.Moment, target, floor uint64, seats rules.Seats) (uint64, error) {
	newest := m.Head()
	for newest != 0 && m.AsideOfOthers(newest, seats) {
		newest = m.Tree.Parent(newest)
	}
	last := m.Tree.Parent(newest)
	switch {
	case last == 0, last < floor:
		return 0, fault.New(fault.NothingToUndo, "there is no command to take back")
	case target != 0 && target < floor:
		return 0, fault.New(fault.UndoTarget, "the game was forked at record %d, and what came before stays", floor).
			With("target", target, "head", m.Head())
	case target == 0:
		return last, nil
	case target != last && !m.Tree.Precedes(target, last) && m.Tree.Precedes(target, m.Head()):
		return 0, fault.New(fault.NothingToUndo,
			"since record %d there are only asides of others, and no command to take back", target)
	case !m.Tree.Precedes(target, m.Head()):
		return 0,
			fault.New(fault.UndoTarget, "record %d is no command before the head, %d, on its line", target, m.Head()).
				With("target", target, "head", m.Head())
	}
	return target, nil
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
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		answer := &logv1.UndoAnswered{Seat: v.About.SeatID(seat), Asked: req.GetAsked(), Agree: req.GetAgree()}
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool {
			was := e.GetUndoAnswered()
			return was != nil && was.Seat == answer.Seat && was.Asked == answer.Asked && was.Agree == answer.Agree
		})
		m := v.Current()
		switch {
		case err != nil:
			return err
		case r != nil:
			out.Done, err = s.followedByUndo(ctx, v.Game, m, r.Version())
		default:
			m, out.Done, err = s.answer(ctx, v, m, seat, answer, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

// followedByUndo reports whether an answer was the last that an undo waited for: then the undo came with it,
// without an id of its own.
func (s *Service) followedByUndo(ctx context.Context, l *live.Game, m *live.Moment, version uint64) (bool, error) {
	if version == m.Version() {
		return false, nil
	}
	next, err := s.games.Record(ctx, l.ID, version+1)
	if err != nil {
		return false, err
	}
	return next.Header().Kind == logv1.RecordKind_RECORD_KIND_UNDO && next.Header().CommandId == "", nil
}

func (s *Service) answer(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, a *logv1.UndoAnswered, id string,
) (*live.Moment, bool, error) {
	p := m.Table.Pending
	withdraws := p != nil && seat == p.Seat && !a.Agree
	if p == nil || p.Asked != a.Asked || !withdraws && !p.Missing.Has(seat) {
		e := fault.New(fault.UndoNotAsked, "no undo %d waits for an answer of %s",
			a.Asked, a.Seat).With("asked", a.Asked)
		if p != nil {
			e.With("pending", p.Asked)
		}
		return nil, false, e
	}
	leaves, err := ledger.Table(&logv1.TableEvent{Event: &logv1.TableEvent_UndoAnswered{UndoAnswered: a}})
	if err != nil {
		return nil, false, err
	}
	drafts := []live.Draft{{Kind: logv1.RecordKind_RECORD_KIND_TABLE, Seat: a.Seat, CommandID: id, Leaves: leaves}}
	done := a.Agree && p.Missing == rules.SeatsOf(seat)
	if done {
		more, err := s.agreedUndo(ctx, v.Game, m, p)
		if err != nil {
			return nil, false, err
		}
		drafts = append(drafts, more...)
	}
	m, _, err = s.games.Commit(ctx, v.Game, drafts...)
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
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		m := v.Current()
		r, err := s.games.Earlier(ctx, v.Game, request.String())
		switch {
		case err != nil:
			return err
		case r == nil:
			m, err = s.redo(ctx, v, m, seat, request.String())
		case r.Header().Kind != logv1.RecordKind_RECORD_KIND_REDO || r.Header().Seat != v.About.SeatID(seat):
			err = live.Reused(r.Version())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

func (s *Service) redo(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, id string,
) (*live.Moment, error) {
	if m.Table.Over {
		return nil, gameOver()
	}
	if err := cmp.Or(m.DiceAwaited(), s.roomFor(m), s.undoRoom(m, v.About, seat)); err != nil {
		return nil, err
	}
	to := m.Tree.RedoTarget()
	if to == 0 || !m.Tree.Precedes(m.Head(), to) {
		return nil, fault.New(fault.NothingToRedo, "nothing was undone since the last command")
	}
	if !mayRedo(m, v.caller.acts, to) {
		return nil, fault.New(fault.NotYourSeat, "only the seat that undid, or whose commands come back, may redo").
			With("seat", v.About.SeatID(seat), "holds", live.SeatList(v.About, v.caller.acts))
	}
	return s.moveHead(ctx, v.Game, m, seat, id, to)
}

// mayRedo is for those who moved the head last, and for those whose commands all of it are.
func mayRedo(m *live.Moment, seats rules.Seats, to uint64) bool {
	for v := m.Version(); v > 0; v-- {
		if m.Tree.HeadAt(v) != m.Tree.HeadAt(v-1) {
			if seats.Has(m.Marks[v-1].Seat) {
				return true
			}
			break
		}
	}
	for v := to; v != m.Head() && v != 0; v = m.Tree.Parent(v) {
		if !seats.Has(m.Marks[v-1].Seat) {
			return false
		}
	}
	return true
}
