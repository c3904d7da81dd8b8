package service

import (
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

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
		again, err := s.sayAgain(ctx, v.live, m, move, rules.SeatsOf(p.seat))
		if err != nil {
			return nil, false, err
		}
		drafts = append(append(drafts, move), again...)
	}
	m, _, err = s.commit(ctx, v.live, drafts...)
	return m, done, err
}
