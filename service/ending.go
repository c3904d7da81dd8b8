package service

import (
	"cmp"
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
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
		seat, err := v.caller.seat(v.about, req.GetSeat())
		if err != nil {
			return err
		}
		id := v.about.SeatID(seat)
		m := v.current()
		ends := m.lost(v.about, seat, v.caller.own)
		counts := rules.SeatsOf(seat)
		if ends {
			counts |= v.about.SideOf(seat) & v.caller.own
		}
		played := m.played(v.about, counts)
		if !m.table.over && !(ends && played) {
			if m, err = s.resign(ctx, v, m, seat, played, request.String()); err != nil {
				return err
			}
			v.caller.seats &^= rules.SeatsOf(seat)
			out.Game = v.game(ctx, m)
			return nil
		}
		m, err = s.finish(ctx, v, id, request.String(),
			&logv1.TableEvent{Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{
				Seat: id, With: seatIDs(v.about, v.about.SideOf(seat)&v.caller.own&^rules.SeatsOf(seat)),
			}}},
			func(e *logv1.TableEvent) bool { return e.GetResigned().GetSeat() == id })
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

// lost reports whether the game ends when a seat gives up. That is so if the game has two sides, and each seat of this
// side was given up or belongs to the caller. So nobody ends a game for allies who want to play on.
func (m *moment) lost(about *rules.About, seat rules.Seat, own rules.Seats) bool {
	side := about.SideOf(seat)
	rest := about.AllSeats() &^ side
	two := rest == 0
	for other := range rest.Each {
		two = about.SideOf(other) == rest
		break
	}
	return two && side&^(m.table.givenUp|own|rules.SeatsOf(seat)) == 0
}

// played reports whether one of the seats has made a command since its holder sat down, undone ones included. Asides do
// not count. Otherwise a stranger could take a free seat and end the game, or lock the seat, without ever playing.
func (m *moment) played(about *rules.About, seats rules.Seats) bool {
	for seat := range seats.Each {
		for _, k := range m.marks[m.table.seated[about.SeatID(seat)]:] {
			command := k.kind == uint8(logv1.RecordKind_RECORD_KIND_COMMAND) || k.kind == uint8(logv1.RecordKind_RECORD_KIND_ASK)
			if k.seat == seat && command && !k.aside {
				return true
			}
		}
	}
	return false
}

// resign frees a seat that gives up while the game goes on. A seat that has not played is left, and not given up: then
// its side has lost nothing.
func (s *Service) resign(ctx context.Context, v *visit, m *moment, seat rules.Seat, played bool, request string) (*moment, error) {
	id := v.about.SeatID(seat)
	switch {
	case !v.caller.own.Has(seat):
		return nil, fault.New(fault.TokenTooNarrow, "the token acts for %s, and cannot give the seat up", id).With("seat", id)
	case m.table.dice.Asked().Owes(id):
		return nil, m.diceAwaited()
	case !played:
		return s.leaveSeat(ctx, v, id, request)
	}
	return s.tableChange(ctx, v.live, id, request, func(meta *logv1.GameMeta) { revoke(meta, id) },
		&logv1.TableEvent{Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{Seat: id, GoesOn: true}}})
}

// CloseGame ends a game without a result.
func (s *gameServer) CloseGame(ctx context.Context, req *v1.CloseGameRequest) (*v1.CloseGameResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.text("reason", req.GetReason(), maxReason)
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.request = id, request.String()
	out := new(v1.CloseGameResponse)
	err := s.write(ctx, v1.GameService_CloseGame_FullMethodName, id, rules.English, func(v *visit) error {
		m, err := s.finish(ctx, v, "", request.String(),
			&logv1.TableEvent{Event: &logv1.TableEvent_GameClosed{GameClosed: &logv1.GameClosed{Reason: req.GetReason()}}},
			func(e *logv1.TableEvent) bool {
				return e.GetGameClosed() != nil && e.GetGameClosed().Reason == req.GetReason()
			})
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

// finish ends a game at the table: the event that ends it, and the secrets, in one append.
func (s *Service) finish(ctx context.Context, v *visit, seat, request string, e *logv1.TableEvent, same func(*logv1.TableEvent) bool) (*moment, error) {
	r, err := s.tableRetry(ctx, v, request, same)
	if r != nil || err != nil {
		return v.current(), err
	}
	m := v.current()
	if m.table.over {
		return nil, gameOver()
	}
	leaves, err := ledger.Table(e)
	if err != nil {
		return nil, err
	}
	secrets, err := release(m)
	if err != nil {
		return nil, err
	}
	m, _, err = s.commit(ctx, v.live,
		draft{kind: logv1.RecordKind_RECORD_KIND_TABLE, seat: seat, commandID: request, leaves: leaves}, secrets)
	return m, err
}
