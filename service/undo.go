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

// barrierTo looks for what keeps the seats from taking back all after a target on the line; the version is 0 if nothing does.
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

// askable are the seats that somebody holds and the caller does not.
func askable(m *live.Moment, about *rules.About, c caller) (seats rules.Seats) {
	for i, seat := range about.Seats {
		if _, held := m.Table.Holders[seat.ID]; held && !c.acts.Has(rules.Seat(i)) {
			seats |= rules.SeatsOf(rules.Seat(i))
		}
	}
	return seats
}

// unheard are the seats whose players the owner put out after a record, and which somebody has taken since without their
// consent. If the caller is that somebody, or nobody holds the seat any more, nobody can agree for the player.
func unheard(m *live.Moment, about *rules.About, record uint64, askable rules.Seats) (seats rules.Seats) {
	for seat, at := range m.Table.Retaken {
		if at > record && !askable.Has(seat) {
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
	if err != nil {
		return nil, err
	}
	return out, nil
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

func (s *Service) undo(ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, req *v1.UndoRequest) (*live.Moment, bool, error) {
	if m.Table.Over {
		return nil, false, gameOver()
	}
	if err := cmp.Or(m.DiceAwaited(), s.roomFor(m)); err != nil {
		return nil, false, err
	}
	target, err := undoTarget(m, req.GetTarget(), ledger.ForkFloor(v.Created), v.caller.acts)
	if err != nil {
		return nil, false, err
	}
	b, needed := barrierTo(m, target, v.caller.acts), askable(m, v.About, v.caller)|m.Claims(v.About)
	if gone := unheard(m, v.About, b.earliest, needed); b.version != 0 && gone != 0 {
		list := live.SeatList(v.About, gone)
		return nil, false, fault.New(fault.UndoBarrier, "record %d cannot be taken back (%s): the owner put the player of %s out, and nobody can agree for that player",
			b.version, b.cause, list).With("barrier", b.version, "cause", b.cause, "needed", list)
	}
	if b.version == 0 || needed == 0 {
		m, err := s.moveBack(ctx, v.Game, m, seat, req.GetRequestId(), target, v.caller.acts)
		return m, true, err
	}
	list := live.SeatList(v.About, needed)
	if !req.GetAsk() {
		return nil, false, fault.New(fault.UndoBarrier, "record %d cannot be taken back without the consent of %s (%s)", b.version, list, b.cause).
			With("barrier", b.version, "cause", b.cause, "needed", list)
	}
	if p := m.Table.Pending; p != nil {
		return nil, false, fault.New(fault.UndoPending, "undo %d waits for consent already", p.Asked).With("asked", p.Asked)
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
		return 0, fault.New(fault.NothingToUndo, "since record %d there are only asides of others, and no command to take back", target)
	case !m.Tree.Precedes(target, m.Head()):
		return 0, fault.New(fault.UndoTarget, "record %d is no command before the head, %d, on its line", target, m.Head()).
			With("target", target, "head", m.Head())
	}
	return target, nil
}

// moveHead appends an undo or a redo.
func (s *Service) moveHead(ctx context.Context, l *live.Game, m *live.Moment, seat rules.Seat, id string, to uint64) (*live.Moment, error) {
	d, err := s.headMove(ctx, l, m, seat, id, to)
	if err != nil {
		return nil, err
	}
	after, _, err := s.games.Commit(ctx, l, d)
	return after, err
}

// headMove is the record of an undo or a redo.
func (s *Service) headMove(ctx context.Context, l *live.Game, m *live.Moment, seat rules.Seat, id string, to uint64) (live.Draft, error) {
	game, err := s.games.PositionAt(ctx, l, m, to)
	if err != nil {
		return live.Draft{}, err
	}
	leaves, err := ledger.Moved(m.Head(), to)
	return live.Draft{Seat: l.About.SeatID(seat), CommandID: id, Leaves: leaves, MoveTo: to, Position: game}, err
}
