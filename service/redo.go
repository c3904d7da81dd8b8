package service

import (
	"cmp"
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
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
	if err := cmp.Or(m.diceAwaited(), s.roomFor(m)); err != nil {
		return nil, err
	}
	to := m.tree.RedoTarget()
	if to == 0 || !m.tree.Precedes(m.head(), to) {
		return nil, fault.New(fault.NothingToRedo, "nothing was undone since the last command")
	}
	if !m.mayRedo(v.caller.acts, to) {
		return nil, fault.New(fault.NotYourSeat, "only the seat that undid, or whose commands come back, may redo").
			With("seat", v.about.SeatID(seat), "holds", seatList(v.about, v.caller.acts))
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
