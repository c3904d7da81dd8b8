package service

import (
	"cmp"
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

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
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Service) redo(ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, id string) (*live.Moment, error) {
	if m.Table.Over {
		return nil, gameOver()
	}
	if err := cmp.Or(m.DiceAwaited(), s.roomFor(m)); err != nil {
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
