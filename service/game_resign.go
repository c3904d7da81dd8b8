package service

import (
	"cmp"
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
)

// Resign gives the game up for a seat.
func (s *gameServer) Resign(ctx context.Context, req *v1.ResignRequest) (*v1.ResignResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.ResignResponse)
	retried, err := s.leftBefore(ctx, id, request.String(), func(e *logv1.TableEvent) bool {
		left := cmp.Or(e.GetResigned().GetSeat(), e.GetSeatLeft().GetSeat())
		return left != "" && (req.GetSeat() == "" || left == req.GetSeat())
	})
	if retried != nil || err != nil {
		out.Game = retried
		return out, err
	}
	err = s.write(ctx, v1.GameService_Resign_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		id := v.About.SeatID(seat)
		m := v.Current()
		ends := m.Lost(v.About, seat, v.caller.own)
		counts := rules.SeatsOf(seat)
		if ends {
			counts |= v.About.SideOf(seat) & v.caller.own
		}
		played := m.Played(v.About, counts)
		if !m.Table.Over && !(ends && played) {
			if m, err = s.resign(ctx, v, m, seat, played, request.String()); err != nil {
				return err
			}
			v.caller.seats &^= rules.SeatsOf(seat)
			out.Game = v.game(ctx, m)
			return nil
		}
		m, err = s.finish(ctx, v, id, request.String(),
			&logv1.TableEvent{Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{
				Seat: id, With: live.SeatIDs(v.About, v.About.SideOf(seat)&v.caller.own&^rules.SeatsOf(seat)),
			}}},
			func(e *logv1.TableEvent) bool { return e.GetResigned().GetSeat() == id })
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

// resign frees a seat that gives up while the game goes on. A seat that has not played is left, and not given up: then
// its side has lost nothing.
func (s *Service) resign(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, played bool, request string,
) (*live.Moment, error) {
	id := v.About.SeatID(seat)
	switch {
	case !v.caller.own.Has(seat):
		return nil,
			fault.New(fault.TokenTooNarrow, "the token acts for %s, and cannot give the seat up", id).With("seat", id)
	case m.Table.Dice.Asked().Owes(id):
		return nil, m.DiceAwaited()
	case !played:
		return s.leaveSeat(ctx, v, id, request)
	}
	after, err := s.tableChange(ctx, v.Game, id, request, func(meta *logv1.GameMeta) { tokens.Revoke(meta, id) },
		&logv1.TableEvent{Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{Seat: id, GoesOn: true}}})
	if err == nil {
		s.dismiss(ctx, v.ID, m, id)
	}
	return after, err
}

// CloseGame ends a game without a result.
func (s *gameServer) CloseGame(ctx context.Context, req *v1.CloseGameRequest) (*v1.CloseGameResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.text("reason", req.GetReason(), live.MaxReason)
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.request = id, request.String()
	out := new(v1.CloseGameResponse)
	err := s.write(ctx, v1.GameService_CloseGame_FullMethodName, id, rules.English, func(v *visit) error {
		m, err := s.finish(ctx, v, "", request.String(),
			&logv1.TableEvent{
				Event: &logv1.TableEvent_GameClosed{GameClosed: &logv1.GameClosed{Reason: req.GetReason()}},
			},
			func(e *logv1.TableEvent) bool {
				return e.GetGameClosed() != nil && e.GetGameClosed().Reason == req.GetReason()
			})
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

// finish ends a game at the table: the event that ends it, and the secrets, in one append.
func (s *Service) finish(
	ctx context.Context, v *visit, seat, request string, e *logv1.TableEvent, same func(*logv1.TableEvent) bool,
) (*live.Moment, error) {
	r, err := s.tableRetry(ctx, v, request, same)
	if r != nil || err != nil {
		return v.Current(), err
	}
	m := v.Current()
	if m.Table.Over {
		return nil, gameOver()
	}
	leaves, err := ledger.Table(e)
	if err != nil {
		return nil, err
	}
	secrets, err := live.Release(m)
	if err != nil {
		return nil, err
	}
	m, _, err = s.games.Commit(ctx, v.Game,
		live.Draft{Kind: logv1.RecordKind_RECORD_KIND_TABLE, Seat: seat, CommandID: request, Leaves: leaves}, secrets)
	return m, err
}
