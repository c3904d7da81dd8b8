package service

import (
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
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
	if err != nil {
		return nil, err
	}
	return out, nil
}

// followedByUndo reports whether an answer was the last that an undo waited for: then the undo came with it, without an id of its own.
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

func (s *Service) answer(ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, a *logv1.UndoAnswered, id string) (*live.Moment, bool, error) {
	p := m.Table.Pending
	withdraws := p != nil && seat == p.Seat && !a.Agree
	if p == nil || p.Asked != a.Asked || !withdraws && !p.Missing.Has(seat) {
		e := fault.New(fault.UndoNotAsked, "no undo %d waits for an answer of %s", a.Asked, a.Seat).With("asked", a.Asked)
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
		move, err := s.headMove(ctx, v.Game, m, p.Seat, "", p.Target)
		if err != nil {
			return nil, false, err
		}
		again, err := s.sayAgain(ctx, v.Game, m, move, rules.SeatsOf(p.Seat))
		if err != nil {
			return nil, false, err
		}
		drafts = append(append(drafts, move), again...)
	}
	m, _, err = s.games.Commit(ctx, v.Game, drafts...)
	return m, done, err
}
